//! A lower bound on the number of clusters.

use std::cmp::Reverse;

use super::super::Closure;

/// How many components a clique is grown from, those with the most separations first.
const STARTS: usize = 8;

impl Closure {
    /// The smallest members of the components of a large set in which any two are separated,
    /// sorted: at least as many clusters are needed.
    ///
    /// The largest such set is a maximum clique, which is too hard to find; this grows one greedily
    /// from several starts, components with many separations first, and keeps the largest. Components
    /// with labels are a clique already and are one of the starts. Each start takes O(m log m).
    pub fn separated_points(&self) -> Vec<usize> {
        let components = 0..self.n_components();
        let n_separations: Vec<usize> =
            components.clone().map(|c| n_separations(self, c)).collect();
        let mut ranking: Vec<usize> = components.collect();
        ranking.sort_by_key(|&component| Reverse(n_separations[component]));
        let mut rank = vec![0; ranking.len()];
        for (place, &component) in ranking.iter().enumerate() {
            rank[component] = place;
        }

        let mut best = labels_and_more(self, &rank);
        for &start in ranking.iter().take(STARTS) {
            if n_separations[start] < best.len() {
                break;
            }
            let mut candidates: Vec<usize> = self.separated_from(start).collect();
            candidates.sort_unstable_by_key(|&component| rank[component]);
            let clique = grown(self, vec![start], &candidates);
            if clique.len() > best.len() {
                best = clique;
            }
        }
        let mut points: Vec<usize> = best.iter().map(|&c| self.members(c)[0]).collect();
        points.sort_unstable();
        points
    }
}

/// How many components are separated from this one.
fn n_separations(closure: &Closure, component: usize) -> usize {
    let stated = closure.stated_separations(component);
    if !closure.is_labelled(component) {
        return stated.len();
    }
    let unlabelled = stated.iter().filter(|&&other| !closure.is_labelled(other));
    closure.labelled_components().len() - 1 + unlabelled.count()
}

/// All labelled components, and others that are separated from all of them.
fn labels_and_more(closure: &Closure, rank: &[usize]) -> Vec<usize> {
    let labelled = closure.labelled_components().to_vec();
    let Some(&first) = labelled.first() else {
        return labelled;
    };
    let mut candidates: Vec<usize> = closure.stated_separations(first).to_vec();
    candidates.retain(|&component| !closure.is_labelled(component));
    candidates.sort_unstable_by_key(|&component| rank[component]);
    grown(closure, labelled, &candidates)
}

/// `clique`, extended by each candidate in turn that is separated from all members so far.
///
/// Two labelled components need no looking up, and every other pair that is looked up successfully
/// is a stated separation of the candidate, so the whole takes O(m log m) however large the clique.
fn grown(closure: &Closure, clique: Vec<usize>, candidates: &[usize]) -> Vec<usize> {
    let (mut labelled, mut others): (Vec<usize>, Vec<usize>) =
        clique.into_iter().partition(|&component| closure.is_labelled(component));
    for &candidate in candidates {
        let is_separated = |&other: &usize| closure.are_components_separated(candidate, other);
        if closure.is_labelled(candidate) {
            if others.iter().all(is_separated) {
                labelled.push(candidate);
            }
        } else if others.iter().chain(&labelled).all(is_separated) {
            others.push(candidate);
        }
    }
    labelled.append(&mut others);
    labelled
}
