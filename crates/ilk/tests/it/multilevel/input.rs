//! What is refused, and cancelling.

use std::ops::ControlFlow;

use ilk::Error;
use ilk::group::multilevel::{Multilevel, NodeConstraints};
use ilk::group::{GroupingAlgorithm, GroupingInput};
use ilk::numerics::sparse::Sparse;
use ilk::observe::{Event, Silent};
use ilk::problem::ConstraintKind;

use super::{degrees, params, planted, ring_of_cliques};

#[test]
fn a_run_can_be_cancelled() {
    let (links, _) = planted(9000, 3, 12.0, 3.0, 2);
    let stop = |_: &Event| ControlFlow::Break(());
    let run = params(3).group(
        GroupingInput::new(&links)
            .with_weights(Some(&degrees(&links)))
            .with_constraints(&NodeConstraints::default()),
        &stop,
    );
    assert_eq!(run, Err(Error::Cancelled { iterations: 1 }));
}

#[test]
#[allow(clippy::too_many_lines, reason = "one line for every message")]
fn bad_input_is_refused_with_what_is_wrong() {
    let links = ring_of_cliques(2);
    let masses = [1.0; 10];
    let refused = |params: Multilevel,
                   links: &Sparse,
                   masses: &[f64],
                   constraints: NodeConstraints| {
        params
            .group(
                GroupingInput::new(links).with_weights(Some(masses)).with_constraints(&constraints),
                &Silent,
            )
            .unwrap_err()
    };
    let nothing = NodeConstraints::default;
    assert_eq!(
        refused(params(11), &links, &masses, nothing()),
        Error::TooManyClusters { k: 11, n: 10 }
    );
    assert_eq!(
        refused(params(2), &links, &masses[1..], nothing()).to_string(),
        "the list of masses has 9 entries where 10 are needed"
    );
    let mut bad = masses;
    bad[4] = 0.0;
    assert_eq!(
        refused(params(2), &links, &bad, nothing()).to_string(),
        "point 4 has weight 0; weights must be positive and finite"
    );
    let infinite = links.clone().map(|i, j, link| if i + j == 3 { f64::INFINITY } else { link });
    assert_eq!(
        refused(params(2), &infinite, &masses, nothing()).to_string(),
        "the value in row 0, column 3 is inf; replace or drop it"
    );
    assert_eq!(
        refused(params(2), &Sparse::empty(0), &[], nothing()),
        Error::Empty { rows: 0, columns: 0 }
    );
    let cannot_links = NodeConstraints { cannot_links: vec![(0, 1), (3, 10)], ..nothing() };
    assert_eq!(
        refused(params(2), &links, &masses, cannot_links),
        Error::OutOfRange { kind: ConstraintKind::CannotLink, entry: 1, point: 10, n: 10 }
    );
    let fixed = NodeConstraints { fixed: [vec![Some(2)], vec![None; 9]].concat(), ..nothing() };
    assert_eq!(
        refused(params(2), &links, &masses, fixed).to_string(),
        "fixed = 2 is out of range: clusters are numbered from 0 to 1"
    );
    let must_link_components =
        NodeConstraints { must_link_components: vec![Some(0); 9], ..nothing() };
    assert_eq!(
        refused(params(2), &links, &masses, must_link_components).to_string(),
        "the list of must-link components has 9 entries where 10 are needed"
    );
    let must_link_components =
        NodeConstraints { must_link_components: vec![Some(0); 10], ..nothing() };
    assert_eq!(
        refused(params(2), &links, &masses, must_link_components),
        Error::TooManyClusters { k: 2, n: 1 }
    );
    for (wrong, given, wanted) in [
        (Multilevel { n_clusters: 0, ..params(2) }, "n_clusters = 0", "number, at least 1"),
        (Multilevel { n_init: 0, ..params(2) }, "n_init = 0", "number from 1 to 10000"),
        (Multilevel { max_iter: 0, ..params(2) }, "max_iter = 0", "number, at least 1"),
    ] {
        assert_eq!(
            refused(wrong, &links, &masses, nothing()).to_string(),
            format!("{given} is out of range: it must be a whole {wanted}")
        );
    }
}
