//! Fragments taken up by what surrounds them.

use std::ops::ControlFlow;

use super::neighbors::{Change, Restless, sweep};
use super::state::{EQUAL, State};
use crate::observe::{Event, Observer};
use crate::{Error, Result};

/// Dissolves small clusters where that does not raise the energy.
///
/// Clusters below half the mean size are tried by rising size, of equal ones first the one that its
/// neighbours hold least, as long as more than two remain: its units leave for the best of the other
/// labels, everyone around settles, and where the energy has risen, or a unit had nowhere to go, all
/// of it is taken back. Only what a change touches is looked at again. Whenever a cluster is gone,
/// the energy goes to the end of `energies`, which is not empty.
pub(super) fn dissolve(
    state: &mut State<'_>,
    max_sweeps: usize,
    energies: &mut Vec<f64>,
    observer: &dyn Observer,
) -> Result<()> {
    let n: usize = state.sizes().iter().sum();
    let order = by_size(state);
    let mut restless = Restless::none(state.units.len());
    for (tried, &cluster) in order.iter().enumerate() {
        let size = state.sizes()[cluster];
        if state.n_clusters() <= 2 {
            break;
        }
        let is_small = size > 0 && 2 * size * state.n_clusters() < n;
        if is_small && let Some(gain) = try_without(state, cluster, &mut restless, max_sweeps) {
            let energy = energies.last().map_or(f64::NAN, |energy| energy - gain);
            energies.push(energy);
        }
        let mut event = Event::new("dissolve", tried + 1, tried + 1, order.len());
        event.centers = Some(state.n_clusters());
        if observer.event(&event).is_break() {
            let iterations = tried + 1;
            return Err(Error::Cancelled { iterations });
        }
    }
    Ok(())
}

/// The clusters by rising size, then by rising support.
fn by_size(state: &State<'_>) -> Vec<usize> {
    let mut support = vec![0.0; state.sizes().len()];
    for point in 0..state.links.n() {
        if let Some(cluster) = state.label_of_point(point) {
            support[cluster] += state.support(point);
        }
    }
    let sizes = state.sizes();
    let mut order: Vec<usize> = (0..sizes.len()).filter(|&c| sizes[c] > 0).collect();
    order.sort_by(|&a, &b| {
        let by_support = || support[a].total_cmp(&support[b]);
        sizes[a].cmp(&sizes[b]).then_with(by_support)
    });
    order
}

/// Settles without `cluster`. By how much that lowers the energy, or `None` where it does not and
/// nothing has changed.
fn try_without(
    state: &mut State<'_>,
    cluster: usize,
    restless: &mut Restless,
    max_sweeps: usize,
) -> Option<f64> {
    for unit in state.take_roster(cluster) {
        restless.push(unit);
    }
    let mut changes: Vec<Change> = Vec::new();
    let keep = |_: &State<'_>, _, made: &[Change]| {
        changes.extend_from_slice(made);
        ControlFlow::Continue(())
    };
    let _never_stopped = sweep(state, restless, Some(cluster), max_sweeps, keep);
    let gain: f64 = changes.iter().map(|change| change.gain).sum();
    if state.sizes()[cluster] == 0 && gain > -EQUAL {
        return Some(gain);
    }
    for change in changes.iter().rev() {
        state.relabel(change.unit, change.from);
    }
    None
}
