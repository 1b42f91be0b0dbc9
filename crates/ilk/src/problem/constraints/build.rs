//! Adding constraints: every entry is checked here, once, and trusted afterwards.

use std::sync::Arc;

use super::{Constraint, ConstraintKind, Constraints};
use crate::{Error, Result};

impl Constraints {
    /// Adds "`a` and `b` belong together", with weight 1.
    pub fn must_link(&mut self, a: usize, b: usize) -> Result<&mut Self> {
        self.add(ConstraintKind::MustLink, &[a, b], 1.0, None)
    }

    /// Adds "`a` and `b` do not belong together", with weight 1.
    pub fn cannot_link(&mut self, a: usize, b: usize) -> Result<&mut Self> {
        self.add(ConstraintKind::CannotLink, &[a, b], 1.0, None)
    }

    /// Adds "of these three, `odd` is the odd one out", with weight 1: `a` and `b` are more alike
    /// than either is to `odd`.
    pub fn odd_one_out(&mut self, a: usize, b: usize, odd: usize) -> Result<&mut Self> {
        self.add(ConstraintKind::OddOneOut, &[a, b, odd], 1.0, None)
    }

    /// Adds "these three are about equally different", with weight 1.
    pub fn about_equal(&mut self, a: usize, b: usize, c: usize) -> Result<&mut Self> {
        self.add(ConstraintKind::AboutEqual, &[a, b, c], 1.0, None)
    }

    /// Adds "`anchor` is closer to `near` than to `far`", with weight 1.
    pub fn closer(&mut self, anchor: usize, near: usize, far: usize) -> Result<&mut Self> {
        self.add(ConstraintKind::Closer, &[anchor, near, far], 1.0, None)
    }

    /// Adds "`point` is a `name`", with weight 1.
    pub fn label(&mut self, point: usize, name: &str) -> Result<&mut Self> {
        self.add_label(point, name, 1.0, None)
    }

    /// Adds an entry of any kind but [`ConstraintKind::Label`], which has a name too: see
    /// [`add_label`](Self::add_label). `points` are in the order of the kind's own method.
    ///
    /// A repetition of an earlier entry, in any order of points that means the same, is folded
    /// into the first entry, which keeps the largest weight and the first source that was named.
    /// O(1) amortised.
    ///
    /// # Errors
    /// A refused entry changes nothing but the count of entries that were offered:
    /// [`Error::WrongArity`], [`Error::OutOfRange`], [`Error::SelfPair`], [`Error::BadWeight`],
    /// [`Error::LabelWithoutName`].
    ///
    /// ```
    /// use ilk::problem::{ConstraintKind, Constraints};
    ///
    /// let mut constraints = Constraints::new(10);
    /// constraints.add(ConstraintKind::MustLink, &[7, 2], 0.5, Some("ann"))?;
    /// constraints.add(ConstraintKind::MustLink, &[2, 7], 3.0, Some("bob"))?;
    /// assert_eq!(constraints.must_links().len(), 1);
    /// assert_eq!(constraints.must_links()[0].points, [2, 7]);
    /// assert_eq!(constraints.must_links()[0].weight, 3.0);
    /// assert_eq!(constraints.must_links()[0].source.as_deref(), Some("ann"));
    ///
    /// let refused = constraints.add(ConstraintKind::MustLink, &[4, 4], 1.0, None).unwrap_err();
    /// assert_eq!(
    ///     refused.to_string(),
    ///     "must-link 2 names point 4 twice; a point cannot be compared with itself"
    /// );
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub fn add(
        &mut self,
        kind: ConstraintKind,
        points: &[usize],
        weight: f64,
        source: Option<&str>,
    ) -> Result<&mut Self> {
        let entry = self.next_entry(kind);
        self.insert(kind, entry, points, weight, source)
    }

    /// Adds "`point` is a `name`" with a weight and a source.
    ///
    /// The same label again is folded as in [`add`](Self::add).
    ///
    /// # Errors
    /// [`Error::OutOfRange`], [`Error::BadWeight`]; [`Error::TwoLabels`] where the point has
    /// another label already.
    pub fn add_label(
        &mut self,
        point: usize,
        name: &str,
        weight: f64,
        source: Option<&str>,
    ) -> Result<&mut Self> {
        let entry = self.next_entry(ConstraintKind::Label);
        self.insert_label(entry, point, name, weight, source)
    }

    /// [`add`](Self::add), with the points named by their ids.
    ///
    /// # Errors
    /// [`Error::UnknownId`], and those of [`add`](Self::add).
    ///
    /// ```
    /// use ilk::problem::{ConstraintKind, Constraints};
    ///
    /// let mut constraints = Constraints::with_ids(["fly", "bee", "owl"])?;
    /// constraints.add_by_id(ConstraintKind::OddOneOut, &["fly", "bee", "owl"], 1.0, None)?;
    /// assert_eq!(constraints.odd_one_outs()[0].points, [0, 1, 2]);
    ///
    /// let refused = constraints.add_by_id(ConstraintKind::CannotLink, &["fly", "cow"], 1.0, None);
    /// assert_eq!(
    ///     refused.unwrap_err().to_string(),
    ///     "cannot-link 0 names id \"cow\", which is not in the data"
    /// );
    /// # Ok::<(), ilk::Error>(())
    /// ```
    pub fn add_by_id(
        &mut self,
        kind: ConstraintKind,
        ids: &[&str],
        weight: f64,
        source: Option<&str>,
    ) -> Result<&mut Self> {
        let entry = self.next_entry(kind);
        let points = ids.iter().map(|id| self.resolve(kind, entry, id));
        let points = points.collect::<Result<Vec<usize>>>()?;
        self.insert(kind, entry, &points, weight, source)
    }

