use proptest::prelude::*;

use super::Quantile;

#[test]
fn quantiles_are_numpys() {
    // numpy.quantile([3, 1, 4, 1, 5, 9, 2, 6], share), and of the squares.
    let values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0];
    for (share, plain, squared) in [
        (0.0, 1.0, 1.0),
        (0.1, 1.0, 1.0),
        (0.25, 1.75, 3.25),
        (0.5, 3.5, 12.5),
        (0.9, 6.9, 49.5),
        (1.0, 9.0, 81.0),
    ] {
        let found = Quantile::new(&mut values.clone(), share).expect("values");
        assert!((found.value() - plain).abs() < 1e-14, "{share}");
        assert!((found.of(|x| x * x) - squared).abs() < 1e-13, "{share}");
    }
    assert_eq!(Quantile::new(&mut [], 0.5), None);
}

proptest! {
    #[test]
    fn a_quantile_is_found_in_the_sorted_list(
        mut values in prop::collection::vec(-5.0..5.0f64, 1..40), share in 0.0..=1.0f64,
    ) {
        let found = Quantile::new(&mut values, share).unwrap().value();
        values.sort_by(f64::total_cmp);
        let rank = share * (values.len() - 1) as f64;
        let (low, high) = (values[rank.floor() as usize], values[rank.ceil() as usize]);
        prop_assert!((found - (low + (high - low) * rank.fract())).abs() < 1e-12);
    }
}
