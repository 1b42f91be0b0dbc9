//! What the data may look like: any order, copies, a single point, columns that say nothing.

use ilk::Error;
use ilk::evaluate::adjusted_rand;
use ilk::ndarray::{Array2, Axis, concatenate};
use ilk::numerics::rng::rng;
use ilk::observe::Silent;
use ilk::problem::{ConstraintKind, Constraints, InputKind, Points};

use super::case::{Case, add_constraints, defaults, three_groups, variants};

fn assert_same_partition(case: &Case, left: &[Option<usize>], right: &[Option<usize>]) {
    let ari = adjusted_rand(left, right).expect("equally long");
    assert!(ari == 1.0, "{case}: {left:?} against {right:?}");
}

#[test]
fn permuting_the_points_permutes_the_partition() {
    let (data, groups) = three_groups(30);
    let mut order: Vec<usize> = (0..groups.len()).collect();
    rng(1).shuffle(&mut order);
    let shuffled = data.select(Axis(0), &order);
    // The same constraints on the same points, which have other numbers now.
    let place = |point: usize| order.iter().position(|&p| p == point).expect("all are there");
    for case in variants() {
        let constraints = case.constraints(&groups);
        let mut moved = Constraints::new(groups.len());
        for kind in ConstraintKind::ALL {
            for entry in 0..constraints.count(kind) {
                let points = constraints.points_of(kind, entry).expect("an entry");
                let points: Vec<usize> = points.iter().map(|&p| place(p)).collect();
                if kind == ConstraintKind::Label {
                    let label = constraints.labels()[entry].label;
                    moved.label(points[0], &constraints.label_names()[label])
                } else {
                    moved.add(kind, &points, 1.0, None)
                }
                .expect("points that exist");
            }
        }
        let before = case.fit(&data, constraints).clustering.labels;
        let after = case.fit(&shuffled, moved).clustering.labels;
        let expected: Vec<Option<usize>> = order.iter().map(|&i| before[i]).collect();
        assert_same_partition(&case, &expected, &after);
    }
}

#[test]
fn copies_of_a_point_get_its_label() {
    let (data, groups) = three_groups(20);
    let originals: Vec<usize> = (0..groups.len()).step_by(4).flat_map(|i| [i, i]).collect();
    let with_copies = concatenate(Axis(0), &[data.view(), data.select(Axis(0), &originals).view()])
        .expect("as many columns");
    for case in variants() {
        let labels = case.fit_alone(&with_copies).clustering.labels;
        for (copy, &original) in originals.iter().enumerate() {
            assert_eq!(labels[groups.len() + copy], labels[original], "{case}: {original}");
        }
    }
}

#[test]
fn a_single_point_is_one_cluster_and_a_single_node_at_most_one() {
    let data = Array2::from_elem((1, 2), 3.5);
    for case in variants() {
        let clusters = case.with_clusters(1).fit_alone(&data).clustering.n_clusters;
        match case.input {
            InputKind::Points => assert_eq!(clusters, 1, "{case}"),
            InputKind::Kernel | InputKind::Graph => assert!(clusters <= 1, "{case}"),
        }
    }
}

#[test]
fn points_that_all_weigh_the_same_are_grouped_as_without_weights_or_weights_are_refused() {
    let (data, groups) = three_groups(25);
    for case in variants() {
        let problem = case.problem(&data, case.constraints(&groups));
        let alone = case.try_fit(&problem, &Silent).expect("valid input");
        let weighted = problem.with_weights(vec![2.0; groups.len()]);
        let weighted = weighted.expect("positive weights");
        match case.try_fit(&weighted, &Silent) {
            Ok(fit) => {
                assert!(case.info.supports_weights.contains(&case.input), "{case}");
                assert_same_partition(&case, &alone.clustering.labels, &fit.clustering.labels);
            }
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains("cannot use weights of points"), "{case}: {text}");
            }
        }
    }
}

#[test]
fn the_unit_of_weights_changes_nothing_without_constraints() {
    let (data, groups) = three_groups(25);
    let weights: Vec<f64> = (0..groups.len()).map(|i| 0.5 + (i % 4) as f64).collect();
    for case in variants().iter().filter(|case| case.info.supports_weights.contains(&case.input)) {
        let [ones, hundredths] = [1.0, 0.01].map(|unit| {
            let problem = case.problem(&data, Constraints::new(groups.len()));
            let weights = weights.iter().map(|weight| unit * weight).collect();
            let weighted = problem.with_weights(weights).expect("positive weights");
            // A variant that refuses weights does so in any unit.
            let fit = case.try_fit(&weighted, &Silent);
            fit.map(|fit| fit.clustering.labels)
        });
        assert_eq!(ones, hundredths, "{case}");
    }
}

#[test]
fn as_many_clusters_as_points_are_found_and_more_are_refused() {
    let (data, groups) = three_groups(4);
    let n = groups.len();
    for case in defaults().iter().filter(|case| case.info.takes_clusters) {
        let fit = case.with_clusters(n).fit_alone(&data);
        assert_eq!(fit.clustering.n_clusters, n, "{case}");
        let problem = case.problem(&data, Constraints::new(n));
        let refused = case.with_clusters(n + 1).try_fit(&problem, &Silent);
        let error = refused.map(|fit| fit.clustering.labels).unwrap_err();
        assert_eq!(error, Error::TooManyClusters { k: n + 1, n }, "{case}");
    }
}

#[test]
fn a_constant_column_changes_nothing() {
    let (data, groups) = three_groups(25);
    let constant = Array2::from_elem((groups.len(), 1), -7.25);
    let wider = concatenate(Axis(1), &[constant.view(), data.view()]).expect("as many rows");
    for case in variants() {
        let constraints = case.constraints(&groups);
        let narrow = case.fit(&data, constraints.clone()).clustering.labels;
        let wide = case.fit(&wider, constraints).clustering.labels;
        assert_same_partition(&case, &narrow, &wide);
    }
}

#[test]
fn points_that_all_coincide_share_a_label_whatever_the_constraints() {
    let data = Array2::from_elem((12, 3), 0.1);
    let groups: Vec<usize> = (0..12).map(|i| i / 4).collect();
    for case in variants().iter().map(|case| case.with_clusters(1)) {
        for kind in case.info.supervision {
            // There are no cannot-links: methods that enforce them would have to refuse.
            if matches!(kind, ConstraintKind::MustLink | ConstraintKind::AboutEqual) {
                let mut constraints = Constraints::new(12);
                add_constraints(&mut constraints, *kind, &groups);
                case.fit(&data, constraints);
            }
        }
        // What is alike in a matrix or a graph need not be one and the same, and may be divided.
        let several = (case.input == InputKind::Points).then(|| case.with_clusters(3));
        for case in several.iter().chain([&case]) {
            let labels = case.fit_alone(&data).clustering.labels;
            assert!(labels.iter().all(|label| *label == labels[0]), "{case}");
        }
    }
}

#[test]
fn predictions_on_the_training_points_are_their_labels() {
    let (data, groups) = three_groups(40);
    for case in variants() {
        if !(case.info.predicts.contains(&case.input) && case.input == InputKind::Points) {
            continue;
        }
        for constraints in [Constraints::new(groups.len()), case.constraints(&groups)] {
            let problem = case.problem(&data, constraints);
            let fit = case.try_fit(&problem, &Silent).expect("valid input");
            let points = Points::new(data.clone()).expect("finite");
            let predicted = fit.model.predict(&points).expect("the same columns");
            assert_eq!(predicted, fit.clustering.labels, "{case}");
        }
    }
}