    /// [`add_label`](Self::add_label), with the point named by its id.
    ///
    /// # Errors
    /// [`Error::UnknownId`], and those of [`add_label`](Self::add_label).
    pub fn label_by_id(
        &mut self,
        id: &str,
        name: &str,
        weight: f64,
        source: Option<&str>,
    ) -> Result<&mut Self> {
        let entry = self.next_entry(ConstraintKind::Label);
        let point = self.resolve(ConstraintKind::Label, entry, id)?;
        self.insert_label(entry, point, name, weight, source)
    }

    /// Numbers what is offered, refused or not, so that an error names the caller's own entry.
    fn next_entry(&mut self, kind: ConstraintKind) -> usize {
        let offered = &mut self.offered[kind as usize];
        let entry = *offered;
        *offered += 1;
        entry
    }

    fn resolve(&self, kind: ConstraintKind, entry: usize, id: &str) -> Result<usize> {
        self.index_of(id).ok_or_else(|| Error::UnknownId { kind, entry, id: id.to_owned() })
    }

    fn insert(
        &mut self,
        kind: ConstraintKind,
        entry: usize,
        points: &[usize],
        weight: f64,
        source: Option<&str>,
    ) -> Result<&mut Self> {
        match kind {
            ConstraintKind::MustLink | ConstraintKind::CannotLink => {
                let mut points = self.checked(kind, entry, points, weight)?;
                points.sort_unstable();
                let pair = self.constraint(points, weight, source);
                self.pairs[kind as usize].insert(points, pair);
            }
            ConstraintKind::OddOneOut | ConstraintKind::AboutEqual | ConstraintKind::Closer => {
                let mut points: [usize; 3] = self.checked(kind, entry, points, weight)?;
                if kind == ConstraintKind::OddOneOut {
                    points[..2].sort_unstable();
                }
                let mut key = points;
                if kind == ConstraintKind::AboutEqual {
                    // Learners weigh two of the three equations, so the order of the points is kept:
                    // a sorted one would tie results to their numbers.
                    key.sort_unstable();
                }
                let triplet = self.constraint(points, weight, source);
                self.triplets[kind as usize - self.pairs.len()].insert(key, triplet);
            }
            ConstraintKind::Label => return Err(Error::LabelWithoutName { entry }),
        }
        Ok(self)
    }

    fn insert_label(
        &mut self,
        entry: usize,
        point: usize,
        name: &str,
        weight: f64,
        source: Option<&str>,
    ) -> Result<&mut Self> {
        let [point] = self.checked(ConstraintKind::Label, entry, &[point], weight)?;
        if let Some(label) = self.label_of(point) {
            let first = &self.label_names()[label];
            if first != name {
                return Err(Error::TwoLabels {
                    point: self.name_of(point),
                    first: first.clone(),
                    second: name.to_owned(),
                });
            }
        }
        let source = source.map(|source| self.intern(source));
        self.labels.insert(point, name, weight, source);
        Ok(self)
    }

    fn constraint<const K: usize>(
        &mut self,
        points: [usize; K],
        weight: f64,
        source: Option<&str>,
    ) -> Constraint<K> {
        Constraint { points, weight, source: source.map(|source| self.intern(source)) }
    }

    fn intern(&mut self, source: &str) -> Arc<str> {
        if let Some(known) = self.sources.get(source) {
            return Arc::clone(known);
        }
        let source: Arc<str> = source.into();
        self.sources.insert(Arc::clone(&source));
        source
    }

    /// `K` different points that exist, and a weight that can be one.
    fn checked<const K: usize>(
        &self,
        kind: ConstraintKind,
        entry: usize,
        points: &[usize],
        weight: f64,
    ) -> Result<[usize; K]> {
        let points: [usize; K] = points.try_into().map_err(|_| Error::WrongArity {
            kind,
            entry,
            found: points.len(),
            expected: K,
        })?;
        if let Some(&point) = points.iter().find(|&&point| point >= self.n) {
            return Err(Error::OutOfRange { kind, entry, point, n: self.n });
        }
        if let Some(i) = (0..K).find(|&i| points[..i].contains(&points[i])) {
            let point = self.name_of(points[i]);
            return Err(Error::SelfPair { kind, entry, point });
        }
        if !(weight.is_finite() && weight > 0.0) {
            return Err(Error::BadWeight { kind, entry, weight });
        }
        Ok(points)
    }
}
