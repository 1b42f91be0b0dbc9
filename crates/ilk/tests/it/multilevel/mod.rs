//! Multilevel clustering of graphs against brute force, planted partitions and what must hold.

mod coarsening;
mod input;

use ilk::Error;
use ilk::datasets::{Data, PlantedGraph};
use ilk::evaluate::adjusted_rand;
use ilk::group::multilevel::{Multilevel, NodeConstraints};
use ilk::group::{Grouping, GroupingAlgorithm, GroupingInput, Label, StopReason};
use ilk::numerics::rng::rng;
use ilk::numerics::sparse::Sparse;
use ilk::observe::Silent;
use proptest::prelude::*;

fn params(n_clusters: usize) -> Multilevel {
    Multilevel { n_clusters, ..Multilevel::default() }
}

fn fit(links: &Sparse, masses: &[f64], k: usize, constraints: &NodeConstraints) -> Grouping {
    params(k)
        .group(
            GroupingInput::new(links).with_weights(Some(masses)).with_constraints(constraints),
            &Silent,
        )
        .unwrap()
        .0
}

fn labels(grouping: &Grouping) -> Vec<usize> {
    grouping.labels.iter().map(|label| label.unwrap()).collect()
}

/// Degrees, 1 for nodes without links.
fn degrees(links: &Sparse) -> Vec<f64> {
    let sums = links.row_sums().into_iter();
    sums.map(|sum| if sum > 0.0 { sum } else { 1.0 }).collect()
}

/// Σ_c z_c' M z_c / Σ α, straight from its definition.
fn value(links: &Sparse, masses: &[f64], labels: &[usize], k: usize) -> f64 {
    let (mut inside, mut mass) = (vec![0.0; k], vec![0.0; k]);
    for i in 0..links.len() {
        mass[labels[i]] += masses[i];
        for (j, link) in links.entries(i) {
            if labels[i] == labels[j] {
                inside[labels[i]] += link;
            }
        }
    }
    inside.iter().zip(&mass).map(|(s, w)| s / w).sum()
}

/// The largest value over all partitions into exactly k clusters in which nodes of `must_link_components` share one.
fn brute_force(links: &Sparse, masses: &[f64], k: usize, may: impl Fn(&[usize]) -> bool) -> f64 {
    let n = links.len();
    let mut best = f64::NEG_INFINITY;
    let mut labels = vec![0; n];
    loop {
        let all = (0..k).all(|c| labels.contains(&c));
        if all && may(&labels) {
            best = best.max(value(links, masses, &labels, k));
        }
        let Some(at) = labels.iter().position(|&label| label + 1 < k) else {
            return best;
        };
        labels[..at].fill(0);
        labels[at] += 1;
    }
}

/// A planted graph with its nodes in random order, and their blocks.
fn planted(n: usize, k: usize, inside: f64, between: f64, seed: u64) -> (Sparse, Vec<usize>) {
    let block = n as f64 / k as f64;
    let graph = PlantedGraph {
        n,
        blocks: k,
        p_in: inside / (block - 1.0),
        p_out: between / (n as f64 - block),
    };
    let made = graph.generate(seed).unwrap();
    let Data::Edges(edges) = made.data else {
        panic!("a planted graph has edges");
    };
    let place = rng(seed).sample(n, n);
    let mut truth = vec![0; n];
    for (&place, block) in place.iter().zip(made.labels) {
        truth[place] = block;
    }
    let edges = edges.into_iter().map(|[u, v]| (place[u], place[v], 1.0));
    (Sparse::from_entries(n, edges), truth)
}

/// The objectives of a trace.
fn objectives(grouping: &Grouping) -> Vec<f64> {
    grouping.trace.iter().map(|step| step.objective.unwrap()).collect()
}

fn assert_never_rises(grouping: &Grouping) {
    for two in objectives(grouping).windows(2) {
        assert!(two[1] <= two[0] + 1e-9 * two[0].abs(), "{} after {}", two[1], two[0]);
    }
}

