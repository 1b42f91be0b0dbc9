//! A number for every pixel.

use crate::{Error, Result};

/// A number for every pixel, row by row: 0 for nothing, 1 to k for segments or strokes.
///
/// Scribbles and segments have the same form, so that what came out can be corrected by hand and given
/// as what is said.
///
/// ```
/// use ilk::image::LabelMap;
///
/// let strokes = LabelMap::new(3, 1, vec![1, 0, 2])?;
/// assert_eq!(strokes.largest(), 2);
/// assert_eq!(strokes.sizes(), [1, 1]);
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
        if width == 0 || height == 0 {
            return Err(Error::Empty {
                rows: height,
                columns: width,
            });
        }
        let expected = width.saturating_mul(height);
        if values.len() != expected {
            return Err(Error::WrongLength {
                what: "the list of numbers of the pixels",
                found: values.len(),
                expected,
            });
        }
        // What has a number is counted in a list of that length.
        let most = values.len().max(usize::from(u16::MAX));
        if let Some(&value) = values.iter().find(|&&value| value as usize > most) {
            return Err(Error::BadParameter {
                parameter: "the number of a pixel",
                value: value.to_string(),
                expected: format!("a whole number from 0 to {most}"),
            });
        }
        Ok(Self::trusted(width, height, values))
    }

    /// Numbers of which the caller knows that they are as they should be.
    pub(super) fn trusted(width: usize, height: usize, values: Vec<u32>) -> Self {
        debug_assert_eq!(values.len(), width * height);
        Self {
            width,
            height,
            values,
        }
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

    /// The largest number; 0 where all is nothing.
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

    /// Refuses what is not as large as a picture.
    pub(super) fn check_size(&self, width: usize, height: usize) -> Result<()> {
        if (self.width, self.height) == (width, height) {
            return Ok(());
        }
        Err(Error::WrongSize {
            found: (self.width, self.height),
            expected: (width, height),
        })
    }
}
