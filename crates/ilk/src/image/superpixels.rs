//! Superpixels: pixels pooled, so that a method has fewer points to group.
//!
//! The image is divided into blocks of b x b pixels, each the start of a superpixel. Then, a few times, every
//! pixel is assigned to the nearest superpixel (in colour and position) out of those of its own block and
//! the eight around it, and every superpixel becomes the mean of its pixels. That is k-means over a window,
//! as in SLIC (Achanta and others, *SLIC superpixels compared to state-of-the-art superpixel methods*,
//! 2012). A pixel takes one byte: which of the nine it is assigned to.

use std::borrow::Cow;

use rayon::prelude::*;

use super::{Colour, Image};
use crate::observe::{Event, Observer, report};
use crate::{Result, numerics::distances::dist_sq};

const ITERATIONS: usize = 3;

/// All pixels as points: `dims` values of colour each, and a position.
pub(super) struct Pixels<'a> {
    width: usize,
    height: usize,
    /// The colours, `dims` values a pixel.
    colours: Cow<'a, [f32]>,
    dims: usize,
    /// The distances between neighbouring pixels along a row and along a column.
    steps: (f64, f64),
}

impl<'a> Pixels<'a> {
    /// The pixels of an image, each coordinate of the position from 0 to `coordinate_scale`.
    pub(super) fn new(image: &'a Image, colour: Colour, coordinate_scale: f64) -> Self {
        let step = |length: usize| coordinate_scale / length.saturating_sub(1).max(1) as f64;
        Self {
            width: image.width(),
            height: image.height(),
            colours: colour.of_image(image),
            dims: colour.dims(image.channels()),
            steps: (step(image.width()), step(image.height())),
        }
    }

    /// Coordinates of a point: colour, column, row.
    pub(super) fn coordinates(&self) -> usize {
        self.dims + 2
    }

    /// Writes the point of one pixel.
    fn point(&self, column: usize, row: usize, out: &mut [f64]) {
        let at = (row * self.width + column) * self.dims;
        for (out, &value) in out.iter_mut().zip(&self.colours[at..at + self.dims]) {
            *out = f64::from(value);
        }
        let (x, y) = self.steps;
        out[self.dims] = column as f64 * x;
        out[self.dims + 1] = row as f64 * y;
    }

    /// The points of all pixels, one after the other.
    pub(super) fn points(&self) -> Vec<f64> {
        let d = self.coordinates();
        let mut points = vec![0.0; self.width * self.height * d];
        points.par_chunks_mut(self.width * d).enumerate().for_each(|(row, points)| {
            for (column, out) in points.chunks_exact_mut(d).enumerate() {
                self.point(column, row, out);
            }
        });
        points
    }
}

pub(super) struct Superpixels {
    /// The side of a block.
    pub(super) side: usize,
    columns: usize,
    rows: usize,
    width: usize,
    /// For every pixel which of the nine blocks around it, row by row from the upper left; 4 is its own.
    choices: Vec<u8>,
    means: Vec<f64>,
    sizes: Vec<u32>,
}

/// The pixel's own block among the nine.
const OWN: u8 = 4;

/// The smallest side of blocks of which an image has at most `most`.
fn side_for(width: usize, height: usize, most: usize) -> usize {
    let fits = |side: usize| width.div_ceil(side) * height.div_ceil(side) <= most;
    let mut side = ((width * height) as f64 / most as f64).sqrt().floor() as usize;
    side = side.max(1);
    while !fits(side) {
        side += 1;
    }
    side
}

impl Superpixels {
    /// Pools the pixels into at most `most` superpixels.
    pub(super) fn new(pixels: &Pixels<'_>, most: usize, observer: &dyn Observer) -> Result<Self> {
        let side = side_for(pixels.width, pixels.height, most.max(1));
        let (columns, rows) = (pixels.width.div_ceil(side), pixels.height.div_ceil(side));
        let mut superpixels = Self {
            side,
            columns,
            rows,
            width: pixels.width,
            choices: vec![OWN; pixels.width * pixels.height],
            means: Vec::new(),
            sizes: Vec::new(),
        };
        superpixels.update_means(pixels);
        for iteration in 1..=ITERATIONS {
            superpixels.assign(pixels);
            superpixels.update_means(pixels);
            let event = Event::new("pooling pixels", iteration, iteration, ITERATIONS);
            report(observer, &event)?;
        }
        Ok(superpixels)
    }

