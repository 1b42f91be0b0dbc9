//! The method as a whole.

use ilk::evaluate::adjusted_rand;
use ilk::group::kernel_kmeans::Objective;
use ilk::method::{AffinityRange, AnyMethod, KernelKMeans, Method, SsKernelKMeans};
use ilk::observe::Silent;
use ilk::parameter::AutoOr;
use ilk::problem::{Constraints, Graph, Points, Problem};
use ilk::refine::Refinement;
use ilk::similarity::KernelName;
use ilk::similarity::graph::{EdgeRule, EdgeWeight, OneSided, neighbor_graph};
use ilk::supervise::penalty::Penalty;

use super::cases::OBJECTIVES;

#[test]
fn a_node_without_edges_or_answers_belongs_to_no_cluster() {
    let edges = [(0, 1, 1.0), (2, 3, 1.0)];
    let mut constraints = Constraints::new(6);
    constraints.must_link(5, 0).unwrap();
    for objective in OBJECTIVES {
        let method = AnyMethod::SsKernelKMeans(SsKernelKMeans {
            n_clusters: 2.into(),
            objective: objective.into(),
            penalty: Penalty::Fixed(1.0),
            ..SsKernelKMeans::default()
        });
        let problem =
            Problem::new(Graph::from_edges(6, edges).unwrap(), constraints.clone()).unwrap();
        let found = method.fit(&problem, &Silent).unwrap().clustering;
        let expected = [Some(0), Some(0), Some(1), Some(1), None, Some(0)];
        assert_eq!(found.labels, expected, "{objective:?}");
        assert_eq!(found.n_clusters, 2);
    }
}

/// Two nodes of weight 2 are four nodes with the same edges.
#[test]
fn a_weight_counts_as_that_many_nodes() {
    let edges = [(0, 1, 1.0), (1, 2, 0.4), (2, 3, 1.0), (3, 4, 0.2), (4, 0, 0.3)];
    let doubled = [0, 3];
    let mut copies = edges.to_vec();
    for (at, &node) in doubled.iter().enumerate() {
        for &(u, v, weight) in &edges {
            if u == node || v == node {
                let other = if u == node { v } else { u };
                copies.push((5 + at, other, weight));
            }
        }
    }
    let weights: Vec<f64> = (0..5).map(|i| if doubled.contains(&i) { 2.0 } else { 1.0 }).collect();
    for objective in OBJECTIVES {
        let method = AnyMethod::SsKernelKMeans(SsKernelKMeans {
            n_clusters: 2.into(),
            objective: objective.into(),
            n_init: 30,
            ..SsKernelKMeans::default()
        });
        let graph = Graph::from_edges(5, edges).unwrap();
        let weighted = Problem::unsupervised(graph).with_weights(weights.clone()).unwrap();
        let weighted = method.fit(&weighted, &Silent).unwrap().clustering;
        let several = Problem::unsupervised(Graph::from_edges(7, copies.clone()).unwrap());
        let several = method.fit(&several, &Silent).unwrap().clustering;
        assert_eq!(adjusted_rand(&weighted.labels, &several.labels[..5]), Ok(1.0), "{objective:?}");
    }
}

#[test]
fn without_answers_ratio_association_is_kernel_kmeans() {
    let rows: Vec<Vec<f64>> = (0..30)
        .map(|i| vec![f64::from(i % 3) * 4.0 + f64::from(i) * 0.03, f64::from(i * 7 % 5) * 0.1])
        .collect();
    let points = Points::from_rows(&rows).unwrap();
    let problem = Problem::unsupervised(points);
    let sigma = AutoOr::Fixed(1.5);
    let plain = AnyMethod::KernelKMeans(KernelKMeans {
        n_clusters: 3.into(),
        sigma,
        ..KernelKMeans::default()
    });
    let plain = plain.fit(&problem, &Silent).unwrap().clustering;
    let ours = AnyMethod::SsKernelKMeans(SsKernelKMeans {
        n_clusters: 3.into(),
        sigma,
        objective: Objective::RatioAssociation.into(),
        ..SsKernelKMeans::default()
    });
    let ours = ours.fit(&problem, &Silent).unwrap().clustering;
    assert_eq!(adjusted_rand(&ours.labels, &plain.labels), Ok(1.0));
}

