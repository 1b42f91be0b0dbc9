//! A warning before a long fit starts, with the time that it will take: from fits on two samples.

use std::time::{Duration, Instant};

use anyhow::Result;
use ilk::method::{AnyMethod, Method as _};
use ilk::numerics::rng::rng;
use ilk::observe::Observer;
use ilk::problem::{Input, Points, Problem};
use ilk_io::{Loaded, Recipe};
use indicatif::HumanDuration;

use crate::progress::{Bounded, Progress};
use crate::terminal::{self, Terminal};
use crate::text::count;

/// Rows from which on an estimate is made.
pub const LONG_FIT_ROWS: usize = 20_000;

/// Rows of the samples.
const SAMPLES: [usize; 2] = [1_000, 4_000];

/// Seconds that the fit on a sample takes at most.
const LIMIT: f64 = 10.0;

/// Seconds of a fit that are worth a warning.
const LONG: f64 = 300.0;

/// How long the fit on a sample took.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Timed {
    rows: usize,
    seconds: f64,
    /// Whether it was ended before it was done.
    is_cut: bool,
}

/// A fit that will take long.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LongFit {
    /// The rows of the fit, and those of the two samples.
    rows: usize,
    sampled: [usize; 2],
    seconds: f64,
    /// The power of the rows with which the time grows.
    power: f64,
    /// Whether the fit on the larger sample was ended before it was done.
    is_cut: bool,
}

/// Warns of a fit that will take long, and says what to take instead.
///
/// # Errors
/// [`ilk::Error::Cancelled`] by Ctrl-C.
pub(crate) fn warn(recipe: &Recipe, loaded: &Loaded, terminal: &Terminal) -> Result<()> {
    let advice = "take --method auto, which groups a sample within its budget and places all rows, or cluster a part of \
                  the table and `ilk predict` the rest";
    let found = long_fit(&recipe.method, &loaded.problem, &Progress::new(terminal))?;
    if let Some(long) = found {
        terminal::warn(long.told(recipe.method.info().name, advice));
    }
    Ok(())
}

/// Whether a fit will take more than five minutes, by fits on two samples of its rows. Fits of few rows, and of methods that
/// are bounded by a budget, are not asked about.
///
/// # Errors
/// [`ilk::Error::Cancelled`] where the observer cancels.
pub fn long_fit(
    method: &AnyMethod,
    problem: &Problem,
    observer: &dyn Observer,
) -> ilk::Result<Option<LongFit>> {
    // Its budget bounds auto, which works on a sample.
    let Input::Points(points) = problem.input() else { return Ok(None) };
    if points.len() < LONG_FIT_ROWS || matches!(method, AnyMethod::Auto(_)) {
        return Ok(None);
    }
    let mut timed = Vec::new();
    for rows in SAMPLES {
        match time(method, points, problem, rows, observer)? {
            Some(sample) => timed.push(sample),
            None => return Ok(None),
        }
    }
    Ok(LongFit::of(points.len(), timed[0], timed[1]))
}

/// The time of a fit on a sample; nothing where the method cannot group so few rows, as where it is to find more clusters.
fn time(
    method: &AnyMethod,
    points: &Points,
    problem: &Problem,
    rows: usize,
    observer: &dyn Observer,
) -> ilk::Result<Option<Timed>> {
    let sample = rng(0).sorted_sample(points.len(), rows);
    let constraints = problem.constraints().among(&sample)?;
    let problem = Problem::new(points.select(&sample), constraints)?;
    let bounded = Bounded::new(observer, LIMIT);
    let start = Instant::now();
    let fit = method.fit(&problem, &bounded);
    let seconds = start.elapsed().as_secs_f64();
    match fit {
        Ok(_) => Ok(Some(Timed { rows, seconds, is_cut: false })),
        Err(cancelled @ ilk::Error::Cancelled { .. }) if observer.is_cancelled() => Err(cancelled),
        Err(ilk::Error::Cancelled { .. }) => Ok(Some(Timed { rows, seconds, is_cut: true })),
        Err(_) => Ok(None),
    }
}

/// The power of the rows with which the time grows, from 1 to 2, and the seconds for `n` rows.
fn extrapolated(n: usize, small: Timed, large: Timed) -> (f64, f64) {
    let growth =
        |a: Timed, b: f64, rows: usize| (b / a.seconds).ln() / (rows as f64 / a.rows as f64).ln();
    let power = growth(small, large.seconds, large.rows).clamp(1.0, 2.0);
    (power, large.seconds * (n as f64 / large.rows as f64).powf(power))
}

impl LongFit {
    /// What two samples tell of a fit of `rows`; nothing where it is short.
    fn of(rows: usize, small: Timed, large: Timed) -> Option<Self> {
        let (power, seconds) = extrapolated(rows, small, large);
        let sampled = [small.rows, large.rows];
        let found = Self { rows, sampled, seconds, power, is_cut: large.is_cut };
        (seconds >= LONG).then_some(found)
    }

    /// The warning, with what the method is called and what to do instead.
    pub fn told(&self, name: &str, advice: &str) -> String {
        let how_sure = if self.is_cut { "at least" } else { "about" };
        let time = HumanDuration(Duration::from_secs_f64(self.seconds.min(1e15)));
        let [rows, small, large] = [self.rows, self.sampled[0], self.sampled[1]].map(count);
        format!(
            "{name} will take {how_sure} {time} for {rows} rows: from {small} to {large} of them its time grew with the \
             power {:.1}; {advice}",
            self.power
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timed(rows: usize, seconds: f64) -> Timed {
        Timed { rows, seconds, is_cut: false }
    }

    #[test]
    fn times_that_grow_with_a_power_of_the_rows_are_met_exactly() {
        for power in [1.0, 1.5, 2.0] {
            let at = |rows: usize| timed(rows, 3e-6 * (rows as f64).powf(power));
            let (found, seconds) = extrapolated(1_000_000, at(1_000), at(4_000));
            assert!((found - power).abs() < 1e-12);
            assert!((seconds / at(1_000_000).seconds - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn noise_in_small_times_does_not_lead_beyond_linear_and_quadratic() {
        assert_eq!(extrapolated(8_000, timed(1_000, 1.0), timed(4_000, 0.5)), (1.0, 1.0));
        assert_eq!(extrapolated(8_000, timed(1_000, 0.001), timed(4_000, 1.0)), (2.0, 4.0));
    }

    #[test]
    fn a_long_fit_is_warned_of_with_what_to_take_instead_and_a_short_one_is_not() {
        let small = timed(1_000, 0.25);
        let told =
            |rows, small, large| Some(LongFit::of(rows, small, large)?.told("cms", "take auto"));
        assert_eq!(
            told(200_000, small, timed(4_000, 4.0)).as_deref(),
            Some(
                "cms will take about 3 hours for 200,000 rows: from 1,000 to 4,000 of them its time grew with the power \
                 2.0; take auto"
            )
        );
        let cut = Timed { is_cut: true, ..timed(4_000, 10.0) };
        let cut_off = told(1_000_000, timed(1_000, 9.0), cut).expect("a warning");
        let expected = "cms will take at least 42 minutes for 1,000,000 rows";
        assert!(cut_off.starts_with(expected), "{cut_off}");
        assert_eq!(told(200_000, timed(1_000, 0.01), timed(4_000, 0.04)), None);
    }
}
