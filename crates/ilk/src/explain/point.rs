//! Why a point is where it is.

use crate::group::Label;
use crate::numerics::distances::dist_sq;
use crate::outcome::ConstraintReport;
use crate::problem::{ConstraintKind, Constraints, Points};
use crate::{Error, Result};

use super::cluster_sizes;
use super::features::FeatureStatistics;

/// Rows that are near to a point: as many are listed, and of every cluster as many are taken for its distance.
pub const N_NEAREST: usize = 10;

/// Why a point is in its cluster, and what would change it.
#[derive(Debug, Clone, PartialEq)]
pub struct PointExplanation {
    /// The point.
    pub point: usize,
    /// Its cluster; none where it belongs to none.
    pub cluster: Label,
    /// The mean distance to the [`N_NEAREST`] nearest other rows of its cluster, or to all where it has fewer; none
    /// where there is no other.
    pub distance: Option<f64>,
    /// The [`N_NEAREST`] nearest other rows, nearest first.
    pub nearest: Vec<NearRow>,
    /// The constraints that name it, and then those that name a point of its must-link component.
    pub constraints: Vec<ConcerningConstraint>,
    /// The cluster that it would belong to next; none where there is no other.
    pub runner_up: Option<RunnerUp>,
}

/// A row near a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearRow {
    /// The row.
    pub row: usize,
    /// Its distance.
    pub distance: f64,
    /// Its cluster.
    pub cluster: Label,
}

/// A constraint that concerns a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConcerningConstraint {
    /// Its kind.
    pub kind: ConstraintKind,
    /// Which of its kind, a position in the list of [`Constraints`].
    pub entry: usize,
    /// Whether it names the point itself, not only a point of its must-link component.
    pub is_direct: bool,
    /// Whether the labels satisfy it.
    pub is_kept: bool,
    /// Whether it stands against the runner-up: a must-link with a point of its cluster or the label of the point,
    /// and a cannot-link between its component and a point of the runner-up.
    pub is_against_runner_up: bool,
}

/// The cluster that a point would belong to next.
#[derive(Debug, Clone, PartialEq)]
pub struct RunnerUp {
    /// Its number.
    pub cluster: usize,
    /// The mean distance to the [`N_NEAREST`] nearest rows of it, or to all where it has fewer.
    pub distance: f64,
    /// The nearest row of it: a must-link with that row would say that the point belongs there.
    pub nearest_row: usize,
    /// For each feature the value at which the point would be as near to the mean of the runner-up as to that of its
    /// own cluster, all other values being equal; the smallest change first. None where it is nearer to the mean of
    /// the runner-up already: then the shape of the clusters or the constraints decided. Features in which the means
    /// agree are left out.
    pub shifts: Vec<FeatureShift>,
}

/// A change of one value that would bring a point as near to another cluster as to its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FeatureShift {
    /// The feature, a column of the points.
    pub feature: usize,
    /// The value of the point.
    pub value: f64,
    /// The value at which the distances to both means are equal.
    pub needed: f64,
    /// The change in standard deviations of all rows.
    pub shift: f64,
}

impl PointExplanation {
    /// Explains the cluster of `point`, given the points in the coordinates in which they were grouped. The runner-up is
    /// the one given, such as that of a [`PointConfidence`](crate::outcome::PointConfidence), or else the other cluster
    /// whose nearest rows are nearest. O(n d + n log n).
    ///
    /// # Errors
    /// [`Error::WrongLength`] for labels or constraints on another number of points, [`Error::BadParameter`] for a point
    /// that does not exist, or a cluster whose number is not below that of the points.
    pub fn new(
        points: &Points,
        labels: &[Label],
        constraints: &Constraints,
        point: usize,
        runner_up: Label,
    ) -> Result<Self> {
        let sizes = cluster_sizes(points, labels)?;
        crate::error::check_length(
            "the list of points of the constraints",
            constraints.n(),
            points.len(),
        )?;
        if point >= points.len() {
            let expected = format!("a point below {}", points.len());
            return Err(Error::bad_parameter("point", point, expected));
        }
        let cluster = labels[point];
        let rows = by_distance(points, labels, point);
        let others = ClusterDistance::of_each(&rows, sizes.len());
        let distance = cluster.and_then(|own| others[own]).map(|own| own.distance);
        let is_other = |other: usize| Some(other) != cluster;
        let given = runner_up.filter(|&given| given < sizes.len() && is_other(given));
        let candidates = (0..sizes.len()).filter(|&other| is_other(other));
        let nearest = candidates.filter_map(|other| Some((other, others[other]?)));
        let nearest = nearest.reduce(
            |best, next| {
                if next.1.distance < best.1.distance { next } else { best }
            },
        );
        let runner_up = given.and_then(|given| Some((given, others[given]?))).or(nearest);
        let runner_up = runner_up.map(|(other, to_other)| RunnerUp {
            cluster: other,
            distance: to_other.distance,
            nearest_row: to_other.nearest_row,
            shifts: shifts(points, labels, &sizes, point, other),
        });
        let next = runner_up.as_ref().map(|next| next.cluster);
        Ok(Self {
            point,
            cluster,
            distance,
            constraints: concerning(constraints, labels, point, next),
            nearest: rows.into_iter().take(N_NEAREST).collect(),
            runner_up,
        })
    }
}

