//! Recorded runs of other programs.

use std::fs::File;

use ilk::embed::{Laplacian, spectral_rows};
use ilk::evaluate::adjusted_rand;
use ilk::group::kernel_kmeans::{Space, WeightedKernelKMeans};
use ilk::group::spectral::Spectral;
use ilk::group::{Grouping, GroupingAlgorithm, GroupingInput, Label};
use ilk::ndarray::{Array0, Array1, Array2, ArrayView1, Axis, s};
use ilk::observe::Silent;
use ndarray_npy::NpzReader;

use super::cases::{objective, with_clusters};
use crate::shared::shared;

fn open(path: &str) -> Option<NpzReader<File>> {
    let file = File::open(shared(path)?).expect("a readable file");
    Some(NpzReader::new(file).expect("an archive"))
}

fn labels<'a>(found: impl IntoIterator<Item = &'a i64>) -> Vec<Label> {
    found.into_iter().map(|&l| usize::try_from(l).ok()).collect()
}

fn last_objective(grouping: &Grouping) -> f64 {
    let last = grouping.trace.last().expect("a step");
    last.objective.expect("an objective")
}

#[test]
fn batch_steps_from_given_starts_end_as_recorded() {
    let Some(mut npz) = open("golden/spectral/kmeans.npz") else {
        return;
    };
    let points: Array2<f64> = npz.by_name("Y").unwrap();
    let starts: Array2<i64> = npz.by_name("inits").unwrap();
    let expected: Array2<i64> = npz.by_name("euc_labels").unwrap();
    let costs: Array1<f64> = npz.by_name("euc_cost").unwrap();
    let lloyd = WeightedKernelKMeans { local_search: false, ..with_clusters(starts.ncols()) };
    for ((seeds, expected), cost) in starts.rows().into_iter().zip(expected.rows()).zip(costs) {
        let mut start = vec![None; points.nrows()];
        for (cluster, &seed) in seeds.iter().enumerate() {
            start[usize::try_from(seed).unwrap()] = Some(cluster);
        }
        let space = Space::Features(points.view());
        let (found, _) = lloyd.group_from(space, std::slice::from_ref(&start), &Silent).unwrap();
        assert_eq!(adjusted_rand(&found.labels, &labels(expected)), Ok(1.0));
        assert!((last_objective(&found) - cost).abs() < 1e-9 * cost);
    }
}

/// The affinities of two circles with rewards for must-links and penalties for cannot-links: the
/// kernels that the objectives of semi-supervised graph clustering amount to, most of them
/// indefinite.
struct TwoCircles {
    npz: NpzReader<File>,
    affinity: Array2<f64>,
    /// Affinities, rewards and penalties.
    supervised: Array2<f64>,
    degrees: Array1<f64>,
}

impl TwoCircles {
    fn new() -> Option<Self> {
        let mut npz = open("golden/kernel_kmeans/sskk_twocircles.npz")?;
        let affinity: Array2<f64> = npz.by_name("A").unwrap();
        let worth = {
            let w: Array0<f64> = npz.by_name("w").unwrap();
            w.into_scalar()
        };
        let mut supervised = affinity.clone();
        for (name, worth) in [("ml", worth), ("cl", -worth)] {
            let pairs: Array2<i64> = npz.by_name(name).unwrap();
            for pair in pairs.rows() {
                let [a, b] = [0, 1].map(|end| usize::try_from(pair[end]).unwrap());
                supervised[[a, b]] += worth;
                supervised[[b, a]] += worth;
            }
        }
        Some(Self { degrees: affinity.sum_axis(Axis(1)), npz, affinity, supervised })
    }

    fn number(&mut self, name: &str) -> f64 {
        let number: Array0<f64> = self.npz.by_name(name).unwrap();
        number.into_scalar()
    }

    fn labels(&mut self, name: &str) -> Vec<Label> {
        let found: Array1<i64> = self.npz.by_name(name).unwrap();
        labels(&found)
    }

    fn history(&mut self, name: &str) -> Array1<f64> {
        self.npz.by_name(name).unwrap()
    }

    /// The kernel of an objective, with σ / w on its diagonal, and the weights w of the points.
    fn kernel(&mut self, name: &str, run: &str) -> (Array2<f64>, Vec<f64>) {
        let n = self.affinity.nrows();
        let mut kernel = self.supervised.clone();
        let mut weights = vec![1.0; n];
        match name {
            "ratio_cut" => kernel.diag_mut().zip_mut_with(&self.degrees, |k, d| *k -= d),
            "norm_cut" => {
                weights = self.degrees.to_vec();
                kernel.indexed_iter_mut().for_each(|((i, j), k)| *k /= weights[i] * weights[j]);
            }
            _ => {}
        }
        let shift = self.number(&format!("{name}_{run}_sigma"));
        for (k, weight) in kernel.diag_mut().iter_mut().zip(&weights) {
            *k += shift / weight;
        }
        (kernel, weights)
    }
}

