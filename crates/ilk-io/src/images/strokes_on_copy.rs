//! Strokes that were drawn on a copy of the image: what differs from it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use ilk::image::Image;

/// Differences in a channel, of 255, that decoders and colour profiles make.
const SAME: f32 = 8.0;
/// How far, of 255, a soft edge may be from a mix of a stroke and the image.
const EDGE: f32 = 12.0;
/// Soft edges are this many pixels wide at most.
const EDGE_WIDTH: usize = 2;

/// A colour, from 0 to 255 in each channel.
pub(super) type Rgb = [f32; 3];

/// The value that identifies the stroke of every pixel, 0 where the pixel is that of the image; nothing where the file is no copy
/// of the image. `keys` are those of the colours in the file, 0 for black and transparent ones, which are no stroke.
///
/// Pencils leave soft edges, mixes of a stroke's colour and the image. A colour whose pixels are mostly such mixes, beside a
/// stroke that has more pixels, belongs to that stroke.
pub(super) fn strokes(
    keys: &[u64],
    color_of: impl Fn(u64) -> Rgb,
    image: &Image,
) -> Option<Vec<u64>> {
    let below = |at: usize| -> Rgb {
        match image.pixel(at) {
            [r, g, b] => [255.0 * r, 255.0 * g, 255.0 * b],
            pixel => [255.0 * pixel[0]; 3],
        }
    };
    let is_same = |at: usize| far(color_of(keys[at]), below(at)) <= SAME;
    let n_same = (0..keys.len()).filter(|&at| is_same(at)).count();
    if 2 * n_same < keys.len() {
        return None;
    }
    let mut drawn: Vec<u64> = keys.to_vec();
    let mut pixels: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (at, key) in drawn.iter_mut().enumerate() {
        if is_same(at) {
            *key = 0;
        } else if *key > 0 {
            pixels.entry(*key).or_default().push(at);
        }
    }
    let mut colors: Vec<(u64, Vec<usize>)> = pixels.into_iter().collect();
    colors.sort_by_key(|(key, pixels)| (Reverse(pixels.len()), *key));
    let mut found: Vec<u64> = Vec::new();
    let as_drawn = drawn.clone();
    for (key, pixels) in &colors {
        let color = color_of(*key);
        let stroke_at = |at: usize| {
            let near = around(at, image.width(), image.height());
            let beside: Vec<u64> = near.map(|near| as_drawn[near]).collect();
            let mixes = found.iter().filter(|stroke| beside.contains(stroke));
            let mixes =
                mixes.map(|&stroke| (stroke, mix_error(color, color_of(stroke), below(at))));
            mixes.min_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, error)| *error <= EDGE)
        };
        let edges: Vec<Option<(u64, f32)>> = pixels.iter().map(|&at| stroke_at(at)).collect();
        if 2 * edges.iter().flatten().count() > pixels.len() {
            for (&at, edge) in pixels.iter().zip(edges) {
                drawn[at] = edge.map_or(0, |(stroke, _)| stroke);
            }
        } else {
            found.push(*key);
        }
    }
    Some(drawn)
}

/// The largest difference in a channel.
fn far(a: Rgb, b: Rgb) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

/// How far a colour is from the nearest mix of two others.
fn mix_error(color: Rgb, stroke: Rgb, below: Rgb) -> f32 {
    let along: Vec<f32> = stroke.iter().zip(below).map(|(stroke, below)| stroke - below).collect();
    let from: Vec<f32> = color.iter().zip(below).map(|(color, below)| color - below).collect();
    let length_sq: f32 = along.iter().map(|x| x * x).sum();
    let dot: f32 = along.iter().zip(&from).map(|(a, b)| a * b).sum();
    let share = if length_sq > 0.0 { (dot / length_sq).clamp(0.0, 1.0) } else { 0.0 };
    let errors = along.iter().zip(&from).map(|(along, from)| (from - share * along).abs());
    errors.fold(0.0, f32::max)
}

/// The pixels around one.
fn around(at: usize, width: usize, height: usize) -> impl Iterator<Item = usize> {
    let (x, y) = (at % width, at / width);
    let rows = y.saturating_sub(EDGE_WIDTH)..=(y + EDGE_WIDTH).min(height - 1);
    let columns = move || x.saturating_sub(EDGE_WIDTH)..=(x + EDGE_WIDTH).min(width - 1);
    rows.flat_map(move |row| columns().map(move |column| row * width + column))
}
