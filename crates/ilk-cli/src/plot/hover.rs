//! What a mark says where a pointer rests on it.

use ilk::group::Label;
use ilk::problem::Points;

use crate::text::{number, short};

/// Values that all marks of a plot show together; more would make the file large.
const MAX_VALUES: usize = 12_000;
/// Features that a mark shows.
const MAX_FEATURES: usize = 8;

/// What the points of a plot are called.
#[derive(Debug, Clone)]
pub(crate) struct Names<'a> {
    /// The ids of the points.
    pub(crate) ids: &'a [String],
    /// The names of their features and their values, where they have any.
    pub(crate) features: Option<(&'a [String], &'a Points)>,
}

impl Names<'_> {
    /// The texts of the points, given how many of them are drawn.
    pub(super) fn text(
        &self,
        point: usize,
        label: Label,
        sure: Option<f64>,
        drawn: usize,
    ) -> String {
        let mut lines = vec![short(&self.ids[point], 60)];
        let sure = sure.map_or(String::new(), |sure| format!(", confidence {sure:.2}"));
        lines.push(match label {
            Some(label) => format!("cluster {label}{sure}"),
            None => format!("in no cluster{sure}"),
        });
        if let Some((names, values)) = &self.features {
            let shown = MAX_FEATURES.min(MAX_VALUES / drawn.max(1));
            for (name, value) in names.iter().zip(values.row(point)).take(shown) {
                lines.push(format!("{}: {}", short(name, 40), number(*value)));
            }
        }
        lines.join("\n")
    }
}
