//! Which constraints are drawn on the rows.

use anyhow::Result;
use ilk::datasets::ConstraintSampler;
use ilk::numerics::rng::{Rng, rng_stream};
use ilk::problem::{ConstraintKind, Constraints};
use serde::Serialize;

/// Which constraints are drawn on the rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) enum ConstraintProtocol {
    Nothing,
    /// Random pairs, so many for every row (but at least one cannot-link between every two classes),
    /// a share of them wrong.
    Pairs {
        per_row: f64,
        flipped: f64,
    },
    /// So many labelled rows of every class: all must-links among those of a class and as many random
    /// cannot-links, a share of all of them wrong.
    Labelled {
        per_class: usize,
        flipped: f64,
    },
    /// As many odd-one-outs as [`Labelled`](Self::Labelled) has pairs, each of two rows of one class and
    /// one of another; any rows, not just labelled ones.
    AsManyComparisons {
        per_class: usize,
    },
    /// So many random pairs, all among one half of the rows; two seeds in a row have the halves of one
    /// split.
    HalfPairs {
        n: usize,
    },
    /// So many random pairs of rows, or all, a share of them wrong. Nothing sees to it that every two classes
    /// have one.
    RandomPairs {
        n: usize,
        flipped: f64,
    },
    /// The labels of so many rows of every class.
    Labels {
        per_class: usize,
    },
    /// Odd-one-outs, and threes of one class or of three classes that are about equally different.
    Comparisons {
        odd: usize,
        equal: usize,
    },
}

/// The stream of random numbers that splits rows into halves.
const HALVES: u64 = 101;

/// The streams that draw pairs of rows, and labelled rows.
const PAIRS: u64 = 102;
const LABELS: u64 = 103;

/// Constraints by a second truth are of another seed, so that the two are independent.
const SECOND: u64 = 1 << 63;

impl ConstraintProtocol {
    /// The same with at most so many labelled rows a class, and comparisons.
    pub(in crate::reproduce) fn at_most(self, labelled: usize, comparisons: usize) -> Self {
        match self {
            Self::Nothing
            | Self::Pairs { .. }
            | Self::HalfPairs { .. }
            | Self::RandomPairs { .. } => self,
            Self::Labels { per_class } => Self::Labels { per_class: per_class.min(labelled) },
            Self::Labelled { per_class, flipped } => {
                Self::Labelled { per_class: per_class.min(labelled), flipped }
            }
            Self::AsManyComparisons { per_class } => {
                Self::AsManyComparisons { per_class: per_class.min(labelled) }
            }
            Self::Comparisons { odd, equal } => {
                Self::Comparisons { odd: odd.min(comparisons), equal: equal.min(comparisons) }
            }
        }
    }

    /// The rows that no constraint may name, where a half of them is kept for testing.
    pub(super) fn test_half(self, n: usize, seed: u64) -> Option<Vec<bool>> {
        let Self::HalfPairs { .. } = self else {
            return None;
        };
        let mut rows: Vec<usize> = (0..n).collect();
        rng_stream(seed / 2, HALVES).shuffle(&mut rows);
        let (first, second) = rows.split_at(n / 2);
        let mut test = vec![false; n];
        for &row in if seed.is_multiple_of(2) { second } else { first } {
            test[row] = true;
        }
        Some(test)
    }

    /// What those say who know the truths, one person each.
    pub(super) fn draw(self, truths: &[Vec<usize>], n: usize, seed: u64) -> Result<Constraints> {
        if let ([truth], Self::Labels { per_class }) = (truths, self) {
            return labels(truth, per_class, &mut rng_stream(seed, LABELS));
        }
        let mut all = Constraints::new(n);
        for (truth, seed) in truths.iter().zip([seed, seed ^ SECOND]) {
            let constraints = self.by(truth, seed)?;
            for kind in ConstraintKind::ALL {
                for entry in 0..constraints.count(kind) {
                    if let Some(points) = constraints.points_of(kind, entry) {
                        all.add(kind, points, 1.0, None)?;
                    }
                }
            }
        }
        Ok(all)
    }

