use ndarray::{Array2, ShapeBuilder, array};
use proptest::prelude::*;

use super::*;
use crate::problem::{Constraints, Problem};
use crate::{Error, Result};

fn message<T: std::fmt::Debug>(refused: Result<T>) -> String {
    refused.unwrap_err().to_string()
}

#[test]
fn no_rows_or_no_columns_are_refused() {
    let no_columns = Points::from_rows(&[vec![], vec![]]);
    assert_eq!(
        message(no_columns),
        "the input is empty: it has 2 rows and 0 columns; at least one of each is needed"
    );
    let empty = Error::Empty { rows: 0, columns: 0 };
    assert_eq!(Points::from_rows(&[]), Err(empty.clone()));
    assert_eq!(Points::new(Array2::zeros((0, 3))), Err(Error::Empty { rows: 0, columns: 3 }));
    assert_eq!(KernelMatrix::new(Array2::zeros((0, 0))), Err(empty.clone()));
    assert_eq!(Graph::from_edges(0, []), Err(empty.clone()));
    assert_eq!(Graph::from_parts(&[0], &[], &[]), Err(empty.clone()));
    assert_eq!(Graph::from_parts(&[], &[], &[]), Err(empty));
}

#[test]
fn the_first_value_that_is_not_finite_is_named() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let points = Points::from_rows(&[vec![1.0, 2.0], vec![3.0, value], vec![value, 0.0]]);
        let expected = format!("the value in row 1, column 1 is {value}; replace or drop it");
        assert_eq!(message(points), expected);
        let kernel = KernelMatrix::new(array![[1.0, 0.0], [0.0, value]]);
        assert_eq!(message(kernel), expected);
    }
    let single = array![[0.0_f32, f32::NAN]];
    assert_eq!(
        message(Points::from_f32(&single)),
        "the value in row 0, column 1 is NaN; replace or drop it"
    );
}

#[test]
fn a_ragged_row_is_named() {
    let points = Points::from_rows(&[vec![1.0, 2.0], vec![3.0, 4.0], vec![5.0]]);
    assert_eq!(message(points), "row 2 has 1 values, but row 0 has 2");
}

#[test]
fn a_wrong_number_of_coordinates_is_refused() {
    assert_eq!(
        message(Points::from_shape(2, 3, vec![0.0; 5])),
        "the list of coordinates has 5 entries where 6 are needed"
    );
    assert!(Points::from_shape(usize::MAX, 2, vec![0.0]).is_err());
}

