//! Ball queries over points in blocks, and sums over the points that they find.

use super::blocks::{BLOCK_LEN, PerLane, block_dist_sq};
use super::simd::{Available, Simd, simd_dispatch};

const WIDTH: usize = 8;

const VECTORS: usize = BLOCK_LEN / WIDTH;

/// Appends to `found` the slots, in the given blocks, of the points whose squared distance from
/// `x` is at most their `radius_sq`, in the order of the blocks.
pub fn slots_within(
    coords: &[f64],
    blocks: &[u32],
    x: &[f64],
    radius_sq: PerLane<'_>,
    found: &mut Vec<u32>,
) {
    simd_dispatch!(f64x8, find_slots(coords, blocks, x, radius_sq, found));
}

#[inline(always)]
fn find_slots<V: Simd<Scalar = f64>>(
    simd: Available<V>,
    coords: &[f64],
    blocks: &[u32],
    x: &[f64],
    radius_sq: PerLane<'_>,
    found: &mut Vec<u32>,
) {
    let size = x.len() * BLOCK_LEN;
    for &block in blocks {
        let block = block as usize;
        let coords = &coords[block * size..(block + 1) * size];
        let dist_sq: [V; VECTORS] = block_dist_sq(simd, coords, x);
        for (v, dist_sq) in dist_sq.into_iter().enumerate() {
            let first = block * BLOCK_LEN + v * WIDTH;
            let mut inside = dist_sq.mask_at_most(radius_sq.lanes(simd, first));
            while inside != 0 {
                let slot = first + inside.trailing_zeros() as usize;
                inside &= inside - 1;
                found.push(slot as u32);
            }
        }
    }
}

/// Whether the squared distance of two points is at most `bound`, by the bits that
/// [`slots_within`] compares.
pub(crate) fn is_within(a: &[f64], b: &[f64], bound: f64) -> bool {
    simd_dispatch!(f64x8, compare(a, b, bound))
}

#[inline(always)]
fn compare<V: Simd<Scalar = f64>>(simd: Available<V>, a: &[f64], b: &[f64], bound: f64) -> bool {
    let mut dist_sq = simd.splat(0.0);
    for (&a, &b) in a.iter().zip(b) {
        let difference = simd.splat(a).sub(simd.splat(b));
        dist_sq = difference.mul_add(difference, dist_sq);
    }
    dist_sq.mask_at_most(simd.splat(bound)) & 1 == 1
}

/// Writes the sum of the members' rows, each times its mass, to `sums` (as long as a row).
pub(crate) fn sum_rows(rows: &[f64], mass: &[f64], members: &[u32], sums: &mut [f64]) {
    simd_dispatch!(f64x8, add_rows(rows, mass, members, sums));
}

#[inline(always)]
fn add_rows<V: Simd<Scalar = f64>>(
    simd: Available<V>,
    rows: &[f64],
    mass: &[f64],
    members: &[u32],
    sums: &mut [f64],
) {
    let padded = sums.len();
    let (pairs, last) = sums.as_chunks_mut::<{ 2 * WIDTH }>();
    for (pair, sums) in pairs.iter_mut().enumerate() {
        sum_columns::<V, 2>(simd, rows, padded, 2 * pair * WIDTH, mass, members, sums);
    }
    if !last.is_empty() {
        let first = padded - WIDTH;
        sum_columns::<V, 1>(simd, rows, padded, first, mass, members, last);
    }
}

/// The sums of `N` vectors of columns, from column `first`.
#[inline(always)]
fn sum_columns<V: Simd<Scalar = f64>, const N: usize>(
    simd: Available<V>,
    rows: &[f64],
    padded: usize,
    first: usize,
    mass: &[f64],
    members: &[u32],
    sums: &mut [f64],
) {
    let row = |member: u32| &rows[member as usize * padded + first..][..N * WIDTH];
    // Members go round four sums, which hides the latency of an addition.
    let mut partial = [[simd.splat(0.0); N]; 4];
    if mass.is_empty() {
        add_in_turn(&mut partial, members, |sums, member| {
            let row = row(member);
            for (v, sum) in sums.iter_mut().enumerate() {
                *sum = sum.add(simd.load(&row[v * WIDTH..]));
            }
        });
    } else {
        add_in_turn(&mut partial, members, |sums, member| {
            let (row, mass) = (row(member), simd.splat(mass[member as usize]));
            for (v, sum) in sums.iter_mut().enumerate() {
                *sum = mass.mul_add(simd.load(&row[v * WIDTH..]), *sum);
            }
        });
    }
    let [a, b, c, d] = partial;
    for v in 0..N {
        a[v].add(b[v]).add(c[v].add(d[v])).store(&mut sums[v * WIDTH..]);
    }
}

/// Adds the members to the four sums in turn.
#[inline(always)]
fn add_in_turn<T>(partial: &mut [T; 4], members: &[u32], add: impl Fn(&mut T, u32)) {
    let (fours, rest) = members.as_chunks::<4>();
    for four in fours {
        for (sums, &member) in partial.iter_mut().zip(four) {
            add(sums, member);
        }
    }
    for (sums, &member) in partial.iter_mut().zip(rest) {
        add(sums, member);
    }
}

#[cfg(test)]
mod tests;
