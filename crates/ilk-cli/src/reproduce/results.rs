//! All that came of a paper's experiments, for whoever shows it.

use serde_json::{Value, json};

use super::bars::{Line, Verdict, judge};
use super::cells::Ledger;
use super::folder::Folder;
use super::measured::{MeanStd, Measured, Metric};
use super::run::Failure;
use super::{Block, Effort, Exhibit, Paper, Row};

/// The figures of a paper.
#[derive(Debug)]
pub(crate) struct Results<'a> {
    pub(crate) paper: &'a Paper,
    pub(crate) effort: Effort,
    /// The exhibits with what came of each row.
    pub(crate) exhibits: Vec<(&'a Exhibit, Vec<Line<'a>>)>,
    /// What else was worked out, by the name of its exhibit.
    pub(crate) asides: Vec<(&'static str, Vec<Block>)>,
    pub(crate) verdicts: Vec<Verdict>,
    /// What could not be run, and why, a sentence each.
    pub(crate) not_run: Vec<String>,
}

impl<'a> Results<'a> {
    /// Gathers the finished cells. The figures of a quick run are judged by nothing.
    pub(crate) fn new(
        paper: &'a Paper,
        effort: Effort,
        folder: &Folder,
        ledger: &'a Ledger,
        failures: &[Failure],
        asides: Vec<(&'static str, Vec<Block>)>,
    ) -> Self {
        let measured = |exhibit: &Exhibit, row: &'a Row| {
            Measured::of(row, folder, ledger, exhibit.seeds(effort.seeds))
        };
        let exhibits: Vec<(&Exhibit, Vec<Line<'a>>)> = paper
            .exhibits
            .iter()
            .map(|exhibit| {
                let lines = exhibit.rows.iter().map(|row| (row, measured(exhibit, row)));
                (exhibit, lines.collect())
            })
            .collect();
        let mut verdicts: Vec<Verdict> =
            paper.bars.iter().map(|bar| judge(bar, &exhibits)).collect();
        if effort.is_quick {
            for verdict in &mut verdicts {
                verdict.holds = None;
            }
        }
        let mut not_run = missing_sets(paper, folder);
        not_run.extend(unfinished(&exhibits, folder));
        not_run.extend(failures.iter().map(|f| format!("{}: {}", f.cell, f.why)));
        not_run.extend(paper.left_out.iter().map(|&why| why.to_owned()));
        Self { paper, effort, exhibits, asides, verdicts, not_run }
    }

    pub(crate) fn as_json(&self) -> Value {
        let score = |spread: MeanStd| json!({ "mean": spread.mean, "deviation": spread.deviation });
        let row = |exhibit: &Exhibit, (row, measured): &Line<'_>| {
            let ours = measured.as_ref().map(|measured| {
                let mut ours = json!({
                    "candidate": measured.candidate,
                    "seeds": measured.cells.len(),
                    "clusters": measured.mean(|cell| cell.clusters),
                    "must_broken": measured.mean(|cell| cell.must_broken),
                    "cannot_broken": measured.mean(|cell| cell.cannot_broken),
                    "comparisons_broken": measured.mean(|cell| cell.comparisons_broken),
                });
                for metric in Metric::ALL {
                    if let Some(spread) = measured.score(metric) {
                        ours[metric.key()] = score(spread);
                    }
                }
                ours
            });
            json!({
                "experiment": exhibit.name,
                "data": row.data,
                "method": row.method,
                "at": row.at,
                "up": row.up,
                "printed": row.printed.map(|p| {
                    json!({ "ari": p.ari, "nmi": p.nmi, "accuracy": p.accuracy })
                }),
                "ours": ours,
            })
        };
        let rows = self
            .exhibits
            .iter()
            .flat_map(|(exhibit, lines)| lines.iter().map(|line| row(exhibit, line)));
        let verdicts = self.verdicts.iter().map(|verdict| {
            json!({ "asked": verdict.asked, "found": verdict.found, "holds": verdict.holds })
        });
        json!({
            "paper": self.paper.name,
            "quick": self.effort.is_quick,
            "rows": rows.collect::<Vec<_>>(),
            "bars": verdicts.collect::<Vec<_>>(),
            "not_run": self.not_run,
        })
    }
}

/// The sets that are missing, with the names that the tables give them.
fn missing_sets(paper: &Paper, folder: &Folder) -> Vec<String> {
    let sentence = |(name, why): &(&'static str, String)| {
        let rows = paper.exhibits.iter().flat_map(|exhibit| &exhibit.rows);
        let on_set = rows.filter(|row| stored(row) == Some(*name));
        let mut data: Vec<&str> = Vec::new();
        for row in on_set {
            if !data.contains(&row.data.as_str()) {
                data.push(&row.data);
            }
        }
        format!("{} (the set {name}): {why}.", data.join(", "))
    };
    folder.missing.iter().map(sentence).collect()
}

fn stored(row: &Row) -> Option<&'static str> {
    row.trial.as_ref()?.task.set.stored()
}

/// Exhibits with rows that could be run and were not yet.
fn unfinished(exhibits: &[(&Exhibit, Vec<Line<'_>>)], folder: &Folder) -> Vec<String> {
    let open = |(row, measured): &&Line<'_>| {
        let is_missing = stored(row).is_some_and(|name| folder.set(name).is_none());
        row.trial.is_some() && measured.is_none() && !is_missing
    };
    exhibits
        .iter()
        .filter_map(|(exhibit, lines)| {
            let open = lines.iter().filter(open).count();
            (open > 0).then(|| {
                let rows = crate::text::counted(open, "row");
                format!("{}: {rows} not run yet.", exhibit.title)
            })
        })
        .collect()
}
