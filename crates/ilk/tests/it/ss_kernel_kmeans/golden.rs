//! A recorded run of another program on two circles.

use std::fs::File;

use ilk::group::Label;
use ilk::group::kernel_kmeans::{
    DiagonalShift, Objective, Space, WeightedKernelKMeans, weighted_kernel_dense,
};
use ilk::method::{AnyMethod, Method, SearchEffort, SsKernelKMeans};
use ilk::ndarray::{Array0, Array1, Array2};
use ilk::observe::Silent;
use ilk::problem::{Constraints, Graph, KernelMatrix, Problem};
use ilk::refine::Refinement;
use ilk::supervise::penalty::Penalty;
use ndarray_npy::NpzReader;

use crate::shared::shared;

struct TwoCircles {
    npz: NpzReader<File>,
    affinity: Array2<f64>,
    constraints: Constraints,
    worth: f64,
}

impl TwoCircles {
    fn new() -> Option<Self> {
        let file = File::open(shared("golden/kernel_kmeans/sskk_twocircles.npz")?).unwrap();
        let mut npz = NpzReader::new(file).unwrap();
        let affinity: Array2<f64> = npz.by_name("A").unwrap();
        let worth: Array0<f64> = npz.by_name("w").unwrap();
        let mut constraints = Constraints::new(affinity.nrows());
        let pairs = |npz: &mut NpzReader<File>, name: &str| -> Vec<[usize; 2]> {
            let pairs: Array2<i64> = npz.by_name(name).unwrap();
            let ends = |row: ilk::ndarray::ArrayView1<'_, i64>| {
                [0, 1].map(|end| usize::try_from(row[end]).unwrap())
            };
            pairs.rows().into_iter().map(ends).collect()
        };
        for [a, b] in pairs(&mut npz, "ml") {
            constraints.must_link(a, b).unwrap();
        }
        for [a, b] in pairs(&mut npz, "cl") {
            constraints.cannot_link(a, b).unwrap();
        }
        Some(Self { npz, affinity, constraints, worth: worth.into_scalar() })
    }

    fn labels(&mut self, name: &str) -> Vec<Label> {
        let found: Array1<i64> = self.npz.by_name(name).unwrap();
        found.iter().map(|&l| usize::try_from(l).ok()).collect()
    }

    fn number(&mut self, name: &str) -> f64 {
        let number: Array0<f64> = self.npz.by_name(name).unwrap();
        number.into_scalar()
    }
}

/// How the objective is recorded: (9) itself, and cuts less rewards with the sign turned.
const RECORDED: [(&str, Objective); 3] = [
    ("ratio_assoc", Objective::RatioAssociation),
    ("ratio_cut", Objective::RatioCut),
    ("norm_cut", Objective::NormalizedCut),
];

#[test]
fn the_first_start_and_the_shift_are_as_recorded() {
    let Some(mut circles) = TwoCircles::new() else {
        return;
    };
    let params =
        WeightedKernelKMeans { n_clusters: 2, n_init: 1, ..WeightedKernelKMeans::default() };
    let space = Space::Kernel(circles.affinity.view());
    let starts = params.starts(space, None, &circles.constraints.closure()).unwrap();
    let penalties = Penalty::Fixed(circles.worth).matrix(&circles.constraints, 2);
    for (name, objective) in RECORDED {
        let expected = circles.labels(&format!("{name}_none_init"));
        assert_eq!(ilk::evaluate::adjusted_rand(&starts[0], &expected), Ok(1.0), "{name}");
        let ones = vec![1.0; expected.len()];
        let weighed = weighted_kernel_dense(
            objective,
            circles.affinity.view(),
            &penalties,
            &ones,
            DiagonalShift::Eigenvalue,
        );
        // The other program adds 1e-9 to the eigenvalue.
        let expected = circles.number(&format!("{name}_min_eig_sigma")) - 1e-9;
        assert!((weighed.unwrap().terms.shift - expected).abs() < 1e-10, "{name}");
    }
}

#[test]
fn two_circles_end_as_recorded_with_the_kernel_shifted() {
    let Some(mut circles) = TwoCircles::new() else {
        return;
    };
    let kernel = KernelMatrix::new(circles.affinity.clone()).unwrap();
    let n = kernel.view().nrows();
    let upper = (0..n).flat_map(|i| (i..n).map(move |j| (i, j)));
    let edges = upper.map(|(i, j)| (i, j, circles.affinity[[i, j]]));
    let graph = Graph::from_edges(n, edges).unwrap();
    for (name, objective) in RECORDED {
        let method = AnyMethod::SsKernelKMeans(SsKernelKMeans {
            n_clusters: 2.into(),
            objective: objective.into(),
            penalty: Penalty::Fixed(circles.worth),
            shift: DiagonalShift::Eigenvalue,
            ..SsKernelKMeans::paper()
        });
        let expected = circles.labels(&format!("{name}_min_eig_labels"));
        let recorded = circles.number(&format!("{name}_min_eig_objective"));
        let by_kernel = Problem::new(kernel.clone(), circles.constraints.clone()).unwrap();
        let fit = method.fit(&by_kernel, &Silent).unwrap().clustering;
        assert_eq!(ilk::evaluate::adjusted_rand(&fit.labels, &expected), Ok(1.0), "{name}");
        let last = fit.trace.last().and_then(|step| step.objective).unwrap();
        let ours = match objective {
            Objective::NormalizedCut => 2.0 - last - 2.0,
            _ => -last,
        };
        assert!((ours - recorded).abs() < 1e-9, "{name}: {ours} {recorded}");

        // As a graph the circles start elsewhere and, with restarts, end no worse.
        let by_graph = Problem::new(graph.clone(), circles.constraints.clone()).unwrap();
        let method = AnyMethod::SsKernelKMeans(SsKernelKMeans {
            n_clusters: 2.into(),
            objective: objective.into(),
            penalty: Penalty::Fixed(circles.worth),
            search: SearchEffort::Thorough,
            refine: Refinement::Off,
            ..SsKernelKMeans::default()
        });
        let fit = method.fit(&by_graph, &Silent).unwrap().clustering;
        let value = fit.trace.last().and_then(|step| step.objective).unwrap();
        assert!(value <= last + 1e-9, "{name}: {value} {last}");
    }
}
