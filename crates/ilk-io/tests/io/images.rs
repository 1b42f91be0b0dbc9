//! Images in and out.

use std::path::{Path, PathBuf};

use ilk::evaluate::adjusted_rand;
use ilk::group::kmeans::KMeans;
use ilk::image::{Image, LabelMap, Segment, SegmentParams};
use ilk::method::AnyMethod;
use ilk::observe::Silent;
use ilk::parameter::AutoOr;
use ilk_io::{read_image, write_image, write_label_image};
use image::{DynamicImage, GrayImage, ImageBuffer, Luma, LumaA, Rgb, RgbImage, Rgba};

use crate::Folder;

/// The path of a test image, or `None` (with a message) where it is absent.
fn test_image(name: &str) -> Option<PathBuf> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/pd_images").join(name);
    if path.exists() {
        return Some(path);
    }
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let is_required = std::env::var("CI").is_ok_and(|ci| ci == "true") && shared.is_dir();
    assert!(!is_required, "{name} is not in ../shared, which with CI=true must be whole");
    eprintln!("skipped: {name} is not in ../shared");
    None
}

fn saved(folder: &Folder, name: &str, image: impl Into<DynamicImage>) -> PathBuf {
    let path = folder.path(name);
    image.into().save(&path).expect("an image is written");
    path
}

#[test]
fn what_is_written_is_read_back_to_the_bit() {
    let folder = Folder::new();
    for channels in [1, 3] {
        let values = (0..256 * channels).map(|i| (i % 256) as f32 / 255.0);
        let image = Image::new(16, 16, channels, values.collect()).expect("an image");
        let path = folder.path("written.png");
        write_image(&path, &image).expect("written");
        let read = read_image(&path).expect("read");
        assert_eq!(read.image, image);
        assert_eq!((read.transparent, read.turned), (0, false));
    }
}

#[test]
fn images_of_8_and_16_bits_in_grey_and_colour_have_values_from_0_to_1() {
    let folder = Folder::new();
    let grey = GrayImage::from_fn(2, 1, |x, _| Luma([255 * x as u8]));
    let read = read_image(saved(&folder, "grey.png", grey)).expect("read");
    assert_eq!((read.image.channels(), read.image.values()), (1, &[0.0, 1.0][..]));

    let deep: ImageBuffer<Luma<u16>, Vec<u16>> =
        ImageBuffer::from_fn(2, 1, |x, _| Luma([13107 + x as u16]));
    let read = read_image(saved(&folder, "deep.png", deep)).expect("read");
    assert_eq!(read.image.values(), [0.2, 13108.0 / 65535.0]);

    let deep: ImageBuffer<Rgb<u16>, Vec<u16>> = ImageBuffer::from_pixel(1, 1, Rgb([65535, 0, 257]));
    let read = read_image(saved(&folder, "colour.png", deep)).expect("read");
    assert_eq!(read.image.values(), [1.0, 0.0, 1.0 / 255.0]);
}

#[test]
fn jpeg_is_known_by_its_bytes_whatever_its_name() {
    let folder = Folder::new();
    let flat = RgbImage::from_pixel(16, 16, Rgb([200, 100, 50]));
    let jpeg = saved(&folder, "flat.jpg", flat);
    let renamed = folder.path("flat.png");
    std::fs::rename(jpeg, &renamed).expect("renamed");
    let read = read_image(renamed).expect("read").image;
    for (value, expected) in read.pixel(100).iter().zip([200.0, 100.0, 50.0]) {
        assert!((255.0 * value - expected).abs() < 3.0, "{value}");
    }
}

#[test]
fn what_is_transparent_is_laid_on_white_and_counted() {
    let folder = Folder::new();
    let colour: ImageBuffer<Rgba<u8>, Vec<u8>> =
        ImageBuffer::from_fn(3, 1, |x, _| Rgba([255, 0, 0, [255, 0, 51][x as usize]]));
    let read = read_image(saved(&folder, "colour.png", colour)).expect("read");
    assert_eq!(read.transparent, 2);
    assert_eq!(read.image.pixel(0), [1.0, 0.0, 0.0]);
    assert_eq!(read.image.pixel(1), [1.0, 1.0, 1.0]);
    assert_eq!(read.image.pixel(2), [1.0, 0.8, 0.8]);
    let grey: ImageBuffer<LumaA<u8>, Vec<u8>> = ImageBuffer::from_pixel(1, 1, LumaA([0, 0]));
    let read = read_image(saved(&folder, "grey.png", grey)).expect("read");
    assert_eq!((read.image.values(), read.transparent), (&[1.0][..], 1));
}

#[test]
fn label_images_have_8_bits_up_to_255_segments_and_16_above() {
    let folder = Folder::new();
    let path = folder.path("labels.png");
    for largest in [255_u32, 256, 65_535] {
        let values: Vec<u32> = vec![0, 1, largest - 1, largest];
        let labels = LabelMap::new(2, 2, values.clone()).expect("a map");
        write_label_image(&path, &labels).expect("written");
        let read = image::open(&path).expect("read");
        let read: Vec<u32> = match read {
            DynamicImage::ImageLuma8(image) if largest == 255 => {
                image.into_raw().into_iter().map(u32::from).collect()
            }
            DynamicImage::ImageLuma16(image) if largest > 255 => {
                image.into_raw().into_iter().map(u32::from).collect()
            }
            other => panic!("{largest}: {:?}", other.color()),
        };
        assert_eq!(read, values);
    }
}

