//! Which rows are taken.

use ilk::numerics::rng::Rng;
use serde::Serialize;

/// Which rows are taken.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) enum RowSample {
    All,
    /// This many different ones.
    Some(usize),
    /// This many, the same row more than once perhaps.
    WithReplacement(usize),
    /// This many different ones, those of a class with a weight: from `retention` for the first class
    /// to 1 for the last, in equal steps, the classes in random order.
    Imbalanced {
        n: usize,
        retention: f64,
    },
    /// This many different ones of every class, or all of a smaller one.
    PerClass(usize),
    /// As many of every class as give at most this many of all.
    Evenly(usize),
}

impl RowSample {
    /// The same with at most `most` rows.
    pub(in crate::reproduce) fn at_most(self, most: usize) -> Self {
        match self {
            Self::All => Self::Some(most),
            Self::Some(n) => Self::Some(n.min(most)),
            Self::WithReplacement(n) => Self::WithReplacement(n.min(most)),
            Self::Imbalanced { n, retention } => Self::Imbalanced { n: n.min(most), retention },
            Self::PerClass(_) => Self::Evenly(most),
            Self::Evenly(n) => Self::Evenly(n.min(most)),
        }
    }

    /// The rows of a set with these classes.
    pub(super) fn draw(self, classes: &[usize], rng: &mut Rng) -> Vec<usize> {
        let all = classes.len();
        match self {
            Self::All => (0..all).collect(),
            Self::Some(n) => rng.sample(all, n),
            Self::WithReplacement(n) => (0..n).map(|_| rng.below(all)).collect(),
            Self::Imbalanced { n, retention } => imbalanced(classes, n, retention, rng),
            Self::PerClass(each) => per_class(&members(classes), each, rng),
            Self::Evenly(n) => {
                let members = members(classes);
                per_class(&members, n / members.len().max(1), rng)
            }
        }
    }
}

/// The rows of every class that has any, ascending.
fn members(classes: &[usize]) -> Vec<Vec<usize>> {
    let mut members = vec![Vec::new(); classes.iter().max().map_or(0, |most| most + 1)];
    for (row, &class) in classes.iter().enumerate() {
        members[class].push(row);
    }
    members.retain(|class| !class.is_empty());
    members
}

/// `each` rows of every class, one class after the other.
fn per_class(members: &[Vec<usize>], each: usize, rng: &mut Rng) -> Vec<usize> {
    let drawn = members.iter().flat_map(|class| {
        let places = rng.sample(class.len(), each);
        places.into_iter().map(|place| class[place])
    });
    drawn.collect()
}

/// `n` different rows, each step's choice in proportion to the weights of those left. That is the order
/// of -ln(u) / w for u uniform (Efraimidis and Spirakis 2006).
fn imbalanced(classes: &[usize], n: usize, retention: f64, rng: &mut Rng) -> Vec<usize> {
    let mut order: Vec<usize> = classes.to_vec();
    order.sort_unstable();
    order.dedup();
    rng.shuffle(&mut order);
    let last = order.len().saturating_sub(1).max(1) as f64;
    let mut weight_of = vec![0.0; order.iter().max().map_or(0, |most| most + 1)];
    for (place, &class) in order.iter().enumerate() {
        weight_of[class] = retention + (1.0 - retention) * place as f64 / last;
    }
    let mut keyed: Vec<(f64, usize)> = classes
        .iter()
        .enumerate()
        .map(|(row, &class)| (-(1.0 - rng.uniform()).ln() / weight_of[class], row))
        .collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    keyed.into_iter().take(n).map(|(_, row)| row).collect()
}
