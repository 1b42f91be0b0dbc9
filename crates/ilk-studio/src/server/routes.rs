//! What is where.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Path, Query, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use ilk::ask::QuestionKind;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::BroadcastStream;

use super::guard::Guard;
use crate::clusters::Clusters;
use crate::log::Event;
use crate::studio::{Refusal, Studio};
use crate::{entries, export, images, views};

/// Bytes of a request, at most.
const BODY: usize = 1 << 20;

/// Time in which what was sent must have come in whole and been answered.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the page is made of.
const PAGE: &str = include_str!("../../page/dist/index.html");
const SCRIPT: &str = include_str!("../../page/dist/studio.js");
const STYLE: &str = include_str!("../../page/dist/studio.css");
const SCHEMA: &str = include_str!("../../schema.json");

type Shared = State<Arc<Studio>>;
type Answer<T> = std::result::Result<Json<T>, Refusal>;

pub(super) fn router(studio: Arc<Studio>, guard: Arc<Guard>) -> Router {
    Router::new()
        .route("/", get(|| async { text("text/html; charset=utf-8", PAGE) }))
        .route("/studio.js", get(|| async { text("text/javascript; charset=utf-8", SCRIPT) }))
        .route("/studio.css", get(|| async { text("text/css; charset=utf-8", STYLE) }))
        .route("/api/schema", get(|| async { text("application/schema+json", SCHEMA) }))
        .route("/api/state", get(state))
        .route("/api/answer", post(answer))
        .route("/api/statement", post(statement))
        .route("/api/undo", post(undo))
        .route("/api/delete", post(delete))
        .route("/api/kind", post(kind))
        .route("/api/name", post(name))
        .route("/api/done", post(done))
        .route("/api/answers", get(answers))
        .route("/api/contradictions", get(contradictions))
        .route("/api/map", get(map))
        .route("/api/clusters", get(clusters))
        .route("/api/rows", get(rows))
        .route("/api/explain", get(explain))
        .route("/api/methods", get(methods))
        .route("/api/fit", post(fit))
        .route("/api/export", get(export_all))
        .route("/api/events", get(events))
        .route("/images/{point}", get(image))
        .layer(DefaultBodyLimit::max(BODY))
        .with_state(studio)
        .layer(middleware::from_fn_with_state(guard, guarded))
}

/// Lets in who may come in, and tells browsers what the page may do.
async fn guarded(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let mut response = admitted(&guard, request, next).await;
    Guard::add_headers(response.headers_mut());
    response
}

