//! Means under a flat kernel: of the points within a distance, added up point by point or by whole blocks.

use super::density::{Density, DensityScratch};
use crate::numerics::ball::{is_within, slots_within, sum_rows};
use crate::numerics::blocks::{BLOCK_LEN, PerLane};
use crate::similarity::Profile;

impl Density {
    /// Fills in `block_sums` where they will be used.
    pub(super) fn sum_blocks(&mut self) {
        if self.kernel.profile != Profile::Flat || !self.widths.radius_sq.is_empty() {
            return;
        }
        let slots: Vec<u32> = (0..self.len() as u32).collect();
        let mut sums = vec![0.0; self.padded];
        for block in slots.chunks(BLOCK_LEN) {
            let weight = self.sum_of(block, &mut sums);
            self.block_sums.extend_from_slice(&sums);
            self.block_sums.push(weight);
        }
    }

    /// The mean of the points in whose flat kernel `x` lies, into `mean` (padded like a row);
    /// returns their weight. A pure function of `x`: see [`flat_kernel`](super::flat_kernel).
    pub(super) fn mean_of_members(
        &self,
        x: &[f64],
        mean: &mut [f64],
        scratch: &mut DensityScratch,
    ) -> f64 {
        scratch.near.clear();
        scratch.within.clear();
        let (blocks, widths) = (&self.blocks, &self.widths);
        let widest_sq = widths.widest * widths.widest;
        let (near, within) = (&mut scratch.near, &mut scratch.within);
        let radius_sq = if widths.radius_sq.is_empty() {
            blocks.near_or_within(x, widest_sq, near, within);
            PerLane::Same(widest_sq)
        } else {
            blocks.near(x, widest_sq, near);
            PerLane::Each(&widths.radius_sq)
        };
        scratch.slots.clear();
        slots_within(blocks.coords(), near, x, radius_sq, &mut scratch.slots);
        let mut weight = self.sum_of(&scratch.slots, mean);
        for &block in &scratch.within {
            let sums = &self.block_sums[block as usize * (self.padded + 1)..][..=self.padded];
            for (total, sum) in mean.iter_mut().zip(sums) {
                *total += sum;
            }
            weight += sums[self.padded];
        }
        divide(mean, weight);
        weight
    }

    /// Whether `x` lies in the flat kernel of the point in `slot`.
    pub(super) fn is_member(&self, slot: u32, x: &[f64]) -> bool {
        let slot = slot as usize;
        let h_sq = self.widths.median * self.widths.median;
        let radius_sq = self.widths.radius_sq.get(slot).copied().unwrap_or(h_sq);
        is_within(&self.rows[slot * self.padded..], x, radius_sq)
    }

    /// The weighted mean of the points in `slots`, and their weight.
    pub(super) fn mean_of(&self, slots: &[u32], mean: &mut [f64]) -> f64 {
        let weight = self.sum_of(slots, mean);
        divide(mean, weight);
        weight
    }

    /// The weighted sum of the points in `slots`, and their weight.
    fn sum_of(&self, slots: &[u32], sums: &mut [f64]) -> f64 {
        sum_rows(&self.rows, &self.widths.mass, slots, sums);
        let masses = &self.widths.mass;
        if masses.is_empty() {
            return slots.len() as f64;
        }
        slots.iter().map(|&slot| masses[slot as usize]).sum()
    }
}

/// Divides sums by a weight, unless it is 0.
fn divide(sums: &mut [f64], weight: f64) {
    if weight > 0.0 {
        for sum in sums {
            *sum /= weight;
        }
    }
}
