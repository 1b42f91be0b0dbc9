//! The parameters of settling.

use serde::{Deserialize, Serialize};

use crate::parameter::{ParameterInfo, Range};
use crate::{Error, Result};

/// What a must-link is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MustLinks {
    /// It always holds. A cannot-link between points that must-links join is left out.
    Hard,
    /// It holds wherever nothing contradicts it. Where must-links join two points that a cannot-link
    /// or two labels keep apart, one of those answers is wrong, and nobody knows which: there each
    /// is worth its penalty, and the neighbours decide.
    #[default]
    Uncontradicted,
    /// It is worth its penalty, like a cannot-link: for answers that are often wrong.
    Soft,
    /// As `Uncontradicted`, unless the neighbours say that many are wrong: then as `Soft`.
    ///
    /// Of m must-links, settling with soft ones breaks some number b. It takes two things to doubt
    /// them. b / m is more than the data explain: above 1.25 (1.01 - v), where v is the share of
    /// neighbours in one cluster. And b is what careless answers would leave: above 3% of the m
    /// must-links, and of the cannot-links, since a wrong answer turns the one into the other.
    Auto,
}

impl MustLinks {
    /// The names, as they are written in files and on the command line.
    pub const NAMES: &'static [&'static str] = &["hard", "uncontradicted", "soft", "auto"];
}

/// Settling: labels squared with those of the neighbours and with what was said.
///
/// 1. **Majority.** Two clusters with more must-links than cannot-links between them are joined, the
///    strongest case first. Of labelled points, those with the same label count as linked.
///    With `divide`, a cluster that then holds several components all of which must be apart
///    ([`separated_points`](crate::problem::Closure::separated_points)) is divided among them, each of its
///    points going to the nearest: no fewer groups are possible, and without a label of its own
///    none of them could move away.
/// 2. **Neighbours.** Units, which are the components of the must-links, move to the label that
///    lowers the energy
///
///    ```text
///    E = - Σ_i log(v_i(l_i) + floor) + penalty · max(1, n / answers) · (weight of broken answers)
///    ```
///
///    where v_i(l) is the share of label l among the nearest `neighbors` of point i, which count by
///    w_ij = exp(-(d_ij / d_ik)²) and sum to 1. Those that gain most go first, so that the order of
///    the points has no say; a unit may take any label of its neighbours and of those it is
///    neighbour to. This is iterated conditional modes (Besag 1986) on E itself.
/// 3. **Dissolve.** Clusters below half the mean size are tried by rising size while more than two
///    remain: their units leave for other labels, everyone around settles, and where E has risen, or
///    a unit has nowhere to go, all of it is taken back.
///
/// E never rises in 2 and 3 (beyond 1e-10, which counts as equal). It ends in a local minimum unless `max_sweeps` cuts it short.
///
/// Several cannot-links between the same two components count once, with the largest weight. The
/// components of two labels are kept apart with the product of their labels' weights. A weight
/// multiplies the penalty of an answer and its vote in the majority.
///
/// A point without a cluster is a unit that no neighbour holds, v = 0: it goes to a label of its
/// neighbours, and stays without one where none is near or all near ones are forbidden to it. A
/// component of several points that has no label starts as a cluster of its own.
///
/// Measured after constrained mean shift on 36 real and synthetic sets, 3 draws each, as mean ARI on
/// the points without answers, with n, n/3, n/10 answers, and with n of which 5% are wrong:
///
/// | | n | n/3 | n/10 | 5% wrong |
/// |---|---|---|---|---|
/// | grouping alone | .537 | .507 | .418 | .479 |
/// | neighbours | .640 | .527 | .424 | .593 |
/// | majority, neighbours | .657 | .549 | .431 | .635 |
/// | all three | .667 | .553 | .431 | .648 |
/// | all three, must-links soft | .647 | .551 | .430 | .644 |
///
/// Over all points, soft must-links lose where the answers are right (.779 to .731 with n) and win
/// where they are wrong (.645 to .675). Moving every unit by its own neighbours alone, with floor .02
/// and penalty 3, gave .664, .552, .432 and .639; there the energy may rise.
///
/// Use it after groupings that follow density, such as mean shift. Do not use it where clusters are
/// smaller than the number of neighbours: they are dissolved unless answers speak for them. The
/// space must be the one in which the grouping worked.
///
/// ```
/// use ilk::observe::Silent;
/// use ilk::problem::{Constraints, Points};
/// use ilk::settle::Settle;
///
/// let points = Points::from_rows(&[vec![0.0], vec![0.1], vec![0.2], vec![5.0], vec![5.1], vec![5.2]])?;
/// let mut said = Constraints::new(6);
/// said.must_link(0, 1)?;
/// let params = Settle { neighbors: 2, ..Settle::default() };
/// let labels = [4, 7, 7, 1, 1, 4].map(Some);
/// let settled = params.settle(&points, &labels, &said, &Silent)?;
/// assert_eq!(settled.labels, [0, 0, 0, 1, 1, 1].map(Some));
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settle {
    /// Neighbours of a point that have a say.
    pub neighbors: usize,
    /// Added to every share v: the smaller, the more it costs to stand alone.
    pub floor: f64,
    /// What a broken answer costs.
    pub penalty: f64,
    /// What a must-link is worth.
    pub must_links: MustLinks,
    /// Whether answers join clusters first.
    pub majority: bool,
    /// Whether clusters that hold components all of which must be apart are divided.
    pub divide: bool,
    /// Whether small clusters are dissolved at the end.
    pub dissolve: bool,
    /// At most this many sweeps over the units; 0 leaves step 2 out.
    pub max_sweeps: usize,
}

