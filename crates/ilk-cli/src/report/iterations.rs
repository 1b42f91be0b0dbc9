//! How the run went, for methods whose bandwidth changes on the way.

use super::html::{inline, note, section};
use crate::plot::{IterationSeries, svg_of_iterations};
use crate::run::Run;
use crate::text::{counted, escape};

/// Distinct centres and bandwidth over the iterations; nothing where the bandwidth is one number.
pub(super) fn section_of(run: &Run) -> String {
    let found = &run.fit.clustering;
    let bandwidths: Option<Vec<f64>> = found.trace.iter().map(|step| step.bandwidth).collect();
    let Some(bandwidths) = bandwidths.filter(|each| !each.is_empty()) else {
        return String::new();
    };
    let centers: Vec<f64> = found.trace.iter().map(|step| step.active as f64).collect();
    let last = found.trace.last().map_or(0, |step| step.active);
    let text = format!(
        "Every point sent out a centre, and centres that met went on as one: from {}, {} were left \
         in the last of {}. Bandwidth: {}.",
        counted(run.labels().len(), "point"),
        counted(last, "distinct centre"),
        counted(found.iterations, "iteration"),
        run.bandwidth().unwrap_or_default(),
    );
    let charts = svg_of_iterations(&[
        IterationSeries { name: "distinct centres", values: centers },
        IterationSeries { name: "bandwidth", values: bandwidths },
    ]);
    let body = format!(
        "<p>{}</p>\n<figure>\n{}</figure>\n{}",
        escape(&text),
        inline(&charts),
        note("<code>--animate FILE.html</code> shows the centres on their way."),
    );
    section("How the centres moved", &body)
}
