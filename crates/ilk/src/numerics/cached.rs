//! Values that are derived from their neighbouring fields at first use.

use std::fmt;
use std::sync::{Arc, OnceLock};

/// A value that is made at first use and kept, such as the index of a model's points.
///
/// It is no part of the value that holds it: two of them are always equal, and serde skips it. The holder
/// must not change after the first use.
pub(crate) struct Cached<T>(OnceLock<Arc<T>>);

impl<T> Cached<T> {
    /// The value, made by `make` if there is none yet.
    ///
    /// `make` runs outside of the lock: it may use rayon, whose waiting threads take up other work, which
    /// may ask for the same value. Of two made at a time the first is kept.
    pub(crate) fn get(&self, make: impl FnOnce() -> T) -> &T {
        if let Some(value) = self.0.get() {
            return value;
        }
        let made = Arc::new(make());
        self.0.get_or_init(|| made)
    }

    /// As [`get`](Self::get), where making the value can fail.
    pub(crate) fn try_get<E>(&self, make: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
        if let Some(value) = self.0.get() {
            return Ok(value);
        }
        let made = make()?;
        Ok(self.get(|| made))
    }
}

impl<T> From<T> for Cached<T> {
    fn from(value: T) -> Self {
        Self(Arc::new(value).into())
    }
}

impl<T> Default for Cached<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> Clone for Cached<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> PartialEq for Cached<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> fmt::Debug for Cached<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.get().is_some() { "Cached(made)" } else { "Cached(not made)" })
    }
}
