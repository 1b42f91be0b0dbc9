use std::collections::BTreeMap;

use ilk::datasets::{Generator, Moons};
use ilk::method::AnyMethod;
use ilk_io::Scale;

use super::bars::{Asked, Bar, judge};
use super::cells::Cell;
use super::measured::{Measured, Metric};
use super::task::{ConstraintProtocol, FeatureScale, RowSample, Set, Task};
use super::*;

/// A paper of one exhibit.
pub(super) fn paper_of(exhibit: Exhibit) -> Paper {
    Paper {
        name: "p",
        title: "",
        authors: "",
        protocol: &[],
        exhibits: vec![exhibit],
        bars: Vec::new(),
        left_out: &[],
        seeds: 1,
        quick_places: None,
    }
}

pub(super) fn moons(n: usize, rows: RowSample, constraints: ConstraintProtocol) -> Task {
    let set = Set::Generated(Generator::Moons(Moons { n, noise: 0.1 }));
    Task::new(set, rows, FeatureScale::Of(Scale::MinMax), constraints)
}

fn pairs(per_row: f64, flipped: f64) -> ConstraintProtocol {
    ConstraintProtocol::Pairs { per_row, flipped }
}

#[test]
fn names_in_the_lists_are_unique_and_hold_no_comma() {
    for paper in Paper::all() {
        let mut exhibits = BTreeMap::new();
        for exhibit in &paper.exhibits {
            assert!(exhibits.insert(exhibit.name, exhibit).is_none());
            let mut rows = Vec::new();
            for row in &exhibit.rows {
                let place = [row.at, row.up].map(|at| at.map(f64::to_bits));
                let names = (&row.data, &row.method, place);
                assert!(!rows.contains(&names), "{}: {names:?} twice", exhibit.name);
                rows.push(names);
                let candidates = row.trial.iter().flat_map(|trial| &trial.candidates);
                let of_candidates = candidates.map(|candidate| &candidate.name);
                for name in of_candidates.chain([&row.data, &row.method]) {
                    assert!(!name.contains([',', '\n']), "{name}");
                }
                // What is to come has no place on a curve; all else has one, where there is a curve.
                let is_to_come = row.trial.is_none() && row.printed.is_none();
                let has_place = exhibit.over.is_some() && !is_to_come;
                assert_eq!(row.at.is_some(), has_place, "{}: {names:?}", exhibit.name);
                assert_eq!(row.up.is_some(), exhibit.against.is_some(), "{names:?}");
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
                let is_there = |row: &Row| {
                    bar.asked.data().is_none_or(|data| row.data == data)
                        && bar.at.is_none_or(|at| row.at == Some(at))
                };
                assert!(rows.iter().any(is_there), "{bar}");
            }
        }
    }
}

#[test]
fn a_seed_gives_the_same_rows_and_the_same_pairs_whatever_their_kind() {
    let folder = Folder::default();
    let right = moons(60, RowSample::Some(40), pairs(1.0, 0.0));
    let wrong = moons(60, RowSample::Some(40), pairs(1.0, 0.25));
    let (right, wrong) = (right.draw(&folder, 7).unwrap(), wrong.draw(&folder, 7).unwrap());
    assert_eq!(right.truth, wrong.truth);
    assert_eq!(right.truth.len(), 40);
    let asked = |drawn: &super::task::Drawn| {
        let constraints = drawn.problem.constraints();
        let all = constraints.must_links().iter().chain(constraints.cannot_links());
        let mut all: Vec<[usize; 2]> = all.map(|pair| pair.points).collect();
        all.sort_unstable();
        all
    };
    assert_eq!(asked(&right), asked(&wrong));
    let is_wrong = |drawn: &super::task::Drawn| {
        let constraints = drawn.problem.constraints();
        let same = |pair: &ilk::problem::Pair| {
            let [a, b] = pair.points;
            drawn.truth[a] == drawn.truth[b]
        };
        let together = constraints.must_links().iter().filter(|pair| !same(pair)).count();
        together + constraints.cannot_links().iter().filter(|pair| same(pair)).count()
    };
    assert_eq!((is_wrong(&right), is_wrong(&wrong)), (0, 10));
}

#[test]
fn fewer_pairs_than_classes_need_become_one_for_every_two_classes() {
    let task = moons(50, RowSample::All, pairs(0.0001, 0.0));
    let drawn = task.draw(&Folder::default(), 0).unwrap();
    let constraints = drawn.problem.constraints();
    assert_eq!((constraints.must_links().len(), constraints.cannot_links().len()), (0, 1));
    let none = moons(50, RowSample::All, ConstraintProtocol::Nothing);
    let drawn = none.draw(&Folder::default(), 0).unwrap();
    assert!(drawn.problem.constraints().is_empty());
}

