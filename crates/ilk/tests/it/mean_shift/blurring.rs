//! Data that move along with the centres.

use std::collections::HashMap;

use ilk::group::mean_shift::MeanShift;
use ilk::group::{GroupingAlgorithm, Label};
use ilk::ndarray::Array2;
use ilk::numerics::rng::rng;
use ilk::observe::Silent;
use ilk::problem::Points;
use ilk::similarity::Bandwidth;

use super::cases::{assert_close, blobs, fit, places_after, plain};

/// A image of three colours with noise: red, green, blue and two coordinates for each pixel.
fn pixels(width: usize, height: usize, noise: f64) -> Points {
    let mut rng = rng(7);
    let colors = [[0.9, 0.2, 0.1], [0.2, 0.7, 0.3], [0.1, 0.3, 0.8]];
    let mut rows = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let is_sun = (x as f64 - 0.7 * width as f64).hypot(y as f64 - 0.3 * height as f64)
                < 0.2 * height as f64;
            let color = colors[if is_sun { 0 } else { 1 + usize::from(2 * y < height) }];
            rows.extend(color.map(|c: f64| (c + noise * rng.normal()).clamp(0.0, 1.0)));
            rows.push(0.33 * x as f64 / (width - 1) as f64);
            rows.push(0.33 * y as f64 / (height - 1) as f64);
        }
    }
    let rows = Array2::from_shape_vec((width * height, 5), rows).expect("five each");
    Points::new(rows).expect("finite")
}

fn blurred(h: f64, cell: f64) -> MeanShift {
    MeanShift { bandwidth: Bandwidth::Fixed(h), blurring: true, cell, ..MeanShift::default() }
}

/// Points that are not in the largest common part of their clusters in two clusterings.
fn in_other_company(ours: &[Label], theirs: &[Label]) -> usize {
    let mut common: HashMap<Label, HashMap<Label, usize>> = HashMap::new();
    for (&a, &b) in ours.iter().zip(theirs) {
        *common.entry(a).or_default().entry(b).or_default() += 1;
    }
    let largest = common.values().map(|parts| parts.values().max().unwrap_or(&0));
    ours.len() - largest.sum::<usize>()
}

#[test]
fn cells_of_a_ten_thousandth_leave_the_partitions_of_pixels_nearly_as_they_are() {
    let points = pixels(60, 40, 0.05);
    for h in [0.03, 0.04, 0.08] {
        let params = |cell| MeanShift { fixed_iter: Some(50), ..blurred(h, cell) };
        let exact = fit(&params(1e-10), &points);
        let pooled = fit(&params(1e-4), &points);
        assert!(exact.n_clusters > 1, "or every answer would be right");
        let moved = in_other_company(&pooled.labels, &exact.labels);
        assert!(500 * moved <= points.len(), "{moved} of {} pixels, h = {h}", points.len());
    }
}

#[test]
fn steps_in_single_precision_are_those_of_the_plain_loop_up_to_a_tenth_of_a_cell() {
    for (seed, dims) in [(1, 1), (2, 2), (3, 3), (4, 5), (5, 8)] {
        // More than a tile, so that some are left out.
        let points = blobs(700, dims, 9, 1.0, seed);
        let (h, n) = (0.8 * (dims as f64).sqrt(), points.len());
        for (cell, unit) in [(1e-4, 1.0), (1e-3, 1e-200), (1e-2, 1e200)] {
            let weights: Vec<f64> = (0..n).map(|i| unit * (1.0 + (i % 3) as f64)).collect();
            let params = blurred(h, cell);
            let ours = places_after(&points, Some(&weights), &params, 1);
            let theirs = plain(&points, &vec![h; n], &weights, &params, 1);
            // Those that then share a cell are one, at most its diagonal away.
            let tolerance = (0.1 + (dims as f64).sqrt()) * cell * h;
            assert_close(&ours, &theirs, tolerance);
        }
    }
}

#[test]
fn a_centre_that_is_nothing_beside_the_heaviest_stays_where_it_is_alone() {
    let points = Points::from_rows(&[[0.0], [20.0]].map(Vec::from)).expect("finite");
    let ours = places_after(&points, Some(&[1.0, 1e-60]), &blurred(1.0, 1e-4), 1);
    assert_close(&ours, &[vec![0.0], vec![20.0]], 1e-12);
}

#[test]
fn predict_follows_pooled_blurring() {
    let points = pixels(50, 30, 0.05);
    for cell in [1e-4, 1e-2] {
        let params = MeanShift { fixed_iter: Some(30), ..blurred(0.05, cell) };
        let (grouping, model) = params.group(&points, &Silent).expect("valid input");
        assert!(grouping.n_clusters > 1, "or every answer would be right");
        assert_eq!(model.predict(&points).expect("valid input"), grouping.labels);
    }
}

#[test]
fn a_long_blurring_is_followed_though_its_model_stays_small() {
    // A row of points so far apart that they drift for long before they meet.
    let n = 40;
    let data = Array2::from_shape_fn((n, 2), |(i, k)| if k == 0 { 2.2 * i as f64 } else { 0.0 });
    let points = Points::new(data).expect("finite");
    let params = MeanShift {
        bandwidth: Bandwidth::Fixed(1.0),
        blurring: true,
        fixed_iter: Some(100),
        ..MeanShift::default()
    };
    let (grouping, model) = params.group(&points, &Silent).expect("valid input");
    assert!(grouping.n_clusters > 1, "or every answer would be right");
    let moving: usize = grouping.trace.iter().map(|step| step.active).sum();
    assert!(moving > 30 * n, "only {moving} centres: not long");
    assert_eq!(model.predict(&points).expect("valid input"), grouping.labels);
    let bytes = rmp_serde::to_vec(&model).expect("serializable").len();
    let data_bytes = n * 3 * 9;
    assert!(bytes < 18 * data_bytes, "{bytes} bytes");
}
