//! The data: a table with a point a row.

mod array;
mod cell;
mod columns;
mod gather;
mod layout;
mod missing;
mod note;
mod npy;
mod read;
mod rows;
mod sparse;

use std::path::{Path, PathBuf};

use ilk::embed::SparseAxes;
use ilk::problem::Points;
use serde::{Deserialize, Serialize};

pub(crate) use array::read_label_array;
pub(crate) use cell::is_missing_word;
pub use columns::Columns;
pub(crate) use gather::refuse_duplicates;
pub use missing::Missing;
pub use note::TableNote;
pub use rows::Rows;

use crate::source::{Format, is_stdin};
use crate::{Error, Result};

/// Which columns of a table are what.
///
/// The id column is the one named here, else the one named `id` in any case, else an index as pandas
/// writes it (a first column without a name, or `__index_level_0__`), else the rows are numbered `0`,
/// `1`, … An index beside an `id` is left out. All other columns are the point's coordinates and must
/// be numbers, unless `features` names the ones to take or `exclude` the ones to leave out. A name in
/// a list may itself be a list with commas, unless a column is called that. `color=red` names the
/// feature that is 1 where column `color` is `red` and 0 elsewhere.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TableOptions {
    /// The column that holds the ids.
    pub id: Option<String>,
    /// The columns to cluster by, in this order.
    pub features: Option<Vec<String>>,
    /// Columns to leave out.
    pub exclude: Vec<String>,
    /// The array of an NPZ archive to take: otherwise `X`, or the only one with two dimensions.
    pub array: Option<String>,
    /// Whether to hold the text of every column, to write it out again beside the clusters.
    pub keep: bool,
    /// Whether the first line of a CSV file is a row and its columns are `x0`, `x1`, …
    pub no_header: bool,
    /// Whether columns that hold text are left out.
    pub numeric_only: bool,
    /// Columns of categories: each becomes a feature for every value, 1 where it is that and else 0.
    pub one_hot: Vec<String>,
    /// What becomes of rows with gaps.
    pub missing: Missing,
}

impl TableOptions {
    /// Whether anything is asked for that needs columns with names or gaps.
    fn chooses_columns(&self) -> bool {
        let plain = Self { array: self.array.clone(), ..Self::default() };
        *self != plain
    }
}

/// A table that was read: finite numbers, and an id for every row.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The file it came from.
    pub path: PathBuf,
    /// The id of every row; unique.
    pub ids: Vec<String>,
    /// The column that the ids came from; none if the rows were numbered.
    pub id_column: Option<String>,
    /// The names of the points' coordinates: `x0`, `x1`, … where the file has none.
    pub feature_names: Vec<String>,
    /// Whether the file names its columns (arrays do not).
    pub is_named: bool,
    /// The points, a row each.
    pub points: Points,
    /// The text of the file's own columns, if [`TableOptions::keep`] asked for it.
    pub columns: Option<Columns>,
    /// What was left out, filled in or is suspicious.
    pub notes: Vec<TableNote>,
    /// What gaps of each feature were filled with, where [`TableOptions::missing`] fills them.
    pub fill: Option<Vec<f64>>,
    /// The axes along which the points are, where the file holds sparse rows.
    pub axes: Option<SparseAxes>,
}

/// Whether a file, by its ending, holds numpy's arrays, which name neither rows nor columns.
pub fn is_array(path: impl AsRef<Path>) -> bool {
    matches!(Format::of(path.as_ref()), Some(Format::Npy | Format::Npz))
}

/// Reads a table: CSV or TSV (packed with gzip or not), NPY, NPZ or Parquet, by the file's ending. Sparse rows in an NPZ
/// archive, as `scipy.sparse.save_npz` writes them, are projected onto the 100 axes that keep most of their squared lengths.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("data.csv");
/// std::fs::write(&path, "id,height,width\na,1.5,2\nb,1.25,3\n")?;
/// let table = ilk_io::read_table(&path, &ilk_io::TableOptions::default())?;
/// assert_eq!(table.ids, ["a", "b"]);
/// assert_eq!(table.feature_names, ["height", "width"]);
/// assert_eq!(table.points.row(1), [1.25, 3.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_table(path: impl AsRef<Path>, options: &TableOptions) -> Result<Table> {
    read_as_fitted(path.as_ref(), options, None, None)
}

/// [`read_table`], with gaps filled by the values that a fit used, and sparse rows along its axes.
pub(crate) fn read_as_fitted(
    path: &Path,
    options: &TableOptions,
    fill: Option<&[f64]>,
    axes: Option<&SparseAxes>,
) -> Result<Table> {
    match Format::of(path) {
        Some(Format::Csv | Format::Tsv | Format::Parquet) => read::read(path, options, fill),
        Some(Format::Npy) => array::read_npy(path, options, fill),
        Some(Format::Npz) => array::read_npz(path, options, fill, axes),
        None if is_stdin(path) => read::read(path, options, fill),
        Some(Format::Jsonl) | None => {
            // A missing file is the more helpful thing to say.
            crate::source::refuse_spreadsheet(path)?;
            Err(Error::UnknownFormat {
                path: path.to_owned(),
                known: ".csv, .tsv (or either with .gz), .npy, .npz, .parquet",
            })
        }
    }
}
