//! The iterations.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use ndarray::Array2;
use serde::{Deserialize, Serialize};

use super::apart::Apart;
use super::centers::Centers;
use super::product::Shape;
use super::reduction::Buffer;
use super::shifted::Shifted;
use super::step::{Samples, Step, View};
use crate::group::{Snapshot, StopReason, TraceStep};
use crate::numerics::blocks::LANES;
use crate::numerics::cells::Cells;
use crate::observe::{Event, Observer};
use crate::problem::Points;
use crate::similarity::Profile;
use crate::similarity::sums::{InverseSquare, Lanes, weighted_sums};
use crate::{Error, Result};

/// Centres this near to each other, in bandwidths, are one.
const COINCIDE: f64 = 1e-9;

/// A centre whose weights sum to no more than this, beside a point that counts once, stays where it
/// is.
const WEIGHTLESS: f64 = 1e-10;

/// A centre stands still when no coordinate moves by more than this share of itself, plus a length.
const STILL: f64 = 1e-4;

/// Factors closer to 1 than this are 1 in double precision: half of the last bit.
const NO_EFFECT: f64 = f64::EPSILON / 4.0;

/// With more centres than this, progress is told within an iteration too.
const MANY: usize = 4096;

/// The shape of the kernel, k(d²/h²).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
pub enum CmsKernel {
    /// exp(-d²/h²), and 0 where that is below the truncation.
    #[default]
    Truncated,
    /// 1 up to distance h, 0 beyond.
    Ball,
    /// exp(-d²/h²).
    Rbf,
}

impl CmsKernel {
    /// The names, as serde and the command line write them.
    pub const NAMES: &'static [&'static str] = &["truncated", "ball", "rbf"];

    pub(super) fn profile(self) -> Profile {
        match self {
            Self::Truncated => Profile::Truncated,
            Self::Ball => Profile::Flat,
            Self::Rbf => Profile::Rbf,
        }
    }
}

/// When to stop before the last iteration: no centre moves, and every centre and point either lie
/// close together or do not see each other.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct EarlyStop {
    /// Closer than this value of the kernel is close.
    pub merge_kernel: f64,
    /// A weight below this is not seeing each other.
    pub merge_weight: f64,
    /// Movement below this length (plus 1e-4 of the coordinate) is none.
    pub still: f64,
}

/// The numbers of a constrained mean shift, all of them settled;
/// [`Cms`](crate::method::Cms) is the way to them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConstrainedMeanShift {
    /// The bandwidth of every iteration.
    pub bandwidths: Vec<f64>,
    /// The shape of the kernel.
    pub kernel: CmsKernel,
    /// Where the truncated kernel ends.
    pub truncation: f64,
    /// Whether the sampling points are the centres themselves.
    pub blurring: bool,
    /// λ: the width of a constraint's kernel by its length.
    pub constraint_scale: f64,
    /// ε: no constraint's kernel is narrower (unless the bandwidth is).
    pub narrowest: f64,
    /// When to stop early, if ever.
    pub early_stop: Option<EarlyStop>,
    /// Snapshots of the centres to keep, spread evenly over the iterations.
    pub history: usize,
}

impl ConstrainedMeanShift {
    /// Moves a centre from every point. `weights` says how many points each point counts for.
    ///
    /// `passengers` are centres without a sampling point and without a say: they are shifted as the
    /// others are, and change nothing for them. One that starts where a point is goes where that
    /// point's centre goes.
    pub fn shift(
        &self,
        points: &Points,
        weights: Option<&[f64]>,
        apart: &Apart,
        passengers: Option<&Points>,
        observer: &dyn Observer,
    ) -> Result<Shifted> {
        let (n, dims) = (points.len(), points.dims());
        let mut starts = points.as_slice().to_vec();
        let mut counts = weights.map_or_else(|| vec![1.0; n], <[f64]>::to_vec);
        if let Some(passengers) = passengers {
            starts.extend_from_slice(passengers.as_slice());
            counts.resize(n + passengers.len(), 0.0);
        }
        let largest = counts.iter().copied().fold(0.0, f64::max);
        let run = Run {
            params: self,
            n,
            weightless: WEIGHTLESS * largest.min(1.0),
            samples: Samples::new(points.as_slice(), dims, weights),
            apart,
            observer,
            cancelled: AtomicBool::new(false),
        };
        run.iterate(Centers::new(&starts, dims, counts))
    }

    pub(super) fn shape(&self) -> Shape {
        match self.kernel {
            CmsKernel::Truncated => Shape::Truncated {
                floor: self.truncation,
            },
            CmsKernel::Ball => Shape::Ball,
            CmsKernel::Rbf => Shape::Truncated { floor: NO_EFFECT },
        }
    }

