//! Edges one by one, from either kind of file.

use std::path::{Path, PathBuf};

use crate::error::{GraphProblem, Place, Position};
use crate::records::{self, Records, Row, find};
use crate::source::{Format, TextLines};
use crate::{Error, Result};

/// The names that the columns of the two ends may have.
const ENDS: [[&str; 2]; 7] = [
    ["u", "v"],
    ["source", "target"],
    ["from", "to"],
    ["src", "dst"],
    ["id_a", "id_b"],
    ["id_1", "id_2"],
    ["node_1", "node_2"],
];

/// An edge as it is written.
#[derive(Debug)]
pub(super) struct Edge<'r> {
    pub(super) position: Position,
    pub(super) u: &'r str,
    pub(super) v: &'r str,
    pub(super) weight: f64,
}

/// The edges of a file, from first to last.
pub(super) struct Edges {
    path: PathBuf,
    list: List,
}

enum List {
    Columns(Columns),
    Lines(TextLines),
}

/// Rows of which two columns are the ends, and perhaps one the weight.
struct Columns {
    records: Box<dyn Records>,
    row: Row,
    ends: [usize; 2],
    weight: Option<usize>,
}

impl Edges {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let list = match Format::of(path) {
            Some(Format::Csv | Format::Tsv | Format::Jsonl | Format::Parquet) => {
                List::Columns(Columns::open(path)?)
            }
            Some(Format::Npy | Format::Npz) => {
                // A missing file is the more helpful thing to say.
                crate::source::open_file(path)?;
                return Err(Error::UnknownFormat {
                    path: path.to_owned(),
                    known: ".csv, .tsv, .txt (or any of them with .gz), .jsonl, .parquet",
                });
            }
            None => List::Lines(TextLines::open(path)?),
        };
        Ok(Self { path: path.to_owned(), list })
    }

    /// The next edge; none at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<Edge<'_>>> {
        match &mut self.list {
            List::Columns(columns) => columns.next(&self.path),
            List::Lines(lines) => next_line(lines, &self.path),
        }
    }
}

impl Columns {
    fn open(path: &Path) -> Result<Self> {
        let mut records = records::open(path)?;
        let header = records.header();
        let both = |names: &[&str; 2]| Some([find(header, names[0])?, find(header, names[1])?]);
        let ends = ENDS.iter().find_map(both);
        let ends = ends.ok_or_else(|| Error::MissingColumn {
            path: path.to_owned(),
            wanted: "\"u\" and \"v\" (or source, target; or from, to)".to_owned(),
            found: header.to_vec(),
        })?;
        let weight = find(header, "weight").filter(|column| !ends.contains(column));
        let needed: Vec<usize> = ends.into_iter().chain(weight).collect();
        records.select(&needed, &[]);
        Ok(Self { records, row: Row::new(), ends, weight })
    }

    fn next(&mut self, path: &Path) -> Result<Option<Edge<'_>>> {
        if !self.records.read(&mut self.row)? {
            return Ok(None);
        }
        let row = &self.row;
        if let Some(&column) = self.ends.iter().find(|&&end| row.cell(end).is_empty()) {
            return Err(Error::EmptyId {
                place: row.place(path),
                column: self.records.header()[column].clone(),
            });
        }
        let [u, v] = self.ends.map(|end| row.cell(end));
        let weight = match self.weight.map_or("", |column| row.cell(column)) {
            "" => 1.0,
            text => weight(text).ok_or_else(|| GraphProblem::BadEdgeWeight {
                place: row.place(path),
                u: u.to_owned(),
                v: v.to_owned(),
                value: text.to_owned(),
            })?,
        };
        Ok(Some(Edge { position: row.position, u, v, weight }))
    }
}

fn next_line<'r>(lines: &'r mut TextLines, path: &Path) -> Result<Option<Edge<'r>>> {
    loop {
        if !lines.advance()? {
            return Ok(None);
        }
        let text = lines.text()?.trim_ascii_start();
        if text.starts_with("%%MatrixMarket") {
            let reason = "it is a Matrix Market file, which holds sizes beside its edges";
            return Err(Error::unreadable(path, "a list of edges", &reason));
        }
        if !text.starts_with(['#', '%']) {
            break;
        }
    }
    let position = lines.position();
    let mut fields = lines.text()?.split_ascii_whitespace();
    let all = [fields.next(), fields.next(), fields.next()];
    match (all, fields.next()) {
        ([Some(u), Some(v), text], None) => {
            let weight = match text {
                None => 1.0,
                Some(text) => weight(text).ok_or_else(|| GraphProblem::BadEdgeWeight {
                    place: Place::new(path, position),
                    u: u.to_owned(),
                    v: v.to_owned(),
                    value: text.to_owned(),
                })?,
            };
            Ok(Some(Edge { position, u, v, weight }))
        }
        _ => Err(GraphProblem::NotAnEdge {
            place: Place::new(path, position),
            found: lines.text()?.split_ascii_whitespace().count(),
        }
        .into()),
    }
}

fn weight(text: &str) -> Option<f64> {
    let weight: f64 = text.parse().ok()?;
    (weight.is_finite() && weight >= 0.0).then_some(weight)
}
