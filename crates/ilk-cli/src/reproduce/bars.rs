//! What the figures are asked to show, and whether they do.

use std::fmt;

use super::measured::{Measured, Metric, rounded};
use super::{Exhibit, Row};

/// Something that is asked of a method in some exhibits.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bar {
    pub(crate) exhibits: &'static [&'static str],
    pub(crate) method: &'static str,
    pub(crate) asked: Asked,
    /// The place on the curve that it is about, where that is one.
    pub(crate) at: Option<f64>,
}

/// What is asked. Scores are means over the seeds, rounded to the three decimals that are shown; that of an
/// exhibit is its first, and is named where it is not the ARI.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Asked {
    /// Both scores are as the paper printed them, to within this.
    AsPrinted { within: f64 },
    /// The first score of the exhibit, on some data, is at least this.
    AtLeast { data: &'static str, score: f64 },
    /// The number of clusters on some data, on average over the seeds.
    Clusters { data: &'static str, from: usize, to: usize },
    /// No must-link is broken, with any seed.
    KeepsMustLinks,
    /// The ARI is nowhere lower than another method's by more than this.
    NotBelow { method: &'static str, by: f64 },
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

/// A row of which something came, and its exhibit.
type Place<'a> = (&'a Exhibit, &'a Row, &'a Measured<'a>);

/// Holds a bar against the figures.
pub(crate) fn judge(bar: &Bar, exhibits: &[(&Exhibit, Vec<Line<'_>>)]) -> Verdict {
    let places = |method: &str| {
        let (mut measured, mut rows) = (Vec::new(), 0);
        let wanted = |(exhibit, _): &&(&Exhibit, _)| bar.exhibits.contains(&exhibit.name);
        for (exhibit, lines) in exhibits.iter().filter(wanted) {
            for (row, its) in lines.iter().filter(|(row, _)| row.method == method) {
                let is_there = bar.at.is_none_or(|at| row.at == Some(at));
                if is_there && bar.asked.data().is_none_or(|data| data == row.data) {
                    rows += 1;
                    measured.extend(its.as_ref().map(|its| (*exhibit, *row, its)));
                }
            }
        }
        (measured, rows)
    };
    let (ours, rows) = places(bar.method);
    let judged = match bar.asked {
        Asked::AsPrinted { within } => as_printed(&ours, within),
        Asked::AtLeast { score, .. } => ours.first().and_then(|place| {
            let mean = rounded(place_score(place)?);
            let found = match place.0.judged() {
                Metric::Ari => format!("{mean:.3}"),
                other => format!("{} {mean:.3}", other.name()),
            };
            Some((found, mean >= score))
        }),
        Asked::Clusters { from, to, .. } => ours.first().map(|(_, _, its)| {
            let mean = its.mean(|cell| cell.clusters);
            let (low, high) = its.range(|cell| cell.clusters);
            let holds = mean >= from as f64 && mean <= to as f64;
            (format!("{mean:.1} ({low} to {high})"), holds)
        }),
        Asked::KeepsMustLinks => keeps_must_links(&ours),
        Asked::NotBelow { method, by } => not_below(&ours, &places(method).0, by),
    };
    let (mut found, holds) = match judged {
        Some((found, holds)) => (found, Some(holds)),
        None => ("not measured".to_owned(), None),
    };
    if holds.is_some() && ours.len() < rows {
        found = format!("{found}; {} of {rows} rows measured", ours.len());
    }
    Verdict { asked: bar.to_string(), found, holds }
}

/// The mean of the score that is judged.
fn place_score((exhibit, _, its): &Place<'_>) -> Option<f64> {
    its.score(exhibit.judged()).map(|score| score.mean)
}

/// The largest distance from what the paper printed.
fn as_printed(places: &[Place<'_>], within: f64) -> Option<(String, bool)> {
    let distances = places.iter().flat_map(|(exhibit, row, its)| {
        exhibit.metrics.iter().filter_map(move |metric| {
            let distance = its.score(*metric)?.mean - metric.of(row.printed?)?;
            let place = format!("{} of {} in {}", metric.name(), row.data, exhibit.name);
            Some((rounded(distance), place))
        })
    });
    let (distance, place) = distances.max_by(|a, b| a.0.abs().total_cmp(&b.0.abs()))?;
    let found = format!("farthest {distance:+.3}, {place}");
    Some((found, distance.abs() <= within))
}

fn keeps_must_links(places: &[Place<'_>]) -> Option<(String, bool)> {
    let broken = |(_, _, its): &Place<'_>| its.sum(|cell| cell.must_broken);
    let constraints = |(_, _, its): &Place<'_>| its.sum(|cell| cell.must_links);
    let worst = places.iter().max_by_key(|place| broken(place))?;
    let all: usize = places.iter().map(broken).sum();
    let of: usize = places.iter().map(constraints).sum();
    let found = match all {
        0 => format!("none of {of} broken"),
        all => {
            let (exhibit, row, _) = worst;
            let place = format!("{} in {}", row.data, exhibit.name);
            format!("{all} of {of} broken, most on {place}")
        }
    };
    Some((found, all == 0))
}

/// The largest loss against another method on the same data.
fn not_below(ours: &[Place<'_>], others: &[Place<'_>], by: f64) -> Option<(String, bool)> {
    let differences = ours.iter().filter_map(|place| {
        let (exhibit, row, _) = place;
        let same = |other: &&Place<'_>| {
            let (its_exhibit, other, _) = other;
            its_exhibit.name == exhibit.name && other.data == row.data && other.at == row.at
        };
        let difference = place_score(place)? - place_score(others.iter().find(same)?)?;
        let place = format!("{} in {}", row.data, exhibit.name);
        Some((rounded(difference), place))
    });
    let (least, place) = differences.min_by(|a, b| a.0.total_cmp(&b.0))?;
    Some((format!("lowest {least:+.3}, {place}"), least >= -by))
}

impl Asked {
    /// The data that it is about, where those are some of an exhibit's.
    pub(super) fn data(self) -> Option<&'static str> {
        match self {
            Self::AtLeast { data, .. } | Self::Clusters { data, .. } => Some(data),
            Self::AsPrinted { .. } | Self::KeepsMustLinks | Self::NotBelow { .. } => None,
        }
    }
}

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (exhibits, method) = (self.exhibits.join(", "), self.method);
        let at = self.at.map_or(String::new(), |at| format!(" at {at}"));
        match self.asked {
            Asked::AsPrinted { within } => write!(f, "{method}{at} within {within} of the paper"),
            Asked::AtLeast { data, score } => {
                write!(f, "{method} on {data}{at}: at least {score}")
            }
            Asked::Clusters { data, from, to } if from == to => {
                write!(f, "{method} on {data}{at}: {from} clusters")
            }
            Asked::Clusters { data, from, to } => {
                write!(f, "{method} on {data}{at}: {from} to {to} clusters")
            }
            Asked::KeepsMustLinks => write!(f, "{method}{at} breaks no must-link"),
            Asked::NotBelow { method: than, by } => {
                write!(f, "ARI of {method}{at} nowhere more than {by} below {than}")
            }
        }?;
        write!(f, " ({exhibits})")
    }
}
