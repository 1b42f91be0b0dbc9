//! Blurring mean shift: the data move together with the centres.
//!
//! Every step replaces all points by their weighted means at once, so the density sharpens and
//! points collapse into few positions within few steps. Centres that coincide move alike in all
//! later steps: they are merged into one centre with the sum of their masses.

use serde::{Deserialize, Serialize};

use super::model::{check_bandwidths, count_rows, resolved};
use super::{blur_f32, density::Density, kernel::TruncatedProfile, trajectory::StopRule};
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

    pub(super) fn density(&self, dims: usize, bandwidth: f64, kernel: TruncatedProfile) -> Density {
        let bandwidth = resolved(self.bandwidths.as_ref(), bandwidth);
        Density::new(&self.places, dims, Some(&self.masses), &bandwidth, kernel)
    }
}

/// Centres after a step above which large cells grow: where so many do not collapse by themselves, as in noise,
/// every step would be a search among all of them.
const MANY: usize = 100_000;

/// Cells from this size on, in bandwidths, grow; smaller ones are meant to merge only what coincides.
const LARGE_CELL: f64 = 0.01;

/// What happens to the centres between two steps. It depends on their numbers alone, so that a replay of the steps
/// can do the same.
struct Pace {
    /// The number of centres when they were sorted last.
    sorted: Option<usize>,
    /// The number of centres in the step before.
    before: Option<usize>,
    /// The side of the cells, in bandwidths.
    cell: f64,
    /// How many times as large they become when they grow next: twice, then four times, and so on.
    growth: f64,
}

impl Pace {
    fn new(cell: f64) -> Self {
        Self { sorted: None, before: None, cell, growth: 2.0 }
    }

    /// The side of the cells in which centres are merged before the next step, in bandwidths.
    fn next_cell(&mut self) -> f64 {
        if self.cell >= LARGE_CELL && self.before.is_some_and(|count| count > MANY) {
            self.cell = (self.growth * self.cell).min(1.0);
            self.growth *= 2.0;
        }
        self.cell
    }

    /// Whether the centres, of which `count` are left, are to be sorted: at first, and whenever fewer than half of
    /// them are left. Sums are taken in this order.
    fn is_sorting_due(&mut self, count: usize) -> bool {
        self.before = Some(count);
        let is_due = self.sorted.is_none_or(|last| count < last / 2);
        if is_due {
            self.sorted = Some(count);
        }
        is_due
    }
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
        let mut pace = Pace::new(how.cell);
        for (number, iterate) in self.kept.iter().enumerate() {
            pace.next_cell();
            pace.is_sorting_due(iterate.masses.len());
            visit(number + 1, iterate)?;
        }
        let Some(mut now) = self.kept.last().cloned() else {
            return Ok(());
        };
        for number in self.kept.len()..self.steps {
            let coarse = Blurring { cell: pace.cell, ..how };
            (now.places, _) = coarse.step(&now, number, progress);
            progress.check(number)?;
            how.prepare(&mut now, &mut [], &mut pace);
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
    pub(super) kernel: TruncatedProfile,
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
        let mut pace = Pace::new(self.cell);
        loop {
            self.prepare(&mut now, &mut center_of, &mut pace);
            let coarse = Self { cell: pace.cell, ..self };
            let (next, movement) = coarse.step(&now, trace.len() + 1, progress);
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
    fn prepare(self, now: &mut Iterate, center_of: &mut [usize], pace: &mut Pace) {
        Self { cell: pace.next_cell(), ..self }.merge(now, center_of);
        if pace.is_sorting_due(now.masses.len()) {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The cells of the steps that have so many centres.
    fn cells(cell: f64, counts: &[usize]) -> Vec<f64> {
        let mut pace = Pace::new(cell);
        let step = |&count: &usize| {
            let cell = pace.next_cell();
            pace.is_sorting_due(count);
            cell
        };
        counts.iter().map(step).collect()
    }

    #[test]
    fn large_cells_grow_up_to_a_bandwidth_while_many_centres_are_left() {
        let many = MANY + 1;
        assert_eq!(cells(0.1, &[many, many, 9, 9]), [0.1, 0.2, 0.8, 0.8]);
        assert_eq!(cells(0.1, &[many; 4]), [0.1, 0.2, 0.8, 1.0]);
        assert_eq!(cells(0.1, &[MANY; 3]), [0.1; 3]);
        assert_eq!(cells(1e-4, &[many; 3]), [1e-4; 3]);
    }
}
