//! The battery that every method passes. A method joins by standing in `AnyMethod::ALL`; nothing here
//! knows any of them by name.

mod battery;
mod case;
mod constraints;
mod data;
mod parameters;
mod runs;
mod stored;
mod units;

pub(crate) use case::shaped;