#[test]
fn rows_with_replacement_repeat_and_others_do_not() {
    let distinct = |rows: RowSample| {
        let drawn =
            moons(100, rows, ConstraintProtocol::Nothing).draw(&Folder::default(), 1).unwrap();
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
    assert_eq!(distinct(RowSample::All), (100, 100));
    assert_eq!(distinct(RowSample::Some(70)), (70, 70));
    assert_eq!(distinct(RowSample::Some(300)), (100, 100));
    let (n, different) = distinct(RowSample::WithReplacement(100));
    // 100 (1 - 1/e) = 63 are expected, with a standard deviation of 3.1.
    assert!(n == 100 && (50..77).contains(&different), "{different}");
}

/// Of two classes with equally many points, the first in a random order is drawn with weight r, the
/// last with weight 1.
#[test]
fn imbalanced_rows_are_drawn_by_the_weights_of_their_classes() {
    let retention = 0.25;
    let n = 100;
    let task = moons(10_000, RowSample::Imbalanced { n, retention }, ConstraintProtocol::Nothing);
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

pub(super) fn cell(
    seed: u64,
    settings: &str,
    ari: f64,
    clusters: usize,
    must_broken: usize,
) -> Cell {
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
        ari_free: None,
        ari_whole: None,
        comparisons: 0,
        comparisons_broken: 0,
        nmi_test: None,
        accuracy: None,
        labels: 0,
        labels_broken: 0,
        free: 0,
        classes: 0,
        ari_without: None,
    }
}

#[test]
fn of_several_candidates_the_best_on_average_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = Ledger::open(folder.path()).unwrap();
    let candidate = |name: &str, method: &str| Candidate {
        name: name.to_owned(),
        run: Run::Fit(AnyMethod::named(method).unwrap()),
    };
    let row = Row {
        data: "moons".to_owned(),
        method: "tried".to_owned(),
        trial: Some(Trial {
            task: moons(10, RowSample::All, ConstraintProtocol::Nothing),
            candidates: vec![candidate("first", "mean-shift"), candidate("second", "cms")],
        }),
        printed: None,
        at: None,
        up: None,
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
    let ari = best.score(Metric::Ari).unwrap();
    assert!((ari.mean - 0.6).abs() < 1e-12);
    // The root of ((0.1)² + (0.1)²) / (2 - 1).
    assert!((ari.deviation.unwrap() - 0.02_f64.sqrt()).abs() < 1e-12);
    assert!((best.score(Metric::Nmi).unwrap().mean - 0.3).abs() < 1e-12);
}

#[test]
fn cells_of_another_version_do_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = Ledger::open(folder.path()).unwrap();
    ledger.add(cell(0, "new", 0.123_456_789_012_345_68, 2, 0)).unwrap();
    let old = Cell { version: "0.0.1".to_owned(), ..cell(0, "old", 0.5, 2, 0) };
    ledger.add(old).unwrap();
    let ledger = Ledger::open(folder.path()).unwrap();
    assert!(ledger.damaged.is_empty() && ledger.cell("old", 0).is_none());
    // Read back to the bit.
    let expected = cell(0, "new", 0.123_456_789_012_345_68, 2, 0);
    assert_eq!(ledger.cell("new", 0), Some(&expected));
}

fn measured(cells: &[Cell]) -> Measured<'_> {
    Measured { cells: cells.iter().collect(), candidate: None }
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
        metrics: &[Metric::Ari, Metric::Nmi],
        ..Exhibit::default()
    };
    let row = |method: &str| Row {
        data: "moons".to_owned(),
        method: method.to_owned(),
        trial: None,
        printed: Some(Figures::ari_and_nmi([0.83, 0.45])),
        at: None,
        up: None,
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
    let at_least = |score| Asked::AtLeast { data, score };
    let clusters = |from, to| Asked::Clusters { data, from, to };
    let not_below = |by| Asked::NotBelow { method: "theirs", by };
    let worst = "farthest -0.025, NMI of moons in table1";
    let lowest = "lowest -0.020, moons in table1";
    let broken = "1 of 10 broken, most on moons in table1";
    for (method, asked, found, holds) in [
        ("ours", Asked::AsPrinted { within: 0.025 }, worst, Some(true)),
        ("ours", Asked::AsPrinted { within: 0.024 }, worst, Some(false)),
        ("ours", at_least(0.85), "0.850", Some(true)),
        ("ours", at_least(0.851), "0.850", Some(false)),
        ("ours", clusters(10, 13), "12.5 (11 to 14)", Some(true)),
        ("ours", clusters(13, 14), "12.5 (11 to 14)", Some(false)),
        ("ours", not_below(0.02), lowest, Some(true)),
        ("ours", not_below(0.019), lowest, Some(false)),
        ("ours", Asked::KeepsMustLinks, broken, Some(false)),
        ("theirs", Asked::KeepsMustLinks, "none of 10 broken", Some(true)),
        ("absent", at_least(0.1), "not measured", None),
        ("absent", Asked::KeepsMustLinks, "not measured", None),
    ] {
        let bar = Bar { exhibits: &["table1"], method, asked, at: None };
        let verdict = judge(&bar, &exhibits);
        assert_eq!((verdict.found.as_str(), verdict.holds), (found, holds), "{bar}");
    }
}