/// All other rows, nearest first, ties by number.
fn by_distance(points: &Points, labels: &[Label], point: usize) -> Vec<NearRow> {
    let others = (0..points.len()).filter(|&row| row != point);
    let mut rows: Vec<NearRow> = others
        .map(|row| NearRow {
            row,
            distance: dist_sq(points.row(point), points.row(row)).sqrt(),
            cluster: labels[row],
        })
        .collect();
    rows.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    rows
}

/// How far a cluster is from a point.
#[derive(Debug, Clone, Copy)]
struct ClusterDistance {
    /// The mean distance to its nearest rows.
    distance: f64,
    nearest_row: usize,
}

impl ClusterDistance {
    /// The distance of every cluster, given all rows by distance; none of a cluster without rows.
    fn of_each(rows: &[NearRow], n_clusters: usize) -> Vec<Option<Self>> {
        let mut counts = vec![0_usize; n_clusters];
        let mut of_each: Vec<Option<Self>> = vec![None; n_clusters];
        for row in rows {
            let Some(cluster) = row.cluster.filter(|&cluster| counts[cluster] < N_NEAREST) else {
                continue;
            };
            counts[cluster] += 1;
            let entry =
                of_each[cluster].get_or_insert(Self { distance: 0.0, nearest_row: row.row });
            entry.distance += (row.distance - entry.distance) / counts[cluster] as f64;
        }
        of_each
    }
}

/// The changes that bring a point as near to the mean of `other` as to that of its own cluster.
///
/// With a and b the means of its cluster and of the other, D = |x - a|² - |x - b|² grows by 2 (b_f - a_f) for each unit
/// of x_f, so that D = 0 at x_f - D / (2 (b_f - a_f)).
fn shifts(
    points: &Points,
    labels: &[Label],
    sizes: &[usize],
    point: usize,
    other: usize,
) -> Vec<FeatureShift> {
    let Some(own) = labels[point] else {
        return Vec::new();
    };
    let means = FeatureStatistics::new(points, labels, sizes.len());
    let mean_of = |cluster: usize| -> Vec<f64> {
        (0..points.dims()).map(|f| means.of_cluster(cluster, sizes[cluster], f)).collect()
    };
    let (x, a, b) = (points.row(point), mean_of(own), mean_of(other));
    let difference = dist_sq(x, &a) - dist_sq(x, &b);
    if difference >= 0.0 {
        return Vec::new();
    }
    let of_feature = |feature: usize| {
        let change = -difference / (2.0 * (b[feature] - a[feature]));
        FeatureShift {
            feature,
            value: x[feature],
            needed: x[feature] + change,
            shift: change / means.deviations[feature],
        }
    };
    let mut all: Vec<FeatureShift> =
        (0..points.dims()).map(of_feature).filter(|it| it.shift.is_finite()).collect();
    all.sort_by(|a, b| a.shift.abs().total_cmp(&b.shift.abs()));
    all
}

/// The constraints that name `point`, then those that name another point of its must-link component.
fn concerning(
    constraints: &Constraints,
    labels: &[Label],
    point: usize,
    runner_up: Label,
) -> Vec<ConcerningConstraint> {
    if constraints.is_empty() {
        return Vec::new();
    }
    let closure = constraints.closure();
    let is_of_component = |&other: &usize| closure.are_linked(point, other);
    let in_runner_up = |&other: &usize| runner_up.is_some() && labels[other] == runner_up;
    let mut all = Vec::new();
    for report in &ConstraintReport::new(constraints, labels).kinds {
        for entry in 0..constraints.count(report.kind) {
            let points = constraints.points_of(report.kind, entry).unwrap_or(&[]);
            let is_direct = points.contains(&point);
            if !is_direct && !points.iter().any(is_of_component) {
                continue;
            }
            let is_against_runner_up = match report.kind {
                ConstraintKind::MustLink => {
                    is_direct && points.iter().all(|&other| labels[other] == labels[point])
                }
                ConstraintKind::CannotLink => {
                    points.iter().any(|other| in_runner_up(other) && !is_of_component(other))
                }
                ConstraintKind::Label => is_direct,
                _ => false,
            };
            all.push(ConcerningConstraint {
                kind: report.kind,
                entry,
                is_direct,
                is_kept: report.kept.binary_search(&entry).is_ok(),
                is_against_runner_up,
            });
        }
    }
    all.sort_by_key(|constraint| !constraint.is_direct);
    all
}
