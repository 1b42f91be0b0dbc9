use ndarray::Array2;
use proptest::prelude::*;

use super::separation::{Modularity, eigengaps, silhouette};
use super::*;
use crate::group::Label;
use crate::numerics::sparse::Sparse;
use crate::problem::Graph;

fn labels(of: &[usize]) -> Vec<Label> {
    of.iter().copied().map(Some).collect()
}

fn distances(places: &[f64]) -> Array2<f64> {
    let n = places.len();
    Array2::from_shape_fn((n, n), |(i, j)| (places[i] - places[j]).abs())
}

#[test]
fn the_silhouette_is_that_of_scikit_learn() {
    // sklearn.metrics.silhouette_score([[0], [1], [4], [6], [9]], [0, 0, 1, 1, 2]); the last point is alone.
    let distances = distances(&[0.0, 1.0, 4.0, 6.0, 9.0]);
    let found = silhouette(&distances, None, &labels(&[0, 0, 1, 1, 2]), 3);
    assert!((found - 0.462_380_952_380_952_45).abs() < 1e-12, "{found}");
}

#[test]
fn points_without_a_cluster_and_clusters_in_one_place_have_no_silhouette() {
    let none = silhouette(&distances(&[0.0, 1.0]), None, &[None, None], 1);
    assert_eq!(none.to_bits(), 0.0_f64.to_bits());
    let same = silhouette(&distances(&[2.0; 4]), None, &labels(&[0, 0, 1, 1]), 2);
    assert_eq!(same.to_bits(), 0.0_f64.to_bits());
}

proptest! {
    #[test]
    fn equal_weights_change_no_silhouette(
        places in prop::collection::vec(-5.0..5.0f64, 4..12), weight in 0.01..100.0f64,
    ) {
        let of: Vec<usize> = (0..places.len()).map(|i| i % 3).collect();
        let (distances, labels) = (distances(&places), labels(&of));
        let weights = vec![weight; places.len()];
        let plain = silhouette(&distances, None, &labels, 3);
        let weighted = silhouette(&distances, Some(&weights), &labels, 3);
        prop_assert!((plain - weighted).abs() < 1e-9, "{plain} {weighted}");
    }
}

#[test]
fn the_modularity_is_that_of_networkx() {
    // networkx.community.modularity of two triangles with a link between them: 6/7 of the links are within, and
    // each triangle has half of all degrees.
    let edges = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (2, 3)];
    let links = Sparse::from_entries(6, edges.map(|(i, j)| (i, j, 1.0)));
    let modularity = Modularity::new(&links);
    let found = modularity.of(&labels(&[0, 0, 0, 1, 1, 1]), 2);
    assert!((found - (6.0 / 7.0 - 0.5)).abs() < 1e-12, "{found}");
    assert!(modularity.of(&labels(&[0; 6]), 1).abs() < 1e-12);
}

#[test]
fn the_largest_gap_of_two_triangles_is_that_of_two_clusters() -> Result<()> {
    let edges = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (2, 3)];
    let graph = Graph::from_edges(6, edges.map(|(i, j)| (i, j, 1.0)))?;
    let gaps = eigengaps(&graph, 4)?;
    assert_eq!(gaps.len(), 3);
    assert!((gaps[0] - 1.0).abs() < 1e-12 && gaps[1..].iter().all(|&gap| gap < 1.0), "{gaps:?}");
    Ok(())
}

/// Candidates with 2, 3 and 4 clusters of 80 points in a row, which are separated so well.
fn candidates(separations: [f64; 3]) -> Vec<Candidate> {
    let of = [[0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 1, 1, 2, 2, 3, 3]];
    let each = of.iter().zip(separations).zip(2..);
    let spread = |of: &[usize; 8]| (0..80).map(|i| Some(of[i / 10])).collect();
    each.map(|((of, separation), k)| Candidate { k, labels: spread(of), separation }).collect()
}

#[test]
fn without_constraints_the_best_separated_clusters_are_taken() {
    let none = Constraints::new(80);
    let best = |separations| selected(&candidates(separations), &none, 1).map(|found| found.0);
    assert_eq!(best([0.3, 0.5, 0.4]), Some(3));
    assert_eq!(best([0.5, 0.5, 0.4]), Some(2));
    assert_eq!(selected(&[], &none, 1), None);
}

#[test]
fn few_pairs_do_not_outweigh_the_separation_and_many_do() -> Result<()> {
    let separations = [0.6, 0.3, 0.5];
    let (mut few, mut many) = (Constraints::new(80), Constraints::new(80));
    few.must_link(0, 1)?.cannot_link(10, 20)?;
    for (i, j) in (0..80).flat_map(|j| (0..j).map(move |i| (i, j))) {
        if i / 20 == j / 20 {
            many.must_link(i, j)?;
        } else {
            many.cannot_link(i, j)?;
        }
    }
    let found = |constraints| selected(&candidates(separations), constraints, 1);
    assert_eq!(found(&few).map(|found| found.0), Some(2));
    assert_eq!(found(&many).map(|found| found.0), Some(4));
    Ok(())
}

#[test]
fn labels_that_name_all_clusters_say_the_number() -> Result<()> {
    let mut all = Constraints::new(80);
    all.label(0, "a")?.label(30, "b")?.label(60, "c")?;
    let best = selected(&candidates([0.2, 0.5, 0.3]), &all, 3);
    assert_eq!(best, Some((3, BY_LABELS)));
    // Two of the four clusters have no labelled point.
    let mut some = Constraints::new(80);
    some.label(0, "a")?.label(20, "b")?;
    let best = selected(&candidates([0.2, 0.3, 0.5]), &some, 2);
    assert_eq!(best.map(|found| found.0), Some(4));
    Ok(())
}

#[test]
fn there_are_never_fewer_clusters_than_the_constraints_imply() {
    let none = Constraints::new(80);
    let best = selected(&candidates([0.9, 0.2, 0.3]), &none, 3);
    assert_eq!(best.map(|found| found.0), Some(4));
}
