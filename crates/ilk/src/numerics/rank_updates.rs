//! Updates of a symmetric matrix that is stored as panels of columns.
//!
//! Panel b holds columns 8b to 8b + 7 of the rows from 8b on, row after row.

use super::simd::{Available, Simd, simd_dispatch};

/// Columns of a panel, one vector.
pub(crate) const LANES: usize = 8;

/// Updates of rank one that are added in one pass over the matrix.
pub(crate) const PENDING: usize = 8;

/// w += the sum of factor_k times vector_k.
pub(crate) fn add_combination(vectors: &[f64], factors: &[f64], w: &mut [f64]) {
    simd_dispatch!(f64x8, combine(vectors, factors, w));
}

#[inline(always)]
fn combine<V: Simd<Scalar = f64>>(
    simd: Available<V>,
    vectors: &[f64],
    factors: &[f64],
    w: &mut [f64],
) {
    let width = w.len();
    for at in (0..width).step_by(V::WIDTH) {
        let mut sum = simd.load(&w[at..]);
        for (k, &factor) in factors.iter().enumerate() {
            sum = simd.load(&vectors[k * width + at..]).mul_add(simd.splat(factor), sum);
        }
        sum.store(&mut w[at..]);
    }
}

/// Adds all pending updates, those not used with factors of 0, to the panels.
pub(crate) fn add_rank_updates(
    panels: &mut [f64],
    starts: &[usize],
    vectors: &[f64],
    scaled: &[f64],
) {
    simd_dispatch!(f64x8, update_panels(panels, starts, vectors, scaled));
}

#[inline(always)]
fn update_panels<V: Simd<Scalar = f64>>(
    simd: Available<V>,
    panels: &mut [f64],
    starts: &[usize],
    vectors: &[f64],
    scaled: &[f64],
) {
    let width = starts.len() * LANES;
    let size = panels.len();
    for (panel, &start) in starts.iter().enumerate() {
        let end = starts.get(panel + 1).copied().unwrap_or(size);
        let first = panel * LANES;
        let columns: [V; PENDING] =
            std::array::from_fn(|k| simd.load(&vectors[k * width + first..]));
        let rows = panels[start..end].chunks_exact_mut(LANES);
        let coefficients = scaled[first * PENDING..].chunks_exact(PENDING);
        for (row, coefficients) in rows.zip(coefficients) {
            let mut sum = simd.load(row);
            for k in 0..PENDING {
                sum = columns[k].mul_add(simd.splat(coefficients[k]), sum);
            }
            sum.store(row);
        }
    }
}

#[cfg(test)]
mod tests;
