//! Several runs from different starts, of which the best is kept.

use rayon::prelude::*;

use crate::{Error, Result, observe::Progress};

/// Runs `run(0)` to `run(n - 1)` in parallel and returns the result of lowest objective, the first of
/// equally good ones. `n` is at least 1; each run counts as a part of the progress.
pub(super) fn best_of<T: Send>(
    n: usize,
    progress: &Progress<'_>,
    run: impl Fn(usize) -> Result<T> + Sync,
    objective: impl Fn(&T) -> f64 + Sync,
) -> Result<T> {
    let best = (0..n)
        .into_par_iter()
        .map(|start| {
            progress.check(0)?;
            let found = run(start);
            progress.finish_part();
            found
        })
        .try_reduce_with(|best, next| {
            let is_better = objective(&next) < objective(&best);
            Ok(if is_better { next } else { best })
        });
    best.unwrap_or(Err(Error::Cancelled { iterations: 0 }))
}
