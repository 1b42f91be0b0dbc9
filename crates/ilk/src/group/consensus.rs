//! One partition that many partitions agree on.
//!
//! With partitions π_m of weights w_m that sum to 1, the *co-association* of two points is the weight of the partitions
//! in which they share a cluster,
//!
//! ```text
//! c_ij = Σ_m w_m [π_m(i) = π_m(j)],
//! ```
//!
//! which is 1 or 0 where a constraint says so. Average linkage joins the points by it (Fred and Jain 2005, with the
//! weights of the members), and the tree is cut where the mean agreement of two sets falls below a threshold, or into a
//! given number of clusters. Clusters too small to be any are dissolved: their points go to the cluster with which they
//! agree most.

use ndarray::{Array2, Axis};
use rayon::prelude::*;

use super::{Label, renumber_by_appearance};
use crate::numerics::average_linkage::Dendrogram;
use crate::problem::Closure;

/// The share of the points that a cluster holds at least, and the number of points.
const LEAST_SHARE: f64 = 0.02;
const LEAST_POINTS: usize = 3;

/// How far partitions agree that two points belong together.
#[derive(Debug, Clone)]
pub(crate) struct CoAssociation {
    agreement: Array2<f32>,
}

/// Where the tree of a consensus is cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Cut {
    /// Where the mean agreement between two sets falls below this.
    Agreement(f32),
    /// Into this many clusters.
    Clusters(usize),
}

impl CoAssociation {
    /// The agreement of partitions of `n` points, each with its weight.
    pub(crate) fn new(n: usize, partitions: &[(&[Label], f64)]) -> Self {
        let total: f64 = partitions.iter().map(|(_, weight)| weight).sum();
        let mut agreement = Array2::<f32>::zeros((n, n));
        agreement.axis_iter_mut(Axis(0)).into_par_iter().enumerate().for_each(|(i, mut row)| {
            for (labels, weight) in partitions {
                let Some(own) = labels[i] else { continue };
                let share = (weight / total) as f32;
                for (agreement, label) in row.iter_mut().zip(*labels) {
                    if *label == Some(own) {
                        *agreement += share;
                    }
                }
            }
            row[i] = 1.0;
        });
        Self { agreement }
    }

    /// The same with what constraints imply: 1 within a must-link component, 0 between separated ones.
    pub(crate) fn with_implied(mut self, closure: &Closure) -> Self {
        let constrained: Vec<usize> =
            (0..closure.n_components()).filter(|&c| closure.is_constrained(c)).collect();
        for (at, &a) in constrained.iter().enumerate() {
            self.fill(closure.members(a), closure.members(a), 1.0);
            for &b in &constrained[..at] {
                if closure.are_components_separated(a, b) {
                    self.fill(closure.members(a), closure.members(b), 0.0);
                }
            }
        }
        self
    }

    fn fill(&mut self, a: &[usize], b: &[usize], value: f32) {
        for &i in a {
            for &j in b {
                self.agreement[[i, j]] = value;
                self.agreement[[j, i]] = value;
            }
        }
    }

    /// The matrix c.
    #[cfg(test)]
    fn matrix(&self) -> &Array2<f32> {
        &self.agreement
    }

    /// The tree in which points that agree are joined first.
    pub(crate) fn tree(&self) -> Dendrogram {
        Dendrogram::average(self.agreement.mapv(|agreement| 1.0 - agreement))
    }

    /// The clusters below a cut of the tree, without those that are too small.
    pub(crate) fn clusters(&self, tree: &Dendrogram, cut: Cut) -> Vec<Label> {
        let sets = match cut {
            Cut::Agreement(least) => tree.cut_at(1.0 - least),
            Cut::Clusters(k) => tree.cut_into(k, least_size(self.agreement.nrows())),
        };
        self.without_small(&sets)
    }

