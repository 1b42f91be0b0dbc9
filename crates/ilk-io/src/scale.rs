//! Bringing columns to a common scale, or rows to one length, and new data to the same.

use ilk::ndarray::Array2;
use ilk::problem::{Points, to_unit_length};
use serde::{Deserialize, Serialize};

use crate::Result;

/// How columns are brought to a common scale, or rows to one length.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// As they are.
    #[default]
    None,
    /// To mean 0 and standard deviation 1 (over n, not n - 1).
    Standard,
    /// To the range from 0 to 1.
    MinMax,
    /// Every row to length 1, so that distances are those of the cosine.
    Unit,
}

impl Scale {
    /// The names, as serde and the command line write them.
    pub const NAMES: &'static [&'static str] = &["none", "standard", "minmax", "unit"];

    /// Finds offset and factor of every column. The factor of a constant column is 1.
    pub fn fit(self, points: &Points) -> Scaling {
        let dims = points.dims();
        let mut scaling = Scaling { unit_rows: self == Self::Unit, ..Scaling::identity(dims) };
        for column in 0..dims {
            let values = || points.as_slice()[column..].iter().step_by(dims).copied();
            let (offset, factor) = match self {
                Self::None | Self::Unit => (0.0, 1.0),
                Self::Standard => mean_and_deviation(values),
                Self::MinMax => {
                    let (low, high) = ends(values());
                    (low, high - low)
                }
            };
            scaling.offset[column] = offset;
            // Nor can a column be divided by a spread that overflows, or whose inverse does.
            if factor.is_finite() && factor > 0.0 && factor.recip().is_finite() {
                scaling.factor[column] = factor;
            }
        }
        scaling
    }
}

/// An offset and a factor for each column, x' = (x - offset) / factor, after which rows may be brought to length 1: then
/// the squared distance of two of them is twice 1 less the cosine of their angle. A row at the origin stays there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredScaling")]
pub struct Scaling {
    /// Subtracted from each column.
    pub offset: Vec<f64>,
    /// What each column is then divided by; 1 for a constant column.
    pub factor: Vec<f64>,
    /// Whether every row is then divided by its length.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unit_rows: bool,
}

/// The fields of a [`Scaling`] as a file holds them, not yet checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredScaling {
    offset: Vec<f64>,
    factor: Vec<f64>,
    #[serde(default)]
    unit_rows: bool,
}

impl TryFrom<StoredScaling> for Scaling {
    type Error = String;

    fn try_from(stored: StoredScaling) -> std::result::Result<Self, String> {
        let StoredScaling { offset, factor, unit_rows } = stored;
        if offset.len() != factor.len() {
            return Err(format!(
                "the scaling has {} offsets, but {} factors",
                offset.len(),
                factor.len()
            ));
        }
        if let Some(offset) = offset.iter().find(|offset| !offset.is_finite()) {
            return Err(format!("the offset of a column is {offset}"));
        }
        if let Some(factor) = factor.iter().find(|f| !(f.is_finite() && **f > 0.0)) {
            return Err(format!("a column is divided by {factor}"));
        }
        Ok(Self { offset, factor, unit_rows })
    }
}

impl Scaling {
    /// The scaling that changes nothing.
    pub fn identity(dims: usize) -> Self {
        Self { offset: vec![0.0; dims], factor: vec![1.0; dims], unit_rows: false }
    }

    /// Whether it changes nothing.
    pub fn is_identity(&self) -> bool {
        !self.unit_rows
            && self.offset.iter().all(|&offset| offset == 0.0)
            && self.factor.iter().all(|&factor| factor == 1.0)
    }

    /// Number of columns.
    pub fn dims(&self) -> usize {
        self.factor.len()
    }

    /// Scales points of the same columns. A value that would leave the range of doubles is refused
    /// as not finite.
    pub fn apply(&self, points: &Points) -> Result<Points> {
        self.check(points.dims())?;
        let mut data = points.view().to_owned();
        for ((_, column), value) in data.indexed_iter_mut() {
            *value = (*value - self.offset[column]) / self.factor[column];
        }
        if self.unit_rows {
            data.rows_mut().into_iter().for_each(|mut row| {
                row.as_slice_mut().map(to_unit_length);
            });
        }
        Ok(Points::new(data)?)
    }

    /// Takes scaled rows, such as the modes of a clustering, back to the units of the data. The length of a row is not
    /// known any more where rows were brought to one.
    pub fn undo(&self, scaled: &Array2<f64>) -> Result<Array2<f64>> {
        self.check(scaled.ncols())?;
        let mut data = scaled.clone();
        for ((_, column), value) in data.indexed_iter_mut() {
            *value = *value * self.factor[column] + self.offset[column];
        }
        Ok(data)
    }

    fn check(&self, dims: usize) -> Result<()> {
        if dims == self.dims() {
            return Ok(());
        }
        Err(ilk::Error::WrongDimensions { found: dims, expected: self.dims() }.into())
    }
}

fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

/// Mean and standard deviation, computed on the values over their largest magnitude, so that
/// squares neither overflow nor vanish.
fn mean_and_deviation<I: Iterator<Item = f64>>(values: impl Fn() -> I) -> (f64, f64) {
    let (low, high) = ends(values());
    if low == high {
        return (low, 0.0);
    }
    let unit = low.abs().max(high.abs());
    let count = values().count() as f64;
    let mean = values().map(|value| value / unit).sum::<f64>() / count;
    let variance = values().map(|value| (value / unit - mean).powi(2)).sum::<f64>() / count;
    (mean * unit, variance.sqrt() * unit)
}
