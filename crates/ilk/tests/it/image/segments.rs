//! Small images whose segments are known.

use ilk::group::mean_shift::MeanShift;
use ilk::image::{Colour, Image, Segment, SegmentParams};
use ilk::method::AnyMethod;
use ilk::similarity::Bandwidth;

use super::{fit, image_of, kmeans, map, same_segments};

#[test]
fn three_flat_colours_come_back_exactly() {
    let colours = [[200, 30, 30], [30, 160, 40], [20, 40, 220]];
    let stripes = image_of(30, 12, |column, _| colours[column / 10]);
    let truth = map(30, 12, |column, _| (column / 10) as u32 + 1);
    for colour in [Colour::Rgb, Colour::Lab, Colour::Grey] {
        let segment = Segment {
            params: SegmentParams { colour, coordinate_scale: 0.1, ..SegmentParams::default() },
            ..kmeans(3)
        };
        let found = fit(&segment, &stripes);
        assert_eq!(found.n_segments, 3);
        assert!(found.pooled.is_none());
        assert!(same_segments(&found.labels, &truth), "{colour:?}");
    }
}

#[test]
fn a_method_that_finds_the_number_of_segments_finds_that_of_flat_colours() {
    let colours = [[10, 10, 10], [240, 240, 240], [240, 30, 30], [30, 30, 240]];
    let tiles = image_of(16, 16, |column, row| colours[column / 8 + 2 * (row / 8)]);
    let truth = map(16, 16, |column, row| (column / 8 + 2 * (row / 8)) as u32 + 1);
    let shift =
        MeanShift { bandwidth: Bandwidth::Fixed(0.15), blurring: true, ..MeanShift::default() };
    let found = fit(&Segment::new(AnyMethod::MeanShift(shift)), &tiles);
    assert!(same_segments(&found.labels, &truth));
}

#[test]
fn places_count_by_the_coordinate_scale() {
    // One colour: only the place can tell pixels apart, and the longer side counts as much as the shorter.
    let flat = image_of(40, 10, |_, _| [90, 90, 90]);
    let halves = fit(&kmeans(2), &flat);
    let sizes = halves.labels.sizes();
    assert_eq!(sizes, [200, 200]);
    // Without places, two colours in any pattern are two segments.
    let checks = image_of(8, 8, |column, row| [[0; 3], [255; 3]][(column + row) % 2]);
    let segment = Segment {
        params: SegmentParams { coordinate_scale: 0.0, ..SegmentParams::default() },
        ..kmeans(2)
    };
    let truth = map(8, 8, |column, row| ((column + row) % 2) as u32 + 1);
    assert!(same_segments(&fit(&segment, &checks).labels, &truth));
}

#[test]
fn a_grey_image_is_one_channel_in_all_colours() {
    let values: Vec<f32> = (0..64).map(|i| if i % 8 < 3 { 0.2 } else { 0.7 }).collect();
    let grey = Image::new(8, 8, 1, values).expect("an image");
    let truth = map(8, 8, |column, _| if column < 3 { 1 } else { 2 });
    for colour in [Colour::Rgb, Colour::Lab, Colour::Grey] {
        let found = fit(
            &Segment { params: SegmentParams { colour, ..SegmentParams::default() }, ..kmeans(2) },
            &grey,
        );
        assert!(same_segments(&found.labels, &truth), "{colour:?}");
    }
}

#[test]
fn a_single_pixel_is_a_segment() {
    let found = fit(&kmeans(1), &image_of(1, 1, |_, _| [1, 2, 3]));
    assert_eq!(found.labels.values(), [1]);
}
