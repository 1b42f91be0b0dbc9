//! What a question costs: every strategy and kind of question on many points, with right and wrong answers. Prints a
//! Markdown table. Names of strategies as arguments select those.

use std::time::Instant;

use ilk::ask::{QuestionKind, Session, SessionOptions, SimulatedOracle, Strategy};
use ilk::ndarray::Array2;
use ilk::numerics::rng::rng;
use ilk::observe::Silent;
use ilk::problem::{Points, Problem};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const SEED: u64 = 1;
const GROUPS: usize = 10;
const DIMS: usize = 10;

fn main() -> Outcome<()> {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    let args: Vec<String> = std::env::args().collect();
    let is_quick = args.iter().any(|arg| arg == "--quick");
    let sizes: &[usize] = if is_quick { &[2000] } else { &[800, 10_000, 100_000] };
    let answers = if is_quick { 50 } else { 200 };
    println!("## Asking, 1 thread\n");
    println!(
        "{GROUPS} Gaussian groups of deviation 1 in {DIMS} dimensions, their centres drawn with deviation 2; sessions of \
         {answers} answers with the default shares of judging and repeats. Prepare: before the first question. A question: the \
         milliseconds from an answer to the next question, with the clusters and what the status line tells.\n"
    );
    println!("| n | strategy | kind | wrong | prepare, s | question, median | 95% | slowest |");
    println!("|---|---|---|---|---|---|---|---|");
    for &n in sizes {
        let (points, truth) = groups(n)?;
        let named = |(strategy, _): &(Strategy, QuestionKind)| {
            let name = strategy.to_string();
            args.contains(&name) || Strategy::ALL.iter().all(|s| !args.contains(&s.to_string()))
        };
        for (strategy, kind) in contenders().into_iter().filter(named) {
            for noise in [0.0, 0.1] {
                row(&points, &truth, strategy, kind, noise, answers)?;
            }
        }
    }
    println!();
    Ok(())
}

fn groups(n: usize) -> Outcome<(Points, Vec<Option<usize>>)> {
    let mut rng = rng(SEED);
    let centers = Array2::from_shape_fn((GROUPS, DIMS), |_| 2.0 * rng.normal());
    let x = Array2::from_shape_fn((n, DIMS), |(i, j)| centers[[i % GROUPS, j]] + rng.normal());
    Ok((Points::new(x)?, (0..n).map(|i| Some(i % GROUPS)).collect()))
}

/// Every strategy with every kind that it asks.
fn contenders() -> Vec<(Strategy, QuestionKind)> {
    let kinds =
        [QuestionKind::Pair, QuestionKind::Triplet, QuestionKind::Group, QuestionKind::Label];
    let each = |strategy: Strategy| kinds.into_iter().map(move |kind| (strategy, kind));
    let asks = |(strategy, kind): &(Strategy, QuestionKind)| strategy.questioner(*kind).is_ok();
    Strategy::ALL.into_iter().flat_map(each).filter(asks).collect()
}

fn row(
    points: &Points,
    truth: &[Option<usize>],
    strategy: Strategy,
    kind: QuestionKind,
    noise: f64,
    answers: usize,
) -> Outcome<()> {
    let n = points.len();
    let oracle = SimulatedOracle::new(truth.to_vec(), n, noise, SEED)?;
    let options = SessionOptions { strategy, kind, seed: SEED, ..SessionOptions::default() };
    let start = Instant::now();
    let mut session = Session::new(Problem::unsupervised(points.clone()), options, &Silent)?;
    let prepared = start.elapsed().as_secs_f64();
    let mut times = Vec::new();
    for number in 0..answers {
        let start = Instant::now();
        let Some(next) = session.questions(1, &Silent)?.pop() else { break };
        session.answer(&next, oracle.answer(&next.question, number), 1.0, None)?;
        session.clusters()?;
        session.agreement()?;
        session.expected_gain(10, &Silent)?;
        times.push(1e3 * start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
    println!(
        "| {n} | {strategy} | {kind} | {:.0}% | {prepared:.2} | {:.1} | {:.1} | {:.1} |",
        100.0 * noise,
        at(0.5),
        at(0.95),
        at(1.0),
    );
    Ok(())
}
