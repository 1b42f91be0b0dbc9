//! What a graph looks like as a whole.

use ilk::problem::{Graph, Input};
use serde::Serialize;

use crate::run::Run;
use crate::terminal;
use crate::text::{count, counted};

/// Nodes that a warning names.
const NAMED: usize = 3;

/// The size and the parts of a graph.
#[derive(Debug, Serialize)]
pub(crate) struct GraphSummary {
    pub(crate) n_nodes: usize,
    pub(crate) n_edges: usize,
    pub(crate) n_components: usize,
    /// The nodes that no edge joins with another.
    #[serde(skip)]
    isolated: Vec<usize>,
}

impl GraphSummary {
    /// Of the input of a run; nothing where that is no graph.
    pub(crate) fn of(input: &Input) -> Option<Self> {
        graph(input).map(Self::of_graph)
    }

    pub(crate) fn of_graph(graph: &Graph) -> Self {
        Self {
            n_nodes: graph.len(),
            n_edges: graph.n_edges(),
            n_components: graph.components().1,
            isolated: graph.isolated(),
        }
    }

    /// `2 nodes have no edge to another ("a", "b")`; nothing where all have one.
    pub(crate) fn isolated(&self, ids: &[String]) -> Option<String> {
        let count = self.isolated.len();
        let named = self.isolated.iter().take(NAMED);
        let mut named: Vec<String> = named.map(|&node| format!("{:?}", ids[node])).collect();
        if count > NAMED {
            named.push("...".to_owned());
        }
        let have = if count == 1 { "has" } else { "have" };
        let nodes = counted(count, "node");
        (count > 0).then(|| format!("{nodes} {have} no edge to another ({})", named.join(", ")))
    }

    /// `34 nodes, 78 edges, 1 component`.
    pub(crate) fn describe(&self) -> String {
        let edges = counted(self.n_edges, "edge");
        let components = counted(self.n_components, "component");
        format!("{}, {edges}, {components}", counted(self.n_nodes, "node"))
    }
}

/// The graph of an input.
pub(crate) fn graph(input: &Input) -> Option<&Graph> {
    match input {
        Input::Graph(graph) => Some(graph),
        _ => None,
    }
}

/// Warns of parts that edges do not join.
pub(crate) fn warn(run: &Run) {
    let Some(graph_summary) = &run.graph_summary else {
        return;
    };
    if let Some(isolated) = graph_summary.isolated(run.ids()) {
        terminal::warn(format!(
            "{isolated}; nothing but answers can say where such a node belongs"
        ));
    }
    let clusters = run.fit.clustering.n_clusters;
    let components = graph_summary.n_components - graph_summary.isolated.len();
    if components > clusters {
        terminal::warn(format!(
            "the graph falls into {} components of two nodes or more, but there are {}; to part components \
             cuts no edge, so small ones may take up clusters: leave them out, or ask for more clusters",
            count(components),
            counted(clusters, "cluster"),
        ));
    }
}
