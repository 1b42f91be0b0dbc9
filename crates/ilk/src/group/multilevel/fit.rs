//! From a graph to clusters.

use super::params::{Criterion, Multilevel};
use super::{
    cluster_value::ClusterValue, level::Level, node_constraints::NodeConstraints,
    progress::RoundProgress, search::Search,
};
use crate::error::{check_length, check_n_clusters};
use crate::group::{
    Grouping, GroupingAlgorithm, GroupingInput, StopReason, checks::check_positive,
};
use crate::{Error, Result, numerics::sparse::Sparse, observe::Observer};

impl GroupingAlgorithm for Multilevel {
    type Input<'a> = GroupingInput<'a, &'a Sparse, &'a NodeConstraints>;
    type Model = ();

    /// Finds the clusters. Those that fixed nodes name keep their numbers; the others are numbered in the
    /// order of their first nodes.
    ///
    /// The data are the links M, the weights the masses α. Nodes without links go to the cluster that lowers the
    /// objective least. There have to be as many nodes as clusters, must-link components and fixed clusters
    /// counting as one node each.
    fn group<'a>(
        &self,
        input: impl Into<Self::Input<'a>>,
        observer: &dyn Observer,
    ) -> Result<(Grouping, ())> {
        self.run(input.into(), observer)
    }
}

impl Multilevel {
    fn run(
        &self,
        input: GroupingInput<'_, &Sparse, &NodeConstraints>,
        observer: &dyn Observer,
    ) -> Result<(Grouping, ())> {
        let (links, constraints) = (input.data, input.constraints);
        let ones = vec![1.0; links.len()];
        let masses = input.weights.unwrap_or(&ones);
        self.check()?;
        let n = links.len();
        check_graph(links, masses)?;
        constraints.check(n, self.n_clusters)?;
        let (mut base, part_of) = constraints.merge(links, masses);
        base.value = self.cluster_value(masses);
        base.enforces_cannot_links = constraints.enforces_cannot_links;
        check_n_clusters(self.n_clusters, base.len())?;
        let progress = RoundProgress::new(observer);
        let search = Search { params: self, base: &base, progress: &progress };
        let refined = search.best()?;
        let labels = &refined.partition.labels;
        let labels: Vec<u32> = match part_of {
            Some(part_of) => part_of.iter().map(|&part| labels[part as usize]).collect(),
            None => labels.clone(),
        };
        let labels = numbered(&labels, &base, self.n_clusters);
        let stop = StopReason::of_descent(refined.converged);
        let grouping = Grouping::new(labels, self.n_clusters, stop, refined.trace);
        Ok((grouping, ()))
    }

    /// What a cluster is worth, where the nodes have these masses.
    fn cluster_value(&self, masses: &[f64]) -> ClusterValue {
        let total: f64 = masses.iter().sum();
        match self.criterion {
            Criterion::Density => ClusterValue::Density,
            Criterion::Likelihood => {
                ClusterValue::Likelihood { between: self.between / total, total }
            }
            Criterion::Modularity => {
                ClusterValue::Modularity { resolution: self.resolution / total, total }
            }
        }
    }
}

fn check_graph(links: &Sparse, masses: &[f64]) -> Result<()> {
    let (rows, columns) = (links.len(), links.len());
    if rows == 0 {
        return Err(Error::Empty { rows, columns });
    }
    check_length("the list of masses", masses.len(), rows)?;
    check_positive(masses)?;
    if let Some(at) = links.values().iter().position(|value| !value.is_finite()) {
        return Err(Error::NotFinite {
            row: links.offsets().partition_point(|&first| first <= at) - 1,
            column: links.columns()[at] as usize,
            value: links.values()[at],
        });
    }
    Ok(())
}

/// The final numbers: those of fixed clusters stay, the others follow the order of first nodes.
fn numbered(labels: &[u32], base: &Level<'_>, k: usize) -> Vec<Option<usize>> {
    let mut names: Vec<Option<usize>> = vec![None; k];
    for &fixed in base.fixed.iter().flatten() {
        names[fixed as usize] = Some(fixed as usize);
    }
    let is_taken: Vec<bool> = names.iter().map(Option::is_some).collect();
    let mut open = (0..k).filter(|&name| !is_taken[name]);
    labels
        .iter()
        .map(|&label| {
            let name = &mut names[label as usize];
            if name.is_none() {
                *name = open.next();
            }
            *name
        })
        .collect()
}
