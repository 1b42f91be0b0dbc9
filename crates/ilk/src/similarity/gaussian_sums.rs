//! Gaussian sums in single precision, of many queries over the same sources.
//!
//! With coordinates u in units in which the weight is 2^(-|u - v|²/2), the exponent is
//!
//! ```text
//! log2(m_v) - |v|²/2 - |u|²/2 + u·v
//! ```
//!
//! one multiplication and addition a dimension instead of two, with the masses for nothing. It cancels
//! where |u| and |v| are large, so coordinates must be taken from a place nearby: at a distance of 10 the
//! weights are good to 1e-5.

use crate::numerics::simd::{Simd, simd_dispatch};

/// Sources in a vector.
pub(crate) const WIDTH: usize = 16;

/// Queries that share the loads of a source.
pub(crate) const QUERIES: usize = 4;

/// Up to as many dimensions there is a loop with all of them in registers.
pub(crate) const MAX_DIMS: usize = 8;

/// Below this a power of two is no normal number.
const SMALLEST: f32 = -126.0;

/// 1.5 * 2^23 plus the bias of the exponent: adding it rounds to a whole number, left in the low bits.
const ROUND_AND_BIAS: f32 = 12_582_912.0 + 127.0;

/// 2^r for |r| <= 1/2 to a relative error of 1.6e-7, constant term first.
const POWER_OF_TWO: [f32; 6] = [
    1.000_000_1,
    0.693_146_94,
    0.240_221_2,
    0.055_507_135,
    0.009_675_542,
    0.001_327_647_1,
];

/// Writes Σ w v by dimension, then Σ w, for each query, over the vectors `chosen` of sources.
///
/// `sources` holds, for every [`WIDTH`] of them, their coordinates dimension by dimension and then
/// log2(m) - |v|²/2 of each; `queries` the coordinates of each and then -|u|²/2. The number of queries
/// is a multiple of [`QUERIES`], and there are at most [`MAX_DIMS`] dimensions.
pub(crate) fn gaussian_sums(
    dims: usize,
    sources: &[f32],
    chosen: &[u32],
    queries: &[f32],
    lane_sums: &mut Vec<f32>,
    out: &mut [f64],
) {
    lane_sums.clear();
    lane_sums.resize(out.len() * WIDTH, 0.0);
    sums(dims, sources, chosen, queries, lane_sums);
    for (value, lanes) in out.iter_mut().zip(lane_sums.chunks_exact(WIDTH)) {
        *value = lanes.iter().map(|&lane| f64::from(lane)).sum();
    }
}

simd_dispatch!(
    fn sums(
        dims: usize,
        sources: &[f32],
        chosen: &[u32],
        queries: &[f32],
        lane_sums: &mut [f32],
    ) = sums_body,
    f32x16
);

simd_dispatch!(
    /// Appends vectors of sources to `moved`, as seen from `middle`. In `lanes` they have log2(m) after
    /// their coordinates.
    pub(crate) fn as_seen_from(middle: &[f32], lanes: &[f32], moved: &mut Vec<f32>) = as_seen_body,
    f32x16
);

/// # Safety
/// The machine must have the instructions of `V`.
#[inline(always)]
unsafe fn as_seen_body<V: Simd<Scalar = f32>>(middle: &[f32], lanes: &[f32], moved: &mut Vec<f32>) {
    let dims = middle.len();
    let size = (dims + 1) * WIDTH;
    let first = moved.len();
    moved.resize(first + lanes.len(), 0.0);
    for (from, to) in lanes
        .chunks_exact(size)
        .zip(moved[first..].chunks_exact_mut(size))
    {
        // SAFETY: the caller's promise.
        unsafe {
            let mut twice = V::splat(0.0);
            for (k, &m) in middle.iter().enumerate() {
                let u = V::load(&from[k * WIDTH..]).sub(V::splat(m));
                twice = u.mul_add(u, twice);
                u.store(&mut to[k * WIDTH..]);
            }
            let mass = V::load(&from[dims * WIDTH..]);
            twice
                .mul_add(V::splat(-0.5), mass)
                .store(&mut to[dims * WIDTH..]);
        }
    }
}

