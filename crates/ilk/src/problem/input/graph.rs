//! A graph.

use std::sync::Arc;

use super::SYMMETRY_TOLERANCE;
use crate::numerics::ragged::RaggedRows;
use crate::numerics::union_find::UnionFind;
use crate::{Error, Result, error::check_length, numerics::sparse::Sparse};

/// An undirected weighted graph over at least one node, in compressed sparse rows: the neighbours
/// of a node and the weights of the edges to them, node after node.
///
/// - Weights are positive and finite; an edge of weight 0 is no edge and is dropped.
/// - An edge between two nodes stands in the rows of both, with exactly the same weight.
/// - A self loop is allowed and stands once, in the row of its node: it is the diagonal entry of
///   the adjacency matrix.
/// - The neighbours of a node are sorted, each once.
///
/// ```
/// use ilk::problem::Graph;
///
/// let graph = Graph::from_edges(4, [(2, 0, 1.5), (0, 1, 1.0), (1, 0, 1.0), (3, 3, 2.0)])?;
/// assert_eq!(graph.edges(0), (&[1, 2][..], &[1.0, 1.5][..]));
/// assert_eq!(graph.edges(3), (&[3][..], &[2.0][..]));
/// assert_eq!(graph.n_edges(), 3);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    matrix: Arc<Sparse>,
}

impl Graph {
    /// A graph of `n` nodes from a list of edges.
    ///
    /// (u, v) and (v, u) are the same edge, so an edge may be listed in one direction or in both.
    /// A repetition with the same weight is folded into one edge, as with constraints; with
    /// another weight it is refused, since the sum, the mean and the larger of the two are all
    /// possible meanings. O(n + m log d) for m edges and largest degree d.
    ///
    /// # Errors
    /// [`Error::Empty`] where there are no nodes, [`Error::EdgeOutOfRange`],
    /// [`Error::BadEdgeWeight`], [`Error::DuplicateEdge`], [`Error::TooLarge`]; edges are numbered from 0.
    pub fn from_edges(
        n: usize,
        edges: impl IntoIterator<Item = (usize, usize, f64)>,
    ) -> Result<Self> {
        check_n_nodes(n)?;
        let mut list: Vec<(u32, u32, f64)> = Vec::new();
        for (entry, (u, v, weight)) in edges.into_iter().enumerate() {
            check_edge(entry, u, v, weight, n)?;
            list.push((u as u32, v as u32, weight));
        }
        if u32::try_from(list.len()).is_err() {
            return Err(Error::TooLarge {
                what: "the list of edges",
                bytes: 16 * list.len() as u128,
                instead: "list every edge once; there can be 4,294,967,295",
            });
        }
        // Neighbour, entry and weight together: looking the latter two up in the list would jump
        // through memory once more for every end of an edge.
        let ends = list.iter().enumerate().flat_map(|(entry, &(u, v, w))| {
            let entry = entry as u32;
            let mirrored = (u != v).then_some((v as usize, (u, entry, w)));
            std::iter::once((u as usize, (v, entry, w))).chain(mirrored)
        });
        let ends_at = RaggedRows::new(n, ends);
        let n_ends = 2 * list.len();
        drop(list);

        let mut matrix = Sparse::with_capacity(n, n_ends);
        let mut row: Vec<(u32, u32, f64)> = Vec::new();
        for node in 0..n {
            row.clear();
            row.extend_from_slice(ends_at.row(node));
            row.sort_unstable_by_key(|&(neighbor, entry, _)| (neighbor, entry));
            for same in row.chunk_by(|left, right| left.0 == right.0) {
                let (neighbor, first, weight) = same[0];
                if let Some(&(_, second, second_weight)) = same.iter().find(|end| end.2 != weight) {
                    return Err(Error::DuplicateEdge {
                        u: node,
                        v: neighbor as usize,
                        first: first as usize,
                        second: second as usize,
                        first_weight: weight,
                        second_weight,
                    });
                }
                push_edge(&mut matrix, neighbor as usize, weight);
            }
            matrix.end_row();
        }
        Ok(Self::of_matrix(matrix))
    }

