//! Exact nearest neighbours.
//!
//! Few dimensions: a tree of bounding boxes. Many: a blocked scan. Both compute distances with the
//! same bits ([`distances`](super::distances)) and break ties by the smaller index, so that the
//! result does not depend on the index, on the machine or on the number of threads.

mod k_nearest;
mod scan;
mod tree;

use ndarray::ArrayView2;
use rayon::prelude::*;

use super::{distances::Panels, rows_of, union_find::UnionFind};
use k_nearest::KNearest;
use tree::Tree;

/// More dimensions than this are scanned.
///
/// Chosen by `benches/neighbors.rs`; the table is in `docs/benchmarks.md`. On clustered data the tree
/// is faster in any dimension; on one Gaussian, where no box can be left out, the scan is faster from
/// 12 dimensions on.
const MAX_TREE_DIMS: usize = 16;

/// A point near another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbor {
    /// Its row.
    pub index: usize,
    /// Its squared distance.
    pub dist_sq: f64,
}

impl Neighbor {
    /// A placeholder until a neighbour is found.
    const NONE: Self = Self { index: usize::MAX, dist_sq: f64::INFINITY };
}

/// Whether a point counts as its own neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SelfNeighbor {
    /// It does, at distance 0.
    Included,
    /// It does not. Other points at the same place do.
    Excluded,
}

/// The neighbours of all points, the same number for each.
#[derive(Debug, Clone, PartialEq)]
pub struct NeighborTable {
    entries: Vec<Neighbor>,
    len: usize,
}

impl NeighborTable {
    /// The neighbours of a point, nearest first, ties by index.
    pub fn row(&self, point: usize) -> &[Neighbor] {
        let k = self.k();
        &self.entries[point * k..(point + 1) * k]
    }

    /// The squared distance of a point to its `k`-th neighbour, or to its last one where the table has
    /// fewer; 0 without neighbours.
    pub fn kth_sq(&self, point: usize, k: usize) -> f64 {
        let mut nearest = self.row(point).iter().take(k);
        nearest.next_back().map_or(0.0, |last| last.dist_sq)
    }

    /// Neighbours a point: what was asked for, or as many as there are.
    pub fn k(&self) -> usize {
        self.entries.len() / self.len.max(1)
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.len
    }
}

/// An index of points that finds neighbours exactly.
#[derive(Debug, Clone)]
pub struct Neighbors {
    index: SearchIndex,
    len: usize,
    dims: usize,
}

#[derive(Debug, Clone)]
enum SearchIndex {
    Tree(Tree),
    Scan(Panels),
}

impl Neighbors {
    /// Indexes the rows of `points`, which must be finite.
    pub fn new(points: ArrayView2<'_, f64>) -> Self {
        if points.ncols() <= MAX_TREE_DIMS { Self::tree(points) } else { Self::scan(points) }
    }

    /// Indexes by a tree, whatever the dimension.
    #[doc(hidden)]
    pub fn tree(points: ArrayView2<'_, f64>) -> Self {
        Self::of(points, SearchIndex::Tree(Tree::new(points)))
    }

    /// Looks at every point for every query, whatever the dimension.
    #[doc(hidden)]
    pub fn scan(points: ArrayView2<'_, f64>) -> Self {
        Self::of(points, SearchIndex::Scan(Panels::new(points)))
    }

