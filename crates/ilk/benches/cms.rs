//! Constrained mean shift in the paper's mode: its time beside a plain single-threaded double loop
//! of the same algorithm (the oracle of the tests) and beside what the released program took, and how
//! time and memory grow with the points and with the constraints. Prints Markdown tables.
//!
//! Every run of the growth tables is a process of its own, so that its peak memory is its own.

use std::process::Command;

use ilk::datasets::{ConstraintSampler, Moons};
use ilk::method::{AnyMethod, Cms, CmsMode, Method};
use ilk::ndarray::{Array1, Array2, Axis};
use ilk::numerics::rng::rng;
use ilk::observe::Silent;
use ilk::problem::{CannotLinkSets, MustLinkPolicy, Points, Problem};
use ndarray_npy::NpzReader;

mod measure;
#[allow(dead_code, reason = "the tests use all of it")]
#[path = "../tests/it/cms/plain.rs"]
mod plain;
#[path = "../tests/it/shared.rs"]
mod shared;

use measure::{peak_mb, seconds};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const SEED: u64 = 1;
const THREADS: usize = 2;

/// A data set of the paper.
#[derive(Clone, Copy)]
struct Set {
    name: &'static str,
    /// Rows drawn, where not all are used.
    n: usize,
    /// What the released program took, in seconds.
    released: [f64; 2],
}

const SETS: [Set; 5] = [
    Set { name: "moons", n: 500, released: [205.0, 205.0] },
    Set { name: "jain", n: 373, released: [61.0, 94.0] },
    Set { name: "aggregation", n: 788, released: [44.0, 85.0] },
    Set { name: "s4", n: 1000, released: [52.0, 87.0] },
    Set { name: MNIST, n: 2000, released: [127.0, 127.0] },
];

const MNIST: &str = "cms_emb_mnist";

fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    rayon::ThreadPoolBuilder::new().num_threads(THREADS).build_global()?;
    if let Some(at) = args.iter().position(|arg| arg == "--run") {
        return run_alone(&args[at + 1..]);
    }
    let quick = args.iter().any(|arg| arg == "--quick");
    println!("## Constrained mean shift, the paper's mode, {THREADS} threads\n");
    against_others(quick)?;
    growth_with_points(quick)?;
    growth_with_constraints(quick)
}

/// Our time, the plain loop's and the released program's.
fn against_others(quick: bool) -> Outcome<()> {
    println!(
        "Seconds with as many answers as points (random pairs, closure on, features scaled to 0 to \
         1). The plain loop is single-threaded, over all points and constraints, in double \
         precision; ties are where its own clusters change if a threshold of merging is off by 1e-9. \
         The released program was measured once on a machine of this kind; a range where \
         its time depended on the draw.{}\n",
        if quick { " A quick run: at most 150 points of each." } else { "" }
    );
    println!(
        "| data | n | pairs apart | iterations | ours | plain loop | plain / ours | same clusters | \
         released program | released / ours |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for set in SETS {
        let n = if quick { set.n.min(150) } else { set.n };
        let Some(problem) = problem(set.name, n, n)? else {
            println!("| {} | not in ../shared | | | | | | | | |", set.name);
            continue;
        };
        let params = paper(set.name);
        let method = AnyMethod::Cms(params.clone());
        let (ours, fit) = seconds(3, || method.fit(&problem, &Silent));
        let found = fit?.clustering;
        let points = points_of(&problem)?;
        let pairs = plain::closure_pairs(problem.constraints());
        let settings = plain::settings(&params, points);
        let (plain, expected) =
            seconds(1, || plain::shift(points.as_slice(), points.dims(), &pairs, &settings));
        let labels: Vec<usize> = found.labels.iter().flatten().copied().collect();
        let is_tie = || expected.labels_nearby.iter().any(|l| *l != expected.labels);
        let same = if plain::numbered(&labels) == plain::numbered(&expected.labels) {
            "yes"
        } else if is_tie() {
            "but for ties"
        } else {
            "no"
        };
        let [low, high] = set.released;
        let (released, ratio) = match (quick, low == high) {
            (true, _) => (String::new(), String::new()),
            (false, true) => (format!("{low:.0}"), format!("{:.0}", low / ours)),
            (false, false) => (
                format!("{low:.0} to {high:.0}"),
                format!("{:.0} to {:.0}", low / ours, high / ours),
            ),
        };
        println!(
            "| {} | {n} | {} | {} | {ours:.3} | {plain:.1} | {:.0} | {} | {released} | {ratio} |",
            set.name,
            pairs.len() / 2,
            found.iterations,
            plain / ours,
            same,
        );
    }
    println!();
    Ok(())
}

