use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::Error;
use crate::parameter::Range;

/// The points of a set with one label.
fn group(set: &Dataset, label: usize) -> Vec<Vec<f64>> {
    let points = set.points().expect("a set of points");
    let members = set.labels.iter().zip(points.rows());
    members.filter(|&(&l, _)| l == label).map(|(_, row)| row.to_vec()).collect()
}

/// Mean and standard deviation.
fn mean_sd(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let values: Vec<f64> = values.into_iter().collect();
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let var = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n;
    (mean, var.sqrt())
}

fn radii(points: &[Vec<f64>], center: [f64; 2]) -> Vec<f64> {
    points.iter().map(|p| (p[0] - center[0]).hypot(p[1] - center[1])).collect()
}

/// Without noise every point is on its circle; with noise the radius spreads by about that much.
fn assert_on_circle(points: &[Vec<f64>], center: [f64; 2], radius: f64, noise: f64) {
    let (mean, sd) = mean_sd(radii(points, center));
    let few = 5.0 / (points.len() as f64).sqrt();
    assert!((mean - radius).abs() <= few * noise + noise * noise / radius + 1e-12, "{mean}");
    assert!((sd - noise).abs() <= few * noise + 1e-12, "{sd} is not {noise}");
}

fn generators() -> Vec<Generator> {
    ALL.iter()
        .map(|info| Generator::named(info.name).expect("every name in the list is known"))
        .collect()
}

#[test]
fn the_list_names_every_set_once_and_its_description() {
    let names: BTreeSet<&str> = ALL.iter().map(|info| info.name).collect();
    assert_eq!(names.len(), ALL.len());
    for (info, generator) in ALL.iter().zip(generators()) {
        assert_eq!(generator.info().name, info.name);
        assert_eq!(info.function, format!("make_{}", info.name.replace('-', "_")));
        assert!(info.summary.ends_with('.'), "{}", info.summary);
    }
}

#[test]
fn listed_defaults_are_the_defaults_and_keys_are_the_fields() {
    for generator in generators() {
        let json = serde_json::to_value(&generator).unwrap();
        assert_eq!(json["dataset"], generator.info().name);
        let fields = json["params"].as_object().unwrap();
        assert_eq!(fields.len(), generator.info().parameters.len());
        for parameter in generator.info().parameters {
            let listed: f64 = parameter.default().parse().unwrap();
            assert_eq!(fields[parameter.name].as_f64(), Some(listed));
        }
    }
}

#[test]
fn an_unknown_name_is_refused_with_the_known_ones() {
    let error = Generator::named("moon").unwrap_err();
    assert!(error.to_string().starts_with(
        "there is no data set \"moon\"; known data sets: moons, two-circles, olympic-circles"
    ));
}

#[test]
fn a_value_below_its_range_is_refused_by_name() {
    for generator in generators() {
        for parameter in generator.info().parameters {
            let below = match parameter.range {
                Range::Integer { min, .. } => serde_json::json!(min - 1),
                _ => serde_json::json!(-1.0),
            };
            let mut json = serde_json::to_value(&generator).unwrap();
            json["params"][parameter.name] = below;
            let changed: Generator = serde_json::from_value(json).unwrap();
            let refused = changed.generate(0).unwrap_err();
            assert!(
                matches!(&refused, Error::BadParameter { parameter: name, .. } if *name == parameter.name),
                "{}: {refused}",
                parameter.name
            );
        }
    }
}

#[test]
fn a_value_that_is_not_a_number_is_refused() {
    let noise = f64::NAN;
    let refused = Moons { noise, ..Moons::default() }.generate(0);
    assert!(matches!(refused, Err(Error::BadParameter { parameter: "noise", .. })));
}

#[test]
fn a_set_too_large_for_memory_is_refused_before_it_is_made() {
    let huge = Blobs { n: 1_000_000_000, dims: 1_000_000, ..Blobs::default() };
    assert!(matches!(huge.generate(0), Err(Error::TooLarge { .. })));
    let dense = PlantedGraph { n: 1_000_000, p_in: 1.0, ..PlantedGraph::default() };
    assert!(matches!(dense.generate(0), Err(Error::TooLarge { .. })));
}

#[test]
fn more_groups_than_points_are_refused() {
    let expected = Error::TooManyClusters { k: 6, n: 5 };
    let blobs = Blobs { n: 5, centers: 6, ..Blobs::default() };
    assert_eq!(blobs.generate(0), Err(expected.clone()));
    let graph = PlantedGraph { n: 5, blocks: 6, ..PlantedGraph::default() };
    assert_eq!(graph.generate(0), Err(expected));
}

#[test]
fn a_seed_repeats_and_another_differs() {
    for generator in generators() {
        let set = generator.generate(3).unwrap();
        assert_eq!(set, generator.generate(3).unwrap());
        assert_ne!(set, generator.generate(4).unwrap());
        assert_eq!(set.name, generator.info().name);
        assert!(set.labels.is_sorted());
    }
}

#[test]
fn every_set_is_a_valid_input_of_as_many_points() {
    for generator in generators() {
        let set = generator.generate(1).unwrap();
        assert_eq!(set.input().unwrap().len(), set.len());
    }
}

