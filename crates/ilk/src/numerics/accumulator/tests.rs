use super::SparseAccumulator;

#[test]
fn an_index_is_listed_once_even_where_its_sum_is_zero_on_the_way() {
    let mut sums = SparseAccumulator::new(4);
    for (index, value) in [(2, 1.5), (0, -0.0), (2, -1.5), (2, 0.25), (0, 0.0)] {
        sums.add(index, value);
    }
    assert_eq!(sums.touched(), [2, 0]);
    assert_eq!((sums.get(2), sums.get(0), sums.get(1)), (0.25, 0.0, 0.0));
    assert!(sums.is_touched(0) && !sums.is_touched(1));
    let best = sums.take_best(|_, sum| Some(sum), |_| 0);
    assert_eq!(best, Some(2));
    assert!(sums.touched().is_empty() && !sums.is_touched(2));
}
