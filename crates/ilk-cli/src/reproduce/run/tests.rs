use ilk::datasets::{Blobs, Generator};
use ilk::group::mean_shift::MeanShift;
use ilk::method::{AnyMethod, Method};
use ilk::observe::Silent;
use ilk_io::Scale;

use super::*;
use crate::reproduce::measured::Metric;
use crate::reproduce::tests::paper_of;
use crate::reproduce::{ConstraintProtocol, FeatureScale, RowSample, Set, Task};

/// The adjusted Rand index by counting pairs.
fn by_pairs(truth: &[usize], found: &[Label]) -> f64 {
    let (mut both, mut in_truth, mut in_found, mut all) = (0.0, 0.0, 0.0, 0.0);
    for i in 0..truth.len() {
        for j in 0..i {
            let (a, b) = (truth[i] == truth[j], found[i] == found[j]);
            both += f64::from(a && b);
            in_truth += f64::from(a);
            in_found += f64::from(b);
            all += 1.0;
        }
    }
    let expected = in_truth * in_found / all;
    (both - expected) / (f64::midpoint(in_truth, in_found) - expected)
}

/// Groups that overlap, so that the three scores differ.
fn cell_of(constraints: ConstraintProtocol) -> (Task, AnyMethod, Cell) {
    let set = Set::Generated(Generator::Blobs(Blobs {
        n: 90,
        centers: 3,
        spread: 2.5,
        ..Blobs::default()
    }));
    let task = Task {
        extends: true,
        ..Task::new(set, RowSample::PerClass(20), FeatureScale::Of(Scale::Standard), constraints)
    };
    let method = AnyMethod::MeanShift(MeanShift::default());
    let exhibit = Exhibit {
        name: "figure",
        title: "",
        note: "",
        rows: vec![Row::new("blobs", "ours", Trial::of(task.clone(), method.clone()))],
        metrics: &[Metric::Ari],
        ..Exhibit::default()
    };
    let paper = paper_of(exhibit);
    let exhibit = &paper.exhibits[0];
    let trial = exhibit.rows[0].trial.as_ref().unwrap();
    let job = Job {
        paper: &paper,
        exhibit,
        row: &exhibit.rows[0],
        trial,
        candidate: &trial.candidates[0],
        places: vec![Place { row: &exhibit.rows[0], settings: "settings".to_owned() }],
        seed: 3,
    };
    let cell = job.run(&Folder::default(), &Unsupervised::default()).unwrap().remove(0);
    (task, method, cell)
}

#[test]
fn a_cell_scores_all_rows_those_not_named_and_the_whole_set_as_the_model_places_it() {
    let (task, method, cell) = cell_of(ConstraintProtocol::Labelled { per_class: 4, flipped: 0.0 });
    let drawn = task.draw(&Folder::default(), 3).unwrap();
    let fit = method.fit(&drawn.problem, &Silent).unwrap();
    let found = &fit.clustering.labels;
    let close = |score: Option<f64>, expected: f64| {
        assert!((score.unwrap() - expected).abs() < 1e-12, "{score:?}");
    };
    close(Some(cell.ari), by_pairs(&drawn.truth, found));
    let named = drawn.problem.constraints().constrained_points();
    let free = || (0..60).filter(|i| named.binary_search(i).is_err());
    let truth: Vec<usize> = free().map(|i| drawn.truth[i]).collect();
    let labels: Vec<Label> = free().map(|i| found[i]).collect();
    assert_eq!(truth.len(), 60 - 12);
    close(cell.ari_free, by_pairs(&truth, &labels));
    let whole = drawn.whole.unwrap();
    let placed = fit.model.predict(&whole.points).unwrap();
    assert_eq!(placed.len(), 90);
    close(cell.ari_whole, by_pairs(&whole.truth, &placed));
    assert!(cell.ari_free != Some(cell.ari) && cell.ari_whole != Some(cell.ari));
    assert_eq!((cell.n, cell.must_links, cell.comparisons), (60, 18, 0));
}

#[test]
fn where_all_rows_are_named_none_are_left_to_score_apart() {
    let (_, _, cell) = cell_of(ConstraintProtocol::Labelled { per_class: 20, flipped: 0.0 });
    assert_eq!(cell.ari_free, None);
}
