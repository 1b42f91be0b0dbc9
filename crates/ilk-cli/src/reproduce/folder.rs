//! Sets that are read from a folder: `NAME/NAME.npz` with the points `X` and their classes `y`, or, for the
//! set `graph_NAME`, `graph_NAME/NAME.edges.csv.gz` and `NAME.nodes.csv.gz` with the `id` and `label` of every node.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use ilk::problem::Input;
use ilk_io::{
    GraphOptions, PartitionOptions, TableOptions, read_graph, read_partition, read_table,
};

use super::digest;

/// The sets that were found, and why others were not.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    /// The folder itself.
    pub(crate) root: Option<PathBuf>,
    sets: BTreeMap<&'static str, FileDataset>,
    /// Names, and why each is missing.
    pub(crate) missing: Vec<(&'static str, String)>,
}

/// A set with its truth.
#[derive(Debug)]
pub(crate) struct FileDataset {
    /// Points or a graph.
    pub(crate) input: Input,
    /// The class of every row, numbered in order of appearance.
    pub(crate) classes: Vec<usize>,
    /// The label of every class, as it stands in the file.
    pub(crate) labels: Vec<String>,
    /// Stands for all values, so that cells of other data of the same name are not confused.
    pub(super) digest: String,
}

impl Folder {
    /// Reads the sets of these names. One that is not there is missing; one that is there and cannot
    /// be read is an error.
    pub(crate) fn read(folder: Option<&Path>, names: &[&'static str]) -> Result<Self> {
        let mut read = Self { root: folder.map(Path::to_owned), ..Self::default() };
        for &name in names {
            let Some(folder) = folder else {
                let why = "it is read from a folder, and none was given (--data)".to_owned();
                read.missing.push((name, why));
                continue;
            };
            let file = match name.strip_prefix("graph_") {
                Some(graph) => format!("{name}/{graph}.edges.csv.gz"),
                None => format!("{name}/{name}.npz"),
            };
            let path = folder.join(&file);
            if path.exists() {
                let set = FileDataset::read(&path)
                    .with_context(|| format!("the set {name} cannot be used"))?;
                read.sets.insert(name, set);
            } else {
                let why = format!("{file} is not in the folder of data");
                read.missing.push((name, why));
            }
        }
        Ok(read)
    }

    pub(crate) fn set(&self, name: &str) -> Option<&FileDataset> {
        self.sets.get(name)
    }
}

impl FileDataset {
    fn read(path: &Path) -> Result<Self> {
        let text = path.to_string_lossy();
        let (input, of_rows) = if let Some(graph) = text.strip_suffix(".edges.csv.gz") {
            read_labelled_graph(path, &format!("{graph}.nodes.csv.gz").into())?
        } else {
            let points = read_table(path, &TableOptions::default())?.points;
            let of_rows = read_partition(path, &PartitionOptions::default())?.labels;
            (Input::Points(points), of_rows)
        };
        if of_rows.len() != input.len() {
            bail!("{}: X has {} rows and y has {}", path.display(), input.len(), of_rows.len());
        }
        let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
        let (mut classes, mut labels) = (Vec::with_capacity(of_rows.len()), Vec::new());
        for (row, label) in of_rows.into_iter().enumerate() {
            let Some(label) = label else {
                bail!("{}: row {row} has no label", path.display());
            };
            let class = *numbers.entry(label.clone()).or_insert(labels.len());
            if class == labels.len() {
                labels.push(label);
            }
            classes.push(class);
        }
        let values: Vec<f64> = match &input {
            Input::Points(points) => points.as_slice().to_vec(),
            Input::Kernel(kernel) => kernel.view().iter().copied().collect(),
            Input::Graph(graph) => {
                let columns = graph.matrix().columns().iter();
                let values = graph.matrix().values().iter();
                columns.zip(values).flat_map(|(&j, &value)| [f64::from(j), value]).collect()
            }
        };
        let values = values.iter().flat_map(|x| x.to_le_bytes());
        let numbers = classes.iter().flat_map(|class| class.to_le_bytes());
        let digest = digest(values.chain(numbers));
        Ok(Self { input, classes, labels, digest })
    }
}

/// A graph, and the label of every node in its order.
fn read_labelled_graph(edges: &Path, nodes: &PathBuf) -> Result<(Input, Vec<Option<String>>)> {
    let options = GraphOptions { nodes: Some(nodes.clone()) };
    let graph = read_graph(edges, &options)?;
    let labelled = read_partition(nodes, &PartitionOptions::default())?;
    let label_of: BTreeMap<&String, &Option<String>> =
        labelled.ids.iter().zip(&labelled.labels).collect();
    let labels = graph.ids.iter();
    let labels = labels.map(|id| label_of.get(id).and_then(|label| (*label).clone()));
    Ok((Input::Graph(graph.graph), labels.collect()))
}
