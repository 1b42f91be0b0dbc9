//! The iterations.

use std::sync::atomic::{AtomicBool, Ordering};

use super::params::{CmsKernel, ConstrainedMeanShift};
use super::step::{Samples, Step, View};
use super::{centers::Centers, shifted_centers::ShiftedCenters, weights::Buffer};
use crate::Result;
use crate::group::{Grouping, GroupingAlgorithm, GroupingInput, Snapshot, StopReason, TraceStep};
use crate::numerics::{blocks::BLOCK_LEN, cells::Cells};
use crate::observe::{Observer, Progress};
use crate::problem::{CannotLinkSets, Points};
use crate::similarity::kernel_sums::{KernelSources, PerLane, weighted_sums};

/// Centres this near to each other, in bandwidths, are one.
const COINCIDE: f64 = 1e-9;

/// Centres that end within this many bandwidths of one another belong to one cluster.
pub const COINCIDENT: f64 = 1e-2;

/// A centre whose weights sum to no more than this, beside a point that counts once, stays where it
/// is.
const WEIGHTLESS: f64 = 1e-10;

/// A centre does not move when no coordinate moves by more than this share of itself, plus a length.
const MIN_MOVEMENT: f64 = 1e-4;

/// With more centres than this, progress is also reported within an iteration.
const MANY: usize = 4096;

impl GroupingAlgorithm for ConstrainedMeanShift {
    type Input<'a> = GroupingInput<'a, &'a Points, &'a CannotLinkSets>;
    type Model = ShiftedCenters;

    /// Moves a centre from every point; points whose centres end within [`COINCIDENT`] bandwidths of
    /// one another, by single linkage, are a cluster.
    fn group<'a>(
        &self,
        input: impl Into<Self::Input<'a>>,
        observer: &dyn Observer,
    ) -> Result<(Grouping, ShiftedCenters)> {
        let input = input.into();
        let shifted = self.shift(input.data, input.weights, input.constraints, None, observer)?;
        let labels = shifted.coincident(COINCIDENT).into_iter().map(Some);
        let grouping = shifted.clone().into_grouping(labels.collect());
        Ok((grouping, shifted))
    }
}

impl ConstrainedMeanShift {
    /// Moves a centre from every point. `weights` says how many points each point counts for.
    ///
    /// `new_points` start centres without a sampling point: they are shifted as the others are, and
    /// do not influence them. One that starts at a point has the trajectory of that point's centre.
    pub fn shift(
        &self,
        points: &Points,
        weights: Option<&[f64]>,
        separated: &CannotLinkSets,
        new_points: Option<&Points>,
        observer: &dyn Observer,
    ) -> Result<ShiftedCenters> {
        let (n, dims) = (points.len(), points.dims());
        let mut starts = points.as_slice().to_vec();
        let mut counts = weights.map_or_else(|| vec![1.0; n], <[f64]>::to_vec);
        if let Some(new_points) = new_points {
            starts.extend_from_slice(new_points.as_slice());
            counts.resize(n + new_points.len(), 0.0);
        }
        let largest = counts.iter().copied().fold(0.0, f64::max);
        let run = ConstrainedShiftRun {
            params: self,
            n,
            weightless: WEIGHTLESS * largest.min(1.0),
            samples: Samples::new(points.as_slice(), dims, weights),
            separated,
            progress: Progress::new(observer, "constrained mean shift", self.bandwidths.len()),
        };
        run.iterate(Centers::new(&starts, dims, &counts))
    }
}

struct ConstrainedShiftRun<'a> {
    params: &'a ConstrainedMeanShift,
    /// Number of points, without new points.
    n: usize,
    /// A centre whose weights sum to no more than this stays where it is.
    weightless: f64,
    samples: Samples,
    separated: &'a CannotLinkSets,
    progress: Progress<'a>,
}