/// # Safety
/// The machine must have the instructions of `V`.
#[inline(always)]
unsafe fn sums_body<V: Simd<Scalar = f32>>(
    dims: usize,
    sources: &[f32],
    chosen: &[u32],
    queries: &[f32],
    lane_sums: &mut [f32],
) {
    // SAFETY: the caller's promise.
    unsafe {
        match dims {
            1 => sums_in::<V, 1>(sources, chosen, queries, lane_sums),
            2 => sums_in::<V, 2>(sources, chosen, queries, lane_sums),
            3 => sums_in::<V, 3>(sources, chosen, queries, lane_sums),
            4 => sums_in::<V, 4>(sources, chosen, queries, lane_sums),
            5 => sums_in::<V, 5>(sources, chosen, queries, lane_sums),
            6 => sums_in::<V, 6>(sources, chosen, queries, lane_sums),
            7 => sums_in::<V, 7>(sources, chosen, queries, lane_sums),
            _ => sums_in::<V, MAX_DIMS>(sources, chosen, queries, lane_sums),
        }
    }
}

/// # Safety
/// The machine must have the instructions of `V`.
#[inline(always)]
unsafe fn sums_in<V: Simd<Scalar = f32>, const D: usize>(
    sources: &[f32],
    chosen: &[u32],
    queries: &[f32],
    lane_sums: &mut [f32],
) {
    let size = (D + 1) * WIDTH;
    let lane_sums = lane_sums.chunks_exact_mut(QUERIES * (D + 1) * WIDTH);
    for (queries, lane_sums) in queries.chunks_exact(QUERIES * (D + 1)).zip(lane_sums) {
        // SAFETY: the caller's promise.
        unsafe {
            let mut sums = [[V::splat(0.0); D]; QUERIES];
            let mut totals = [V::splat(0.0); QUERIES];
            for &vector in chosen {
                let source = &sources[vector as usize * size..][..size];
                let places: [V; D] = std::array::from_fn(|k| V::load(&source[k * WIDTH..]));
                let offset = V::load(&source[D * WIDTH..]);
                for (q, (sums, total)) in sums.iter_mut().zip(&mut totals).enumerate() {
                    let query = &queries[q * (D + 1)..][..=D];
                    let mut exponent = offset.add(V::splat(query[D]));
                    for (place, &u) in places.iter().zip(query) {
                        exponent = place.mul_add(V::splat(u), exponent);
                    }
                    let weight = power_of_two(exponent);
                    for (sum, &place) in sums.iter_mut().zip(&places) {
                        *sum = weight.mul_add(place, *sum);
                    }
                    *total = total.add(weight);
                }
            }
            let rows = lane_sums.chunks_exact_mut((D + 1) * WIDTH);
            for (row, (sums, total)) in rows.zip(sums.iter().zip(totals)) {
                for (sum, lanes) in sums.iter().zip(row.chunks_exact_mut(WIDTH)) {
                    sum.store(lanes);
                }
                total.store(&mut row[D * WIDTH..]);
            }
        }
    }
}

