//! The must-links as a graph: what one of them holds together.

use std::collections::{BTreeMap, HashSet};

use crate::problem::Constraints;

/// A point, or a label, which holds its points together as a must-link does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Node {
    Point(usize),
    Label(usize),
}

/// The must-links and labels of constraints, by the points that they name.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// The other ends of the edges of every node, with their weights.
    others: BTreeMap<Node, Vec<(Node, f64)>>,
}

impl Links {
    pub(super) fn new(constraints: &Constraints) -> Self {
        let mut links = Self::default();
        for pair in constraints.must_links() {
            let [a, b] = pair.points;
            links.join(Node::Point(a), Node::Point(b), pair.weight);
        }
        for labelled in constraints.labels() {
            links.join(Node::Point(labelled.point), Node::Label(labelled.label), f64::INFINITY);
        }
        links
    }

    fn join(&mut self, a: Node, b: Node, weight: f64) {
        for (from, to) in [(a, b), (b, a)] {
            self.others.entry(from).or_default().push((to, weight));
        }
    }

    /// How many points of the smaller side a must-link of this weight holds to the larger one: none where others hold
    /// them together too.
    pub(super) fn smaller_side(&self, [a, b]: [usize; 2], weight: f64) -> usize {
        let [a, b] = [Node::Point(a), Node::Point(b)];
        match (self.side(a, [a, b], weight), self.side(b, [a, b], weight)) {
            (Some(of_a), Some(of_b)) => of_a.min(of_b),
            _ => 0,
        }
    }

    /// The points that are held together with one end of a must-link without it; none where the other end is.
    fn side(&self, from: Node, [a, b]: [Node; 2], weight: f64) -> Option<usize> {
        let mut reached = HashSet::from([from]);
        let mut open = vec![from];
        let mut points = 0;
        while let Some(node) = open.pop() {
            points += usize::from(matches!(node, Node::Point(_)));
            for &(other, of_edge) in self.others.get(&node).into_iter().flatten() {
                let is_it = (node == a && other == b) || (node == b && other == a);
                if (!is_it || of_edge > weight) && reached.insert(other) {
                    open.push(other);
                }
            }
        }
        (!(reached.contains(&a) && reached.contains(&b))).then_some(points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::rng::rng_stream;

    #[test]
    fn sides_are_those_of_the_closure_without_the_link() {
        for seed in 0..40 {
            let mut rng = rng_stream(seed, 0);
            let mut all = Constraints::new(14);
            let mut pairs: Vec<[usize; 2]> = Vec::new();
            for _ in 0..11 {
                let drawn = rng.sample(12, 2);
                let pair = [drawn[0].min(drawn[1]), drawn[0].max(drawn[1])];
                if !pairs.contains(&pair) {
                    pairs.push(pair);
                    all.must_link(pair[0], pair[1]).unwrap();
                }
            }
            for point in [12, 13] {
                all.add_label(point, "cat", 1.0, None).unwrap();
            }
            let links = Links::new(&all);
            for &[a, b] in &pairs {
                let mut without = Constraints::new(14);
                for &[p, q] in pairs.iter().filter(|&&other| other != [a, b]) {
                    without.must_link(p, q).unwrap();
                }
                let closure = without.closure();
                let members = |point: usize| closure.members(closure.component_of(point)).len();
                let smaller = if closure.are_linked(a, b) { 0 } else { members(a).min(members(b)) };
                assert_eq!(links.smaller_side([a, b], 1.0), smaller);
                assert_eq!(links.smaller_side([a, b], 0.5), 0, "half of its weight is left");
            }
            assert_eq!(links.side(Node::Point(12), [Node::Point(0), Node::Point(1)], 1.0), Some(2));
        }
    }
}
