//! Super-instances that are split and merged.

use std::collections::HashSet;

use super::replay::{Course, Replay, asks_by_course};
use super::space::Part;
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
    part: Part,
    cluster: usize,
}

fn course(replay: &mut Replay<'_>) -> Result<Course> {
    let whole = replay.space.part((0..replay.space.len()).collect());
    let mut all = vec![SuperInstance { part: whole, cluster: 0 }];
    let mut n_clusters = 1;
    loop {
        let mut largest: Option<usize> = None;
        for at in 0..all.len() {
            let is_larger = largest.is_none_or(|best| all[at].part.size > all[best].part.size);
            if all[at].part.units.len() > 1 && is_larger {
                largest = Some(at);
            }
        }
        let Some(largest) = largest else { return Ok(Course::Continue(())) };
        let split = all.swap_remove(largest);
        let Course::Continue(parts) = level(replay, &split.part.units)? else {
            return Ok(Course::Break(()));
        };
        for part in replay.split(&split.part.units, parts)?.iter() {
            all.push(SuperInstance { part: part.clone(), cluster: n_clusters });
            n_clusters += 1;
        }
        if merge(replay, &mut all).is_break() {
            return Ok(Course::Break(()));
        }
    }
}

/// Into how many super-instances one is split.
fn level(replay: &mut Replay<'_>, units: &[usize]) -> Result<Course<usize>> {
    let mut halved = units.to_vec();
    let mut parts = 1;
    loop {
        let halves = replay.split(&halved, 2)?;
        let [a, b] = halves.as_slice() else { break };
        match replay.ask(a.medoid, b.medoid) {
            Course::Break(()) => return Ok(Course::Break(())),
            Course::Continue(true) => break,
            Course::Continue(false) => parts *= 2,
        }
        halved = if a.units.len() >= b.units.len() { a.units.clone() } else { b.units.clone() };
        if halved.len() < 2 {
            break;
        }
    }
    Ok(Course::Continue(parts.max(2)))
}

/// Merges clusters, the nearest first, until no two may be one. Clusters that are one or separated remain so, so the
/// pairs of super-instances are looked at once, in the order of their distances.
fn merge(replay: &mut Replay<'_>, all: &mut [SuperInstance]) -> Course {
    let mut pairs: Vec<(f64, [usize; 2])> = Vec::new();
    for a in 0..all.len() {
        for b in 0..a {
            pairs.push((replay.space.dist_sq(all[a].part.medoid, all[b].part.medoid), [a, b]));
        }
    }
    pairs.sort_by(|x, y| x.0.total_cmp(&y.0));
    let mut separated: HashSet<[usize; 2]> = HashSet::new();
    for (_, [a, b]) in pairs {
        let clusters = sorted(all[a].cluster, all[b].cluster);
        if clusters[0] == clusters[1] || separated.contains(&clusters) {
            continue;
        }
        if replay.ask(all[a].part.medoid, all[b].part.medoid)? {
            for instance in all.iter_mut().filter(|instance| instance.cluster == clusters[1]) {
                instance.cluster = clusters[0];
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
    Course::Continue(())
}

fn sorted(a: usize, b: usize) -> [usize; 2] {
    [a.min(b), a.max(b)]
}
