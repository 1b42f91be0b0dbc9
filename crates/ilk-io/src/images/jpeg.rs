//! What the decoder of JPEG files forgives and we do not: data that end early, which it fills up with grey.

/// Start and end of the image, and start of a scan.
const SOI: u8 = 0xd8;
const EOI: u8 = 0xd9;
const SOS: u8 = 0xda;

/// The markers that may stand within coded data.
const RESTARTS: std::ops::RangeInclusive<u8> = 0xd0..=0xd7;

/// Pixels that a byte of coded data can stand for: every block of 8 x 8 takes a bit at least.
const MAX_PIXELS_A_BYTE: u64 = 8 * 64;

/// Whether these are the first bytes of a JPEG file.
pub(super) fn is_jpeg(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xff, SOI])
}

/// Why a file cannot hold a picture of this many pixels: it is too short, or it ends before the picture does.
pub(super) fn fault(bytes: &[u8], pixels: u64) -> Option<String> {
    let size = bytes.len() as u64;
    if size.saturating_mul(MAX_PIXELS_A_BYTE) < pixels {
        return Some(format!(
            "{size} bytes cannot hold {pixels} pixels; the file is cut off or damaged"
        ));
    }
    let ends = "the picture ends before its last row; the file is cut off";
    (!reaches_the_end(bytes)).then(|| ends.to_owned())
}

/// Whether the markers of the file lead to that of its end.
fn reaches_the_end(bytes: &[u8]) -> bool {
    let mut at = 2;
    loop {
        // A marker, before which there may be any number of bytes 0xff.
        let Some(&[before, marker]) = bytes.get(at..at + 2).and_then(|two| two.first_chunk())
        else {
            return false;
        };
        match (before, marker) {
            (0xff, EOI) => return true,
            (0xff, 0xff) => at += 1,
            (0xff, _) => {
                let Some(length) = bytes.get(at + 2..at + 4).and_then(|two| two.first_chunk())
                else {
                    return false;
                };
                at += 2 + usize::from(u16::from_be_bytes(*length));
                if marker == SOS {
                    at = end_of_scan(bytes, at);
                }
            }
            // What stands between segments is skipped, as decoders do.
            _ => at += 1,
        }
    }
}

/// The place of the first marker after coded data, or the end of the file.
fn end_of_scan(bytes: &[u8], start: usize) -> usize {
    let is_marker =
        |two: &[u8]| two[0] == 0xff && !matches!(two[1], 0 | 0xff) && !RESTARTS.contains(&two[1]);
    let coded = bytes.get(start..).unwrap_or_default();
    coded.windows(2).position(is_marker).map_or(bytes.len(), |offset| start + offset)
}
