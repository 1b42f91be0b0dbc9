//! The search for a partition of a graph: down to a few nodes, a start there, and up again.

use super::agglomerate::agglomerate;
use super::divide::divided;
use super::exchange::exchange;
use super::grow::grow;
use super::hierarchy::Hierarchy;
use super::level::Level;
use super::params::Multilevel;
use super::partition::Partition;
use super::refine::{Refined, Until, refine, trace_step};
use super::tally::mixed;
use super::watch::Watch;
use crate::Result;
use crate::numerics::rng::rng_stream;

/// Nodes of the coarsest level for every cluster, and at least.
const PER_CLUSTER: usize = 20;
const COARSEST: usize = 1000;

/// A round that moves at most this share of the nodes is the last of a refinement, but for the very last
/// one.
const FEW: f64 = 0.002;

/// Times that the levels are gone through again.
const CYCLES: usize = 3;

/// They are again as long as the coarsest level gains at least this share of the value.
const WORTHWHILE: f64 = 1e-4;

/// A search on the graph `base`.
pub(super) struct Search<'a> {
    pub(super) params: &'a Multilevel,
    pub(super) base: &'a Level<'a>,
    pub(super) watch: &'a Watch<'a>,
}

/// What one descent found.
struct Descent {
    found: Refined,
    /// Whether the graph was coarsened at all.
    has_levels: bool,
}

