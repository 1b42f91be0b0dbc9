//! The ten nearest of 256 queries among n points in d dimensions, on one thread: our tree, our scan,
//! and kiddo's tree beside them. Where the scan wins is the switch in `numerics::neighbors`.
//!
//! Twenty clusters are what a clustering library is asked about; one round Gaussian is the worst
//! case, in which no box can be left out. Prints a Markdown table.

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::time::Instant;

use ilk::ndarray::Array2;
use ilk::numerics::neighbors::{Neighbors, SelfNeighbor};
use ilk::numerics::rng::rng;
use kiddo::{ImmutableKdTree, SquaredEuclidean};

const K: usize = 10;
const QUERIES: usize = 256;
const RUNS: usize = 15;

fn gaussians(clusters: usize, n: usize, dims: usize) -> Array2<f64> {
    let mut rng = rng(1);
    let centers = Array2::from_shape_fn((clusters, dims), |_| 5.0 * rng.normal());
    Array2::from_shape_fn((n, dims), |(i, k)| centers[[i % clusters, k]] + rng.normal())
}

/// A run of all queries on kiddo's tree, already built.
fn kiddo<const D: usize>(points: &Array2<f64>, rows: &[usize]) -> Box<dyn Fn()> {
    let entries: Vec<[f64; D]> =
        points.rows().into_iter().map(|row| std::array::from_fn(|k| row[k])).collect();
    let tree = ImmutableKdTree::<f64, D>::new_from_slice(&entries).unwrap();
    let queries: Vec<[f64; D]> = rows.iter().map(|&row| entries[row]).collect();
    // Its own point comes back with the others.
    let k = NonZeroUsize::new(K + 1).unwrap();
    Box::new(move || {
        for query in &queries {
            black_box(tree.query(query).nearest_n::<SquaredEuclidean<f64>>(k).execute());
        }
    })
}

/// Microseconds a query, the best of some runs of all queries.
fn micros(mut run: impl FnMut()) -> f64 {
    let best = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min);
    best * 1e6 / QUERIES as f64
}

fn main() {
    // One thread: the queries of each index are timed, not the pool.
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    if let Err(error) = one_thread.build_global() {
        eprintln!("{error}");
        std::process::exit(1);
    }
    println!("## The {K} nearest neighbours, one thread\n");
    println!("Microseconds a query over {QUERIES} queries, the best of {RUNS} runs.\n");
    println!("| data | n | d | tree | scan | kiddo | tree / kiddo |");
    println!("|---|---|---|---|---|---|---|");
    for (data, clusters) in [("20 clusters", 20), ("1 Gaussian", 1)] {
        for n in [5_000, 50_000] {
            for dims in [2, 3, 4, 8, 12, 16, 24] {
                let points = gaussians(clusters, n, dims);
                let rows = rng(2).sample(n, QUERIES);
                let [tree, scan] = [Neighbors::tree(points.view()), Neighbors::scan(points.view())]
                    .map(|index| {
                        micros(|| {
                            black_box(index.nearest_of(
                                black_box(&rows),
                                K,
                                SelfNeighbor::Excluded,
                            ));
                        })
                    });
                let kiddo = micros(match dims {
                    2 => kiddo::<2>(&points, &rows),
                    3 => kiddo::<3>(&points, &rows),
                    4 => kiddo::<4>(&points, &rows),
                    8 => kiddo::<8>(&points, &rows),
                    12 => kiddo::<12>(&points, &rows),
                    16 => kiddo::<16>(&points, &rows),
                    _ => kiddo::<24>(&points, &rows),
                });
                let ratio = tree / kiddo;
                println!(
                    "| {data} | {n} | {dims} | {tree:.1} | {scan:.1} | {kiddo:.1} | {ratio:.2} |"
                );
            }
        }
    }
}
