//! The paper's tables as printed.

use crate::reproduce::Figures;

/// The methods of a table, each with its figures on every data set.
pub(super) type Printed<const SETS: usize> = [(&'static str, [Figures; SETS]); 6];

/// A table of ARI and NMI.
pub(super) fn both<const SETS: usize>(
    table: [(&'static str, [[f64; 2]; SETS]); 6],
) -> Printed<SETS> {
    table.map(|(method, row)| (method, row.map(Figures::ari_and_nmi)))
}

/// One column of table 3, which has ARI alone.
pub(super) fn table_3(column: usize) -> Printed<1> {
    TABLE_3.map(|(method, row)| (method, [Figures::ari(row[column])]))
}

/// Table 1 as printed: moons, aggregation, jain, s4.
#[rustfmt::skip]
pub(super) const TABLE_1: [(&str, [[f64; 2]; 4]); 6] = [
    ("Mean shift", [[0.878, 0.799], [0.777, 0.838], [0.464, 0.495], [0.112, 0.346]]),
    ("C-DBSCAN", [[1.000, 1.000], [0.969, 0.968], [0.958, 0.937], [0.430, 0.653]]),
    ("Constrained Spectral", [[0.207, 0.194], [0.774, 0.766], [0.995, 0.989], [0.071, 0.243]]),
    ("MPCKMeans", [[0.627, 0.542], [0.729, 0.832], [0.868, 0.785], [0.597, 0.717]]),
    ("PCKMeans", [[0.872, 0.793], [0.751, 0.854], [0.921, 0.856], [0.627, 0.732]]),
    ("CMS (ours)", [[0.996, 0.996], [0.987, 0.983], [1.000, 1.000], [0.618, 0.728]]),
];

/// Table 2 as printed: MNIST, Fashion-MNIST, GTSRB.
#[rustfmt::skip]
pub(super) const TABLE_2: [(&str, [[f64; 2]; 3]); 6] = [
    ("Mean shift", [[0.336, 0.567], [0.387, 0.572], [0.331, 0.572]]),
    ("C-DBSCAN", [[0.271, 0.561], [0.249, 0.490], [0.263, 0.532]]),
    ("Constrained Spectral", [[0.003, 0.043], [0.008, 0.057], [0.007, 0.056]]),
    ("MPCKMeans", [[0.605, 0.676], [0.418, 0.545], [0.445, 0.549]]),
    ("PCKMeans", [[0.650, 0.708], [0.407, 0.542], [0.472, 0.573]]),
    ("CMS (ours)", [[0.754, 0.783], [0.452, 0.611], [0.553, 0.654]]),
];

/// Table 3 as printed: ARI on imbalanced draws of MNIST, for every retention rate.
#[rustfmt::skip]
const TABLE_3: [(&str, [f64; 10]); 6] = [
    ("Mean shift", [0.370, 0.361, 0.439, 0.374, 0.354, 0.304, 0.373, 0.351, 0.344, 0.362]),
    ("C-DBSCAN", [0.263, 0.293, 0.323, 0.299, 0.266, 0.312, 0.294, 0.303, 0.285, 0.305]),
    ("Constrained Spectral", [0.001, 0.001, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    ("MPCKMeans", [0.542, 0.559, 0.556, 0.492, 0.575, 0.510, 0.580, 0.560, 0.585, 0.569]),
    ("PCKMeans", [0.591, 0.584, 0.609, 0.585, 0.625, 0.603, 0.649, 0.606, 0.637, 0.638]),
    ("CMS (ours)", [0.755, 0.764, 0.777, 0.734, 0.752, 0.732, 0.770, 0.756, 0.736, 0.765]),
];

/// The columns of table 3.
pub(super) const RETENTIONS: [f64; 10] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
/// Table 4 as printed, on GTSRB: which of cannot-links, constraint scaling and adaptive bandwidth are
/// on, then ARI and NMI.
pub(super) const TABLE_4: [(&str, [bool; 3], [f64; 2]); 6] = [
    ("M1", [false, false, false], [0.405, 0.596]),
    ("M2", [false, false, true], [0.000, 0.000]),
    ("M3", [true, false, false], [0.346, 0.541]),
    ("M4", [true, false, true], [0.000, 0.447]),
    ("M5", [true, true, false], [0.529, 0.645]),
    ("M6", [true, true, true], [0.574, 0.677]),
];
