//! Mean shift spectral clustering: its parts against plain loops, the thesis's sets, and what was said.

mod groups;
mod method;
mod said;
#[path = "../shared/mod.rs"]
mod shared;
mod thesis;
