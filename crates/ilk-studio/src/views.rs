//! What the page is told, as JSON; `schema.json` describes it.

use ilk::ask::{NextQuestion, Purpose, QuestionKind};
use ilk::explain::PointExplanation;
use ilk_io::Rows;
use serde::Serialize;

use crate::clusters::Clusters;
use crate::fits::{AHEAD, Fits, Judged};
use crate::study::{Issued, Standing, Study};

/// Rows of a page of the table, at most.
pub(crate) const MAX_ROWS: usize = 500;

#[derive(Serialize)]
pub(crate) struct State {
    /// The file with the data.
    data: String,
    n_rows: usize,
    columns: Vec<String>,
    /// The standard deviation of each column, where it is one that the rows are grouped by.
    spreads: Vec<Option<f64>>,
    /// Columns that the rows are grouped by.
    features: Vec<String>,
    has_images: bool,
    data_changed: bool,
    revision: usize,
    kind: QuestionKind,
    n_answers: usize,
    n_missing: usize,
    n_contradictions: usize,
    question: Option<QuestionView>,
    progress: Option<Progress>,
    /// The revision that was fitted last.
    fitted: Option<usize>,
}

#[derive(Serialize)]
pub(crate) struct QuestionView {
    id: String,
    kind: QuestionKind,
    purpose: Purpose,
    /// Why it is asked.
    why: String,
    rows: Vec<RowView>,
}

#[derive(Serialize)]
pub(crate) struct RowView {
    point: usize,
    id: String,
    cells: Vec<String>,
}

#[derive(Serialize)]
pub(crate) struct Progress {
    revision: usize,
    agreement: Option<AgreementView>,
    /// The share of rows that the next answers are expected to bring to another cluster, at most.
    expected_gain: Option<f64>,
    ahead: usize,
    /// Whether more answers are hardly worth their time.
    enough: bool,
}

#[derive(Serialize)]
struct AgreementView {
    agreeing: usize,
    total: usize,
    low: f64,
    high: f64,
}

#[derive(Serialize)]
pub(crate) struct ClustersView {
    revision: usize,
    /// Whether the answers have changed since.
    stale: bool,
    labels: Vec<Option<usize>>,
    confidence: Vec<f64>,
    clusters: Vec<ClusterView>,
}

#[derive(Serialize)]
struct ClusterView {
    colour: usize,
    name: Option<String>,
    done: bool,
    size: usize,
    typical: Vec<String>,
    features: Vec<FeatureView>,
}

#[derive(Serialize)]
struct FeatureView {
    name: String,
    /// How far its mean is above that of the other rows, in standard deviations.
    difference: f64,
}

#[derive(Serialize)]
pub(crate) struct RowsView {
    columns: Vec<String>,
    /// Rows that were found.
    total: usize,
    rows: Vec<RowView>,
}

#[derive(Serialize)]
pub(crate) struct Explanation {
    id: String,
    cluster: Option<usize>,
    nearest: Vec<NearView>,
    answers: Vec<String>,
    runner_up: Option<RunnerUpView>,
    confidence: f64,
}

#[derive(Serialize)]
struct NearView {
    point: usize,
    id: String,
    distance: f64,
    cluster: Option<usize>,
}

#[derive(Serialize)]
struct RunnerUpView {
    cluster: usize,
    nearest_row: String,
}

#[derive(Serialize)]
pub(crate) struct MethodsView {
    revision: usize,
    stale: bool,
    seconds: f64,
    members: Vec<MemberView>,
}

#[derive(Serialize)]
struct MemberView {
    member: String,
    /// How far it agrees with answers that it was not given.
    score: Option<f64>,
    weight: f64,
}

/// Below this share of the rows more answers are hardly worth their time.
const LITTLE: f64 = 0.01;

/// Answers before which nothing is said about when to stop.
const BEFORE_STOPPING: usize = 10;

/// The whole state but what is long.
pub(crate) fn state(
    study: &mut Study,
    fits: &Fits,
    data_changed: bool,
    has_images: bool,
) -> anyhow::Result<State> {
    let question = study.question()?;
    let data = std::sync::Arc::clone(&study.data);
    let rows = data.rows();
    let n_answers = study.counting().count();
    let spread = |name: &String| {
        let feature = data.table.feature_names.iter().position(|other| other == name)?;
        data.spreads.get(feature).copied()
    };
    let path = &data.table.path;
    Ok(State {
        data: path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
        n_rows: data.table.ids.len(),
        columns: rows.names().to_vec(),
        spreads: rows.names().iter().map(spread).collect(),
        features: data.table.feature_names.clone(),
        has_images,
        data_changed,
        revision: study.revision,
        kind: study.session.options().kind,
        n_answers,
        n_missing: study
            .entries
            .iter()
            .filter(|entry| matches!(entry.standing, Standing::Missing(_)))
            .count(),
        n_contradictions: study.constraints(true).check().n_contradictions(),
        question: question.map(|issued| question_view(&issued, &rows)),
        progress: fits.judged().map(|judged| progress(&judged, n_answers)),
        fitted: fits.fitted().map(|fitted| fitted.clusters.revision),
    })
}

pub(crate) fn question_view(issued: &Issued, rows: &Rows<'_>) -> QuestionView {
    let NextQuestion { question, purpose, .. } = &issued.next;
    QuestionView {
        id: issued.id.clone(),
        kind: question.kind(),
        purpose: *purpose,
        why: why(&issued.next),
        rows: question.points().iter().map(|&point| row(point, rows)).collect(),
    }
}

