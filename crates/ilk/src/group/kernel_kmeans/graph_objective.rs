//! Objectives of graph clustering as weighted kernel k-means.

use ndarray::{Array2, ArrayView2};
use rayon::prelude::*;

use crate::numerics::linalg::{EXACT_TOLERANCE, top_eigen, top_eigen_of};
use crate::numerics::ragged::RaggedRows;
use crate::numerics::sparse::{Sparse, summed};
use crate::{Error, Result};

crate::choice! {
    /// The objective of graph clustering, with links(a, b) = Σ A_ij over i in a and j in b.
    ///
    /// Each but the last is Σ_c links of some matrix M within c over the mass α of c, up to a constant (Dhillon, Guan
    /// and Kulis 2007), and so weighted kernel k-means with K_ij = M_ij / (α_i α_j). The
    /// constraints are a matrix W that is added to A in M, but not in α.
    #[derive(Default)]
    pub enum Objective {
        /// The most links(c, c) / |c|: M = A + W, α = 1. On points with a kernel this is kernel k-means.
        #[default]
        RatioAssociation = "ratio_association",
        /// The least links(c, others) / |c|: M = A - D + W, α = 1.
        RatioCut = "ratio_cut",
        /// The least links(c, others) / degree(c): M = A + W, α = D.
        NormalizedCut = "normalized_cut",
        /// The least squared distances to the means less rewards (equation 3, HMRF-KMeans with penalties
        /// over cluster sizes): ratio association where A holds dot products.
        Hmrf = "hmrf",
        /// The most links(c, c) - γ degree(c)² / links(all, all): modularity with resolution γ, M = A + W, α = D.
        /// It is no weighted kernel k-means, but maximised by the same moves
        /// ([`Criterion::Modularity`](crate::group::multilevel::Criterion::Modularity)).
        Modularity = "modularity",
        /// The most likely groups of the degree-corrected block model, each with a density of its own and one density
        /// between all of them; M and α as for modularity, and the same moves.
        Likelihood = "likelihood",
    }
}

impl Objective {
    /// Whether the masses α are degrees.
    pub(crate) fn is_normalized(self) -> bool {
        matches!(self, Self::NormalizedCut | Self::Modularity | Self::Likelihood)
    }

    /// α of every node, given how many nodes each counts for and its row sum of A.
    ///
    /// # Errors
    /// [`Error::NegativeDegree`].
    fn masses(self, counts: &[f64], degrees: &[f64]) -> Result<Vec<f64>> {
        if !self.is_normalized() {
            return Ok(counts.to_vec());
        }
        if let Some(point) = degrees.iter().position(|&degree| degree < 0.0) {
            return Err(Error::NegativeDegree { point, degree: degrees[point] });
        }
        // A node without edges gets the smallest degree; constraints may still assign it.
        let positive = degrees.iter().copied().filter(|&degree| degree > 0.0);
        let least = positive.fold(f64::INFINITY, f64::min);
        let least = if least.is_finite() { least } else { 1.0 };
        Ok(degrees.iter().map(|&degree| degree.max(least)).collect())
    }

    /// What is added to the diagonal of A + W in M.
    fn diagonal_term(self, degrees: &[f64]) -> Option<Vec<f64>> {
        (self == Self::RatioCut).then(|| degrees.iter().map(|degree| -degree).collect())
    }
}

crate::choice! {
    /// How much is added to the diagonal, α_i σ for node i, to make the kernel positive definite. It adds
    /// the same to the objective of all partitions, so the best one stays the best; but the larger σ is,
    /// the fewer points move.
    #[derive(Default)]
    pub enum DiagonalShift {
        /// Nothing. Steps that would not lower the objective are not taken, whatever the kernel.
        #[default]
        Off = "off",
        /// By the Gershgorin bound of the smallest eigenvalue.
        Bound = "bound",
        /// By the smallest eigenvalue.
        Eigenvalue = "eigenvalue",
    }
}

