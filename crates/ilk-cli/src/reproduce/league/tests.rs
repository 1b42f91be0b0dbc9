//! The tables of a league, on hand-made cells.

use super::table::{LeagueTable, tables};
use crate::reproduce::cells::Cell;
use crate::reproduce::measured::Measured;
use crate::reproduce::tests::cell;
use crate::reproduce::{Paper, Row};

/// A run on a set with a seed: its score, the score without constraints, and the rows that are free.
fn run(set: &str, seed: u64, score: f64, without: f64, free: usize) -> Cell {
    Cell {
        data: set.to_owned(),
        ari_free: Some(score),
        ari_without: Some(without),
        free,
        classes: 4,
        ..cell(seed, "", 0.0, 4, 0)
    }
}

/// The same run without constraints.
fn unconstrained(run: Cell) -> Cell {
    Cell { must_links: 0, cannot_links: 0, ..run }
}

/// The tables of some rows, each a method, its place and its runs.
fn tables_of(rows: &[(&str, f64, Vec<Cell>)]) -> Vec<LeagueTable> {
    let rows: Vec<(Row, &[Cell])> = rows
        .iter()
        .map(|(method, at, cells)| (Row::to_come("set", method).at(*at), cells.as_slice()))
        .collect();
    let lines: Vec<_> = rows
        .iter()
        .map(|(row, cells)| {
            let measured = Measured { cells: cells.iter().collect(), candidate: None };
            (row, (!cells.is_empty()).then_some(measured))
        })
        .collect();
    tables(&lines)
}

/// The entry of a method in a column.
fn entry<'t>(table: &'t LeagueTable, method: &str, column: &str) -> &'t str {
    let place = table.head.iter().position(|name| name == column).unwrap();
    let row = table.rows.iter().find(|row| row[0] == method).unwrap();
    &row[place]
}

#[test]
fn harm_is_a_fall_below_the_own_run_without_constraints_by_more_than_two_hundredths() {
    let runs = vec![
        run("a", 0, 0.50, 0.60, 50),
        run("a", 1, 0.585, 0.60, 50),
        run("b", 0, 0.60, 0.60, 50),
        run("b", 1, 0.90, 0.60, 50),
    ];
    let unlike = vec![run("a", 0, 0.1, 0.2, 50), run("a", 1, 0.1, 0.05, 50)];
    let tables = tables_of(&[("E2CP", 60.0, runs), ("SKLR", 60.0, unlike)]);
    assert_eq!(entry(&tables[0], "E2CP", "harm"), "25.0%");
    assert_eq!(entry(&tables[0], "SKLR", "harm"), "50.0%");
}

/// A method that takes no constraints, or is given none, cannot be harmed by them.
#[test]
fn runs_without_constraints_have_no_harm_and_nothing_broken() {
    let runs = vec![unconstrained(run("a", 0, 0.5, 0.5, 50))];
    let tables = tables_of(&[("KMeans", 60.0, runs)]);
    assert_eq!(entry(&tables[0], "KMeans", "harm"), "-");
    assert_eq!(entry(&tables[0], "KMeans", "broken"), "-");
}

#[test]
fn below_kmeans_compares_runs_of_one_set_and_one_seed() {
    let kmeans = vec![
        unconstrained(run("a", 0, 0.8, 0.8, 50)),
        unconstrained(run("a", 1, 0.2, 0.2, 50)),
        unconstrained(run("b", 0, 0.5, 0.5, 50)),
    ];
    // Below k-means of its own seed once; below the one of the other seed would be twice.
    let ours =
        vec![run("a", 0, 0.79, 0.0, 50), run("a", 1, 0.3, 0.0, 50), run("b", 0, 0.4, 0.0, 50)];
    let tables = tables_of(&[("KMeans", 60.0, kmeans), ("E2CP", 60.0, ours)]);
    assert_eq!(entry(&tables[0], "E2CP", "below k-means"), "33.3%");
    assert_eq!(entry(&tables[0], "KMeans", "below k-means"), "0.0%");
}

/// K-means takes no graphs.
#[test]
fn without_a_run_of_kmeans_nothing_is_below_it() {
    let tables = tables_of(&[("E2CP", 1.0, vec![run("graph", 0, 0.1, 0.1, 50)])]);
    assert_eq!(entry(&tables[0], "E2CP", "below k-means"), "-");
}