fn row(point: usize, rows: &Rows<'_>) -> RowView {
    RowView { point, id: rows.id(point).to_owned(), cells: rows.cells(point) }
}

/// Why a question is asked.
fn why(next: &NextQuestion) -> String {
    match (next.purpose, next.value) {
        (Purpose::Learn, Some(value)) if value >= 0.05 => format!(
            "Of all questions this one is expected to decide most: about {value:.1} rows would come to the right cluster by its answer."
        ),
        (Purpose::Learn, _) => {
            "All rows are placed as far as the answers tell; this one looks for a surprise.".to_owned()
        }
        (Purpose::Judge, _) => "Drawn at random and kept to judge the clusters by: nothing is learned from its answer, so that \
             the agreement is an honest one."
            .to_owned(),
        (Purpose::Repeat, _) => {
            "Asked again, drawn at random, to see how often answers change.".to_owned()
        }
        (Purpose::Confirm, _) => {
            "Asked again because its answer was not expected, or because much depends on it.".to_owned()
        }
    }
}

fn progress(judged: &Judged, n_answers: usize) -> Progress {
    let gain = judged.gain.map(|gain| gain.share);
    Progress {
        revision: judged.revision,
        agreement: judged.agreement.map(|found| AgreementView {
            agreeing: found.agreeing,
            total: found.total,
            low: found.interval.0,
            high: found.interval.1,
        }),
        expected_gain: gain,
        ahead: AHEAD,
        enough: n_answers >= BEFORE_STOPPING && gain.is_some_and(|share| share < LITTLE),
    }
}

/// A labelling with the names that people gave.
pub(crate) fn clusters(study: &Study, found: &Clusters) -> ClustersView {
    let features = &study.data.table.feature_names;
    let in_cluster = |row: &str| study.data.point(row).and_then(|point| found.labels[point]);
    let view = |(number, cluster): (usize, &crate::clusters::Cluster)| {
        let is_its = |row: &str| in_cluster(row) == Some(number);
        let name = study.cluster_names.iter().rev().find(|(row, _)| is_its(row));
        ClusterView {
            colour: cluster.colour,
            name: name.map(|(_, name)| name.clone()).filter(|name| !name.is_empty()),
            done: study.done.iter().any(|(row, &done)| done && is_its(row)),
            size: cluster.size,
            typical: study.data.ids(&cluster.typical),
            features: cluster
                .features
                .iter()
                .map(|&(feature, difference)| FeatureView {
                    name: features[feature].clone(),
                    difference,
                })
                .collect(),
        }
    };
    ClustersView {
        revision: found.revision,
        stale: found.revision != study.revision,
        labels: found.labels.clone(),
        confidence: found
            .confidence
            .iter()
            .map(|share| (share * 1000.0).round() / 1000.0)
            .collect(),
        clusters: found.described.iter().enumerate().map(view).collect(),
    }
}

/// A page of the rows in which a text occurs, in any case.
pub(crate) fn rows(
    study: &Study,
    search: &str,
    offset: usize,
    limit: usize,
    is_in: impl Fn(usize) -> bool,
) -> RowsView {
    let rows = study.data.rows();
    let search = search.to_lowercase();
    let matches = |&point: &usize| {
        let has = |text: &str| text.to_lowercase().contains(&search);
        is_in(point)
            && (search.is_empty()
                || has(rows.id(point))
                || rows.cells(point).iter().any(|cell| has(cell)))
    };
    let found: Vec<usize> = (0..study.data.table.ids.len()).filter(matches).collect();
    let page = found.iter().skip(offset).take(limit.min(MAX_ROWS));
    RowsView {
        columns: rows.names().to_vec(),
        total: found.len(),
        rows: page.map(|&point| row(point, &rows)).collect(),
    }
}

/// Why a row is where it is.
pub(crate) fn explanation(
    study: &Study,
    found: &Clusters,
    point: usize,
) -> anyhow::Result<Explanation> {
    let constraints = study.constraints(false);
    let runner_up = found.runner_up.as_ref().and_then(|of| of[point]);
    let why =
        PointExplanation::new(study.data.scaled()?, &found.labels, &constraints, point, runner_up)?;
    let nearest = why.nearest.iter().map(|near| NearView {
        point: near.row,
        id: study.data.id(near.row).to_owned(),
        distance: near.distance,
        cluster: near.cluster,
    });
    let answers = why.constraints.iter().filter_map(|it| {
        let kept = if it.is_kept { "" } else { " (broken)" };
        Some(constraints.describe(it.kind, it.entry)? + kept)
    });
    Ok(Explanation {
        id: study.data.id(point).to_owned(),
        cluster: why.cluster,
        nearest: nearest.collect(),
        answers: answers.collect(),
        runner_up: why.runner_up.as_ref().map(|next| RunnerUpView {
            cluster: next.cluster,
            nearest_row: study.data.id(next.nearest_row).to_owned(),
        }),
        confidence: found.confidence[point],
    })
}

/// What `auto` weighed in the last fit.
pub(crate) fn methods(study: &Study, fits: &Fits) -> Option<MethodsView> {
    let fitted = fits.fitted()?;
    let member = |member: &ilk::outcome::MemberReport| MemberView {
        member: member.to_string(),
        score: member.score,
        weight: member.weight,
    };
    Some(MethodsView {
        revision: fitted.clusters.revision,
        stale: fitted.clusters.revision != study.revision,
        seconds: fitted.seconds,
        members: fitted.fit.clustering.leaderboard.iter().map(member).collect(),
    })
}
