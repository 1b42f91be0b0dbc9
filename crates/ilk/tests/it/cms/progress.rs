//! What an observer sees of a run, and what is kept of it.

use std::ops::ControlFlow;
use std::sync::Mutex;

use ilk::Error;
use ilk::datasets::{ConstraintSampler, Moons};
use ilk::group::constrained_mean_shift::Schedule;
use ilk::method::{AnyMethod, Cms, CmsMode, Method};
use ilk::observe::{Event, Silent};
use ilk::problem::{Points, Problem};
use ilk::refine::Refinement;
use proptest::prelude::*;

/// Two moons with some constraints.
fn moons(n: usize) -> Problem {
    let moons = Moons { n, ..Default::default() };
    let moons = moons.generate(1).unwrap();
    let truth: Vec<Option<usize>> = moons.labels.iter().copied().map(Some).collect();
    let sampler = ConstraintSampler { n_pairs: 40, ..Default::default() };
    let constraints = sampler.draw(&truth, 1).unwrap().constraints;
    Problem::new(Points::new(moons.points().unwrap().clone()).unwrap(), constraints).unwrap()
}

fn all_variants(max_iter: usize) -> impl Iterator<Item = Cms> {
    [CmsMode::Paper, CmsMode::Best]
        .into_iter()
        .flat_map(|mode| [false, true].map(|blurring| (mode, blurring)))
        .map(move |(mode, blurring)| Cms {
            mode,
            blurring,
            max_iter,
            refine: Refinement::Dissolve,
            ..Cms::default()
        })
}

#[test]
fn an_observer_sees_bandwidth_movement_and_centres_of_every_iteration() {
    let problem = moons(100);
    for params in all_variants(30) {
        let params = Cms { history: 30, ..params };
        let events = Mutex::new(Vec::new());
        let observer = |event: &Event| {
            events.lock().unwrap().push(*event);
            ControlFlow::Continue(())
        };
        let found = AnyMethod::Cms(params.clone()).fit(&problem, &observer).unwrap();
        let found = found.clustering;
        let mut events = events.into_inner().unwrap();
        events.retain(|event| event.stage == "constrained mean shift");
        assert_eq!(events.len(), found.iterations, "{params:?}");
        let mut before = problem.len();
        for (i, event) in events.iter().enumerate() {
            assert_eq!((event.iteration, event.total), (i + 1, 30));
            assert_eq!(event.bandwidth, found.trace[i].bandwidth);
            assert_eq!(event.movement, found.trace[i].movement);
            let mut places: Vec<Vec<u64>> = found.history[i]
                .centers
                .rows()
                .into_iter()
                .map(|row| row.iter().map(|x| x.to_bits()).collect())
                .collect();
            places.sort_unstable();
            places.dedup();
            assert_eq!(event.centers, Some(places.len()), "{params:?}");
            assert!(places.len() <= before, "centres that met never part");
            before = places.len();
        }
        let h: Vec<f64> = events.iter().filter_map(|event| event.bandwidth).collect();
        assert!(h.windows(2).all(|pair| pair[0] < pair[1]), "{h:?}");
        assert!(events[0].movement > 0.0);
    }
}

#[test]
fn a_run_that_is_cancelled_after_an_iteration_begins_no_other() {
    let problem = moons(100);
    for params in all_variants(30) {
        let last = Mutex::new(0);
        let cancel = |event: &Event| {
            *last.lock().unwrap() = event.iteration;
            if event.iteration == 4 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let ended = AnyMethod::Cms(params.clone()).fit(&problem, &cancel);
        let expected = Error::Cancelled { iterations: 4 };
        assert_eq!(ended.err(), Some(expected), "{params:?}");
        assert_eq!(last.into_inner().unwrap(), 4, "{params:?}");
    }
}

#[test]
fn a_large_run_can_be_cancelled_within_an_iteration() {
    let problem = moons(4200);
    for params in all_variants(2) {
        // A given bandwidth, so that nothing is chosen before the first iteration.
        let params = Cms { bandwidth: Schedule::Between(0.05, 1.0), ..params };
        let events = Mutex::new(Vec::new());
        let cancel = |event: &Event| {
            events.lock().unwrap().push(*event);
            ControlFlow::Break(())
        };
        let ended = AnyMethod::Cms(params.clone()).fit(&problem, &cancel);
        let expected = Error::Cancelled { iterations: 0 };
        assert_eq!(ended.err(), Some(expected), "{params:?}");
        let events = events.into_inner().unwrap();
        assert!(events.iter().all(|event| event.iteration == 1));
        // The count of centres is not known before the end of an iteration.
        assert!(events.iter().all(|event| event.centers.is_none()));
    }
}

#[test]
fn without_history_no_snapshot_is_kept() {
    let fit = AnyMethod::Cms(Cms::default()).fit(&moons(50), &Silent);
    assert!(fit.unwrap().clustering.history.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn history_is_as_long_as_asked_and_evenly_spread(
        asked in 1_usize..50,
        max_iter in 1_usize..40,
        blurring: bool,
    ) {
        let params = Cms {
            history: asked,
            max_iter,
            blurring,
            early_stop: false,
            mode: CmsMode::Paper,
            refine: Refinement::Dissolve,
            ..Cms::default()
        };
        let found = AnyMethod::Cms(params).fit(&moons(20), &Silent).unwrap().clustering;
        let at: Vec<usize> = found.history.iter().map(|kept| kept.iteration).collect();
        prop_assert_eq!(at.len(), asked.min(max_iter));
        prop_assert_eq!(at.last(), Some(&max_iter));
        let gaps: Vec<usize> = std::iter::once(at[0])
            .chain(at.windows(2).map(|pair| pair[1] - pair[0]))
            .collect();
        let (least, most) = (gaps.iter().min().unwrap(), gaps.iter().max().unwrap());
        prop_assert!(*least >= 1 && most - least <= 1, "{:?}", at);
        for kept in &found.history {
            prop_assert_eq!(Some(kept.bandwidth), found.trace[kept.iteration - 1].bandwidth);
        }
        prop_assert_eq!(&found.history[at.len() - 1].centers, found.final_positions.as_ref().unwrap());
    }

    #[test]
    fn an_early_stop_never_keeps_more_than_was_asked(asked in 1_usize..50) {
        let params = Cms {
            history: asked,
            refine: Refinement::Dissolve,
            ..Cms::default()
        };
        let found = AnyMethod::Cms(params).fit(&moons(20), &Silent).unwrap().clustering;
        prop_assert!(found.history.len() <= asked);
        let within = |kept: &ilk::group::Snapshot| kept.iteration <= found.iterations;
        prop_assert!(found.history.iter().all(within));
    }
}
