//! Optima that two independent solvers agreed on.

use ilk::observe::{Silent, StopReason};
use ilk::problem::Constraints;
use ilk::supervise::logdet::{
    DistanceConstraint, DistanceConstraints, InitialGram, LogDet, Projection, Slack, Solution,
    Targets,
};
use ndarray::{Array1, Array2, s};
use ndarray_npy::NpzReader;

use crate::shared::shared;

const TARGETS: Targets = Targets { must: 0.05, cannot: 1.95 };

type Npz = NpzReader<std::fs::File>;

fn open(name: &str) -> Option<Npz> {
    let path = shared(&format!("golden/logdet/{name}.npz"))?;
    Some(NpzReader::new(std::fs::File::open(path).unwrap()).unwrap())
}

fn number(npz: &mut Npz, name: &str) -> f64 {
    let value: ndarray::Array0<f64> = npz.by_name(name).unwrap();
    value.into_scalar()
}

fn matrix(npz: &mut Npz, name: &str) -> Array2<f64> {
    npz.by_name(name).unwrap()
}

fn vector(npz: &mut Npz, name: &str) -> Array1<f64> {
    npz.by_name(name).unwrap()
}

/// The learned kernel on all points, from the solution on the constrained ones.
fn extended(k: &Array2<f64>, points: &[usize], found: &Solution) -> Array2<f64> {
    let columns = k.select(ndarray::Axis(1), points);
    k + &columns.dot(&found.correction).dot(&columns.t())
}

fn worst(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    (a - b).mapv(f64::abs).into_iter().fold(0.0, f64::max)
}

