//! Quantiles, interpolated linearly between the two nearest order statistics, as numpy's.

#[cfg(test)]
mod tests;

/// Where a quantile lies: between two values, a fraction of the way from one to the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantile {
    below: f64,
    above: f64,
    fraction: f64,
}

impl Quantile {
    /// The quantile below which the share `share` (0 to 1) of the values lies, in linear time; the
    /// values end up in another order. `None` of no values.
    pub fn new(values: &mut [f64], share: f64) -> Option<Self> {
        let last = values.len().checked_sub(1)?;
        let rank = share.clamp(0.0, 1.0) * last as f64;
        let at = (rank.floor() as usize).min(last);
        let (_, &mut below, rest) = values.select_nth_unstable_by(at, f64::total_cmp);
        Some(Self {
            below,
            above: rest.iter().copied().min_by(f64::total_cmp).unwrap_or(below),
            fraction: rank.fract(),
        })
    }

    /// The quantile itself.
    pub fn value(self) -> f64 {
        self.of(|value| value)
    }

    /// The quantile of what a function that never falls makes of the values. It is asked for two
    /// values, not for all.
    pub fn of(self, rising: impl Fn(f64) -> f64) -> f64 {
        let low = rising(self.below);
        if self.fraction > 0.0 { low + (rising(self.above) - low) * self.fraction } else { low }
    }
}
