//! Labels as pairs, for learners that know pairs alone.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::Result;
use crate::numerics::rng::{Rng, rng};
use crate::problem::{ConstraintKind, Constraints, Labelled};

/// Must-links that a labelled point is given at most: in a class of up to 25 points, all.
const PARTNERS: usize = 24;

/// What was said, with every label replaced by pairs.
///
/// The pairs of m labelled points are m²/2, far more than a learner needs. So:
///
/// - **Together.** In a class of at most 25 labelled points all pairs are must-links. In a larger
///   one every point has 24 of them: the class is laid out round a ring in an order drawn by the
///   seed, and each point is linked with the next one and with those 11 other numbers of steps
///   further, which the seed draws too. So the class is connected, and any two of its points are
///   few links apart.
/// - **Apart.** As many cannot-links as must-links were made, but at least one for every two labels
///   (as long as that is no more than 12 for each labelled point) and at most all that there are;
///   drawn by the seed, none twice.
///
/// A pair weighs as much as the less of its two labels, and has their source where both have the
/// same. Must-links, cannot-links and comparisons that were said stay as they are, in their places,
/// with the new pairs behind them; a pair that was said already is not said twice. The ids stay
/// too. The pairs made depend on the labels and the seed, not on the order in which the labels were
/// said.
///
/// ```
/// use ilk::problem::Constraints;
/// use ilk::supervise::labels::with_labels_as_pairs;
///
/// let mut said = Constraints::new(9);
/// for point in 0..3 {
///     said.label(point, "cat")?.label(point + 3, "dog")?;
/// }
/// said.label(6, "owl")?.must_link(7, 8)?;
/// let pairs = with_labels_as_pairs(&said, 0)?;
/// assert_eq!(pairs.must_links().len(), 1 + 3 + 3);
/// assert_eq!(pairs.cannot_links().len(), 6);
/// assert!(pairs.labels().is_empty());
/// # Ok::<(), ilk::Error>(())
/// ```
///
/// # Errors
/// None that a valid `said` could cause.
pub fn with_labels_as_pairs(said: &Constraints, seed: u64) -> Result<Constraints> {
    let mut rng = rng(seed);
    let classes = Classes::new(said);
    let mut pairs = said.without_labels();
    let together = classes.together(&mut rng);
    let apart = classes.apart(together.len(), &mut rng);
    let both = [
        (ConstraintKind::MustLink, together),
        (ConstraintKind::CannotLink, apart),
    ];
    for (kind, made) in both {
        for [i, j] in made {
            let (a, b) = (classes.labelled[i], classes.labelled[j]);
            let source = a.source.as_deref().filter(|_| a.source == b.source);
            let weight = a.weight.min(b.weight);
            pairs.add(kind, &[a.point, b.point], weight, source)?;
        }
    }
    Ok(pairs)
}

/// The labelled points, class after class: by the smallest point of the class, then by the point.
struct Classes<'a> {
    labelled: Vec<&'a Labelled>,
    /// Where every class starts, and the end of the last.
    starts: Vec<usize>,
}

impl<'a> Classes<'a> {
    fn new(said: &'a Constraints) -> Self {
        let mut by_point: Vec<&Labelled> = said.labels().iter().collect();
        by_point.sort_unstable_by_key(|labelled| labelled.point);
        let mut smallest = BTreeMap::new();
        for labelled in &by_point {
            smallest.entry(labelled.label).or_insert(labelled.point);
        }
        let mut labelled = by_point;
        labelled.sort_by_key(|labelled| smallest[&labelled.label]);
        let mut starts = vec![0];
        for class in labelled.chunk_by(|a, b| a.label == b.label) {
            starts.push(starts[starts.len() - 1] + class.len());
        }
        Self { labelled, starts }
    }

    /// For every class, where it starts and how many points it has.
    fn classes(&self) -> impl Iterator<Item = (usize, usize)> {
        self.starts
            .windows(2)
            .map(|ends| (ends[0], ends[1] - ends[0]))
    }

    /// Positions in `labelled` to link.
    fn together(&self, rng: &mut Rng) -> Vec<[usize; 2]> {
        let mut links = Vec::new();
        for (start, size) in self.classes() {
            let mut ring: Vec<usize> = (start..start + size).collect();
            if size <= PARTNERS + 1 {
                for (i, &a) in ring.iter().enumerate() {
                    links.extend(ring[i + 1..].iter().map(|&b| [a, b]));
                }
                continue;
            }
            rng.shuffle(&mut ring);
            // Less than half way round, so that no link is met from both its ends.
            let longest = (size - 1) / 2;
            let drawn = rng.sample(longest - 1, PARTNERS / 2 - 1);
            let steps = std::iter::once(1).chain(drawn.into_iter().map(|step| step + 2));
            for step in steps {
                links.extend((0..size).map(|i| [ring[i], ring[(i + step) % size]]));
            }
        }
        links
    }

    /// Positions in `labelled` to keep apart, given how many links were made.
    fn apart(&self, n_links: usize, rng: &mut Rng) -> Vec<[usize; 2]> {
        // Pairs are numbered by the class of their later end: all earlier points with each of it.
        let mut ends = vec![0];
        for (start, size) in self.classes() {
            ends.push(ends[ends.len() - 1] + start * size);
        }
        let all = ends[ends.len() - 1];
        let labels = self.starts.len() - 1;
        let two_labels = labels * labels.saturating_sub(1) / 2;
        let bound = PARTNERS / 2 * self.labelled.len();

        let mut numbers = Vec::new();
        if two_labels <= bound {
            for (class, (_, size)) in self.classes().enumerate() {
                for (start, earlier) in self.classes().take(class) {
                    let i = start + rng.below(earlier);
                    numbers.push(ends[class] + i * size + rng.below(size));
                }
            }
        }
        numbers.sort_unstable();
        let wanted = n_links.max(two_labels.min(bound)).min(all);
        let mut others = rng.sample(all - numbers.len(), wanted.saturating_sub(numbers.len()));
        others.sort_unstable();
        step_over(&numbers, &mut others);
        numbers.append(&mut others);
        numbers.sort_unstable();

        let pair = |number: usize| {
            let class = ends.partition_point(|&end| end <= number) - 1;
            let (start, size) = (
                self.starts[class],
                self.starts[class + 1] - self.starts[class],
            );
            let rest = number - ends[class];
            [rest / size, start + rest % size]
        };
        numbers.into_iter().map(pair).collect()
    }
}

/// Turns sorted numbers among those that are not `taken` (sorted too) into numbers among all.
fn step_over(taken: &[usize], numbers: &mut [usize]) {
    let mut passed = 0;
    for number in numbers {
        while passed < taken.len() && taken[passed] <= *number + passed {
            passed += 1;
        }
        *number += passed;
    }
}