#[test]
fn new_nodes_go_where_their_links_lead() {
    // Two cliques of four.
    let clique =
        |from: usize| (from..from + 4).flat_map(move |i| (from..i).map(move |j| (i, j, 1.0)));
    let graph = Graph::from_edges(8, clique(0).chain(clique(4)).chain([(3, 4, 0.1)])).unwrap();
    let new = Points::from_rows(&[
        vec![1.0, 1.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0],
        vec![0.0, 0.1, 0.0, 0.0, 0.0, 0.0, 0.3, 0.0],
    ])
    .unwrap();
    for objective in OBJECTIVES {
        let method = AnyMethod::SsKernelKMeans(SsKernelKMeans {
            n_clusters: 2.into(),
            objective: objective.into(),
            ..SsKernelKMeans::default()
        });
        let fit = method.fit(&Problem::unsupervised(graph.clone()), &Silent).unwrap();
        assert_eq!(fit.clustering.labels, [0, 0, 0, 0, 1, 1, 1, 1].map(Some));
        assert_eq!(fit.model.predict(&new).unwrap(), [Some(0), Some(1)], "{objective:?}");
    }
}

/// Points on a spiral with three arms, and their arms.
fn spiral() -> (Points, Vec<Option<usize>>) {
    let at = |i: usize| {
        let (arm, t) = (i % 3, 1.0 + 0.05 * (i / 3) as f64);
        let angle = 1.5 * t + arm as f64 * std::f64::consts::TAU / 3.0;
        vec![t * angle.cos(), t * angle.sin()]
    };
    let rows: Vec<Vec<f64>> = (0..180).map(at).collect();
    (Points::from_rows(&rows).unwrap(), (0..180).map(|i| Some(i % 3)).collect())
}

#[test]
fn points_with_affinity_to_their_neighbours_are_a_graph() {
    let (points, truth) = spiral();
    let edges = EdgeRule::Nearest { neighbors: 10, one_sided: OneSided::Halved };
    let graph = neighbor_graph(&points, edges, EdgeWeight::SELF_TUNING).unwrap();
    let mut constraints = Constraints::new(180);
    constraints.must_link(0, 90).unwrap().cannot_link(0, 1).unwrap().cannot_link(4, 95).unwrap();
    let params = SsKernelKMeans {
        n_clusters: 3.into(),
        refine: Refinement::Off,
        affinity: AffinityRange::Neighbors,
        ..SsKernelKMeans::default()
    };
    let of_points = Problem::new(points, constraints.clone()).unwrap();
    let of_points = params.fit(&of_points, &Silent).unwrap().clustering;
    let of_graph = Problem::new(graph, constraints).unwrap();
    let of_graph = params.fit(&of_graph, &Silent).unwrap().clustering;
    assert_eq!(of_points.labels, of_graph.labels);
    assert_eq!(adjusted_rand(&of_points.labels, &truth), Ok(1.0));
}

#[test]
fn neighbours_have_the_weights_of_a_width_that_is_given_and_no_other_kernel() {
    let (points, _) = spiral();
    let edges = EdgeRule::Nearest { neighbors: 10, one_sided: OneSided::Halved };
    let graph = neighbor_graph(&points, edges, EdgeWeight::Gaussian { sigma: 0.2 }).unwrap();
    let params = SsKernelKMeans {
        n_clusters: 5.into(),
        affinity: AffinityRange::Neighbors,
        sigma: AutoOr::Fixed(0.2),
        ..SsKernelKMeans::default()
    };
    let of_graph = params.fit(&Problem::unsupervised(graph), &Silent).unwrap().clustering;
    let problem = Problem::unsupervised(points);
    let of_points = params.fit(&problem, &Silent).unwrap().clustering;
    assert_eq!(of_points.labels, of_graph.labels);
    let linear = SsKernelKMeans { kernel: KernelName::Linear, ..params };
    assert_eq!(
        linear.fit(&problem, &Silent).unwrap_err().to_string(),
        "affinity = neighbors is out of range: kernel = linear is one of every two points: take all"
    );
}

#[test]
fn without_answers_points_are_a_graph_unless_a_kernel_is_asked_for() {
    let (points, truth) = spiral();
    let problem = Problem::unsupervised(points);
    let params = SsKernelKMeans { n_clusters: 3.into(), ..SsKernelKMeans::default() };
    let found = params.fit(&problem, &Silent).unwrap();
    assert_eq!(adjusted_rand(&found.clustering.labels, &truth), Ok(1.0));
    assert_eq!(found.clustering.chosen[0].parameter, "affinity");
    let with_kernel = SsKernelKMeans { affinity: AffinityRange::All, ..params };
    let found = with_kernel.fit(&problem, &Silent).unwrap();
    assert!(adjusted_rand(&found.clustering.labels, &truth).unwrap() < 0.5);
    assert_eq!(found.clustering.chosen[0].parameter, "sigma");
}
