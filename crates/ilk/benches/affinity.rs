//! E2CP, spectral learning and k-means with penalties: how good their clusters are on small sets, and
//! what many points cost. Prints Markdown tables. Every large run is a process of its own, so that its
//! peak memory is its own.

use std::fs::File;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use ilk::datasets::{ConcentricCircles, ConstraintSampler, OlympicCircles, TwoCircles};
use ilk::evaluate::adjusted_rand;
use ilk::group::GroupingAlgorithm;
use ilk::group::hmrf_kmeans::HmrfKMeans;
use ilk::group::spectral::Spectral;
use ilk::method::{AnyMethod, E2cp, Method, SpectralLearning};
use ilk::ndarray::{Array1, Array2, Axis};
use ilk::numerics::quantile::Quantile;
use ilk::numerics::rng::rng;
use ilk::observe::Silent;
use ilk::parameter::AutoOr;
use ilk::problem::{Constraints, Points, Problem};
use ilk::similarity::graph::{EdgeRule, EdgeWeight, OneSided, neighbor_graph};
use ilk::supervise::propagate::Propagated;
use ndarray_npy::NpzReader;

mod measure;

use measure::peak_mb;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const THREADS: usize = 2;
const SEEDS: u64 = 5;
const GROUPS: usize = 8;
const DIMS: usize = 10;
const LABELLED: usize = 12;

fn main() -> Outcome<()> {
    rayon::ThreadPoolBuilder::new().num_threads(THREADS).build_global()?;
    let args: Vec<String> = std::env::args().collect();
    if let Some(at) = args.iter().position(|arg| arg == "--run") {
        let [name, n] = [1, 2].map(|more| args.get(at + more).cloned());
        let name = name.ok_or("--run takes a method and a number of points")?;
        return run_alone(&name, n.ok_or("--run takes a number of points")?.parse()?);
    }
    let quick = args.iter().any(|arg| arg == "--quick");
    quality(if quick { 2 } else { SEEDS })?;
    let sizes: &[usize] = if quick { &[2000, 20_000] } else { &[10_000, 100_000] };
    growth(sizes)
}

/// The sets of the table, and labelled points a class.
const SETS: [(&str, usize, f64); 12] = [
    ("concentric circles", 7, 0.49),
    ("concentric circles", 15, 0.64),
    ("digits", 5, 0.83),
    ("digits", 15, 0.93),
    ("iris", 15, 0.85),
    ("wine", 15, 0.88),
    ("two circles", 15, 1.0),
    ("Olympic circles", 20, 0.73),
    ("jain", 5, f64::NAN),
    ("pathbased", 5, f64::NAN),
    ("segment", 10, f64::NAN),
    ("wdbc", 10, f64::NAN),
];

fn quality(seeds: u64) -> Outcome<()> {
    println!("## Clustering by affinities, 2 threads\n");
    println!(
        "ARI on all points, the mean of {seeds} draws of points and answers: all must-links among so many \
         labelled points a class, and as many cannot-links. Earlier: what another implementation of E2CP \
         reached, with 20 neighbours, α = 0.4 and the width of its Gaussian set by hand (0.5 on Olympic, 0.3 on \
         concentric circles, a third of the median distance elsewhere). Same settings: ours with those; whole: the same with \
         all n x n affinities kept, not only those that matter. The rest are defaults.\n"
    );
    println!(
        "| set, labelled a class | earlier | E2CP, same settings | whole | E2CP | spectral learning | HMRF k-means |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (name, labelled, earlier) in SETS {
        let mut sums = [0.0; 5];
        for seed in 0..seeds {
            let Some((points, truth)) = set(name, seed)? else {
                println!("| {name}, {labelled} | not in ../shared | | | | | |");
                break;
            };
            for (sum, ari) in sums.iter_mut().zip(scores(name, &points, &truth, labelled, seed)?) {
                *sum += ari / seeds as f64;
            }
        }
        let earlier = if earlier.is_nan() { String::new() } else { format!("{earlier:.2}") };
        let cells: Vec<String> = sums.iter().map(|ari| format!("{ari:.3}")).collect();
        println!("| {name}, {labelled} | {earlier} | {} |", cells.join(" | "));
    }
    println!();
    Ok(())
}

