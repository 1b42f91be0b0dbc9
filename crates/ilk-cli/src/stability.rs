//! How many clusters or partitions there are for values around the one that was chosen.

use anyhow::Result;
use ilk::method::{AnyMethod, BandwidthScan, Method, Mssc, Skms};
use ilk::parameter::AutoOr;
use ilk::problem::Input;
use ilk::supervise::neighborhood_size::Stability;
use ilk_io::set_parameter;

use crate::failure::Usage;
use crate::plot::{LinePoint, Lines, Series, svg_of_lines};
use crate::progress::Progress;
use crate::run::Run;
use crate::terminal::Terminal;
use crate::text::number;
use crate::tuning::has_parameter;

/// A method with a parameter over which something is counted.
pub(crate) enum Varied<'a> {
    /// Clusters over the number of neighbours.
    Neighbors(&'a Skms),
    /// Partitions over the bandwidth of the shift.
    Bandwidth(&'a Mssc),
}

/// What was counted.
pub(crate) enum Counted {
    Clusters(Stability),
    Partitions(BandwidthScan),
}

/// The settings of a method that has such a parameter; other methods are refused.
pub(crate) fn check(method: &AnyMethod) -> Result<Varied<'_>> {
    match method {
        AnyMethod::Skms(skms) => Ok(Varied::Neighbors(skms)),
        AnyMethod::Mssc(mssc) => Ok(Varied::Bandwidth(mssc)),
        _ => {
            let name = method.info().name;
            Err(Usage(format!(
                "--stability draws the clusters of skms over its n_neighbors, or the partitions of mssc over its \
                 bandwidth, and {name} has neither; add --method skms or mssc, or leave --stability out"
            ))
            .into())
        }
    }
}

/// Counts, with everything else as it was in the run; bandwidths lie around the one of the run.
pub(crate) fn of(run: &Run, terminal: &Terminal) -> Result<Counted> {
    let mut method = run.recipe.method.clone();
    let chosen = run.fit.clustering.chosen.iter();
    let is_set = |name: &str| {
        let is_varied = matches!(name, "n_neighbors" | "filter_inconsistent");
        !is_varied && has_parameter(method.info(), name)
    };
    let settings: Vec<_> = chosen.filter(|chosen| is_set(&chosen.parameter)).collect();
    for chosen in settings {
        set_parameter(&mut method, &chosen.parameter, &chosen.value)?;
    }
    let progress = Progress::new(terminal);
    let problem = &run.loaded.problem;
    match (check(&method)?, problem.input()) {
        (Varied::Neighbors(skms), _) => Ok(Counted::Clusters(skms.stability(problem, &progress)?)),
        (Varied::Bandwidth(mssc), Input::Points(points)) => {
            let sweep = mssc.sweep(points, problem.weights(), &progress)?;
            Ok(Counted::Partitions(sweep))
        }
        (Varied::Bandwidth(_), _) => {
            Err(Usage("--stability draws partitions of points".to_owned()).into())
        }
    }
}

/// The plot as the text of an SVG file.
pub(crate) fn svg(run: &Run, found: &Counted) -> String {
    let file = run.recipe.data.file_name().unwrap_or_default();
    let file = file.to_string_lossy();
    svg_of_lines(&match found {
        Counted::Clusters(found) => clusters(&file, found, neighbors(run)),
        Counted::Partitions(found) => partitions(&file, found, run.fit.clustering.bandwidth),
    })
}

/// The number of neighbours of the run, set or chosen.
fn neighbors(run: &Run) -> Option<usize> {
    if let AnyMethod::Skms(skms) = &run.recipe.method
        && let AutoOr::Fixed(set) = skms.n_neighbors
    {
        return Some(set);
    }
    let chosen = &run.fit.clustering.chosen;
    let chosen = chosen.iter().find(|chosen| chosen.parameter == "n_neighbors")?;
    chosen.value.parse().ok()
}

fn clusters(file: &str, found: &Stability, used: Option<usize>) -> Lines {
    let subtitle = match found.plateau() {
        Some((from, to)) if from < to => format!(
            "the longest stretch over which their number stays the same: from {from} to {to} neighbours"
        ),
        _ => "their number changes with every number of neighbours".to_owned(),
    };
    let neighbors = found.neighbors.iter().map(|&k| k as f64);
    Lines {
        title: format!("{file}: clusters that mean shift finds"),
        subtitle,
        axes: [
            "k, the neighbour that sets a point's bandwidth".to_owned(),
            "clusters, before labels are refined".to_owned(),
        ],
        series: vec![series("clusters", neighbors, &found.clusters)],
        in_use: used.map(|k| (k as f64, format!("in use: {k}"))),
    }
}

fn partitions(file: &str, found: &BandwidthScan, used: Option<f64>) -> Lines {
    let bandwidths = || found.bandwidths.iter().copied();
    Lines {
        title: format!("{file}: partitions that the shift finds"),
        subtitle: used.map_or_else(String::new, |h| format!("the bandwidth of the run: {h:.4}")),
        axes: ["bandwidth of the shift".to_owned(), "partitions".to_owned()],
        series: vec![
            series("all", bandwidths(), &found.partitions),
            series("of one point", bandwidths(), &found.singletons),
        ],
        in_use: used.map(|h| (h, format!("in use: {}", number(h)))),
    }
}

fn series(name: &str, at: impl Iterator<Item = f64>, counts: &[usize]) -> Series {
    let points = at.zip(counts).map(|(x, &count)| LinePoint { x, y: count as f64, spread: None });
    Series { name: name.to_owned(), points: points.collect(), is_dashed: false }
}
