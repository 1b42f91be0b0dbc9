//! The best one-to-one matching of clusters to classes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Contingency;

impl Contingency {
    /// The share of points that are right when every cluster is matched to at most one class, and
    /// every class to at most one cluster, in the best way; 1 where there are no points.
    pub fn accuracy(&self) -> f64 {
        if self.n() == 0 {
            return 1.0;
        }
        best_matching(self) as f64 / self.n() as f64
    }
}

/// The largest number of points that a one-to-one matching can get right.
///
/// The Hungarian algorithm with shortest augmenting paths, on the cells that are not 0: for one class
/// after the other the shortest augmenting path is found under the reduced costs
/// -`n_ij` - `u_i` - `v_j` >= 0 (Jonker and Volgenant 1987). A class may also stay unmatched, at
/// cost 0, so that tables need not be square. O(k m log m) for k classes and m cells at worst; the
/// dense algorithm's O(k^3) and its k^2 memory are never exceeded by more than the logarithm.
fn best_matching(table: &Contingency) -> u64 {
    let mut search = MatchingSearch::new(table);
    for class in 0..table.class_sizes().len() {
        search.augment(class);
    }
    table
        .cells()
        .iter()
        .filter(|cell| search.class_of[cell.cluster] == Some(cell.class))
        .map(|cell| cell.count)
        .sum()
}

/// Where a shortest path ends.
enum PathEnd {
    /// A cluster that is not matched yet.
    Cluster(usize),
    /// A class that stays unmatched.
    Unmatched(usize),
}

struct MatchingSearch<'a> {
    table: &'a Contingency,
    /// Where each class's cells begin.
    starts: Vec<usize>,
    class_potential: Vec<i64>,
    cluster_potential: Vec<i64>,
    class_of: Vec<Option<usize>>,
    cluster_of: Vec<Option<usize>>,
    /// Shortest distance found to each cluster in this search, and the class it came from.
    shortest: Vec<Option<(i64, usize)>>,
}

impl<'a> MatchingSearch<'a> {
    fn new(table: &'a Contingency) -> Self {
        let (classes, clusters) = (table.class_sizes().len(), table.cluster_sizes().len());
        let mut starts = vec![0; classes + 1];
        for cell in table.cells() {
            starts[cell.class + 1] += 1;
        }
        for class in 0..classes {
            starts[class + 1] += starts[class];
        }
        Self {
            table,
            starts,
            // As low as the cheapest cell, so that no reduced cost starts below 0.
            class_potential: table.class_sizes().iter().map(|&s| -s.cast_signed()).collect(),
            cluster_potential: vec![0; clusters],
            class_of: vec![None; clusters],
            cluster_of: vec![None; classes],
            shortest: vec![None; clusters],
        }
    }

    /// Matches one more class, re-matching others where that raises the sum.
    fn augment(&mut self, root: usize) {
        let mut heap = BinaryHeap::new();
        let mut touched = Vec::new();
        let mut finished = Vec::new();
        // The cheapest class to leave unmatched so far, and at what distance.
        let mut unmatched = (-self.class_potential[root], root);
        self.relax(root, 0, &mut heap, &mut touched);
        let (length, end) = loop {
            let next = heap.pop().map(|Reverse(next)| next);
            let Some((distance, cluster)) = next.filter(|next| next.0 < unmatched.0) else {
                break (unmatched.0, PathEnd::Unmatched(unmatched.1));
            };
            if self.shortest[cluster].is_none_or(|(best, _)| best < distance) {
                continue;
            }
            let Some(class) = self.class_of[cluster] else {
                break (distance, PathEnd::Cluster(cluster));
            };
            finished.push((cluster, class, distance));
            unmatched = unmatched.min((distance - self.class_potential[class], class));
            self.relax(class, distance, &mut heap, &mut touched);
        };
        self.class_potential[root] += length;
        for (cluster, class, distance) in finished {
            self.class_potential[class] += length - distance;
            self.cluster_potential[cluster] -= length - distance;
        }
        self.flip(root, &end);
        for cluster in touched {
            self.shortest[cluster] = None;
        }
    }

    fn relax(
        &mut self,
        class: usize,
        distance: i64,
        heap: &mut BinaryHeap<Reverse<(i64, usize)>>,
        touched: &mut Vec<usize>,
    ) {
        for cell in &self.table.cells()[self.starts[class]..self.starts[class + 1]] {
            let reduced = -cell.count.cast_signed()
                - self.class_potential[class]
                - self.cluster_potential[cell.cluster];
            let through = distance + reduced;
            match self.shortest[cell.cluster] {
                None => touched.push(cell.cluster),
                Some((best, _)) if best <= through => continue,
                Some(_) => {}
            }
            self.shortest[cell.cluster] = Some((through, class));
            heap.push(Reverse((through, cell.cluster)));
        }
    }

    /// Re-matches along the path from `root` to `end`.
    fn flip(&mut self, root: usize, end: &PathEnd) {
        let mut free = match *end {
            PathEnd::Cluster(cluster) => cluster,
            PathEnd::Unmatched(class) => match self.cluster_of[class].take() {
                Some(cluster) => cluster,
                None => return,
            },
        };
        while let Some((_, class)) = self.shortest[free] {
            self.class_of[free] = Some(class);
            let before = self.cluster_of[class].replace(free);
            if class == root {
                return;
            }
            match before {
                Some(cluster) => free = cluster,
                None => return,
            }
        }
    }
}
