//! What may be a member of the consensus, the likeliest to be good first.

use crate::embed::SpectralEmbedding;
use crate::group::kmeans::KMeans;
use crate::group::mixture::GaussianMixture;
use crate::group::{GroupingAlgorithm, Label};
use crate::method::{
    AnyMethod, E2cp, KernelKMeans, Method, Mssc, ObjectiveChoice, SearchEffort, SpectralClustering,
    SpectralLearning, SsKernelKMeans,
};
use crate::observe::{Observer, Unreported, ask};
use crate::outcome::AnyModel;
use crate::parameter::AutoOr;
use crate::problem::{ConstraintKind, Constraints, Input, Problem};
use crate::refine::Refinement;
use crate::select::learned_space::LearnedSpace;
use crate::similarity::KernelName;
use crate::supervise::kernel_learning::{Gamma, KernelLearning, Rank, Sigma};
use crate::supervise::targets::sigma_grid;
use crate::{Error, Result};

/// Starts of k-means in a learned space.
const STARTS: usize = 3;

/// A method with all its settings but the number of clusters.
#[derive(Debug, Clone)]
pub(super) enum Recipe {
    /// k-means in the space of a kernel that is learned in this way.
    LearnedSpace(KernelLearning),
    /// A method that groups by constraints.
    Supervised(AnyMethod),
    /// A method that is given none.
    Unsupervised(AnyMethod),
}

/// What a recipe came to at a number of clusters.
#[derive(Debug, Clone)]
pub(super) struct MemberFit {
    /// The position of the number of clusters among those that were asked for.
    pub(super) at: usize,
    pub(super) labels: Vec<Label>,
    /// The model; none where it was not asked for.
    pub(super) model: Option<AnyModel>,
}

/// The recipes for a problem, in rounds: what is in the first is needed.
pub(super) fn rounds(problem: &Problem, seed: u64) -> Result<Vec<Vec<Recipe>>> {
    let has_constraints = !problem.constraints().is_empty();
    let mut rounds = vec![unsupervised(problem, seed)];
    if !has_constraints {
        return Ok(rounds);
    }
    let e2cp = |n_neighbors: usize| {
        let base = E2cp { refine: Refinement::Off, seed, n_neighbors, ..E2cp::default() };
        Recipe::Supervised(base.into())
    };
    let ss_kernel_kmeans = |objective: ObjectiveChoice| {
        Recipe::Supervised(AnyMethod::from(SsKernelKMeans {
            objective,
            refine: Refinement::Off,
            search: SearchEffort::Near,
            seed,
            ..SsKernelKMeans::default()
        }))
    };
    if matches!(problem.input(), Input::Graph(_)) {
        let spectral = SpectralLearning { refine: Refinement::Off, seed, ..Default::default() };
        rounds[0].extend([
            ss_kernel_kmeans(ObjectiveChoice::NormalizedCut),
            e2cp(10),
            Recipe::Supervised(spectral.into()),
            ss_kernel_kmeans(ObjectiveChoice::RatioAssociation),
        ]);
        return Ok(rounds);
    }
    let widths = widths(problem.input(), seed)?;
    for (round, gamma) in [Gamma::DEFAULT, 1.0, 100.0].into_iter().enumerate() {
        let mut of_round = Vec::new();
        for rank in [Rank::Exact, Rank::Trace(0.9)] {
            for &sigma in &widths {
                of_round.push(Recipe::LearnedSpace(KernelLearning {
                    kernel: match problem.input() {
                        Input::Points(_) => KernelName::Gaussian,
                        _ => KernelName::Precomputed,
                    },
                    sigma,
                    gamma: Gamma::Fixed(gamma),
                    rank,
                    seed,
                    ..KernelLearning::default()
                }));
            }
        }
        of_round.push(e2cp([10, 20, 5][round]));
        match round {
            0 => rounds[0].append(&mut of_round),
            _ => rounds.push(of_round),
        }
    }
    if let (Input::Points(points), Some(last)) = (problem.input(), rounds.last_mut()) {
        let grid = sigma_grid(points, seed)?;
        for at in [0, grid.len() / 3] {
            last.push(Recipe::Supervised(AnyMethod::from(SsKernelKMeans {
                sigma: AutoOr::Fixed(grid[at]),
                refine: Refinement::Off,
                search: SearchEffort::Near,
                seed,
                ..SsKernelKMeans::default()
            })));
        }
    } else {
        rounds[0].push(ss_kernel_kmeans(ObjectiveChoice::Auto));
    }
    Ok(rounds)
}

