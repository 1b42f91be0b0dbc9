//! Named recipes over the stations, and what each of them can do.
//!
//! [`Method`] is the one way in for the doors (shell, Python): it is made from a name and
//! parameters, says as data what it takes ([`MethodInfo`]), and fits a [`Problem`].

mod affinity;
mod choose;
mod cluster_count;
mod cms;
mod distinct;
mod e2cp;
mod embedding;
mod heard;
mod hmrf_kmeans;
mod info;
mod kernel_kmeans;
mod kmeans;
mod learned_groups;
mod learning;
mod mean_shift;
mod mixture;
mod mssc;
mod sample;
mod settling;
mod sklr;
mod skms;
mod spectral;
mod spectral_learning;
mod ss_kernel_kmeans;
mod width;

pub use affinity::AffinityName;
pub use cluster_count::ClusterCount;
pub use cms::{Cms, CmsMode};
pub use e2cp::E2cp;
pub use embedding::{
    Eigenmaps, Embedded, Embedding, EmbeddingMap, Keca, KernelPca, KernelSpectrum,
};
pub use info::MethodInfo;
pub use kernel_kmeans::{KernelKMeans, KernelWidth};
pub use learned_groups::LearnedGrouping;
use learned_groups::cannot;
pub use mssc::{FirstStage, Mssc, RowDistance, Sweep};
pub use settling::Settling;
pub use sklr::{Ksc, Skkm, Sklr};
pub use skms::{NeighborCount, Skms};
pub use spectral::{SpectralClustering, SpectralEmbedding};
pub use spectral_learning::SpectralLearning;
pub use ss_kernel_kmeans::{Levels, Search, SsKernelKMeans};

use serde::{Deserialize, Serialize};

use crate::group::hmrf_kmeans::HmrfKMeans;
use crate::group::kmeans::KMeans;
use crate::group::mean_shift::MeanShift;
use crate::group::mixture::GaussianMixture;
use crate::observe::Observer;
use crate::outcome::{Fit, Model};
use crate::parameter::{ParameterInfo, Range};
use crate::problem::{ConstraintKind, Input, InputKind, Problem};
use crate::{Error, Result};

/// The parameter that seeds everything random.
const SEED: ParameterInfo = ParameterInfo {
    name: "seed",
    doc: "Seed of everything random.",
    range: Range::Integer {
        min: 0,
        max: u64::MAX,
    },
    default: "0",
};

/// A method with its parameters. As JSON: `{"method": "mean-shift", "params": {...}}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", content = "params", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Method {
    /// Mean shift: points climb to the modes of their density.
    MeanShift(MeanShift),
    /// Constrained mean shift: cannot-links keep centres apart while they climb.
    Cms(Cms),
    /// Semi-supervised kernel mean shift: a kernel is learned, then points climb in its space.
    Skms(Skms),
    /// Kernel learning from comparisons, then kernel k-means.
    Sklr(Sklr),
    /// A learned kernel, then kernel k-means.
    Skkm(Skkm),
    /// A learned kernel, then spectral clustering.
    Ksc(Ksc),
    /// Kernel k-means: points go to the nearest mean in the space of a kernel.
    #[serde(rename = "kernel-kmeans")]
    KernelKMeans(KernelKMeans),
    /// Semi-supervised kernel k-means: answers are added to a kernel or a graph.
    #[serde(rename = "ss-kernel-kmeans")]
    SsKernelKMeans(SsKernelKMeans),
    /// Pairs carried over a graph of neighbours, then spectral clustering.
    #[serde(rename = "e2cp")]
    E2cp(E2cp),
    /// Spectral clustering: by the axes of a kernel, or by the Laplacian of a graph.
    Spectral(SpectralClustering),
    /// Affinities edited to pairs, then spectral clustering.
    SpectralLearning(SpectralLearning),
    /// Mean shift into partitions, then spectral clustering of these.
    Mssc(Mssc),
    /// k-means in which broken pairs cost.
    #[serde(rename = "hmrf-kmeans")]
    HmrfKMeans(HmrfKMeans),
    /// k-means: points go to the nearest of k centres.
    #[serde(rename = "kmeans")]
    KMeans(KMeans),
    /// A Gaussian mixture: points belong to the likeliest of k normal distributions.
    GaussianMixture(GaussianMixture),
}