#[test]
fn from_recorded_starts_the_recorded_ends_and_objectives_are_reached() {
    let Some(mut circles) = TwoCircles::new() else {
        return;
    };
    let runs = [
        ("ratio_assoc", "none"),
        ("ratio_assoc", "min_eig"),
        ("norm_cut", "none"),
        ("norm_cut", "min_eig"),
        ("ratio_cut", "min_eig"),
    ];
    for (name, run) in runs {
        let (kernel, weights) = circles.kernel(name, run);
        let start = circles.labels(&format!("{name}_{run}_init"));
        let end = circles.labels(&format!("{name}_{run}_labels"));
        let recorded = circles.history(&format!("{name}_{run}_hist"));
        let recorded = recorded[recorded.len() - 1];
        let batch = WeightedKernelKMeans { local_search: false, ..with_clusters(2) };
        let space = Space::Kernel(kernel.view());
        let (found, _) = batch
            .group_from(
                GroupingInput::new(space).with_weights(Some(&weights)),
                std::slice::from_ref(&start),
                &Silent,
            )
            .unwrap();
        assert_eq!(adjusted_rand(&found.labels, &end), Ok(1.0), "{name} {run}");
        let ours = last_objective(&found);
        assert!((ours - recorded).abs() < 1e-8 * recorded.abs(), "{name} {run}: {ours}");
        let whole = with_clusters(2).group_from(
            GroupingInput::new(space).with_weights(Some(&weights)),
            std::slice::from_ref(&start),
            &Silent,
        );
        let searched = last_objective(&whole.unwrap().0);
        assert!(searched <= ours, "{name} {run}: {searched} above {ours}");
    }
}

#[test]
fn where_a_recorded_run_on_an_indefinite_kernel_cycled_the_objective_falls_below_its_own() {
    let Some(mut circles) = TwoCircles::new() else {
        return;
    };
    let (kernel, weights) = circles.kernel("ratio_cut", "none");
    let start = circles.labels("ratio_cut_none_init");
    let recorded = circles.history("ratio_cut_none_hist");
    let end = circles.labels("ratio_cut_none_labels");
    let space = Space::Kernel(kernel.view());
    let (found, _) = with_clusters(2)
        .group_from(
            GroupingInput::new(space).with_weights(Some(&weights)),
            std::slice::from_ref(&start),
            &Silent,
        )
        .unwrap();
    let theirs = objective(kernel.view(), None, &end);
    assert!((theirs - recorded[recorded.len() - 1]).abs() < 1e-8);
    assert!(last_objective(&found) < theirs - 1.0);
}

#[test]
fn spectral_clusters_of_edited_affinities_are_those_recorded() {
    let Some(mut circles) = TwoCircles::new() else {
        return;
    };
    // Spectral learning (Kamvar, Klein and Manning 2003): must-links have affinity 1, cannot-links 0.
    let mut edited = circles.affinity.clone();
    for (name, value) in [("ml", 1.0), ("cl", 0.0)] {
        let pairs: Array2<i64> = circles.npz.by_name(name).unwrap();
        for pair in pairs.rows() {
            let [a, b] = [0, 1].map(|end| usize::try_from(pair[end]).unwrap());
            edited[[a, b]] = value;
            edited[[b, a]] = value;
        }
    }
    let expected = circles.labels("spectral_learning_labels");
    let params = Spectral { n_clusters: 2, ..Spectral::default() };
    let (found, ()) = params.group(edited.view(), &Silent).unwrap();
    assert_eq!(adjusted_rand(&found.labels, &expected), Ok(1.0));
}

#[test]
fn rows_of_eigenvectors_are_those_recorded() {
    let Some(mut npz) = open("golden/spectral/laplacian_60.npz") else {
        return;
    };
    // The eigenvectors of I - D^-1/2 A D^-1/2 for its smallest eigenvalues, signs fixed as ours.
    let affinity: Array2<f64> = npz.by_name("full_W").unwrap();
    let vectors: Array2<f64> = npz.by_name("full_sym_vec").unwrap();
    let k = 4;
    let found =
        spectral_rows(affinity.view(), Laplacian::Sym, k, ilk::numerics::linalg::EXACT_TOLERANCE)
            .unwrap();
    for (found, vectors) in found.rows().into_iter().zip(vectors.slice(s![.., ..k]).rows()) {
        let length = |row: ArrayView1<'_, f64>| row.dot(&row).sqrt();
        let (ours, theirs) = (length(found), length(vectors));
        for (x, y) in found.iter().zip(vectors) {
            assert!((x / ours - y / theirs).abs() < 1e-8, "{found} and {vectors}");
        }
    }
}
