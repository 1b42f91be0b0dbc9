//! What the figures are asked to show, and whether they do.

use super::measured::{Measured, Metric};
use super::{Exhibit, Row};

/// Something that is asked of the figures.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Bar {
    /// A method is as good as the paper says, to within `by`, in both scores.
    AsPrinted {
        exhibit: &'static str,
        method: &'static str,
        by: f64,
    },
    /// A method's mean ARI on some data is at least this.
    AtLeast {
        exhibit: &'static str,
        data: &'static str,
        method: &'static str,
        ari: f64,
    },
    /// A method finds this many clusters, on average over the seeds.
    Clusters {
        exhibit: &'static str,
        data: &'static str,
        method: &'static str,
        from: usize,
        to: usize,
    },
    /// A method breaks no must-link, with any seed.
    KeepsMustLinks {
        exhibit: &'static str,
        method: &'static str,
    },
    /// A method's mean ARI is nowhere lower than another's by more than `by`.
    NotBelow {
        exhibit: &'static str,
        method: &'static str,
        than: &'static str,
        by: f64,
    },
}

/// How a bar was met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// What was asked.
    pub(crate) asked: String,
    /// What was found.
    pub(crate) found: String,
    /// Whether it holds; none where nothing was measured.
    pub(crate) holds: Option<bool>,
}

/// A row and what came of it.
pub(crate) type Line<'a> = (&'a Row, Option<Measured<'a>>);

/// Holds a bar against the figures.
pub(crate) fn judge(bar: &Bar, exhibits: &[(&Exhibit, Vec<Line<'_>>)]) -> Verdict {
    let asked = bar.to_string();
    let (wanted, method) = bar.place();
    let lines = exhibits
        .iter()
        .find(|(exhibit, _)| exhibit.name == wanted)
        .map_or(&[][..], |(_, lines)| lines);
    let of = |name: &str| -> Vec<(&Row, &Measured<'_>)> {
        let of_method = lines.iter().filter(move |(row, _)| row.method == name);
        of_method
            .filter_map(|(row, measured)| Some((*row, measured.as_ref()?)))
            .collect()
    };
    let ours = of(method);
    let found = match bar {
        Bar::AsPrinted { by, .. } => as_printed(&ours, *by),
        Bar::AtLeast { data, ari, .. } => on(&ours, data).map(|measured| {
            let mean = measured.score(Metric::Ari).mean;
            (format!("{mean:.3}"), mean >= *ari)
        }),
        Bar::Clusters { data, from, to, .. } => on(&ours, data).map(|measured| {
            let mean = measured.mean(|cell| cell.clusters);
            let (low, high) = measured.range(|cell| cell.clusters);
            let holds = mean >= *from as f64 && mean <= *to as f64;
            (format!("{mean:.1} ({low} to {high})"), holds)
        }),
        Bar::KeepsMustLinks { .. } => (!ours.is_empty()).then(|| {
            let broken: usize = ours.iter().map(|(_, m)| m.sum(|c| c.must_broken)).sum();
            let said: usize = ours.iter().map(|(_, m)| m.sum(|c| c.must_links)).sum();
            (format!("{broken} of {said} broken"), broken == 0)
        }),
        Bar::NotBelow { than, by, .. } => not_below(&ours, &of(than), *by),
    };
    match found {
        Some((found, holds)) => Verdict {
            asked,
            found,
            holds: Some(holds),
        },
        None => Verdict {
            asked,
            found: "not measured".to_owned(),
            holds: None,
        },
    }
}

fn on<'a>(lines: &[(&Row, &'a Measured<'a>)], data: &str) -> Option<&'a Measured<'a>> {
    let on_data = lines.iter().find(|(row, _)| row.data == data);
    on_data.map(|(_, measured)| *measured)
}

/// The largest distance from what the paper printed.
fn as_printed(lines: &[(&Row, &Measured<'_>)], by: f64) -> Option<(String, bool)> {
    let printed = lines
        .iter()
        .filter_map(|(row, m)| Some((row, m, row.printed?)));
    let distances = printed.flat_map(|(row, measured, printed)| {
        Metric::ALL.into_iter().filter_map(move |metric| {
            let distance = measured.score(metric).mean - metric.of(printed)?;
            Some((distance, format!("{} of {}", metric.name(), row.data)))
        })
    });
    let (distance, place) = distances.max_by(|a, b| a.0.abs().total_cmp(&b.0.abs()))?;
    let found = format!("at most {distance:+.3}, {place}");
    Some((found, rounded(distance.abs()) <= by))
}

/// The largest loss against another method on the same data.
fn not_below(
    ours: &[(&Row, &Measured<'_>)],
    others: &[(&Row, &Measured<'_>)],
    by: f64,
) -> Option<(String, bool)> {
    let differences = ours.iter().filter_map(|(row, measured)| {
        let same =
            |(other, _): &&(&Row, &Measured<'_>)| other.data == row.data && other.at == row.at;
        let (_, other) = others.iter().find(same)?;
        let difference = measured.score(Metric::Ari).mean - other.score(Metric::Ari).mean;
        Some((difference, row.data.as_str()))
    });
    let (least, data) = differences.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let found = format!("at the lowest {least:+.3}, {data}");
    Some((found, rounded(least) >= -by))
}

/// To the three decimals in which papers print, so that what is shown is what is judged.
fn rounded(score: f64) -> f64 {
    (score * 1e3).round() / 1e3
}

impl Bar {
    /// The exhibit and the method that it is about.
    pub(super) fn place(&self) -> (&'static str, &'static str) {
        match *self {
            Self::AsPrinted {
                exhibit, method, ..
            }
            | Self::AtLeast {
                exhibit, method, ..
            }
            | Self::Clusters {
                exhibit, method, ..
            }
            | Self::KeepsMustLinks { exhibit, method }
            | Self::NotBelow {
                exhibit, method, ..
            } => (exhibit, method),
        }
    }
}

impl std::fmt::Display for Bar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::AsPrinted {
                exhibit,
                method,
                by,
            } => write!(f, "{exhibit}: {method} within {by} of what is printed"),
            Self::AtLeast {
                exhibit,
                data,
                method,
                ari,
            } => write!(f, "{exhibit}: {method} on {data}, ARI at least {ari}"),
            Self::Clusters {
                exhibit,
                data,
                method,
                from,
                to,
            } => write!(f, "{exhibit}: {method} on {data}, {from} to {to} clusters"),
            Self::KeepsMustLinks { exhibit, method } => {
                write!(f, "{exhibit}: {method} breaks no must-link")
            }
            Self::NotBelow {
                exhibit,
                method,
                than,
                by,
            } => write!(
                f,
                "{exhibit}: ARI of {method} nowhere more than {by} below {than}"
            ),
        }
    }
}
