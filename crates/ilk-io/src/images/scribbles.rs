//! Reading scribbles that a person drew.

use std::collections::BTreeMap;
use std::io::BufReader;
use std::path::Path;

use ilk::image::{Image, LabelMap};
use png::{BitDepth, ColorType, Decoder, Limits, Transformations};

use super::{MAX_EXTRAS, check_size, problem, strokes_on_copy};
use crate::source::open_file;
use crate::{Error, ImageProblem, Result};

/// Scribbles, and what each was in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scribbles {
    /// The scribbles: 0 for nothing, 1 to k.
    pub labels: LabelMap,
    /// The value or colour of scribbles 1 to k in the file, as `3` or `#FF0000`, in their order.
    pub names: Vec<String>,
}

const FORMAT: &str = "PNG";

/// Scribbles that are read at most.
const MAX_SCRIBBLES: usize = 255;

/// Reads scribbles on an image of this size from a PNG file.
///
/// In a grey file, or one with a palette, every value (or number in the palette) but 0 is a scribble. In a
/// colour file every exact colour but black is one. What is wholly transparent says nothing. Scribbles are
/// numbered by their values, or by their colours as `#RRGGBB` sorts them.
///
/// # Errors
/// Those of reading; [`Error::Unreadable`] for what is no PNG file; [`Error::Image`] for one of another
/// size, without scribbles, or with more than 255.
pub fn read_scribbles(path: impl AsRef<Path>, width: usize, height: usize) -> Result<Scribbles> {
    let path = path.as_ref();
    let (samples, keys) = read_keys(path, width, height)?;
    numbered(path, &samples, &keys, width, height)
}

/// Reads scribbles on an image: as [`read_scribbles`], or, where at least half of the pixels of a colour file are those of
/// the image, what was drawn on this copy of it in plain colours. Soft edges belong to their stroke.
///
/// # Errors
/// Those of [`read_scribbles`].
pub fn read_scribbles_on(path: impl AsRef<Path>, image: &Image) -> Result<Scribbles> {
    let path = path.as_ref();
    let (width, height) = (image.width(), image.height());
    let (samples, keys) = read_keys(path, width, height)?;
    let is_colour = matches!(samples.color, ColorType::Rgb | ColorType::Rgba);
    let drawn = is_colour.then(|| strokes_on_copy::strokes(&keys, |key| samples.rgb(key), image));
    let keys = drawn.flatten().unwrap_or(keys);
    numbered(path, &samples, &keys, width, height)
}

/// The value that identifies the scribble of every pixel of a file.
fn read_keys(path: &Path, width: usize, height: usize) -> Result<(Samples, Vec<u64>)> {
    let unreadable = |reason: png::DecodingError| Error::unreadable(path, FORMAT, &reason);
    let file = BufReader::new(open_file(path)?);
    // The size is checked below, in pixels.
    let mut decoder = Decoder::new_with_limits(file, Limits { bytes: MAX_EXTRAS });
    // The numbers in a palette identify scribbles; its colours may be anything.
    decoder.set_transformations(Transformations::IDENTITY);
    let mut reader = decoder.read_info().map_err(unreadable)?;
    let info = reader.info();
    check_size(path, info.width, info.height)?;
    let found = (info.width as usize, info.height as usize);
    let expected = (width, height);
    if found != expected {
        return Err(problem(path, ImageProblem::WrongSize { found, expected }));
    }
    // The opacity of the palette's colours, and the grey or colour that stands for transparent.
    let transparency = info.trns.as_ref().map(|list| list.to_vec());
    let (color, depth) = (info.color_type, info.bit_depth);
    let mut bytes = vec![0; reader.output_buffer_size().unwrap_or(0)];
    reader.next_frame(&mut bytes).map_err(unreadable)?;
    let line = bytes.len() / height;
    let samples = Samples { color, depth, transparency };
    let keys = bytes.chunks_exact(line).flat_map(|row| samples.keys(row, width));
    let keys: Vec<u64> = keys.collect();
    Ok((samples, keys))
}

