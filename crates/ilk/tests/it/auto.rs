//! The consensus of many fits: what a person says never makes it worse, and it says how sure it is.

mod ablation;
mod budget;
mod kernel;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use ilk::Result;
use ilk::evaluate::adjusted_rand;
use ilk::group::Label;
use ilk::method::{Auto, Method};
use ilk::ndarray::Array2;
use ilk::numerics::rng::rng;
use ilk::observe::{Event, Observer, Silent, StopReason};
use ilk::outcome::{AnyModel, Fit, Warning};
use ilk::parameter::AutoOr;
use ilk::problem::{Constraints, Graph, Points, Problem};

/// Recipes that the tests try: those of the first round.
const FITS: usize = 13;

/// `k` blobs of deviation 1 in `dims` dimensions, with centres `spread` apart or more, and which point is in which.
fn blobs(n: usize, dims: usize, k: usize, spread: f64, seed: u64) -> (Points, Vec<Label>) {
    let mut rng = rng(seed);
    let mut centers: Vec<Vec<f64>> = Vec::new();
    while centers.len() < k {
        let center: Vec<f64> = (0..dims).map(|_| spread * 1.5 * rng.normal()).collect();
        let is_far = |other: &Vec<f64>| {
            let sq: f64 = other.iter().zip(&center).map(|(a, b)| (a - b).powi(2)).sum();
            sq.sqrt() >= spread
        };
        if centers.iter().all(is_far) {
            centers.push(center);
        }
    }
    let truth: Vec<Label> = (0..n).map(|i| Some(i % k)).collect();
    let points = Array2::from_shape_fn((n, dims), |(i, d)| centers[i % k][d] + rng.normal());
    (Points::new(points).unwrap(), truth)
}

/// Correct answers about random pairs.
fn random_pairs(truth: &[Label], pairs: usize, seed: u64) -> Constraints {
    let mut rng = rng(seed);
    let n = truth.len();
    let mut constraints = Constraints::new(n);
    for _ in 0..pairs {
        let (a, b) = (rng.below(n), rng.below(n));
        if a == b {
            continue;
        }
        if truth[a] == truth[b] {
            constraints.must_link(a, b).unwrap();
        } else {
            constraints.cannot_link(a, b).unwrap();
        }
    }
    constraints
}

fn auto() -> Auto {
    Auto { n_fits: AutoOr::Fixed(FITS), ..Auto::default() }
}

fn fit(points: &Points, constraints: Constraints) -> Result<Fit> {
    auto().fit(&Problem::new(points.clone(), constraints)?, &Silent)
}

#[test]
fn thirty_blobs_are_found_without_answers_and_with_few_or_many() -> Result<()> {
    let (points, truth) = blobs(2000, 10, 30, 9.0, 0);
    let n = points.len();
    let mut one = Constraints::new(n);
    one.cannot_link(0, 1)?;
    let mut labels = Constraints::new(n);
    for i in 0..12 {
        // Two labelled points of each of six blobs.
        labels.label(i % 6 + 30 * (i / 6), &format!("blob {}", i % 6))?;
    }
    let cases = [Constraints::new(n), one, labels, random_pairs(&truth, 295, 1)];
    for constraints in cases {
        let described = format!("{} pairs", constraints.cannot_links().len());
        let found = fit(&points, constraints)?.clustering;
        let ari = adjusted_rand(&truth, &found.labels)?;
        assert!(ari > 0.995, "{described}: {ari}, {} clusters", found.n_clusters);
        assert_eq!(found.report.broken(), 0, "{described}");
    }
    Ok(())
}

#[test]
fn three_blobs_stay_three_whether_ten_or_a_thousand_pairs_are_answered() -> Result<()> {
    let (points, truth) = blobs(150, 2, 3, 5.0, 2);
    for pairs in [0, 1, 10, 300, 1000] {
        let found = fit(&points, random_pairs(&truth, pairs, 3))?.clustering;
        let ari = adjusted_rand(&truth, &found.labels)?;
        assert!(ari > 0.97, "{pairs} pairs: {ari}");
        assert_eq!(found.report.broken(), 0, "{pairs} pairs");
    }
    Ok(())
}

#[test]
fn with_every_point_labelled_the_labels_are_the_clusters() -> Result<()> {
    let (points, truth) = blobs(60, 2, 3, 1.0, 4);
    let mut constraints = Constraints::new(60);
    for (point, label) in truth.iter().enumerate() {
        constraints.label(point, &format!("{label:?}"))?;
    }
    let found = fit(&points, constraints)?.clustering;
    assert_eq!(adjusted_rand(&truth, &found.labels)?, 1.0);
    Ok(())
}

