//! Scores on the points that no constraint names: constrained points would favour methods that use
//! constraints.
//!
//! ```
//! use ilk::evaluate::{Scores, masked, unconstrained};
//! use ilk::problem::Constraints;
//!
//! let mut constraints = Constraints::new(4);
//! constraints.must_link(0, 1)?;
//! let free = unconstrained(&constraints);
//! let truth = masked(&["a", "a", "b", "a"], &free)?;
//! let found = masked(&[0, 0, 1, 1], &free)?;
//! assert_eq!(Scores::new(&truth, &found)?.n, 2);
//! # Ok::<(), ilk::Error>(())
//! ```

use super::contingency::check_same_length;
use crate::{Result, problem::Constraints};

/// For every point, whether no constraint and no label names it.
pub fn unconstrained(constraints: &Constraints) -> Vec<bool> {
    let mut free = vec![true; constraints.n()];
    for point in constraints.constrained_points() {
        free[point] = false;
    }
    free
}

/// The labels of the points for which `keep` holds, in order.
pub fn masked<L: Clone>(labels: &[L], keep: &[bool]) -> Result<Vec<L>> {
    check_same_length(labels.len(), keep.len())?;
    let kept = labels.iter().zip(keep).filter(|&(_, &keep)| keep);
    Ok(kept.map(|(label, _)| label.clone()).collect())
}
