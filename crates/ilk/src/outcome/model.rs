//! Models: what a fit keeps to place new points.
//!
//! [`Model`] is the interface, which a foreign crate can implement. [`AnyModel`] holds the model of any
//! method, and is what files hold. Models serialise with serde; the file around them (version, checksum)
//! belongs to `ilk-io`.

use std::fmt::Debug;
use std::ops::Deref;
use std::sync::Arc;

use serde::ser::Error as _;
use serde::{Deserialize, Serialize, Serializer};

use super::{ConsensusModel, KnnClassifier, LearnedKernelModel, MergedModel, TransductiveModel};
use crate::group::constrained_mean_shift::CmsModel;
use crate::group::kernel_kmeans::{KernelKMeansModel, Means};
use crate::group::kmeans::KMeansModel;
use crate::group::mean_shift::MeanShiftModel;
use crate::group::mixture::MixtureModel;
use crate::group::spectral::SpectralModel;
use crate::observe::{Event, Observer, Silent, report};
use crate::{Error, Result, group::Label, problem::Points};

/// A fitted model, which assigns new points to clusters.
///
/// ```
/// use ilk::group::Label;
/// use ilk::observe::Observer;
/// use ilk::outcome::{AnyModel, Model};
/// use ilk::problem::Points;
///
/// /// Two clusters: below and above 0.
/// #[derive(Debug)]
/// struct Sign;
///
/// impl Model for Sign {
///     fn n_clusters(&self) -> usize {
///         2
///     }
///     fn dims(&self) -> usize {
///         1
///     }
///     fn predict_observed(&self, points: &Points, _: &dyn Observer) -> ilk::Result<Vec<Label>> {
///         let cluster = |point| usize::from(points.row(point)[0] > 0.0);
///         Ok((0..points.len()).map(|point| Some(cluster(point))).collect())
///     }
/// }
///
/// let model = AnyModel::foreign(Sign);
/// let points = Points::from_rows(&[vec![-1.0], vec![2.0]])?;
/// assert_eq!(model.predict(&points)?, [Some(0), Some(1)]);
/// # Ok::<(), ilk::Error>(())
/// ```
pub trait Model: Debug + Send + Sync {
    /// Number of clusters; predicted labels are below it.
    fn n_clusters(&self) -> usize;

    /// Number of columns that new points must have.
    fn dims(&self) -> usize;

    /// The clusters of new points. Training points get the labels that the fit gave them. The observer
    /// sees progress and can cancel.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`], [`Error::Cancelled`], and those of the model.
    fn predict_observed(&self, points: &Points, observer: &dyn Observer) -> Result<Vec<Label>>;

    /// As [`predict_observed`](Self::predict_observed) without an observer.
    fn predict(&self, points: &Points) -> Result<Vec<Label>> {
        self.predict_observed(points, &Silent)
    }

    /// The model as one that a model file can hold. A foreign model that one of the engine's models
    /// describes exactly can return that one.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a foreign model, unless it defines this function.
    fn save(&self) -> Result<AnyModel> {
        Err(foreign_cannot_be_saved())
    }
}

/// Foreign models are equal if they are the same object.
impl PartialEq for dyn Model {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(self, other)
    }
}

fn foreign_cannot_be_saved() -> Error {
    Error::unsupported(
        "a model file",
        "the model of a foreign method",
        "the crate that defines the model has to save it",
    )
}

fn serialize_foreign<S: Serializer>(
    _: &Arc<dyn Model>,
    _: S,
) -> std::result::Result<S::Ok, S::Error> {
    Err(S::Error::custom(foreign_cannot_be_saved()))
}

/// The prediction of a model that calls the observer itself, or of one that does not and is therefore
/// called for some points at a time.
macro_rules! predict {
    (observed, $model:ident, $self:ident, $points:ident, $observer:ident) => {
        <$model>::predict_observed($self, $points, $observer)
    };
    (in_blocks, $model:ident, $self:ident, $points:ident, $observer:ident) => {{
        let predict = |block: &Points, _: &dyn Observer| <$model>::predict($self, block);
        in_blocks($points, $observer, predict)
    }};
}

