//! A generated set.

use ndarray::Array2;

use crate::Result;
use crate::problem::{Graph, Input, Points};

/// Data with its truth.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    /// The name of the set, as on the command line.
    pub name: &'static str,
    /// The data.
    pub data: Data,
    /// The true group of every point.
    pub labels: Vec<usize>,
    /// The group of groups of every point, for sets that have two levels.
    pub coarse: Option<Vec<usize>>,
}

/// What was generated.
#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    /// Points in rows.
    Points(Array2<f64>),
    /// The edges of an undirected graph, each once with the smaller node first, in ascending order.
    /// There are as many nodes as labels.
    Edges(Vec<[usize; 2]>),
}

impl Dataset {
    /// Number of points or nodes.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// The points in rows, unless the set is a graph.
    pub fn points(&self) -> Option<&Array2<f64>> {
        match &self.data {
            Data::Points(points) => Some(points),
            Data::Edges(_) => None,
        }
    }

    /// The edges, if the set is a graph.
    pub fn edges(&self) -> Option<&[[usize; 2]]> {
        match &self.data {
            Data::Points(_) => None,
            Data::Edges(edges) => Some(edges),
        }
    }

    /// The data as the input of a [`Problem`](crate::problem::Problem); edges have weight 1.
    pub fn input(&self) -> Result<Input> {
        Ok(match &self.data {
            Data::Points(points) => Points::new(points.clone())?.into(),
            Data::Edges(edges) => {
                let edges = edges.iter().map(|&[u, v]| (u, v, 1.0));
                Graph::from_edges(self.len(), edges)?.into()
            }
        })
    }
}
