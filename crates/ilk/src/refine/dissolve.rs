//! Small clusters are dissolved where that does not raise the energy.

use std::ops::ControlFlow;

use super::energy::{EQUAL, LabelEnergy};
use super::sweep::{ActiveSet, Change, sweep};
use crate::Result;
use crate::observe::{Event, Observer, report};

/// Tries to dissolve every cluster below half the mean size, as long as more than two remain.
///
/// The clusters are tried by rising size, of equal ones first the one whose points have least
/// support by their neighbours, then the one in the sparser region. The sets of a cluster move to the best of the other labels, then
/// sweeps follow until nothing moves. All changes are undone where the energy has risen, or where a
/// set found no other label. Each cluster that dissolves appends the energy after it to `energies`,
/// which must not be empty.
pub(super) fn dissolve(
    energy: &mut LabelEnergy<'_>,
    max_sweeps: usize,
    energies: &mut Vec<f64>,
    observer: &dyn Observer,
) -> Result<()> {
    let n: usize = energy.sizes().iter().sum();
    let order = by_size(energy);
    let mut active = ActiveSet::none(energy.sets.len());
    for (tried, &cluster) in order.iter().enumerate() {
        let size = energy.sizes()[cluster];
        if energy.n_clusters() <= 2 {
            break;
        }
        let is_small = size > 0 && 2 * size * energy.n_clusters() < n;
        if is_small && let Some(gain) = try_without(energy, cluster, &mut active, max_sweeps) {
            let before = energies.last().copied().unwrap_or(f64::NAN);
            energies.push(before - gain);
        }
        let mut event = Event::new("dissolve", tried + 1, tried + 1, order.len());
        event.centers = Some(energy.n_clusters());
        report(observer, &event)?;
    }
    Ok(())
}

/// The clusters by rising size, then by rising support, then by falling radius.
fn by_size(energy: &LabelEnergy<'_>) -> Vec<usize> {
    let mut support = vec![0.0; energy.sizes().len()];
    for point in 0..energy.graph.n() {
        if let Some(cluster) = energy.label_of_point(point) {
            support[cluster] += energy.support(point);
        }
    }
    let mut radius = vec![0.0; energy.sizes().len()];
    for set in 0..energy.sets.len() {
        if let Some(cluster) = energy.label(set) {
            radius[cluster] += energy.graph.radius(set);
        }
    }
    let sizes = energy.sizes();
    let rank = |cluster: usize| (support[cluster] / EQUAL).round();
    let mut order: Vec<usize> = (0..sizes.len()).filter(|&c| sizes[c] > 0).collect();
    order.sort_by(|&a, &b| {
        let by_support = || rank(a).total_cmp(&rank(b));
        let by_radius = || radius[b].total_cmp(&radius[a]);
        sizes[a].cmp(&sizes[b]).then_with(by_support).then_with(by_radius)
    });
    order
}

/// By how much the energy falls without `cluster`; `None` where it would rise, with all labels as
/// before.
fn try_without(
    energy: &mut LabelEnergy<'_>,
    cluster: usize,
    active: &mut ActiveSet,
    max_sweeps: usize,
) -> Option<f64> {
    for set in energy.take_sets_of(cluster) {
        active.push(set);
    }
    let mut changes: Vec<Change> = Vec::new();
    let record = |_: &LabelEnergy<'_>, _, made: &[Change]| {
        changes.extend_from_slice(made);
        ControlFlow::Continue(())
    };
    let _never_stopped = sweep(energy, active, Some(cluster), max_sweeps, record);
    let gain: f64 = changes.iter().map(|change| change.gain).sum();
    if energy.sizes()[cluster] == 0 && gain > -EQUAL {
        return Some(gain);
    }
    for change in changes.iter().rev() {
        energy.relabel(change.set, change.from);
    }
    None
}
