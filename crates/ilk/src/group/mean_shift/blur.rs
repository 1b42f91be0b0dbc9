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
use super::watch::Watch;
use crate::Result;
use crate::group::TraceStep;
use crate::numerics::cells::Cells;
use crate::numerics::distances::dist_sq;
use crate::similarity::Resolved;

/// Centres that are moved together.
const TILE: usize = 8;

/// Centres whose places agree to this share of the bandwidth are one. It is far below what one
/// more step would change, and far above rounding.
const COINCIDE: f64 = 1e-10;

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

    pub(super) fn density(&self, dims: usize, bandwidth: f64, kernel: Kernel) -> Density {
        let resolved = match &self.bandwidths {
            Some(each) => Resolved::PerPoint(each.clone()),
            None => Resolved::Fixed(bandwidth),
        };
        Density::new(&self.places, dims, Some(&self.masses), &resolved, kernel)
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
        dims: usize,
        bandwidth: f64,
        kernel: Kernel,
        watch: &Watch<'_>,
        mut visit: impl FnMut(usize, &Iterate) -> Result<()>,
    ) -> Result<()> {
        for (number, iterate) in self.kept.iter().enumerate() {
            visit(number + 1, iterate)?;
        }
        let Some(mut now) = self.kept.last().cloned() else {
            return Ok(());
        };
        for number in self.kept.len()..self.steps {
            (now.places, _) = step(&now, dims, bandwidth, kernel, number, watch);
            watch.check(number)?;
            merge(&mut now, &mut [], dims, COINCIDE * bandwidth);
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

/// Blurs until nothing moves or the rule ends it.
pub(super) fn blur(
    mut now: Iterate,
    dims: usize,
    bandwidth: f64,
    kernel: Kernel,
    rule: Rule,
    watch: &Watch<'_>,
) -> Result<Blurred> {
    let mut center_of: Vec<usize> = (0..now.masses.len()).collect();
    let (mut kept, mut trace) = (Vec::new(), Vec::new());
    let mut room = HISTORY * now.size();
    let mut full = false;
    loop {
        merge(&mut now, &mut center_of, dims, COINCIDE * bandwidth);
        let (next, movement) = step(&now, dims, bandwidth, kernel, trace.len() + 1, watch);
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
            merge(&mut now, &mut center_of, dims, COINCIDE * bandwidth);
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
fn step(
    now: &Iterate,
    dims: usize,
    bandwidth: f64,
    kernel: Kernel,
    iteration: usize,
    watch: &Watch<'_>,
) -> (Vec<f64>, f64) {
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

/// Joins centres of one grid cell (and one bandwidth) into their weighted mean.
fn merge(now: &mut Iterate, center_of: &mut [usize], dims: usize, cell: f64) {
    let mut cells = Cells::new(cell);
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
