//! The protocols, one function each. Every function appends to the constraints so far and repeats
//! none of them.

use std::collections::HashSet;

use super::truth::{PointGroups, Truth, number_of, pair_of, pairs};
use crate::{Error, Result, numerics::rng::Rng, problem::Constraints};

/// A constraint that was drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DrawnConstraint {
    MustLink([usize; 2]),
    CannotLink([usize; 2]),
    /// The last is the odd one.
    OddOneOut([usize; 3]),
    AboutEqual([usize; 3]),
}

impl DrawnConstraint {
    fn of_pair(truth: &Truth, pair: [usize; 2]) -> Self {
        if truth.together(pair[0], pair[1]) { Self::MustLink(pair) } else { Self::CannotLink(pair) }
    }

    pub(super) fn points(&self) -> &[usize] {
        match self {
            Self::MustLink(pair) | Self::CannotLink(pair) => pair,
            Self::OddOneOut(three) | Self::AboutEqual(three) => three,
        }
    }

    pub(super) fn add_to(self, constraints: &mut Constraints) -> Result<()> {
        match self {
            Self::MustLink([a, b]) => constraints.must_link(a, b)?,
            Self::CannotLink([a, b]) => constraints.cannot_link(a, b)?,
            Self::OddOneOut([a, b, odd]) => constraints.odd_one_out(a, b, odd)?,
            Self::AboutEqual([a, b, c]) => constraints.about_equal(a, b, c)?,
        };
        Ok(())
    }

    /// A wrong constraint on the same points.
    pub(super) fn flipped(self, rng: &mut Rng) -> Self {
        match self {
            Self::MustLink(pair) => Self::CannotLink(pair),
            Self::CannotLink(pair) => Self::MustLink(pair),
            Self::OddOneOut([a, b, odd]) => match rng.below(2) {
                0 => Self::OddOneOut([a, odd, b]),
                _ => Self::OddOneOut([b, odd, a]),
            },
            Self::AboutEqual([a, b, c]) => match rng.below(3) {
                0 => Self::OddOneOut([a, b, c]),
                1 => Self::OddOneOut([a, c, b]),
                _ => Self::OddOneOut([b, c, a]),
            },
        }
    }
}

/// `b` labelled points a class: all must-links and as many cannot-links. Returns the labelled
/// points too.
pub(super) fn per_class(
    truth: &Truth,
    b: usize,
    rng: &mut Rng,
) -> (Vec<usize>, Vec<DrawnConstraint>) {
    let labelled: Vec<Vec<usize>> = truth
        .classes
        .iter()
        .map(|class| {
            let drawn = rng.sample(class.len(), b);
            drawn.into_iter().map(|i| class[i]).collect()
        })
        .collect();
    let mut samples = Vec::new();
    for class in &labelled {
        for (i, &a) in class.iter().enumerate() {
            samples.extend(class[..i].iter().map(|&b| DrawnConstraint::MustLink([b, a])));
        }
    }
    let groups = PointGroups::new(&labelled);
    let numbers = rng.sample(groups.n_cross_pairs(), samples.len());
    samples.extend(groups.cross_pairs(&numbers).map(DrawnConstraint::CannotLink));
    (labelled.concat(), samples)
}

/// `n` random pairs, among them a cannot-link between every two classes that have none yet.
pub(super) fn random_pairs(
    truth: &Truth,
    n: usize,
    samples: &mut Vec<DrawnConstraint>,
    rng: &mut Rng,
) -> Result<()> {
    if n == 0 {
        return Ok(());
    }
    let separated = separated_classes(truth, samples);
    let classes = truth.classes.len();
    let n_needed = pairs(classes as u128) - separated.len() as u128;
    if (n as u128) < n_needed {
        let expected = format!(
            "at least {n_needed}: one cannot-link between every two of the {classes} classes"
        );
        return Err(Error::bad_parameter("n_pairs", n, expected));
    }
    let needed: Vec<[usize; 2]> = (0..classes)
        .flat_map(|c| (c + 1..classes).map(move |d| [c, d]))
        .filter(|pair| !separated.contains(&pair.map(Some)))
        .collect();
    let points = PointGroups::new(&truth.classes).points().to_vec();
    let all = pairs(points.len() as u128) as usize;
    if n > all - samples.len() {
        let left = (all - samples.len()) as u128;
        return Err(too_many("n_pairs", n, left, "pairs"));
    }

    let mut place = vec![0; points.iter().max().map_or(0, |last| last + 1)];
    for (i, &point) in points.iter().enumerate() {
        place[point] = i;
    }
    let number = |pair: &[usize]| {
        let (i, j) = (place[pair[0]], place[pair[1]]);
        number_of([i.min(j), i.max(j)])
    };
    let mut taken: Vec<usize> = samples.iter().map(|sample| number(sample.points())).collect();
    for &[c, d] in &needed {
        let (c, d) = (&truth.classes[c], &truth.classes[d]);
        let pair = [c[rng.below(c.len())], d[rng.below(d.len())]];
        taken.push(number(&pair));
        samples.push(DrawnConstraint::CannotLink(pair));
    }
    taken.sort_unstable();
    for free in rng.sample(all - taken.len(), n - needed.len()) {
        let pair = pair_of(skip(&taken, free)).map(|i| points[i]);
        samples.push(DrawnConstraint::of_pair(truth, pair));
    }
    Ok(())
}

