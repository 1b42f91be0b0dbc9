//! L*a*b* against scikit-image.

use ilk::image::Colour;

/// `skimage.color.rgb2lab` of scikit-image 0.26.0 for bytes of sRGB, its defaults (D65, 2° observer).
const RGB2LAB: [([u8; 3], [f64; 3]); 9] = [
    ([0, 0, 0], [0.0, 0.0, 0.0]),
    ([255, 255, 255], [100.0, -0.002_455, 0.004_653]),
    ([255, 0, 0], [53.240_588, 80.092_308, 67.202_751]),
    ([0, 255, 0], [87.735_099, -86.183_03, 83.179_703]),
    ([0, 0, 255], [32.295_673, 79.185_591, -107.857_3]),
    ([128, 128, 128], [53.585_013, -0.001_473, 0.002_791]),
    ([1, 2, 3], [0.509_825, -0.122_49, -0.470_496]),
    ([200, 100, 50], [53.629_508, 36.305_164, 45.380_472]),
    ([17, 240, 130], [83.990_19, -71.191_933, 39.969_251]),
];

#[test]
fn lab_is_that_of_scikit_image() {
    for (bytes, expected) in RGB2LAB {
        let found = Colour::lab(bytes.map(|value| f64::from(value) / 255.0));
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 2e-6, "{bytes:?}: {found} {expected}");
        }
    }
}
