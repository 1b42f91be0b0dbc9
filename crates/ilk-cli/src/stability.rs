//! How many clusters there are for numbers of neighbours around the one that was chosen.

use anyhow::Result;
use ilk::method::{Method, Skms};
use ilk::supervise::reach::Stability;
use ilk_io::set_parameter;

use crate::failure::Usage;
use crate::plot::{LinePoint, Lines, Series, svg_of_lines};
use crate::progress::Progress;
use crate::run::Run;
use crate::terminal::Terminal;

/// The parameter that is varied.
const VARIED: &str = "n_neighbors";

/// The settings of a method that has it; other methods are refused.
pub(crate) fn check(method: &Method) -> Result<&Skms> {
    if let Method::Skms(skms) = method {
        return Ok(skms);
    }
    let name = method.info().name;
    Err(Usage(format!(
        "--stability draws the clusters of skms over its {VARIED}, which {name} does not have; add --method \
         skms, or leave --stability out"
    ))
    .into())
}

/// Counts the clusters, with everything else as it was in the run.
pub(crate) fn of(run: &Run, terminal: &Terminal) -> Result<Stability> {
    let mut method = run.recipe.method.clone();
    let chosen = run.fit.clustering.chosen.iter();
    let is_set = |name: &str| {
        let parameters = method.info().parameters;
        name != VARIED && name != "doubt" && parameters.iter().any(|p| p.name == name)
    };
    let settings: Vec<_> = chosen.filter(|chosen| is_set(&chosen.parameter)).collect();
    for chosen in settings {
        set_parameter(&mut method, &chosen.parameter, &chosen.value)?;
    }
    let progress = Progress::new(terminal);
    Ok(check(&method)?.stability(&run.loaded.problem, &progress)?)
}

/// The picture as the text of an SVG file.
pub(crate) fn svg(run: &Run, found: &Stability) -> String {
    let places = found.neighbors.iter().zip(&found.clusters);
    let points = places.map(|(&k, &clusters)| LinePoint {
        x: k as f64,
        y: clusters as f64,
        spread: None,
    });
    let subtitle = match found.plateau() {
        Some((from, to)) if from < to => format!(
            "the longest stretch over which their number stays the same: from {from} to {to} neighbours"
        ),
        _ => "their number changes with every number of neighbours".to_owned(),
    };
    let file = run.recipe.data.file_name().unwrap_or_default();
    svg_of_lines(&Lines {
        title: format!("{}: clusters that the climb finds", file.to_string_lossy()),
        subtitle,
        axes: [
            "k, the neighbour that a point reaches".to_owned(),
            "clusters, before labels are settled".to_owned(),
        ],
        series: vec![Series {
            name: "clusters".to_owned(),
            points: points.collect(),
            is_dashed: false,
        }],
    })
}
