//! Segments as images, pixel by pixel.

use std::collections::BTreeSet;

use ilk::image::{Image, palette};

use super::{image_of, map};

#[test]
fn means_are_those_of_the_segments_and_pixels_of_none_keep_theirs() {
    let grey = Image::new(4, 1, 1, vec![0.2, 0.4, 0.9, 0.5]).expect("an image");
    let labels = map(4, 1, |column, _| [1, 1, 2, 0][column]);
    let means = labels.mean_colours(&grey).expect("one size");
    assert!((means[0][0] - 0.3).abs() < 1e-7 && (means[1][0] - 0.9).abs() < 1e-7);
    let drawn = labels.means(&grey).expect("one size");
    assert_eq!(drawn.values(), [0.3, 0.3, 0.9, 0.5]);
}

#[test]
fn boundaries_lie_where_a_pixel_to_the_right_or_below_is_of_another_segment() {
    let image = image_of(3, 2, |_, _| [10, 20, 30]);
    let labels = map(3, 2, |column, row| if (column, row) == (2, 1) { 2 } else { 1 });
    let drawn = labels.boundaries(&image).expect("one size");
    let is_drawn: Vec<bool> = (0..6).map(|at| drawn.pixel(at) == [1.0, 1.0, 0.0]).collect();
    assert_eq!(is_drawn, [false, false, true, false, true, false]);
    assert_eq!(drawn.pixel(0), image.pixel(0));
}

#[test]
fn boundaries_of_large_images_are_thicker_and_stay_inside() {
    let image = image_of(3000, 4, |_, _| [0; 3]);
    let labels = map(3000, 4, |column, _| if column < 2999 { 1 } else { 2 });
    let drawn = labels.boundaries(&image).expect("one size");
    let yellow = drawn.values().chunks(3).filter(|pixel| pixel[0] == 1.0);
    // Three pixels wide, of which two are in the image.
    assert_eq!(yellow.count(), 2 * 4);
}

#[test]
fn the_colours_of_512_segments_are_different() {
    let colours: BTreeSet<[u8; 3]> = (0..512).map(palette::color_of).collect();
    assert_eq!(colours.len(), 512);
    let view = map(2, 1, |column, _| column as u32).palette_view();
    assert_eq!(view.pixel(0), [0.0; 3]);
    assert_eq!(view.pixel(1), palette::COLORS[0].map(|v| f32::from(v) / 255.0));
}