async fn admitted(guard: &Guard, request: Request, next: Next) -> Response {
    let refused = |status: StatusCode, message: &str| {
        (status, Json(json!({ "error": message }))).into_response()
    };
    if let Err(status) = guard.check_source(request.headers()) {
        return refused(status, "this is a server of another machine's page");
    }
    let given = request.uri().query().unwrap_or_default().split('&');
    let given = given.filter_map(|part| part.strip_prefix("token=")).any(|it| guard.is_token(it));
    if request.uri().path() == "/" && given {
        // The token leaves the address bar and its history.
        let headers = [(header::SET_COOKIE, guard.cookie()), (header::LOCATION, "/".to_owned())];
        return (StatusCode::SEE_OTHER, headers).into_response();
    }
    if !guard.has_token(request.headers()) {
        return refused(
            StatusCode::UNAUTHORIZED,
            "the token is missing; open the address that `ilk studio` printed",
        );
    }
    let is_sent = request.method() != axum::http::Method::GET;
    let answered = next.run(request);
    if !is_sent {
        return answered.await;
    }
    match tokio::time::timeout(PATIENCE, answered).await {
        Ok(response) => response,
        Err(_) => refused(StatusCode::REQUEST_TIMEOUT, "what was sent took too long"),
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (status, message) = match self {
            Self::Wrong(message) => (StatusCode::UNPROCESSABLE_ENTITY, message),
            Self::Outdated(message) => (StatusCode::CONFLICT, message),
            Self::Absent(message) => (StatusCode::NOT_FOUND, message),
            Self::Failed(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error:#}")),
        };
        (status, Json(json!({ "error": message }))).into_response()
    }
}

fn text(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

/// Runs work that takes more than a moment where it holds up no other request.
async fn work<T: Send + 'static>(
    studio: Arc<Studio>,
    work: impl FnOnce(&Studio) -> std::result::Result<T, Refusal> + Send + 'static,
) -> Answer<T> {
    match tokio::task::spawn_blocking(move || work(&studio)).await {
        Ok(done) => done.map(Json),
        Err(_) => Err(Refusal::Failed(anyhow::anyhow!("this went wrong in the server"))),
    }
}

/// What was sent, as JSON.
fn parsed<T: DeserializeOwned>(body: &Bytes) -> std::result::Result<T, Refusal> {
    serde_json::from_slice(body)
        .map_err(|error| Refusal::Wrong(format!("this is not understood: {error}")))
}

async fn state(State(studio): Shared) -> Answer<views::State> {
    work(studio, |studio| Ok(studio.state()?)).await
}

async fn answer(State(studio): Shared, body: Bytes) -> Answer<impl Serialize> {
    work(studio, move |studio| studio.answer(parsed(&body)?)).await
}

async fn statement(State(studio): Shared, body: Bytes) -> Answer<impl Serialize> {
    work(studio, move |studio| studio.state_that(parsed(&body)?)).await
}

async fn undo(State(studio): Shared) -> Answer<impl Serialize> {
    work(studio, |studio| studio.delete(None)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryOf {
    entry: usize,
}

async fn delete(State(studio): Shared, body: Bytes) -> Answer<impl Serialize> {
    work(studio, move |studio| studio.delete(Some(parsed::<EntryOf>(&body)?.entry))).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KindOf {
    kind: QuestionKind,
}

async fn kind(State(studio): Shared, body: Bytes) -> Answer<views::State> {
    work(studio, move |studio| {
        let KindOf { kind } = parsed(&body)?;
        studio.remark(Event::Kind { kind })
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NameOf {
    row: String,
    name: String,
}

async fn name(State(studio): Shared, body: Bytes) -> Answer<views::State> {
    work(studio, move |studio| {
        let NameOf { row, name } = parsed(&body)?;
        studio.remark(Event::Name { row, name })
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DoneOf {
    row: String,
    done: bool,
}

async fn done(State(studio): Shared, body: Bytes) -> Answer<views::State> {
    work(studio, move |studio| {
        let DoneOf { row, done } = parsed(&body)?;
        studio.remark(Event::Done { row, done })
    })
    .await
}

async fn answers(State(studio): Shared) -> Answer<impl Serialize> {
    work(studio, |studio| Ok(entries::answers(&studio.study()))).await
}

async fn contradictions(State(studio): Shared) -> Answer<impl Serialize> {
    work(studio, |studio| Ok(entries::contradictions(&studio.study())?)).await
}

async fn map(State(studio): Shared) -> Answer<impl Serialize> {
    work(studio, |studio| Ok(studio.map.clone())).await
}

/// Whose clusters are meant.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum By {
    #[default]
    Answers,
    Model,
}

/// Gives the clusters that are meant.
fn with_clusters<T>(
    studio: &Studio,
    by: By,
    give: impl FnOnce(&Clusters) -> std::result::Result<T, Refusal>,
) -> std::result::Result<T, Refusal> {
    let found = match by {
        By::Answers => studio.fits.placed().map(|clusters| give(&clusters)),
        By::Model => studio.fits.fitted().map(|fitted| give(&fitted.clusters)),
    };
    found.unwrap_or_else(|| Err(Refusal::Absent("there are no clusters yet".to_owned())))
}

#[derive(Deserialize)]
struct ClustersOf {
    #[serde(default)]
    by: By,
}

async fn clusters(State(studio): Shared, Query(of): Query<ClustersOf>) -> Answer<impl Serialize> {
    work(studio, move |studio| {
        let study = studio.study();
        with_clusters(studio, of.by, |found| Ok(views::clusters(&study, found)))
    })
    .await
}

#[derive(Deserialize)]
struct RowsOf {
    #[serde(default)]
    search: String,
    #[serde(default)]
    offset: usize,
    limit: Option<usize>,
    cluster: Option<usize>,
    #[serde(default)]
    by: By,
}

async fn rows(State(studio): Shared, Query(of): Query<RowsOf>) -> Answer<impl Serialize> {
    work(studio, move |studio| {
        let study = studio.study();
        let limit = of.limit.unwrap_or(views::MAX_ROWS);
        let page = |is_in: &dyn Fn(usize) -> bool| {
            Ok(views::rows(&study, &of.search, of.offset, limit, is_in))
        };
        match of.cluster {
            None => page(&|_| true),
            Some(cluster) => with_clusters(studio, of.by, |found| {
                page(&|point| found.labels[point] == Some(cluster))
            }),
        }
    })
    .await
}

#[derive(Deserialize)]
struct PointOf {
    point: usize,
    #[serde(default)]
    by: By,
}

async fn explain(State(studio): Shared, Query(of): Query<PointOf>) -> Answer<impl Serialize> {
    work(studio, move |studio| {
        let study = studio.study();
        if of.point >= study.data.table.ids.len() {
            return Err(Refusal::Absent(format!("there is no row {}", of.point)));
        }
        with_clusters(studio, of.by, |found| Ok(views::explanation(&study, found, of.point)?))
    })
    .await
}

async fn methods(State(studio): Shared) -> Answer<impl Serialize> {
    work(studio, |studio| {
        let found = views::methods(&studio.study(), &studio.fits);
        found.ok_or_else(|| Refusal::Absent("nothing is fitted yet".to_owned()))
    })
    .await
}

async fn fit(State(studio): Shared) -> Answer<impl Serialize> {
    studio.fits.hurry();
    Ok(Json(json!({ "revision": studio.study().revision })))
}

async fn export_all(State(studio): Shared) -> Response {
    let packed = tokio::task::spawn_blocking(move || export::export(&studio)).await;
    match packed {
        Ok(Ok(bytes)) => {
            let headers = [
                (header::CONTENT_TYPE, "application/zip"),
                (header::CONTENT_DISPOSITION, "attachment; filename=\"ilk-studio.zip\""),
            ];
            (headers, bytes).into_response()
        }
        Ok(Err(error)) => Refusal::Failed(error).into_response(),
        Err(_) => Refusal::Failed(anyhow::anyhow!("the export went wrong")).into_response(),
    }
}

/// What goes on, as it goes on: server-sent events.
async fn events(State(studio): Shared) -> Response {
    let notices = BroadcastStream::new(studio.fits.listen());
    // Who is too slow for all notices misses some; the state is asked for anyway.
    let lines = notices.filter_map(std::result::Result::ok).map(|notice| {
        let text = serde_json::to_string(&notice).unwrap_or_default();
        Ok::<_, Infallible>(format!("data: {text}\n\n"))
    });
    let first = tokio_stream::once(Ok(": open\n\n".to_owned()));
    let headers = [(header::CONTENT_TYPE, "text/event-stream")];
    (headers, Body::from_stream(first.chain(lines))).into_response()
}

async fn image(State(studio): Shared, Path(point): Path<usize>) -> Response {
    let found = tokio::task::spawn_blocking(move || {
        let file = studio.image(point)?;
        let kind = images::kind(&file).unwrap_or("application/octet-stream");
        let bytes = std::fs::read(&file)
            .map_err(|_| Refusal::Absent("the image cannot be read".to_owned()))?;
        Ok::<_, Refusal>((kind, bytes))
    })
    .await;
    match found {
        Ok(Ok((kind, bytes))) => ([(header::CONTENT_TYPE, kind)], bytes).into_response(),
        Ok(Err(refusal)) => refusal.into_response(),
        Err(_) => Refusal::Failed(anyhow::anyhow!("the image went wrong")).into_response(),
    }
}
