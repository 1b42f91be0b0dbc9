//! Recorded runs of another program.

use std::fs::File;

use ilk::embed::{
    AxisChoice, GraphKind, KernelAxes, KernelEmbedding, Laplacian, LaplacianAxes,
    LaplacianEigenmaps,
};
use ilk::ndarray::{Array0, Array1, Array2, ArrayView2, s};
use ilk::numerics::linalg::EXACT_TOLERANCE;
use ilk::observe::Silent;
use ilk::problem::{KernelMatrix, Points};
use ilk::similarity::{Bandwidth, Gram, Kernel, KernelValues};
use ndarray_npy::NpzReader;

use crate::shared::shared;

const CLOSE: f64 = 1e-8;

pub(crate) fn open(path: &str) -> Option<NpzReader<File>> {
    let file = File::open(shared(path)?).expect("a readable file");
    Some(NpzReader::new(file).expect("an archive"))
}

pub(crate) fn off(found: ArrayView2<'_, f64>, expected: ArrayView2<'_, f64>) -> f64 {
    assert_eq!(found.dim(), expected.dim());
    (&found - &expected).iter().fold(0.0, |most, d| d.abs().max(most))
}

fn number(npz: &mut NpzReader<File>, name: &str) -> f64 {
    let number: Array0<f64> = npz.by_name(name).unwrap();
    number.into_scalar()
}

fn count(npz: &mut NpzReader<File>, name: &str) -> usize {
    let number: Array0<i64> = npz.by_name(name).unwrap();
    usize::try_from(number.into_scalar()).unwrap()
}

fn positions(npz: &mut NpzReader<File>, name: &str) -> Vec<usize> {
    let values: Array1<i64> = npz.by_name(name).unwrap();
    values.iter().map(|&v| usize::try_from(v).unwrap()).collect()
}

fn embedding(choice: AxisChoice, n_components: usize) -> KernelEmbedding {
    KernelEmbedding { choice, n_components, ..KernelEmbedding::default() }
}

/// Positions in the order of falling ψ, where two ψ that differ by less than rounding may be swapped.
fn assert_order(found: &[usize], expected: &[usize], entropies: &Array1<f64>) {
    assert_eq!(found.len(), expected.len());
    let largest = entropies.iter().copied().fold(0.0, f64::max);
    for (&a, &b) in found.iter().zip(expected) {
        assert!(a == b || (entropies[a] - entropies[b]).abs() < 1e-13 * largest);
    }
}

#[test]
fn kernel_components_are_those_of_the_recorded_run() {
    let Some(mut npz) = open("golden/spectral/kpca_keca_60.npz") else {
        return;
    };
    let points = Points::new(npz.by_name("X").unwrap()).unwrap();
    let new = Points::new(npz.by_name("Xnew").unwrap()).unwrap();
    let kernel: Array2<f64> = npz.by_name("K").unwrap();
    let (h, s) = (number(&mut npz, "h"), count(&mut npz, "s"));
    let gram = Gram::new(&Kernel::gaussian(Bandwidth::Fixed(h)), &points, 0).unwrap();
    assert!(off(gram.full().unwrap().view(), kernel.view()) < 1e-14);
    let new_rows = Points::new(gram.cross(&new).unwrap().reversed_axes()).unwrap();
    let new_rows = if new_rows.dims() == points.len() {
        new_rows
    } else {
        Points::new(gram.cross(&new).unwrap()).unwrap()
    };
    let given = KernelMatrix::new(kernel).unwrap();
    for (values, new) in
        [(KernelValues::Gram(gram), &new), (KernelValues::Matrix(&given), &new_rows)]
    {
        for (center, name) in [(true, "centred"), (false, "uncentred")] {
            let choice = AxisChoice::Variance { center };
            let found = embedding(choice, s).fit(&values, &Silent).unwrap();
            let spectrum: Array1<f64> = npz.by_name(&format!("lam_{name}")).unwrap();
            let first = found.axes.spectrum.slice(s![..spectrum.len()]);
            assert!((&first - &spectrum).iter().all(|d| d.abs() < CLOSE));
            assert_eq!(found.axes.eigenvalues, found.axes.spectrum.slice(s![..s]));
            let expected: Array2<f64> = npz.by_name(&format!("Y_{name}")).unwrap();
            assert!(off(found.coordinates.view(), expected.view()) < CLOSE);
            let expected: Array2<f64> = npz.by_name(&format!("Ynew_{name}")).unwrap();
            let transformed = found.map.transform(new).unwrap();
            assert!(off(transformed.view(), expected.view()) < CLOSE);
        }
        let found = embedding(AxisChoice::Entropy, s).fit(&values, &Silent).unwrap();
        let psi: Array1<f64> = npz.by_name("psi").unwrap();
        assert!((&found.axes.entropies - &psi).iter().all(|d| d.abs() < CLOSE));
        let order = positions(&mut npz, "psi_order");
        assert_order(&found.axes.order, &order, &psi);
        assert_eq!(found.axes.kept(), &order[..s]);
        let expected: Array2<f64> = npz.by_name("Y_keca").unwrap();
        assert!(off(found.coordinates.view(), expected.view()) < CLOSE);
    }
}

