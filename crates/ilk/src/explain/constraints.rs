//! How much constraints tell, and how well they go together and with the points.

use ndarray::ArrayView1;

use crate::Result;
use crate::error::check_length;
use crate::group::Label;
use crate::numerics::distances::dot;
use crate::numerics::rng::rng_stream;
use crate::outcome::{Clustering, ConstraintReport, PointConfidence};
use crate::problem::{ConstraintKind, Constraints, Points};

/// Constraints at odds with the points that are named, at most.
pub const MAX_AT_ODDS: usize = 10;

/// Must-links, and cannot-links, between which overlaps are looked for, at most.
const MAX_SEGMENTS: usize = 500;

/// Measures of a set of constraints, before it is used.
///
/// The first two are those of Davidson, Wagstaff and Basu ("Measuring constraint-set utility for partitional
/// clustering algorithms", 2006), who found that sets of constraints with much of both help most.
#[derive(Debug, Clone, PartialEq)]
pub struct ConstraintUtility {
    /// The share of the constraints that clusters found without them violate: what they tell beyond the points.
    pub informativeness: f64,
    /// Constraints that were counted for that.
    pub n_constraints: usize,
    /// The share of the pairs of a must-link and a cannot-link that do not overlap: as segments between their two points,
    /// neither covers a part of the other when it is projected onto its line. Where they overlap, one says that a
    /// direction joins and the other that it separates. None without both kinds.
    pub coherence: Option<f64>,
    /// The constraints that the clusters without them violate most surely, the surest first: at most [`MAX_AT_ODDS`]. Either
    /// they tell most, or they are wrong.
    pub at_odds: Vec<AtOdds>,
}

/// A constraint that speaks against what the points alone suggest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AtOdds {
    /// Its kind.
    pub kind: ConstraintKind,
    /// Which of its kind, a position in the list of [`Constraints`].
    pub entry: usize,
    /// How sure the clusters without constraints are against it, from 0 to 1.
    pub certainty: f64,
}

impl ConstraintUtility {
    /// The measures of constraints about `points`; `without` are clusters of them that were found without constraints. Of
    /// many must-links and cannot-links a sample is compared, drawn by `seed`. None where there are no constraints.
    ///
    /// ```
    /// use ilk::explain::ConstraintUtility;
    /// use ilk::method::{Auto, Method};
    /// use ilk::observe::Silent;
    /// use ilk::parameter::AutoOr;
    /// use ilk::problem::{Constraints, Points, Problem};
    ///
    /// let rows: Vec<Vec<f64>> = (0..40).map(|i| vec![f64::from(i % 2) * 9.0, f64::from(i) / 40.0]).collect();
    /// let points = Points::from_rows(&rows)?;
    /// let mut constraints = Constraints::new(40);
    /// constraints.must_link(0, 2)?.cannot_link(0, 1)?.must_link(4, 5)?;
    /// let auto = Auto { n_fits: AutoOr::Fixed(3), ..Auto::default() };
    /// let without = auto.fit(&Problem::new(points.clone(), Constraints::new(40))?, &Silent)?.clustering;
    /// let utility = ConstraintUtility::new(&points, &constraints, &without, 0)?.expect("there are constraints");
    /// // Points 4 and 5 lie in different groups.
    /// assert_eq!(utility.informativeness, 1.0 / 3.0);
    /// assert_eq!((utility.at_odds.len(), utility.at_odds[0].entry), (1, 1));
    /// # Ok::<(), ilk::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongLength`](crate::Error::WrongLength) where constraints, clusters and points are not about as many points.
    pub fn new(
        points: &Points,
        constraints: &Constraints,
        without: &Clustering,
        seed: u64,
    ) -> Result<Option<Self>> {
        check_length("the list of points of the constraints", constraints.n(), points.len())?;
        check_length("the list of labels", without.labels.len(), points.len())?;
        let report = ConstraintReport::new(constraints, &without.labels);
        let (broken, n_constraints) = (report.broken(), report.kept() + report.broken());
        if n_constraints == 0 {
            return Ok(None);
        }
        let mut at_odds: Vec<AtOdds> = report
            .kinds
            .iter()
            .flat_map(|report| report.broken.iter().map(|&entry| (report.kind, entry)))
            .map(|(kind, entry)| {
                let named = constraints.points_of(kind, entry).unwrap_or_default();
                AtOdds { kind, entry, certainty: certainty_against(kind, named, without) }
            })
            .collect();
        at_odds.sort_by(|a, b| b.certainty.total_cmp(&a.certainty));
        at_odds.truncate(MAX_AT_ODDS);
        Ok(Some(Self {
            informativeness: broken as f64 / n_constraints as f64,
            n_constraints,
            coherence: coherence(points, constraints, seed),
            at_odds,
        }))
    }
}

