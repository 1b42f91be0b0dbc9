//! The kernel on the constrained points while it is being learned, in whichever way is the cheaper.

use ndarray::Array2;

use super::comparison::Form;
use super::factor::{Factor, Learned};
use super::middle::Middle;
use super::rows::Distances;
use super::state::Gram;

/// Points for every dimension from which on features are the cheaper way: every distance that is looked at
/// then takes r² multiplications, which a stored one does not.
const POINTS_A_DIMENSION: usize = 8;

/// C itself, or the little that changes of it.
#[derive(Debug, Clone)]
pub(super) enum Kernel {
    Points(Gram),
    Features(Middle),
}

/// What looking at a distance and changing the kernel take, in multiplications.
#[derive(Debug, Clone, Copy)]
pub(super) struct Work {
    pub(super) look: f64,
    pub(super) update: f64,
}

impl Kernel {
    /// The start: C0 and its factor.
    pub(super) fn new(factor: &Factor, start: &Array2<f64>) -> Self {
        match factor.features() {
            Some(features) if POINTS_A_DIMENSION * features.ncols() <= features.nrows() => {
                Self::Features(Middle::new(features.to_owned()))
            }
            _ => Self::Points(Gram::new(start.view())),
        }
    }

    /// Starts again at a kernel that was made from duals.
    pub(super) fn reset(&mut self, learned: &Learned) {
        match self {
            Self::Points(state) => state.reset(learned.gram.view()),
            Self::Features(state) => {
                let inverse = learned.middle.solve(Array2::eye(state.dims()).view());
                state.reset(inverse.view());
            }
        }
    }

    /// What its parts take.
    pub(super) fn work(&self) -> Work {
        let square = |x: usize| (x * x) as f64;
        match self {
            Self::Points(state) => Work {
                look: 5.0,
                update: square(state.len()) / 2.0,
            },
            Self::Features(state) => Work {
                look: square(state.dims()),
                update: 3.0 * square(state.dims()),
            },
        }
    }

    /// All values.
    pub(super) fn current(&mut self) -> Array2<f64> {
        match self {
            Self::Points(state) => state.current(),
            Self::Features(state) => state.current(),
        }
    }

    /// The number of points.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Points(state) => state.len(),
            Self::Features(state) => state.len(),
        }
    }

    /// One value.
    pub(super) fn value(&self, i: usize, j: usize) -> f64 {
        match self {
            Self::Points(state) => state.value(i, j),
            Self::Features(state) => state.value(i, j),
        }
    }

    /// How many times larger its largest value is than at the last start.
    pub(super) fn growth(&self) -> f64 {
        match self {
            Self::Points(state) => state.growth(),
            Self::Features(state) => state.growth(),
        }
    }

    /// About how far off a distance may be by rounding.
    pub(super) fn rounding(&self) -> f64 {
        match self {
            Self::Points(state) => state.rounding(),
            Self::Features(state) => state.rounding(),
        }
    }

    /// C += β (Cz)(Cz)' with z = e_a - e_b.
    pub(super) fn update_pair(&mut self, a: usize, b: usize, factor: f64) {
        match self {
            Self::Points(state) => state.update_pair(a, b, factor),
            Self::Features(state) => state.update_pair(a, b, factor),
        }
    }

    /// C += W Q W' with W = [Cu Cv], u = e_i - e_j, v = e_i - e_k and Q = (q11, q12, q22).
    pub(super) fn update_comparison(&mut self, points: [usize; 3], q: (f64, f64, f64)) {
        match self {
            Self::Points(state) => state.update_comparison(points, q),
            Self::Features(state) => state.update_comparison(points, q),
        }
    }
}

impl Distances for Kernel {
    fn dist_sq(&self, a: usize, b: usize) -> f64 {
        match self {
            Self::Points(state) => state.dist_sq(a, b),
            Self::Features(state) => state.dist_sq(a, b),
        }
    }

    fn form(&self, i: usize, j: usize, k: usize) -> Form {
        match self {
            Self::Points(state) => state.form(i, j, k),
            Self::Features(state) => state.form(i, j, k),
        }
    }
}
