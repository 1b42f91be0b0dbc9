//! `ilk graph`: from a list of edges to clusters, plots and reports.

use crate::common::{Sandbox, methods};
use ilk::problem::{ConstraintKind, InputKind};

/// Two triangles, a to c and d to f, with a bridge from c to d.
const BRIDGE: &str = "u,v\na,b\nb,c\nc,a\nd,e\ne,f\nf,d\nc,d\n";

fn with_bridge() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("edges.csv", BRIDGE);
    sandbox
}

#[test]
fn clusters_of_nodes_by_id_go_to_stdout_and_diagnostics_to_stderr() {
    let sandbox = with_bridge();
    sandbox.write("pairs.csv", "id_a,id_b,relation\na,b,must-link\nb,c,cannot-link\n");
    let ended = sandbox
        .ok("graph edges.csv --clusters 2 --pairs pairs.csv --set penalty=0.001 --set refine=off");
    assert_eq!(
        ended.out,
        "id,cluster,is_noise,is_constrained,violations\n\
         a,0,false,true,0\nb,0,false,true,1\nc,0,false,true,1\n\
         d,1,false,false,0\ne,1,false,false,0\nf,1,false,false,0\n"
    );
    for line in [
        "data         6 nodes, 7 edges, 1 component from edges.csv\n",
        "constraints  2 answers from pairs.csv\n",
        "ss-kernel-kmeans 2 clusters; ",
        "sizes        3 3\n",
        "cannot-link  0 of 1 kept, 1 broken\n",
    ] {
        assert!(ended.err.contains(line), "{line:?} is missing in:\n{}", ended.err);
    }
    let warnings: Vec<&str> = ended.err.lines().filter(|line| line.contains("warning")).collect();
    let broken = "warning: 1 of 2 constraints are broken: some may be wrong, or this method and its settings cannot \
                  follow them";
    assert_eq!(warnings, [broken]);
}

#[test]
fn a_number_of_clusters_that_is_not_given_is_chosen_and_reported() {
    let sandbox = with_bridge();
    let ended = sandbox.ok("graph edges.csv");
    assert!(ended.err.contains("n_clusters"), "{}", ended.err);
    let json = sandbox.json("graph edges.csv");
    assert_eq!(json["n_clusters"], 2);
    assert_eq!(json["chosen"][0]["parameter"], "n_clusters");
    assert_eq!(json["warnings"], serde_json::json!([]));
}

#[test]
fn answers_change_where_a_node_belongs() {
    let sandbox = Sandbox::new();
    sandbox.write("edges.txt", "# a square with tails\na b\nb c\nc d\nd a\n");
    sandbox.write("pairs.csv", "id_a,id_b,relation\na,d,must-link\nb,c,ml\na,b,cannot-link\n");
    sandbox.write("labels.csv", "id,label\na,x\nb,x\nc,y\nd,y\n");
    let clusters = |constraints: &str| {
        let json = sandbox.json(&format!("graph edges.txt --clusters 2 {constraints}"));
        let of = |i: usize| json["clusters"][i]["cluster"].clone();
        ["a", "b", "c", "d"].map(|id| {
            let all = json["clusters"].as_array().unwrap();
            let at = all.iter().position(|row| row["id"] == id).unwrap();
            of(at)
        })
    };
    let [a, b, c, d] = clusters("--pairs pairs.csv");
    assert!(a == d && b == c && a != b);
    let [a, b, c, d] = clusters("--labels labels.csv");
    assert!(a == b && c == d && a != c);
}

#[test]
fn the_objective_is_the_likelihood_unless_another_is_set() {
    let sandbox = with_bridge();
    let objective = |set: &str| {
        let json = sandbox.json(&format!("graph edges.csv --clusters 2 {set}"));
        assert_eq!(json["recipe"]["method"], "ss-kernel-kmeans");
        json["recipe"]["params"]["objective"].clone()
    };
    assert_eq!(objective(""), "likelihood");
    assert_eq!(objective("--method ss-kernel-kmeans"), "likelihood");
    assert_eq!(objective("--set objective=ratio_cut"), "ratio_cut");
}

