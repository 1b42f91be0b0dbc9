//! The settings of a method, as both `ilk cluster` and `ilk graph` take them.

use anyhow::Result;
use clap::Args;
use ilk::method::{AnyMethod, Method, MethodInfo};
use ilk_io::set_parameter;

use crate::args::Setting;
use crate::failure::Usage;
use crate::hints;

/// How the method is set.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Method")]
pub(crate) struct TuningArgs {
    /// Number of clusters, for methods that do not find it themselves; chosen from constraints and data otherwise
    #[arg(long, value_name = "K")]
    pub(crate) clusters: Option<usize>,
    /// A parameter of the method; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<Setting>,
    /// Seed of everything random
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}

/// The parameter in which methods that do not find the number of clusters take it.
const CLUSTERS: &str = "n_clusters";

impl TuningArgs {
    /// The method with these settings.
    pub(crate) fn apply(&self, mut method: AnyMethod) -> Result<AnyMethod> {
        for setting in &self.set {
            set_parameter(&mut method, &setting.key, &setting.value)?;
        }
        // Where nothing is random there is nothing to seed.
        if let Some(seed) = self.seed
            && has_parameter(method.info(), "seed")
        {
            set_parameter(&mut method, "seed", &seed.to_string())?;
        }
        if let Some(k) = self.clusters
            && method.info().takes_clusters
        {
            set_parameter(&mut method, CLUSTERS, &k.to_string())?;
        }
        Ok(method)
    }

    /// Whether a parameter is set.
    pub(crate) fn sets(&self, name: &str) -> bool {
        self.set.iter().any(|set| set.key == name)
    }

    /// Refuses a number of clusters that `n` points or the method cannot have; `constraints` is the option
    /// that gives constraints on them.
    pub(crate) fn check_clusters(
        &self,
        method: &AnyMethod,
        n: usize,
        constraints: &str,
    ) -> Result<()> {
        let Some(k) = self.clusters else {
            return Ok(());
        };
        if k > n {
            return Err(ilk::Error::TooManyClusters { k, n }.into());
        }
        let info = method.info();
        if info.takes_clusters {
            return Ok(());
        }
        let able = AnyMethod::ALL.iter().filter(|info| info.takes_clusters);
        let able: Vec<&str> = able.map(|info| info.name).collect();
        let bandwidth = hints::bandwidth_parameter(info);
        Err(Usage(format!(
            "{} finds the number of clusters itself, so --clusters {k} cannot be used; steer it by its \
             bandwidth, --set {bandwidth}=NUMBER (smaller gives more clusters), or by {constraints}, or use a \
             --method that takes a number: {}",
            info.name,
            able.join(", ")
        ))
        .into())
    }
}

/// Whether a method has a parameter of this name.
pub(crate) fn has_parameter(info: &MethodInfo, name: &str) -> bool {
    info.parameters.iter().any(|parameter| parameter.name == name)
}
