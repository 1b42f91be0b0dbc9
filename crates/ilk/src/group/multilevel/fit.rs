//! From a graph to clusters.

use super::level::Level;
use super::params::Multilevel;
use super::said::Said;
use super::search::Search;
use super::watch::Watch;
use crate::group::{Grouping, StopReason};
use crate::numerics::sparse::Sparse;
use crate::observe::Observer;
use crate::{Error, Result};

impl Multilevel {
    /// Finds the clusters. Those that fixed nodes name keep their numbers; the others are numbered in the
    /// order of their first nodes.
    ///
    /// `links` are M and `masses` α. Parts of the graph about which nothing can be told, such as nodes
    /// without links, go where they do the least harm.
    ///
    /// # Errors
    /// [`Error::TooManyClusters`] where there are fewer nodes than clusters, must-link components and
    /// fixed clusters counting as one node each; [`Error::Empty`], [`Error::NotFinite`] for a link,
    /// [`Error::BadPointWeight`] for a mass; [`Error::WrongLength`], [`Error::OutOfRange`] and
    /// [`Error::BadParameter`] for what was said, the latter also for parameters;
    /// [`Error::Cancelled`].
    pub fn fit(
        &self,
        links: &Sparse,
        masses: &[f64],
        said: &Said,
        observer: &dyn Observer,
    ) -> Result<Grouping> {
        self.check()?;
        let n = links.len();
        check_graph(links, masses)?;
        said.check(n, self.n_clusters)?;
        let (base, part_of) = said.merge(links, masses);
        if self.n_clusters > base.len() {
            return Err(Error::TooManyClusters {
                k: self.n_clusters,
                n: base.len(),
            });
        }
        let watch = Watch::new(observer);
        let search = Search {
            params: self,
            base: &base,
            watch: &watch,
        };
        let refined = search.best()?;
        let labels = &refined.partition.labels;
        let labels: Vec<u32> = match part_of {
            Some(part_of) => part_of.iter().map(|&part| labels[part as usize]).collect(),
            None => labels.clone(),
        };
        Ok(Grouping {
            labels: numbered(&labels, &base, self.n_clusters),
            n_clusters: self.n_clusters,
            centers: None,
            rest: None,
            bandwidth: None,
            iterations: refined.trace.len(),
            stop: if refined.converged {
                StopReason::Converged
            } else {
                StopReason::MaxIterations
            },
            trace: refined.trace,
            history: Vec::new(),
        })
    }
}

fn check_graph(links: &Sparse, masses: &[f64]) -> Result<()> {
    let n = links.len();
    if n == 0 {
        return Err(Error::Empty {
            rows: 0,
            columns: 0,
        });
    }
    if masses.len() != n {
        return Err(Error::WrongLength {
            what: "the list of masses",
            found: masses.len(),
            expected: n,
        });
    }
    if let Some(node) = masses.iter().position(|m| !(*m > 0.0 && m.is_finite())) {
        return Err(Error::BadPointWeight {
            point: node.to_string(),
            weight: masses[node],
        });
    }
    if let Some(at) = links.values().iter().position(|value| !value.is_finite()) {
        return Err(Error::NotFinite {
            row: links.offsets().partition_point(|&first| first <= at) - 1,
            column: links.columns()[at] as usize,
            value: links.values()[at],
        });
    }
    Ok(())
}

/// The final numbers: given ones stay, the others follow the order of first nodes.
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