#[test]
fn ranks_are_medians_of_places_and_equal_scores_share_the_better_one() {
    let runs = |scores: [f64; 3]| -> Vec<Cell> {
        let seeds = (0..3).zip(scores);
        seeds.map(|(seed, score)| run("a", seed, score, 0.0, 50)).collect()
    };
    let tables = tables_of(&[
        ("E2CP", 60.0, runs([0.9, 0.9, 0.1])),
        ("SKLR", 60.0, runs([0.9, 0.8, 0.2])),
        ("CMS", 60.0, runs([0.3, 0.3, 0.3])),
    ]);
    let table = &tables[0];
    // Places of the three seeds: 1, 1, 3; 1, 2, 2; 3, 3, 1.
    let ranks = ["E2CP", "SKLR", "CMS"].map(|method| entry(table, method, "rank"));
    assert_eq!(ranks, ["1", "2", "3"]);
    assert_eq!(entry(table, "E2CP", "mean ARI"), "0.633");
    // Those with equal means stay in the order of the rows, the best mean is first.
    let order: Vec<&str> = table.rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(order, ["E2CP", "SKLR", "CMS"]);
    let reversed =
        tables_of(&[("CMS", 60.0, runs([0.3, 0.3, 0.3])), ("SKLR", 60.0, runs([0.9, 0.8, 0.4]))]);
    assert_eq!(reversed[0].rows[0][0], "SKLR");
}

/// Where constraints name nearly all rows, the others are too few to score.
#[test]
fn runs_with_fewer_than_twenty_free_rows_are_left_out_everywhere() {
    let ours = vec![run("small", 0, 0.0, 1.0, 19), run("large", 0, 0.75, 0.75, 20)];
    let kmeans = vec![
        unconstrained(run("small", 0, 1.0, 1.0, 19)),
        unconstrained(run("large", 0, 0.5, 0.5, 20)),
    ];
    let tables = tables_of(&[("E2CP", 240.0, ours), ("KMeans", 240.0, kmeans)]);
    let [table, by_set] = &tables[..] else {
        panic!("one place has two tables: {tables:?}");
    };
    let columns = ["mean ARI", "rank", "harm", "below k-means", "clusters", "runs"];
    let entries = columns.map(|column| entry(table, "E2CP", column));
    assert_eq!(entries, ["0.750", "1", "0.0%", "0.0%", "1.00", "1"]);
    assert_eq!(by_set.head, ["set", "E2CP", "KMeans"]);
    assert_eq!(by_set.rows, [["large", "0.750", "0.500"]]);

    let none = tables_of(&[("E2CP", 1000.0, vec![run("small", 0, 0.5, 0.5, 19)])]);
    assert!(none.is_empty(), "{none:?}");
}

#[test]
fn every_number_of_constraints_has_its_own_tables_in_order() {
    let runs = |score| vec![run("a", 0, score, score, 50)];
    let tables = tables_of(&[
        ("E2CP", 240.0, runs(0.5)),
        ("E2CP", 20.0, runs(0.25)),
        ("SKLR", 20.0, Vec::new()),
    ]);
    let titles: Vec<&str> = tables.iter().map(|table| table.title.as_str()).collect();
    let expected = [
        "20 constraints",
        "20 constraints, mean ARI by set",
        "240 constraints",
        "240 constraints, mean ARI by set",
    ];
    assert_eq!(titles, expected);
    assert_eq!(entry(&tables[0], "E2CP", "mean ARI"), "0.250");
    assert_eq!(entry(&tables[2], "E2CP", "mean ARI"), "0.500");
    // A method without a finished run is not in the table.
    assert_eq!(tables[0].rows.len(), 1);
}

#[test]
fn broken_is_the_share_of_all_constraints_of_all_kinds() {
    let runs = vec![
        Cell {
            must_broken: 1,
            cannot_broken: 1,
            comparisons: 6,
            comparisons_broken: 1,
            ..run("a", 0, 0.5, 0.5, 50)
        },
        Cell { labels: 4, labels_broken: 3, ..unconstrained(run("a", 1, 0.5, 0.5, 50)) },
    ];
    let tables = tables_of(&[("SKLR", 60.0, runs)]);
    // 3 of 5 + 5 + 6, and 3 of 4.
    assert_eq!(entry(&tables[0], "SKLR", "broken"), "30.0%");
}

/// All methods have the same task of a set, so that a seed gives them the same rows and constraints, and
/// k-means is among them wherever it can be.
#[test]
fn all_methods_of_a_set_have_the_same_tasks() {
    let league = Paper::named("league").unwrap();
    for exhibit in &league.exhibits {
        assert!(exhibit.is_league);
        let mut places: Vec<f64> = exhibit.rows.iter().filter_map(|row| row.at).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        let mut sets: Vec<&str> = exhibit.rows.iter().map(|row| row.data.as_str()).collect();
        sets.dedup();
        for set in sets {
            for &at in &places {
                let of_set = exhibit.rows.iter();
                let of_set = of_set.filter(|row| row.data == set && row.at == Some(at));
                let tasks: Vec<_> =
                    of_set.clone().map(|row| &row.trial.as_ref().unwrap().task).collect();
                assert!(tasks.iter().all(|task| *task == tasks[0]), "{set} at {at}");
                let has_baseline = of_set.clone().any(|row| row.method == "KMeans");
                assert_eq!(has_baseline, exhibit.name != "graphs", "{set} at {at}");
            }
        }
    }
}