/// Two places on a curve: a bar that names one judges that one.
#[test]
fn a_bar_at_a_place_judges_that_place() {
    let exhibit = Exhibit {
        name: "curve",
        title: "",
        note: "",
        rows: Vec::new(),
        metrics: &[Metric::AriWhole],
        over: Some("b"),
        ..Exhibit::default()
    };
    let row = |at: f64| Row {
        data: "moons".to_owned(),
        method: "ours".to_owned(),
        trial: None,
        printed: None,
        at: Some(at),
        up: None,
    };
    let rows = [row(5.0), row(7.0)];
    // What the exhibit shows first is judged, and that is not the ARI of the rows that were drawn.
    let whole = |ari| Cell { ari_whole: Some(ari), ..cell(0, "a", 0.1, 2, 0) };
    let cells = [whole(0.3), whole(0.8)];
    let lines =
        vec![(&rows[0], Some(measured(&cells[..1]))), (&rows[1], Some(measured(&cells[1..])))];
    let exhibits = [(&exhibit, lines)];
    let verdict = |at| {
        let data = "moons";
        let bar = Bar {
            exhibits: &["curve"],
            method: "ours",
            asked: Asked::AtLeast { data, score: 0.5 },
            at: Some(at),
        };
        judge(&bar, &exhibits)
    };
    let (first, second, nowhere) = (verdict(5.0), verdict(7.0), verdict(6.0));
    assert_eq!((first.found.as_str(), first.holds), ("ARI whole set 0.300", Some(false)));
    assert_eq!((second.found.as_str(), second.holds), ("ARI whole set 0.800", Some(true)));
    assert_eq!(nowhere.holds, None);
    assert_eq!(second.asked, "ours on moons at 7: at least 0.5 (curve)");
}

/// A file as it was written before there were comparisons is read and becomes one with them.
#[test]
fn cells_from_before_there_were_comparisons_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cells.csv");
    let header = "paper,experiment,data,method,seed,settings,n,ari,nmi,clusters,must_links,\
                  must_broken,cannot_links,cannot_broken,seconds,version";
    let version = cells::VERSION;
    let line = format!("p,table1,moons,m,3,old,10,0.5,0.25,2,5,1,5,0,0.500,{version}");
    std::fs::write(&path, format!("{header}\n{line}\n")).unwrap();
    let expected = cell(3, "old", 0.5, 2, 1);
    for _ in 0..2 {
        let ledger = Ledger::open(folder.path()).unwrap();
        assert!(ledger.damaged.is_empty());
        assert_eq!(ledger.cell("old", 3), Some(&expected));
        let now = std::fs::read_to_string(&path).unwrap();
        let header = format!(
            "{header},ari_free,ari_whole,comparisons,comparisons_broken,nmi_test,accuracy,labels,\
             labels_broken,free,classes,ari_without"
        );
        assert_eq!(now, format!("{header}\n{line},,,0,0,,,0,0,0,0,\n"));
    }
}

#[test]
fn a_quick_run_has_the_first_places_of_a_curve_and_few_constraints() {
    for paper in Paper::all() {
        let (places, quick) = (paper.quick_places, paper.clone().quick());
        for (exhibit, few) in paper.exhibits.iter().zip(&quick.exhibits) {
            let at = |exhibit: &Exhibit| {
                let mut places: Vec<f64> = exhibit.rows.iter().filter_map(|row| row.at).collect();
                places.sort_by(f64::total_cmp);
                places.dedup();
                places
            };
            let all = at(exhibit);
            let first = places.map_or(&all[..], |n| &all[..n.min(all.len())]);
            assert_eq!(at(few), first, "{}", exhibit.name);
            let to_come = |e: &Exhibit| {
                let is_to_come = |row: &&Row| row.trial.is_none() && row.at.is_none();
                e.rows.iter().filter(is_to_come).count()
            };
            assert_eq!(to_come(few), to_come(exhibit));
            for trial in few.rows.iter().filter_map(|row| row.trial.as_ref()) {
                let is_little = match trial.task.constraints {
                    ConstraintProtocol::Nothing
                    | ConstraintProtocol::Pairs { .. }
                    | ConstraintProtocol::HalfPairs { .. }
                    | ConstraintProtocol::RandomPairs { .. } => true,
                    ConstraintProtocol::Labelled { per_class, .. }
                    | ConstraintProtocol::Labels { per_class }
                    | ConstraintProtocol::AsManyComparisons { per_class } => {
                        per_class <= QUICK_LABELLED
                    }
                    ConstraintProtocol::Comparisons { odd, equal } => {
                        odd.max(equal) <= QUICK_COMPARISONS
                    }
                };
                assert!(is_little, "{}", exhibit.name);
            }
        }
    }
}
