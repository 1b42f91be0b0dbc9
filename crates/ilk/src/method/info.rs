//! What a method takes and offers, as data that help texts, docs and tests read.

use super::AnyMethod;
use crate::parameter::ParameterInfo;
use crate::problem::{ConstraintKind, Input, InputKind, Points, Problem};
use crate::{Error, Result};

/// A method's capabilities and parameters.
#[derive(Debug, Clone, Copy)]
pub struct MethodInfo {
    /// The name on the command line, such as `mean-shift`.
    pub name: &'static str,
    /// The name of the Python class.
    pub class: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// The paper it comes from.
    pub paper: &'static str,
    /// Raised whenever a change of the method's code changes its results, so that figures measured before the
    /// change are known to be old.
    pub version: u32,
    /// The inputs it takes.
    pub inputs: &'static [InputKind],
    /// The kinds of supervision it uses.
    pub supervision: &'static [ConstraintKind],
    /// Whether it takes a number of clusters, which is chosen where none is given; otherwise the method finds it.
    pub takes_clusters: bool,
    /// The inputs after which its model can assign new points.
    pub predicts: &'static [InputKind],
    /// The inputs on which a point counts as many points as its weight says.
    pub supports_weights: &'static [InputKind],
    /// Its parameters.
    pub parameters: &'static [ParameterInfo],
}

impl MethodInfo {
    /// Refuses input, supervision and weights that the method cannot use, and names methods that can. Refuses points
    /// whose squared distances over- or underflow.
    ///
    /// # Errors
    /// [`Error::Unsupported`], [`Error::TooFar`], [`Error::TooClose`].
    pub fn check_supports(&self, problem: &Problem) -> Result<()> {
        let input = problem.input().kind();
        if !self.inputs.contains(&input) {
            return Err(self.unsupported_input(input));
        }
        let constraints = problem.constraints();
        for kind in ConstraintKind::ALL {
            if constraints.count(kind) > 0 && !self.supervision.contains(&kind) {
                return Err(self.unsupported(format!("{kind} constraints"), |other| {
                    other.supervision.contains(&kind)
                }));
            }
        }
        if problem.weights().is_some() && !self.supports_weights.contains(&input) {
            return Err(self.unsupported("weights of points".to_owned(), |other| {
                other.supports_weights.contains(&input)
            }));
        }
        match problem.input() {
            Input::Points(points) => points.check_distances(),
            Input::Kernel(_) | Input::Graph(_) => Ok(()),
        }
    }

    /// The points of a problem, for methods that take nothing else.
    ///
    /// # Errors
    /// [`Error::Unsupported`], as from [`check_supports`](Self::check_supports).
    pub fn points_of<'a>(&self, problem: &'a Problem) -> Result<&'a Points> {
        self.check_supports(problem)?;
        match problem.input() {
            Input::Points(points) => Ok(points),
            other => Err(self.unsupported_input(other.kind())),
        }
    }

    fn unsupported_input(&self, input: InputKind) -> Error {
        self.unsupported(input.to_string(), |other| other.inputs.contains(&input))
    }

    fn unsupported(&self, what: String, is_able: impl Fn(&Self) -> bool) -> Error {
        let able = AnyMethod::ALL.iter().filter(|other| is_able(other));
        let able: Vec<&str> = able.map(|other| other.name).collect();
        let alternatives = if able.is_empty() {
            "no method of this version can".to_owned()
        } else {
            format!("methods that can: {}", able.join(", "))
        };
        Error::Unsupported { method: self.name, what, alternatives }
    }
}
