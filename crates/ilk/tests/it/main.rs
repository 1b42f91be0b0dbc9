//! All integration tests of the engine in one binary: shared parts are built and linked once.

#![allow(missing_docs, reason = "tests are named after what they prove")]

mod affinity;
mod ask;
mod auto;
mod bandwidth_choice;
mod blocks;
mod cms;
mod conformance;
mod exp;
mod explain;
mod flow;
mod fuzz;
mod hmrf_kmeans;
mod image;
mod kernel_kmeans;
mod kmeans;
mod learned_kernel;
mod logdet;
mod mean_shift;
mod memory;
mod mixture;
mod mssc;
mod multilevel;
mod n_clusters;
mod partition_scores;
mod refine;
mod shared;
mod similarity;
mod sparse_axes;
mod spectral;
mod ss_kernel_kmeans;
mod supervision;
mod warnings;
