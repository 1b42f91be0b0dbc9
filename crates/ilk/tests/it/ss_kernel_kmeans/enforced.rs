//! Constraints hold, help, and the default objective finds what was planted.

use ilk::datasets::{Data, PlantedGraph};
use ilk::evaluate::adjusted_rand;
use ilk::group::Label;
use ilk::method::{Method, ObjectiveChoice, SsKernelKMeans};
use ilk::numerics::rng::{Rng, rng, rng_stream};
use ilk::observe::Silent;
use ilk::outcome::Clustering;
use ilk::problem::{Constraints, Graph, KernelMatrix, MustLinkPolicy, Problem};
use ilk::refine::Refinement;

const GRAPH_OBJECTIVES: [ObjectiveChoice; 5] = [
    ObjectiveChoice::RatioAssociation,
    ObjectiveChoice::RatioCut,
    ObjectiveChoice::NormalizedCut,
    ObjectiveChoice::Modularity,
    ObjectiveChoice::Likelihood,
];

/// A graph with its planted groups.
struct Planted {
    graph: Graph,
    groups: Vec<usize>,
    n_groups: usize,
}

/// 12 groups of 10 nodes with 7 links within and 4 to others a node, like a season of football teams.
fn football(seed: u64) -> Planted {
    let planted = PlantedGraph { n: 120, blocks: 12, p_in: 7.0 / 9.0, p_out: 4.0 / 110.0 };
    let set = planted.generate(seed).unwrap();
    let Data::Edges(edges) = set.data else { panic!("a graph has edges") };
    let edges = edges.into_iter().map(|[u, v]| (u, v, 1.0));
    Planted { graph: Graph::from_edges(120, edges).unwrap(), groups: set.labels, n_groups: 12 }
}

/// 20 groups of 4 to 40 nodes, half of the links of every node within its group and half anywhere, like departments.
fn departments(seed: u64) -> Planted {
    let sizes: Vec<usize> = (0..20).map(|group| 4 + group * group / 10).collect();
    let groups: Vec<usize> =
        sizes.iter().enumerate().flat_map(|(group, &size)| vec![group; size]).collect();
    let n = groups.len();
    let mut rng = rng(seed);
    let below = |rng: &mut Rng, n: usize| (rng.uniform() * n as f64) as usize;
    let mut edges = Vec::new();
    for node in 0..n {
        let first = groups.iter().position(|&group| group == groups[node]).unwrap();
        for _ in 0..5 {
            edges.push((node, first + below(&mut rng, sizes[groups[node]]), 1.0));
            edges.push((node, below(&mut rng, n), 1.0));
        }
    }
    edges.retain(|&(u, v, _)| u != v);
    Planted { graph: Graph::from_edges(n, edges).unwrap(), groups, n_groups: 20 }
}

/// Random pairs, answered by the groups.
fn pairs(groups: &[usize], n_pairs: usize, seed: u64) -> Constraints {
    let mut constraints = Constraints::new(groups.len());
    let mut rng = rng_stream(seed, 7);
    for _ in 0..n_pairs {
        let pair = rng.sample(groups.len(), 2);
        if groups[pair[0]] == groups[pair[1]] {
            constraints.must_link(pair[0], pair[1]).unwrap();
        } else {
            constraints.cannot_link(pair[0], pair[1]).unwrap();
        }
    }
    constraints
}

fn fit(planted: &Planted, objective: ObjectiveChoice, constraints: Constraints) -> Clustering {
    let method = SsKernelKMeans {
        n_clusters: planted.n_groups.into(),
        objective,
        ..SsKernelKMeans::default()
    };
    let problem = Problem::new(planted.graph.clone(), constraints).unwrap();
    method.fit(&problem, &Silent).unwrap().clustering
}

/// The recovery of the groups of nodes that no constraint names.
fn recovery(planted: &Planted, found: &[Label], constraints: &Constraints) -> f64 {
    let all = constraints.must_links().iter().chain(constraints.cannot_links());
    let named: Vec<usize> = all.flat_map(|pair| pair.points).collect();
    let is_free = |i: &usize| !named.contains(i);
    let free: Vec<usize> = (0..found.len()).filter(is_free).collect();
    let of = |label: &dyn Fn(usize) -> Label| free.iter().map(|&i| label(i)).collect::<Vec<_>>();
    adjusted_rand(&of(&|i| found[i]), &of(&|i| Some(planted.groups[i]))).unwrap()
}

/// Correct pairs are kept, and do not make the groups of the other nodes worse.
fn assert_helps(planted: &Planted, objective: ObjectiveChoice) {
    let n = planted.groups.len();
    let without = fit(planted, objective, Constraints::new(n)).labels;
    let (mut gain, mut broken) = (0.0, 0);
    for seed in 0..3 {
        let constraints = pairs(&planted.groups, n / 2, seed);
        let found = fit(planted, objective, constraints.clone());
        broken += found.report.broken();
        gain += recovery(planted, &found.labels, &constraints) / 3.0;
        gain -= recovery(planted, &without, &constraints) / 3.0;
    }
    assert!(gain >= -0.02, "{objective:?}: the recovery changed by {gain}");
    assert_eq!(broken, 0, "{objective:?}");
}

