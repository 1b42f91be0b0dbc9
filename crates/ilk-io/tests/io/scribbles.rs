//! Scribbles as files.

use std::path::PathBuf;

use ilk::image::Image;
use ilk_io::{read_scribbles, read_scribbles_on};
use png::{BitDepth, ColorType, Encoder};

use crate::Folder;

/// A PNG file with these bytes for its samples, and perhaps the opacity of its palette's colours.
fn png(
    folder: &Folder,
    (width, height): (u32, u32),
    (color, depth): (ColorType, BitDepth),
    opacity: Option<&[u8]>,
    bytes: &[u8],
) -> PathBuf {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == ColorType::Indexed {
        encoder.set_palette(vec![0; 3 * 8]);
    }
    if let Some(opacity) = opacity {
        encoder.set_trns(opacity.to_vec());
    }
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(bytes).expect("pixels");
    writer.finish().expect("a file");
    folder.file("scribbles.png", file)
}

const GREY: (ColorType, BitDepth) = (ColorType::Grayscale, BitDepth::Eight);

#[test]
fn grey_values_and_numbers_in_a_palette_are_scribbles_in_their_order() {
    let folder = Folder::new();
    let path = png(&folder, (3, 2), GREY, None, &[0, 7, 200, 7, 0, 1]);
    let read = read_scribbles(&path, 3, 2).expect("scribbles");
    assert_eq!(read.labels.values(), [0, 2, 3, 2, 0, 1]);
    assert_eq!(read.names, ["1", "7", "200"]);

    // All colours of the palette are black: the numbers count.
    let indexed = (ColorType::Indexed, BitDepth::Eight);
    let path = png(&folder, (4, 1), indexed, Some(&[255, 255, 0]), &[0, 1, 2, 3]);
    let read = read_scribbles(&path, 4, 1).expect("scribbles");
    assert_eq!(read.labels.values(), [0, 1, 0, 2]);
    assert_eq!(read.names, ["1", "3"]);
}

#[test]
fn samples_of_1_2_4_and_16_bits_are_read() {
    let folder = Folder::new();
    let grey = ColorType::Grayscale;
    // Rows start at whole bytes: 3 pixels of each depth in two rows.
    let cases: [(BitDepth, &[u8], [u32; 6]); 4] = [
        (BitDepth::One, &[0b1010_0000, 0b0100_0000], [1, 0, 1, 0, 1, 0]),
        (BitDepth::Two, &[0b0001_1000, 0b1100_0100], [0, 1, 2, 3, 0, 1]),
        (BitDepth::Four, &[0x01, 0x90, 0x10, 0x90], [0, 1, 2, 1, 0, 2]),
        (BitDepth::Sixteen, &[0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1], [0, 2, 1, 0, 2, 1]),
    ];
    for (depth, bytes, scribbles) in cases {
        let path = png(&folder, (3, 2), (grey, depth), None, bytes);
        let read = read_scribbles(&path, 3, 2).expect("scribbles");
        assert_eq!(read.labels.values(), scribbles, "{depth:?}");
    }
}

#[test]
fn colours_are_scribbles_and_black_or_transparent_is_nothing() {
    let folder = Folder::new();
    let rgb = (ColorType::Rgb, BitDepth::Eight);
    let bytes = [0, 0, 0, 255, 0, 0, 0, 0, 1, 255, 0, 0];
    let path = png(&folder, (4, 1), rgb, None, &bytes);
    let read = read_scribbles(&path, 4, 1).expect("scribbles");
    assert_eq!(read.labels.values(), [0, 2, 1, 2]);
    assert_eq!(read.names, ["#000001", "#FF0000"]);

    let rgba = (ColorType::Rgba, BitDepth::Eight);
    let bytes = [9, 9, 9, 0, 9, 9, 9, 1, 0, 0, 0, 255];
    let path = png(&folder, (3, 1), rgba, None, &bytes);
    let read = read_scribbles(&path, 3, 1).expect("scribbles");
    assert_eq!(read.labels.values(), [0, 1, 0]);
}

