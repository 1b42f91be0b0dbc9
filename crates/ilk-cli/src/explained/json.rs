//! Explanations for programs.

use ilk::explain::{ClusterDescription, PointExplanation};
use ilk::group::Label;
use ilk::problem::Constraints;
use serde_json::{Map, Value, json};

use super::{Explained, Words};

/// All clusters, with all features.
pub(crate) fn as_json(explained: &Explained<'_>) -> Value {
    let explanation = explained.explanation;
    let truth = explained.truth_counts();
    let clusters = explanation.clusters.iter().filter(|cluster| cluster.size > 0);
    let clusters = clusters.map(|cluster| {
        let mut value = describe(&explained.words, cluster);
        if let Some(truth) = truth.get(cluster.cluster) {
            let counts = truth.iter().map(|&(name, n)| (name.to_owned(), n.into()));
            value["truth"] = counts.collect::<Map<_, _>>().into();
        }
        value
    });
    let words = &explained.words;
    let of = |row: usize| name(words, explained.labels[row]);
    let boundary = explained.unusual.boundary.iter().map(|it| {
        json!({
            "id": words.ids[it.row],
            "cluster": of(it.row),
            "share": it.share,
            "other": name(words, Some(it.other)),
        })
    });
    let outliers = explained
        .unusual
        .outliers
        .iter()
        .map(|it| json!({ "id": words.ids[it.row], "cluster": of(it.row), "ratio": it.ratio }));
    json!({
        "n_points": explained.labels.len(),
        "n_noise": explanation.n_noise,
        "silhouette": explanation.silhouette,
        "n_compared": explanation.n_compared,
        "clusters": clusters.collect::<Vec<_>>(),
        "boundary": boundary.collect::<Vec<_>>(),
        "outliers": outliers.collect::<Vec<_>>(),
    })
}

fn describe(words: &Words<'_>, cluster: &ClusterDescription) -> Value {
    let features = cluster.features.iter().map(|it| {
        json!({
            "feature": words.features[it.feature],
            "difference": it.difference,
            "mean": words.in_units(it.feature, it.mean),
            "mean_of_rest": words.in_units(it.feature, it.mean_of_rest),
        })
    });
    let nearest = cluster.nearest.map(|nearest| {
        json!({
            "cluster": name(words, Some(nearest.cluster)),
            "mean_distance": nearest.mean_distance,
        })
    });
    json!({
        "cluster": name(words, Some(cluster.cluster)),
        "size": cluster.size,
        "typical": cluster.typical.iter().map(|&row| &words.ids[row]).collect::<Vec<_>>(),
        "silhouette": cluster.silhouette,
        "mean_distance": cluster.mean_distance,
        "nearest": nearest,
        "features": features.collect::<Vec<_>>(),
    })
}

/// One point.
pub(crate) fn point_json(
    words: &Words<'_>,
    constraints: &Constraints,
    found: &PointExplanation,
) -> Value {
    let nearest = found.nearest.iter().map(|near| {
        json!({
            "id": words.ids[near.row],
            "distance": near.distance,
            "cluster": name(words, near.cluster),
        })
    });
    let concerning = found.constraints.iter().map(|it| {
        let points = constraints.points_of(it.kind, it.entry).unwrap_or(&[]);
        json!({
            "kind": it.kind.to_string(),
            "ids": points.iter().map(|&point| &words.ids[point]).collect::<Vec<_>>(),
            "sentence": constraints.describe(it.kind, it.entry),
            "is_direct": it.is_direct,
            "is_kept": it.is_kept,
            "is_against_runner_up": it.is_against_runner_up,
        })
    });
    let runner_up = found.runner_up.as_ref().map(|next| {
        let shifts = next.shifts.iter().map(|it| {
            json!({
                "feature": words.features[it.feature],
                "value": words.in_units(it.feature, it.value),
                "needed": words.in_units(it.feature, it.needed),
                "shift": it.shift,
            })
        });
        json!({
            "cluster": name(words, Some(next.cluster)),
            "distance": next.distance,
            "nearest_row": words.ids[next.nearest_row],
            "shifts": shifts.collect::<Vec<_>>(),
        })
    });
    json!({
        "id": words.ids[found.point],
        "cluster": name(words, found.cluster),
        "distance": found.distance,
        "nearest": nearest.collect::<Vec<_>>(),
        "constraints": concerning.collect::<Vec<_>>(),
        "runner_up": runner_up,
    })
}

/// The name of a cluster, a number where it is one, as in the results of `ilk cluster`; `null` for none.
fn name(words: &Words<'_>, label: Label) -> Value {
    let name = label.map(|cluster| words.clusters[cluster].as_str());
    name.map_or(Value::Null, |name| match name.parse::<u64>() {
        Ok(number) => number.into(),
        Err(_) => name.into(),
    })
}
