//! Recorded runs of another program: `spectral/kmeans.npz` of the golden cases.

use std::fs::File;

use ilk::group::kmeans::{Distance, KMeans, KMeansInit};
use ilk::group::{Grouping, GroupingAlgorithm, Label};
use ilk::ndarray::{Array1, Array2, ArrayView1, Axis};
use ilk::observe::Silent;
use ndarray_npy::NpzReader;

use super::plain::given;
use crate::shared::shared;

fn open() -> Option<NpzReader<File>> {
    let file = File::open(shared("golden/spectral/kmeans.npz")?).expect("a readable file");
    Some(NpzReader::new(file).expect("an archive"))
}

fn indices(found: ArrayView1<'_, i64>) -> Vec<usize> {
    let each = found.iter().map(|&i| usize::try_from(i).expect("an index"));
    each.collect()
}

fn last_objective(grouping: &Grouping) -> f64 {
    let last = grouping.trace.last().expect("a step");
    last.objective.expect("an objective")
}

#[test]
fn descents_from_given_starts_end_as_recorded_for_both_distances() {
    let Some(mut npz) = open() else { return };
    let points: Array2<f64> = npz.by_name("Y").unwrap();
    let starts: Array2<i64> = npz.by_name("inits").unwrap();
    for (distance, name) in [(Distance::Euclidean, "euc"), (Distance::Cosine, "cos")] {
        let labels: Array2<i64> = npz.by_name(&format!("{name}_labels")).unwrap();
        let costs: Array1<f64> = npz.by_name(&format!("{name}_cost")).unwrap();
        for ((seeds, labels), cost) in starts.rows().into_iter().zip(labels.rows()).zip(costs) {
            let centers = points.select(Axis(0), &indices(seeds));
            let params = KMeans {
                n_clusters: starts.ncols().into(),
                distance,
                init: given(&centers),
                tol: 0.0,
                ..KMeans::default()
            };
            let (found, model) = params.group(points.view(), &Silent).unwrap();
            let expected: Vec<Label> = indices(labels).into_iter().map(Some).collect();
            assert_eq!(found.labels, expected);
            assert!((last_objective(&found) - cost).abs() < 1e-10 * cost);
            assert_eq!(model.assign(points.view()).unwrap(), expected);
        }
    }
}

#[test]
fn angular_and_max_min_starts_are_the_points_recorded() {
    let Some(mut npz) = open() else { return };
    let points: Array2<f64> = npz.by_name("Y").unwrap();
    for (init, name) in [(KMeansInit::Angular, "angular"), (KMeansInit::MaxMin, "maxmin")] {
        let expected: Array1<i64> = npz.by_name(&format!("{name}_init")).unwrap();
        let params = KMeans { n_clusters: expected.len().into(), init, ..KMeans::default() };
        let found = params.seeds(points.view(), None).unwrap();
        assert_eq!(found, indices(expected.view()));
    }
}
