//! Positions of the smallest and of the largest number.

/// The position of the smallest value, the first of equal ones; `None` for no values.
pub(crate) fn argmin(values: &[f64]) -> Option<usize> {
    (0..values.len()).reduce(|best, i| if values[i] < values[best] { i } else { best })
}

/// The position of the largest value, the first of equal ones; `None` for no values.
pub(crate) fn argmax(values: &[f64]) -> Option<usize> {
    (0..values.len()).reduce(|best, i| if values[i] > values[best] { i } else { best })
}
