//! Labellings to compare: `clusters.csv`, `labels.csv`, or any file with a column or array of labels.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use ilk::group::Label;

use crate::error::Position;
use crate::records::{self, Row, default_id, find, require};
use crate::table::{is_array, read_label_array, refuse_duplicates};
use crate::{Error, Result};

/// Which columns of a file hold ids and labels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartitionOptions {
    /// The ids: otherwise `id`, or a first column without a name, or else the rows are numbered.
    pub id: Option<String>,
    /// The labels: otherwise `cluster`, `label` or `class`, or the only column besides the ids; of an
    /// NPZ archive the array `y`, or the only one with one dimension.
    pub column: Option<String>,
}

/// A labelling by id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// The file it came from.
    pub path: PathBuf,
    /// The ids, in the order of the file; unique.
    pub ids: Vec<String>,
    /// The label of each id; none where the cell is empty (noise, or not labelled).
    pub labels: Vec<Option<String>>,
}

impl Partition {
    /// The row of every id.
    fn rows(&self) -> HashMap<&str, usize> {
        let ids = self.ids.iter().enumerate();
        ids.map(|(row, id)| (id.as_str(), row)).collect()
    }

    /// The labels of these ids, in their order.
    ///
    /// # Errors
    /// The first id that has no row.
    pub fn labels_of(&self, ids: &[String]) -> std::result::Result<Vec<Option<String>>, String> {
        let rows = self.rows();
        let label = |id: &String| match rows.get(id.as_str()) {
            Some(&row) => Ok(self.labels[row].clone()),
            None => Err(id.clone()),
        };
        ids.iter().map(label).collect()
    }
}

/// Two labellings of the same points, in the order of the first. Labels are numbered in order of
/// appearance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matched {
    /// The ids.
    pub ids: Vec<String>,
    /// The labels of the first.
    pub left: Vec<Label>,
    /// The labels of the second.
    pub right: Vec<Label>,
}

/// Reads a labelling from any format that tables have. Arrays have no ids: their rows are numbered.
pub fn read_partition(path: impl AsRef<Path>, options: &PartitionOptions) -> Result<Partition> {
    let path = path.as_ref();
    if is_array(path) {
        return from_array(path, options);
    }
    let mut records = records::open(path)?;
    let header = records.header().to_vec();
    let id = match &options.id {
        Some(name) => Some(require(path, &header, name)?),
        None => default_id(&header),
    };
    let column = label_column(path, &header, id, options.column.as_deref())?;
    let mut partition = Partition { path: path.to_owned(), ids: Vec::new(), labels: Vec::new() };
    let mut positions: Vec<Position> = Vec::new();
    let mut row = Row::new();
    while records.read(&mut row)? {
        let label = row.cell(column);
        partition.labels.push((!label.is_empty()).then(|| label.to_owned()));
        partition.ids.push(match id {
            Some(id) => row.cell(id).to_owned(),
            None => partition.ids.len().to_string(),
        });
        positions.push(row.position);
    }
    if partition.ids.is_empty() {
        return Err(Error::NoRows { path: path.to_owned() });
    }
    refuse_duplicates(path, &partition.ids, &positions)?;
    Ok(partition)
}

fn from_array(path: &Path, options: &PartitionOptions) -> Result<Partition> {
    if let Some(id) = &options.id {
        return Err(Error::WrongLabels {
            path: path.to_owned(),
            reason: format!("its rows are numbered, so there is no column {id:?} of ids"),
        });
    }
    let labels = read_label_array(path, options.column.as_deref())?;
    if labels.is_empty() {
        return Err(Error::NoRows { path: path.to_owned() });
    }
    Ok(Partition {
        path: path.to_owned(),
        ids: (0..labels.len()).map(|row| row.to_string()).collect(),
        labels,
    })
}

fn label_column(
    path: &Path,
    header: &[String],
    id: Option<usize>,
    asked: Option<&str>,
) -> Result<usize> {
    if let Some(name) = asked {
        return require(path, header, name);
    }
    let usual = ["cluster", "label", "class"];
    if let Some(column) = usual.iter().find_map(|name| find(header, name)) {
        return Ok(column);
    }
    let mut others = (0..header.len()).filter(|&column| Some(column) != id);
    match (others.next(), others.next()) {
        (Some(only), None) => Ok(only),
        _ => Err(Error::MissingColumn {
            path: path.to_owned(),
            wanted: "\"cluster\" or \"label\" (rename yours; `ilk evaluate` takes its name with --column)".to_owned(),
            found: header.to_vec(),
        }),
    }
}

/// Brings two labellings together by id; an id that stands in one of them only is an error.
pub fn match_partitions(left: &Partition, right: &Partition) -> Result<Matched> {
    let rows = right.rows();
    let mut used = vec![false; right.ids.len()];
    let mut only_left = Vec::new();
    let mut order = Vec::with_capacity(left.ids.len());
    for id in &left.ids {
        match rows.get(id.as_str()) {
            Some(&row) => {
                used[row] = true;
                order.push(row);
            }
            None => only_left.push(id.clone()),
        }
    }
    let only_right: Vec<String> =
        right.ids.iter().zip(&used).filter(|&(_, &used)| !used).map(|(id, _)| id.clone()).collect();
    if !only_left.is_empty() || !only_right.is_empty() {
        return Err(Error::DifferentIds {
            left: left.path.clone(),
            right: right.path.clone(),
            only_left,
            only_right,
        });
    }
    Ok(Matched {
        ids: left.ids.clone(),
        left: number(left.labels.iter()),
        right: number(order.iter().map(|&row| &right.labels[row])),
    })
}

/// Labels as numbers, in order of appearance.
fn number<'a>(labels: impl Iterator<Item = &'a Option<String>>) -> Vec<Label> {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    labels
        .map(|label| {
            let next = numbers.len();
            label.as_deref().map(|label| *numbers.entry(label).or_insert(next))
        })
        .collect()
}
