//! What constraints imply together.

mod expand;
#[cfg(test)]
mod tests;

use super::{Constraints, aggregate::CannotLinkGraph};
use crate::numerics::{ragged::RaggedRows, union_find::UnionFind};

/// The transitive closure of must-links, cannot-links and labels.
///
/// Being in one cluster is an equivalence: if a is with b and b with c, then a is with c. So
/// must-links, and labels that are shared, fall into *components*, the finest partition with
///
/// ```text
/// a must-link b, or label(a) = label(b)   =>   component(a) = component(b)
/// ```
///
/// and a cannot-link, or two different labels, separate two whole components:
///
/// ```text
/// a cannot-link b, or label(a) ≠ label(b)   =>   component(a) | component(b)
/// ```
///
/// Written out in pairs of points that is quadratic in the size of the components (a few hundred
/// constraints become tens of thousands), so the closure stays implicit: the component of every
/// point, the pairs of components that cannot-links separate, and the set of components that have a
/// label, any two of which are separated. That is linear in points and constraints. Iterators make
/// the pairs of points.
///
/// Components are numbered by their smallest member, so the numbers do not depend on the order of the
/// constraints. A cannot-link inside a component is a contradiction, which
/// [`Constraints::check`] reports; it separates nothing here.
///
/// ```
/// use ilk::problem::Constraints;
///
/// let mut constraints = Constraints::new(6);
/// constraints.must_link(0, 3)?.must_link(3, 4)?.cannot_link(4, 1)?;
/// let closure = constraints.closure();
/// assert_eq!(closure.n_components(), 4);
/// assert_eq!(closure.members(0), [0, 3, 4]);
/// assert!(closure.are_linked(0, 4));
/// assert!(closure.are_separated(0, 1));
/// assert_eq!(closure.cannot_link_pairs().collect::<Vec<_>>(), [[0, 1], [1, 3], [1, 4]]);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Closure {
    component_of: Vec<usize>,
    members: RaggedRows,
    /// For each component, those that a cannot-link separates from it.
    separated: CannotLinkGraph,
    /// Components that have a label, sorted. Any two of them are separated.
    labelled: Vec<usize>,
    is_labelled: Vec<bool>,
}

impl Constraints {
    /// What follows from the must-links, cannot-links and labels. O(n α(n) + m log m) for n points
    /// and m entries, without recursion.
    pub fn closure(&self) -> Closure {
        let (component_of, n_components) = components(self);
        let members = component_of.iter().enumerate();
        let members = RaggedRows::new(n_components, members.map(|(point, &c)| (c, point)));
        let cannot_links = self.cannot_links().iter();
        let separated = cannot_links.map(|pair| pair.points.map(|point| component_of[point]));
        let separated = CannotLinkGraph::new(n_components, separated.map(|[a, b]| (a, b)));
        let mut is_labelled = vec![false; n_components];
        for labelled in self.labels() {
            is_labelled[component_of[labelled.point]] = true;
        }
        Closure {
            component_of,
            members,
            separated,
            labelled: (0..n_components).filter(|&c| is_labelled[c]).collect(),
            is_labelled,
        }
    }
}

impl Closure {
    /// Number of points.
    pub fn n(&self) -> usize {
        self.component_of.len()
    }

    /// Number of components; an unconstrained point is one of its own.
    pub fn n_components(&self) -> usize {
        self.is_labelled.len()
    }

    /// The component of a point. O(1).
    pub fn component_of(&self, point: usize) -> usize {
        self.component_of[point]
    }

    /// The component of every point.
    pub fn components(&self) -> &[usize] {
        &self.component_of
    }

    /// The points of a component, sorted. O(1).
    pub fn members(&self, component: usize) -> &[usize] {
        self.members.row(component)
    }

    /// Whether two points must be together; a point is with itself. O(1).
    pub fn are_linked(&self, a: usize, b: usize) -> bool {
        self.component_of[a] == self.component_of[b]
    }

    /// Whether two points are separated. O(log m).
    pub fn are_separated(&self, a: usize, b: usize) -> bool {
        self.are_components_separated(self.component_of[a], self.component_of[b])
    }

    /// Whether two components are separated. O(log m).
    pub fn are_components_separated(&self, a: usize, b: usize) -> bool {
        a != b
            && (self.is_labelled[a] && self.is_labelled[b]
                || self.separated.of(a).binary_search(&b).is_ok())
    }

    /// The components that have a label, sorted. Any two of them are separated.
    pub fn labelled_components(&self) -> &[usize] {
        &self.labelled
    }

    /// Whether any constraint concerns a component, its own must-links included.
    pub(crate) fn is_constrained(&self, component: usize) -> bool {
        self.members(component).len() > 1
            || self.is_labelled[component]
            || !self.separated.of(component).is_empty()
    }

    /// The components that cannot-links separate from this one, sorted; those that only labels
    /// separate are not among them.
    pub(super) fn stated_separations(&self, component: usize) -> &[usize] {
        self.separated.of(component)
    }

    /// For each component, whether `constraints`, whose closure this is, contradict it: by a cannot-link
    /// within it, or by two labels. Then one of these and the must-links is wrong, and the constraints
    /// alone do not show which.
    pub fn contradicted(&self, constraints: &Constraints) -> Vec<bool> {
        let mut found = vec![false; self.n_components()];
        for entry in self.contradicted_cannot_links(constraints) {
            let [point, _] = constraints.cannot_links()[entry].points;
            found[self.component_of(point)] = true;
        }
        let mut label_of = vec![None; self.n_components()];
        for labelled in constraints.labels() {
            let component = self.component_of(labelled.point);
            let first = *label_of[component].get_or_insert(labelled.label);
            found[component] |= first != labelled.label;
        }
        found
    }

    /// The cannot-links of `constraints`, whose closure this is, that lie within a component:
    /// positions in [`Constraints::cannot_links`].
    pub(crate) fn contradicted_cannot_links(&self, constraints: &Constraints) -> Vec<usize> {
        let is_within = |&entry: &usize| {
            let [a, b] = constraints.cannot_links()[entry].points;
            self.are_linked(a, b)
        };
        (0..constraints.cannot_links().len()).filter(is_within).collect()
    }

    pub(super) fn is_labelled(&self, component: usize) -> bool {
        self.is_labelled[component]
    }
}

/// The component of every point and the number of components.
fn components(constraints: &Constraints) -> (Vec<usize>, usize) {
    let mut sets = UnionFind::new(constraints.n());
    for pair in constraints.must_links() {
        let [a, b] = pair.points;
        sets.union(a, b);
    }
    // One point stands for a label, so that a label of m points costs m unions, not m².
    let mut first_of_label = vec![None; constraints.label_names().len()];
    for labelled in constraints.labels() {
        let first = *first_of_label[labelled.label].get_or_insert(labelled.point);
        sets.union(first, labelled.point);
    }
    sets.components()
}