fn worst_dual(found: &[f64], expected: &Array1<f64>) -> f64 {
    found.iter().zip(expected).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// Rows over the points that occur, from rows over all points.
fn terms(rows: Vec<DistanceConstraint>) -> DistanceConstraints {
    let mut points: Vec<usize> = rows
        .iter()
        .flat_map(|row| match *row {
            DistanceConstraint::Pair { a, b, .. } => vec![a, b],
            DistanceConstraint::Comparison { i, j, k, .. } => vec![i, j, k],
        })
        .collect();
    points.sort_unstable();
    points.dedup();
    let place = |point: usize| points.iter().position(|&p| p == point).unwrap();
    let rows = rows
        .into_iter()
        .map(|row| match row {
            DistanceConstraint::Pair { a, b, sign, target, weight } => {
                DistanceConstraint::Pair { a: place(a), b: place(b), sign, target, weight }
            }
            DistanceConstraint::Comparison { i, j, k, ratio, is_equality, weight } => {
                DistanceConstraint::Comparison {
                    i: place(i),
                    j: place(j),
                    k: place(k),
                    ratio,
                    is_equality,
                    weight,
                }
            }
        })
        .collect();
    DistanceConstraints::from_rows(points, rows)
}

fn gaussian(x: &Array2<f64>, y: &Array2<f64>, sigma: f64) -> Array2<f64> {
    Array2::from_shape_fn((x.nrows(), y.nrows()), |(i, j)| {
        let difference = &x.row(i) - &y.row(j);
        (-difference.dot(&difference) / (2.0 * sigma * sigma)).exp()
    })
}

fn pair_terms(npz: &mut Npz) -> DistanceConstraints {
    let pairs: Array2<i64> = npz.by_name("pairs").unwrap();
    let (signs, targets) = (vector(npz, "delta"), vector(npz, "xi0"));
    let rows = pairs.rows().into_iter().zip(signs.iter().zip(&targets));
    let rows = rows.map(|(pair, (&sign, &target))| DistanceConstraint::Pair {
        a: pair[0] as usize,
        b: pair[1] as usize,
        sign,
        target,
        weight: 1.0,
    });
    terms(rows.collect())
}

fn comparison_terms(rows: &Array2<f64>) -> DistanceConstraints {
    let rows = rows.rows().into_iter().map(|row| DistanceConstraint::Comparison {
        i: row[0] as usize,
        j: row[1] as usize,
        k: row[3] as usize,
        ratio: row[4],
        is_equality: row[5] == 1.0,
        weight: 1.0,
    });
    terms(rows.collect())
}

fn solve(params: &LogDet, k: &Array2<f64>, terms: &DistanceConstraints) -> Solution {
    let gram = k.select(ndarray::Axis(0), terms.points()).select(ndarray::Axis(1), terms.points());
    params.solve(InitialGram::Gram(gram.view()), terms, None, &Silent).unwrap()
}

#[test]
fn pairs_with_and_without_slack_reach_the_recorded_optimum_on_old_and_new_points() {
    for name in ["pairs_soft_g1_n12", "pairs_hard_n16"] {
        let Some(mut npz) = open(name) else { return };
        let terms = pair_terms(&mut npz);
        let k = matrix(&mut npz, "K0");
        let params = LogDet { gamma: number(&mut npz, "gamma"), tol: 1e-20, ..LogDet::default() };
        let found = solve(&params, &k, &terms);
        assert_eq!(found.stop, StopReason::Converged, "{name}");
        let learned = extended(&k, terms.points(), &found);
        let off = worst(&learned, &matrix(&mut npz, "K"));
        assert!(off < 1e-9, "{name}: off by {off} {} {}", found.gap, found.sweeps);
        assert!(worst_dual(&found.duals, &vector(&mut npz, "lam")) < 1e-7, "{name}");
        assert!((found.primal - number(&mut npz, "primal")).abs() < 1e-10, "{name}");
        assert!(found.gap.abs() < 1e-10, "{name}");

        let (x, new) = (matrix(&mut npz, "X"), matrix(&mut npz, "X_new"));
        let sigma = number(&mut npz, "sigma");
        let all = ndarray::concatenate![ndarray::Axis(0), x, new];
        let learned = extended(&gaussian(&all, &all, sigma), terms.points(), &found);
        let on_new = learned.slice(s![x.nrows().., x.nrows()..]).to_owned();
        assert!(worst(&on_new, &matrix(&mut npz, "K_new")) < 1e-9, "{name}");
    }
}

#[test]
fn comparisons_with_and_without_slack_reach_the_recorded_optimum() {
    for (name, slack) in [("rel_l1_C1_eq_n16", Slack::L1), ("rel_hard_n12", Slack::None)] {
        let Some(mut npz) = open(name) else { return };
        let terms = comparison_terms(&matrix(&mut npz, "rows"));
        let k = matrix(&mut npz, "K0");
        let params = LogDet { slack, tol: 1e-20, ..LogDet::default() };
        let found = solve(&params, &k, &terms);
        assert_eq!(found.stop, StopReason::Converged, "{name}");
        let learned = extended(&k, terms.points(), &found);
        let off = worst(&learned, &matrix(&mut npz, "K"));
        assert!(off < 1e-6, "{name}: off by {off}");
        assert!(worst_dual(&found.duals, &vector(&mut npz, "lam")) < 1e-5, "{name}");
        let off = (found.primal - number(&mut npz, "objective")).abs();
        assert!(off < 1e-8, "{name}: off by {off}");
    }
}

#[test]
fn the_papers_procedure_for_comparisons_ends_where_it_was_recorded_to_end() {
    let name = "rel_simple_feasible_n12";
    let Some(mut npz) = open(name) else { return };
    let triples: Array2<i64> = npz.by_name("triples").unwrap();
    let k = matrix(&mut npz, "K0");
    let mut constraints = Constraints::new(k.nrows());
    for triple in triples.rows() {
        let [a, b, odd] = [0, 1, 2].map(|at| triple[at] as usize);
        constraints.odd_one_out(a, b, odd).unwrap();
    }
    let terms = DistanceConstraints::new(&constraints, TARGETS, number(&mut npz, "rho"));
    let params = LogDet {
        projection: Projection::Paper,
        tol: number(&mut npz, "sat_tol"),
        ..LogDet::default()
    };
    let found = solve(&params, &k, &terms);
    assert_eq!(found.stop, StopReason::Converged);
    let learned = extended(&k, terms.points(), &found);
    let off = worst(&learned, &matrix(&mut npz, "K"));
    assert!(off < 1e-9, "off by {off}");
    assert!(worst_dual(&found.duals, &vector(&mut npz, "lam")) < 1e-7);
    let divergence = number(&mut npz, "logdet");
    assert!((divergence_of(&found) - divergence).abs() < 1e-8);
}

/// log det(I + C0 A) - tr(C A).
fn divergence_of(found: &Solution) -> f64 {
    // Without slack the value of the dual is log det(I + C0 A).
    found.dual - (&found.gram * &found.precision).sum()
}

#[test]
fn the_papers_procedure_ends_above_the_optimum_and_depends_on_the_order() {
    let name = "rel_hard_n12";
    let Some(mut npz) = open(name) else { return };
    let rows = matrix(&mut npz, "rows");
    let k = matrix(&mut npz, "K0");
    let optimum = number(&mut npz, "objective");
    let paper = LogDet { projection: Projection::Paper, tol: 1e-10, ..LogDet::default() };
    let reversed = rows.slice(s![..;-1, ..]).to_owned();
    let ends = [&rows, &reversed].map(|rows| {
        let found = solve(&paper, &k, &comparison_terms(rows));
        assert_eq!(found.stop, StopReason::Converged);
        assert!(found.violation < 1e-9);
        divergence_of(&found)
    });
    println!(
        "{name}: the optimum has divergence {optimum:.4}; the paper's procedure ends at {:.4} in \
         the given order and at {:.4} in the reverse",
        ends[0], ends[1]
    );
    assert!(ends.iter().all(|end| end - optimum > 1e-3));
    assert!((ends[0] - ends[1]).abs() > 1e-3);
}

#[test]
fn the_papers_rule_for_pairs_stops_short_of_the_optimum() {
    let name = "pairs_soft_g1_n12";
    let Some(mut npz) = open(name) else { return };
    let terms = pair_terms(&mut npz);
    let k = matrix(&mut npz, "K0");
    let params = LogDet {
        gamma: number(&mut npz, "gamma"),
        projection: Projection::Paper,
        ..LogDet::default()
    };
    let found = solve(&params, &k, &terms);
    assert_eq!(found.stop, StopReason::Converged);
    let recorded: ndarray::Array0<i64> = npz.by_name("sweeps").unwrap();
    assert!(found.sweeps < usize::try_from(recorded.into_scalar()).unwrap());
    let learned = extended(&k, terms.points(), &found);
    let off = worst(&learned, &matrix(&mut npz, "K"));
    assert!(off > 1e-7 && off < 0.05, "off by {off}");
}
