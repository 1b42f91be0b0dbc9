//! How good clusters are after so many answers, by strategy. Prints the tables of docs/ask.md.
//!
//! ```sh
//! cargo run --release -p ilk-io --example ask -- ../shared/data [ROWS] [SEEDS] [STRATEGY,...] [NOISE] [REPEATS] [SET,...]
//! ```

use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::path::Path;

use ilk::ask::{AskState, Session, SessionOptions, SimulatedOracle, Strategy};
use ilk::evaluate::adjusted_rand;
use ilk::group::Label;
use ilk::numerics::rng::rng_stream;
use ilk::observe::Silent;
use ilk::problem::{Points, Problem};
use ilk_io::{PartitionOptions, Scale, TableOptions, read_partition, read_table};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Answers after which clusters are scored.
const AT: [usize; 8] = [10, 20, 30, 50, 70, 100, 150, 200];

/// Sets on which the strategy was tuned.
const TUNED: &[&str] = &[
    "iris",
    "wine",
    "wdbc",
    "digits_sklearn",
    "ionosphere",
    "aggregation",
    "pathbased",
    "glass",
    "segment",
    "vehicle",
    "zoo",
    "balance_scale",
    "usps",
    "r15",
];

/// Sets that were kept aside.
const ASIDE: &[&str] = &[
    "wbc_original",
    "pendigits",
    "spiral",
    "jain",
    "heart_statlog",
    "sonar",
    "soybean_large",
    "yeast",
    "mit_scene_mv119",
    "column3C",
    "protein",
    "cms_emb_mnist",
    "flame",
    "haberman",
];

/// The adjusted Rand index of all points, and of those that were not asked about.
#[derive(Clone, Copy, Default)]
struct Score {
    all: f64,
    others: f64,
}

struct Options {
    folder: String,
    rows: usize,
    seeds: u64,
    noise: f64,
    repeats: f64,
    sets: Option<String>,
}

fn main() -> Outcome<()> {
    let argument = |at: usize| std::env::args().nth(at);
    let number = |at: usize, default: f64| argument(at).map_or(Ok(default), |text| text.parse());
    let options = Options {
        folder: argument(1).ok_or("give the folder of the sets")?,
        rows: number(2, 400.0)? as usize,
        seeds: number(3, 2.0)? as u64,
        noise: number(5, 0.0)?,
        repeats: number(6, 0.0)?,
        sets: argument(7),
    };
    let names = argument(4).unwrap_or("auto,random,explore,npu,cobras,a3s".to_owned());
    for (title, sets) in [("Tuned on", TUNED), ("Kept aside", ASIDE)] {
        let given: Option<Vec<&str>> = options.sets.as_ref().map(|sets| sets.split(',').collect());
        let sets = given.as_deref().unwrap_or(sets);
        for name in names.split(',') {
            let strategy = Strategy::ALL.into_iter().find(|strategy| strategy.name() == name);
            table(&options, title, sets, strategy.ok_or("no such strategy")?)?;
        }
        if options.sets.is_some() {
            break;
        }
    }
    Ok(())
}

fn table(options: &Options, title: &str, sets: &[&str], strategy: Strategy) -> Outcome<()> {
    println!(
        "### {title}: {strategy}\n\n| set | points | {} | area | others at 100 | ms |",
        AT.map(|at| at.to_string()).join(" | ")
    );
    println!("|---|---|{}---|---|---|", "---|".repeat(AT.len()));
    let mut total = [Score::default(); AT.len()];
    let mut count = 0.0;
    for name in sets {
        let file = format!("{}/{name}/{name}.npz", options.folder);
        if !Path::new(&file).exists() {
            continue;
        }
        let mut mean = [Score::default(); AT.len()];
        let (mut n, mut ms) = (0, 0.0);
        for seed in 0..options.seeds {
            let (points, truth) = read_rows(&file, options.rows, seed)?;
            n = points.len();
            let start = std::time::Instant::now();
            let curve = curve(&points, &truth, strategy, options, seed)?;
            ms += start.elapsed().as_secs_f64() * 1e3
                / (AT[AT.len() - 1] as f64 * options.seeds as f64);
            for (mean, score) in mean.iter_mut().zip(curve) {
                mean.all += score.all / options.seeds as f64;
                mean.others += score.others / options.seeds as f64;
            }
        }
        for (total, mean) in total.iter_mut().zip(mean) {
            total.all += mean.all;
            total.others += mean.others;
        }
        count += 1.0;
        row(name, n, &mean, ms);
    }
    let mean = total.map(|score| Score { all: score.all / count, others: score.others / count });
    row("mean", 0, &mean, 0.0);
    println!();
    Ok(())
}

fn row(name: &str, n: usize, scores: &[Score; AT.len()], ms: f64) {
    let cells = scores.map(|score| format!("{:.3}", score.all)).join(" | ");
    let others = scores[AT.iter().position(|&at| at == 100).unwrap_or(0)].others;
    println!("| {name} | {n} | {cells} | {:.3} | {others:.3} | {ms:.1} |", area(scores));
}

/// The mean of the curve from the first to the last number of answers.
fn area(scores: &[Score; AT.len()]) -> f64 {
    let segments = (1..AT.len())
        .map(|at| (AT[at] - AT[at - 1]) as f64 * f64::midpoint(scores[at - 1].all, scores[at].all));
    segments.sum::<f64>() / (AT[AT.len() - 1] - AT[0]) as f64
}

fn curve(
    points: &Points,
    truth: &[Label],
    strategy: Strategy,
    options: &Options,
    seed: u64,
) -> Outcome<Vec<Score>> {
    let oracle = SimulatedOracle::new(truth.to_vec(), truth.len(), options.noise, seed)?;
    let how = SessionOptions {
        strategy,
        judging: 0.0,
        repeats: options.repeats,
        seed,
        ..SessionOptions::default()
    };
    let mut session = Session::new(Problem::unsupervised(points.clone()), how, &Silent)?;
    let mut curve = Vec::new();
    for done in 0..AT[AT.len() - 1] {
        if let Some(next) = session.questions(1, &Silent)?.pop() {
            let answer = oracle.answer(&next.question, done);
            session.answer(&next, answer, 1.0, None)?;
        }
        if AT.contains(&(done + 1)) {
            curve.push(score(session.state(), truth)?);
        }
    }
    Ok(curve)
}

fn score(state: &AskState, truth: &[Label]) -> Outcome<Score> {
    let found = state.clusters()?;
    let named = state.answered().iter().flat_map(|answered| answered.question.points());
    let named: HashSet<usize> = named.collect();
    let others = |labels: &[Label]| -> Vec<Label> {
        let kept = labels.iter().enumerate().filter(|(point, _)| !named.contains(point));
        kept.map(|(_, label)| *label).collect()
    };
    let left = others(truth);
    Ok(Score {
        all: adjusted_rand(&found, truth)?,
        others: if left.is_empty() { 1.0 } else { adjusted_rand(&others(&found), &left)? },
    })
}

fn read_rows(path: &str, n: usize, seed: u64) -> Outcome<(Points, Vec<Label>)> {
    let all = read_table(path, &TableOptions::default())?.points;
    let classes = read_partition(path, &PartitionOptions::default())?.labels;
    let rows = rng_stream(seed, 0).sorted_sample(all.len(), n.min(all.len()));
    let points = all.select(&rows);
    let points = Scale::Standard.fit(&points).apply(&points)?;
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let truth = rows.iter().map(|&row| {
        let next = numbers.len();
        Some(*numbers.entry(classes[row].clone()?).or_insert(next))
    });
    Ok((points, truth.collect()))
}
