//! What the clusters are, as text.

use ilk::explain::ClusterDescription;

use super::{Explained, Words};
use crate::text::{count, counted, number, short, table};

/// Clusters that are described, the largest.
const MAX_CLUSTERS: usize = 20;
/// Features that are listed for each, those that differ most.
const MAX_FEATURES: usize = 5;
/// True groups that are listed for each.
const MAX_GROUPS: usize = 5;

/// The clusters for people.
pub(crate) fn text(explained: &Explained<'_>) -> String {
    let explanation = explained.explanation;
    let clusters = explained.by_size();
    let points = counted(explained.labels.len(), "point");
    let mut text = vec![format!("{points} in {}", counted(clusters.len(), "cluster"))];
    if explanation.n_noise > 0 {
        text.push(format!(", {} in none", count(explanation.n_noise)));
    }
    if let Some(silhouette) = explanation.silhouette {
        text.push(format!("; mean silhouette {silhouette:.3}"));
    }
    text.push("\n".to_owned());
    let truth = explained.truth_counts();
    for cluster in clusters.iter().take(MAX_CLUSTERS) {
        let truth = truth.get(cluster.cluster).map_or(&[][..], Vec::as_slice);
        text.push("\n".to_owned());
        text.push(describe(explained, cluster, truth));
    }
    if clusters.len() > MAX_CLUSTERS {
        let more = counted(clusters.len() - MAX_CLUSTERS, "smaller cluster");
        text.push(format!("\nand {more}; --json has them all\n"));
    }
    text.push(unusual(explained));
    if let Some(note) = explained.sample_note() {
        text.push(format!("\n{note}\n"));
    }
    text.concat()
}

/// The rows that are worth a look, a line each.
fn unusual(explained: &Explained<'_>) -> String {
    let words = &explained.words;
    let row = |row: usize| {
        format!("{} in {}", short(&words.ids[row], 40), words.cluster(explained.labels[row]))
    };
    let mut text = Vec::new();
    if !explained.unusual.boundary.is_empty() {
        text.push("\nbetween clusters\n".to_owned());
    }
    for it in &explained.unusual.boundary {
        let other = words.cluster(Some(it.other));
        let share = 100.0 * it.share;
        text.push(format!(
            "  {}: {share:.0}% of its nearest rows are, most others in {other}\n",
            row(it.row)
        ));
    }
    if !explained.unusual.outliers.is_empty() {
        text.push("\nfar from all others\n".to_owned());
    }
    for it in &explained.unusual.outliers {
        text.push(format!(
            "  {}: {:.1} times as far from its nearest rows as most\n",
            row(it.row),
            it.ratio
        ));
    }
    text.concat()
}

fn describe(
    explained: &Explained<'_>,
    cluster: &ClusterDescription,
    truth: &[(&str, usize)],
) -> String {
    let words = &explained.words;
    let share = 100.0 * cluster.size as f64 / explained.labels.len() as f64;
    let mut text = vec![words.cluster(Some(cluster.cluster))];
    text.push(format!(": {} ({share:.1}%)", counted(cluster.size, "point")));
    if let Some(silhouette) = cluster.silhouette {
        text.push(format!(", silhouette {silhouette:.3}"));
    }
    text.push("\n".to_owned());
    let mut line = |name: &str, value: String| text.push(format!("  {name:<9}{value}\n"));
    line("typical", ids(words, &cluster.typical));
    if let Some(nearest) = cluster.nearest {
        let within = match cluster.mean_distance {
            Some(within) => format!(" ({} between its own points)", number(within)),
            None => String::new(),
        };
        let distance = number(nearest.mean_distance);
        let name = words.cluster(Some(nearest.cluster));
        line("nearest", format!("{name}, at a mean distance of {distance}{within}"));
    }
    if !truth.is_empty() {
        line("truth", truth_line(truth));
    }
    if !cluster.features.is_empty() {
        text.push(features(words, cluster));
    }
    text.concat()
}

/// `cat 40, dog 3, 2 others`.
pub(crate) fn truth_line(truth: &[(&str, usize)]) -> String {
    let shown = truth.iter().take(MAX_GROUPS);
    let mut shown: Vec<String> =
        shown.map(|(name, n)| format!("{} {}", short(name, 40), count(*n))).collect();
    if truth.len() > MAX_GROUPS {
        shown.push(counted(truth.len() - MAX_GROUPS, "more group"));
    }
    shown.join(", ")
}

fn ids(words: &Words<'_>, rows: &[usize]) -> String {
    let ids: Vec<String> = rows.iter().map(|&row| short(&words.ids[row], 40)).collect();
    ids.join(", ")
}

fn features(words: &Words<'_>, cluster: &ClusterDescription) -> String {
    let head = ["  feature", "difference", "mean", "elsewhere"].map(str::to_owned).to_vec();
    let mut rows = vec![head];
    for it in cluster.features.iter().take(MAX_FEATURES) {
        rows.push(vec![
            format!("  {}", short(&words.features[it.feature], 40)),
            format!("{:+.2} sd", it.difference),
            number(words.in_units(it.feature, it.mean)),
            number(words.in_units(it.feature, it.mean_of_rest)),
        ]);
    }
    let mut text = vec![table(&rows)];
    if cluster.features.len() > MAX_FEATURES {
        let more = counted(cluster.features.len() - MAX_FEATURES, "feature");
        text.push(format!("  and {more} that differ less\n"));
    }
    text.concat()
}
