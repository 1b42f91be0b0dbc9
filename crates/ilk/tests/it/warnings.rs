//! Warnings of fits.

use ilk::method::{HmrfKMeans, KMeans, Method, SpectralClustering};
use ilk::ndarray::Array2;
use ilk::observe::Silent;
use ilk::outcome::Warning;
use ilk::problem::{Constraints, Points, Problem};

fn random(n: usize) -> Points {
    let mut rng = ilk::numerics::rng::rng(5);
    Points::new(Array2::from_shape_fn((n, 2), |_| rng.normal())).unwrap()
}

fn warnings(method: &dyn Method, problem: &Problem) -> Vec<Warning> {
    method.fit(problem, &Silent).unwrap().clustering.warnings(problem.constraints())
}

#[test]
fn a_fit_that_went_well_has_no_warnings() {
    let problem = Problem::unsupervised(random(50));
    let kmeans = KMeans { n_clusters: 3.into(), ..KMeans::default() };
    assert_eq!(warnings(&kmeans, &problem), []);
    assert_eq!(warnings(&SpectralClustering::default(), &problem), []);
}

#[test]
fn runs_that_are_cut_off_warn() {
    let kmeans = KMeans { n_clusters: 8.into(), max_iter: 1, ..KMeans::default() };
    let problem = Problem::unsupervised(random(500));
    assert_eq!(warnings(&kmeans, &problem), [Warning::NotConverged { iterations: 1 }]);
}

#[test]
fn fewer_clusters_than_asked_for_warn() {
    let points = Points::from_rows(&[[0.0], [0.0], [1.0], [1.0]].map(Vec::from)).unwrap();
    let kmeans = KMeans { n_clusters: 3.into(), ..KMeans::default() };
    let found = warnings(&kmeans, &Problem::unsupervised(points));
    assert_eq!(found, [Warning::FewerClusters { found: 2, requested: 3 }]);
    assert!(found[0].to_string().starts_with("2 clusters were found where 3 were asked for"));
}

#[test]
fn more_classes_of_labels_than_clusters_warn_and_so_do_the_labels_they_break() {
    let mut constraints = Constraints::new(40);
    for (point, name) in ["a", "b", "c", "d"].into_iter().enumerate() {
        constraints.label(point, name).unwrap();
    }
    let problem = Problem::new(random(40), constraints).unwrap();
    let hmrf = HmrfKMeans { n_clusters: 2.into(), ..HmrfKMeans::default() };
    let found = warnings(&hmrf, &problem);
    assert_eq!(found[0], Warning::MoreLabelsThanClusters { classes: 4, clusters: 2 });
    assert_eq!(found[1], Warning::ManyBroken { broken: 2, given: 4 });
}

#[test]
fn contradictions_that_were_broken_warn() {
    let mut constraints = Constraints::new(30);
    constraints.must_link(0, 1).unwrap().must_link(1, 2).unwrap().cannot_link(0, 2).unwrap();
    let problem = Problem::new(random(30), constraints).unwrap();
    let hmrf = HmrfKMeans { n_clusters: 3.into(), ..HmrfKMeans::default() };
    assert_eq!(warnings(&hmrf, &problem), [Warning::Contradictions { count: 1 }]);
}