    /// How far a constraint's kernel reaches, squared, in widths.
    pub(super) fn reach_sq(&self) -> f64 {
        match self.shape() {
            Shape::Truncated { floor } => -floor.ln(),
            Shape::Ball => 1.0,
        }
    }

    /// The kernel at squared distance `dist_sq` with bandwidth `h`.
    pub(super) fn value(&self, dist_sq: f64, h: f64) -> f64 {
        self.kernel.profile().weight(dist_sq, h, self.truncation)
    }

    /// Whether a snapshot is due after this iteration, counted from 1.
    fn keeps(&self, iteration: usize) -> bool {
        let (kept, all) = (self.history, self.bandwidths.len());
        kept > 0 && (iteration * kept / all > (iteration - 1) * kept / all || iteration == all)
    }
}

/// A shift under way.
struct Run<'a> {
    params: &'a ConstrainedMeanShift,
    /// Points, not counting passengers.
    n: usize,
    /// A centre whose weights sum to no more than this stays where it is.
    weightless: f64,
    samples: Samples,
    apart: &'a Apart,
    observer: &'a dyn Observer,
    cancelled: AtomicBool,
}

impl Run<'_> {
    fn iterate(&self, start: Centers) -> Result<Shifted> {
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
            let step = Step::new(&centers, self.apart, h);
            let (places, settled) = self.step(&centers, &step, done + 1, &mut buffer)?;
            let (movement, still) = self.movement(&centers, &places);
            let next = centers.moved(&places, Cells::new(COINCIDE * h));
            before = std::mem::replace(&mut centers, next);
            last_h = h;
            trace.push(TraceStep {
                active: before.len(),
                movement,
                bandwidth: Some(h),
                objective: None,
            });
            if self.params.keeps(done + 1) {
                history.push(self.snapshot(&centers, done + 1, h));
            }
            self.tell(done + 1, done + 1, movement, Some(centers.len()), h)?;
            if still && (settled || constant) {
                stop = StopReason::Converged;
                break;
            }
        }
        Ok(Shifted {
            params: self.params.clone(),
            apart: self.apart.clone(),
            n: self.n,
            before,
            centers,
            bandwidth: last_h,
            stop,
            trace,
            history,
        })
    }

    /// Where every centre goes, and whether all that see each other are close together.
    fn step(
        &self,
        centers: &Centers,
        step: &Step,
        iteration: usize,
        buffer: &mut Buffer,
    ) -> Result<(Vec<f64>, bool)> {
        let moving;
        let view = if self.params.blurring {
            let counts = step.centers.arrange(&centers.counts, 0.0);
            moving = Samples {
                all_blocks: (0..step.centers.n_blocks() as u32).collect(),
                blocks: step.centers.clone(),
                counts,
            };
            View {
                samples: &moving,
                slot_of_sample: (0..moving.counts.len() as u32).collect(),
            }
        } else {
            let slot_of_sample = self
                .samples
                .blocks
                .order()
                .iter()
                .map(|&point| step.slot_of[centers.center_of[point as usize] as usize])
                .collect();
            View {
                samples: &self.samples,
                slot_of_sample,
            }
        };
        let unsettled = AtomicBool::new(self.params.early_stop.is_none());
        let moved = step.reduction(self.params).rows(buffer, |block, rows| {
            if self.cancelled.load(Ordering::Relaxed) {
                return Vec::new();
            }
            let places = self.shift_rows(centers, step, &view, block, rows, &unsettled);
            if step.centers.len() > MANY {
                // Only the answer matters here: whether to go on.
                let _ = self.tell(iteration, iteration - 1, 0.0, None, step.h);
            }
            places
        });
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Error::Cancelled {
                iterations: iteration - 1,
            });
        }
        let dims = centers.dims;
        let mut places = vec![0.0; centers.places.len()];
        for (&center, place) in step
            .centers
            .order()
            .iter()
            .zip(moved.iter().flat_map(|rows| rows.chunks_exact(dims)))
        {
            let at = center as usize * dims;
            places[at..at + dims].copy_from_slice(place);
        }
        Ok((places, !unsettled.load(Ordering::Relaxed)))
    }

    /// The new places of the centres in one block of slots.
    fn shift_rows(
        &self,
        centers: &Centers,
        step: &Step,
        view: &View<'_>,
        block: usize,
        rows: &[f64],
        unsettled: &AtomicBool,
    ) -> Vec<f64> {
        let params = self.params;
        let dims = centers.dims;
        let stride = rows.len() / LANES;
        let samples = view.samples;
        let lanes = Lanes {
            coords: samples.blocks.coords(),
            dims,
            inverse_square: InverseSquare::Same(1.0 / (step.h * step.h)),
            mass: None,
        };
        let mut near = Vec::new();
        let mut mass = vec![0.0; samples.counts.len()];
        let mut scratch = Vec::new();
        let mut sums = vec![0.0; dims + 1];
        let slots = block * LANES..step.centers.len().min((block + 1) * LANES);
        let mut places = Vec::with_capacity(slots.len() * dims);
        for (slot, w) in slots.zip(rows.chunks_exact(stride)) {
            let center = step.centers.order()[slot] as usize;
            let x = centers.place(center);
            near.clear();
            if params.kernel == CmsKernel::Rbf {
                near.extend_from_slice(&samples.all_blocks);
            } else {
                let reach_sq = params.reach_sq() * step.h * step.h;
                samples.blocks.near(x, reach_sq, &mut near);
            }
            for &block in &near {
                let range = block as usize * LANES..(block as usize + 1) * LANES;
                let seen = view.slot_of_sample
                    [range.start..view.slot_of_sample.len().min(range.end)]
                    .iter();
                for ((mass, count), &slot) in mass[range.clone()]
                    .iter_mut()
                    .zip(&samples.counts[range])
                    .zip(seen)
                {
                    *mass = count * w[slot as usize];
                }
            }
            if params.blurring && centers.counts[center] > 0.0 {
                // A point always sees itself; the others of its centre are seen as any are.
                let own = centers.counts[center].min(1.0);
                mass[slot] = own + (centers.counts[center] - own) * w[slot];
            }
            let lanes = Lanes {
                mass: Some(&mass),
                ..lanes
            };
            weighted_sums(
                lanes,
                params.kernel.profile(),
                params.truncation,
                &near,
                x,
                &mut scratch,
                &mut sums,
            );
            let total = sums[dims];
            if total <= self.weightless {
                places.extend_from_slice(x);
            } else {
                places.extend(sums[..dims].iter().map(|sum| sum / total));
            }
            let counts = centers.counts[center] > 0.0;
            if counts
                && !unsettled.load(Ordering::Relaxed)
                && !self.sees_only_close(step, view, x, w)
            {
                unsettled.store(true, Ordering::Relaxed);
            }
        }
        places
    }

    /// Whether all sampling points that the centre at `x` sees are close to it.
    fn sees_only_close(&self, step: &Step, view: &View<'_>, x: &[f64], w: &[f64]) -> bool {
        let Some(rule) = self.params.early_stop else {
            return false;
        };
        let dims = x.len();
        let coords = view.samples.blocks.coords();
        let mut slots = (0..view.samples.blocks.len()).zip(&view.slot_of_sample);
        slots.all(|(sample, &slot)| {
            let at = sample / LANES * dims * LANES + sample % LANES;
            let dist_sq = x
                .iter()
                .enumerate()
                .map(|(k, x)| (coords[at + k * LANES] - x).powi(2))
                .sum();
            view.samples.counts[sample] == 0.0
                || w[slot as usize] < rule.merge_weight
                || self.params.value(dist_sq, step.h) > rule.merge_kernel
        })
    }

    /// The largest movement of any centre, and whether none counts as movement. Passengers do not
    /// count.
    fn movement(&self, centers: &Centers, places: &[f64]) -> (f64, bool) {
        let length = self.params.early_stop.map_or(0.0, |rule| rule.still);
        let dims = centers.dims;
        let mut largest_sq: f64 = 0.0;
        let mut still = self.params.early_stop.is_some();
        let rows = centers
            .places
            .chunks_exact(dims)
            .zip(places.chunks_exact(dims));
        for ((old, new), &count) in rows.zip(&centers.counts) {
            if count == 0.0 {
                continue;
            }
            let mut sum = 0.0;
            for (a, b) in old.iter().zip(new) {
                sum += (a - b) * (a - b);
                still &= (b - a).abs() <= length + STILL * a.abs();
            }
            largest_sq = largest_sq.max(sum);
        }
        (largest_sq.sqrt(), still)
    }

    fn snapshot(&self, centers: &Centers, iteration: usize, bandwidth: f64) -> Snapshot {
        let places = Array2::from_shape_fn((self.n, centers.dims), |(i, k)| {
            centers.place(centers.center_of[i] as usize)[k]
        });
        Snapshot {
            iteration,
            bandwidth,
            centers: places,
        }
    }

    fn tell(
        &self,
        iteration: usize,
        finished: usize,
        movement: f64,
        centers: Option<usize>,
        bandwidth: f64,
    ) -> Result<()> {
        let total = self.params.bandwidths.len();
        let mut event = Event::new("constrained mean shift", iteration, finished, total);
        event.movement = movement;
        event.centers = centers;
        event.bandwidth = Some(bandwidth);
        if self.observer.event(&event) == ControlFlow::Break(()) {
            self.cancelled.store(true, Ordering::Relaxed);
            return Err(Error::Cancelled {
                iterations: iteration,
            });
        }
        Ok(())
    }
}
