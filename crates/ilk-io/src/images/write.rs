//! Writing images.

use std::io::{self, Write};
use std::path::Path;

use ilk::image::{Image, LabelMap};
use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};

use super::problem;
use crate::{ImageProblem, Result, write_file};

/// Writes an image as PNG with 8 bits a channel.
///
/// # Errors
/// Those of writing.
pub fn write_image(path: impl AsRef<Path>, image: &Image) -> Result<()> {
    write_file(path, |out| encode_png(out, image))
}

/// An image as the bytes of a PNG file with 8 bits a channel.
///
/// # Errors
/// Those of `out`.
pub fn encode_png(out: &mut dyn Write, image: &Image) -> io::Result<()> {
    let bytes: Vec<u8> = image.values().iter().map(|value| (255.0 * value).round() as u8).collect();
    let color = match image.channels() {
        1 => ExtendedColorType::L8,
        _ => ExtendedColorType::Rgb8,
    };
    encode(out, &bytes, image.width(), image.height(), color)
}

/// Writes the number of every pixel as a grey PNG: 8 bits where 255 is enough, else 16.
///
/// # Errors
/// Those of writing; [`Error::Image`](crate::Error::Image) for numbers above 65,535.
pub fn write_label_image(path: impl AsRef<Path>, labels: &LabelMap) -> Result<()> {
    let path = path.as_ref();
    let (width, height) = (labels.width(), labels.height());
    let values = labels.values().iter();
    let largest = labels.largest();
    if u8::try_from(largest).is_ok() {
        let bytes: Vec<u8> = values.map(|&value| value as u8).collect();
        return write_file(path, |out| encode(out, &bytes, width, height, ExtendedColorType::L8));
    }
    if u16::try_from(largest).is_err() {
        let many =
            ImageProblem::TooManySegments { found: largest as usize, most: usize::from(u16::MAX) };
        return Err(problem(path, many));
    }
    // The encoder takes the bytes of a word in the machine's order.
    let bytes: Vec<u8> = values.flat_map(|&value| (value as u16).to_ne_bytes()).collect();
    write_file(path, |out| encode(out, &bytes, width, height, ExtendedColorType::L16))
}

fn encode(
    out: &mut dyn Write,
    bytes: &[u8],
    width: usize,
    height: usize,
    color: ExtendedColorType,
) -> io::Result<()> {
    let side = |length: usize| u32::try_from(length).map_err(io::Error::other);
    PngEncoder::new(out)
        .write_image(bytes, side(width)?, side(height)?, color)
        .map_err(io::Error::other)
}