#[test]
fn json_tells_about_the_graph_and_holds_the_recipe() {
    let sandbox = with_bridge();
    sandbox.write("truth.csv", "id,label\nf,2\na,1\nb,1\nc,1\nd,2\ne,2\nextra,9\n");
    let json = sandbox.json("graph edges.csv --clusters 2 --truth truth.csv");
    assert_eq!(json["graph"], serde_json::json!({"n_nodes": 6, "n_edges": 7, "n_components": 1}));
    assert_eq!(json["features"], serde_json::Value::Null);
    assert_eq!(json["recipe"]["data"], "edges.csv");
    assert_eq!(json["recipe"]["graph"], serde_json::json!({"nodes": null}));
    assert_eq!(json["scores"]["adjusted_rand"], 1.0);
}

#[test]
fn parts_that_no_edge_joins_are_pointed_out() {
    let sandbox = Sandbox::new();
    sandbox.write("e.csv", "u,v,weight\na,b,1\nc,d,1\ne,f,1\nlone,lone,1\nnil,a,0\n");
    sandbox.write("nodes.csv", "id\na\nb\nc\nd\ne\nf\nlone\nnil\nx\ny\n");
    let isolated = "warning: 2 nodes have no edge to another (\"lone\", \"nil\"); nothing but answers can say \
                    where such a node belongs\n";
    let parts = "warning: the graph falls into 3 components of two nodes or more, but there are 2 clusters; to \
                 part components cuts no edge, so small ones may take up clusters: leave them out, or ask for \
                 more clusters\n";
    let ended = sandbox.ok("graph e.csv --clusters 2 --quiet");
    assert_eq!(ended.err, format!("{isolated}{parts}"));
    assert!(ended.out.contains("\nnil,,true,false,0\n"), "{}", ended.out);
    let ended = sandbox.ok("graph e.csv --clusters 3 --nodes nodes.csv --quiet");
    assert!(
        ended.err.starts_with(
            "warning: 4 nodes have no edge to another (\"lone\", \"nil\", \"x\", ...);"
        ),
        "{}",
        ended.err
    );
}

#[test]
fn a_generated_graph_is_read_with_answers_and_truth() {
    let sandbox = Sandbox::new();
    sandbox.ok(
        "generate planted-graph --n 200 --set p_in=0.2 --set p_out=0.01 --out e.csv --truth-out t.csv \
         --pairs-out p.csv --n-pairs 100 --seed 3",
    );
    let json = sandbox.json("graph e.csv --clusters 4 --pairs p.csv --truth t.csv --seed 1");
    assert_eq!(json["graph"]["n_nodes"], 200);
    assert!(json["scores"]["adjusted_rand"].as_f64().unwrap() > 0.9, "{}", json["scores"]);
}

#[test]
fn the_plot_shows_nodes_edges_and_answers_and_is_the_same_on_any_number_of_threads() {
    let sandbox = with_bridge();
    sandbox.write("pairs.csv", "id_a,id_b,relation\na,b,must-link\nb,c,cannot-link\n");
    let run = "graph edges.csv --clusters 2 --pairs pairs.csv --set penalty=0.001 --set refine=off \
               --out c.csv --plot";
    sandbox.ok(&format!("{run} one.svg --threads 1"));
    sandbox.ok(&format!("{run} two.svg --threads 2"));
    let svg = sandbox.read("one.svg");
    assert_eq!(svg, sandbox.read("two.svg"));
    let document = roxmltree::Document::parse(&svg).expect("well-formed XML");
    let path = document.descendants().find(|node| node.has_tag_name("path")).unwrap();
    let edges = path.attribute("d").unwrap();
    assert_eq!(edges.matches('M').count(), 7);
    let nodes = document.descendants().filter(|node| node.has_tag_name("circle"));
    // The legend has one for each cluster.
    assert_eq!(nodes.count(), 6 + 2);
    for text in ["edge (7)", "must-link, kept (1)", "cannot-link, broken (1)", "6 nodes"] {
        assert!(svg.contains(text), "{text}");
    }
    // Every node of a triangle is nearer to both others than to the other triangle's.
    let places: Vec<[f64; 2]> = document
        .descendants()
        .filter(|node| node.has_tag_name("circle"))
        .take(6)
        .map(|node| ["cx", "cy"].map(|at| node.attribute(at).unwrap().parse().unwrap()))
        .collect();
    let distance = |a: usize, b: usize| {
        let [dx, dy]: [f64; 2] = std::array::from_fn(|axis| places[a][axis] - places[b][axis]);
        dx.hypot(dy)
    };
    for a in 0..6 {
        let near = (0..6).filter(|&b| b / 3 == a / 3).map(|b| distance(a, b));
        let far = (0..6).filter(|&b| b / 3 != a / 3).map(|b| distance(a, b));
        let (near, far) = (near.fold(0.0, f64::max), far.fold(f64::MAX, f64::min));
        // The bridge's own ends may be as near as a triangle is wide.
        assert!(near < 1.5 * far, "{a}: {near} {far}");
    }
}

