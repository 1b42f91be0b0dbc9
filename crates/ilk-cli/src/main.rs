//! The command `ilk`.
fn main() {}
