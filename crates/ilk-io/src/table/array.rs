//! Tables and labels from numpy's arrays, which name neither rows nor columns.

use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::Path;

use zip::ZipArchive;
use zip::read::ZipFile;

use super::layout::Layout;
use super::npy::{self, Fault, Matrix};
use super::read::points;
use super::{Columns, Table, TableOptions};
use crate::error::{Place, Position};
use crate::source::{self, Format};
use crate::{Error, Result};

/// Reads an NPY file.
pub(super) fn read_npy(path: &Path, options: &TableOptions) -> Result<Table> {
    let mut source = source::open(path)?;
    let matrix = npy::read_matrix(&mut source).map_err(|fault| describe(path, "NPY", fault))?;
    table(path, matrix, options)
}

/// Reads one array of an NPZ archive.
pub(super) fn read_npz(path: &Path, options: &TableOptions) -> Result<Table> {
    let mut archive = open_archive(path)?;
    let array = choose(path, &mut archive, options.array.as_deref(), &MATRIX)?;
    let mut entry = open_array(path, &mut archive, &array)?;
    let matrix = npy::read_matrix(&mut entry).map_err(|fault| describe(path, "NPZ", fault))?;
    table(path, matrix, options)
}

/// Reads a label a row from an NPY file or from an array of an NPZ archive: the one asked for, `y`, or
/// the only one with one dimension. What is not a number is no label.
pub(crate) fn read_label_array(path: &Path, asked: Option<&str>) -> Result<Vec<Option<String>>> {
    let numbers = if Format::of(path) == Some(Format::Npz) {
        let mut archive = open_archive(path)?;
        let array = choose(path, &mut archive, asked, &VECTOR)?;
        npy::read_vector(&mut open_array(path, &mut archive, &array)?)
    } else {
        npy::read_vector(&mut source::open(path)?)
    };
    let numbers = numbers.map_err(|fault| match fault {
        Fault::Unsuitable(reason) => Error::WrongLabels { path: path.to_owned(), reason },
        other => describe(path, "an array", other),
    })?;
    let label = |number: f64| (!number.is_nan()).then(|| number.to_string());
    Ok(numbers.into_iter().map(label).collect())
}

/// Which array of an archive is taken where none is asked for.
struct Wanted {
    name: &'static str,
    dimensions: usize,
    many: &'static str,
    advice: &'static str,
}

const MATRIX: Wanted =
    Wanted { name: "X", dimensions: 2, many: "two dimensions", advice: "name one with --array" };

const VECTOR: Wanted =
    Wanted { name: "y", dimensions: 1, many: "one dimension", advice: "name one of them" };

type Archive = ZipArchive<BufReader<File>>;

fn open_archive(path: &Path) -> Result<Archive> {
    let file = BufReader::new(source::open_file(path)?);
    ZipArchive::new(file).map_err(|error| Error::unreadable(path, "NPZ", &error))
}

fn open_array<'a>(
    path: &Path,
    archive: &'a mut Archive,
    name: &str,
) -> Result<ZipFile<'a, BufReader<File>>> {
    archive.by_name(&format!("{name}.npy")).map_err(|error| Error::unreadable(path, "NPZ", &error))
}

/// The array to take: the one asked for, else the one with the usual name, else the only one with the
/// right number of dimensions.
fn choose(
    path: &Path,
    archive: &mut Archive,
    asked: Option<&str>,
    wanted: &Wanted,
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
        None if has(wanted.name) => return Ok(wanted.name.to_owned()),
        None => {
            let mut fitting = Vec::new();
            for name in &names {
                let mut entry = open_array(path, archive, name)?;
                // An array that cannot be read is not a candidate; asked for by name, it says why.
                let fits = |header: npy::Header| header.shape.len() == wanted.dimensions;
                if npy::read_header(&mut entry).is_ok_and(fits) {
                    fitting.push(name.clone());
                }
            }
            if let [only] = fitting.as_slice() {
                return Ok(only.clone());
            }
            let (name, many) = (wanted.name, wanted.many);
            format!("none is named {name:?}, and {} have {many}", fitting.len())
        }
    };
    Err(Error::WhichArray { path: path.to_owned(), reason, found: names, advice: wanted.advice })
}

/// Takes the columns that were asked for and refuses what is not finite.
fn table(path: &Path, matrix: Matrix, options: &TableOptions) -> Result<Table> {
    if matrix.rows == 0 {
        return Err(Error::NoRows { path: path.to_owned() });
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
        Fault::Unsuitable(reason) => Error::WrongArray { path: path.to_owned(), reason },
    }
}
