//! From a graph to clusters: down to a few nodes, and up again.

use super::agglomerate::agglomerate;
use super::coarsen::parts;
use super::grow::grow;
use super::level::Level;
use super::params::Multilevel;
use super::partition::Partition;
use super::refine::{Refined, Until, refine};
use super::said::Said;
use super::watch::Watch;
use crate::group::{Grouping, StopReason};
use crate::numerics::rng::rng_stream;
use crate::numerics::sparse::Sparse;
use crate::observe::Observer;
use crate::{Error, Result};

/// Nodes of the coarsest graph for every cluster, and at least.
const COARSEST_PER_CLUSTER: usize = 20;
const COARSEST: usize = 1000;

/// A level has at least one of so many nodes of the one below.
const SHRINK: usize = 512;

/// A round that moves fewer than this share of the nodes is the last of a level but the finest.
const FEW: f64 = 0.001;

impl Multilevel {
    /// Finds the clusters. Those that fixed nodes name keep their numbers; the others are numbered in the
    /// order of their first nodes.
    ///
    /// # Errors
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
        let refined = self.descend(&base, &watch)?;
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

    /// The best partition of the finest level.
    fn descend(&self, base: &Level<'_>, watch: &Watch<'_>) -> Result<Refined> {
        let levels = self.coarsened(base, watch)?;
        let coarsest = levels.last().map_or(base, |(level, _)| level);
        let mut refined = self.start(coarsest, watch)?;
        for at in (0..levels.len()).rev() {
            let finer = if at == 0 { base } else { &levels[at - 1].0 };
            let part_of = &levels[at].1;
            let labels = &refined.partition.labels;
            let labels = part_of.iter().map(|&part| labels[part as usize]).collect();
            let partition = Partition::new(finer, labels, self.n_clusters);
            let next = refine(finer, partition, self.until(at > 0), watch)?;
            refined.trace.extend_from_slice(&next.trace);
            refined = Refined {
                trace: refined.trace,
                ..next
            };
        }
        if self.are_all_fixed(base) && !levels.is_empty() {
            let grown = self.grown(base, &base.fixed, 0, watch)?;
            if grown.partition.value() > refined.partition.value() {
                refined = grown;
            }
        }
        Ok(refined)
    }

    fn until(&self, is_coarse: bool) -> Until {
        Until {
            rounds: self.max_iter,
            few: if is_coarse { FEW } else { 0.0 },
        }
    }

    fn are_all_fixed(&self, level: &Level<'_>) -> bool {
        level.fixed.iter().flatten().count() == self.n_clusters
    }

    /// Coarser and coarser levels, each with the part of it that every node of the level before is in.
    fn coarsened(
        &self,
        base: &Level<'_>,
        watch: &Watch<'_>,
    ) -> Result<Vec<(Level<'static>, Vec<u32>)>> {
        let coarsest = COARSEST.max(COARSEST_PER_CLUSTER * self.n_clusters);
        let mut levels: Vec<(Level<'static>, Vec<u32>)> = Vec::new();
        loop {
            let level = levels.last().map_or(base, |(level, _)| level);
            let n = level.len();
            if n <= 2 * coarsest {
                return Ok(levels);
            }
            let target = coarsest.max(n / SHRINK);
            let (part_of, parts) = parts(level, target, self.seed, watch)?;
            if parts * 10 > n * 9 {
                return Ok(levels);
            }
            levels.push((level.contract(&part_of, parts), part_of));
        }
    }

    /// The best of some partitions of the coarsest level.
    fn start(&self, level: &Level<'_>, watch: &Watch<'_>) -> Result<Refined> {
        let nodes: Vec<u32> = (0..level.len() as u32).collect();
        let labels = agglomerate(level, &nodes, self.n_clusters);
        let labels = keeping_fixed(labels, level, self.n_clusters);
        let partition = Partition::new(level, labels, self.n_clusters);
        let mut best = refine(level, partition, self.until(false), watch)?;
        for run in 1..self.n_init {
            let start = self.drawn(level, run);
            let grown = self.grown(level, &start, run, watch)?;
            if grown.partition.value() > best.partition.value() {
                best = grown;
            }
        }
        Ok(best)
    }

    /// One node for every cluster: the fixed ones, and others drawn at random.
    fn drawn(&self, level: &Level<'_>, run: usize) -> Vec<Option<u32>> {
        let mut start = level.fixed.clone();
        let mut is_taken = vec![false; self.n_clusters];
        for cluster in start.iter().flatten() {
            is_taken[*cluster as usize] = true;
        }
        let order = rng_stream(self.seed, run as u64).sample(level.len(), level.len());
        let free = order
            .into_iter()
            .filter(|&node| level.fixed[node].is_none());
        let open = (0..self.n_clusters as u32).filter(|&cluster| !is_taken[cluster as usize]);
        for (node, cluster) in free.zip(open) {
            start[node] = Some(cluster);
        }
        start
    }

    fn grown(
        &self,
        level: &Level<'_>,
        start: &[Option<u32>],
        run: usize,
        watch: &Watch<'_>,
    ) -> Result<Refined> {
        let seed = self.seed.wrapping_add(run as u64);
        let labels = grow(level, start, self.n_clusters, seed, watch)?;
        let partition = Partition::new(level, labels, self.n_clusters);
        refine(level, partition, self.until(false), watch)
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

/// Clusters renamed so that those of fixed nodes have the names that were given.
fn keeping_fixed(mut labels: Vec<u32>, level: &Level<'_>, k: usize) -> Vec<u32> {
    let mut names: Vec<Option<u32>> = vec![None; k];
    let mut is_taken = vec![false; k];
    for (label, fixed) in labels.iter().zip(&level.fixed) {
        if let Some(fixed) = fixed {
            names[*label as usize] = Some(*fixed);
            is_taken[*fixed as usize] = true;
        }
    }
    let mut open = (0..k as u32).filter(|&name| !is_taken[name as usize]);
    for label in &mut labels {
        let name = &mut names[*label as usize];
        if name.is_none() {
            *name = open.next();
        }
        *label = name.unwrap_or(*label);
    }
    labels
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
