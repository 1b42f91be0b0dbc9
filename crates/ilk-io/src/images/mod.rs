//! Images as files: PNG and JPEG in, PNG out.

mod jpeg;
mod read;
mod scribbles;
mod strokes_on_copy;
mod write;

pub use read::{ImageFile, read_image};
pub use scribbles::{Scribbles, read_scribbles, read_scribbles_on};
pub use write::{encode_png, write_image, write_label_image};

use std::path::Path;

use crate::{Error, ImageProblem};

/// Pixels that are read at most: 134 megapixels, more than cameras take.
const MAX_PIXELS: u64 = 1 << 27;

/// Bytes that a PNG file may take beside its pixels, such as for a packed colour profile: 64 MiB.
const MAX_EXTRAS: usize = 64 << 20;

/// Refuses an image by the size that its header claims, before anything of that size is made.
fn check_size(path: &Path, width: u32, height: u32) -> crate::Result<()> {
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(problem(path, ImageProblem::TooLarge { width, height, most: MAX_PIXELS }));
    }
    Ok(())
}

fn problem(path: &Path, problem: ImageProblem) -> Error {
    Error::Image { path: path.to_owned(), problem }
}
