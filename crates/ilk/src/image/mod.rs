//! Segmentation of images: pixels become points, and the groups of points segments.
//!
//! A pixel is a point with its colour ([`Colour`]) and its position as coordinates, so that any method on
//! points finds segments: connected regions of similar colour. [`Segment`] holds the parameters, its `fit` gives
//! a [`Segmentation`]. Constraints are scribbles: a [`LabelMap`] of marks that must be in different
//! segments.
//!
//! Where there are more pixels than a method can take, they are pooled into superpixels first
//! (`superpixels.rs`), which are grouped; a pixel has the segment of its superpixel. This bounds memory, and
//! boundaries are as sharp as the image.
//!
//! Regions of few pixels then go to the segment around them (`specks.rs`).
//!
//! This module stands behind [`method`](crate::method): it uses all stages, and none uses it.

mod colour;
mod draw;
mod label_map;
pub mod palette;
mod pixels;
mod scribbles;
mod segment;
mod segmentation;
mod specks;
mod superpixels;

pub use colour::Colour;
pub use label_map::LabelMap;
pub use pixels::Image;
pub use segment::{
    DEFAULT_METHOD, DEFAULT_METHOD_WITH_SCRIBBLES, Segment, SegmentParams, method_for_images,
};
pub use segmentation::{ScribbleReport, Segmentation, SuperpixelReport};