#[test]
fn more_segments_than_16_bits_can_number_are_refused() {
    let folder = Folder::new();
    let path = folder.path("labels.png");
    let labels = LabelMap::new(300, 300, (0..90_000).collect()).expect("a map");
    assert_eq!(
        folder.message(write_label_image(&path, &labels)),
        "labels.png: there are 89999 segments, and the numbers of a label image go up to 65535; ask for fewer, \
         or give the method a larger bandwidth"
    );
    assert!(!path.exists());
}

#[test]
fn what_is_no_image_is_refused_in_words() {
    let folder = Folder::new();
    let kind = "the file is damaged or of another kind";
    assert_eq!(
        folder.message(read_image(folder.file("empty.png", b""))),
        format!("empty.png: cannot be read as PNG or JPEG: the file is empty; {kind}")
    );
    assert_eq!(
        folder.message(read_image(folder.file("text.png", b"not an image at all"))),
        format!(
            "text.png: cannot be read as PNG or JPEG: its first bytes are those of neither; {kind}"
        )
    );
    assert_eq!(
        folder.message(read_image(folder.path("nothing.png"))),
        "nothing.png: there is no such file; check the name and the folder"
    );
    let flat = saved(&folder, "flat.png", GrayImage::from_pixel(9, 9, Luma([7])));
    let bytes = std::fs::read(flat).expect("bytes");
    let half = folder.file("half.png", &bytes[..bytes.len() / 2]);
    let damaged = folder.message(read_image(half));
    assert!(damaged.starts_with("half.png: cannot be read as PNG or JPEG: "), "{damaged}");
    // A header that claims 100,000 x 100,000 pixels is not believed.
    let mut huge = bytes;
    huge[16..24].copy_from_slice(&[0, 1, 0x86, 0xA0, 0, 1, 0x86, 0xA0]);
    let crc = crc(&huge[12..29]);
    huge[29..33].copy_from_slice(&crc.to_be_bytes());
    assert_eq!(
        folder.message(read_image(folder.file("huge.png", huge))),
        "huge.png: the image is 100000 x 100000 pixels, and at most 134217728 pixels are read; make it smaller"
    );
}

/// A picture that is no plain colour, so that its coded data are longer than its head.
fn chequered(size: u32) -> GrayImage {
    GrayImage::from_fn(size, size, |x, y| Luma([((x * 7) ^ (y * 13)) as u8]))
}

#[test]
fn a_jpeg_that_is_cut_off_is_refused_wherever_it_ends() {
    let folder = Folder::new();
    let whole = std::fs::read(saved(&folder, "whole.jpg", chequered(64))).expect("bytes");
    let mut followed = whole.clone();
    followed.extend_from_slice(b"what cameras append");
    for (name, bytes) in [("again.jpg", &whole), ("followed.jpg", &followed)] {
        read_image(folder.file(name, bytes)).expect("the whole picture is there");
    }
    for share in [30, 50, 75, 90, 99] {
        let cut = folder.file("cut.jpg", &whole[..whole.len() * share / 100]);
        let message = folder.message(read_image(cut));
        assert!(message.starts_with("cut.jpg: cannot be read as PNG or JPEG: "), "{message}");
    }
    let cut = folder.file("cut.jpg", &whole[..whole.len() * 9 / 10]);
    assert_eq!(
        folder.message(read_image(cut)),
        "cut.jpg: cannot be read as PNG or JPEG: the picture ends before its last row; the file is cut off; \
         the file is damaged or of another kind"
    );
}

#[test]
fn a_small_jpeg_that_claims_to_be_large_is_refused_before_it_is_unpacked() {
    let folder = Folder::new();
    let mut bytes = std::fs::read(saved(&folder, "small.jpg", chequered(16))).expect("bytes");
    let frame = bytes.windows(2).position(|two| two == [0xff, 0xc0]).expect("a frame");
    bytes[frame + 5..frame + 9].copy_from_slice(&[0x27, 0x10, 0x27, 0x10]);
    let message = folder.message(read_image(folder.file("large.jpg", &bytes)));
    let expected = format!(
        "large.jpg: cannot be read as PNG or JPEG: {} bytes cannot hold 100000000 pixels; the file is cut off or \
         damaged; the file is damaged or of another kind",
        bytes.len()
    );
    assert_eq!(message, expected);
}

/// The check sum of a chunk of a PNG file.
fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        let start = crc ^ u32::from(*byte);
        (0..8).fold(start, |crc, _| (crc >> 1) ^ (0xEDB8_8320 * (crc & 1)))
    };
    !bytes.iter().fold(u32::MAX, step)
}

#[test]
fn pools_of_a_photo_have_nearly_the_segments_of_its_pixels() {
    let Some(path) = test_image("chelsea.png") else {
        return;
    };
    let cat = read_image(path).expect("a cat").image;
    let params = KMeans { n_clusters: 6.into(), ..KMeans::default() };
    let all = Segment::new(AnyMethod::KMeans(params));
    let pooled = Segment {
        params: SegmentParams { max_pixels: AutoOr::Fixed(50_000), ..SegmentParams::default() },
        ..all.clone()
    };
    let all = all.fit(&cat, None, &Silent).expect("segments");
    let pooled = pooled.fit(&cat, None, &Silent).expect("segments");
    assert!(all.pooled.is_none());
    assert!(pooled.pooled.is_some_and(|pooled| pooled.pools <= 50_000));
    let score = adjusted_rand(all.labels.values(), pooled.labels.values()).expect("one size");
    // 0.938: 2.6% of the pixels are in another segment.
    assert!(score > 0.92, "{score}");
}