/// Links M and masses α of an objective, and σ.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightedKernel<M> {
    /// M + σ diag(α), or, where it is dense, the kernel: that over α_i α_j.
    pub matrix: M,
    /// α.
    pub masses: Vec<f64>,
    /// The difference of the objective from that of kernel k-means.
    pub terms: ObjectiveTerms,
}

impl<M> WeightedKernel<M> {
    fn new(matrix: M, masses: Vec<f64>, shift: f64, trace: f64) -> Self {
        let n = masses.len();
        Self { matrix, masses, terms: ObjectiveTerms { n, shift, trace } }
    }
}

impl WeightedKernel<Sparse> {
    /// The same where the nodes of a set are one node: links and masses are added up, so that every partition of
    /// the sets has the value that it has as a partition of the nodes.
    pub(crate) fn contracted(&self, set_of: &[usize], n_sets: usize) -> Self {
        let rows = RaggedRows::new(n_sets, set_of.iter().enumerate().map(|(i, &set)| (set, i)));
        let matrix = Sparse::from_rows((0..n_sets).into_par_iter().map(|set| {
            let members = rows.row(set).iter();
            let entries = members.flat_map(|&i| self.matrix.entries(i));
            summed(entries.map(|(j, value)| (set_of[j] as u32, value)).collect())
        }));
        let masses = summed_over(set_of, n_sets, &self.masses);
        let shift = self.terms.shift;
        let trace = trace(matrix.diagonal().iter(), &masses) - shift * n_sets as f64;
        Self::new(matrix, masses, shift, trace)
    }
}

impl WeightedKernel<Array2<f64>> {
    /// The same where the points of a set are one point, as for a sparse matrix.
    pub(crate) fn contracted(&self, set_of: &[usize], n_sets: usize) -> Self {
        let mut links = Array2::zeros((n_sets, n_sets));
        for ((i, j), value) in self.matrix.indexed_iter() {
            links[[set_of[i], set_of[j]]] += value * self.masses[i] * self.masses[j];
        }
        let masses = summed_over(set_of, n_sets, &self.masses);
        let shift = self.terms.shift;
        let trace = trace(links.diag().iter(), &masses) - shift * n_sets as f64;
        for ((i, j), value) in links.indexed_iter_mut() {
            *value /= masses[i] * masses[j];
        }
        Self::new(links, masses, shift, trace)
    }
}

/// The sum of values over the members of every set.
fn summed_over(set_of: &[usize], n_sets: usize, values: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; n_sets];
    for (&set, value) in set_of.iter().zip(values) {
        sums[set] += value;
    }
    sums
}

/// The difference of a graph objective from that of kernel k-means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObjectiveTerms {
    n: usize,
    /// σ.
    pub shift: f64,
    /// Σ M_ii / α_i, without σ.
    trace: f64,
}

/// The kernel of an objective on dense affinities: K = α^-1 (M + σ α) α^-1.
///
/// `counts` says how many points each point counts for.
///
/// # Errors
/// [`Error::NegativeDegree`] for normalized cut, and those of the eigensolver.
pub fn weighted_kernel_dense(
    objective: Objective,
    affinity: ArrayView2<'_, f64>,
    penalties: &Sparse,
    counts: &[f64],
    shift: DiagonalShift,
) -> Result<WeightedKernel<Array2<f64>>> {
    let mut links = affinity.to_owned();
    for ((i, j), value) in links.indexed_iter_mut() {
        *value *= counts[i] * counts[j];
    }
    let degrees: Vec<f64> = links.rows().into_iter().map(|row| row.sum()).collect();
    let masses = objective.masses(counts, &degrees)?;
    for i in 0..penalties.len() {
        for (j, value) in penalties.entries(i) {
            links[[i, j]] += value;
        }
    }
    let diagonal = objective.diagonal_term(&degrees);
    for (i, value) in diagonal.iter().flatten().enumerate() {
        links[[i, i]] += value;
    }
    let trace = trace(links.diag().iter(), &masses);
    let by_roots = |sign: f64| {
        Array2::from_shape_fn(links.dim(), |(i, j)| {
            sign * links[[i, j]] / (masses[i] * masses[j]).sqrt()
        })
    };
    let shift = match shift {
        DiagonalShift::Off => 0.0,
        DiagonalShift::Bound => {
            let rows = by_roots(1.0);
            let lowest = |(i, row): (usize, ndarray::ArrayView1<'_, f64>)| {
                let others: f64 = row.iter().map(|x| x.abs()).sum::<f64>() - row[i].abs();
                row[i] - others
            };
            let rows = rows.rows().into_iter().enumerate();
            -rows.map(lowest).fold(0.0, f64::min)
        }
        DiagonalShift::Eigenvalue => {
            let top = top_eigen(by_roots(-1.0).view(), 1, EXACT_TOLERANCE)?.values;
            top.first().copied().unwrap_or(0.0).max(0.0)
        }
    };
    for ((i, j), value) in links.indexed_iter_mut() {
        if i == j {
            *value += shift * masses[i];
        }
        *value /= masses[i] * masses[j];
    }
    Ok(WeightedKernel::new(links, masses, shift, trace))
}

