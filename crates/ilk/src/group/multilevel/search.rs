//! The search for a partition: coarsening, a start on the coarsest level, refinement on every level.

use super::refine::{RefinedPartition, Until, refine};
use super::{
    agglomerate::agglomerate, exchange::exchange, greedy_growing::grow, hash::hash3,
    hierarchy::Hierarchy, level::Level, params::Multilevel, partition::Partition,
    progress::RoundProgress, split_overweight::split_overweight,
};
use crate::{Result, numerics::rng::rng_stream};

/// Nodes of the coarsest level for every cluster, and at least.
const PER_CLUSTER: usize = 20;
const COARSEST: usize = 1000;

/// A refinement ends after a round that moves at most this share of the nodes. The last refinement of all
/// goes on until no node moves.
const FEW: f64 = 0.002;

/// V-cycles after the first descent, at most.
const CYCLES: usize = 3;

/// A further V-cycle follows where the last one raised the value by at least this share.
const WORTHWHILE: f64 = 1e-4;

/// A search on the graph `base`.
pub(super) struct Search<'a> {
    pub(super) params: &'a Multilevel,
    pub(super) base: &'a Level<'a>,
    pub(super) progress: &'a RoundProgress<'a>,
}

impl Search<'_> {
    pub(super) fn best(&self) -> Result<RefinedPartition> {
        let mut best = self.run(0)?;
        for run in 1..self.params.n_init {
            let found = self.run(run)?;
            if found.partition.is_better(self.base, &best.partition, 0.0) {
                best = found;
            }
        }
        Ok(best)
    }

    /// A descent, then splits of overweight clusters and V-cycles as long as they help.
    fn run(&self, run: usize) -> Result<RefinedPartition> {
        let (mut best, has_levels) = self.descend(run)?;
        if !has_levels {
            return Ok(best);
        }
        // Where all clusters have fixed nodes, growing from these along the links competes with the
        // parts, which were made without knowing them.
        if self.base.fixed.iter().flatten().count() == self.params.n_clusters {
            let grown = self.grown(self.base, &self.base.fixed, run)?;
            if grown.partition.is_better(self.base, &best.partition, 0.0) {
                best = grown;
            }
        }
        for cycle in 1..=CYCLES {
            if let Some(better) = self.rebalance(&best, run)? {
                best = better;
            }
            match self.cycle(&best, run, cycle)? {
                Some(better) => best = better,
                None => break,
            }
        }
        let until = Until { few: 0.0, ..self.until(self.base) };
        let last = refine(self.base, best.partition, until, self.progress)?;
        Ok(last.after(best.trace))
    }

    /// Coarsens the graph, clusters the coarsest level and refines the clusters on every level. Returns
    /// also whether the graph was coarsened at all.
    fn descend(&self, run: usize) -> Result<(RefinedPartition, bool)> {
        let hierarchy = self.hierarchy(None, run, 0)?;
        let coarsest = hierarchy.coarsest(self.base);
        let has_levels = !hierarchy.is_empty();
        let start = if run > 0 && !has_levels {
            self.grown(coarsest, &self.drawn(coarsest, run), run)?
        } else {
            self.agglomerated(coarsest)?
        };
        let start = exchange(coarsest, start, self.until(coarsest), self.progress)?;
        Ok((self.refine_upwards(&hierarchy, start)?, has_levels))
    }

    fn hierarchy(&self, within: Option<&[u32]>, run: usize, cycle: usize) -> Result<Hierarchy> {
        let seed = hash3(self.params.seed, run as u64, cycle as u64);
        let (coarsest, coarsening) = (self.coarsest(), self.params.coarsening);
        Hierarchy::new(self.base, within, coarsest, coarsening, seed, self.progress)
    }

    fn coarsest(&self) -> usize {
        COARSEST.max(PER_CLUSTER.saturating_mul(self.params.n_clusters))
    }

    /// When a refinement ends: where few nodes move, or where none does if no other refinement follows.
    fn until(&self, level: &Level<'_>) -> Until {
        let is_last = level.len() <= 2 * self.coarsest() && level.len() == self.base.len();
        Until { rounds: self.params.max_iter, few: if is_last { 0.0 } else { FEW } }
    }

    fn agglomerated(&self, level: &Level<'_>) -> Result<RefinedPartition> {
        let k = self.params.n_clusters;
        let nodes: Vec<u32> = (0..level.len() as u32).collect();
        self.refined(level, keeping_fixed(agglomerate(level, &nodes, k), level, k))
    }

    fn refined(&self, level: &Level<'_>, labels: Vec<u32>) -> Result<RefinedPartition> {
        let partition = Partition::new(level, labels, self.params.n_clusters);
        refine(level, partition, self.until(level), self.progress)
    }

    /// A start node for every cluster: the fixed ones, and others drawn at random.
    fn drawn(&self, level: &Level<'_>, run: usize) -> Vec<Option<u32>> {
        let k = self.params.n_clusters;
        let mut start = level.fixed.clone();
        let mut is_taken = vec![false; k];
        for cluster in start.iter().flatten() {
            is_taken[*cluster as usize] = true;
        }
        let mut order = rng_stream(self.params.seed, run as u64).sample(level.len(), level.len());
        order.retain(|&node| level.fixed[node].is_none());
        let open = (0..k as u32).filter(|&cluster| !is_taken[cluster as usize]);
        for (node, cluster) in order.into_iter().zip(open) {
            start[node] = Some(cluster);
        }
        start
    }

    fn grown(
        &self,
        level: &Level<'_>,
        start: &[Option<u32>],
        run: usize,
    ) -> Result<RefinedPartition> {
        let seed = hash3(self.params.seed, run as u64, 0);
        let k = self.params.n_clusters;
        self.refined(level, grow(level, start, k, seed, self.progress)?)
    }

    /// Refines a partition of the coarsest level on every level down to the base.
    fn refine_upwards(
        &self,
        hierarchy: &Hierarchy,
        start: RefinedPartition,
    ) -> Result<RefinedPartition> {
        let mut refined = start;
        for (level, part_of) in hierarchy.downwards(self.base) {
            let labels = &refined.partition.labels;
            let labels = part_of.iter().map(|&part| labels[part as usize]).collect();
            refined = self.refined(level, labels)?.after(refined.trace);
        }
        Ok(refined)
    }

    /// Splits overweight clusters, each by a search of its own, and merges others. None where there is no
    /// such cluster, or where the value hardly rises.
    fn rebalance(&self, best: &RefinedPartition, run: usize) -> Result<Option<RefinedPartition>> {
        let k = self.params.n_clusters;
        let search = |level: &Level<'_>, n_clusters: usize| {
            let search = Search {
                params: &Multilevel { n_clusters, ..self.params.clone() },
                base: level,
                progress: self.progress,
            };
            Ok(search.descend(run)?.0.partition.labels)
        };
        let Some(labels) = split_overweight(self.base, &best.partition, search)? else {
            return Ok(None);
        };
        let better = self.refined(self.base, keeping_fixed(labels, self.base, k))?;
        let margin = WORTHWHILE * best.partition.value().abs();
        if !better.partition.is_better(self.base, &best.partition, margin) {
            return Ok(None);
        }
        Ok(Some(better.in_one_step_from(best)))
    }

    /// A V-cycle: coarsens within the clusters, so that groups of nodes can move, and clusters can be split
    /// and merged. None where the value hardly rises.
    ///
    /// Within a cluster there are fewer misleading links than in the whole graph, so the parts are purer
    /// than those of the first descent.
    fn cycle(
        &self,
        best: &RefinedPartition,
        run: usize,
        cycle: usize,
    ) -> Result<Option<RefinedPartition>> {
        let labels = &best.partition.labels;
        let hierarchy = self.hierarchy(Some(labels), run, cycle)?;
        let coarsest = hierarchy.coarsest(self.base);
        let labels = hierarchy.project_to_coarsest(labels);
        let partition = Partition::new(coarsest, labels, self.params.n_clusters);
        let before = partition.clone();
        let refined = refine(coarsest, partition, self.until(coarsest), self.progress)?;
        let better = exchange(coarsest, refined, self.until(coarsest), self.progress)?;
        let margin = WORTHWHILE * before.value().abs();
        if !better.partition.is_better(coarsest, &before, margin) {
            return Ok(None);
        }
        let better = better.after(best.trace.clone());
        self.refine_upwards(&hierarchy, better).map(Some)
    }
}

/// Clusters renumbered so that those of fixed nodes have the given numbers.
fn keeping_fixed(mut labels: Vec<u32>, level: &Level<'_>, k: usize) -> Vec<u32> {
    let mut names: Vec<Option<u32>> = vec![None; k];
    let mut is_taken = vec![false; k];
    for (label, fixed) in labels.iter().zip(&level.fixed) {
        if let Some(fixed) = fixed {
            names[*label as usize] = Some(*fixed);
            is_taken[*fixed as usize] = true;
        }
    }
    let open = (0..k as u32).filter(|&name| !is_taken[name as usize]);
    for (name, open) in names.iter_mut().filter(|name| name.is_none()).zip(open) {
        *name = Some(open);
    }
    for label in &mut labels {
        *label = names[*label as usize].unwrap_or(*label);
    }
    labels
}
