//! From data to the unit interval, and the round numbers along it.

/// The stretch of the data that a plot shows along one axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    /// Around `values`, with a margin. Constant values sit in the middle of an axis of length 1.
    pub(crate) fn around(values: impl Iterator<Item = f64>) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            return Self { low: 0.0, high: 1.0 };
        }
        let half = (high / 2.0 - low / 2.0) * (1.0 + 2.0 * MARGIN);
        let middle = low / 2.0 + high / 2.0;
        Self::centered(middle, half)
    }

    fn centered(middle: f64, half: f64) -> Self {
        // An axis shorter than the rounding of its own numbers could not be divided.
        let half = half.max(middle.abs() * 1e-9);
        let half = if half > 0.0 { half } else { 0.5 };
        Self { low: (middle - half).max(f64::MIN), high: (middle + half).min(f64::MAX) }
    }

    /// Half its length; half, because the whole may exceed what a float can hold.
    pub(crate) fn half(self) -> f64 {
        self.high / 2.0 - self.low / 2.0
    }

    /// The same middle with another half-length.
    pub(crate) fn with_half(self, half: f64) -> Self {
        Self::centered(self.low / 2.0 + self.high / 2.0, half)
    }

    /// Where a value lies: 0 at the low end, 1 at the high end.
    pub(crate) fn place(self, value: f64) -> f64 {
        ((value / 2.0 - self.low / 2.0) / self.half()).clamp(0.0, 1.0)
    }

    /// Round values along the axis, about `wanted` of them, each with its text.
    pub(crate) fn ticks(self, wanted: usize) -> Vec<(f64, String)> {
        let least = self.half() / wanted as f64 * 2.0;
        let power = 10f64.powf(least.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|multiple| multiple * power)
            .find(|&step| step >= least)
            .unwrap_or(least);
        if !(step.is_finite() && step > 0.0) {
            return Vec::new();
        }
        let first = (self.low / step).ceil();
        (0..=2 * wanted)
            .map(|i| (first + i as f64) * step)
            .take_while(|&value| value <= self.high)
            .map(|value| (value, label(value, step)))
            .collect()
    }
}

/// Both axes with the same scale in a frame of this width and height: distances are what clusters are
/// made of. Where that would squeeze the data into a strip they stay as they are.
pub(crate) fn same_scale([x, y]: [Axis; 2], [width, height]: [f64; 2]) -> [Axis; 2] {
    let (per_x, per_y) = (x.half() / width, y.half() / height);
    let unit = per_x.max(per_y);
    if unit > 4.0 * per_x.min(per_y) || !unit.is_finite() {
        return [x, y];
    }
    [x.with_half(unit * width), y.with_half(unit * height)]
}

/// Share of the data's extent that is left free at each end.
const MARGIN: f64 = 0.04;

/// A tick's text, with as many decimals as make it differ from its neighbours.
fn label(value: f64, step: f64) -> String {
    if value == 0.0 || value.abs() < step * 1e-6 {
        return "0".to_owned();
    }
    let largest = value.abs().log10();
    if !(-4.0..7.0).contains(&largest) {
        let digits = (largest.floor() - step.log10().floor()).clamp(0.0, 12.0) as usize;
        return format!("{value:.digits$e}");
    }
    let decimals = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
    format!("{value:.decimals$}")
}
