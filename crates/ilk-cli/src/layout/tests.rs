use super::*;

/// Rings of 8 nodes, each joined with the next by one edge.
fn rings(count: usize, weight: f64) -> Graph {
    let inside = (0..8 * count).map(|node| (node, node / 8 * 8 + (node + 1) % 8, weight));
    let between = (1..count).map(|ring| (8 * ring - 1, 8 * ring, weight));
    Graph::from_edges(8 * count, inside.chain(between)).expect("a graph")
}

/// All nodes in one cluster.
fn one(graph: &Graph) -> Vec<Label> {
    vec![Some(0); graph.len()]
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

#[test]
fn joined_nodes_are_nearer_than_others() {
    let graph = rings(6, 1.0);
    let places = of(&graph, &one(&graph));
    let mean = |distances: &[f64]| distances.iter().sum::<f64>() / distances.len() as f64;
    let pairs = (0..48).flat_map(|a| (0..a).map(move |b| [a, b]));
    let (joined, apart): (Vec<_>, Vec<_>) =
        pairs.partition(|&[a, b]| graph.matrix().get(a, b) > 0.0);
    let of_all = |pairs: &[[usize; 2]]| -> Vec<f64> {
        let pairs = pairs.iter();
        pairs.map(|&[a, b]| distance(places[a], places[b])).collect()
    };
    assert!(3.0 * mean(&of_all(&joined)) < mean(&of_all(&apart)));
    assert!(of_all(&apart).iter().all(|&distance| distance > 0.1), "none lie on each other");
}

#[test]
fn the_unit_of_the_weights_does_not_matter() {
    let of_rings = |weight: f64| of(&rings(3, weight), &one(&rings(3, weight)));
    let usual = of_rings(1.0);
    for weight in [f64::MAX, 1e-320, 8.0] {
        for (a, b) in usual.iter().zip(of_rings(weight)) {
            assert!(distance(*a, b) < 1e-6, "{weight}: {a:?} {b:?}");
        }
    }
}

#[test]
fn parts_that_no_edge_joins_stay_in_sight() {
    let graph = Graph::from_edges(40, [(0, 1, 1.0), (2, 3, 1.0), (5, 5, 2.0)]).expect("a graph");
    let places = of(&graph, &one(&graph));
    let farthest = places.iter().map(|&at| distance(at, [0.0; 2])).fold(0.0, f64::max);
    assert!(farthest < 10.0 * 40_f64.sqrt(), "{farthest}");
    assert_eq!(places, of(&graph, &one(&graph)), "the same graph has the same places");
}

#[test]
fn no_edges_but_loops_are_laid_out_too() {
    let graph = Graph::from_edges(1, [(0, 0, 1.0)]).expect("a graph");
    assert!(of(&graph, &[None])[0].iter().all(|x| x.is_finite()));
}

#[test]
fn clusters_are_farther_apart_than_the_edges_alone_would_have_them() {
    // A ring of 60 nodes with chords has no groups; its two halves are given as clusters.
    let chords = [1, 2, 5].map(|step| (0..60).map(move |node| (node, (node + step) % 60, 1.0)));
    let graph = Graph::from_edges(60, chords.into_iter().flatten()).expect("a graph");
    let halves: Vec<Label> = (0..60).map(|node| Some(node / 30)).collect();
    // The mean distance between the halves over that within.
    let separation = |labels: &[Label]| {
        let places = of(&graph, labels);
        let mean = |is_within: bool| {
            let pairs = (0..60).flat_map(|a| (0..a).map(move |b| (a, b)));
            let pairs = pairs.filter(|&(a, b)| (halves[a] == halves[b]) == is_within);
            let of_pairs: Vec<f64> = pairs.map(|(a, b)| distance(places[a], places[b])).collect();
            of_pairs.iter().sum::<f64>() / of_pairs.len() as f64
        };
        mean(false) / mean(true)
    };
    let (without, with) = (separation(&one(&graph)), separation(&halves));
    assert!(with > 1.1 * without, "{with} {without}");
}