/// Random small graphs: edges with weights, some of them penalties.
fn small_graphs() -> impl Strategy<Value = (usize, Vec<(usize, usize, f64)>)> {
    (5_usize..9).prop_flat_map(|n| {
        let edge = (0..n, 0..n, prop_oneof![4 => 0.1_f64..3.0, 1 => -3.0_f64..-0.1]);
        (Just(n), prop::collection::vec(edge, n..3 * n))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_single_move_improves_a_small_graph_and_the_trace_tells_its_value(
        (n, edges) in small_graphs(),
        k in 1_usize..4,
        masses in prop::collection::vec(0.5_f64..2.0, 9),
    ) {
        let links = Sparse::from_entries(n, edges);
        let masses = &masses[..n];
        let found = fit(&links, masses, k, &NodeConstraints::default());
        prop_assert_eq!(found.stop, StopReason::Converged);
        let mut at = labels(&found);
        let reached = value(&links, masses, &at, k);
        let reported = -objectives(&found).last().unwrap();
        prop_assert!((reached - reported).abs() < 1e-9 * (1.0 + reached.abs()));
        assert_never_rises(&found);
        for i in 0..n {
            let home = at[i];
            if at.iter().filter(|&&label| label == home).count() < 2 {
                continue;
            }
            for to in 0..k {
                at[i] = to;
                prop_assert!(value(&links, masses, &at, k) <= reached + 1e-9 * (1.0 + reached.abs()));
            }
            at[i] = home;
        }
    }

    #[test]
    fn components_fixed_nodes_and_their_number_are_kept(
        (n, edges) in small_graphs(),
        must_link_components in prop::collection::vec(prop::option::weighted(0.5, 0_usize..3), 9),
        fixed in prop::collection::vec(prop::option::weighted(0.3, 0_usize..2), 9),
    ) {
        let links = Sparse::from_entries(n, edges);
        let constraints = NodeConstraints {
            must_link_components: must_link_components[..n].to_vec(),
            cannot_links: vec![(0, 1), (1, 2), (0, 2)],
            fixed: fixed[..n].to_vec(),
            ..NodeConstraints::default()
        };
        let input = GroupingInput::new(&links).with_constraints(&constraints);
        let run = params(2).group(input, &Silent);
        let Ok((found, ())) = run else {
            prop_assert_eq!(run, Err(Error::TooManyClusters { k: 2, n: 1 }));
            return Ok(());
        };
        for i in 0..n {
            prop_assert!(fixed[i].is_none() || found.labels[i] == fixed[i]);
            for j in 0..n {
                let is_one = must_link_components[i].is_some() && must_link_components[i] == must_link_components[j];
                if is_one && fixed[i].is_none() && fixed[j].is_none() {
                    prop_assert_eq!(found.labels[i], found.labels[j]);
                }
            }
        }
        prop_assert!(found.labels.contains(&Some(0)) && found.labels.contains(&Some(1)));
    }
}

#[test]
fn ten_searches_solve_nearly_all_small_graphs() {
    let mut solved = 0;
    for seed in 0..100 {
        let (links, _) = planted(10, 3, 2.0, 1.0, seed);
        let masses = degrees(&links);
        let found = Multilevel { n_init: 10, ..params(3) };
        let (found, ()) = found
            .group(
                GroupingInput::new(&links)
                    .with_weights(Some(&masses))
                    .with_constraints(&NodeConstraints::default()),
                &Silent,
            )
            .unwrap();
        let best = brute_force(&links, &masses, 3, |_| true);
        let reached = value(&links, &masses, &labels(&found), 3);
        assert!(reached <= best + 1e-9);
        assert!(reached > 0.9 * best, "{reached} of {best}, seed {seed}");
        solved += usize::from(reached > best - 1e-9);
    }
    assert!(solved >= 98, "{solved} of 100");
}

#[test]
fn a_planted_partition_is_recovered_through_levels() {
    let (links, truth) = planted(20_000, 10, 14.0, 6.0, 3);
    let found = fit(&links, &degrees(&links), 10, &NodeConstraints::default());
    assert!(adjusted_rand(&truth, &labels(&found)).unwrap() > 0.999);
    assert_never_rises(&found);
    let masses = degrees(&links);
    let reported = -objectives(&found).last().unwrap();
    assert!((reported - value(&links, &masses, &labels(&found), 10)).abs() < 1e-9);
    let planted = value(&links, &masses, &truth, 10);
    assert!(reported >= planted - 1e-9);
}

#[test]
fn a_few_labels_recover_what_links_alone_do_not() {
    let (links, truth) = planted(20_000, 20, 7.0, 13.0, 5);
    let masses = degrees(&links);
    let mut fixed: Vec<Label> = vec![None; truth.len()];
    for node in rng(1).sample(truth.len(), truth.len() / 50) {
        fixed[node] = Some(truth[node]);
    }
    let without = fit(&links, &masses, 20, &NodeConstraints::default());
    let constraints = NodeConstraints { fixed: fixed.clone(), ..NodeConstraints::default() };
    let with = fit(&links, &masses, 20, &constraints);
    for (node, given) in fixed.iter().enumerate() {
        assert!(given.is_none() || with.labels[node] == *given);
    }
    let score = |found: &Grouping| adjusted_rand(&truth, &labels(found)).unwrap();
    assert!(score(&with) > 0.85, "{}", score(&with));
    assert!(score(&with) > score(&without) + 0.05, "{}", score(&without));
}

#[test]
fn the_answer_is_the_same_on_any_number_of_threads() {
    let (links, truth) = planted(30_000, 10, 9.0, 7.0, 4);
    let masses = degrees(&links);
    let mut fixed: Vec<Label> = vec![None; truth.len()];
    fixed[7] = Some(truth[7]);
    let constraints = NodeConstraints {
        must_link_components: (0..truth.len())
            .map(|node| (node % 1000 < 2).then_some(node / 1000))
            .collect(),
        cannot_links: (0..500).map(|node| (node, node + 500)).collect(),
        enforces_cannot_links: true,
        fixed,
    };
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| fit(&links, &masses, 10, &constraints))
    };
    let one = on(1);
    assert_eq!(one, on(3));
    assert_eq!(one, on(8));
}