#[test]
fn correct_pairs_are_kept_and_do_no_harm_on_many_small_groups() {
    for objective in GRAPH_OBJECTIVES {
        assert_helps(&football(1), objective);
    }
}

#[test]
fn correct_pairs_are_kept_and_do_no_harm_on_groups_of_all_sizes() {
    for objective in [ObjectiveChoice::Auto, ObjectiveChoice::NormalizedCut] {
        assert_helps(&departments(1), objective);
    }
}

#[test]
fn the_default_objective_finds_groups_of_all_sizes() {
    for seed in 0..3 {
        let planted = departments(seed);
        let none = Constraints::new(planted.groups.len());
        let of =
            |objective| recovery(&planted, &fit(&planted, objective, none.clone()).labels, &none);
        let (by_default, by_cut) = (of(ObjectiveChoice::Auto), of(ObjectiveChoice::NormalizedCut));
        assert!(by_default > 0.9, "{by_default}");
        assert!(by_default >= by_cut, "{by_default}, normalized cut {by_cut}");
    }
}

/// Two cliques of twenty with links between, and a triangle that hangs on one of them by one edge: it has the smallest
/// normalized cut of all.
#[test]
fn the_default_objective_takes_off_no_pendant_piece() {
    let clique =
        |from: usize| (from..from + 20).flat_map(move |i| (from..i).map(move |j| (i, j, 1.0)));
    let between = (0..20).flat_map(|i| (0..5).map(move |j| (i, 20 + (i + j) % 20, 1.0)));
    let pendant = [(0, 40, 1.0), (40, 41, 1.0), (41, 42, 1.0), (40, 42, 1.0)];
    let edges = clique(0).chain(clique(20)).chain(between).chain(pendant);
    let problem = Problem::unsupervised(Graph::from_edges(43, edges).unwrap());
    let method = SsKernelKMeans { n_clusters: 2.into(), ..SsKernelKMeans::default() };
    let labels = method.fit(&problem, &Silent).unwrap().clustering.labels;
    assert!(labels[..20].iter().all(|&label| label == labels[0]));
    assert!(labels[20..40].iter().all(|&label| label == labels[20]));
    assert_ne!(labels[0], labels[20]);
}

#[test]
fn must_links_hold_in_kernel_matrices() {
    let planted = football(2);
    let kernel = KernelMatrix::new(planted.graph.matrix().to_dense()).unwrap();
    let constraints = pairs(&planted.groups, 60, 3);
    for objective in [ObjectiveChoice::RatioAssociation, ObjectiveChoice::Modularity] {
        let method =
            SsKernelKMeans { n_clusters: 12.into(), objective, ..SsKernelKMeans::default() };
        let problem = Problem::new(kernel.clone(), constraints.clone()).unwrap();
        let found = method.fit(&problem, &Silent).unwrap().clustering.labels;
        for pair in constraints.must_links() {
            assert_eq!(found[pair.points[0]], found[pair.points[1]], "{objective:?}");
        }
    }
}

#[test]
fn contradicted_must_links_are_no_failure() {
    let planted = football(3);
    let mut constraints = Constraints::new(120);
    constraints.must_link(0, 1).unwrap().must_link(1, 2).unwrap().cannot_link(0, 2).unwrap();
    for must_links in [MustLinkPolicy::Auto, MustLinkPolicy::Hard, MustLinkPolicy::Soft] {
        for objective in GRAPH_OBJECTIVES {
            let method = SsKernelKMeans {
                n_clusters: 12.into(),
                objective,
                must_links,
                ..SsKernelKMeans::default()
            };
            let problem = Problem::new(planted.graph.clone(), constraints.clone()).unwrap();
            let found = method.fit(&problem, &Silent).unwrap().clustering;
            assert!(found.report.broken() >= 1, "one of the three cannot hold");
        }
    }
}

/// Where must-links leave fewer sets than clusters, every set is a cluster.
#[test]
fn must_links_may_leave_fewer_sets_than_clusters() {
    let graph = Graph::from_edges(4, [(0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0)]).unwrap();
    let mut constraints = Constraints::new(4);
    constraints.must_link(0, 1).unwrap().must_link(2, 3).unwrap();
    for objective in GRAPH_OBJECTIVES {
        let refine = Refinement::Off;
        let method =
            SsKernelKMeans { n_clusters: 3.into(), objective, refine, ..SsKernelKMeans::default() };
        let problem = Problem::new(graph.clone(), constraints.clone()).unwrap();
        let found = method.fit(&problem, &Silent).unwrap().clustering;
        assert_eq!(found.labels, [0, 0, 1, 1].map(Some), "{objective:?}");
    }
}
