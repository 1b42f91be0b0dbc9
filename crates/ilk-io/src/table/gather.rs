//! Rows brought together into a table.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use ilk::ndarray::Array2;
use ilk::problem::Points;

use super::cell::{Cell, Cells, is_missing_word};
use super::layout::{Feature, Layout};
use super::{Columns, Missing, Table, TableNote, TableOptions};
use crate::error::{Place, Position};
use crate::{Error, Result};

/// Rows with fewer than this many are too few to distinguish a counter from a measurement.
const FEW_ROWS: usize = 10;

/// Collects rows. Faults are held back until all rows were seen, so that a message names every column
/// with text, and columns that turn out to be text can be left out.
pub(super) struct Gather<'a> {
    path: &'a Path,
    header: &'a [String],
    options: &'a TableOptions,
    layout: Layout,
    /// The numbers of all rows; NaN where one is missing. Of categories, the number of the value.
    values: Vec<f64>,
    categories: Vec<Vec<String>>,
    numbers: Vec<HashMap<String, usize>>,
    faults: Vec<Faults>,
    ids: Vec<String>,
    positions: Vec<Position>,
    columns: Option<Columns>,
}

/// What is wrong with a feature: the first text, and the first gap or infinity.
#[derive(Debug, Clone, Default)]
struct Faults {
    text: Option<(Position, String)>,
    gap: Option<(Position, String)>,
    infinite: Option<(Position, String)>,
}

impl<'a> Gather<'a> {
    pub(super) fn new(
        path: &'a Path,
        header: &'a [String],
        layout: Layout,
        options: &'a TableOptions,
    ) -> Self {
        let features = layout.features.len();
        Self {
            path,
            header,
            options,
            values: Vec::new(),
            categories: vec![Vec::new(); features],
            numbers: vec![HashMap::new(); features],
            faults: vec![Faults::default(); features],
            layout,
            ids: Vec::new(),
            positions: Vec::new(),
            columns: options.keep.then(|| Columns::new(header.to_vec())),
        }
    }

    /// Adds the next row.
    pub(super) fn push(&mut self, row: &impl Cells, position: Position) -> Result<()> {
        for at in 0..self.layout.features.len() {
            let value = self.value(at, row, position);
            self.values.push(value);
        }
        match self.layout.id {
            Some(column) => {
                let id = row.text(column);
                if id.is_empty() {
                    return Err(Error::EmptyId {
                        place: Place::new(self.path, position),
                        column: self.header[column].clone(),
                    });
                }
                self.ids.push(id);
                self.positions.push(position);
            }
            None => self.ids.push(self.ids.len().to_string()),
        }
        if let Some(columns) = &mut self.columns {
            (0..self.header.len()).for_each(|column| columns.push(&row.text(column)));
        }
        Ok(())
    }

    /// The number that a row has for a feature; NaN where it has none.
    fn value(&mut self, at: usize, row: &impl Cells, position: Position) -> f64 {
        let column = self.layout.features[at].column();
        let is_missing = |text: &str| text.is_empty() || is_missing_word(text);
        let faults = &mut self.faults[at];
        let fault = match &self.layout.features[at] {
            Feature::Number(_) => match row.number(column) {
                Cell::Number(number) => return number,
                Cell::Missing => &mut faults.gap,
                Cell::Infinite => &mut faults.infinite,
                Cell::Text => &mut faults.text,
            },
            Feature::Categories(_) | Feature::Indicator(..) if is_missing(&row.text(column)) => {
                &mut faults.gap
            }
            Feature::Categories(_) => {
                let known = &mut self.categories[at];
                let number = self.numbers[at].entry(row.text(column));
                return *number.or_insert_with_key(|text| {
                    known.push(text.clone());
                    known.len() - 1
                }) as f64;
            }
            Feature::Indicator(_, value) => {
                return f64::from(u8::from(row.text(column) == *value));
            }
        };
        fault.get_or_insert_with(|| (position, row.text(column)));
        f64::NAN
    }

    /// The table, its gaps filled with these values or as the options say.
    pub(super) fn finish(mut self, is_named: bool, fill: Option<&[f64]>) -> Result<Table> {
        if self.ids.is_empty() {
            return Err(Error::NoRows { path: self.path.to_owned() });
        }
        let mut notes = Vec::new();
        let index = self.layout.index.iter();
        notes.extend(index.map(|&c| TableNote::Index { column: self.header[c].clone() }));
        self.leave_out_text(&mut notes)?;
        self.refuse_faults(fill.is_some())?;
        if self.options.missing == Missing::Drop {
            self.drop_gaps(&mut notes)?;
        }
        if let Some(column) = self.layout.id {
            let column = Some(self.header[column].as_str());
            refuse_duplicates(self.path, &self.ids, &self.positions, column)?;
        }
        self.expand_categories(&mut notes);
        let filled = self.fill(fill, &mut notes)?;
        let names: Vec<String> =
            self.layout.features.iter().map(|feature| feature_name(self.header, feature)).collect();
        let points = points(self.path, self.ids.len(), names.len(), self.values)?;
        if !self.layout.is_chosen {
            notes.extend(counters(&points, &self.layout.features, self.header));
        }
        Ok(Table {
            path: self.path.to_owned(),
            ids: self.ids,
            id_column: self.layout.id.map(|column| self.header[column].clone()),
            feature_names: names,
            is_named,
            points,
            columns: self.columns,
            notes,
            fill: filled,
            axes: None,
        })
    }

