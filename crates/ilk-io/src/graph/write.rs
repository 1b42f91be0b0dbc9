//! Writing the edges of a graph.

use std::io::{self, Write};

use ilk::problem::Graph;

/// Writes the edges of a graph, each once, as CSV with `u,v,weight`; `ids` name the nodes. Weights are
/// read back to the bit.
///
/// ```
/// let graph = ilk::problem::Graph::from_edges(3, [(0, 1, 0.5), (2, 1, 2.0)])?;
/// let ids = ["a", "b", "c"].map(str::to_owned);
/// let mut out = Vec::new();
/// ilk_io::write_edges(&graph, &ids, &mut out)?;
/// assert_eq!(out, b"u,v,weight\na,b,0.5\nb,c,2\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of `out`.
pub fn write_edges(graph: &Graph, ids: &[String], out: &mut dyn Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["u", "v", "weight"])?;
    for (u, v, weight) in graph.each_edge() {
        csv.write_record([&ids[u], &ids[v], &weight.to_string()])?;
    }
    csv.flush()
}
