use ndarray::{Array2, s};
use proptest::prelude::*;

use super::graph::pairs_within;
use super::{Bandwidth, Gram, Kernel, Profile};
use crate::Error;
use crate::numerics::neighbors::Neighbors;
use crate::numerics::rng::rng;
use crate::observe::Silent;
use crate::problem::Points;

const PROFILES: [Profile; 5] =
    [Profile::Gaussian, Profile::Rbf, Profile::Truncated, Profile::Flat, Profile::Epanechnikov];

/// Points of which some coincide and others lie on a lattice.
pub(super) fn points(n: usize, dims: usize, seed: u64) -> Points {
    let mut rng = rng(seed);
    Points::new(Array2::from_shape_fn((n, dims), |(i, _)| {
        if i % 3 == 0 { rng.below(3) as f64 } else { 2.0 * rng.normal() }
    }))
    .unwrap()
}

/// Every kind of kernel.
pub(super) fn kernels(n: usize) -> Vec<Kernel> {
    let k = (n - 1).min(4);
    let mut all = vec![
        Kernel::SelfTuning { neighbors: k },
        Kernel::Linear,
        Kernel::Polynomial { degree: 3, scale: 0.5, offset: 1.0 },
    ];
    for profile in PROFILES {
        for bandwidth in [
            Bandwidth::Fixed(1.3),
            Bandwidth::Neighbor(k),
            Bandwidth::PerPoint((0..n).map(|i| 0.5 + i as f64 / 10.0).collect()),
        ] {
            all.push(Kernel::Radial { profile, bandwidth, truncation: 0.2 });
        }
    }
    all
}

