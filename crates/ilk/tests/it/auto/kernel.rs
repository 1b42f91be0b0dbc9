//! A consensus over a kernel matrix, given as one or as rows, and new points as rows of kernel values.

use ilk::Result;
use ilk::evaluate::adjusted_rand;
use ilk::group::Label;
use ilk::method::{AffinityName, Auto, Method};
use ilk::ndarray::Array2;
use ilk::observe::Silent;
use ilk::outcome::AnyModel;
use ilk::problem::{KernelMatrix, Points, Problem};

use super::{auto, blobs, random_pairs};

/// exp(-d²/(2 · 3²)) between the rows of two lists of points.
fn gaussian(a: &Points, b: &Points) -> Array2<f64> {
    Array2::from_shape_fn((a.len(), b.len()), |(i, j)| {
        let sq: f64 = a.row(i).iter().zip(b.row(j)).map(|(x, y)| (x - y).powi(2)).sum();
        (-sq / 18.0).exp()
    })
}

/// The first `n` of these points and labels, and the others.
fn halves(points: &Points, truth: &[Label], n: usize) -> [(Points, Vec<Label>); 2] {
    [(0..n), (n..points.len())].map(|rows| {
        let rows: Vec<usize> = rows.collect();
        let labels = rows.iter().map(|&row| truth[row]).collect();
        (points.select(&rows), labels)
    })
}

#[test]
fn groups_of_a_kernel_matrix_are_found_and_rows_of_new_points_join_them() -> Result<()> {
    let (points, truth) = blobs(200, 3, 4, 9.0, 21);
    let [(old, old_truth), (new, new_truth)] = halves(&points, &truth, 140);
    let kernel = gaussian(&old, &old);
    let new_rows = Points::new(gaussian(&new, &old))?;
    // The Laplacian's eigenvectors place no new row, so the clusters themselves have to.
    let methods = [auto(), Auto { members: "spectral".parse()?, n_clusters: 4.into(), ..auto() }];
    for (pairs, method) in [(0, &methods[0]), (40, &methods[0]), (40, &methods[1])] {
        let case = format!("{pairs} pairs, members {}", method.members);
        let constraints = random_pairs(&old_truth, pairs, 22);
        let problem = Problem::new(KernelMatrix::new(kernel.clone())?, constraints.clone())?;
        let fit = method.fit(&problem, &Silent)?;
        assert!(adjusted_rand(&old_truth, &fit.clustering.labels)? > 0.95, "{case}");
        let placed = fit.model.predict(&new_rows)?;
        assert!(adjusted_rand(&new_truth, &placed)? > 0.95, "{case}");
        let rows = Points::new(kernel.clone())?;
        assert_eq!(fit.model.predict(&rows)?, fit.clustering.labels, "{case}");
        let AnyModel::Consensus(model) = &fit.model else { panic!("{case}: no consensus") };
        let probabilities = model.predict_confidence(&new_rows, &Silent)?.probabilities;
        assert!(probabilities.rows().into_iter().all(|row| (row.sum() - 1.0).abs() < 1e-9));

        let precomputed = Auto { kernel: AffinityName::Precomputed, ..method.clone() };
        let of_rows = precomputed.fit(&Problem::new(rows, constraints)?, &Silent)?;
        assert_eq!(of_rows.clustering, fit.clustering, "{case}");
        assert_eq!(of_rows.model, fit.model, "{case}");
    }
    Ok(())
}

#[test]
fn a_kernel_matrix_has_as_many_rows_as_columns() {
    let (points, _) = blobs(20, 3, 2, 9.0, 23);
    let method = Auto { kernel: AffinityName::Precomputed, ..auto() };
    let error = method.fit(&Problem::unsupervised(points), &Silent).unwrap_err().to_string();
    assert_eq!(error, "the kernel matrix has 20 rows and 3 columns; it must be square");
}

#[test]
fn the_members_of_a_kernel_matrix_are_methods_that_take_one() -> Result<()> {
    let (points, truth) = blobs(120, 3, 3, 9.0, 24);
    let problem =
        Problem::new(KernelMatrix::new(gaussian(&points, &points))?, random_pairs(&truth, 40, 25))?;
    let method = Auto { members: "kmeans".parse()?, ..auto() };
    let error = method.fit(&problem, &Silent).unwrap_err().to_string();
    let offered = "members may be e2cp, kernel-kmeans, skkm, spectral, ss-kernel-kmeans";
    assert!(error.contains(offered), "{error}");
    Ok(())
}
