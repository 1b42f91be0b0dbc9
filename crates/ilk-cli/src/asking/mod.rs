//! Who answers the questions of `ilk ask`: a person, a program, or the truth.

pub(crate) mod ended;
pub(crate) mod person;
pub(crate) mod program;
pub(crate) mod simulated;
pub(crate) mod status;

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;
use ilk::ask::{Answer, NextQuestion};
use ilk_io::Table;

/// What came of a question.
#[derive(Debug)]
pub(crate) enum Reply {
    /// An answer.
    Answered {
        answer: Answer,
        /// Above 0 and at most 1.
        confidence: f64,
        note: String,
    },
    /// The answer before is taken back.
    Undo,
    /// No more questions now.
    Quit,
}

/// Whoever answers.
pub(crate) trait Answerer {
    /// Answers a question; `number` is how many were answered before.
    fn answer(&mut self, question: &NextQuestion, number: usize, rows: &Rows<'_>) -> Result<Reply>;
}

/// The rows of the data as people and programs see them: all columns, as they are in the file.
pub(crate) struct Rows<'a> {
    table: &'a Table,
    names: Vec<String>,
}

impl<'a> Rows<'a> {
    pub(crate) fn new(table: &'a Table, left_out: &[String]) -> Self {
        let own = table.columns.as_ref().map(|columns| columns.names().to_vec());
        let names = own.unwrap_or_else(|| table.feature_names.clone());
        let is_shown =
            |name: &String| Some(name) != table.id_column.as_ref() && !left_out.contains(name);
        Self { table, names: names.into_iter().filter(is_shown).collect() }
    }

    /// The id of a point.
    pub(crate) fn id(&self, point: usize) -> &str {
        &self.table.ids[point]
    }

    /// The point with an id.
    pub(crate) fn point(&self, id: &str) -> Option<usize> {
        self.table.ids.iter().position(|other| other == id)
    }

    /// The names of the columns, without that of the ids and those that hold the truth.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// The cells of a point, in the order of the names.
    pub(crate) fn cells(&self, point: usize) -> Vec<String> {
        self.names.iter().map(|name| self.cell(point, name)).collect()
    }

    fn cell(&self, point: usize, name: &str) -> String {
        if let Some(columns) = &self.table.columns {
            let column = columns.names().iter().position(|other| other == name);
            let cell = column.and_then(|column| columns.cell(point, column));
            return cell.unwrap_or_default().to_owned();
        }
        let column = self.table.feature_names.iter().position(|other| other == name);
        column.map_or(String::new(), |column| self.table.points.row(point)[column].to_string())
    }
}

/// The time, in UTC, as 2026-01-31T09:30:00Z.
pub(crate) fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    timestamp(since.as_secs())
}

/// Seconds since 1970 as a date and a time (Howard Hinnant's algorithm for days).
fn timestamp(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::timestamp;

    #[test]
    fn timestamps_are_those_of_the_calendar() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00Z");
        assert_eq!(timestamp(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(timestamp(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(timestamp(1_767_225_599), "2025-12-31T23:59:59Z");
    }
}
