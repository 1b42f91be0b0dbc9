//! Gaussian mean-shift terms a second on one core, beside a plain loop in the same run.
//!
//! A term is one point's contribution to one weighted mean: a squared distance, an exponential and
//! d + 1 multiply-adds. Prints a Markdown table.

use std::hint::black_box;
use std::time::Instant;

use ilk::numerics::blocks::Blocks;
use ilk::numerics::rng::rng;
use ilk::similarity::Profile;
use ilk::similarity::kernel_sums::{KernelSources, PerLane, weighted_sums, weighted_sums_f32};

const N: usize = 4096;
const QUERIES: usize = 8;
const REPEATS: usize = 15;

fn main() {
    println!("## Gaussian kernel sums, one core\n");
    println!(
        "Terms a second over {N} points, the best of {REPEATS} repeats; the plain loop uses the \
         standard library's exp. A block-interleaved loop in C reached 6.7e8 (f64) and 1.64e9 (f32) \
         at d = 10 on a machine of this kind.\n"
    );
    println!("| d | f64 | f32 | plain loop, f64 | f64 / plain | share of the C loop, f64 | f32 |");
    println!("|---|---|---|---|---|---|---|");
    for dims in [2, 4, 10, 16, 32] {
        let mut rng = rng(1);
        let points: Vec<f64> = (0..N * dims).map(|_| rng.normal()).collect();
        let blocks = Blocks::new(&points, dims);
        let all: Vec<u32> = (0..blocks.n_blocks() as u32).collect();
        let queries = points[..QUERIES * dims].to_vec();
        let mut out = vec![0.0; QUERIES * (dims + 1)];

        let lanes = KernelSources {
            coords: blocks.coords(),
            dims,
            inverse_bandwidth_sq: PerLane::Same(0.5),
            mass: None,
        };
        let mut scratch = Vec::new();
        let double = rate(40, || {
            weighted_sums(
                lanes,
                Profile::Gaussian,
                0.0,
                &all,
                black_box(&queries),
                &mut scratch,
                &mut out,
            );
            black_box(&out);
        });

        let coords = blocks.coords_f32(1.0);
        let all: Vec<u32> = (0..blocks.n_blocks().div_ceil(2) as u32).collect();
        let narrow: Vec<f32> = queries.iter().map(|&x| x as f32).collect();
        let lanes = KernelSources {
            coords: &coords,
            dims,
            inverse_bandwidth_sq: PerLane::Same(0.5f32),
            mass: None,
        };
        let mut scratch = Vec::new();
        let single = rate(40, || {
            weighted_sums_f32(lanes, -0.5, &all, black_box(&narrow), &mut scratch, &mut out);
            black_box(&out);
        });

        let plain = rate(2, || {
            plain_loop(&points, dims, black_box(&queries), &mut out);
            black_box(&out);
        });
        let share = |ours: f64, c: f64| {
            if dims == 10 { format!("{:.0}%", 100.0 * ours / c) } else { String::new() }
        };
        println!(
            "| {dims} | {double:.2e} | {single:.2e} | {plain:.2e} | {:.1} | {} | {} |",
            double / plain,
            share(double, 6.7e8),
            share(single, 1.64e9)
        );
    }
    println!();
}

/// Terms a second of `run`, which handles all queries once; `times` runs make one repeat.
fn rate(times: usize, mut run: impl FnMut()) -> f64 {
    run();
    let best = (0..REPEATS)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..times {
                run();
            }
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min);
    (N * QUERIES * times) as f64 / best
}

fn plain_loop(points: &[f64], dims: usize, queries: &[f64], out: &mut [f64]) {
    for (x, sums) in queries.chunks_exact(dims).zip(out.chunks_exact_mut(dims + 1)) {
        sums.fill(0.0);
        for y in points.chunks_exact(dims) {
            let dist_sq: f64 = x.iter().zip(y).map(|(a, b)| (a - b) * (a - b)).sum();
            let w = (-0.25 * dist_sq).exp();
            for (sum, v) in sums.iter_mut().zip(y) {
                *sum += w * v;
            }
            sums[dims] += w;
        }
    }
}
