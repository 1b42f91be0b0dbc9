//! Strokes that guide.

use ilk::group::hmrf_kmeans::HmrfKMeans;
use ilk::image::Segment;
use ilk::method::Method;
use ilk::observe::Silent;

use crate::{fit, kmeans, map, picture, same_segments};

fn guided() -> Segment {
    let params = HmrfKMeans {
        n_clusters: 2,
        ..HmrfKMeans::default()
    };
    Segment::new(Method::HmrfKMeans(params))
}

/// Three stripes: black, grey, white, of which the grey one could go either way.
fn stripes() -> ilk::image::Picture {
    picture(30, 20, |column, _| {
        [[0; 3], [120; 3], [255; 3]][column / 10]
    })
}

#[test]
fn strokes_change_what_belongs_together() {
    for bright in [false, true] {
        // The stroke in the middle is that of the left or of the right.
        let strokes = map(30, 20, |column, row| match (column / 10, row) {
            (0, 3) => 1,
            (1, 3) => 1 + u32::from(bright),
            (2, 3) => 2,
            _ => 0,
        });
        let truth = map(30, 20, |column, _| match column / 10 {
            0 => 1,
            1 => 1 + u32::from(bright),
            _ => 2,
        });
        for max_pixels in [1_000_000, 150] {
            let segment = Segment {
                max_pixels: Some(max_pixels),
                ..guided()
            };
            let found = segment.fit(&stripes(), Some(&strokes), &Silent);
            let found = found.expect("segments");
            assert_eq!(found.pooled.is_some(), max_pixels == 150);
            assert!(
                same_segments(&found.labels, &truth),
                "{bright} {max_pixels}"
            );
            let went = found.strokes.expect("strokes");
            assert_eq!(went.pixels, went.held);
            assert_eq!(went.pixels.iter().sum::<usize>(), 30);
            assert!(went.not_told_apart().is_empty());
        }
    }
}

#[test]
fn of_a_long_stroke_some_points_are_told_evenly_spread() {
    let strokes = map(30, 20, |column, _| match column / 10 {
        0 => 1,
        2 => 2,
        _ => 0,
    });
    let segment = Segment {
        stroke_points: 25,
        ..guided()
    };
    let found = segment.fit(&stripes(), Some(&strokes), &Silent);
    let went = found.expect("segments").strokes.expect("strokes");
    assert_eq!(went.pixels, [200, 200]);
    assert_eq!(went.labelled, 50);
}

#[test]
fn strokes_that_end_in_one_segment_are_named() {
    let strokes = map(30, 20, |column, row| match (column, row) {
        (4, 4) => 1,
        (25, 4) => 2,
        (26, 9) => 3,
        _ => 0,
    });
    let found = guided().fit(&stripes(), Some(&strokes), &Silent);
    let went = found.expect("segments").strokes.expect("strokes");
    // Two segments cannot hold three strokes apart.
    assert_eq!(went.not_told_apart().len(), 1);
}

#[test]
fn a_method_that_takes_no_labels_says_so() {
    let strokes = map(30, 20, |column, _| (column / 10) as u32);
    let refused = kmeans(2).fit(&stripes(), Some(&strokes), &Silent);
    let message = refused.expect_err("k-means takes no answers").to_string();
    assert!(message.starts_with("kmeans cannot use label constraints; methods that can: "));
    fit(&kmeans(2), &stripes());
}
