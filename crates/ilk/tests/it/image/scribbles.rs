//! Scribbles that guide.

use ilk::group::hmrf_kmeans::HmrfKMeans;
use ilk::image::{Segment, SegmentParams};
use ilk::observe::Silent;
use ilk::parameter::AutoOr;

use super::{fit, image_of, kmeans, map, same_segments};

fn guided() -> Segment {
    let params = HmrfKMeans { n_clusters: 2.into(), ..HmrfKMeans::default() };
    Segment::new(params.into())
}

/// Three stripes: black, grey, white, of which the grey one could go either way.
fn stripes() -> ilk::image::Image {
    image_of(30, 20, |column, _| [[0; 3], [120; 3], [255; 3]][column / 10])
}

#[test]
fn scribbles_change_what_belongs_together() {
    for bright in [false, true] {
        // The scribble in the middle is that of the left or of the right.
        let scribbles = map(30, 20, |column, row| match (column / 10, row) {
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
                params: SegmentParams {
                    max_pixels: AutoOr::Fixed(max_pixels),
                    ..SegmentParams::default()
                },
                ..guided()
            };
            let found = segment.fit(&stripes(), Some(&scribbles), &Silent);
            let found = found.expect("segments");
            assert_eq!(found.pooled.is_some(), max_pixels == 150);
            assert!(same_segments(&found.labels, &truth), "{bright} {max_pixels}");
            let went = found.scribbles.expect("scribbles");
            assert_eq!(went.pixels, went.held);
            assert_eq!(went.pixels.iter().sum::<usize>(), 30);
            assert!(went.not_separated().is_empty());
        }
    }
}

#[test]
fn of_a_long_scribble_some_points_are_labelled_evenly_spread() {
    let scribbles = map(30, 20, |column, _| match column / 10 {
        0 => 1,
        2 => 2,
        _ => 0,
    });
    let segment = Segment {
        params: SegmentParams { scribble_points: 25, ..SegmentParams::default() },
        ..guided()
    };
    let found = segment.fit(&stripes(), Some(&scribbles), &Silent);
    let went = found.expect("segments").scribbles.expect("scribbles");
    assert_eq!(went.pixels, [200, 200]);
    assert_eq!(went.labelled, 50);
}

#[test]
fn scribbles_that_end_in_one_segment_are_named() {
    let scribbles = map(30, 20, |column, row| match (column, row) {
        (4, 4) => 1,
        (25, 4) => 2,
        (26, 9) => 3,
        _ => 0,
    });
    let found = guided().fit(&stripes(), Some(&scribbles), &Silent);
    let went = found.expect("segments").scribbles.expect("scribbles");
    // Two segments cannot hold three scribbles apart.
    assert_eq!(went.not_separated().len(), 1);
}

#[test]
fn a_method_that_takes_no_labels_says_so() {
    let scribbles = map(30, 20, |column, _| (column / 10) as u32);
    let refused = kmeans(2).fit(&stripes(), Some(&scribbles), &Silent);
    let message = refused.expect_err("k-means takes no constraints").to_string();
    assert!(message.starts_with("kmeans cannot use label constraints; methods that can: "));
    fit(&kmeans(2), &stripes());
}
