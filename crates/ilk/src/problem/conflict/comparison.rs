//! Comparisons that go round in a circle.

use std::collections::VecDeque;

use super::super::rows::Rows;
use super::super::{ConstraintKind, Constraints};
use super::scc::strongly_connected;

/// One comparison of two distances: d(`from`) < d(`to`), or equal where it is not strict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comparison {
    /// The two points with the smaller distance, sorted.
    pub from: [usize; 2],
    /// The two points with the larger distance, sorted.
    pub to: [usize; 2],
    /// Whether the distance is smaller; it is about equal otherwise.
    pub strict: bool,
    /// The kind of the constraint that says so.
    pub kind: ConstraintKind,
    /// Which, an index into the list of that kind.
    pub entry: usize,
}

/// Comparisons that cannot all hold: d(a, b) < d(a, c) = ... < d(a, b).
///
/// Comparisons are a directed graph over unordered pairs of points. An odd-one-out (a, b | c) says
/// d(a, b) < d(a, c) and d(a, b) < d(b, c); closer (a: b, c) says d(a, b) < d(a, c); about-equal
/// says that three distances are equal, which is an edge each way. They contradict each other
/// exactly where a strict edge lies inside a strongly connected component, and each such component
/// is reported once, by a shortest cycle through a strict edge of it.
///
/// The shortest over all strict edges of a component takes a breadth-first search for each, so the
/// searches together may look at ten million edges: enough for any set of some thousands of
/// comparisons. In a larger tangle each component still has one search, and the shortest cycle
/// that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cycle {
    /// The comparisons, each starting where the one before ends, the last leading to the start of
    /// the first. The first is strict.
    pub steps: Vec<Comparison>,
}

/// Edges that all searches together may look at beyond the first search of each component.
const SEARCH_BUDGET: usize = 10_000_000;

/// A shortest contradictory cycle for every strongly connected component that has one, in the order
/// of the first strict comparison of each.
pub(super) fn cycles(said: &Constraints) -> Vec<Cycle> {
    let graph = DistanceGraph::new(said);
    let component_of = strongly_connected(graph.nodes.len(), &graph.successors());
    let mut strict_edges: Vec<usize> = (0..graph.edges.len())
        .filter(|&edge| {
            let (from, to) = graph.ends[edge];
            graph.edges[edge].strict && component_of[from] == component_of[to]
        })
        .collect();
    let component = |edge: usize| component_of[graph.ends[edge].0];
    strict_edges.sort_by_key(|&edge| component(edge));
    let mut groups: Vec<&[usize]> = strict_edges
        .chunk_by(|&a, &b| component(a) == component(b))
        .collect();
    groups.sort_by_key(|group| group[0]);

    let mut search = Search::new(&graph, &component_of);
    groups
        .into_iter()
        .filter_map(|group| search.shortest_cycle(group))
        .map(|edges| Cycle {
            steps: edges.into_iter().map(|edge| graph.edges[edge]).collect(),
        })
        .collect()
}

/// Pairs of points as nodes, comparisons as edges.
struct DistanceGraph {
    nodes: Vec<[usize; 2]>,
    edges: Vec<Comparison>,
    /// The nodes at the two ends of every edge.
    ends: Vec<(usize, usize)>,
    /// The edges that leave every node.
    leaving: Rows,
}

impl DistanceGraph {
    fn new(said: &Constraints) -> Self {
        let edges = comparisons(said);
        let mut nodes: Vec<[usize; 2]> = edges.iter().flat_map(|e| [e.from, e.to]).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let node = |pair: &[usize; 2]| nodes.partition_point(|known| known < pair);
        let ends: Vec<(usize, usize)> = edges
            .iter()
            .map(|edge| (node(&edge.from), node(&edge.to)))
            .collect();
        let leaving = Rows::new(
            nodes.len(),
            ends.iter().enumerate().map(|(e, &(from, _))| (from, e)),
        );
        Self {
            nodes,
            edges,
            ends,
            leaving,
        }
    }

    fn successors(&self) -> Rows {
        Rows::new(self.nodes.len(), self.ends.iter().copied())
    }
}

