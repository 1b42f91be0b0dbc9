//! A table that is a kernel matrix (`--set kernel=precomputed`), clustered by the default method.

use std::fmt::Write as _;

use crate::common::Sandbox;

/// exp(-d²/2) between numbers on a line, as a table with a column for every number of `columns`.
fn kernel(rows: &[f64], columns: &[f64]) -> String {
    let names: Vec<String> = (0..columns.len()).map(|j| format!("to{j}")).collect();
    let mut table = format!("id,{}\n", names.join(","));
    for (i, x) in rows.iter().enumerate() {
        let values = columns.iter().map(|y| (-(x - y).powi(2) / 2.0).exp().to_string());
        let _ = writeln!(table, "p{i},{}", values.collect::<Vec<_>>().join(","));
    }
    table
}

/// The clusters of a table of them, row by row.
fn clusters(table: &str) -> Vec<&str> {
    table.lines().skip(1).filter_map(|line| line.split(',').nth(1)).collect()
}

#[test]
fn a_kernel_matrix_is_clustered_by_default_and_rows_of_new_points_are_placed() {
    let sandbox = Sandbox::new();
    // Two groups of twelve, far apart.
    let points: Vec<f64> =
        (0..24).map(|i| f64::from(i / 12) * 9.0 + f64::from(i % 12) * 0.1).collect();
    sandbox.write("kernel.csv", kernel(&points, &points));
    sandbox.write(
        "pairs.csv",
        "id_a,id_b,relation\np0,p11,must-link\np0,p12,cannot-link\np12,p20,must-link\np5,p17,cannot-link\n",
    );
    sandbox.write("new.csv", kernel(&[0.45, 9.45, 0.05], &points));
    let run = "cluster kernel.csv --id id --set kernel=precomputed --fits 6 --pairs pairs.csv";
    let ended = sandbox.ok(&format!("{run} --out clusters.csv --model m.ilk"));
    assert!(ended.err.contains("2 clusters"), "{}", ended.err);
    let table = sandbox.read("clusters.csv");
    let found = clusters(&table);
    assert_eq!(found, [vec!["0"; 12], vec!["1"; 12]].concat());
    let placed = sandbox.ok("predict m.ilk new.csv --id id").out;
    assert_eq!(clusters(&placed), ["0", "1", "0"]);
}

#[test]
fn a_table_that_is_no_kernel_matrix_is_refused_by_default_too() {
    Sandbox::with_data().refused(
        "cluster data.csv --set kernel=precomputed",
        1,
        "the kernel matrix has 6 rows and 2 columns; it must be square",
    );
}
