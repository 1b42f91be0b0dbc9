//! How near is together, how far is apart, and the scale of the kernel to begin with (SKMS 6.1).

#[cfg(test)]
mod tests;

use ndarray::Array2;

use crate::numerics::distances::dist_sq;
use crate::numerics::quantile::Quantile;
use crate::problem::{Constraints, Points};
use crate::similarity::bandwidth::rules::{SAMPLE, positive_distances_sq, sample};
use crate::{Error, Result};

/// d_m is at most this, for a kernel whose self-values are 1.
const MUST: f64 = 0.05;

/// d_c is at least this, for a kernel whose self-values are 1.
const CANNOT: f64 = 1.95;

/// The percentiles that d_m and d_c do not leave the data behind by.
const SHARES: [f64; 2] = [0.01, 0.99];

/// Squared distances below this share of the mean self-value are rounding: the points coincide.
const ROUNDING: f64 = 1e-12;

/// Values in the grid of scales.
const GRID: usize = 12;

/// A distance of 0 that should be large counts as this share of what it should be: of two points
/// that coincide no scale makes two, and an infinite divergence would hide all others.
const FLOOR: f64 = 1e-6;

/// The target squared distances (d_m, d_c) of must-links and cannot-links in a kernel over `n`
/// points (SKMS 6.1):
///
/// ```text
/// d_m = min(0.05 s, 1st percentile),   d_c = max(1.95 s, 99th percentile)
/// ```
///
/// of the squared distances k(x, x) + k(y, y) - 2 k(x, y) between all points that differ, with s
/// the mean of k(x, x). In a kernel whose self-values are 1 squared distances lie between 0 and 2,
/// s is 1, and the targets are the paper's. Other kernels (linear, polynomial, a matrix) have no
/// such scale of their own, and s lends them one: 2 s is the mean squared distance of points
/// without any likeness. For a linear kernel that holds for centred data. Pairs that coincide are
/// left out, as a target of 0 could not be attained.
///
/// `among(rows)` gives the kernel values among some points, a square matrix. It is asked once: for
/// all points, or for 2,048 of them, drawn by the seed, where there are more.
///
/// # Errors
/// [`Error::BadParameter`] where s is not a finite number above 0.
pub fn targets(
    n: usize,
    among: impl FnOnce(&[usize]) -> Array2<f64>,
    seed: u64,
) -> Result<(f64, f64)> {
    let kernel = among(&sample(n, SAMPLE, seed));
    let own = kernel.diag();
    let scale = own.sum() / own.len().max(1) as f64;
    if !(scale.is_finite() && scale > 0.0) {
        return Err(Error::BadParameter {
            parameter: "kernel",
            value: format!("a mean self-value of {scale}"),
            expected: "the values k(x, x) must be finite, and above 0 on average".to_owned(),
        });
    }
    let mut distances_sq: Vec<f64> = (0..own.len())
        .flat_map(|i| (i + 1..own.len()).map(move |j| (i, j)))
        .map(|(i, j)| own[i] + own[j] - 2.0 * kernel[[i, j]])
        .filter(|&d| d > ROUNDING * scale)
        .collect();
    let ends = SHARES.map(|share| Quantile::new(&mut distances_sq, share).map(Quantile::value));
    Ok(bounded(ends, scale))
}

/// The two targets, given the percentiles of the distances, if there are any.
fn bounded([near, far]: [Option<f64>; 2], scale: f64) -> (f64, f64) {
    let (must, cannot) = (MUST * scale, CANNOT * scale);
    (
        near.map_or(must, |near| near.min(must)),
        far.map_or(cannot, |far| far.max(cannot)),
    )
}

