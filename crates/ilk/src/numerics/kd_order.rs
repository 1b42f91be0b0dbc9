//! The order of a k-d tree: points are split at the median of the widest side of their bounding box,
//! again and again, until a leaf is left. [`Blocks`](super::blocks::Blocks) and the tree of
//! [`Neighbors`](super::neighbors::Neighbors) share it; their boxes differ, because a search in
//! blocks tests 32 boxes at once and a search in the tree one path.

use std::cmp::Ordering;

/// Points of a leaf.
pub(super) const LEAF: usize = 32;

/// Writes the bounding box of some rows of `points`.
pub(super) fn bounding_box(
    points: &[f64],
    dims: usize,
    rows: impl Iterator<Item = usize>,
    low: &mut [f64],
    high: &mut [f64],
) {
    low.fill(f64::INFINITY);
    high.fill(f64::NEG_INFINITY);
    for row in rows {
        let point = &points[row * dims..][..dims];
        for ((low, high), &x) in low.iter_mut().zip(high.iter_mut()).zip(point) {
            *low = low.min(x);
            *high = high.max(x);
        }
    }
}

/// Rearranges items (at least two leaves of them) so that those of the first half of the leaves have
/// the smaller coordinates along the widest side of the box, the first of equally wide ones, and
/// returns the number of items in the first half. The split is by rank, never by value, so any
/// number of equal coordinates is harmless; `compare_ties` decides between equal coordinates.
pub(super) fn split_widest<T>(
    items: &mut [T],
    low: &[f64],
    high: &[f64],
    coordinate: impl Fn(&T, usize) -> f64,
    compare_ties: impl Fn(&T, &T) -> Ordering,
) -> usize {
    let side = |k: &usize| high[*k] - low[*k];
    let widest = (0..low.len()).rev().max_by(|a, b| side(a).total_cmp(&side(b))).unwrap_or(0);
    let middle = items.len().div_ceil(LEAF) / 2 * LEAF;
    items.select_nth_unstable_by(middle, |a, b| {
        let order = coordinate(a, widest).total_cmp(&coordinate(b, widest));
        order.then_with(|| compare_ties(a, b))
    });
    middle
}
