//! Mean shift spectral clustering: its parts against plain loops, the thesis's sets, and constraints.

mod constraints;
mod groups;
mod method;
mod thesis;
