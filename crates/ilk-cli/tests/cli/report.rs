//! Plots and reports show which point is which, what the clusters are and what the answers changed.

use crate::common::Sandbox;

/// Twelve rows of three columns in two groups, one row between them and one far away.
fn with_rows() -> Sandbox {
    let sandbox = Sandbox::new();
    let mut table = "id,length,width,depth\n".to_owned();
    for i in 0..6 {
        table.extend([format!("fly{i},{},0.{i},1\n", 0.1 * f64::from(i))]);
        table.extend([format!("owl{i},{},5.{i},2\n", 5.0 + 0.1 * f64::from(i))]);
    }
    table += "kiwi,2.4,2.5,1\ncondor,90,90,2\n";
    sandbox.write("data.csv", table);
    sandbox.write("pairs.csv", "id_a,id_b,relation\nfly0,owl0,cl\nfly1,fly2,ml\nowl1,owl2,ml\n");
    sandbox
}

#[test]
fn marks_name_their_rows_and_plots_have_a_title_and_a_description() {
    let sandbox = with_rows();
    sandbox.ok("cluster data.csv --method kmeans --clusters 3 --plot p.svg --report r.html");
    let svg = sandbox.read("p.svg");
    let document = roxmltree::Document::parse(&svg).expect("well-formed XML");
    let root = document.root_element();
    let text = |name: &str| {
        let node = root.children().find(|node| node.tag_name().name() == name);
        node.and_then(|node| node.text()).unwrap_or_default().to_owned()
    };
    assert_eq!(text("title"), "data.csv: 3 clusters");
    assert!(text("desc").starts_with("14 points in 3 clusters, second principal component ("));
    assert!(svg.contains("% of the variance)"), "axes tell the variance: {svg}");
    let owl = svg.split_once("<title>owl3\ncluster ").expect("a mark with its id").1;
    let owl = owl.split_once("</title>").unwrap().0;
    assert!(owl.ends_with("\nlength: 5.3\nwidth: 5.3\ndepth: 2"), "{owl}");
    let html = sandbox.read("r.html");
    assert_eq!(html.matches("<svg").count(), html.matches("<desc>").count());
    assert!(html.contains("A numbered disc is the mean of the points of a cluster."));
    assert!(!html.contains("climb"));
}

#[test]
fn a_report_says_what_clusters_are_and_which_rows_are_worth_a_look() {
    let sandbox = with_rows();
    sandbox.ok("cluster data.csv --method kmeans --clusters 2 --exclude depth --report r.html");
    let html = sandbox.read("r.html");
    for needle in ["What the clusters are", "typical: ", "elsewhere", "Rows worth a look"] {
        assert!(html.contains(needle), "{needle}");
    }
    let far = html.split_once("Far from all others").expect("an outlier").1;
    assert!(far.split_once("</tbody>").unwrap().0.contains("<td>condor</td>"), "{far}");
}

#[test]
fn explain_lists_rows_between_clusters_and_far_away_by_id() {
    let sandbox = with_rows();
    sandbox.ok("cluster data.csv --method kmeans --clusters 2 --exclude depth --out c.csv");
    let found = sandbox.json("explain c.csv data.csv --exclude depth");
    assert_eq!(found["outliers"][0]["id"], "condor");
    let text = sandbox.ok("explain c.csv data.csv --exclude depth").out;
    assert!(text.contains("\nfar from all others\n  condor in cluster "), "{text}");
}

#[test]
fn a_report_with_answers_shows_what_they_changed() {
    let sandbox = with_rows();
    let run =
        "cluster data.csv --method mean-shift --set bandwidth=1 --pairs pairs.csv --report r.html";
    sandbox.ok(run);
    let html = sandbox.read("r.html");
    assert_eq!(html.matches("<figure").count(), 2);
    assert!(html.contains("<figure class=\"before\">"));
    for needle in [
        "What the answers changed",
        "without answers: ",
        "<td>answers kept</td><td>3 of 3</td><td>3 of 3</td>",
        "<td>rows that changed their cluster</td><td>-</td><td>0.0%</td>",
    ] {
        assert!(html.contains(needle), "{needle}: {html}");
    }
    assert!(!html.contains("adjusted Rand index"), "there is no truth to score by");
}

#[test]
fn thirty_clusters_are_all_in_the_legend_in_twenty_colours() {
    let sandbox = Sandbox::new();
    let mut table = "id,x,y\n".to_owned();
    for i in 0..120 {
        let (x, y) = (10 * (i % 6), 10 * (i / 6 % 5));
        table.extend([format!("p{i},{}.{},{y}\n", x, i / 30)]);
    }
    sandbox.write("data.csv", table);
    sandbox.ok("cluster data.csv --method mean-shift --set bandwidth=1 --plot p.svg --out c.csv");
    let svg = sandbox.read("p.svg");
    for cluster in 0..30 {
        assert!(svg.contains(&format!(">cluster {cluster} (4)<")), "{cluster}");
    }
    let colors: std::collections::BTreeSet<&str> =
        svg.split("fill=\"#").skip(1).map(|rest| &rest[..6]).collect();
    assert!(colors.len() >= 20, "{colors:?}");
}

#[test]
fn many_answers_are_drawn_in_part_and_counted() {
    let sandbox = Sandbox::new();
    let rows: Vec<String> = (0..60).map(|i| format!("p{i},{},{}\n", i % 2 * 10, i)).collect();
    sandbox.write("data.csv", format!("id,x,y\n{}", rows.concat()));
    let mut pairs = "id_a,id_b,relation\n".to_owned();
    for i in (0..60).step_by(2) {
        for j in (1..60).step_by(2) {
            pairs.extend([format!("p{i},p{j},cl\n")]);
        }
    }
    sandbox.write("pairs.csv", pairs);
    sandbox.ok("cluster data.csv --method hmrf-kmeans --clusters 2 --pairs pairs.csv --plot p.svg");
    let svg = sandbox.read("p.svg");
    assert!(svg.contains("250 of 900 links drawn"), "{svg}");
}

#[test]
fn a_report_on_a_graph_names_nodes_and_tells_cuts() {
    let sandbox = Sandbox::new();
    sandbox.write("edges.csv", "u,v\na,b\nb,c\na,c\nd,e\ne,f\nd,f\nc,d\n");
    sandbox.ok("graph edges.csv --clusters 2 --method spectral --report r.html --out c.csv");
    let html = sandbox.read("r.html");
    let text = "Edges of weight 1 join different clusters; the modularity is 0.357.";
    assert!(html.contains(text), "{html}");
    assert!(
        html.contains("<td>0.143</td><td>0.179</td><td>"),
        "conductance 1/7, half the modularity"
    );
    assert!(html.contains("<title>a\ncluster "));
}
