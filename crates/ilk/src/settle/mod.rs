//! Labels squared with the neighbours and with what was said.
//!
//! A grouping looks at the whole; at its seams it leaves points on the wrong side, fragments that
//! belong to what surrounds them, and answers that it did not hear. Settling mends that after any
//! grouping, step by step ([`Settle`] has the equations): clusters that answers join are joined, those
//! that hold what must be apart may be divided, points go where their neighbours and the answers want them, fragments are taken up. New points
//! are placed by a [`Vote`] of the same neighbours.
//!
//! | file | what it holds |
//! |---|---|
//! | `params.rs` | [`Settle`], its ranges and what each does |
//! | `units.rs` | points that move as one, and the ties between them |
//! | `links.rs`, `weights.rs` | who is whose neighbour, and how much that counts |
//! | `start.rs` | the labels to begin with |
//! | `state.rs` | labels, their energy, and what a move would gain |
//! | `majority.rs`, `divide.rs`, `neighbors.rs`, `dissolve.rs` | the steps |
//! | `vote.rs` | new points |

mod dissolve;
mod divide;
mod links;
mod majority;
mod neighbors;
mod params;
mod start;
mod state;
#[cfg(test)]
mod tests;
mod units;
mod vote;
mod weights;

pub use params::{MustLinks, Settle};
pub(crate) use start::by_appearance;
pub use vote::Vote;

use crate::group::Label;
use crate::observe::{Event, Observer};
use crate::problem::{Constraints, Pair, Points};
use crate::{Error, Result};
use dissolve::dissolve;
use divide::divide;
use links::Links;
use neighbors::{Restless, sweep};
use start::start;
use state::State;
use units::Units;

/// What settling did.
#[derive(Debug, Clone, PartialEq)]
pub struct Settled {
    /// The cluster of every point, numbered by first appearance.
    pub labels: Vec<Label>,
    /// Number of clusters.
    pub n_clusters: usize,
    /// Clusters that the majority of the answers joined with another.
    pub joined: usize,
    /// Points that ended in another cluster than the majority left them in.
    pub moved: usize,
    /// Clusters that dissolved.
    pub dissolved: usize,
    /// Sweeps that moved anything, before clusters were dissolved.
    pub sweeps: usize,
    /// The energy before the first sweep, after each, and after each cluster that dissolved. It
    /// never rises.
    pub energies: Vec<f64>,
    /// Cannot-links between points that must-links join: positions in [`Constraints::cannot_links`].
    pub conflicts: Vec<usize>,
}

impl Settle {
    /// Settles the `labels` of points. `space` is where the grouping saw the points: the input where
    /// it worked on that, the learned features where it worked on those.
    ///
    /// # Errors
    /// [`Error::BadParameter`]; [`Error::WrongLength`] where labels or constraints are about another
    /// number of points; [`Error::Cancelled`].
    pub fn settle(
        &self,
        space: &Points,
        labels: &[Label],
        constraints: &Constraints,
        observer: &dyn Observer,
    ) -> Result<Settled> {
        self.check()?;
        all_of(space.len(), labels.len(), "the list of labels")?;
        let what = "the list of points of the constraints";
        all_of(space.len(), constraints.n(), what)?;
        if self.must_links == MustLinks::Auto && self.max_sweeps > 0 {
            let (soft, agreement) =
                self.run(MustLinks::Soft, space, labels, constraints, observer)?;
            if are_doubtful(constraints, &soft.labels, agreement) {
                return Ok(soft);
            }
        }
        let (settled, _) = self.run(self.must_links, space, labels, constraints, observer)?;
        Ok(settled)
    }

    /// Settles with must-links of that worth; also the mean share of a point's neighbours that have
    /// its label.
    fn run(
        &self,
        must_links: MustLinks,
        space: &Points,
        labels: &[Label],
        constraints: &Constraints,
        observer: &dyn Observer,
    ) -> Result<(Settled, f64)> {
        let (mut labels, n_given) = by_appearance(labels);
        let mut joined = 0;
        if self.majority {
            let first = majority::join(&labels, n_given, constraints);
            joined = (0..n_given).filter(|&c| first[c] != c).count();
            for label in &mut labels {
                *label = label.map(|cluster| first[cluster]);
            }
        }
        let n_given = if self.divide {
            divide(space, &mut labels, n_given, constraints)
        } else {
            n_given
        };
        let units = Units::new(constraints, must_links);
        let links = Links::new(space, &units, self.neighbors);
        let (start, n_labels) = start(&labels, n_given, &units, &links);
        let penalty = self.penalty * scarcity(constraints);
        let mut state = State::new(&units, &links, start, n_labels, self.floor, penalty);

        let mut energies = vec![state.energy()];
        let mut restless = Restless::all(units.len());
        let sweeps = sweep(
            &mut state,
            &mut restless,
            None,
            self.max_sweeps,
            |state, done, made| {
                energies.push(state.energy());
                let rest = units.len() - made.len();
                let mut event = Event::new("settle", done, rest, units.len());
                event.centers = Some(state.n_clusters());
                observer.event(&event)
            },
        )
        .map_err(|iterations| Error::Cancelled { iterations })?;
        let mut dissolved = 0;
        if self.dissolve {
            let before = energies.len();
            dissolve(&mut state, self.max_sweeps, &mut energies, observer)?;
            dissolved = energies.len() - before;
        }

        let settled: Vec<Label> = (0..space.len())
            .map(|point| state.label_of_point(point))
            .collect();
        let moved = settled.iter().zip(&labels).filter(|(a, b)| a != b).count();
        let (labels, n_clusters) = by_appearance(&settled);
        let support: f64 = (0..space.len()).map(|point| state.support(point)).sum();
        let settled = Settled {
            labels,
            n_clusters,
            joined,
            moved,
            dissolved,
            sweeps,
            energies,
            conflicts: units.into_conflicts(),
        };
        Ok((settled, support / space.len() as f64))
    }
}

/// How many times as often as neighbours disagree must-links may be broken.
const BEYOND_DISAGREEMENT: f64 = 1.25;

/// The share of wrong answers above which people are careless.
const CARELESS: f64 = 0.03;

/// Whether soft must-links are broken more often than right ones would be, in data of which
/// `agreement` is the share of neighbours in one cluster.
fn are_doubtful(constraints: &Constraints, labels: &[Label], agreement: f64) -> bool {
    let pairs = constraints.must_links();
    let is_broken = |pair: &&Pair| labels[pair.points[0]] != labels[pair.points[1]];
    let broken = pairs.iter().filter(is_broken).count() as f64;
    let said = pairs.len() as f64;
    broken > BEYOND_DISAGREEMENT * (1.01 - agreement) * said
        && broken > CARELESS * said.max(constraints.cannot_links().len() as f64)
}

/// max(1, points / answers): the fewer the answers, the more each of them counts.
fn scarcity(constraints: &Constraints) -> f64 {
    let answers = constraints.must_links().len()
        + constraints.cannot_links().len()
        + constraints.labels().len();
    (constraints.n() as f64 / answers.max(1) as f64).max(1.0)
}

fn all_of(expected: usize, found: usize, what: &'static str) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(Error::WrongLength {
        what,
        found,
        expected,
    })
}
