//! The ten nearest of 1,000 queries among n points in d dimensions: tree, scan, and kiddo beside
//! them. The dimension from which the scan wins is the switch in `numerics::neighbors`.
#![allow(missing_docs, reason = "criterion's macros make public items")]

use std::hint::black_box;
use std::num::NonZeroUsize;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use ilk::numerics::neighbors::{Itself, Neighbors};
use ilk::numerics::rng::rng;
use kiddo::{ImmutableKdTree, SquaredEuclidean};
use ndarray::Array2;
use rayon::prelude::*;

const K: usize = 10;
const QUERIES: usize = 1_000;

/// Twenty Gaussian clusters: what a clustering library is asked about.
fn clusters(n: usize, dims: usize) -> Array2<f64> {
    let mut rng = rng(1);
    let centers = Array2::from_shape_fn((20, dims), |_| 5.0 * rng.normal());
    Array2::from_shape_fn((n, dims), |(i, k)| centers[[i % 20, k]] + rng.normal())
}

/// A run of all queries on a tree that is already built.
fn kiddo<const D: usize>(points: &Array2<f64>, rows: &[usize]) -> Box<dyn Fn() -> f64> {
    let entries: Vec<[f64; D]> = points
        .rows()
        .into_iter()
        .map(|row| std::array::from_fn(|k| row[k]))
        .collect();
    let tree = ImmutableKdTree::<f64, D>::new_from_slice(&entries).unwrap();
    let queries: Vec<[f64; D]> = rows.iter().map(|&row| entries[row]).collect();
    Box::new(move || {
        queries
            .par_iter()
            .with_min_len(32)
            .map(|query| {
                tree.query(query)
                    .nearest_n::<SquaredEuclidean<f64>>(NonZeroUsize::new(K + 1).unwrap())
                    .execute()[K]
                    .distance
            })
            .sum()
    })
}

fn compare(c: &mut Criterion) {
    for n in [5_000, 50_000] {
        let mut group = c.benchmark_group(format!("neighbors/{n}"));
        group.sample_size(10);
        for dims in [2, 4, 8, 12, 16, 24] {
            let points = clusters(n, dims);
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
                _ => kiddo::<24>(&points, &rows),
            };
            group.bench_function(BenchmarkId::new("kiddo", dims), |b| b.iter(&kiddo));
        }
        group.finish();
    }
}

criterion_group!(benches, compare);
criterion_main!(benches);
