//! What a cluster is, against definitions written out in full.

use ilk::explain::{
    Explanation, MAX_UNUSUAL, N_NEAREST, PointExplanation, SAMPLE_ROWS, UnusualRows,
};
use ilk::group::Label;
use ilk::numerics::rng::rng;
use ilk::problem::{ConstraintKind, Constraints, Points};

/// Three groups of unequal size and spread around (0, 0), (6, 0) and (0, 9), and a third feature of noise; a tenth of
/// the rows are in no cluster.
fn blobs(n: usize, seed: u64) -> (Points, Vec<Label>) {
    let mut rng = rng(seed);
    let centers = [[0.0, 0.0], [6.0, 0.0], [0.0, 9.0]];
    let mut rows = Vec::new();
    let mut labels = Vec::new();
    for _ in 0..n {
        let cluster = [0, 0, 0, 1, 1, 2][rng.below(6)];
        let spread = [1.0, 2.0, 0.5][cluster];
        let [x, y] = centers[cluster].map(|center| center + spread * rng.normal());
        rows.push(vec![x, y, 100.0 + rng.normal()]);
        labels.push((rng.below(10) > 0).then_some(cluster));
    }
    (Points::from_rows(&rows).expect("points"), labels)
}

fn distance(points: &Points, a: usize, b: usize) -> f64 {
    let squares = points.row(a).iter().zip(points.row(b)).map(|(a, b)| (a - b).powi(2));
    squares.sum::<f64>().sqrt()
}

/// The mean distance of `row` to the other rows of a cluster.
fn mean_distance(points: &Points, labels: &[Label], row: usize, cluster: usize) -> f64 {
    let others = (0..points.len()).filter(|&other| labels[other] == Some(cluster) && other != row);
    let all: Vec<f64> = others.map(|other| distance(points, row, other)).collect();
    all.iter().sum::<f64>() / all.len() as f64
}

fn assert_close(found: Option<f64>, expected: f64) {
    let found = found.expect("a number");
    assert!(
        (found - expected).abs() < 1e-12 * expected.abs().max(1.0),
        "{found} is not {expected}"
    );
}

#[test]
fn silhouettes_medoids_and_neighbours_are_those_of_their_definitions() {
    let (points, labels) = blobs(300, 1);
    let explanation = Explanation::new(&points, &labels, 0).expect("an explanation");
    assert_eq!(explanation.n_noise, labels.iter().filter(|label| label.is_none()).count());
    let mut all = Vec::new();
    for found in &explanation.clusters {
        let rows: Vec<usize> = (0..300).filter(|&row| labels[row] == Some(found.cluster)).collect();
        assert_eq!(found.size, rows.len());
        let within = |row: usize| mean_distance(&points, &labels, row, found.cluster);
        let medoid = rows.iter().copied().min_by(|&a, &b| within(a).total_cmp(&within(b)));
        assert_eq!(found.typical.first(), medoid.as_ref());
        let others: Vec<usize> = (0..3).filter(|&other| other != found.cluster).collect();
        let silhouettes: Vec<f64> = rows
            .iter()
            .map(|&row| {
                let means = others.iter().map(|&other| mean_distance(&points, &labels, row, other));
                let (a, b) = (within(row), means.fold(f64::INFINITY, f64::min));
                (b - a) / a.max(b)
            })
            .collect();
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        assert_close(found.silhouette, mean(&silhouettes));
        let within: Vec<f64> = rows.iter().map(|&row| within(row)).collect();
        assert_close(found.mean_distance, mean(&within));
        let to = |other: usize| {
            let each = rows.iter().map(|&row| mean_distance(&points, &labels, row, other));
            mean(&each.collect::<Vec<_>>())
        };
        let nearest = others.into_iter().min_by(|&a, &b| to(a).total_cmp(&to(b)));
        assert_eq!(found.nearest.map(|nearest| nearest.cluster), nearest);
        assert_close(found.nearest.map(|nearest| nearest.mean_distance), to(nearest.unwrap()));
        all.extend(silhouettes);
    }
    assert_close(explanation.silhouette, all.iter().sum::<f64>() / all.len() as f64);
}