impl Method {
    /// What there is.
    pub const ALL: &'static [&'static MethodInfo] = &[
        &mean_shift::INFO,
        &cms::INFO,
        &skms::INFO,
        &sklr::SKLR,
        &sklr::SKKM,
        &sklr::KSC,
        &kernel_kmeans::INFO,
        &ss_kernel_kmeans::INFO,
        &e2cp::INFO,
        &spectral::INFO,
        &spectral_learning::INFO,
        &mssc::INFO,
        &hmrf_kmeans::INFO,
        &kmeans::INFO,
        &mixture::INFO,
    ];

    /// The method of this name with its default parameters.
    pub fn named(name: &str) -> Result<Self> {
        match name {
            "mean-shift" => Ok(Self::MeanShift(MeanShift::default())),
            "cms" => Ok(Self::Cms(Cms::default())),
            "skms" => Ok(Self::Skms(Skms::default())),
            "sklr" => Ok(Self::Sklr(Sklr::default())),
            "skkm" => Ok(Self::Skkm(Skkm::default())),
            "ksc" => Ok(Self::Ksc(Ksc::default())),
            "kernel-kmeans" => Ok(Self::KernelKMeans(KernelKMeans::default())),
            "ss-kernel-kmeans" => Ok(Self::SsKernelKMeans(SsKernelKMeans::default())),
            "e2cp" => Ok(Self::E2cp(E2cp::default())),
            "spectral" => Ok(Self::Spectral(SpectralClustering::default())),
            "spectral-learning" => Ok(Self::SpectralLearning(SpectralLearning::default())),
            "mssc" => Ok(Self::Mssc(Mssc::default())),
            "hmrf-kmeans" => Ok(Self::HmrfKMeans(HmrfKMeans::default())),
            "kmeans" => Ok(Self::KMeans(KMeans::default())),
            "gaussian-mixture" => Ok(Self::GaussianMixture(GaussianMixture::default())),
            _ => Err(Error::UnknownMethod {
                name: name.to_owned(),
                known: Self::ALL
                    .iter()
                    .map(|info| info.name)
                    .collect::<Vec<_>>()
                    .join(", "),
            }),
        }
    }

    /// What this method takes and offers.
    pub fn info(&self) -> &'static MethodInfo {
        match self {
            Self::MeanShift(_) => &mean_shift::INFO,
            Self::Cms(_) => &cms::INFO,
            Self::Skms(_) => &skms::INFO,
            Self::Sklr(_) => &sklr::SKLR,
            Self::Skkm(_) => &sklr::SKKM,
            Self::Ksc(_) => &sklr::KSC,
            Self::KernelKMeans(_) => &kernel_kmeans::INFO,
            Self::SsKernelKMeans(_) => &ss_kernel_kmeans::INFO,
            Self::E2cp(_) => &e2cp::INFO,
            Self::Spectral(_) => &spectral::INFO,
            Self::SpectralLearning(_) => &spectral_learning::INFO,
            Self::Mssc(_) => &mssc::INFO,
            Self::HmrfKMeans(_) => &hmrf_kmeans::INFO,
            Self::KMeans(_) => &kmeans::INFO,
            Self::GaussianMixture(_) => &mixture::INFO,
        }
    }

    /// Finds the groups.
    pub fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        self.check_supported(problem)?;
        match (self, problem.input()) {
            (Self::MeanShift(params), Input::Points(points)) => {
                mean_shift::fit(params, points, problem, observer)
            }
            (Self::Cms(params), Input::Points(points)) => {
                cms::fit(params, points, problem, observer)
            }
            (Self::Skms(params), _) => skms::fit(params, problem, observer),
            (Self::Sklr(params), _) => params.plan()?.fit(problem, observer),
            (Self::Skkm(params), _) => params.plan()?.fit(problem, observer),
            (Self::Ksc(params), _) => params.plan()?.fit(problem, observer),
            (Self::KernelKMeans(params), Input::Points(points)) => {
                kernel_kmeans::fit(params, points, problem, observer)
            }
            (Self::KernelKMeans(params), Input::Kernel(kernel)) => {
                kernel_kmeans::fit_kernel(params, kernel, problem, observer)
            }
            (Self::SsKernelKMeans(params), _) => ss_kernel_kmeans::fit(params, problem, observer),
            (Self::E2cp(params), _) => params.fit(problem, observer),
            (Self::Spectral(params), _) => params.fit(problem, observer),
            (Self::SpectralLearning(params), _) => params.fit(problem, observer),
            (Self::Mssc(params), Input::Points(points)) => params.fit(points, problem, observer),
            (Self::HmrfKMeans(params), Input::Points(points)) => {
                hmrf_kmeans::fit(params, points, problem, observer)
            }
            (Self::KMeans(params), Input::Points(points)) => {
                kmeans::fit(params, points, problem, observer)
            }
            (Self::GaussianMixture(params), Input::Points(points)) => {
                mixture::fit(params, points, problem, observer)
            }
            (_, input) => Err(self.unsupported_input(input.kind())),
        }
    }

    /// Finds this method's number of groups in a space that a fit of it learned, without learning
    /// again: `learned` is the model of that fit, and `problem` must have the same points.
    ///
    /// ```
    /// use ilk::method::{Method, Sklr};
    /// use ilk::observe::Silent;
    /// use ilk::problem::{Constraints, Points, Problem};
    ///
    /// let points = Points::from_rows(&[[0.0], [1.0], [5.0], [6.0], [9.0]].map(Vec::from))?;
    /// let mut said = Constraints::new(5);
    /// said.odd_one_out(0, 1, 2)?.odd_one_out(2, 3, 4)?;
    /// let problem = Problem::new(points, said)?;
    /// let into = |n_clusters| Method::Sklr(Sklr { n_clusters, ..Sklr::default() });
    /// let two = into(2).fit(&problem, &Silent)?;
    /// let three = into(3).regroup(&two.model, &problem, &Silent)?;
    /// assert_eq!(three.clustering.labels, [0, 0, 1, 1, 2].map(Some));
    /// # Ok::<(), ilk::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`] for methods that learn no kernel or are given no number of clusters;
    /// otherwise as [`fit`](Self::fit).
    pub fn regroup(
        &self,
        learned: &Model,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<Fit> {
        self.check_supported(problem)?;
        let plan = match self {
            Self::Sklr(params) => params.plan()?,
            Self::Skkm(params) => params.plan()?,
            Self::Ksc(params) => params.plan()?,
            _ => return Err(cannot(self.info().name.to_owned(), "sklr, skkm, ksc")),
        };
        match learned {
            Model::Embedded(learned) => plan.regroup(learned, problem, observer),
            _ => Err(cannot(
                "a model without a learned kernel".to_owned(),
                "models of sklr, skkm, ksc",
            )),
        }
    }

    fn unsupported_input(&self, input: InputKind) -> Error {
        unsupported(self.info(), input.to_string(), |other| {
            other.inputs.contains(&input)
        })
    }

    /// Refuses input and supervision that the method cannot use, and names methods that can.
    fn check_supported(&self, problem: &Problem) -> Result<()> {
        let info = self.info();
        let input = problem.input().kind();
        if !info.inputs.contains(&input) {
            return Err(self.unsupported_input(input));
        }
        let constraints = problem.constraints();
        for kind in ConstraintKind::ALL {
            if constraints.count(kind) > 0 && !info.supervision.contains(&kind) {
                return Err(unsupported(info, format!("{kind} constraints"), |other| {
                    other.supervision.contains(&kind)
                }));
            }
        }
        if problem.weights().is_some() && !info.weighs {
            return Err(unsupported(info, "weights of points".to_owned(), |other| {
                other.weighs && other.inputs.contains(&input)
            }));
        }
        Ok(())
    }
}

fn unsupported(
    info: &'static MethodInfo,
    what: String,
    can: impl Fn(&MethodInfo) -> bool,
) -> Error {
    let able: Vec<&str> = Method::ALL
        .iter()
        .filter(|other| can(other))
        .map(|o| o.name)
        .collect();
    let alternatives = if able.is_empty() {
        "no method of this version can".to_owned()
    } else {
        format!("methods that can: {}", able.join(", "))
    };
    Error::Unsupported {
        method: info.name,
        what,
        alternatives,
    }
}
