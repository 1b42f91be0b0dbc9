//! Round groups, and groups of groups.

use std::f64::consts::{PI, TAU};

use super::Dataset;
use super::canvas::{Canvas, even_sizes};
use super::generator::{LENGTH, POSITIVE, count, parameters};
use crate::{Result, error::check_n_clusters, parameter::Range};

parameters! {
    /// Round normal groups around random centres.
    ///
    /// Centres are uniform in the cube from -`reach` to `reach`. As scikit-learn's `make_blobs`.
    Blobs: "blobs", "make_blobs", "scikit-learn";
    /// Points in all, shared out evenly; the first groups have one more where that leaves some.
    n: usize = 300 in count(1);
    /// Number of groups.
    centers: usize = 3 in count(1);
    /// Number of coordinates.
    dims: usize = 2 in Range::Integer { min: 1, max: 1_000_000 };
    /// Standard deviation of each group in each coordinate.
    spread: f64 = 1.0 in LENGTH;
    /// Half the width of the cube in which centres lie.
    reach: f64 = 10.0 in LENGTH;
}

impl Blobs {
    /// Makes the set.
    pub fn generate(&self, seed: u64) -> Result<Dataset> {
        self.check()?;
        check_n_clusters(self.centers, self.n)?;
        let mut canvas = Canvas::new(self.n, self.dims, seed)?;
        for (label, size) in even_sizes(self.n, self.centers).enumerate() {
            let center: Vec<f64> =
                (0..self.dims).map(|_| self.reach * (2.0 * canvas.rng.uniform() - 1.0)).collect();
            canvas.blob(&center, self.spread, size, label);
        }
        Ok(canvas.finish(Self::INFO.name))
    }
}

parameters! {
    /// Groups of groups: a few far places, each with a few near ones.
    ///
    /// Both levels are a right answer: `labels` has the small groups, `coarse` the large. Small
    /// groups stand evenly on a circle, neighbours `separation` spreads apart; large groups stand
    /// evenly on a larger one, neighbours' nearest small groups at least three times as far.
    NestedBlobs: "nested-blobs", "make_nested_blobs", "ilk";
    /// Number of large groups.
    groups: usize = 3 in Range::Integer { min: 1, max: 10_000 };
    /// Number of small groups in each large one.
    subgroups: usize = 3 in Range::Integer { min: 1, max: 10_000 };
    /// Points in each small group.
    per_subgroup: usize = 40 in count(1);
    /// Standard deviation of a small group in each coordinate.
    spread: f64 = 0.5 in POSITIVE;
    /// Distance between neighbouring small groups, in spreads.
    separation: f64 = 6.0 in POSITIVE;
}

impl NestedBlobs {
    /// Makes the set.
    pub fn generate(&self, seed: u64) -> Result<Dataset> {
        self.check()?;
        let n = (self.groups * self.subgroups).saturating_mul(self.per_subgroup);
        let mut canvas = Canvas::new(n, 2, seed)?;
        let apart = self.separation * self.spread;
        let small = circle_radius(self.subgroups, apart);
        let large = circle_radius(self.groups, 2.0 * small + 3.0 * apart);
        let mut coarse = Vec::with_capacity(n);
        for group in 0..self.groups {
            let place = on_circle([0.0, 0.0], large, group, self.groups);
            for subgroup in 0..self.subgroups {
                let center = on_circle(place, small, subgroup, self.subgroups);
                let label = group * self.subgroups + subgroup;
                canvas.blob(&center, self.spread, self.per_subgroup, label);
            }
            coarse.resize(coarse.len() + self.subgroups * self.per_subgroup, group);
        }
        Ok(Dataset { coarse: Some(coarse), ..canvas.finish(Self::INFO.name) })
    }
}

/// The radius at which `count` evenly spaced places on a circle are `apart` from their neighbours.
fn circle_radius(count: usize, apart: f64) -> f64 {
    match count {
        0 | 1 => 0.0,
        _ => 0.5 * apart / (PI / count as f64).sin(),
    }
}

/// The `i`-th of `count` evenly spaced places on a circle, counted from the top.
fn on_circle([x, y]: [f64; 2], radius: f64, i: usize, count: usize) -> [f64; 2] {
    let (sin, cos) = (TAU * i as f64 / count as f64).sin_cos();
    [x + radius * sin, y + radius * cos]
}
