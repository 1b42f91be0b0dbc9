//! Courses of questions on generated points, and the tables on hand-made cells.

use ilk::ask::{QuestionKind, Strategy};
use ilk::datasets::{Blobs, Generator};
use ilk::evaluate::adjusted_rand;
use ilk::observe::Silent;
use ilk_io::Scale;

use super::{AT, Questions, blocks, contenders, paper, places};
use crate::reproduce::cells::Cell;
use crate::reproduce::measured::{Measured, Metric};
use crate::reproduce::tests::cell;
use crate::reproduce::{
    Block, ConstraintProtocol, Effort, Exhibit, FeatureScale, Folder, Row, RowSample, Set, Task,
    Trial,
};

const QUESTIONS: Questions = Questions {
    strategy: Strategy::Auto,
    kind: QuestionKind::Pair,
    noise: 0.0,
    repeats: 0.0,
    answers: 0,
};

fn blobs() -> Task {
    let set = Set::Generated(Generator::Blobs(Blobs { n: 60, centers: 3, ..Blobs::default() }));
    let scale = FeatureScale::Of(Scale::Standard);
    Task::new(set, RowSample::Some(40), scale, ConstraintProtocol::Nothing)
}

#[test]
fn a_course_is_at_every_stop_where_one_that_ends_there_is() {
    let drawn = blobs().draw(&Folder::default(), 2).unwrap();
    let noisy = Questions { noise: 0.1, repeats: 0.05, ..QUESTIONS };
    let stops = |at: &[usize]| noisy.stops(&drawn.problem, &drawn.truth, at, 2, &Silent).unwrap();
    let all = stops(&[5, 12, 20]);
    for stop in &all {
        let alone = &stops(&[stop.answers])[0];
        assert_eq!(alone.labels, stop.labels);
        assert_eq!(alone.constraints, stop.constraints);
        assert_eq!(alone.free, stop.free);
    }
    let named = |at: usize| all[at].free.iter().filter(|&&free| !free).count();
    assert!(named(0) >= 2 && named(0) <= 10 && named(2) > named(0));
    let ari = adjusted_rand(&stops(&[200])[0].labels, &drawn.truth).unwrap();
    assert!(ari > 0.9, "{ari}");
}

#[test]
fn every_reading_time_of_pairs_is_a_place_of_every_kind() {
    assert_eq!(places(QuestionKind::Pair), AT);
    let groups = places(QuestionKind::Group);
    // A group of nine takes 2.5 pairs: 10 / 2.5, 20 / 2.5, ... and the answers of pairs below 200 / 2.5.
    assert_eq!(groups, [4, 8, 10, 12, 20, 28, 30, 40, 50, 60, 70, 80]);
    let triplets = places(QuestionKind::Triplet);
    assert!([8, 15, 23, 38, 54, 77, 115, 154].iter().all(|at| triplets.contains(at)));
    assert!(triplets.iter().all(|&at| (at as f64 - 0.5) * 1.3 <= 200.0));
}

#[test]
fn every_strategy_has_its_pairs_on_every_set_with_right_and_wrong_answers() {
    let paper = paper();
    for exhibit in paper.exhibits.iter().filter(|exhibit| exhibit.is_asking) {
        let mut sets: Vec<&str> = exhibit.rows.iter().map(|row| row.data.as_str()).collect();
        sets.dedup();
        assert!(sets.len() >= 15 && sets.iter().any(|set| set.starts_with("graph_")));
        for strategy in Strategy::ALL {
            let of = |row: &&Row| row.method == strategy.name() && row.data == "iris";
            assert_eq!(exhibit.rows.iter().filter(of).count(), AT.len(), "{strategy}");
        }
    }
    assert_eq!(contenders().len(), 10);
}

/// Contender, kind, set, and the scores after numbers of answers.
type Curve<'a> = (&'a str, QuestionKind, &'static str, &'a [(usize, f64)]);

