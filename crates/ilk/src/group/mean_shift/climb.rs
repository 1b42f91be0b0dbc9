//! The climb of points on a fixed density.
//!
//! Each point moves to the weighted mean around it until it moves no more. Kernels that end are
//! climbed point by point over the [`Surroundings`] of the point, which are gathered again only
//! when it has left them. Endless kernels are climbed a few points at a time, so that a block of
//! data in the cache serves them all. A point that comes very close to a mode already known is
//! finished: it is captured.

use ndarray::ArrayView2;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::density::{Density, Scratch};
use super::flat::FlatClimb;
use super::surroundings::Surroundings;
use super::vicinity::Vicinities;
use super::watch::{Trace, Watch};
use crate::Result;
use crate::numerics::distances::dist_sq;
use crate::numerics::neighbors::Neighbors;
use crate::similarity::Profile;

/// Points that are climbed together, and the unit of parallel work.
const TILE: usize = 8;

/// When a climb ends.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Rule {
    /// A step at most this long is the last.
    pub(super) tol: f64,
    /// At most this many steps.
    pub(super) max_iter: usize,
    /// Exactly this many steps, whatever their length.
    pub(super) fixed: Option<usize>,
}

impl Rule {
    /// Whether a climb ends after its `steps`-th step, of length `length`.
    pub(super) fn ends(self, steps: usize, length: f64) -> bool {
        match self.fixed {
            Some(count) => steps >= count,
            None => length <= self.tol || steps >= self.max_iter,
        }
    }
}

/// Where a climb ended.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct End {
    /// The place, in the density's own coordinates.
    pub(super) place: Vec<f64>,
    /// Σ w at the last step, a measure of the density there.
    pub(super) weight: f64,
    /// Whether the last step was short enough, or a mode captured the point.
    pub(super) converged: bool,
    /// The mode that captured the point.
    pub(super) captured_by: Option<usize>,
}

/// Modes that capture what comes near.
#[derive(Debug)]
pub(super) struct Captors {
    places: Vec<f64>,
    radius_sq: f64,
    /// Finds the mode where there are many.
    index: Option<Neighbors>,
}

impl Captors {
    /// Modes at `places`, row by row, that capture within `radius`.
    pub(super) fn new(places: Vec<f64>, dims: usize, radius: f64) -> Self {
        let rows = ArrayView2::from_shape((places.len() / dims, dims), &places);
        let index = rows
            .ok()
            .filter(|rows| rows.nrows() > MANY_CAPTORS)
            .map(Neighbors::new);
        Self {
            radius_sq: radius * radius,
            places,
            index,
        }
    }

    /// No modes.
    pub(super) fn none() -> Self {
        Self {
            places: Vec::new(),
            radius_sq: 0.0,
            index: None,
        }
    }

    /// The mode that captures `x`; of several the first.
    pub(super) fn capture(&self, x: &[f64]) -> Option<usize> {
        if let Some(index) = &self.index {
            let mut first: Option<usize> = None;
            index.visit_within(x, self.radius_sq, |mode| {
                first = Some(first.map_or(mode.index, |other| other.min(mode.index)));
            });
            return first;
        }
        self.places
            .chunks_exact(x.len())
            .position(|mode| dist_sq(mode, x) <= self.radius_sq)
    }
}

/// Up to this many modes are looked at one by one.
const MANY_CAPTORS: usize = 32;

/// Memory that a worker reuses from point to point.
#[derive(Default)]
struct Worker {
    scratch: Scratch,
    surroundings: Surroundings,
    vicinities: Vicinities,
}

/// Climbs many points, and collects what happened.
pub(super) struct Climb<'a> {
    pub(super) density: &'a Density,
    pub(super) rule: Rule,
    pub(super) captors: &'a Captors,
    pub(super) watch: &'a Watch<'a>,
    /// Whether these points are among those whose number was announced.
    pub(super) counted: bool,
}

