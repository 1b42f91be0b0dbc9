//! Target distances of must-links and cannot-links, and the scale of the initial kernel (SKMS 6.1).

#[cfg(test)]
mod tests;

use ndarray::Array2;

use crate::problem::{Constraints, Pair, Points};
use crate::similarity::bandwidth::rules::{SAMPLE, positive_distances_sq, sample};
use crate::{Error, Result, numerics::distances::dist_sq, numerics::quantile::Quantile};

/// d_m is at most this, for a kernel whose self-values are 1.
const MUST: f64 = 0.05;

/// d_c is at least this, for a kernel whose self-values are 1.
const CANNOT: f64 = 1.95;

/// The percentiles of the distances that bound d_m from above and d_c from below.
const SHARES: [f64; 2] = [0.01, 0.99];

/// Squared distances below this share of the mean self-value are rounding errors: the points coincide.
const ROUNDING: f64 = 1e-12;

/// Values in the grid of scales.
const GRID: usize = 12;

/// A distance below this share of its target counts as that share: no scale separates points that
/// coincide, and an infinite divergence would hide all others.
const FLOOR: f64 = 1e-6;

/// The target squared distances (d_m, d_c) of must-links and cannot-links in a kernel over `n`
/// points (SKMS 6.1):
///
/// ```text
/// d_m = min(0.05 s, 1st percentile),   d_c = max(1.95 s, 99th percentile)
/// ```
///
/// of the squared distances k(x, x) + k(y, y) - 2 k(x, y) between all points that differ, with s
/// the mean of k(x, x). In a kernel whose self-values are 1, s is 1, and the targets are the paper's. For
/// other kernels (linear, polynomial, a matrix) s sets the scale: 2 s is the mean squared distance of
/// points whose kernel value is 0, for a linear kernel if the data are centred. Pairs that coincide are
/// left out, as a target of 0 could not be attained.
///
/// `among(rows)` gives the kernel values among some points, a square matrix. It is called once: for
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
        let value = format!("a mean self-value of {scale}");
        let expected = "the values k(x, x) must be finite, and above 0 on average";
        return Err(Error::bad_parameter("kernel", value, expected));
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
    (near.map_or(must, |near| near.min(must)), far.map_or(cannot, |far| far.max(cannot)))
}

/// Scales to choose from: the (i + 0.5)/12 quantiles of the distances between points that differ,
/// i = 0, ..., 11, rising (the paper's set S, "centers of equal probability bins"). Equal ones are
/// given once. Where all points coincide no scale is better than another, and 1 is the only one.
///
/// Above 2,048 points the distances among so many, drawn by the seed, are used.
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
    check_scales(
        &grid,
        "the coordinates are so large that squared distances overflow; scale the data",
    )?;
    Ok(grid)
}

/// A scale chosen from a grid, and how it compares with the others (SKMS Fig. 5).
#[derive(Debug, Clone, PartialEq)]
pub struct SigmaChoice {
    /// The scale with the smallest divergence.
    pub sigma: f64,
    /// The divergence of every scale of the grid.
    pub divergences: Vec<f64>,
}