#[test]
fn odd_one_outs_alone_find_the_groups_that_are_meant() -> Result<()> {
    // Two columns with two groups each; the answers go by the first.
    let mut rng = rng(5);
    let truth: Vec<Label> = (0..160).map(|i| Some(i % 2)).collect();
    let points = Points::new(Array2::from_shape_fn((160, 2), |(i, d)| {
        let group = if d == 0 { i % 2 } else { i / 80 };
        4.0 * group as f64 + 0.6 * rng.normal()
    }))?;
    let mut constraints = Constraints::new(160);
    for _ in 0..80 {
        let (a, b, c) = (rng.below(160), rng.below(160), rng.below(160));
        if truth[a] == truth[b] && truth[a] != truth[c] && a != b {
            constraints.odd_one_out(a, b, c)?;
        }
    }
    let found = fit(&points, constraints)?.clustering;
    assert!(adjusted_rand(&truth, &found.labels)? > 0.95, "{} clusters", found.n_clusters);
    Ok(())
}

#[test]
fn points_between_two_groups_are_less_sure_than_points_within_them() -> Result<()> {
    let (blobs, truth) = blobs(200, 2, 2, 6.0, 6);
    let mean = |group: usize, d: usize| {
        let of_group = (0..200).filter(|i| i % 2 == group);
        of_group.map(|i| blobs.row(i)[d]).sum::<f64>() / 100.0
    };
    let fit = fit(&blobs, random_pairs(&truth, 40, 6))?;
    let AnyModel::Consensus(model) = &fit.model else { panic!("no consensus") };
    let between = [0, 1].map(|d| f64::midpoint(mean(0, d), mean(1, d)));
    let at = |row: Vec<f64>| -> Result<f64> {
        let confidence = model.predict_confidence(&Points::from_rows(&[row])?, &Silent)?;
        let labels = confidence.labels();
        Ok(confidence.of(&labels)[0])
    };
    let within = at(vec![mean(0, 0), mean(0, 1)])?;
    assert!(within > 0.9, "{within}");
    assert!(at(between.to_vec())? <= within);
    let certainty = fit.clustering.confidence.as_ref().unwrap();
    assert!(certainty.confidence.iter().all(|sure| (0.0..=1.0).contains(sure)));
    assert_eq!(certainty.runner_up.len(), 200);
    Ok(())
}

#[test]
fn the_leaderboard_lists_members_by_their_weight_as_commands() -> Result<()> {
    // Only the constraints tell that two blobs are one group.
    let (points, blob) = blobs(120, 3, 4, 6.0, 7);
    let truth: Vec<Label> = blob.iter().map(|blob| blob.map(|blob| blob / 2)).collect();
    let found = fit(&points, random_pairs(&truth, 60, 8))?.clustering;
    let weights: Vec<f64> = found.leaderboard.iter().map(|member| member.weight).collect();
    assert!(weights.is_sorted_by(|a, b| a >= b), "{weights:?}");
    assert!(weights.iter().sum::<f64>() <= 1.0 + 1e-9);
    let best = &found.leaderboard[0];
    assert!(best.score.is_some_and(|score| score > 0.8), "{best:?}");
    assert!(best.to_string().starts_with("--method "), "{best}");
    Ok(())
}

#[test]
fn members_are_those_that_are_named() -> Result<()> {
    let (points, truth) = blobs(160, 3, 4, 6.0, 9);
    let members = |names: &str| Ok(Auto { members: names.parse()?, ..auto() });
    let of_pairs = Problem::new(points.clone(), random_pairs(&truth, 40, 10))?;
    let found = members("kmeans,e2cp")?.fit(&of_pairs, &Silent)?.clustering;
    let methods: Vec<&str> = found.leaderboard.iter().map(|m| m.method.as_str()).collect();
    assert!(!methods.is_empty());
    assert!(methods.iter().all(|method| ["kmeans", "e2cp"].contains(method)), "{methods:?}");
    assert!(adjusted_rand(&truth, &found.labels)? > 0.95);

    let unsupervised = Problem::unsupervised(points);
    let error = members("e2cp")?.fit(&unsupervised, &Silent).unwrap_err().to_string();
    assert!(error.contains("members may be gaussian-mixture, kmeans, mssc, spectral"), "{error}");
    let error = members("kmeans,dbscan").unwrap_err().to_string();
    assert!(error.contains("kmeans,dbscan") && error.contains("ss-kernel-kmeans"), "{error}");
    Ok(())
}

#[test]
fn the_numbers_of_clusters_are_told_with_what_speaks_for_them() -> Result<()> {
    let (points, truth) = blobs(160, 3, 4, 9.0, 2);
    let without = fit(&points, Constraints::new(160))?.clustering;
    let counts = &without.cluster_counts;
    assert!(counts.is_sorted_by_key(|of| of.n_clusters));
    let four = counts.iter().find(|of| of.n_clusters == 4).expect("four were tried");
    assert!(four.agreement > 0.99 && four.separation > 0.5, "{four:?}");
    assert!(counts.iter().all(|of| of.separation <= four.separation && of.score.is_none()));

    let with = fit(&points, random_pairs(&truth, 80, 2))?.clustering;
    let score = |k: usize| with.cluster_counts.iter().find(|of| of.n_clusters == k)?.score;
    assert_eq!(score(4), Some(1.0));
    assert!(score(2) < score(4) && score(8) < score(4));
    Ok(())
}

