//! Tables and labels from numpy's arrays, which name neither rows nor columns.

use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::Path;

use ilk::embed::SparseAxes;
use zip::ZipArchive;
use zip::read::ZipFile;

use super::gather::{Gather, counters, points};
use super::layout::{Feature, Layout};
use super::npy::{self, Fault, Matrix};
use super::sparse::{is_sparse, read_sparse};
use super::{Table, TableOptions};
use crate::error::{ArrayProblem, Position};
use crate::limit::Limited;
use crate::source::{self, Format};
use crate::{Error, Result};

/// Reads an NPY file.
pub(super) fn read_npy(path: &Path, options: &TableOptions, fill: Option<&[f64]>) -> Result<Table> {
    let mut source = source::open(path)?;
    let matrix = npy::read_matrix(&mut source).map_err(|fault| describe(path, "NPY", fault))?;
    table(path, matrix, options, fill)
}

/// Reads one array of an NPZ archive, or the sparse rows that it holds; these along the axes of a model, where there is one.
pub(super) fn read_npz(
    path: &Path,
    options: &TableOptions,
    fill: Option<&[f64]>,
    axes: Option<&SparseAxes>,
) -> Result<Table> {
    let mut archive = open_archive(path)?;
    if options.array.is_none() && is_sparse(&archive) {
        return read_sparse(path, &mut archive, options, axes);
    }
    let array = choose(path, &mut archive, options.array.as_deref(), &MATRIX)?;
    let mut entry = open_array(path, &mut archive, &array)?;
    let matrix = npy::read_matrix(&mut entry).map_err(|fault| describe(path, "NPZ", fault))?;
    table(path, matrix, options, fill)
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
        Fault::Unsuitable(reason) => {
            let problem = ArrayProblem::NotLabels { reason };
            Error::Array { path: path.to_owned(), problem }
        }
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

pub(super) type Archive = ZipArchive<BufReader<File>>;

fn open_archive(path: &Path) -> Result<Archive> {
    let file = BufReader::new(source::open_file(path)?);
    ZipArchive::new(file).map_err(|error| Error::unreadable(path, "NPZ", &error))
}

pub(super) fn open_array<'a>(
    path: &Path,
    archive: &'a mut Archive,
    name: &str,
) -> Result<Limited<ZipFile<'a, BufReader<File>>>> {
    let entry = archive.by_name(&format!("{name}.npy"));
    entry.map(Limited::new).map_err(|error| Error::unreadable(path, "NPZ", &error))
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
    let problem = ArrayProblem::Several { reason, found: names, advice: wanted.advice };
    Err(Error::Array { path: path.to_owned(), problem })
}

/// Takes the columns that were asked for, as files with names do.
fn table(
    path: &Path,
    matrix: Matrix,
    options: &TableOptions,
    fill: Option<&[f64]>,
) -> Result<Table> {
    if matrix.rows == 0 {
        return Err(Error::NoRows { path: path.to_owned() });
    }
    let header: Vec<String> = (0..matrix.columns).map(|c| format!("x{c}")).collect();
    let layout = Layout::new(path, &header, options)?;
    let all = layout.features.iter().cloned().eq((0..matrix.columns).map(Feature::Number));
    let is_plain = all && layout.id.is_none() && !options.keep;
    if is_plain && !options.missing.fills() && matrix.values.iter().all(|value| value.is_finite()) {
        // Most often every column is taken, and then the values are where they should be.
        let ids = (0..matrix.rows).map(|row| row.to_string()).collect();
        let points = points(path, matrix.rows, matrix.columns, matrix.values)?;
        let notes = if layout.is_chosen {
            Vec::new()
        } else {
            counters(&points, &layout.features, &header)
        };
        return Ok(Table {
            path: path.to_owned(),
            ids,
            id_column: None,
            feature_names: header,
            is_named: false,
            points,
            columns: None,
            notes,
            fill: None,
            axes: None,
        });
    }
    let mut gather = Gather::new(path, &header, layout, options);
    for (number, row) in matrix.values.chunks_exact(matrix.columns).enumerate() {
        gather.push(&row, Position::Row(number as u64))?;
    }
    gather.finish(false, fill)
}

pub(super) fn describe(path: &Path, format: &'static str, fault: Fault) -> Error {
    match fault {
        Fault::Io(error) if error.kind() == ErrorKind::UnexpectedEof => {
            Error::unreadable(path, format, &"it ends too early")
        }
        Fault::Io(error) if error.kind() == ErrorKind::FileTooLarge => Error::reading(path, error),
        Fault::Io(error) => Error::unreadable(path, format, &error),
        Fault::Damaged(reason) => Error::unreadable(path, format, &reason),
        Fault::Unsuitable(reason) => {
            Error::Array { path: path.to_owned(), problem: ArrayProblem::NotNumbers { reason } }
        }
    }
}
