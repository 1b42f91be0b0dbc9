//! Pixels pooled, so that a method has fewer points to group.
//!
//! The picture is cut into blocks of b x b pixels, and each block starts a pool with the mean of its
//! pixels' coordinates. Then, a few times, every pixel goes to the pool that is nearest to it (in colour
//! and place, as the method will see them), out of those of its own block and the eight around it, and
//! every pool to the mean of its pixels. That is the step of k-means over a window, as in SLIC (Achanta
//! and others, *SLIC superpixels compared to state-of-the-art superpixel methods*, 2012). So pools follow
//! edges, and a pixel costs one byte: which of the nine it took.

use std::borrow::Cow;
use std::ops::ControlFlow;

use rayon::prelude::*;

use super::{Colour, Picture};
use crate::numerics::distances::dist_sq;
use crate::observe::{Event, Observer};
use crate::{Error, Result};

/// Times that pixels choose a pool.
const ROUNDS: usize = 3;

/// All pixels as points: `dims` values of colour each, and a place.
pub(super) struct Pixels<'a> {
    width: usize,
    height: usize,
    /// The colours, `dims` values a pixel.
    colours: Cow<'a, [f32]>,
    dims: usize,
    /// How far apart pixels are along a row and along a column.
    steps: (f64, f64),
}

impl<'a> Pixels<'a> {
    /// Those of a picture, each coordinate of the place from 0 to `coordinate_scale`.
    pub(super) fn new(picture: &'a Picture, colour: Colour, coordinate_scale: f64) -> Self {
        let step = |length: usize| coordinate_scale / length.saturating_sub(1).max(1) as f64;
        Self {
            width: picture.width(),
            height: picture.height(),
            colours: colour.of_picture(picture),
            dims: colour.dims(picture.channels()),
            steps: (step(picture.width()), step(picture.height())),
        }
    }

    /// Coordinates of a point: colour, column, row.
    pub(super) fn coordinates(&self) -> usize {
        self.dims + 2
    }

    /// Puts the point of one pixel in `out`.
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
        points
            .par_chunks_mut(self.width * d)
            .enumerate()
            .for_each(|(row, points)| {
                for (column, out) in points.chunks_exact_mut(d).enumerate() {
                    self.point(column, row, out);
                }
            });
        points
    }
}

/// The pools of a picture's pixels.
pub(super) struct Pools {
    /// The side of a block.
    pub(super) side: usize,
    columns: usize,
    rows: usize,
    width: usize,
    /// For every pixel which of the nine blocks around it, row by row from the upper left; 4 is its own.
    choices: Vec<u8>,
    /// The mean point of every pool.
    means: Vec<f64>,
    /// The pixels of every pool.
    sizes: Vec<u32>,
}

/// The pixel's own block among the nine.
const OWN: u8 = 4;

/// The smallest side of blocks of which a picture has at most `most`.
fn side_for(width: usize, height: usize, most: usize) -> usize {
    let fits = |side: usize| width.div_ceil(side) * height.div_ceil(side) <= most;
    let mut side = ((width * height) as f64 / most as f64).sqrt().floor() as usize;
    side = side.max(1);
    while !fits(side) {
        side += 1;
    }
    side
}

impl Pools {
    /// Pools the pixels into at most `most` pools.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(super) fn new(pixels: &Pixels<'_>, most: usize, observer: &dyn Observer) -> Result<Self> {
        let side = side_for(pixels.width, pixels.height, most.max(1));
        let (columns, rows) = (pixels.width.div_ceil(side), pixels.height.div_ceil(side));
        let mut pools = Self {
            side,
            columns,
            rows,
            width: pixels.width,
            choices: vec![OWN; pixels.width * pixels.height],
            means: Vec::new(),
            sizes: Vec::new(),
        };
        pools.average(pixels);
        for round in 1..=ROUNDS {
            pools.choose(pixels);
            pools.average(pixels);
            let event = Event::new("pooling pixels", round, round, ROUNDS);
            if observer.event(&event) == ControlFlow::Break(()) {
                return Err(Error::Cancelled { iterations: round });
            }
        }
        Ok(pools)
    }

    /// Every pixel takes the nearest of the nine pools around it; its own block's where two are as near.
    fn choose(&mut self, pixels: &Pixels<'_>) {
        let d = pixels.coordinates();
        let (side, columns, rows) = (self.side, self.columns, self.rows);
        let (means, width) = (&self.means, self.width);
        let choose = |(row, choices): (usize, &mut [u8])| {
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
                        let pool = (y - 1) * columns + x - 1;
                        let dist_sq = dist_sq(&point, &means[pool * d..(pool + 1) * d]);
                        if dist_sq < best.0 {
                            best = (dist_sq, which);
                        }
                    }
                }
                *choice = best.1;
            }
        };
        self.choices
            .par_chunks_mut(width)
            .enumerate()
            .for_each(choose);
    }

    /// Every pool goes to the mean of its pixels; one without any stays where it was.
    fn average(&mut self, pixels: &Pixels<'_>) {
        let d = pixels.coordinates();
        let n = self.columns * self.rows;
        let mut sums = vec![0.0; n * d];
        let mut sizes = vec![0_u32; n];
        let mut point = vec![0.0; d];
        for row in 0..pixels.height {
            for column in 0..pixels.width {
                let pool = self.pool(row * self.width + column);
                pixels.point(column, row, &mut point);
                for (sum, value) in sums[pool * d..(pool + 1) * d].iter_mut().zip(&point) {
                    *sum += value;
                }
                sizes[pool] += 1;
            }
        }
        for (pool, &size) in sizes.iter().enumerate() {
            let mean = &mut sums[pool * d..(pool + 1) * d];
            if size > 0 {
                for value in mean {
                    *value /= f64::from(size);
                }
            } else {
                mean.copy_from_slice(&self.means[pool * d..(pool + 1) * d]);
            }
        }
        self.means = sums;
        self.sizes = sizes;
    }

    /// The pool that a pixel took.
    fn pool(&self, pixel: usize) -> usize {
        let (row, column) = (pixel / self.width, pixel % self.width);
        let which = usize::from(self.choices[pixel]);
        let x = column / self.side + which % 3 - 1;
        let y = row / self.side + which / 3 - 1;
        y * self.columns + x
    }

    /// The pools that have pixels: the mean point and the number of pixels of each, and for every pixel
    /// which of them it took.
    pub(super) fn finish(self) -> (Vec<f64>, Vec<f64>, Vec<u32>) {
        let d = self.means.len() / self.sizes.len();
        let (mut points, mut weights) = (Vec::new(), Vec::new());
        let mut numbers = vec![0; self.sizes.len()];
        for (pool, &size) in self.sizes.iter().enumerate() {
            if size > 0 {
                numbers[pool] = weights.len() as u32;
                points.extend_from_slice(&self.means[pool * d..(pool + 1) * d]);
                weights.push(f64::from(size));
            }
        }
        let pixels = (0..self.choices.len()).into_par_iter();
        let taken = pixels.map(|pixel| numbers[self.pool(pixel)]).collect();
        (points, weights, taken)
    }
}
