//! try
use ilk::group::mean_shift::MeanShift;
use ilk::problem::Points;
use ilk::similarity::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let x: ndarray::Array2<f64> = ndarray_npy::read_npy(&a[1]).unwrap();
    let p = Points::new(x).unwrap();
    let kernel: Profile = serde_json::from_str(&format!("\"{}\"", a[3])).unwrap();
    let bandwidth: Bandwidth = a[2].parse().unwrap();
    let ms = MeanShift { bandwidth, kernel, blurring: a.get(5).is_some_and(|s| s == "blur"), ..Default::default() };
    let t = std::time::Instant::now();
    let (g, m) = ms.fit(&p, None, &ilk::observe::Silent).unwrap();
    let wall = t.elapsed().as_secs_f64();
    let steps: usize = g.trace.iter().map(|s| s.active).sum();
    println!("{} clusters, {} iterations, {:?}, h {:?}, wall {wall:.3}, steps/point {:.2}", g.n_clusters, g.iterations, g.stop, g.bandwidth, steps as f64 / p.len() as f64);
    let pr = m.predict(&p).unwrap();
    let diff = pr.iter().zip(&g.labels).filter(|(a, b)| a != b).count();
    println!("predict differs on {diff}");
    ndarray_npy::write_npy(format!("{}.modes.npy", a[4]), &g.centers.unwrap()).unwrap();
    let l: ndarray::Array1<i64> = g.labels.iter().map(|l| l.map_or(-1, |l| l as i64)).collect();
    ndarray_npy::write_npy(format!("{}.labels.npy", a[4]), &l).unwrap();
}
