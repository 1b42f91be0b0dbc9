//! Constraints, read from `pairs.csv`, `triplets.csv` and `labels.csv` (or the same fields as
//! TSV, JSONL or Parquet, packed with gzip or not).
//!
//! | file | columns | also |
//! |---|---|---|
//! | pairs | `id_a,id_b,relation` | `id_1,id_2` or `unique_id_l,unique_id_r` for the ids |
//! | triplets | `id_a,id_b,id_c,answer` | `anchor,near,far` or `head,winner,loser`, without an answer |
//! | labels | `id,label` | an empty label says nothing |
//!
//! A relation is `must-link`, `cannot-link` or `skip`; also read are `ml`/`cl`, `1`/`-1`,
//! `same`/`different` and `match`/`distinct`. An answer is the odd one, `a`, `b` or `c` or its id, or `equal`
//! or `skip`. Any file may have a `weight`, a `confidence` from 0 to 1 by which the weight is multiplied (0
//! is `skip`), and a `source` or an `annotator`.

mod places;
mod schema;
mod write;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use ilk::problem::{ConstraintKind, Constraints};
use serde::{Deserialize, Serialize};

use crate::error::{ConstraintProblem, Place};
use crate::records::{self, Row};
use crate::{Error, Result};
pub use places::{Contradiction, contradictions_in};
pub use write::write_pairs;

use schema::{Schema, Statement, What};

/// What error messages say about the points that constraints name.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context<'a> {
    /// The file that the points came from.
    pub data: Option<&'a Path>,
}

/// What a file held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The file.
    pub path: PathBuf,
    /// Rows that say something.
    pub read: usize,
    /// Rows that say nothing: `skip`, or an empty label.
    pub skipped: usize,
    /// Rows among those read that repeat an earlier constraint.
    pub duplicates: usize,
}

/// The files that hold constraints.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConstraintFiles {
    /// Must-links and cannot-links.
    pub pairs: Option<PathBuf>,
    /// Comparisons.
    pub triplets: Option<PathBuf>,
    /// Labels.
    pub labels: Option<PathBuf>,
}

impl ConstraintFiles {
    /// Adds everything that the files say, pairs first, then triplets, then labels.
    pub fn read(&self, into: &mut Constraints, context: &Context<'_>) -> Result<Vec<Summary>> {
        self.each().map(|(path, what)| read_file(path, what, into, context)).collect()
    }

    /// The ids that the files name, each once, in order of appearance. This is for looking at
    /// constraints without the data they are about.
    pub fn collect_ids(&self) -> Result<Vec<String>> {
        let mut seen = HashSet::new();
        let mut ids = Vec::new();
        for (path, what) in self.each() {
            for_each_statement(path, what, |_, statement| {
                for &id in statement.ids() {
                    if !seen.contains(id) {
                        seen.insert(id.to_owned());
                        ids.push(id.to_owned());
                    }
                }
                Ok(())
            })?;
        }
        Ok(ids)
    }

    fn each(&self) -> impl Iterator<Item = (&Path, What)> {
        [
            (self.pairs.as_deref(), What::Pairs),
            (self.triplets.as_deref(), What::Triplets),
            (self.labels.as_deref(), What::Labels),
        ]
        .into_iter()
        .filter_map(|(path, what)| Some((path?, what)))
    }
}

/// Adds the must-links and cannot-links of a file.
///
/// ```
/// use ilk::problem::Constraints;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("pairs.csv");
/// std::fs::write(&path, "id_a,id_b,relation\nfly,bee,must-link\nfly,owl,cannot-link\n")?;
/// let mut given = Constraints::with_ids(["fly", "bee", "owl"])?;
/// let summary = ilk_io::read_pairs(&path, &mut given, &ilk_io::Context::default())?;
/// assert_eq!(summary.read, 2);
/// assert_eq!(given.cannot_links()[0].points, [0, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_pairs(
    path: impl AsRef<Path>,
    into: &mut Constraints,
    context: &Context<'_>,
) -> Result<Summary> {
    read_file(path.as_ref(), What::Pairs, into, context)
}

/// Adds the comparisons of a file.
pub fn read_triplets(
    path: impl AsRef<Path>,
    into: &mut Constraints,
    context: &Context<'_>,
) -> Result<Summary> {
    read_file(path.as_ref(), What::Triplets, into, context)
}

/// Adds the labels of a file.
pub fn read_labels(
    path: impl AsRef<Path>,
    into: &mut Constraints,
    context: &Context<'_>,
) -> Result<Summary> {
    read_file(path.as_ref(), What::Labels, into, context)
}

fn read_file(
    path: &Path,
    what: What,
    into: &mut Constraints,
    context: &Context<'_>,
) -> Result<Summary> {
    let given = |constraints: &Constraints| -> usize {
        ConstraintKind::ALL.iter().map(|&kind| constraints.count(kind)).sum()
    };
    let before = given(into);
    let (read, skipped) = for_each_statement(path, what, |row, statement| {
        add(into, statement).map_err(|error| explain(error, row.place(path), context))
    })?;
    Ok(Summary { path: path.to_owned(), read, skipped, duplicates: read - (given(into) - before) })
}

/// Calls `act` with every row that says something; returns how many do and how many do not.
fn for_each_statement(
    path: &Path,
    what: What,
    mut act: impl FnMut(&Row, &Statement<'_>) -> Result<()>,
) -> Result<(usize, usize)> {
    let mut records = records::open(path)?;
    let header = records.header().to_vec();
    let schema = Schema::new(path, &header, what)?;
    let mut row = Row::new();
    let (mut read, mut skipped) = (0, 0);
    while records.read(&mut row)? {
        match schema.parse(path, &row)? {
            Some(statement) => {
                act(&row, &statement)?;
                read += 1;
            }
            None => skipped += 1,
        }
    }
    Ok((read, skipped))
}

fn add(into: &mut Constraints, statement: &Statement<'_>) -> ilk::Result<()> {
    let &Statement { weight, source, .. } = statement;
    match statement.label {
        Some(label) => into.label_by_id(statement.ids()[0], label, weight, source)?,
        None => into.add_by_id(statement.kind, statement.ids(), weight, source)?,
    };
    Ok(())
}

/// The engine knows ids and entries; a person looks for files and lines.
fn explain(error: ilk::Error, place: Place, context: &Context<'_>) -> Error {
    match error {
        ilk::Error::UnknownId { id, .. } => Error::UnknownId {
            place,
            id,
            data: context.data.map_or("the data".to_owned(), |path| path.display().to_string()),
        },
        ilk::Error::SelfPair { point, .. } => {
            ConstraintProblem::SelfPair { place, id: point }.into()
        }
        ilk::Error::TwoLabels { point, first, second } => {
            ConstraintProblem::TwoLabels { place, id: point, first, second }.into()
        }
        other => Error::InLine { place, source: Box::new(other) },
    }
}
