//! The number of clusters that methods choose where none is given.

use ilk::Error;
use ilk::datasets::{ConstraintSampler, NestedBlobs, PlantedGraph};
use ilk::evaluate::adjusted_rand;
use ilk::group::kmeans::{KMeans, KMeansInit};
use ilk::group::{GroupingAlgorithm, Label};
use ilk::method::{AnyMethod, Method};
use ilk::ndarray::{Array2, array};
use ilk::observe::Silent;
use ilk::outcome::Clustering;
use ilk::parameter::AutoOr;
use ilk::problem::{Constraints, Graph, InputKind, KernelMatrix, Points, Problem};
use serde_json::json;

/// The methods that take a number of clusters and this input, with their defaults.
fn methods(input: InputKind) -> Vec<AnyMethod> {
    let infos = AnyMethod::ALL.iter().filter(|info| info.takes_clusters);
    let infos = infos.filter(|info| info.inputs.contains(&input));
    infos.map(|info| AnyMethod::named(info.name).unwrap()).collect()
}

/// Four groups in a row.
fn four_groups(each: usize) -> (Array2<f64>, Vec<Label>) {
    let mut rng = ilk::numerics::rng::rng(3);
    let points = Array2::from_shape_fn((4 * each, 2), |(i, column)| {
        let center = if column == 0 { 8.0 * (i / each) as f64 } else { 0.0 };
        center + rng.normal()
    });
    (points, (0..4 * each).map(|i| Some(i / each)).collect())
}

fn fit(method: &AnyMethod, problem: &Problem) -> Clustering {
    method.fit(problem, &Silent).unwrap().clustering
}

/// The number that was chosen, as the outcome tells it.
fn chosen(found: &Clustering) -> Option<usize> {
    let chosen = found.chosen.iter().find(|chosen| chosen.parameter == "n_clusters")?;
    assert!(!chosen.by.is_empty());
    chosen.value.parse().ok()
}

#[test]
fn every_method_finds_four_groups_of_points_and_says_so() {
    let (points, groups) = four_groups(30);
    let problem = Problem::unsupervised(Points::new(points).unwrap());
    let methods = methods(InputKind::Points);
    assert_eq!(methods.len(), 13);
    for method in methods {
        let found = fit(&method, &problem);
        assert_eq!(chosen(&found), Some(4), "{}", method.info().name);
        assert_eq!(found.requested_clusters, Some(4));
        let score = adjusted_rand(&found.labels, &groups).unwrap();
        assert!(score > 0.95, "{}: {score}", method.info().name);
    }
}

#[test]
fn every_method_finds_the_groups_of_a_kernel_matrix_and_of_a_graph() {
    let (points, _) = four_groups(30);
    let n = points.nrows();
    let kernel = Array2::from_shape_fn((n, n), |(i, j)| {
        let dist_sq = (&points.row(i) - &points.row(j)).mapv(|x| x * x).sum();
        (-dist_sq / 18.0).exp()
    });
    let kernel = Problem::unsupervised(KernelMatrix::new(kernel).unwrap());
    for method in methods(InputKind::Kernel) {
        assert_eq!(chosen(&fit(&method, &kernel)), Some(4), "{}", method.info().name);
    }
    let planted = PlantedGraph { n: 200, p_in: 0.4, p_out: 0.02, ..PlantedGraph::default() };
    let graph = Problem::unsupervised(planted.generate(1).unwrap().input().unwrap());
    for method in methods(InputKind::Graph) {
        assert_eq!(chosen(&fit(&method, &graph)), Some(4), "{}", method.info().name);
    }
}

#[test]
fn labels_of_all_classes_say_how_many_clusters_there_are() {
    // Two groups of two subgroups each: by the data alone there are four.
    let (points, _) = four_groups(30);
    let mut constraints = Constraints::new(120);
    for i in (0..120).step_by(10) {
        constraints.label(i, if i < 60 { "left" } else { "right" }).unwrap();
    }
    let problem = Problem::new(Points::new(points).unwrap(), constraints).unwrap();
    let method = AnyMethod::named("hmrf-kmeans").unwrap();
    assert_eq!(chosen(&fit(&method, &problem)), Some(2));
}

#[test]
fn pairs_move_the_number_to_the_groups_they_mean() {
    let set = NestedBlobs::default().generate(1).unwrap();
    let points = Points::new(set.points().unwrap().clone()).unwrap();
    let alone = Problem::unsupervised(points.clone());
    let method = AnyMethod::named("hmrf-kmeans").unwrap();
    let subgroups = chosen(&fit(&method, &alone)).unwrap();
    let sampler = ConstraintSampler { n_pairs: 200, ..ConstraintSampler::default() };
    let truth: Vec<Label> = set.labels.iter().copied().map(Some).collect();
    let constraints = sampler.draw(&truth, 1).unwrap().constraints;
    let problem = Problem::new(points, constraints).unwrap();
    let groups = chosen(&fit(&method, &problem)).unwrap();
    let classes = set.labels.iter().max().unwrap() + 1;
    assert!(groups.abs_diff(classes) <= subgroups.abs_diff(classes), "{subgroups} {groups}");
}