impl Search<'_> {
    /// The best partition that was found.
    pub(super) fn best(&self) -> Result<Refined> {
        let mut best = self.run(0)?;
        for run in 1..self.params.n_init {
            let found = self.run(run)?;
            if found.partition.value() > best.partition.value() {
                best = found;
            }
        }
        Ok(best)
    }

    /// A descent through levels of its own, and what makes it better.
    fn run(&self, run: usize) -> Result<Refined> {
        let Descent {
            found: mut best,
            has_levels,
        } = self.descend(run)?;
        if !has_levels {
            return Ok(best);
        }
        // Where all clusters have given nodes, links say more about single nodes than about parts that
        // were made without knowing them.
        if self.base.fixed.iter().flatten().count() == self.params.n_clusters {
            let grown = self.grown(self.base, &self.base.fixed, run)?;
            if grown.partition.value() > best.partition.value() {
                best = grown;
            }
        }
        for cycle in 1..=CYCLES {
            if let Some(better) = self.divide(&best, run)? {
                best = better;
            }
            match self.cycle(&best, run, cycle)? {
                Some(better) => best = better,
                None => break,
            }
        }
        let until = Until {
            few: 0.0,
            ..self.until(self.base)
        };
        let last = refine(self.base, best.partition, until, self.watch)?;
        Ok(last.after(best.trace))
    }

    /// Down to a few nodes, a start there, and up again.
    fn descend(&self, run: usize) -> Result<Descent> {
        let hierarchy = self.hierarchy(None, run, 0)?;
        let coarsest = hierarchy.coarsest(self.base);
        let has_levels = !hierarchy.is_empty();
        let start = if run > 0 && !has_levels {
            self.grown(coarsest, &self.drawn(coarsest, run), run)?
        } else {
            self.joined(coarsest)?
        };
        let start = exchange(coarsest, start, self.until(coarsest), self.watch)?;
        let found = self.carry_down(&hierarchy, start)?;
        Ok(Descent { found, has_levels })
    }

    fn hierarchy(&self, within: Option<&[u32]>, run: usize, cycle: usize) -> Result<Hierarchy> {
        let seed = mixed(self.params.seed, run as u64, cycle as u64);
        Hierarchy::new(
            self.base,
            within,
            self.coarsest(),
            self.params.coarsening,
            seed,
            self.watch,
        )
    }

    fn coarsest(&self) -> usize {
        COARSEST.max(PER_CLUSTER.saturating_mul(self.params.n_clusters))
    }

    /// When a refinement ends: at once where few nodes move, unless nothing comes after it.
    fn until(&self, level: &Level<'_>) -> Until {
        let is_last = level.len() <= 2 * self.coarsest() && level.len() == self.base.len();
        Until {
            rounds: self.params.max_iter,
            few: if is_last { 0.0 } else { FEW },
        }
    }

    /// The clusters that nodes make when they are joined two by two.
    fn joined(&self, level: &Level<'_>) -> Result<Refined> {
        let k = self.params.n_clusters;
        let nodes: Vec<u32> = (0..level.len() as u32).collect();
        let labels = keeping_fixed(agglomerate(level, &nodes, k), level, k);
        let partition = Partition::new(level, labels, k);
        refine(level, partition, self.until(level), self.watch)
    }

    /// One node for every cluster: the fixed ones, and others drawn at random.
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

    /// Clusters grown from a few nodes.
    fn grown(&self, level: &Level<'_>, start: &[Option<u32>], run: usize) -> Result<Refined> {
        let k = self.params.n_clusters;
        let seed = mixed(self.params.seed, run as u64, 0);
        let labels = grow(level, start, k, seed, self.watch)?;
        let partition = Partition::new(level, labels, k);
        refine(level, partition, self.until(level), self.watch)
    }

    /// A partition of the coarsest level, refined on every level on the way to the finest.
    fn carry_down(&self, hierarchy: &Hierarchy, start: Refined) -> Result<Refined> {
        let mut refined = start;
        for (level, part_of) in hierarchy.downwards(self.base) {
            let labels = &refined.partition.labels;
            let labels = part_of.iter().map(|&part| labels[part as usize]).collect();
            let partition = Partition::new(level, labels, self.params.n_clusters);
            let next = refine(level, partition, self.until(level), self.watch)?;
            refined = next.after(refined.trace);
        }
        Ok(refined)
    }

    /// Divides clusters that are far too heavy, each by a search of its own, and joins others. None where
    /// there is no such cluster, or that gains next to nothing.
    fn divide(&self, best: &Refined, run: usize) -> Result<Option<Refined>> {
        let k = self.params.n_clusters;
        let search = |level: &Level<'_>, n_clusters: usize| {
            let search = Search {
                params: &Multilevel {
                    n_clusters,
                    ..self.params.clone()
                },
                base: level,
                watch: self.watch,
            };
            Ok(search.descend(run)?.found.partition.labels)
        };
        let Some(labels) = divided(self.base, &best.partition, search)? else {
            return Ok(None);
        };
        let labels = keeping_fixed(labels, self.base, k);
        let partition = Partition::new(self.base, labels, k);
        let better = refine(self.base, partition, self.until(self.base), self.watch)?;
        let before = best.partition.value();
        if better.partition.value() - before < WORTHWHILE * before.abs() {
            return Ok(None);
        }
        let both = better.partition.labels.iter().zip(&best.partition.labels);
        let moved = both.filter(|(after, before)| after != before).count();
        let trace = vec![trace_step(&better.partition, moved)];
        let better = Refined { trace, ..better };
        Ok(Some(better.after(best.trace.clone())))
    }

    /// Goes through levels whose nodes do not reach across the clusters, so that whole groups of nodes
    /// can move, and clusters be split and joined. None where that gains next to nothing.
    ///
    /// Within a cluster there are fewer wrong links to follow than in all of the graph: parts are purer
    /// than when nothing was known.
    fn cycle(&self, best: &Refined, run: usize, cycle: usize) -> Result<Option<Refined>> {
        let labels = &best.partition.labels;
        let hierarchy = self.hierarchy(Some(labels), run, cycle)?;
        let coarsest = hierarchy.coarsest(self.base);
        let partition = Partition::new(coarsest, hierarchy.lift(labels), self.params.n_clusters);
        let before = partition.value();
        let refined = refine(coarsest, partition, self.until(coarsest), self.watch)?;
        let better = exchange(coarsest, refined, self.until(coarsest), self.watch)?;
        if better.partition.value() - before < WORTHWHILE * before.abs() {
            return Ok(None);
        }
        let better = better.after(best.trace.clone());
        self.carry_down(&hierarchy, better).map(Some)
    }
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
    let open = (0..k as u32).filter(|&name| !is_taken[name as usize]);
    for (name, open) in names.iter_mut().filter(|name| name.is_none()).zip(open) {
        *name = Some(open);
    }
    for label in &mut labels {
        *label = names[*label as usize].unwrap_or(*label);
    }
    labels
}
