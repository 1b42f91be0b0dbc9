use super::*;
use palette::{COLORS, Color};

/// Three corners with `n` points around each, and two links.
fn example(n: usize) -> (Vec<[f64; 2]>, Vec<Label>) {
    let points = (0..3 * n)
        .map(|i| {
            let (corner, turn) = (i / n, i as f64);
            let radius = (turn * 0.37).fract();
            [
                4.0 * (corner % 2) as f64 + radius * turn.cos(),
                4.0 * (corner / 2) as f64 + radius * turn.sin(),
            ]
        })
        .collect();
    (points, (0..3 * n).map(|i| Some(i / n)).collect())
}

fn draw(points: &[[f64; 2]], labels: &[Label], links: &[Link]) -> String {
    svg(&Scatter {
        title: "a <b> & \"c\" \u{0}".into(),
        subtitle: "</svg><script>".into(),
        axes: Some(["x & y".into(), "'y'".into()]),
        points,
        labels,
        names: None,
        confidence: None,
        mode_noun: "mode",
        modes: &[[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]],
        links,
        edges: &[],
        n_edges: 0,
    })
}

#[test]
fn a_plot_is_well_formed_xml_whatever_the_names() {
    let (points, labels) = example(10);
    let text = draw(&points, &labels, &[]);
    let document = roxmltree::Document::parse(&text).expect("well-formed XML");
    let circles = document.descendants().filter(|node| node.has_tag_name("circle")).count();
    assert!(circles >= 30, "every point is drawn: {circles}");
    assert!(!text.contains("<script>"));
}

#[test]
fn a_plot_of_many_points_stays_small_and_says_so() {
    let (points, labels) = example(40_000);
    let text = draw(&points, &labels, &[]);
    assert!(text.len() < 1_000_000, "{} bytes", text.len());
    assert!(text.contains("5,000 of 120,000 points drawn"));
}

#[test]
fn must_links_are_whole_lines_and_cannot_links_dashes() {
    let (points, labels) = example(10);
    let lines = |links: &[Link]| {
        let text = draw(&points, &labels, links);
        (text.matches("<line").count(), text.matches("stroke-dasharray").count())
    };
    let (plain, none) = lines(&[]);
    assert_eq!(none, 0);
    let link = |together| Link { ends: [0, 25], together, broken: !together };
    // One line in the plot and one in the legend.
    assert_eq!(lines(&[link(true)]), (plain + 2, 0));
    assert_eq!(lines(&[link(false)]), (plain + 2, 2));
}

#[test]
fn two_plots_side_by_side_keep_to_their_halves() {
    let (points, labels) = example(10);
    let plot = Scatter {
        title: "left & <right>".into(),
        subtitle: String::new(),
        axes: None,
        points: &points,
        labels: &labels,
        names: None,
        confidence: None,
        mode_noun: "mode",
        modes: &[],
        links: &[],
        edges: &[],
        n_edges: 0,
    };
    let text = svg_of_two(&plot, &plot);
    let document = roxmltree::Document::parse(&text).expect("well-formed XML");
    let mut across: Vec<f64> = document
        .descendants()
        .filter(|node| node.has_tag_name("circle") && !node.has_attribute("stroke"))
        .map(|node| node.attribute("cx").unwrap().parse().unwrap())
        .collect();
    assert_eq!(across.len(), 2 * points.len());
    let right = across.split_off(points.len());
    assert!(across.iter().all(|x| (16.0..=470.0).contains(x)));
    assert!(right.iter().all(|x| (490.0..=944.0).contains(x)));
}

#[test]
fn extreme_and_constant_coordinates_are_drawn_inside_the_frame() {
    for points in [
        vec![[f64::MAX, f64::MIN], [f64::MIN, f64::MAX]],
        vec![[3.0, 3.0]],
        vec![[1e16, 0.0], [1e16 + 2.0, 1e-300]],
        vec![[5e-324, 0.0], [0.0, 0.0]],
    ] {
        let text = svg(&Scatter {
            title: String::new(),
            subtitle: String::new(),
            axes: None,
            labels: &vec![Some(0); points.len()],
            points: &points,
            names: None,
            confidence: None,
            mode_noun: "mode",
            modes: &[],
            links: &[],
            edges: &[],
            n_edges: 0,
        });
        let document = roxmltree::Document::parse(&text).expect("well-formed XML");
        for circle in document.descendants().filter(|node| node.has_tag_name("circle")) {
            let at = |name| -> f64 { circle.attribute(name).unwrap().parse().unwrap() };
            assert!((0.0..=SIZE.0).contains(&at("cx")), "{points:?}");
            assert!((0.0..=SIZE.1).contains(&at("cy")), "{points:?}");
        }
        assert!(!text.contains("NaN") && !text.contains("inf"), "{points:?}");
    }
}

