//! Scores on the points about which nothing was said.
//!
//! A method that was told the answer for some points should be judged on the others:
//!
//! ```
//! use ilk::evaluate::{Scores, select, unconstrained};
//! use ilk::problem::Constraints;
//!
//! let mut said = Constraints::new(4);
//! said.must_link(0, 1)?;
//! let free = unconstrained(&said);
//! let truth = select(&["a", "a", "b", "a"], &free)?;
//! let found = select(&[0, 0, 1, 1], &free)?;
//! assert_eq!(Scores::new(&truth, &found)?.n, 2);
//! # Ok::<(), ilk::Error>(())
//! ```

use crate::problem::Constraints;
use crate::{Error, Result};

/// For every point, whether no constraint and no label names it.
pub fn unconstrained(constraints: &Constraints) -> Vec<bool> {
    let mut free = vec![true; constraints.n()];
    for point in constraints.constrained_points() {
        free[point] = false;
    }
    free
}

/// The labels of the points for which `keep` holds, in order.
pub fn select<L: Clone>(labels: &[L], keep: &[bool]) -> Result<Vec<L>> {
    if labels.len() != keep.len() {
        return Err(Error::LengthMismatch {
            left: labels.len(),
            right: keep.len(),
        });
    }
    Ok(labels
        .iter()
        .zip(keep)
        .filter(|&(_, &keep)| keep)
        .map(|(label, _)| label.clone())
        .collect())
}
