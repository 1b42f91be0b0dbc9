//! Problems to settle.

use ilk::group::Label;
use ilk::ndarray::Array2;
use ilk::numerics::rng::rng;
use ilk::observe::Silent;
use ilk::problem::{ConstraintKind, Constraints, Points};
use ilk::settle::{MustLinks, Settle, Settled};
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

pub(crate) fn settle(
    params: &Settle,
    space: &Points,
    labels: &[Label],
    said: &Constraints,
) -> Settled {
    let settled = params.settle(space, labels, said, &Silent);
    settled.expect("valid input")
}

pub(crate) fn small() -> Settle {
    Settle {
        neighbors: 4,
        must_links: MustLinks::Hard,
        ..Settle::default()
    }
}

/// Three heaps of 20 points on a line, 10 apart.
pub(crate) fn three_heaps() -> (Points, Vec<usize>) {
    let xs: Vec<f64> = (0..60)
        .map(|i| 10.0 * f64::from(i / 20) + 0.1 * f64::from(i % 20))
        .collect();
    (line(&xs), (0..60).map(|i| i / 20).collect())
}

/// A problem of random points, labels and answers.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) space: Points,
    pub(crate) labels: Vec<Label>,
    pub(crate) said: Constraints,
    pub(crate) truth: Vec<usize>,
}

/// Overlapping heaps, cut into `fragments` with errors, some points without a cluster; answers with
/// weights that are all different, of which a share is `wrong`; some labels.
pub(crate) fn case(n: usize, fragments: usize, answers: usize, wrong: f64, seed: u64) -> Case {
    let mut rng = rng(seed);
    let truth: Vec<usize> = (0..n).map(|_| rng.below(3)).collect();
    let data = Array2::from_shape_fn((n, 2), |(i, d)| {
        2.5 * ((truth[i] + d) % 3) as f64 + rng.normal()
    });
    let labels = (0..n)
        .map(|i| match rng.below(12) {
            0 => None,
            1 | 2 => Some(rng.below(fragments)),
            _ => Some((truth[i] + 3 * rng.below(2)) % fragments),
        })
        .collect();
    let mut said = Constraints::new(n);
    for _ in 0..answers {
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
        said.add(kind, &[a, b], weight, None).expect("a fair pair");
    }
    for point in rng.sample(n, answers / 4) {
        let name = truth[point].to_string();
        let weight = 0.5 + rng.uniform();
        said.add_label(point, &name, weight, None)
            .expect("one label a point");
    }
    Case {
        space: Points::new(data).expect("finite"),
        labels,
        said,
        truth,
    }
}

pub(crate) fn arbitrary_case(wrong: f64) -> impl Strategy<Value = Case> {
    (1_usize..60, 1_usize..9, 0_usize..50, any::<u64>())
        .prop_map(move |(n, fragments, answers, seed)| case(n, fragments, answers, wrong, seed))
}
