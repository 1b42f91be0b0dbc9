//! The plots of methods that learn a kernel: distances of modes in the report, `--stability`.

use crate::common::Sandbox;

/// Three circles within each other, and what is known about them.
fn circles() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.ok(
        "generate concentric-circles --set circles=3 --set per_circle=40 --out d.csv --pairs-out p.csv \
         --per-class 6",
    );
    sandbox
}

const SKMS: &str = "cluster d.csv --pairs p.csv --method skms --truth label --set sigma=1 --set rank=exact \
     --set refine=dissolve";

/// The rectangles of the plot of distances: left, top, width, height, colour.
fn rectangles(page: &str) -> Vec<([f64; 4], String)> {
    let (_, rest) = page.split_once("How far apart the modes are").unwrap();
    // The last one: the run itself, after the one without constraints.
    let (rest, _) = rest.split_once("</section>").unwrap();
    let (_, rest) = rest.rsplit_once("crispEdges\">").unwrap();
    let (plot, _) = rest.split_once("</g>").unwrap();
    let value = |rectangle: &str, name: &str| {
        let (_, rest) = rectangle.split_once(&format!(" {name}=\"")).unwrap();
        rest.split_once('"').unwrap().0.to_owned()
    };
    plot.lines()
        .filter(|line| line.starts_with("<rect"))
        .map(|line| {
            let sizes =
                ["x", "y", "width", "height"].map(|name| value(line, name).parse().unwrap());
            (sizes, value(line, "fill"))
        })
        .collect()
}

#[test]
fn the_report_shows_how_far_apart_the_modes_are_and_what_was_chosen() {
    let sandbox = circles();
    sandbox.ok(&format!("{SKMS} --report r.html --out o.csv"));
    let page = sandbox.read("r.html");
    for needle in ["What was chosen", "n_neighbors", "the must-links", "their true groups"] {
        assert!(page.contains(needle), "{needle}");
    }
    let rectangles = rectangles(&page);
    let (low, high) = rectangles.iter().fold((f64::MAX, 0.0_f64), |(low, high), (at, _)| {
        (low.min(at[0]), high.max(at[0] + at[2]))
    });
    let side = high - low;
    let area: f64 = rectangles.iter().map(|([_, _, width, height], _)| width * height).sum();
    assert!((area / (side * side) - 1.0).abs() < 0.01, "the square is filled: {area} {side}");
    // Nothing is nearer than a mode to itself, and the farthest is the other end of the scale.
    let dark = |at: f64| {
        let at = low + at * side;
        let covers = |from: f64, size: f64| from <= at && at < from + size;
        rectangles.iter().any(|([x, y, width, height], color)| {
            let down = at - low + rectangles[0].0[1];
            covers(*x, *width) && *y <= down && down < y + height && color == "#08306B"
        })
    };
    for at in [0.01, 0.2, 0.5, 0.8, 0.99] {
        assert!(dark(at), "the diagonal at {at}");
    }
    assert!(rectangles.iter().any(|(_, color)| color == "#EEF3FA"));
}

#[test]
fn other_methods_have_no_such_plot() {
    let sandbox = circles();
    sandbox
        .ok("cluster d.csv --pairs p.csv --method cms --truth label --report r.html --out o.csv");
    assert!(!sandbox.read("r.html").contains("How far apart the modes are"));
}

#[test]
fn stability_draws_the_clusters_over_the_neighbours() {
    let sandbox = circles();
    let ended = sandbox.ok(&format!("{SKMS} --stability s.svg --out o.csv"));
    assert!(ended.err.contains("wrote        s.svg"), "{}", ended.err);
    let svg = sandbox.read("s.svg");
    assert!(svg.contains("k, the neighbour that sets a point"));
    assert!(svg.matches("<circle").count() > 5, "several numbers are tried");
    sandbox.refused(
        "cluster d.csv --pairs p.csv --method cms --stability s2.svg",
        2,
        "--stability draws the clusters of skms over its n_neighbors, or the partitions of mssc over its \
         bandwidth, and cms has neither; add --method skms or mssc, or leave --stability out",
    );
    assert!(!sandbox.file("s2.svg").exists());
}

#[test]
fn stability_draws_the_partitions_over_the_bandwidth() {
    let sandbox = circles();
    sandbox
        .ok("cluster d.csv --method mssc --clusters 2 --truth label --stability s.svg --out o.csv");
    let plot = sandbox.read("s.svg");
    for text in ["partitions that the shift finds", "of one point", "bandwidth of the shift"] {
        assert!(plot.contains(text), "{text} is missing");
    }
}