#[test]
fn scribbles_that_cannot_be_are_refused_in_words() {
    let folder = Folder::new();
    let path = png(&folder, (3, 2), GREY, None, &[0, 1, 2, 0, 0, 0]);
    assert_eq!(
        folder.message(read_scribbles(&path, 4, 2)),
        "scribbles.png: the scribbles are 3 x 2 pixels, but the image is 4 x 2; draw them on a copy of the image"
    );
    let path = png(&folder, (3, 2), GREY, None, &[0; 6]);
    assert_eq!(
        folder.message(read_scribbles(&path, 3, 2)),
        "scribbles.png: there is no scribble; a pixel of value 0 (black or transparent in colour) says nothing, any \
         other value or colour is a scribble"
    );
    let bytes: Vec<u8> =
        (0..300 * 3_u32).map(|i| (i / 3 % 256) as u8 ^ (i % 3 * 85) as u8).collect();
    let path = png(&folder, (300, 1), (ColorType::Rgb, BitDepth::Eight), None, &bytes);
    assert_eq!(
        folder.message(read_scribbles(&path, 300, 1)),
        "scribbles.png: there are more than 255 values or colours, and each is taken for a scribble of its own; draw \
         scribbles with a hard pencil (no smooth edges), and save them as PNG"
    );
    let text = folder.message(read_scribbles(folder.file("text.png", b"1,2,3"), 3, 1));
    assert!(text.starts_with("text.png: cannot be read as PNG: "), "{text}");
}

#[test]
fn strokes_on_a_copy_of_the_image_are_what_differs_from_it_with_their_soft_edges() {
    let folder = Folder::new();
    let (width, height) = (40_usize, 12_usize);
    // As in a photograph, no two neighbouring pixels are alike.
    let base = |at: usize| [at * 7 % 200, at * 13 % 180, at * 3 % 220].map(|value| value as f32);
    let values = (0..width * height).flat_map(|at| base(at).map(|value| value / 255.0));
    let image = Image::new(width, height, 3, values.collect()).expect("an image");
    // Two strokes of three rows, whose outer rows are half the stroke and half the image.
    let strokes: [(usize, [f32; 3]); 2] = [(3, [255.0, 0.0, 0.0]), (8, [0.0, 0.0, 255.0])];
    let mut expected = vec![0; width * height];
    let mut bytes = Vec::new();
    for at in 0..width * height {
        let (x, y) = (at % width, at / width);
        let mut pixel = base(at);
        for (number, (row, color)) in strokes.iter().enumerate() {
            let share = match y.abs_diff(*row) {
                0 => 1.0,
                1 => 0.5,
                _ => 0.0,
            };
            if (5..35).contains(&x) && share > 0.0 {
                for (value, stroke) in pixel.iter_mut().zip(color) {
                    *value = (share * stroke + (1.0 - share) * *value).round();
                }
                // Scribbles are numbered by their colours: #0000FF before #FF0000.
                expected[at] = 2 - number as u32;
            }
        }
        bytes.extend(pixel.map(|value| value as u8));
    }
    let path = png(&folder, (40, 12), (ColorType::Rgb, BitDepth::Eight), None, &bytes);
    let read = read_scribbles_on(&path, &image).expect("scribbles");
    assert_eq!(read.names, ["#0000FF", "#FF0000"]);
    assert_eq!(read.labels.values(), expected);
}

#[test]
fn a_file_that_is_no_copy_is_read_as_before() {
    let folder = Folder::new();
    let image = Image::new(3, 1, 3, vec![0.9; 9]).expect("an image");
    let bytes = [0, 0, 0, 255, 0, 0, 0, 0, 255];
    let path = png(&folder, (3, 1), (ColorType::Rgb, BitDepth::Eight), None, &bytes);
    let read = read_scribbles_on(&path, &image).expect("scribbles");
    assert_eq!(read.labels.values(), [0, 2, 1]);
}
