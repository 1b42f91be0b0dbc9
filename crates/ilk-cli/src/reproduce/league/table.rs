//! What came of the methods over all sets together.

use std::collections::BTreeMap;

use crate::reproduce::bars::Line;
use crate::reproduce::cells::Cell;
use crate::reproduce::page::figure;

/// Rows without constraints that a score needs at least.
const FEWEST_FREE: usize = 20;

/// A fall of the adjusted Rand index up to this is not counted as harm: descents end a little differently.
const TOLERANCE: f64 = 0.02;

/// The method that all are compared with.
const BASELINE: &str = "KMeans";

/// A table of a league, as text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LeagueTable {
    pub(crate) title: String,
    pub(crate) head: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

/// One table for each number of constraints, then the mean scores by set.
pub(crate) fn tables(lines: &[Line<'_>]) -> Vec<LeagueTable> {
    let mut places: Vec<f64> = lines.iter().filter_map(|(row, _)| row.at).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let mut tables = Vec::new();
    for at in places {
        let standings = Standings::at(lines, at);
        if !standings.methods.is_empty() {
            tables.push(standings.table(at));
            tables.push(standings.by_set(at));
        }
    }
    tables
}

/// The scored cells of one number of constraints, by method in the order of the rows.
struct Standings<'a> {
    methods: Vec<(&'a str, Vec<&'a Cell>)>,
    /// The scores of all methods by set and seed.
    scores: BTreeMap<(&'a str, u64), Vec<f64>>,
    /// The score of the baseline by set and seed.
    baseline: BTreeMap<(&'a str, u64), f64>,
}

/// The score of a cell, where enough rows are free.
fn score(cell: &Cell) -> Option<f64> {
    cell.ari_free.filter(|_| cell.free >= FEWEST_FREE)
}

impl<'a> Standings<'a> {
    fn at(lines: &'a [Line<'a>], at: f64) -> Self {
        let mut standings =
            Self { methods: Vec::new(), scores: BTreeMap::new(), baseline: BTreeMap::new() };
        for (row, measured) in lines {
            let (Some(measured), true) = (measured, row.at == Some(at)) else {
                continue;
            };
            let known = standings.methods.iter();
            let place = known.clone().position(|(name, _)| *name == row.method);
            let place = place.unwrap_or(standings.methods.len());
            if place == standings.methods.len() {
                standings.methods.push((&row.method, Vec::new()));
            }
            for &cell in &measured.cells {
                let Some(score) = score(cell) else { continue };
                standings.methods[place].1.push(cell);
                let key = (cell.data.as_str(), cell.seed);
                standings.scores.entry(key).or_default().push(score);
                if row.method == BASELINE {
                    standings.baseline.insert(key, score);
                }
            }
        }
        standings.methods.retain(|(_, cells)| !cells.is_empty());
        standings
    }

    fn table(&self, at: f64) -> LeagueTable {
        let mut rows: Vec<(f64, Vec<String>)> =
            self.methods.iter().map(|(method, cells)| self.row(method, cells)).collect();
        rows.sort_by(|a, b| b.0.total_cmp(&a.0));
        let head = [
            "method",
            "mean ARI",
            "rank",
            "broken",
            "clusters",
            "seconds",
            "harm",
            "below k-means",
            "runs",
        ];
        LeagueTable {
            title: format!("{at} constraints"),
            head: head.map(str::to_owned).to_vec(),
            rows: rows.into_iter().map(|(_, row)| row).collect(),
        }
    }

    /// The mean score of a method, and its row.
    fn row(&self, method: &str, cells: &[&Cell]) -> (f64, Vec<String>) {
        let scored = || cells.iter().filter_map(|&cell| Some((cell, score(cell)?)));
        let n = cells.len() as f64;
        let mean = scored().map(|(_, score)| score).sum::<f64>() / n;
        let ranks = scored().filter_map(|(cell, score)| {
            let all = self.scores.get(&(cell.data.as_str(), cell.seed))?;
            Some(1.0 + all.iter().filter(|&&other| other > score).count() as f64)
        });
        let sum = |of: fn(&Cell) -> usize| cells.iter().map(|cell| of(cell)).sum::<usize>();
        let given = sum(|c| c.must_links + c.cannot_links + c.comparisons + c.labels);
        let broken =
            sum(|c| c.must_broken + c.cannot_broken + c.comparisons_broken + c.labels_broken);
        let found = cells.iter().map(|c| c.clusters as f64 / c.classes.max(1) as f64);
        let compared = |pairs: Vec<(f64, f64)>| {
            let fell = pairs.iter().filter(|(score, of)| *score < of - TOLERANCE);
            (fell.count(), pairs.len())
        };
        let (harmed, with_own) = compared(
            scored().filter_map(|(cell, score)| Some((score, cell.ari_without?))).collect(),
        );
        let (below, with_baseline) = compared(
            scored()
                .filter_map(|(cell, score)| {
                    let baseline = self.baseline.get(&(cell.data.as_str(), cell.seed))?;
                    Some((score, *baseline))
                })
                .collect(),
        );
        let share = |part: usize, all: usize| match all {
            0 => "-".to_owned(),
            all => format!("{:.1}%", 100.0 * part as f64 / all as f64),
        };
        let row = vec![
            method.to_owned(),
            figure(mean),
            format!("{:.0}", median(ranks.collect())),
            share(broken, given),
            format!("{:.2}", median(found.collect())),
            format!("{:.2}", median(cells.iter().map(|c| c.seconds).collect())),
            if given == 0 { "-".to_owned() } else { share(harmed, with_own) },
            share(below, with_baseline),
            cells.len().to_string(),
        ];
        (mean, row)
    }

    /// The mean score of every method on every set.
    fn by_set(&self, at: f64) -> LeagueTable {
        let mut sets: Vec<&str> = self.scores.keys().map(|(set, _)| *set).collect();
        sets.dedup();
        let mut head = vec!["set".to_owned()];
        head.extend(self.methods.iter().map(|(method, _)| (*method).to_owned()));
        let rows = sets.into_iter().map(|set| {
            let mut row = vec![set.to_owned()];
            for (_, cells) in &self.methods {
                let scores: Vec<f64> = cells
                    .iter()
                    .filter(|cell| cell.data == set)
                    .filter_map(|cell| score(cell))
                    .collect();
                row.push(match scores.len() {
                    0 => "-".to_owned(),
                    n => figure(scores.iter().sum::<f64>() / n as f64),
                });
            }
            row
        });
        LeagueTable {
            title: format!("{at} constraints, mean ARI by set"),
            head,
            rows: rows.collect(),
        }
    }
}

/// The median; NaN of nothing.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        n => f64::midpoint(values[(n - 1) / 2], values[n / 2]),
    }
}
