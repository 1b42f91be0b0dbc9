//! Both ways to fewer nodes, and what a search must reach with either.

use ilk::evaluate::adjusted_rand;
use ilk::group::multilevel::{Coarsening, Multilevel, NodeConstraints};
use ilk::group::{Grouping, GroupingAlgorithm, GroupingInput};
use ilk::numerics::sparse::Sparse;
use ilk::observe::Silent;

use super::{
    assert_never_rises, degrees, labels, objectives, params, planted, ring_of_cliques, value,
};

const BOTH: [Coarsening; 2] = [Coarsening::RegionGrowing, Coarsening::HeavyEdgeMatching];

fn fit(
    links: &Sparse,
    masses: &[f64],
    k: usize,
    constraints: &NodeConstraints,
    coarsening: Coarsening,
) -> Grouping {
    let params = Multilevel { coarsening, ..params(k) };
    params
        .group(
            GroupingInput::new(links).with_weights(Some(masses)).with_constraints(constraints),
            &Silent,
        )
        .unwrap()
        .0
}

#[test]
fn the_cut_of_a_graph_with_most_links_between_clusters_is_no_larger_than_the_planted_one() {
    let (links, truth) = planted(50_000, 50, 8.0, 12.0, 3);
    let masses = degrees(&links);
    for coarsening in BOTH {
        let found = fit(&links, &masses, 50, &NodeConstraints::default(), coarsening);
        assert_never_rises(&found);
        let reported = -objectives(&found).last().unwrap();
        assert!((reported - value(&links, &masses, &labels(&found), 50)).abs() < 1e-9);
        let planted = value(&links, &masses, &truth, 50);
        assert!(reported >= planted, "{reported} of {planted}, {coarsening:?}");
    }
}

#[test]
fn matching_recovers_a_planted_partition() {
    let (links, truth) = planted(20_000, 10, 14.0, 6.0, 3);
    let found = fit(
        &links,
        &degrees(&links),
        10,
        &NodeConstraints::default(),
        Coarsening::HeavyEdgeMatching,
    );
    assert!(adjusted_rand(&truth, &labels(&found)).unwrap() > 0.999);
}

#[test]
fn matching_keeps_the_constraints() {
    let n_cliques = 1200;
    let plain = ring_of_cliques(n_cliques);
    let n = plain.len();
    // Cliques that are opposite each other may not share a cluster.
    let cannot_links: Vec<(usize, usize)> = (0..n_cliques / 2)
        .flat_map(|c| (0..5).map(move |i| (5 * c + i, 5 * (c + n_cliques / 2) + i)))
        .collect();
    let penalties = cannot_links.iter().map(|&(i, j)| (i, j, -10.0));
    let links = plain.plus(&Sparse::from_entries(n, penalties));
    let mut fixed = vec![None; n];
    fixed[17] = Some(3);
    let constraints = NodeConstraints {
        must_link_components: (0..n).map(|i| (i % 500 == 1 && i < n / 2).then_some(4)).collect(),
        cannot_links: cannot_links.clone(),
        fixed,
        ..NodeConstraints::default()
    };
    let found = fit(&links, &degrees(&plain), 4, &constraints, Coarsening::HeavyEdgeMatching);
    let shared = |(i, j): &&(usize, usize)| found.labels[*i] == found.labels[*j];
    assert_eq!(found.labels[17], Some(3));
    assert!((0..6).all(|i| found.labels[500 * i + 1] == found.labels[1]));
    assert_eq!(cannot_links.iter().filter(shared).count(), 0);
}

#[test]
fn matching_copes_with_stars_isolated_nodes_and_small_parts() {
    let star = Sparse::from_entries(20_000, (1..20_000).map(|leaf| (0, leaf, 1.0)));
    let isolated = Sparse::empty(20_000);
    let triples = (0..6000).flat_map(|t| [(3 * t, 3 * t + 1, 1.0), (3 * t + 1, 3 * t + 2, 1.0)]);
    let triples = Sparse::from_entries(20_000, triples);
    for links in [star, isolated, triples] {
        let masses = degrees(&links);
        let found =
            fit(&links, &masses, 7, &NodeConstraints::default(), Coarsening::HeavyEdgeMatching);
        let mut seen = labels(&found);
        let reported = -objectives(&found).last().unwrap();
        assert!((reported - value(&links, &masses, &seen, 7)).abs() < 1e-9);
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, [0, 1, 2, 3, 4, 5, 6]);
    }
}

#[test]
fn what_matching_finds_is_the_same_on_any_number_of_threads() {
    let (links, _) = planted(20_000, 10, 9.0, 9.0, 4);
    let masses = degrees(&links);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            fit(&links, &masses, 10, &NodeConstraints::default(), Coarsening::HeavyEdgeMatching)
        })
    };
    let one = on(1);
    assert_eq!(one, on(3));
    assert_eq!(one, on(8));
}
