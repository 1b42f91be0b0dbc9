//! Small random sets of constraints, and what follows from them by brute force: the yardstick of
//! the tests of closure and conflicts.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::Constraints;

/// Constraints as plain lists.
#[derive(Debug, Clone)]
pub(super) struct BruteForceConstraints {
    pub(super) n: usize,
    pub(super) must_links: Vec<[usize; 2]>,
    pub(super) cannot_links: Vec<[usize; 2]>,
    pub(super) labels: Vec<(usize, usize)>,
    pub(super) odd_one_outs: Vec<[usize; 3]>,
    pub(super) about_equals: Vec<[usize; 3]>,
    pub(super) closers: Vec<[usize; 3]>,
}

/// Up to `n` points with must-links, cannot-links and labels.
pub(super) fn pairs_and_labels(n: usize) -> impl Strategy<Value = BruteForceConstraints> {
    (2..=n).prop_flat_map(move |n| {
        let links = prop::collection::vec(distinct::<2>(n), 0..n);
        let labels = prop::collection::vec(prop::option::weighted(0.3, 0_usize..3), n);
        (links.clone(), links, labels).prop_map(move |(must_links, cannot_links, labels)| {
            BruteForceConstraints {
                n,
                must_links,
                cannot_links,
                labels: labels
                    .into_iter()
                    .enumerate()
                    .filter_map(|(point, label)| Some((point, label?)))
                    .collect(),
                odd_one_outs: vec![],
                about_equals: vec![],
                closers: vec![],
            }
        })
    })
}

/// Up to `n` points with comparisons of three.
pub(super) fn pairs_and_comparisons(n: usize) -> impl Strategy<Value = BruteForceConstraints> {
    (3..=n).prop_flat_map(move |n| {
        let triplets = prop::collection::vec(distinct::<3>(n), 0..6);
        let equals = prop::collection::vec(distinct::<3>(n), 0..3);
        (triplets.clone(), equals, triplets).prop_map(
            move |(odd_one_outs, about_equals, closers)| BruteForceConstraints {
                n,
                must_links: vec![],
                cannot_links: vec![],
                labels: vec![],
                odd_one_outs,
                about_equals,
                closers,
            },
        )
    })
}

/// `K` different points of `n`, in any order.
fn distinct<const K: usize>(n: usize) -> impl Strategy<Value = [usize; K]> + Clone {
    Just((0..n).collect::<Vec<usize>>())
        .prop_shuffle()
        .prop_map(|points| std::array::from_fn(|i| points[i]))
}

impl BruteForceConstraints {
    pub(super) fn constraints(&self) -> Constraints {
        let mut constraints = Constraints::new(self.n);
        for &[a, b] in &self.must_links {
            constraints.must_link(a, b).unwrap();
        }
        for &[a, b] in &self.cannot_links {
            constraints.cannot_link(a, b).unwrap();
        }
        for &(point, label) in &self.labels {
            constraints.label(point, &label.to_string()).unwrap();
        }
        for &[a, b, c] in &self.odd_one_outs {
            constraints.odd_one_out(a, b, c).unwrap();
        }
        for &[a, b, c] in &self.about_equals {
            constraints.about_equal(a, b, c).unwrap();
        }
        for &[a, b, c] in &self.closers {
            constraints.closer(a, b, c).unwrap();
        }
        constraints
    }

    /// The same things in another order, and pairs the other way round.
    pub(super) fn shuffled(&self) -> impl Strategy<Value = Self> + use<> {
        let constraints = self.clone();
        let mirrored = |links: &[[usize; 2]]| links.iter().map(|&[a, b]| [b, a]).collect();
        let must_links: Vec<[usize; 2]> = mirrored(&self.must_links);
        let cannot_links: Vec<[usize; 2]> = mirrored(&self.cannot_links);
        (
            Just(must_links).prop_shuffle(),
            Just(cannot_links).prop_shuffle(),
            Just(self.labels.clone()).prop_shuffle(),
        )
            .prop_map(move |(must_links, cannot_links, labels)| Self {
                must_links,
                cannot_links,
                labels,
                ..constraints.clone()
            })
    }

    /// The same things about renamed points.
    pub(super) fn permuted(&self, permutation: &[usize]) -> Self {
        fn renamed<const K: usize>(list: &[[usize; K]], by: &[usize]) -> Vec<[usize; K]> {
            list.iter().map(|points| points.map(|p| by[p])).collect()
        }
        Self {
            n: self.n,
            must_links: renamed(&self.must_links, permutation),
            cannot_links: renamed(&self.cannot_links, permutation),
            labels: self.labels.iter().map(|&(point, label)| (permutation[point], label)).collect(),
            odd_one_outs: renamed(&self.odd_one_outs, permutation),
            about_equals: renamed(&self.about_equals, permutation),
            closers: renamed(&self.closers, permutation),
        }
    }

    pub(super) fn label_of(&self, point: usize) -> Option<usize> {
        self.labels.iter().find(|labelled| labelled.0 == point).map(|labelled| labelled.1)
    }

    /// Pairs that are together in one step: by a must-link or a shared label.
    pub(super) fn steps(&self) -> Vec<Vec<bool>> {
        let mut steps = vec![vec![false; self.n]; self.n];
        for &[a, b] in &self.must_links {
            steps[a][b] = true;
            steps[b][a] = true;
        }
        for &(a, first) in &self.labels {
            for &(b, second) in &self.labels {
                steps[a][b] |= a != b && first == second;
            }
        }
        steps
    }

