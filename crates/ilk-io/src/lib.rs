//! File formats of ilk, in and out, and a whole run as one value.
//!
//! | what | read | written |
//! |---|---|---|
//! | data | [`read_table`], [`read_graph`] | |
//! | what a person said | [`read_pairs`], [`read_triplets`], [`read_labels`], [`ConstraintFiles`] | |
//! | pictures, and strokes on them | [`read_picture`], [`read_scribbles`] | [`write_picture`], [`write_label_image`] |
//! | clusters | [`read_partition`], [`match_partitions`] | [`write_clusters`] |
//! | models | [`load_model`] | [`save_model`] |
//! | runs | [`Recipe::read`] | [`Recipe::write`] |
//!
//! Every [`Error`] says what is wrong, where, and what to do. Files are written by [`write_file`],
//! which never leaves half a file behind.

mod clusters;
mod constraints;
mod error;
mod graph;
mod model;
mod parameter;
mod partition;
mod picture;
mod recipe;
mod records;
mod scale;
mod source;
mod table;
mod write;

pub use clusters::{Clusters, write_clusters};
pub use constraints::{ConstraintFiles, Context, Summary, read_labels, read_pairs, read_triplets};
pub use error::{Error, PictureProblem, Place, Position, Result, Vocabulary};
pub use graph::{GraphFile, GraphOptions, read_graph, write_edges};
pub use model::{MODEL_FORMAT, SavedModel, load_model, save_model};
pub use parameter::set_parameter;
pub use partition::{Matched, Partition, PartitionOptions, match_partitions, read_partition};
pub use picture::{
    PictureFile, Scribbles, encode_picture, read_picture, read_scribbles, write_label_image,
    write_picture,
};
pub use recipe::{Data, Loaded, Outputs, Recipe};
pub use scale::{Scale, Scaling};
pub use table::{Columns, Table, TableOptions, is_array, read_table};
pub use write::write_file;
