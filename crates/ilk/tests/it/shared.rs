//! Golden outputs and real data live beside the checkout, never in it. A test that needs them says
//! so and passes where they are absent; `cargo xtask ci` refuses to run without them.

use std::path::PathBuf;

/// The path of a file in the shared folder, or `None` (with a message) where it is absent.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let full = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if full.exists() {
        return Some(full);
    }
    eprintln!("skipped: {path} is not in ../shared");
    None
}
