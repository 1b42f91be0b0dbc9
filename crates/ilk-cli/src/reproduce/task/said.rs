//! What is said about the rows.

use anyhow::Result;
use ilk::datasets::Answers;
use ilk::numerics::rng::rng_stream;
use ilk::problem::{ConstraintKind, Constraints};
use serde::Serialize;

/// What is said about the rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) enum Said {
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
    /// Odd-one-outs, and threes of one class or of three classes that are about equally different.
    Comparisons {
        odd: usize,
        equal: usize,
    },
}

/// The stream of random numbers that splits rows into halves.
const HALVES: u64 = 101;

/// Answers by a second truth are of another seed, so that the two are independent.
const SECOND: u64 = 1 << 63;

impl Said {
    /// The same with at most so many labelled rows a class, and comparisons.
    pub(in crate::reproduce) fn at_most(self, labelled: usize, comparisons: usize) -> Self {
        match self {
            Self::Nothing | Self::Pairs { .. } | Self::HalfPairs { .. } => self,
            Self::Labelled { per_class, flipped } => Self::Labelled {
                per_class: per_class.min(labelled),
                flipped,
            },
            Self::AsManyComparisons { per_class } => Self::AsManyComparisons {
                per_class: per_class.min(labelled),
            },
            Self::Comparisons { odd, equal } => Self::Comparisons {
                odd: odd.min(comparisons),
                equal: equal.min(comparisons),
            },
        }
    }

    /// The rows about which nothing may be said, where a half of them is kept for testing.
    pub(super) fn test_half(self, n: usize, seed: u64) -> Option<Vec<bool>> {
        let Self::HalfPairs { .. } = self else {
            return None;
        };
        let mut rows: Vec<usize> = (0..n).collect();
        rng_stream(seed / 2, HALVES).shuffle(&mut rows);
        let (first, second) = rows.split_at(n / 2);
        let mut test = vec![false; n];
        for &row in if seed.is_multiple_of(2) {
            second
        } else {
            first
        } {
            test[row] = true;
        }
        Some(test)
    }

    /// What those say who know the truths, one person each.
    pub(super) fn draw(self, truths: &[Vec<usize>], n: usize, seed: u64) -> Result<Constraints> {
        let mut all = Constraints::new(n);
        for (truth, seed) in truths.iter().zip([seed, seed ^ SECOND]) {
            let said = self.by(truth, seed)?;
            for kind in ConstraintKind::ALL {
                for entry in 0..said.count(kind) {
                    if let Some(points) = said.points_of(kind, entry) {
                        all.add(kind, points, 1.0, None)?;
                    }
                }
            }
        }
        Ok(all)
    }

    fn by(self, truth: &[usize], seed: u64) -> Result<Constraints> {
        let test = self.test_half(truth.len(), seed);
        let is_known = |row: usize| test.as_ref().is_none_or(|test| !test[row]);
        let known: Vec<Option<usize>> = truth
            .iter()
            .enumerate()
            .map(|(row, &class)| is_known(row).then_some(class))
            .collect();
        let draw = |answers: Answers| answers.draw(&known, seed).map(|drawn| drawn.constraints);
        let labelled = |per_class, noise| Answers {
            per_class,
            noise,
            ..Answers::default()
        };
        let answers = match self {
            Self::Nothing => Answers::default(),
            Self::Pairs { per_row, flipped } => Answers {
                n_pairs: random_pairs(truth, per_row),
                noise: flipped,
                ..Answers::default()
            },
            Self::HalfPairs { n } => Answers {
                n_pairs: n,
                ..Answers::default()
            },
            Self::Labelled { per_class, flipped } => labelled(per_class, flipped),
            Self::AsManyComparisons { per_class } => {
                let pairs = draw(labelled(per_class, 0.0))?;
                Answers {
                    n_triplets: pairs.must_links().len() + pairs.cannot_links().len(),
                    ..Answers::default()
                }
            }
            Self::Comparisons { odd, equal } => Answers {
                n_triplets: odd,
                n_equal: equal,
                ..Answers::default()
            },
        };
        Ok(draw(answers)?)
    }
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