/// ARI of E2CP with the width of the table, the same on the whole matrix, and the defaults of three
/// methods.
fn scores(
    name: &str,
    points: &Points,
    truth: &[usize],
    labelled: usize,
    seed: u64,
) -> Outcome<[f64; 5]> {
    let known: Vec<Option<usize>> = truth.iter().map(|&t| Some(t)).collect();
    let sampler = ConstraintSampler { per_class: labelled, ..ConstraintSampler::default() };
    let constraints = sampler.draw(&known, seed)?.constraints;
    let problem = Problem::new(points.clone(), constraints.clone())?;
    let n_clusters = truth.iter().max().map_or(1, |last| last + 1);
    let sigma = match name {
        "Olympic circles" => 0.5,
        "concentric circles" => 0.3,
        _ => median_distance(points) / 3.0,
    };
    let e2cp = E2cp { n_clusters: n_clusters.into(), ..E2cp::default() };
    let ari = |method: AnyMethod| -> Outcome<f64> {
        let labels = method.fit(&problem, &Silent)?.clustering.labels;
        Ok(adjusted_rand(&known, &labels)?)
    };
    Ok([
        ari(AnyMethod::E2cp(E2cp {
            sigma: AutoOr::Fixed(sigma),
            n_neighbors: 20,
            alpha: 0.4,
            ..e2cp.clone()
        }))?,
        whole(points, &constraints, sigma, n_clusters, &known)?,
        ari(AnyMethod::E2cp(e2cp))?,
        ari(AnyMethod::SpectralLearning(SpectralLearning {
            n_clusters: n_clusters.into(),
            ..SpectralLearning::default()
        }))?,
        ari(AnyMethod::HmrfKMeans(HmrfKMeans {
            n_clusters: n_clusters.into(),
            ..HmrfKMeans::default()
        }))?,
    ])
}

/// E2CP with all n x n affinities.
fn whole(
    points: &Points,
    constraints: &Constraints,
    sigma: f64,
    n_clusters: usize,
    known: &[Option<usize>],
) -> Outcome<f64> {
    let edges = EdgeRule::Nearest { neighbors: 20, one_sided: OneSided::Halved };
    let graph = neighbor_graph(points, edges, EdgeWeight::Gaussian { sigma })?;
    let affinity = Propagated::new(&graph, constraints, 0.4, &Silent)?.whole()?;
    let spectral = Spectral { n_clusters, ..Spectral::default() };
    let labels = spectral.group(affinity.view(), &Silent)?.0.labels;
    Ok(adjusted_rand(known, &labels)?)
}

fn median_distance(points: &Points) -> f64 {
    let mut distances = Vec::new();
    for i in 0..points.len() {
        for j in 0..i {
            let pairs = points.row(i).iter().zip(points.row(j));
            distances.push(pairs.map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt());
        }
    }
    Quantile::new(&mut distances, 0.5).map_or(1.0, Quantile::value)
}

