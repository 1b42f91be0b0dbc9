//! Small images whose segments are known.

use ilk::group::mean_shift::MeanShift;
use ilk::image::{Colour, Image, Segment, SegmentParams};
use ilk::method::{AnyMethod, E2cp};
use ilk::observe::Silent;
use ilk::parameter::AutoOr;
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

/// Two halves with specks of the other colour: single pixels, a plus of five, and a block of nine.
fn speckled(column: usize, row: usize) -> u32 {
    let is_plus = (column, row) == (30, 10)
        || [(29, 10), (31, 10), (30, 9), (30, 11)].contains(&(column, row));
    let is_block = (5..8).contains(&column) && (20..23).contains(&row);
    let is_pixel = (column % 7, row % 7) == (3, 3) && column < 12;
    let is_flipped = is_plus || is_block || is_pixel;
    u32::from((column < 20) == is_flipped) + 1
}

fn speckled_image() -> Image {
    image_of(40, 30, |column, row| if speckled(column, row) == 1 { [250; 3] } else { [20; 3] })
}

fn with_min_region(min_region: Option<usize>) -> Segment {
    let min_region = min_region.map_or(AutoOr::Auto, AutoOr::Fixed);
    let params = SegmentParams { coordinate_scale: 0.05, min_region, ..SegmentParams::default() };
    Segment { params, ..kmeans(2) }
}

#[test]
fn regions_below_the_smallest_size_go_to_the_segment_around_them() {
    let image = speckled_image();
    let all = map(40, 30, speckled);
    assert!(same_segments(&fit(&with_min_region(Some(0)), &image).labels, &all));
    // 1,200 pixels: by default no region is too small.
    assert!(same_segments(&fit(&with_min_region(None), &image).labels, &all));
    let found = fit(&with_min_region(Some(9)), &image).labels;
    let block = |column: usize, row: usize| (5..8).contains(&column) && (20..23).contains(&row);
    let truth = map(40, 30, |column, row| u32::from((column < 20) == block(column, row)) + 1);
    assert!(same_segments(&found, &truth));
    let halves = map(40, 30, |column, _| u32::from(column >= 20) + 1);
    assert!(same_segments(&fit(&with_min_region(Some(10)), &image).labels, &halves));
}

#[test]
fn by_default_a_region_has_one_in_two_thousand_pixels() {
    let image = image_of(100, 60, |column, row| match (column, row) {
        (20, 20) | (80, 20..22) | (60, 40..43) => [0; 3],
        _ if column < 50 => [250; 3],
        _ => [120; 3],
    });
    let found = fit(&Segment { params: with_min_region(None).params, ..kmeans(3) }, &image).labels;
    // Of 6,000 pixels three are enough; they are also the largest region of their segment.
    let truth = map(100, 60, |column, row| match (column, row) {
        (60, 40..43) => 3,
        _ => u32::from(column >= 50) + 1,
    });
    assert!(same_segments(&found, &truth));
}

#[test]
fn no_segment_is_lost_however_large_regions_must_be() {
    let found = fit(&with_min_region(Some(100_000)), &speckled_image()).labels;
    let halves = map(40, 30, |column, _| u32::from(column >= 20) + 1);
    assert!(same_segments(&found, &halves));
}

#[test]
fn a_speck_under_a_scribble_stays() {
    let image = speckled_image();
    let segment = Segment {
        params: with_min_region(Some(10)).params,
        ..Segment::new(AnyMethod::named("e2cp").expect("a method"))
    };
    // The plus is marked as being of the left half.
    let scribbles = map(40, 30, |column, row| match (column, row) {
        (1, 0..30) | (30, 10) => 1,
        (38, 0..30) => 2,
        _ => 0,
    });
    let AnyMethod::E2cp(e2cp) = segment.method else { panic!("not e2cp") };
    let e2cp = E2cp { n_clusters: 2.into(), ..e2cp };
    let segment = Segment { method: AnyMethod::E2cp(e2cp), params: segment.params };
    let found = segment.fit(&image, Some(&scribbles), &Silent).expect("segments").labels;
    let at = |column: usize, row: usize| found.values()[row * 40 + column];
    assert_eq!(at(30, 10), at(1, 0));
    assert_ne!(at(30, 10), at(38, 0));
}

#[test]
fn the_model_of_a_segmentation_gives_its_image_the_same_segments() {
    let image = speckled_image();
    for min_region in [0, 9] {
        let segment = with_min_region(Some(min_region));
        let found = fit(&segment, &image);
        let again = segment.predict(&found.model, &image, &Silent).expect("segments");
        assert_eq!(again, found.labels);
    }
    let grey = Image::new(2, 1, 1, vec![0.0, 1.0]).expect("an image");
    let segment = with_min_region(None);
    let refused = segment.predict(&fit(&segment, &image).model, &grey, &Silent).unwrap_err();
    let message = "the new points have 3 columns, but the model was fitted on 5";
    assert_eq!(refused.to_string(), message);
}
