use std::collections::BTreeMap;

use ilk::datasets::{Generator, Moons};
use ilk::method::Method;
use ilk_io::Scale;

use super::bars::{Asked, Bar, judge};
use super::cells::Cell;
use super::measured::{Measured, Metric};
use super::task::{Rows, Said, Set, Task};
use super::*;

fn moons(n: usize, rows: Rows, said: Said) -> Task {
    Task {
        set: Set::Generated(Generator::Moons(Moons { n, noise: 0.1 })),
        rows,
        scale: Scale::MinMax,
        said,
    }
}

fn pairs(per_row: f64, flipped: f64) -> Said {
    Said::Pairs { per_row, flipped }
}

#[test]
fn names_in_the_lists_are_unique_and_hold_no_comma() {
    for paper in Paper::all() {
        let mut exhibits = BTreeMap::new();
        for exhibit in &paper.exhibits {
            assert!(exhibits.insert(exhibit.name, exhibit).is_none());
            let mut rows = Vec::new();
            for row in &exhibit.rows {
                let names = (&row.data, &row.method, row.at.map(f64::to_bits));
                assert!(!rows.contains(&names), "{}: {names:?} twice", exhibit.name);
                rows.push(names);
                let candidates = row.trial.iter().flat_map(|trial| &trial.candidates);
                let names = candidates.map(|candidate| &candidate.name);
                for name in names.chain([&row.data, &row.method]) {
                    assert!(!name.contains([',', '\n']), "{name}");
                }
                assert!(row.trial.is_some() || row.printed.is_some());
                assert_eq!(row.at.is_some(), exhibit.over.is_some());
            }
        }
        for bar in &paper.bars {
            for name in bar.exhibits {
                let rows = &exhibits[name].rows;
                let has = |method: &str| rows.iter().any(|row| row.method == method);
                assert!(has(bar.method), "{bar}");
                if let Asked::NotBelow { method, .. } = bar.asked {
                    assert!(has(method), "{bar}");
                }
                let data = bar.asked.data();
                assert!(
                    data.is_none_or(|d| rows.iter().any(|row| row.data == d)),
                    "{bar}"
                );
            }
        }
    }
}

#[test]
fn a_seed_gives_the_same_rows_and_the_same_questions_whatever_the_answers() {
    let folder = Folder::default();
    let right = moons(60, Rows::Some(40), pairs(1.0, 0.0));
    let wrong = moons(60, Rows::Some(40), pairs(1.0, 0.25));
    let (right, wrong) = (
        right.draw(&folder, 7).unwrap(),
        wrong.draw(&folder, 7).unwrap(),
    );
    assert_eq!(right.truth, wrong.truth);
    assert_eq!(right.truth.len(), 40);
    let asked = |drawn: &super::task::Drawn| {
        let said = drawn.problem.constraints();
        let all = said.must_links().iter().chain(said.cannot_links());
        let mut all: Vec<[usize; 2]> = all.map(|pair| pair.points).collect();
        all.sort_unstable();
        all
    };
    assert_eq!(asked(&right), asked(&wrong));
    let is_wrong = |drawn: &super::task::Drawn| {
        let said = drawn.problem.constraints();
        let same = |pair: &ilk::problem::Pair| {
            let [a, b] = pair.points;
            drawn.truth[a] == drawn.truth[b]
        };
        let together = said.must_links().iter().filter(|pair| !same(pair)).count();
        together + said.cannot_links().iter().filter(|pair| same(pair)).count()
    };
    assert_eq!((is_wrong(&right), is_wrong(&wrong)), (0, 10));
}

#[test]
fn fewer_pairs_than_classes_need_become_one_for_every_two_classes() {
    let task = moons(50, Rows::All, pairs(0.0001, 0.0));
    let drawn = task.draw(&Folder::default(), 0).unwrap();
    let said = drawn.problem.constraints();
    assert_eq!((said.must_links().len(), said.cannot_links().len()), (0, 1));
    let none = moons(50, Rows::All, Said::Nothing);
    let drawn = none.draw(&Folder::default(), 0).unwrap();
    assert!(drawn.problem.constraints().is_empty());
}

