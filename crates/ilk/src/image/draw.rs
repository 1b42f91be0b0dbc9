//! Images of segments.

use rayon::prelude::*;

use super::{Image, LabelMap, palette};
use crate::Result;

/// The colour of boundaries: yellow, which is rare in photographs.
const BOUNDARY: [f32; 3] = [1.0, 1.0, 0.0];

/// A boundary is one pixel wide, and one more for every so many pixels of the longer side, so that it is
/// visible where the image is scaled down.
const PIXELS_PER_WIDTH: usize = 1500;

impl LabelMap {
    /// The mean colours of segments 1, 2, ..., one value a channel.
    pub fn mean_colours(&self, image: &Image) -> Result<Vec<Vec<f64>>> {
        self.check_size(image.width(), image.height())?;
        let sizes = self.sizes();
        let mut sums = vec![vec![0.0; image.channels()]; sizes.len()];
        for (at, &label) in self.values().iter().enumerate() {
            if label > 0 {
                let sum = &mut sums[label as usize - 1];
                for (sum, &value) in sum.iter_mut().zip(image.pixel(at)) {
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

    /// The image in which every pixel has the mean colour of its segment; pixels without a segment keep theirs.
    pub fn means(&self, image: &Image) -> Result<Image> {
        let means = self.mean_colours(image)?;
        let (width, height, channels) = (image.width(), image.height(), image.channels());
        let mut values = image.values().to_vec();
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
        Ok(Image::trusted(width, height, channels, values))
    }

    /// The image with the boundaries between segments drawn over it, in yellow.
    pub fn boundaries(&self, image: &Image) -> Result<Image> {
        let (width, height) = (image.width(), image.height());
        self.check_size(width, height)?;
        let thickness = 1 + width.max(height) / PIXELS_PER_WIDTH;
        let mut values: Vec<f32> = match image.channels() {
            1 => image.values().iter().flat_map(|&v| [v; 3]).collect(),
            _ => image.values().to_vec(),
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
        Ok(Image::trusted(width, height, 3, values))
    }

    /// Every segment in a colour of its own ([`palette`]); pixels without a segment are black.
    pub fn palette_view(&self) -> Image {
        let colors: Vec<[f32; 3]> = (0..self.largest() as usize)
            .map(|segment| palette::color_of(segment).map(|v| f32::from(v) / 255.0))
            .collect();
        let values = self.values().iter().flat_map(|&label| match label {
            0 => [0.0; 3],
            segment => colors[segment as usize - 1],
        });
        Image::trusted(self.width(), self.height(), 3, values.collect())
    }
}
