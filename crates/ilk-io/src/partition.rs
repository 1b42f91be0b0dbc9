//! Labellings to compare: `clusters.csv`, `labels.csv`, or any file with a column or array of labels.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use ilk::group::Label;

use crate::error::{ArrayProblem, Position};
use crate::records::{self, HeaderLine, Row, default_id, find, require};
use crate::table::{is_array, is_missing_word, read_label_array, refuse_duplicates};
use crate::{Error, Result};

/// Which columns of a file hold ids and labels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartitionOptions {
    /// The ids: otherwise `id`, or a first column without a name, or else the rows are numbered.
    pub id: Option<String>,
    /// The labels: otherwise `cluster`, `label` or `class`, or the only column besides the ids; of an
    /// NPZ archive the array `y`, or the only one with one dimension.
    pub column: Option<String>,
    /// Whether the rows are numbered although there is a column of ids.
    pub numbered: bool,
    /// Whether the first line of a CSV file is a row.
    pub no_header: bool,
}

/// A labelling by id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// The file it came from.
    pub path: PathBuf,
    /// The ids, in the order of the file; unique.
    pub ids: Vec<String>,
    /// The label of each id; none where the cell is empty or says so, as `NA` does (noise, or not
    /// labelled).
    pub labels: Vec<Option<String>>,
}

impl Partition {
    /// The row of every id.
    fn rows(&self) -> HashMap<&str, usize> {
        let ids = self.ids.iter().enumerate();
        ids.map(|(row, id)| (id.as_str(), row)).collect()
    }

    /// The labels of these ids, in their order; none for an id that has no row.
    pub fn labels_of(&self, ids: &[String]) -> Vec<Option<String>> {
        let rows = self.rows();
        let label = |id: &String| self.labels[*rows.get(id.as_str())?].clone();
        ids.iter().map(label).collect()
    }
}

/// Two labellings of the same points, in the order of the first. Labels are numbered in order of
/// appearance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matched {
    /// The ids that both have.
    pub ids: Vec<String>,
    /// The labels of the first.
    pub left: Vec<Label>,
    /// The labels of the second.
    pub right: Vec<Label>,
    /// Ids that only the first has.
    pub only_left: Vec<String>,
    /// Ids that only the second has.
    pub only_right: Vec<String>,
}

/// Reads a labelling from any format that tables have. Arrays have no ids: their rows are numbered.
pub fn read_partition(path: impl AsRef<Path>, options: &PartitionOptions) -> Result<Partition> {
    let path = path.as_ref();
    if is_array(path) {
        return from_array(path, options);
    }
    let line = if options.no_header { HeaderLine::Absent } else { HeaderLine::Present };
    let mut records = records::open_with(path, line)?;
    let header = records.header().to_vec();
    let id = match &options.id {
        Some(name) => Some(require(path, &header, name)?),
        None if options.numbered => None,
        None => default_id(&header),
    };
    let column = label_column(path, &header, id, options.column.as_deref())?;
    let mut partition = Partition { path: path.to_owned(), ids: Vec::new(), labels: Vec::new() };
    let mut positions: Vec<Position> = Vec::new();
    let mut row = Row::new();
    while records.read(&mut row)? {
        let label = row.cell(column);
        let is_known = !label.is_empty() && !is_missing_word(label);
        partition.labels.push(is_known.then(|| label.to_owned()));
        partition.ids.push(match id {
            Some(id) => row.cell(id).to_owned(),
            None => partition.ids.len().to_string(),
        });
        positions.push(row.position);
    }
    if partition.ids.is_empty() {
        return Err(Error::NoRows { path: path.to_owned() });
    }
    refuse_duplicates(path, &partition.ids, &positions, None)?;
    Ok(partition)
}

fn from_array(path: &Path, options: &PartitionOptions) -> Result<Partition> {
    if let Some(id) = &options.id {
        let reason = format!("its rows are numbered, so there is no column {id:?} of ids");
        let problem = ArrayProblem::NotLabels { reason };
        return Err(Error::Array { path: path.to_owned(), problem });
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

/// Brings two labellings together by the ids that both have; where there is none, that is an error.
pub fn match_partitions(left: &Partition, right: &Partition) -> Result<Matched> {
    let rows = right.rows();
    let mut used = vec![false; right.ids.len()];
    let mut only_left = Vec::new();
    let mut order = Vec::with_capacity(left.ids.len());
    for (at, id) in left.ids.iter().enumerate() {
        match rows.get(id.as_str()) {
            Some(&row) => {
                used[row] = true;
                order.push((at, row));
            }
            None => only_left.push(id.clone()),
        }
    }
    let only_right: Vec<String> =
        right.ids.iter().zip(&used).filter(|&(_, &used)| !used).map(|(id, _)| id.clone()).collect();
    if order.is_empty() {
        return Err(Error::DifferentIds {
            left: left.path.clone(),
            right: right.path.clone(),
            only_left,
            only_right,
        });
    }
    Ok(Matched {
        ids: order.iter().map(|&(at, _)| left.ids[at].clone()).collect(),
        left: number(order.iter().map(|&(at, _)| &left.labels[at])),
        right: number(order.iter().map(|&(_, row)| &right.labels[row])),
        only_left,
        only_right,
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