/// Declares [`AnyModel`] from the list of models, each given as
/// `Variant(what it holds): model type = name in files, how it predicts`, and implements [`Model`] for
/// all of them by their own functions.
macro_rules! models {
    ($($(#[$doc:meta])* $variant:ident($held:ty): $model:ident = $tag:literal, $how:ident;)+) => {
        /// The fitted model of any method; the functions of [`Model`] are its own.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "kind")]
        #[non_exhaustive]
        pub enum AnyModel {
            $($(#[$doc])* #[serde(rename = $tag)] $variant($held),)+
            /// A model that another crate defines. It cannot be serialised.
            #[serde(skip_deserializing, serialize_with = "serialize_foreign")]
            Foreign(Arc<dyn Model>),
        }

        /// The model behind the interface that all models share.
        impl Deref for AnyModel {
            type Target = dyn Model;

            fn deref(&self) -> &(dyn Model + 'static) {
                match self {
                    $(Self::$variant(model) => {
                        let model: &$model = model;
                        model
                    })+
                    Self::Foreign(model) => &**model,
                }
            }
        }

        $(
            impl Model for $model {
                fn n_clusters(&self) -> usize {
                    <$model>::n_clusters(self)
                }

                fn dims(&self) -> usize {
                    <$model>::dims(self)
                }

                fn predict_observed(&self, points: &Points, observer: &dyn Observer) -> Result<Vec<Label>> {
                    points.check_coordinates()?;
                    predict!($how, $model, self, points, observer)
                }

                fn save(&self) -> Result<AnyModel> {
                    Ok(self.clone().into())
                }
            }

            impl From<$model> for AnyModel {
                fn from(model: $model) -> Self {
                    Self::$variant(model.into())
                }
            }
        )+
    };
}

models! {
    /// Mean shift.
    MeanShift(MeanShiftModel): MeanShiftModel = "mean_shift", observed;
    /// Constrained mean shift as in the paper.
    Cms(CmsModel): CmsModel = "cms", observed;
    /// Kernel k-means.
    KernelKMeans(KernelKMeansModel): KernelKMeansModel = "kernel_kmeans", observed;
    /// k-means.
    KMeans(KMeansModel): KMeansModel = "kmeans", in_blocks;
    /// A Gaussian mixture.
    Mixture(MixtureModel): MixtureModel = "mixture", in_blocks;
    /// Clusters along the axes of a kernel.
    Spectral(SpectralModel): SpectralModel = "spectral", in_blocks;
    /// The weighted majority of the nearest labelled points.
    KnnClassifier(KnnClassifier): KnnClassifier = "knn_classifier", in_blocks;
    /// The nearest mean.
    Means(Means): Means = "means", in_blocks;
    /// Any of these in the space of a learned kernel.
    LearnedKernel(Box<LearnedKernelModel>): LearnedKernelModel = "embedded", observed;
    /// Members that vote.
    Consensus(Box<ConsensusModel>): ConsensusModel = "consensus", observed;
    /// Unions of the clusters of another model.
    Merged(MergedModel): MergedModel = "merged", observed;
    /// Clusters of a graph or of affinities, which cannot place new points.
    Transductive(TransductiveModel): TransductiveModel = "transductive", observed;
}

/// Predicts block by block, and calls the observer after each, which can cancel between blocks.
pub(super) fn in_blocks(
    points: &Points,
    observer: &dyn Observer,
    predict: impl Fn(&Points, &dyn Observer) -> Result<Vec<Label>>,
) -> Result<Vec<Label>> {
    let mut labels = Vec::with_capacity(points.len());
    for (done, block) in points.blocks().enumerate() {
        labels.extend(predict(&block, observer)?);
        let event = Event::new("predict", done + 1, labels.len(), points.len());
        report(observer, &event)?;
    }
    Ok(labels)
}

impl AnyModel {
    /// The model of a foreign method.
    pub fn foreign(model: impl Model + 'static) -> Self {
        Self::Foreign(Arc::new(model))
    }
}