/// How sure clusters are that a constraint on these points, which they violate, does not hold.
fn certainty_against(kind: ConstraintKind, named: &[usize], found: &Clustering) -> f64 {
    let Some(confidence) = &found.confidence else { return 1.0 };
    match (kind, named) {
        (ConstraintKind::MustLink, &[a, b]) => 1.0 - same_cluster(confidence, &found.labels, a, b),
        (ConstraintKind::CannotLink, &[a, b]) => same_cluster(confidence, &found.labels, a, b),
        (_, points) => points.iter().map(|&point| confidence.confidence[point]).product(),
    }
}

/// The probability that two points share a cluster, if what a point's cluster leaves is that of its runner-up.
fn same_cluster(confidence: &PointConfidence, labels: &[Label], a: usize, b: usize) -> f64 {
    let of = |point: usize| {
        let sure = confidence.confidence[point];
        [(labels[point], sure), (confidence.runner_up[point], 1.0 - sure)]
    };
    let (of_a, of_b) = (of(a), of(b));
    let both = of_a.iter().flat_map(|a| of_b.iter().map(move |b| (a, b)));
    both.filter(|(a, b)| a.0.is_some() && a.0 == b.0).map(|(a, b)| a.1 * b.1).sum()
}

/// The share of the pairs of a must-link and a cannot-link that do not overlap.
fn coherence(points: &Points, constraints: &Constraints, seed: u64) -> Option<f64> {
    let segments = |kind: ConstraintKind, stream: u64| -> Vec<Segment<'_>> {
        let n = constraints.count(kind);
        let drawn = rng_stream(seed, stream).sorted_sample(n, n.min(MAX_SEGMENTS));
        let named = drawn.into_iter().filter_map(|entry| constraints.points_of(kind, entry));
        named.map(|named| Segment { ends: [points.row(named[0]), points.row(named[1])] }).collect()
    };
    let must_links = segments(ConstraintKind::MustLink, 0);
    let cannot_links = segments(ConstraintKind::CannotLink, 1);
    let n_pairs = must_links.len() * cannot_links.len();
    let apart = must_links
        .iter()
        .flat_map(|must| cannot_links.iter().map(move |cannot| (must, cannot)))
        .filter(|(must, cannot)| !must.is_covered_by(cannot) && !cannot.is_covered_by(must))
        .count();
    (n_pairs > 0).then(|| apart as f64 / n_pairs as f64)
}

/// The line between the two points of a pair.
struct Segment<'a> {
    ends: [&'a [f64]; 2],
}

impl Segment<'_> {
    /// Whether `other`, projected onto the line of this segment, covers a part of it that has a length.
    fn is_covered_by(&self, other: &Self) -> bool {
        let [from, to] = self.ends.map(ArrayView1::from);
        let direction = (&to - &from).to_vec();
        let length_sq = dot(&direction, &direction);
        if length_sq == 0.0 {
            return false;
        }
        let place = |x: &[f64]| {
            let from_start = (&ArrayView1::from(x) - &from).to_vec();
            dot(&from_start, &direction) / length_sq
        };
        let [a, b] = other.ends.map(place);
        a.max(b).min(1.0) > a.min(b).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(rows: &[[f64; 2]]) -> Points {
        Points::from_rows(&rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn segments_are_incoherent_where_a_projection_covers_a_part() {
        // A must-link along x from 0 to 2, and cannot-links: beside it (x from 3 to 5), over it (x from 1 to 4, higher up),
        // and orthogonal to it, where its projection is a point.
        let places = points(&[
            [0.0, 0.0],
            [2.0, 0.0],
            [3.0, 0.0],
            [5.0, 0.0],
            [1.0, 7.0],
            [4.0, 7.0],
            [1.0, 1.0],
            [1.0, 3.0],
        ]);
        let of = |cannot_links: &[[usize; 2]]| {
            let mut constraints = Constraints::new(8);
            constraints.must_link(0, 1).unwrap();
            for &[a, b] in cannot_links {
                constraints.cannot_link(a, b).unwrap();
            }
            coherence(&places, &constraints, 0)
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[[2, 3]]), Some(1.0));
        assert_eq!(of(&[[4, 5]]), Some(0.0));
        assert_eq!(of(&[[6, 7]]), Some(1.0));
        assert_eq!(of(&[[2, 3], [4, 5], [5, 4], [6, 7]]), Some(2.0 / 3.0));
    }

    #[test]
    fn two_points_share_a_cluster_by_their_own_and_their_next_one() {
        let confidence =
            PointConfidence { confidence: vec![0.9, 0.8], runner_up: vec![Some(1), Some(2)] };
        let same = |labels: [Label; 2]| same_cluster(&confidence, &labels, 0, 1);
        assert!((same([Some(0), Some(0)]) - 0.9 * 0.8).abs() < 1e-12);
        assert!((same([Some(0), Some(1)]) - 0.1 * 0.8).abs() < 1e-12);
        assert!((same([Some(2), Some(1)]) - (0.9 * 0.2 + 0.1 * 0.8)).abs() < 1e-12);
        assert_eq!(same([None, None]), 0.0);
    }
}
