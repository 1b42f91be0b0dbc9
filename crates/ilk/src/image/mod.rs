//! Pictures: pixels become points, and their groups a picture again.
//!
//! A pixel is a point with its colour and its place as coordinates ([`Colour`]), so that any method on
//! points finds segments: regions of similar colour that lie together. [`Segment`] holds what is asked,
//! its `fit` gives a [`Segmentation`]. What a person said comes as scribbles, a [`LabelMap`] of strokes
//! that must be told apart.
//!
//! Where there are more pixels than a method should be given, they are pooled first (`pools.rs`):
//! each takes the best of nine pools around it, the pools are grouped, and every pixel has the segment
//! of its pool. So memory is bounded, and edges are as sharp as the picture.
//!
//! This module stands behind [`method`](crate::method): it uses all stations, and none uses it.

mod colour;
mod draw;
mod label_map;
pub mod palette;
mod picture;
mod pools;
mod scribbles;
mod segment;
mod segmentation;

pub use colour::Colour;
pub use label_map::LabelMap;
pub use picture::Picture;
pub use segment::{METHOD, METHOD_WITH_SCRIBBLES, Segment, method_for_pictures};
pub use segmentation::{Pooled, Segmentation, Strokes};
