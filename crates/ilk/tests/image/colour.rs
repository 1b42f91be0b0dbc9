//! L*a*b* against scikit-image.

use ilk::image::Colour;

/// `skimage.color.rgb2lab` of scikit-image 0.26.0 for bytes of sRGB, its defaults (D65, 2° observer).
const RGB2LAB: [([u8; 3], [f64; 3]); 9] = [
    ([0, 0, 0], [0.0, 0.0, 0.0]),
    ([255, 255, 255], [100.0, -0.002455, 0.004653]),
    ([255, 0, 0], [53.240588, 80.092308, 67.202751]),
    ([0, 255, 0], [87.735099, -86.18303, 83.179703]),
    ([0, 0, 255], [32.295673, 79.185591, -107.8573]),
    ([128, 128, 128], [53.585013, -0.001473, 0.002791]),
    ([1, 2, 3], [0.509825, -0.12249, -0.470496]),
    ([200, 100, 50], [53.629508, 36.305164, 45.380472]),
    ([17, 240, 130], [83.99019, -71.191933, 39.969251]),
];

#[test]
fn lab_is_that_of_scikit_image() {
    for (bytes, expected) in RGB2LAB {
        let found = Colour::lab(bytes.map(|value| f64::from(value) / 255.0));
        for (found, expected) in found.iter().zip(expected) {
            assert!(
                (found - expected).abs() < 2e-6,
                "{bytes:?}: {found} {expected}"
            );
        }
    }
}
