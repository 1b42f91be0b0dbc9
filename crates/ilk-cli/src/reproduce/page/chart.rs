//! The plots of an exhibit: one for each score and each of its data.

use super::Block;
use crate::plot::{
    HeatmapCell, Heatmaps, LinePoint, Lines, Panel, Series, svg_of_heatmaps, svg_of_lines,
};
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
    let seeds = exhibit.seeds(effort.seeds);
    let mut charts = Vec::new();
    let data = in_order(lines.iter().map(|(row, _)| row.data.as_str()));
    for (number, data) in data.into_iter().enumerate() {
        for &metric in exhibit.metrics {
            let here: Vec<&Line<'_>> = lines.iter().filter(|(row, _)| row.data == data).collect();
            let name = metric.name();
            let title = format!("{name} on {data}");
            let svg = match exhibit.against {
                Some(against) => map(&title, seeds, [over, against], panels(&here, metric)),
                None => curves(
                    &title,
                    seeds,
                    [over, name],
                    series(&here, metric, exhibit.scan.is_some()),
                ),
            };
            let Some(svg) = svg else { continue };
            charts.push(Block::Plot {
                file: format!("{page}-{}-{}-{}.svg", exhibit.name, number + 1, metric.key()),
                svg,
                caption: format!("{title}, over {over}"),
            });
        }
    }
    charts
}

/// A map, where there is anything to draw.
fn map(title: &str, seeds: u64, axes: [&str; 2], panels: Vec<Panel>) -> Option<String> {
    (!panels.is_empty()).then(|| {
        svg_of_heatmaps(&Heatmaps {
            title: title.to_owned(),
            subtitle: means_of(seeds),
            axes: axes.map(str::to_owned),
            panels,
        })
    })
}

/// Curves, where there are any of ours.
fn curves(title: &str, seeds: u64, axes: [&str; 2], series: Vec<Series>) -> Option<String> {
    let mut subtitle = means_of(seeds);
    if seeds > 1 {
        subtitle.push_str(", and one standard deviation to either side");
    }
    let is_ours = series.iter().any(|series| !series.is_dashed);
    is_ours.then(|| {
        svg_of_lines(&Lines {
            title: title.to_owned(),
            subtitle,
            axes: axes.map(str::to_owned),
            series,
            in_use: None,
        })
    })
}

fn means_of(seeds: u64) -> String {
    match seeds {
        1 => "one seed".to_owned(),
        n => format!("means of {n} seeds"),
    }
}

/// A map for each method that has any place.
fn panels(lines: &[&Line<'_>], metric: Metric) -> Vec<Panel> {
    let place = |(row, measured): &Line<'_>| {
        Some(HeatmapCell { at: [row.at?, row.up?], value: measured.as_ref()?.score(metric)?.mean })
    };
    let mut panels: Vec<Panel> = in_order(lines.iter().map(|(row, _)| row.method.as_str()))
        .into_iter()
        .map(|method| {
            let its = lines.iter().filter(|(row, _)| row.method == method);
            Panel { name: method.to_owned(), places: its.filter_map(|line| place(line)).collect() }
        })
        .collect();
    panels.retain(|panel| !panel.places.is_empty());
    panels
}

/// Ours, a line for each method, then what the paper printed; of settings that were tried it printed the best
/// alone, which is no curve.
fn series(lines: &[&Line<'_>], metric: Metric, is_scan: bool) -> Vec<Series> {
    let methods = in_order(lines.iter().map(|(row, _)| row.method.as_str()));
    let of = |method: &str, place: &dyn Fn(&Line<'_>) -> Option<LinePoint>| {
        let of_method = lines.iter().filter(|(row, _)| row.method == method);
        let mut points: Vec<LinePoint> = of_method.filter_map(|line| place(line)).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        points
    };
    let ours = |(row, measured): &Line<'_>| {
        let score = measured.as_ref()?.score(metric)?;
        Some(LinePoint { x: row.at?, y: score.mean, spread: score.deviation })
    };
    let printed = |(row, _): &Line<'_>| {
        Some(LinePoint { x: row.at?, y: metric.of(row.printed?)?, spread: None })
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
    if let Some(method) = methods.first().filter(|_| !is_scan) {
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
pub(super) fn in_order<T: PartialEq>(names: impl Iterator<Item = T>) -> Vec<T> {
    let mut each: Vec<T> = Vec::new();
    for name in names {
        if !each.contains(&name) {
            each.push(name);
        }
    }
    each
}