#[test]
fn moons_are_two_hooked_half_circles() {
    let set = Moons { n: 101, noise: 0.0 }.generate(0).unwrap();
    let (upper, lower) = (group(&set, 0), group(&set, 1));
    assert_eq!((upper.len(), lower.len()), (50, 51));
    assert_on_circle(&upper, [0.0, 0.0], 1.0, 0.0);
    assert_on_circle(&lower, [1.0, 0.5], 1.0, 0.0);
    assert!(upper.iter().all(|p| p[1] > -1e-12));
    assert!(lower.iter().all(|p| p[1] < 0.5 + 1e-12));
    // The tip of the lower moon is inside the upper one's mouth.
    assert!(lower.iter().any(|p| p[0].abs() < 1e-9 && (p[1] - 0.5).abs() < 1e-9));
    let noisy = Moons { n: 4000, noise: 0.1 }.generate(0).unwrap();
    assert_on_circle(&group(&noisy, 0), [0.0, 0.0], 1.0, 0.1);
}

#[test]
fn circles_have_the_radii_sizes_and_noise_asked_for() {
    let two = TwoCircles { per_circle: 2000, ..TwoCircles::default() }.generate(1).unwrap();
    assert_on_circle(&group(&two, 0), [0.0, 0.0], 1.0, 0.15);
    assert_on_circle(&group(&two, 1), [0.0, 0.0], 3.0, 0.15);

    let olympic = OlympicCircles::default().generate(1).unwrap();
    assert_eq!(olympic.len(), 1500);
    for (label, center) in OlympicCircles::CENTERS.into_iter().enumerate() {
        let points = group(&olympic, label);
        assert_eq!(points.len(), 300);
        assert_on_circle(&points, center, 2.0, 0.08);
    }

    let concentric = ConcentricCircles::default().generate(1).unwrap();
    assert_eq!(concentric.len(), 1000);
    for label in 0..10 {
        let points = group(&concentric, label);
        assert_eq!(points.len(), 100);
        assert_on_circle(&points, [0.0, 0.0], (label + 1) as f64, 0.1);
    }
}

#[test]
fn circles_go_all_the_way_round() {
    let set = TwoCircles { per_circle: 4000, noise: 0.0, ..TwoCircles::default() };
    let points = group(&set.generate(2).unwrap(), 1);
    let mut eighths = [0_u32; 8];
    for p in points {
        let turn = p[1].atan2(p[0]) / std::f64::consts::TAU + 0.5;
        eighths[((turn * 8.0) as usize).min(7)] += 1;
    }
    assert!(eighths.iter().all(|c| c.abs_diff(500) < 110), "{eighths:?}");
}

#[test]
fn half_circles_face_each_other_with_a_wider_blob_in_the_upper_right() {
    let set = HalfCircles::default().generate(5).unwrap();
    let [left, right, blob] = [0, 1, 2].map(|label| group(&set, label));
    assert_eq!([left.len(), right.len(), blob.len()], [250, 250, 100]);
    assert_on_circle(&left, [0.0, 0.0], 11.0, 0.5);
    assert_on_circle(&right, [-5.5, -11.0], 11.0, 0.8);
    let (x, x_sd) = mean_sd(blob.iter().map(|p| p[0]));
    let (y, y_sd) = mean_sd(blob.iter().map(|p| p[1]));
    assert!((x - 15.4).abs() < 2.0 && (y - 11.0).abs() < 2.0);
    assert!((x_sd - 4.0).abs() < 1.2 && (y_sd - 4.0).abs() < 1.2);
    // Opening right and opening left.
    let (mean_left, _) = mean_sd(left.iter().map(|p| p[0]));
    let (mean_right, _) = mean_sd(right.iter().map(|p| p[0] + 5.5));
    assert!(mean_left < -5.5 && mean_right > 5.5);
}

#[test]
fn rings_and_blob_have_the_sizes_of_the_thesis_and_do_not_touch() {
    let set = RingsAndBlob::default().generate(6).unwrap();
    let [inner, outer, blob] = [0, 1, 2].map(|label| group(&set, label));
    assert_eq!([inner.len(), outer.len(), blob.len()], [110, 330, 60]);
    assert_on_circle(&inner, [0.0, 0.0], 7.5, 0.35);
    assert_on_circle(&outer, [0.0, 0.0], 25.875, 0.7);
    assert!(radii(&blob, [34.5, 34.5]).iter().all(|&r| r < 6.0));
    let three = RingsAndBlob { rings: 3, ..RingsAndBlob::default() };
    let three = three.generate(6).unwrap();
    assert_eq!(group(&three, 2).len(), 550);
    assert_on_circle(&group(&three, 2), [0.0, 0.0], 49.593_75, 1.05);
}

#[test]
fn blobs_share_the_points_evenly_around_their_centres() {
    let set = Blobs { n: 10_001, centers: 4, dims: 3, spread: 0.5, reach: 100.0 };
    let set = set.generate(7).unwrap();
    assert_eq!(set.points().unwrap().dim(), (10_001, 3));
    for label in 0..4 {
        let points = group(&set, label);
        assert_eq!(points.len(), 2500 + usize::from(label == 0));
        for d in 0..3 {
            let (center, sd) = mean_sd(points.iter().map(|p| p[d]));
            assert!(center.abs() <= 101.0);
            assert!((sd - 0.5).abs() < 0.05, "{sd}");
        }
    }
}

