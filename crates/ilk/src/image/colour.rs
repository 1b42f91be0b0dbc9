//! The colour coordinates of pixels.

use std::borrow::Cow;

use rayon::prelude::*;

use super::Image;

crate::choice! {
    /// The colours in which pixels are compared. A grey image has one channel in all of them.
    #[derive(Default)]
    pub enum Colour {
        /// Red, green and blue as they are, each from 0 to 1.
        #[default]
        Rgb = "rgb",
        /// CIE L*a*b* of sRGB under D65, divided by 100: distances are closer to what eyes see.
        Lab = "lab",
        /// Luma, 0.2126 R + 0.7152 G + 0.0722 B.
        Grey = "grey",
    }
}

impl Colour {
    /// Values of a pixel, for an image with so many channels.
    pub(super) fn dims(self, channels: usize) -> usize {
        match self {
            Self::Grey => 1,
            Self::Rgb | Self::Lab => channels,
        }
    }

    /// Writes the colour coordinates of a pixel.
    fn of_pixel(self, pixel: &[f32], out: &mut [f32]) {
        match (self, pixel) {
            (Self::Grey, &[r, g, b]) => out[0] = 0.2126 * r + 0.7152 * g + 0.0722 * b,
            (Self::Lab, &[r, g, b]) => {
                let lab = Self::lab([r, g, b].map(f64::from));
                for (out, value) in out.iter_mut().zip(lab) {
                    *out = (value / 100.0) as f32;
                }
            }
            (Self::Lab, &[grey]) => {
                let [lightness, _, _] = Self::lab([f64::from(grey); 3]);
                out[0] = (lightness / 100.0) as f32;
            }
            _ => out.copy_from_slice(pixel),
        }
    }

    /// The colour coordinates of all pixels, [`dims`](Self::dims) values each.
    pub(super) fn of_image(self, image: &Image) -> Cow<'_, [f32]> {
        let (channels, dims) = (image.channels(), self.dims(image.channels()));
        if self == Self::Rgb || self == Self::Grey && channels == 1 {
            return Cow::Borrowed(image.values());
        }
        let mut values = vec![0.0; image.len() * dims];
        let row = image.width();
        values.par_chunks_mut(row * dims).zip(image.values().par_chunks(row * channels)).for_each(
            |(out, pixels)| {
                let pixels = pixels.chunks_exact(channels);
                for (out, pixel) in out.chunks_exact_mut(dims).zip(pixels) {
                    self.of_pixel(pixel, out);
                }
            },
        );
        Cow::Owned(values)
    }

    /// L*, a*, b* of an sRGB colour under D65 (the 2° observer): L* from 0 to 100.
    ///
    /// ```
    /// let [l, a, b] = ilk::image::Colour::lab([1.0, 1.0, 1.0]);
    /// assert!((l - 100.0).abs() < 1e-9 && a.abs() < 0.01 && b.abs() < 0.02);
    /// ```
    pub fn lab([r, g, b]: [f64; 3]) -> [f64; 3] {
        // IEC 61966-2-1: the transfer function of sRGB, and its primaries as XYZ.
        let linear = |v: f64| {
            if v > 0.04045 { ((v + 0.055) / 1.055).powf(2.4) } else { v / 12.92 }
        };
        let (r, g, b) = (linear(r), linear(g), linear(b));
        let x = 0.412_453 * r + 0.357_580 * g + 0.180_423 * b;
        let y = 0.212_671 * r + 0.715_160 * g + 0.072_169 * b;
        let z = 0.019_334 * r + 0.119_193 * g + 0.950_227 * b;
        // CIE 1976, linear near black.
        let f = |t: f64| {
            if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 }
        };
        let (x, y, z) = (f(x / 0.950_47), f(y), f(z / 1.088_83));
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }
}