#[test]
fn rows_with_replacement_repeat_and_others_do_not() {
    let distinct = |rows: Rows| {
        let drawn = moons(100, rows, Said::Nothing)
            .draw(&Folder::default(), 1)
            .unwrap();
        let ilk::problem::Input::Points(points) = drawn.problem.input() else {
            panic!("points");
        };
        let mut rows: Vec<[u64; 2]> = (0..points.len())
            .map(|i| [points.row(i)[0].to_bits(), points.row(i)[1].to_bits()])
            .collect();
        let n = rows.len();
        rows.sort_unstable();
        rows.dedup();
        (n, rows.len())
    };
    assert_eq!(distinct(Rows::All), (100, 100));
    assert_eq!(distinct(Rows::Some(70)), (70, 70));
    assert_eq!(distinct(Rows::Some(300)), (100, 100));
    let (n, different) = distinct(Rows::WithReplacement(100));
    // 100 (1 - 1/e) = 63 are expected, with a standard deviation of 3.1.
    assert!(n == 100 && (50..77).contains(&different), "{different}");
}

/// Of two classes with equally many points, the first in a random order is drawn with weight r, the
/// last with weight 1.
#[test]
fn imbalanced_rows_are_drawn_by_the_weights_of_their_classes() {
    let retention = 0.25;
    let n = 100;
    let task = moons(10_000, Rows::Imbalanced { n, retention }, Said::Nothing);
    let (mut fewer, mut first_is_rare) = (0, 0);
    let seeds = 60;
    for seed in 0..seeds {
        let truth = task.draw(&Folder::default(), seed).unwrap().truth;
        assert_eq!(truth.len(), n);
        let ones = truth.iter().filter(|&&class| class == 1).count();
        fewer += ones.min(n - ones);
        first_is_rare += u64::from(ones > n - ones);
    }
    // A fifth each, 0.25 / (0.25 + 1), to four standard deviations of 6,000 draws.
    let share = fewer as f64 / (seeds as f64 * n as f64);
    assert!((share - 0.2).abs() < 0.021, "{share}");
    assert!((15..45).contains(&first_is_rare), "{first_is_rare}");
}

#[test]
fn a_digest_is_that_of_fowler_noll_and_vo() {
    assert_eq!(digest(b"".iter().copied()), "cbf29ce484222325");
    assert_eq!(digest(b"a".iter().copied()), "af63dc4c8601ec8c");
    assert_eq!(digest(b"foobar".iter().copied()), "85944171f73967e8");
}

fn cell(seed: u64, settings: &str, ari: f64, clusters: usize, must_broken: usize) -> Cell {
    Cell {
        paper: "p".to_owned(),
        experiment: "table1".to_owned(),
        data: "moons".to_owned(),
        method: "m".to_owned(),
        seed,
        settings: settings.to_owned(),
        n: 10,
        ari,
        nmi: ari / 2.0,
        clusters,
        must_links: 5,
        must_broken,
        cannot_links: 5,
        cannot_broken: 0,
        seconds: 0.5,
        version: cells::VERSION.to_owned(),
    }
}

#[test]
fn of_several_candidates_the_best_on_average_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = Ledger::open(folder.path()).unwrap();
    let candidate = |name: &str, method: &str| Candidate {
        name: name.to_owned(),
        method: Method::named(method).unwrap(),
    };
    let row = Row {
        data: "moons".to_owned(),
        method: "tried".to_owned(),
        trial: Some(Trial {
            task: moons(10, Rows::All, Said::Nothing),
            candidates: vec![candidate("first", "mean-shift"), candidate("second", "cms")],
        }),
        printed: None,
        at: None,
    };
    let data = Folder::default();
    assert!(Measured::of(&row, &data, &ledger, 3).is_none());
    let trial = row.trial.as_ref().unwrap();
    let settings = |i: usize| trial.settings(&trial.candidates[i], &data).unwrap();
    // The first is once better, the second on average. A third seed was not asked for.
    for (candidate, aris) in [(0, [1.0, 0.0, 1.0]), (1, [0.5, 0.7, 0.0])] {
        for (seed, ari) in aris.into_iter().enumerate() {
            let cell = cell(seed as u64, &settings(candidate), ari, 2, 0);
            ledger.add(cell).unwrap();
        }
    }
    let ledger = Ledger::open(folder.path()).unwrap();
    let best = Measured::of(&row, &data, &ledger, 2).unwrap();
    assert_eq!(best.candidate, Some("second"));
    let ari = best.score(Metric::Ari);
    assert!((ari.mean - 0.6).abs() < 1e-12);
    // The root of ((0.1)² + (0.1)²) / (2 - 1).
    assert!((ari.deviation.unwrap() - 0.02_f64.sqrt()).abs() < 1e-12);
    assert!((best.score(Metric::Nmi).mean - 0.3).abs() < 1e-12);
}

