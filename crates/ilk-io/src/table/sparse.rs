//! Sparse rows as `scipy.sparse.save_npz` writes them: an archive with the parts of one matrix.

use std::path::Path;

use ilk::embed::SparseAxes;
use ilk::observe::Silent;
use ilk::problem::SparsePoints;

use super::array::{Archive, describe, open_array};
use super::npy;
use super::{Table, TableNote, TableOptions};
use crate::error::ArrayProblem;
use crate::limit::max_unpacked;
use crate::{Error, Result};

/// The most axes onto which sparse rows are projected; of no more columns than that, each is kept.
const MAX_AXES: usize = 100;

/// How the places of the values are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// Compressed rows.
    Csr,
    /// Compressed columns.
    Csc,
    /// Row and column of every value.
    Coo,
}

/// Whether the arrays of an archive are the parts of a sparse matrix.
pub(super) fn is_sparse(archive: &Archive) -> bool {
    let has = |name: &str| archive.file_names().any(|found| found == name);
    ["format.npy", "shape.npy", "data.npy"].into_iter().all(has)
}

/// Reads sparse rows and projects them: onto the axes of a model, or those that keep most of their squared lengths.
pub(super) fn read_sparse(
    path: &Path,
    archive: &mut Archive,
    options: &TableOptions,
    axes: Option<&SparseAxes>,
) -> Result<Table> {
    let refused = |reason: String| {
        let problem = ArrayProblem::Sparse { reason };
        Error::Array { path: path.to_owned(), problem }
    };
    if options.chooses_columns() {
        let reason =
            "no columns can be named, left out, filled or kept; choose them before they are saved";
        return Err(refused(reason.to_owned()));
    }
    let rows = read_rows(path, archive, &refused)?;
    let in_file =
        |source: ilk::Error| Error::InFile { path: path.to_owned(), source: Box::new(source) };
    let mut notes = Vec::new();
    let axes = if let Some(axes) = axes {
        axes.clone()
    } else {
        let axes = SparseAxes::fit(&rows, MAX_AXES, &Silent).map_err(in_file)?;
        if rows.dims() > MAX_AXES {
            let (columns, count) = (rows.dims(), axes.n_axes());
            let percent = (100.0 * axes.share()).round() as u32;
            notes.push(TableNote::Projected { columns, axes: count, percent });
        }
        axes
    };
    let points = axes.project(&rows).map_err(in_file)?;
    let is_projected = rows.dims() > MAX_AXES;
    let name = |at: usize| if is_projected { format!("axis{at}") } else { format!("x{at}") };
    Ok(Table {
        path: path.to_owned(),
        ids: (0..rows.len()).map(|row| row.to_string()).collect(),
        id_column: None,
        feature_names: (0..points.dims()).map(name).collect(),
        is_named: false,
        points,
        columns: None,
        notes,
        fill: None,
        axes: Some(axes),
    })
}

/// The rows of an archive, values in one place added up.
fn read_rows(
    path: &Path,
    archive: &mut Archive,
    refused: &impl Fn(String) -> Error,
) -> Result<SparsePoints> {
    let mut vector = |name: &str| {
        let mut entry = open_array(path, archive, name)?;
        npy::read_vector(&mut entry).map_err(|fault| describe(path, "NPZ", fault))
    };
    let shape = vector("shape")?;
    let &[rows, columns] = indices(&shape, "shape", u32::MAX as usize, refused)?.as_slice() else {
        return Err(refused(format!("its shape has {} numbers instead of two", shape.len())));
    };
    // Compressed columns and single places say nothing of empty rows, so that a small file may claim any number.
    if rows.max(columns) as u64 > max_unpacked() / size_of::<f64>() as u64 {
        return Err(refused(format!("it has {rows} rows and {columns} columns")));
    }
    let layout = {
        let mut entry = open_array(path, archive, "format")?;
        npy::read_text(&mut entry).map_err(|fault| describe(path, "NPZ", fault))?
    };
    let layout = match layout.as_str() {
        "csr" => Layout::Csr,
        "csc" => Layout::Csc,
        "coo" => Layout::Coo,
        other => {
            let advice = "save it as scipy.sparse.save_npz(path, X.tocsr())";
            return Err(refused(format!("its format is {other:?}, not csr, csc or coo; {advice}")));
        }
    };
    let mut vector = |name: &str| {
        let mut entry = open_array(path, archive, name)?;
        npy::read_vector(&mut entry).map_err(|fault| describe(path, "NPZ", fault))
    };
    let values = vector("data")?;
    let places: Vec<(usize, usize)> = if layout == Layout::Coo {
        let row = indices(&vector("row")?, "row", rows, refused)?;
        let column = indices(&vector("col")?, "col", columns, refused)?;
        let same = (row.len() == values.len()).then_some(column.len());
        if same != Some(values.len()) {
            return Err(refused("its rows, columns and values are not equally many".to_owned()));
        }
        row.into_iter().zip(column).collect()
    } else {
        let (major, minor) = if layout == Layout::Csr { (rows, columns) } else { (columns, rows) };
        let inner = indices(&vector("indices")?, "indices", minor, refused)?;
        let ends = indices(&vector("indptr")?, "indptr", inner.len() + 1, refused)?;
        let is_sound = ends.len() == major + 1
            && ends[0] == 0
            && ends[major] == inner.len()
            && inner.len() == values.len()
            && ends.windows(2).all(|two| two[0] <= two[1]);
        if !is_sound {
            return Err(refused("its parts contradict each other".to_owned()));
        }
        let outer =
            ends.windows(2).enumerate().flat_map(|(at, two)| (two[0]..two[1]).map(move |_| at));
        let turned = layout == Layout::Csc;
        outer.zip(inner).map(|(a, b)| if turned { (b, a) } else { (a, b) }).collect()
    };
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by_key(|&at| places[at]);
    let (mut offsets, mut kept, mut sums) = (vec![0; rows + 1], Vec::new(), Vec::<f64>::new());
    let mut last = None;
    for at in order {
        let (row, column) = places[at];
        if last == Some((row, column)) {
            sums[kept.len() - 1] += values[at];
            continue;
        }
        last = Some((row, column));
        kept.push(column);
        sums.push(values[at]);
        offsets[row + 1] = kept.len();
    }
    for row in 0..rows {
        offsets[row + 1] = offsets[row + 1].max(offsets[row]);
    }
    SparsePoints::from_parts(columns, &offsets, &kept, &sums)
        .map_err(|source| Error::InFile { path: path.to_owned(), source: Box::new(source) })
}

/// Whole numbers from 0 to below `end`.
fn indices(
    numbers: &[f64],
    name: &str,
    end: usize,
    refused: &impl Fn(String) -> Error,
) -> Result<Vec<usize>> {
    let whole = |&number: &f64| {
        let index = number as usize;
        (index as f64 == number && index < end).then_some(index)
    };
    let found: Option<Vec<usize>> = numbers.iter().map(whole).collect();
    found.ok_or_else(|| refused(format!("{name:?} holds what is no place in the matrix")))
}
