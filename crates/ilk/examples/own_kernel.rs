//! A kernel that lives outside the crate: Jaccard similarity of sets, with any method that takes a kernel
//! matrix. `cargo run --example own_kernel`.

use ilk::method::{KernelKMeans, Method};
use ilk::observe::Silent;
use ilk::problem::{Points, Problem};
use ilk::similarity::KernelFunction;

/// |x ∩ y| / |x ∪ y| of sets, given as columns of 0 and 1.
struct Jaccard;

impl KernelFunction for Jaccard {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        let (mut both, mut either) = (0.0, 0.0);
        for (a, b) in x.iter().zip(y) {
            both += a.min(*b);
            either += a.max(*b);
        }
        if either == 0.0 { 1.0 } else { both / either }
    }
}

fn main() -> ilk::Result<()> {
    // Five shopping baskets over four goods.
    let baskets = [
        [1.0, 1.0, 0.0, 0.0],
        [1.0, 1.0, 1.0, 0.0],
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 1.0],
        [0.0, 0.0, 0.0, 1.0],
    ];
    let baskets = Points::from_rows(&baskets.map(Vec::from))?;
    let method = KernelKMeans { n_clusters: 2.into(), ..KernelKMeans::default() };
    let fit = method.fit(&Problem::unsupervised(Jaccard.matrix(&baskets)?), &Silent)?;
    println!("{:?}", fit.clustering.labels);
    let new = Points::from_rows(&[vec![0.0, 1.0, 0.0, 0.0]])?;
    let rows = Jaccard.rows(&new, &baskets)?;
    println!("the new basket goes to {:?}", fit.model.predict(&rows)?);
    Ok(())
}
