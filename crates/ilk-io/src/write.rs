//! Writing files so that a failed run leaves nothing half done.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

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
    let target = resolve(path);
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
    remove_leftovers(&target);
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

/// The one name of a file, whichever way it was written: links are followed, also one whose target does
/// not exist yet.
pub fn resolve(path: &Path) -> PathBuf {
    /// Links upon links that systems follow.
    const MAX_LINKS: usize = 40;
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&target) {
            Ok(next) => target = folder_of(&target).join(next),
            Err(_) => break,
        }
    }
    if let Ok(real) = fs::canonicalize(&target) {
        return real;
    }
    match (fs::canonicalize(folder_of(&target)), target.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => target,
    }
}

/// Files that [`write_file`] has put in their place since the process began.
pub fn files_written() -> usize {
    WRITTEN.load(Ordering::SeqCst)
}

static WRITTEN: AtomicUsize = AtomicUsize::new(0);

/// Temporary files that exist now.
static TEMPORARIES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes the temporary files of writes that are going on. This is for a process that is about to end
/// in the midst of them.
pub fn remove_temporaries() {
    let paths = TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner);
    for path in paths.iter() {
        let _ = fs::remove_file(path);
    }
}

fn forget(path: &Path) {
    let mut paths = TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner);
    paths.retain(|other| other != path);
}

/// Removes what killed processes left beside a file: names as [`Temporary`] makes them, of processes that
/// are no more, untouched for a while, since the folder may be shared with machines whose processes this
/// one does not see. Where the system does not list its processes, they stay.
fn remove_leftovers(target: &Path) {
    let processes = Path::new("/proc");
    let (Some(name), Ok(entries)) = (target.file_name(), fs::read_dir(folder_of(target))) else {
        return;
    };
    if !processes.join(std::process::id().to_string()).exists() {
        return;
    }
    let start = format!(".{}.", name.to_string_lossy());
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let process = name
            .strip_prefix(&start)
            .and_then(|rest| rest.strip_suffix(".tmp")?.split_once('-'))
            .and_then(|(process, _)| process.parse::<u32>().ok());
        let is_gone = |process: u32| !processes.join(process.to_string()).exists();
        if process.is_some_and(is_gone) && is_untouched(&entry) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a file has not been written to for ten minutes.
fn is_untouched(entry: &fs::DirEntry) -> bool {
    const WHILE: Duration = Duration::from_secs(600);
    let modified = entry.metadata().and_then(|metadata| metadata.modified());
    modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > WHILE))
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
                Ok(file) => {
                    let mut paths = TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner);
                    paths.push(path.clone());
                    return Ok((Self { path: Some(path) }, file));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn become_file(mut self, target: &Path) -> io::Result<()> {
        if let Some(path) = &self.path {
            fs::rename(path, target)?;
            WRITTEN.fetch_add(1, Ordering::SeqCst);
            forget(path);
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
            forget(path);
        }
    }
}
