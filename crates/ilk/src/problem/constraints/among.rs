//! What was said of some of the points.

use super::{Constraint, ConstraintKind, Constraints};
use crate::Result;

impl Constraints {
    /// What was said of the points `rows` alone, which become the points 0, 1, ... in this order.
    /// Entries that name another point are left out, and so are ids.
    ///
    /// ```
    /// use ilk::problem::Constraints;
    ///
    /// let mut said = Constraints::new(5);
    /// said.must_link(1, 4)?.cannot_link(0, 1)?.label(4, "cat")?;
    /// let some = said.among(&[4, 1])?;
    /// assert_eq!(some.must_links()[0].points, [0, 1]);
    /// assert!(some.cannot_links().is_empty());
    /// assert_eq!(some.label_of(0), Some(0));
    /// # Ok::<(), ilk::Error>(())
    /// ```
    ///
    /// # Errors
    /// None that valid constraints run into.
    pub fn among(&self, rows: &[usize]) -> Result<Self> {
        let mut place_of: Vec<Option<usize>> = vec![None; self.n()];
        for (place, &row) in rows.iter().enumerate() {
            place_of[row] = Some(place);
        }
        self.placed(&place_of, rows.len())
    }

    /// The same without some entries, given by kind and position. Ids are left out.
    ///
    /// # Errors
    /// None that valid constraints run into.
    pub fn without(&self, entries: &[(ConstraintKind, &[usize])]) -> Result<Self> {
        let mut rest = Self::new(self.n());
        for kind in ConstraintKind::ALL {
            let left_out: std::collections::BTreeSet<usize> = entries
                .iter()
                .filter(|(of, _)| *of == kind)
                .flat_map(|(_, positions)| positions.iter().copied())
                .collect();
            let stay = (0..self.count(kind)).filter(|entry| !left_out.contains(entry));
            for entry in stay {
                self.repeat(kind, entry, &mut rest)?;
            }
        }
        Ok(rest)
    }

    /// Says one entry again in `other`.
    fn repeat(&self, kind: ConstraintKind, entry: usize, other: &mut Self) -> Result<()> {
        fn told<const K: usize>(entry: &Constraint<K>) -> (&[usize], f64, Option<&str>) {
            (&entry.points, entry.weight, entry.source.as_deref())
        }
        let (points, weight, source) = match kind {
            ConstraintKind::MustLink => told(&self.must_links()[entry]),
            ConstraintKind::CannotLink => told(&self.cannot_links()[entry]),
            ConstraintKind::OddOneOut => told(&self.odd_one_outs()[entry]),
            ConstraintKind::AboutEqual => told(&self.about_equals()[entry]),
            ConstraintKind::Closer => told(&self.closers()[entry]),
            ConstraintKind::Label => {
                let labelled = &self.labels()[entry];
                let name = &self.label_names()[labelled.label];
                let source = labelled.source.as_deref();
                other.add_label(labelled.point, name, labelled.weight, source)?;
                return Ok(());
            }
        };
        other.add(kind, points, weight, source)?;
        Ok(())
    }

    /// What was said of points that have a place, about `n` places.
    fn placed(&self, place_of: &[Option<usize>], n: usize) -> Result<Self> {
        let mut some = Self::new(n);
        some.take(ConstraintKind::MustLink, self.must_links(), place_of)?;
        some.take(ConstraintKind::CannotLink, self.cannot_links(), place_of)?;
        some.take(ConstraintKind::OddOneOut, self.odd_one_outs(), place_of)?;
        some.take(ConstraintKind::AboutEqual, self.about_equals(), place_of)?;
        some.take(ConstraintKind::Closer, self.closers(), place_of)?;
        for labelled in self.labels() {
            if let Some(place) = place_of[labelled.point] {
                let name = &self.label_names()[labelled.label];
                some.add_label(place, name, labelled.weight, labelled.source.as_deref())?;
            }
        }
        Ok(some)
    }

    /// What was said of the points `items` alone, about the same points by the same numbers. Ids are
    /// left out.
    ///
    /// # Errors
    /// None that valid constraints run into.
    pub fn about(&self, items: &[usize]) -> Result<Self> {
        let mut place_of: Vec<Option<usize>> = vec![None; self.n()];
        for &item in items {
            place_of[item] = Some(item);
        }
        self.placed(&place_of, self.n())
    }

    fn take<const K: usize>(
        &mut self,
        kind: ConstraintKind,
        entries: &[Constraint<K>],
        place_of: &[Option<usize>],
    ) -> Result<()> {
        for entry in entries {
            let places: Option<Vec<usize>> = entry.points.iter().map(|&p| place_of[p]).collect();
            if let Some(places) = places {
                self.add(kind, &places, entry.weight, entry.source.as_deref())?;
            }
        }
        Ok(())
    }
}
