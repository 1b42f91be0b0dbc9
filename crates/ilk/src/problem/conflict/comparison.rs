//! Contradictory cycles of comparisons.

use std::collections::{BTreeMap, VecDeque};

use super::{super::ConstraintKind, super::Constraints, scc::strongly_connected};
use crate::numerics::ragged::RaggedRows;

/// One comparison of two distances: d(`from`) < d(`to`), or equal where it is not strict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DistanceComparison {
    /// The two points with the smaller distance, sorted.
    pub from: [usize; 2],
    /// The two points with the larger distance, sorted.
    pub to: [usize; 2],
    /// Whether the distance is smaller; it is about equal otherwise.
    pub strict: bool,
    /// The kind of the constraint that implies it.
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
    pub steps: Vec<DistanceComparison>,
}

/// Edges that all searches together may look at beyond the first search of each component.
const SEARCH_BUDGET: usize = 10_000_000;

/// A shortest contradictory cycle for every strongly connected component that has one, in the order
/// of the first strict comparison of each.
pub(super) fn cycles(constraints: &Constraints) -> Vec<Cycle> {
    let graph = DistanceGraph::new(constraints);
    let successors = RaggedRows::new(graph.n_nodes, graph.ends.iter().copied());
    let component_of = strongly_connected(graph.n_nodes, &successors);
    let mut strict_edges: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (edge, &(from, to)) in graph.ends.iter().enumerate() {
        if graph.edges[edge].strict && component_of[from] == component_of[to] {
            strict_edges.entry(component_of[from]).or_default().push(edge);
        }
    }
    let mut groups: Vec<Vec<usize>> = strict_edges.into_values().collect();
    groups.sort_by_key(|group| group[0]);

    let mut search = CycleSearch::new(&graph, &component_of);
    let cycles = groups.iter().filter_map(|group| search.shortest_cycle(group));
    cycles
        .map(|edges| Cycle { steps: edges.into_iter().map(|edge| graph.edges[edge]).collect() })
        .collect()
}

/// Pairs of points as nodes, comparisons as edges.
struct DistanceGraph {
    n_nodes: usize,
    edges: Vec<DistanceComparison>,
    /// The nodes at the two ends of every edge.
    ends: Vec<(usize, usize)>,
    /// The edges that leave every node.
    leaving: RaggedRows,
}

impl DistanceGraph {
    fn new(constraints: &Constraints) -> Self {
        let edges = comparisons(constraints);
        let mut nodes: Vec<[usize; 2]> = edges.iter().flat_map(|e| [e.from, e.to]).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let node = |pair: &[usize; 2]| nodes.partition_point(|known| known < pair);
        let ends = edges.iter().map(|edge| (node(&edge.from), node(&edge.to)));
        let ends: Vec<(usize, usize)> = ends.collect();
        let leaving = ends.iter().enumerate().map(|(e, &(from, _))| (from, e));
        Self { leaving: RaggedRows::new(nodes.len(), leaving), n_nodes: nodes.len(), edges, ends }
    }
}

fn comparisons(constraints: &Constraints) -> Vec<DistanceComparison> {
    let pair = |a: usize, b: usize| [a.min(b), a.max(b)];
    let mut edges = Vec::new();
    for (kind, triplets) in constraints.triplets() {
        for (entry, triplet) in triplets.iter().enumerate() {
            let [a, b, c] = triplet.points;
            let [ab, ac, bc] = [pair(a, b), pair(a, c), pair(b, c)];
            let distances: &[_] = match kind {
                ConstraintKind::OddOneOut => &[(ab, ac), (ab, bc)],
                ConstraintKind::Closer => &[(ab, ac)],
                _ => &[(ab, ac), (ab, bc), (ac, ab), (ac, bc), (bc, ab), (bc, ac)],
            };
            edges.extend(distances.iter().map(|&(from, to)| DistanceComparison {
                from,
                to,
                strict: kind != ConstraintKind::AboutEqual,
                kind,
                entry,
            }));
        }
    }
    edges
}

/// Breadth-first searches that share their memory and a budget.
struct CycleSearch<'a> {
    graph: &'a DistanceGraph,
    component_of: &'a [usize],
    /// The search in which a node was last reached, its distance then, and the edge to it.
    reached_in: Vec<usize>,
    depth: Vec<usize>,
    via: Vec<usize>,
    n_searches: usize,
    budget: usize,
}

impl<'a> CycleSearch<'a> {
    fn new(graph: &'a DistanceGraph, component_of: &'a [usize]) -> Self {
        let n = graph.n_nodes;
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
