use ndarray::array;

use super::DistinctRows;

#[test]
fn equal_rows_share_the_number_of_their_first_appearance() {
    let rows = array![[1.0, 0.0], [2.0, 0.0], [1.0, -0.0], [2.0, 1.0], [2.0, 0.0]];
    let distinct = DistinctRows::new(rows.view());
    assert_eq!(distinct.distinct_row_of, [0, 1, 0, 2, 1]);
    assert_eq!(distinct.first, [0, 1, 3]);
    assert_eq!(distinct.counts(), [2, 2, 1]);
    assert_eq!(distinct.spread(&['a', 'b', 'c']), ['a', 'b', 'a', 'c', 'b']);
    assert_eq!(distinct.weights(Some(&[1.0, 2.0, 3.0, 4.0, 5.0])), [4.0, 7.0, 4.0]);
}

#[test]
fn rows_that_may_not_merge_stay_their_own() {
    let rows = array![[1.0], [1.0], [1.0]];
    let distinct = DistinctRows::new_where(rows.view(), |i| i != 1);
    assert_eq!(distinct.distinct_row_of, [0, 1, 0]);
}