impl Climb<'_> {
    /// Climbs from every row of `starts` (the density's own coordinates).
    pub(super) fn run(&self, starts: &[f64]) -> Result<(Vec<End>, Trace)> {
        let dims = self.density.dims();
        let kernel = self.density.kernel;
        let ending = kernel.support().is_some();
        let flat =
            (kernel.profile == Profile::Flat).then(|| FlatClimb::new(self.density, self.rule));
        let tiles: Vec<(Vec<End>, Trace)> = starts
            .par_chunks(TILE * dims)
            .map_init(Worker::default, |worker, tile| {
                if ending {
                    self.one_by_one(tile, flat.as_ref(), worker)
                } else {
                    self.together(tile, &mut worker.scratch)
                }
            })
            .collect();
        let mut ends = Vec::with_capacity(starts.len() / dims);
        let mut trace = Trace::default();
        for (tile_ends, tile_trace) in tiles {
            ends.extend(tile_ends);
            trace.merge(&tile_trace);
        }
        self.watch.check(trace.0.len())?;
        Ok((ends, trace))
    }

    /// Climbs the points of a tile one after the other, over their surroundings.
    fn one_by_one(
        &self,
        tile: &[f64],
        flat: Option<&FlatClimb<'_>>,
        worker: &mut Worker,
    ) -> (Vec<End>, Trace) {
        let Worker {
            scratch,
            surroundings,
            vicinities,
        } = worker;
        let mut trace = Trace::default();
        let mut ends = Vec::with_capacity(TILE);
        for start in tile.chunks_exact(self.density.dims()) {
            if !self.watch.goes_on() {
                break;
            }
            surroundings.clear();
            let (end, steps, length) = match flat {
                Some(flat) => flat.climb(start, scratch, vicinities, &mut trace),
                None => self.climb_surroundings(start, scratch, surroundings, &mut trace),
            };
            self.watch
                .report(steps, usize::from(self.counted), length, None);
            ends.push(end);
        }
        (ends, trace)
    }

    fn climb_surroundings(
        &self,
        start: &[f64],
        scratch: &mut Scratch,
        surroundings: &mut Surroundings,
        trace: &mut Trace,
    ) -> (End, usize, f64) {
        let h = self.density.bandwidth;
        let mut x = start.to_vec();
        let mut previous = start.to_vec();
        let mut length = 0.0;
        for steps in 1.. {
            if !surroundings.cover(&x) {
                let skin = SKINS.after((steps > 1).then_some(length / h));
                surroundings.gather(self.density, &x, skin * h, scratch);
            }
            previous.copy_from_slice(&x);
            let weight = surroundings.shift(self.density, &mut x, scratch);
            length = dist_sq(&previous, &x).sqrt();
            trace.record(steps, length);
            let captured_by = self.captors.capture(&x);
            if captured_by.is_some() || self.rule.ends(steps, length) {
                let converged = captured_by.is_some() || length <= self.rule.tol;
                return (
                    End {
                        place: x,
                        weight,
                        converged,
                        captured_by,
                    },
                    steps,
                    length,
                );
            }
        }
        unreachable!("every rule ends")
    }

    /// Climbs the points of a tile in step; those that have arrived leave.
    ///
    /// Far from a mode single precision is enough, and most points are captured before they need
    /// more. What comes near a mode that is not known yet goes on in double precision.
    fn together(&self, tile: &[f64], scratch: &mut Scratch) -> (Vec<End>, Trace) {
        let dims = self.density.dims();
        let mut walk = Walk {
            ends: vec![None; tile.len() / dims],
            points: (0..tile.len() / dims).collect(),
            steps: vec![0; tile.len() / dims],
            xs: tile.to_vec(),
            trace: Trace::default(),
        };
        if self.density.has_rough_shift() && self.rule.fixed.is_none() && self.rule.max_iter > 1 {
            let enough = ROUGH_STEP * self.density.bandwidth;
            let leave = |steps, length, total| {
                total == 0.0 || length <= enough || steps + 1 >= self.rule.max_iter
            };
            let shift = |xs: &mut [f64], totals: &mut Vec<f64>, scratch: &mut Scratch| {
                self.density.rough_shift(xs, totals, scratch);
            };
            let unfinished = self.walk(&mut walk, shift, leave, false, scratch);
            (walk.points, walk.steps, walk.xs) = unfinished;
        }
        let leave = |steps, length, _| self.rule.ends(steps, length);
        let shift = |xs: &mut [f64], totals: &mut Vec<f64>, scratch: &mut Scratch| {
            self.density.shift(xs, totals, scratch);
        };
        self.walk(&mut walk, shift, leave, true, scratch);
        (walk.ends.into_iter().flatten().collect(), walk.trace)
    }

    /// Shifts the points of `walk` until each is captured or `leave(steps, length, total)`. Where
    /// leaving is `last`, that is its end; otherwise returns those that left: points, steps, places.
    fn walk(
        &self,
        walk: &mut Walk,
        shift: impl Fn(&mut [f64], &mut Vec<f64>, &mut Scratch),
        leave: impl Fn(usize, f64, f64) -> bool,
        last: bool,
        scratch: &mut Scratch,
    ) -> (Vec<usize>, Vec<usize>, Vec<f64>) {
        let dims = self.density.dims();
        let (mut previous, mut totals) = (Vec::new(), Vec::new());
        let (mut left_points, mut left_steps, mut left_xs) = (Vec::new(), Vec::new(), Vec::new());
        while !walk.points.is_empty() {
            previous.clone_from(&walk.xs);
            shift(&mut walk.xs, &mut totals, scratch);
            let (mut movement, mut arrived, mut stay) = (0.0f64, 0, Vec::new());
            for (at, &point) in walk.points.iter().enumerate() {
                let x = &walk.xs[at * dims..(at + 1) * dims];
                let length = dist_sq(&previous[at * dims..(at + 1) * dims], x).sqrt();
                movement = movement.max(length);
                walk.steps[at] += 1;
                let steps = walk.steps[at];
                walk.trace.record(steps, length);
                let captured_by = self.captors.capture(x);
                let leaves = leave(steps, length, totals[at]);
                if captured_by.is_some() || (leaves && last) {
                    arrived += usize::from(self.counted);
                    walk.ends[point] = Some(End {
                        place: x.to_vec(),
                        weight: totals[at],
                        converged: captured_by.is_some() || length <= self.rule.tol,
                        captured_by,
                    });
                } else if leaves {
                    left_points.push(point);
                    left_steps.push(steps);
                    left_xs.extend_from_slice(x);
                } else {
                    stay.push(at);
                }
            }
            let iteration = walk.steps.iter().copied().max().unwrap_or(0);
            if !self.watch.report(iteration, arrived, movement, None) {
                break;
            }
            if stay.len() < walk.points.len() {
                walk.keep(&stay, dims);
            }
        }
        (left_points, left_steps, left_xs)
    }
}

