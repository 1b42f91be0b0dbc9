use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use ndarray::Array2;
use proptest::prelude::*;

use super::*;
use crate::Error;
use crate::numerics::rng::rng;
use crate::observe::{Event, Silent};

fn brute_force(points: &Points) -> (f64, f64) {
    let pairs = (0..points.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let all = pairs.map(|(i, j)| dist_sq(points.row(i), points.row(j)));
    let (low, high) = all
        .filter(|&d| d > 0.0)
        .fold((f64::INFINITY, 0.0), |(low, high), d| (f64::min(low, d), f64::max(high, d)));
    (low.sqrt(), high.sqrt())
}

proptest! {
    #[test]
    fn both_distances_are_those_of_all_pairs(seed: u64, n in 2..300_usize, dims in 1..6_usize) {
        let mut rng = rng(seed);
        let data = Array2::from_shape_simple_fn((n, dims), || rng.normal().powi(3));
        let points = Points::new(data).expect("finite");
        prop_assert_eq!(extent(&points, &Silent), Ok(Some(brute_force(&points))));
    }
}

#[test]
fn points_on_a_circle_have_all_distances_looked_at() {
    let at = |i: usize| f64::from(i as u32) * 0.1;
    let circle =
        Array2::from_shape_fn((200, 2), |(i, j)| if j == 0 { at(i).sin() } else { at(i).cos() });
    let points = Points::new(circle).expect("finite");
    assert_eq!(extent(&points, &Silent), Ok(Some(brute_force(&points))));
}

#[test]
fn equal_points_have_no_extent() {
    let points = Points::new(Array2::ones((5, 3))).expect("finite");
    assert_eq!(extent(&points, &Silent), Ok(None));
}

/// Cancels at a question, the first being number 0.
struct CancelAt(usize, AtomicUsize);

impl Observer for CancelAt {
    fn event(&self, _: &Event) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn is_cancelled(&self) -> bool {
        self.1.fetch_add(1, Ordering::Relaxed) >= self.0
    }
}

#[test]
fn it_asks_between_blocks_whether_it_is_cancelled() {
    let at = |i: usize| f64::from(i as u32) * 0.01;
    let circle =
        Array2::from_shape_fn((640, 2), |(i, j)| if j == 0 { at(i).sin() } else { at(i).cos() });
    let points = Points::new(circle).expect("finite");
    let asked = CancelAt(usize::MAX, AtomicUsize::new(0));
    extent(&points, &asked).expect("not cancelled");
    let questions = asked.1.into_inner();
    assert!(questions >= 5, "{questions}");
    for at in 0..questions {
        let cancelled = extent(&points, &CancelAt(at, AtomicUsize::new(0)));
        assert_eq!(cancelled, Err(Error::Cancelled { iterations: 0 }));
    }
}