/// Widths of Gaussian kernels, small and large among the distances of the points.
fn widths(input: &Input, seed: u64) -> Result<Vec<Sigma>> {
    let Input::Points(points) = input else { return Ok(vec![Sigma::Auto]) };
    let grid = sigma_grid(points, seed)?;
    let mut widths: Vec<f64> =
        [1, 3, 0, 7].into_iter().filter_map(|at| grid.get(at).copied()).collect();
    if widths.is_empty() {
        widths.push(grid[0]);
    }
    Ok(widths.into_iter().map(Sigma::Fixed).collect())
}

/// Methods that are given no constraints.
fn unsupervised(problem: &Problem, seed: u64) -> Vec<Recipe> {
    let spectral = SpectralClustering {
        embedding: SpectralEmbedding::Laplacian,
        seed,
        ..SpectralClustering::default()
    };
    let methods: Vec<AnyMethod> = match problem.input() {
        Input::Points(_) => vec![
            KMeans { seed, ..KMeans::default() }.into(),
            GaussianMixture { seed, ..GaussianMixture::default() }.into(),
            spectral.into(),
            Mssc { seed, ..Mssc::default() }.into(),
        ],
        Input::Kernel(_) => vec![
            KernelKMeans { seed, ..KernelKMeans::default() }.into(),
            spectral.into(),
            SsKernelKMeans { seed, ..SsKernelKMeans::default() }.into(),
        ],
        Input::Graph(_) => vec![
            SsKernelKMeans { seed, ..SsKernelKMeans::default() }.into(),
            spectral.into(),
            E2cp { seed, ..E2cp::default() }.into(),
        ],
    };
    methods.into_iter().map(Recipe::Unsupervised).collect()
}

impl Recipe {
    pub(super) fn is_supervised(&self) -> bool {
        !matches!(self, Self::Unsupervised(_))
    }

    /// Whether it takes so little time that it is always tried to the end: a consensus needs some members.
    pub(super) fn is_quick(&self) -> bool {
        matches!(self, Self::Unsupervised(method) if !matches!(method, AnyMethod::Mssc(_)))
    }

    /// Finds groups at each of these numbers of clusters. A recipe that cannot be run on the problem finds none. The observer
    /// is asked whether to cancel.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(super) fn fit(
        &self,
        problem: &Problem,
        ks: &[usize],
        with_models: bool,
        observer: &dyn Observer,
    ) -> Result<Vec<MemberFit>> {
        let asked = (with_models, &Unreported(observer));
        let found = match self {
            Self::LearnedSpace(learning) => in_learned_space(learning, problem, ks, asked),
            Self::Supervised(method) => {
                let constraints = pairs_and_labels(problem.constraints())?;
                at_each(method, &problem.with_constraints(constraints)?, ks, asked)
            }
            Self::Unsupervised(method) => {
                let none = problem.with_constraints(Constraints::new(problem.len()))?;
                at_each(method, &none, ks, asked)
            }
        };
        match found {
            Err(error @ Error::Cancelled { .. }) => Err(error),
            found => Ok(found.unwrap_or_default()),
        }
    }

    /// The name of the method that does the same alone, and its settings.
    pub(super) fn describe(&self) -> (&'static str, Vec<(String, String)>) {
        match self {
            Self::LearnedSpace(learning) => {
                let mut settings = vec![
                    ("gamma".to_owned(), learning.gamma.to_string()),
                    ("rank".to_owned(), learning.rank.to_string()),
                ];
                if matches!(learning.sigma, Sigma::Fixed(_)) {
                    settings.insert(0, ("sigma".to_owned(), learning.sigma.to_string()));
                }
                ("skkm", settings)
            }
            Self::Supervised(method) | Self::Unsupervised(method) => {
                let mut settings = Vec::new();
                match method {
                    AnyMethod::E2cp(e2cp) => {
                        settings.push(("n_neighbors".to_owned(), e2cp.n_neighbors.to_string()));
                    }
                    AnyMethod::SsKernelKMeans(kmeans) => {
                        if let AutoOr::Fixed(sigma) = kmeans.sigma {
                            settings.push(("sigma".to_owned(), sigma.to_string()));
                        }
                        settings.push(("objective".to_owned(), kmeans.objective.to_string()));
                    }
                    AnyMethod::SpectralClustering(spectral) => {
                        settings.push(("embedding".to_owned(), spectral.embedding.to_string()));
                    }
                    _ => {}
                }
                (method.info().name, settings)
            }
        }
    }
}

