//! Clusters and points explained in the words of the data: ids, names of features, units of the table.

mod cluster;
mod json;
mod point;

pub(crate) use cluster::{text, truth_line};
pub(crate) use json::{as_json, point_json};
pub(crate) use point::point_text;

use std::collections::BTreeMap;

use ilk::explain::{ClusterDescription, Explanation, UnusualRows};
use ilk::group::Label;
use ilk_io::Scaling;

use crate::text::counted;

/// An explanation, and the words to write it with.
#[derive(Debug)]
pub(crate) struct Explained<'a> {
    pub(crate) explanation: &'a Explanation,
    /// The rows that are worth a look.
    pub(crate) unusual: &'a UnusualRows,
    /// The cluster of every point.
    pub(crate) labels: &'a [Label],
    pub(crate) words: Words<'a>,
    /// The true group of every point, where it is known.
    pub(crate) truth: Option<TruthGroups<'a>>,
}

/// Names for numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words<'a> {
    /// The id of every point.
    pub(crate) ids: &'a [String],
    /// The names of the features.
    pub(crate) features: &'a [String],
    /// The names of the clusters, by their number.
    pub(crate) clusters: &'a [String],
    /// How the features were scaled before they were compared.
    pub(crate) scaling: &'a Scaling,
}

impl Words<'_> {
    /// `cluster 3`, or `no cluster`.
    pub(crate) fn cluster(&self, label: Label) -> String {
        match label {
            Some(cluster) => format!("cluster {}", self.clusters[cluster]),
            None => "no cluster".to_owned(),
        }
    }

    /// A scaled value of a feature in the units of the table.
    pub(crate) fn in_units(&self, feature: usize, value: f64) -> f64 {
        value * self.scaling.factor[feature] + self.scaling.offset[feature]
    }
}

/// The true group of every point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TruthGroups<'a> {
    /// The number of its name.
    pub(crate) groups: &'a [usize],
    pub(crate) names: &'a [String],
}

impl Explained<'_> {
    /// The clusters that have points, the largest first.
    pub(crate) fn by_size(&self) -> Vec<&ClusterDescription> {
        let clusters = self.explanation.clusters.iter();
        let mut clusters: Vec<_> = clusters.filter(|cluster| cluster.size > 0).collect();
        clusters.sort_by_key(|cluster| std::cmp::Reverse(cluster.size));
        clusters
    }

    /// For every cluster how many of its points are of which true group, the most common first; nothing where the truth
    /// is not known.
    pub(crate) fn truth_counts(&self) -> Vec<Vec<(&str, usize)>> {
        let Some(truth) = self.truth else {
            return Vec::new();
        };
        let mut counts = vec![BTreeMap::<usize, usize>::new(); self.explanation.clusters.len()];
        for (label, &group) in self.labels.iter().zip(truth.groups) {
            if let Some(cluster) = *label {
                *counts[cluster].entry(group).or_default() += 1;
            }
        }
        let named = |of_cluster: BTreeMap<usize, usize>| {
            let mut named: Vec<(&str, usize)> = of_cluster
                .into_iter()
                .map(|(group, count)| (truth.names[group].as_str(), count))
                .collect();
            named.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
            named
        };
        counts.into_iter().map(named).collect()
    }

    /// What the distances between rows are worth, where they are those of a sample.
    pub(crate) fn sample_note(&self) -> Option<String> {
        let with_cluster = self.labels.iter().flatten().count();
        let compared = self.explanation.n_compared;
        (compared < with_cluster).then(|| {
            format!(
                "typical rows, silhouettes and distances are those of a sample of {}",
                counted(compared, "row")
            )
        })
    }
}