/// Scales to choose from: the (i + 0.5)/12 quantiles of the distances between points that differ,
/// i = 0, ..., 11, rising (the paper's set S, "centers of equal probability bins"). Equal ones are
/// given once. Where all points coincide no scale is better than another, and 1 is the only one.
///
/// Above 2,048 points the distances among so many, drawn by the seed, stand for all.
///
/// # Errors
/// [`Error::BadParameter`] where squared distances overflow.
pub fn sigma_grid(points: &Points, seed: u64) -> Result<Vec<f64>> {
    let mut distances_sq = positive_distances_sq(points, seed);
    let mut grid: Vec<f64> = (0..GRID)
        .map(|i| (i as f64 + 0.5) / GRID as f64)
        .filter_map(|share| Quantile::new(&mut distances_sq, share))
        .map(|quantile| quantile.of(f64::sqrt))
        .collect();
    grid.dedup();
    if grid.is_empty() {
        grid.push(1.0);
    }
    match grid.iter().find(|&&sigma| !is_scale(sigma)) {
        None => Ok(grid),
        Some(&sigma) => Err(bad_scale(
            sigma,
            "the coordinates are so large that squared distances overflow; scale the data",
        )),
    }
}

/// A scale chosen from a grid, and how it compares with the others (SKMS Fig. 5).
#[derive(Debug, Clone, PartialEq)]
pub struct SigmaChoice {
    /// The scale with the smallest divergence.
    pub sigma: f64,
    /// The divergence of every scale of the grid.
    pub divergences: Vec<f64>,
}

/// The scale of a Gaussian kernel, exp(-d²/(2σ²)), in which as much as possible of what was said
/// holds to begin with (SKMS eq. 35, in its one-sided form).
///
/// With d_j the squared distance of the pair of answer j in the kernel and ξ_j its target, the
/// scale minimises the LogDet divergence of the two diagonal matrices,
///
/// ```text
/// D(ξ, d) = Σ_j w_j (ξ_j/d_j - log(ξ_j/d_j) - 1),
/// ```
///
/// where a must-link nearer than its target, or a cannot-link farther, counts as being at it: there
/// is nothing to learn. The two-sided form punishes answers for holding too well, and takes kernels
/// that are too narrow. `targets` are
/// (d_m, d_c); where there are none, each scale is held against its own, those that [`targets`]
/// would give it.
///
/// Comparisons have no targets but each other, and are measured alike: where the statement
/// ρ d(i, j) <= d(i, k) does not hold, it is as far from holding as a pair at d(i, k) is from the
/// target ρ d(i, j), with ρ the `ratio`. An odd-one-out is two statements. About-equal is two
/// equations of three that could be written; all three count, by two thirds, each the larger
/// against the smaller.
///
/// Labels are not looked at: see [`with_labels_as_pairs`](super::labels::with_labels_as_pairs). Of
/// scales that do equally well the one nearest to the middle of the grid is taken, so that with
/// nothing said it is the median. O(answers · scales), and the percentiles of a sample of
/// distances.
///
/// # Errors
/// [`Error::BadParameter`] where the grid is empty or a scale is not a finite number above 0.
///
/// # Panics
/// Where `said` is about more points than there are.
///
/// ```
/// use ilk::problem::{Constraints, Points};
/// use ilk::supervise::targets::{best_sigma, sigma_grid};
///
/// let points = Points::from_shape(6, 1, vec![0.0, 0.1, 0.2, 5.0, 5.1, 5.2])?;
/// let mut said = Constraints::new(6);
/// said.must_link(0, 2)?.must_link(3, 5)?.cannot_link(2, 3)?;
/// let grid = sigma_grid(&points, 0)?;
/// let choice = best_sigma(&points, &said, &grid, None, 2.0, 0)?;
/// assert!(choice.sigma > 0.2 && choice.sigma < 5.0);
/// # Ok::<(), ilk::Error>(())
/// ```
pub fn best_sigma(
    points: &Points,
    said: &Constraints,
    grid: &[f64],
    targets: Option<(f64, f64)>,
    ratio: f64,
    seed: u64,
) -> Result<SigmaChoice> {
    if let Some(&sigma) = grid.iter().find(|&&sigma| !is_scale(sigma)) {
        return Err(bad_scale(sigma, "a scale must be a finite number above 0"));
    }
    let mut distances_sq = positive_distances_sq(points, seed);
    let ends = SHARES.map(|share| Quantile::new(&mut distances_sq, share));
    let divergences: Vec<f64> = grid
        .iter()
        .map(|&sigma| {
            let in_kernel = |dist_sq: f64| kernel_dist_sq(dist_sq, sigma);
            let targets = targets
                .unwrap_or_else(|| bounded(ends.map(|end| end.map(|end| end.of(in_kernel))), 1.0));
            let distance = |a, b| in_kernel(dist_sq(points.row(a), points.row(b)));
            divergence_of(said, targets, ratio, distance)
        })
        .collect();
    match least_near_the_middle(&divergences) {
        Some(best) => Ok(SigmaChoice {
            sigma: grid[best],
            divergences,
        }),
        None => Err(Error::BadParameter {
            parameter: "sigma grid",
            value: "[]".to_owned(),
            expected: "give at least one scale".to_owned(),
        }),
    }
}

