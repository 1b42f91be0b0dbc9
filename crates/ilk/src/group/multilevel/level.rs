//! A graph on one of the levels, and how the next is made from it.

use std::borrow::Cow;

use rayon::prelude::*;

use crate::numerics::{accumulator::SparseAccumulator, ragged::RaggedRows, sparse::Sparse};
use crate::problem::aggregate::CannotLinkGraph;

use super::cluster_value::ClusterValue;

/// Rows of the coarser graph that one task makes.
const BLOCK: usize = 256;

/// Nodes that one task visits.
const NODES: usize = 512;

/// The graph of one level. Each of its nodes consists of one or more nodes of the level below.
pub(in crate::group) struct Level<'a> {
    offsets: Cow<'a, [usize]>,
    columns: Cow<'a, [u32]>,
    values: Cow<'a, [f64]>,
    /// M_ii: the links within a node.
    pub(super) loops: Vec<f64>,
    /// The masses α of the nodes.
    pub(super) masses: Cow<'a, [f64]>,
    /// The given cluster, for the nodes that have one.
    pub(super) fixed: Vec<Option<u32>>,
    pub(in crate::group) cannot_links: CannotLinkGraph,
    /// Whether no move may violate more cannot-links, whatever it is worth.
    pub(super) enforces_cannot_links: bool,
    /// What a cluster is worth.
    pub(super) value: ClusterValue,
}

impl<'a> Level<'a> {
    /// The finest level: the graph as it was given.
    pub(in crate::group) fn finest(links: &'a Sparse, masses: &'a [f64]) -> Self {
        Self {
            offsets: Cow::Borrowed(links.offsets()),
            columns: Cow::Borrowed(links.columns()),
            values: Cow::Borrowed(links.values()),
            loops: links.diagonal(),
            masses: Cow::Borrowed(masses),
            fixed: vec![None; links.len()],
            cannot_links: CannotLinkGraph::default(),
            enforces_cannot_links: false,
            value: ClusterValue::Density,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.masses.len()
    }

    /// The other nodes that a node has links with, and their weights.
    pub(super) fn links(&self, node: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let row = self.offsets[node]..self.offsets[node + 1];
        let columns = self.columns[row.clone()].iter().map(|&j| j as usize);
        columns.zip(self.values[row].iter().copied()).filter(move |&(j, _)| j != node)
    }

    /// The neighbour with the largest positive link, of equal ones the first.
    pub(super) fn strongest_neighbor(&self, node: usize) -> Option<usize> {
        let links = self.links(node).filter(|&(_, link)| link > 0.0);
        let best = links.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map(|(neighbor, _)| neighbor)
    }

    /// The graph of some of the nodes (ascending) and the links between them, none of them fixed.
    pub(super) fn restrict(&self, nodes: &[u32]) -> Level<'static> {
        let mut place = vec![u32::MAX; self.len()];
        for (at, &node) in nodes.iter().enumerate() {
            place[node as usize] = at as u32;
        }
        let (mut columns, mut values) = (Vec::new(), Vec::new());
        let mut offsets = vec![0];
        for &node in nodes {
            for (other, link) in self.links(node as usize) {
                if place[other] != u32::MAX {
                    columns.push(place[other]);
                    values.push(link);
                }
            }
            offsets.push(columns.len());
        }
        let of = |all: &[f64]| nodes.iter().map(|&node| all[node as usize]).collect();
        Level {
            offsets: Cow::Owned(offsets),
            columns: Cow::Owned(columns),
            values: Cow::Owned(values),
            loops: of(&self.loops),
            masses: Cow::Owned(of(&self.masses)),
            fixed: vec![None; nodes.len()],
            cannot_links: self.cannot_links.restrict(nodes),
            enforces_cannot_links: self.enforces_cannot_links,
            value: self.value,
        }
    }