#[test]
fn cells_of_another_version_do_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = Ledger::open(folder.path()).unwrap();
    ledger
        .add(cell(0, "new", 0.123_456_789_012_345_68, 2, 0))
        .unwrap();
    let old = Cell {
        version: "0.0.1".to_owned(),
        ..cell(0, "old", 0.5, 2, 0)
    };
    ledger.add(old).unwrap();
    let ledger = Ledger::open(folder.path()).unwrap();
    assert!(ledger.damaged.is_empty() && ledger.cell("old", 0).is_none());
    // Read back to the bit.
    let expected = cell(0, "new", 0.123_456_789_012_345_68, 2, 0);
    assert_eq!(ledger.cell("new", 0), Some(&expected));
}

fn measured(cells: &[Cell]) -> Measured<'_> {
    Measured {
        cells: cells.iter().collect(),
        candidate: None,
    }
}

/// Each bar on two cells of "ours" (ARI .8 and .9, 11 and 14 clusters, one must-link broken) and two of
/// "theirs" (ARI .86 and .88), where the paper printed .83 and .45.
#[test]
fn bars_are_judged_by_the_figures() {
    let exhibit = Exhibit {
        name: "table1",
        title: "",
        note: "",
        rows: Vec::new(),
        is_elsewhere: false,
        over: None,
    };
    let row = |method: &str| Row {
        data: "moons".to_owned(),
        method: method.to_owned(),
        trial: None,
        printed: Some(Figures {
            ari: 0.83,
            nmi: Some(0.45),
        }),
        at: None,
    };
    let rows = [row("ours"), row("theirs"), row("absent")];
    let ours = [cell(0, "a", 0.8, 11, 0), cell(1, "a", 0.9, 14, 1)];
    let theirs = [cell(0, "b", 0.86, 2, 0), cell(1, "b", 0.88, 2, 0)];
    let lines = vec![
        (&rows[0], Some(measured(&ours))),
        (&rows[1], Some(measured(&theirs))),
        (&rows[2], None),
    ];
    let exhibits = [(&exhibit, lines)];
    let data = "moons";
    let at_least = |ari| Asked::AtLeast { data, ari };
    let clusters = |from, to| Asked::Clusters { data, from, to };
    let not_below = |by| Asked::NotBelow {
        method: "theirs",
        by,
    };
    let worst = "farthest -0.025, NMI of moons in table1";
    let lowest = "lowest -0.020, moons in table1";
    let broken = "1 of 10 broken, most on moons in table1";
    for (method, asked, found, holds) in [
        (
            "ours",
            Asked::AsPrinted { within: 0.025 },
            worst,
            Some(true),
        ),
        (
            "ours",
            Asked::AsPrinted { within: 0.024 },
            worst,
            Some(false),
        ),
        ("ours", at_least(0.85), "0.850", Some(true)),
        ("ours", at_least(0.851), "0.850", Some(false)),
        ("ours", clusters(10, 13), "12.5 (11 to 14)", Some(true)),
        ("ours", clusters(13, 14), "12.5 (11 to 14)", Some(false)),
        ("ours", not_below(0.02), lowest, Some(true)),
        ("ours", not_below(0.019), lowest, Some(false)),
        ("ours", Asked::KeepsMustLinks, broken, Some(false)),
        (
            "theirs",
            Asked::KeepsMustLinks,
            "none of 10 broken",
            Some(true),
        ),
        ("absent", at_least(0.1), "not measured", None),
        ("absent", Asked::KeepsMustLinks, "not measured", None),
    ] {
        let bar = Bar {
            exhibits: &["table1"],
            method,
            asked,
        };
        let verdict = judge(&bar, &exhibits);
        assert_eq!(
            (verdict.found.as_str(), verdict.holds),
            (found, holds),
            "{bar}"
        );
    }
}
