//! Rows as people see them.

use super::Table;

/// The rows of the data as people and programs see them: all columns, as they are in the file.
#[derive(Debug)]
pub struct Rows<'a> {
    table: &'a Table,
    names: Vec<String>,
}

impl<'a> Rows<'a> {
    /// The rows of a table, which was read with its own columns kept; columns of these names are not shown.
    pub fn new(table: &'a Table, left_out: &[String]) -> Self {
        let own = table.columns.as_ref().map(|columns| columns.names().to_vec());
        let names = own.unwrap_or_else(|| table.feature_names.clone());
        let is_shown =
            |name: &String| Some(name) != table.id_column.as_ref() && !left_out.contains(name);
        Self { table, names: names.into_iter().filter(is_shown).collect() }
    }

    /// The id of a point.
    pub fn id(&self, point: usize) -> &str {
        &self.table.ids[point]
    }

    /// The point with an id.
    pub fn point(&self, id: &str) -> Option<usize> {
        self.table.ids.iter().position(|other| other == id)
    }

    /// The names of the columns, without that of the ids and those that hold the truth.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The cells of a point, in the order of the names.
    pub fn cells(&self, point: usize) -> Vec<String> {
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
