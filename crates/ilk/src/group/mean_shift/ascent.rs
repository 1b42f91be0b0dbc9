//! The trajectories of all points, in waves: the modes that one wave finds capture the points of the
//! next.

use super::trajectory::{CapturingModes, StopRule, Trace, Trajectories};
use super::{density::Density, modes::StationaryPoints};
use crate::numerics::{distances::dist_sq, rng::rng};
use crate::{Result, observe::Progress};

/// A mode captures the points that come this close, as a share of the merge radius: closer than two
/// modes can be, and so close that the density leads to no other mode.
const CAPTURE: f64 = 0.1;

/// Ends in one grid cell of this side, as a share of the merge radius, coincide.
pub(super) const CELL: f64 = 1e-3;

/// How far a stationary point is perturbed to test whether it is a saddle, as a share of the merge
/// radius.
const PERTURBATION: f64 = 0.1;

/// Every 64th run of [`RUN`] points belongs to the first wave, every 16th of the rest to the second,
/// and so on.
const WAVES: [usize; 4] = [64, 16, 4, 1];

/// Neighbouring points in the same wave.
const RUN: usize = 8;

/// The stationary points found so far, and which of them are modes.
pub(super) struct Ascent<'a> {
    density: &'a Density,
    rule: StopRule,
    /// Modes closer than this are one.
    radius: f64,
    progress: &'a Progress<'a>,
    pub(super) stationary: StationaryPoints,
    /// The stationary point of every slot.
    pub(super) stationary_of: Vec<usize>,
    captors: CapturingModes,
    /// The stationary point of each capturing mode.
    pub(super) captor_points: Vec<usize>,
    /// Saddles, each with the stationary point that a perturbation led to.
    pub(super) saddles: Vec<(usize, usize)>,
    /// Stationary points below this index have been tested.
    tested: usize,
    pub(super) trace: Trace,
    pub(super) converged: bool,
}

impl<'a> Ascent<'a> {
    /// Follows the trajectory of every point of the density.
    pub(super) fn new(
        density: &'a Density,
        rule: StopRule,
        radius: f64,
        seed: u64,
        progress: &'a Progress<'a>,
    ) -> Result<Self> {
        let mut ascent = Self {
            density,
            rule,
            radius,
            progress,
            stationary: StationaryPoints::new(density.dims(), CELL * radius),
            stationary_of: vec![0; density.len()],
            captors: CapturingModes::default(),
            captor_points: Vec::new(),
            saddles: Vec::new(),
            tested: 0,
            trace: Trace::default(),
            converged: true,
        };
        let n = density.len();
        if density.kernel.jumps() || rule.fixed.is_some() {
            // Plateaus are not modes, and with a fixed number of steps no trajectory may end early:
            // nothing captures.
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

    /// Follows the trajectories of the points in `slots`.
    fn wave(&mut self, slots: &[usize]) -> Result<()> {
        let start = |&slot: &usize| self.density.starts(slot..slot + 1);
        let starts: Vec<f64> = slots.iter().flat_map(start).collect();
        let (ends, trace) = self.trajectories(&self.captors, true).run(&starts)?;
        self.trace.merge(&trace);
        for (&slot, end) in slots.iter().zip(&ends) {
            self.converged &= end.converged;
            self.stationary_of[slot] = match end.captured_by {
                Some(captor) => self.captor_points[captor],
                None => self.stationary.add(&end.place, end.weight, end.converged),
            };
        }
        Ok(())
    }

    /// Adds the stationary points that are modes to the capturing modes, and follows those that are
    /// saddles.
    ///
    /// At a saddle of the density a trajectory stops, but after a small perturbation it leaves. At a
    /// mode it returns.
    fn find_modes(&mut self, seed: u64) -> Result<()> {
        let perturbation = direction(self.density.dims(), seed, PERTURBATION * self.radius);
        while self.tested < self.stationary.len() {
            let candidates = self.new_candidates();
            self.tested = self.stationary.len();
            let perturbed = |&point: &usize| {
                let place = self.stationary.place(point).iter();
                place.zip(&perturbation).map(|(x, p)| x + p)
            };
            let starts: Vec<f64> = candidates.iter().flat_map(perturbed).collect();
            let nothing = CapturingModes::default();
            let (ends, _) = self.trajectories(&nothing, false).run(&starts)?;
            for (&point, end) in candidates.iter().zip(&ends) {
                let moved_sq = dist_sq(self.stationary.place(point), &end.place);
                if moved_sq <= self.radius * self.radius {
                    self.captor_points.push(point);
                } else {
                    let target = self.stationary.add(&end.place, end.weight, end.converged);
                    self.saddles.push((point, target));
                }
            }
        }
        let (places, radius) = (self.captor_places(), self.capture_radius());
        self.captors = CapturingModes::new(places, self.density.dims(), radius);
        Ok(())
    }

    /// The positions of the capturing modes, row by row.
    pub(super) fn captor_places(&self) -> Vec<f64> {
        self.captor_points.iter().flat_map(|&point| self.stationary.place(point).to_vec()).collect()
    }

    /// The distance within which a mode captures.
    pub(super) fn capture_radius(&self) -> f64 {
        CAPTURE * self.radius
    }

    /// Converged stationary points not yet tested: the densest of each group that will be one mode,
    /// none of a group that has a capturing mode.
    fn new_candidates(&self) -> Vec<usize> {
        let known = CapturingModes::new(self.captor_places(), self.density.dims(), self.radius);
        let found = &self.stationary;
        let is_new =
            |&point: &usize| found.converged(point) && known.capture(found.place(point)).is_none();
        let new: Vec<usize> = (self.tested..found.len()).filter(is_new).collect();
        found.densest_of_groups(&new, self.radius)
    }

    fn trajectories<'b>(&'b self, captors: &'b CapturingModes, counted: bool) -> Trajectories<'b> {
        Trajectories {
            density: self.density,
            rule: self.rule,
            captors,
            progress: self.progress,
            counted,
        }
    }
}

/// A seeded direction of the given length.
fn direction(dims: usize, seed: u64, length: f64) -> Vec<f64> {
    let mut rng = rng(seed);
    let raw: Vec<f64> = (0..dims).map(|_| rng.normal()).collect();
    let norm_sq: f64 = raw.iter().map(|x| x * x).sum();
    let norm = norm_sq.sqrt().max(f64::MIN_POSITIVE);
    raw.iter().map(|x| x / norm * length).collect()
}
