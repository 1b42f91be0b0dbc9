//! rate
use ilk::numerics::blocks::Blocks;
use ilk::similarity::Profile;
use ilk::similarity::sums::*;
fn cpu() -> f64 {
    std::fs::read_to_string("/proc/self/schedstat")
        .unwrap()
        .split(' ')
        .next()
        .unwrap()
        .parse::<f64>()
        .unwrap()
        / 1e9
}
fn main() {
    for d in [2usize, 10, 16] {
        let n = 4096;
        let pts: Vec<f64> = (0..n * d)
            .map(|i| ((i * 7919) % 10007) as f64 / 10007.0)
            .collect();
        let b = Blocks::new(&pts, d);
        let ids: Vec<u32> = (0..b.n_blocks() as u32).collect();
        let lanes = Lanes {
            coords: b.coords(),
            dims: d,
            inverse_square: InverseSquare::Same(3.0),
            mass: None,
        };
        for p in [
            Profile::Gaussian,
            Profile::Flat,
            Profile::Truncated,
            Profile::Epanechnikov,
        ] {
            for nq in [1usize, 8] {
                let q = pts[..nq * d].to_vec();
                let mut scratch = Vec::new();
                let mut out = vec![0.0; nq * (d + 1)];
                let t = cpu();
                let reps = 4000 / nq;
                for _ in 0..reps {
                    weighted_sums(
                        lanes,
                        p,
                        0.2,
                        &ids,
                        std::hint::black_box(&q),
                        &mut scratch,
                        &mut out,
                    );
                }
                println!(
                    "d {d} {p:?} nq {nq}: {:.2e} terms/s",
                    (n * nq * reps) as f64 / (cpu() - t)
                );
            }
        }
    }
}
