//! The budget of time, by clocks that the tests set.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use ilk::Result;
use ilk::evaluate::adjusted_rand;
use ilk::method::{Auto, Method};
use ilk::observe::{Event, Observer, Silent, StopReason};
use ilk::problem::Problem;

use super::{auto, blobs, random_pairs};

/// Far beyond every budget.
const LATE: f64 = 1e9;

/// A clock that shows a second for every time that a recipe asks whether to go on.
#[derive(Default)]
struct Asked(AtomicUsize);

impl Observer for Asked {
    fn event(&self, _: &Event) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn is_cancelled(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed);
        false
    }

    fn seconds(&self) -> Option<f64> {
        Some(self.0.load(Ordering::Relaxed) as f64)
    }
}

/// A clock that stands still until a stage has reported so many events, and is late from then on.
struct LateIn {
    stage: &'static str,
    after: AtomicUsize,
    is_late: AtomicBool,
}

impl LateIn {
    fn new(stage: &'static str, after: usize) -> Self {
        Self { stage, after: AtomicUsize::new(after), is_late: AtomicBool::new(after == 0) }
    }
}

impl Observer for LateIn {
    fn event(&self, event: &Event) -> ControlFlow<()> {
        if event.stage == self.stage && self.after.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.is_late.store(true, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    }

    fn seconds(&self) -> Option<f64> {
        Some(if self.is_late.load(Ordering::Relaxed) { LATE } else { 0.0 })
    }
}

fn four_blobs(pairs: usize) -> Result<(Problem, Vec<ilk::group::Label>)> {
    let (points, truth) = blobs(120, 3, 4, 8.0, 3);
    Ok((Problem::new(points, random_pairs(&truth, pairs, 3))?, truth))
}

#[test]
fn a_recipe_that_is_being_tried_ends_with_the_budget_and_the_quick_ones_are_tried() -> Result<()> {
    let (problem, truth) = four_blobs(40)?;
    let found = Auto::default().fit(&problem, &LateIn::new("", 0))?.clustering;
    let methods: Vec<&str> = found.leaderboard.iter().map(|m| m.method.as_str()).collect();
    assert!(!methods.is_empty());
    assert!(!methods.contains(&"skkm") && !methods.contains(&"ss-kernel-kmeans"), "{methods:?}");
    assert!(adjusted_rand(&truth, &found.labels)? > 0.95);
    assert_eq!((found.report.broken(), found.stop), (0, StopReason::Converged));
    Ok(())
}

#[test]
fn where_no_recipe_is_quick_the_first_one_is_tried_however_late() -> Result<()> {
    let (problem, truth) = four_blobs(40)?;
    let method = Auto { members: "skkm,e2cp".parse()?, ..Auto::default() };
    let found = method.fit(&problem, &LateIn::new("", 0))?.clustering;
    assert!(!found.leaderboard.is_empty());
    assert!(found.leaderboard.iter().all(|member| member.method == "skkm"));
    let settings = &found.leaderboard[0].settings;
    assert!(found.leaderboard.iter().all(|member| member.settings == *settings));
    assert!(adjusted_rand(&truth, &found.labels)? > 0.9);
    Ok(())
}

#[test]
fn less_is_asked_with_less_time() -> Result<()> {
    let (problem, _) = four_blobs(40)?;
    let asked = |budget: f64| -> Result<usize> {
        let clock = Asked::default();
        Auto { budget, ..Auto::default() }.fit(&problem, &clock)?;
        Ok(clock.0.into_inner())
    };
    let (whole, quick) = (asked(LATE)?, asked(1.0)?);
    let half = asked((whole / 2) as f64)?;
    assert!(quick < half && half < whole, "{quick}, {half}, {whole}");
    Ok(())
}

#[test]
fn members_whose_refit_is_late_are_left_out_but_for_the_heaviest() -> Result<()> {
    let (problem, truth) = four_blobs(8)?;
    let method = Auto { members: "skkm,kmeans,spectral".parse()?, ..Auto::default() };
    let whole = method.fit(&problem, &LateIn::new("never", 1))?.clustering;
    let found = method.fit(&problem, &LateIn::new("fitting members", 1))?.clustering;
    let recipes = |of: &ilk::outcome::Clustering| {
        let mut all: Vec<String> =
            of.leaderboard.iter().map(|m| format!("{} {:?}", m.method, m.settings)).collect();
        all.sort();
        all.dedup();
        all.len()
    };
    assert!(recipes(&found) < recipes(&whole), "{} of {}", recipes(&found), recipes(&whole));
    assert_eq!(found.leaderboard[0], whole.leaderboard[0]);
    assert_eq!(found.iterations, found.leaderboard.len());
    assert!(adjusted_rand(&truth, &found.labels)? > 0.95);
    Ok(())
}

#[test]
fn a_budget_in_fits_does_not_look_at_the_clock() -> Result<()> {
    let (problem, _) = four_blobs(40)?;
    let (late, silent) =
        (auto().fit(&problem, &LateIn::new("", 0))?, auto().fit(&problem, &Silent)?);
    assert_eq!(late.clustering, silent.clustering);
    assert_eq!(late.model, silent.model);
    Ok(())
}
