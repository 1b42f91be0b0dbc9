//! Scores that count pairs of points.

use serde::{Deserialize, Serialize};

use super::Contingency;

/// Pairs of points by whether they share a label in each labelling. Pairs are unordered, and the counts
/// are exact for any number of points that fits in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairConfusion {
    /// In one cluster in both.
    pub together: u128,
    /// In one cluster in the prediction only.
    pub wrongly_joined: u128,
    /// In one cluster in the truth only.
    pub wrongly_split: u128,
    /// In different clusters in both.
    pub apart: u128,
}

/// Precision, recall and F over the pairs that are together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PairScores {
    /// Of the pairs that the prediction joins, the share that belongs together.
    pub precision: f64,
    /// Of the pairs that belong together, the share that the prediction joins.
    pub recall: f64,
    /// The harmonic mean of the two.
    pub f: f64,
}

fn pairs_among(count: u64) -> u128 {
    let count = u128::from(count);
    count * count.saturating_sub(1) / 2
}

impl Contingency {
    /// How the two labellings agree on pairs.
    pub fn pair_confusion(&self) -> PairConfusion {
        let within = |sizes: &[u64]| sizes.iter().map(|&size| pairs_among(size)).sum::<u128>();
        let cells = self.cells().iter();
        let together = cells.map(|cell| pairs_among(cell.count)).sum();
        let wrongly_joined = within(self.cluster_sizes()) - together;
        let wrongly_split = within(self.class_sizes()) - together;
        PairConfusion {
            together,
            wrongly_joined,
            wrongly_split,
            apart: pairs_among(self.n()) - together - wrongly_joined - wrongly_split,
        }
    }
}

impl PairConfusion {
    fn agree(self) -> bool {
        self.wrongly_joined == 0 && self.wrongly_split == 0
    }

    /// The Rand index: the share of pairs on which the labellings agree; 1 where there are none.
    pub fn rand_index(self) -> f64 {
        if self.agree() {
            return 1.0;
        }
        let right = self.together + self.apart;
        right as f64 / (right + self.wrongly_joined + self.wrongly_split) as f64
    }

    /// The Rand index, moved and scaled so that its mean over random labellings of the same sizes
    /// is 0 and its greatest value 1 (Hubert and Arabie 1985). With the counts a (together),
    /// b (wrongly joined), c (wrongly split), d (apart):
    ///
    /// 2 (ad - bc) / ((a + c)(c + d) + (a + b)(b + d)).
    pub fn adjusted_rand(self) -> f64 {
        if self.agree() {
            return 1.0;
        }
        let Self { together: a, wrongly_joined: b, wrongly_split: c, apart: d } = self;
        // Products of pair counts stay below n^4 / 4: exact up to a billion points.
        let (agreeing, disagreeing) = (a * d, b * c);
        let difference = if agreeing >= disagreeing {
            (agreeing - disagreeing) as f64
        } else {
            -((disagreeing - agreeing) as f64)
        };
        2.0 * difference / ((a + c) * (c + d) + (a + b) * (b + d)) as f64
    }

    /// Precision, recall and F. Where nothing was joined, or nothing belongs together, the share
    /// of none is 1 if the labellings agree and 0 if not.
    pub fn scores(self) -> PairScores {
        let share = |of: u128| match of {
            0 => f64::from(u8::from(self.agree())),
            _ => self.together as f64 / of as f64,
        };
        PairScores {
            precision: share(self.together + self.wrongly_joined),
            recall: share(self.together + self.wrongly_split),
            f: match 2 * self.together + self.wrongly_joined + self.wrongly_split {
                0 => 1.0,
                all => 2.0 * self.together as f64 / all as f64,
            },
        }
    }
}