#[test]
fn centering_is_that_of_the_recorded_run() {
    let Some(mut npz) = open("golden/spectral/kpca_keca_60.npz") else {
        return;
    };
    let kernel: Array2<f64> = npz.by_name("K").unwrap();
    let centred: Array2<f64> = npz.by_name("Kc").unwrap();
    let n = kernel.nrows();
    let all = |matrix: &Array2<f64>, center| {
        let choice = AxisChoice::Variance { center };
        KernelAxes::new(matrix.view(), None, choice, n, EXACT_TOLERANCE).unwrap().coordinates()
    };
    let (ours, theirs) = (all(&kernel, true), all(&centred, false));
    assert!(off(ours.dot(&ours.t()).view(), theirs.dot(&theirs.t()).view()) < 1e-12);
}

#[test]
fn the_thesis_s_rings_use_the_axes_that_it_says() {
    let Some(mut npz) = open("golden/spectral/rings_44.npz") else {
        return;
    };
    let points = Points::new(npz.by_name("X").unwrap()).unwrap();
    let expected: Array2<f64> = npz.by_name("Y").unwrap();
    let fit = |h| {
        let gram = Gram::new(&Kernel::gaussian(Bandwidth::Fixed(h)), &points, 0).unwrap();
        let values = KernelValues::Gram(gram);
        embedding(AxisChoice::Entropy, expected.ncols()).fit(&values, &Silent).unwrap()
    };
    let found = fit(number(&mut npz, "h"));
    let spectrum: Array1<f64> = npz.by_name("lam").unwrap();
    let first = found.axes.spectrum.slice(s![..spectrum.len()]);
    assert!((&first - &spectrum).iter().all(|d| d.abs() < CLOSE));
    let psi: Array1<f64> = npz.by_name("psi").unwrap();
    assert!((&found.axes.entropies - &psi).iter().all(|d| d.abs() < CLOSE));
    let order = positions(&mut npz, "order");
    assert_eq!(found.axes.kept(), &order[..expected.ncols()]);
    assert!(off(found.coordinates.view(), expected.view()) < CLOSE);
    let kept = |h| {
        let mut kept = fit(h).axes.kept().to_vec();
        kept.sort_unstable();
        kept
    };
    assert_eq!(kept(3.7), [0, 1, 4]);
    assert_eq!(kept(4.5), [0, 1, 2]);
}

#[test]
fn laplacians_are_those_of_the_recorded_run() {
    let Some(mut npz) = open("golden/spectral/laplacian_60.npz") else {
        return;
    };
    let points = Points::new(npz.by_name("X").unwrap()).unwrap();
    let (sigma, k) = (number(&mut npz, "sigma"), count(&mut npz, "k"));
    let epsilon = number(&mut npz, "eps");
    for (graph, name) in [
        (GraphKind::Knn, "knn"),
        (GraphKind::MutualKnn, "mutual"),
        (GraphKind::Epsilon, "eps"),
        (GraphKind::Full, "full"),
    ] {
        let affinity: Array2<f64> = npz.by_name(&format!("{name}_W")).unwrap();
        for (laplacian, short) in
            [(Laplacian::Unnormalized, "un"), (Laplacian::Rw, "rw"), (Laplacian::Sym, "sym")]
        {
            let read = |what: &str| format!("{name}_{short}_{what}");
            let spectrum: Array1<f64> = npz.by_name(&read("lam")).unwrap();
            let vectors: Array2<f64> = npz.by_name(&read("vec")).unwrap();
            let nulls = count(&mut npz, &read("mult0"));
            let params = LaplacianEigenmaps {
                n_components: vectors.ncols(),
                laplacian,
                graph,
                n_neighbors: k,
                epsilon,
                sigma: Some(sigma),
                ..LaplacianEigenmaps::default()
            };
            let of_points = params.fit(&points, &Silent).unwrap();
            let of_matrix =
                LaplacianAxes::new(affinity.view(), laplacian, points.len(), EXACT_TOLERANCE);
            let of_matrix = of_matrix.unwrap();
            let all = of_matrix.eigenvalues() - &spectrum;
            assert!(all.iter().all(|d| d.abs() < CLOSE), "{name} {short}");
            for axes in [of_points.axes(), &of_matrix] {
                assert_eq!(axes.n_connected_components(), nulls);
                let found = axes.eigenvectors();
                let others = s![.., nulls..vectors.ncols()];
                assert!(off(found.slice(others), vectors.slice(others)) < CLOSE, "{name} {short}");
                if laplacian != Laplacian::Rw {
                    let null = found.slice(s![.., ..nulls]);
                    let expected: Array2<f64> = npz.by_name(&read("null_projector")).unwrap();
                    assert!(off(null.dot(&null.t()).view(), expected.view()) < CLOSE);
                }
            }
        }
    }
}