    fn of(points: ArrayView2<'_, f64>, index: SearchIndex) -> Self {
        let (len, dims) = points.dim();
        Self { index, len, dims }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Number of dimensions.
    pub fn dims(&self) -> usize {
        self.dims
    }

    /// The `k` points nearest to `query` (all, if there are fewer), nearest first, ties by index.
    ///
    /// # Panics
    /// Where `query` has another number of dimensions.
    pub fn nearest(&self, query: &[f64], k: usize) -> Vec<Neighbor> {
        assert_eq!(query.len(), self.dims, "the query has another dimension");
        let mut best = KNearest::new(k.min(self.len));
        match &self.index {
            SearchIndex::Tree(tree) => tree.nearest(query, &mut best),
            SearchIndex::Scan(panels) => {
                scan::nearest(panels, query, std::slice::from_mut(&mut best));
            }
        }
        let mut nearest = vec![Neighbor::NONE; k.min(self.len)];
        best.take_sorted(&mut nearest);
        nearest
    }

    /// The `k` points nearest to each row of `queries`, in parallel. See [`nearest`](Self::nearest).
    ///
    /// # Panics
    /// Where `queries` has another number of dimensions.
    pub fn nearest_each(&self, queries: ArrayView2<'_, f64>, k: usize) -> NeighborTable {
        let (len, dims) = queries.dim();
        assert_eq!(dims, self.dims, "the queries have another dimension");
        let queries = queries.as_standard_layout();
        self.table(rows_of(&queries), len, |_| None, k.min(self.len))
    }

    /// The `k` points nearest to each indexed point, in parallel.
    pub fn nearest_all(&self, k: usize, itself: SelfNeighbor) -> NeighborTable {
        let rows: Vec<usize> = (0..self.len).collect();
        self.nearest_of(&rows, k, itself)
    }

    /// As [`nearest_all`](Self::nearest_all), a block of points after the other. `after_block` receives how many
    /// points are done, and ends the search by an error.
    pub(crate) fn try_nearest_all<E>(
        &self,
        k: usize,
        itself: SelfNeighbor,
        mut after_block: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<NeighborTable, E> {
        /// Points that are some tenths of a second even where every distance is looked at.
        const BLOCK: usize = 2_048;
        let rows: Vec<usize> = (0..self.len).collect();
        let mut all = NeighborTable { entries: Vec::new(), len: 0 };
        for block in rows.chunks(BLOCK) {
            let table = self.nearest_of(block, k, itself);
            all.entries.extend(table.entries);
            all.len += table.len;
            after_block(all.len)?;
        }
        Ok(all)
    }

    /// The `k` points nearest to the indexed points `rows`, in parallel: row i of the answer belongs
    /// to `rows[i]`.
    pub fn nearest_of(&self, rows: &[usize], k: usize, itself: SelfNeighbor) -> NeighborTable {
        let mut queries = vec![0.0; rows.len() * self.dims];
        for (query, &row) in queries.chunks_exact_mut(self.dims.max(1)).zip(rows) {
            match &self.index {
                SearchIndex::Tree(tree) => tree.copy_point(row, query),
                SearchIndex::Scan(panels) => panels.copy_point(row, query),
            }
        }
        match itself {
            SelfNeighbor::Included => self.table(&queries, rows.len(), |_| None, k.min(self.len)),
            SelfNeighbor::Excluded => {
                let k = k.min(self.len.saturating_sub(1));
                self.table(&queries, rows.len(), |i| Some(rows[i]), k)
            }
        }
    }

    fn table(
        &self,
        queries: &[f64],
        len: usize,
        without: impl Fn(usize) -> Option<usize> + Sync,
        k: usize,
    ) -> NeighborTable {
        /// Queries that a thread takes at a time; the scan shares its loads among them.
        const CHUNK: usize = 32;
        let mut entries = vec![Neighbor::NONE; len * k];
        if k > 0 && self.dims > 0 {
            entries
                .par_chunks_mut(CHUNK * k)
                .zip(queries.par_chunks(CHUNK * self.dims))
                .enumerate()
                .for_each_init(Vec::new, |best: &mut Vec<KNearest>, (chunk, (out, queries))| {
                    best.resize_with(out.len() / k, || KNearest::new(k));
                    for (i, best) in best.iter_mut().enumerate() {
                        best.clear(without(chunk * CHUNK + i));
                    }
                    match &self.index {
                        SearchIndex::Tree(tree) => queries
                            .chunks_exact(self.dims)
                            .zip(best.iter_mut())
                            .for_each(|(query, best)| tree.nearest(query, best)),
                        SearchIndex::Scan(panels) => scan::nearest(panels, queries, best),
                    }
                    for (out, best) in out.chunks_exact_mut(k).zip(best) {
                        best.take_sorted(out);
                    }
                });
        }
        NeighborTable { entries, len }
    }

    /// The points at most `radius` away from `query`, by index.
    pub fn within(&self, query: &[f64], radius: f64) -> Vec<Neighbor> {
        let mut found = Vec::new();
        if radius >= 0.0 {
            self.visit_within(query, radius * radius, |neighbor| found.push(neighbor));
        }
        found.sort_unstable_by_key(|neighbor| neighbor.index);
        found
    }

    /// Calls `visit` with every point whose squared distance from `query` is at most `radius_sq`, in an
    /// unspecified order that is always the same.
    ///
    /// # Panics
    /// Where `query` has another number of dimensions.
    pub fn visit_within(&self, query: &[f64], radius_sq: f64, visit: impl FnMut(Neighbor)) {
        assert_eq!(query.len(), self.dims, "the query has another dimension");
        match &self.index {
            SearchIndex::Tree(tree) => tree.visit_within(query, radius_sq, visit),
            SearchIndex::Scan(panels) => scan::visit_within(panels, query, radius_sq, visit),
        }
    }
}

/// Single linkage: the sets of rows that chains of steps of squared length at most `radius_sq` join.
pub(crate) fn single_linkage(rows: ArrayView2<'_, f64>, radius_sq: f64) -> UnionFind {
    let rows = rows.as_standard_layout();
    let index = Neighbors::new(rows.view());
    let mut sets = UnionFind::new(rows.nrows());
    for (i, row) in rows.rows().into_iter().enumerate() {
        index.visit_within(rows_of(&row), radius_sq, |other| {
            sets.union(i, other.index);
        });
    }
    sets
}

#[cfg(test)]
mod tests;
