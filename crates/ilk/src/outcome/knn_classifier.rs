//! Labels of new points by their nearest neighbours.

use serde::{Deserialize, Serialize};

use crate::error::stored::{ensure_below, ensure_not_negative};
use crate::error::{check_dims, check_length};
use crate::group::{Grouping, Label};
use crate::numerics::cached::Cached;
use crate::numerics::distances::dist_sq;
use crate::numerics::extrema::heaviest;
use crate::numerics::neighbors::{Neighbor, Neighbors};
use crate::problem::Points;
use crate::refine::default_neighbors;
use crate::similarity::neighbor_weights;
use crate::{Error, Result};

/// How many times as far as the nearest place all others are, squared, where its label alone counts.
const ALONE_SQ: f64 = 100.0;

/// A weighted k-nearest-neighbour classifier on labelled points. The neighbours of a new point have
/// the weights w_j = exp(-(d_j / d_k)²), as in [`Refine`](crate::refine::Refine), and the label with the
/// largest total weight wins; of equal ones, that of the nearest.
///
/// Neighbours without a cluster do not count; a point that has no others gets no cluster. A point
/// that coincides with labelled ones, or lies ten times as near to them as to any others, gets their
/// label, so that training points keep theirs. Points that coincide may have different labels, since
/// constraints can separate them: then the most common one wins, of equal ones that of the first point.
///
/// ```
/// use ilk::outcome::KnnClassifier;
/// use ilk::problem::Points;
///
/// let space = Points::from_rows(&[vec![0.0], vec![1.0], vec![8.0], vec![9.0]])?;
/// let classifier = KnnClassifier::new(&space, &[Some(0), Some(0), Some(1), None], 3)?;
/// let new = Points::from_rows(&[vec![2.0], vec![7.0], vec![9.0]])?;
/// assert_eq!(classifier.predict(&new)?, [Some(0), Some(1), None]);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredKnnClassifier", into = "StoredKnnClassifier")]
pub struct KnnClassifier {
    space: Points,
    labels: Vec<Label>,
    neighbors: usize,
    /// Points up to this squared distance apart coincide.
    same_sq: f64,
    /// Finds the neighbours; made at the first prediction.
    index: Cached<Neighbors>,
}

/// The fields of a [`KnnClassifier`] as a file holds them, not yet checked.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredKnnClassifier {
    dims: usize,
    coordinates: Vec<f64>,
    labels: Vec<Label>,
    neighbors: usize,
    same_sq: f64,
}

impl From<KnnClassifier> for StoredKnnClassifier {
    fn from(classifier: KnnClassifier) -> Self {
        Self {
            dims: classifier.space.dims(),
            coordinates: classifier.space.as_slice().to_vec(),
            labels: classifier.labels,
            neighbors: classifier.neighbors,
            same_sq: classifier.same_sq,
        }
    }
}

impl TryFrom<StoredKnnClassifier> for KnnClassifier {
    type Error = Error;

    fn try_from(stored: StoredKnnClassifier) -> Result<Self> {
        let rows = stored.labels.len();
        let space = Points::from_shape(rows, stored.dims, stored.coordinates)?;
        let labels = stored.labels.iter().copied().flatten();
        ensure_below("the label of a point", labels, rows)?;
        let same_sq = stored.same_sq;
        ensure_not_negative("the squared distance of equal points", [&same_sq])?;
        let classifier = Self::new(&space, &stored.labels, stored.neighbors)?;
        Ok(Self { same_sq, ..classifier })
    }
}

impl KnnClassifier {
    /// Labels new points by their `neighbors` nearest points of `space`, which have these `labels`.
    ///
    /// # Errors
    /// [`Error::WrongLength`] where there is not one label a point, [`Error::BadParameter`] for no
    /// neighbours.
    pub fn new(space: &Points, labels: &[Label], neighbors: usize) -> Result<Self> {
        check_length("the list of labels", labels.len(), space.len())?;
        if neighbors == 0 {
            let expected = "at least one is needed";
            return Err(Error::bad_parameter("neighbors", neighbors, expected));
        }
        Ok(Self {
            space: space.clone(),
            labels: labels.to_vec(),
            neighbors,
            same_sq: 0.0,
            index: Cached::default(),
        })
    }