    /// The level in which node i is part of node `part_of[i]` of `n`. Links between the same two are
    /// added up, those within one become its loop, each counted in both directions.
    ///
    /// The caller sets the fixed clusters where several fixed nodes become one.
    pub(in crate::group) fn contract(&self, part_of: &[u32], n: usize) -> Level<'static> {
        let members = members(part_of, n);
        let blocks: Vec<ContractedRows> = (0..n.div_ceil(BLOCK))
            .into_par_iter()
            .map_init(
                || vec![(u32::MAX, 0_u32); n],
                |place, block| {
                    // An entry belongs to this row where it holds the row's number, so that nothing has
                    // to be cleared between rows.
                    let nodes = block * BLOCK..((block + 1) * BLOCK).min(n);
                    let mut rows = ContractedRows::default();
                    for node in nodes {
                        self.merged_row(node, members.row(node), part_of, place, &mut rows);
                    }
                    rows
                },
            )
            .collect();

        let total = blocks.iter().map(|rows| rows.columns.len()).sum();
        let (mut columns, mut values) = (Vec::with_capacity(total), Vec::with_capacity(total));
        let mut offsets = Vec::with_capacity(n + 1);
        let (mut loops, mut masses) = (Vec::with_capacity(n), Vec::with_capacity(n));
        offsets.push(0);
        for rows in blocks {
            let before = columns.len();
            offsets.extend(rows.ends.iter().map(|end| before + end));
            columns.extend_from_slice(&rows.columns);
            values.extend_from_slice(&rows.values);
            loops.extend_from_slice(&rows.loops);
            masses.extend_from_slice(&rows.masses);
        }
        let mut fixed = vec![None; n];
        for (part, given) in part_of.iter().zip(&self.fixed) {
            if given.is_some() {
                fixed[*part as usize] = *given;
            }
        }
        Level {
            offsets: Cow::Owned(offsets),
            columns: Cow::Owned(columns),
            values: Cow::Owned(values),
            loops,
            masses: Cow::Owned(masses),
            fixed,
            cannot_links: self.cannot_links.contract(part_of, n),
            enforces_cannot_links: self.enforces_cannot_links,
            value: self.value,
        }
    }

    fn merged_row(
        &self,
        node: usize,
        members: &[u32],
        part_of: &[u32],
        place: &mut [(u32, u32)],
        rows: &mut ContractedRows,
    ) {
        let (mut own, mut mass) = (0.0, 0.0);
        for &member in members {
            let member = member as usize;
            own += self.loops[member];
            mass += self.masses[member];
            for (other, link) in self.links(member) {
                let part = part_of[other];
                if part as usize == node {
                    own += link;
                    continue;
                }
                let (row, at) = &mut place[part as usize];
                if *row == node as u32 {
                    rows.values[*at as usize] += link;
                } else {
                    (*row, *at) = (node as u32, rows.columns.len() as u32);
                    rows.columns.push(part);
                    rows.values.push(link);
                }
            }
        }
        rows.ends.push(rows.columns.len());
        rows.loops.push(own);
        rows.masses.push(mass);
    }
}

#[derive(Default)]
struct ContractedRows {
    ends: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    loops: Vec<f64>,
    masses: Vec<f64>,
}

/// The members of every part, ascending.
pub(super) fn members(part_of: &[u32], n: usize) -> RaggedRows<u32> {
    let parts = part_of.iter().map(|&part| part as usize);
    RaggedRows::new(n, parts.zip(0..))
}

/// What `visit` returns for some nodes, where it returns something, in their order. It gets empty sums for
/// `n_sums` indices, and leaves them empty.
pub(super) fn filter_map_nodes<T: Send + Clone>(
    nodes: &[u32],
    n_sums: usize,
    visit: impl Fn(usize, &mut SparseAccumulator) -> Option<T> + Sync,
) -> Vec<T> {
    let blocks: Vec<Vec<T>> = nodes
        .par_chunks(NODES)
        .map_init(
            || SparseAccumulator::new(n_sums),
            |sums, block| {
                let visit = |&node: &u32| visit(node as usize, sums);
                block.iter().filter_map(visit).collect()
            },
        )
        .collect();
    blocks.concat()
}
