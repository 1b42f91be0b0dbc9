//! The methods of this crate by name, for files and interfaces. The list at the end is the only place
//! that names them all.

use serde::{Deserialize, Serialize};

use super::{
    Auto, Cms, E2cp, GaussianMixture, HmrfKMeans, KMeans, KernelKMeans, Ksc, MeanShift, Method,
    MethodInfo, Mssc, Skkm, Sklr, Skms, SpectralClustering, SpectralLearning, SsKernelKMeans,
};
use crate::observe::Observer;
use crate::outcome::Fit;
use crate::problem::Problem;
use crate::{Error, Result};

/// Makes [`AnyMethod`] from one list of methods.
macro_rules! registry {
    ($($(#[$doc:meta])* $name:literal => $method:ident,)+) => {
        /// A method of this crate with its parameters. As JSON: `{"method": "mean-shift", "params": {...}}`.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "method", content = "params")]
        #[non_exhaustive]
        pub enum AnyMethod {
            $($(#[$doc])* #[serde(rename = $name)] $method($method),)+
        }

        impl AnyMethod {
            /// What there is.
            pub const ALL: &'static [&'static MethodInfo] = &[$($method::INFO),+];

            /// The method of this name with its default parameters.
            ///
            /// # Errors
            /// [`Error::UnknownMethod`].
            pub fn named(name: &str) -> Result<Self> {
                match name {
                    $($name => Ok(Self::$method($method::default())),)+
                    _ => Err(Error::UnknownMethod {
                        name: name.to_owned(),
                        known: [$($name),+].join(", "),
                    }),
                }
            }

            fn method(&self) -> &dyn Method {
                match self {
                    $(Self::$method(method) => method,)+
                }
            }
        }

        $(impl From<$method> for AnyMethod {
            fn from(method: $method) -> Self {
                Self::$method(method)
            }
        })+
    };
}

impl Method for AnyMethod {
    fn info(&self) -> &'static MethodInfo {
        self.method().info()
    }

    fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        self.method().fit(problem, observer)
    }
}

registry! {
    /// A consensus of many fits, each weighted by the constraints that it predicts.
    "auto" => Auto,
    /// Mean shift: points climb to the modes of their density.
    "mean-shift" => MeanShift,
    /// Constrained mean shift: cannot-links keep centres apart while they climb.
    "cms" => Cms,
    /// Semi-supervised kernel mean shift: a kernel is learned, then points climb in its space.
    "skms" => Skms,
    /// Kernel learning from comparisons, then kernel k-means.
    "sklr" => Sklr,
    /// A learned kernel, then kernel k-means.
    "skkm" => Skkm,
    /// A learned kernel, then spectral clustering.
    "ksc" => Ksc,
    /// Kernel k-means: points go to the nearest mean in the space of a kernel.
    "kernel-kmeans" => KernelKMeans,
    /// Semi-supervised kernel k-means: constraints are added to a kernel or a graph.
    "ss-kernel-kmeans" => SsKernelKMeans,
    /// Pairs propagated over a graph of neighbours, then spectral clustering.
    "e2cp" => E2cp,
    /// Spectral clustering: by the axes of a kernel, or by the Laplacian of a graph.
    "spectral" => SpectralClustering,
    /// Affinities edited to pairs, then spectral clustering.
    "spectral-learning" => SpectralLearning,
    /// Mean shift into partitions, then spectral clustering of these.
    "mssc" => Mssc,
    /// k-means in which broken pairs cost.
    "hmrf-kmeans" => HmrfKMeans,
    /// k-means: points go to the nearest of k centres.
    "kmeans" => KMeans,
    /// A Gaussian mixture: points belong to the likeliest of k normal distributions.
    "gaussian-mixture" => GaussianMixture,
}
