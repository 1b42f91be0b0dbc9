//! What is asked about, as people and programs see it: the rows of a table, or the nodes of a graph.

use ilk::problem::Graph;
use ilk_io::{GraphFile, Rows, Table};
use serde_json::{Map, Value, json};

use crate::text::count;

/// The columns that describe a node.
const DEGREE: &str = "degree";
const NEIGHBORS: &str = "neighbours";

/// Neighbours that a cell names.
const NAMED: usize = 12;

/// What questions are about.
#[derive(Debug)]
pub(crate) enum AskedData {
    Table(Box<Table>),
    Graph(GraphFile),
}

impl AskedData {
    /// The id of every point.
    pub(crate) fn ids(&self) -> &[String] {
        match self {
            Self::Table(table) => &table.ids,
            Self::Graph(file) => &file.ids,
        }
    }
}

/// The points as people and programs see them. Of a row all columns, as they are in the file; of a node its
/// degree and its neighbours, those of the heaviest edges first.
pub(crate) struct AskedPoints<'a> {
    ids: &'a [String],
    described: Described<'a>,
}

/// What describes the points.
enum Described<'a> {
    Rows(Rows<'a>),
    Nodes(&'a GraphFile, [String; 2]),
}

impl<'a> AskedPoints<'a> {
    /// Of a table without the column of the ids and those that are left out.
    pub(crate) fn new(data: &'a AskedData, left_out: &[String]) -> Self {
        let described = match data {
            AskedData::Table(table) => Described::Rows(Rows::new(table, left_out)),
            AskedData::Graph(file) => {
                Described::Nodes(file, [DEGREE, NEIGHBORS].map(str::to_owned))
            }
        };
        Self { ids: data.ids(), described }
    }

    /// The id of a point.
    pub(crate) fn id(&self, point: usize) -> &str {
        &self.ids[point]
    }

    /// The point with an id.
    pub(crate) fn point(&self, id: &str) -> Option<usize> {
        self.ids.iter().position(|other| other == id)
    }

    /// The names of the columns that describe a point.
    pub(crate) fn names(&self) -> &[String] {
        match &self.described {
            Described::Rows(rows) => rows.names(),
            Described::Nodes(_, names) => names,
        }
    }

    /// What a point is called in questions.
    pub(crate) fn noun(&self) -> &'static str {
        match self.described {
            Described::Rows(_) => "row",
            Described::Nodes(..) => "node",
        }
    }

    /// The cells of a point, in the order of the names.
    pub(crate) fn cells(&self, point: usize) -> Vec<String> {
        match &self.described {
            Described::Rows(rows) => rows.cells(point),
            Described::Nodes(file, _) => {
                let neighbors = neighbors(&file.graph, point);
                let named = neighbors.iter().take(NAMED).map(|&node| file.ids[node].as_str());
                let named = named.collect::<Vec<&str>>().join(", ");
                let text = match neighbors.len() {
                    0..=NAMED => named,
                    all => format!("{named} and {} more", count(all - NAMED)),
                };
                vec![neighbors.len().to_string(), text]
            }
        }
    }

    /// A point for a program: the cells of a row as text; of a node its degree as a number and all neighbours as a
    /// list of ids.
    pub(crate) fn as_json(&self, point: usize) -> Value {
        match &self.described {
            Described::Rows(rows) => {
                let cells = rows.names().iter().cloned().zip(rows.cells(point));
                let cells = cells.map(|(name, cell)| (name, Value::String(cell)));
                Value::Object(cells.collect::<Map<_, _>>())
            }
            Described::Nodes(file, _) => {
                let neighbors = neighbors(&file.graph, point);
                let ids: Vec<&str> =
                    neighbors.iter().map(|&node| file.ids[node].as_str()).collect();
                json!({ DEGREE: ids.len(), NEIGHBORS: ids })
            }
        }
    }
}

/// The other nodes that edges join with one, those of the heaviest edges first, ties in the order of the nodes.
fn neighbors(graph: &Graph, node: usize) -> Vec<usize> {
    let (others, weights) = graph.edges(node);
    let mut edges: Vec<(usize, f64)> =
        others.iter().map(|&other| other as usize).zip(weights.iter().copied()).collect();
    edges.retain(|&(other, _)| other != node);
    edges.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    edges.into_iter().map(|(other, _)| other).collect()
}
