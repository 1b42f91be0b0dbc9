//! Who is whose neighbour.

use super::units::Units;
use super::weights::weigh;
use crate::numerics::neighbors::{Itself, Neighbors};
use crate::problem::Points;

/// The neighbours of every point and their weights, with the way back.
pub(super) struct Links {
    k: usize,
    /// For each point its k neighbours and their weights, which sum to 1.
    out: Vec<(usize, f64)>,
    /// For each point the weight of its neighbours in its own unit.
    inside: Vec<f64>,
    /// For each unit the distances of its points to their farthest neighbours, summed.
    reach: Vec<f64>,
    /// For each unit the points outside of it that have neighbours in it, and the weight of those.
    into: Vec<Vec<(usize, f64)>>,
}

impl Links {
    pub(super) fn new(space: &Points, units: &Units, k: usize) -> Self {
        let table = Neighbors::new(space.view()).nearest_all(k, Itself::IsLeftOut);
        let mut links = Self {
            k: table.k(),
            out: Vec::with_capacity(table.len() * table.k()),
            inside: vec![0.0; table.len()],
            reach: vec![0.0; units.len()],
            into: vec![Vec::new(); units.len()],
        };
        for point in 0..table.len() {
            let row = table.row(point);
            let farthest = row.last().map_or(0.0, |farthest| farthest.dist_sq);
            links.reach[units.of(point)] += farthest.sqrt();
            for (neighbor, weight) in row.iter().zip(weigh(row)) {
                links.out.push((neighbor.index, weight));
                let unit = units.of(neighbor.index);
                if unit == units.of(point) {
                    links.inside[point] += weight;
                    continue;
                }
                match links.into[unit].last_mut() {
                    Some((last, total)) if *last == point => *total += weight,
                    _ => links.into[unit].push((point, weight)),
                }
            }
        }
        links
    }

    /// Number of points.
    pub(super) fn n(&self) -> usize {
        self.inside.len()
    }

    /// The neighbours of a point and their weights.
    pub(super) fn of(&self, point: usize) -> &[(usize, f64)] {
        &self.out[point * self.k..(point + 1) * self.k]
    }

    /// The weight of a point's neighbours in its own unit.
    pub(super) fn inside(&self, point: usize) -> f64 {
        self.inside[point]
    }

    /// How sparse it is around a unit: the distances of its points to their farthest neighbours,
    /// summed.
    pub(super) fn reach(&self, unit: usize) -> f64 {
        self.reach[unit]
    }

    /// The points outside a unit that have neighbours in it, and the weight of those.
    pub(super) fn to_unit(&self, unit: usize) -> &[(usize, f64)] {
        &self.into[unit]
    }
}
