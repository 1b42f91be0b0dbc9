//! Outputs of the released program.

use ilk::group::constrained_mean_shift::{CmsKernel, Schedule};
use ilk::method::{AnyMethod, Cms, CmsMode, Method};
use ilk::observe::Silent;
use ilk::problem::{Constraints, Points, Problem};
use ndarray::{Array1, Array2};
use ndarray_npy::NpzReader;

use super::plain;
use crate::shared::shared;

/// A recorded run: its settings, and what came out.
struct Golden {
    params: Cms,
    points: Points,
    constraints: Constraints,
    labels: Vec<usize>,
    modes: Array2<f64>,
    bandwidths: Vec<f64>,
    /// (iterations done, centres)
    snapshots: Vec<(usize, Array2<f64>)>,
}

fn read(name: &str, params: Cms) -> Option<Golden> {
    let file = std::fs::File::open(shared(&format!("golden/cms/{name}.npz"))?).unwrap();
    let mut npz = NpzReader::new(file).unwrap();
    let x: Array2<f64> = npz.by_name("X").unwrap();
    let mut constraints = Constraints::new(x.nrows());
    let cannot: Array2<i64> = npz.by_name("cl").unwrap();
    let must: Array2<i64> = npz.by_name("ml").unwrap();
    let ends = |row: ndarray::ArrayView1<'_, i64>| [0, 1].map(|k| row[k].try_into().unwrap());
    for row in cannot.rows() {
        let [a, b]: [usize; 2] = ends(row);
        constraints.cannot_link(a, b).unwrap();
    }
    for row in must.rows() {
        let [a, b]: [usize; 2] = ends(row);
        constraints.must_link(a, b).unwrap();
    }
    let labels: Array1<i32> = npz.by_name("labels").unwrap();
    let modes: Array2<f32> = npz.by_name("modes").unwrap();
    let bandwidths: Array1<f32> = npz.by_name("bandwidth_history").unwrap();
    let snapshots = [1, 2, 5, 10, 20, 40, 60, 80].into_iter().filter_map(|at| {
        let centers: Array2<f32> = npz.by_name(&format!("modes_iter{at}")).ok()?;
        Some((at, centers.mapv(f64::from)))
    });
    let snapshots: Vec<_> = snapshots.collect();
    assert!(snapshots.len() >= 3, "{name}: snapshots were recorded");
    Some(Golden {
        params,
        points: Points::new(x).unwrap(),
        constraints,
        labels: labels.iter().map(|&l| l.try_into().unwrap()).collect(),
        modes: modes.mapv(f64::from),
        bandwidths: bandwidths.iter().map(|&h| f64::from(h)).collect(),
        snapshots,
    })
}

fn cases() -> Vec<(&'static str, Cms)> {
    let paper = Cms { mode: CmsMode::Paper, ..Cms::default() };
    vec![
        (
            "c1_moons200_nonblur_trunc0.2_l0.5",
            Cms {
                max_iter: 100,
                history: 100,
                merge_kernel: 0.995,
                merge_weight: 0.0,
                ..paper.clone()
            },
        ),
        (
            "c3_jain373_nonblur_ball_l0.5",
            Cms {
                max_iter: 80,
                history: 80,
                kernel: CmsKernel::Ball,
                merge_kernel: 0.95,
                ..paper.clone()
            },
        ),
        (
            "c5_blobs100_d5_nonblur_rbf1e-30_l1.0_fixedh",
            Cms {
                max_iter: 200,
                history: 200,
                bandwidth: Schedule::Fixed(0.35),
                truncation: 1e-30,
                constraint_scale: 1.0,
                merge_kernel: 0.95,
                ..paper
            },
        ),
    ]
}

fn all() -> Vec<(&'static str, Golden)> {
    cases().into_iter().filter_map(|(name, params)| Some((name, read(name, params)?))).collect()
}

fn worst(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    (a - b).mapv(f64::abs).into_iter().fold(0.0, f64::max)
}

#[test]
fn labels_modes_bandwidths_and_every_snapshot_are_those_of_the_released_program() {
    for (name, golden) in all() {
        let problem = Problem::new(golden.points, golden.constraints).unwrap();
        let fit = AnyMethod::Cms(golden.params).fit(&problem, &Silent).unwrap();
        let found = fit.clustering;
        assert_eq!(found.iterations, golden.bandwidths.len(), "{name}");
        for (step, h) in found.trace.iter().zip(&golden.bandwidths) {
            assert!((step.bandwidth.unwrap() - h).abs() < 1e-6, "{name}");
        }
        for (at, expected) in &golden.snapshots {
            let snapshot = &found.history[at - 1];
            assert_eq!(snapshot.iteration, *at);
            let off = worst(&snapshot.centers, expected);
            assert!(off < 1e-4, "{name}: off by {off} after {at} iterations");
        }
        let off = worst(found.final_positions.as_ref().unwrap(), &golden.modes);
        assert!(off < 1e-4, "{name}: modes are off by {off}");
        let labels: Vec<usize> = found.labels.iter().map(|label| label.unwrap()).collect();
        assert_eq!(plain::numbered(&labels), plain::numbered(&golden.labels), "{name}");
    }
}

#[test]
fn the_plain_loop_does_what_the_released_program_does() {
    for (name, golden) in all() {
        let rows = golden.points.as_slice();
        let pairs = plain::closure_pairs(&golden.constraints);
        let found = plain::shift(
            rows,
            golden.points.dims(),
            &pairs,
            &plain::settings(&golden.params, &golden.points),
        );
        assert_eq!(found.bandwidths.len(), golden.bandwidths.len(), "{name}");
        let modes: Vec<f64> = golden.modes.iter().copied().collect();
        let off = plain::worst(&found.centers, &modes);
        assert!(off < 1e-4, "{name}: modes are off by {off}");
        assert_eq!(plain::numbered(&found.labels), plain::numbered(&golden.labels), "{name}");
    }
}
