//! Segments as pictures.

use rayon::prelude::*;

use super::{LabelMap, Picture, palette};
use crate::Result;

/// The colour in which boundaries are drawn: yellow, which few photos are full of.
const BOUNDARY: [f32; 3] = [1.0, 1.0, 0.0];

/// A boundary is one pixel wide, and one more for every so many pixels of the longer side: it should be
/// seen on a screen that does not show them all.
const PIXELS_A_LINE: usize = 1500;

impl LabelMap {
    /// The mean colour of segments 1, 2, ...: as many values as the picture has channels for each.
    ///
    /// # Errors
    /// [`Error::WrongSize`](crate::Error::WrongSize).
    pub fn mean_colours(&self, picture: &Picture) -> Result<Vec<Vec<f64>>> {
        self.check_size(picture.width(), picture.height())?;
        let sizes = self.sizes();
        let mut sums = vec![vec![0.0; picture.channels()]; sizes.len()];
        for (at, &label) in self.values().iter().enumerate() {
            if label > 0 {
                let sum = &mut sums[label as usize - 1];
                for (sum, &value) in sum.iter_mut().zip(picture.pixel(at)) {
                    *sum += f64::from(value);
                }
            }
        }
        for (sum, &size) in sums.iter_mut().zip(&sizes) {
            for value in sum.iter_mut() {
                *value /= size.max(1) as f64;
            }
        }
        Ok(sums)
    }

    /// The picture in which every pixel has the mean colour of its segment; pixels of none keep theirs.
    ///
    /// # Errors
    /// [`Error::WrongSize`](crate::Error::WrongSize).
    pub fn means(&self, picture: &Picture) -> Result<Picture> {
        let means = self.mean_colours(picture)?;
        let (width, height, channels) = (picture.width(), picture.height(), picture.channels());
        let mut values = picture.values().to_vec();
        values
            .par_chunks_mut(channels)
            .zip(self.values())
            .filter(|(_, label)| **label > 0)
            .for_each(|(pixel, &label)| {
                let mean = &means[label as usize - 1];
                for (value, &mean) in pixel.iter_mut().zip(mean) {
                    *value = mean as f32;
                }
            });
        Ok(Picture::trusted(width, height, channels, values))
    }

    /// The picture with the boundaries between segments drawn over it, in yellow.
    ///
    /// # Errors
    /// [`Error::WrongSize`](crate::Error::WrongSize).
    pub fn boundaries(&self, picture: &Picture) -> Result<Picture> {
        let (width, height) = (picture.width(), picture.height());
        self.check_size(width, height)?;
        let thickness = 1 + width.max(height) / PIXELS_A_LINE;
        let mut values: Vec<f32> = match picture.channels() {
            1 => picture.values().iter().flat_map(|&v| [v; 3]).collect(),
            _ => picture.values().to_vec(),
        };
        let labels = self.values();
        let is_boundary = |column: usize, row: usize| {
            let at = row * width + column;
            let right = column + 1 < width && labels[at] != labels[at + 1];
            let below = row + 1 < height && labels[at] != labels[at + width];
            right || below
        };
        // A thick line grows to the right and downwards from the thin one.
        let draw = |(row, pixels): (usize, &mut [f32])| {
            for row in row.saturating_sub(thickness - 1)..=row {
                for column in (0..width).filter(|&column| is_boundary(column, row)) {
                    let end = (column + thickness).min(width);
                    for pixel in pixels[3 * column..3 * end].chunks_exact_mut(3) {
                        pixel.copy_from_slice(&BOUNDARY);
                    }
                }
            }
        };
        values.par_chunks_mut(3 * width).enumerate().for_each(draw);
        Ok(Picture::trusted(width, height, 3, values))
    }

    /// Every segment in a colour of its own ([`palette`]); pixels of none are black.
    pub fn palette_view(&self) -> Picture {
        let colors: Vec<[f32; 3]> = (0..self.largest() as usize)
            .map(|segment| palette::color_of(segment).map(|v| f32::from(v) / 255.0))
            .collect();
        let values = self.values().iter().flat_map(|&label| match label {
            0 => [0.0; 3],
            segment => colors[segment as usize - 1],
        });
        Picture::trusted(self.width(), self.height(), 3, values.collect())
    }
}
