//! Problems to refine.

use ilk::group::Label;
use ilk::ndarray::Array2;
use ilk::numerics::rng::rng;
use ilk::observe::Silent;
use ilk::problem::{ConstraintKind, Constraints, Points};
use ilk::refine::{MustLinkPolicy, Refine, Refined};
use proptest::prelude::*;

pub(crate) fn points(rows: &[&[f64]]) -> Points {
    let rows: Vec<Vec<f64>> = rows.iter().map(|row| row.to_vec()).collect();
    Points::from_rows(&rows).expect("finite")
}

pub(crate) fn line(xs: &[f64]) -> Points {
    Points::from_shape(xs.len(), 1, xs.to_vec()).expect("finite")
}

pub(crate) fn some(labels: &[usize]) -> Vec<Label> {
    labels.iter().copied().map(Some).collect()
}

pub(crate) fn refine(
    params: &Refine,
    space: &Points,
    labels: &[Label],
    constraints: &Constraints,
) -> Refined {
    let refined = params.refine(space, labels, constraints, &Silent);
    refined.expect("valid input")
}

pub(crate) fn small() -> Refine {
    Refine { neighbors: 4, must_links: MustLinkPolicy::Hard, ..Refine::default() }
}

/// Three heaps of 20 points on a line, 10 apart.
pub(crate) fn three_heaps() -> (Points, Vec<usize>) {
    let xs: Vec<f64> =
        (0..60).map(|i| 10.0 * f64::from(i / 20) + 0.1 * f64::from(i % 20)).collect();
    (line(&xs), (0..60).map(|i| i / 20).collect())
}

/// A problem of random points, labels and constraints.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) space: Points,
    pub(crate) labels: Vec<Label>,
    pub(crate) constraints: Constraints,
    pub(crate) truth: Vec<usize>,
}

/// Overlapping heaps, cut into `fragments` with errors, some points without a cluster; constraints with
/// weights that are all different, of which a share is `wrong`; some labels.
pub(crate) fn case(
    n: usize,
    fragments: usize,
    n_constraints: usize,
    wrong: f64,
    seed: u64,
) -> Case {
    let mut rng = rng(seed);
    let truth: Vec<usize> = (0..n).map(|_| rng.below(3)).collect();
    let data =
        Array2::from_shape_fn((n, 2), |(i, d)| 2.5 * ((truth[i] + d) % 3) as f64 + rng.normal());
    let labels = (0..n)
        .map(|i| match rng.below(12) {
            0 => None,
            1 | 2 => Some(rng.below(fragments)),
            _ => Some((truth[i] + 3 * rng.below(2)) % fragments),
        })
        .collect();
    let mut constraints = Constraints::new(n);
    for _ in 0..n_constraints {
        let (a, b) = (rng.below(n), rng.below(n));
        if a == b {
            continue;
        }
        let kind = if (truth[a] == truth[b]) == (rng.uniform() >= wrong) {
            ConstraintKind::MustLink
        } else {
            ConstraintKind::CannotLink
        };
        let weight = 0.5 + rng.uniform();
        constraints.add(kind, &[a, b], weight, None).expect("a fair pair");
    }
    for point in rng.sample(n, n_constraints / 4) {
        let name = truth[point].to_string();
        let weight = 0.5 + rng.uniform();
        constraints.add_label(point, &name, weight, None).expect("one label a point");
    }
    Case { space: Points::new(data).expect("finite"), labels, constraints, truth }
}

pub(crate) fn arbitrary_case(wrong: f64) -> impl Strategy<Value = Case> {
    (1_usize..60, 1_usize..9, 0_usize..50, any::<u64>()).prop_map(
        move |(n, fragments, n_constraints, seed)| case(n, fragments, n_constraints, wrong, seed),
    )
}
