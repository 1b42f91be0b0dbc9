//! Semi-supervised kernel k-means against its definition, all partitions of small graphs, and recorded
//! runs.

mod cases;
mod enforced;
mod golden;
mod method;
mod objectives;
