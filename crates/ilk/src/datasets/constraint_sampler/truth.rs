//! The labelled points, class by class, and ways to number pairs and triplets of them.

use std::collections::HashMap;

/// The points whose class is known.
pub(super) struct Truth {
    /// The points of each class, ascending; classes by first appearance, so that their names are
    /// of no consequence.
    pub(super) classes: Vec<Vec<usize>>,
    /// The class of every point that has one.
    class_of: Vec<Option<usize>>,
}

impl Truth {
    pub(super) fn new(truth: &[Option<usize>]) -> Self {
        let mut codes = HashMap::new();
        let mut classes: Vec<Vec<usize>> = Vec::new();
        let mut class_of = vec![None; truth.len()];
        for (point, label) in truth.iter().enumerate() {
            let Some(label) = label else { continue };
            let class = *codes.entry(label).or_insert(classes.len());
            if class == classes.len() {
                classes.push(Vec::new());
            }
            classes[class].push(point);
            class_of[point] = Some(class);
        }
        Self { classes, class_of }
    }

    pub(super) fn together(&self, a: usize, b: usize) -> bool {
        self.class_of[a] == self.class_of[b]
    }

    pub(super) fn class_of(&self, point: usize) -> Option<usize> {
        self.class_of[point]
    }
}

/// Points in groups, laid out one group after the other.
pub(super) struct PointGroups {
    points: Vec<usize>,
    /// Where each group begins, and where the last ends.
    starts: Vec<usize>,
}

impl PointGroups {
    pub(super) fn new(groups: &[Vec<usize>]) -> Self {
        let mut starts = vec![0];
        for group in groups {
            starts.push(starts[starts.len() - 1] + group.len());
        }
        Self { points: groups.concat(), starts }
    }

    pub(super) fn points(&self) -> &[usize] {
        &self.points
    }

    fn sizes(&self) -> impl Iterator<Item = usize> {
        self.starts.windows(2).map(|ends| ends[1] - ends[0])
    }

    /// For every group, how many pairs join it to a later group.
    fn cross_counts(&self) -> impl Iterator<Item = usize> {
        let later = self.starts[1..].iter().map(|end| self.points.len() - end);
        self.sizes().zip(later).map(|(size, later)| size * later)
    }

    /// How many pairs join different groups.
    pub(super) fn n_cross_pairs(&self) -> usize {
        self.cross_counts().sum()
    }

    /// The pairs between different groups with these numbers.
    pub(super) fn cross_pairs(&self, numbers: &[usize]) -> impl Iterator<Item = [usize; 2]> {
        let ends = running_sum(self.cross_counts().map(|count| count as u128));
        numbers.iter().map(move |&number| {
            let (group, rest) = locate(&ends, number as u128);
            let later = self.starts[group + 1];
            let width = self.points.len() - later;
            let (i, j) = (rest as usize / width, rest as usize % width);
            [self.points[self.starts[group] + i], self.points[later + j]]
        })
    }

    /// For every group, in how many ways two of its points have one of another as the odd one.
    fn odd_counts(&self) -> impl Iterator<Item = u128> {
        let odd = |size| pairs(size as u128) * (self.points.len() - size) as u128;
        self.sizes().map(odd)
    }

    /// How many odd-one-outs there are.
    pub(super) fn n_odd_one_outs(&self) -> u128 {
        self.odd_counts().sum()
    }

    /// The odd-one-outs with these numbers: two of a group, then the odd one.
    pub(super) fn odd_one_outs(&self, numbers: &[u128]) -> impl Iterator<Item = [usize; 3]> {
        let ends = running_sum(self.odd_counts());
        numbers.iter().map(move |&number| {
            let (group, rest) = locate(&ends, number);
            let (start, end) = (self.starts[group], self.starts[group + 1]);
            let others = (self.points.len() - (end - start)) as u128;
            let [i, j] = pair_of((rest / others) as usize);
            let odd = (rest % others) as usize;
            let odd = if odd < start { odd } else { odd + end - start };
            [start + i, start + j, odd].map(|position| self.points[position])
        })
    }

    /// How many threes lie in one group or in three:
    /// sum of C(s, 3) + e3(s), with e3 = (p1^3 - 3 p1 p2 + 2 p3) / 6 from the power sums of sizes.
    pub(super) fn n_about_equals(&self) -> u128 {
        let sizes = || self.sizes().map(|size| size as u128);
        let within: u128 = sizes().map(|s| s * s.saturating_sub(1) * s.saturating_sub(2) / 6).sum();
        let p1: u128 = sizes().sum();
        let p2: u128 = sizes().map(|s| s * s).sum();
        let p3: u128 = sizes().map(|s| s * s * s).sum();
        within + (p1 * p1 * p1 + 2 * p3 - 3 * p1 * p2) / 6
    }
}

/// n choose 2.
pub(super) fn pairs(n: u128) -> u128 {
    n * n.saturating_sub(1) / 2
}

/// The number of the pair i < j among (0, 1), (0, 2), (1, 2), (0, 3), ...
pub(super) fn number_of([i, j]: [usize; 2]) -> usize {
    j * (j - 1) / 2 + i
}

/// The pair i < j with this number.
pub(super) fn pair_of(number: usize) -> [usize; 2] {
    let j = usize::midpoint((8 * number as u128 + 1).isqrt() as usize, 1);
    [number - j * (j - 1) / 2, j]
}

fn running_sum(counts: impl Iterator<Item = u128>) -> Vec<u128> {
    counts
        .scan(0, |total, count| {
            *total += count;
            Some(*total)
        })
        .collect()
}

/// The group in which a number falls, and how far into it.
fn locate(ends: &[u128], number: u128) -> (usize, u128) {
    let group = ends.partition_point(|&end| end <= number);
    let start = if group == 0 { 0 } else { ends[group - 1] };
    (group, number - start)
}
