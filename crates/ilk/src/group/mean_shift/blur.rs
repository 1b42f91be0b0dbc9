//! Blurring mean shift: the data move together with the centres.
//!
//! Every step replaces all points by their weighted means at once, so the density sharpens and
//! points collapse into few positions within few steps. Centres that coincide move alike in all
//! later steps: they are merged into one centre with the sum of their masses.

use serde::{Deserialize, Serialize};

use super::model::{check_bandwidths, count_rows, resolved};
use super::{blur_f32, density::Density, kernel::Kernel, trajectory::StopRule};
use crate::error::stored::{MAX_STORED_STEPS, ensure, ensure_len, ensure_positive};
use crate::numerics::{blocks::Blocks, cells::Cells};
use crate::{Result, group::TraceStep, observe::Progress};

/// The history holds at most this many times the values of the data. Points usually collapse into
/// few centres before that; where they do not, later iterates are computed again when needed.
const HISTORY: usize = 16;

/// The centres before a step. A new point follows the data by a step on the density of each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Iterate {
    /// Positions, row by row.
    pub(super) places: Vec<f64>,
    /// The number of points, or their weight, of each centre.
    pub(super) masses: Vec<f64>,
    /// The bandwidth of each centre, where every point has its own.
    pub(super) bandwidths: Option<Vec<f64>>,
}

impl Iterate {
    /// The amount of numbers.
    fn size(&self) -> usize {
        let each = self.bandwidths.as_ref().map_or(0, Vec::len);
        self.places.len() + self.masses.len() + each
    }

    /// Puts the centres into an order that keeps neighbours together; returns the new index of each.
    fn sort(&mut self, dims: usize) -> Vec<usize> {
        let blocks = Blocks::new(&self.places, dims);
        let order = blocks.order().iter().map(|&i| i as usize);
        let sorted = |values: &Vec<f64>| order.clone().map(|i| values[i]).collect();
        let place = |i: usize| &self.places[i * dims..(i + 1) * dims];
        *self = Self {
            places: order.clone().flat_map(place).copied().collect(),
            masses: sorted(&self.masses),
            bandwidths: self.bandwidths.as_ref().map(sorted),
        };
        let mut new_of = vec![0; order.len()];
        for (new, old) in order.enumerate() {
            new_of[old] = new;
        }
        new_of
    }

    pub(super) fn density(&self, dims: usize, bandwidth: f64, kernel: Kernel) -> Density {
        let bandwidth = resolved(self.bandwidths.as_ref(), bandwidth);
        Density::new(&self.places, dims, Some(&self.masses), &bandwidth, kernel)
    }
}

/// When centres are sorted: at first, and whenever fewer than half of them are left. Sums are taken
/// in this order, so a replay of the steps must sort at the same ones.
///
/// `sorted` is the number of centres when they were sorted last.
fn is_sorting_due(sorted: &mut Option<usize>, now: &Iterate) -> bool {
    let count = now.masses.len();
    let is_due = sorted.is_none_or(|last| count < last / 2);
    if is_due {
        *sorted = Some(count);
    }
    is_due
}

/// The centres before every step of blurring.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct History {
    /// The centres before each of the first steps, up to the limit of memory.
    pub(super) kept: Vec<Iterate>,
    /// Number of steps.
    steps: usize,
}

impl History {
    /// Fails where a file holds centres of another shape, or more steps than can be repeated.
    pub(super) fn check(&self, dims: usize) -> Result<()> {
        let (kept, steps) = (self.kept.len(), self.steps);
        ensure((1..=steps).contains(&kept) && steps <= MAX_STORED_STEPS, || {
            format!("it keeps {kept} of {steps} steps")
        })?;
        for iterate in &self.kept {
            let n = count_rows("the places of the centres", &iterate.places, dims)?;
            ensure_len("the list of masses", iterate.masses.len(), n)?;
            ensure_positive("the mass of a centre", &iterate.masses)?;
            check_bandwidths(iterate.bandwidths.as_deref(), n)?;
        }
        Ok(())
    }

    /// Calls `visit` with the centres before each step; those that were not kept are computed again
    /// from the last that was.
    pub(super) fn replay(
        &self,
        how: Blurring,
        progress: &Progress<'_>,
        mut visit: impl FnMut(usize, &Iterate) -> Result<()>,
    ) -> Result<()> {
        let mut sorted = None;
        for (number, iterate) in self.kept.iter().enumerate() {
            is_sorting_due(&mut sorted, iterate);
            visit(number + 1, iterate)?;
        }
        let Some(mut now) = self.kept.last().cloned() else {
            return Ok(());
        };
        for number in self.kept.len()..self.steps {
            (now.places, _) = how.step(&now, number, progress);
            progress.check(number)?;
            how.prepare(&mut now, &mut [], &mut sorted);
            visit(number + 1, &now)?;
        }
        Ok(())
    }
}

