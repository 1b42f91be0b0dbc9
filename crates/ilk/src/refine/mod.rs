//! Labels repaired by the neighbours and the constraints.
//!
//! A grouping optimises its own objective. Near the borders of its clusters it leaves points on the
//! wrong side, small fragments, and violated constraints. Refinement repairs that after any grouping,
//! step by step ([`Refine`] has the equations): clusters that must-links connect are merged, clusters
//! that hold separated components may be divided, points move to the label that their neighbours and
//! the constraints support, and small clusters are dissolved. A
//! [`KnnClassifier`](crate::outcome::KnnClassifier) on the same neighbours labels new points.
//!
//! | file | what it holds |
//! |---|---|
//! | `params` | [`Refine`], its parameters and what each does |
//! | `level` | [`Refinement`], how many of the steps a method applies |
//! | `majority`, `divide` | merging and dividing clusters by constraints |
//! | `neighbor_graph` | the neighbours of every point, and how much each counts |
//! | `initial_labels` | the labels to start with |
//! | `energy` | labels, their energy, and what a move would gain |
//! | `sweep`, `dissolve` | moves that lower the energy; small clusters |

mod dissolve;
mod divide;
mod energy;
mod initial_labels;
mod level;
mod majority;
mod neighbor_graph;
mod params;
mod sweep;
#[cfg(test)]
mod tests;

pub use crate::problem::MustLinkPolicy;
pub(crate) use divide::{label_of_part, parts_by_nearest_seed};
pub use level::Refinement;
pub(crate) use level::{RefineOptions, default_neighbors};
pub use neighbor_graph::NeighborSpace;
pub(crate) use neighbor_graph::RefinementSpace;
pub use params::Refine;

use ndarray::{Array1, Array2};

use crate::error::check_length;
use crate::group::{Label, renumber_by_appearance};
use crate::observe::{Event, Observer};
use crate::problem::aggregate::AggregatedConstraints;
use crate::problem::{Constraints, Pair, Points};
use crate::{Error, Result};
use dissolve::dissolve;
use divide::divide;
use energy::LabelEnergy;
use initial_labels::initial_labels;
use majority::merge_by_majority;
use neighbor_graph::NeighborGraph;
use sweep::{ActiveSet, sweep};

/// What a refinement did.
#[derive(Debug, Clone, PartialEq)]
pub struct Refined {
    /// The cluster of every point, numbered by first appearance.
    pub labels: Vec<Label>,
    /// Number of clusters.
    pub n_clusters: usize,
    /// Clusters that the majority of constraints merged into another.
    pub joined: usize,
    /// Points that ended in another cluster than the majority left them in.
    pub moved: usize,
    /// Clusters that dissolved.
    pub dissolved: usize,
    /// Sweeps that moved anything, before clusters were dissolved.
    pub sweeps: usize,
    /// The energy before the first sweep, after each, and after each cluster that dissolved. It
    /// never rises.
    pub energies: Vec<f64>,
    /// Cannot-links between points that must-links join: positions in [`Constraints::cannot_links`].
    pub conflicts: Vec<usize>,
}

impl Refine {
    /// Refines the `labels` of points. `space` is the space in which the grouping worked: the input,
    /// the features of a learned kernel, or a graph. In a graph clusters are not divided.
    ///
    /// # Errors
    /// [`Error::BadParameter`]; [`Error::WrongLength`] where labels or constraints are about another
    /// number of points; [`Error::Cancelled`].
    pub fn refine<'a>(
        &self,
        space: impl Into<NeighborSpace<'a>>,
        labels: &[Label],
        constraints: &Constraints,
        observer: &dyn Observer,
    ) -> Result<Refined> {
        let space = space.into();
        self.check()?;
        check_length("the list of labels", labels.len(), space.len())?;
        let what = "the list of points of the constraints";
        check_length(what, constraints.n(), space.len())?;
        if self.must_links == MustLinkPolicy::Auto && self.max_sweeps > 0 {
            let (soft, agreement) =
                self.run(MustLinkPolicy::Soft, space, labels, constraints, observer)?;
            if are_must_links_unreliable(constraints, &soft.labels, agreement) {
                return Ok(soft);
            }
        }
        let (refined, _) = self.run(self.must_links, space, labels, constraints, observer)?;
        Ok(refined)
    }

    /// Refines labels under a policy for must-links. Also returns the mean share of a point's
    /// neighbours that have its label.
    fn run(
        &self,
        must_links: MustLinkPolicy,
        space: NeighborSpace<'_>,
        labels: &[Label],
        constraints: &Constraints,
        observer: &dyn Observer,
    ) -> Result<(Refined, f64)> {
        let (mut labels, mut n_labels) = renumber_by_appearance(labels);
        let closure = constraints.closure();
        let mut joined = 0;
        if self.majority && !self.constrained_only {
            let merged = merge_by_majority(&labels, n_labels, constraints);
            joined = (0..n_labels).filter(|&c| merged[c] != c).count();
            for label in &mut labels {
                *label = label.map(|cluster| merged[cluster]);
            }
        }
        let is_short = !self.constrained_only || n_labels < closure.separated_points().len();
        if let (NeighborSpace::Points(points), true) = (space, self.divide && is_short) {
            n_labels = divide(points, &mut labels, n_labels, constraints);
        }
        let sets = AggregatedConstraints::new(constraints, &closure, must_links);
        let graph = NeighborGraph::new(space, &sets, self.neighbors);
        let (initial, n_labels) = initial_labels(&labels, n_labels, &sets, &graph);
        let penalty = self.penalty * scarcity(constraints);
        let mut energy = LabelEnergy::new(&sets, &graph, initial, n_labels, self.floor, penalty);
        let mut active = ActiveSet::of(sets.len(), |_| true);
        if self.constrained_only {
            let mut is_constrained = vec![false; sets.len()];
            for point in constraints.constrained_points() {
                is_constrained[sets.set_of(point)] = true;
            }
            if let NeighborSpace::Points(points) = space {
                energy = energy.with_alternatives(nearest_clusters(
                    points,
                    (&labels, n_labels),
                    &sets,
                    &is_constrained,
                ));
            }
            active = ActiveSet::of(sets.len(), |set| is_constrained[set]);
        }
        let mut energies = vec![energy.energy()];
        let sweeps = self.sweep_all(&mut energy, active, &mut energies, observer)?;
        let mut dissolved = 0;
        if self.dissolve && !self.constrained_only {
            let before = energies.len();
            dissolve(&mut energy, self.max_sweeps, &mut energies, observer)?;
            dissolved = energies.len() - before;
        }

        let refined: Vec<Label> =
            (0..space.len()).map(|point| energy.label_of_point(point)).collect();
        let moved = refined.iter().zip(&labels).filter(|(a, b)| a != b).count();
        let (labels, n_clusters) = renumber_by_appearance(&refined);
        let support: f64 = (0..space.len()).map(|point| energy.support(point)).sum();
        let refined = Refined {
            labels,
            n_clusters,
            joined,
            moved,
            dissolved,
            sweeps,
            energies,
            conflicts: closure.contradicted_cannot_links(constraints),
        };
        Ok((refined, support / space.len() as f64))
    }

    /// Sweeps over the sets that are active, and those that they affect. Appends the energy after each
    /// sweep and returns their number.
    fn sweep_all(
        &self,
        energy: &mut LabelEnergy<'_>,
        mut active: ActiveSet,
        energies: &mut Vec<f64>,
        observer: &dyn Observer,
    ) -> Result<usize> {
        let n_sets = energy.sets.len();
        sweep(energy, &mut active, None, self.max_sweeps, |energy, done, changes| {
            energies.push(energy.energy());
            let unmoved = n_sets - changes.len();
            let mut event = Event::new("refine", done, unmoved, n_sets);
            event.centers = Some(energy.n_clusters());
            observer.event(&event)
        })
        .map_err(|iterations| Error::Cancelled { iterations })
    }
}