    /// The fewest steps from any point to any other; `None` where there is no chain.
    pub(super) fn chain_lengths(&self) -> Vec<Vec<Option<usize>>> {
        let steps = self.steps();
        let mut lengths: Vec<Vec<Option<usize>>> = (0..self.n)
            .map(|a| {
                let one_step = |b: usize| steps[a][b].then_some(1);
                (0..self.n).map(|b| if a == b { Some(0) } else { one_step(b) }).collect()
            })
            .collect();
        for via in 0..self.n {
            for a in 0..self.n {
                for b in 0..self.n {
                    if let (Some(left), Some(right)) = (lengths[a][via], lengths[via][b])
                        && lengths[a][b].is_none_or(|known| left + right < known)
                    {
                        lengths[a][b] = Some(left + right);
                    }
                }
            }
        }
        lengths
    }

    /// Which points must be together.
    pub(super) fn linked(&self) -> Vec<Vec<bool>> {
        self.chain_lengths().iter().map(|row| row.iter().map(Option::is_some).collect()).collect()
    }

    /// Which points are separated, by a cannot-link or two labels between anything linked to them.
    pub(super) fn separated(&self, linked: &[Vec<bool>]) -> Vec<Vec<bool>> {
        let differ = |a: usize, b: usize| {
            let stated = |&[c, d]: &[usize; 2]| (c, d) == (a, b) || (d, c) == (a, b);
            let labels = self.label_of(a).zip(self.label_of(b));
            self.cannot_links.iter().any(stated)
                || labels.is_some_and(|(first, second)| first != second)
        };
        let mut separated = vec![vec![false; self.n]; self.n];
        for a in 0..self.n {
            for b in 0..self.n {
                separated[a][b] = !linked[a][b]
                    && (0..self.n)
                        .any(|c| linked[a][c] && (0..self.n).any(|d| linked[b][d] && differ(c, d)));
            }
        }
        separated
    }

    /// The fewest clusters of any partition that keeps every must-link, cannot-link and label; `None`
    /// where no partition does.
    pub(super) fn fewest_clusters(&self) -> Option<usize> {
        let keeps = |clusters: &[usize]| {
            let together = |&[a, b]: &[usize; 2]| clusters[a] == clusters[b];
            self.must_links.iter().all(together)
                && !self.cannot_links.iter().any(together)
                && self.labels.iter().all(|&(a, first)| {
                    let mut others = self.labels.iter();
                    others.all(|&(b, second)| (first == second) == (clusters[a] == clusters[b]))
                })
        };
        let mut fewest = None;
        let mut partitions = vec![vec![]];
        while let Some(partition) = partitions.pop() {
            let n_clusters = partition.iter().max().map_or(0, |largest| largest + 1);
            if partition.len() < self.n {
                for cluster in 0..=n_clusters {
                    let mut longer = partition.clone();
                    longer.push(cluster);
                    partitions.push(longer);
                }
            } else if keeps(&partition) && fewest.is_none_or(|known| n_clusters < known) {
                fewest = Some(n_clusters);
            }
        }
        fewest
    }

    /// Every "d(a, b) < d(c, d)" (strict) and "=" that was given, with nodes numbered a * n + b, a < b.
    fn comparisons(&self) -> Vec<(usize, usize, bool)> {
        let node = |a: usize, b: usize| a.min(b) * self.n + a.max(b);
        let mut edges = Vec::new();
        for &[a, b, odd] in &self.odd_one_outs {
            edges.push((node(a, b), node(a, odd), true));
            edges.push((node(a, b), node(b, odd), true));
        }
        for &[anchor, near, far] in &self.closers {
            edges.push((node(anchor, near), node(anchor, far), true));
        }
        for &[a, b, c] in &self.about_equals {
            let [ab, ac, bc] = [node(a, b), node(a, c), node(b, c)];
            for (from, to) in [(ab, ac), (ab, bc), (ac, bc)] {
                edges.push((from, to, false));
                edges.push((to, from, false));
            }
        }
        edges
    }

    /// For every set of distances that reach each other and contain a strict comparison: the length of
    /// the shortest cycle with one. Sorted.
    pub(super) fn cycle_lengths(&self) -> Vec<usize> {
        const FAR: usize = 1_000;
        let edges = self.comparisons();
        let n = self.n * self.n;
        let mut distance = vec![vec![FAR; n]; n];
        for &(from, to, _) in &edges {
            distance[from][to] = 1;
        }
        for via in 0..n {
            for from in 0..n {
                for to in 0..n {
                    distance[from][to] =
                        distance[from][to].min(distance[from][via] + distance[via][to]);
                }
            }
        }
        // A set is named by the smallest node that reaches the edge's end and is reached from it.
        let mut shortest = BTreeMap::new();
        for &(from, to, strict) in &edges {
            if strict && distance[to][from] < FAR {
                let mutual = |&node: &usize| distance[from][node].max(distance[node][from]) < FAR;
                let name = (0..n).find(mutual).unwrap();
                let length = shortest.entry(name).or_insert(FAR);
                *length = (*length).min(1 + distance[to][from]);
            }
        }
        let mut lengths: Vec<usize> = shortest.into_values().collect();
        lengths.sort_unstable();
        lengths
    }
}
