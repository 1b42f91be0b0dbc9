//! Reading images.

use std::io::{Cursor, Read};
use std::path::Path;

use ilk::image::Image;
use image::{DynamicImage, ImageDecoder, ImageReader, Limits};

use super::{MAX_EXTRAS, check_size, jpeg};
use crate::limit::max_unpacked;
use crate::source::open_file;
use crate::{Error, Result};

/// An image and what was done to it while it was read.
#[derive(Debug, Clone)]
pub struct ImageFile {
    /// The image.
    pub image: Image,
    /// Pixels that were not wholly opaque; they are read as they look on white.
    pub transparent: usize,
    /// Whether it was turned or mirrored as the file asks for (cameras write that).
    pub turned: bool,
}

const FORMAT: &str = "PNG or JPEG";

/// Reads a PNG or JPEG image, grey or colour, of 8 or 16 bits; which it is follows from the bytes, not from the name.
/// What is transparent is laid on white.
///
/// # Errors
/// Those of reading; [`Error::Unreadable`] for what is neither PNG nor JPEG, or damaged; [`Error::Image`]
/// for more than 134 million pixels.
pub fn read_image(path: impl AsRef<Path>) -> Result<ImageFile> {
    let path = path.as_ref();
    let unreadable = |reason: image::ImageError| Error::unreadable(path, FORMAT, &reason);
    let mut bytes = Vec::new();
    let read = open_file(path)?.take(max_unpacked()).read_to_end(&mut bytes);
    read.map_err(|error| Error::reading(path, error))?;
    if bytes.is_empty() {
        return Err(Error::unreadable(path, FORMAT, &"the file is empty"));
    }
    let mut reader = ImageReader::new(Cursor::new(bytes.as_slice()))
        .with_guessed_format()
        .map_err(|error| Error::reading(path, error))?;
    if reader.format().is_none() {
        let reason = "its first bytes are those of neither";
        return Err(Error::unreadable(path, FORMAT, &reason));
    }
    // The size is checked below, in pixels.
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MAX_EXTRAS as u64);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(unreadable)?;
    let (width, height) = decoder.dimensions();
    check_size(path, width, height)?;
    let pixels = u64::from(width) * u64::from(height);
    if jpeg::is_jpeg(&bytes)
        && let Some(fault) = jpeg::fault(&bytes, pixels)
    {
        return Err(Error::unreadable(path, FORMAT, &fault));
    }
    let orientation = decoder.orientation().map_err(unreadable)?;
    let mut image = DynamicImage::from_decoder(decoder).map_err(unreadable)?;
    image.apply_orientation(orientation);
    let (width, height) = (image.width() as usize, image.height() as usize);
    let (channels, values, transparent) = values(image);
    Ok(ImageFile {
        image: Image::new(width, height, channels, values)?,
        transparent,
        turned: orientation != image::metadata::Orientation::NoTransforms,
    })
}

/// Channels, values and how many pixels are not opaque.
fn values(image: DynamicImage) -> (usize, Vec<f32>, usize) {
    let bytes = |list: Vec<u8>| list.into_iter().map(|v| f32::from(v) / 255.0).collect();
    let words = |list: Vec<u16>| list.into_iter().map(|v| f32::from(v) / 65535.0).collect();
    match image {
        DynamicImage::ImageLuma8(image) => (1, bytes(image.into_raw()), 0),
        DynamicImage::ImageRgb8(image) => (3, bytes(image.into_raw()), 0),
        DynamicImage::ImageLuma16(image) => (1, words(image.into_raw()), 0),
        DynamicImage::ImageRgb16(image) => (3, words(image.into_raw()), 0),
        DynamicImage::ImageLumaA8(image) => on_white(1, bytes(image.into_raw())),
        DynamicImage::ImageRgba8(image) => on_white(3, bytes(image.into_raw())),
        DynamicImage::ImageLumaA16(image) => on_white(1, words(image.into_raw())),
        DynamicImage::ImageRgba16(image) => on_white(3, words(image.into_raw())),
        other => on_white(3, other.into_rgba32f().into_raw()),
    }
}

/// Pixels of `channels` values and their opacity, as they look on white.
fn on_white(channels: usize, values: Vec<f32>) -> (usize, Vec<f32>, usize) {
    let mut seen = Vec::with_capacity(values.len() / (channels + 1) * channels);
    let mut transparent = 0;
    for pixel in values.chunks_exact(channels + 1) {
        let opacity = pixel[channels];
        transparent += usize::from(opacity < 1.0);
        let blend = |value: &f32| (opacity * value + (1.0 - opacity)).clamp(0.0, 1.0);
        seen.extend(pixel[..channels].iter().map(blend));
    }
    (channels, seen, transparent)
}
