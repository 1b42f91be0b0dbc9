use ndarray::{Array2, array};
use proptest::prelude::*;

use super::{Bandwidth, ResolvedBandwidth, rules};
use crate::Error;
use crate::numerics::neighbors::{Neighbors, SelfNeighbor};
use crate::problem::Points;

fn points(data: Array2<f64>) -> Points {
    Points::new(data).unwrap()
}

/// Up to 40 points, many of them equal in some draws.
fn some_points() -> impl Strategy<Value = Points> {
    (1usize..5, 1usize..40, prop::bool::ANY).prop_flat_map(|(dims, n, whole)| {
        let coordinate =
            if whole { (0i8..3).prop_map(f64::from).boxed() } else { (-5.0..5.0f64).boxed() };
        prop::collection::vec(coordinate, n * dims)
            .prop_map(move |v| points(Array2::from_shape_vec((n, dims), v).unwrap()))
    })
}

/// Distances between all pairs i < j, ascending, by a double loop.
fn sorted_distances(points: &Points) -> Vec<f64> {
    let mut all = Vec::new();
    for i in 0..points.len() {
        for j in i + 1..points.len() {
            let (a, b) = (points.row(i), points.row(j));
            let sum: f64 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum();
            all.push(sum.sqrt());
        }
    }
    all.sort_by(f64::total_cmp);
    all
}

/// Two moon-like clouds without a random generator: a lattice walk with irrational steps.
fn many(n: usize) -> Points {
    points(Array2::from_shape_fn((n, 2), |(i, k)| {
        let u = (i as f64 * [0.618_033_988_75, 0.414_213_562_37][k]).fract();
        u * u + f64::from(u8::from(i % 3 == 0)) * 2.0
    }))
}

#[test]
fn text_forms_read_back_as_they_were_written() {
    for (text, value) in [
        ("auto", Bandwidth::Auto),
        ("0.3", Bandwidth::Fixed(0.3)),
        ("percentile(0.03)", Bandwidth::Percentile(0.03)),
        ("neighbor(7)", Bandwidth::Neighbor(7)),
        ("silverman", Bandwidth::Silverman),
        ("[0.5, 2]", Bandwidth::PerPoint(vec![0.5, 2.0])),
    ] {
        assert_eq!(text.parse::<Bandwidth>().unwrap(), value);
        assert_eq!(value.to_string(), text);
    }
    assert_eq!(" percentile( 0.5 ) ".parse(), Ok(Bandwidth::Percentile(0.5)));
}

#[test]
fn other_text_is_refused_with_the_forms_there_are() {
    for text in ["", "wide", "percentile", "percentile(a)", "neighbor(-1)", "neighbor(1.5)", "[1,]"]
    {
        let error = text.parse::<Bandwidth>().unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "bandwidth = {text} is out of range: it must be a number above 0, auto, \
                 percentile(SHARE), neighbor(K), silverman, or a list [H, H, ...]"
            )
        );
    }
}

#[test]
fn files_hold_a_number_a_list_a_word_or_null() {
    for (json, value) in [
        ("0.3", Bandwidth::Fixed(0.3)),
        ("2", Bandwidth::Fixed(2.0)),
        ("[0.5,2.0]", Bandwidth::PerPoint(vec![0.5, 2.0])),
        ("[1,2]", Bandwidth::PerPoint(vec![1.0, 2.0])),
        ("\"percentile(0.03)\"", Bandwidth::Percentile(0.03)),
        ("\"0.3\"", Bandwidth::Fixed(0.3)),
        ("\"auto\"", Bandwidth::Auto),
        ("null", Bandwidth::Auto),
    ] {
        assert_eq!(serde_json::from_str::<Bandwidth>(json).unwrap(), value);
    }
    for json in ["true", "{\"fixed\": 1}", "[\"a\"]", "\"wide\""] {
        assert!(serde_json::from_str::<Bandwidth>(json).is_err(), "{json}");
    }
    let error = serde_json::from_str::<Bandwidth>("true").unwrap_err();
    assert!(error.to_string().contains("a bandwidth: a number above 0, auto"));
}

