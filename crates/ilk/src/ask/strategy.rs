//! The strategies by their names.

use super::question::QuestionKind;
use super::questioner::Questioner;
use super::{AggregateSplit, ExpectedChange, ExploreConsolidate, Npu, Random, SuperInstances};
use crate::{Error, Result};

crate::choice! {
    /// How questions are chosen.
    #[derive(Default)]
    pub enum Strategy {
        /// The expected change of the clusters: [`ExpectedChange`].
        #[default]
        Auto = "auto",
        /// [`Random`].
        Random = "random",
        /// [`ExploreConsolidate`].
        Explore = "explore",
        /// [`Npu`].
        Npu = "npu",
        /// [`SuperInstances`], as COBRAS.
        Cobras = "cobras",
        /// [`AggregateSplit`], as A3S.
        A3s = "a3s",
    }
}

impl Strategy {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Auto, Self::Random, Self::Explore, Self::Npu, Self::Cobras, Self::A3s];

    /// The version of its questions and of the clusters that answers name: raised with every change that gives
    /// other ones, so that recorded measurements are not taken for those of the present.
    pub fn version(self) -> u32 {
        2
    }

    /// What asks questions of a kind by this strategy.
    ///
    /// # Errors
    /// [`Error::BadParameter`] where the strategy asks pairs alone.
    pub fn questioner(self, kind: QuestionKind) -> Result<Box<dyn Questioner>> {
        if kind != QuestionKind::Pair && !matches!(self, Self::Auto | Self::Random) {
            let expected =
                format!("strategy {self} asks pairs; for other kinds use auto or random");
            return Err(Error::bad_parameter("kind", kind, expected));
        }
        Ok(match self {
            Self::Auto => Box::new(ExpectedChange { kind }),
            Self::Random => Box::new(Random { kind }),
            Self::Explore => Box::new(ExploreConsolidate),
            Self::Npu => Box::new(Npu),
            Self::Cobras => Box::new(SuperInstances),
            Self::A3s => Box::new(AggregateSplit),
        })
    }
}