#[test]
fn silhouettes_are_those_of_scikit_learn() {
    let rows = [[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [5.0, 5.0], [6.0, 5.0], [9.0, 0.0]];
    let points = Points::from_rows(&rows.map(Vec::from)).expect("points");
    let labels = [0, 0, 0, 1, 1, 2].map(Some);
    let explanation = Explanation::new(&points, &labels, 0).expect("an explanation");
    // silhouette_samples of scikit-learn 1.9.1: a row alone in its cluster has 0.
    let samples = [
        0.798_404_946_170_587_5,
        0.759_832_132_000_203_3,
        0.662_172_794_099_741_8,
        0.843_826_238_111_393_9,
        0.828_501_414_857_491_2,
        0.0,
    ];
    assert_close(explanation.clusters[0].silhouette, (samples[0] + samples[1] + samples[2]) / 3.0);
    assert_close(explanation.clusters[1].silhouette, f64::midpoint(samples[3], samples[4]));
    assert_eq!(explanation.clusters[2].silhouette, Some(0.0));
    assert_close(explanation.silhouette, samples.iter().sum::<f64>() / 6.0);
}

#[test]
fn features_that_differ_come_first_in_standard_deviations() {
    let (points, labels) = blobs(2_000, 2);
    let explanation = Explanation::new(&points, &labels, 0).expect("an explanation");
    for (found, first) in explanation.clusters.iter().zip([None, Some(0), Some(1)]) {
        assert_eq!(found.features.len(), 3);
        if let Some(first) = first {
            assert_eq!(found.features[0].feature, first);
        }
        for difference in &found.features {
            let column = |row: usize| points.row(row)[difference.feature];
            let mean_where = |is_own: bool| {
                let rows = (0..2_000).filter(|&row| (labels[row] == Some(found.cluster)) == is_own);
                let values: Vec<f64> = rows.map(column).collect();
                values.iter().sum::<f64>() / values.len() as f64
            };
            let mean = (0..2_000).map(column).sum::<f64>() / 2_000.0;
            let variance =
                (0..2_000).map(|row| (column(row) - mean).powi(2)).sum::<f64>() / 2_000.0;
            let expected = (mean_where(true) - mean_where(false)) / variance.sqrt();
            assert!((difference.difference - expected).abs() < 1e-10);
            assert!((difference.mean - mean_where(true)).abs() < 1e-10);
            assert!((difference.mean_of_rest - mean_where(false)).abs() < 1e-10);
        }
        assert!(found.features.is_sorted_by_key(|it| -it.difference.abs()));
        let noise = found.features.iter().find(|it| it.feature == 2).expect("the third feature");
        assert!(noise.difference.abs() < 0.2, "{noise:?}");
    }
}

#[test]
fn a_sample_of_many_rows_gives_nearly_the_same_silhouettes() {
    let n = 2 * SAMPLE_ROWS;
    let (points, labels) = blobs(n, 3);
    let (few, few_labels) = blobs(SAMPLE_ROWS / 2, 4);
    let sampled = Explanation::new(&points, &labels, 0).expect("an explanation");
    let exact = Explanation::new(&few, &few_labels, 0).expect("an explanation");
    assert!(sampled.n_compared.abs_diff(SAMPLE_ROWS) <= 3, "{}", sampled.n_compared);
    for (sampled, exact) in sampled.clusters.iter().zip(&exact.clusters) {
        let (sampled, exact) = (sampled.silhouette.unwrap(), exact.silhouette.unwrap());
        assert!((sampled - exact).abs() < 0.02, "{sampled} {exact}");
    }
}

#[test]
fn one_cluster_equal_rows_and_only_noise_have_no_silhouette() {
    let points = Points::from_rows(&[vec![1.0], vec![1.0], vec![3.0]]).expect("points");
    let one = Explanation::new(&points, &[Some(0); 3], 0).expect("an explanation");
    assert_eq!((one.silhouette, one.clusters[0].nearest), (None, None));
    assert!(one.clusters[0].features.is_empty(), "there is nothing to differ from");
    let noise = Explanation::new(&points, &[None; 3], 0).expect("an explanation");
    assert_eq!((noise.clusters.len(), noise.n_noise, noise.n_compared), (0, 3, 0));
    let same = Points::from_rows(&[vec![1.0], vec![1.0], vec![1.0], vec![1.0]]).expect("points");
    let same = Explanation::new(&same, &[0, 0, 1, 1].map(Some), 0).expect("an explanation");
    assert_eq!(same.silhouette, Some(0.0));
    assert!(same.clusters[0].features.is_empty(), "a feature without a spread does not differ");
}

#[test]
fn labels_that_do_not_fit_are_refused() {
    let points = Points::from_rows(&[vec![1.0], vec![2.0]]).expect("points");
    let wrong = Explanation::new(&points, &[Some(0)], 0).expect_err("one label is missing");
    assert_eq!(wrong.to_string(), "the list of labels has 1 entries where 2 are needed");
    let wrong =
        Explanation::new(&points, &[Some(0), Some(2)], 0).expect_err("two points, three clusters");
    assert!(wrong.to_string().starts_with("labels = 2 is out of range"), "{wrong}");
    let none = Constraints::new(2);
    let wrong =
        PointExplanation::new(&points, &[None; 2], &none, 2, None).expect_err("no such point");
    assert_eq!(wrong.to_string(), "point = 2 is out of range: a point below 2");
}

/// Points on a line: 0, 1, 2 in cluster 0, 10, 11 in cluster 1, 30 in cluster 2.
fn line() -> (Points, Vec<Label>) {
    let rows = [0.0, 1.0, 2.0, 10.0, 11.0, 30.0].map(|x| vec![x]);
    (Points::from_rows(&rows).expect("points"), [0, 0, 0, 1, 1, 2].map(Some).to_vec())
}

#[test]
fn a_point_is_explained_by_its_neighbours_and_the_next_cluster() {
    let (points, labels) = line();
    let none = Constraints::new(6);
    let found = PointExplanation::new(&points, &labels, &none, 2, None).expect("an explanation");
    let rows: Vec<usize> = found.nearest.iter().map(|near| near.row).collect();
    assert_eq!(rows, [1, 0, 3, 4, 5]);
    assert_eq!((found.cluster, found.distance), (Some(0), Some(1.5)));
    let runner_up = found.runner_up.expect("another cluster");
    assert_eq!((runner_up.cluster, runner_up.distance, runner_up.nearest_row), (1, 8.5, 3));
    // The means are 1 and 10.5: half-way is 5.75.
    assert_eq!(runner_up.shifts.len(), 1);
    assert!((runner_up.shifts[0].needed - 5.75).abs() < 1e-12);
    assert_eq!(runner_up.shifts[0].value, 2.0);
    let given = PointExplanation::new(&points, &labels, &none, 2, Some(2)).expect("an explanation");
    assert_eq!(given.runner_up.expect("the one that was given").cluster, 2);
}

#[test]
fn the_value_that_is_needed_makes_both_means_equally_near() {
    let (points, labels) = blobs(200, 5);
    let none = Constraints::new(200);
    let means: Vec<Vec<f64>> = (0..3)
        .map(|cluster| {
            let rows: Vec<usize> = (0..200).filter(|&row| labels[row] == Some(cluster)).collect();
            let mean = |f: usize| rows.iter().map(|&row| points.row(row)[f]).sum::<f64>();
            (0..3).map(|f| mean(f) / rows.len() as f64).collect()
        })
        .collect();
    let mut n_shifts = 0;
    for point in 0..200 {
        let found = PointExplanation::new(&points, &labels, &none, point, None).expect("found");
        let (Some(own), Some(runner_up)) = (found.cluster, found.runner_up) else { continue };
        for shift in &runner_up.shifts {
            let mut moved = points.row(point).to_vec();
            moved[shift.feature] = shift.needed;
            let dist = |mean: &[f64]| -> f64 {
                moved.iter().zip(mean).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
            };
            let (own, other) = (dist(&means[own]), dist(&means[runner_up.cluster]));
            assert!((own - other).abs() < 1e-6 * own.max(1.0), "{point} {shift:?} {own} {other}");
            n_shifts += 1;
        }
    }
    assert!(n_shifts > 300, "{n_shifts}");
}

#[test]
fn constraints_that_decided_are_those_of_the_point_and_of_its_component() {
    let (points, labels) = line();
    let mut constraints = Constraints::new(6);
    constraints.must_link(0, 1).expect("a pair").must_link(4, 5).expect("a pair");
    constraints.cannot_link(1, 3).expect("a pair").cannot_link(2, 5).expect("a pair");
    let explain = |point: usize| {
        PointExplanation::new(&points, &labels, &constraints, point, None).expect("an explanation")
    };
    let of_point = explain(0);
    let listed: Vec<_> = of_point
        .constraints
        .iter()
        .map(|it| (it.kind, it.entry, it.is_direct, it.is_kept, it.is_against_runner_up))
        .collect();
    // 1 is in the component of 0, and its cannot-link with 3, of the runner-up, concerns 0 as well.
    assert_eq!(
        listed,
        [
            (ConstraintKind::MustLink, 0, true, true, true),
            (ConstraintKind::CannotLink, 0, false, true, true),
        ]
    );
    let broken = explain(5);
    let broken = broken.constraints.iter().find(|it| it.kind == ConstraintKind::MustLink);
    assert!(broken.is_some_and(|it| it.is_direct && !it.is_kept && !it.is_against_runner_up));
}

#[test]
fn unusual_rows_are_those_between_clusters_and_those_far_from_all() {
    let (points, mut labels) = blobs(400, 5);
    // Rows on the wrong side, and one row far away.
    let mut rows: Vec<Vec<f64>> = (0..400).map(|row| points.row(row).to_vec()).collect();
    rows[7] = vec![60.0, 60.0, 100.0];
    labels[7] = Some(1);
    let wrong: Vec<usize> = (0..400).filter(|&row| labels[row] == Some(2)).take(4).collect();
    for &row in &wrong {
        labels[row] = Some(0);
    }
    let points = Points::from_rows(&rows).expect("points");
    let found = UnusualRows::new(&points, &labels, 0).expect("rows");

    // The same by sorting all distances.
    let grouped: Vec<usize> = (0..400).filter(|&row| labels[row].is_some()).collect();
    assert_eq!(found.n_compared, grouped.len());
    let nearest = |row: usize| {
        let others = grouped.iter().copied().filter(|&other| other != row);
        let mut others: Vec<(f64, usize)> =
            others.map(|other| (distance(&points, row, other), other)).collect();
        others.sort_by(|a, b| a.0.total_cmp(&b.0));
        others.truncate(N_NEAREST);
        others
    };
    let mut boundary = Vec::new();
    let mut reach = Vec::new();
    for &row in &grouped {
        let near = nearest(row);
        let own = near.iter().filter(|(_, other)| labels[*other] == labels[row]).count();
        if 2 * own <= near.len() {
            boundary.push((own, row));
        }
        reach.push((near[N_NEAREST - 1].0, row));
    }
    boundary.sort_unstable();
    boundary.truncate(MAX_UNUSUAL);
    let listed: Vec<(usize, usize)> = found
        .boundary
        .iter()
        .map(|it| ((it.share * N_NEAREST as f64).round() as usize, it.row))
        .collect();
    assert_eq!(listed, boundary);
    assert!(wrong.iter().all(|row| found.boundary.iter().any(|it| it.row == *row)));
    assert!(found.boundary.iter().filter(|it| wrong.contains(&it.row)).all(|it| it.other == 2));
    reach.sort_by(|a, b| b.0.total_cmp(&a.0));
    let median = reach[reach.len() - 1 - reach.len() / 2].0;
    assert_eq!((found.outliers[0].row, reach[0].1), (7, 7));
    assert!((found.outliers[0].ratio - reach[0].0 / median).abs() < 1e-9);
    let far = reach.iter().filter(|(distance, _)| *distance >= 3.0 * median).count();
    assert_eq!(found.outliers.len(), far.min(MAX_UNUSUAL));

    let small = Points::from_rows(&[0.0, 1.0, 9.0, 10.0].map(|x| vec![x])).expect("points");
    let none = UnusualRows::new(&small, &[0, 0, 1, 1].map(Some), 0).expect("rows");
    assert_eq!(none.boundary, [], "the one other row of each cluster is the nearest");
    let copies = Points::from_rows(&vec![vec![1.0, 2.0]; 30]).expect("points");
    let none = UnusualRows::new(&copies, &[Some(0); 30], 0).expect("rows");
    assert!(none.boundary.is_empty() && none.outliers.is_empty());
}
