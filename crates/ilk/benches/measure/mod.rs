//! What the benches measure with.

#![allow(dead_code, reason = "not every bench measures everything")]

use std::hint::black_box;
use std::time::Instant;

/// The best time of some runs, and what the last one returned.
pub(crate) fn seconds<T>(runs: usize, mut run: impl FnMut() -> T) -> (f64, T) {
    let mut timed = || {
        let start = Instant::now();
        let result = black_box(run());
        (start.elapsed().as_secs_f64(), result)
    };
    let (mut best, mut result) = timed();
    for _ in 1..runs {
        let (again, last) = timed();
        (best, result) = (best.min(again), last);
    }
    (best, result)
}

/// The most memory this process has held, in MB; NaN where the system does not report it.
pub(crate) fn peak_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak_kb = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|rest| rest.split_whitespace().next())
        .and_then(|number| number.parse().ok());
    peak_kb.map_or(f64::NAN, |kb: f64| kb / 1024.0)
}
