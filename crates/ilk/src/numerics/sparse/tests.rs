use ndarray::Array2;
use proptest::prelude::*;

use super::*;

/// A symmetric matrix of which most entries are 0.
fn matrices() -> impl Strategy<Value = Array2<f64>> {
    (1_usize..12).prop_flat_map(|n| {
        let value = prop_oneof![3 => Just(0.0), 2 => -2.0..2.0_f64];
        proptest::collection::vec(value, n * n).prop_map(move |values| {
            Array2::from_shape_fn((n, n), |(i, j)| values[i.min(j) * n + i.max(j)])
        })
    })
}

fn pairs() -> impl Strategy<Value = (Array2<f64>, Array2<f64>)> {
    (matrices(), matrices()).prop_map(|(a, b)| {
        let n = a.nrows().min(b.nrows());
        let part = |m: Array2<f64>| m.slice(ndarray::s![..n, ..n]).to_owned();
        (part(a), part(b))
    })
}

proptest! {
    #[test]
    fn sums_and_products_are_those_of_the_dense_matrices((a, b) in pairs()) {
        let (left, right) = (Sparse::from_dense(a.view()), Sparse::from_dense(b.view()));
        prop_assert_eq!(left.to_dense(), a.clone());
        prop_assert_eq!(left.plus(&right).to_dense(), &a + &b);
        let diagonal: Vec<f64> = b.diag().to_vec();
        prop_assert_eq!(
            left.plus_diagonal(&diagonal).to_dense(),
            &a + &Array2::from_diag(&b.diag())
        );
        prop_assert_eq!(left.diagonal(), a.diag().to_vec());
        let off = (left.times(b.view()) - a.dot(&b)).mapv(f64::abs);
        prop_assert!(off.iter().all(|x| *x < 1e-12));
        for (sum, row) in left.row_sums().iter().zip(a.rows()) {
            prop_assert!((sum - row.sum()).abs() < 1e-12);
        }
    }

    #[test]
    fn entries_in_any_order_and_of_either_half_make_the_same_matrix(
        a in matrices(),
        order in any::<u64>(),
    ) {
        let n = a.nrows();
        let mut entries: Vec<(usize, usize, f64)> = (0..n)
            .flat_map(|i| (i..n).map(move |j| (i, j)))
            .filter(|&(i, j)| a[[i, j]] != 0.0)
            .map(|(i, j)| (i, j, a[[i, j]]))
            .collect();
        let shift = order as usize % entries.len().max(1);
        entries.rotate_left(shift);
        for (at, entry) in entries.iter_mut().enumerate() {
            if (order >> (at % 64)) & 1 == 1 {
                *entry = (entry.1, entry.0, entry.2);
            }
        }
        prop_assert_eq!(Sparse::from_entries(n, entries), Sparse::from_dense(a.view()));
    }
}

#[test]
fn values_of_the_same_place_are_added_up() {
    let matrix = Sparse::from_entries(2, [(0, 1, 1.0), (1, 0, 2.0), (1, 1, 4.0)]);
    assert_eq!(matrix.to_dense(), ndarray::array![[0.0, 3.0], [3.0, 4.0]]);
    assert_eq!(matrix.get(0, 0), 0.0);
    assert_eq!(matrix.n_entries(), 3);
}