proptest! {
    #[test]
    fn json_and_messagepack_return_what_went_in(
        h in 1e-9..1e9f64, each in prop::collection::vec(1e-9..1e9f64, 1..5), k in 1usize..99,
    ) {
        for value in [
            Bandwidth::Auto,
            Bandwidth::Fixed(h),
            Bandwidth::PerPoint(each),
            Bandwidth::Percentile(h / 1e9),
            Bandwidth::Neighbor(k),
            Bandwidth::Silverman,
        ] {
            let json = serde_json::to_string(&value).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Bandwidth>(&json).unwrap(), &value);
            let packed = rmp_serde::to_vec_named(&value).unwrap();
            prop_assert_eq!(&rmp_serde::from_slice::<Bandwidth>(&packed).unwrap(), &value);
            prop_assert_eq!(&value.to_string().parse::<Bandwidth>().unwrap(), &value);
        }
    }

    #[test]
    fn percentile_of_few_points_is_the_interpolated_order_statistic(
        points in some_points(), share in prop_oneof![Just(0.0), Just(1.0), 0.0..1.0f64],
    ) {
        let all = sorted_distances(&points);
        let expected = if all.is_empty() {
            0.0
        } else {
            let rank = share * (all.len() - 1) as f64;
            let (low, high) = (all[rank.floor() as usize], all[rank.ceil() as usize]);
            low + (high - low) * rank.fract()
        };
        let found = rules::percentile(&points, share, 3);
        prop_assert!((found - expected).abs() <= 1e-12, "{found} {expected}");
    }

    #[test]
    fn kth_neighbor_is_the_kth_smallest_distance_to_others(
        points in some_points(), k in 1usize..10,
    ) {
        let table = Neighbors::new(points.view()).nearest_all(k, SelfNeighbor::Excluded);
        for i in 0..points.len() {
            let mut others: Vec<f64> = (0..points.len())
                .filter(|&j| j != i)
                .map(|j| {
                    let (a, b) = (points.row(i), points.row(j));
                    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
                })
                .collect();
            others.sort_by(f64::total_cmp);
            let expected = others.get(k.min(others.len()).wrapping_sub(1)).copied().unwrap_or(0.0);
            prop_assert_eq!(table.kth_sq(i, k).sqrt(), expected);
        }
    }

    #[test]
    fn every_rule_is_positive_unless_all_points_coincide(points in some_points(), k in 1usize..9) {
        let distinct = (1..points.len()).any(|i| points.row(i) != points.row(0));
        let k = k.min(points.len() - 1).max(1);
        for rule in [
            Bandwidth::Auto,
            Bandwidth::Percentile(0.0),
            Bandwidth::Percentile(0.03),
            Bandwidth::Neighbor(k),
            Bandwidth::Silverman,
        ] {
            let resolved = rule.resolve(&points, 0).unwrap();
            prop_assert_eq!(resolved.is_degenerate(), !distinct);
            for i in 0..points.len() {
                prop_assert_eq!(resolved.of(i) > 0.0, distinct, "{}", rule);
            }
        }
    }
}

#[test]
fn a_sampled_percentile_is_close_to_the_exact_one() {
    let points = many(3_000);
    let all = sorted_distances(&points);
    for share in [0.01, 0.03, 0.2, 0.5] {
        let exact = all[(share * all.len() as f64) as usize];
        for seed in 0..3 {
            let found = rules::percentile(&points, share, seed);
            assert!((found / exact - 1.0).abs() < 0.05, "{share}: {found} for {exact}");
        }
        assert_eq!(rules::percentile(&points, share, 1), rules::percentile(&points, share, 1));
    }
}

#[test]
fn a_sampled_median_neighbor_is_close_to_the_exact_one() {
    let points = many(6_000);
    let mut all = rules::positive_kth_neighbor(&points, 7);
    all.sort_by(f64::total_cmp);
    let found = rules::kth_neighbor_median(&points, 7, 5);
    assert!((found / all[3_000] - 1.0).abs() < 0.1);
}

#[test]
fn one_stray_point_among_many_equal_ones_still_gives_a_width() {
    let mut data = Array2::zeros((5_000, 2));
    data[[4_321, 0]] = 3.0;
    let points = points(data);
    assert_eq!(Bandwidth::Percentile(0.1).resolve(&points, 0), Ok(ResolvedBandwidth::Fixed(3.0)));
    assert_eq!(Bandwidth::Neighbor(2).resolve(&points, 0).unwrap().of(17), 3.0);
}

#[test]
fn a_single_point_has_bandwidth_zero_by_every_rule() {
    let points = points(array![[1.0, 2.0]]);
    for rule in
        [Bandwidth::Auto, Bandwidth::Percentile(0.5), Bandwidth::Neighbor(3), Bandwidth::Silverman]
    {
        assert!(rule.resolve(&points, 0).unwrap().is_degenerate());
    }
}

#[test]
fn values_out_of_range_are_refused_with_the_range() {
    let points = points(array![[0.0], [1.0], [2.0]]);
    for (bandwidth, message) in [
        (
            Bandwidth::Fixed(-1.0),
            "bandwidth = -1 is out of range: a bandwidth must be a finite number above 0",
        ),
        (
            Bandwidth::Fixed(f64::NAN),
            "bandwidth = NaN is out of range: a bandwidth must be a finite number above 0",
        ),
        (
            Bandwidth::Percentile(1.5),
            "bandwidth = percentile(1.5) is out of range: the share must be from 0 to 1",
        ),
        (
            Bandwidth::Neighbor(0),
            "bandwidth = neighbor(0) is out of range: neighbours are counted from 1",
        ),
        (
            Bandwidth::Neighbor(3),
            "bandwidth = neighbor(3) is out of range: of 3 points none has more than 2 neighbours",
        ),
        (
            Bandwidth::PerPoint(vec![1.0, 0.0, 1.0]),
            "bandwidth = 0 is out of range: the bandwidth of point 1 must be a finite number above 0",
        ),
        (Bandwidth::PerPoint(vec![1.0]), "the list of bandwidths has 1 entries where 3 are needed"),
    ] {
        assert_eq!(bandwidth.resolve(&points, 0).unwrap_err().to_string(), message);
    }
}

#[test]
fn distances_that_overflow_are_an_error() {
    let points = points(array![[-1e200], [1e200]]);
    for rule in [Bandwidth::Auto, Bandwidth::Neighbor(1), Bandwidth::Silverman] {
        assert!(matches!(rule.resolve(&points, 0), Err(Error::BadParameter { .. })), "{rule}");
    }
}
