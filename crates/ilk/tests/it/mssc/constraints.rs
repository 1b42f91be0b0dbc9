//! Constraints on points, enforced on partitions.

use ilk::method::{AnyMethod, Method, Mssc, PartitionEmbedding};
use ilk::observe::Silent;
use ilk::outcome::Fit;
use ilk::parameter::AutoOr;
use ilk::problem::{ConstraintKind, Constraints, Points, Problem};
use ilk::refine::Refinement;

use super::method::{ari, generated};

fn fit(params: Mssc, points: &Points, constraints: Constraints) -> Fit {
    let problem = Problem::new(points.clone(), constraints).expect("as many");
    AnyMethod::Mssc(params).fit(&problem, &Silent).expect("valid input")
}

/// Two heaps of points on a line.
fn heaps() -> Points {
    let rows: Vec<Vec<f64>> =
        (0..20).map(|i| vec![f64::from(i % 10) * 0.02 + if i < 10 { 0.0 } else { 4.0 }]).collect();
    Points::from_rows(&rows).expect("finite")
}

fn wide() -> Mssc {
    Mssc {
        n_clusters: 2.into(),
        bandwidth: AutoOr::Fixed(0.5),
        refine: Refinement::Off,
        ..Mssc::default()
    }
}

#[test]
fn a_partition_that_holds_what_must_be_apart_is_divided() {
    let points = heaps();
    let mut constraints = Constraints::new(20);
    constraints.cannot_link(0, 9).expect("two points");
    let fit = fit(wide(), &points, constraints);
    let partitions = fit.clustering.partitions.expect("partitions").of_point;
    assert_ne!(partitions[0], partitions[9]);
    // The others of the heap went with the nearer of the two.
    assert_eq!(partitions[..5], [partitions[0]; 5]);
    assert_eq!(partitions[5..10], [partitions[9]; 5]);
    assert_eq!(partitions[10..], [partitions[10]; 10]);
}

#[test]
fn labels_divide_too_and_what_must_links_contradict_is_left_alone() {
    let points = heaps();
    let mut constraints = Constraints::new(20);
    constraints.label(0, "a").expect("known").label(9, "b").expect("known");
    constraints.must_link(12, 15).expect("two").cannot_link(12, 15).expect("two");
    let three = Mssc { n_clusters: 3.into(), ..wide() };
    let fit = fit(three, &points, constraints);
    let partitions = &fit.clustering.partitions.as_ref().expect("partitions").of_point;
    assert_ne!(partitions[0], partitions[9]);
    assert_eq!(partitions[12], partitions[15]);
    assert_eq!(fit.clustering.report.broken(), 1);
}

#[test]
fn must_linked_partitions_share_a_cluster() {
    let rows: Vec<Vec<f64>> =
        (0..40).map(|i| vec![f64::from(i / 10) * 3.0 + f64::from(i % 10) * 0.02]).collect();
    let points = Points::from_rows(&rows).expect("finite");
    // Of four heaps in a row the first and the last belong together.
    let mut constraints = Constraints::new(40);
    constraints.must_link(0, 35).expect("two").must_link(12, 28).expect("two");
    let fit = fit(wide(), &points, constraints);
    let labels = &fit.clustering.labels;
    assert_eq!(labels[0], labels[35]);
    assert_eq!(labels[12], labels[28]);
    let must = fit.clustering.report.kind(ConstraintKind::MustLink).expect("pairs were given");
    assert!(must.broken.is_empty());
}

#[test]
fn a_few_labels_raise_the_agreement_on_half_circles() {
    let (mut alone, mut helped) = (0.0, 0.0);
    for seed in 0..5 {
        let (points, truth) = generated("half-circles", seed);
        let k = truth.iter().max().expect("some") + 1;
        // Along axes of entropy, with which it does not find them alone.
        let embedding = PartitionEmbedding::Keca;
        let params = Mssc { n_clusters: k.into(), embedding, ..Mssc::default() };
        let mut constraints = Constraints::new(truth.len());
        let step = truth.len() / 30;
        for point in (0..truth.len()).step_by(step) {
            constraints.label(point, &truth[point].to_string()).expect("known");
        }
        alone += ari(&super::method::fit(params.clone(), &points), &truth) / 5.0;
        helped += ari(&fit(params, &points, constraints), &truth) / 5.0;
    }
    assert!(helped > alone, "{alone} without labels, {helped} with");
    assert!(helped > 0.8, "{helped}");
}
