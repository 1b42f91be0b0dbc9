//! Sets that are read from a folder: `NAME/NAME.npz` with the points `X` and their classes `y`.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use ilk::problem::Points;
use ilk_io::{PartitionOptions, TableOptions, read_partition, read_table};

use super::digest;

/// The sets that were found, and why others were not.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    sets: BTreeMap<&'static str, StoredSet>,
    /// Names, and why each is missing.
    pub(crate) missing: Vec<(&'static str, String)>,
}

/// A set with its truth.
#[derive(Debug)]
pub(crate) struct StoredSet {
    pub(crate) points: Points,
    /// The class of every row, numbered in order of appearance.
    pub(crate) classes: Vec<usize>,
    /// The label of every class, as it stands in the file.
    pub(crate) labels: Vec<String>,
    /// Stands for all values, so that cells of other data of the same name are told apart.
    pub(super) digest: String,
}

impl Folder {
    /// Reads the sets of these names. One that is not there is missing; one that is there and cannot
    /// be read is an error.
    pub(crate) fn read(folder: Option<&Path>, names: &[&'static str]) -> Result<Self> {
        let mut read = Self::default();
        for &name in names {
            let Some(folder) = folder else {
                let why = "it is read from a folder, and none was given (--data)".to_owned();
                read.missing.push((name, why));
                continue;
            };
            let path = folder.join(name).join(format!("{name}.npz"));
            if path.exists() {
                let set = StoredSet::read(&path)
                    .with_context(|| format!("the set {name} cannot be used"))?;
                read.sets.insert(name, set);
            } else {
                let file = format!("{name}/{name}.npz");
                let why = format!("{file} is not in the folder of data");
                read.missing.push((name, why));
            }
        }
        Ok(read)
    }

    pub(crate) fn set(&self, name: &str) -> Option<&StoredSet> {
        self.sets.get(name)
    }
}

impl StoredSet {
    fn read(path: &Path) -> Result<Self> {
        let points = read_table(path, &TableOptions::default())?.points;
        let of_rows = read_partition(path, &PartitionOptions::default())?.labels;
        if of_rows.len() != points.len() {
            bail!(
                "{}: X has {} rows and y has {}",
                path.display(),
                points.len(),
                of_rows.len()
            );
        }
        let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
        let (mut classes, mut labels) = (Vec::with_capacity(of_rows.len()), Vec::new());
        for (row, label) in of_rows.into_iter().enumerate() {
            let Some(label) = label else {
                bail!("{}: row {row} of y is not a number", path.display());
            };
            let class = *numbers.entry(label.clone()).or_insert(labels.len());
            if class == labels.len() {
                labels.push(label);
            }
            classes.push(class);
        }
        let values = points.as_slice().iter().flat_map(|x| x.to_le_bytes());
        let numbers = classes.iter().flat_map(|class| class.to_le_bytes());
        let digest = digest(values.chain(numbers));
        Ok(Self {
            points,
            classes,
            labels,
            digest,
        })
    }
}
