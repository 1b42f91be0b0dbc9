//! A balanced tree of bounding boxes over leaves of 32 points.
//!
//! The points are sorted so that every node owns a contiguous run of leaves: the left child of leaves
//! a..b owns a..m, the right one m..b, with m the middle (see `numerics/kd_order.rs`). The distance to a box is computed
//! term by term in the order of [`dist_sq`](crate::numerics::distances::dist_sq); rounding is
//! monotone, so the computed distance to a box never exceeds the computed distance to a point in it,
//! and pruning loses nothing, not even a tie.
//!
//! A search is one loop, compiled for every instruction set and for one to four dimensions apart: a
//! query among few dimensions takes a few hundred nanoseconds, of which calls would be half.

use ndarray::ArrayView2;

use super::{Neighbor, k_nearest::KNearest};
use crate::numerics::kd_order::{LEAF, bounding_box, split_widest};
use crate::numerics::simd::{Available, Simd, simd_dispatch};
use crate::{numerics::distances::Panels, numerics::rows_of};

/// Levels of a tree: those of 2^32 leaves.
const DEPTH: usize = 32;

/// Runs shorter than this are sorted by one thread.
const PARALLEL: usize = 1 << 14;

#[derive(Debug, Clone)]
pub(super) struct Tree {
    /// The points in the order of the leaves.
    panels: Panels,
    /// The row of each sorted point.
    rows: Vec<usize>,
    /// The place of each row among the sorted points.
    places: Vec<usize>,
    /// Boxes in preorder: the lower corner, then the upper.
    boxes: Vec<f64>,
    /// The smallest row in each node, in preorder. Among points that are equally far the smaller
    /// row is nearer, so a node of larger ones is not searched: equal points cost no extra work.
    first_rows: Vec<usize>,
}

/// A node: its box and its leaves.
#[derive(Debug, Clone, Copy)]
struct Node {
    index: usize,
    /// Its first leaf.
    start: usize,
    /// The leaf after its last.
    end: usize,
}

impl Node {
    /// The children, unless the node is a leaf. A subtree over m leaves has 2m - 1 nodes.
    #[inline(always)]
    fn children(&self) -> Option<(Self, Self)> {
        let &Self { index, start, end } = self;
        if end - start < 2 {
            return None;
        }
        let middle = start.midpoint(end);
        let left = Self { index: index + 1, start, end: middle };
        let right = Self { index: index + 2 * (middle - start), start: middle, end };
        Some((left, right))
    }
}

impl Tree {
    pub(super) fn new(points: ArrayView2<'_, f64>) -> Self {
        let (len, dims) = points.dim();
        let points = points.as_standard_layout();
        let flat = rows_of(&points);
        let leaves = len.div_ceil(LEAF);
        let mut rows: Vec<usize> = (0..len).collect();
        let nodes = (2 * leaves).saturating_sub(1);
        let (mut boxes, mut first_rows) = (vec![0.0; nodes * 2 * dims], vec![0; nodes]);
        if leaves > 0 && dims > 0 {
            build(flat, dims, leaves, &mut rows, &mut boxes, &mut first_rows);
        }
        let mut places = vec![0; len];
        for (place, &row) in rows.iter().enumerate() {
            places[row] = place;
        }
        Self {
            panels: Panels::new(points.select(ndarray::Axis(0), &rows).view()),
            rows,
            places,
            boxes,
            first_rows,
        }
    }

    pub(super) fn copy_point(&self, row: usize, out: &mut [f64]) {
        self.panels.copy_point(self.places[row], out);
    }

    /// Offers every point that may be near enough.
    pub(super) fn nearest(&self, query: &[f64], best: &mut KNearest) {
        simd_dispatch!(f64x8, nearest(self, query, best));
    }

    fn root(&self) -> Option<Node> {
        let end = self.rows.len().div_ceil(LEAF);
        (end > 0).then_some(Node { index: 0, start: 0, end })
    }

    /// Calls `visit` with every point within the radius.
    pub(super) fn visit_within(
        &self,
        query: &[f64],
        radius_sq: f64,
        mut visit: impl FnMut(Neighbor),
    ) {
        let mut tile = [0.0; LEAF];
        let mut open: Vec<Node> = self.root().into_iter().collect();
        while let Some(node) = open.pop() {
            if self.box_sq(&node, query) > radius_sq {
                continue;
            }
            if let Some((left, right)) = node.children() {
                open.push(right);
                open.push(left);
            } else {
                let (rows, dist_sq) = self.leaf(&node, query, &mut tile);
                for (&index, &dist_sq) in rows.iter().zip(dist_sq) {
                    if dist_sq <= radius_sq {
                        visit(Neighbor { index, dist_sq });
                    }
                }
            }
        }
    }