/// Clusters that a set without a label among its neighbours may go to.
const ALTERNATIVES: usize = 5;

/// For every constrained set the clusters whose means are nearest to its own, the nearest first.
fn nearest_clusters(
    points: &Points,
    (labels, n_labels): (&[Label], usize),
    sets: &AggregatedConstraints,
    is_constrained: &[bool],
) -> Vec<Vec<usize>> {
    let means = cluster_means(points, None, labels, n_labels);
    let of_set = |set: usize| {
        if !is_constrained[set] {
            return Vec::new();
        }
        let mut center = Array1::<f64>::zeros(points.dims());
        for &point in sets.members(set) {
            center += &points.view().row(point);
        }
        center /= sets.members(set).len() as f64;
        let distance = |cluster: &usize| {
            (&means.row(*cluster) - &center).mapv(|difference| difference * difference).sum()
        };
        let mut clusters: Vec<(f64, usize)> =
            (0..n_labels).map(|cluster| (distance(&cluster), cluster)).collect();
        clusters.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        clusters.truncate(ALTERNATIVES);
        clusters.into_iter().map(|(_, cluster)| cluster).collect()
    };
    (0..sets.len()).map(of_set).collect()
}

/// The mean of the points of every cluster, by their weights, one row each.
pub(crate) fn cluster_means(
    points: &Points,
    weights: Option<&[f64]>,
    labels: &[Label],
    n_clusters: usize,
) -> Array2<f64> {
    let mut means = Array2::zeros((n_clusters, points.dims()));
    let mut totals = vec![0.0f64; n_clusters];
    for (point, label) in labels.iter().enumerate() {
        let weight = weights.map_or(1.0, |weights| weights[point]);
        if let Some(cluster) = *label
            && weight > 0.0
        {
            totals[cluster] += weight;
            let share = weight / totals[cluster];
            let mut mean = means.row_mut(cluster);
            // A running mean: that of equal points is their place, to the bit.
            for (mean, x) in mean.iter_mut().zip(points.row(point)) {
                *mean += (x - *mean) * share;
            }
        }
    }
    means
}

/// Must-links are unreliable where they are broken more than this many times as often as neighbours
/// disagree.
const BEYOND_DISAGREEMENT: f64 = 1.25;

/// The share of wrong constraints above which they count as careless.
const CARELESS: f64 = 0.03;

/// Whether soft must-links are broken more often than right ones would be, in data where `agreement`
/// is the share of neighbours in one cluster.
fn are_must_links_unreliable(constraints: &Constraints, labels: &[Label], agreement: f64) -> bool {
    let pairs = constraints.must_links();
    let is_broken = |pair: &&Pair| labels[pair.points[0]] != labels[pair.points[1]];
    let broken = pairs.iter().filter(is_broken).count() as f64;
    let given = pairs.len() as f64;
    broken > BEYOND_DISAGREEMENT * (1.01 - agreement) * given
        && broken > CARELESS * given.max(constraints.cannot_links().len() as f64)
}

/// max(1, points / constraints): the fewer constraints, the more each of them counts.
fn scarcity(constraints: &Constraints) -> f64 {
    let given = constraints.must_links().len()
        + constraints.cannot_links().len()
        + constraints.labels().len();
    (constraints.n() as f64 / given.max(1) as f64).max(1.0)
}
