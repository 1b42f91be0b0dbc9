//! What would not fit into memory is refused before it is begun, with all matrices counted and what to do instead.

use ilk::embed::{GraphKind, LaplacianEigenmaps};
use ilk::method::{AffinityRange, Cms, GaussianMixture, Method, SsKernelKMeans};
use ilk::ndarray::Array2;
use ilk::observe::Silent;
use ilk::problem::{Constraints, Points, Problem};

fn line(n: usize) -> Points {
    Points::new(Array2::from_shape_fn((n, 1), |(i, _)| i as f64)).expect("finite")
}

fn refusal(method: &dyn Method, problem: &Problem) -> String {
    let refused = method.fit(problem, &Silent).map(|fit| fit.clustering.n_clusters);
    refused.expect_err("too large").to_string()
}

#[test]
fn a_kernel_with_constraints_counts_three_times() {
    let method = SsKernelKMeans {
        n_clusters: 2.into(),
        affinity: AffinityRange::All,
        ..SsKernelKMeans::default()
    };
    assert_eq!(
        refusal(&method, &Problem::unsupervised(line(13_500))),
        "the kernel matrix, with and without constraints, would need 4374000000 bytes; take affinity = neighbors, or \
         cluster a sample of the points and predict the others"
    );
}

#[test]
fn covariances_of_many_columns_are_counted() {
    let points = Points::new(Array2::from_shape_fn((3, 14_000), |(i, j)| (i * j) as f64));
    let problem = Problem::unsupervised(points.expect("finite"));
    let method = GaussianMixture { n_clusters: 2.into(), ..GaussianMixture::default() };
    assert_eq!(
        refusal(&method, &problem),
        "the covariance matrices would need 10976000000 bytes; take covariance_type=diag, or fewer columns, such as \
         principal components"
    );
}

#[test]
fn a_full_graph_counts_with_its_laplacian() {
    let params = LaplacianEigenmaps { graph: GraphKind::Full, ..LaplacianEigenmaps::default() };
    let refused = params.fit(&line(13_500), &Silent).expect_err("too large");
    assert_eq!(
        refused.to_string(),
        "the full graph would need 4374000000 bytes; take graph=knn, or a sample of the points"
    );
}

#[test]
fn a_label_of_its_own_for_every_point_is_too_many_pairs() {
    let n = 12_000;
    let mut constraints = Constraints::new(n);
    for point in 0..n {
        constraints.label(point, &point.to_string()).expect("in range");
    }
    let problem = Problem::new(line(n), constraints).expect("as many points");
    assert_eq!(
        refusal(&Cms::default(), &problem),
        "the pairs of different labels would need 4607616000 bytes; name fewer different labels, or use a method \
         that draws pairs from labels, such as skms"
    );
}