#[test]
fn a_given_number_of_clusters_is_found() -> Result<()> {
    let (points, truth) = blobs(160, 3, 4, 6.0, 9);
    let method = Auto { n_clusters: AutoOr::Fixed(4), ..auto() };
    for pairs in [0, 40] {
        let problem = Problem::new(points.clone(), random_pairs(&truth, pairs, 10))?;
        let found = method.fit(&problem, &Silent)?.clustering;
        assert_eq!(found.n_clusters, 4, "{pairs} pairs");
    }
    Ok(())
}

#[test]
fn groups_of_a_graph_are_found_with_and_without_answers() -> Result<()> {
    let n = 120;
    let truth: Vec<Label> = (0..n).map(|i| Some(i / 40)).collect();
    let mut rng = rng(11);
    let mut edges = Vec::new();
    for u in 0..n {
        for v in 0..u {
            let share = if truth[u] == truth[v] { 0.3 } else { 0.02 };
            if rng.uniform() < share {
                edges.push((u, v, 1.0));
            }
        }
    }
    let graph = Graph::from_edges(n, edges)?;
    for pairs in [0, 60] {
        let problem = Problem::new(graph.clone(), random_pairs(&truth, pairs, 12))?;
        let found = auto().fit(&problem, &Silent)?.clustering;
        let ari = adjusted_rand(&truth, &found.labels)?;
        assert!(ari > 0.95, "{pairs} pairs: {ari}, {} clusters", found.n_clusters);
    }
    Ok(())
}

/// Is cancelled from the `after`-th event of a stage on, until the method asks whether the best is kept.
struct CancelledIn {
    stage: &'static str,
    after: AtomicUsize,
    is_cancelled: AtomicBool,
    keeps_best: bool,
}

impl CancelledIn {
    fn new(stage: &'static str, after: usize, keeps_best: bool) -> Self {
        Self {
            stage,
            after: AtomicUsize::new(after),
            is_cancelled: AtomicBool::new(false),
            keeps_best,
        }
    }
}

impl Observer for CancelledIn {
    fn event(&self, event: &Event) -> ControlFlow<()> {
        if event.stage == self.stage && self.after.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.is_cancelled.store(true, Ordering::Relaxed);
        }
        if self.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    fn keeps_best(&self) -> bool {
        self.is_cancelled.store(!self.keeps_best, Ordering::Relaxed);
        self.keeps_best
    }
}

#[test]
fn a_fit_that_is_cancelled_ends_with_the_members_that_it_has() -> Result<()> {
    let (points, truth) = blobs(120, 3, 4, 8.0, 3);
    let constraints = random_pairs(&truth, 40, 3);
    let problem = Problem::new(points, constraints.clone())?;
    let whole = auto().fit(&problem, &Silent)?.clustering;

    let cancelled = auto().fit(&problem, &CancelledIn::new("trying recipes", 6, false));
    assert!(matches!(cancelled, Err(ilk::Error::Cancelled { .. })), "{cancelled:?}");

    let best = auto().fit(&problem, &CancelledIn::new("trying recipes", 6, true))?.clustering;
    assert_eq!(best.stop, StopReason::Cancelled);
    assert_eq!(best.labels.len(), truth.len());
    let members = best.leaderboard.len();
    assert!(best.warnings(&constraints).contains(&Warning::Cancelled { members }));
    assert!(adjusted_rand(&best.labels, &truth)? > 0.9);

    // After the last recipe nothing is lost.
    let late = CancelledIn::new("fitting members", 1, true);
    let best = auto().fit(&problem, &late)?.clustering;
    assert_eq!((best.stop, &best.labels), (whole.stop, &whole.labels));
    Ok(())
}

#[test]
fn confidence_falls_where_held_out_answers_contradict_the_groups() -> Result<()> {
    let (points, truth) = blobs(200, 2, 2, 12.0, 1);
    let mut rng = rng(7);
    let unrelated: Vec<Label> = truth.iter().map(|_| Some(rng.below(2))).collect();
    let mean = |about: &[Label]| -> Result<f64> {
        let found = fit(&points, random_pairs(about, 80, 2))?.clustering;
        let confidence = found.confidence.expect("a consensus is sure to some degree").confidence;
        Ok(confidence.iter().sum::<f64>() / confidence.len() as f64)
    };
    let (right, without) = (mean(&truth)?, {
        let found = fit(&points, Constraints::new(200))?.clustering;
        found.confidence.map_or(0.0, |c| c.confidence.iter().sum::<f64>() / 200.0)
    });
    let contradicted = mean(&unrelated)?;
    assert!(right > without && without > contradicted, "{right}, {without}, {contradicted}");
    Ok(())
}
