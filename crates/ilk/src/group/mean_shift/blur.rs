//! Blurring mean shift: the data move along with the centres.
//!
//! Every step replaces all points by their weighted means at once, so the density sharpens and
//! points collapse into few places, fast. Centres that coincide move alike for ever after: they
//! become one centre that carries their masses.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::climb::Rule;
use super::density::{Density, Scratch};
use super::kernel::Kernel;
use super::sweep;
use super::watch::Watch;
use crate::Result;
use crate::group::TraceStep;
use crate::numerics::blocks::Blocks;
use crate::numerics::cells::Cells;
use crate::numerics::distances::dist_sq;
use crate::similarity::Resolved;

/// Centres that are moved together.
const TILE: usize = 8;

/// The history holds at most this many times the values of the data. Points usually collapse into
/// few centres long before; where they do not, later iterates are computed again when they are
/// needed.
const HISTORY: usize = 16;

/// The centres before a step: what a new point has to be shifted on to follow the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Iterate {
    /// Places, row by row.
    pub(super) places: Vec<f64>,
    /// How many points, or how much weight, each centre carries.
    pub(super) masses: Vec<f64>,
    /// The bandwidth of each centre, where every point has its own.
    pub(super) bandwidths: Option<Vec<f64>>,
}

impl Iterate {
    /// Numbers that it consists of.
    fn size(&self) -> usize {
        let each = self.bandwidths.as_ref().map_or(0, Vec::len);
        self.places.len() + self.masses.len() + each
    }

    /// Puts the centres into an order that keeps neighbours together, and says where each went.
    fn sort(&mut self, dims: usize) -> Vec<usize> {
        let order = Blocks::new(&self.places, dims);
        let order = order.order().iter().map(|&i| i as usize);
        let mut new_of = vec![0; order.len()];
        let mut sorted = Self {
            places: Vec::with_capacity(self.places.len()),
            masses: order.clone().map(|i| self.masses[i]).collect(),
            bandwidths: None,
        };
        if let Some(each) = &self.bandwidths {
            sorted.bandwidths = Some(order.clone().map(|i| each[i]).collect());
        }
        for (new, old) in order.enumerate() {
            let place = &self.places[old * dims..(old + 1) * dims];
            sorted.places.extend_from_slice(place);
            new_of[old] = new;
        }
        *self = sorted;
        new_of
    }

    pub(super) fn density(&self, dims: usize, bandwidth: f64, kernel: Kernel) -> Density {
        let resolved = match &self.bandwidths {
            Some(each) => Resolved::PerPoint(each.clone()),
            None => Resolved::Fixed(bandwidth),
        };
        Density::new(&self.places, dims, Some(&self.masses), &resolved, kernel)
    }
}

/// When centres are put into order: at first, and whenever fewer than half of them are left. The order
/// is that in which sums are taken, so that whoever repeats steps must keep to it.
#[derive(Default)]
struct Ordering {
    /// How many centres there were the last time.
    last: Option<usize>,
}

impl Ordering {
    fn is_due(&mut self, now: &Iterate) -> bool {
        let count = now.masses.len();
        let is_due = self.last.is_none_or(|last| count < last / 2);
        if is_due {
            self.last = Some(count);
        }
        is_due
    }
}

/// The densities that blurring went through, one a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct History {
    /// The centres before the first steps, as far as there is room.
    kept: Vec<Iterate>,
    /// Number of steps.
    steps: usize,
}

impl History {
    /// Shows `visit` the centres before each step; those that were not kept follow from the last
    /// that was.
    pub(super) fn replay(
        &self,
        how: Blurring,
        watch: &Watch<'_>,
        mut visit: impl FnMut(usize, &Iterate) -> Result<()>,
    ) -> Result<()> {
        let mut ordering = Ordering::default();
        for (number, iterate) in self.kept.iter().enumerate() {
            ordering.is_due(iterate);
            visit(number + 1, iterate)?;
        }
        let Some(mut now) = self.kept.last().cloned() else {
            return Ok(());
        };
        for number in self.kept.len()..self.steps {
            (now.places, _) = how.step(&now, number, watch);
            watch.check(number)?;
            how.join(&mut now, &mut [], &mut ordering);
            visit(number + 1, &now)?;
        }
        Ok(())
    }
}

/// What blurring did.
pub(super) struct Blurred {
    pub(super) history: History,
    /// The centres at the end.
    pub(super) last: Iterate,
    /// The centre of every point at the end.
    pub(super) center_of: Vec<usize>,
    pub(super) trace: Vec<TraceStep>,
    pub(super) converged: bool,
}

