//! Labels written as pairs, for learners that take pairs alone.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::{ConstraintKind, Constraints, Labelled};
use crate::{Result, numerics::rng::Rng, numerics::rng::rng};

/// Must-links that a labelled point gets at most: in a class of up to 9 points, all.
const MAX_MUST_LINKS: usize = 8;

/// The same constraints with every label replaced by pairs.
///
/// All pairs of m labelled points are m²/2, far more than a learner needs. So:
///
/// - **Must-links.** In a class of at most 9 labelled points all pairs are must-links. In a larger
///   class every point gets 8: the class is put on a ring in a random order, and each point is
///   linked with the next one and with those 3 other numbers of steps further, drawn at random. So
///   the class is connected, and any two of its points are few links apart.
/// - **Cannot-links.** As many as must-links were made, but at least one for every two labels (as
///   long as that is no more than 4 for each labelled point) and at most all that there are; drawn
///   at random, none twice.
///
/// A pair has the smaller weight of its two labels, and their source where both have the same. Given
/// must-links, cannot-links and comparisons stay, with the new pairs behind them; a pair that was
/// given is not added again. The ids stay too. The new pairs depend on the labels and the seed, not
/// on the order of the labels.
///
/// ```
/// use ilk::problem::{Constraints, with_labels_as_pairs};
///
/// let mut constraints = Constraints::new(9);
/// for point in 0..3 {
///     constraints.label(point, "cat")?.label(point + 3, "dog")?;
/// }
/// constraints.label(6, "owl")?.must_link(7, 8)?;
/// let pairs = with_labels_as_pairs(&constraints, 0)?;
/// assert_eq!(pairs.must_links().len(), 1 + 3 + 3);
/// assert_eq!(pairs.cannot_links().len(), 6);
/// assert!(pairs.labels().is_empty());
/// # Ok::<(), ilk::Error>(())
/// ```
pub fn with_labels_as_pairs(constraints: &Constraints, seed: u64) -> Result<Constraints> {
    let mut rng = rng(seed);
    let classes = Classes::new(constraints);
    let mut pairs = constraints.without_labels();
    let must_links = classes.must_links(&mut rng);
    let cannot_links = classes.cannot_links(must_links.len(), &mut rng);
    let both = [(ConstraintKind::MustLink, must_links), (ConstraintKind::CannotLink, cannot_links)];
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

/// As [`with_labels_as_pairs`], of `most` labelled points at most, for learners whose time grows with the square or the cube
/// of the pairs. Of every class at least two are drawn, as far as there is room, and of the rest equal shares.
pub(crate) fn with_some_labels_as_pairs(
    constraints: &Constraints,
    most: usize,
    seed: u64,
) -> Result<Constraints> {
    let labelled = constraints.labels();
    if labelled.len() <= most {
        return with_labels_as_pairs(constraints, seed);
    }
    let mut rng = rng(seed);
    let classes = Classes::new(constraints);
    let mut drawn: Vec<(f64, &Labelled)> = Vec::with_capacity(labelled.len());
    for (start, size) in classes.classes() {
        let mut members: Vec<usize> = (start..start + size).collect();
        rng.shuffle(&mut members);
        let place = |rank: usize| if rank < 2 { 0.0 } else { (rank + 1) as f64 / size as f64 };
        let ranked = members.into_iter().enumerate();
        drawn.extend(ranked.map(|(rank, member)| (place(rank), classes.labelled[member])));
    }
    drawn.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut few = constraints.without_labels();
    for (_, labelled) in drawn.into_iter().take(most) {
        let name = &constraints.label_names()[labelled.label];
        few.add_label(labelled.point, name, labelled.weight, labelled.source.as_deref())?;
    }
    with_labels_as_pairs(&few, seed)
}

/// The labelled points, class after class: by the smallest point of the class, then by the point.
struct Classes<'a> {
    labelled: Vec<&'a Labelled>,
    /// Where every class starts, and the end of the last.
    starts: Vec<usize>,
}

