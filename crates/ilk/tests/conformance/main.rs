//! The battery that every method passes. A method joins by standing in `Method::ALL`; nothing here
//! knows any of them by name.

mod case;
mod data;
mod parameters;
mod runs;
mod said;
