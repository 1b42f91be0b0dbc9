//! Panics of a reader that is not ours become errors, in silence.

use std::cell::Cell;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::Once;

use parquet::errors::Result as ParquetResult;

use crate::{Error, Result};

/// Runs a part of the reader. It panics on some damaged files where it should return an error, and
/// no file may stop the program.
pub(super) fn guarded<T>(path: &Path, read: impl FnOnce() -> ParquetResult<T>) -> Result<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(silence_guarded);
    IS_GUARDED.set(true);
    let outcome = std::panic::catch_unwind(AssertUnwindSafe(read));
    IS_GUARDED.set(false);
    match outcome {
        Ok(result) => result.map_err(|error| Error::unreadable(path, "Parquet", &error)),
        Err(_) => Err(Error::unreadable(path, "Parquet", &"its reader gave up")),
    }
}

thread_local! {
    /// Whether this thread is in a part of the reader whose panics become errors.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Makes panics that become errors print nothing; all others go on to the hook that was there.
fn silence_guarded() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !IS_GUARDED.get() {
            before(info);
        }
    }));
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_panic_that_becomes_an_error_prints_nothing_and_others_do() {
        static PRINTED: AtomicUsize = AtomicUsize::new(0);
        std::panic::set_hook(Box::new(|_| _ = PRINTED.fetch_add(1, Ordering::Relaxed)));
        silence_guarded();
        let damaged = || -> ParquetResult<()> { panic!("a damaged page") };
        let message = guarded(Path::new("x.parquet"), damaged).unwrap_err().to_string();
        assert!(message.contains("its reader gave up"), "{message}");
        assert_eq!(PRINTED.load(Ordering::Relaxed), 0);
        let other = std::panic::catch_unwind(|| panic!("a fault of ours"));
        assert!(other.is_err());
        assert_eq!(PRINTED.load(Ordering::Relaxed), 1);
    }
}
