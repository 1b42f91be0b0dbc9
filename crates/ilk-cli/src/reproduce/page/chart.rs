//! The plots of an exhibit: one for each score and each of its data.

use super::Block;
use crate::plot::{LinePoint, Lines, Series, svg_of_lines};
use crate::reproduce::bars::Line;
use crate::reproduce::measured::Metric;
use crate::reproduce::{Effort, Exhibit};

/// The plots of an exhibit that has something to draw; files are named after `page`.
pub(super) fn charts(
    page: &str,
    exhibit: &Exhibit,
    lines: &[Line<'_>],
    effort: Effort,
) -> Vec<Block> {
    let Some(over) = exhibit.over else {
        return Vec::new();
    };
    let mut charts = Vec::new();
    let data = in_order(lines.iter().map(|(row, _)| row.data.as_str()));
    for (number, data) in data.into_iter().enumerate() {
        for &metric in exhibit.metrics {
            let here: Vec<&Line<'_>> = lines.iter().filter(|(row, _)| row.data == data).collect();
            let series = series(&here, metric);
            if series.iter().all(|series| series.is_dashed) {
                continue;
            }
            let name = metric.name();
            let title = format!("{name} on {data}");
            let subtitle = match effort.seeds {
                1 => "one seed".to_owned(),
                n => format!("means of {n} seeds, and one standard deviation to either side"),
            };
            let svg = svg_of_lines(&Lines {
                title: title.clone(),
                subtitle,
                axes: [over.to_owned(), name.to_owned()],
                series,
            });
            charts.push(Block::Picture {
                file: format!(
                    "{page}-{}-{}-{}.svg",
                    exhibit.name,
                    number + 1,
                    metric.key()
                ),
                svg,
                caption: format!("{title}, over {over}"),
            });
        }
    }
    charts
}

/// Ours, a line for each method, then what the paper printed.
fn series(lines: &[&Line<'_>], metric: Metric) -> Vec<Series> {
    let methods = in_order(lines.iter().map(|(row, _)| row.method.as_str()));
    let of = |method: &str, place: &dyn Fn(&Line<'_>) -> Option<LinePoint>| {
        let of_method = lines.iter().filter(|(row, _)| row.method == method);
        let mut points: Vec<LinePoint> = of_method.filter_map(|line| place(line)).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        points
    };
    let ours = |(row, measured): &Line<'_>| {
        let score = measured.as_ref()?.score(metric)?;
        Some(LinePoint {
            x: row.at?,
            y: score.mean,
            spread: score.deviation,
        })
    };
    let printed = |(row, _): &Line<'_>| {
        Some(LinePoint {
            x: row.at?,
            y: metric.of(row.printed?)?,
            spread: None,
        })
    };
    let mut all: Vec<Series> = methods
        .iter()
        .map(|method| Series {
            name: (*method).to_owned(),
            points: of(method, &ours),
            is_dashed: false,
        })
        .collect();
    // What is printed belongs to the paper's one method, whichever of ours it stands beside.
    if let Some(method) = methods.first() {
        all.push(Series {
            name: "printed in the paper".to_owned(),
            points: of(method, &printed),
            is_dashed: true,
        });
    }
    all.retain(|series| !series.points.is_empty());
    all
}

/// Each once, in the order of first appearance.
fn in_order<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut each: Vec<&str> = Vec::new();
    for name in names {
        if !each.contains(&name) {
            each.push(name);
        }
    }
    each
}
