//! Pictures as files: PNG and JPEG in, PNG out.

mod read;
mod scribbles;
mod write;

pub use read::{PictureFile, read_picture};
pub use scribbles::{Scribbles, read_scribbles};
pub use write::{encode_picture, write_label_image, write_picture};

use std::path::Path;

use crate::{Error, PictureProblem};

/// Pixels that are read at most: 134 megapixels, more than cameras take.
const MAX_PIXELS: u64 = 1 << 27;

/// Refuses a picture by the size that its header claims, before anything of that size is made.
fn check_size(path: &Path, width: u32, height: u32) -> crate::Result<()> {
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(problem(
            path,
            PictureProblem::TooLarge {
                width,
                height,
                most: MAX_PIXELS,
            },
        ));
    }
    Ok(())
}

fn problem(path: &Path, problem: PictureProblem) -> Error {
    Error::Picture {
        path: path.to_owned(),
        problem,
    }
}
