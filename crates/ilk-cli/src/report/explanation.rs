//! What every cluster is, and the rows that are worth a look.

use anyhow::Result;
use ilk::explain::{ClusterDescription, Explanation, MAX_UNUSUAL, UnusualRows};
use ilk::problem::Input;

use super::html::{cluster_name, note, section, table};
use crate::explained::{Explained, TruthGroups, Words, truth_line};
use crate::plot::MarkerStyle;
use crate::run::Run;
use crate::text::{count, counted, escape, number, short};

/// Clusters that are described.
const MAX_CLUSTERS: usize = 24;
/// Features of a cluster that are shown.
const MAX_FEATURES: usize = 5;
/// The length of a bar, in standard deviations.
const MAX_DIFFERENCE: f64 = 3.0;
/// The sample of many rows is always the same.
const SEED: u64 = 0;

/// The sections on clusters and rows; nothing for graphs.
pub(super) fn sections_of(run: &Run) -> Result<String> {
    let (Input::Points(points), Some(table)) =
        (run.loaded.problem.input(), run.loaded.data.table())
    else {
        return Ok(String::new());
    };
    let Some(scaling) = run.loaded.data.scaling() else {
        return Ok(String::new());
    };
    let explanation = Explanation::new(points, run.labels(), SEED)?;
    let names: Vec<String> = (0..run.fit.clustering.n_clusters).map(|it| it.to_string()).collect();
    let words = Words { ids: run.ids(), features: &table.feature_names, clusters: &names, scaling };
    let unusual = UnusualRows::new(points, run.labels(), SEED)?;
    let explained = Explained {
        explanation: &explanation,
        unusual: &unusual,
        labels: run.labels(),
        words,
        truth: run
            .truth
            .as_ref()
            .map(|truth| TruthGroups { groups: &truth.groups, names: &truth.names }),
    };
    Ok(clusters(&explained) + &rows_worth_a_look(run, &unusual, &words))
}

fn clusters(explained: &Explained<'_>) -> String {
    let truth = explained.truth_counts();
    let by_size = explained.by_size();
    let shown = by_size.iter().take(MAX_CLUSTERS);
    let each = shown.map(|cluster| {
        let truth = truth.get(cluster.cluster).map_or(&[][..], Vec::as_slice);
        describe(explained, cluster, truth)
    });
    let mut body = format!(
        "<p>How the mean of each cluster differs from the mean of all other rows, in standard deviations of all rows. \
         Typical rows are those with the smallest mean distance to the others of their cluster.</p>\n\
         <div class=\"clusters\">\n{}</div>\n",
        each.collect::<String>()
    );
    let mut notes = Vec::new();
    if by_size.len() > MAX_CLUSTERS {
        let more = counted(by_size.len() - MAX_CLUSTERS, "smaller cluster");
        notes.push(format!("and {more}; <code>ilk explain --json</code> has them all"));
    }
    notes.extend(explained.sample_note().map(|text| escape(&text)));
    if !notes.is_empty() {
        body.push_str(&note(&notes.join("<br>")));
    }
    section("What the clusters are", &body)
}

fn describe(
    explained: &Explained<'_>,
    cluster: &ClusterDescription,
    truth: &[(&str, usize)],
) -> String {
    let words = &explained.words;
    let share = 100.0 * cluster.size as f64 / explained.labels.len().max(1) as f64;
    let head = format!(
        "<h3>{} <small>{}, {share:.1}%</small></h3>\n",
        cluster_name(Some(cluster.cluster)),
        counted(cluster.size, "row"),
    );
    let mut facts = vec![format!("typical: {}", ids(words, &cluster.typical))];
    if let Some(silhouette) = cluster.silhouette.filter(|_| cluster.size > 1) {
        facts.push(format!("silhouette {silhouette:.2}"));
    }
    if let Some(nearest) = cluster.nearest {
        let within = cluster.mean_distance.map_or(String::new(), |within| {
            format!(", where its own rows have {}", number(within))
        });
        facts.push(format!(
            "nearest: cluster {} at a mean distance of {}{within}",
            nearest.cluster,
            number(nearest.mean_distance)
        ));
    }
    if !truth.is_empty() {
        facts.push(format!("truth: {}", escape(&truth_line(truth))));
    }
    let color = MarkerStyle::of(Some(cluster.cluster)).color.to_string();
    let rows: Vec<Vec<String>> = cluster
        .features
        .iter()
        .take(MAX_FEATURES)
        .map(|it| {
            vec![
                escape(&short(&words.features[it.feature], 30)),
                diverging(it.difference / MAX_DIFFERENCE, &color),
                format!("{:+.1}", it.difference),
                number(words.in_units(it.feature, it.mean)),
                number(words.in_units(it.feature, it.mean_of_rest)),
            ]
        })
        .collect();
    let features = if rows.is_empty() {
        String::new()
    } else {
        table(&["feature", "", "sd", "mean", "elsewhere"], &rows)
    };
    format!("<article>\n{head}{}{features}</article>\n", note(&facts.join("<br>")))
}