/// 2^t for t up to 127. Where that would be no normal number it is the smallest one or a little more.
///
/// # Safety
/// The machine must have the instructions of `V`.
#[inline(always)]
unsafe fn power_of_two<V: Simd<Scalar = f32>>(t: V) -> V {
    // SAFETY: the caller's promise.
    let constant = |c: f32| unsafe { V::splat(c) };
    let t = constant(SMALLEST).max(t);
    let low_bits = t.add(constant(ROUND_AND_BIAS));
    let r = t.sub(low_bits.sub(constant(ROUND_AND_BIAS)));
    let [first @ .., last] = POWER_OF_TWO;
    let mut power = constant(last);
    for c in first.into_iter().rev() {
        power = power.mul_add(r, constant(c));
    }
    power.mul(low_bits.exponent_from_low_bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::rng::rng;

    /// Sources and queries on a line, in a plane, ... at distances of a few units.
    #[test]
    fn sums_are_those_of_a_plain_loop_in_double_precision() {
        for dims in 1..=MAX_DIMS {
            let mut rng = rng(dims as u64);
            let mut draw = |n: usize| -> Vec<f32> {
                (0..n).map(|_| 6.0 * rng.uniform() as f32 - 3.0).collect()
            };
            let n_sources = 5 * WIDTH;
            let places = draw(n_sources * dims);
            let masses: Vec<f32> = draw(n_sources).iter().map(|m| m.abs() + 0.1).collect();
            let queries = draw(2 * QUERIES * dims);
            let half_sq = |row: &[f32]| row.iter().map(|u| u * u).sum::<f32>() / 2.0;
            let mut sources = vec![0.0; n_sources * (dims + 1)];
            for (i, (row, mass)) in places.chunks_exact(dims).zip(&masses).enumerate() {
                let vector = &mut sources[i / WIDTH * (dims + 1) * WIDTH..];
                for (k, u) in row.iter().enumerate() {
                    vector[k * WIDTH + i % WIDTH] = *u;
                }
                vector[dims * WIDTH + i % WIDTH] = mass.log2() - half_sq(row);
            }
            let rows = queries.chunks_exact(dims);
            let with_half: Vec<f32> = rows
                .clone()
                .flat_map(|row| row.iter().copied().chain([-half_sq(row)]))
                .collect();
            let mut out = vec![0.0; 2 * QUERIES * (dims + 1)];
            gaussian_sums(
                dims,
                &sources,
                &[0, 1, 2, 3, 4],
                &with_half,
                &mut Vec::new(),
                &mut out,
            );
            for (query, sums) in rows.zip(out.chunks_exact(dims + 1)) {
                let mut plain = vec![0.0; dims + 1];
                for (row, mass) in places.chunks_exact(dims).zip(&masses) {
                    let dist_sq: f64 = row
                        .iter()
                        .zip(query)
                        .map(|(a, b)| f64::from(a - b).powi(2))
                        .sum();
                    let weight = f64::from(*mass) * (-dist_sq / 2.0).exp2();
                    for (sum, u) in plain.iter_mut().zip(row.iter().chain([&1.0])) {
                        *sum += weight * f64::from(*u);
                    }
                }
                let total = plain[dims];
                for (ours, plain) in sums.iter().zip(&plain) {
                    assert!(
                        (ours - plain).abs() <= 1e-5 * total,
                        "{ours} and {plain} in {dims}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_polynomial_is_the_power_to_the_error_that_it_names() {
        for step in -1000..=1000 {
            let r = f64::from(step) / 2000.0;
            let terms = POWER_OF_TWO.iter().rev();
            let power = terms.fold(0.0, |sum, &c| sum * r + f64::from(c));
            let error = (power / r.exp2() - 1.0).abs();
            assert!(error <= 1.6e-7, "{error:e} at {r}");
        }
    }

    /// All at this distance from the origin, in any direction and near each other.
    #[test]
    fn weights_at_a_distance_of_ten_are_good_to_one_in_a_hundred_thousand() {
        let mut rng = rng(9);
        let mut worst = 0.0f64;
        for _ in 0..2000 {
            let angle = std::f64::consts::TAU * rng.uniform();
            let other = angle + 0.2 * (rng.uniform() - 0.5);
            let [u, v] = [angle, other].map(|a| [10.0 * a.cos() as f32, 10.0 * a.sin() as f32]);
            let half_sq = |x: [f32; 2]| x.map(|x| x * x / 2.0).iter().sum::<f32>();
            let mut sources = vec![0.0; 3 * WIDTH];
            sources[2 * WIDTH..].fill(f32::NEG_INFINITY);
            (sources[0], sources[WIDTH]) = (v[0], v[1]);
            sources[2 * WIDTH] = -half_sq(v);
            let query = [u[0], u[1], -half_sq(u)].repeat(QUERIES);
            let mut out = vec![0.0; 3 * QUERIES];
            gaussian_sums(2, &sources, &[0], &query, &mut Vec::new(), &mut out);
            let dist_sq: f64 = (0..2).map(|k| f64::from(u[k] - v[k]).powi(2)).sum();
            worst = worst.max((out[2] / (-dist_sq / 2.0).exp2() - 1.0).abs());
        }
        assert!(worst <= 1e-5, "{worst:e}");
    }

    #[test]
    fn sources_of_no_mass_add_nothing() {
        let mut sources = vec![0.0; 2 * WIDTH];
        sources[WIDTH..].fill(f32::NEG_INFINITY);
        (sources[0], sources[WIDTH]) = (1.0, -0.5);
        let mut out = vec![0.0; 2 * QUERIES];
        gaussian_sums(
            1,
            &sources,
            &[0],
            &[1.0, -0.5].repeat(QUERIES),
            &mut Vec::new(),
            &mut out,
        );
        assert!(out.iter().all(|&sum| (sum - 1.0).abs() < 1e-6), "{out:?}");
    }
}
