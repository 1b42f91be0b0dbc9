//! What an animation shows: places of centres, frame by frame, small enough for a page.

use anyhow::{Context, Result};
use ilk::group::Label;
use ilk::ndarray::Array2;
use ilk::numerics::distinct_rows::DistinctRows;

use super::{MAX_FRAMES, MAX_LINKS, MAX_POINTS};
use crate::plane::Plane;
use crate::plot::{Axis, same_scale, sample};
use crate::run::Run;

/// Width of the stage by its height.
pub(super) const ASPECT: f64 = 4.0 / 3.0;

/// A run's centres on their way.
#[derive(Debug)]
pub(super) struct Animation {
    /// The frames, the data first.
    pub(super) frames: Vec<Frame>,
    /// The clusters of the points that are shown.
    pub(super) labels: Vec<Label>,
    /// Cannot-links between points that are shown.
    pub(super) links: Vec<[usize; 2]>,
    /// How far a bandwidth of 1 goes along each axis, as shares of the stage.
    pub(super) axis_scale: [f64; 2],
    stage: [Axis; 2],
}

/// One frame.
#[derive(Debug)]
pub(super) struct Frame {
    /// After this many iterations.
    pub(super) iteration: usize,
    /// The bandwidth of the last of them; none before the first.
    pub(super) bandwidth: Option<f64>,
    /// Distinct centres, of all points.
    pub(super) distinct: usize,
    /// Where the centres of the points that are shown lie, in the plane.
    places: Vec<[f64; 2]>,
}

impl Animation {
    pub(super) fn of(run: &Run, plane: &Plane<'_>) -> Result<Self> {
        let found = &run.fit.clustering;
        let cannot = run.constraints().cannot_links().iter();
        let mut links: Vec<[usize; 2]> = cannot.take(MAX_LINKS).map(|pair| pair.points).collect();
        let ends: Vec<usize> = links.iter().flatten().copied().collect();
        let shown = sample(run.labels(), &ends, MAX_POINTS);
        links.retain_mut(|link| {
            let found = link.map(|end| shown.binary_search(&end));
            let [Ok(a), Ok(b)] = found else { return false };
            *link = [a, b];
            true
        });

        let points = plane.points()?;
        let along = |axis: usize| Axis::around(points.iter().map(move |point| point[axis]));
        let stage = same_scale([along(0), along(1)], [ASPECT, 1.0]);
        let axis_scale = plane.axis_scale();
        let axis_scale = [0, 1].map(|axis| axis_scale[axis] / stage[axis].half() / 2.0);

        let take = |places: &[[f64; 2]]| shown.iter().map(|&point| places[point]).collect();
        let start = run.loaded.data.table().map(|table| &table.points);
        let start = start.context("only the centres of points move")?;
        let mut frames = vec![Frame {
            iteration: 0,
            bandwidth: None,
            distinct: DistinctRows::new(start.view()).len(),
            places: take(&points),
        }];
        for (iteration, bandwidth, centers) in snapshots(run) {
            frames.push(Frame {
                iteration,
                bandwidth: Some(bandwidth),
                distinct: DistinctRows::new(centers.view()).len(),
                places: take(&plane.rows(centers.view())?),
            });
        }
        Ok(Self {
            frames,
            labels: shown.iter().map(|&point| found.labels[point]).collect(),
            links,
            axis_scale,
            stage,
        })
    }

    /// The places of a frame as text: x and y of each point, with two digits of base 64 for each.
    pub(super) fn code(&self, frame: &Frame) -> String {
        const DIGITS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let mut text = String::with_capacity(4 * frame.places.len());
        for place in &frame.places {
            for (axis, &value) in self.stage.iter().zip(place) {
                let step = (axis.place(value) * 4095.0).round() as usize;
                for digit in [step / 64, step % 64] {
                    text.push(char::from(DIGITS[digit.min(63)]));
                }
            }
        }
        text
    }
}

/// The snapshots that are shown, the end of the run last.
fn snapshots(run: &Run) -> Vec<(usize, f64, &Array2<f64>)> {
    let found = &run.fit.clustering;
    let kept = found.history.iter();
    let mut all: Vec<_> =
        kept.map(|snapshot| (snapshot.iteration, snapshot.bandwidth, &snapshot.centers)).collect();
    let is_whole = all.last().is_some_and(|last| last.0 == found.iterations);
    if let (false, Some(final_positions), Some(bandwidth)) =
        (is_whole, &found.final_positions, found.bandwidth)
    {
        all.push((found.iterations, bandwidth, final_positions));
    }
    let room = MAX_FRAMES - 1;
    if all.len() <= room {
        return all;
    }
    let last = all.len() - 1;
    (0..room).map(|at| all[at * last / (room - 1)]).collect()
}
