//! Clusters that are aggregated, and split where they are not pure.

use std::collections::HashSet;

use super::replay::{Course, Replay, asks_by_course};
use super::space::{AskSpace, Part};
use crate::Result;

/// Clusters at first, as a multiple of the square root of the number of units.
const INITIAL: f64 = 1.0;

/// Clusters of an unsupervised clustering are aggregated in the order of what that is worth, and split where they are not
/// pure, after A3S (Deng et al., *A3S: a general active clustering method with pairwise constraints*, ICML 2024, arXiv
/// 2407.10196).
///
/// Joining the clusters a and b of n_a and n_b points lowers the entropy of the clustering, by which the mutual
/// information with the truth is normalised, by
///
/// ```text
/// ΔH = (n_a ln((n_a + n_b) / n_a) + n_b ln((n_a + n_b) / n_b)) / n
/// ```
///
/// and loses no mutual information where both are of one class. So the pair of clusters with the largest p_ab ΔH is
/// asked about next, with p_ab the similarity of their medoids. Before a cluster is asked about for the first time its purity is
/// tested: the medoids of its halves are compared, and it is split where they differ. The paper starts from a
/// clustering by local densities; here it is k-means with about as many clusters as the root of the number of units.
#[derive(Debug, Clone, Copy, Default)]
pub struct AggregateSplit;

asks_by_course!(AggregateSplit, course);

/// Units that are taken to be of one class.
struct Cluster {
    part: Part,
    is_tested: bool,
    /// Into how many pieces it was split when it was last tested; it grows, so that testing ends.
    pieces: usize,
}

impl Cluster {
    fn new(part: Part) -> Self {
        Self { is_tested: part.units.len() < 2, pieces: 2, part }
    }
}

fn course(replay: &mut Replay<'_>) -> Result<Course> {
    let space = replay.space;
    let all: Vec<usize> = (0..space.len()).collect();
    let initial = (INITIAL * (space.len() as f64).sqrt()).ceil() as usize;
    let parts = replay.split(&all, initial)?;
    let mut clusters: Vec<Cluster> = parts.iter().cloned().map(Cluster::new).collect();
    let mut separated: HashSet<[usize; 2]> = HashSet::new();
    loop {
        while let Some((a, b)) = next(space, &clusters, &separated) {
            if let Some(at) = [a, b].into_iter().find(|&at| !clusters[at].is_tested) {
                if test(replay, &mut clusters, at)?.is_break() {
                    return Ok(Course::Break(()));
                }
                continue;
            }
            let pair = sorted(clusters[a].part.medoid, clusters[b].part.medoid);
            match replay.ask(pair[0], pair[1]) {
                Course::Break(()) => return Ok(Course::Break(())),
                Course::Continue(false) => {
                    separated.insert(pair);
                }
                Course::Continue(true) => {
                    let joined = clusters.remove(b);
                    let (kept, gone) = (clusters[a].part.medoid, joined.part.medoid);
                    separated = separated
                        .into_iter()
                        .map(|pair| pair.map(|medoid| if medoid == gone { kept } else { medoid }))
                        .map(|[a, b]| sorted(a, b))
                        .collect();
                    clusters[a].pieces = clusters[a].pieces.max(joined.pieces);
                    clusters[a].part.size += joined.part.size;
                    clusters[a].part.units.extend(joined.part.units);
                }
            }
        }
        // Nothing is left to aggregate: the largest cluster is tested again, more finely.
        let mut largest: Option<usize> = None;
        for at in 0..clusters.len() {
            let is_larger =
                largest.is_none_or(|best| clusters[at].part.size > clusters[best].part.size);
            if clusters[at].part.units.len() > clusters[at].pieces && is_larger {
                largest = Some(at);
            }
        }
        let Some(largest) = largest else { return Ok(Course::Continue(())) };
        let split = clusters.remove(largest);
        let pieces = 2 * split.pieces;
        for part in replay.split(&split.part.units, pieces)?.iter().cloned() {
            clusters.push(Cluster { is_tested: true, pieces, part });
        }
    }
}

/// The two clusters whose aggregation is worth most, the first before the second.
fn next(
    space: &AskSpace,
    clusters: &[Cluster],
    separated: &HashSet<[usize; 2]>,
) -> Option<(usize, usize)> {
    let mut best: Option<(f64, (usize, usize))> = None;
    for b in 0..clusters.len() {
        for a in 0..b {
            let (x, y) = (&clusters[a].part, &clusters[b].part);
            let both = x.size + y.size;
            let entropy = x.size * (both / x.size).ln() + y.size * (both / y.size).ln();
            let value = (space.similarity(x.medoid, y.medoid) + 1e-9) * entropy;
            let is_best = best.is_none_or(|(most, _)| value > most);
            if is_best && !separated.contains(&sorted(x.medoid, y.medoid)) {
                best = Some((value, (a, b)));
            }
        }
    }
    best.map(|(_, pair)| pair)
}

/// Compares the halves of a cluster, and splits it where they differ.
fn test(replay: &mut Replay<'_>, clusters: &mut Vec<Cluster>, at: usize) -> Result<Course> {
    let halves = replay.split(&clusters[at].part.units, 2)?;
    clusters[at].is_tested = true;
    let [a, b] = halves.as_slice() else { return Ok(Course::Continue(())) };
    match replay.ask(a.medoid, b.medoid) {
        Course::Break(()) => return Ok(Course::Break(())),
        Course::Continue(true) => {}
        Course::Continue(false) => {
            clusters.remove(at);
            clusters.extend(halves.iter().cloned().map(Cluster::new));
        }
    }
    Ok(Course::Continue(()))
}

fn sorted(a: usize, b: usize) -> [usize; 2] {
    [a.min(b), a.max(b)]
}
