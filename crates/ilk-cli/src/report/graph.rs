//! The clusters of a graph: their cuts and their nodes.

use super::html::{cluster_name, note, section, table};
use crate::graph_clusters::GraphClusters;
use crate::graph_summary;
use crate::run::Run;
use crate::text::{count, counted, escape, number, short};

/// Clusters that are listed.
const MAX_CLUSTERS: usize = 50;

/// Cut, conductance and modularity by cluster; nothing for points.
pub(super) fn section_of(run: &Run) -> String {
    let Some(graph) = graph_summary::graph(run.loaded.problem.input()) else {
        return String::new();
    };
    let found = GraphClusters::new(graph, run.labels(), run.fit.clustering.n_clusters);
    let mut order: Vec<usize> = (0..found.clusters.len()).collect();
    order.sort_by_key(|&cluster| std::cmp::Reverse(found.clusters[cluster].size));
    let rows = order.iter().take(MAX_CLUSTERS).map(|&cluster| {
        let it = &found.clusters[cluster];
        let central = it.central.iter().map(|&node| escape(&short(&run.ids()[node], 40)));
        vec![
            cluster_name(Some(cluster)),
            count(it.size),
            number(it.cut),
            format!("{:.3}", it.conductance),
            format!("{:.3}", it.modularity),
            central.collect::<Vec<_>>().join(", "),
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let head = ["cluster", "nodes", "cut", "conductance", "modularity", "busiest nodes"];
    let mut body = format!(
        "<p>Edges of weight {} join different clusters; the modularity is {:.3}. The cut of a cluster is the weight of its edges \
         to other nodes, its conductance the cut over the weight of all its edges (or of those of all other nodes, if that is \
         less). Its busiest nodes have most weight inside it.</p>\n{}",
        number(found.cut),
        found.modularity,
        table(&head, &rows),
    );
    if order.len() > MAX_CLUSTERS {
        let more = counted(order.len() - MAX_CLUSTERS, "smaller cluster");
        body.push_str(&note(&format!("and {more}")));
    }
    section("Clusters as parts of the graph", &body)
}