#[test]
fn small_clusters_and_linked_points_survive_the_sampling() {
    let mut labels = vec![Some(0); 100_000];
    labels[77_777] = Some(1);
    labels[50] = None;
    let drawn = sample::sample(&labels, &[99_999, 5], MAX_POINTS);
    assert_eq!(drawn.len(), MAX_POINTS);
    assert!(drawn.is_sorted());
    for point in [77_777, 50, 99_999, 5] {
        assert!(drawn.binary_search(&point).is_ok(), "{point}");
    }
}

#[test]
fn clusters_look_different_up_to_100() {
    let looks: Vec<MarkerStyle> = (0..100).map(|cluster| MarkerStyle::of(Some(cluster))).collect();
    for (i, a) in looks.iter().enumerate() {
        assert!(looks[..i].iter().all(|b| a != b), "cluster {i}");
    }
}

#[test]
fn every_two_colours_stay_apart_for_colour_blind_eyes() {
    // Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
    let eyes = [
        ("normal", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "protanopia",
            [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
        ),
        (
            "deuteranopia",
            [
                [0.367_322, 0.860_646, -0.227_968],
                [0.280_085, 0.672_501, 0.047_413],
                [-0.011_820, 0.042_940, 0.968_881],
            ],
        ),
        (
            "tritanopia",
            [
                [1.255_528, -0.076_749, -0.178_779],
                [-0.078_411, 0.930_809, 0.147_602],
                [0.004_733, 0.691_367, 0.303_900],
            ],
        ),
    ];
    for (name, eye) in eyes {
        let seen: Vec<[f64; 3]> = COLORS.iter().map(|&color| lab(color, &eye)).collect();
        for (i, a) in seen.iter().enumerate() {
            for (j, b) in seen[..i].iter().enumerate() {
                let dist: f64 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
                // Clusters of different sevens have different shapes too.
                let least = if i / 7 == j / 7 { 15.0 } else { 0.0 };
                let least = if name == "normal" { 25.0_f64.max(least) } else { least };
                assert!(dist >= least, "{name}: colours {i} and {j} are {dist:.1} apart");
            }
        }
    }
}

/// The colour in CIELAB, as an eye with this matrix sees it.
fn lab(color: Color, eye: &[[f64; 3]; 3]) -> [f64; 3] {
    let linear = [color.0, color.1, color.2].map(|channel| {
        let c = f64::from(channel) / 255.0;
        if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    });
    let dot = |row: &[f64; 3], v: &[f64; 3]| row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
    let seen = eye.map(|row| dot(&row, &linear).clamp(0.0, 1.0));
    let to_xyz = [
        [0.4124 / 0.9505, 0.3576 / 0.9505, 0.1805 / 0.9505],
        [0.2126, 0.7152, 0.0722],
        [0.0193 / 1.089, 0.1192 / 1.089, 0.9505 / 1.089],
    ];
    let f = to_xyz.map(|row| {
        let t = dot(&row, &seen);
        if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 }
    });
    [116.0 * f[1] - 16.0, 500.0 * (f[0] - f[1]), 200.0 * (f[1] - f[2])]
}

#[test]
fn ticks_are_round_and_inside_the_axis() {
    let axis = axis::Axis::around([0.0, 10.0].into_iter());
    let texts: Vec<String> = axis.ticks(6).into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, ["0", "2", "4", "6", "8", "10"]);
    let axis = axis::Axis::around([-0.003, 0.001].into_iter());
    let texts: Vec<String> = axis.ticks(6).into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, ["-0.003", "-0.002", "-0.001", "0", "0.001"]);
}