#[test]
fn any_layout_becomes_rows() {
    let rows = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let columns = Array2::from_shape_vec((2, 3).f(), vec![1.0, 4.0, 2.0, 5.0, 3.0, 6.0]).unwrap();
    let mut mirrored = array![[3.0, 2.0, 1.0], [6.0, 5.0, 4.0]];
    mirrored.invert_axis(ndarray::Axis(1));
    for layout in [rows, columns, mirrored] {
        let points = Points::new(layout).unwrap();
        assert_eq!(points.as_slice(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(points.row(1), [4.0, 5.0, 6.0]);
    }
}

#[test]
fn single_precision_is_widened_to_the_same_numbers() {
    let single = array![[0.1_f32, -3.5], [f32::MIN_POSITIVE, f32::MAX]];
    let points = Points::from_f32(&single).unwrap();
    for (wide, &narrow) in points.as_slice().iter().zip(&single) {
        assert_eq!(*wide, f64::from(narrow));
    }
    let kernel = KernelMatrix::from_f32(&array![[1.0_f32, 0.3], [0.3, 1.0]]).unwrap();
    assert_eq!(kernel.view()[[0, 1]], f64::from(0.3_f32));
}

#[test]
fn a_kernel_that_is_not_square_is_refused() {
    assert_eq!(
        message(KernelMatrix::new(Array2::ones((2, 3)))),
        "the kernel matrix has 2 rows and 3 columns; it must be square"
    );
}

#[test]
fn a_kernel_is_symmetric_relative_to_its_largest_value() {
    let kernel = |difference: f64| array![[100.0, 0.0], [difference, 1.0]];
    let kept = KernelMatrix::new(kernel(0.99e-4)).unwrap();
    assert_eq!(kept.view(), array![[100.0, 0.495e-4], [0.495e-4, 1.0]]);
    assert_eq!(
        message(KernelMatrix::new(kernel(1.01e-4))),
        "the kernel matrix is not symmetric: entry (0, 1) is 0, entry (1, 0) is 0.000101"
    );
}

#[test]
fn a_kernel_of_extreme_values_is_kept_as_it_is() {
    for value in [f64::MAX, f64::from_bits(1)] {
        let data = array![[value, -value], [-value, value]];
        assert_eq!(KernelMatrix::new(data.clone()).unwrap().view(), data);
    }
}

#[test]
fn an_edge_to_a_node_that_does_not_exist_is_refused() {
    let expected = "edge 1 ends at node 3, but there are only 3 nodes (0 to 2)";
    let listed = Graph::from_edges(3, [(0, 1, 1.0), (3, 2, 1.0)]);
    assert_eq!(message(listed), expected);
    let parts = Graph::from_parts(&[0, 2, 2, 2], &[1, 3], &[1.0, 1.0]);
    assert_eq!(message(parts), expected);
}

#[test]
fn an_edge_with_a_weight_that_is_negative_or_not_finite_is_refused() {
    for weight in [-1.0, f64::NAN, f64::INFINITY] {
        let expected =
            format!("edge 0 (0, 1) has weight {weight}; weights must be finite and not negative");
        assert_eq!(message(Graph::from_edges(2, [(0, 1, weight)])), expected);
        let parts = Graph::from_parts(&[0, 1, 2], &[1, 0], &[weight, weight]);
        assert_eq!(message(parts), expected);
    }
}

#[test]
fn an_edge_listed_with_two_weights_is_refused() {
    let listed = Graph::from_edges(3, [(0, 1, 1.0), (1, 2, 1.0), (1, 0, 1.0), (0, 1, 2.0)]);
    assert_eq!(
        message(listed),
        "edges 0 and 3 both join nodes 0 and 1, with weights 1 and 2; keep one, or their sum"
    );
}

#[test]
fn an_edge_of_weight_zero_is_no_edge() {
    let graph = Graph::from_edges(2, [(0, 1, 0.0), (1, 0, -0.0)]).unwrap();
    assert_eq!(graph.edges(0), (&[][..], &[][..]));
    assert_eq!(graph.n_edges(), 0);
    let parts = Graph::from_parts(&[0, 1, 1], &[1], &[0.0]).unwrap();
    assert_eq!(parts, graph);
}

#[test]
fn offsets_that_do_not_fit_are_refused() {
    let ending = "offsets must start at 0, never fall, and end at the number of neighbours, 2";
    for (offsets, position, value) in
        [([1, 1, 2], 0, 1), ([0, 3, 2], 2, 2), ([0, 1, 1], 2, 1), ([0, 1, 3], 2, 3)]
    {
        assert_eq!(
            message(Graph::from_parts(&offsets, &[1, 0], &[1.0, 1.0])),
            format!("offset {position} of the graph is {value}; {ending}")
        );
    }
}

#[test]
fn a_wrong_number_of_edge_weights_is_refused() {
    assert_eq!(
        message(Graph::from_parts(&[0, 1, 2], &[1, 0], &[1.0])),
        "the list of edge weights has 1 entries where 2 are needed"
    );
}

#[test]
fn neighbours_out_of_order_or_repeated_are_refused() {
    let ending = "must be sorted and each given once, but 1 comes after";
    for previous in [2, 1] {
        let parts = Graph::from_parts(&[0, 2, 2, 2], &[previous, 1], &[1.0, 1.0]);
        assert_eq!(message(parts), format!("the neighbours of node 0 {ending} {previous}"));
    }
}

#[test]
fn a_graph_is_symmetric_relative_to_each_edge() {
    let parts = |weight: f64| Graph::from_parts(&[0, 1, 2], &[1, 0], &[4.0, weight]);
    let kept = parts(4.0 + 3e-6).unwrap();
    assert_eq!(kept.edges(0).1, kept.edges(1).1);
    assert_eq!(kept.edges(0).1, [f64::midpoint(4.0, 4.0 + 3e-6)]);
    assert_eq!(
        message(parts(5.0)),
        "the graph is not symmetric: entry (0, 1) is 4, entry (1, 0) is 5"
    );
    let missing = Graph::from_parts(&[0, 0, 1], &[0], &[4.0]);
    assert_eq!(
        message(missing),
        "the graph is not symmetric: entry (1, 0) is 4, entry (0, 1) is 0"
    );
}

#[test]
fn weights_of_points_are_positive_and_finite() {
    let points = Points::from_rows(&[vec![0.0], vec![1.0]]).unwrap();
    let problem = Problem::new(points, Constraints::with_ids(["a", "b"]).unwrap()).unwrap();
    for weight in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(
            message(problem.clone().with_weights(vec![1.0, weight])),
            format!("point b has weight {weight}; weights must be positive and finite")
        );
    }
    assert_eq!(
        message(problem.clone().with_weights(vec![1.0])),
        "the list of point weights has 1 entries where 2 are needed"
    );
    let weighted = problem.with_weights(vec![0.5, 2.0]).unwrap();
    assert_eq!(weighted.weights(), Some(&[0.5, 2.0][..]));
}

#[test]
fn constraints_about_another_number_of_points_are_refused() {
    let points = Points::from_rows(&[vec![0.0], vec![1.0]]).unwrap();
    assert_eq!(
        message(Problem::new(points, Constraints::new(3))),
        "the list of points of the constraints has 3 entries where 2 are needed"
    );
}

#[test]
fn every_shape_of_input_knows_its_size_and_kind() {
    let points = Points::from_rows(&[vec![0.0], vec![1.0]]).unwrap();
    let kernel = KernelMatrix::new(Array2::eye(3)).unwrap();
    let graph = Graph::from_edges(4, []).unwrap();
    let sizes = [points.into(), kernel.into(), graph.into()]
        .map(|input: Input| (input.len(), input.kind()));
    assert_eq!(sizes, [(2, InputKind::Points), (3, InputKind::Kernel), (4, InputKind::Graph)]);
}

proptest! {
    #[test]
    fn a_kernel_is_exactly_symmetric_and_close_to_what_was_given(
        n in 1_usize..150,
        noise in prop::collection::vec(-1.0_f64..1.0, 150),
    ) {
        let given = Array2::from_shape_fn((n, n), |(i, j)| {
            1.0 / (1.0 + i.abs_diff(j) as f64) + 4e-7 * noise[(7 * i + 3 * j) % 150]
        });
        let kernel = KernelMatrix::new(given.clone()).unwrap();
        prop_assert_eq!(kernel.view(), kernel.view().reversed_axes());
        for i in 0..n {
            for j in 0..n {
                let mean = f64::midpoint(given[[i, j]], given[[j, i]]);
                prop_assert_eq!(kernel.view()[[i, j]], mean);
            }
        }
    }

    #[test]
    fn a_graph_is_the_adjacency_matrix_of_its_edges(
        listed in prop::collection::vec((0_usize..7, 0_usize..7, any::<bool>()), 0..30),
    ) {
        let weight = |u: usize, v: usize| (1 + u.min(v) * 7 + u.max(v)) as f64;
        let mut matrix = Array2::<f64>::zeros((7, 7));
        let mut edges = Vec::new();
        for (u, v, both) in listed {
            matrix[[u, v]] = weight(u, v);
            matrix[[v, u]] = weight(u, v);
            edges.push((u, v, weight(u, v)));
            if both {
                edges.push((v, u, weight(u, v)));
            }
        }
        let graph = Graph::from_edges(7, edges).unwrap();
        let (mut offsets, mut neighbors, mut weights) = (vec![0], vec![], vec![]);
        for u in 0..7 {
            for v in 0..7 {
                if matrix[[u, v]] > 0.0 {
                    neighbors.push(v);
                    weights.push(matrix[[u, v]]);
                }
            }
            offsets.push(neighbors.len());
            let row = offsets[u]..offsets[u + 1];
            let (found, found_weights) = graph.edges(u);
            let found: Vec<usize> = found.iter().map(|&v| v as usize).collect();
            prop_assert_eq!(&found[..], &neighbors[row.clone()]);
            prop_assert_eq!(found_weights, &weights[row]);
        }
        let upper = (0..7).flat_map(|u| (u..7).map(move |v| [u, v]));
        prop_assert_eq!(graph.n_edges(), upper.filter(|&at| matrix[at] > 0.0).count());
        prop_assert_eq!(Graph::from_parts(&offsets, &neighbors, &weights), Ok(graph));
    }

    #[test]
    fn components_hold_what_paths_join(
        listed in prop::collection::vec((0_usize..9, 0_usize..9), 0..12),
    ) {
        let edges = listed.iter().map(|&(u, v)| (u, v, 1.0));
        let graph = Graph::from_edges(9, edges).unwrap();
        let mut reached = Array2::from_shape_fn((9, 9), |(u, v)| u == v);
        for &(u, v) in &listed {
            reached[[u, v]] = true;
            reached[[v, u]] = true;
        }
        for by in 0..9 {
            for u in 0..9 {
                for v in 0..9 {
                    reached[[u, v]] |= reached[[u, by]] && reached[[by, v]];
                }
            }
        }
        let (component, count) = graph.components();
        for u in 0..9 {
            for v in 0..9 {
                prop_assert_eq!(component[u] == component[v], reached[[u, v]]);
            }
        }
        let firsts = (0..9).filter(|&v| (0..v).all(|u| !reached[[u, v]]));
        for (number, first) in firsts.enumerate() {
            prop_assert_eq!(component[first], number);
        }
        prop_assert_eq!(component.iter().max().map(|last| last + 1), Some(count));
        let alone = (0..9).filter(|&u| (0..9).all(|v| u == v || !reached[[u, v]]));
        prop_assert_eq!(graph.isolated(), alone.collect::<Vec<_>>());
    }
}
