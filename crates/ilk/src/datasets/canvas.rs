//! Points that are added group by group.

use std::f64::consts::TAU;

use ndarray::Array2;

use super::{Data, Dataset};
use crate::numerics::rng::{Rng, rng};
use crate::{Result, error::check_memory_limit};

/// The largest set that is still made: 16 GiB.
const MAX_BYTES: u128 = 1 << 34;

/// Refuses what would not fit in memory, before anything is allocated.
pub(super) fn check_size(numbers: u128) -> Result<()> {
    let instead = "ask for fewer points";
    check_memory_limit("the data set", numbers * 8, MAX_BYTES, instead)
}

/// The sizes of `k` groups that share out `n` points evenly; the first have one more where that leaves
/// some.
pub(super) fn even_sizes(n: usize, k: usize) -> impl Iterator<Item = usize> {
    (0..k).map(move |group| n / k + usize::from(group < n % k))
}

/// How points lie along an arc.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Spacing {
    /// At equal distances, both ends included.
    Ends,
    /// At equal distances, the second end left out: a whole turn does not meet itself.
    Turn,
    /// Anywhere, uniformly.
    Random,
}

/// A part of a circle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arc {
    pub(super) center: [f64; 2],
    pub(super) radius: f64,
    /// First and last angle in radians.
    pub(super) angles: [f64; 2],
    pub(super) spacing: Spacing,
}

impl Arc {
    pub(super) fn circle(center: [f64; 2], radius: f64, spacing: Spacing) -> Self {
        Self { center, radius, angles: [0.0, TAU], spacing }
    }
}

/// A growing set of labelled points.
pub(super) struct Canvas {
    dims: usize,
    coordinates: Vec<f64>,
    labels: Vec<usize>,
    pub(super) rng: Rng,
}

impl Canvas {
    /// Room for `n` points of `dims` coordinates.
    pub(super) fn new(n: usize, dims: usize, seed: u64) -> Result<Self> {
        let numbers = n as u128 * dims as u128;
        check_size(numbers)?;
        Ok(Self {
            dims,
            coordinates: Vec::with_capacity(numbers as usize),
            labels: Vec::with_capacity(n),
            rng: rng(seed),
        })
    }

    /// A point at `center` plus normal noise in every coordinate.
    fn dot(&mut self, center: &[f64], spread: f64, label: usize) {
        for &c in center {
            let noise = spread * self.rng.normal();
            self.coordinates.push(c + noise);
        }
        self.labels.push(label);
    }

    /// `count` points of a normal distribution.
    pub(super) fn blob(&mut self, center: &[f64], spread: f64, count: usize, label: usize) {
        for _ in 0..count {
            self.dot(center, spread, label);
        }
    }

    /// `count` points along an arc.
    pub(super) fn arc(&mut self, arc: Arc, noise: f64, count: usize, label: usize) {
        let [from, to] = arc.angles;
        let steps = match arc.spacing {
            Spacing::Ends => count.saturating_sub(1).max(1),
            Spacing::Turn | Spacing::Random => count,
        } as f64;
        for i in 0..count {
            let share = match arc.spacing {
                Spacing::Ends | Spacing::Turn => i as f64 / steps,
                Spacing::Random => self.rng.uniform(),
            };
            let (sin, cos) = (from + (to - from) * share).sin_cos();
            let [x, y] = arc.center;
            let on_arc = [x + arc.radius * cos, y + arc.radius * sin];
            self.dot(&on_arc, noise, label);
        }
    }

    pub(super) fn finish(self, name: &'static str) -> Dataset {
        let shape = (self.labels.len(), self.dims);
        let points = Array2::from_shape_vec(shape, self.coordinates);
        Dataset {
            name,
            data: Data::Points(points.expect("as many coordinates as dimensions for each label")),
            labels: self.labels,
            coarse: None,
        }
    }
}
