//! Where the rows are on the map.

use serde::Serialize;

/// The places of all rows, and what the axes are.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Map {
    axes: Option<[String; 2]>,
    ids: Vec<String>,
    x: Vec<f64>,
    y: Vec<f64>,
}

/// A plane: what its axes show, and a place for every row.
#[derive(Debug, Clone)]
pub struct Plane {
    /// What the axes show.
    pub axes: Option<[String; 2]>,
    /// The place of every row.
    pub points: Vec<[f64; 2]>,
}

impl Map {
    /// The plane, brought to the square from -1 to 1, in steps that no screen shows.
    pub(crate) fn of(plane: &Plane, ids: &[String]) -> Self {
        let axis = |at: usize| -> Vec<f64> {
            let values = || plane.points.iter().map(|point| point[at]);
            let low = values().fold(f64::INFINITY, f64::min);
            let high = values().fold(f64::NEG_INFINITY, f64::max);
            let half = ((high - low) / 2.0).max(f64::MIN_POSITIVE);
            let steps = |value: f64| (1e5 * ((value - low) / half - 1.0)).round() / 1e5;
            values().map(|value| if high > low { steps(value) } else { 0.0 }).collect()
        };
        Self { axes: plane.axes.clone(), ids: ids.to_vec(), x: axis(0), y: axis(1) }
    }
}