    /// Assigns every pixel to the nearest of the nine superpixels around it; of equally near ones, to that of its own
    /// block.
    fn assign(&mut self, pixels: &Pixels<'_>) {
        let d = pixels.coordinates();
        let (side, columns, rows) = (self.side, self.columns, self.rows);
        let (means, width) = (&self.means, self.width);
        let assign_row = |(row, choices): (usize, &mut [u8])| {
            let mut point = vec![0.0; d];
            let block_row = row / side;
            for (column, choice) in choices.iter_mut().enumerate() {
                pixels.point(column, row, &mut point);
                let block_column = column / side;
                let mut best = (f64::INFINITY, OWN);
                for which in [OWN, 0, 1, 2, 3, 5, 6, 7, 8] {
                    let x = block_column + usize::from(which % 3);
                    let y = block_row + usize::from(which / 3);
                    if (1..=columns).contains(&x) && (1..=rows).contains(&y) {
                        let superpixel = (y - 1) * columns + x - 1;
                        let dist_sq = dist_sq(&point, &means[superpixel * d..(superpixel + 1) * d]);
                        if dist_sq < best.0 {
                            best = (dist_sq, which);
                        }
                    }
                }
                *choice = best.1;
            }
        };
        self.choices.par_chunks_mut(width).enumerate().for_each(assign_row);
    }

    /// Sets every superpixel to the mean of its pixels; one without pixels keeps its mean.
    fn update_means(&mut self, pixels: &Pixels<'_>) {
        let d = pixels.coordinates();
        let n = self.columns * self.rows;
        let mut sums = vec![0.0; n * d];
        let mut sizes = vec![0_u32; n];
        let mut point = vec![0.0; d];
        for row in 0..pixels.height {
            for column in 0..pixels.width {
                let superpixel = self.superpixel(row * self.width + column);
                pixels.point(column, row, &mut point);
                for (sum, value) in
                    sums[superpixel * d..(superpixel + 1) * d].iter_mut().zip(&point)
                {
                    *sum += value;
                }
                sizes[superpixel] += 1;
            }
        }
        for (superpixel, &size) in sizes.iter().enumerate() {
            let mean = &mut sums[superpixel * d..(superpixel + 1) * d];
            if size > 0 {
                for value in mean {
                    *value /= f64::from(size);
                }
            } else {
                mean.copy_from_slice(&self.means[superpixel * d..(superpixel + 1) * d]);
            }
        }
        self.means = sums;
        self.sizes = sizes;
    }

    fn superpixel(&self, pixel: usize) -> usize {
        let (row, column) = (pixel / self.width, pixel % self.width);
        let which = usize::from(self.choices[pixel]);
        let x = column / self.side + which % 3 - 1;
        let y = row / self.side + which / 3 - 1;
        y * self.columns + x
    }

    /// The superpixels that have pixels: their mean points and numbers of pixels, and the superpixel of every
    /// pixel.
    pub(super) fn finish(self) -> (Vec<f64>, Vec<f64>, Vec<u32>) {
        let d = self.means.len() / self.sizes.len();
        let (mut points, mut weights) = (Vec::new(), Vec::new());
        let mut numbers = vec![0; self.sizes.len()];
        for (superpixel, &size) in self.sizes.iter().enumerate() {
            if size > 0 {
                numbers[superpixel] = weights.len() as u32;
                points.extend_from_slice(&self.means[superpixel * d..(superpixel + 1) * d]);
                weights.push(f64::from(size));
            }
        }
        let pixels = (0..self.choices.len()).into_par_iter();
        let superpixel_of = pixels.map(|pixel| numbers[self.superpixel(pixel)]).collect();
        (points, weights, superpixel_of)
    }
}