#[test]
fn a_clear_partition_does_not_depend_on_the_order_of_nodes_or_on_the_seed() {
    let (links, truth) = planted(6000, 6, 20.0, 2.0, 8);
    let place = rng(9).sample(6000, 6000);
    let moved = (0..6000).flat_map(|i| {
        let row = links.entries(i).filter(move |&(j, _)| j >= i);
        row.map(|(j, link)| (place[i], place[j], link)).collect::<Vec<_>>()
    });
    let moved = Sparse::from_entries(6000, moved);
    let there = labels(&fit(&moved, &degrees(&moved), 6, &NodeConstraints::default()));
    let back: Vec<usize> = place.iter().map(|&place| there[place]).collect();
    assert_eq!(adjusted_rand(&truth, &back).unwrap(), 1.0);
    let other = Multilevel { seed: 77, ..params(6) };
    let (other, ()) = other
        .group(
            GroupingInput::new(&links)
                .with_weights(Some(&degrees(&links)))
                .with_constraints(&NodeConstraints::default()),
            &Silent,
        )
        .unwrap();
    assert_eq!(adjusted_rand(&truth, &labels(&other)).unwrap(), 1.0);
}

/// Cliques of five in a ring, each linked with the next.
fn ring_of_cliques(cliques: usize) -> Sparse {
    let edges = (0..cliques).flat_map(|c| {
        let inside = (0..5).flat_map(move |i| (0..i).map(move |j| (5 * c + i, 5 * c + j, 1.0)));
        inside.chain([(5 * c, (5 * c + 7) % (5 * cliques), 1.0)])
    });
    Sparse::from_entries(5 * cliques, edges)
}

#[test]
fn penalties_and_enforcement_keep_cannot_links_on_every_level() {
    let n_cliques = 1200;
    let plain = ring_of_cliques(n_cliques);
    let n = plain.len();
    // Cliques that are opposite each other may not share a cluster.
    let cannot_links: Vec<(usize, usize)> = (0..n_cliques / 2)
        .flat_map(|c| (0..5).map(move |i| (5 * c + i, 5 * (c + n_cliques / 2) + i)))
        .collect();
    let penalties = cannot_links.iter().map(|&(i, j)| (i, j, -10.0));
    let links = plain.plus(&Sparse::from_entries(n, penalties));
    let constraints =
        NodeConstraints { cannot_links: cannot_links.clone(), ..NodeConstraints::default() };
    let found = fit(&links, &degrees(&plain), 4, &constraints);
    let broken = cannot_links.iter().filter(|(i, j)| found.labels[*i] == found.labels[*j]).count();
    assert_eq!(broken, 0);
    assert_never_rises(&found);
}

#[test]
fn cannot_links_of_two_cliques_are_kept_where_penalties_want_it() {
    // A clique of six with a penalty inside must be cut through.
    let clique = (0..6).flat_map(|i| (0..i).map(move |j| (i, j, 1.0)));
    let clique = Sparse::from_entries(6, clique);
    let links = clique.plus(&Sparse::from_entries(6, [(0, 5, -20.0)]));
    let constraints = NodeConstraints { cannot_links: vec![(0, 5)], ..NodeConstraints::default() };
    let found = fit(&links, &[1.0; 6], 2, &constraints);
    assert_ne!(found.labels[0], found.labels[5]);
    let best = brute_force(&links, &[1.0; 6], 2, |_| true);
    assert!((value(&links, &[1.0; 6], &labels(&found), 2) - best).abs() < 1e-9);
}