/// The value by its definition, one pair at a time.
fn by_definition(kernel: &Kernel, points: &Points) -> impl Fn(usize, usize) -> f64 {
    let widths = match kernel {
        Kernel::Radial { bandwidth, .. } => Some(bandwidth.clone()),
        Kernel::SelfTuning { neighbors } => Some(Bandwidth::Neighbor(*neighbors)),
        _ => None,
    }
    .map(|bandwidth| bandwidth.resolve(points, 0).unwrap());
    move |i, j| {
        let (a, b) = (points.row(i), points.row(j));
        let product: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
        let dist_sq: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
        let t = widths.as_ref().map(|h| dist_sq / (h.of(i) * h.of(j)));
        match (kernel, t) {
            (Kernel::Radial { profile, truncation, .. }, Some(t)) => {
                profile.weight(t, 1.0, *truncation)
            }
            (_, Some(t)) => (-t).exp(),
            (Kernel::Polynomial { degree, scale, offset }, _) => {
                (0..*degree).map(|_| scale * product + offset).product()
            }
            _ => product,
        }
    }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-13 * (1.0 + a.abs().max(b.abs()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn values_blocks_and_the_full_matrix_are_the_definition(
        n in 2usize..40, dims in 1usize..6, seed: u64,
    ) {
        let points = points(n, dims, seed);
        for kernel in kernels(n) {
            let gram = Gram::new(&kernel, &points, 0).unwrap();
            let full = gram.full().unwrap();
            let definition = by_definition(&kernel, &points);
            for i in 0..n {
                for j in 0..n {
                    let expected = definition(i, j);
                    prop_assert!(close(full[[i, j]], expected), "{kernel:?} {i} {j}");
                    prop_assert!(close(gram.value(i, j), full[[i, j]]));
                    prop_assert_eq!(full[[i, j]].to_bits(), full[[j, i]].to_bits());
                }
            }
            let (rows, columns) = (n / 3..n, n / 4..n / 2);
            let mut block = vec![0.0; rows.len() * columns.len()];
            gram.block(rows.clone(), columns.clone(), &mut block);
            let part = full.slice(s![rows, columns]);
            prop_assert_eq!(block, part.iter().copied().collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_training_points_as_new_points_give_the_full_matrix(
        n in 2usize..40, dims in 1usize..6, seed: u64,
    ) {
        let points = points(n, dims, seed);
        for kernel in kernels(n) {
            let gram = Gram::new(&kernel, &points, 0).unwrap();
            let given = matches!(&kernel, Kernel::Radial { bandwidth: Bandwidth::PerPoint(_), .. });
            match gram.cross(&points) {
                Ok(cross) => prop_assert_eq!(cross, gram.full().unwrap()),
                Err(error) => {
                    let is_bad = matches!(error, Error::BadParameter { parameter: "bandwidth", .. });
                    prop_assert!(given && is_bad, "{error}");
                }
            }
        }
    }

    #[test]
    fn weights_of_a_slice_are_the_scalar_weights(
        mut dist_sq in prop::collection::vec(0.0..50.0f64, 0..40), h in 0.1..5.0f64,
    ) {
        dist_sq.push(0.0);
        dist_sq.push(h * h);
        for profile in PROFILES {
            let mut found = dist_sq.clone();
            profile.weigh(&mut found, h, 0.2);
            for (found, &d) in found.iter().zip(&dist_sq) {
                prop_assert!((found - profile.weight(d, h, 0.2)).abs() <= 1e-15);
            }
        }
    }
}

#[test]
fn equal_points_are_alike_at_bandwidth_zero() {
    let points = Points::new(Array2::from_elem((5, 2), 3.0)).unwrap();
    for profile in PROFILES {
        let kernel = Kernel::Radial { profile, bandwidth: Bandwidth::Auto, truncation: 0.2 };
        let full = Gram::new(&kernel, &points, 0).unwrap().full().unwrap();
        assert_eq!(full, Array2::<f64>::ones((5, 5)));
    }
    let tuned = Gram::new(&Kernel::SelfTuning { neighbors: 2 }, &points, 0).unwrap();
    assert_eq!(tuned.full().unwrap(), Array2::<f64>::ones((5, 5)));
}

#[test]
fn a_matrix_too_large_is_refused_before_it_is_made() {
    let n = 23_171;
    let points = Points::new(Array2::zeros((n, 1))).unwrap();
    let gram = Gram::new(&Kernel::Linear, &points, 0).unwrap();
    assert_eq!(
        gram.full().unwrap_err().to_string(),
        "the kernel matrix would need 4295161928 bytes; visit it in blocks (Gram::map_blocks), \
         use a sparse graph of neighbours, or sample the points"
    );
}

#[test]
fn visited_blocks_are_the_full_matrix_for_any_number_of_threads() {
    let points = points(700, 3, 4);
    let kernel = Kernel::gaussian(Bandwidth::Percentile(0.1));
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let gram = Gram::new(&kernel, &points, 0).unwrap();
            let blocks = gram.map_blocks(|rows, block| (rows.start, block.to_vec()));
            (blocks, gram.full().unwrap())
        })
    };
    let (blocks, full) = run(1);
    assert_eq!((blocks.clone(), full.clone()), run(3));
    let visited: Vec<f64> = blocks.into_iter().flat_map(|(_, block)| block).collect();
    assert_eq!(visited, full.into_raw_vec_and_offset().0);
}

#[test]
fn parameters_out_of_range_are_refused() {
    let points = points(5, 2, 0);
    let radial = |profile, truncation| Kernel::Radial {
        profile,
        bandwidth: Bandwidth::Fixed(1.0),
        truncation,
    };
    let polynomial = |degree, scale, offset| Kernel::Polynomial { degree, scale, offset };
    for (kernel, name) in [
        (radial(Profile::Truncated, 0.0), "truncation"),
        (radial(Profile::Truncated, f64::NAN), "truncation"),
        (Kernel::SelfTuning { neighbors: 0 }, "neighbors"),
        (Kernel::SelfTuning { neighbors: 5 }, "bandwidth"),
        (polynomial(0, 1.0, 0.0), "degree"),
        (polynomial(2, 0.0, 0.0), "scale"),
        (polynomial(2, 1.0, -1.0), "offset"),
    ] {
        match Gram::new(&kernel, &points, 0) {
            Err(Error::BadParameter { parameter, .. }) => assert_eq!(parameter, name),
            other => panic!("{kernel:?}: {other:?}"),
        }
    }
    assert!(Gram::new(&radial(Profile::Flat, 0.0), &points, 0).is_ok());
}

#[test]
fn kernels_read_back_from_json() {
    for kernel in kernels(6) {
        let json = serde_json::to_string(&kernel).unwrap();
        assert_eq!(serde_json::from_str::<Kernel>(&json).unwrap(), kernel);
    }
}

#[test]
fn pairs_within_a_distance_are_refused_where_they_would_not_fit() {
    let points = points(20, 2, 3);
    let index = Neighbors::new(points.view());
    let all = pairs_within(&points, &index, 1e6, 56 * 190, &Silent).unwrap();
    assert_eq!(all.len(), 190);
    let refused = pairs_within(&points, &index, 1e6, 56 * 190 - 1, &Silent).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "part of the graph of points within this distance would need 10640 bytes; take a smaller \
         distance, or the nearest neighbours"
    );
}