    fn by(self, truth: &[usize], seed: u64) -> Result<Constraints> {
        if let Self::RandomPairs { n, flipped } = self {
            return uniform_pairs(truth, n, flipped, &mut rng_stream(seed, PAIRS));
        }
        let test = self.test_half(truth.len(), seed);
        let is_known = |row: usize| test.as_ref().is_none_or(|test| !test[row]);
        let known: Vec<Option<usize>> =
            truth.iter().enumerate().map(|(row, &class)| is_known(row).then_some(class)).collect();
        let draw =
            |sampler: ConstraintSampler| sampler.draw(&known, seed).map(|drawn| drawn.constraints);
        let labelled = |per_class, noise| ConstraintSampler {
            per_class,
            noise,
            ..ConstraintSampler::default()
        };
        let sampler = match self {
            Self::Nothing | Self::RandomPairs { .. } | Self::Labels { .. } => {
                ConstraintSampler::default()
            }
            Self::Pairs { per_row, flipped } => ConstraintSampler {
                n_pairs: random_pairs(truth, per_row),
                noise: flipped,
                ..ConstraintSampler::default()
            },
            Self::HalfPairs { n } => {
                ConstraintSampler { n_pairs: n, ..ConstraintSampler::default() }
            }
            Self::Labelled { per_class, flipped } => labelled(per_class, flipped),
            Self::AsManyComparisons { per_class } => {
                let pairs = draw(labelled(per_class, 0.0))?;
                ConstraintSampler {
                    n_triplets: pairs.must_links().len() + pairs.cannot_links().len(),
                    ..ConstraintSampler::default()
                }
            }
            Self::Comparisons { odd, equal } => ConstraintSampler {
                n_triplets: odd,
                n_equal: equal,
                ..ConstraintSampler::default()
            },
        };
        Ok(draw(sampler)?)
    }
}

/// `n` different pairs of rows, or all, must-links or cannot-links by the truth; then the share `flipped` of them is made
/// wrong, so that the questions do not depend on it.
fn uniform_pairs(truth: &[usize], n: usize, flipped: f64, rng: &mut Rng) -> Result<Constraints> {
    let rows = truth.len();
    let all = rows * rows.saturating_sub(1) / 2;
    let mut asked: Vec<[usize; 2]> = rng.sample(all, n.min(all)).into_iter().map(pair_of).collect();
    rng.shuffle(&mut asked);
    let wrong = (flipped * asked.len() as f64).round() as usize;
    let mut constraints = Constraints::new(rows);
    for (place, [a, b]) in asked.into_iter().enumerate() {
        let is_same = (truth[a] == truth[b]) != (place < wrong);
        if is_same {
            constraints.must_link(a, b)?;
        } else {
            constraints.cannot_link(a, b)?;
        }
    }
    Ok(constraints)
}

/// The pair a < b with this number, where (a, b) has the number b (b - 1) / 2 + a.
fn pair_of(number: usize) -> [usize; 2] {
    let mut b = f64::midpoint(1.0, (1.0 + 8.0 * number as f64).sqrt()) as usize;
    while b * (b - 1) / 2 > number {
        b -= 1;
    }
    while b * (b + 1) / 2 <= number {
        b += 1;
    }
    [number - b * (b - 1) / 2, b]
}

/// The labels of `per_class` rows of every class, or of all rows of a smaller one.
fn labels(truth: &[usize], per_class: usize, rng: &mut Rng) -> Result<Constraints> {
    let mut constraints = Constraints::new(truth.len());
    let mut rows: Vec<usize> = (0..truth.len()).collect();
    rng.shuffle(&mut rows);
    let mut labelled = vec![0; truth.iter().max().map_or(0, |last| last + 1)];
    for row in rows {
        let class = truth[row];
        if labelled[class] < per_class {
            labelled[class] += 1;
            constraints.add_label(row, &class.to_string(), 1.0, None)?;
        }
    }
    Ok(constraints)
}

/// The number of random pairs: at least what one for every two classes takes, at most all.
fn random_pairs(truth: &[usize], per_row: f64) -> usize {
    let mut classes = truth.to_vec();
    classes.sort_unstable();
    classes.dedup();
    let pairs = |n: usize| n * n.saturating_sub(1) / 2;
    let asked = (per_row * truth.len() as f64).round() as usize;
    asked.max(pairs(classes.len())).min(pairs(truth.len()))
}