#[test]
fn must_links_between_far_nodes_hold_where_the_best_partition_with_them_is_found() {
    let links = ring_of_cliques(2);
    let masses = degrees(&links);
    let must_link_components: Vec<Option<usize>> =
        (0..10).map(|i| [1, 6].contains(&i).then_some(9)).collect();
    let constraints = NodeConstraints { must_link_components, ..NodeConstraints::default() };
    let found = labels(&fit(&links, &masses, 2, &constraints));
    assert_eq!(found[1], found[6]);
    let best = brute_force(&links, &masses, 2, |labels| labels[1] == labels[6]);
    assert!((value(&links, &masses, &found, 2) - best).abs() < 1e-9);
}

#[test]
fn ratio_cut_by_degrees_on_the_diagonal() {
    let plain = ring_of_cliques(4);
    let loops: Vec<f64> = plain.row_sums().iter().map(|d| -d).collect();
    let links = plain.plus_diagonal(&loops);
    let found = fit(&links, &[1.0; 20], 4, &NodeConstraints::default());
    let cliques: Vec<usize> = (0..20).map(|i| i / 5).collect();
    assert_eq!(labels(&found), cliques);
    // Two of the ring's links leave each clique of five.
    assert!((objectives(&found).last().unwrap() - 4.0 * 2.0 / 5.0).abs() < 1e-12);
}

#[test]
fn stars_isolated_nodes_and_many_small_parts_are_clustered_through_levels() {
    let star = Sparse::from_entries(20_000, (1..20_000).map(|leaf| (0, leaf, 1.0)));
    let isolated = Sparse::empty(20_000);
    let triples = (0..6000).flat_map(|t| [(3 * t, 3 * t + 1, 1.0), (3 * t + 1, 3 * t + 2, 1.0)]);
    let triples = Sparse::from_entries(20_000, triples);
    for links in [star, isolated, triples] {
        let masses = degrees(&links);
        let found = fit(&links, &masses, 7, &NodeConstraints::default());
        let mut seen = labels(&found);
        let reported = -objectives(&found).last().unwrap();
        assert!((reported - value(&links, &masses, &seen, 7)).abs() < 1e-9);
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, [0, 1, 2, 3, 4, 5, 6]);
    }
}

#[test]
fn parts_without_links_between_them_are_the_clusters() {
    let (links, truth) = planted(9000, 3, 12.0, 0.0, 2);
    let found = fit(&links, &degrees(&links), 3, &NodeConstraints::default());
    assert_eq!(adjusted_rand(&truth, &labels(&found)).unwrap(), 1.0);
}

#[test]
fn one_cluster_and_as_many_as_nodes() {
    let links = ring_of_cliques(3);
    let masses = degrees(&links);
    assert_eq!(labels(&fit(&links, &masses, 1, &NodeConstraints::default())), [0; 15]);
    let each: Vec<usize> = (0..15).collect();
    assert_eq!(labels(&fit(&links, &masses, 15, &NodeConstraints::default())), each);
    let single = Sparse::empty(1);
    assert_eq!(labels(&fit(&single, &[1.0], 1, &NodeConstraints::default())), [0]);
}

#[test]
fn weights_of_very_different_size_do_no_harm() {
    let (links, _) = planted(5000, 5, 10.0, 3.0, 6);
    let size = |node: usize| 10_f64.powf((node % 13) as f64 - 6.0);
    let links = links.map(|i, j, link| link * size(i) * size(j));
    let masses = degrees(&links);
    let found = fit(&links, &masses, 5, &NodeConstraints::default());
    assert_never_rises(&found);
    let reported = -objectives(&found).last().unwrap();
    let reached = value(&links, &masses, &labels(&found), 5);
    assert!((reported - reached).abs() < 1e-9 * reached);
    assert!(found.labels.iter().all(Option::is_some));
}

#[test]
fn clusters_are_numbered_by_first_nodes_around_the_fixed_ones() {
    let links = ring_of_cliques(3);
    let mut fixed = vec![None; 15];
    fixed[6] = Some(0);
    let constraints = NodeConstraints { fixed, ..NodeConstraints::default() };
    let found = labels(&fit(&links, &degrees(&links), 3, &constraints));
    assert_eq!(found, [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2]);
}
