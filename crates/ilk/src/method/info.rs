//! What a method takes and offers, as data that help texts, docs and tests read.

use crate::parameter::ParameterInfo;
use crate::problem::{ConstraintKind, InputKind};

/// A method's capabilities and parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MethodInfo {
    /// The name on the command line, such as `mean-shift`.
    pub name: &'static str,
    /// The name of the Python class.
    pub class: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// The paper it comes from.
    pub paper: &'static str,
    /// The inputs it takes.
    pub inputs: &'static [InputKind],
    /// The kinds of supervision it uses.
    pub supervision: &'static [ConstraintKind],
    /// Whether the number of clusters must be given (otherwise the method finds it).
    pub needs_clusters: bool,
    /// Whether it can place new points.
    pub predicts: bool,
    /// Whether a point counts as many points as its weight says.
    pub weighs: bool,
    /// Its parameters.
    pub parameters: &'static [ParameterInfo],
}
