//! Colours of segments.

/// Colours of which every two differ. The first seven, those of Okabe and Ito without yellow and black, and a brown,
/// differ under each of the three common kinds of colour blindness, and so do the second seven and the last six.
pub const COLORS: [[u8; 3]; 20] = [
    [0x00, 0x72, 0xB2],
    [0xE6, 0x9F, 0x00],
    [0x00, 0x9E, 0x73],
    [0xCC, 0x79, 0xA7],
    [0x56, 0xB4, 0xE9],
    [0xD5, 0x5E, 0x00],
    [0x8B, 0x5A, 0x2B],
    [0x33, 0x00, 0xFF],
    [0x33, 0xDD, 0x00],
    [0xFF, 0x66, 0xFF],
    [0xFF, 0x00, 0x77],
    [0x99, 0x00, 0x88],
    [0x33, 0x55, 0x00],
    [0xFF, 0xBB, 0x88],
    [0x00, 0x66, 0xFF],
    [0xAA, 0xCC, 0x55],
    [0x99, 0x11, 0x22],
    [0x44, 0xDD, 0xDD],
    [0xBB, 0x88, 0xEE],
    [0x66, 0x44, 0x88],
];

/// The golden ratio's fraction of a full turn: multiples of it are spread evenly over the hues.
const GOLDEN_TURN: f64 = 0.618_033_988_749_895;

/// The colour of segment `segment`, counted from 0: first [`COLORS`], then hues a golden angle apart in
/// changing lightness. No two of the first 512 are the same.
pub fn color_of(segment: usize) -> [u8; 3] {
    let Some(number) = segment.checked_sub(COLORS.len()) else {
        return COLORS[segment];
    };
    let hue = (number as f64 * GOLDEN_TURN).fract();
    let lightness = [0.45, 0.65, 0.3, 0.8][number % 4];
    let chroma = [0.85, 0.55, 0.7][number % 3] * f64::min(lightness, 1.0 - lightness);
    // HSL: each channel is a trapezoid over the circle of hues.
    [0.0, 8.0, 4.0].map(|offset| {
        let k = (offset + 12.0 * hue) % 12.0;
        let value = lightness - chroma * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0);
        (255.0 * value).round() as u8
    })
}
