//! Refinement by plain loops over its definition.

use ilk::group::Label;
use ilk::refine::Refine;

use super::case::Case;

/// The energy by its definition, must-link components being units.
pub(crate) struct Plain<'a> {
    case: &'a Case,
    params: &'a Refine,
    weights: Vec<Vec<(usize, f64)>>,
    radius: Vec<f64>,
    component: Vec<usize>,
}

impl<'a> Plain<'a> {
    pub(crate) fn new(case: &'a Case, params: &'a Refine) -> Self {
        let n = case.space.len();
        let mut radii = vec![0.0; n];
        let weights = (0..n)
            .map(|i| {
                let dist = |j: usize| -> f64 {
                    let pairs = case.space.row(i).iter().zip(case.space.row(j));
                    pairs.map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
                };
                let mut others: Vec<usize> = (0..n).filter(|&j| j != i).collect();
                others.sort_by(|&a, &b| dist(a).total_cmp(&dist(b)));
                others.truncate(params.neighbors);
                let radius = others.last().map_or(1.0, |&j| dist(j));
                radii[i] = radius;
                let raw: Vec<f64> =
                    others.iter().map(|&j| (-(dist(j) / radius).powi(2)).exp()).collect();
                let total: f64 = raw.iter().sum();
                others.into_iter().zip(raw.iter().map(|w| w / total)).collect()
            })
            .collect();
        Self {
            case,
            params,
            weights,
            radius: radii,
            component: case.constraints.closure().components().to_vec(),
        }
    }

    fn members(&self, unit: usize) -> Vec<usize> {
        let n = self.component.len();
        (0..n).filter(|&i| self.component[i] == unit).collect()
    }

    /// The weight with which two sets are separated.
    fn separation(&self, a: usize, b: usize) -> f64 {
        let constraints = &self.case.constraints;
        let stated = constraints
            .cannot_links()
            .iter()
            .filter(|pair| {
                let ends = pair.points.map(|point| self.component[point]);
                ends == [a, b] || ends == [b, a]
            })
            .map(|pair| pair.weight)
            .sum::<f64>();
        let label = |unit: usize| {
            constraints
                .labels()
                .iter()
                .filter(|labelled| self.component[labelled.point] == unit)
                .map(|labelled| labelled.weight)
                .sum::<f64>()
        };
        f64::max(stated, label(a) * label(b))
    }

    pub(crate) fn energy(&self, labels: &[Label]) -> f64 {
        let n = labels.len();
        let smooth: f64 = (0..n)
            .map(|i| {
                let same = |&&(j, _): &&(usize, f64)| labels[i].is_some() && labels[j] == labels[i];
                let share: f64 = self.weights[i].iter().filter(same).map(|&(_, w)| w).sum();
                -(share + self.params.floor).ln()
            })
            .sum();
        let units = self.component.iter().max().map_or(0, |last| last + 1);
        let label = |unit: usize| labels[self.members(unit)[0]];
        let mut broken = 0.0;
        for a in 0..units {
            for b in 0..a {
                if label(a).is_some() && label(a) == label(b) {
                    broken += self.separation(a, b);
                }
            }
        }
        let constraints = &self.case.constraints;
        let n_constraints = constraints.must_links().len()
            + constraints.cannot_links().len()
            + constraints.labels().len();
        let scarce = (n as f64 / n_constraints.max(1) as f64).max(1.0);
        smooth + self.params.penalty * scarce * broken
    }

    fn with(&self, labels: &[Label], unit: usize, to: Label) -> Vec<Label> {
        let mut changed = labels.to_vec();
        for point in self.members(unit) {
            changed[point] = to;
        }
        changed
    }

    /// The labels of a unit's neighbours and of those that it is neighbour to.
    fn choices(&self, labels: &[Label], unit: usize) -> Vec<Label> {
        let members = self.members(unit);
        let mut choices: Vec<Label> = Vec::new();
        for i in 0..labels.len() {
            for &(j, _) in &self.weights[i] {
                match (members.contains(&i), members.contains(&j)) {
                    (true, false) => choices.push(labels[j]),
                    (false, true) => choices.push(labels[i]),
                    _ => {}
                }
            }
        }
        choices.retain(Option::is_some);
        choices.sort_unstable();
        choices.dedup();
        choices
    }

    /// The label that lowers the energy most, and by how much.
    pub(crate) fn best(&self, labels: &[Label], unit: usize) -> Option<(f64, Label)> {
        let now = self.energy(labels);
        self.choices(labels, unit)
            .into_iter()
            .map(|to| (now - self.energy(&self.with(labels, unit, to)), to))
            .filter(|(gain, _)| *gain > 1e-9)
            .max_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// One sweep: those that would gain, the most first, of equal ones those in sparser places; each
    /// looked at again at its turn. Units are single points.
    pub(crate) fn sweep(&self, labels: &[Label]) -> Vec<Label> {
        let units = self.component.iter().max().map_or(0, |last| last + 1);
        let mut order: Vec<(f64, usize)> = (0..units)
            .filter_map(|unit| self.best(labels, unit).map(|(gain, _)| (gain, unit)))
            .collect();
        let rank = |gain: f64| (gain * 1e9).round();
        order.sort_by(|a, b| {
            let by_radius = || self.radius[b.1].total_cmp(&self.radius[a.1]);
            rank(b.0).total_cmp(&rank(a.0)).then_with(by_radius)
        });
        let mut labels = labels.to_vec();
        for (_, unit) in order {
            if let Some((_, to)) = self.best(&labels, unit) {
                labels = self.with(&labels, unit, to);
            }
        }
        labels
    }
}

/// Whether two labellings are the same but for the numbers.
pub(crate) fn same_partition(a: &[Label], b: &[Label]) -> bool {
    let n = a.len();
    a.iter().zip(b).all(|(a, b)| a.is_none() == b.is_none())
        && (0..n).all(|i| (0..n).all(|j| (a[i] == a[j]) == (b[i] == b[j])))
}
