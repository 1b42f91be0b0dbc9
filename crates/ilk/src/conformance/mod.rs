//! The battery of checks that every method passes, for methods of other crates too.
//!
//! A method declares what it takes and offers ([`MethodInfo`](crate::method::MethodInfo)); the battery holds
//! it to that by each [`Claim`], on points, kernel matrices and graphs of three groups that lie far apart. Methods that are given a
//! number of clusters are to be given three.
//!
//! ```
//! use ilk::conformance::assert_conforms;
//! use ilk::method::KMeans;
//!
//! assert_conforms(&KMeans { n_clusters: 3.into(), ..KMeans::default() });
//! ```

mod checks;
mod data;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::method::Method;

/// A claim of the battery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Claim {
    /// Labels are numbers of clusters, none is empty, every constraint is judged once.
    Sound,
    /// Groups of points that lie far apart are found, and with constraints none are joined.
    Groups,
    /// The same call gives the same labels, on 1 thread and on 4.
    Repeats,
    /// Permuting the points permutes the labels.
    Order,
    /// Constraints that are stated twice change nothing; points that are given twice share a cluster.
    Duplicates,
    /// One point, equal points and contradictions end in a result or an error, never in a panic.
    Degenerate,
    /// A run that is cancelled at its first event ends with [`Error::Cancelled`](crate::Error::Cancelled).
    Cancel,
    /// What is not declared is refused: inputs, supervision, weights.
    Refuses,
    /// Equal weights change nothing.
    Weights,
    /// Training points are assigned to their own clusters; where that is not declared, it is refused.
    Predict,
}

/// A claim that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The claim.
    pub claim: Claim,
    /// What was found instead.
    pub found: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.claim, self.found)
    }
}

/// Runs all checks on a method and returns those that fail. A panic counts as a failure.
pub fn failures(method: &dyn Method) -> Vec<Failure> {
    let failure = |&(claim, run): &(Claim, checks::CheckFunction)| {
        let found = match catch_unwind(AssertUnwindSafe(|| run(method))) {
            Ok(Ok(())) => return None,
            Ok(Err(checks::Wrong(found))) => found,
            Err(_) => "a panic".to_owned(),
        };
        Some(Failure { claim, found })
    };
    checks::ALL.iter().filter_map(failure).collect()
}

/// Asserts that a method passes all checks.
///
/// # Panics
/// Where one fails, with all that fail.
pub fn assert_conforms(method: &dyn Method) {
    let failures = failures(method);
    let list: Vec<String> = failures.iter().map(Failure::to_string).collect();
    assert!(failures.is_empty(), "{}:\n{}", method.info().name, list.join("\n"));
}
