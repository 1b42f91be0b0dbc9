//! Tables from files of named columns.

use std::path::Path;

use super::cell::looks_like_data;
use super::gather::Gather;
use super::layout::{Feature, Layout};
use super::{Table, TableNote, TableOptions};
use crate::records::{self, HeaderLine, Row};
use crate::source::Format;
use crate::{Error, Result};

/// Reads row by row; nothing is held but the table itself and, where there are ids, their lines.
pub(super) fn read(path: &Path, options: &TableOptions, fill: Option<&[f64]>) -> Result<Table> {
    let line = if options.no_header { HeaderLine::Absent } else { HeaderLine::Present };
    let mut records = records::open_with(path, line).map_err(name_no_header)?;
    let header = records.header().to_vec();
    let layout = Layout::new(path, &header, options)?;
    let is_text = Format::of(path) != Some(Format::Parquet);
    let number = |feature: &Feature| match *feature {
        Feature::Number(column) => Some(column),
        _ => None,
    };
    let numbers: Vec<usize> = layout.features.iter().filter_map(number).collect();
    let text: Vec<usize> = if options.keep {
        (0..header.len()).collect()
    } else {
        let words = layout.features.iter().filter(|feature| number(feature).is_none());
        words.map(Feature::column).chain(layout.id).collect()
    };
    records.select(&text, &numbers);
    let mut gather = Gather::new(path, &header, layout, options);
    let mut row = Row::new();
    let mut lost_row = None;
    let mut is_first = true;
    while records.read(&mut row)? {
        if is_first && is_text && !options.no_header && looks_like_data(&header, &row) {
            lost_row = Some(TableNote::HeaderLooksLikeData { line: header.join(",") });
        }
        is_first = false;
        gather.push(&row, row.position)?;
    }
    let mut table = gather.finish(!(is_text && options.no_header), fill)?;
    table.notes.extend(lost_row);
    Ok(table)
}

/// Only tables can be read without a header.
fn name_no_header(error: Error) -> Error {
    match error {
        Error::NoHeader { path, line, .. } => Error::NoHeader { path, line, is_table: true },
        other => other,
    }
}
