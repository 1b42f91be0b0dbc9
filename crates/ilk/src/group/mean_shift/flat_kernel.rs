//! Trajectories under a flat kernel.
//!
//! The mean of the points in a ball depends only on which points those are. Two points whose balls
//! hold the same set therefore have the same trajectory from there on, and a trajectory that arrives
//! at a position of a finished one can be completed at once. More than half of all steps are saved
//! this way. To make it exact, the mean is a pure function of the position: members are added in the
//! order of their slots, whatever cache they were found in, so that equal sets give equal bits, and
//! it does not matter which of several trajectories was there first.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::density::{Density, DensityScratch};
use super::neighbor_cache::skin_after;
use super::neighbor_cache_f32::{F32NeighborCache, F32NeighborCaches};
use super::trajectory::{Endpoint, StopRule, Trace};
use crate::numerics::distances::dist_sq;

/// Up to this many dimensions boxes are tight, and looking at those of all blocks at every step,
/// with whole blocks taken as one, is faster than gathering caches.
const MOST_BOX_DIMS: usize = 4;

/// Locks over the visited positions; more than threads, so that they rarely wait.
const SHARDS: usize = 64;

/// A trajectory that has ended.
#[derive(Debug)]
struct FinishedTrajectory {
    end: Endpoint,
    /// The length of every step from the start.
    lengths: Vec<f64>,
}

/// A position by a hash of its bits. Of a billion positions the chance that any two share 128 bits
/// is below 1e-20.
type PositionKey = (u64, u64);

/// Positions, each with a finished trajectory through it and the step that it made from there.
type Shard = HashMap<PositionKey, (Arc<FinishedTrajectory>, usize)>;

/// The density under a flat kernel, and every position that a finished trajectory has visited.
pub(super) struct FlatTrajectories<'a> {
    density: &'a Density,
    rule: StopRule,
    /// All points in single precision, where that is faster.
    all_points: Option<F32NeighborCache>,
    visited: Vec<Mutex<Shard>>,
}

impl<'a> FlatTrajectories<'a> {
    pub(super) fn new(density: &'a Density, rule: StopRule) -> Self {
        let visited = (0..SHARDS).map(|_| Mutex::default()).collect();
        let all_points = (density.dims() > MOST_BOX_DIMS)
            .then(|| F32NeighborCache::of_all_points(density))
            .flatten();
        Self { density, rule, all_points, visited }
    }

    /// Follows the trajectory from `start`; returns its end, the number of steps and the length of
    /// the last.
    pub(super) fn run(
        &self,
        start: &[f64],
        scratch: &mut DensityScratch,
        caches: &mut F32NeighborCaches,
        trace: &mut Trace,
    ) -> (Endpoint, usize, f64) {
        let finished = self.follow(start, scratch, caches);
        for (step, &length) in finished.lengths.iter().enumerate() {
            trace.record(step + 1, length);
        }
        let last = finished.lengths.last().copied().unwrap_or(0.0);
        (finished.end.clone(), finished.lengths.len(), last)
    }

    fn follow(
        &self,
        start: &[f64],
        scratch: &mut DensityScratch,
        caches: &mut F32NeighborCaches,
    ) -> Arc<FinishedTrajectory> {
        let h = self.density.widths.median;
        let mut x = start.to_vec();
        let mut next = vec![0.0; self.density.padded];
        let (mut lengths, mut keys) = (Vec::new(), Vec::new());
        loop {
            let key = key_of(&x);
            if let Some(finished) = self.joined_with(&key, &lengths) {
                return self.remember(finished, &keys);
            }
            keys.push(key);
            let weight = if let Some(all_points) = &self.all_points {
                // The first step is often long, and would soon leave the cache that it gathered.
                let skin = lengths.last().map(|length| skin_after(Some(length / h)) * h);
                caches.mean_of_members(all_points, self.density, &x, skin, &mut next, scratch)
            } else {
                self.density.mean_of_members(&x, &mut next, scratch)
            };
            let mut length = 0.0;
            if weight > 0.0 {
                let next = &next[..x.len()];
                length = dist_sq(&x, next).sqrt();
                x.copy_from_slice(next);
            }
            lengths.push(length);
            if self.rule.ends(lengths.len(), length) {
                let converged = length <= self.rule.tol;
                let end = Endpoint { place: x, weight, converged, captured_by: None };
                return self.remember(FinishedTrajectory { end, lengths }, &keys);
            }
        }
    }

    /// The whole trajectory, if a finished one has been at this position and the rest of it keeps to
    /// the stopping rule.
    fn joined_with(&self, key: &PositionKey, lengths: &[f64]) -> Option<FinishedTrajectory> {
        if self.rule.fixed.is_some() {
            return None;
        }
        let (other, at) = self.shard(key).get(key)?.clone();
        let rest = &other.lengths[at..];
        let total = lengths.len() + rest.len();
        if total > self.rule.max_iter || !other.end.converged {
            return None;
        }
        Some(FinishedTrajectory { end: other.end.clone(), lengths: [lengths, rest].concat() })
    }

    /// Stores the positions of a trajectory before each of its first `keys.len()` steps.
    fn remember(
        &self,
        finished: FinishedTrajectory,
        keys: &[PositionKey],
    ) -> Arc<FinishedTrajectory> {
        let finished = Arc::new(finished);
        for (step, key) in keys.iter().enumerate() {
            let mut shard = self.shard(key);
            let entry = shard.entry(*key);
            entry.or_insert_with(|| (Arc::clone(&finished), step));
        }
        finished
    }

    fn shard(&self, key: &PositionKey) -> MutexGuard<'_, Shard> {
        let shard = self.visited[key.0 as usize % SHARDS].lock();
        shard.unwrap_or_else(PoisonError::into_inner)
    }
}

fn key_of(x: &[f64]) -> PositionKey {
    let (mut first, mut second) = (DefaultHasher::new(), DefaultHasher::new());
    second.write_u8(1);
    for v in x {
        first.write_u64(v.to_bits());
        second.write_u64(v.to_bits());
    }
    (first.finish(), second.finish())
}
