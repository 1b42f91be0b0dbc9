//! The climb under a flat kernel.
//!
//! The mean of the points in a ball depends on nothing but which points those are. Two points whose
//! balls hold the same set therefore go the same way from there on, and a climb that reaches a place
//! where an earlier one has been can end at once: it joins. More than half of all steps are saved
//! this way. To make it exact, the mean is a pure function of the place: members are added in the
//! order of their slots, whatever surroundings they were found in, so that equal sets give equal
//! bits, and it does not matter which of several climbs was there first.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use super::climb::{End, Rule, SKINS};
use super::density::{Density, Scratch};
use super::surroundings::Surroundings;
use super::watch::Trace;
use crate::numerics::blocks::{LANES, block_dist_sq};
use crate::numerics::distances::dist_sq;
use crate::numerics::simd::{Simd, simd_dispatch};

/// Lanes of a vector.
const WIDTH: usize = 8;

/// Vectors in a block.
const VECTORS: usize = LANES / WIDTH;

/// Up to this many dimensions boxes are tight, and looking at those of all blocks at every step,
/// with whole blocks taken as one, is quicker than gathering surroundings.
const MOST_BOX_DIMS: usize = 4;

/// Locks over the places visited; more than threads, so that they rarely wait.
const SHARDS: usize = 64;

/// A climb that has ended.
#[derive(Debug)]
struct Finished {
    end: End,
    /// The length of every step from the start.
    lengths: Vec<f64>,
}

/// A place by a hash of its bits. Of a billion places the chance that any two share 128 bits is
/// below 1e-20.
type PlaceKey = (u64, u64);

/// Places, each with a finished climb that has been there and the step that it made from there.
type Shard = Mutex<HashMap<PlaceKey, (Arc<Finished>, usize)>>;

/// The density under a flat kernel, and every place that a finished climb has visited.
pub(super) struct FlatClimb<'a> {
    density: &'a Density,
    rule: Rule,
    visited: Vec<Shard>,
}

impl<'a> FlatClimb<'a> {
    pub(super) fn new(density: &'a Density, rule: Rule) -> Self {
        let visited = (0..SHARDS).map(|_| Mutex::default()).collect();
        Self {
            density,
            rule,
            visited,
        }
    }

    /// Climbs from `start`; returns its end, the number of steps and the length of the last.
    pub(super) fn climb(
        &self,
        start: &[f64],
        scratch: &mut Scratch,
        surroundings: &mut Surroundings,
        trace: &mut Trace,
    ) -> (End, usize, f64) {
        let finished = self.follow(start, scratch, surroundings);
        for (step, &length) in finished.lengths.iter().enumerate() {
            trace.record(step + 1, length);
        }
        let last = finished.lengths.last().copied().unwrap_or(0.0);
        (finished.end.clone(), finished.lengths.len(), last)
    }

    fn follow(
        &self,
        start: &[f64],
        scratch: &mut Scratch,
        surroundings: &mut Surroundings,
    ) -> Arc<Finished> {
        let h = self.density.bandwidth;
        let gathers = start.len() > MOST_BOX_DIMS;
        let mut x = start.to_vec();
        let mut next = vec![0.0; self.density.padded];
        let (mut lengths, mut keys) = (Vec::new(), Vec::new());
        loop {
            let key = key_of(&x);
            if let Some(finished) = self.joined(&key, &lengths) {
                return self.remember(finished, &keys);
            }
            keys.push(key);
            let weight = match lengths.last() {
                // The first step is often long: what it would gather would soon be left behind.
                Some(length) if gathers => {
                    if !surroundings.cover(&x) {
                        let skin = SKINS.after(Some(length / h));
                        surroundings.gather(self.density, &x, skin * h, scratch);
                    }
                    surroundings.mean_of_members(self.density, &x, &mut next, scratch)
                }
                _ => self.density.mean_of_members(&x, &mut next, scratch),
            };
            let length = if weight > 0.0 {
                dist_sq(&x, &next[..x.len()]).sqrt()
            } else {
                0.0
            };
            if weight > 0.0 {
                let dims = x.len();
                x.copy_from_slice(&next[..dims]);
            }
            lengths.push(length);
            if self.rule.ends(lengths.len(), length) {
                let converged = length <= self.rule.tol;
                let end = End {
                    place: x,
                    weight,
                    converged,
                    captured_by: None,
                };
                return self.remember(Finished { end, lengths }, &keys);
            }
        }
    }

    /// The whole climb, if a finished one has been at this place and the rest of its way keeps to
    /// the rule.
    fn joined(&self, key: &PlaceKey, lengths: &[f64]) -> Option<Finished> {
        if self.rule.fixed.is_some() {
            return None;
        }
        let (other, at) = {
            let shard = self
                .shard(key)
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            shard.get(key)?.clone()
        };
        let rest = &other.lengths[at..];
        let total = lengths.len() + rest.len();
        if total > self.rule.max_iter || !other.end.converged {
            return None;
        }
        Some(Finished {
            end: other.end.clone(),
            lengths: [lengths, rest].concat(),
        })
    }

