//! How honest the confidence of `auto` is, on sets with known classes: scores, a reliability diagram and its error, as tables.
//!
//! ```sh
//! cargo run --release -p ilk-io --example confidence -- ../shared/data 300 1
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use ilk::evaluate::adjusted_rand;
use ilk::group::Label;
use ilk::method::{Auto, Method};
use ilk::numerics::rng::{rng, rng_stream};
use ilk::observe::Silent;
use ilk::outcome::Clustering;
use ilk::problem::{Constraints, Points, Problem};
use ilk_io::{PartitionOptions, Scale, TableOptions, read_partition, read_table};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Random pairs that are answered.
const PAIRS: [usize; 4] = [0, 20, 60, 240];

/// Bins of equal width for the confidence.
const BINS: usize = 10;

/// Rows without constraints below which a run is not scored.
const FEWEST_FREE: usize = 20;

/// The points whose confidence is in a bin.
#[derive(Default, Clone, Copy)]
struct Bin {
    points: f64,
    confidence: f64,
    right: f64,
}

/// What was found with so many pairs.
#[derive(Default)]
struct Found {
    bins: [Bin; BINS],
    aris: Vec<f64>,
    /// The scores of the same rows without constraints.
    without: Vec<f64>,
}

fn main() -> Outcome<()> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().ok_or("give the folder of the sets")?;
    let rows: usize = args.next().map_or(Ok(300), |text| text.parse())?;
    let seeds: u64 = args.next().map_or(Ok(1), |text| text.parse())?;
    let mut names: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(&folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    let mut found: BTreeMap<usize, Found> = BTreeMap::new();
    for name in &names {
        let table = format!("{folder}/{name}/{name}.npz");
        if !Path::new(&table).exists() {
            continue;
        }
        for seed in 0..seeds {
            let (points, truth) = read_rows(&table, rows, seed)?;
            measure(name, &points, &truth, seed, &mut found)?;
        }
    }
    print(&found);
    Ok(())
}

fn read_rows(path: &str, rows: usize, seed: u64) -> Outcome<(Points, Vec<Label>)> {
    let all = read_table(path, &TableOptions::default())?.points;
    let classes = read_partition(path, &PartitionOptions::default())?.labels;
    let rows = rng_stream(seed, 0).sorted_sample(all.len(), rows.min(all.len()));
    let points = all.select(&rows);
    let points = Scale::Standard.fit(&points).apply(&points)?;
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let number = |row: &usize| {
        let next = numbers.len();
        Some(*numbers.entry(classes[*row].as_deref()?).or_insert(next))
    };
    Ok((points, rows.iter().map(number).collect()))
}

fn measure(
    name: &str,
    points: &Points,
    truth: &[Label],
    seed: u64,
    all: &mut BTreeMap<usize, Found>,
) -> Outcome<()> {
    let auto = Auto { seed, ..Auto::default() };
    let fit = |constraints: Constraints| -> Outcome<Clustering> {
        Ok(auto.fit(&Problem::new(points.clone(), constraints)?, &Silent)?.clustering)
    };
    let without = fit(Constraints::new(truth.len()))?;
    for count in PAIRS {
        let constraints = random_pairs(truth, count, seed)?;
        let constrained = constraints.constrained_points();
        let free: Vec<usize> =
            (0..truth.len()).filter(|i| constrained.binary_search(i).is_err()).collect();
        if free.len() < FEWEST_FREE {
            continue;
        }
        let with = if count == 0 { without.clone() } else { fit(constraints)? };
        let found = all.entry(count).or_default();
        let of_free = |labels: &[Label]| free.iter().map(|&i| labels[i]).collect::<Vec<Label>>();
        let truth_of_free = of_free(truth);
        let score = |labels: &[Label]| adjusted_rand(&of_free(labels), &truth_of_free);
        let (ari, base) = (score(&with.labels)?, score(&without.labels)?);
        let (found_clusters, base_clusters) = (with.n_clusters, without.n_clusters);
        eprintln!(
            "{name}, seed {seed}, {count} pairs: {ari:.3}, {found_clusters} clusters; \
             without {base:.3}, {base_clusters} clusters"
        );
        found.aris.push(ari);
        found.without.push(base);
        add_confidence(&with, truth, &free, &mut found.bins);
    }
    Ok(())
}

/// A point is right if its class is that of most points of its cluster.
fn add_confidence(found: &Clustering, truth: &[Label], free: &[usize], bins: &mut [Bin; BINS]) {
    let Some(certainty) = &found.confidence else { return };
    let mut counts: BTreeMap<Label, BTreeMap<Label, usize>> = BTreeMap::new();
    for (label, class) in found.labels.iter().zip(truth) {
        *counts.entry(*label).or_default().entry(*class).or_default() += 1;
    }
    let class_of = |label: Label| {
        let most = counts[&label].iter().max_by_key(|&(_, count)| *count);
        most.and_then(|(class, _)| *class)
    };
    for &point in free {
        let sure = certainty.confidence[point];
        let bin = &mut bins[((sure * BINS as f64) as usize).min(BINS - 1)];
        bin.points += 1.0;
        bin.confidence += sure;
        bin.right += f64::from(u8::from(class_of(found.labels[point]) == truth[point]));
    }
}

/// Right answers about pairs of random rows.
fn random_pairs(truth: &[Label], count: usize, seed: u64) -> Outcome<Constraints> {
    let mut rng = rng(seed.wrapping_add(1000));
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

fn print(found: &BTreeMap<usize, Found>) {
    println!("| pairs | mean ARI | the same rows without pairs | worse by over .02 | runs |");
    println!("|---|---|---|---|---|");
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    for (pairs, Found { aris, without, .. }) in found {
        let worse = aris.iter().zip(without).filter(|&(with, without)| *with < without - 0.02);
        let share = 100.0 * worse.count() as f64 / aris.len() as f64;
        let (with, without) = (mean(aris), mean(without));
        println!("| {pairs} | {with:.3} | {without:.3} | {share:.1}% | {} |", aris.len());
    }
    println!("\n| confidence | points | mean confidence | right |\n|---|---|---|---|");
    let mut total = [Bin::default(); BINS];
    for bin in found.values().flat_map(|found| found.bins.iter().enumerate()) {
        let (at, Bin { points, confidence, right }) = bin;
        total[at].points += points;
        total[at].confidence += confidence;
        total[at].right += right;
    }
    for (at, bin) in total.iter().enumerate().filter(|(_, bin)| bin.points > 0.0) {
        let (from, to) = (at as f64 / BINS as f64, (at + 1) as f64 / BINS as f64);
        let (sure, right) = (bin.confidence / bin.points, bin.right / bin.points);
        println!("| {from:.1} to {to:.1} | {} | {sure:.3} | {right:.3} |", bin.points);
    }
    println!("\n| pairs | expected calibration error |\n|---|---|");
    for (pairs, found) in found {
        println!("| {pairs} | {:.3} |", calibration_error(&found.bins));
    }
    println!("| all | {:.3} |", calibration_error(&total));
}

/// The mean of |mean confidence - share right| over the bins, by their points.
fn calibration_error(bins: &[Bin; BINS]) -> f64 {
    let points: f64 = bins.iter().map(|bin| bin.points).sum();
    bins.iter().map(|bin| (bin.confidence - bin.right).abs()).sum::<f64>() / points
}
