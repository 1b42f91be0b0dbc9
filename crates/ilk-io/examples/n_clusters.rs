//! How well the number of clusters is chosen, on sets with known classes. Prints the tables of docs/n_clusters.md.
//!
//! ```sh
//! cargo run --release -p ilk-io --example n_clusters -- ../shared/data
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use ilk::evaluate::adjusted_rand;
use ilk::group::Label;
use ilk::method::{E2cp, KMeans, MeanShift, Method, Refinement, SsKernelKMeans};
use ilk::numerics::rng::rng_stream;
use ilk::observe::Silent;
use ilk::outcome::Clustering;
use ilk::parameter::AutoOr;
use ilk::problem::{Constraints, Points, Problem};
use ilk_io::{
    GraphOptions, PartitionOptions, Scale, TableOptions, read_graph, read_partition, read_table,
};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Rows that are drawn of a set.
const ROWS: usize = 500;
const SEEDS: u64 = 2;
/// The fixed number of clusters that was the default before.
const NOBODYS: usize = 8;

/// Scores of one rule: adjusted Rand index, and how many times the number of classes is off, as a power of 2.
#[derive(Default)]
struct Scores {
    aris: Vec<f64>,
    errors: Vec<f64>,
}

type Table = BTreeMap<(usize, &'static str), Scores>;

fn main() -> Outcome<()> {
    let folder = std::env::args().nth(1).ok_or("give the folder of the sets")?;
    let mut names: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(&folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    let (mut points, mut pairs, mut graphs) = (Table::new(), Table::new(), Table::new());
    for name in &names {
        let file = |ending: &str| format!("{folder}/{name}/{ending}");
        let table = file(&format!("{name}.npz"));
        let edges = file(&format!("{}.edges.csv.gz", name.trim_start_matches("graph_")));
        if Path::new(&table).exists() {
            for seed in 0..SEEDS {
                let (rows, truth) = read_rows(&table, seed)?;
                without_constraints(&rows, &truth, seed, &mut points)?;
                with_constraints(&rows, &truth, seed, &mut pairs)?;
            }
        } else if Path::new(&edges).exists() {
            of_graph(&edges, &mut graphs)?;
        }
        eprintln!("{name}");
    }
    print("k-means without constraints", &points);
    print("E2CP with constraints", &pairs);
    print("SS-Kernel-KMeans of graphs", &graphs);
    Ok(())
}

fn read_rows(path: &str, seed: u64) -> Outcome<(Points, Vec<Label>)> {
    let all = read_table(path, &TableOptions::default())?.points;
    let classes = read_partition(path, &PartitionOptions::default())?.labels;
    let rows = rng_stream(seed, 0).sorted_sample(all.len(), ROWS.min(all.len()));
    let points = all.select(&rows);
    let points = Scale::Standard.fit(&points).apply(&points)?;
    Ok((points, numbered(rows.iter().map(|&row| classes[row].clone()))))
}

fn numbered(names: impl Iterator<Item = Option<String>>) -> Vec<Label> {
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    names
        .map(|name| {
            let next = numbers.len();
            Some(*numbers.entry(name?).or_insert(next))
        })
        .collect()
}

fn n_classes(truth: &[Label]) -> usize {
    truth.iter().flatten().max().map_or(0, |last| last + 1)
}

fn add(table: &mut Table, key: (usize, &'static str), k: usize, ari: f64, classes: usize) {
    let scores = table.entry(key).or_default();
    scores.aris.push(ari);
    scores.errors.push((k as f64 / classes as f64).log2().abs());
}

/// The number of clusters that a method was given, or chose.
fn requested(found: &Clustering) -> usize {
    found.requested_clusters.unwrap_or(found.n_clusters)
}

fn without_constraints(
    points: &Points,
    truth: &[Label],
    seed: u64,
    table: &mut Table,
) -> Outcome<()> {
    let problem = Problem::unsupervised(points.clone());
    let shift = MeanShift { seed, ..MeanShift::default() }.fit(&problem, &Silent)?.clustering;
    let rules = [
        ("the true number", AutoOr::Fixed(n_classes(truth))),
        ("auto", AutoOr::Auto),
        ("clusters of mean shift", AutoOr::Fixed(shift.n_clusters)),
        ("8", AutoOr::Fixed(NOBODYS)),
    ];
    for (rule, n_clusters) in rules {
        let kmeans = KMeans { n_clusters, seed, ..KMeans::default() };
        let found = kmeans.fit(&problem, &Silent)?.clustering;
        let ari = adjusted_rand(&found.labels, truth)?;
        add(table, (0, rule), requested(&found), ari, n_classes(truth));
    }
    Ok(())
}

fn with_constraints(points: &Points, truth: &[Label], seed: u64, table: &mut Table) -> Outcome<()> {
    for count in [0, 30, 100, 300] {
        let constraints = random_pairs(truth, count, seed)?;
        let problem = Problem::new(points.clone(), constraints)?;
        for (rule, n_clusters) in [
            ("the true number", AutoOr::Fixed(n_classes(truth))),
            ("auto", AutoOr::Auto),
            ("8", AutoOr::Fixed(NOBODYS)),
        ] {
            let e2cp = E2cp { n_clusters, refine: Refinement::Off, seed, ..E2cp::default() };
            let found = e2cp.fit(&problem, &Silent)?.clustering;
            let ari = adjusted_rand(&found.labels, truth)?;
            add(table, (count, rule), requested(&found), ari, n_classes(truth));
        }
    }
    Ok(())
}

/// Right answers about pairs of random rows.
fn random_pairs(truth: &[Label], count: usize, seed: u64) -> Outcome<Constraints> {
    let mut rng = rng_stream(seed, 1);
    let mut constraints = Constraints::new(truth.len());
    for _ in 0..count {
        let (a, b) = (rng.below(truth.len()), rng.below(truth.len()));
        if a != b && truth[a] == truth[b] {
            constraints.must_link(a, b)?;
        } else if a != b {
            constraints.cannot_link(a, b)?;
        }
    }
    Ok(constraints)
}

fn of_graph(edges: &str, table: &mut Table) -> Outcome<()> {
    let nodes = edges.replace(".edges.", ".nodes.");
    let graph = read_graph(edges, &GraphOptions { nodes: Some(nodes.clone().into()) })?;
    let labelled = read_partition(&nodes, &PartitionOptions::default())?;
    let label_of: BTreeMap<&String, &Option<String>> =
        labelled.ids.iter().zip(&labelled.labels).collect();
    let label = |id: &String| label_of.get(id).and_then(|label| (*label).clone());
    let truth = numbered(graph.ids.iter().map(label));
    let problem = Problem::unsupervised(graph.graph);
    for (rule, n_clusters) in [
        ("the true number", AutoOr::Fixed(n_classes(&truth))),
        ("auto", AutoOr::Auto),
        ("8", AutoOr::Fixed(NOBODYS)),
    ] {
        let params =
            SsKernelKMeans { n_clusters, refine: Refinement::Off, ..SsKernelKMeans::default() };
        let found = params.fit(&problem, &Silent)?.clustering;
        let ari = adjusted_rand(&found.labels, &truth)?;
        add(table, (0, rule), requested(&found), ari, n_classes(&truth));
    }
    Ok(())
}

fn print(title: &str, table: &Table) {
    println!("### {title}\n");
    println!(
        "| pairs | number of clusters | mean ARI | off by a factor of | runs |\n|---|---|---|---|---|"
    );
    for ((pairs, rule), Scores { aris, errors }) in table {
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let (ari, factor) = (mean(aris), mean(errors).exp2());
        println!("| {pairs} | {rule} | {ari:.3} | {factor:.2} | {} |", aris.len());
    }
    println!();
}
