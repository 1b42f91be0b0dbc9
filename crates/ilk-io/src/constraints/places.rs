//! The lines on which constraints stand, looked up again where a message names them.

use std::collections::HashMap;
use std::path::Path;

use ilk::problem::{Check, ConstraintKind, Constraints};

use super::{ConstraintFiles, add, for_each_statement};
use crate::Result;
use crate::error::{Place, Position};

/// An entry of [`Constraints`]: a kind, and a position in its list.
type Entry = (ConstraintKind, usize);

/// Lines that are named for one contradiction.
const MAX_LINES: usize = 20;

impl ConstraintFiles {
    /// The first `limit` contradictions that `check` found in what these files say, each as a sentence followed
    /// by the file and the line of every answer in it. The files are read once more, and only if there are any.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let pairs = folder.path().join("pairs.csv");
    /// std::fs::write(&pairs, "id_a,id_b,relation\na,b,ml\nb,c,ml\na,c,cl\n")?;
    /// let files = ilk_io::ConstraintFiles { pairs: Some(pairs.clone()), ..Default::default() };
    /// let mut constraints = ilk::problem::Constraints::with_ids(["a", "b", "c"])?;
    /// files.read(&mut constraints, &ilk_io::Context::default())?;
    /// let found = files.contradictions(&constraints, &constraints.check(), 5)?;
    /// assert_eq!(
    ///     found,
    ///     [format!(
    ///         "a must-link b must-link c, but a cannot-link c ({}, lines 2, 3, 4)",
    ///         pairs.display()
    ///     )]
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of reading the files again.
    pub fn contradictions(
        &self,
        constraints: &Constraints,
        check: &Check<'_>,
        limit: usize,
    ) -> Result<Vec<String>> {
        let found = contradictions_in(std::slice::from_ref(self), constraints, check, limit)?;
        Ok(found.into_iter().map(|contradiction| contradiction.text).collect())
    }

    /// A sentence for each of these entries of `constraints`, which these files say, followed by the file and the line. The
    /// files are read once more.
    ///
    /// # Errors
    /// Those of reading the files again.
    pub fn described(
        &self,
        constraints: &Constraints,
        entries: &[(ConstraintKind, usize)],
    ) -> Result<Vec<String>> {
        let mut places: HashMap<Entry, Option<Place>> =
            entries.iter().map(|&entry| (entry, None)).collect();
        find_places(std::slice::from_ref(self), constraints, &mut places)?;
        let sentence = |entry: &Entry| {
            let text = constraints.describe(entry.0, entry.1)?;
            Some(match places.get(entry) {
                Some(Some(place)) => format!("{text} ({})", by_file(&[place])),
                _ => text,
            })
        };
        Ok(entries.iter().filter_map(sentence).collect())
    }
}

/// A contradiction with where its constraints stand.
#[derive(Debug, Clone, PartialEq)]
pub struct Contradiction {
    /// A sentence, followed by the file and the line of every constraint in it.
    pub text: String,
    /// The constraints, and where each stands first; none where no file has it.
    pub entries: Vec<((ConstraintKind, usize), Option<Place>)>,
}

/// As [`ConstraintFiles::contradictions`], of constraints that were read from several lists of files in this order.
///
/// # Errors
/// Those of reading the files again.
pub fn contradictions_in(
    files: &[ConstraintFiles],
    constraints: &Constraints,
    check: &Check<'_>,
    limit: usize,
) -> Result<Vec<Contradiction>> {
    if check.is_consistent() {
        return Ok(Vec::new());
    }
    let explained: Vec<(String, Vec<Entry>)> = check
        .explanations()
        .take(limit)
        .enumerate()
        .map(|(index, text)| (text, check.entries(index)))
        .collect();
    let mut places: HashMap<Entry, Option<Place>> = HashMap::new();
    places.extend(explained.iter().flat_map(|(_, entries)| entries).map(|&it| (it, None)));
    find_places(files, constraints, &mut places)?;
    let with_places = explained.into_iter().map(|(text, entries)| {
        let entries: Vec<(Entry, Option<Place>)> = entries
            .into_iter()
            .map(|entry| (entry, places.get(&entry).cloned().flatten()))
            .collect();
        let named: Vec<&Place> = entries.iter().filter_map(|(_, place)| place.as_ref()).collect();
        let text = match by_file(&named) {
            places if places.is_empty() => text,
            places => format!("{text} ({places})"),
        };
        Contradiction { text, entries }
    });
    Ok(with_places.collect())
}

/// Fills in the place where each of the wanted entries stands first.
fn find_places(
    files: &[ConstraintFiles],
    constraints: &Constraints,
    wanted: &mut HashMap<Entry, Option<Place>>,
) -> Result<()> {
    // The same entries in the same order have the same numbers.
    let mut again = match constraints.ids() {
        Some(ids) => Constraints::with_ids(ids)?,
        None => Constraints::new(constraints.n()),
    };
    for (path, what) in files.iter().flat_map(ConstraintFiles::each) {
        for_each_statement(path, what, |row, statement| {
            let entry = (statement.kind, again.count(statement.kind));
            add(&mut again, statement)?;
            // What repeats an earlier entry adds none.
            if again.count(statement.kind) > entry.1
                && let Some(place) = wanted.get_mut(&entry)
            {
                *place = Some(row.place(path));
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// `pairs.csv, lines 2, 7; labels.csv, line 3`, the files in the order in which they are named first.
fn by_file(places: &[&Place]) -> String {
    let mut files: Vec<(&Path, Vec<Position>)> = Vec::new();
    for place in places.iter().take(MAX_LINES) {
        match files.iter_mut().find(|(path, _)| *path == place.path) {
            Some((_, positions)) => positions.push(place.position),
            None => files.push((&place.path, vec![place.position])),
        }
    }
    let texts = files.iter().map(|(path, positions)| {
        let numbers = positions.iter().map(|position| match position {
            Position::Line(number) | Position::Row(number) => number.to_string(),
        });
        let numbers = numbers.collect::<Vec<_>>().join(", ");
        let word = match (positions[0], positions.len()) {
            (Position::Line(_), 1) => "line",
            (Position::Line(_), _) => "lines",
            (Position::Row(_), 1) => "row",
            (Position::Row(_), _) => "rows",
        };
        format!("{}, {word} {numbers}", path.display())
    });
    let text = texts.collect::<Vec<_>>().join("; ");
    match places.len().saturating_sub(MAX_LINES) {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}
