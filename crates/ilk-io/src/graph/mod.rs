//! A graph, read from a list of its edges.
//!
//! | file | an edge is |
//! |---|---|
//! | `.csv`, `.tsv`, `.jsonl`, `.parquet` | a row with columns `u`, `v` and, if there are weights, `weight`; other columns are passed over |
//! | any other | a line of two ids and, if there are weights, a number, with blanks between; lines that start with `#` or `%` are comments |
//!
//! Both may be packed with gzip. For `u` and `v` also `source,target`, `from,to`, `src,dst`, `id_a,id_b`,
//! `id_1,id_2` and `node_1,node_2` are read. Ids are text, whatever they look like.

mod edges;
mod nodes;
mod write;

use std::path::{Path, PathBuf};

use ilk::problem::Graph;
use serde::{Deserialize, Serialize};

use crate::error::{GraphProblem, Position};
use crate::{Error, Result};
use edges::Edges;
use nodes::Nodes;
pub use write::write_edges;

/// How a graph is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GraphOptions {
    /// A table with the `id` of every node, for nodes without edges or for their order; otherwise the
    /// nodes are those that edges name, in the order of their first appearance.
    pub nodes: Option<PathBuf>,
}

/// A graph that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphFile {
    /// The file it came from.
    pub path: PathBuf,
    /// The id of every node; unique.
    pub ids: Vec<String>,
    /// The graph over them.
    pub graph: Graph,
}

/// Reads a graph from a list of its edges, each in one direction or in both. An edge without a weight
/// has weight 1. An edge that is listed again with the same weight is one edge; with another it is
/// refused.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("edges.csv");
/// std::fs::write(&path, "u,v,weight\nann,bob,2\nbob,cat,0.5\nbob,ann,2\n")?;
/// let file = ilk_io::read_graph(&path, &ilk_io::GraphOptions::default())?;
/// assert_eq!(file.ids, ["ann", "bob", "cat"]);
/// assert_eq!(file.graph.edges(1), (&[0, 2][..], &[2.0, 0.5][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_graph(path: impl AsRef<Path>, options: &GraphOptions) -> Result<GraphFile> {
    let path = path.as_ref();
    let mut nodes = match &options.nodes {
        Some(path) => Nodes::read(path)?,
        None => Nodes::default(),
    };
    let mut list = Edges::open(path)?;
    let mut edges: Vec<(u32, u32, f64)> = Vec::new();
    while let Some(edge) = list.next()? {
        let u = nodes.number(edge.u, path, edge.position)?;
        let v = nodes.number(edge.v, path, edge.position)?;
        edges.push((u, v, edge.weight));
    }
    if edges.is_empty() {
        return Err(GraphProblem::NoEdges { path: path.to_owned() }.into());
    }
    let ids = nodes.into_ids();
    let edges = edges.into_iter();
    let edges = edges.map(|(u, v, weight)| (u as usize, v as usize, weight));
    let graph = Graph::from_edges(ids.len(), edges).map_err(|error| explain(error, path, &ids))?;
    Ok(GraphFile { path: path.to_owned(), ids, graph })
}

/// The engine counts nodes and edges; a person looks for ids and lines.
fn explain(error: ilk::Error, path: &Path, ids: &[String]) -> Error {
    match error {
        ilk::Error::DuplicateEdge { u, v, first, second, first_weight, second_weight } => {
            GraphProblem::TwoEdgeWeights {
                path: path.to_owned(),
                u: ids[u].clone(),
                v: ids[v].clone(),
                first: position_of(path, first),
                second: position_of(path, second),
                first_weight,
                second_weight,
            }
            .into()
        }
        other => Error::InFile { path: path.to_owned(), source: Box::new(other) },
    }
}

/// Where an edge stands. The file is read again for it, so that the lines of millions of edges need not
/// be held for the rare case; what can be read only once, such as a pipe, leaves the number of the edge.
fn position_of(path: &Path, entry: usize) -> Position {
    let look = || -> Result<Option<Position>> {
        let mut list = Edges::open(path)?;
        for _ in 0..entry {
            list.next()?;
        }
        Ok(list.next()?.map(|edge| edge.position))
    };
    let found = look().ok().flatten();
    found.unwrap_or(Position::Row(entry as u64))
}