/// How the data are blurred.
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
    /// Blurs until nothing moves or the rule ends it.
    pub(super) fn run(self, mut now: Iterate, rule: Rule, watch: &Watch<'_>) -> Result<Blurred> {
        let mut center_of: Vec<usize> = (0..now.masses.len()).collect();
        let (mut kept, mut trace) = (Vec::new(), Vec::new());
        let mut room = HISTORY * now.size();
        let mut full = false;
        let mut ordering = Ordering::default();
        loop {
            self.join(&mut now, &mut center_of, &mut ordering);
            let (next, movement) = self.step(&now, trace.len() + 1, watch);
            trace.push(TraceStep {
                active: now.masses.len(),
                movement,
                bandwidth: None,
                objective: None,
            });
            full |= now.size() > room;
            if !full {
                room -= now.size();
                kept.push(now.clone());
            }
            now.places = next;
            watch.report(trace.len(), 0, movement, Some(now.masses.len()));
            watch.check(trace.len())?;
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

    /// The places after one step, and the longest movement.
    fn step(self, now: &Iterate, iteration: usize, watch: &Watch<'_>) -> (Vec<f64>, f64) {
        let Self {
            dims,
            bandwidth,
            kernel,
            cell,
        } = self;
        if sweep::is_enough(now, dims, bandwidth, kernel, cell) {
            return sweep::sweep(now, dims, bandwidth, cell, iteration, watch);
        }
        let density = now.density(dims, bandwidth, kernel);
        let mut starts = density.starts(0..density.len());
        let movement = starts
            .par_chunks_mut(TILE * dims)
            .map_init(
                || (Scratch::default(), Vec::new()),
                |(scratch, totals), tile| {
                    if !watch.report(iteration, 0, 0.0, Some(now.masses.len())) {
                        return 0.0;
                    }
                    let before = tile.to_vec();
                    density.shift(tile, totals, scratch);
                    before
                        .chunks_exact(dims)
                        .zip(tile.chunks_exact(dims))
                        .map(|(a, b)| dist_sq(a, b).sqrt())
                        .fold(0.0, f64::max)
                },
            )
            .reduce(|| 0.0, f64::max);
        density.to_input(&mut starts);
        let mut places = vec![0.0; starts.len()];
        for (row, &i) in starts.chunks_exact(dims).zip(density.order()) {
            let at = i as usize * dims;
            places[at..at + dims].copy_from_slice(row);
        }
        (places, movement)
    }

    /// Makes centres ready for a step: joins those that met, and orders the rest where it is due.
    fn join(self, now: &mut Iterate, center_of: &mut [usize], ordering: &mut Ordering) {
        self.merge(now, center_of);
        if ordering.is_due(now) {
            let new_of = now.sort(self.dims);
            for center in center_of {
                *center = new_of[*center];
            }
        }
    }

    /// Joins centres of one grid cell (and one bandwidth) into their weighted mean.
    fn merge(self, now: &mut Iterate, center_of: &mut [usize]) {
        let dims = self.dims;
        let mut cells = Cells::new(self.cell * self.bandwidth);
        let mut joined = Iterate {
            places: Vec::new(),
            masses: Vec::new(),
            bandwidths: now.bandwidths.as_ref().map(|_| Vec::new()),
        };
        let mut new_of = Vec::with_capacity(now.masses.len());
        for (i, place) in now.places.chunks_exact(dims).enumerate() {
            let h = now.bandwidths.as_ref().map_or(0.0, |each| each[i]);
            let center = cells.number_tagged(place, h);
            new_of.push(center);
            if center == joined.masses.len() {
                joined.places.extend_from_slice(place);
                joined.masses.push(now.masses[i]);
                if let Some(each) = &mut joined.bandwidths {
                    each.push(h);
                }
            } else {
                let (old, new) = (joined.masses[center], now.masses[i]);
                joined.masses[center] += new;
                for (mean, x) in joined.places[center * dims..].iter_mut().zip(place) {
                    *mean += (x - *mean) * (new / (old + new));
                }
            }
        }
        if joined.masses.len() < now.masses.len() {
            *now = joined;
            for center in center_of {
                *center = new_of[*center];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::rng::rng;
    use crate::observe::Silent;
    use crate::similarity::Profile;

    /// Points so far apart that they drift for long before they meet: the history does not hold it all, and
    /// they halve after its end.
    #[test]
    fn what_was_not_kept_is_computed_again_to_the_bit() {
        let how = Blurring {
            dims: 2,
            bandwidth: 1.0,
            kernel: Kernel {
                profile: Profile::Gaussian,
                truncation: 0.0,
            },
            cell: 1e-4,
        };
        let mut rng = rng(2);
        let mut nodes: Vec<[f64; 2]> = (0..324)
            .map(|i| {
                [f64::from(i % 18), f64::from(i / 18)].map(|x| 2.6 * x + 0.002 * rng.uniform())
            })
            .collect();
        rng.shuffle(&mut nodes);
        let start = Iterate {
            masses: vec![1.0; nodes.len()],
            places: nodes.concat(),
            bandwidths: None,
        };
        let rule = Rule {
            tol: 0.0,
            max_iter: 400,
            fixed: Some(400),
        };
        let watch = Watch::new(&Silent, "blurring", 1);
        let blurred = how.run(start, rule, &watch).expect("not cancelled");
        let kept = blurred.history.kept.len();
        let counts: Vec<usize> = blurred.trace.iter().map(|step| step.active).collect();
        let half = counts[0] / 2;
        let is_later = counts[kept - 1] >= half && counts[400 - 1] < half;
        assert!(is_later, "after {kept} steps: {counts:?}");
        let mut last = None;
        let visit = |_, iterate: &Iterate| {
            last = Some(iterate.clone());
            Ok(())
        };
        let replayed = blurred.history.replay(how, &watch, visit);
        replayed.expect("not cancelled");
        let mut last = last.expect("some steps");
        (last.places, _) = how.step(&last, 400, &watch);
        how.merge(&mut last, &mut []);
        assert_eq!(last, blurred.last);
    }
}
