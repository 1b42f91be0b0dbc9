//! Linear equations whose spectrum is known.

use ndarray::{Array2, ArrayView2, Zip};

/// The error is brought below this share of the right side.
const TOLERANCE: f64 = 1e-14;

/// Solves (I - αS) X = B for a symmetric operator S with eigenvalues from -1 to 1 and 0 <= α < 1.
///
/// Chebyshev's iteration: since the eigenvalues of I - αS lie between 1 - α and 1 + α, the best
/// polynomial of every degree is known beforehand. No dot products are needed, the number of steps
/// depends on α alone, and the bits do not depend on how the products are shared among threads.
/// `apply` takes an n x b matrix X and returns S X.
pub(crate) fn chebyshev_solve(
    alpha: f64,
    right: ArrayView2<'_, f64>,
    apply: impl Fn(ArrayView2<'_, f64>) -> Array2<f64>,
) -> Array2<f64> {
    let mut residual = right.to_owned();
    if alpha == 0.0 {
        return residual;
    }
    let mut solution = Array2::zeros(right.dim());
    let mut step = residual.clone();
    let mut rho = alpha;
    for _ in 0..steps(alpha) {
        let image = apply(step.view());
        let next = (2.0 / alpha - rho).recip();
        let (keep, add) = (next * rho, 2.0 * next / alpha);
        Zip::from(&mut solution).and(&mut residual).and(&mut step).and(&image).par_for_each(
            |solution, residual, step, image| {
                *solution += *step;
                *residual += alpha * image - *step;
                *step = keep * *step + add * *residual;
            },
        );
        rho = next;
    }
    solution + step
}

/// Steps until the error is small: each divides it by (√κ + 1) / (√κ - 1), κ = (1 + α) / (1 - α).
fn steps(alpha: f64) -> usize {
    let root = ((1.0 + alpha) / (1.0 - alpha)).sqrt();
    let rate = (root - 1.0) / (root + 1.0);
    // The error may start as 1 / (1 - α) of the right side, and the bound holds up to a factor 2.
    ((0.5 * TOLERANCE * (1.0 - alpha)).ln() / rate.ln()).ceil() as usize
}

#[cfg(test)]
mod tests;