impl<'a> Classes<'a> {
    fn new(constraints: &'a Constraints) -> Self {
        let mut labelled: Vec<&Labelled> = constraints.labels().iter().collect();
        labelled.sort_unstable_by_key(|labelled| labelled.point);
        let mut smallest = BTreeMap::new();
        for labelled in &labelled {
            smallest.entry(labelled.label).or_insert(labelled.point);
        }
        labelled.sort_by_key(|labelled| smallest[&labelled.label]);
        let mut starts = vec![0];
        for class in labelled.chunk_by(|a, b| a.label == b.label) {
            starts.push(starts[starts.len() - 1] + class.len());
        }
        Self { labelled, starts }
    }

    /// For every class, where it starts and how many points it has.
    fn classes(&self) -> impl Iterator<Item = (usize, usize)> {
        self.starts.windows(2).map(|ends| (ends[0], ends[1] - ends[0]))
    }

    /// Pairs of positions in `labelled`.
    fn must_links(&self, rng: &mut Rng) -> Vec<[usize; 2]> {
        let mut links = Vec::new();
        for (start, size) in self.classes() {
            let mut ring: Vec<usize> = (start..start + size).collect();
            if size <= MAX_MUST_LINKS + 1 {
                for (i, &a) in ring.iter().enumerate() {
                    links.extend(ring[i + 1..].iter().map(|&b| [a, b]));
                }
                continue;
            }
            rng.shuffle(&mut ring);
            // Less than half of the ring, so that no pair is made from both its ends.
            let longest = (size - 1) / 2;
            let drawn = rng.sample(longest - 1, MAX_MUST_LINKS / 2 - 1);
            let steps = std::iter::once(1).chain(drawn.into_iter().map(|step| step + 2));
            for step in steps {
                links.extend((0..size).map(|i| [ring[i], ring[(i + step) % size]]));
            }
        }
        links
    }

    /// Pairs of positions in `labelled` for this many must-links.
    fn cannot_links(&self, n_must_links: usize, rng: &mut Rng) -> Vec<[usize; 2]> {
        // Pairs are numbered by the class of their later end: all earlier points with each of it.
        let mut ends = vec![0];
        for (start, size) in self.classes() {
            ends.push(ends[ends.len() - 1] + start * size);
        }
        let all = ends[ends.len() - 1];
        let labels = self.starts.len() - 1;
        let label_pairs = labels * labels.saturating_sub(1) / 2;
        let bound = MAX_MUST_LINKS / 2 * self.labelled.len();

        let mut numbers = Vec::new();
        if label_pairs <= bound {
            for (class, (_, size)) in self.classes().enumerate() {
                for (start, earlier) in self.classes().take(class) {
                    let i = start + rng.below(earlier);
                    numbers.push(ends[class] + i * size + rng.below(size));
                }
            }
        }
        numbers.sort_unstable();
        let wanted = n_must_links.max(label_pairs.min(bound)).min(all);
        let mut others = rng.sample(all - numbers.len(), wanted.saturating_sub(numbers.len()));
        others.sort_unstable();
        skip_taken(&numbers, &mut others);
        numbers.append(&mut others);
        numbers.sort_unstable();

        let pair = |number: usize| {
            let class = ends.partition_point(|&end| end <= number) - 1;
            let (start, end) = (self.starts[class], self.starts[class + 1]);
            let size = end - start;
            let within = number - ends[class];
            [within / size, start + within % size]
        };
        numbers.into_iter().map(pair).collect()
    }
}

/// Turns sorted numbers among those that are not `taken` (sorted too) into numbers among all.
fn skip_taken(taken: &[usize], numbers: &mut [usize]) {
    let mut passed = 0;
    for number in numbers {
        while passed < taken.len() && taken[passed] <= *number + passed {
            passed += 1;
        }
        *number += passed;
    }
}
