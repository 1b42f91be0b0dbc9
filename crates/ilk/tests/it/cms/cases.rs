//! Random problems, and which of them have one right answer.
//!
//! Kernels that end somewhere jump, and so does the answer: a sampling point at the very edge is
//! taken or not by the last bit. Such a case has no one right answer, and is left out: one in which
//! the plain loop's own answer changes when every centre is nudged by 1e-9 bandwidths before every
//! iteration, or a bandwidth or a threshold of merging is off by 1e-9. [`on_cases`] sees to it that
//! few are left out.

use std::sync::atomic::{AtomicU32, Ordering};

use ilk::group::constrained_mean_shift::{CmsKernel, Schedule};
use ilk::method::{AnyMethod, Cms, CmsMode, Method};
use ilk::numerics::rng::rng;
use ilk::observe::Silent;
use ilk::outcome::{Clustering, Fit};
use ilk::problem::{Constraints, Points, Problem};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestCaseError, TestRng, TestRunner};

use super::plain::{self, Blocked, Found};

/// The results of two exact computations differ by no more in any coordinate.
pub(crate) const CLOSE: f64 = 1e-7;

/// Centres are nudged by this share of the bandwidth to find out where the answer jumps.
const NUDGE: f64 = 1e-9;

/// A problem and how to solve it.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) dims: usize,
    pub(crate) rows: Vec<f64>,
    pub(crate) must_links: Vec<[usize; 2]>,
    pub(crate) cannot_links: Vec<[usize; 2]>,
    pub(crate) params: Cms,
}

impl Case {
    pub(crate) fn n(&self) -> usize {
        self.rows.len() / self.dims
    }

    pub(crate) fn points(&self) -> Points {
        Points::from_shape(self.n(), self.dims, self.rows.clone()).unwrap()
    }

    pub(crate) fn constraints(&self) -> Constraints {
        let mut constraints = Constraints::new(self.n());
        for &[a, b] in &self.must_links {
            constraints.must_link(a, b).unwrap();
        }
        for &[a, b] in &self.cannot_links {
            constraints.cannot_link(a, b).unwrap();
        }
        constraints
    }

    pub(crate) fn problem(&self) -> Problem {
        Problem::new(self.points(), self.constraints()).unwrap()
    }

    pub(crate) fn fit(&self) -> Fit {
        fit(&self.params, &self.problem())
    }

    pub(crate) fn pairs(&self, constraints: &Constraints) -> Vec<Blocked> {
        if self.params.closure {
            plain::closure_pairs(constraints)
        } else {
            plain::given_pairs(constraints)
        }
    }

    /// The plain loop's answer, unless it jumps.
    pub(crate) fn expected(&self) -> Option<Found> {
        self.expected_with(&self.constraints())
    }

    pub(crate) fn expected_with(&self, constraints: &Constraints) -> Option<Found> {
        let pairs = &self.pairs(constraints);
        let settings = plain::settings(&self.params, &self.points());
        let exact = plain::shift(&self.rows, self.dims, pairs, &settings);
        let is_same = |other: &Found| {
            other.labels == exact.labels
                && other.bandwidths.len() == exact.bandwidths.len()
                && plain::worst(&other.centers, &exact.centers) < CLOSE / 2.0
        };
        let is_steady = [1, 2].into_iter().all(|seed| {
            let mut rng = rng(seed);
            let nudge = |centers: &mut [f64], h: f64| {
                for x in centers {
                    *x += NUDGE * h * (2.0 * rng.uniform() - 1.0);
                }
            };
            let (rows, dims) = (&self.rows, self.dims);
            is_same(&plain::shift_nudged(rows, &[], dims, pairs, &settings, nudge))
        });
        let is_steady = is_steady
            && [1.0 - NUDGE, 1.0 + NUDGE].into_iter().all(|factor| {
                let mut settings = settings.clone();
                for h in &mut settings.bandwidths {
                    *h *= factor;
                }
                is_same(&plain::shift(&self.rows, self.dims, pairs, &settings))
            });
        let is_tie = exact.labels_nearby.iter().any(|l| *l != exact.labels);
        (is_steady && !is_tie).then_some(exact)
    }
}

