//! `clusters.csv`: which cluster every point is in, and how that fits the constraints.

use std::io::{self, Write};

use ilk::group::Label;
use ilk::outcome::{ConstraintReport, PointConfidence};
use ilk::problem::Constraints;

use crate::Columns;

/// What [`write_clusters`] writes.
#[derive(Debug, Clone, Copy)]
pub struct Clusters<'a> {
    /// The id of every point.
    pub ids: &'a [String],
    /// The cluster of every point.
    pub labels: &'a [Label],
    /// How sure every point's cluster is, for methods that estimate it.
    pub confidence: Option<&'a PointConfidence>,
    /// The constraints, and which of them hold; none for new points.
    pub constraints: Option<(&'a Constraints, &'a ConstraintReport)>,
    /// Columns of the input to repeat, and which of them held the ids.
    pub keep: Option<(&'a Columns, Option<&'a str>)>,
}

/// Names of columns that are written; those of the confidence only where there is one.
const OWN: [&str; 7] =
    ["id", "cluster", "confidence", "runner_up", "is_noise", "is_constrained", "violations"];

/// Writes CSV with a header: `id,cluster,is_noise,is_constrained,violations`, with `confidence,runner_up` after the
/// cluster where the method tells them, then the columns to
/// keep. A point in no cluster (noise) has an empty cluster. `violations` counts the broken
/// constraints that the point takes part in. A kept column whose name is taken gets `_input` at its
/// end; the id column is not repeated.
pub fn write_clusters(out: &mut dyn Write, clusters: &Clusters<'_>) -> io::Result<()> {
    let involvement = Involvement::of(clusters);
    let kept: Vec<usize> = match clusters.keep {
        Some((columns, id)) => (0..columns.names().len())
            .filter(|&column| Some(columns.names()[column].as_str()) != id)
            .collect(),
        None => Vec::new(),
    };
    let mut csv = csv::Writer::from_writer(out);
    let is_always_written = |name: &&str| !["confidence", "runner_up"].contains(name);
    for name in OWN.iter().filter(|name| clusters.confidence.is_some() || is_always_written(name)) {
        csv.write_field(name)?;
    }
    if let Some((columns, _)) = clusters.keep {
        for name in kept_names(columns, &kept) {
            csv.write_field(name)?;
        }
    }
    csv.write_record(None::<&[u8]>)?;
    for (point, (id, label)) in clusters.ids.iter().zip(clusters.labels).enumerate() {
        csv.write_field(id)?;
        let named = |label: Label| label.map_or(String::new(), |cluster| cluster.to_string());
        csv.write_field(named(*label))?;
        if let Some(votes) = clusters.confidence {
            csv.write_field(format!("{:.3}", votes.confidence[point]))?;
            csv.write_field(named(votes.runner_up[point]))?;
        }
        csv.write_field(label.is_none().to_string())?;
        csv.write_field(involvement.constrained[point].to_string())?;
        csv.write_field(involvement.broken[point].to_string())?;
        if let Some((columns, _)) = clusters.keep {
            for &column in &kept {
                csv.write_field(columns.cell(point, column).unwrap_or(""))?;
            }
        }
        csv.write_record(None::<&[u8]>)?;
    }
    csv.flush()
}

/// The names of kept columns, changed where they would stand twice.
fn kept_names(columns: &Columns, kept: &[usize]) -> Vec<String> {
    let mut taken: Vec<String> = OWN.iter().map(|&name| name.to_owned()).collect();
    for &column in kept {
        let mut name = columns.names()[column].clone();
        while taken.contains(&name) {
            name.push_str("_input");
        }
        taken.push(name);
    }
    taken.split_off(OWN.len())
}

/// How constraints touch each point.
struct Involvement {
    constrained: Vec<bool>,
    broken: Vec<usize>,
}

impl Involvement {
    fn of(clusters: &Clusters<'_>) -> Self {
        let n = clusters.ids.len();
        let mut involvement = Self { constrained: vec![false; n], broken: vec![0; n] };
        let Some((constraints, report)) = clusters.constraints else {
            return involvement;
        };
        for point in constraints.constrained_points() {
            involvement.constrained[point] = true;
        }
        for kind in &report.kinds {
            for &entry in &kind.broken {
                for &point in constraints.points_of(kind.kind, entry).unwrap_or(&[]) {
                    involvement.broken[point] += 1;
                }
            }
        }
        involvement
    }
}