impl Default for Settle {
    fn default() -> Self {
        Self {
            neighbors: 10,
            floor: 0.2,
            penalty: 2.0,
            must_links: MustLinks::Uncontradicted,
            majority: true,
            divide: false,
            dissolve: true,
            max_sweeps: 20,
        }
    }
}

impl Settle {
    /// The parameters as data.
    pub const PARAMETERS: &'static [ParameterInfo] = &[
        ParameterInfo {
            name: "neighbors",
            doc: "Neighbours of a point that have a say.",
            range: Range::Integer {
                min: 1,
                max: u64::MAX,
            },
            default: "10",
        },
        ParameterInfo {
            name: "floor",
            doc: "Added to every share of the neighbours: the smaller, the more it costs to stand alone.",
            range: Range::Number {
                min: 0.0,
                inclusive: false,
                max: 1.0,
            },
            default: "0.2",
        },
        ParameterInfo {
            name: "penalty",
            doc: "What a broken answer costs.",
            range: Range::Number {
                min: 0.0,
                inclusive: true,
                max: 1e6,
            },
            default: "2",
        },
        ParameterInfo {
            name: "must_links",
            doc: "What a must-link is worth: hard, hard unless contradicted, or its penalty.",
            range: Range::Choice(MustLinks::NAMES),
            default: "uncontradicted",
        },
        ParameterInfo {
            name: "majority",
            doc: "Whether answers join clusters first.",
            range: Range::Flag,
            default: "true",
        },
        ParameterInfo {
            name: "divide",
            doc: "Whether clusters that hold components all of which must be apart are divided.",
            range: Range::Flag,
            default: "false",
        },
        ParameterInfo {
            name: "dissolve",
            doc: "Whether small clusters are dissolved at the end.",
            range: Range::Flag,
            default: "true",
        },
        ParameterInfo {
            name: "max_sweeps",
            doc: "At most this many sweeps over the units.",
            range: Range::Integer {
                min: 0,
                max: u64::MAX,
            },
            default: "20",
        },
    ];

    /// Refuses values out of range.
    pub(super) fn check(&self) -> Result<()> {
        let bad = |parameter, value: String, expected: &str| {
            Err(Error::BadParameter {
                parameter,
                value,
                expected: expected.to_owned(),
            })
        };
        if self.neighbors == 0 {
            return bad("neighbors", "0".to_owned(), "at least one is needed");
        }
        if !(self.floor > 0.0 && self.floor <= 1.0) {
            let expected = "it must be above 0 and at most 1";
            return bad("floor", self.floor.to_string(), expected);
        }
        if !(0.0..=1e6).contains(&self.penalty) {
            let expected = "it must lie between 0 and 1e6";
            return bad("penalty", self.penalty.to_string(), expected);
        }
        Ok(())
    }
}