/// Runs that differ in one number.
#[derive(Clone, Copy)]
struct Series {
    name: &'static str,
    closure: bool,
}

const SERIES: [Series; 3] = [
    Series { name: "moons", closure: true },
    Series { name: "moons", closure: false },
    Series { name: MNIST, closure: true },
];

/// Time and memory by the number of points, with as many answers as points.
fn growth_with_points(quick: bool) -> Outcome<()> {
    println!("### Growth with the number of points, as many answers as points\n");
    println!("20,000 points with 20,000 answers must stay below 4,096 MB.\n");
    let sizes: &[usize] =
        if quick { &[200, 400, 800] } else { &[500, 1000, 2000, 5000, 10_000, 20_000] };
    let runs: Vec<(usize, usize)> = sizes.iter().map(|&n| (n, n)).collect();
    growth(&runs, |(n, _)| n, "n", quick)
}

/// Time and memory by the number of answers.
fn growth_with_constraints(quick: bool) -> Outcome<()> {
    let n = if quick { 400 } else { 2000 };
    println!("### Growth with the number of answers, {n} points\n");
    let counts = [n / 8, n / 4, n / 2, n, 2 * n, 4 * n];
    let runs: Vec<(usize, usize)> = counts.iter().map(|&answers| (n, answers)).collect();
    growth(&runs, |(_, answers)| answers, "the answers", quick)
}

/// A table of runs, of (points, answers), and the power of what `of` says with which seconds grow.
fn growth(
    runs: &[(usize, usize)],
    of: impl Fn((usize, usize)) -> usize,
    what: &str,
    quick: bool,
) -> Outcome<()> {
    let limit = if quick { 4.0 } else { 250.0 };
    println!("| data | n | answers | pairs apart | iterations | seconds | peak memory, MB |");
    println!("|---|---|---|---|---|---|---|");
    let mut exponents = Vec::new();
    for series in SERIES {
        let mut measured: Vec<(f64, f64)> = Vec::new();
        for &(n, answers) in runs {
            let x = of((n, answers)) as f64;
            let expected = foreseen(&measured, x);
            if expected > limit {
                println!("| {series} | {n} | {answers} | | | about {expected:.0}, not run | |");
                break;
            }
            let Some(run) = measure(series, n, answers)? else {
                println!("| {series} | not in ../shared | | | | | |");
                break;
            };
            println!(
                "| {series} | {n} | {answers} | {} | {} | {:.3} | {:.0} |",
                run.pairs, run.iterations, run.seconds, run.peak_mb
            );
            measured.push((x, run.seconds));
        }
        if measured.len() > 2 {
            exponents.push(format!("{:.2} ({series})", slope(&measured)));
        }
    }
    let exponents = exponents.join(", ");
    println!("\nFitted, seconds grow as {what} to the power of {exponents}.\n");
    Ok(())
}

/// The seconds at `x`, as the last two runs grew.
fn foreseen(measured: &[(f64, f64)], x: f64) -> f64 {
    match measured {
        [] => 0.0,
        [(_, seconds)] => *seconds,
        [.., before, last] => last.1 * (x / last.0).powf(slope(&[*before, *last])),
    }
}

impl std::fmt::Display for Series {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let closure = if self.closure { "" } else { ", closure off" };
        write!(f, "{}{closure}", self.name)
    }
}

/// What a run took.
struct Measured {
    pairs: String,
    iterations: String,
    seconds: f64,
    peak_mb: f64,
}

/// A run in a process of its own; `None` where its data is not here.
fn measure(series: Series, n: usize, answers: usize) -> Outcome<Option<Measured>> {
    let child = Command::new(std::env::current_exe()?)
        .arg("--run")
        .args([series.name, &series.closure.to_string()])
        .args([n.to_string(), answers.to_string()])
        .output()?;
    if !child.status.success() {
        return Err(String::from_utf8_lossy(&child.stderr).into());
    }
    let constraints = String::from_utf8(child.stdout)?;
    let constraints: Vec<&str> = constraints.split_whitespace().collect();
    let [pairs, iterations, seconds, peak_mb] = constraints[..] else {
        return Ok(None);
    };
    Ok(Some(Measured {
        pairs: pairs.to_owned(),
        iterations: iterations.to_owned(),
        seconds: seconds.parse()?,
        peak_mb: peak_mb.parse()?,
    }))
}