/// The scale of a Gaussian kernel, exp(-d²/(2σ²)), that satisfies the constraints best before any
/// learning (SKMS eq. 35, in its one-sided form).
///
/// With d_j the squared distance of pair j in the kernel and ξ_j its target, the
/// scale minimises the LogDet divergence of the two diagonal matrices,
///
/// ```text
/// D(ξ, d) = Σ_j w_j (ξ_j/d_j - log(ξ_j/d_j) - 1),
/// ```
///
/// where a must-link nearer than its target, or a cannot-link farther, counts as being at it: there
/// is nothing to learn. The two-sided form also penalises pairs beyond their targets, and prefers
/// kernels that are too narrow. `targets` are
/// (d_m, d_c); where there are none, each scale is compared with its own, those that [`targets`]
/// gives for it.
///
/// Comparisons have no targets but each other, and are measured alike: where the statement
/// ρ d(i, j) <= d(i, k) does not hold, it is as far from holding as a pair at d(i, k) is from the
/// target ρ d(i, j), with ρ the `ratio`. An odd-one-out is two statements. About-equal is two
/// equations of three that could be written; all three count, by two thirds, each the larger
/// against the smaller.
///
/// Labels are ignored: see [`with_labels_as_pairs`](crate::problem::with_labels_as_pairs). Of
/// equally good scales the one nearest to the middle of the grid is taken, so that without
/// constraints it is the median. O(constraints · scales), and the percentiles of a sample of
/// distances.
///
/// # Errors
/// [`Error::BadParameter`] where the grid is empty or a scale is not a finite number above 0.
///
/// # Panics
/// Where `constraints` is about more points than there are.
///
/// ```
/// use ilk::problem::{Constraints, Points};
/// use ilk::supervise::targets::{best_sigma, sigma_grid};
///
/// let points = Points::from_shape(6, 1, vec![0.0, 0.1, 0.2, 5.0, 5.1, 5.2])?;
/// let mut constraints = Constraints::new(6);
/// constraints.must_link(0, 2)?.must_link(3, 5)?.cannot_link(2, 3)?;
/// let grid = sigma_grid(&points, 0)?;
/// let choice = best_sigma(&points, &constraints, &grid, None, 2.0, 0)?;
/// assert!(choice.sigma > 0.2 && choice.sigma < 5.0);
/// # Ok::<(), ilk::Error>(())
/// ```
pub fn best_sigma(
    points: &Points,
    constraints: &Constraints,
    grid: &[f64],
    targets: Option<(f64, f64)>,
    ratio: f64,
    seed: u64,
) -> Result<SigmaChoice> {
    check_scales(grid, "a scale must be a finite number above 0")?;
    let mut distances_sq = positive_distances_sq(points, seed);
    let ends = SHARES.map(|share| Quantile::new(&mut distances_sq, share));
    let divergences: Vec<f64> = grid
        .iter()
        .map(|&sigma| {
            let in_kernel = |dist_sq: f64| kernel_dist_sq(dist_sq, sigma);
            let ends = || ends.map(|end| end.map(|end| end.of(in_kernel)));
            let targets = targets.unwrap_or_else(|| bounded(ends(), 1.0));
            let distance = |a, b| in_kernel(dist_sq(points.row(a), points.row(b)));
            divergence_of(constraints, targets, ratio, distance)
        })
        .collect();
    let Some(best) = least_near_the_middle(&divergences) else {
        let expected = "give at least one scale";
        return Err(Error::bad_parameter("sigma grid", "[]", expected));
    };
    Ok(SigmaChoice { sigma: grid[best], divergences })
}

fn check_scales(grid: &[f64], expected: &str) -> Result<()> {
    let is_scale = |sigma: f64| sigma.is_finite() && sigma > 0.0;
    match grid.iter().find(|&&sigma| !is_scale(sigma)) {
        None => Ok(()),
        Some(&sigma) => Err(Error::bad_parameter("sigma", sigma, expected)),
    }
}

/// 2 - 2 exp(-d²/(2σ²)), with all its digits where that is near 0.
fn kernel_dist_sq(dist_sq: f64, sigma: f64) -> f64 {
    let steps = dist_sq.sqrt() / sigma;
    -2.0 * (-0.5 * steps * steps).exp_m1()
}

/// The weighted divergences of all constraints that do not hold.
fn divergence_of(
    constraints: &Constraints,
    (must, cannot): (f64, f64),
    ratio: f64,
    dist_sq: impl Fn(usize, usize) -> f64,
) -> f64 {
    let between = |pair: &Pair| dist_sq(pair.points[0], pair.points[1]);
    let must_links = constraints.must_links().iter();
    let must_links = must_links.map(|x| x.weight * divergence(must, between(x).max(must)));
    let cannot_links = constraints.cannot_links().iter();
    let cannot_links = cannot_links.map(|x| x.weight * divergence(cannot, between(x).min(cannot)));
    let statement = |near_sq: f64, far_sq: f64| {
        let wanted = ratio * near_sq;
        divergence(wanted, far_sq.min(wanted))
    };
    let odd_one_outs = constraints.odd_one_outs().iter().map(|triplet| {
        let [a, b, odd] = triplet.points;
        let near_sq = dist_sq(a, b);
        let both = [a, b].map(|point| statement(near_sq, dist_sq(point, odd)));
        triplet.weight * (both[0] + both[1])
    });
    let about_equals = constraints.about_equals().iter().map(|triplet| {
        let [a, b, c] = triplet.points;
        let mut sides = [dist_sq(a, b), dist_sq(a, c), dist_sq(b, c)];
        // Sorted, so that the order of the points does not change the sum.
        sides.sort_unstable_by(f64::total_cmp);
        let [short, middle, long] = sides;
        let all = divergence(middle, short) + divergence(long, short) + divergence(long, middle);
        triplet.weight * all * 2.0 / 3.0
    });
    let closers = constraints.closers().iter().map(|triplet| {
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

/// The position of the least value; of several, the one nearest to the middle.
fn least_near_the_middle(values: &[f64]) -> Option<usize> {
    let least = values.iter().copied().min_by(f64::total_cmp)?;
    let middle = (values.len() - 1) / 2;
    let close = least + 1e-12 * least.abs();
    (0..values.len()).filter(|&i| values[i] <= close).min_by_key(|&i| i.abs_diff(middle))
}
