//! SKMS from ten thousand to a million points: fit, then every point placed again by the model. Prints a
//! Markdown table. Every run is a process of its own, so that its peak memory is its own.

use std::process::Command;
use std::time::Instant;

use ilk::datasets::ConstraintSampler;
use ilk::evaluate::adjusted_rand;
use ilk::method::{AnyMethod, Method, Skms};
use ilk::ndarray::Array2;
use ilk::numerics::rng::rng;
use ilk::observe::Silent;
use ilk::problem::{Input, Points, Problem};

mod measure;

use measure::peak_mb;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const SEED: u64 = 1;
const THREADS: usize = 2;
const GROUPS: usize = 8;
const DIMS: usize = 10;
const LABELLED: usize = 12;

fn main() -> Outcome<()> {
    rayon::ThreadPoolBuilder::new().num_threads(THREADS).build_global()?;
    let args: Vec<String> = std::env::args().collect();
    if let Some(at) = args.iter().position(|arg| arg == "--run") {
        return run_alone(args.get(at + 1).ok_or("--run takes a number of points")?.parse()?);
    }
    let sizes: &[usize] = if args.iter().any(|arg| arg == "--quick") {
        &[2000, 20_000]
    } else {
        &[10_000, 100_000, 1_000_000]
    };
    println!("## SKMS on many points, {THREADS} threads\n");
    println!(
        "{GROUPS} Gaussian groups of deviation 1 in {DIMS} dimensions, their centres drawn with deviation 2; \
         {LABELLED} labelled points a group give all must-links and as many cannot-links. Default \
         parameters. Fit: settings chosen by held-out answers, the kernel learned, 5,000 points climb, all \
         others placed. Predict: all points placed again by the model.\n"
    );
    println!("| n | answers | fit, s | predict, s | clusters | ARI | peak memory, MB |");
    println!("|---|---|---|---|---|---|---|");
    for n in sizes {
        let child =
            Command::new(std::env::current_exe()?).args(["--run", &n.to_string()]).output()?;
        if !child.status.success() {
            return Err(String::from_utf8_lossy(&child.stderr).into());
        }
        print!("{}", String::from_utf8(child.stdout)?);
    }
    println!();
    Ok(())
}

/// One run; prints its row of the table.
fn run_alone(n: usize) -> Outcome<()> {
    let mut rng = rng(SEED);
    let centers = Array2::from_shape_fn((GROUPS, DIMS), |_| 2.0 * rng.normal());
    let x = Array2::from_shape_fn((n, DIMS), |(i, j)| centers[[i % GROUPS, j]] + rng.normal());
    let truth: Vec<Option<usize>> = (0..n).map(|i| Some(i % GROUPS)).collect();
    let sampler = ConstraintSampler { per_class: LABELLED, ..ConstraintSampler::default() };
    let constraints = sampler.draw(&truth, SEED)?.constraints;
    let n_answers = constraints.must_links().len() + constraints.cannot_links().len();
    let problem = Problem::new(Points::new(x)?, constraints)?;

    let start = Instant::now();
    let fit = AnyMethod::Skms(Skms::default()).fit(&problem, &Silent)?;
    let fitted = start.elapsed().as_secs_f64();
    let Input::Points(points) = problem.input() else {
        return Err("the input is points".into());
    };
    let start = Instant::now();
    let placed = fit.model.predict(points)?;
    let predicted = start.elapsed().as_secs_f64();

    let truth: Vec<usize> = (0..n).map(|i| i % GROUPS).collect();
    let ari = adjusted_rand(&truth, &placed)?;
    println!(
        "| {n} | {n_answers} | {fitted:.1} | {predicted:.1} | {} | {ari:.3} | {:.0} |",
        fit.clustering.n_clusters,
        peak_mb()
    );
    Ok(())
}