fn comparisons(said: &Constraints) -> Vec<Comparison> {
    let pair = |a: usize, b: usize| [a.min(b), a.max(b)];
    let mut edges = Vec::new();
    for (entry, said) in said.odd_one_outs().iter().enumerate() {
        let [a, b, odd] = said.points;
        for other in [a, b] {
            edges.push(Comparison {
                from: pair(a, b),
                to: pair(other, odd),
                strict: true,
                kind: ConstraintKind::OddOneOut,
                entry,
            });
        }
    }
    for (entry, said) in said.about_equals().iter().enumerate() {
        let [a, b, c] = said.points;
        let pairs = [pair(a, b), pair(a, c), pair(b, c)];
        for from in pairs {
            for to in pairs {
                if from != to {
                    edges.push(Comparison {
                        from,
                        to,
                        strict: false,
                        kind: ConstraintKind::AboutEqual,
                        entry,
                    });
                }
            }
        }
    }
    for (entry, said) in said.closers().iter().enumerate() {
        let [anchor, near, far] = said.points;
        edges.push(Comparison {
            from: pair(anchor, near),
            to: pair(anchor, far),
            strict: true,
            kind: ConstraintKind::Closer,
            entry,
        });
    }
    edges
}

/// Breadth-first searches that share their memory and a budget.
struct Search<'a> {
    graph: &'a DistanceGraph,
    component_of: &'a [usize],
    /// The search in which a node was last reached, its distance then, and the edge to it.
    reached_in: Vec<usize>,
    depth: Vec<usize>,
    via: Vec<usize>,
    n_searches: usize,
    budget: usize,
}

impl<'a> Search<'a> {
    fn new(graph: &'a DistanceGraph, component_of: &'a [usize]) -> Self {
        let n = graph.nodes.len();
        Self {
            graph,
            component_of,
            reached_in: vec![0; n],
            depth: vec![0; n],
            via: vec![0; n],
            n_searches: 0,
            budget: SEARCH_BUDGET,
        }
    }

    /// The edges of a shortest cycle through any of `strict_edges`, which share a component.
    fn shortest_cycle(&mut self, strict_edges: &[usize]) -> Option<Vec<usize>> {
        let mut best: Option<Vec<usize>> = None;
        for &edge in strict_edges {
            let longest = best.as_ref().map_or(usize::MAX, |cycle| cycle.len() - 1);
            // Two different distances make no cycle of one edge.
            if longest < 2 || (best.is_some() && self.budget == 0) {
                break;
            }
            best = self.cycle_through(edge, longest).or(best);
        }
        best
    }

    /// The edges of a shortest cycle through `edge`, which comes first, of at most `longest` edges.
    fn cycle_through(&mut self, edge: usize, longest: usize) -> Option<Vec<usize>> {
        let (goal, start) = self.graph.ends[edge];
        self.n_searches += 1;
        self.reached_in[start] = self.n_searches;
        self.depth[start] = 0;
        let mut queue = VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            if node == goal {
                return Some(self.path(edge, start, goal));
            }
            // The edge itself and the depth of a successor must fit.
            if self.depth[node] + 2 > longest {
                continue;
            }
            for &next_edge in self.graph.leaving.row(node) {
                self.budget = self.budget.saturating_sub(1);
                let (_, next) = self.graph.ends[next_edge];
                let inside = self.component_of[next] == self.component_of[goal];
                if inside && self.reached_in[next] != self.n_searches {
                    self.reached_in[next] = self.n_searches;
                    self.depth[next] = self.depth[node] + 1;
                    self.via[next] = next_edge;
                    queue.push_back(next);
                }
            }
        }
        None
    }

    fn path(&self, first: usize, start: usize, goal: usize) -> Vec<usize> {
        let mut edges = Vec::with_capacity(self.depth[goal] + 1);
        let mut node = goal;
        while node != start {
            edges.push(self.via[node]);
            node = self.graph.ends[self.via[node]].0;
        }
        edges.push(first);
        edges.reverse();
        edges
    }
}
