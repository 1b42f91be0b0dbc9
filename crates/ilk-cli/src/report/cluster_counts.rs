//! What speaks for the numbers of clusters that a consensus tried.

use ilk::outcome::ClusterCountSupport;

use super::html::{inline, note, section, table};
use crate::plot::{LinePoint, Lines, Series, svg_of_lines};
use crate::run::Run;
use crate::text::{count, counted};

/// Stability, separation and agreement with held-out answers over the number of clusters; nothing for other methods, or where
/// one number alone was tried.
pub(super) fn section_of(run: &Run) -> String {
    let found = &run.fit.clustering;
    let counts = &found.cluster_counts;
    if counts.len() < 2 {
        return String::new();
    }
    let has_scores = counts.iter().any(|of| of.score.is_some());
    let series = |name: &str, value: &dyn Fn(&ClusterCountSupport) -> Option<f64>| Series {
        name: name.to_owned(),
        points: counts
            .iter()
            .filter_map(|of| {
                Some(LinePoint { x: of.n_clusters as f64, y: value(of)?, spread: None })
            })
            .collect(),
        is_dashed: false,
    };
    let mut all = vec![
        series("agreement of methods", &|of| Some(of.agreement)),
        series("separation", &|of| Some(of.separation)),
    ];
    if has_scores {
        all.push(series("held-out answers", &|of| of.score));
    }
    let chart = svg_of_lines(&Lines {
        title: "How many clusters".to_owned(),
        subtitle: "higher is better".to_owned(),
        axes: ["clusters looked for".to_owned(), "agreement, separation".to_owned()],
        series: all,
        in_use: Some((found.n_clusters as f64, counted(found.n_clusters, "cluster"))),
    });
    let three = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.3}"));
    let rows = counts.iter().map(|of| {
        vec![
            count(of.n_clusters),
            three(Some(of.agreement)),
            three(Some(of.separation)),
            three(of.score),
        ]
    });
    let head =
        ["clusters", "agreement of methods", "separation", "agreement with held-out answers"];
    let body = format!(
        "<figure>\n{}</figure>\n{}{}",
        inline(&chart),
        table(&head, &rows.collect::<Vec<_>>()),
        note(
            "Agreement of methods: the mean adjusted Rand index of every two methods that looked for so many clusters without \
             answers; clusters that are there are found by many. Separation: the mean silhouette of the clusters of k-means, \
             or the modularity of those of a graph. The clusters that were found are of all numbers together."
        ),
    );
    section("How many clusters", &body)
}
