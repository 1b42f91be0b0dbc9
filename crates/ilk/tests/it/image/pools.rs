//! Images with more pixels than a method is given.

use ilk::Error;
use ilk::image::{Colour, Segment, SegmentParams};
use ilk::observe::{Event, Silent};
use ilk::parameter::AutoOr;
use std::ops::ControlFlow;

use super::{fit, image_of, kmeans, map, same_segments};

/// A slanted edge between two colours with some texture, which blocks of pixels do not follow.
fn slanted(column: usize, row: usize) -> bool {
    3 * column + row < 150
}

#[test]
fn pools_follow_edges_that_blocks_do_not() {
    let texture = |column: usize, row: usize| ((column * 7 + row * 13) % 11) as u8;
    let image = image_of(80, 60, |column, row| {
        let base = if slanted(column, row) { 60 } else { 150 };
        [base + texture(column, row), base, 255 - base]
    });
    let truth = map(80, 60, |column, row| u32::from(slanted(column, row)) + 1);
    let segment = Segment {
        params: SegmentParams { max_pixels: AutoOr::Fixed(100), ..SegmentParams::default() },
        ..kmeans(2)
    };
    let found = fit(&segment, &image);
    let pooled = found.pooled.expect("4,800 pixels are more than 100");
    // 12 x 9 blocks of 7 x 7 would be too many.
    assert_eq!(pooled.side, 8);
    assert!((61..=80).contains(&pooled.pools), "{pooled:?}");
    assert!(pooled.is_weighted);
    assert!(same_segments(&found.labels, &truth));
}

#[test]
fn never_more_points_than_asked_for_in_any_shape() {
    for (width, height) in [(1, 500), (500, 1), (17, 31), (100, 3)] {
        let image = image_of(width, height, |column, row| [(column + row) as u8, 0, 0]);
        for max_pixels in [1, 2, 7, 40] {
            let segment = Segment {
                params: SegmentParams {
                    max_pixels: AutoOr::Fixed(max_pixels),
                    ..SegmentParams::default()
                },
                ..kmeans(1)
            };
            let pooled = fit(&segment, &image).pooled.expect("pooled");
            assert!(pooled.pools <= max_pixels, "{width} x {height}: {pooled:?}");
        }
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let image = image_of(90, 70, |column, row| {
        [(column * 2) as u8, (row * 3) as u8, ((column * row) % 256) as u8]
    });
    let segment = Segment {
        params: SegmentParams {
            max_pixels: AutoOr::Fixed(500),
            colour: Colour::Lab,
            ..SegmentParams::default()
        },
        ..kmeans(5)
    };
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| fit(&segment, &image))
    };
    let (one, eight) = (on(1), on(8));
    assert_eq!(one.labels, eight.labels);
    assert_eq!(one.clustering.modes, eight.clustering.modes);
}

#[test]
fn pooling_can_be_cancelled() {
    let image = image_of(50, 50, |column, row| [column as u8, row as u8, 0]);
    let segment = Segment {
        params: SegmentParams { max_pixels: AutoOr::Fixed(100), ..SegmentParams::default() },
        ..kmeans(2)
    };
    let stop = |event: &Event| match event.stage {
        "pooling pixels" => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let refused = segment.fit(&image, None, &stop).expect_err("cancelled");
    assert_eq!(refused, Error::Cancelled { iterations: 1 });
    assert!(segment.fit(&image, None, &Silent).is_ok());
}
