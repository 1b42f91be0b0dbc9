//! Cross-validation over constraints.
//!
//! Almost every setting keeps the constraints it was given. Which setting generalises is measured by constraints
//! that it was not given, without any ground truth. So the *items*, the constrained points, are split into folds.
//! Each fold is held out in turn: [`Split::train`] holds the constraints among the other items,
//! [`Split::test`] those that name an item held out.
//! A [`ConstraintAgreement`](super::ConstraintAgreement) adds the results up over all splits and repeats, and the setting with
//! the best score, smoothed over its neighbours in the grid ([`smooth`]), is taken, if there is
//! [`has_enough_constraints`] to go by.
//!
//! Items are split rather than constraints, so that no training constraint names an item held out. With
//! constraints split, the closure of the training pairs would imply most test pairs.

#[cfg(test)]
mod tests;

use ndarray::{Array, Axis, RemoveAxis};

use crate::numerics::rng::{Rng, rng_stream};
use crate::problem::{Constraint, ConstraintKind, Constraints};
use crate::{Error, Result};

/// Number of folds of the selections in this crate.
pub const FOLDS: usize = 3;

/// Number of repeats of the selections in this crate.
pub const REPEATS: usize = 2;

/// Constraints below which a selection is mostly chance; see [`has_enough_constraints`].
pub const MIN_CONSTRAINTS: usize = 30;

/// Pairs of labelled points in one test; of more, this many are drawn.
const LABEL_PAIRS: usize = 4096;

/// Pairs of each kind, must-link and cannot-link, that [`has_enough_constraints`] asks for: one for each of three folds.
const FEWEST_OF_A_KIND: usize = 3;

/// Pairs that a labelled point counts for in [`has_enough_constraints`].
const PAIRS_PER_LABEL: usize = 2;

/// Constraints split into two sets.
#[derive(Debug, Clone, PartialEq)]
pub struct Split {
    /// The items that are held out, sorted.
    pub held_out: Vec<usize>,
    /// The constraints among the other items, labels as labels.
    pub train: Constraints,
    /// The constraints that name an item held out. Labels are pairs here: a held-out point and any other labelled
    /// point, must-link or cannot-link, weighted as [`ConstraintAgreement::of`](super::ConstraintAgreement::of) weighs
    /// them. At most 4,096 such pairs, drawn from all of them by the seed where there are more.
    pub test: Constraints,
}

/// Splits of constraints into training and test.
///
/// Both sides of a split have the points of the whole, by index. Ids are left out, since they only serve
/// messages; weights and sources are kept. In every repeat each item is held out once; there are no
/// empty folds, so that one item, or none, gives no splits. The splits depend on the set of constraints and
/// on the seed, not on their order.
///
/// ```
/// use ilk::select::{Folds, ConstraintAgreement};
/// use ilk::problem::Constraints;
///
/// let mut constraints = Constraints::new(60);
/// for i in 0..10 {
///     constraints.must_link(i, i + 10)?.cannot_link(i + 10, i + 20)?;
/// }
/// let mut agreement = ConstraintAgreement::default();
/// for split in Folds::new(&constraints, 3, 2, 0)?.splits() {
///     // Here a method would learn from `split.train`.
///     let labels: Vec<_> = (0..60).map(|point| Some(point / 20)).collect();
///     agreement += ConstraintAgreement::of(&labels, &split.test);
/// }
/// assert!(agreement.score() > 0.999);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Folds {
    splits: Vec<Split>,
}

impl Folds {
    /// Splits the items of `constraints` into `folds` parts, `repeats` times. O(m) a split for m constraints.
    ///
    /// # Errors
    /// [`Error::BadParameter`] with fewer than 2 folds, or no repeats.
    pub fn new(constraints: &Constraints, folds: usize, repeats: usize, seed: u64) -> Result<Self> {
        at_least("folds", folds, 2)?;
        at_least("repeats", repeats, 1)?;
        let items = constraints.constrained_points();
        let folds = folds.min(items.len());
        let mut splits = Vec::new();
        if folds < 2 {
            return Ok(Self { splits });
        }
        for repeat in 0..repeats {
            let mut rng = rng_stream(seed, repeat as u64);
            let mut order = items.clone();
            rng.shuffle(&mut order);
            for fold in 0..folds {
                let mut held_out: Vec<usize> =
                    order.iter().copied().skip(fold).step_by(folds).collect();
                held_out.sort_unstable();
                splits.push(Split::new(constraints, held_out, &mut rng)?);
            }
        }
        Ok(Self { splits })
    }

