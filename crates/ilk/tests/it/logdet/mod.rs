//! Kernel learning by LogDet: against converged optima of other solvers, against a plain loop over
//! the whole n x n kernel, and by the conditions that an optimum must meet.

mod cases;
mod golden;
mod input;
mod optimum;
mod plain;
mod unattainable;
