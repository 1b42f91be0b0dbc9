//! Which column is the id, and which are the coordinates.

use std::path::Path;

use super::TableOptions;
use crate::records::{default_id, find, is_index, require};
use crate::{Error, Result};

/// Positions of columns in the header.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) id: Option<usize>,
    pub(super) features: Vec<Feature>,
    /// Columns that are an index beside the ids, and are left out.
    pub(super) index: Vec<usize>,
    /// Whether the features were named one by one.
    pub(super) is_chosen: bool,
}

/// What a coordinate is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Feature {
    /// A column of numbers.
    Number(usize),
    /// A column of categories, which becomes a coordinate for every value.
    Categories(usize),
    /// 1 where a column has this value, else 0.
    Indicator(usize, String),
}

impl Feature {
    pub(super) fn column(&self) -> usize {
        match *self {
            Self::Number(column) | Self::Categories(column) | Self::Indicator(column, _) => column,
        }
    }
}

impl Layout {
    pub(super) fn new(path: &Path, header: &[String], options: &TableOptions) -> Result<Self> {
        let excluded = columns(path, header, &options.exclude)?;
        let one_hot = columns(path, header, &options.one_hot)?;
        let named = match &options.features {
            Some(names) => Some(features(path, header, names)?),
            None => None,
        };
        let is_named =
            |id: usize| named.iter().flatten().any(|feature: &Feature| feature.column() == id);
        let id = match &options.id {
            Some(name) => Some(require(path, header, name)?),
            None => default_id(header).filter(|&id| !excluded.contains(&id) && !is_named(id)),
        };
        let is_index = |column: usize| is_index(header, column) && Some(column) != id;
        let is_chosen = named.is_some();
        let candidates = named.unwrap_or_else(|| {
            let others = (0..header.len()).filter(|&c| Some(c) != id && !is_index(c));
            others.map(Feature::Number).collect()
        });
        let features: Vec<Feature> = candidates
            .into_iter()
            .filter(|feature| !excluded.contains(&feature.column()))
            .map(|feature| match feature {
                Feature::Number(column) if one_hot.contains(&column) => Feature::Categories(column),
                other => other,
            })
            .collect();
        if features.is_empty() {
            return Err(Error::NoFeatures { path: path.to_owned(), found: header.to_vec() });
        }
        let index = if is_chosen { 0..0 } else { 0..header.len() };
        let index = index.filter(|&c| is_index(c) && !excluded.contains(&c)).collect();
        Ok(Self { id, features, index, is_chosen })
    }
}

/// The columns of these names; a name may be a list with commas, unless a column is called that.
fn columns(path: &Path, header: &[String], names: &[String]) -> Result<Vec<usize>> {
    let names = names.iter().flat_map(|name| split(header, name));
    names.map(|name| require(path, header, &name)).collect()
}

/// The features of these names: columns, or `column=value`.
fn features(path: &Path, header: &[String], names: &[String]) -> Result<Vec<Feature>> {
    let feature = |name: String| {
        if let Some(column) = find(header, &name) {
            return Ok(Feature::Number(column));
        }
        // A column's own name may hold an equals sign, and so may a value.
        let indicator = name.match_indices('=').find_map(|(at, _)| {
            let column = find(header, &name[..at])?;
            Some(Feature::Indicator(column, name[at + 1..].to_owned()))
        });
        indicator.map_or_else(|| require(path, header, &name).map(Feature::Number), Ok)
    };
    names.iter().flat_map(|name| split(header, name)).map(feature).collect()
}

/// The names in a list with commas. Where a column's name has commas itself, the longest run of parts
/// that is a column is one name.
fn split(header: &[String], list: &str) -> Vec<String> {
    if find(header, list).is_some() || !list.contains(',') {
        return vec![list.to_owned()];
    }
    let parts: Vec<&str> = list.split(',').collect();
    let mut names = Vec::new();
    let mut start = 0;
    while start < parts.len() {
        let joined = |end: usize| parts[start..end].join(",");
        let whole =
            (start + 2..=parts.len()).rev().find(|&end| find(header, &joined(end)).is_some());
        let end = whole.unwrap_or(start + 1);
        names.push(joined(end));
        start = end;
    }
    names
}
