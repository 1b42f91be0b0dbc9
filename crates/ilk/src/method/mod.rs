//! Named recipes over the stages, and what each of them can do.
//!
//! A [`Method`] says as data what it takes ([`MethodInfo`]) and fits a [`Problem`]. Its parameters are the
//! fields of a plain struct. Other crates add methods of their own by implementing the trait;
//! [`AnyMethod`] is the registry of those of this crate, for files and interfaces.
//!
//! A folder holds a method, or a family of methods that share a pipeline. It imports stages and
//! [`select`](crate::select), never another folder of methods.

mod auto;
mod cms;
mod hmrf_kmeans;
mod info;
mod kernel_kmeans;
mod kmeans;
mod learned_kernel;
mod mean_shift;
mod mixture;
mod mssc;
mod propagation;
mod registry;
mod spectral;
mod ss_kernel_kmeans;

use std::fmt;

pub use crate::embed::SpectralEmbedding;
pub use crate::group::hmrf_kmeans::HmrfKMeans;
pub use crate::group::kmeans::KMeans;
pub use crate::group::mean_shift::MeanShift;
pub use crate::group::mixture::GaussianMixture;
pub use crate::refine::Refinement;
pub use crate::similarity::AffinityName;
pub use auto::{Auto, ConsensusTrials, Ingredient, Members};
pub use cms::{Cms, CmsMode};
pub use info::MethodInfo;
pub use kernel_kmeans::KernelKMeans;
pub use learned_kernel::{Ksc, LearnedGrouping, Skkm, Sklr, Skms};
pub use mssc::{BandwidthScan, FirstStage, Mssc, PartitionEmbedding, RowDistance};
pub use propagation::{E2cp, SpectralLearning};
pub use registry::AnyMethod;
pub use spectral::SpectralClustering;
pub use ss_kernel_kmeans::{
    AffinityRange, ObjectiveChoice, SearchEffort, SsKernelKMeans, UseMultilevel,
};

use crate::Result;
use crate::observe::Observer;
use crate::outcome::{AnyModel, Fit};
use crate::problem::Problem;

/// A clustering method with its parameters.
///
/// ```
/// use ilk::method::{KMeans, Method};
/// use ilk::observe::Silent;
/// use ilk::parameter::AutoOr;
/// use ilk::problem::{Points, Problem};
///
/// let points = Points::from_rows(&[[0.0], [0.2], [0.1], [5.0], [5.2]].map(Vec::from))?;
/// let method = KMeans { n_clusters: AutoOr::Fixed(2), ..KMeans::default() };
/// let fit = method.fit(&Problem::unsupervised(points), &Silent)?;
/// assert_eq!(fit.clustering.labels, [0, 0, 0, 1, 1].map(Some));
/// # Ok::<(), ilk::Error>(())
/// ```
///
/// `examples/own_method.rs` is a method that lives outside this crate.
pub trait Method: fmt::Debug + Send + Sync {
    /// What the method takes and offers.
    fn info(&self) -> &'static MethodInfo;

    /// Finds the groups.
    ///
    /// # Errors
    /// [`Error::Unsupported`](crate::Error::Unsupported) for input, supervision or weights that
    /// [`info`](Self::info) does not list, [`Error::BadParameter`](crate::Error::BadParameter),
    /// [`Error::Cancelled`](crate::Error::Cancelled), and those of the method.
    fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit>;
}

impl AnyMethod {
    /// Finds this method's number of groups in a space that a fit of it learned, without learning
    /// again: `learned` is the model of that fit, and `problem` must have the same points.
    ///
    /// ```
    /// use ilk::method::{AnyMethod, Method, Sklr};
    /// use ilk::observe::Silent;
    /// use ilk::problem::{Constraints, Points, Problem};
    ///
    /// let points = Points::from_rows(&[[0.0], [1.0], [5.0], [6.0], [9.0]].map(Vec::from))?;
    /// let mut constraints = Constraints::new(5);
    /// constraints.odd_one_out(0, 1, 2)?.odd_one_out(2, 3, 4)?;
    /// let problem = Problem::new(points, constraints)?;
    /// let into = |k: usize| AnyMethod::from(Sklr { n_clusters: k.into(), ..Sklr::default() });
    /// let two = into(2).fit(&problem, &Silent)?;
    /// let three = into(3).regroup(&two.model, &problem, &Silent)?;
    /// assert_eq!(three.clustering.labels, [0, 0, 1, 1, 2].map(Some));
    /// # Ok::<(), ilk::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`](crate::Error::Unsupported) for methods that learn no kernel or are given no
    /// number of clusters; otherwise as [`fit`](Method::fit).
    pub fn regroup(
        &self,
        learned: &AnyModel,
        problem: &Problem,
        observer: &dyn Observer,
    ) -> Result<Fit> {
        learned_kernel::regroup(self, learned, problem, observer)
    }
}
