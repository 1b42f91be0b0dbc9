//! Choosing by held-out answers.
//!
//! How well a setting keeps the answers it was given says little: almost any can. How well it keeps
//! answers that it was not given says much, and needs no truth. So the *items*, the points of which
//! something was said, are split into folds. Each fold is held out in turn: [`Split::train`] is
//! what was said of the other items alone, [`Split::test`] everything that names an item held out.
//! A [`Tally`](super::Tally) adds the results up over all splits and repeats, and the setting with
//! the best score, smoothed over its neighbours in the grid ([`smooth`]), is taken, if there is
//! [`enough`] to go by.
//!
//! Splitting items rather than answers is what keeps the test honest: an item held out is named
//! nowhere in training, so no chain of must-links, no label and no comparison there says anything
//! of it. Splitting answers would leave most test pairs implied by the closure of the others.

#[cfg(test)]
mod tests;

use ndarray::{Array, Axis, RemoveAxis};

use crate::numerics::rng::{Rng, rng_stream};
use crate::problem::{Constraint, ConstraintKind, Constraints};
use crate::{Error, Result};

/// Folds that did well in measurements.
pub const FOLDS: usize = 3;

/// Repeats that did well in measurements.
pub const REPEATS: usize = 2;

/// Answers below which a choice is more chance than knowledge; see [`enough`].
pub const ENOUGH: usize = 30;

/// Pairs of labelled points in one test; of more, this many are drawn.
const LABEL_PAIRS: usize = 4096;

/// Pairs of each kind, together and apart, that [`enough`] asks for: one for each of three folds.
const FEWEST_OF_A_KIND: usize = 3;

/// Pairs that a labelled point counts for in [`enough`].
const PAIRS_PER_LABEL: usize = 2;

/// What was said, parted in two.
#[derive(Debug, Clone, PartialEq)]
pub struct Split {
    /// The items that are held out, sorted.
    pub held_out: Vec<usize>,
    /// What was said of the other items alone, labels as labels.
    pub train: Constraints,
    /// Everything that names an item held out. Labels are pairs here: a held-out point and any
    /// other labelled point, together or apart, weighted as [`Tally::of`](super::Tally::of) weighs
    /// them. At most 4,096 such pairs, drawn from all of them by the seed where there are more.
    pub test: Constraints,
}

/// Splits of what was said into training and test.
///
/// Both sides of a split are about the same points, by index: ids are left out, as nobody reads the
/// messages of a trial. Weights and sources are kept. In every repeat each item is held out once; a
/// fold that would have no items is not made, so that one item, or none, gives no splits at all.
/// The splits depend on what was said and on the seed, not on the order of saying it.
///
/// ```
/// use ilk::evaluate::{Folds, Tally};
/// use ilk::problem::Constraints;
///
/// let mut said = Constraints::new(60);
/// for i in 0..10 {
///     said.must_link(i, i + 10)?.cannot_link(i + 10, i + 20)?;
/// }
/// let mut tally = Tally::default();
/// for split in Folds::new(&said, 3, 2, 0)?.splits() {
///     // Here a method would learn from `split.train`.
///     let labels: Vec<_> = (0..60).map(|point| Some(point / 20)).collect();
///     tally += Tally::of(&labels, &split.test);
/// }
/// assert!(tally.score() > 0.999);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Folds {
    splits: Vec<Split>,
}

impl Folds {
    /// Splits the items of `said` into `folds` parts, `repeats` times. O(m) a split for m answers.
    ///
    /// # Errors
    /// [`Error::BadParameter`] with fewer than 2 folds, or no repeats.
    pub fn new(said: &Constraints, folds: usize, repeats: usize, seed: u64) -> Result<Self> {
        at_least("folds", folds, 2)?;
        at_least("repeats", repeats, 1)?;
        let items = said.constrained_points();
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
                splits.push(Split::new(said, held_out, &mut rng)?);
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
    fn new(said: &Constraints, held_out: Vec<usize>, rng: &mut Rng) -> Result<Self> {
        let mut is_out = vec![false; said.n()];
        for &item in &held_out {
            is_out[item] = true;
        }
        let mut sides = Sides {
            is_out,
            train: Constraints::new(said.n()),
            test: Constraints::new(said.n()),
        };
        sides.part(ConstraintKind::MustLink, said.must_links())?;
        sides.part(ConstraintKind::CannotLink, said.cannot_links())?;
        sides.part(ConstraintKind::OddOneOut, said.odd_one_outs())?;
        sides.part(ConstraintKind::AboutEqual, said.about_equals())?;
        sides.part(ConstraintKind::Closer, said.closers())?;
        sides.part_labels(said, rng)?;
        let Sides { train, test, .. } = sides;
        Ok(Self {
            held_out,
            train,
            test,
        })
    }
}

/// A split in the making.
struct Sides {
    is_out: Vec<bool>,
    train: Constraints,
    test: Constraints,
}

impl Sides {
    fn part<const K: usize>(&mut self, kind: ConstraintKind, list: &[Constraint<K>]) -> Result<()> {
        for said in list {
            let side = if said.points.iter().any(|&point| self.is_out[point]) {
                &mut self.test
            } else {
                &mut self.train
            };
            side.add(kind, &said.points, said.weight, said.source.as_deref())?;
        }
        Ok(())
    }

    fn part_labels(&mut self, said: &Constraints, rng: &mut Rng) -> Result<()> {
        let (mut out, mut rest) = (Vec::new(), Vec::new());
        for labelled in said.labels() {
            if self.is_out[labelled.point] {
                out.push(labelled);
            } else {
                rest.push(labelled);
                let name = &said.label_names()[labelled.label];
                let source = labelled.source.as_deref();
                self.train
                    .add_label(labelled.point, name, labelled.weight, source)?;
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
            // A product may leave the range of weights.
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
    let mut numbers: Vec<usize> = if count <= LABEL_PAIRS {
        (0..count).collect()
    } else {
        rng.sample(count, LABEL_PAIRS)
    };
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
/// Held-out answers are few and their scores noisy, while neighbouring settings do about the same:
/// the best of a smooth ridge is a better choice than the highest spike.
///
/// ```
/// use ilk::evaluate::folds::smooth;
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

/// Whether enough was said to choose a setting by held-out answers: [`amount`] reaches [`ENOUGH`].
pub fn enough(said: &Constraints) -> bool {
    amount(said) >= ENOUGH
}

/// How many answers there are to choose by.
///
/// Comparisons and pairs are one each. Pairs count only where at least three of each kind, together
/// and apart, were said, labels spelled out: with one kind alone, a clustering that joins all, or
/// none, is never wrong. Labels stand for their pairs, but for no more than two a labelled point:
/// pairs that share their points repeat each other.
pub fn amount(said: &Constraints) -> usize {
    let labelled = said.labels().len();
    let mut sizes = vec![0; said.label_names().len()];
    for label in said.labels() {
        sizes[label.label] += 1;
    }
    let pairs_of = |n: usize| n.saturating_mul(n.saturating_sub(1)) / 2;
    let alike: usize = sizes.into_iter().map(pairs_of).sum();
    let different = pairs_of(labelled) - alike;

    let (must, cannot) = (said.must_links().len(), said.cannot_links().len());
    let fewest = (must + alike).min(cannot + different);
    let pairs = if fewest < FEWEST_OF_A_KIND {
        0
    } else {
        must + cannot + (alike + different).min(PAIRS_PER_LABEL * labelled)
    };
    let triplets = [said.odd_one_outs(), said.about_equals(), said.closers()];
    pairs + triplets.iter().map(|list| list.len()).sum::<usize>()
}
