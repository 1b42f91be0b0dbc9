//! What a cell of a table holds.

use crate::records::Row;

/// A cell that is to be a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cell {
    Number(f64),
    /// Nothing, or a word that programs write where they have no number.
    Missing,
    Infinite,
    Text,
}

/// A row of any file.
pub(super) trait Cells {
    fn number(&self, column: usize) -> Cell;
    fn text(&self, column: usize) -> String;
}

impl Cells for Row {
    fn number(&self, column: usize) -> Cell {
        if let Some(&stored) = self.numbers.get(column).filter(|stored| stored.is_finite()) {
            return Cell::Number(stored);
        }
        parse(self.cell(column))
    }

    fn text(&self, column: usize) -> String {
        self.cell(column).to_owned()
    }
}

impl Cells for &[f64] {
    fn number(&self, column: usize) -> Cell {
        let number = self[column];
        if number.is_finite() {
            Cell::Number(number)
        } else if number.is_nan() {
            Cell::Missing
        } else {
            Cell::Infinite
        }
    }

    fn text(&self, column: usize) -> String {
        self[column].to_string()
    }
}

/// A number, or true or false for 1 or 0, as Parquet's flags are read.
pub(super) fn parse(text: &str) -> Cell {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Cell::Number(number),
        Ok(number) if number.is_nan() => Cell::Missing,
        Ok(_) => Cell::Infinite,
        Err(_) if text.is_empty() || is_missing_word(text) => Cell::Missing,
        Err(_) if text.eq_ignore_ascii_case("none") => Cell::Missing,
        Err(_) if text.eq_ignore_ascii_case("true") => Cell::Number(1.0),
        Err(_) if text.eq_ignore_ascii_case("false") => Cell::Number(0.0),
        Err(_) => Cell::Text,
    }
}

/// What programs write where they have no value.
pub(crate) fn is_missing_word(text: &str) -> bool {
    ["na", "n/a", "nan", "null", "#n/a"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Whether a header is more likely the first row of data: its numbers stand where the row below has
/// numbers, and are none that columns are called by, such as years.
pub(super) fn looks_like_data(header: &[String], row: &impl Cells) -> bool {
    let mut numbers = Vec::new();
    for (column, name) in header.iter().enumerate() {
        let named = match parse(name) {
            Cell::Number(number) => {
                numbers.push(number);
                true
            }
            _ => false,
        };
        if named != matches!(row.number(column), Cell::Number(_)) {
            return false;
        }
    }
    let are_names = numbers.iter().all(|number| number.fract() == 0.0)
        && numbers.windows(2).all(|pair| pair[0] < pair[1]);
    !are_names
}
