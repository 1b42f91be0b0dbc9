//! What follows from what was said.

mod expand;
#[cfg(test)]
mod tests;

use super::Constraints;
use super::rows::Rows;
use crate::numerics::union_find::UnionFind;

/// What the must-links, cannot-links and labels imply together.
///
/// Belonging together is an equivalence: if a goes with b and b with c, then a goes with c. So
/// must-links, and labels that are shared, fall into *components*, the finest partition with
///
/// ```text
/// a must-link b, or label(a) = label(b)   =>   component(a) = component(b)
/// ```
///
/// and a cannot-link, or two different labels, keep two whole components apart:
///
/// ```text
/// a cannot-link b, or label(a) ≠ label(b)   =>   component(a) | component(b)
/// ```
///
/// Written out in pairs of points that is quadratic in the size of the components (a few hundred
/// answers become tens of thousands), so the closure stays implicit: the component of every
/// point, the pairs of components that cannot-links keep apart, and the set of components that
/// carry a label, any two of which are apart. That is linear in points and answers. Pairs of points
/// come from iterators, as they are asked for.
///
/// Components are numbered by their smallest member: the numbers depend on what was said, not on
/// the order of saying it. A cannot-link inside a component is a contradiction, which
/// [`Constraints::check`] reports; it separates nothing here.
///
/// ```
/// use ilk::problem::Constraints;
///
/// let mut said = Constraints::new(6);
/// said.must_link(0, 3)?.must_link(3, 4)?.cannot_link(4, 1)?;
/// let closure = said.closure();
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
    members: Rows,
    /// For each component, those that a cannot-link keeps apart from it.
    separated: Rows,
    /// Components that carry a label, sorted. Any two of them are apart.
    labelled: Vec<usize>,
    is_labelled: Vec<bool>,
}

impl Constraints {
    /// What follows from the must-links, cannot-links and labels. O(n α(n) + m log m) for n points
    /// and m entries, without recursion.
    pub fn closure(&self) -> Closure {
        Closure::new(self)
    }
}

impl Closure {
    fn new(said: &Constraints) -> Self {
        let (component_of, n_components) = components(said);
        let members = Rows::new(
            n_components,
            component_of
                .iter()
                .enumerate()
                .map(|(point, &c)| (c, point)),
        );

        let mut separations: Vec<(usize, usize)> = said
            .cannot_links()
            .iter()
            .map(|pair| pair.points.map(|point| component_of[point]))
            .filter(|[a, b]| a != b)
            .flat_map(|[a, b]| [(a, b), (b, a)])
            .collect();
        separations.sort_unstable();
        separations.dedup();
        let separated = Rows::new(n_components, separations.iter().copied());

        let mut is_labelled = vec![false; n_components];
        for labelled in said.labels() {
            is_labelled[component_of[labelled.point]] = true;
        }
        let labelled = (0..n_components).filter(|&c| is_labelled[c]).collect();
        Self {
            component_of,
            members,
            separated,
            labelled,
            is_labelled,
        }
    }

    /// Number of points.
    pub fn n(&self) -> usize {
        self.component_of.len()
    }

    /// Number of components; a point about which nothing was said is one of its own.
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

    /// Whether two points must be apart. O(log m).
    pub fn are_separated(&self, a: usize, b: usize) -> bool {
        self.are_components_separated(self.component_of[a], self.component_of[b])
    }

    /// Whether two components must be apart. O(log m).
    pub fn are_components_separated(&self, a: usize, b: usize) -> bool {
        a != b
            && (self.is_labelled[a] && self.is_labelled[b]
                || self.separated.row(a).binary_search(&b).is_ok())
    }

    /// The components that carry a label, sorted. Any two of them are apart.
    pub fn labelled_components(&self) -> &[usize] {
        &self.labelled
    }

    /// Whether anything was said about a component, be it that its points belong together.
    pub(crate) fn is_named(&self, component: usize) -> bool {
        self.members(component).len() > 1
            || self.is_labelled[component]
            || !self.separated.row(component).is_empty()
    }

    /// The components that cannot-links keep apart from this one, sorted; those that only labels
    /// keep apart are not among them.
    pub(super) fn stated_separations(&self, component: usize) -> &[usize] {
        self.separated.row(component)
    }

    /// For each component, whether something that `said`, whose closure this is, says of its points
    /// contradicts it: a cannot-link within it, or two labels. Of those answers and the must-links
    /// one is wrong, and nobody knows which.
    pub fn contradicted(&self, said: &Constraints) -> Vec<bool> {
        let mut found = vec![false; self.n_components()];
        for pair in said.cannot_links() {
            let [a, b] = pair.points.map(|point| self.component_of(point));
            found[a] |= a == b;
        }
        let mut label_of = vec![None; self.n_components()];
        for labelled in said.labels() {
            let component = self.component_of(labelled.point);
            let first = *label_of[component].get_or_insert(labelled.label);
            found[component] |= first != labelled.label;
        }
        found
    }

    pub(super) fn is_labelled(&self, component: usize) -> bool {
        self.is_labelled[component]
    }
}

/// The component of every point and the number of components.
fn components(said: &Constraints) -> (Vec<usize>, usize) {
    let mut sets = UnionFind::new(said.n());
    for pair in said.must_links() {
        let [a, b] = pair.points;
        sets.union(a, b);
    }
    // One point stands for a label, so that a label of m points costs m unions, not m².
    let mut first_of_label = vec![None; said.label_names().len()];
    for labelled in said.labels() {
        let first = *first_of_label[labelled.label].get_or_insert(labelled.point);
        sets.union(first, labelled.point);
    }
    sets.components()
}