/// A bar to the left or the right of the middle; `share` is from -1 to 1.
fn diverging(share: f64, color: &str) -> String {
    let half = 50.0 * share.clamp(-1.0, 1.0);
    let (left, width) = (50.0 + half.min(0.0), half.abs());
    format!(
        "<span class=\"diverging\"><i style=\"left:{left:.1}%;width:{width:.1}%;background:{color}\"></i></span>"
    )
}

fn ids(words: &Words<'_>, rows: &[usize]) -> String {
    let ids: Vec<String> = rows.iter().map(|&row| escape(&short(&words.ids[row], 40))).collect();
    ids.join(", ")
}

/// Rows of uncertain cluster, rows between clusters, rows far from all others and rows in no cluster, by id.
fn rows_worth_a_look(run: &Run, unusual: &UnusualRows, words: &Words<'_>) -> String {
    let id = |row: usize| escape(&short(&words.ids[row], 60));
    let of = |row: usize| cluster_name(run.labels()[row]);
    let mut parts: Vec<(&str, String)> = Vec::new();
    if let Some(known) = &run.fit.clustering.confidence {
        let mut order: Vec<usize> = (0..known.confidence.len()).collect();
        order.sort_by(|&a, &b| known.confidence[a].total_cmp(&known.confidence[b]).then(a.cmp(&b)));
        let shown = order.into_iter().filter(|&row| known.confidence[row] < 0.95);
        let rows = shown.take(MAX_UNUSUAL).map(|row| {
            let next = known.runner_up[row].map_or("-".to_owned(), |next| cluster_name(Some(next)));
            vec![id(row), of(row), format!("{:.2}", known.confidence[row]), next]
        });
        let rows: Vec<Vec<String>> = rows.collect();
        if !rows.is_empty() {
            let head = ["id", "cluster", "confidence", "runner-up"];
            parts.push(("Least certain", table(&head, &rows)));
        }
    }
    if !unusual.boundary.is_empty() {
        let rows = unusual.boundary.iter().map(|it| {
            let share = format!("{:.0}%", 100.0 * it.share);
            vec![id(it.row), of(it.row), share, cluster_name(Some(it.other))]
        });
        let head = ["id", "cluster", "nearest rows of its cluster", "most others are of"];
        parts.push(("Between clusters", table(&head, &rows.collect::<Vec<_>>())));
    }
    if !unusual.outliers.is_empty() {
        let rows = unusual
            .outliers
            .iter()
            .map(|it| vec![id(it.row), of(it.row), format!("{:.1} times the median", it.ratio)]);
        let head = ["id", "cluster", "distance to its nearest rows"];
        parts.push(("Far from all others", table(&head, &rows.collect::<Vec<_>>())));
    }
    let noise = run.labels().iter().enumerate().filter(|(_, label)| label.is_none());
    let noise: Vec<usize> = noise.map(|(row, _)| row).collect();
    if !noise.is_empty() {
        let shown = &noise[..noise.len().min(5 * MAX_UNUSUAL)];
        let more = match noise.len() - shown.len() {
            0 => String::new(),
            more => format!(" and {} more", count(more)),
        };
        parts.push(("In no cluster", format!("<p>{}{more}</p>\n", ids(words, shown))));
    }
    if parts.is_empty() {
        return String::new();
    }
    let parts =
        parts.iter().map(|(name, body)| format!("<article>\n<h3>{name}</h3>\n{body}</article>\n"));
    let body = format!("<div class=\"clusters\">\n{}</div>\n", parts.collect::<String>());
    section("Rows worth a look", &body)
}
