//! What to try next, where a result is likely not what was hoped for.

use ilk::group::StopReason;
use ilk::method::{Method as _, MethodInfo};
use ilk::outcome::AnyModel;
use ilk::problem::Points;
use ilk_io::Scale;

use crate::run::Run;
use crate::text::{count, number};
use crate::tuning::has_parameter;

/// Beside a column that spreads this many times as wide, another has no influence.
const LOPSIDED: f64 = 100.0;

/// Numbers of neighbours are usual about here.
const USUAL_NEIGHBORS: f64 = 7.0;

/// The parameter that says how far a method that finds the number of clusters looks.
pub(crate) fn bandwidth_parameter(info: &MethodInfo) -> &'static str {
    if has_parameter(info, "bandwidth") { "bandwidth" } else { "n_neighbors" }
}

/// The hints for a run, if any.
pub(crate) fn of(run: &Run) -> Vec<String> {
    let found = &run.fit.clustering;
    let n = run.labels().len();
    let mut hints = Vec::new();
    // In a learned space mean shift has a limit of its own, which cannot be set.
    let is_learned = matches!(run.fit.model, AnyModel::LearnedKernel(_));
    if found.stop == StopReason::MaxIterations && !is_learned {
        hints.push(format!(
            "some points had not arrived after {} iterations; raise --set max_iter",
            count(found.iterations)
        ));
    }
    if run.recipe.scale == Scale::None
        && let Some(table) = run.loaded.data.table()
        && let Some((wide, narrow, ratio)) = lopsided(&table.points)
    {
        let names = &table.feature_names;
        hints.push(format!(
            "column {:?} spreads {} times as wide as {:?} and drowns it; --scale standard gives \
             all columns an equal say",
            names[wide],
            count(ratio as usize),
            names[narrow]
        ));
    }
    if run.recipe.method.info().takes_clusters {
        // As many clusters as were asked for.
        return hints;
    }
    let or_say = |what: &str| {
        if run.constraints().is_empty() {
            format!(", or say with --pairs what belongs {what}")
        } else {
            String::new()
        }
    };
    let name = bandwidth_parameter(run.recipe.method.info());
    let set_bandwidth = |factor: f64| {
        let value = if name == "bandwidth" {
            found.bandwidth.map(|width| number(factor * width))
        } else {
            let chosen = |name: &str| found.chosen.iter().find(|chosen| chosen.parameter == name);
            let k = chosen(name).and_then(|chosen| chosen.value.parse::<f64>().ok());
            // Where one bandwidth was chosen for all points, no neighbour was.
            let k = k.or_else(|| chosen("bandwidth").map(|_| USUAL_NEIGHBORS));
            k.map(|k| ((factor * k).round().max(1.0) as usize).to_string())
        };
        match value {
            Some(value) => format!("--set {name}={value}"),
            None => format!("another --set {name}"),
        }
    };
    let start = found.trace.first().and_then(|step| step.bandwidth);
    let grows = start.is_some() && start < found.bandwidth;
    if found.n_clusters == 1 && n > 1 && grows {
        // A bandwidth that covers all the data joins whatever no cannot-link separates.
        hints.push(format!(
            "everything is in one cluster, since {} joins what no answer keeps apart; say with \
             --pairs or --labels what belongs apart, or try --method mean-shift",
            run.recipe.method.info().name
        ));
    } else if found.n_clusters == 1 && n > 1 {
        hints.push(format!(
            "everything is in one cluster; try a smaller bandwidth, such as {}{}",
            set_bandwidth(0.5),
            or_say("apart")
        ));
    } else if n > 2 && 2 * found.n_clusters > n {
        hints.push(format!(
            "most clusters hold a single row; try a larger bandwidth, such as {}{}",
            set_bandwidth(2.0),
            or_say("together")
        ));
    }
    hints
}

/// The columns that spread most and least, and how many times as much, where that is too many.
/// Constant columns are no trouble.
fn lopsided(points: &Points) -> Option<(usize, usize, f64)> {
    let deviations = points.view().std_axis(ilk::ndarray::Axis(0), 0.0);
    let spread: Vec<(usize, f64)> = deviations
        .into_iter()
        .enumerate()
        .filter(|(_, deviation)| deviation.is_finite() && *deviation > 0.0)
        .collect();
    let by_spread = |a: &&(usize, f64), b: &&(usize, f64)| a.1.total_cmp(&b.1);
    let (narrow, least) = *spread.iter().min_by(by_spread)?;
    let (wide, most) = *spread.iter().max_by(by_spread)?;
    (most > LOPSIDED * least).then_some((wide, narrow, most / least))
}
