//! The arithmetic under all stations. It imports none of them.

pub mod exp;
