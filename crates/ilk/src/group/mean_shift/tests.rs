use super::{blur::*, blur_f32::*, kernel::TruncatedProfile, trajectory::StopRule};
use crate::numerics::{gaussian_sums::WIDTH, mass_boxes::BoxWeights, rng::rng};
use crate::observe::{Progress, Silent};
use crate::similarity::Profile;

fn gaussian_blurring() -> Blurring {
    Blurring {
        dims: 2,
        bandwidth: 1.0,
        kernel: TruncatedProfile { profile: Profile::Gaussian, truncation: 0.0 },
        cell: 1e-4,
    }
}

/// Points so far apart that they move for many steps before they meet: the history does not hold
/// all steps, and the number of centres halves after its end.
#[test]
fn what_was_not_kept_is_computed_again_to_the_bit() {
    let how = gaussian_blurring();
    let mut rng = rng(2);
    let mut nodes: Vec<[f64; 2]> = (0..324)
        .map(|i| [f64::from(i % 18), f64::from(i / 18)].map(|x| 2.6 * x + 0.002 * rng.uniform()))
        .collect();
    rng.shuffle(&mut nodes);
    let start =
        Iterate { masses: vec![1.0; nodes.len()], places: nodes.concat(), bandwidths: None };
    let rule = StopRule { tol: 0.0, max_iter: 400, fixed: Some(400) };
    let progress = Progress::new(&Silent, "blurring", 1);
    let blurred = how.run(start, rule, &progress).expect("not cancelled");
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
    let replayed = blurred.history.replay(how, &progress, visit);
    replayed.expect("not cancelled");
    let mut last = last.expect("some steps");
    (last.places, _) = how.step(&last, 400, &progress);
    how.merge(&mut last, &mut []);
    assert_eq!(last, blurred.last);
}

fn iterate(places: Vec<f64>, dims: usize) -> Iterate {
    Iterate { masses: vec![1.0; places.len() / dims], places, bandwidths: None }
}

#[test]
fn a_last_tile_that_is_not_full_has_weights_that_are_numbers() {
    let places = (0..TILE + WIDTH + 3).map(|i| 0.1 * i as f64).collect();
    let tiles = SourceTiles::new(&iterate(places, 1), 1, 1.0);
    let mut weights = BoxWeights::default();
    let sides = tiles.vectors.sides(0);
    tiles.vectors.weigh(&sides, &[0, 1], VECTORS, &mut weights);
    assert!(weights.total() > 0.0 && weights.total().is_finite());
    assert!(weights.upper.iter().all(|upper| upper.is_finite()));
}

#[test]
fn single_precision_is_refused_for_how_far_centres_spread_not_for_where_they_lie() {
    let is_enough = |places: Vec<f64>| {
        let how = Blurring { cell: SMALLEST_CELL, ..gaussian_blurring() };
        is_enough(how, &iterate(places, 2))
    };
    assert!(is_enough(vec![0.0, 1e4, 99.0, 1e4 + 99.0]));
    assert!(!is_enough(vec![0.0, 0.0, 1.0, 101.0]));
}
