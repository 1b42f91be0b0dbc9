//! Constraints of every sort: stated twice, contradictory, and of a kind that a method cannot use.

use ilk::Error;
use ilk::method::{AnyMethod, MethodInfo};
use ilk::observe::Silent;
use ilk::problem::{ConstraintKind, Constraints, InputKind, Problem};

use super::case::{add_constraints, defaults, shaped, three_groups, variants};

#[test]
fn a_constraint_stated_twice_changes_nothing() {
    let (data, groups) = three_groups(20);
    for case in variants() {
        let once = case.constraints(&groups);
        let mut twice = once.clone();
        for pair in once.must_links() {
            let [a, b] = pair.points;
            twice.must_link(b, a).expect("points that exist");
        }
        for pair in once.cannot_links() {
            let [a, b] = pair.points;
            twice.cannot_link(b, a).expect("points that exist");
        }
        for kind in case.info.supervision {
            add_constraints(&mut twice, *kind, &groups);
        }
        let (once, twice) = (case.fit(&data, once), case.fit(&data, twice));
        assert_eq!(once.clustering, twice.clustering, "{case}");
        assert_eq!(once.model, twice.model, "{case}");
    }
}

#[test]
fn a_contradiction_is_reported_broken_or_refused_with_its_proof() {
    let (data, groups) = three_groups(20);
    let both = [ConstraintKind::MustLink, ConstraintKind::CannotLink];
    for case in variants() {
        if !both.iter().all(|kind| case.info.supervision.contains(kind)) {
            continue;
        }
        let mut constraints = Constraints::new(groups.len());
        for kind in both {
            add_constraints(&mut constraints, kind, &groups);
        }
        // Entry 3 of the must-links joins points 20 and 21.
        let [a, b] = constraints.must_links()[3].points;
        constraints.cannot_link(a, b).expect("points that exist");
        let entry = constraints.cannot_links().len() - 1;
        match case.try_fit(&case.problem(&data, constraints), &Silent) {
            Ok(fit) => {
                let broken = |kind, entry: usize| {
                    let report = fit.clustering.report.kind(kind).expect("it was given");
                    report.broken.contains(&entry)
                };
                assert!(
                    broken(both[0], 3) != broken(both[1], entry),
                    "{case}: exactly one of the two must break"
                );
                assert!(fit.clustering.report.broken() >= 1, "{case}");
            }
            Err(Error::Contradiction { count: 1, first }) => {
                assert!(first.contains(&a.to_string()), "{case}: {first}");
                assert!(first.contains(&b.to_string()), "{case}: {first}");
            }
            Err(other) => panic!("{case}: {other}"),
        }
    }
}

/// The words about methods that can, from the list of methods alone.
fn able(can: impl Fn(&MethodInfo) -> bool) -> String {
    let names: Vec<&str> =
        AnyMethod::ALL.iter().filter(|info| can(info)).map(|info| info.name).collect();
    match names.as_slice() {
        [] => "no method of this version can".to_owned(),
        names => format!("methods that can: {}", names.join(", ")),
    }
}

#[test]
fn an_input_that_a_method_cannot_use_is_refused_with_alternatives() {
    let (data, groups) = three_groups(4);
    for case in defaults() {
        for kind in [InputKind::Points, InputKind::Kernel, InputKind::Graph] {
            if case.info.inputs.contains(&kind) {
                continue;
            }
            let constraints = Constraints::new(groups.len());
            let problem = Problem::new(shaped(kind, &data), constraints).expect("valid");
            let refused = case.try_fit(&problem, &Silent).map(|fit| fit.clustering.labels);
            let expected = Error::Unsupported {
                method: case.info.name,
                what: kind.to_string(),
                alternatives: able(|info| info.inputs.contains(&kind)),
            };
            assert_eq!(refused, Err(expected), "{case}");
        }
    }
}

#[test]
fn a_kind_of_constraint_that_a_method_cannot_use_is_refused_with_alternatives() {
    let (data, groups) = three_groups(4);
    for case in defaults() {
        for kind in ConstraintKind::ALL {
            if case.info.supervision.contains(&kind) {
                continue;
            }
            let mut constraints = case.constraints(&groups);
            add_constraints(&mut constraints, kind, &groups);
            let refused = case
                .try_fit(&case.problem(&data, constraints), &Silent)
                .map(|fit| fit.clustering.labels);
            let expected = Error::Unsupported {
                method: case.info.name,
                what: format!("{kind} constraints"),
                alternatives: able(|info| info.supervision.contains(&kind)),
            };
            assert_eq!(refused, Err(expected), "{case}");
        }
    }
}
