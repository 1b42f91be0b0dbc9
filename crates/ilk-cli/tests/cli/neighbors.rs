//! `ilk neighbors`: from a table to the edges that `ilk graph` reads.

use crate::common::Sandbox;

fn row_of_points() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("p.csv", "id,x\na,0\nb,1\nc,3\nd,40\ne,41\n");
    sandbox
}

#[test]
fn the_nearest_are_joined_and_one_sided_edges_have_half_the_weight() {
    let sandbox = row_of_points();
    let ended = sandbox.ok("neighbors p.csv --neighbors 1 --sigma none");
    assert_eq!(ended.out, "u,v,weight\na,b,1\nb,c,0.5\nd,e,1\n");
    assert!(ended.err.contains("graph        5 nodes, 3 edges, 2 components\n"), "{}", ended.err);
    let ended = sandbox.ok("neighbors p.csv --neighbors 1 --sigma none --one-sided kept");
    assert_eq!(ended.out, "u,v,weight\na,b,1\nb,c,1\nd,e,1\n");
    let weights = sandbox.ok("neighbors p.csv --neighbors 1 --sigma 1 --quiet").out;
    assert!(weights.contains(&format!("a,b,{}\n", (-0.5_f64).exp())), "{weights}");
}

#[test]
fn rows_without_edges_are_pointed_out_with_what_to_do() {
    let sandbox = row_of_points();
    let ended = sandbox.ok("neighbors p.csv --neighbors 1 --one-sided dropped --out e.csv --quiet");
    assert_eq!(
        ended.err,
        "warning: 1 node has no edge to another (\"c\"); edges do not name such nodes, so add --nodes p.csv \
         to `ilk graph`, or ask for more neighbours\n"
    );
    assert_eq!(ended.out, "");
    let json = sandbox.json("graph e.csv --nodes p.csv --clusters 2");
    assert_eq!(json["graph"]["n_nodes"], 5);
}

#[test]
fn edges_within_a_radius_become_clusters() {
    let sandbox = row_of_points();
    sandbox.ok("neighbors p.csv --radius 2 --sigma none --out e.csv");
    let clusters = sandbox.ok("graph e.csv --clusters 2 --quiet").out;
    assert_eq!(
        clusters.lines().skip(1).map(|row| &row[..3]).collect::<Vec<_>>(),
        ["a,0", "b,0", "c,0", "d,1", "e,1"]
    );
    let json = sandbox.json("neighbors p.csv --radius 2 --sigma none");
    assert_eq!(json["graph"]["n_edges"], 3);
    assert_eq!(json["edges"][1], serde_json::json!({"u": "b", "v": "c", "weight": 1.0}));
}

#[test]
fn what_is_wrong_is_named() {
    let sandbox = row_of_points();
    for (line, message) in [
        ("neighbors p.csv --neighbors 0", "neighbors = 0 is out of range"),
        ("neighbors p.csv --sigma 0", "sigma = 0 is out of range"),
        ("neighbors p.csv --sigma wide", "must be a number above 0, auto, or none"),
        ("neighbors p.csv --radius 1 --neighbors 3", "cannot be used with"),
        ("neighbors p.csv --out p.csv", "would overwrite an input"),
    ] {
        let ended = sandbox.run(line);
        assert!(ended.err.contains(message), "{line}: {}", ended.err);
    }
}
