//! Named recipes over the stations, and what each of them can do.
//!
//! [`Method`] is the one way in for the doors (shell, Python): it is made from a name and
//! parameters, says as data what it takes ([`MethodInfo`]), and fits a [`Problem`].

mod agreement;
mod cms;
mod distinct;
mod info;
mod mean_shift;

pub use cms::{Cms, CmsMode, Settling};
pub use info::MethodInfo;

use serde::{Deserialize, Serialize};

use crate::group::mean_shift::MeanShift;
use crate::observe::Observer;
use crate::outcome::Fit;
use crate::problem::{ConstraintKind, Input, InputKind, Problem};
use crate::{Error, Result};

/// A method with its parameters. As JSON: `{"method": "mean-shift", "params": {...}}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", content = "params", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Method {
    /// Mean shift: points climb to the modes of their density.
    MeanShift(MeanShift),
    /// Constrained mean shift: cannot-links keep centres apart while they climb.
    Cms(Cms),
}

impl Method {
    /// What there is.
    pub const ALL: &'static [&'static MethodInfo] = &[&mean_shift::INFO, &cms::INFO];

    /// The method of this name with its default parameters.
    pub fn named(name: &str) -> Result<Self> {
        match name {
            "mean-shift" => Ok(Self::MeanShift(MeanShift::default())),
            "cms" => Ok(Self::Cms(Cms::default())),
            _ => Err(Error::UnknownMethod {
                name: name.to_owned(),
                known: Self::ALL
                    .iter()
                    .map(|info| info.name)
                    .collect::<Vec<_>>()
                    .join(", "),
            }),
        }
    }

    /// What this method takes and offers.
    pub fn info(&self) -> &'static MethodInfo {
        match self {
            Self::MeanShift(_) => &mean_shift::INFO,
            Self::Cms(_) => &cms::INFO,
        }
    }

    /// Finds the groups.
    pub fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        self.check_supported(problem)?;
        match (self, problem.input()) {
            (Self::MeanShift(params), Input::Points(points)) => {
                mean_shift::fit(params, points, problem, observer)
            }
            (Self::Cms(params), Input::Points(points)) => {
                cms::fit(params, points, problem, observer)
            }
            (_, input) => Err(self.unsupported_input(input.kind())),
        }
    }

    fn unsupported_input(&self, input: InputKind) -> Error {
        unsupported(self.info(), input.to_string(), |other| {
            other.inputs.contains(&input)
        })
    }

    /// Refuses input and supervision that the method cannot use, and names methods that can.
    fn check_supported(&self, problem: &Problem) -> Result<()> {
        let info = self.info();
        let input = problem.input().kind();
        if !info.inputs.contains(&input) {
            return Err(self.unsupported_input(input));
        }
        let constraints = problem.constraints();
        for kind in ConstraintKind::ALL {
            if constraints.count(kind) > 0 && !info.supervision.contains(&kind) {
                return Err(unsupported(info, format!("{kind} constraints"), |other| {
                    other.supervision.contains(&kind)
                }));
            }
        }
        Ok(())
    }
}

fn unsupported(
    info: &'static MethodInfo,
    what: String,
    can: impl Fn(&MethodInfo) -> bool,
) -> Error {
    let able: Vec<&str> = Method::ALL
        .iter()
        .filter(|other| can(other))
        .map(|o| o.name)
        .collect();
    let alternatives = if able.is_empty() {
        "no method of this version can".to_owned()
    } else {
        format!("methods that can: {}", able.join(", "))
    };
    Error::Unsupported {
        method: info.name,
        what,
        alternatives,
    }
}
