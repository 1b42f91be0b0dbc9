//! Tables and maps.

use super::{Block, Entry, build};
use crate::reproduce::cells::Cell;
use crate::reproduce::tests::{cell, moons, paper_of};
use crate::reproduce::{
    ConstraintProtocol, Effort, Exhibit, Folder, Ledger, Metric, Results, Row, RowSample, Trial,
};
use ilk::method::AnyMethod;

/// A table of an exhibit with comparisons says how many were broken, keeps the place of a method that is
/// to come, and leaves out a column for must-links where there were none.
#[test]
fn a_table_shows_comparisons_and_the_places_of_methods_to_come() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = Ledger::open(folder.path()).unwrap();
    let task = moons(10, RowSample::All, ConstraintProtocol::Nothing);
    let method = AnyMethod::named("mean-shift").unwrap();
    let exhibit = Exhibit {
        name: "figure1",
        title: "Figure 1",
        note: "",
        rows: vec![
            Row::new("moons", "ours", Trial::of(task, method)).at(5.0),
            Row::to_come("moons", "theirs"),
        ],
        metrics: &[Metric::AriFree, Metric::AriWhole],
        over: Some("b"),
        ..Exhibit::default()
    };
    let paper = paper_of(exhibit);
    let trial = paper.exhibits[0].rows[0].trial.as_ref().unwrap();
    let data = Folder::default();
    let settings = trial.settings(&trial.candidates[0], &data).unwrap();
    let measured = Cell {
        must_links: 0,
        ari_free: Some(0.25),
        comparisons: 40,
        comparisons_broken: 3,
        ..cell(0, &settings, 0.5, 2, 0)
    };
    ledger.add(measured).unwrap();
    let effort = Effort { seeds: 1, is_quick: false };
    let results = Results::new(&paper, effort, &data, &ledger, &[], Vec::new());
    let page = build(&results);
    let headings: Vec<&str> = page.sections.iter().map(|s| s.heading.as_str()).collect();
    // Nothing was asked, so there is no section of bars.
    assert_eq!(headings[..2], ["How it was measured", "Figure 1"]);
    let table = page.sections[1].blocks.iter().find_map(|block| match block {
        Block::Table { head, rows } => Some((head, rows)),
        _ => None,
    });
    let (head, rows) = table.unwrap();
    let expected = [
        "data",
        "b",
        "method",
        "ARI unconstrained ours",
        "ARI whole set ours",
        "clusters",
        "comparisons broken",
        "seeds",
    ];
    assert_eq!(*head, expected);
    let texts =
        |row: &[Entry]| -> Vec<String> { row.iter().map(|entry| entry.text.clone()).collect() };
    assert_eq!(texts(&rows[0]), ["moons", "5", "ours", "0.250", "-", "2", "3 of 40", "1"]);
    assert_eq!(
        texts(&rows[1]),
        ["moons", "-", "theirs (a later version fills this)", "-", "-", "-", "-", "-"]
    );
}

/// Four settings of a map that were tried: the table tells the highest, the median and the lowest and where the
/// highest was first, and the map has a rectangle for each. One seed was asked for, whatever the run has.
#[test]
fn settings_that_were_tried_are_a_map_and_a_line_of_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = Ledger::open(folder.path()).unwrap();
    let data = Folder::default();
    let mut rows = Vec::new();
    for (number, accuracy) in [0.5, 0.875, 0.25, 0.875].into_iter().enumerate() {
        let task = moons(10 + number, RowSample::All, ConstraintProtocol::Nothing);
        let trial = Trial::of(task, AnyMethod::named("kmeans").unwrap());
        let settings = trial.settings(&trial.candidates[0], &data).unwrap();
        for (seed, accuracy) in [(0, accuracy), (1, 0.0)] {
            let measured = Cell { accuracy: Some(accuracy), ..cell(seed, &settings, 0.5, 2, 0) };
            ledger.add(measured).unwrap();
        }
        rows.push(Row {
            up: Some((number / 2) as f64 + 0.25),
            ..Row::new("moons", "tried", trial).at((number % 2) as f64)
        });
    }
    let exhibit = Exhibit {
        name: "map",
        title: "Map",
        rows,
        metrics: &[Metric::Accuracy],
        over: Some("x"),
        against: Some("y"),
        scan: Some(&[("tried", 0.9)]),
        most_seeds: Some(1),
        ..Exhibit::default()
    };
    let paper = paper_of(exhibit);
    let effort = Effort { seeds: 2, is_quick: false };
    let page = build(&Results::new(&paper, effort, &data, &ledger, &[], Vec::new()));
    let blocks = &page.sections[1].blocks;
    let [_, Block::Plot { svg, .. }, Block::Table { head, rows }] = &blocks[..] else {
        panic!("a note, a map and a table: {blocks:?}");
    };
    let document = roxmltree::Document::parse(svg).unwrap();
    let colours: Vec<&str> =
        document.descendants().filter_map(|node| node.attribute("fill")).collect();
    // The lowest, and the highest in two places, beside the same colours in the scale.
    assert_eq!(colours.iter().filter(|c| **c == "#440154").count(), 2);
    assert_eq!(colours.iter().filter(|c| **c == "#FDE725").count(), 3);
    assert!(svg.contains("one seed"));
    let entries: Vec<&str> = rows[0].iter().map(|entry| entry.text.as_str()).collect();
    assert_eq!(rows.len(), 1);
    assert_eq!(
        head.iter().map(String::as_str).zip(entries).collect::<Vec<_>>(),
        [
            ("data", "moons"),
            ("method", "tried"),
            ("highest accuracy in the paper", "0.900"),
            ("highest accuracy", "0.875"),
            ("where", "y 0.25, x 1"),
            ("median", "0.688"),
            ("lowest", "0.250"),
            ("settings", "4"),
        ]
    );
}
