//! What there is to say about a table that was read.

use std::fmt;

use super::Missing;
use crate::error::{list, word};

/// Something that was done with a table, or that looks wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableNote {
    /// An index beside the ids was left out.
    Index {
        /// The column.
        column: String,
    },
    /// Columns of text were left out.
    Text {
        /// The columns.
        columns: Vec<String>,
    },
    /// A column of categories was turned into features.
    OneHot {
        /// The column.
        column: String,
        /// How many values it has.
        values: usize,
    },
    /// Rows with gaps were left out.
    Dropped {
        /// How many.
        rows: usize,
        /// Of how many.
        of: usize,
    },
    /// Gaps were filled in.
    Filled {
        /// How many.
        cells: usize,
        /// In how many rows.
        rows: usize,
        /// With what; none where it is what the fit filled them with.
        with: Option<Missing>,
    },
    /// Sparse rows were projected.
    Projected {
        /// How many columns they have.
        columns: usize,
        /// Onto how many axes.
        axes: usize,
        /// Of the sum of their squared lengths, how many percent are kept.
        percent: u32,
    },
    /// A feature counts the rows. A warning.
    Counter {
        /// The column.
        column: String,
        /// Where it starts.
        first: i64,
        /// Where it ends.
        last: i64,
    },
    /// A feature is another whole number in every row. A warning.
    Unique {
        /// The column.
        column: String,
    },
    /// The header looks like a row of data. A warning.
    HeaderLooksLikeData {
        /// The line.
        line: String,
    },
}

impl TableNote {
    /// Whether it is likely a mistake, rather than something that was asked for.
    pub fn is_warning(&self) -> bool {
        matches!(
            self,
            Self::Counter { .. } | Self::Unique { .. } | Self::HeaderLooksLikeData { .. }
        )
    }
}

impl fmt::Display for TableNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index { column } => {
                write!(f, "column {column:?}, an index; name it with --features to use it")
            }
            Self::Text { columns } => {
                let s = if columns.len() == 1 { "" } else { "s" };
                write!(f, "column{s} {} of text", list(columns))
            }
            Self::OneHot { column, values } => {
                let s = if *values == 1 { "" } else { "s" };
                write!(f, "column {column:?} as {values} feature{s} of 0 and 1")
            }
            Self::Dropped { rows, of } => write!(f, "{rows} of {of} rows with missing values"),
            Self::Filled { cells, rows, with } => {
                let their = if *cells == 1 { "its" } else { "their" };
                let with = match with {
                    Some(Missing::Mean) => format!("the mean of {their} column"),
                    Some(_) => format!("the median of {their} column"),
                    None => "what the fit filled gaps with".to_owned(),
                };
                let [values, rows] = [(*cells, "missing value"), (*rows, "row")]
                    .map(|(n, noun)| format!("{n} {noun}{}", if n == 1 { "" } else { "s" }));
                write!(f, "{values} in {rows} with {with}")
            }
            Self::Projected { columns, axes, percent } => write!(
                f,
                "{columns} sparse columns onto the {axes} axes that keep most of their squared lengths: {percent}%"
            ),
            Self::Counter { column, first, last } => write!(
                f,
                "column {column:?} counts the rows ({first} to {last}) and is used as a feature; if it \
                 names the rows, add --id {0} or --exclude {0}",
                word(column)
            ),
            Self::Unique { column } => write!(
                f,
                "column {column:?} is another whole number in every row and is used as a feature; if it \
                 names the rows, add --id {0} or --exclude {0}",
                word(column)
            ),
            Self::HeaderLooksLikeData { line } => write!(
                f,
                "line 1 ({line:?}) looks like data and is taken for the names of the columns; if it is a \
                 row, add --no-header"
            ),
        }
    }
}
