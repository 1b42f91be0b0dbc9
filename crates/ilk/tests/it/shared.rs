//! Golden outputs on generated data lie in `tests/golden`; those on data sets of others, and the sets, beside the checkout
//! in `../shared`. A test that needs what is not there says so and passes. Where there is a shared folder, `CI=true`
//! requires every file.

use std::io::Write;
use std::path::{Path, PathBuf};

/// The path of a file, or `None` (with a message) where it is absent.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared = crate_folder.join("../../../shared");
    let places = [crate_folder.join("tests").join(path), shared.join(path)];
    if let Some(found) = places.into_iter().find(|place| place.exists()) {
        return Some(found);
    }
    let is_required = std::env::var("CI").is_ok_and(|ci| ci == "true") && shared.is_dir();
    assert!(!is_required, "{path} is not in ../shared, which with CI=true must be whole");
    eprintln!("skipped: {path} is not in ../shared");
    tell_absent(path);
    None
}

/// Adds a line to the list of what is absent, if someone keeps one.
fn tell_absent(path: &str) {
    let Some(list) = std::env::var_os("ILK_ABSENT") else { return };
    let list = std::fs::OpenOptions::new().create(true).append(true).open(list);
    if let Ok(mut list) = list {
        let _ = writeln!(list, "{path}");
    }
}

#[test]
fn golden_outputs_on_generated_data_are_in_the_repository() {
    for path in ["golden/cms/c1_moons200_nonblur_trunc0.2_l0.5.npz", "golden/spectral/rings_44.npz"]
    {
        let found = shared(path).expect("a file of the repository");
        assert!(found.starts_with(env!("CARGO_MANIFEST_DIR")) && !found.ends_with("shared"));
    }
}
