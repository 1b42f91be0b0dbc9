//! All points climb, in waves: the modes that one wave finds capture the points of the next.

use super::climb::{Captors, Climb, Rule};
use super::density::Density;
use super::modes::Summits;
use super::watch::{Trace, Watch};
use crate::Result;
use crate::numerics::distances::dist_sq;
use crate::numerics::rng::rng;

/// A mode captures what comes this close, as a share of the merge radius: closer than two modes can
/// be, and so close that the kernel's hill around the mode leaves no way out.
const CAPTURE: f64 = 0.1;

/// Ends coincide in cells of this side, as a share of the merge radius.
pub(super) const CELL: f64 = 1e-3;

/// How far a summit is pushed to see whether it is a saddle, as a share of the merge radius.
const PUSH: f64 = 0.1;

/// Every 64th run of [`RUN`] points climbs in the first wave, every 16th of the rest in the second,
/// and so on.
const WAVES: [usize; 4] = [64, 16, 4, 1];

/// Neighbouring points that climb in the same wave.
const RUN: usize = 8;

/// What is known while points climb, and at the end.
pub(super) struct Ascent<'a> {
    density: &'a Density,
    rule: Rule,
    /// Modes closer than this are one.
    radius: f64,
    watch: &'a Watch<'a>,
    pub(super) summits: Summits,
    /// The summit of every slot.
    pub(super) summit_of: Vec<usize>,
    captors: Captors,
    /// The summit that each captor is.
    pub(super) captor_summits: Vec<usize>,
    /// A saddle and the summit that a push from it led to.
    pub(super) same: Vec<(usize, usize)>,
    /// Summits below this have been looked at as modes.
    judged: usize,
    pub(super) trace: Trace,
    pub(super) converged: bool,
}

impl<'a> Ascent<'a> {
    /// Climbs from every point of the density.
    pub(super) fn new(
        density: &'a Density,
        rule: Rule,
        radius: f64,
        seed: u64,
        watch: &'a Watch<'a>,
    ) -> Result<Self> {
        let mut ascent = Self {
            density,
            rule,
            radius,
            watch,
            summits: Summits::new(density.dims(), CELL * radius),
            summit_of: vec![0; density.len()],
            captors: Captors::none(),
            captor_summits: Vec::new(),
            same: Vec::new(),
            judged: 0,
            trace: Trace::default(),
            converged: true,
        };
        let n = density.len();
        if density.kernel.jumps() || rule.fixed.is_some() {
            // Plateaus are not modes, and a fixed number of steps is just that: nothing captures.
            ascent.wave(&(0..n).collect::<Vec<_>>())?;
            return Ok(ascent);
        }
        for (number, stride) in WAVES.into_iter().enumerate() {
            let earlier = number.checked_sub(1).map(|i| WAVES[i]);
            let joins = |run: usize| {
                run.is_multiple_of(stride) && earlier.is_none_or(|e| !run.is_multiple_of(e))
            };
            let slots: Vec<usize> = (0..n).filter(|slot| joins(slot / RUN)).collect();
            ascent.wave(&slots)?;
            ascent.find_modes(seed)?;
        }
        Ok(ascent)
    }

    /// Climbs from the points in `slots`.
    fn wave(&mut self, slots: &[usize]) -> Result<()> {
        let starts: Vec<f64> = slots
            .iter()
            .flat_map(|&slot| self.density.starts(slot..slot + 1))
            .collect();
        let (ends, trace) = self.climb(&self.captors, true).run(&starts)?;
        self.trace.merge(&trace);
        for (&slot, end) in slots.iter().zip(&ends) {
            self.converged &= end.converged;
            self.summit_of[slot] = match end.captured_by {
                Some(captor) => self.captor_summits[captor],
                None => self.summits.add(end),
            };
        }
        Ok(())
    }

    /// Makes captors of the summits that are modes, and follows those that are saddles.
    ///
    /// At a saddle of the density a climb comes to rest although it should not: pushed a little, it
    /// goes on. A mode pushed a little returns.
    fn find_modes(&mut self, seed: u64) -> Result<()> {
        let push = direction(self.density.dims(), seed, PUSH * self.radius);
        while self.judged < self.summits.len() {
            let candidates = self.new_candidates();
            self.judged = self.summits.len();
            let starts: Vec<f64> = candidates
                .iter()
                .flat_map(|&summit| {
                    self.summits
                        .place(summit)
                        .iter()
                        .zip(&push)
                        .map(|(x, p)| x + p)
                })
                .collect();
            let nothing = Captors::none();
            let (ends, _) = self.climb(&nothing, false).run(&starts)?;
            for (&summit, end) in candidates.iter().zip(&ends) {
                if self.near(self.summits.place(summit), &end.place) {
                    self.captor_summits.push(summit);
                } else {
                    let target = self.summits.add(end);
                    self.same.push((summit, target));
                }
            }
        }
        self.captors = Captors::new(
            self.captor_places(),
            self.density.dims(),
            self.capture_radius(),
        );
        Ok(())
    }

    /// Where the captors are, row by row.
    pub(super) fn captor_places(&self) -> Vec<f64> {
        self.captor_summits
            .iter()
            .flat_map(|&summit| self.summits.place(summit).to_vec())
            .collect()
    }

    /// How close a captor has to be.
    pub(super) fn capture_radius(&self) -> f64 {
        CAPTURE * self.radius
    }

    /// Converged summits not yet judged, one of each group that will be one mode, none of a group
    /// that has a captor.
    fn new_candidates(&self) -> Vec<usize> {
        let known = Captors::new(self.captor_places(), self.density.dims(), self.radius);
        let new = (self.judged..self.summits.len()).filter(|&summit| {
            self.summits.converged(summit) && known.capture(self.summits.place(summit)).is_none()
        });
        self.summits
            .densest_of_groups(&new.collect::<Vec<_>>(), self.radius)
    }

    fn near(&self, a: &[f64], b: &[f64]) -> bool {
        dist_sq(a, b) <= self.radius * self.radius
    }

    fn climb<'b>(&'b self, captors: &'b Captors, counted: bool) -> Climb<'b> {
        Climb {
            density: self.density,
            rule: self.rule,
            captors,
            watch: self.watch,
            counted,
        }
    }
}

/// A seeded direction of the given length.
fn direction(dims: usize, seed: u64, length: f64) -> Vec<f64> {
    let mut rng = rng(seed);
    let raw: Vec<f64> = (0..dims).map(|_| rng.normal()).collect();
    let norm = raw
        .iter()
        .map(|x| x * x)
        .sum::<f64>()
        .sqrt()
        .max(f64::MIN_POSITIVE);
    raw.iter().map(|x| x / norm * length).collect()
}
