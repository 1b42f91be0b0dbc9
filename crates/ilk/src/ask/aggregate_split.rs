//! Clusters that are aggregated, and split where they are not pure.

use std::collections::HashSet;

use super::replay::{Course, Replay, asks_by_course};
use super::space::AskSpace;
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
struct Part {
    units: Vec<usize>,
    medoid: usize,
    size: f64,
    is_tested: bool,
    /// Into how many pieces it was split when it was last tested; it grows, so that testing ends.
    pieces: usize,
}

impl Part {
    fn new(space: &AskSpace, units: Vec<usize>) -> Self {
        let size = units.iter().map(|&unit| space.sizes[unit]).sum();
        Self { medoid: space.medoid(&units), size, is_tested: units.len() < 2, pieces: 2, units }
    }
}

fn course(replay: &mut Replay<'_>) -> Result<Course> {
    let space = replay.space;
    let all: Vec<usize> = (0..space.len()).collect();
    let initial = (INITIAL * (space.len() as f64).sqrt()).ceil() as usize;
    let mut parts: Vec<Part> = space
        .split(&all, initial, replay.seed)?
        .into_iter()
        .map(|units| Part::new(space, units))
        .collect();
    let mut separated: HashSet<[usize; 2]> = HashSet::new();
    loop {
        while let Some((a, b)) = next(space, &parts, &separated) {
            if let Some(at) = [a, b].into_iter().find(|&at| !parts[at].is_tested) {
                if test(replay, &mut parts, at)?.is_break() {
                    return Ok(Course::Break(()));
                }
                continue;
            }
            let pair = [parts[a].medoid.min(parts[b].medoid), parts[a].medoid.max(parts[b].medoid)];
            match replay.ask(pair[0], pair[1]) {
                Course::Break(()) => return Ok(Course::Break(())),
                Course::Continue(false) => {
                    separated.insert(pair);
                }
                Course::Continue(true) => {
                    let joined = parts.remove(b);
                    let (kept, gone) = (parts[a].medoid, joined.medoid);
                    separated = separated
                        .into_iter()
                        .map(|pair| pair.map(|medoid| if medoid == gone { kept } else { medoid }))
                        .map(|[a, b]| [a.min(b), a.max(b)])
                        .collect();
                    parts[a].pieces = parts[a].pieces.max(joined.pieces);
                    parts[a].size += joined.size;
                    parts[a].units.extend(joined.units);
                }
            }
        }
        // Nothing is left to aggregate: the largest cluster is tested again, more finely.
        let mut largest: Option<usize> = None;
        for at in (0..parts.len()).filter(|&at| parts[at].units.len() > parts[at].pieces) {
            if largest.is_none_or(|best| parts[at].size > parts[best].size) {
                largest = Some(at);
            }
        }
        let Some(largest) = largest else { return Ok(Course::Continue(())) };
        let split = parts.remove(largest);
        let pieces = 2 * split.pieces;
        for units in space.split(&split.units, pieces, replay.seed)? {
            parts.push(Part { is_tested: true, pieces, ..Part::new(space, units) });
        }
    }
}

/// The two clusters whose aggregation is worth most, the first before the second.
fn next(
    space: &AskSpace,
    parts: &[Part],
    separated: &HashSet<[usize; 2]>,
) -> Option<(usize, usize)> {
    let mut best: Option<(f64, (usize, usize))> = None;
    for b in 0..parts.len() {
        for a in 0..b {
            let (x, y) = (&parts[a], &parts[b]);
            if separated.contains(&[x.medoid.min(y.medoid), x.medoid.max(y.medoid)]) {
                continue;
            }
            let both = x.size + y.size;
            let entropy = x.size * (both / x.size).ln() + y.size * (both / y.size).ln();
            let value = (space.similarity(x.medoid, y.medoid) + 1e-9) * entropy;
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, (a, b)));
            }
        }
    }
    best.map(|(_, pair)| pair)
}

/// Compares the halves of a cluster, and splits it where they differ.
fn test(replay: &mut Replay<'_>, parts: &mut Vec<Part>, at: usize) -> Result<Course> {
    let space = replay.space;
    let halves = space.split(&parts[at].units, 2, replay.seed)?;
    parts[at].is_tested = true;
    let [a, b] = halves.as_slice() else { return Ok(Course::Continue(())) };
    match replay.ask(space.medoid(a), space.medoid(b)) {
        Course::Break(()) => return Ok(Course::Break(())),
        Course::Continue(true) => {}
        Course::Continue(false) => {
            parts.remove(at);
            parts.extend(halves.into_iter().map(|units| Part::new(space, units)));
        }
    }
    Ok(Course::Continue(()))
}
