//! Images: pixels as points, pools, scribbles, and segments as images.

mod colour;
mod draw;
mod input;
mod pools;
mod scribbles;
mod segments;

use ilk::group::kmeans::KMeans;
use ilk::image::{Image, LabelMap, Segment, Segmentation};
use ilk::method::AnyMethod;
use ilk::observe::Silent;

/// A colour image from the bytes of its pixels.
fn image_of(width: usize, height: usize, pixel: impl Fn(usize, usize) -> [u8; 3]) -> Image {
    let places = (0..height).flat_map(|row| (0..width).map(move |column| (column, row)));
    let values = places.flat_map(|(column, row)| pixel(column, row));
    let values = values.map(|value| f32::from(value) / 255.0).collect();
    Image::new(width, height, 3, values).expect("an image")
}

fn map(width: usize, height: usize, number: impl Fn(usize, usize) -> u32) -> LabelMap {
    let places = (0..height).flat_map(|row| (0..width).map(move |column| (column, row)));
    let numbers = places.map(|(column, row)| number(column, row)).collect();
    LabelMap::new(width, height, numbers).expect("a map")
}

fn kmeans(n_clusters: usize) -> Segment {
    let params = KMeans { n_clusters: n_clusters.into(), ..KMeans::default() };
    Segment::new(AnyMethod::KMeans(params))
}

fn fit(segment: &Segment, image: &Image) -> Segmentation {
    segment.fit(image, None, &Silent).expect("segments")
}

/// Whether two maps are the same but for the names of segments.
fn same_segments(a: &LabelMap, b: &LabelMap) -> bool {
    let score = ilk::evaluate::adjusted_rand(a.values(), b.values());
    score.expect("maps of one size") == 1.0
}
