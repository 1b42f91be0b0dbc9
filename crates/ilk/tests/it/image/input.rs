//! What is refused, and how.

use ilk::image::{Image, LabelMap, Segment, SegmentParams};
use ilk::observe::Silent;
use ilk::parameter::AutoOr;

use super::{image_of, kmeans, map};

fn refused(result: ilk::Result<impl std::fmt::Debug>) -> String {
    result.expect_err("refused").to_string()
}

#[test]
fn images_that_are_none_are_refused() {
    assert_eq!(
        refused(Image::new(0, 3, 1, vec![])),
        "the input is empty: it has 3 rows and 0 columns; at least one of each is needed"
    );
    assert_eq!(
        refused(Image::new(2, 2, 2, vec![0.0; 8])),
        "the number of channels = 2 is out of range: 1 (grey) or 3 (red, green, blue)"
    );
    assert_eq!(
        refused(Image::new(2, 2, 3, vec![0.0; 8])),
        "the list of values of the pixels has 8 entries where 12 are needed"
    );
    assert_eq!(
        refused(Image::new(2, 2, 1, vec![0.0, 0.0, 0.0, f32::NAN])),
        "the value of a pixel = NaN (column 1, row 1) is out of range: a number from 0 to 1"
    );
}

#[test]
fn maps_that_are_none_are_refused() {
    assert_eq!(
        refused(LabelMap::new(2, 1, vec![1, u32::MAX])),
        "the number of a pixel = 4294967295 is out of range: a whole number from 0 to 65535"
    );
    let scribbles = map(3, 2, |_, _| 1);
    assert_eq!(
        refused(kmeans(2).fit(&image_of(4, 2, |_, _| [0; 3]), Some(&scribbles), &Silent)),
        "the map is 3 x 2 pixels, but the image is 4 x 2; make it as large as the image"
    );
}

#[test]
fn parameters_out_of_range_are_refused() {
    let image = image_of(4, 2, |_, _| [0; 3]);
    let negative = Segment {
        params: SegmentParams { coordinate_scale: -1.0, ..SegmentParams::default() },
        ..kmeans(2)
    };
    assert!(
        refused(negative.fit(&image, None, &Silent))
            .starts_with("coordinate_scale = -1 is out of range")
    );
    let none = Segment {
        params: SegmentParams { max_pixels: AutoOr::Fixed(0), ..SegmentParams::default() },
        ..kmeans(2)
    };
    assert!(refused(none.fit(&image, None, &Silent)).starts_with("max_pixels = 0 is out of range"));
    assert_eq!(
        refused(kmeans(9).fit(&image, None, &Silent)),
        "9 clusters were asked for, but there are only 8 points"
    );
}
