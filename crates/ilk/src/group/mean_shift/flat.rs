//! The climb under a flat kernel.
//!
//! The mean of the points in a ball depends on nothing but which points those are. Two points whose
//! balls hold the same set therefore go the same way from there on, and a climb that reaches a place
//! where an earlier one has been can end at once: it joins. More than half of all steps are saved
//! this way. To make it exact, the mean is a pure function of the place: members are added in the
//! order of their slots, whatever vicinity they were found in, so that equal sets give equal
//! bits, and it does not matter which of several climbs was there first.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use super::climb::{End, Rule, SKINS};
use super::density::{Density, Scratch};
use super::vicinity::{Vicinities, Vicinity};
use super::watch::Trace;
use crate::numerics::blocks::{LANES, block_dist_sq};
use crate::numerics::distances::dist_sq;
use crate::numerics::simd::{Simd, simd_dispatch};

/// Lanes of a vector.
const WIDTH: usize = 8;

/// Vectors in a block.
const VECTORS: usize = LANES / WIDTH;

/// Up to this many dimensions boxes are tight, and looking at those of all blocks at every step,
/// with whole blocks taken as one, is quicker than gathering vicinities.
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
    /// All points in single precision, where that is quicker.
    everything: Option<Vicinity>,
    visited: Vec<Shard>,
}

impl<'a> FlatClimb<'a> {
    pub(super) fn new(density: &'a Density, rule: Rule) -> Self {
        let visited = (0..SHARDS).map(|_| Mutex::default()).collect();
        let everything = (density.dims() > MOST_BOX_DIMS)
            .then(|| Vicinity::everything(density))
            .flatten();
        Self {
            density,
            rule,
            everything,
            visited,
        }
    }

    /// Climbs from `start`; returns its end, the number of steps and the length of the last.
    pub(super) fn climb(
        &self,
        start: &[f64],
        scratch: &mut Scratch,
        vicinities: &mut Vicinities,
        trace: &mut Trace,
    ) -> (End, usize, f64) {
        let finished = self.follow(start, scratch, vicinities);
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
        vicinities: &mut Vicinities,
    ) -> Arc<Finished> {
        let h = self.density.bandwidth;
        let mut x = start.to_vec();
        let mut next = vec![0.0; self.density.padded];
        let (mut lengths, mut keys) = (Vec::new(), Vec::new());
        loop {
            let key = key_of(&x);
            if let Some(finished) = self.joined(&key, &lengths) {
                return self.remember(finished, &keys);
            }
            keys.push(key);
            let weight = if let Some(everything) = &self.everything {
                // The first step is often long: what it would gather would soon be left behind.
                let skin = lengths
                    .last()
                    .map(|length| SKINS.after(Some(length / h)) * h);
                vicinities.mean_of_members(everything, self.density, &x, skin, &mut next, scratch)
            } else {
                self.density.mean_of_members(&x, &mut next, scratch)
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
                    members.push(lane as u32);
                }
            }
        }
    }
}

simd_dispatch!(
    /// Whether the squared distance of two points is at most `bound`, by the bits that
    /// [`find_members`] compares.
    pub(super) fn is_within(a: &[f64], b: &[f64], bound: f64, within: &mut bool) = within_body,
    f64x8
);

/// # Safety
/// The machine must have the instructions of `V`.
#[inline(always)]
unsafe fn within_body<V: Simd<Scalar = f64>>(a: &[f64], b: &[f64], bound: f64, within: &mut bool) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut dist_sq = V::splat(0.0);
        for (&a, &b) in a.iter().zip(b) {
            let difference = V::splat(a).sub(V::splat(b));
            dist_sq = difference.mul_add(difference, dist_sq);
        }
        *within = dist_sq.mask_at_most(V::splat(bound)) & 1 == 1;
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
    let (pairs, last) = sums.as_chunks_mut::<{ 2 * WIDTH }>();
    // SAFETY: the caller's promise.
    unsafe {
        for (pair, sums) in pairs.iter_mut().enumerate() {
            sum_columns::<V, 2>(rows, padded, 2 * pair * WIDTH, mass, members, sums);
        }
        if !last.is_empty() {
            let first = padded - WIDTH;
            sum_columns::<V, 1>(rows, padded, first, mass, members, last);
        }
    }
}

/// The sums of `N` vectors of columns, from column `first`.
///
/// # Safety
/// The machine must have the instructions of `V`.
#[inline(always)]
unsafe fn sum_columns<V: Simd<Scalar = f64>, const N: usize>(
    rows: &[f64],
    padded: usize,
    first: usize,
    mass: &[f64],
    members: &[u32],
    sums: &mut [f64],
) {
    // SAFETY: the caller's promise.
    unsafe {
        let row = |member: u32| &rows[member as usize * padded + first..][..N * WIDTH];
        // Members go round four sums, which hides the latency of an addition.
        let mut partial = [[V::splat(0.0); N]; 4];
        let (fours, rest) = members.as_chunks::<4>();
        if mass.is_empty() {
            let add = |sums: &mut [V; N], member: u32| {
                let row = row(member);
                for (v, sum) in sums.iter_mut().enumerate() {
                    *sum = sum.add(V::load(&row[v * WIDTH..]));
                }
            };
            for four in fours {
                for (sums, &member) in partial.iter_mut().zip(four) {
                    add(sums, member);
                }
            }
            for (sums, &member) in partial.iter_mut().zip(rest) {
                add(sums, member);
            }
        } else {
            let add = |sums: &mut [V; N], member: u32| {
                let (row, heavy) = (row(member), V::splat(mass[member as usize]));
                for (v, sum) in sums.iter_mut().enumerate() {
                    *sum = heavy.mul_add(V::load(&row[v * WIDTH..]), *sum);
                }
            };
            for four in fours {
                for (sums, &member) in partial.iter_mut().zip(four) {
                    add(sums, member);
                }
            }
            for (sums, &member) in partial.iter_mut().zip(rest) {
                add(sums, member);
            }
        }
        let [a, b, c, d] = partial;
        for v in 0..N {
            a[v].add(b[v])
                .add(c[v].add(d[v]))
                .store(&mut sums[v * WIDTH..]);
        }
    }
}
