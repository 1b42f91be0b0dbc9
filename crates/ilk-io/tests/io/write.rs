use std::fs;
use std::io;

use ilk_io::{Error, write_file};

use crate::Folder;

#[test]
fn a_file_is_written_and_nothing_else_is_left() {
    let folder = Folder::new();
    write_file(folder.path("out.csv"), |out| out.write_all(b"new")).unwrap();
    assert_eq!(fs::read(folder.path("out.csv")).unwrap(), b"new");
    assert_eq!(folder.names(), ["out.csv"]);
}

#[test]
fn a_failed_write_leaves_the_old_file_and_nothing_else() {
    let folder = Folder::new();
    let path = folder.file("out.csv", "old");
    let result = write_file(&path, |out| {
        out.write_all(&vec![b'x'; 100_000])?;
        Err(io::Error::other("the disk is full"))
    });
    assert_eq!(
        folder.message(result),
        "out.csv: cannot be written: the disk is full; choose another place, or change who may \
         write there"
    );
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(folder.names(), ["out.csv"]);
}

#[test]
fn a_missing_folder_is_named() {
    let folder = Folder::new();
    let result = write_file(folder.path("results/out.csv"), |_| Ok(()));
    assert_eq!(
        folder.message(result),
        "results/out.csv: cannot be written: there is no folder results; make it first"
    );
}

#[test]
fn a_read_only_file_is_not_replaced() {
    let folder = Folder::new();
    let path = folder.file("out.csv", "old");
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let result = write_file(&path, |out| out.write_all(b"new"));
    assert_eq!(
        folder.message(result),
        "out.csv: cannot be written: permission denied; choose another place, or change who may \
         write there"
    );
    assert_eq!(fs::read(&path).unwrap(), b"old");
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_refused() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new();
    let locked = folder.path("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(locked.join("probe"), "").is_ok() {
        eprintln!("skipped: this user may write to read-only folders");
        return;
    }
    let result = write_file(locked.join("out.csv"), |out| out.write_all(b"new"));
    assert_eq!(
        folder.message(result),
        "locked/out.csv: cannot be written: Permission denied (os error 13); choose another \
         place, or change who may write there"
    );
}

#[test]
fn a_folder_is_not_a_place_for_a_file() {
    let folder = Folder::new();
    fs::create_dir(folder.path("out.csv")).unwrap();
    let result = write_file(folder.path("out.csv"), |_| Ok(()));
    assert_eq!(
        folder.message(result),
        "out.csv: cannot be written: is a directory; choose another place, or change who may \
         write there"
    );
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_permissions_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = Folder::new();
    let target = folder.file("target.csv", "old");
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&target, folder.path("link.csv")).unwrap();
    write_file(folder.path("link.csv"), |out| out.write_all(b"new")).unwrap();
    assert_eq!(fs::read(&target).unwrap(), b"new");
    assert!(fs::symlink_metadata(folder.path("link.csv")).unwrap().is_symlink());
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_no_regular_file_is_written_to_and_not_replaced() {
    write_file("/dev/null", |out| out.write_all(b"gone")).unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    let full = write_file("/dev/full", |out| out.write_all(b"x")).unwrap_err();
    assert!(matches!(full, Error::CannotWrite { .. }));
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_yet_is_followed() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new();
    fs::create_dir(folder.path("results")).unwrap();
    symlink("results/out.csv", folder.path("link.csv")).unwrap();
    write_file(folder.path("link.csv"), |out| out.write_all(b"new")).unwrap();
    assert_eq!(fs::read(folder.path("results/out.csv")).unwrap(), b"new");
    assert!(fs::symlink_metadata(folder.path("link.csv")).unwrap().is_symlink());
    symlink("nowhere/out.csv", folder.path("lost.csv")).unwrap();
    assert!(write_file(folder.path("lost.csv"), |_| Ok(())).is_err());
    assert!(fs::symlink_metadata(folder.path("lost.csv")).unwrap().is_symlink());
}

/// The process that left them is no more: ids of processes stay below 2^22.
#[cfg(target_os = "linux")]
#[test]
fn what_a_killed_process_left_is_removed_by_the_next_write() {
    let folder = Folder::new();
    let hour = std::time::Duration::from_secs(3600);
    let old = |name: &str| {
        let path = folder.file(name, "torn");
        let file = fs::File::options().write(true).open(path).unwrap();
        file.set_modified(std::time::SystemTime::now() - hour).unwrap();
    };
    old(".out.csv.4194305-0.tmp");
    old(&format!(".out.csv.{}-99.tmp", std::process::id()));
    old(".other.csv.4194305-0.tmp");
    old(".out.csv.notes.tmp");
    folder.file(".out.csv.4194306-0.tmp", "of another machine, perhaps");
    write_file(folder.path("out.csv"), |out| out.write_all(b"new")).unwrap();
    let mut left = vec![
        ".other.csv.4194305-0.tmp".to_owned(),
        ".out.csv.4194306-0.tmp".to_owned(),
        format!(".out.csv.{}-99.tmp", std::process::id()),
        ".out.csv.notes.tmp".to_owned(),
        "out.csv".to_owned(),
    ];
    left.sort();
    assert_eq!(folder.names(), left);
}