    /// A classifier with as many neighbours as a refinement of these points would use.
    pub(crate) fn with_default_neighbors(space: &Points, labels: &[Label]) -> Result<Self> {
        Self::new(space, labels, default_neighbors(space.len()))
    }

    /// Lets points that differ by rounding alone coincide: up to 1e-9 of the largest coordinate. For
    /// coordinates that are computed, such as the features of a kernel.
    #[must_use]
    pub fn tolerating_rounding(mut self) -> Self {
        let largest = self.space.as_slice().iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        self.same_sq = (1e-9 * largest).powi(2);
        self
    }

    /// Number of dimensions.
    pub fn dims(&self) -> usize {
        self.space.dims()
    }

    /// Number of clusters.
    pub fn n_clusters(&self) -> usize {
        let last = self.labels.iter().flatten().max();
        last.map_or(0, |last| last + 1)
    }

    /// The clusters of new points.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`].
    pub fn predict(&self, points: &Points) -> Result<Vec<Label>> {
        check_dims(points.dims(), self.dims())?;
        let index = self.index.get(|| Neighbors::new(self.space.view()));
        let table = index.nearest_each(points.view(), self.neighbors);
        let label = |point: usize| {
            let row = table.row(point);
            match row.first() {
                Some(nearest) if nearest.dist_sq <= self.same_sq => {
                    self.label_at(index, points.row(point))
                }
                Some(nearest) if self.is_alone(row) => {
                    self.label_at(index, self.space.row(nearest.index))
                }
                _ => self.classify(row),
            }
        };
        Ok((0..points.len()).map(label).collect())
    }

    /// Whether all of these neighbours, nearest first, are in the place of the first or much farther.
    fn is_alone(&self, row: &[Neighbor]) -> bool {
        let first = row[0];
        let place = self.space.row(first.index);
        row.iter()
            .take_while(|near| near.dist_sq <= ALONE_SQ * first.dist_sq)
            .all(|near| dist_sq(self.space.row(near.index), place) <= self.same_sq)
    }

    /// The most common label of the points in a place.
    fn label_at(&self, index: &Neighbors, place: &[f64]) -> Label {
        let here = index.within(place, self.same_sq.sqrt());
        heaviest_label(here.iter().map(|same| (self.labels[same.index], 1.0)))
    }

    /// The label of a point with these neighbours, nearest first.
    fn classify(&self, row: &[Neighbor]) -> Label {
        let neighbors = row.iter().zip(neighbor_weights(row));
        let weights = neighbors.map(|(neighbor, weight)| (self.labels[neighbor.index], weight));
        heaviest_label(weights.filter(|(label, _)| label.is_some()))
    }
}

/// The label with the largest total weight, of equal ones the first.
fn heaviest_label(weights: impl Iterator<Item = (Label, f64)>) -> Label {
    let mut totals: Vec<(Label, f64)> = Vec::new();
    for (label, weight) in weights {
        match totals.iter_mut().find(|(known, _)| *known == label) {
            Some((_, total)) => *total += weight,
            None => totals.push((label, weight)),
        }
    }
    heaviest(totals).flatten()
}

/// Gives points without a cluster that of their nearest neighbours with one, if there are any. A point alone, which has no
/// part in a graph, is a cluster.
pub(crate) fn assign_unlabelled(space: &Points, grouping: &mut Grouping) -> Result<()> {
    if space.len() == 1 {
        (grouping.labels, grouping.n_clusters) = (vec![Some(0)], 1);
    }
    let labels = &mut grouping.labels;
    let (labelled, unlabelled): (Vec<usize>, Vec<usize>) =
        (0..space.len()).partition(|&point| labels[point].is_some());
    if labelled.is_empty() || unlabelled.is_empty() {
        return Ok(());
    }
    let known: Vec<Label> = labelled.iter().map(|&point| labels[point]).collect();
    let neighbors = default_neighbors(space.len());
    let classifier = KnnClassifier::new(&space.select(&labelled), &known, neighbors)?;
    let predicted = classifier.predict(&space.select(&unlabelled))?;
    for (&point, label) in unlabelled.iter().zip(predicted) {
        labels[point] = label;
    }
    Ok(())
}
