//! Pixels in rows.

use crate::{Error, Result};

/// A picture: `width` x `height` pixels, row by row from the upper left, each one value (grey) or
/// three (red, green, blue as sRGB has them) from 0 to 1.
///
/// Single precision holds 16 bits of a channel exactly, in half the memory of a double.
///
/// ```
/// use ilk::image::Picture;
///
/// let picture = Picture::new(2, 1, 3, vec![1.0, 0.0, 0.0, 0.0, 0.0, 1.0])?;
/// assert_eq!(picture.pixel(1), [0.0, 0.0, 1.0]);
///
/// let refused = Picture::new(2, 1, 1, vec![0.5, 255.0]).unwrap_err();
/// assert_eq!(
///     refused.to_string(),
///     "the value of a pixel = 255 (column 1, row 0) is out of range: a number from 0 to 1"
/// );
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    width: usize,
    height: usize,
    channels: usize,
    values: Vec<f32>,
}

impl Picture {
    /// Checks and takes the values of all pixels, row by row.
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::WrongLength`]; [`Error::BadParameter`] where there are neither one
    /// nor three channels, or a value is not from 0 to 1.
    pub fn new(width: usize, height: usize, channels: usize, values: Vec<f32>) -> Result<Self> {
        if width == 0 || height == 0 {
            return Err(Error::Empty {
                rows: height,
                columns: width,
            });
        }
        if channels != 1 && channels != 3 {
            return Err(Error::BadParameter {
                parameter: "the number of channels",
                value: channels.to_string(),
                expected: "1 (grey) or 3 (red, green, blue)".to_owned(),
            });
        }
        let expected = width.saturating_mul(height).saturating_mul(channels);
        if values.len() != expected {
            return Err(Error::WrongLength {
                what: "the list of values of the pixels",
                found: values.len(),
                expected,
            });
        }
        if let Some(at) = values.iter().position(|v| !(0.0..=1.0).contains(v)) {
            let pixel = at / channels;
            let (column, row) = (pixel % width, pixel / width);
            return Err(Error::BadParameter {
                parameter: "the value of a pixel",
                value: format!("{} (column {column}, row {row})", values[at]),
                expected: "a number from 0 to 1".to_owned(),
            });
        }
        Ok(Self {
            width,
            height,
            channels,
            values,
        })
    }

    /// A picture of which the caller knows that it is one.
    pub(super) fn trusted(width: usize, height: usize, channels: usize, values: Vec<f32>) -> Self {
        debug_assert_eq!(values.len(), width * height * channels);
        Self {
            width,
            height,
            channels,
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

    /// Values of a pixel: 1 or 3.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// Number of pixels.
    #[allow(clippy::len_without_is_empty, reason = "pictures are never empty")]
    pub fn len(&self) -> usize {
        self.width * self.height
    }

    /// All values, row by row, pixel by pixel.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The same, for keeps.
    pub fn into_values(self) -> Vec<f32> {
        self.values
    }

    /// The values of one pixel, by its place in the rows.
    pub fn pixel(&self, at: usize) -> &[f32] {
        &self.values[at * self.channels..(at + 1) * self.channels]
    }
}