#[test]
fn the_report_of_a_graph_speaks_of_nodes_and_is_whole() {
    let sandbox = Sandbox::new();
    sandbox.write("<e>.csv", "u,v\n<i>,'b'\n'b',&c\n&c,<i>\n");
    sandbox.ok("graph <e>.csv --clusters 1 --out c.csv --report r.html --model g.ilk");
    let html = sandbox.read("r.html");
    for needle in ["3 nodes", "components", "<figure>", "likelihood", "thin and grey"] {
        assert!(html.contains(needle), "{needle} is not in the report");
    }
    for needle in ["<i>,", "<e>", "features", "bandwidth 0"] {
        assert!(!html.contains(needle), "{needle} is in the report");
    }
    let body = &html[html.find("<body>").unwrap()..html.find("</html>").unwrap()];
    let body = body.replace("<br>", "").replace("<details open>", "<details>");
    roxmltree::Document::parse(&body).expect("every tag of the report is closed");
}

#[test]
fn a_graph_too_large_for_a_plot_is_clustered_without_one() {
    let sandbox = Sandbox::new();
    let chain: Vec<String> = (0..4_100).map(|i| format!("{i} {}", i + 1)).collect();
    sandbox.write("chain.txt", chain.join("\n"));
    let ended =
        sandbox.ok("graph chain.txt --clusters 2 --quiet --out c.csv --plot p.svg --report r.html");
    assert_eq!(
        ended.err,
        "warning: no plot is drawn: of 4,101 nodes, more than 4,000, it would show nothing but ink\n"
    );
    assert_eq!(sandbox.files(), ["c.csv", "chain.txt", "r.html"]);
    let html = sandbox.read("r.html");
    assert!(html.contains("too many nodes for a plot") && !html.contains("<figure>"));
}

#[test]
fn a_model_of_a_graph_places_a_new_node_by_its_links() {
    let sandbox = with_bridge();
    sandbox.ok("graph edges.csv --clusters 2 --model g.ilk --out c.csv");
    sandbox.write("new.csv", "id,a,b,c,d,e,f\nx,1,1,0,0,0,0\ny,0,0,1,1,0,1\n");
    let placed = sandbox.ok("predict g.ilk new.csv").out;
    let rows: Vec<&str> = placed.lines().skip(1).collect();
    assert_eq!(rows, ["x,0,false,false,0", "y,1,false,false,0"]);
}

#[test]
fn what_a_graph_or_its_method_cannot_do_is_refused() {
    let sandbox = with_bridge();
    sandbox.write("t.csv", "id_a,id_b,id_c,answer\na,b,f,c\n");
    sandbox.write("pairs.csv", "id_a,id_b,relation\na,zebra,ml\n");
    sandbox.refused(
        "graph edges.csv --clusters 2 --triplets t.csv",
        1,
        &format!(
            "ss-kernel-kmeans cannot use odd-one-out constraints; methods that can: {}",
            methods(|info| info.supervision.contains(&ConstraintKind::OddOneOut))
        ),
    );
    sandbox.refused(
        "graph edges.csv --method mean-shift",
        1,
        &format!(
            "mean-shift cannot use a graph; methods that can: {}",
            methods(|info| info.inputs.contains(&InputKind::Graph))
        ),
    );
    sandbox.refused(
        "graph edges.csv --clusters 2 --pairs pairs.csv",
        1,
        "pairs.csv, line 2: id \"zebra\" is not in edges.csv; correct it, or drop the line",
    );
    sandbox.refused(
        "graph edges.csv --clusters 2 --nodes pairs.csv --out pairs.csv",
        2,
        "--out pairs.csv would overwrite an input; choose another name",
    );
    sandbox.refused(
        "graph edges.csv --clusters 7",
        1,
        "7 clusters were asked for, but there are only 6 points",
    );
}
