//! The implied pairs, made by iterators and not stored.

use super::Closure;

impl Closure {
    /// The components that are separated from this one, by cannot-links or by labels, sorted.
    pub fn separated_from(&self, component: usize) -> impl Iterator<Item = usize> + '_ {
        let labelled: &[usize] = if self.is_labelled[component] { &self.labelled } else { &[] };
        merged(self.separated.of(component), labelled).filter(move |&other| other != component)
    }

    /// The pairs of components that are separated, by cannot-links or by labels, each once, sorted,
    /// the smaller component first.
    ///
    /// Labels alone imply a pair for every two labels; those are made here and stored nowhere.
    pub fn cannot_link_components(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.n_components()).flat_map(move |a| {
            let later = self.separated_from(a).filter(move |&b| b > a);
            later.map(move |b| (a, b))
        })
    }

    /// Every pair of points that must be together, the smaller point first, component by component.
    /// There may be quadratically many: [`n_must_link_pairs`](Self::n_must_link_pairs) counts them
    /// beforehand.
    pub fn must_link_pairs(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        (0..self.n_components()).flat_map(move |component| {
            let members = self.members(component);
            let each = members.iter().enumerate();
            each.flat_map(move |(i, &a)| members[i + 1..].iter().map(move |&b| [a, b]))
        })
    }

    /// Every pair of points that is separated, the smaller point first, by pairs of components.
    /// There may be quadratically many: [`n_cannot_link_pairs`](Self::n_cannot_link_pairs) counts
    /// them beforehand.
    pub fn cannot_link_pairs(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        self.cannot_link_components().flat_map(move |(a, b)| {
            let (members, others) = (self.members(a).iter(), self.members(b));
            members.flat_map(move |&a| others.iter().map(move |&b| [a.min(b), a.max(b)]))
        })
    }

    /// How many pairs [`must_link_pairs`](Self::must_link_pairs) yields. O(components).
    pub fn n_must_link_pairs(&self) -> u128 {
        let sizes = (0..self.n_components()).map(|component| self.size(component));
        sizes.map(|size| size * (size - 1) / 2).sum()
    }

    /// How many pairs [`cannot_link_pairs`](Self::cannot_link_pairs) yields. O(components +
    /// cannot-links): the pairs that labels imply are counted as ((Σs)² - Σs²) / 2 over the sizes s
    /// of the labelled components.
    pub fn n_cannot_link_pairs(&self) -> u128 {
        let sizes = || self.labelled.iter().map(|&component| self.size(component));
        let (sum, sum_of_squares) = (sizes().sum::<u128>(), sizes().map(|s| s * s).sum::<u128>());
        let by_labels = (sum * sum - sum_of_squares) / 2;
        let by_cannot_links: u128 = (0..self.n_components())
            .flat_map(|a| self.separated.of(a).iter().map(move |&b| (a, b)))
            .filter(|&(a, b)| a < b && !(self.is_labelled[a] && self.is_labelled[b]))
            .map(|(a, b)| self.size(a) * self.size(b))
            .sum();
        by_labels + by_cannot_links
    }

    fn size(&self, component: usize) -> u128 {
        self.members(component).len() as u128
    }
}

/// Two sorted lists as one, without repetition.
fn merged<'a>(mut left: &'a [usize], mut right: &'a [usize]) -> impl Iterator<Item = usize> + 'a {
    std::iter::from_fn(move || {
        let next = match (left.first(), right.first()) {
            (Some(&l), Some(&r)) => l.min(r),
            (Some(&one), None) | (None, Some(&one)) => one,
            (None, None) => return None,
        };
        for list in [&mut left, &mut right] {
            if list.first() == Some(&next) {
                *list = &list[1..];
            }
        }
        Some(next)
    })
}