/// k-means in one learned space, for every number of clusters.
fn in_learned_space(
    learning: &KernelLearning,
    problem: &Problem,
    ks: &[usize],
    (with_models, observer): (bool, &Unreported<'_>),
) -> Result<Vec<MemberFit>> {
    ask(observer)?;
    let space = LearnedSpace::new(learning, problem, observer)?;
    ask(observer)?;
    let Input::Points(features) = space.problem.input() else { return Ok(Vec::new()) };
    let fit = |(at, &k): (usize, &usize)| {
        let kmeans = KMeans {
            n_clusters: k.into(),
            n_init: STARTS,
            seed: learning.seed,
            ..KMeans::default()
        };
        let (grouping, means) = kmeans.group(features.view(), observer)?;
        let model = with_models.then(|| space.features.clone().model(AnyModel::KMeans(means)));
        Ok(MemberFit { at, labels: grouping.labels, model })
    };
    ks.iter().enumerate().map(fit).collect()
}

/// A method at every number of clusters.
fn at_each(
    method: &AnyMethod,
    problem: &Problem,
    ks: &[usize],
    (with_models, observer): (bool, &Unreported<'_>),
) -> Result<Vec<MemberFit>> {
    let fit = |(at, &k): (usize, &usize)| {
        let fit = with_clusters(method, k).fit(problem, observer)?;
        let model = with_models.then_some(fit.model);
        Ok(MemberFit { at, labels: fit.clustering.labels, model })
    };
    ks.iter().enumerate().map(fit).collect()
}

/// The method with this number of clusters, where it takes one.
fn with_clusters(method: &AnyMethod, n_clusters: usize) -> AnyMethod {
    let mut method = method.clone();
    match &mut method {
        AnyMethod::KMeans(params) => params.n_clusters = n_clusters.into(),
        AnyMethod::GaussianMixture(params) => params.n_clusters = n_clusters.into(),
        AnyMethod::KernelKMeans(params) => params.n_clusters = n_clusters.into(),
        AnyMethod::SpectralClustering(params) => params.n_clusters = n_clusters.into(),
        AnyMethod::Mssc(params) => params.n_clusters = n_clusters.into(),
        AnyMethod::E2cp(params) => params.n_clusters = n_clusters.into(),
        AnyMethod::SpectralLearning(params) => params.n_clusters = n_clusters.into(),
        AnyMethod::SsKernelKMeans(params) => params.n_clusters = n_clusters.into(),
        _ => {}
    }
    method
}

/// The constraints without comparisons.
fn pairs_and_labels(constraints: &Constraints) -> Result<Constraints> {
    let n_comparisons: usize = constraints.triplets().iter().map(|(_, list)| list.len()).sum();
    if n_comparisons == 0 {
        return Ok(constraints.clone());
    }
    let mut kept = Constraints::new(constraints.n());
    for (pair, kind) in constraints.pairs() {
        kept.add(kind, &pair.points, pair.weight, pair.source.as_deref())?;
    }
    for labelled in constraints.labels() {
        let name = &constraints.label_names()[labelled.label];
        kept.add_label(labelled.point, name, labelled.weight, labelled.source.as_deref())?;
    }
    Ok(kept)
}

/// The constraints with every comparison as the pairs that it makes likelier: the two that are near as a must-link, the
/// far one as cannot-links. Members are judged by these; none learns from them.
pub(super) fn with_comparisons_as_pairs(constraints: &Constraints) -> Result<Constraints> {
    let mut judged = pairs_and_labels(constraints)?;
    for triplet in constraints.odd_one_outs() {
        let [a, b, odd] = triplet.points;
        judged.add(ConstraintKind::MustLink, &[a, b], triplet.weight, None)?;
        judged.add(ConstraintKind::CannotLink, &[a, odd], triplet.weight, None)?;
        judged.add(ConstraintKind::CannotLink, &[b, odd], triplet.weight, None)?;
    }
    for triplet in constraints.closers() {
        let [anchor, near, far] = triplet.points;
        judged.add(ConstraintKind::MustLink, &[anchor, near], triplet.weight, None)?;
        judged.add(ConstraintKind::CannotLink, &[anchor, far], triplet.weight, None)?;
    }
    Ok(judged)
}
