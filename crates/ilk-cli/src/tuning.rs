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
    /// Time after which auto tries nothing more: 30s, 2m [default: 20s]
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    budget: Option<f64>,
    /// Recipes that auto tries, whatever the time: results repeat on every machine
    #[arg(long, value_name = "N", conflicts_with = "budget")]
    fits: Option<usize>,
}

/// The parameter in which methods that do not find the number of clusters take it.
const CLUSTERS: &str = "n_clusters";

impl TuningArgs {
    /// The method with these settings.
    pub(crate) fn apply(&self, mut method: AnyMethod) -> Result<AnyMethod> {
        for setting in &self.set {
            refuse_unknown(method.info(), &setting.key)?;
            set_parameter(&mut method, &setting.key, &setting.value)?;
        }
        let budget = self.budget.map(|seconds| ("--budget", "budget", seconds.to_string()));
        let fits = self.fits.map(|fits| ("--fits", "n_fits", fits.to_string()));
        for (option, name, value) in budget.into_iter().chain(fits) {
            if !has_parameter(method.info(), name) {
                let method = method.info().name;
                let message = format!("{option} is for --method auto; {method} runs once");
                return Err(Usage(message).into());
            }
            set_parameter(&mut method, name, &value)?;
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

/// Refuses a parameter that the method does not have and others do, and names those.
fn refuse_unknown(info: &MethodInfo, name: &str) -> Result<()> {
    let owners = AnyMethod::ALL.iter().filter(|info| has_parameter(info, name));
    let owners: Vec<&str> = owners.map(|info| info.name).collect();
    if has_parameter(info, name) || owners.is_empty() {
        return Ok(());
    }
    Err(Usage(format!(
        "{} has no parameter {name:?}; add a --method that has it: {}",
        info.name,
        owners.join(", ")
    ))
    .into())
}

/// A time such as `30s`, `2m`, `1h` or `45`, in seconds.
fn seconds(text: &str) -> Result<f64, String> {
    let (number, unit) = text.split_at(text.trim_end_matches(char::is_alphabetic).len());
    let unit = match unit {
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("{unit:?} is no unit of time; write 30s, 2m or 1h")),
    };
    match number.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number * unit),
        _ => Err("a time is a positive number and a unit, such as 30s, 2m or 1h".to_owned()),
    }
}

/// Whether a method has a parameter of this name.
pub(crate) fn has_parameter(info: &MethodInfo, name: &str) -> bool {
    info.parameters.iter().any(|parameter| parameter.name == name)
}
