//! Super-instances that are split and merged.

use std::collections::HashSet;

use super::replay::{Course, Replay, asks_by_course};
use super::space::AskSpace;
use crate::Result;

/// Super-instances that are split where they are too coarse, and merged into clusters (COBRAS; Van Craenendonck, Dumančić,
/// Van Wolputte and Blockeel, *COBRAS: interactive clustering with pairwise queries*, 2018). The number of clusters
/// is not needed, and it may be ended at any time.
///
/// At first all points are one super-instance. In turn
///
/// 1. the largest super-instance is halved by k-means until the medoids of two halves belong together, going on with one
///    of the halves; after d answers "different" it is split by k-means into max(2, 2^d) super-instances, each a cluster;
/// 2. the two nearest clusters that may be one are compared by their nearest medoids, and merged where the
///    answer is "same", until no two may be.
#[derive(Debug, Clone, Copy, Default)]
pub struct SuperInstances;

asks_by_course!(SuperInstances, course);

/// A super-instance that is a part of a cluster.
struct SuperInstance {
    units: Vec<usize>,
    medoid: usize,
    cluster: usize,
}

impl SuperInstance {
    fn new(space: &AskSpace, units: Vec<usize>, cluster: usize) -> Self {
        Self { medoid: space.medoid(&units), units, cluster }
    }
}

fn course(replay: &mut Replay<'_>) -> Result<Course> {
    let space = replay.space;
    let mut all = vec![SuperInstance::new(space, (0..space.len()).collect(), 0)];
    let mut n_clusters = 1;
    loop {
        let size =
            |of: &SuperInstance| -> f64 { of.units.iter().map(|&unit| space.sizes[unit]).sum() };
        let mut largest: Option<usize> = None;
        for at in 0..all.len() {
            let is_larger = largest.is_none_or(|best| size(&all[at]) > size(&all[best]));
            if all[at].units.len() > 1 && is_larger {
                largest = Some(at);
            }
        }
        let Some(largest) = largest else { return Ok(Course::Continue(())) };
        let split = all.swap_remove(largest);
        let Course::Continue(parts) = level(replay, &split.units)? else {
            return Ok(Course::Break(()));
        };
        for units in space.split(&split.units, parts, replay.seed)? {
            all.push(SuperInstance::new(space, units, n_clusters));
            n_clusters += 1;
        }
        if merge(replay, &mut all).is_break() {
            return Ok(Course::Break(()));
        }
    }
}

/// Into how many super-instances one is split.
fn level(replay: &mut Replay<'_>, units: &[usize]) -> Result<Course<usize>> {
    let mut part = units.to_vec();
    let mut parts = 1;
    loop {
        let halves = replay.space.split(&part, 2, replay.seed)?;
        let [a, b] = halves.as_slice() else { break };
        let [m, o] = [a, b].map(|half| replay.space.medoid(half));
        match replay.ask(m, o) {
            Course::Break(()) => return Ok(Course::Break(())),
            Course::Continue(true) => break,
            Course::Continue(false) => parts *= 2,
        }
        part = if a.len() >= b.len() { a.clone() } else { b.clone() };
        if part.len() < 2 {
            break;
        }
    }
    Ok(Course::Continue(parts.max(2)))
}

/// Merges clusters, the nearest first, until no two may be one.
fn merge(replay: &mut Replay<'_>, all: &mut [SuperInstance]) -> Course {
    let mut separated: HashSet<[usize; 2]> = HashSet::new();
    loop {
        let mut nearest: Option<(f64, [usize; 2])> = None;
        for a in 0..all.len() {
            for b in 0..a {
                let clusters = sorted(all[a].cluster, all[b].cluster);
                if clusters[0] == clusters[1] || separated.contains(&clusters) {
                    continue;
                }
                let distance = replay.space.dist_sq(all[a].medoid, all[b].medoid);
                if nearest.is_none_or(|(best, _)| distance < best) {
                    nearest = Some((distance, [a, b]));
                }
            }
        }
        let Some((_, [a, b])) = nearest else { return Course::Continue(()) };
        let clusters = sorted(all[a].cluster, all[b].cluster);
        if replay.ask(all[a].medoid, all[b].medoid)? {
            for part in all.iter_mut().filter(|part| part.cluster == clusters[1]) {
                part.cluster = clusters[0];
            }
            separated = separated
                .into_iter()
                .map(|pair| {
                    pair.map(|cluster| if cluster == clusters[1] { clusters[0] } else { cluster })
                })
                .map(|[a, b]| sorted(a, b))
                .collect();
        } else {
            separated.insert(clusters);
        }
    }
}

fn sorted(a: usize, b: usize) -> [usize; 2] {
    [a.min(b), a.max(b)]
}