/// The pairs of classes that already have a cannot-link between them.
fn separated_classes(truth: &Truth, samples: &[DrawnConstraint]) -> HashSet<[Option<usize>; 2]> {
    let of_cannot_links = samples.iter().filter_map(|sample| match *sample {
        DrawnConstraint::CannotLink(pair) => Some(pair.map(|point| truth.class_of(point))),
        _ => None,
    });
    of_cannot_links.map(|[c, d]| [c.min(d), c.max(d)]).collect()
}

/// The `k`-th number, counted from 0, that is not among the ascending `taken`.
fn skip(taken: &[usize], k: usize) -> usize {
    // taken[i] - i free numbers lie below taken[i]. That difference never falls, so it can be
    // searched; it needs the index, hence the search by hand.
    let (mut low, mut high) = (0, taken.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        if taken[middle] - middle <= k {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    k + low
}

/// `n` random odd-one-outs.
pub(super) fn odd_one_outs(
    truth: &Truth,
    n: usize,
    samples: &mut Vec<DrawnConstraint>,
    rng: &mut Rng,
) -> Result<()> {
    let groups = PointGroups::new(&truth.classes);
    let all = groups.n_odd_one_outs();
    if n as u128 > all {
        return Err(too_many("n_triplets", n, all, "odd-one-outs"));
    }
    let numbers = distinct(all, n, rng);
    samples.extend(groups.odd_one_outs(&numbers).map(DrawnConstraint::OddOneOut));
    Ok(())
}

/// `n` random about-equals.
pub(super) fn about_equals(
    truth: &Truth,
    n: usize,
    samples: &mut Vec<DrawnConstraint>,
    rng: &mut Rng,
) -> Result<()> {
    let groups = PointGroups::new(&truth.classes);
    let all = groups.n_about_equals();
    if n as u128 > all {
        return Err(too_many("n_equal", n, all, "about-equals"));
    }
    let points = groups.points();
    let equal = |[a, b, c]: [usize; 3]| {
        let same = [(a, b), (a, c), (b, c)].map(|(a, b)| truth.together(a, b));
        same == [true; 3] || same == [false; 3]
    };
    if n as u128 * 2 > all {
        // At least one three in ten counts wherever any does, so that listing all is no dearer
        // than the samples themselves.
        let mut every = Vec::new();
        for c in 0..points.len() {
            for b in 0..c {
                let threes = (0..b).map(|a| [a, b, c].map(|i| points[i]));
                every.extend(threes.filter(|&three| equal(three)));
            }
        }
        let drawn = rng.sample(every.len(), n);
        samples.extend(drawn.into_iter().map(|i| DrawnConstraint::AboutEqual(every[i])));
        return Ok(());
    }
    let mut seen = HashSet::new();
    while seen.len() < n {
        let mut positions = rng.sample(points.len(), 3);
        positions.sort_unstable();
        let three = [positions[0], positions[1], positions[2]].map(|i| points[i]);
        if equal(three) && seen.insert(three) {
            samples.push(DrawnConstraint::AboutEqual(three));
        }
    }
    Ok(())
}

/// `k` different numbers below `n`, which may outgrow `usize`.
fn distinct(n: u128, k: usize, rng: &mut Rng) -> Vec<u128> {
    if let Ok(n) = usize::try_from(n) {
        return rng.sample(n, k).into_iter().map(|i| i as u128).collect();
    }
    // So many that a repeat is a rarity.
    let mut seen = HashSet::new();
    let mut drawn = Vec::with_capacity(k);
    while drawn.len() < k {
        let number = rng.below_u128(n);
        if seen.insert(number) {
            drawn.push(number);
        }
    }
    drawn
}

fn too_many(parameter: &'static str, asked: usize, there_are: u128, what: &str) -> Error {
    let expected = format!("at most {there_are}: there are no more different {what} to draw");
    Error::bad_parameter(parameter, asked, expected)
}
