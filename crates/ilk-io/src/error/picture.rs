//! What can be wrong with a picture beyond its bytes.

/// What is wrong with a picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PictureProblem {
    /// It has more pixels than are read.
    #[error(
        "the picture is {width} x {height} pixels, and at most {most} pixels are read; make it smaller"
    )]
    TooLarge {
        /// Its width.
        width: u32,
        /// Its height.
        height: u32,
        /// Pixels that are read at most.
        most: u64,
    },
    /// Strokes are of another size than the picture that they are about.
    #[error(
        "the strokes are {} x {} pixels, but the picture is {} x {}; draw them on a copy of the picture",
        found.0, found.1, expected.0, expected.1
    )]
    WrongSize {
        /// Their width and height.
        found: (usize, usize),
        /// Those of the picture.
        expected: (usize, usize),
    },
    /// There is no stroke.
    #[error(
        "there is no stroke; a pixel of value 0 (black or transparent in colour) says nothing, any other \
         value or colour is a stroke"
    )]
    NoStrokes,
    /// There are so many strokes that they must be something else.
    #[error(
        "there are more than {most} values or colours, and each is taken for a stroke of its own; draw \
         strokes with a hard pencil (no smooth edges), and save them as PNG"
    )]
    TooManyStrokes {
        /// Strokes that are read at most.
        most: usize,
    },
    /// There are more segments than a label image can tell apart.
    #[error(
        "there are {found} segments, and the numbers of a label image go up to {most}; ask for fewer, or \
         give the method a longer reach"
    )]
    TooManySegments {
        /// Segments there are.
        found: usize,
        /// Segments that can be numbered.
        most: usize,
    },
}