pub(crate) fn fit(params: &Cms, problem: &Problem) -> Fit {
    AnyMethod::Cms(params.clone()).fit(problem, &Silent).unwrap()
}

pub(crate) fn labels(found: &Clustering) -> Vec<usize> {
    found.labels.iter().map(|label| label.unwrap()).collect()
}

pub(crate) fn final_positions(found: &Clustering) -> Vec<f64> {
    found.final_positions.as_ref().unwrap().iter().copied().collect()
}

fn schedules() -> impl Strategy<Value = Schedule> {
    prop_oneof![
        2 => Just(Schedule::Linear),
        2 => (0.05..0.9).prop_map(Schedule::Fixed),
        1 => (0.05..0.3, 0.3..1.5).prop_map(|(low, high)| Schedule::Between(low, high)),
        1 => vec(0.05..1.0, 3..6).prop_map(Schedule::Given),
    ]
}

fn kernels() -> impl Strategy<Value = CmsKernel> {
    prop_oneof![Just(CmsKernel::Truncated), Just(CmsKernel::Ball), Just(CmsKernel::Rbf),]
}

fn params() -> impl Strategy<Value = Cms> {
    let shift = (schedules(), 1_usize..40, kernels(), 0.02..0.7, 0.1..1.5);
    let merge = (0.9..0.999, prop_oneof![Just(0.0), 0.01..0.5]);
    let flags = (any::<bool>(), any::<bool>(), prop::bool::weighted(0.8));
    (shift, merge, flags).prop_map(|(shift, (merge_kernel, merge_weight), flags)| {
        let (bandwidth, max_iter, kernel, truncation, constraint_scale) = shift;
        let (blurring, closure, early_stop) = flags;
        // The first bandwidth of a linear schedule is a distance, at which a ball has its edge.
        let bandwidth = match (bandwidth, kernel) {
            (Schedule::Linear, CmsKernel::Ball) => Schedule::Between(0.15, 1.1),
            (bandwidth, _) => bandwidth,
        };
        Cms {
            bandwidth,
            max_iter,
            kernel,
            truncation,
            blurring,
            constraint_scale,
            merge_kernel,
            merge_weight,
            closure,
            early_stop,
            history: 0,
            mode: CmsMode::Paper,
            ..Cms::default()
        }
    })
}

fn links(n: usize, most: usize) -> impl Strategy<Value = Vec<[usize; 2]>> {
    let pair = (0..n, 1..n).prop_map(move |(a, step)| [a, (a + step) % n]);
    vec(pair, 0..=most)
}

/// Points, some of them in the same place, with links that may contradict each other.
pub(crate) fn cases() -> impl Strategy<Value = Case> {
    (1_usize..=5, 2_usize..=40).prop_flat_map(|(dims, n)| {
        let rows = vec(0.0..1.0, n * dims);
        let copies = prop_oneof![Just(vec![]), vec((0..n, 0..n), 1..=8)];
        (rows, copies, links(n, n / 3), links(n, n / 2), params()).prop_map(
            move |(mut rows, copies, must_links, cannot_links, params)| {
                for (from, to) in copies {
                    rows.copy_within(from * dims..(from + 1) * dims, to * dims);
                }
                Case { dims, rows, must_links, cannot_links, params }
            },
        )
    })
}

/// Runs `test` on many cases, the same in every run. It returns whether it could judge the case, and
/// must have judged three quarters of them.
pub(crate) fn on_cases<S: Strategy>(
    cases: u32,
    strategy: S,
    test: impl Fn(S::Value) -> Result<bool, TestCaseError>,
) {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let (tried, judged) = (AtomicU32::new(0), AtomicU32::new(0));
    let ended = TestRunner::new_with_rng(config, rng).run(&strategy, |case| {
        tried.fetch_add(1, Ordering::Relaxed);
        if test(case)? {
            judged.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    });
    if let Err(failure) = ended {
        panic!("{failure}");
    }
    let (tried, judged) = (tried.into_inner(), judged.into_inner());
    assert!(4 * judged >= 3 * tried, "only {judged} of {tried} judged");
}
