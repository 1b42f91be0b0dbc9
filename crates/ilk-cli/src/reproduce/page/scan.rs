//! Settings that were tried, in short: the highest, the median and the lowest score.

use super::build::figure;
use super::chart::in_order;
use super::{Block, Entry};
use crate::reproduce::bars::Line;
use crate::reproduce::{Exhibit, Metric};
use crate::text::{count, number};

/// What came of the settings that were tried on some data.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scan<'a> {
    pub(crate) data: &'a str,
    pub(crate) method: &'a str,
    /// The highest in the paper.
    pub(crate) printed: Option<String>,
    /// The highest: by the true classes, which are not known where clusters are needed.
    pub(crate) highest: String,
    /// The first setting that has it.
    pub(crate) place: String,
    pub(crate) median: String,
    pub(crate) lowest: String,
    pub(crate) places: usize,
}

/// Those of an exhibit, by data and method.
pub(crate) fn scans<'a>(exhibit: &Exhibit, lines: &'a [Line<'a>]) -> Vec<Scan<'a>> {
    let metric = exhibit.judged();
    let text = |score: f64| match metric {
        Metric::Clusters => number(score),
        _ => figure(score),
    };
    let keys = in_order(lines.iter().map(|(row, _)| (row.data.as_str(), row.method.as_str())));
    let scan = |(data, method): (&'a str, &'a str)| {
        let its = lines
            .iter()
            .filter(move |(row, _)| (row.data.as_str(), row.method.as_str()) == (data, method));
        let printed = exhibit.scan.into_iter().flatten();
        let printed = printed.copied().find(|(name, _)| *name == method);
        let mut values = Vec::new();
        let mut highest: Option<(f64, String)> = None;
        for (row, measured) in its {
            let Some(score) = measured.as_ref().and_then(|it| it.score(metric)) else {
                continue;
            };
            values.push(score.mean);
            if highest.as_ref().is_none_or(|(most, _)| score.mean > *most) {
                let on = |axis: Option<&str>, at: Option<f64>| {
                    axis.zip(at).map(|(axis, at)| format!("{axis} {}", number(at)))
                };
                let axes = [on(exhibit.against, row.up), on(exhibit.over, row.at)];
                let place: Vec<String> = axes.into_iter().flatten().collect();
                highest = Some((score.mean, place.join(", ")));
            }
        }
        values.sort_by(f64::total_cmp);
        let (highest, place) = highest?;
        let n = values.len();
        Some(Scan {
            data,
            method,
            printed: printed.map(|(_, score)| text(score)),
            highest: text(highest),
            place,
            median: text(f64::midpoint(values[(n - 1) / 2], values[n / 2])),
            lowest: text(values[0]),
            places: n,
        })
    };
    keys.into_iter().filter_map(scan).collect()
}

/// As a table.
pub(super) fn table(exhibit: &Exhibit, lines: &[Line<'_>]) -> Block {
    let scans = scans(exhibit, lines);
    let is_printed = scans.iter().any(|scan| scan.printed.is_some());
    let name = exhibit.judged().name();
    let mut head = vec!["data".to_owned(), "method".to_owned()];
    if is_printed {
        head.push(format!("highest {name} in the paper"));
    }
    head.extend([
        format!("highest {name}"),
        "where".to_owned(),
        "median".to_owned(),
        "lowest".to_owned(),
        "settings".to_owned(),
    ]);
    let rows = scans.into_iter().map(|scan| {
        let mut fields: Vec<Entry> =
            vec![scan.data.to_owned().into(), scan.method.to_owned().into()];
        if is_printed {
            fields.push(scan.printed.unwrap_or_else(|| "-".to_owned()).into());
        }
        fields.push(scan.highest.into());
        fields.push(scan.place.into());
        fields.push(scan.median.into());
        fields.push(scan.lowest.into());
        fields.push(count(scan.places).into());
        fields
    });
    Block::Table { head, rows: rows.collect() }
}
