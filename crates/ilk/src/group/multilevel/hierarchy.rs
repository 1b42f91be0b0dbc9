//! The levels over a graph, each smaller than the one below it.

use super::{
    level::Level, matching::matched, params::Coarsening, progress::RoundProgress,
    region_growing::parts,
};
use crate::{Result, numerics::rng::rng_stream};

/// A level has at least the nodes of the level below divided by this.
const SHRINK: usize = 16;

/// Where parts of that many nodes hold less than this share of their links inside, a level of them has
/// hardly fewer links than the graph.
const INSIDE: f64 = 0.25;

/// Neighbourhoods that are sampled to estimate that share, and links of a node in them.
const SAMPLE: usize = 64;
const SAMPLED_LINKS: usize = 256;

/// A level, and the node of it that every node of the level below is part of.
struct CoarseLevel {
    level: Level<'static>,
    part_of: Vec<u32>,
}

/// Levels over a base, which is not among them.
pub(super) struct Hierarchy {
    steps: Vec<CoarseLevel>,
}

impl Hierarchy {
    /// Coarsens until at most twice `coarsest` nodes are left, or nothing more can be merged. Nodes of
    /// different clusters `within` are never merged.
    ///
    /// With region growing a level usually has a sixteenth of the nodes of the one below. In a graph where
    /// the neighbours of a node are rarely neighbours of each other that removes few links, so the next
    /// level is the coarsest at once. With matching a level has about half of the nodes.
    pub(super) fn new(
        base: &Level<'_>,
        within: Option<&[u32]>,
        coarsest: usize,
        coarsening: Coarsening,
        seed: u64,
        progress: &RoundProgress<'_>,
    ) -> Result<Self> {
        let mut hierarchy = Self { steps: Vec::new() };
        let mut clusters: Option<Vec<u32>> = within.map(<[u32]>::to_vec);
        loop {
            let level = hierarchy.coarsest(base);
            let n = level.len();
            if n <= 2 * coarsest {
                return Ok(hierarchy);
            }
            let within = clusters.as_deref();
            let (part_of, len) = match coarsening {
                Coarsening::HeavyEdgeMatching => matched(level, within, coarsest, seed, progress)?,
                Coarsening::RegionGrowing => {
                    let target = if n / SHRINK > coarsest && share_inside(level, seed) > INSIDE {
                        n / SHRINK
                    } else {
                        coarsest
                    };
                    parts(level, within, target, seed, progress)?
                }
            };
            if 10 * len > 9 * n {
                return Ok(hierarchy);
            }
            clusters = clusters.map(|clusters| project(&clusters, &part_of, len));
            let level = level.contract(&part_of, len);
            hierarchy.steps.push(CoarseLevel { level, part_of });
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    pub(super) fn coarsest<'a>(&'a self, base: &'a Level<'a>) -> &'a Level<'a> {
        self.steps.last().map_or(base, |step| &step.level)
    }

    /// The labels of the coarsest nodes, from those of the base, where no node holds two labels.
    pub(super) fn project_to_coarsest(&self, labels: &[u32]) -> Vec<u32> {
        let mut labels = labels.to_vec();
        for CoarseLevel { level, part_of } in &self.steps {
            labels = project(&labels, part_of, level.len());
        }
        labels
    }

    /// From the coarsest level to the base: every level below it, with the part of the level above that
    /// each of its nodes is in.
    pub(super) fn downwards<'a>(
        &'a self,
        base: &'a Level<'a>,
    ) -> impl Iterator<Item = (&'a Level<'a>, &'a [u32])> {
        (0..self.steps.len()).rev().map(move |at| {
            let below = at.checked_sub(1).map_or(base, |at| &self.steps[at].level);
            (below, &self.steps[at].part_of[..])
        })
    }
}

/// The labels of parts, from those of their nodes.
fn project(labels: &[u32], part_of: &[u32], len: usize) -> Vec<u32> {
    let mut above = vec![0; len];
    for (label, &part) in labels.iter().zip(part_of) {
        above[part as usize] = *label;
    }
    above
}

/// The share of their links that nodes have within a neighbourhood of `SHRINK` nodes, on average over some
/// neighbourhoods: an estimate of what parts of that size keep inside.
fn share_inside(level: &Level<'_>, seed: u64) -> f64 {
    let mut neighborhood: Vec<usize> = Vec::with_capacity(SHRINK);
    let starts = rng_stream(seed, u64::MAX).sample(level.len(), SAMPLE);
    let mut sum = 0.0;
    for &start in &starts {
        neighborhood.clear();
        neighborhood.push(start);
        let mut at = 0;
        while let Some(&node) = neighborhood.get(at) {
            for (other, _) in level.links(node).take(SAMPLED_LINKS) {
                if neighborhood.len() < SHRINK && !neighborhood.contains(&other) {
                    neighborhood.push(other);
                }
            }
            at += 1;
        }
        let links = neighborhood.iter().flat_map(|&node| level.links(node).take(SAMPLED_LINKS));
        let (inside, all) = links.fold((0_usize, 0_usize), |(inside, all), (other, _)| {
            (inside + usize::from(neighborhood.contains(&other)), all + 1)
        });
        sum += inside as f64 / all.max(1) as f64;
    }
    sum / starts.len().max(1) as f64
}
