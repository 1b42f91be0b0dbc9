//! What comes with the smallest or the largest number: its position, or its name.

/// The position of the smallest value, the first of equal ones; `None` for no values.
pub(crate) fn argmin(values: &[f64]) -> Option<usize> {
    (0..values.len()).reduce(|best, i| if values[i] < values[best] { i } else { best })
}

/// The position of the largest value, the first of equal ones; `None` for no values.
pub(crate) fn argmax(values: &[f64]) -> Option<usize> {
    (0..values.len()).reduce(|best, i| if values[i] > values[best] { i } else { best })
}

/// The name with the largest weight, of equal ones the first.
pub(crate) fn heaviest<T>(weights: impl IntoIterator<Item = (T, f64)>) -> Option<T> {
    weights
        .into_iter()
        .reduce(|best, next| if next.1 > best.1 { next } else { best })
        .map(|(name, _)| name)
}
