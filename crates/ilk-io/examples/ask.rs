//! How good clusters are after so many answers, by strategy. Prints tables.
//!
//! ```sh
//! cargo run --release -p ilk-io --example ask -- ../shared/data
//! ```

use std::error::Error;
use std::path::Path;

use ilk::ask::*;
use ilk::evaluate::adjusted_rand;
use ilk::group::Label;
use ilk::numerics::rng::rng_stream;
use ilk::observe::Silent;
use ilk::problem::{Points, Problem};
use ilk_io::{PartitionOptions, Scale, TableOptions, read_partition, read_table};

type Outcome<T> = Result<T, Box<dyn Error>>;
const AT: [usize; 8] = [10, 20, 30, 50, 70, 100, 150, 200];

fn main() -> Outcome<()> {
    let var = |name: &str, default: &str| std::env::var(name).unwrap_or(default.to_owned());
    let folder = var("DATA", "../shared/data");
    let sets = var("SETS", "iris,wine,wdbc,digits_sklearn,ionosphere,aggregation,pathbased,glass");
    let rows: usize = var("ROWS", "400").parse()?;
    let seeds: u64 = var("SEEDS", "2").parse()?;
    let most: usize = var("MOST", "200").parse()?;
    for strategy in var("STRATEGY", "auto").split(',') {
        let strategy: Strategy = Strategy::ALL.into_iter().find(|s| s.name() == strategy).unwrap();
        println!("{}", strategy.name());
        let mut sum = vec![0.0; AT.len()];
        let mut count = 0.0;
        for name in sets.split(',') {
            let table = format!("{folder}/{name}/{name}.npz");
            if !Path::new(&table).exists() {
                eprintln!("no {name}");
                continue;
            }
            let mut mean = vec![0.0; AT.len()];
            let start = std::time::Instant::now();
            let mut k = 0;
            for seed in 0..seeds {
                let (points, truth) = read_rows(&table, rows, seed)?;
                k = points.len();
                let curve = run(&points, &truth, seed, most, strategy)?;
                for (m, c) in mean.iter_mut().zip(&curve) {
                    *m += c / seeds as f64;
                }
            }
            for (s, m) in sum.iter_mut().zip(&mean) {
                *s += m;
            }
            count += 1.0;
            print!("{name:<18}{k:>5}");
            for m in &mean {
                print!(" {m:.3}");
            }
            println!("   {:.1}s", start.elapsed().as_secs_f64());
        }
        print!("{:<18}     ", "mean");
        for s in &sum {
            print!(" {:.3}", s / count);
        }
        println!();
    }
    Ok(())
}

fn run(
    points: &Points,
    truth: &[Label],
    seed: u64,
    most: usize,
    strategy: Strategy,
) -> Outcome<Vec<f64>> {
    let mut state = AskState::new(Problem::unsupervised(points.clone()), seed, &Silent)?;
    let asker = strategy.questioner(QuestionKind::Pair)?;
    let mut curve = Vec::new();
    for done in 1..=most {
        let Some(next) = asker.questions(&state, 1, &Silent)?.into_iter().next() else { break };
        let Question::Pair { points: [a, b] } = next.question else { panic!() };
        let answer = if truth[a] == truth[b] { Answer::Same } else { Answer::Different };
        if std::env::var("TRACE").is_ok() {
            println!(
                "{done} {:?} {:?} {:?} {:?} value {:.2} classes {}",
                next.question,
                truth[a],
                truth[b],
                answer,
                next.value,
                state.clusters()?.iter().flatten().max().unwrap() + 1
            );
        }
        state = state.with(Answered::new(next.question, answer))?;
        if AT.contains(&done) {
            if std::env::var("UNASKED").is_ok() {
                let found = state.clusters()?;
                let asked: std::collections::HashSet<usize> =
                    state.answered().iter().flat_map(|a| a.question.points()).collect();
                let left: Vec<usize> = (0..truth.len()).filter(|i| !asked.contains(i)).collect();
                let pick = |of: &[Label]| -> Vec<Label> { left.iter().map(|&i| of[i]).collect() };
                curve.push(if left.is_empty() {
                    1.0
                } else {
                    adjusted_rand(&pick(&found), &pick(truth))?
                });
            } else {
                curve.push(adjusted_rand(&state.clusters()?, truth)?);
            }
        }
    }
    while curve.len() < AT.len() {
        curve.push(adjusted_rand(&state.clusters()?, truth)?);
    }
    Ok(curve)
}

fn read_rows(path: &str, n: usize, seed: u64) -> Outcome<(Points, Vec<Label>)> {
    let all = read_table(path, &TableOptions::default())?.points;
    let classes = read_partition(path, &PartitionOptions::default())?.labels;
    let rows = rng_stream(seed, 0).sorted_sample(all.len(), n.min(all.len()));
    let points = all.select(&rows);
    let points = Scale::Standard.fit(&points).apply(&points)?;
    let mut numbers = std::collections::BTreeMap::new();
    let truth = rows.iter().map(|&row| {
        let next = numbers.len();
        Some(*numbers.entry(classes[row].clone()?).or_insert(next))
    });
    Ok((points, truth.collect()))
}
