//! An image as rows of pixels.

use crate::{Error, Result, error::check_length};

/// Refuses an image without pixels.
pub(super) fn check_not_empty(width: usize, height: usize) -> Result<()> {
    let (rows, columns) = (height, width);
    if rows == 0 || columns == 0 {
        return Err(Error::Empty { rows, columns });
    }
    Ok(())
}

/// An image: `width` x `height` pixels, row by row from the upper left, each one value (grey) or
/// three (red, green, blue as sRGB has them) from 0 to 1.
///
/// Single precision holds 16 bits of a channel exactly, in half the memory of a double.
///
/// ```
/// use ilk::image::Image;
///
/// let image = Image::new(2, 1, 3, vec![1.0, 0.0, 0.0, 0.0, 0.0, 1.0])?;
/// assert_eq!(image.pixel(1), [0.0, 0.0, 1.0]);
///
/// let refused = Image::new(2, 1, 1, vec![0.5, 255.0]).unwrap_err();
/// assert_eq!(
///     refused.to_string(),
///     "the value of a pixel = 255 (column 1, row 0) is out of range: a number from 0 to 1"
/// );
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Image {
    width: usize,
    height: usize,
    channels: usize,
    values: Vec<f32>,
}

impl Image {
    /// Checks and takes the values of all pixels, row by row.
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::WrongLength`]; [`Error::BadParameter`] where there are neither one
    /// nor three channels, or a value is not from 0 to 1.
    pub fn new(width: usize, height: usize, channels: usize, values: Vec<f32>) -> Result<Self> {
        check_not_empty(width, height)?;
        if channels != 1 && channels != 3 {
            let expected = "1 (grey) or 3 (red, green, blue)";
            return Err(Error::bad_parameter("the number of channels", channels, expected));
        }
        let expected = width.saturating_mul(height).saturating_mul(channels);
        check_length("the list of values of the pixels", values.len(), expected)?;
        if let Some(at) = values.iter().position(|v| !(0.0..=1.0).contains(v)) {
            let pixel = at / channels;
            let (column, row) = (pixel % width, pixel / width);
            let value = format!("{} (column {column}, row {row})", values[at]);
            let expected = "a number from 0 to 1";
            return Err(Error::bad_parameter("the value of a pixel", value, expected));
        }
        Ok(Self::trusted(width, height, channels, values))
    }

    /// As [`new`](Self::new), for values that are known to be valid.
    pub(super) fn trusted(width: usize, height: usize, channels: usize, values: Vec<f32>) -> Self {
        debug_assert_eq!(values.len(), width * height * channels);
        Self { width, height, channels, values }
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
    pub fn len(&self) -> usize {
        self.width * self.height
    }

    /// All values, row by row, pixel by pixel.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// All values, as an owned list.
    pub fn into_values(self) -> Vec<f32> {
        self.values
    }

    /// The values of one pixel, by its index in row-major order.
    pub fn pixel(&self, at: usize) -> &[f32] {
        &self.values[at * self.channels..(at + 1) * self.channels]
    }
}