/// Points and their classes, or none where the set is not beside the checkout.
fn set(name: &str, seed: u64) -> Outcome<Option<(Points, Vec<usize>)>> {
    let generated = match name {
        "concentric circles" => Some(ConcentricCircles::default().generate(seed)?),
        "Olympic circles" => Some(OlympicCircles::default().generate(seed)?),
        "two circles" => Some(TwoCircles::default().generate(seed)?),
        _ => None,
    };
    if let Some(set) = generated {
        let data = set.points().ok_or("it has points")?.clone();
        return Ok(Some((Points::new(data)?, set.labels)));
    }
    let file = if name == "digits" { "digits_sklearn" } else { name };
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data")
        .join(format!("{file}/{file}.npz"));
    let Ok(archive) = File::open(path) else {
        return Ok(None);
    };
    let mut archive = NpzReader::new(archive)?;
    let mut x: Array2<f64> = if name == "digits" {
        let bytes: Array2<u8> = archive.by_name("X")?;
        bytes.mapv(f64::from)
    } else {
        archive.by_name("X")?
    };
    let y: Array1<i32> = archive.by_name("y")?;
    let mut classes: Vec<i32> = y.to_vec();
    classes.sort_unstable();
    classes.dedup();
    let mut y: Vec<usize> =
        y.iter().map(|label| classes.partition_point(|class| class < label)).collect();
    if name == "digits" {
        let rows = some_of_each(&y, classes.len(), 50, seed);
        (x, y) = (x.select(Axis(0), &rows), rows.iter().map(|&i| y[i]).collect());
    } else {
        if y.len() > 1000 {
            let mut rows = rng(seed).sample(y.len(), 1000);
            rows.sort_unstable();
            (x, y) = (x.select(Axis(0), &rows), rows.iter().map(|&i| y[i]).collect());
        }
        let deviation = x.std_axis(Axis(0), 0.0).mapv(|s| if s > 0.0 { s } else { 1.0 });
        if let Some(mean) = x.mean_axis(Axis(0)) {
            x = (x - mean) / deviation;
        }
    }
    Ok(Some((Points::new(x)?, y)))
}

/// So many rows of every class, drawn by the seed.
fn some_of_each(y: &[usize], classes: usize, each: usize, seed: u64) -> Vec<usize> {
    let mut rng = rng(seed);
    let mut rows = Vec::new();
    for class in 0..classes {
        let members: Vec<usize> = (0..y.len()).filter(|&i| y[i] == class).collect();
        let drawn = rng.sample(members.len(), each.min(members.len()));
        rows.extend(drawn.into_iter().map(|at| members[at]));
    }
    rows
}

fn growth(sizes: &[usize]) -> Outcome<()> {
    println!("### Many points\n");
    println!(
        "{GROUPS} Gaussian groups of deviation 1 in {DIMS} dimensions, their centres drawn with deviation 2; \
         {LABELLED} labelled points a group. Default parameters.\n"
    );
    println!("| method | n | seconds | ARI | peak memory, MB |");
    println!("|---|---|---|---|---|");
    for name in ["e2cp", "spectral-learning", "hmrf-kmeans"] {
        for n in sizes {
            let child = Command::new(std::env::current_exe()?)
                .args(["--run", name, &n.to_string()])
                .output()?;
            if child.status.success() {
                print!("{}", String::from_utf8(child.stdout)?);
            } else {
                let why = String::from_utf8_lossy(&child.stderr);
                println!("| {name} | {n} | {} | | |", why.trim());
            }
        }
    }
    println!();
    Ok(())
}

/// One large run; prints its row of the table.
fn run_alone(name: &str, n: usize) -> Outcome<()> {
    let mut rng = rng(1);
    let centers = Array2::from_shape_fn((GROUPS, DIMS), |_| 2.0 * rng.normal());
    let x = Array2::from_shape_fn((n, DIMS), |(i, j)| centers[[i % GROUPS, j]] + rng.normal());
    let truth: Vec<Option<usize>> = (0..n).map(|i| Some(i % GROUPS)).collect();
    let sampler = ConstraintSampler { per_class: LABELLED, ..ConstraintSampler::default() };
    let problem = Problem::new(Points::new(x)?, sampler.draw(&truth, 1)?.constraints)?;
    let mut method = AnyMethod::named(name)?;
    match &mut method {
        AnyMethod::E2cp(params) => params.n_clusters = GROUPS.into(),
        AnyMethod::SpectralLearning(params) => params.n_clusters = GROUPS.into(),
        AnyMethod::HmrfKMeans(params) => params.n_clusters = GROUPS.into(),
        _ => return Err("no method of this bench".into()),
    }
    let start = Instant::now();
    let fit = method.fit(&problem, &Silent)?;
    let seconds = start.elapsed().as_secs_f64();
    let ari = adjusted_rand(&truth, &fit.clustering.labels)?;
    println!("| {name} | {n} | {seconds:.1} | {ari:.3} | {:.0} |", peak_mb());
    Ok(())
}