fn is_scale(sigma: f64) -> bool {
    sigma.is_finite() && sigma > 0.0
}

fn bad_scale(sigma: f64, expected: &str) -> Error {
    Error::BadParameter {
        parameter: "sigma",
        value: sigma.to_string(),
        expected: expected.to_owned(),
    }
}

/// 2 - 2 exp(-d²/(2σ²)), with all its digits where that is near 0.
fn kernel_dist_sq(dist_sq: f64, sigma: f64) -> f64 {
    let steps = dist_sq.sqrt() / sigma;
    -2.0 * (-0.5 * steps * steps).exp_m1()
}

/// What does not hold of what was said, each as far as it does not.
fn divergence_of(
    said: &Constraints,
    (must, cannot): (f64, f64),
    ratio: f64,
    dist_sq: impl Fn(usize, usize) -> f64,
) -> f64 {
    let must_links = said.must_links().iter().map(|pair| {
        let [a, b] = pair.points;
        pair.weight * divergence(must, dist_sq(a, b).max(must))
    });
    let cannot_links = said.cannot_links().iter().map(|pair| {
        let [a, b] = pair.points;
        pair.weight * divergence(cannot, dist_sq(a, b).min(cannot))
    });
    let statement = |near_sq: f64, far_sq: f64| {
        let wanted = ratio * near_sq;
        divergence(wanted, far_sq.min(wanted))
    };
    let odd_one_outs = said.odd_one_outs().iter().map(|triplet| {
        let [a, b, odd] = triplet.points;
        let near_sq = dist_sq(a, b);
        let both = [a, b].map(|point| statement(near_sq, dist_sq(point, odd)));
        triplet.weight * (both[0] + both[1])
    });
    let about_equals = said.about_equals().iter().map(|triplet| {
        let [a, b, c] = triplet.points;
        let mut sides = [dist_sq(a, b), dist_sq(a, c), dist_sq(b, c)];
        // Sorted, so that the order of the points does not change the sum.
        sides.sort_unstable_by(f64::total_cmp);
        let [short, middle, long] = sides;
        let all = divergence(middle, short) + divergence(long, short) + divergence(long, middle);
        triplet.weight * all * 2.0 / 3.0
    });
    let closers = said.closers().iter().map(|triplet| {
        let [anchor, near, far] = triplet.points;
        triplet.weight * statement(dist_sq(anchor, near), dist_sq(anchor, far))
    });
    must_links.sum::<f64>()
        + cannot_links.sum::<f64>()
        + odd_one_outs.sum::<f64>()
        + about_equals.sum::<f64>()
        + closers.sum::<f64>()
}

/// The LogDet divergence of two numbers, x - log x - 1 with x = `target`/`found`.
fn divergence(target: f64, found: f64) -> f64 {
    if target == found {
        return 0.0;
    }
    let x = target / found.max(FLOOR * target);
    x - x.ln() - 1.0
}

/// The place of the least value; of several, the one nearest to the middle.
fn least_near_the_middle(values: &[f64]) -> Option<usize> {
    let least = values.iter().copied().min_by(f64::total_cmp)?;
    let middle = (values.len() - 1) / 2;
    let close = least + 1e-12 * least.abs();
    (0..values.len())
        .filter(|&i| values[i] <= close)
        .min_by_key(|&i| i.abs_diff(middle))
}
