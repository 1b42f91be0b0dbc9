//! Low rank: the largest eigenpairs beside the full decomposition, and pivoted Cholesky beside the
//! plain method, which passes over all rows for every pivot. Prints Markdown tables.

use ilk::ndarray::{Array2, ArrayView2, Axis, s};
use ilk::numerics::linalg::{EXACT_TOLERANCE, product, symmetric_eigen, top_eigen, top_eigen_of};
use ilk::numerics::rng::rng;
use ilk::observe::Silent;
use ilk::problem::Points;
use ilk::similarity::{
    Bandwidth, Gram, Kernel, KernelValues, LowRank, Truncation, pivoted_cholesky,
};

mod measure;

use measure::seconds;

fn main() -> ilk::Result<()> {
    let quick = std::env::args().any(|arg| arg == "--quick");
    eigenpairs(quick)?;
    cholesky(quick)
}

fn gaussian(n: usize, dims: usize) -> Points {
    let mut rng = rng(1);
    let data = Array2::from_shape_fn((n, dims), |_| rng.normal());
    Points::new(data).expect("they are finite")
}

fn eigenpairs(quick: bool) -> ilk::Result<()> {
    println!("## The largest eigenpairs\n");
    println!(
        "Seconds for all eigenpairs of kernel matrices on n points in 5 dimensions, and how many times \
         faster the k largest are: by Lanczos iteration, and as `top_eigen` chooses.\n"
    );
    println!("| kernel | n | all, s | k | Lanczos | top_eigen |");
    println!("|---|---|---|---|---|---|");
    let sizes: &[usize] = if quick { &[500] } else { &[500, 1000, 2000, 5000] };
    for &n in sizes {
        let points = gaussian(n, 5);
        for (name, kernel) in [
            ("Gaussian", Kernel::gaussian(Bandwidth::Fixed(1.0))),
            ("self-tuning", Kernel::SelfTuning { neighbors: 10 }),
        ] {
            let matrix = Gram::new(&kernel, &points, 0)?.full()?;
            let (all, decomposed) = seconds(1, || symmetric_eigen(matrix.view()));
            let decomposed = decomposed?;
            for k in [5, 25, 50] {
                let apply = |x: ArrayView2<'_, f64>| product(matrix.view(), x);
                let (iterated, found) = seconds(1, || top_eigen_of(n, k, EXACT_TOLERANCE, apply));
                let (chosen, _) = seconds(1, || top_eigen(matrix.view(), k, EXACT_TOLERANCE));
                let off = &found?.values - &decomposed.values.slice(s![..k]);
                assert!(off.iter().all(|x| x.abs() < 1e-10 * decomposed.values[0]));
                println!(
                    "| {name} | {n} | {all:.2} | {k} | {:.1} | {:.1} |",
                    all / iterated,
                    all / chosen
                );
            }
        }
    }
    println!();
    Ok(())
}

fn cholesky(quick: bool) -> ilk::Result<()> {
    const RANK: usize = 200;
    println!("## Pivoted Cholesky\n");
    println!(
        "Seconds for {RANK} columns of a Gaussian kernel (σ = 3) on n points in 10 dimensions, beside the \
         plain method on one thread with the same kernel values and pivots; then for the features of all points as new \
         ones.\n"
    );
    println!("| n | s | plain, s | plain / ours | new points, s |");
    println!("|---|---|---|---|---|");
    let sizes: &[usize] = if quick { &[5_000] } else { &[10_000, 100_000, 1_000_000] };
    for &n in sizes {
        let points = gaussian(n, 10);
        let gram = Gram::new(&Kernel::gaussian(Bandwidth::Fixed(3.0)), &points, 0)?;
        let values = KernelValues::Gram(gram.clone());
        let by = Truncation::Dimensions(RANK);
        let (ours, found) = seconds(1, || pivoted_cholesky(&values, by, RANK, &Silent));
        let LowRank { features, map, .. } = found?;
        let (new, transformed) = seconds(1, || map.transform(&points));
        transformed?;
        drop(values);
        if n > 100_000 {
            println!("| {n} | {ours:.2} | | | {new:.2} |");
            continue;
        }
        let (plain, lower) = seconds(1, || plain(&gram, RANK));
        let off = (&lower.t() - &features).mapv(f64::abs);
        assert!(off.iter().all(|&x| x < 1e-9), "other pivots");
        println!("| {n} | {ours:.2} | {plain:.2} | {:.1} | {new:.2} |", plain / ours);
    }
    println!();
    Ok(())
}

/// Lᵀ, a row a pivot.
fn plain(gram: &Gram, rank: usize) -> Array2<f64> {
    let n = gram.len();
    let mut residuals = vec![1.0f64; n];
    let mut lower = Array2::zeros((rank, n));
    for t in 0..rank {
        let pivot = (0..n).fold(0, |best, i| if residuals[i] > residuals[best] { i } else { best });
        let (before, mut rest) = lower.view_mut().split_at(Axis(0), t);
        let mut column = rest.row_mut(0);
        if let Some(column) = column.as_slice_mut() {
            gram.block(pivot..pivot + 1, 0..n, column);
        }
        for row in before.rows() {
            column.scaled_add(-row[pivot], &row);
        }
        column /= residuals[pivot].sqrt();
        for (residual, l) in residuals.iter_mut().zip(&column) {
            *residual -= l * l;
        }
        residuals[pivot] = 0.0;
    }
    lower
}
