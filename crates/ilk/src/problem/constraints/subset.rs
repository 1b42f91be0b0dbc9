//! The constraints on some of the points.

use std::collections::HashSet;

use super::{ConstraintKind, Constraints};
use crate::Result;

impl Constraints {
    /// The constraints on the points `rows` alone, which become the points 0, 1, ... in this order.
    /// Entries that name another point are left out, and so are ids.
    ///
    /// ```
    /// use ilk::problem::Constraints;
    ///
    /// let mut constraints = Constraints::new(5);
    /// constraints.must_link(1, 4)?.cannot_link(0, 1)?.label(4, "cat")?;
    /// let some = constraints.among(&[4, 1])?;
    /// assert_eq!(some.must_links()[0].points, [0, 1]);
    /// assert!(some.cannot_links().is_empty());
    /// assert_eq!(some.label_of(0), Some(0));
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub fn among(&self, rows: &[usize]) -> Result<Self> {
        self.renumbered(rows.iter().copied().zip(0..), rows.len())
    }

    /// The constraints on the points `items` alone, which keep their numbers. Ids are left out.
    pub fn about(&self, items: &[usize]) -> Result<Self> {
        self.renumbered(items.iter().map(|&item| (item, item)), self.n)
    }

    /// The same without some entries, given by kind and position. Ids are left out.
    pub fn without(&self, entries: &[(ConstraintKind, &[usize])]) -> Result<Self> {
        let left_out: HashSet<(ConstraintKind, usize)> = entries
            .iter()
            .flat_map(|&(kind, positions)| positions.iter().map(move |&entry| (kind, entry)))
            .collect();
        self.copied(self.n, |kind, entry, points| {
            (!left_out.contains(&(kind, entry))).then(|| points.to_vec())
        })
    }

    /// The constraints on points that have a new index, on `n` points.
    fn renumbered(&self, new: impl Iterator<Item = (usize, usize)>, n: usize) -> Result<Self> {
        let mut new_index: Vec<Option<usize>> = vec![None; self.n];
        for (point, index) in new {
            new_index[point] = Some(index);
        }
        self.copied(n, |_, _, points| points.iter().map(|&point| new_index[point]).collect())
    }

    /// The entries for which `points_of` gives points, as constraints on those of `n` points.
    fn copied(
        &self,
        n: usize,
        points_of: impl Fn(ConstraintKind, usize, &[usize]) -> Option<Vec<usize>>,
    ) -> Result<Self> {
        let mut some = Self::new(n);
        for kind in ConstraintKind::ALL {
            for at in 0..self.count(kind) {
                let Some(entry) = self.entry(kind, at) else {
                    continue;
                };
                let Some(points) = points_of(kind, at, entry.points) else {
                    continue;
                };
                match entry.label {
                    Some(name) => some.add_label(points[0], name, entry.weight, entry.source)?,
                    None => some.add(kind, &points, entry.weight, entry.source)?,
                };
            }
        }
        Ok(some)
    }
}