impl ConstrainedShiftRun<'_> {
    fn iterate(&self, start: Centers) -> Result<ShiftedCenters> {
        let bandwidths = &self.params.bandwidths;
        let constant = bandwidths.windows(2).all(|pair| pair[0] == pair[1]);
        let mut buffer = Buffer::default();
        let mut trace = Vec::with_capacity(bandwidths.len());
        let mut history = Vec::new();
        let mut stop = StopReason::FixedCount;
        let mut centers = start;
        let mut before = centers.clone();
        let mut last_h = 1.0;
        for (done, &h) in bandwidths.iter().enumerate() {
            let step = Step::new(&centers, self.separated, h);
            let (places, is_final) = self.step(&centers, &step, done + 1, &mut buffer)?;
            let (movement, is_still) = self.movement(&centers, &places);
            let next = centers.moved(&places, Cells::new(COINCIDE * h));
            before = std::mem::replace(&mut centers, next);
            last_h = h;
            trace.push(TraceStep { bandwidth: Some(h), ..TraceStep::new(before.len(), movement) });
            if self.params.keeps(done + 1) {
                history.push(Snapshot {
                    iteration: done + 1,
                    bandwidth: h,
                    centers: centers.of_points(self.n),
                });
            }
            self.report(done + 1, done + 1, movement, Some(centers.len()), h);
            self.progress.check(done + 1)?;
            if is_still && (is_final || constant) {
                stop = StopReason::Converged;
                break;
            }
        }
        Ok(ShiftedCenters {
            params: self.params.clone(),
            separated: self.separated.clone(),
            n: self.n,
            before,
            centers,
            bandwidth: last_h,
            stop,
            trace,
            history,
        })
    }

    /// The next position of every centre, and whether all centres with weights between them are close
    /// together.
    fn step(
        &self,
        centers: &Centers,
        step: &Step,
        iteration: usize,
        buffer: &mut Buffer,
    ) -> Result<(Vec<f64>, bool)> {
        let moving;
        let view = if self.params.blurring {
            moving = Samples::of_blocks(step.centers.clone(), &centers.counts);
            View { samples: &moving, slot_of_sample: (0..moving.counts.len() as u32).collect() }
        } else {
            let points = self.samples.blocks.order().iter();
            let center_of = |&point: &u32| centers.center_of[point as usize] as usize;
            View {
                samples: &self.samples,
                slot_of_sample: points.map(|i| step.slot_of[center_of(i)]).collect(),
            }
        };
        let has_moved = AtomicBool::new(self.params.early_stop.is_none());
        let moved = step.weight_matrix(self.params).rows(buffer, |block, rows| {
            if !self.progress.goes_on() {
                return Vec::new();
            }
            let places = self.shift_rows(centers, step, &view, block, rows, &has_moved);
            if step.centers.len() > MANY {
                self.report(iteration, iteration - 1, 0.0, None, step.h);
            }
            places
        });
        self.progress.check(iteration - 1)?;
        let dims = centers.dims;
        let mut places = vec![0.0; centers.places.len()];
        let moved = moved.iter().flat_map(|rows| rows.chunks_exact(dims));
        for (&center, place) in step.centers.order().iter().zip(moved) {
            let at = center as usize * dims;
            places[at..at + dims].copy_from_slice(place);
        }
        Ok((places, !has_moved.load(Ordering::Relaxed)))
    }

    /// The new positions of the centres in one block of slots.
    fn shift_rows(
        &self,
        centers: &Centers,
        step: &Step,
        view: &View<'_>,
        block: usize,
        rows: &[f64],
        has_moved: &AtomicBool,
    ) -> Vec<f64> {
        let params = self.params;
        let dims = centers.dims;
        let stride = rows.len() / BLOCK_LEN;
        let samples = view.samples;
        let mut near = Vec::new();
        let mut mass = vec![0.0; samples.counts.len()];
        let mut scratch = Vec::new();
        let mut sums = vec![0.0; dims + 1];
        let slots = block * BLOCK_LEN..step.centers.len().min((block + 1) * BLOCK_LEN);
        let mut places = Vec::with_capacity(slots.len() * dims);
        for (slot, w) in slots.zip(rows.chunks_exact(stride)) {
            let center = step.centers.order()[slot] as usize;
            let x = centers.place(center);
            near.clear();
            if params.kernel == CmsKernel::Rbf {
                near.extend_from_slice(&samples.all_blocks);
            } else {
                let radius_sq = params.radius_sq() * step.h * step.h;
                samples.blocks.near(x, radius_sq, &mut near);
            }
            for &block in &near {
                let range = block as usize * BLOCK_LEN..(block as usize + 1) * BLOCK_LEN;
                let counts = samples.counts[range.clone()].iter();
                let slots = view.slot_of_sample[range.start..].iter();
                for ((mass, count), &slot) in mass[range].iter_mut().zip(counts).zip(slots) {
                    *mass = count * w[slot as usize];
                }
            }
            if params.blurring && centers.counts[center] > 0.0 {
                // The weight of a point to itself is 1; the other points of its centre have the weight w.
                let own = centers.counts[center].min(1.0);
                mass[slot] = own + (centers.counts[center] - own) * w[slot];
            }
            let lanes = KernelSources {
                coords: samples.blocks.coords(),
                dims,
                inverse_bandwidth_sq: PerLane::Same(1.0 / (step.h * step.h)),
                mass: Some(&mass),
            };
            let (profile, floor) = (params.kernel.profile(), params.truncation);
            weighted_sums(lanes, profile, floor, &near, x, &mut scratch, &mut sums);
            let total = sums[dims];
            if total <= self.weightless {
                places.extend_from_slice(x);
            } else {
                places.extend(sums[..dims].iter().map(|sum| sum / total));
            }
            let is_open = centers.counts[center] > 0.0 && !has_moved.load(Ordering::Relaxed);
            if is_open && !self.sees_only_close(step, view, x, w) {
                has_moved.store(true, Ordering::Relaxed);
            }
        }
        places
    }

    /// Whether all sampling points that have a weight for the centre at `x` are close to it.
    fn sees_only_close(&self, step: &Step, view: &View<'_>, x: &[f64], w: &[f64]) -> bool {
        let Some(rule) = self.params.early_stop else {
            return false;
        };
        let mut slots = (0..view.samples.blocks.len()).zip(&view.slot_of_sample);
        slots.all(|(sample, &slot)| {
            let differences = view.samples.blocks.point(sample).zip(x).map(|(s, x)| s - x);
            let dist_sq = differences.map(|difference| difference.powi(2)).sum();
            view.samples.counts[sample] == 0.0
                || w[slot as usize] < rule.merge_weight
                || self.params.value(dist_sq, step.h) > rule.merge_kernel
        })
    }

    /// The largest movement of any centre, and whether none counts as movement. New points do not
    /// count.
    fn movement(&self, centers: &Centers, places: &[f64]) -> (f64, bool) {
        let length = self.params.early_stop.map_or(0.0, |rule| rule.min_movement);
        let dims = centers.dims;
        let mut largest_sq: f64 = 0.0;
        let mut is_still = self.params.early_stop.is_some();
        let rows = centers.places.chunks_exact(dims);
        let rows = rows.zip(places.chunks_exact(dims));
        for ((old, new), &count) in rows.zip(&centers.counts) {
            if count == 0.0 {
                continue;
            }
            let mut sum = 0.0;
            for (a, b) in old.iter().zip(new) {
                sum += (a - b) * (a - b);
                is_still &= (b - a).abs() <= length + MIN_MOVEMENT * a.abs();
            }
            largest_sq = largest_sq.max(sum);
        }
        (largest_sq.sqrt(), is_still)
    }

    fn report(
        &self,
        iteration: usize,
        finished: usize,
        movement: f64,
        centers: Option<usize>,
        bandwidth: f64,
    ) {
        let mut event = self.progress.event(iteration, finished);
        event.movement = movement;
        event.centers = centers;
        event.bandwidth = Some(bandwidth);
        self.progress.send(&event);
    }
}