    /// The splits, repeat after repeat.
    pub fn splits(&self) -> &[Split] {
        &self.splits
    }
}

fn at_least(parameter: &'static str, value: usize, least: usize) -> Result<()> {
    if value >= least {
        return Ok(());
    }
    Err(Error::BadParameter {
        parameter,
        value: value.to_string(),
        expected: format!("it must be at least {least}"),
    })
}

impl Split {
    fn new(constraints: &Constraints, held_out: Vec<usize>, rng: &mut Rng) -> Result<Self> {
        let mut is_out = vec![false; constraints.n()];
        for &item in &held_out {
            is_out[item] = true;
        }
        let mut sides = Sides {
            is_out,
            train: Constraints::new(constraints.n()),
            test: Constraints::new(constraints.n()),
        };
        sides.distribute(ConstraintKind::MustLink, constraints.must_links())?;
        sides.distribute(ConstraintKind::CannotLink, constraints.cannot_links())?;
        sides.distribute(ConstraintKind::OddOneOut, constraints.odd_one_outs())?;
        sides.distribute(ConstraintKind::AboutEqual, constraints.about_equals())?;
        sides.distribute(ConstraintKind::Closer, constraints.closers())?;
        sides.distribute_labels(constraints, rng)?;
        let Sides { train, test, .. } = sides;
        Ok(Self { held_out, train, test })
    }
}

/// A split while constraints are distributed.
struct Sides {
    is_out: Vec<bool>,
    train: Constraints,
    test: Constraints,
}

impl Sides {
    fn distribute<const K: usize>(
        &mut self,
        kind: ConstraintKind,
        list: &[Constraint<K>],
    ) -> Result<()> {
        for constraint in list {
            let side = if constraint.points.iter().any(|&point| self.is_out[point]) {
                &mut self.test
            } else {
                &mut self.train
            };
            side.add(kind, &constraint.points, constraint.weight, constraint.source.as_deref())?;
        }
        Ok(())
    }

    fn distribute_labels(&mut self, constraints: &Constraints, rng: &mut Rng) -> Result<()> {
        let (mut out, mut rest) = (Vec::new(), Vec::new());
        for labelled in constraints.labels() {
            if self.is_out[labelled.point] {
                out.push(labelled);
            } else {
                rest.push(labelled);
                let name = &constraints.label_names()[labelled.label];
                let source = labelled.source.as_deref();
                self.train.add_label(labelled.point, name, labelled.weight, source)?;
            }
        }
        out.sort_unstable_by_key(|labelled| labelled.point);
        rest.sort_unstable_by_key(|labelled| labelled.point);
        let n_out = out.len();
        out.append(&mut rest);
        for [i, j] in pairs_of_first(n_out, out.len(), rng) {
            let (a, b) = (out[i], out[j]);
            let kind = if a.label == b.label {
                ConstraintKind::MustLink
            } else {
                ConstraintKind::CannotLink
            };
            // The product of two weights may overflow or underflow.
            let weight = (a.weight * b.weight).clamp(f64::MIN_POSITIVE, f64::MAX);
            self.test.add(kind, &[a.point, b.point], weight, None)?;
        }
        Ok(())
    }
}

/// Pairs i < j < `len` with i < `first`: all, or [`LABEL_PAIRS`] drawn from all.
fn pairs_of_first(first: usize, len: usize, rng: &mut Rng) -> Vec<[usize; 2]> {
    // Row i of the triangle holds the pairs (i, i + 1), ..., (i, len - 1).
    let count: usize = (0..first).map(|i| len - 1 - i).sum();
    let mut numbers: Vec<usize> =
        if count <= LABEL_PAIRS { (0..count).collect() } else { rng.sample(count, LABEL_PAIRS) };
    numbers.sort_unstable();
    let (mut row, mut start) = (0, 0);
    numbers
        .into_iter()
        .map(|number| {
            while number >= start + len - 1 - row {
                start += len - 1 - row;
                row += 1;
            }
            [row, row + 1 + number - start]
        })
        .collect()
}

