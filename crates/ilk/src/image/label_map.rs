//! A label for every pixel.

use super::pixels::check_not_empty;
use crate::{Error, Result, error::check_length};

/// A number for every pixel, row by row: 0 for none, 1 to k for segments or scribbles.
///
/// Scribbles and segments have the same form, so that segments can be corrected by hand and used as
/// scribbles.
///
/// ```
/// use ilk::image::LabelMap;
///
/// let scribbles = LabelMap::new(3, 1, vec![1, 0, 2])?;
/// assert_eq!(scribbles.largest(), 2);
/// assert_eq!(scribbles.sizes(), [1, 1]);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelMap {
    width: usize,
    height: usize,
    values: Vec<u32>,
}

impl LabelMap {
    /// Takes the numbers of all pixels, row by row.
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::WrongLength`]; [`Error::BadParameter`] for a number that is larger than
    /// both the number of pixels and 65,535.
    pub fn new(width: usize, height: usize, values: Vec<u32>) -> Result<Self> {
        check_not_empty(width, height)?;
        let expected = width.saturating_mul(height);
        check_length("the list of numbers of the pixels", values.len(), expected)?;
        // Sizes are counted in a list as long as the largest number.
        let most = values.len().max(usize::from(u16::MAX));
        if let Some(&value) = values.iter().find(|&&value| value as usize > most) {
            let expected = format!("a whole number from 0 to {most}");
            return Err(Error::bad_parameter("the number of a pixel", value, expected));
        }
        Ok(Self::trusted(width, height, values))
    }

    /// As [`new`](Self::new), for numbers that are known to be valid.
    pub(super) fn trusted(width: usize, height: usize, values: Vec<u32>) -> Self {
        debug_assert_eq!(values.len(), width * height);
        Self { width, height, values }
    }

    /// Pixels in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows of pixels.
    pub fn height(&self) -> usize {
        self.height
    }

    /// All numbers, row by row.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// The largest number.
    pub fn largest(&self) -> u32 {
        self.values.iter().copied().max().unwrap_or(0)
    }

    /// How many pixels have the numbers 1, 2, ...
    pub fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.largest() as usize];
        for &value in self.values.iter().filter(|value| **value > 0) {
            sizes[value as usize - 1] += 1;
        }
        sizes
    }

    /// Refuses a map of another size than an image.
    pub(super) fn check_size(&self, width: usize, height: usize) -> Result<()> {
        if (self.width, self.height) == (width, height) {
            return Ok(());
        }
        Err(Error::WrongSize { found: (self.width, self.height), expected: (width, height) })
    }
}
