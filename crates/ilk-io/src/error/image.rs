//! What can be wrong with an image beyond its bytes.

/// What is wrong with an image.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImageProblem {
    /// It has more pixels than are read.
    #[error(
        "the image is {width} x {height} pixels, and at most {most} pixels are read; make it smaller"
    )]
    TooLarge {
        /// Its width.
        width: u32,
        /// Its height.
        height: u32,
        /// Pixels that are read at most.
        most: u64,
    },
    /// Scribbles are of another size than the image that they are about.
    #[error(
        "the scribbles are {} x {} pixels, but the image is {} x {}; draw them on a copy of the image",
        found.0, found.1, expected.0, expected.1
    )]
    WrongSize {
        /// Their width and height.
        found: (usize, usize),
        /// Those of the image.
        expected: (usize, usize),
    },
    /// There is no scribble.
    #[error(
        "there is no scribble; a pixel of value 0 (black or transparent in colour) says nothing, any other \
         value or colour is a scribble"
    )]
    NoScribbles,
    /// There are so many scribbles that they must be something else.
    #[error(
        "there are more than {most} values or colours, and each is taken for a scribble of its own; draw \
         scribbles with a hard pencil (no smooth edges), and save them as PNG"
    )]
    TooManyScribbles {
        /// Scribbles that are read at most.
        most: usize,
    },
    /// There are more segments than a label image can tell apart.
    #[error(
        "there are {found} segments, and the numbers of a label image go up to {most}; ask for fewer, or \
         give the method a larger bandwidth"
    )]
    TooManySegments {
        /// Segments there are.
        found: usize,
        /// Segments that can be numbered.
        most: usize,
    },
}
