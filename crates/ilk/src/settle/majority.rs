//! Clusters that the answers join.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

use crate::group::Label;
use crate::problem::Constraints;

/// Joins clusters while the answers between two of them speak for it.
///
/// S(a, b) is the weight of the must-links between clusters a and b less that of the cannot-links,
/// as they were given. The pair with the largest S is joined, as long as that is above 0; ties are
/// broken by number. A label counts as a place of its own: a labelled point is must-linked to the
/// place of its label and cannot-linked to the others, so that a label of m points costs m links and
/// not m². Two labels are never joined.
///
/// `labels` are below `n_clusters`. The answer is, for each cluster, the smallest number of those
/// that it was joined with.
///
/// O(m log² m) for m answers.
pub(super) fn join(labels: &[Label], n_clusters: usize, said: &Constraints) -> Vec<usize> {
    let mut sets = Sets::new(labels, n_clusters, said);
    let mut joins = Vec::new();
    while let Some([a, b]) = sets.next_pair() {
        joins.push(sets.join(a, b));
    }
    // The last join has the final root, so reading backwards finds the root of every set.
    let mut root: Vec<usize> = (0..sets.links.len()).collect();
    for &(child, parent) in joins.iter().rev() {
        root[child] = root[parent];
    }
    let mut smallest = vec![usize::MAX; root.len()];
    for cluster in (0..n_clusters).rev() {
        smallest[root[cluster]] = cluster;
    }
    root[..n_clusters].iter().map(|&r| smallest[r]).collect()
}

/// A pair of sets that may be joined, and how much spoke for it when it was offered.
struct Offer {
    speaks_for: f64,
    sets: [usize; 2],
}

impl Ord for Offer {
    fn cmp(&self, other: &Self) -> Ordering {
        self.speaks_for
            .total_cmp(&other.speaks_for)
            .then_with(|| other.sets.cmp(&self.sets))
    }
}

impl PartialOrd for Offer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Offer {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Offer {}

/// Clusters, then places of labels, as they are joined.
struct Sets {
    /// What links two sets: must-links less cannot-links, and twice the weight of the labels that
    /// one has of the other's place.
    links: Vec<BTreeMap<usize, f64>>,
    is_joined: Vec<bool>,
    /// The weight of the labelled points.
    labelled: Vec<f64>,
    holds_place: Vec<bool>,
    /// Every pair for which something speaks, offered at no less than that.
    offers: BinaryHeap<Offer>,
}

impl Sets {
    fn new(labels: &[Label], n_clusters: usize, said: &Constraints) -> Self {
        let len = n_clusters + said.label_names().len();
        let mut sets = Self {
            links: vec![BTreeMap::new(); len],
            is_joined: vec![false; len],
            labelled: vec![0.0; len],
            holds_place: (0..len).map(|set| set >= n_clusters).collect(),
            offers: BinaryHeap::new(),
        };
        for (pairs, sign) in [(said.must_links(), 1.0), (said.cannot_links(), -1.0)] {
            for pair in pairs {
                if let [Some(a), Some(b)] = pair.points.map(|point| labels[point])
                    && a != b
                {
                    sets.link(a, b, sign * pair.weight);
                }
            }
        }
        for labelled in said.labels() {
            if let Some(cluster) = labels[labelled.point] {
                sets.link(cluster, n_clusters + labelled.label, 2.0 * labelled.weight);
                sets.labelled[cluster] += labelled.weight;
            }
        }
        for a in 0..len {
            let others: Vec<usize> = sets.links[a].range(a..).map(|(&b, _)| b).collect();
            for b in others {
                sets.offer(a, b);
            }
        }
        sets
    }

    fn link(&mut self, a: usize, b: usize, weight: f64) {
        *self.links[a].entry(b).or_default() += weight;
        *self.links[b].entry(a).or_default() += weight;
    }

    /// S(a, b).
    fn speaks_for(&self, a: usize, b: usize) -> f64 {
        let against = |set: usize, place: usize| {
            if self.holds_place[place] {
                self.labelled[set]
            } else {
                0.0
            }
        };
        match self.links[a].get(&b) {
            Some(_) if self.holds_place[a] && self.holds_place[b] => f64::NEG_INFINITY,
            Some(links) => links - against(a, b) - against(b, a),
            None => 0.0,
        }
    }

    fn offer(&mut self, a: usize, b: usize) {
        let speaks_for = self.speaks_for(a, b);
        if speaks_for > 0.0 {
            let sets = [a.min(b), a.max(b)];
            self.offers.push(Offer { speaks_for, sets });
        }
    }

    /// The pair for which most speaks, if anything does.
    fn next_pair(&mut self) -> Option<[usize; 2]> {
        while let Some(Offer { speaks_for, sets }) = self.offers.pop() {
            let [a, b] = sets;
            if self.is_joined[a] || self.is_joined[b] {
                continue;
            }
            let now = self.speaks_for(a, b);
            if now == speaks_for {
                return Some(sets);
            }
            // What has risen was offered again when it rose.
            if now < speaks_for {
                self.offer(a, b);
            }
        }
        None
    }

    /// Joins two sets: the one with fewer links goes into the other. Which went where.
    fn join(&mut self, a: usize, b: usize) -> (usize, usize) {
        let (child, parent) = if self.links[a].len() < self.links[b].len() {
            (a, b)
        } else {
            (b, a)
        };
        self.is_joined[child] = true;
        self.holds_place[parent] |= self.holds_place[child];
        self.labelled[parent] += self.labelled[child];
        self.links[parent].remove(&child);
        for (other, weight) in std::mem::take(&mut self.links[child]) {
            if other != parent {
                self.links[other].remove(&child);
                self.link(parent, other, weight);
                self.offer(parent, other);
            }
        }
        (child, parent)
    }
}
