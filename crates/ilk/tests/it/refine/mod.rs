//! Refinement against its definition, written out plainly, and its properties.

mod case;
mod input;
mod plain;
mod properties;
mod steps;
