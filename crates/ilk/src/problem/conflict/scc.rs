//! Strongly connected components.

use crate::numerics::ragged::RaggedRows;

/// The strongly connected component of every node: two nodes share a number where each can be
/// reached from the other. `successors` holds the heads of the edges of every node.
///
/// Tarjan's algorithm (1972) with an explicit stack: O(nodes + edges), and no depth of the graph
/// can overflow anything.
pub(super) fn strongly_connected(n: usize, successors: &RaggedRows) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let mut order = vec![UNSEEN; n];
    let mut lowest = vec![0; n];
    let mut component_of = vec![UNSEEN; n];
    let mut n_components = 0;
    let mut n_seen = 0;
    // Nodes seen whose component is still open, and the path being walked: a node and how many of
    // its edges have been followed.
    let mut open: Vec<usize> = Vec::new();
    let mut path: Vec<(usize, usize)> = Vec::new();

    for root in 0..n {
        if order[root] != UNSEEN {
            continue;
        }
        path.push((root, 0));
        while let Some((node, followed)) = path.pop() {
            if followed == 0 {
                order[node] = n_seen;
                lowest[node] = n_seen;
                n_seen += 1;
                open.push(node);
            }
            if let Some(&next) = successors.row(node).get(followed) {
                path.push((node, followed + 1));
                if order[next] == UNSEEN {
                    path.push((next, 0));
                } else if component_of[next] == UNSEEN {
                    lowest[node] = lowest[node].min(order[next]);
                }
                continue;
            }
            if lowest[node] == order[node] {
                while let Some(member) = open.pop() {
                    component_of[member] = n_components;
                    if member == node {
                        break;
                    }
                }
                n_components += 1;
            }
            if let Some(&(parent, _)) = path.last() {
                lowest[parent] = lowest[parent].min(lowest[node]);
            }
        }
    }
    component_of
}
