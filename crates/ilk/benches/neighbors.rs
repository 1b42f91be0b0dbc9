//! The ten nearest of 256 queries among n points in d dimensions, on one thread: our tree, our scan,
//! and kiddo's tree beside them. Where the scan wins is the switch in `numerics::neighbors`.
//!
//! Twenty clusters are what a clustering library is asked about; one round Gaussian is the worst
//! case, in which no box can be left out.
#![allow(missing_docs, reason = "criterion's macros make public items")]

use std::hint::black_box;
use std::num::NonZeroUsize;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use ilk::ndarray::Array2;
use ilk::numerics::neighbors::{Itself, Neighbors};
use ilk::numerics::rng::rng;
use kiddo::{ImmutableKdTree, SquaredEuclidean};

const K: usize = 10;
const QUERIES: usize = 256;

fn gaussians(clusters: usize, n: usize, dims: usize) -> Array2<f64> {
    let mut rng = rng(1);
    let centers = Array2::from_shape_fn((clusters, dims), |_| 5.0 * rng.normal());
    Array2::from_shape_fn((n, dims), |(i, k)| {
        centers[[i % clusters, k]] + rng.normal()
    })
}

/// A run of all queries on kiddo's tree, already built.
fn kiddo<const D: usize>(points: &Array2<f64>, rows: &[usize]) -> Box<dyn Fn()> {
    let entries: Vec<[f64; D]> = points
        .rows()
        .into_iter()
        .map(|row| std::array::from_fn(|k| row[k]))
        .collect();
    let tree = ImmutableKdTree::<f64, D>::new_from_slice(&entries).unwrap();
    let queries: Vec<[f64; D]> = rows.iter().map(|&row| entries[row]).collect();
    // Its own point comes back with the others.
    let k = NonZeroUsize::new(K + 1).unwrap();
    Box::new(move || {
        for query in &queries {
            black_box(
                tree.query(query)
                    .nearest_n::<SquaredEuclidean<f64>>(k)
                    .execute(),
            );
        }
    })
}

fn compare(c: &mut Criterion) {
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .use_current_thread()
        .build_global()
        .unwrap();
    for (data, clusters) in [("clusters", 20), ("gaussian", 1)] {
        for n in [5_000, 50_000] {
            let mut group = c.benchmark_group(format!("neighbors/{data}/{n}"));
            group.sample_size(10);
            for dims in [2, 4, 8, 12, 16, 24, 64] {
                let points = gaussians(clusters, n, dims);
                let rows = rng(2).sample(n, QUERIES);
                group.bench_function(BenchmarkId::new("build", dims), |b| {
                    b.iter(|| Neighbors::tree(black_box(points.view())));
                });
                for (name, index) in [
                    ("tree", Neighbors::tree(points.view())),
                    ("scan", Neighbors::scan(points.view())),
                ] {
                    group.bench_function(BenchmarkId::new(name, dims), |b| {
                        b.iter(|| index.nearest_of(black_box(&rows), K, Itself::IsLeftOut));
                    });
                }
                let kiddo = match dims {
                    2 => kiddo::<2>(&points, &rows),
                    4 => kiddo::<4>(&points, &rows),
                    8 => kiddo::<8>(&points, &rows),
                    12 => kiddo::<12>(&points, &rows),
                    16 => kiddo::<16>(&points, &rows),
                    24 => kiddo::<24>(&points, &rows),
                    _ => continue,
                };
                group.bench_function(BenchmarkId::new("kiddo", dims), |b| b.iter(&kiddo));
            }
            group.finish();
        }
    }
}

criterion_group!(benches, compare);
criterion_main!(benches);
