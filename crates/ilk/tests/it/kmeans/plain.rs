//! The plain loop: every distance of every step, one after the other.

use ilk::group::kmeans::{Distance, KMeans, KMeansInit};
use ilk::group::{GroupingAlgorithm, GroupingInput, Label};
use ilk::ndarray::{Array2, ArrayView1, Axis};
use ilk::numerics::rng::{Rng, rng};
use ilk::observe::Silent;

pub(crate) struct Plain {
    pub(crate) labels: Vec<Label>,
    pub(crate) objectives: Vec<f64>,
    pub(crate) centers: Array2<f64>,
}

fn dist_sq(a: ArrayView1<'_, f64>, b: ArrayView1<'_, f64>) -> f64 {
    let terms = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b));
    terms.fold(0.0, |sum, term| sum + term)
}

fn unit(row: ArrayView1<'_, f64>) -> Vec<f64> {
    let norm = row.dot(&row).sqrt();
    row.iter().map(|x| x / norm).collect()
}

/// Lloyd's loop until nothing changes, for points that all count and no cluster that empties; for
/// the cosine, on points of length 1.
pub(crate) fn lloyd(
    points: &Array2<f64>,
    weights: &[f64],
    start: &Array2<f64>,
    distance: Distance,
) -> Plain {
    let mut centers = start.clone();
    let mut labels = vec![usize::MAX; points.nrows()];
    let mut objectives = Vec::new();
    loop {
        let nearest: Vec<usize> = points
            .rows()
            .into_iter()
            .map(|row| {
                let far: Vec<f64> = centers.rows().into_iter().map(|c| dist_sq(row, c)).collect();
                (0..far.len()).fold(0, |best, c| if far[c] < far[best] { c } else { best })
            })
            .collect();
        if nearest == labels {
            break;
        }
        labels = nearest;
        for (c, mut center) in centers.rows_mut().into_iter().enumerate() {
            let members: Vec<usize> = (0..labels.len()).filter(|&i| labels[i] == c).collect();
            assert!(!members.is_empty(), "the case has no empty clusters");
            let mass: f64 = members.iter().map(|&i| weights[i]).sum();
            center.fill(0.0);
            for &i in &members {
                center.scaled_add(weights[i] / mass, &points.row(i));
            }
            if distance == Distance::Cosine {
                let unit = unit(center.view());
                center.iter_mut().zip(unit).for_each(|(x, u)| *x = u);
            }
        }
        let sum: f64 = (0..labels.len())
            .map(|i| weights[i] * dist_sq(points.row(i), centers.row(labels[i])))
            .sum();
        objectives.push(if distance == Distance::Cosine { 0.5 * sum } else { sum });
    }
    Plain { labels: labels.into_iter().map(Some).collect(), objectives, centers }
}

/// A start from these centres.
pub(crate) fn given(centers: &Array2<f64>) -> KMeansInit {
    KMeansInit::Centers(centers.rows().into_iter().map(|row| row.to_vec()).collect())
}

/// Overlapping heaps around k places.
pub(crate) fn heaps(n: usize, dims: usize, k: usize, spread: f64, rng: &mut Rng) -> Array2<f64> {
    let places = Array2::from_shape_simple_fn((k, dims), || rng.normal());
    Array2::from_shape_fn((n, dims), |(i, d)| places[[i % k, d]] + spread * rng.normal())
}

#[test]
fn labels_centres_and_every_objective_are_those_of_the_plain_loop() {
    for (case, &(n, dims, k, spread)) in [
        (40, 1, 3, 0.3),
        (300, 2, 5, 0.5),
        (1500, 3, 17, 0.6),
        (1000, 9, 33, 1.0),
        (700, 40, 16, 2.0),
        (600, 130, 20, 1.0),
        (3000, 2, 1, 1.0),
    ]
    .iter()
    .enumerate()
    {
        for distance in [Distance::Euclidean, Distance::Cosine] {
            for offset in [0.0, 1e7] {
                let mut rng = rng(case as u64);
                let mut points = heaps(n, dims, k, spread, &mut rng) + offset;
                if distance == Distance::Cosine {
                    if offset > 0.0 || dims == 1 {
                        continue;
                    }
                    for mut row in points.rows_mut() {
                        let unit = unit(row.view());
                        row.iter_mut().zip(unit).for_each(|(x, u)| *x = u);
                    }
                }
                let weights: Vec<f64> = (0..n).map(|i| 1.0 + (i % 4) as f64).collect();
                let start = points.select(Axis(0), &(0..k).collect::<Vec<_>>());
                let plain = lloyd(&points, &weights, &start, distance);
                let params = KMeans {
                    n_clusters: k.into(),
                    distance,
                    init: given(&start),
                    tol: 0.0,
                    max_iter: 1000,
                    ..KMeans::default()
                };
                let (found, model) = params
                    .group(GroupingInput::new(points.view()).with_weights(Some(&weights)), &Silent)
                    .unwrap();
                let context = format!("{n} x {dims}, {k} clusters, {distance:?}, {offset}");
                assert_eq!(found.labels, plain.labels, "{context}");
                assert_eq!(found.trace.len(), plain.objectives.len(), "{context}");
                for (step, objective) in found.trace.iter().zip(&plain.objectives) {
                    let error = (step.objective.unwrap() - objective).abs();
                    assert!(error < 1e-6 * objective, "{context}: {error}");
                }
                let last = found.trace.last().unwrap().objective.unwrap();
                let error = (last - plain.objectives.last().unwrap()).abs();
                assert!(error < 1e-12 * last, "{context}: {error}");
                assert_eq!(model.assign(points.view()).unwrap(), found.labels, "{context}");
                for c in 0..k {
                    let found = model.centers();
                    let gap_sq = dist_sq(found.row(c), plain.centers.row(c));
                    assert!(gap_sq.sqrt() <= 1e-12 * (1.0 + offset), "{context}: {gap_sq}");
                }
            }
        }
    }
}

#[test]
fn points_on_a_grid_with_ties_go_to_the_first_of_equally_near_centres() {
    let points = Array2::from_shape_fn((400, 2), |(i, d)| ([i % 20, i / 20][d] / 2 * 2) as f64);
    let start =
        Array2::from_shape_vec((4, 2), vec![4.0, 4.0, 4.0, 8.0, 8.0, 4.0, 8.0, 8.0]).unwrap();
    let plain = lloyd(&points, &[1.0; 400], &start, Distance::Euclidean);
    let params =
        KMeans { n_clusters: 4.into(), init: given(&start), tol: 0.0, ..KMeans::default() };
    let (found, _) = params.group(points.view(), &Silent).unwrap();
    assert_eq!(found.labels, plain.labels);
}