/// Points of a tile on their way.
struct Walk {
    /// The ends of all points of the tile.
    ends: Vec<Option<End>>,
    /// The points that are still climbing.
    points: Vec<usize>,
    /// The steps each of them has made.
    steps: Vec<usize>,
    /// Where each of them is.
    xs: Vec<f64>,
    trace: Trace,
}

impl Walk {
    /// Keeps the climbing points at these positions.
    fn keep(&mut self, stay: &[usize], dims: usize) {
        self.points = stay.iter().map(|&at| self.points[at]).collect();
        self.steps = stay.iter().map(|&at| self.steps[at]).collect();
        self.xs = stay
            .iter()
            .flat_map(|&at| self.xs[at * dims..(at + 1) * dims].to_vec())
            .collect();
    }
}

/// Single precision is enough while steps are longer than this, in bandwidths.
const ROUGH_STEP: f64 = 1e-3;

/// How far surroundings reach beyond the kernel, in bandwidths.
#[derive(Debug, Clone, Copy)]
pub(super) struct Skins {
    first: f64,
    per_step: f64,
    smallest: f64,
    largest: f64,
}

/// Steps shorten as a point nears its mode, so a few times the last one covers the rest of the way.
pub(super) const SKINS: Skins = Skins {
    first: 0.25,
    per_step: 2.5,
    smallest: 0.02,
    largest: 0.5,
};

impl Skins {
    /// The skin after a step of this many bandwidths, or before any.
    pub(super) fn after(self, step: Option<f64>) -> f64 {
        step.map_or(self.first, |step| {
            (self.per_step * step).clamp(self.smallest, self.largest)
        })
    }
}
