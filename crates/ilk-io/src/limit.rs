//! How much a packed file may hold.

use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that a packed file may unpack to, unless [`set_max_unpacked`] says otherwise: 2 GiB.
pub const MAX_UNPACKED: u64 = 2 << 30;

static LIMIT: AtomicU64 = AtomicU64::new(MAX_UNPACKED);

/// Sets, for the whole process, how many bytes a packed file (gzip, NPZ, a model) may unpack to. A
/// megabyte can hold gigabytes of zeros, so what a stranger sent could otherwise take all memory.
pub fn set_max_unpacked(bytes: u64) {
    LIMIT.store(bytes, Ordering::Relaxed);
}

/// Bytes that a packed file may unpack to.
pub(crate) fn max_unpacked() -> u64 {
    LIMIT.load(Ordering::Relaxed)
}

/// A stream that fails, as a file that is too large, where it goes on after the limit.
pub(crate) struct Limited<R> {
    inner: R,
    left: u64,
}

impl<R> Limited<R> {
    pub(crate) fn new(inner: R) -> Self {
        Self { inner, left: max_unpacked() }
    }
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        match self.left.checked_sub(read as u64) {
            Some(left) => self.left = left,
            None => return Err(io::ErrorKind::FileTooLarge.into()),
        }
        Ok(read)
    }
}
