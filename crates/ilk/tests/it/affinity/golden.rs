//! Recorded runs of another program.

use std::fs::File;

use ilk::evaluate::adjusted_rand;
use ilk::group::spectral::Spectral;
use ilk::group::{GroupingAlgorithm, Label};
use ilk::method::{AnyMethod, E2cp, Method, SpectralLearning};
use ilk::ndarray::{Array0, Array1, Array2};
use ilk::observe::Silent;
use ilk::problem::{Constraints, Graph, KernelMatrix, Points, Problem};
use ilk::similarity::graph::{
    EdgeRule, EdgeWeight, OneSided, neighbor_graph, neighbor_graph_of_affinities,
};
use ilk::supervise::propagate::Propagated;
use ndarray_npy::NpzReader;

use crate::shared::shared;

fn open(path: &str) -> Option<NpzReader<File>> {
    let file = File::open(shared(path)?).expect("a readable file");
    Some(NpzReader::new(file).expect("an archive"))
}

fn largest_difference(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    (a - b).iter().fold(0.0, |most, d| d.abs().max(most))
}

/// Two circles: affinities, constraints, and the results.
struct TwoCircles {
    npz: NpzReader<File>,
    affinity: KernelMatrix,
    constraints: Constraints,
}

impl TwoCircles {
    fn new() -> Option<Self> {
        let mut npz = open("golden/kernel_kmeans/sskk_twocircles.npz")?;
        let affinity: Array2<f64> = npz.by_name("A").unwrap();
        let mut constraints = Constraints::new(affinity.nrows());
        for (name, together) in [("ml", true), ("cl", false)] {
            let pairs: Array2<i64> = npz.by_name(name).unwrap();
            for pair in pairs.rows() {
                let [a, b] = [0, 1].map(|end| usize::try_from(pair[end]).unwrap());
                if together {
                    constraints.must_link(a, b).unwrap();
                } else {
                    constraints.cannot_link(a, b).unwrap();
                }
            }
        }
        Some(Self { affinity: KernelMatrix::new(affinity).unwrap(), npz, constraints })
    }

    /// 20 neighbours, the mean of both directions.
    fn graph(&self) -> Graph {
        neighbor_graph_of_affinities(&self.affinity, 20, OneSided::Halved).unwrap()
    }

    fn labels(&mut self, name: &str) -> Vec<Label> {
        let found: Array1<i64> = self.npz.by_name(name).unwrap();
        found.iter().map(|&l| usize::try_from(l).ok()).collect()
    }
}

#[test]
fn pairs_are_propagated_as_recorded() {
    let Some(mut circles) = TwoCircles::new() else {
        return;
    };
    let graph = circles.graph();
    let propagated = Propagated::new(&graph, &circles.constraints, 0.4, &Silent).unwrap();
    let values: Array2<f64> = circles.npz.by_name("E2CP_F").unwrap();
    assert!(largest_difference(&propagated.values().unwrap(), &values) < 1e-12);
    let affinities: Array2<f64> = circles.npz.by_name("E2CP_W").unwrap();
    let whole = propagated.whole().unwrap();
    assert!(largest_difference(&whole, &affinities) < 1e-12);

    let spectral = Spectral { n_clusters: 2, ..Spectral::default() };
    let (found, ()) = spectral.group(whole.view(), &Silent).unwrap();
    let expected = circles.labels("e2cp_labels");
    assert_eq!(adjusted_rand(&found.labels, &expected), Ok(1.0));
}

#[test]
fn the_methods_find_the_recorded_groups() {
    let Some(mut circles) = TwoCircles::new() else {
        return;
    };
    let methods = [
        (
            AnyMethod::E2cp(E2cp {
                n_clusters: 2.into(),
                n_neighbors: 20,
                alpha: 0.4,
                ..E2cp::default()
            }),
            "e2cp_labels",
        ),
        (
            AnyMethod::SpectralLearning(SpectralLearning {
                n_clusters: 2.into(),
                n_neighbors: 120,
                ..SpectralLearning::default()
            }),
            "spectral_learning_labels",
        ),
    ];
    for (method, name) in methods {
        let problem = Problem::new(circles.affinity.clone(), circles.constraints.clone()).unwrap();
        let found = method.fit(&problem, &Silent).unwrap().clustering.labels;
        let expected = circles.labels(name);
        assert_eq!(adjusted_rand(&found, &expected), Ok(1.0), "{name}");
    }
}

#[test]
fn graphs_of_points_are_those_recorded() {
    let Some(mut npz) = open("golden/spectral/laplacian_60.npz") else {
        return;
    };
    let points = Points::new(npz.by_name("X").unwrap()).unwrap();
    let k: Array0<i64> = npz.by_name("k").unwrap();
    let neighbors = usize::try_from(k.into_scalar()).unwrap();
    let number = |npz: &mut NpzReader<File>, name: &str| {
        let number: Array0<f64> = npz.by_name(name).unwrap();
        number.into_scalar()
    };
    let sigma = number(&mut npz, "sigma");
    let radius = number(&mut npz, "eps").sqrt();
    let nearest = |one_sided| EdgeRule::Nearest { neighbors, one_sided };
    for (name, edges) in [
        ("knn", nearest(OneSided::Kept)),
        ("mutual", nearest(OneSided::Dropped)),
        ("eps", EdgeRule::Within(radius)),
    ] {
        let graph = neighbor_graph(&points, edges, EdgeWeight::Gaussian { sigma }).unwrap();
        let expected: Array2<f64> = npz.by_name(&format!("{name}_W")).unwrap();
        let found = graph.matrix().to_dense();
        assert!(largest_difference(&found, &expected) < 1e-14, "{name}");
        let components: Array0<i64> = npz.by_name(&format!("{name}_ncomp")).unwrap();
        let components = usize::try_from(components.into_scalar()).unwrap();
        assert_eq!(graph.components().1, components, "{name}");
    }
}