    /// Refuses columns of text, all of them at once, or leaves them out.
    fn leave_out_text(&mut self, notes: &mut Vec<TableNote>) -> Result<()> {
        let is_text: Vec<bool> = self.faults.iter().map(|faults| faults.text.is_some()).collect();
        let name = |at: usize| self.header[self.layout.features[at].column()].clone();
        let text: Vec<usize> = (0..is_text.len()).filter(|&at| is_text[at]).collect();
        if text.is_empty() {
            return Ok(());
        }
        let columns: Vec<String> = text.iter().map(|&at| name(at)).collect();
        if !self.options.numeric_only {
            let by_line = |at: &&usize| match self.faults[**at].text {
                Some((Position::Line(line) | Position::Row(line), _)) => line,
                None => u64::MAX,
            };
            let Some(&first) = text.iter().min_by_key(by_line) else {
                return Ok(());
            };
            let Some((position, value)) = self.faults[first].text.clone() else {
                return Ok(());
            };
            let column = name(first);
            return Err(Error::NotANumber {
                place: Place::new(self.path, position),
                others: columns.into_iter().filter(|other| *other != column).collect(),
                column,
                value,
            });
        }
        if text.len() == is_text.len() {
            let found = self.header.to_vec();
            return Err(Error::NoFeatures { path: self.path.to_owned(), found });
        }
        let width = is_text.len();
        let mut cell = 0;
        self.values.retain(|_| {
            cell += 1;
            !is_text[(cell - 1) % width]
        });
        self.layout.features = kept(&self.layout.features, &is_text);
        self.faults = kept(&self.faults, &is_text);
        self.categories = kept(&self.categories, &is_text);
        notes.push(TableNote::Text { columns });
        Ok(())
    }

    /// Refuses infinities, and gaps where nothing is to be done about them.
    fn refuse_faults(&self, has_fill: bool) -> Result<()> {
        for (faults, feature) in self.faults.iter().zip(&self.layout.features) {
            let column = self.header[feature.column()].clone();
            let place = |position| Place::new(self.path, position);
            if let Some((position, value)) = faults.infinite.clone() {
                return Err(Error::NotFinite { place: place(position), column, value });
            }
            if self.options.missing != Missing::Error || has_fill {
                continue;
            }
            if let Some((position, value)) = faults.gap.clone() {
                let place = place(position);
                return Err(if value.is_empty() {
                    Error::EmptyCell { place, column }
                } else {
                    Error::NotFinite { place, column, value }
                });
            }
        }
        Ok(())
    }

    /// Leaves out the rows in which a value is missing; text and infinities have been refused before.
    fn drop_gaps(&mut self, notes: &mut Vec<TableNote>) -> Result<()> {
        let width = self.layout.features.len();
        let has_gap = |row: &[f64]| row.iter().any(|value| value.is_nan());
        let gaps: Vec<bool> = self.values.chunks_exact(width).map(has_gap).collect();
        let (of, rows) = (gaps.len(), gaps.iter().filter(|&&gap| gap).count());
        if rows == 0 {
            return Ok(());
        }
        if rows == of {
            return Err(Error::AllDropped { path: self.path.to_owned(), rows });
        }
        let whole = self.values.chunks_exact(width).filter(|row| !has_gap(row));
        self.values = whole.flatten().copied().collect();
        self.ids = kept(&self.ids, &gaps);
        if self.layout.id.is_some() {
            self.positions = kept(&self.positions, &gaps);
        }
        self.columns = self.columns.take().map(|columns| columns.without(&gaps));
        notes.push(TableNote::Dropped { rows, of });
        Ok(())
    }

    /// Puts a coordinate for every value in the place of a column of categories.
    fn expand_categories(&mut self, notes: &mut Vec<TableNote>) {
        let is_category = |feature: &Feature| matches!(feature, Feature::Categories(_));
        if !self.layout.features.iter().any(is_category) {
            return;
        }
        let mut features = Vec::new();
        // The column of values that a new feature comes from, and the number of its category.
        let mut sources: Vec<(usize, Option<f64>)> = Vec::new();
        for (at, feature) in self.layout.features.iter().enumerate() {
            let Feature::Categories(column) = *feature else {
                features.push(feature.clone());
                sources.push((at, None));
                continue;
            };
            // Rows that were dropped may have had values that no other row has.
            let numbers = self.values[at..].iter().step_by(self.layout.features.len());
            let present = numbers.filter(|number| !number.is_nan()).map(|&number| number as usize);
            let by_value: BTreeMap<&String, usize> =
                present.map(|number| (&self.categories[at][number], number)).collect();
            for (&value, &number) in &by_value {
                features.push(Feature::Indicator(column, value.clone()));
                sources.push((at, Some(number as f64)));
            }
            let column = self.header[column].clone();
            notes.push(TableNote::OneHot { column, values: by_value.len() });
        }
        let rows = self.values.chunks_exact(self.layout.features.len());
        let cell = |row: &[f64], &(at, category): &(usize, Option<f64>)| match category {
            Some(category) if !row[at].is_nan() => f64::from(u8::from(row[at] == category)),
            _ => row[at],
        };
        self.values =
            rows.flat_map(|row| sources.iter().map(move |source| cell(row, source))).collect();
        self.layout.features = features;
    }

