//! Average linkage: sets are joined from the nearest to the farthest, where the distance of two sets is the mean over
//! all their pairs.

use ndarray::Array2;

use super::union_find::UnionFind;

/// Two sets that were joined, by a member of each, and the mean distance between them.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Join {
    members: [usize; 2],
    distance: f32,
}

/// The tree of joins of all points, the nearest first.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Dendrogram {
    n: usize,
    joins: Vec<Join>,
}

impl Dendrogram {
    /// Joins points with these symmetric distances, which are overwritten.
    ///
    /// Chains of nearest neighbours: from any set go to its nearest set, and on to the nearest of that, until two
    /// sets are nearest to each other, which are joined. The mean distance never falls by a join
    /// (d(k, i ∪ j) = (s_i d(k, i) + s_j d(k, j)) / (s_i + s_j) with s the sizes), so the order of the joins does
    /// not change the tree. O(n²) time.
    pub(crate) fn average(mut dist: Array2<f32>) -> Self {
        let n = dist.nrows();
        let mut size = vec![1.0f32; n];
        let mut active: Vec<usize> = (0..n).collect();
        let mut joins = Vec::with_capacity(n.saturating_sub(1));
        let mut chain: Vec<usize> = Vec::new();
        while active.len() > 1 {
            if chain.is_empty() {
                chain.push(active[0]);
            }
            let tip = chain[chain.len() - 1];
            let before = chain.len().checked_sub(2).map(|at| chain[at]);
            let next = nearest(&dist, &active, tip, before);
            if Some(next) != before {
                chain.push(next);
                continue;
            }
            chain.truncate(chain.len() - 2);
            let (kept, gone) = (tip.min(next), tip.max(next));
            joins.push(Join { members: [kept, gone], distance: dist[[kept, gone]] });
            active.retain(|&set| set != gone);
            let total = size[kept] + size[gone];
            for &other in active.iter().filter(|&&other| other != kept) {
                let mean =
                    (size[kept] * dist[[other, kept]] + size[gone] * dist[[other, gone]]) / total;
                dist[[other, kept]] = mean;
                dist[[kept, other]] = mean;
            }
            size[kept] = total;
        }
        joins.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.members.cmp(&b.members)));
        Self { n, joins }
    }

    /// The set of every point after all joins of at most this distance.
    pub(crate) fn cut_at(&self, distance: f32) -> Vec<usize> {
        self.after(self.joins.partition_point(|join| join.distance <= distance))
    }

    /// The set of every point after the last join that leaves `k` sets of at least `least` points. Where no join
    /// leaves so many, after the last one that leaves the most.
    pub(crate) fn cut_into(&self, k: usize, least: usize) -> Vec<usize> {
        let mut sets = UnionFind::new(self.n);
        let mut size = vec![1; self.n];
        let mut n_large = if least <= 1 { self.n } else { 0 };
        let (mut n_joins, mut most) = (0, n_large.min(k));
        for (done, join) in self.joins.iter().enumerate() {
            let [a, b] = join.members.map(|member| size[sets.find(member)]);
            sets.union(join.members[0], join.members[1]);
            size[sets.find(join.members[0])] = a + b;
            n_large += usize::from(a + b >= least);
            n_large -= usize::from(a >= least) + usize::from(b >= least);
            if n_large <= k && n_large >= most {
                (n_joins, most) = (done + 1, n_large);
            }
        }
        self.after(n_joins)
    }

    fn after(&self, n_joins: usize) -> Vec<usize> {
        let mut sets = UnionFind::new(self.n);
        for join in &self.joins[..n_joins.min(self.joins.len())] {
            sets.union(join.members[0], join.members[1]);
        }
        sets.components().0
    }
}

/// The set nearest to `of`; of equally near ones `preferred`, then the first.
fn nearest(dist: &Array2<f32>, active: &[usize], of: usize, preferred: Option<usize>) -> usize {
    let row = dist.row(of);
    let mut best = preferred;
    for &other in active.iter().filter(|&&other| other != of) {
        if best.is_none_or(|best| row[other] < row[best]) {
            best = Some(other);
        }
    }
    best.unwrap_or(of)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Joins the two sets of least mean distance, found among all, until `k` are left.
    fn by_brute_force(dist: &Array2<f32>, k: usize) -> Vec<Vec<usize>> {
        let mut sets: Vec<Vec<usize>> = (0..dist.nrows()).map(|i| vec![i]).collect();
        while sets.len() > k {
            let mean = |a: &[usize], b: &[usize]| {
                let pairs = a.iter().flat_map(|&i| b.iter().map(move |&j| f64::from(dist[[i, j]])));
                pairs.sum::<f64>() / (a.len() * b.len()) as f64
            };
            let pairs = (0..sets.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
            let best = pairs.min_by(|&(a, b), &(c, d)| {
                mean(&sets[a], &sets[b]).total_cmp(&mean(&sets[c], &sets[d]))
            });
            let (i, j) = best.unwrap();
            let joined = sets.remove(i);
            sets[j].extend(joined);
        }
        for set in &mut sets {
            set.sort_unstable();
        }
        sets.sort();
        sets
    }

    fn as_sets(numbers: &[usize]) -> Vec<Vec<usize>> {
        let n = numbers.iter().max().map_or(0, |last| last + 1);
        let mut sets = vec![Vec::new(); n];
        for (i, &set) in numbers.iter().enumerate() {
            sets[set].push(i);
        }
        sets.sort();
        sets
    }

    proptest! {
        #[test]
        fn chains_of_neighbours_join_what_the_search_of_all_pairs_joins(
            places in prop::collection::vec((0.0f32..1.0, 0.0f32..1.0), 2..14), k in 1usize..6,
        ) {
            let n = places.len();
            let dist = Array2::from_shape_fn((n, n), |(i, j)| {
                (places[i].0 - places[j].0).hypot(places[i].1 - places[j].1)
            });
            let tree = Dendrogram::average(dist.clone());
            prop_assert_eq!(as_sets(&tree.cut_into(k, 1)), by_brute_force(&dist, k.min(n)));
        }
    }

    #[test]
    fn a_cut_joins_what_is_at_most_that_far() {
        let places = [0.0f32, 0.1, 1.0, 1.2, 5.0];
        let dist = Array2::from_shape_fn((5, 5), |(i, j)| (places[i] - places[j]).abs());
        let tree = Dendrogram::average(dist);
        assert_eq!(tree.cut_at(0.05), [0, 1, 2, 3, 4]);
        assert_eq!(tree.cut_at(0.15), [0, 0, 1, 2, 3]);
        assert_eq!(tree.cut_at(0.3), [0, 0, 1, 1, 2]);
        assert_eq!(tree.cut_at(2.0), [0, 0, 0, 0, 1]);
        assert_eq!(tree.cut_into(1, 1), [0; 5]);
        assert_eq!(tree.cut_into(9, 1), [0, 1, 2, 3, 4]);
        // Two sets of two points, and one that is too small to count.
        assert_eq!(tree.cut_into(2, 2), [0, 0, 1, 1, 2]);
        assert_eq!(tree.cut_into(7, 2), [0, 0, 1, 1, 2]);
    }
}