/// One run, of `[name, closure, points, answers]`: prints pairs apart, iterations, seconds and peak
/// memory in MB, or nothing where the data is not here.
fn run_alone(args: &[String]) -> Outcome<()> {
    let [name, closure, n, answers] = args else {
        return Err("--run takes a data set, closure, points and answers".into());
    };
    let Some(problem) = problem(name, n.parse()?, answers.parse()?)? else {
        return Ok(());
    };
    let params = Cms { closure: closure.parse()?, ..paper(name) };
    let spread = if params.closure { MustLinkPolicy::Hard } else { MustLinkPolicy::Soft };
    let pairs = CannotLinkSets::new(problem.constraints(), spread).n_pairs();
    let method = AnyMethod::Cms(params);
    let (seconds, fit) = seconds(1, || method.fit(&problem, &Silent));
    let iterations = fit?.clustering.iterations;
    println!("{pairs} {iterations} {seconds} {}", peak_mb());
    Ok(())
}

/// The paper's settings: one for images, one for sets in the plane.
fn paper(name: &str) -> Cms {
    let images = Cms { mode: CmsMode::Paper, ..Cms::default() };
    if name == MNIST {
        return images;
    }
    Cms { max_iter: 100, merge_kernel: 0.995, merge_weight: 0.0, ..images }
}

/// `n` points of a data set with answers about them; `None` where the data is not here.
fn problem(name: &str, n: usize, n_pairs: usize) -> Outcome<Option<Problem>> {
    let Some((x, y)) = read(name, n)? else {
        return Ok(None);
    };
    let x = scaled(x);
    let mut rng = rng(SEED);
    // The released program draws from s4 with replacement.
    let drawn = match (name, n < y.len()) {
        ("s4", _) => (0..n).map(|_| rng.below(y.len())).collect(),
        (_, true) => rng.sample(y.len(), n),
        (_, false) => (0..y.len()).collect(),
    };
    let truth: Vec<Option<usize>> = drawn.iter().map(|&i| Some(y[i])).collect();
    let sampler = ConstraintSampler { n_pairs, ..Default::default() };
    let constraints = sampler.draw(&truth, SEED)?.constraints;
    let points = Points::new(x.select(Axis(0), &drawn))?;
    Ok(Some(Problem::new(points, constraints)?))
}

/// The whole set with its classes.
fn read(name: &str, n: usize) -> Outcome<Option<(Array2<f64>, Vec<usize>)>> {
    if name == "moons" {
        let moons = Moons { n, ..Default::default() };
        let moons = moons.generate(SEED)?;
        return Ok(moons.points().map(|x| (x.clone(), moons.labels.clone())));
    }
    let Some(path) = shared::shared(&format!("data/{name}/{name}.npz")) else {
        return Ok(None);
    };
    let mut npz = NpzReader::new(std::fs::File::open(path)?)?;
    let x: Array2<f64> = if name == MNIST {
        npz.by_name::<_, ilk::ndarray::Ix2>("X").map(|x: Array2<f32>| x.mapv(f64::from))?
    } else {
        npz.by_name("X")?
    };
    let y: Array1<i32> = npz.by_name("y")?;
    let y = y.iter().map(|&class| usize::try_from(class));
    Ok(Some((x, y.collect::<Result<_, _>>()?)))
}

/// Every column scaled to 0 to 1.
fn scaled(mut x: Array2<f64>) -> Array2<f64> {
    for mut column in x.columns_mut() {
        let low = column.iter().copied().fold(f64::INFINITY, f64::min);
        let high = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if high > low {
            column.mapv_inplace(|x| (x - low) / (high - low));
        }
    }
    x
}

fn points_of(problem: &Problem) -> Outcome<&Points> {
    match problem.input() {
        ilk::problem::Input::Points(points) => Ok(points),
        _ => Err("points were put in".into()),
    }
}

/// The exponent b of the power law t = a x^b that fits best, by least squares of the logarithms.
fn slope(measured: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = measured.iter().map(|(x, t)| (x.ln(), t.ln())).collect();
    let count = logs.len() as f64;
    let mean_x = logs.iter().map(|(x, _)| x).sum::<f64>() / count;
    let mean_t = logs.iter().map(|(_, t)| t).sum::<f64>() / count;
    let covariance: f64 = logs.iter().map(|(x, t)| (x - mean_x) * (t - mean_t)).sum();
    let variance: f64 = logs.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    covariance / variance
}