/// The links M + σ α and the masses α of an objective on a sparse graph, which stays sparse.
///
/// `counts` says how many nodes each node counts for.
///
/// # Errors
/// [`Error::NegativeDegree`] for normalized cut, and those of the eigensolver.
pub fn weighted_kernel_sparse(
    objective: Objective,
    affinity: &Sparse,
    penalties: &Sparse,
    counts: &[f64],
    shift: DiagonalShift,
) -> Result<WeightedKernel<Sparse>> {
    let counted = affinity.clone().map(|i, j, value| value * counts[i] * counts[j]);
    let degrees = counted.row_sums();
    let masses = objective.masses(counts, &degrees)?;
    let mut links = counted;
    if penalties.n_entries() > 0 {
        links = links.plus(penalties);
    }
    if let Some(diagonal) = objective.diagonal_term(&degrees) {
        links = links.plus_diagonal(&diagonal);
    }
    let trace = trace(links.diagonal().iter(), &masses);
    let root = |i: usize, j: usize| (masses[i] * masses[j]).sqrt();
    let shift = match shift {
        DiagonalShift::Off => 0.0,
        DiagonalShift::Bound => {
            let lowest = |i: usize| {
                let of = |(j, value): (usize, f64)| if i == j { value } else { -value.abs() };
                links.entries(i).map(|(j, value)| of((j, value / root(i, j)))).sum()
            };
            -(0..links.len()).map(lowest).fold(0.0, f64::min)
        }
        DiagonalShift::Eigenvalue => {
            let turned = links.clone().map(|i, j, value| -value / root(i, j));
            let top = top_eigen_of(links.len(), 1, EXACT_TOLERANCE, |x| turned.times(x))?.values;
            top.first().copied().unwrap_or(0.0).max(0.0)
        }
    };
    if shift > 0.0 {
        let diagonal: Vec<f64> = masses.iter().map(|mass| shift * mass).collect();
        links = links.plus_diagonal(&diagonal);
    }
    Ok(WeightedKernel::new(links, masses, shift, trace))
}

fn trace<'a>(diagonal: impl Iterator<Item = &'a f64>, masses: &[f64]) -> f64 {
    diagonal.zip(masses).map(|(value, mass)| value / mass).sum()
}

impl ObjectiveTerms {
    /// From what kernel k-means minimises to the objective of a partition into k clusters.
    pub fn value(self, objective: Objective, kmeans: f64, n_clusters: usize) -> f64 {
        let within = self.trace + (self.n as f64 - n_clusters as f64) * self.shift - kmeans;
        self.from_association(objective, within, n_clusters)
    }

    /// From Σ_c z'Mz / mass(c) to the objective of a partition into k clusters, which is to be small:
    /// cuts as defined by [`Objective`], the negative ratio association, and for HMRF squared distances
    /// less rewards. Of modularity, negative too, `within` is the modularity itself.
    pub fn from_association(self, objective: Objective, within: f64, n_clusters: usize) -> f64 {
        match objective {
            Objective::NormalizedCut => n_clusters as f64 - within,
            Objective::Hmrf => self.trace - within,
            _ => -within,
        }
    }
}