    /// The rows in a leaf and their squared distances from `query`.
    fn leaf<'a>(
        &'a self,
        leaf: &Node,
        query: &[f64],
        tile: &'a mut [f64; LEAF],
    ) -> (&'a [usize], &'a [f64]) {
        let start = leaf.start * LEAF;
        let places = start..(start + LEAF).min(self.rows.len());
        let tile = &mut tile[..places.len()];
        self.panels.dist_sq(query, places.clone(), tile);
        (&self.rows[places], tile)
    }

    /// The squared distance from `query` to the node's box.
    #[inline(always)]
    fn box_sq(&self, node: &Node, query: &[f64]) -> f64 {
        let dims = query.len();
        let (low, high) = self.boxes[node.index * 2 * dims..][..2 * dims].split_at(dims);
        let mut sum = 0.0;
        for k in 0..dims {
            let outside = larger(larger(low[k] - query[k], query[k] - high[k]), 0.0);
            sum += outside * outside;
        }
        sum
    }
}

#[inline(always)]
fn nearest<V: Simd<Scalar = f64>>(
    simd: Available<V>,
    tree: &Tree,
    query: &[f64],
    best: &mut KNearest,
) {
    match query {
        [_] => search::<V>(simd, tree, &query[..1], best),
        [_, _] => search::<V>(simd, tree, &query[..2], best),
        [_, _, _] => search::<V>(simd, tree, &query[..3], best),
        [_, _, _, _] => search::<V>(simd, tree, &query[..4], best),
        _ => search::<V>(simd, tree, query, best),
    }
}

/// Searches nodes from the nearest on, and offers the points of their leaves. Inlined, so that loops
/// over dimensions are unrolled where the length of the query is known.
#[inline(always)]
fn search<V: Simd<Scalar = f64>>(
    simd: Available<V>,
    tree: &Tree,
    query: &[f64],
    best: &mut KNearest,
) {
    let Some(mut node) = tree.root() else {
        return;
    };
    // The far children on the way down, which are at most as many as there are levels.
    let mut open = [(node, 0.0); DEPTH];
    let mut left_open = 0;
    loop {
        while let Some((left, right)) = node.children() {
            let (left_sq, right_sq) = (tree.box_sq(&left, query), tree.box_sq(&right, query));
            let far;
            (node, far) = if left_sq <= right_sq {
                (left, (right, right_sq))
            } else {
                (right, (left, left_sq))
            };
            open[left_open] = far;
            left_open += 1;
        }
        offer_leaf::<V>(simd, tree, node, query, best);
        loop {
            if left_open == 0 {
                return;
            }
            left_open -= 1;
            let (far, box_sq) = open[left_open];
            if best.admits(box_sq, || tree.first_rows[far.index]) {
                node = far;
                break;
            }
        }
    }
}

#[inline(always)]
fn offer_leaf<V: Simd<Scalar = f64>>(
    simd: Available<V>,
    tree: &Tree,
    leaf: Node,
    query: &[f64],
    best: &mut KNearest,
) {
    let start = leaf.start * LEAF;
    let rows = &tree.rows[start..tree.rows.len().min(start + LEAF)];
    for (panel, rows) in rows.chunks(Panels::LANES).enumerate() {
        let (dist_sq, mut near) = {
            let dist_sq: V = tree.panels.panel_dist_sq(simd, start / Panels::LANES + panel, query);
            (dist_sq, dist_sq.mask_at_most(simd.splat(best.bound_sq())))
        };
        if near == 0 {
            continue;
        }
        let mut lanes = [0.0; Panels::LANES];
        dist_sq.store(&mut lanes);
        // The last panel may have lanes without a point.
        near &= (1 << rows.len()) - 1;
        while near != 0 {
            let lane = near.trailing_zeros() as usize;
            near &= near - 1;
            best.offer(rows[lane], lanes[lane]);
        }
    }
}

/// The larger value. `f64::max` also handles NaN, which does not occur here, with more instructions.
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Sorts `rows` into `leaves` leaves and writes the boxes and the smallest rows of the subtree in
/// preorder.
fn build(
    points: &[f64],
    dims: usize,
    leaves: usize,
    rows: &mut [usize],
    boxes: &mut [f64],
    first_rows: &mut [usize],
) {
    let (own, rest) = boxes.split_at_mut(2 * dims);
    let (low, high) = own.split_at_mut(dims);
    let (first_row, first_rows) = first_rows.split_at_mut(1);
    first_row[0] = rows.iter().copied().min().unwrap_or(usize::MAX);
    bounding_box(points, dims, rows.iter().copied(), low, high);
    if leaves < 2 {
        return;
    }
    let left_leaves = leaves / 2;
    let middle = split_widest(rows, low, high, |row, k| points[row * dims + k], Ord::cmp);
    let (left, right) = rows.split_at_mut(middle);
    let left_nodes = 2 * left_leaves - 1;
    let (left_boxes, right_boxes) = rest.split_at_mut(left_nodes * 2 * dims);
    let (left_firsts, right_firsts) = first_rows.split_at_mut(left_nodes);
    let right_leaves = leaves - left_leaves;
    let mut go_left = || build(points, dims, left_leaves, left, left_boxes, left_firsts);
    let mut go_right = || build(points, dims, right_leaves, right, right_boxes, right_firsts);
    if leaves * LEAF < PARALLEL {
        go_left();
        go_right();
    } else {
        rayon::join(go_left, go_right);
    }
}

#[cfg(test)]
mod tests;