/// Scores of a grid of settings, each averaged with its two neighbours along `axis` by the weights
/// 1, 2, 1; at an end, where there is one neighbour, by 2, 1. An axis of one setting is left alone.
///
/// Held-out constraints are few and their scores noisy, while neighbouring settings have about the same
/// score: the maximum of the smoothed scores is a better choice than a single high one.
///
/// ```
/// use ilk::select::folds::smooth;
/// use ilk::ndarray::{Axis, array};
///
/// let scores = array![[0.0, 0.6], [0.6, 0.6], [0.0, 0.6]];
/// let smoothed = smooth(&scores, Axis(0));
/// assert_eq!(smoothed.column(0).to_vec(), [0.6 / 3.0, 0.3, 0.6 / 3.0]);
/// ```
///
/// # Panics
/// Where the grid has no such axis.
#[must_use]
pub fn smooth<D: RemoveAxis>(scores: &Array<f64, D>, axis: Axis) -> Array<f64, D> {
    let mut smoothed = scores.clone();
    for (from, mut into) in scores.lanes(axis).into_iter().zip(smoothed.lanes_mut(axis)) {
        let last = from.len().saturating_sub(1);
        for (i, value) in into.iter_mut().enumerate() {
            let before = (i > 0).then(|| from[i - 1]);
            let after = (i < last).then(|| from[i + 1]);
            let neighbors = [before, after].into_iter().flatten();
            let weight = 2.0 + neighbors.clone().count() as f64;
            *value = (2.0 * from[i] + neighbors.sum::<f64>()) / weight;
        }
    }
    smoothed
}

/// Whether there are enough constraints to hold some out: [`effective_count`] is at least
/// [`MIN_CONSTRAINTS`].
pub fn has_enough_constraints(constraints: &Constraints) -> bool {
    effective_count(constraints) >= MIN_CONSTRAINTS
}

/// The number of constraints that inform about a setting.
///
/// Comparisons and pairs count one each. Pairs count only where there are at least three of each kind, with
/// labels written as pairs: with one kind alone, a clustering that joins all, or none, breaks nothing.
/// Labels count as their pairs, but at most two a labelled point, since pairs of the same points are not
/// independent.
pub fn effective_count(constraints: &Constraints) -> usize {
    let KindCounts { must, cannot, alike, different } = KindCounts::of(constraints);
    let labelled = constraints.labels().len();
    let fewest = (must + alike).min(cannot + different);
    let pairs = if fewest < FEWEST_OF_A_KIND {
        0
    } else {
        must + cannot + (alike + different).min(PAIRS_PER_LABEL * labelled)
    };
    let triplets = [constraints.odd_one_outs(), constraints.about_equals(), constraints.closers()];
    pairs + triplets.iter().map(|list| list.len()).sum::<usize>()
}

/// The number of pairs of the kind of which there are fewer, must-links or cannot-links, labels counting as in
/// [`effective_count`]. It bounds how well a clustering can be judged: among many clusters most pairs are cannot-links,
/// which a clustering keeps by chance.
pub(crate) fn scarcer_kind_count(constraints: &Constraints) -> usize {
    let KindCounts { must, cannot, alike, different } = KindCounts::of(constraints);
    let most = PAIRS_PER_LABEL * constraints.labels().len();
    (must + alike.min(most)).min(cannot + different.min(most))
}

/// How many pairs of each kind there are.
struct KindCounts {
    must: usize,
    cannot: usize,
    /// Pairs of points with the same label.
    alike: usize,
    /// Pairs of points with different labels.
    different: usize,
}

impl KindCounts {
    fn of(constraints: &Constraints) -> Self {
        let mut sizes = vec![0; constraints.label_names().len()];
        for label in constraints.labels() {
            sizes[label.label] += 1;
        }
        let pairs_of = |n: usize| n.saturating_mul(n.saturating_sub(1)) / 2;
        let alike: usize = sizes.into_iter().map(pairs_of).sum();
        Self {
            must: constraints.must_links().len(),
            cannot: constraints.cannot_links().len(),
            alike,
            different: pairs_of(constraints.labels().len()) - alike,
        }
    }
}
