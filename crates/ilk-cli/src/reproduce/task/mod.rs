//! What is measured on, drawn from a seed.

mod protocol;
mod sample;
#[cfg(test)]
mod tests;
mod truth;

pub(crate) use protocol::ConstraintProtocol;
pub(crate) use sample::RowSample;
pub(crate) use truth::{Group, Truth};

use anyhow::{Result, anyhow};
use ilk::datasets::Generator;
use ilk::evaluate::unconstrained;
use ilk::numerics::rng::rng_stream;
use ilk::problem::{Input, Points, Problem};
use ilk_io::{Scale, Scaling};
use serde::Serialize;

use super::folder::Folder;

/// Rows of a set, brought to a scale, and the constraints on them. A seed gives the same rows and the
/// same constraints to every method.
///
/// A digest of it names its cells, so that what was added later is left out of the digest where it is
/// not used.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Task {
    pub(crate) set: Set,
    pub(crate) rows: RowSample,
    pub(crate) scale: FeatureScale,
    // Its name in the digests of recorded cells, some of which are still of today's methods.
    #[serde(rename = "said")]
    pub(crate) constraints: ConstraintProtocol,
    #[serde(skip_serializing_if = "Truth::is_classes")]
    pub(crate) truth: Truth,
    /// Whether the model then places all rows of the set, not just those that were drawn.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) extends: bool,
}

/// Where the data come from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) enum Set {
    /// Made anew for every seed.
    Generated(Generator),
    /// Read from the folder of data.
    #[serde(rename = "Stored")]
    File(&'static str),
    /// The rows of a few classes of a set of that folder, by their labels.
    Classes(&'static str, Group),
}

impl Set {
    /// The set of the folder of data that it comes from.
    pub(crate) fn stored(&self) -> Option<&'static str> {
        match self {
            Self::Generated(_) => None,
            Self::File(name) | Self::Classes(name, _) => Some(name),
        }
    }
}

/// What the values of a row are measured in.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum FeatureScale {
    /// Found on the rows that were drawn.
    Of(Scale),
    /// This, for every column.
    Fixed(f64),
}

/// A problem whose truth is known.
#[derive(Debug, Clone)]
pub(crate) struct Drawn {
    pub(crate) problem: Problem,
    pub(crate) truth: Vec<usize>,
    /// For every row, whether no constraint names it.
    pub(crate) free: Vec<bool>,
    /// For every row, whether no constraint may name it, where half of the rows are such.
    pub(crate) test: Option<Vec<bool>>,
    /// The whole set, where the model is to place it.
    pub(crate) whole: Option<Whole>,
}

/// All rows of a set, on the scale of those that were drawn.
#[derive(Debug, Clone)]
pub(crate) struct Whole {
    pub(crate) points: Points,
    pub(crate) truth: Vec<usize>,
}

/// The stream of random numbers that draws rows; generators and constraints use the first few.
const ROWS: u64 = 100;

impl Task {
    /// A task whose groups are the classes of the set, and whose rows are all that is placed.
    pub(crate) fn new(
        set: Set,
        rows: RowSample,
        scale: FeatureScale,
        constraints: ConstraintProtocol,
    ) -> Self {
        Self { set, rows, scale, constraints, truth: Truth::Classes, extends: false }
    }

    /// The problem of a seed.
    pub(crate) fn draw(&self, folder: &Folder, seed: u64) -> Result<Drawn> {
        let (all, classes, labels) = self.set.make(folder, seed)?;
        let rows = match &all {
            Input::Points(_) => self.rows.draw(&classes, &mut rng_stream(seed, ROWS)),
            // Part of a graph would be another graph.
            Input::Graph(_) | Input::Kernel(_) => (0..classes.len()).collect(),
        };
        let of_rows: Vec<usize> = rows.iter().map(|&row| classes[row]).collect();
        let truths = self.truth.constraint_truths(&of_rows, &labels)?;
        let constraints = self.constraints.draw(&truths, rows.len(), seed)?;
        let free = unconstrained(&constraints);
        let (input, whole) = match all {
            Input::Points(all) => {
                let points = all.select(&rows);
                let scaling = self.scale.fit(&points);
                let whole = if self.extends {
                    Some(Whole {
                        points: scaling.apply(&all)?,
                        truth: self.truth.judged(&classes, &labels)?,
                    })
                } else {
                    None
                };
                (Input::Points(scaling.apply(&points)?), whole)
            }
            other => (other, None),
        };
        Ok(Drawn {
            problem: Problem::new(input, constraints)?,
            truth: self.truth.judged(&of_rows, &labels)?,
            free,
            test: self.constraints.test_half(rows.len(), seed),
            whole,
        })
    }
}

impl Set {
    /// Points or a graph, their classes, and the label of every class.
    fn make(&self, folder: &Folder, seed: u64) -> Result<(Input, Vec<usize>, Vec<String>)> {
        match self {
            Self::Generated(generator) => {
                let set = generator.generate(seed)?;
                let classes = set.labels.iter().max().map_or(0, |most| most + 1);
                let labels = (0..classes).map(|class| class.to_string()).collect();
                Ok((set.input()?, set.labels, labels))
            }
            Self::File(name) => {
                let set = folder.set(name).ok_or_else(|| anyhow!("the set {name} was not read"))?;
                Ok((set.input.clone(), set.classes.clone(), set.labels.clone()))
            }
            Self::Classes(name, only) => {
                let (input, classes, labels) = Self::File(name).make(folder, seed)?;
                let Input::Points(points) = input else {
                    return Err(anyhow!("{name} is not a table of points"));
                };
                let is_kept = |row: &usize| only.contains(&labels[classes[*row]].as_str());
                let rows: Vec<usize> = (0..classes.len()).filter(is_kept).collect();
                let number = |row: usize| {
                    let label = &labels[classes[row]];
                    only.iter().position(|kept| kept == label).unwrap_or(0)
                };
                let classes = rows.iter().map(|&row| number(row)).collect();
                let labels = only.iter().map(|&label| label.to_owned()).collect();
                Ok((Input::Points(points.select(&rows)), classes, labels))
            }
        }
    }
}

impl FeatureScale {
    fn fit(self, points: &Points) -> Scaling {
        match self {
            Self::Of(scale) => scale.fit(points),
            Self::Fixed(unit) => {
                Scaling { factor: vec![unit; points.dims()], ..Scaling::identity(points.dims()) }
            }
        }
    }
}