/// An exhibit with these curves.
fn shown(curves: &[Curve<'_>]) -> Vec<Block> {
    let mut rows = Vec::new();
    let mut cells: Vec<Cell> = Vec::new();
    for &(method, kind, set, scores) in curves {
        for &(answers, ari) in scores {
            let trial = Trial::asking(blobs(), Questions { kind, answers, ..QUESTIONS });
            rows.push(Row::new(set, method, trial).at(answers as f64));
            cells.push(Cell { ari_free: Some(ari / 2.0), ..cell(0, "", ari, 2, 0) });
        }
    }
    let lines: Vec<_> = rows
        .iter()
        .zip(&cells)
        .map(|(row, cell)| (row, Some(Measured { cells: vec![cell], candidate: None })))
        .collect();
    let exhibit = Exhibit {
        name: "pairs",
        metrics: &[Metric::Ari, Metric::AriFree],
        is_asking: true,
        ..Exhibit::default()
    };
    blocks("ask", &exhibit, &lines, Effort { seeds: 1, is_quick: false })
}

/// The entry of a row in a column of the table with this number.
fn entry(blocks: &[Block], number: usize, row: &str, column: &str) -> String {
    let tables = blocks.iter().filter_map(|block| match block {
        Block::Table { head, rows } => Some((head, rows)),
        _ => None,
    });
    let (head, rows) = tables.clone().nth(number).unwrap();
    let at = head.iter().position(|name| name == column).unwrap();
    rows.iter().find(|entries| entries[0].text == row).unwrap()[at].text.clone()
}

#[test]
fn tables_have_means_areas_and_costs_and_say_where_the_default_is_below() {
    use QuestionKind::{Group, Pair};
    let blocks = shown(&[
        ("auto", Pair, "iris", &[(10, 0.2), (20, 0.6), (100, 1.0)]),
        ("auto", Pair, "wine", &[(10, 0.4), (20, 0.4), (100, 0.6)]),
        ("cobras", Pair, "iris", &[(10, 0.0), (20, 0.0), (100, 0.4)]),
        ("cobras", Pair, "wine", &[(10, 0.0), (20, 0.0), (100, 0.7)]),
        ("auto groups", Group, "iris", &[(4, 0.3), (8, 0.5), (10, 0.7), (40, 0.9)]),
        ("auto groups", Group, "wine", &[(4, 0.5), (8, 0.7), (10, 0.7), (40, 0.9)]),
        // A set without the groups counts in no mean.
        ("auto", Pair, "wdbc", &[(10, 0.0), (20, 0.0), (100, 0.0)]),
    ]);
    assert_eq!(entry(&blocks, 0, "auto", "20"), "0.500");
    // From 10 to 20 the mean is (.3 + .5) / 2, from 20 to 100 it is (.5 + .8) / 2.
    assert_eq!(entry(&blocks, 0, "auto", "area"), "0.622");
    assert_eq!(entry(&blocks, 0, "auto", "others at 100"), "0.400");
    // Groups: 10 answers are there, 20 are not; by reading time 10 is 4 answers, 20 is 8, 100 is 40.
    assert_eq!(entry(&blocks, 0, "auto groups", "10"), "0.700");
    assert_eq!(entry(&blocks, 0, "auto groups", "20"), "-");
    assert_eq!(entry(&blocks, 1, "auto groups", "10"), "0.400");
    assert_eq!(entry(&blocks, 1, "auto groups", "20"), "0.600");
    assert_eq!(entry(&blocks, 1, "auto groups", "100"), "0.900");
    assert_eq!(entry(&blocks, 2, "wine", "cobras"), "0.700");
    let texts: Vec<&str> = blocks
        .iter()
        .filter_map(|block| match block {
            Block::Text(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert!(texts[0].contains("means over 2 sets"), "{texts:?}");
    assert!(texts.contains(
        &"The default is more than 0.02 below the best of the others on wine (0.600 against 0.700)."
    ));
    // COBRAS has .55 after 100; the default has .5 after 20 and .8 after 100: 20 + 80 / 6.
    assert!(texts.iter().any(|text| text.contains("(0.550); the default needs about 33 for that")));
}