#[test]
fn nested_blobs_are_groups_of_groups() {
    let params = NestedBlobs { groups: 4, subgroups: 5, ..NestedBlobs::default() };
    let set = params.generate(8).unwrap();
    let coarse = set.coarse.as_ref().unwrap();
    assert_eq!((set.len(), coarse.len()), (4 * 5 * 40, 4 * 5 * 40));
    let mut parents = BTreeMap::<usize, BTreeSet<usize>>::new();
    for (&fine, &coarse) in set.labels.iter().zip(coarse) {
        parents.entry(fine).or_default().insert(coarse);
    }
    assert_eq!(parents.len(), 20);
    assert!(parents.values().all(|p| p.len() == 1));

    let centers: Vec<[f64; 2]> = (0..20)
        .map(|label| {
            let points = group(&set, label);
            [0, 1].map(|d| mean_sd(points.iter().map(|p| p[d])).0)
        })
        .collect();
    let distance =
        |a: usize, b: usize| (centers[a][0] - centers[b][0]).hypot(centers[a][1] - centers[b][1]);
    let nearest = |together: bool| {
        let pairs = (0..20).flat_map(|a| (0..a).map(move |b| (a, b)));
        pairs
            .filter(|&(a, b)| (parents[&a] == parents[&b]) == together)
            .map(|(a, b)| distance(a, b))
            .fold(f64::INFINITY, f64::min)
    };
    // Neighbours are 6 spreads of 0.5 apart; other groups' at least three times that.
    assert!((nearest(true) - 3.0).abs() < 0.5, "{}", nearest(true));
    assert!(nearest(false) > 8.5, "{}", nearest(false));
}

#[test]
fn planted_graph_has_the_densities_asked_for() {
    let params = PlantedGraph { n: 1001, blocks: 3, p_in: 0.1, p_out: 0.02 };
    let set = params.generate(9).unwrap();
    let edges = set.edges().unwrap();
    assert!(edges.windows(2).all(|w| w[0] < w[1]), "ascending, none twice");
    assert!(edges.iter().all(|[u, v]| u < v && *v < 1001));
    let sizes = [334.0, 334.0, 333.0];
    for (label, size) in sizes.iter().enumerate() {
        assert_eq!(set.labels.iter().filter(|&&l| l == label).count() as f64, *size);
    }
    let inside_pairs: f64 = sizes.iter().map(|s| s * (s - 1.0) / 2.0).sum();
    let inside = edges.iter().filter(|[u, v]| set.labels[*u] == set.labels[*v]).count() as f64;
    let between_pairs = 1001.0 * 1000.0 / 2.0 - inside_pairs;
    let between = edges.len() as f64 - inside;
    for (found, pairs, p) in [(inside, inside_pairs, 0.1), (between, between_pairs, 0.02)] {
        let five_sd = 5.0 * (pairs * p * (1.0 - p)).sqrt();
        assert!((found - pairs * p).abs() < five_sd, "{found} is not {}", pairs * p);
    }
}

#[test]
fn planted_graph_at_certainty_is_exactly_the_blocks() {
    let params = PlantedGraph { n: 7, blocks: 2, p_in: 1.0, p_out: 0.0 };
    let set = params.generate(0).unwrap();
    let expected: Vec<[usize; 2]> = (0..7)
        .flat_map(|u| (u + 1..7).map(move |v| [u, v]))
        .filter(|[u, v]| (*u < 4) == (*v < 4))
        .collect();
    assert_eq!(set.edges().unwrap(), expected);
    let all = PlantedGraph { p_out: 1.0, ..params }.generate(0).unwrap();
    assert_eq!(all.edges().unwrap().len(), 21);
}

#[test]
fn every_possible_edge_is_as_likely() {
    let params = PlantedGraph { n: 6, blocks: 2, p_in: 0.5, p_out: 0.25 };
    let mut counts = BTreeMap::<[usize; 2], u32>::new();
    for seed in 0..4000 {
        for &edge in params.generate(seed).unwrap().edges().unwrap() {
            *counts.entry(edge).or_default() += 1;
        }
    }
    for u in 0..6 {
        for v in u + 1..6 {
            let expected = if (u < 3) == (v < 3) { 2000 } else { 1000 };
            assert!(counts[&[u, v]].abs_diff(expected) < 160, "{counts:?}");
        }
    }
}

#[test]
fn a_million_nodes_take_no_square_of_work() {
    let params = PlantedGraph { n: 1_000_000, blocks: 100_000, p_in: 0.5, p_out: 1e-6 };
    let set = params.generate(0).unwrap();
    // 100,000 blocks of 45 pairs, half of them joined, and a millionth of all others.
    let expected: f64 = 2_250_000.0 + 499_995.0;
    assert!((set.edges().unwrap().len() as f64 - expected).abs() < 10_000.0);
}
