//! What a person who knows the truth might have said: constraints drawn from labels.

mod draw;
#[cfg(test)]
mod tests;
mod truth;

use serde::{Deserialize, Serialize};

use crate::numerics::rng::{Rng, rng_stream};
use crate::problem::Constraints;
use crate::{Error, Result};
use draw::{Answer, about_equals, odd_one_outs, per_class, random_pairs};
use truth::Truth;

/// How many answers of each kind to draw, by the protocols of the papers. They add up; a kind of
/// which none are asked for draws nothing.
///
/// No pair and no three points are asked about twice. Points whose truth is `None` are never
/// used. The names of the classes don't matter, only who is with whom.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Answers {
    /// Labelled points a class, b (all points of smaller classes): every must-link among those of
    /// one class, and as many random cannot-links between those of different classes, or all there
    /// are if there are fewer. As in semi-supervised kernel mean shift.
    pub per_class: usize,
    /// Random pairs of any points, with at least one cannot-link between every two classes. As in
    /// semi-supervised kernel k-means.
    pub n_pairs: usize,
    /// Random odd-one-outs: two points of one class and one of another.
    pub n_triplets: usize,
    /// Random about-equals: three points of one class, or of three.
    pub n_equal: usize,
    /// The share of all these answers that is wrong, from 0 to 1: must-link for cannot-link and
    /// the reverse, another odd one, an odd one where all are about equal. Exactly the rounded
    /// share is wrong.
    pub noise: f64,
}

/// The answers that were drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    /// The answers.
    pub constraints: Constraints,
    /// The points that had to be looked at, ascending: all that an answer names, and the labelled
    /// ones of classes too small to give a pair.
    pub labelled: Vec<usize>,
    /// How many answers are wrong.
    pub flipped: usize,
}

impl Answers {
    /// Draws answers about points whose true classes are `truth`.
    pub fn draw(&self, truth: &[Option<usize>], seed: u64) -> Result<Drawn> {
        if !(0.0..=1.0).contains(&self.noise) {
            return Err(Error::BadParameter {
                parameter: "noise",
                value: self.noise.to_string(),
                expected: "a share from 0 to 1".to_owned(),
            });
        }
        let n = truth.len();
        let truth = Truth::new(truth);
        // A stream each, so that asking for more of one kind leaves the others as they were.
        let stream = |kind| rng_stream(seed, kind);
        let (labelled, mut answers) = per_class(&truth, self.per_class, &mut stream(1));
        random_pairs(&truth, self.n_pairs, &mut answers, &mut stream(2))?;
        odd_one_outs(&truth, self.n_triplets, &mut answers, &mut stream(3))?;
        about_equals(&truth, self.n_equal, &mut answers, &mut stream(4))?;
        let flipped = flip(&mut answers, self.noise, &mut stream(5));

        let mut named = vec![false; n];
        let in_answers = answers.iter().flat_map(Answer::points).copied();
        for point in labelled.into_iter().chain(in_answers) {
            named[point] = true;
        }
        let mut constraints = Constraints::new(n);
        for answer in &answers {
            answer.add_to(&mut constraints)?;
        }
        Ok(Drawn {
            constraints,
            labelled: (0..n).filter(|&point| named[point]).collect(),
            flipped,
        })
    }
}

/// Makes the rounded share `noise` of the answers wrong, and says how many those are.
fn flip(answers: &mut [Answer], noise: f64, rng: &mut Rng) -> usize {
    let wrong = (noise * answers.len() as f64).round() as usize;
    for i in rng.sample(answers.len(), wrong) {
        answers[i] = answers[i].flipped(rng);
    }
    wrong
}
