//! The climb of points on a fixed density.
//!
//! Each point moves to the weighted mean around it until it moves no more. Kernels that end are
//! climbed point by point over the [`Surroundings`] of the point, which are gathered again only
//! when it has left them. Endless kernels are climbed a few points at a time, so that a block of
//! data in the cache serves them all. A point that comes very close to a mode already known is
//! finished: it is captured.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::density::{Density, Scratch, Surroundings, dist_sq};
use super::flat::FlatClimb;
use crate::group::TraceStep;
use crate::observe::{Event, Observer};
use crate::similarity::Profile;
use crate::{Error, Result};

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
#[derive(Debug, Clone, Default)]
pub(super) struct Captors {
    /// Row by row.
    pub(super) places: Vec<f64>,
    /// Squared distance within which a point is captured.
    pub(super) radius_sq: f64,
}

impl Captors {
    fn capture(&self, x: &[f64]) -> Option<usize> {
        self.places
            .chunks_exact(x.len())
            .position(|mode| dist_sq(mode, x) <= self.radius_sq)
    }
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

/// Progress and cancellation, shared by the workers.
pub(super) struct Watch<'a> {
    observer: &'a dyn Observer,
    cancelled: AtomicBool,
    finished: AtomicUsize,
    total: usize,
    stage: &'static str,
}

impl<'a> Watch<'a> {
    pub(super) fn new(observer: &'a dyn Observer, stage: &'static str, total: usize) -> Self {
        Self {
            observer,
            stage,
            cancelled: AtomicBool::new(false),
            finished: AtomicUsize::new(0),
            total,
        }
    }

    /// Reports an iteration after which `finished` more points are done; false once cancelled.
    pub(super) fn report(
        &self,
        iteration: usize,
        finished: usize,
        movement: f64,
        centers: Option<usize>,
    ) -> bool {
        let finished = self.finished.fetch_add(finished, Ordering::Relaxed) + finished;
        let mut event = Event::new(self.stage, iteration, finished.min(self.total), self.total);
        event.movement = movement;
        event.centers = centers;
        if self.observer.event(&event) == ControlFlow::Break(()) {
            self.cancelled.store(true, Ordering::Relaxed);
        }
        self.goes_on()
    }

    fn goes_on(&self) -> bool {
        !self.cancelled.load(Ordering::Relaxed)
    }

    /// An error if the observer asked to stop.
    pub(super) fn check(&self, iterations: usize) -> Result<()> {
        if self.goes_on() {
            Ok(())
        } else {
            Err(Error::Cancelled { iterations })
        }
    }
}

/// Per iteration, over any number of points. Merging is a sum and a maximum, so the order in which
/// workers finish does not matter.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Trace(pub(super) Vec<TraceStep>);

impl Trace {
    pub(super) fn record(&mut self, step: usize, movement: f64) {
        if self.0.len() < step {
            self.0.resize(
                step,
                TraceStep {
                    active: 0,
                    movement: 0.0,
                },
            );
        }
        let at = &mut self.0[step - 1];
        at.active += 1;
        at.movement = at.movement.max(movement);
    }

    pub(super) fn merge(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(
                other.0.len(),
                TraceStep {
                    active: 0,
                    movement: 0.0,
                },
            );
        }
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            a.active += b.active;
            a.movement = a.movement.max(b.movement);
        }
    }
}

impl Climb<'_> {
    /// Climbs from every row of `starts` (the density's own coordinates).
    pub(super) fn run(&self, starts: &[f64]) -> Result<(Vec<End>, Trace)> {
        let dims = self.density.dims();
        let kernel = self.density.kernel();
        let ending = kernel.support().is_some();
        let flat =
            (kernel.profile == Profile::Flat).then(|| FlatClimb::new(self.density, self.rule));
        let tiles: Vec<(Vec<End>, Trace)> = starts
            .par_chunks(TILE * dims)
            .map_init(
                || (Scratch::default(), Surroundings::default()),
                |(scratch, surroundings), tile| {
                    if ending {
                        self.one_by_one(tile, flat.as_ref(), scratch, surroundings)
                    } else {
                        self.together(tile, scratch)
                    }
                },
            )
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
        scratch: &mut Scratch,
        surroundings: &mut Surroundings,
    ) -> (Vec<End>, Trace) {
        let mut trace = Trace::default();
        let mut ends = Vec::with_capacity(TILE);
        for start in tile.chunks_exact(self.density.dims()) {
            if !self.watch.goes_on() {
                break;
            }
            surroundings.clear();
            let (end, steps, length) = match flat {
                Some(flat) => flat.climb(start, scratch, surroundings, &mut trace),
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
        let h = self.density.bandwidth();
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
    fn together(&self, tile: &[f64], scratch: &mut Scratch) -> (Vec<End>, Trace) {
        let dims = self.density.dims();
        let mut trace = Trace::default();
        let mut ends: Vec<Option<End>> = vec![None; tile.len() / dims];
        let mut climbing: Vec<usize> = (0..ends.len()).collect();
        let mut xs = tile.to_vec();
        let (mut previous, mut totals) = (Vec::new(), Vec::new());
        for steps in 1.. {
            previous.clone_from(&xs);
            self.density.shift(&mut xs, &mut totals, scratch);
            let mut stay = Vec::with_capacity(climbing.len());
            let mut movement = 0.0f64;
            for (at, &point) in climbing.iter().enumerate() {
                let x = &xs[at * dims..(at + 1) * dims];
                let length = dist_sq(&previous[at * dims..(at + 1) * dims], x).sqrt();
                movement = movement.max(length);
                trace.record(steps, length);
                let captured_by = self.captors.capture(x);
                if captured_by.is_some() || self.rule.ends(steps, length) {
                    let converged = captured_by.is_some() || length <= self.rule.tol;
                    let place = x.to_vec();
                    ends[point] = Some(End {
                        place,
                        weight: totals[at],
                        converged,
                        captured_by,
                    });
                } else {
                    stay.push(at);
                }
            }
            let arrived = if self.counted {
                climbing.len() - stay.len()
            } else {
                0
            };
            let goes_on = self.watch.report(steps, arrived, movement, None);
            if stay.is_empty() || !goes_on {
                break;
            }
            if stay.len() < climbing.len() {
                climbing = stay.iter().map(|&at| climbing[at]).collect();
                xs = stay
                    .iter()
                    .flat_map(|&at| xs[at * dims..(at + 1) * dims].to_vec())
                    .collect();
            }
        }
        (ends.into_iter().flatten().collect(), trace)
    }
}

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
