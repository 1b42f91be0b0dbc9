//! Answers that other answers contradict.

mod groups;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use groups::Groups;

use crate::Result;
use crate::problem::{ConstraintKind, Constraints};

/// What is left of what was said, and what was not believed.
#[derive(Debug, Clone, PartialEq)]
pub struct Heard {
    /// The answers that are believed; comparisons and labels are all among them.
    pub said: Constraints,
    /// Must-links that are not, as positions in the list they came from.
    pub must_links: Vec<usize>,
    /// Cannot-links that are not.
    pub cannot_links: Vec<usize>,
}

/// Times that the answers are weighed against those still believed.
const ROUNDS: usize = 5;

/// The share of the pairs above which nothing is doubted: where so much contradicts itself, the answers
/// that are left would be no better than those that are not.
const MOST: f64 = 1.0 / 3.0;

/// Leaves out pairs that the others outvote.
///
/// Whenever a and b were both compared with some c, the two answers say something about a and b: two
/// must-links that they belong together, a must-link and a cannot-link that they do not, two
/// cannot-links nothing. With s = 1 for a must-link and -1 for a cannot-link, the standing of a pair is
///
/// ```text
/// s(a, b) Σ_c s(a, c) s(c, b),   two cannot-links left out,
/// ```
///
/// each answer by its weight. A pair is doubted where its standing is below 0 and, in some triangle that
/// contradicts it, lower than that of both other sides: of three answers that contradict each other and
/// nothing else, nobody knows which is wrong. That is done a few times, each time against the answers that
/// are still believed.
///
/// Where anything is doubted, the answers that are left make groups: two points are joined where most
/// speaks for it, and then every point moves to where most of all answers want it. A pair is believed if
/// it agrees with the groups, as far as the answers about both its points are clear about where they
/// belong.
///
/// Answers without a contradiction are all believed, whatever they are about, and so
/// are pairs that no third point stands by: random pairs of many points are left as they are. So is
/// everything where more than a third would be doubted.
///
/// ```
/// use ilk::problem::Constraints;
/// use ilk::supervise::doubt::heard;
///
/// let mut said = Constraints::new(6);
/// for (a, b) in [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), (2, 3)] {
///     said.must_link(a, b)?;
/// }
/// said.cannot_link(0, 3)?.cannot_link(1, 3)?.cannot_link(2, 4)?;
/// // That 2 and 3 belong together goes against what was said of 0, 1 and 4.
/// assert_eq!(heard(&said)?.must_links, [6]);
/// # Ok::<(), ilk::Error>(())
/// ```
///
/// # Errors
/// None that valid constraints run into.
pub fn heard(said: &Constraints) -> Result<Heard> {
    let together = said.must_links().iter().map(|pair| (pair, 1.0));
    let apart = said.cannot_links().iter().map(|pair| (pair, -1.0));
    let pairs: Vec<Answer> = together
        .chain(apart)
        .map(|(pair, sign)| Answer {
            points: pair.points,
            value: sign * pair.weight,
        })
        .collect();
    let mut is_believed = vec![true; pairs.len()];
    for _ in 0..ROUNDS {
        let next = weighed(&pairs, &is_believed, said.n());
        if next == is_believed {
            break;
        }
        is_believed = next;
    }
    if let Some(groups) = Groups::of(&pairs, &is_believed, said.n()) {
        for (pair, is_believed) in pairs.iter().zip(&mut is_believed) {
            *is_believed = groups.agree(pair).unwrap_or(*is_believed);
        }
    }
    let doubted = is_believed.iter().filter(|&&believed| !believed).count();
    if doubted as f64 > MOST * pairs.len() as f64 {
        is_believed.fill(true);
    }

    let (must, cannot) = is_believed.split_at(said.must_links().len());
    let doubted = |believed: &[bool]| -> Vec<usize> {
        (0..believed.len()).filter(|&at| !believed[at]).collect()
    };
    let (must_links, cannot_links) = (doubted(must), doubted(cannot));
    Ok(Heard {
        said: said.without(&[
            (ConstraintKind::MustLink, &must_links),
            (ConstraintKind::CannotLink, &cannot_links),
        ])?,
        must_links,
        cannot_links,
    })
}

/// A pair and what was said of it: its weight, negative where they are apart.
#[derive(Debug, Clone, Copy)]
struct Answer {
    points: [usize; 2],
    value: f64,
}

/// Which answers stand against those that are believed.
fn weighed(pairs: &[Answer], is_believed: &[bool], n: usize) -> Vec<bool> {
    let believed = pairs.iter().zip(is_believed);
    let table = Table::new(believed.filter(|(_, yes)| **yes).map(|(pair, _)| pair), n);
    let standings: BTreeMap<[usize; 2], f64> = pairs
        .iter()
        .map(|pair| (pair.points, table.standing(pair)))
        .collect();
    let of = |a: usize, b: usize| standings.get(&[a.min(b), a.max(b)]).copied();
    let is_lowest = |pair: &Answer, standing: f64| {
        let [a, b] = pair.points;
        table
            .thirds(a, b)
            .filter(|(_, vote)| pair.value * vote < 0.0)
            .any(|(c, _)| {
                let sides = [of(a, c), of(c, b)];
                sides.iter().flatten().all(|&side| standing < side)
            })
    };
    pairs
        .iter()
        .map(|pair| {
            let standing = table.standing(pair);
            standing >= 0.0 || !is_lowest(pair, standing)
        })
        .collect()
}

/// What was said of every point.
struct Table(Vec<BTreeMap<usize, f64>>);

impl Table {
    fn new<'a>(answers: impl Iterator<Item = &'a Answer>, n: usize) -> Self {
        let mut about: Vec<BTreeMap<usize, f64>> = vec![BTreeMap::new(); n];
        for Answer {
            points: [a, b],
            value,
        } in answers
        {
            *about[*a].entry(*b).or_default() += value;
            *about[*b].entry(*a).or_default() += value;
        }
        Self(about)
    }

    /// The points that both were compared with, and what that says about the two.
    fn thirds(&self, a: usize, b: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let (few, many) = if self.0[a].len() <= self.0[b].len() {
            (a, b)
        } else {
            (b, a)
        };
        self.0[few].iter().filter_map(move |(&third, &one)| {
            let &other = self.0[many].get(&third)?;
            (one > 0.0 || other > 0.0).then_some((third, one * other))
        })
    }

    fn standing(&self, pair: &Answer) -> f64 {
        let [a, b] = pair.points;
        pair.value.signum() * self.thirds(a, b).map(|(_, vote)| vote).sum::<f64>()
    }
}
