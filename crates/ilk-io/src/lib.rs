//! File formats of ilk, in and out, and a whole run as one value.
//!
//! | what | read | written |
//! |---|---|---|
//! | data | [`read_table`], [`read_graph`] | [`write_edges`] |
//! | constraints | [`read_pairs`], [`read_triplets`], [`read_labels`], [`ConstraintFiles`] | [`write_pairs`] |
//! | answers, one at a time | [`AnswerFile`] | [`AnswerFile`] |
//! | images, and scribbles on them | [`read_image`], [`read_scribbles`], [`read_scribbles_on`] | [`write_image`], [`write_label_image`] |
//! | clusters | [`read_partition`], [`match_partitions`] | [`write_clusters`] |
//! | models | [`load_model`] | [`save_model`] |
//! | runs | [`Recipe::read`] | [`Recipe::write`] |
//!
//! Every [`Error`] says what is wrong, where, and what to do. Files are written by [`write_file`],
//! which never leaves half a file behind.

mod answers;
mod clusters;
mod constraints;
mod error;
mod graph;
mod images;
mod limit;
mod model;
mod parameter;
mod partition;
mod recipe;
mod records;
mod scale;
mod source;
mod table;
mod timestamp;
mod write;

pub use answers::{
    AnswerFile, AnswerRecord, BatchColumns, OpenedAnswers, read_batch, write_answers, write_batch,
};
pub use clusters::{Clusters, write_clusters};
pub use constraints::{
    ConstraintFiles, Context, Contradiction, Summary, contradictions_in, read_labels, read_pairs,
    read_triplets, write_pairs,
};
pub use error::{
    ArrayProblem, ConstraintProblem, Error, GraphProblem, ImageProblem, ModelProblem, Place,
    Position, Result, Vocabulary,
};
pub use graph::{GraphFile, GraphOptions, read_graph, write_edges};
pub use images::{
    ImageFile, Scribbles, encode_png, read_image, read_scribbles, read_scribbles_on, write_image,
    write_label_image,
};
pub use limit::{MAX_UNPACKED, set_max_unpacked};
pub use model::{MODEL_FORMAT, SavedModel, load_model, save_model};
pub use parameter::set_parameter;
pub use partition::{Matched, Partition, PartitionOptions, match_partitions, read_partition};
pub use recipe::{Loaded, LoadedData, Outputs, Recipe};
pub use scale::{Scale, Scaling};
pub use table::{Columns, Missing, Rows, Table, TableNote, TableOptions, is_array, read_table};
pub use timestamp::{now, timestamp};
pub use write::{files_written, folder_of, remove_temporaries, resolve, write_file};

// The page for Rust users, as doc tests: here, because it also saves a model.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/rust.md")]
struct RustPage;
