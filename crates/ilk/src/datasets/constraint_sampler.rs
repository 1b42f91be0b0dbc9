//! Constraints drawn at random from true labels.

mod draw;
#[cfg(test)]
mod tests;
mod truth;

use serde::{Deserialize, Serialize};

use crate::numerics::rng::{Rng, rng_stream};
use crate::{Error, Result, problem::Constraints};
use draw::{DrawnConstraint, about_equals, odd_one_outs, per_class, random_pairs};
use truth::Truth;

/// How many constraints of each kind to draw, by the protocols of the papers. They add up.
///
/// No pair and no three points are drawn twice. Points whose truth is `None` are never used. The
/// names of the classes do not matter, only which points share one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConstraintSampler {
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
    /// The share of all these constraints that is wrong, from 0 to 1: must-link for cannot-link and
    /// the reverse, another odd one, an odd one where all are about equal. Exactly the rounded
    /// share is wrong.
    pub noise: f64,
}

/// The constraints that were drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct SampledConstraints {
    /// The constraints.
    pub constraints: Constraints,
    /// The points whose labels were used, ascending: all that a constraint names, and the labelled
    /// ones of classes too small to give a pair.
    pub labelled: Vec<usize>,
    /// How many of them are wrong.
    pub flipped: usize,
}

impl ConstraintSampler {
    /// Draws constraints on points whose true classes are `truth`.
    pub fn draw(&self, truth: &[Option<usize>], seed: u64) -> Result<SampledConstraints> {
        if !(0.0..=1.0).contains(&self.noise) {
            let expected = "a share from 0 to 1";
            return Err(Error::bad_parameter("noise", self.noise, expected));
        }
        let n = truth.len();
        let truth = Truth::new(truth);
        // A stream each, so that drawing more of one kind does not change the others.
        let stream = |kind| rng_stream(seed, kind);
        let (labelled, mut samples) = per_class(&truth, self.per_class, &mut stream(1));
        random_pairs(&truth, self.n_pairs, &mut samples, &mut stream(2))?;
        odd_one_outs(&truth, self.n_triplets, &mut samples, &mut stream(3))?;
        about_equals(&truth, self.n_equal, &mut samples, &mut stream(4))?;
        let flipped = flip(&mut samples, self.noise, &mut stream(5));

        let mut named = vec![false; n];
        let in_samples = samples.iter().flat_map(DrawnConstraint::points).copied();
        for point in labelled.into_iter().chain(in_samples) {
            named[point] = true;
        }
        let mut constraints = Constraints::new(n);
        for sample in &samples {
            sample.add_to(&mut constraints)?;
        }
        Ok(SampledConstraints {
            constraints,
            labelled: (0..n).filter(|&point| named[point]).collect(),
            flipped,
        })
    }
}

/// Makes the rounded share `noise` of the constraints wrong. Returns how many those are.
fn flip(samples: &mut [DrawnConstraint], noise: f64, rng: &mut Rng) -> usize {
    let wrong = (noise * samples.len() as f64).round() as usize;
    for i in rng.sample(samples.len(), wrong) {
        samples[i] = samples[i].flipped(rng);
    }
    wrong
}
