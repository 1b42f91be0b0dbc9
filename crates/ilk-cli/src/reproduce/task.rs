//! What is measured on, drawn from a seed.

use anyhow::{Result, anyhow};
use ilk::datasets::{Answers, Generator};
use ilk::numerics::rng::{Rng, rng_stream};
use ilk::problem::{Constraints, Points, Problem};
use ilk_io::Scale;
use serde::Serialize;

use super::folder::Folder;

/// Rows of a set, brought to a scale, and what is said about them. A seed gives the same rows and the
/// same answers to every method.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Task {
    pub(crate) set: Set,
    pub(crate) rows: Rows,
    /// Applied to the rows that were drawn.
    pub(crate) scale: Scale,
    pub(crate) said: Said,
}

/// Where the data come from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) enum Set {
    /// Made anew for every seed.
    Generated(Generator),
    /// Read from the folder of data.
    Stored(&'static str),
}

/// Which rows are taken.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) enum Rows {
    All,
    /// This many different ones.
    Some(usize),
    /// This many, the same row more than once perhaps.
    WithReplacement(usize),
    /// This many different ones, those of a class with a weight: from `retention` for the first class
    /// to 1 for the last, in equal steps, the classes in random order.
    Imbalanced {
        n: usize,
        retention: f64,
    },
}

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
}

/// A problem whose truth is known.
#[derive(Debug, Clone)]
pub(crate) struct Drawn {
    pub(crate) problem: Problem,
    pub(crate) truth: Vec<usize>,
}

/// The stream of random numbers that draws rows; generators and answers use the first few.
const ROWS: u64 = 100;

impl Task {
    /// The problem of a seed.
    pub(crate) fn draw(&self, folder: &Folder, seed: u64) -> Result<Drawn> {
        let (all, classes) = match &self.set {
            Set::Generated(generator) => {
                let set = generator.generate(seed)?;
                let points = set
                    .points()
                    .ok_or_else(|| anyhow!("{} is a graph, not a table of points", set.name))?;
                (Points::new(points.clone())?, set.labels)
            }
            Set::Stored(name) => {
                let set = folder
                    .set(name)
                    .ok_or_else(|| anyhow!("the set {name} was not read"))?;
                (set.points.clone(), set.classes.clone())
            }
        };
        let rows = self.rows.draw(&classes, &mut rng_stream(seed, ROWS));
        let points = all.select(&rows);
        let points = self.scale.fit(&points).apply(&points)?;
        let truth: Vec<usize> = rows.iter().map(|&row| classes[row]).collect();
        let said = self.said.draw(&truth, seed)?;
        Ok(Drawn {
            problem: Problem::new(points, said)?,
            truth,
        })
    }
}

impl Rows {
    /// The same with at most `most` rows.
    pub(super) fn at_most(self, most: usize) -> Self {
        match self {
            Self::All => Self::Some(most),
            Self::Some(n) => Self::Some(n.min(most)),
            Self::WithReplacement(n) => Self::WithReplacement(n.min(most)),
            Self::Imbalanced { n, retention } => Self::Imbalanced {
                n: n.min(most),
                retention,
            },
        }
    }

    fn draw(self, classes: &[usize], rng: &mut Rng) -> Vec<usize> {
        let all = classes.len();
        match self {
            Self::All => (0..all).collect(),
            Self::Some(n) => rng.sample(all, n),
            Self::WithReplacement(n) => (0..n).map(|_| rng.below(all)).collect(),
            Self::Imbalanced { n, retention } => imbalanced(classes, n, retention, rng),
        }
    }
}

/// `n` different rows, each step's choice in proportion to the weights of those left. That is the order
/// of -ln(u) / w for u uniform (Efraimidis and Spirakis 2006).
fn imbalanced(classes: &[usize], n: usize, retention: f64, rng: &mut Rng) -> Vec<usize> {
    let mut order: Vec<usize> = classes.to_vec();
    order.sort_unstable();
    order.dedup();
    rng.shuffle(&mut order);
    let last = order.len().saturating_sub(1).max(1) as f64;
    let mut weight_of = vec![0.0; order.iter().max().map_or(0, |most| most + 1)];
    for (place, &class) in order.iter().enumerate() {
        weight_of[class] = retention + (1.0 - retention) * place as f64 / last;
    }
    let mut keyed: Vec<(f64, usize)> = classes
        .iter()
        .enumerate()
        .map(|(row, &class)| (-(1.0 - rng.uniform()).ln() / weight_of[class], row))
        .collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    keyed.into_iter().take(n).map(|(_, row)| row).collect()
}

impl Said {
    fn draw(self, truth: &[usize], seed: u64) -> Result<Constraints> {
        let Self::Pairs { per_row, flipped } = self else {
            return Ok(Constraints::new(truth.len()));
        };
        let mut classes = truth.to_vec();
        classes.sort_unstable();
        classes.dedup();
        let pairs = |n: usize| n * n.saturating_sub(1) / 2;
        let asked = (per_row * truth.len() as f64).round() as usize;
        let answers = Answers {
            n_pairs: asked.max(pairs(classes.len())).min(pairs(truth.len())),
            noise: flipped,
            ..Answers::default()
        };
        let known: Vec<Option<usize>> = truth.iter().copied().map(Some).collect();
        Ok(answers.draw(&known, seed)?.constraints)
    }
}