    /// Fills the gaps; returns what each feature's were filled with, where filling was asked for.
    fn fill(
        &mut self,
        given: Option<&[f64]>,
        notes: &mut Vec<TableNote>,
    ) -> Result<Option<Vec<f64>>> {
        let width = self.layout.features.len();
        let missing = self.options.missing;
        let given = given.filter(|given| given.len() == width && missing != Missing::Drop);
        if given.is_none() && !missing.fills() {
            return Ok(None);
        }
        let fill = match given {
            Some(given) => given.to_vec(),
            None => self.column_fills(width)?,
        };
        let (mut cells, mut rows) = (0, 0);
        for row in self.values.chunks_exact_mut(width) {
            let before = cells;
            for (value, fill) in row.iter_mut().zip(&fill).filter(|(value, _)| value.is_nan()) {
                *value = *fill;
                cells += 1;
            }
            rows += usize::from(cells > before);
        }
        if cells > 0 {
            let with = given.is_none().then_some(missing);
            notes.push(TableNote::Filled { cells, rows, with });
        }
        Ok(Some(fill))
    }

    /// The mean or median of every column.
    fn column_fills(&self, width: usize) -> Result<Vec<f64>> {
        let fill = |at: usize| {
            let column = self.values[at..].iter().step_by(width).copied();
            let fill = self.options.missing.fill(column.filter(|value| !value.is_nan()).collect());
            fill.ok_or_else(|| Error::NothingToFillWith {
                path: self.path.to_owned(),
                column: feature_name(self.header, &self.layout.features[at]),
            })
        };
        (0..width).map(fill).collect()
    }
}

/// The items that are not left out.
fn kept<T: Clone>(items: &[T], left_out: &[bool]) -> Vec<T> {
    let items = items.iter().zip(left_out).filter(|(_, left_out)| !**left_out);
    items.map(|(item, _)| item.clone()).collect()
}

fn feature_name(header: &[String], feature: &Feature) -> String {
    let column = &header[feature.column()];
    match feature {
        Feature::Indicator(_, value) => format!("{column}={value}"),
        _ => column.clone(),
    }
}

/// Warnings of features that count the rows, or number them in another way.
pub(super) fn counters(points: &Points, features: &[Feature], header: &[String]) -> Vec<TableNote> {
    if points.len() < FEW_ROWS || points.dims() < 2 {
        return Vec::new();
    }
    let note = |(at, feature): (usize, &Feature)| {
        let Feature::Number(column) = *feature else {
            return None;
        };
        let mut values: Vec<f64> = points.view().column(at).to_vec();
        if !values.iter().all(|value| value.fract() == 0.0 && value.abs() < 1e15) {
            return None;
        }
        let counts = |values: &[f64]| values.windows(2).all(|pair| pair[1] == pair[0] + 1.0);
        let column = header[column].clone();
        if counts(&values) {
            let [first, last] = [values[0], values[values.len() - 1]].map(|value| value as i64);
            return Some(TableNote::Counter { column, first, last });
        }
        values.sort_unstable_by(f64::total_cmp);
        values.windows(2).all(|pair| pair[0] < pair[1]).then_some(TableNote::Unique { column })
    };
    features.iter().enumerate().filter_map(note).collect()
}

/// A matrix of points from its values, row by row.
pub(super) fn points(path: &Path, rows: usize, dims: usize, values: Vec<f64>) -> Result<Points> {
    let data = Array2::from_shape_vec((rows, dims), values)
        .map_err(|error| Error::unreadable(path, "a table", &error))?;
    Points::new(data)
        .map_err(|source| Error::InFile { path: path.to_owned(), source: Box::new(source) })
}

/// Refuses an id that stands in two rows; `column` is named where it could be left out.
pub(crate) fn refuse_duplicates(
    path: &Path,
    ids: &[String],
    at: &[Position],
    column: Option<&str>,
) -> Result<()> {
    let mut seen: HashMap<&str, Position> = HashMap::with_capacity(ids.len());
    for (id, &position) in ids.iter().zip(at) {
        if let Some(first) = seen.insert(id, position) {
            return Err(Error::DuplicateId {
                place: Place::new(path, position),
                id: id.clone(),
                first,
                column: column.map(str::to_owned),
            });
        }
    }
    Ok(())
}
