//! Tables from files of named columns.

use std::collections::HashMap;
use std::path::Path;

use ilk::ndarray::Array2;
use ilk::problem::Points;

use super::layout::Layout;
use super::{Columns, Table, TableOptions};
use crate::error::{Place, Position};
use crate::records::{self, Row};
use crate::{Error, Result};

/// Reads row by row; nothing is held but the table itself and, where there are ids, their lines.
pub(super) fn read(path: &Path, options: &TableOptions) -> Result<Table> {
    let mut records = records::open(path)?;
    let header = records.header().to_vec();
    let layout = Layout::new(path, &header, options)?;
    let text: Vec<usize> =
        if options.keep { (0..header.len()).collect() } else { layout.id.into_iter().collect() };
    records.select(&text, &layout.features);
    let mut columns = options.keep.then(|| Columns::new(header.clone()));
    let mut ids = Vec::new();
    let mut positions = Vec::new();
    let mut values = Vec::new();
    let mut rows = 0;
    let mut row = Row::new();
    while records.read(&mut row)? {
        for &column in &layout.features {
            values.push(number(path, &header, &row, column)?);
        }
        if let Some(column) = layout.id {
            let id = row.cell(column);
            if id.is_empty() {
                return Err(Error::EmptyId {
                    place: row.place(path),
                    column: header[column].clone(),
                });
            }
            ids.push(id.to_owned());
            positions.push(row.position);
        }
        if let Some(columns) = &mut columns {
            row.cells.iter().for_each(|cell| columns.push(cell));
        }
        rows += 1;
    }
    if rows == 0 {
        return Err(Error::NoRows { path: path.to_owned() });
    }
    if layout.id.is_some() {
        refuse_duplicates(path, &ids, &positions)?;
    } else {
        ids = (0..rows).map(|row: usize| row.to_string()).collect();
    }
    Ok(Table {
        path: path.to_owned(),
        ids,
        id_column: layout.id.map(|column| header[column].clone()),
        feature_names: layout.features.iter().map(|&c| header[c].clone()).collect(),
        is_named: true,
        points: points(path, rows, layout.features.len(), values)?,
        columns,
    })
}

/// A matrix of points from its values, row by row.
pub(super) fn points(path: &Path, rows: usize, dims: usize, values: Vec<f64>) -> Result<Points> {
    let data = Array2::from_shape_vec((rows, dims), values)
        .map_err(|error| Error::unreadable(path, "a table", &error))?;
    Points::new(data)
        .map_err(|source| Error::InFile { path: path.to_owned(), source: Box::new(source) })
}

/// A cell as a finite number.
fn number(path: &Path, header: &[String], row: &Row, column: usize) -> Result<f64> {
    if let Some(&stored) = row.numbers.get(column).filter(|stored| stored.is_finite()) {
        return Ok(stored);
    }
    let text = row.cell(column);
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        parsed => {
            let place = row.place(path);
            let column = header[column].clone();
            let value = text.to_owned();
            Err(if text.is_empty() {
                Error::EmptyCell { place, column }
            } else if parsed.is_ok() || is_missing_word(text) {
                Error::NotFinite { place, column, value }
            } else {
                Error::NotANumber { place, column, value }
            })
        }
    }
}

/// What programs write where they have no number.
fn is_missing_word(text: &str) -> bool {
    ["na", "n/a", "null", "none", "#n/a"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Refuses an id that stands in two rows.
pub(crate) fn refuse_duplicates(path: &Path, ids: &[String], at: &[Position]) -> Result<()> {
    let mut seen: HashMap<&str, Position> = HashMap::with_capacity(ids.len());
    for (id, &position) in ids.iter().zip(at) {
        if let Some(first) = seen.insert(id, position) {
            return Err(Error::DuplicateId {
                place: Place::new(path, position),
                id: id.clone(),
                first,
            });
        }
    }
    Ok(())
}
