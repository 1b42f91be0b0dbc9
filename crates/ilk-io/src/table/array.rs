//! Tables from numpy's arrays, which name neither rows nor columns.

use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::Path;

use zip::ZipArchive;

use super::layout::Layout;
use super::npy::{self, Fault, Matrix};
use super::read::points;
use super::{Columns, Table, TableOptions};
use crate::error::{Place, Position};
use crate::source;
use crate::{Error, Result};

/// Reads an NPY file.
pub(super) fn read_npy(path: &Path, options: &TableOptions) -> Result<Table> {
    let mut source = source::open(path)?;
    let matrix = npy::read_matrix(&mut source).map_err(|fault| describe(path, "NPY", fault))?;
    table(path, matrix, options)
}

/// Reads one array of an NPZ archive.
pub(super) fn read_npz(path: &Path, options: &TableOptions) -> Result<Table> {
    let file = BufReader::new(source::open_file(path)?);
    let mut archive =
        ZipArchive::new(file).map_err(|error| Error::unreadable(path, "NPZ", &error))?;
    let array = choose(path, &mut archive, options.array.as_deref())?;
    let mut entry = archive
        .by_name(&format!("{array}.npy"))
        .map_err(|error| Error::unreadable(path, "NPZ", &error))?;
    let matrix = npy::read_matrix(&mut entry).map_err(|fault| describe(path, "NPZ", fault))?;
    table(path, matrix, options)
}

/// The array to take: the one asked for, `X`, or the only one with two dimensions.
fn choose(
    path: &Path,
    archive: &mut ZipArchive<BufReader<File>>,
    asked: Option<&str>,
) -> Result<String> {
    let mut names: Vec<String> = archive
        .file_names()
        .filter_map(|name| name.strip_suffix(".npy"))
        .map(str::to_owned)
        .collect();
    names.sort_unstable();
    let has = |wanted: &str| names.iter().any(|name| name == wanted);
    let reason = match asked {
        Some(asked) if has(asked) => return Ok(asked.to_owned()),
        Some(asked) => format!("there is no array {asked:?}"),
        None if has("X") => return Ok("X".to_owned()),
        None => {
            let mut flat = Vec::new();
            for name in &names {
                let mut entry = archive
                    .by_name(&format!("{name}.npy"))
                    .map_err(|error| Error::unreadable(path, "NPZ", &error))?;
                // An array that cannot be read is not a candidate; asked for by name, it says why.
                if npy::read_header(&mut entry).is_ok_and(|header| header.shape.len() == 2) {
                    flat.push(name.clone());
                }
            }
            if let [only] = flat.as_slice() {
                return Ok(only.clone());
            }
            format!(
                "none is named \"X\", and {} have two dimensions",
                flat.len()
            )
        }
    };
    Err(Error::WhichArray {
        path: path.to_owned(),
        reason,
        found: names,
    })
}

/// Takes the columns that were asked for and refuses what is not finite.
fn table(path: &Path, matrix: Matrix, options: &TableOptions) -> Result<Table> {
    if matrix.rows == 0 {
        return Err(Error::NoRows {
            path: path.to_owned(),
        });
    }
    let header: Vec<String> = (0..matrix.columns).map(|c| format!("x{c}")).collect();
    let layout = Layout::new(path, &header, options)?;
    let mut columns = options.keep.then(|| Columns::new(header.clone()));
    let mut ids = Vec::with_capacity(matrix.rows);
    for (number, row) in matrix.values.chunks_exact(matrix.columns).enumerate() {
        for &column in &layout.features {
            if !row[column].is_finite() {
                return Err(Error::NotFinite {
                    place: Place::new(path, Position::Row(number as u64)),
                    column: header[column].clone(),
                    value: row[column].to_string(),
                });
            }
        }
        if let Some(columns) = &mut columns {
            for value in row {
                columns.push(&value.to_string());
            }
        }
        ids.push(layout.id.map_or(number.to_string(), |c| row[c].to_string()));
    }
    if layout.id.is_some() {
        let positions: Vec<_> = (0..ids.len() as u64).map(Position::Row).collect();
        super::read::refuse_duplicates(path, &ids, &positions)?;
    }
    // Most often every column is taken, and then the values are where they should be.
    let values = if layout.features.iter().copied().eq(0..matrix.columns) {
        matrix.values
    } else {
        matrix
            .values
            .chunks_exact(matrix.columns)
            .flat_map(|row| layout.features.iter().map(|&column| row[column]))
            .collect()
    };
    Ok(Table {
        path: path.to_owned(),
        ids,
        id_column: layout.id.map(|column| header[column].clone()),
        feature_names: layout.features.iter().map(|&c| header[c].clone()).collect(),
        is_named: false,
        points: points(path, matrix.rows, layout.features.len(), values)?,
        columns,
    })
}

fn describe(path: &Path, format: &'static str, fault: Fault) -> Error {
    match fault {
        Fault::Io(error) if error.kind() == ErrorKind::UnexpectedEof => {
            Error::unreadable(path, format, &"it ends too early")
        }
        Fault::Io(error) => Error::unreadable(path, format, &error),
        Fault::Damaged(reason) => Error::unreadable(path, format, &reason),
        Fault::Unsuitable(reason) => Error::WrongArray {
            path: path.to_owned(),
            reason,
        },
    }
}
