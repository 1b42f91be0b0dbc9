use super::*;
use crate::numerics::rng::rng;

/// Sources and queries on a line, in a plane, ... at distances of a few units.
#[test]
fn sums_are_those_of_a_plain_loop_in_double_precision() {
    for dims in 1..=MAX_DIMS {
        let mut rng = rng(dims as u64);
        let mut draw =
            |n: usize| -> Vec<f32> { (0..n).map(|_| 6.0 * rng.uniform() as f32 - 3.0).collect() };
        let n_sources = 5 * WIDTH;
        let coords = draw(n_sources * dims);
        let masses: Vec<f32> = draw(n_sources).iter().map(|m| m.abs() + 0.1).collect();
        let queries = draw(2 * QUERIES * dims);
        let half_sq = |row: &[f32]| row.iter().map(|u| u * u).sum::<f32>() / 2.0;
        let mut sources = vec![0.0; n_sources * (dims + 1)];
        for (i, (row, mass)) in coords.chunks_exact(dims).zip(&masses).enumerate() {
            let vector = &mut sources[i / WIDTH * (dims + 1) * WIDTH..];
            for (k, u) in row.iter().enumerate() {
                vector[k * WIDTH + i % WIDTH] = *u;
            }
            vector[dims * WIDTH + i % WIDTH] = mass.log2() - half_sq(row);
        }
        let rows = queries.chunks_exact(dims);
        let with_half: Vec<f32> =
            rows.clone().flat_map(|row| row.iter().copied().chain([-half_sq(row)])).collect();
        let mut out = vec![0.0; 2 * QUERIES * (dims + 1)];
        gaussian_sums(dims, &sources, &[0, 1, 2, 3, 4], &with_half, &mut Vec::new(), &mut out);
        for (query, sums) in rows.zip(out.chunks_exact(dims + 1)) {
            let mut plain = vec![0.0; dims + 1];
            for (row, mass) in coords.chunks_exact(dims).zip(&masses) {
                let dist_sq: f64 =
                    row.iter().zip(query).map(|(a, b)| f64::from(a - b).powi(2)).sum();
                let weight = f64::from(*mass) * (-dist_sq / 2.0).exp2();
                for (sum, u) in plain.iter_mut().zip(row.iter().chain([&1.0])) {
                    *sum += weight * f64::from(*u);
                }
            }
            let total = plain[dims];
            for (ours, plain) in sums.iter().zip(&plain) {
                assert!((ours - plain).abs() <= 1e-5 * total, "{ours} and {plain} in {dims}");
            }
        }
    }
}

#[test]
fn the_polynomial_is_the_power_to_the_error_that_it_names() {
    for step in -1000..=1000 {
        let r = f64::from(step) / 2000.0;
        let terms = POWER_OF_TWO.iter().rev();
        let power = terms.fold(0.0, |sum, &c| sum * r + f64::from(c));
        let error = (power / r.exp2() - 1.0).abs();
        assert!(error <= 1.6e-7, "{error:e} at {r}");
    }
}

/// All at this distance from the origin, in any direction and near each other.
#[test]
fn weights_at_a_distance_of_ten_are_good_to_one_in_a_hundred_thousand() {
    let mut rng = rng(9);
    let mut worst = 0.0f64;
    for _ in 0..2000 {
        let angle = std::f64::consts::TAU * rng.uniform();
        let other = angle + 0.2 * (rng.uniform() - 0.5);
        let [u, v] = [angle, other].map(|a| [10.0 * a.cos() as f32, 10.0 * a.sin() as f32]);
        let half_sq = |x: [f32; 2]| x.map(|x| x * x / 2.0).iter().sum::<f32>();
        let mut sources = vec![0.0; 3 * WIDTH];
        sources[2 * WIDTH..].fill(f32::NEG_INFINITY);
        (sources[0], sources[WIDTH]) = (v[0], v[1]);
        sources[2 * WIDTH] = -half_sq(v);
        let query = [u[0], u[1], -half_sq(u)].repeat(QUERIES);
        let mut out = vec![0.0; 3 * QUERIES];
        gaussian_sums(2, &sources, &[0], &query, &mut Vec::new(), &mut out);
        let dist_sq: f64 = (0..2).map(|k| f64::from(u[k] - v[k]).powi(2)).sum();
        worst = worst.max((out[2] / (-dist_sq / 2.0).exp2() - 1.0).abs());
    }
    assert!(worst <= 1e-5, "{worst:e}");
}

#[test]
fn the_portable_sums_are_the_same() {
    let mut rng = rng(3);
    let mut draw = |n: usize| -> Vec<f32> { (0..n).map(|_| rng.uniform() as f32 - 0.5).collect() };
    for dims in 1..=MAX_DIMS {
        let (lanes, center) = (draw(4 * (dims + 1) * WIDTH), draw(dims));
        let queries = draw(QUERIES * (dims + 1));
        let (mut ours, mut portable) = (Vec::new(), Vec::new());
        translate_sources(&center, &lanes, &mut ours);
        let simd = crate::numerics::simd::Portable32::AVAILABLE;
        translate(simd, &center, &lanes, &mut portable);
        let close = |ours: &[f32], portable: &[f32]| {
            for (a, b) in ours.iter().zip(portable) {
                assert!((a - b).abs() <= 1e-5 * b.abs().max(1.0), "{a} and {b}");
            }
        };
        close(&ours, &portable);
        let size = QUERIES * (dims + 1) * WIDTH;
        let (mut our_sums, mut portable_sums) = (vec![0.0; size], vec![0.0; size]);
        simd_dispatch!(f32x16, sums(dims, &ours, &[0, 1, 3], &queries, &mut our_sums));
        sums(simd, dims, &ours, &[0, 1, 3], &queries, &mut portable_sums);
        close(&our_sums, &portable_sums);
    }
}

#[test]
fn sources_of_no_mass_add_nothing() {
    let mut sources = vec![0.0; 2 * WIDTH];
    sources[WIDTH..].fill(f32::NEG_INFINITY);
    (sources[0], sources[WIDTH]) = (1.0, -0.5);
    let mut out = vec![0.0; 2 * QUERIES];
    gaussian_sums(1, &sources, &[0], &[1.0, -0.5].repeat(QUERIES), &mut Vec::new(), &mut out);
    assert!(out.iter().all(|&sum| (sum - 1.0).abs() < 1e-6), "{out:?}");
}
