//! Writing files so that a failed run leaves nothing half done.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Error, Result};

/// Writes a file atomically: `write` fills a temporary file in the same folder, which then takes
/// the place of `path`. If anything fails, an older file at `path` stays as it was.
///
/// Links are followed, permissions of an older file are kept, a read-only file is refused, and what
/// is no regular file (a pipe, `/dev/stdout`) is written to directly.
pub fn write_file(
    path: impl AsRef<Path>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let path = path.as_ref();
    write_through(path, write).map_err(|source| refused(path, source))
}

fn write_through(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = match fs::metadata(&target) {
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if let Some(old) = &old {
        if old.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !old.is_file() {
            let mut out = BufWriter::new(OpenOptions::new().write(true).open(&target)?);
            write(&mut out)?;
            return out.flush();
        }
        if old.permissions().readonly() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
    }
    let (temporary, file) = Temporary::beside(&target)?;
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    if let Some(old) = old {
        file.set_permissions(old.permissions())?;
    }
    file.sync_all()?;
    temporary.become_file(&target)
}

/// The folder of a path; `.` for a bare name.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn refused(path: &Path, source: io::Error) -> Error {
    let folder = folder_of(path);
    if source.kind() == io::ErrorKind::NotFound && !folder.exists() {
        return Error::MissingFolder { path: path.to_owned(), folder: folder.to_owned() };
    }
    Error::CannotWrite { path: path.to_owned(), source }
}

/// A file that is removed unless it takes its final name.
struct Temporary {
    path: Option<PathBuf>,
}

impl Temporary {
    /// Creates a file next to `target`: a rename is atomic only within one file system.
    fn beside(target: &Path) -> io::Result<(Self, File)> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = target.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let mut unused = std::ffi::OsString::from(".");
            unused.push(name);
            unused.push(format!(".{}-{number}.tmp", std::process::id()));
            let path = target.with_file_name(unused);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok((Self { path: Some(path) }, file)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn become_file(mut self, target: &Path) -> io::Result<()> {
        if let Some(path) = &self.path {
            fs::rename(path, target)?;
        }
        self.path = None;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            // The error that brought us here is the one to report.
            let _ = fs::remove_file(path);
        }
    }
}