    /// A graph from its compressed sparse rows, as other libraries hold them: the neighbours of
    /// node i are `neighbors[offsets[i]..offsets[i + 1]]`, sorted, each once, and every edge stands
    /// in the rows of both its ends. O(n + m log d).
    ///
    /// The weights of the two directions may differ by [`SYMMETRY_TOLERANCE`] times the larger of
    /// them; both then get their mean.
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::WrongLength`], [`Error::BadOffsets`],
    /// [`Error::EdgeOutOfRange`], [`Error::BadEdgeWeight`], [`Error::UnsortedNeighbors`],
    /// [`Error::Asymmetric`]; edges are numbered by their place in `neighbors`.
    pub fn from_parts(offsets: &[usize], neighbors: &[usize], weights: &[f64]) -> Result<Self> {
        check_offsets(offsets, neighbors.len())?;
        check_length("the list of edge weights", weights.len(), neighbors.len())?;
        let n = offsets.len() - 1;
        let mut matrix = Sparse::with_capacity(n, neighbors.len());
        for node in 0..n {
            let row = offsets[node]..offsets[node + 1];
            for entry in row.clone() {
                check_edge(entry, node, neighbors[entry], weights[entry], n)?;
            }
            if let Some(two) = neighbors[row.clone()].windows(2).find(|two| two[0] >= two[1]) {
                return Err(Error::UnsortedNeighbors { node, neighbor: two[1], previous: two[0] });
            }
            for entry in row {
                push_edge(&mut matrix, neighbors[entry], weights[entry]);
            }
            matrix.end_row();
        }
        symmetrise(&mut matrix)?;
        Ok(Self::of_matrix(matrix))
    }

    fn of_matrix(matrix: Sparse) -> Self {
        let matrix = Arc::new(matrix);
        Self { matrix }
    }

    /// Number of nodes.
    #[allow(clippy::len_without_is_empty, reason = "a graph is never empty")]
    pub fn len(&self) -> usize {
        self.matrix.len()
    }

    /// Number of edges, each counted once, self loops among them.
    pub fn n_edges(&self) -> usize {
        self.each_edge().count()
    }

    /// The neighbours of a node and the weights of the edges to them.
    pub fn edges(&self, node: usize) -> (&[u32], &[f64]) {
        self.matrix.row(node)
    }

    /// Every edge once, self loops among them: its ends, the smaller first, and its weight.
    pub fn each_edge(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        (0..self.len()).flat_map(|u| {
            let later = self.matrix.entries(u).filter(move |&(v, _)| v >= u);
            later.map(move |(v, weight)| (u, v, weight))
        })
    }

    /// The connected component of every node, numbered by their smallest nodes, and how many there
    /// are.
    pub fn components(&self) -> (Vec<usize>, usize) {
        let mut sets = UnionFind::new(self.len());
        for (u, v, _) in self.each_edge() {
            sets.union(u, v);
        }
        sets.components()
    }

    /// The nodes that have no edge with another, ascending.
    pub fn isolated(&self) -> Vec<usize> {
        let is_alone = |&node: &usize| self.edges(node).0.iter().all(|&v| v as usize == node);
        (0..self.len()).filter(is_alone).collect()
    }

    /// The adjacency matrix.
    pub fn matrix(&self) -> &Sparse {
        &self.matrix
    }
}

/// Appends an edge to the row that is being built; an edge of weight 0 is none.
fn push_edge(matrix: &mut Sparse, neighbor: usize, weight: f64) {
    if weight > 0.0 {
        matrix.push(neighbor as u32, weight);
    }
}

/// Gives both directions of every edge their mean. Refuses an edge whose directions differ too much,
/// or of which one is missing.
fn symmetrise(matrix: &mut Sparse) -> Result<()> {
    for node in 0..matrix.len() {
        for position in matrix.offsets()[node]..matrix.offsets()[node + 1] {
            let neighbor = matrix.columns()[position] as usize;
            let mirror = matrix.position(neighbor, node);
            let value = matrix.values()[position];
            let mirrored = mirror.map_or(0.0, |mirror| matrix.values()[mirror]);
            if (value - mirrored).abs() > SYMMETRY_TOLERANCE * value.max(mirrored) {
                return Err(Error::Asymmetric {
                    what: "the graph",
                    row: node,
                    column: neighbor,
                    value,
                    mirrored,
                });
            }
            if let Some(mirror) = mirror {
                let mean = f64::midpoint(value, mirrored);
                matrix.values_mut()[position] = mean;
                matrix.values_mut()[mirror] = mean;
            }
        }
    }
    Ok(())
}

/// Refuses no nodes, and more than 32 bits can number.
fn check_n_nodes(n: usize) -> Result<()> {
    if n == 0 {
        return Err(Error::Empty { rows: 0, columns: 0 });
    }
    if u32::try_from(n).is_err() {
        return Err(Error::TooLarge {
            what: "the graph",
            bytes: 8 * n as u128,
            instead: "leave out nodes; there can be 4,294,967,295",
        });
    }
    Ok(())
}

fn check_edge(entry: usize, u: usize, v: usize, weight: f64, n: usize) -> Result<()> {
    if let Some(node) = [u, v].into_iter().find(|&node| node >= n) {
        return Err(Error::EdgeOutOfRange { entry, node, n });
    }
    if !(weight.is_finite() && weight >= 0.0) {
        return Err(Error::BadEdgeWeight { entry, u, v, weight });
    }
    Ok(())
}

/// Offsets start at 0, never fall and end at the number of neighbours.
fn check_offsets(offsets: &[usize], n_neighbors: usize) -> Result<()> {
    check_n_nodes(offsets.len().saturating_sub(1))?;
    let last = offsets.len() - 1;
    let wrong = (0..offsets.len()).find(|&i| match i {
        0 => offsets[0] != 0,
        _ => offsets[i] < offsets[i - 1] || (i == last && offsets[i] != n_neighbors),
    });
    match wrong {
        None => Ok(()),
        Some(position) => {
            Err(Error::BadOffsets { position, value: offsets[position], n_neighbors })
        }
    }
}