    /// Notes the places at which the climb has been, before each of its first `keys.len()` steps.
    fn remember(&self, finished: Finished, keys: &[PlaceKey]) -> Arc<Finished> {
        let finished = Arc::new(finished);
        for (step, key) in keys.iter().enumerate() {
            let mut shard = self
                .shard(key)
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            shard
                .entry(*key)
                .or_insert_with(|| (Arc::clone(&finished), step));
        }
        finished
    }

    fn shard(&self, key: &PlaceKey) -> &Shard {
        &self.visited[key.0 as usize % SHARDS]
    }
}

fn key_of(x: &[f64]) -> PlaceKey {
    let (mut first, mut second) = (DefaultHasher::new(), DefaultHasher::new());
    second.write_u8(1);
    for v in x {
        first.write_u64(v.to_bits());
        second.write_u64(v.to_bits());
    }
    (first.finish(), second.finish())
}

/// Points in which a ball looks for its members.
#[derive(Debug, Clone, Copy)]
pub(super) struct Haystack<'a> {
    /// Coordinates in blocks.
    pub(super) coords: &'a [f64],
    /// The blocks to look in.
    pub(super) blocks: &'a [u32],
    /// The slot of each lane; empty where lanes are slots.
    pub(super) slots: &'a [u32],
    /// The squared reach of all points, or of the point in each lane.
    pub(super) reach_sq: Reach<'a>,
}

/// How far from a point x may be: the same for all, or one a lane.
#[derive(Debug, Clone, Copy)]
pub(super) enum Reach<'a> {
    Same(f64),
    Each(&'a [f64]),
}

simd_dispatch!(
    /// Appends to `members` the slots of the points within reach of `x`.
    pub(super) fn find_members(haystack: Haystack<'_>, x: &[f64], members: &mut Vec<u32>) = find_body,
    f64x8
);

/// # Safety
/// The machine must have the instructions of `V`.
#[inline(always)]
unsafe fn find_body<V: Simd<Scalar = f64>>(
    haystack: Haystack<'_>,
    x: &[f64],
    members: &mut Vec<u32>,
) {
    let size = x.len() * LANES;
    for &block in haystack.blocks {
        let block = block as usize;
        // SAFETY: the caller's promise.
        unsafe {
            let coords = &haystack.coords[block * size..(block + 1) * size];
            let dist_sq: [V; VECTORS] = block_dist_sq(coords, x);
            for (v, dist_sq) in dist_sq.into_iter().enumerate() {
                let first = block * LANES + v * WIDTH;
                let bound = match haystack.reach_sq {
                    Reach::Same(reach_sq) => V::splat(reach_sq),
                    Reach::Each(each) => V::load(&each[first..]),
                };
                let mut inside = dist_sq.mask_at_most(bound);
                while inside != 0 {
                    let lane = first + inside.trailing_zeros() as usize;
                    inside &= inside - 1;
                    members.push(haystack.slots.get(lane).copied().unwrap_or(lane as u32));
                }
            }
        }
    }
}

simd_dispatch!(
    /// Writes the sum of the members' rows, each times its mass, to `sums` (as long as a row).
    pub(super) fn sum_rows(rows: &[f64], mass: &[f64], members: &[u32], sums: &mut [f64]) = sum_body,
    f64x8
);

/// # Safety
/// The machine must have the instructions of `V`.
#[inline(always)]
unsafe fn sum_body<V: Simd<Scalar = f64>>(
    rows: &[f64],
    mass: &[f64],
    members: &[u32],
    sums: &mut [f64],
) {
    let padded = sums.len();
    for (chunk, sums) in sums.chunks_exact_mut(WIDTH).enumerate() {
        // SAFETY: the caller's promise.
        unsafe {
            let row = |member: u32| V::load(&rows[member as usize * padded + chunk * WIDTH..]);
            // Members go round four sums, which hides the latency of an addition.
            let mut partial = [V::splat(0.0); 4];
            let (fours, rest) = members.as_chunks::<4>();
            if mass.is_empty() {
                for four in fours {
                    for (sum, &member) in partial.iter_mut().zip(four) {
                        *sum = sum.add(row(member));
                    }
                }
                for (sum, &member) in partial.iter_mut().zip(rest) {
                    *sum = sum.add(row(member));
                }
            } else {
                let heavy = |member: u32| V::splat(mass[member as usize]);
                for four in fours {
                    for (sum, &member) in partial.iter_mut().zip(four) {
                        *sum = heavy(member).mul_add(row(member), *sum);
                    }
                }
                for (sum, &member) in partial.iter_mut().zip(rest) {
                    *sum = heavy(member).mul_add(row(member), *sum);
                }
            }
            let [a, b, c, d] = partial;
            a.add(b).add(c.add(d)).store(sums);
        }
    }
}