    /// Points of small sets go to the larger set with which they agree most.
    fn without_small(&self, sets: &[usize]) -> Vec<Label> {
        let n = sets.len();
        let n_sets = sets.iter().max().map_or(0, |last| last + 1);
        let mut sizes = vec![0usize; n_sets];
        for &set in sets {
            sizes[set] += 1;
        }
        let largest = sizes.iter().copied().max().unwrap_or(0);
        let least = least_size(n).min(largest);
        let labels: Vec<Label> = (0..n)
            .into_par_iter()
            .map(|point| {
                if sizes[sets[point]] >= least {
                    return Some(sets[point]);
                }
                let mut sums = vec![0.0f32; n_sets];
                for (&set, agreement) in sets.iter().zip(self.agreement.row(point)) {
                    sums[set] += agreement;
                }
                let large = (0..n_sets).filter(|&set| sizes[set] >= least);
                let mean = |set: usize| sums[set] / sizes[set] as f32;
                large.reduce(|best, set| if mean(set) > mean(best) { set } else { best })
            })
            .collect();
        renumber_by_appearance(&labels).0
    }
}

/// How many of `n` points a cluster holds at least.
fn least_size(n: usize) -> usize {
    ((LEAST_SHARE * n as f64) as usize).max(LEAST_POINTS.min(n / 8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Result;
    use crate::problem::Constraints;

    fn labels(clusters: &[usize]) -> Vec<Label> {
        clusters.iter().copied().map(Some).collect()
    }

    #[test]
    fn co_association_is_the_weight_of_the_partitions_that_join() {
        let (a, b) = (labels(&[0, 0, 1]), labels(&[0, 1, 1]));
        let agreement = CoAssociation::new(3, &[(&a, 3.0), (&b, 1.0)]);
        let expected = ndarray::array![[1.0, 0.75, 0.0], [0.75, 1.0, 0.25], [0.0, 0.25, 1.0]];
        assert_eq!(agreement.matrix(), expected);
    }

    #[test]
    fn points_of_no_cluster_agree_with_none() {
        let noise: Vec<Label> = vec![None, None, Some(0)];
        let agreement = CoAssociation::new(3, &[(&noise, 1.0)]);
        assert_eq!(agreement.matrix()[[0, 1]], 0.0);
    }

    #[test]
    fn constraints_decide_what_they_imply() -> Result<()> {
        let mut constraints = Constraints::new(4);
        constraints.must_link(0, 1)?.cannot_link(1, 2)?;
        let all = labels(&[0, 1, 1, 1]);
        let agreement = CoAssociation::new(4, &[(&all, 1.0)]).with_implied(&constraints.closure());
        assert_eq!(agreement.matrix()[[0, 1]], 1.0);
        assert_eq!(agreement.matrix()[[0, 2]], 0.0);
        assert_eq!(agreement.matrix()[[1, 2]], 0.0);
        assert_eq!(agreement.matrix()[[1, 3]], 1.0);
        Ok(())
    }

    #[test]
    fn the_majority_of_partitions_decides_and_fragments_dissolve() {
        // Two partitions into the halves, one into quarters; point 19 is alone in all of them.
        let halves: Vec<usize> = (0..40).map(|i| if i == 19 { 9 } else { i / 20 }).collect();
        let quarters: Vec<usize> = (0..40).map(|i| if i == 19 { 9 } else { i / 10 }).collect();
        let (halves, quarters) = (labels(&halves), labels(&quarters));
        let agreement = CoAssociation::new(40, &[(&halves, 1.0), (&halves, 1.0), (&quarters, 1.0)]);
        let found = agreement.clusters(&agreement.tree(), Cut::Agreement(0.5));
        let expected: Vec<Label> = (0..40).map(|i| Some(i / 20)).collect();
        assert_eq!(found[..19], expected[..19]);
        assert_eq!(found[20..], expected[20..]);
        assert!(found[19].is_some_and(|cluster| cluster < 2));
        let four = agreement.clusters(&agreement.tree(), Cut::Clusters(4));
        assert_eq!(four.iter().flatten().max(), Some(&3));
    }
}