pub(super) struct Blurred {
    pub(super) history: History,
    pub(super) last: Iterate,
    /// The centre of every point at the end.
    pub(super) center_of: Vec<usize>,
    pub(super) trace: Vec<TraceStep>,
    pub(super) converged: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Blurring {
    pub(super) dims: usize,
    /// The bandwidth, or the median where every point has its own.
    pub(super) bandwidth: f64,
    pub(super) kernel: Kernel,
    /// Centres that share a grid cell of this many bandwidths are one.
    pub(super) cell: f64,
}

impl Blurring {
    /// Blurs until no centre moves or the stopping rule holds.
    pub(super) fn run(
        self,
        mut now: Iterate,
        rule: StopRule,
        progress: &Progress<'_>,
    ) -> Result<Blurred> {
        let mut center_of: Vec<usize> = (0..now.masses.len()).collect();
        let (mut kept, mut trace) = (Vec::new(), Vec::new());
        let mut room = HISTORY * now.size();
        let mut full = false;
        let mut sorted = None;
        loop {
            self.prepare(&mut now, &mut center_of, &mut sorted);
            let (next, movement) = self.step(&now, trace.len() + 1, progress);
            trace.push(TraceStep::new(now.masses.len(), movement));
            full |= now.size() > room;
            if !full {
                room -= now.size();
                kept.push(now.clone());
            }
            now.places = next;
            progress.report(trace.len(), 0, movement, Some(now.masses.len()));
            progress.check(trace.len())?;
            if rule.ends(trace.len(), movement) {
                self.merge(&mut now, &mut center_of);
                let converged = movement <= rule.tol;
                let steps = trace.len();
                return Ok(Blurred {
                    history: History { kept, steps },
                    last: now,
                    center_of,
                    trace,
                    converged,
                });
            }
        }
    }

    /// The positions after one step, and the longest movement.
    pub(super) fn step(
        self,
        now: &Iterate,
        iteration: usize,
        progress: &Progress<'_>,
    ) -> (Vec<f64>, f64) {
        if blur_f32::is_enough(self, now) {
            return blur_f32::step(self, now, iteration, progress);
        }
        let dims = self.dims;
        let density = now.density(dims, self.bandwidth, self.kernel);
        let mut starts = density.starts(0..density.len());
        let report = || progress.report(iteration, 0, 0.0, Some(now.masses.len()));
        let movement = density.shift_all(&mut starts, report);
        density.to_input(&mut starts);
        let mut places = vec![0.0; starts.len()];
        for (row, &i) in starts.chunks_exact(dims).zip(density.order()) {
            let at = i as usize * dims;
            places[at..at + dims].copy_from_slice(row);
        }
        (places, movement)
    }

    /// Prepares centres for a step: merges those that coincide, and sorts the rest where it is due.
    fn prepare(self, now: &mut Iterate, center_of: &mut [usize], sorted: &mut Option<usize>) {
        self.merge(now, center_of);
        if is_sorting_due(sorted, now) {
            let new_of = now.sort(self.dims);
            for center in center_of {
                *center = new_of[*center];
            }
        }
    }

    /// Merges centres of one grid cell (and one bandwidth) into their weighted mean.
    pub(super) fn merge(self, now: &mut Iterate, center_of: &mut [usize]) {
        let bandwidths = now.bandwidths.as_ref();
        let merged = Cells::new(self.cell * self.bandwidth).merge_rows(
            (&now.places, self.dims),
            &now.masses,
            |i| bandwidths.map(|each| each[i]),
            |both| {
                let share = both.weight / (both.kept_weight + both.weight);
                for (mean, x) in both.kept.iter_mut().zip(both.row) {
                    *mean += (x - *mean) * share;
                }
            },
        );
        if merged.weights.len() < now.masses.len() {
            let bandwidths = bandwidths.map(|each| merged.first.iter().map(|&i| each[i]).collect());
            for center in center_of {
                *center = merged.cell_of[*center];
            }
            *now = Iterate { places: merged.rows, masses: merged.weights, bandwidths };
        }
    }
}