/// How the samples of a file are to be read.
struct Samples {
    color: ColorType,
    depth: BitDepth,
    transparency: Option<Vec<u8>>,
}

impl Samples {
    /// Values of a pixel.
    fn channels(&self) -> usize {
        self.color.samples()
    }

    /// The largest value of a sample.
    fn largest(&self) -> u64 {
        (1 << self.depth as u8) - 1
    }

    fn sample(&self, row: &[u8], at: usize) -> u64 {
        match self.depth {
            BitDepth::Sixteen => u64::from(u16::from_be_bytes([row[2 * at], row[2 * at + 1]])),
            BitDepth::Eight => u64::from(row[at]),
            depth => {
                let bits = depth as usize;
                let first = at * bits;
                let shift = 8 - bits - first % 8;
                u64::from(row[first / 8] >> shift) & self.largest()
            }
        }
    }

    /// The value that identifies the scribble, for all pixels of a row; 0 for nothing.
    fn keys<'a>(&'a self, row: &'a [u8], width: usize) -> impl Iterator<Item = u64> + 'a {
        let channels = self.channels();
        let has_alpha = matches!(self.color, ColorType::GrayscaleAlpha | ColorType::Rgba);
        let colors = channels - usize::from(has_alpha);
        (0..width).map(move |pixel| {
            let sample = |channel: usize| self.sample(row, pixel * channels + channel);
            if has_alpha && sample(colors) == 0 {
                return 0;
            }
            let key = (0..colors).fold(0, |key, channel| (key << 16) | sample(channel));
            if self.is_transparent(key) { 0 } else { key }
        })
    }

    /// Whether the file says that a value or colour is wholly transparent.
    fn is_transparent(&self, key: u64) -> bool {
        let Some(list) = &self.transparency else {
            return false;
        };
        if self.color == ColorType::Indexed {
            return list.get(key as usize) == Some(&0);
        }
        let words = list.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
        words.fold(0, |key, word| (key << 16) | u64::from(word)) == key
    }

    /// The colour of a key, of a file in colour.
    fn rgb(&self, key: u64) -> [f32; 3] {
        [32, 16, 0]
            .map(|shift: u32| 255.0 * ((key >> shift) & 0xFFFF) as f32 / self.largest() as f32)
    }

    /// A scribble by the value or colour it has in the file.
    fn name(&self, key: u64) -> String {
        if !matches!(self.color, ColorType::Rgb | ColorType::Rgba) {
            return key.to_string();
        }
        let digits = if self.depth == BitDepth::Sixteen { 4 } else { 2 };
        let channel = |shift: u32| (key >> shift) & 0xFFFF;
        let [r, g, b] = [32, 16, 0].map(channel);
        format!("#{r:0digits$X}{g:0digits$X}{b:0digits$X}")
    }
}

/// The scribbles numbered from 1 in the order of their keys.
fn numbered(
    path: &Path,
    samples: &Samples,
    keys: &[u64],
    width: usize,
    height: usize,
) -> Result<Scribbles> {
    let mut numbers = BTreeMap::new();
    for &key in keys.iter().filter(|key| **key > 0) {
        numbers.entry(key).or_insert(0);
        if numbers.len() > MAX_SCRIBBLES {
            let many = ImageProblem::TooManyScribbles { most: MAX_SCRIBBLES };
            return Err(problem(path, many));
        }
    }
    if numbers.is_empty() {
        return Err(problem(path, ImageProblem::NoScribbles));
    }
    for (number, scribble) in numbers.values_mut().zip(1..) {
        *number = scribble;
    }
    let scribbles = keys.iter().map(|key| numbers.get(key).copied().unwrap_or(0));
    Ok(Scribbles {
        labels: LabelMap::new(width, height, scribbles.collect())?,
        names: numbers.keys().map(|&key| samples.name(key)).collect(),
    })
}
