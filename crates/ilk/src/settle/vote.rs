//! New points.

use serde::{Deserialize, Serialize};

use super::start::by_appearance;
use super::weights::weigh;
use crate::group::Label;
use crate::numerics::neighbors::{Neighbor, Neighbors};
use crate::problem::Points;
use crate::{Error, Result};

/// Settled points, which place new ones: the nearest of them vote with the weights that they have in
/// settling, and the label with most weight wins; of equal ones, that of the nearest.
///
/// Neighbours without a cluster do not vote; a point that has no others belongs to none. A point that
/// lies on settled ones gets their label, so that training points get back what settling gave
/// them. Where settling gave points in one place different labels (must-links can do that), no
/// answer is right for all: the most common of them wins, then the one of the first point.
///
/// ```
/// use ilk::problem::Points;
/// use ilk::settle::Vote;
///
/// let space = Points::from_rows(&[vec![0.0], vec![1.0], vec![8.0], vec![9.0]])?;
/// let vote = Vote::new(&space, &[Some(0), Some(0), Some(1), None], 3)?;
/// let new = Points::from_rows(&[vec![2.0], vec![7.0], vec![9.0]])?;
/// assert_eq!(vote.predict(&new)?, [Some(0), Some(1), None]);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Vote {
    space: Points,
    labels: Vec<Label>,
    neighbors: usize,
    /// Up to this squared distance two places are one.
    same_sq: f64,
}

/// How a vote is written to a file.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Vote", deny_unknown_fields)]
struct Stored {
    dims: usize,
    coordinates: Vec<f64>,
    labels: Vec<Label>,
    neighbors: usize,
    same_sq: f64,
}

impl From<Vote> for Stored {
    fn from(vote: Vote) -> Self {
        Self {
            dims: vote.space.dims(),
            coordinates: vote.space.as_slice().to_vec(),
            labels: vote.labels,
            neighbors: vote.neighbors,
            same_sq: vote.same_sq,
        }
    }
}

impl TryFrom<Stored> for Vote {
    type Error = Error;

    fn try_from(stored: Stored) -> Result<Self> {
        let rows = stored.labels.len();
        let space = Points::from_shape(rows, stored.dims, stored.coordinates)?;
        let vote = Self::new(&space, &stored.labels, stored.neighbors)?;
        let same_sq = stored.same_sq.max(0.0);
        Ok(Self { same_sq, ..vote })
    }
}

impl Vote {
    /// Lets `neighbors` of the points of `space`, with their settled `labels`, place new points.
    ///
    /// # Errors
    /// [`Error::WrongLength`] where there is not a label a point, [`Error::BadParameter`] where
    /// nobody would vote.
    pub fn new(space: &Points, labels: &[Label], neighbors: usize) -> Result<Self> {
        super::all_of(space.len(), labels.len(), "the list of labels")?;
        if neighbors == 0 {
            return Err(Error::BadParameter {
                parameter: "neighbors",
                value: "0".to_owned(),
                expected: "at least one is needed".to_owned(),
            });
        }
        Ok(Self {
            space: space.clone(),
            labels: labels.to_vec(),
            neighbors,
            same_sq: 0.0,
        })
    }

    /// For points that come out of computation, not out of a file: places that differ by rounding
    /// alone, 1e-9 of the largest coordinate, are the same.
    #[must_use]
    pub fn up_to_rounding(mut self) -> Self {
        let largest = self
            .space
            .as_slice()
            .iter()
            .fold(0.0, |m: f64, x| m.max(x.abs()));
        self.same_sq = (1e-9 * largest).powi(2);
        self
    }

    /// Number of dimensions.
    pub fn dims(&self) -> usize {
        self.space.dims()
    }

    /// Number of clusters.
    pub fn n_clusters(&self) -> usize {
        by_appearance(&self.labels).1
    }

    /// The clusters of new points.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`].
    pub fn predict(&self, points: &Points) -> Result<Vec<Label>> {
        if points.dims() != self.dims() {
            return Err(Error::WrongDimensions {
                found: points.dims(),
                expected: self.dims(),
            });
        }
        let index = Neighbors::new(self.space.view());
        let table = index.nearest_each(points.view(), self.neighbors);
        let place = |point: usize| {
            let row = table.row(point);
            match row.first() {
                Some(nearest) if nearest.dist_sq <= self.same_sq => {
                    let here = index.within(points.row(point), self.same_sq.sqrt());
                    most(here.iter().map(|same| (self.labels[same.index], 1.0)))
                }
                _ => self.elect(row),
            }
        };
        Ok((0..points.len()).map(place).collect())
    }

    fn elect(&self, row: &[Neighbor]) -> Label {
        let voters = row.iter().zip(weigh(row));
        let votes = voters.map(|(voter, weight)| (self.labels[voter.index], weight));
        most(votes.filter(|(label, _)| label.is_some()))
    }
}

/// The label with most weight, of equal ones the first.
fn most(votes: impl Iterator<Item = (Label, f64)>) -> Label {
    let mut totals: Vec<(Label, f64)> = Vec::new();
    for (label, weight) in votes {
        match totals.iter_mut().find(|(known, _)| *known == label) {
            Some((_, total)) => *total += weight,
            None => totals.push((label, weight)),
        }
    }
    let better =
        |best: (Label, f64), other: (Label, f64)| if other.1 > best.1 { other } else { best };
    totals
        .into_iter()
        .reduce(better)
        .and_then(|(label, _)| label)
}