#[test]
fn points_that_are_all_separated_need_a_cluster_each() {
    let (points, _) = four_groups(30);
    let mut constraints = Constraints::new(120);
    let apart = [0, 5, 10, 40, 70, 100];
    for (at, &a) in apart.iter().enumerate() {
        for &b in &apart[..at] {
            constraints.cannot_link(a, b).unwrap();
        }
    }
    let problem = Problem::new(Points::new(points).unwrap(), constraints).unwrap();
    let method = AnyMethod::named("spectral-learning").unwrap();
    assert!(chosen(&fit(&method, &problem)).unwrap() >= 6);
}

#[test]
fn few_points_and_equal_points_have_a_number_too() {
    for rows in [vec![vec![1.0]], vec![vec![1.0]; 5], vec![vec![1.0], vec![2.0]]] {
        let problem = Problem::unsupervised(Points::from_rows(&rows).unwrap());
        for method in methods(InputKind::Points) {
            let found = method.fit(&problem, &Silent);
            let found = found.unwrap_or_else(|error| panic!("{}: {error}", method.info().name));
            assert_eq!(chosen(&found.clustering), Some(1), "{}", method.info().name);
        }
    }
    let lonely = Problem::unsupervised(Graph::from_edges(3, []).unwrap());
    let found = AnyMethod::named("ss-kernel-kmeans").unwrap().fit(&lonely, &Silent);
    assert!(found.is_ok_and(|fit| chosen(&fit.clustering).is_some()));
}

#[test]
fn the_choice_depends_on_neither_threads_nor_the_order_of_constraints() {
    let set = NestedBlobs::default().generate(4).unwrap();
    let points = Points::new(set.points().unwrap().clone()).unwrap();
    let pairs: Vec<(usize, usize)> = (0..60).map(|i| (i, (i * 37 + 11) % points.len())).collect();
    let fit_of = |pairs: &[(usize, usize)], threads: usize| {
        let mut constraints = Constraints::new(points.len());
        for &(a, b) in pairs.iter().filter(|(a, b)| a != b) {
            if set.labels[a] == set.labels[b] {
                constraints.must_link(a, b).unwrap();
            } else {
                constraints.cannot_link(a, b).unwrap();
            }
        }
        let problem = Problem::new(points.clone(), constraints).unwrap();
        let method = AnyMethod::named("hmrf-kmeans").unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        chosen(&pool.install(|| fit(&method, &problem)))
    };
    let turned: Vec<(usize, usize)> = pairs.iter().rev().copied().collect();
    assert_eq!(fit_of(&pairs, 1), fit_of(&turned, 4));
}

#[test]
fn given_centres_say_how_many_clusters_there_are() {
    let centers = vec![vec![0.0, 0.0], vec![8.0, 0.0]];
    let kmeans = KMeans { init: KMeansInit::Centers(centers), ..KMeans::default() };
    let problem = Problem::unsupervised(Points::new(four_groups(10).0).unwrap());
    assert_eq!(kmeans.fit(&problem, &Silent).unwrap().clustering.n_clusters, 2);
}

#[test]
fn a_grouping_is_given_its_number() {
    let refused = KMeans::default().group(array![[0.0], [1.0]].view(), &Silent);
    let error = refused.map(|_| ()).unwrap_err();
    assert!(matches!(error, Error::BadParameter { parameter: "n_clusters", .. }), "{error}");
    assert!(error.to_string().contains("Method::fit"), "{error}");
}

#[test]
fn files_hold_a_number_or_the_word_auto() {
    let read = |value: serde_json::Value| {
        let written = json!({ "method": "kmeans", "params": { "n_clusters": value } });
        match serde_json::from_value::<AnyMethod>(written).unwrap() {
            AnyMethod::KMeans(kmeans) => kmeans.n_clusters,
            _ => unreachable!(),
        }
    };
    assert_eq!(read(json!(5)), AutoOr::Fixed(5));
    assert_eq!(read(json!("auto")), AutoOr::Auto);
    let method = AnyMethod::from(KMeans { n_clusters: AutoOr::Fixed(5), ..KMeans::default() });
    assert_eq!(serde_json::to_value(&method).unwrap()["params"]["n_clusters"], json!(5));
    let packed = rmp_serde::to_vec_named(&method).unwrap();
    assert_eq!(rmp_serde::from_slice::<AnyMethod>(&packed).unwrap(), method);
}
