//! From figures to what stands on a page.

use ilk::method::Method as _;
use serde_json::Value;

use super::chart::charts;
use super::{Block, Entry, Page, Section, Tone, scan};
use crate::reproduce::bars::{Line, Verdict};
use crate::reproduce::cells::{Cell, VERSION};
use crate::reproduce::measured::{MeanStd, Measured, rounded};
use crate::reproduce::results::Results;
use crate::reproduce::{
    Exhibit, QUICK_COMPARISONS, QUICK_LABELLED, QUICK_ROWS, Row, Run, asking_blocks, league,
};
use crate::summary::duration;
use crate::text::{count, counted};

/// The page of a paper.
pub(crate) fn build(results: &Results<'_>) -> Page {
    let (paper, effort) = (results.paper, results.effort);
    let name =
        if effort.is_quick { format!("{}-quick", paper.name) } else { paper.name.to_owned() };
    let mut sections = vec![protocol(results)];
    if !results.verdicts.is_empty() {
        sections.push(bars(&results.verdicts, effort.is_quick));
    }
    for (exhibit, lines) in &results.exhibits {
        let mut blocks = vec![Block::Text(exhibit.note.to_owned())];
        if exhibit.is_league {
            blocks.extend(league_blocks(lines));
        } else if exhibit.is_asking {
            blocks.extend(asking_blocks(&name, exhibit, lines, effort));
        } else if lines.iter().any(has_figures) {
            blocks.extend(charts(&name, exhibit, lines, effort));
            blocks.push(if exhibit.scan.is_some() {
                scan::table(exhibit, lines)
            } else {
                table(exhibit, lines)
            });
        } else if !exhibit.rows.is_empty() {
            blocks.push(Block::Notice("Not run.".to_owned()));
        }
        let asides = results.asides.iter();
        let its = asides.filter(|(of, _)| *of == exhibit.name);
        blocks.extend(its.flat_map(|(_, blocks)| blocks.iter().cloned()));
        sections.push(Section { heading: exhibit.title.to_owned(), blocks });
    }
    sections.push(not_run(results));
    sections.push(settings(results));
    sections.push(time(results));
    Page {
        name,
        kicker: format!("ilk reproduce {}", paper.name),
        title: format!("{}: the paper's figures and ours", paper.title),
        lede: format!("{}; measured by ilk {VERSION}.", paper.authors),
        sections,
    }
}

fn protocol(results: &Results<'_>) -> Section {
    let mut blocks = Vec::new();
    let seeds = counted(results.effort.seeds as usize, "seed");
    let mut command = format!("ilk reproduce {} --data DIR", results.paper.name);
    if results.effort.is_quick {
        command.push_str(" --quick");
        let extent = match results.paper.quick_places {
            None => format!("{QUICK_ROWS} rows and {seeds}"),
            Some(n) => format!(
                "{QUICK_ROWS} rows, {QUICK_LABELLED} labelled points a class, {QUICK_COMPARISONS} \
                 comparisons of a kind, {seeds} and {} of every curve",
                counted(n, "place")
            ),
        };
        blocks.push(Block::Notice(format!(
            "A quick run: at most {extent}. It shows that all works; its figures are not the paper's \
             experiments."
        )));
    }
    let paragraphs = results.paper.protocol.iter();
    blocks.extend(paragraphs.map(|&text| Block::Text(text.to_owned())));
    blocks.push(Block::Text(format!(
        "Ours are means of {seeds} with the standard deviation (over n - 1) behind ±; a difference is \
         ours less the paper's. To repeat: {command} --seeds {}. Every run is in cells.csv.",
        results.effort.seeds
    )));
    Section { heading: "How it was measured".to_owned(), blocks }
}

/// The tables of a league.
fn league_blocks(lines: &[Line<'_>]) -> Vec<Block> {
    let tables = league::tables(lines);
    if tables.is_empty() {
        return vec![Block::Notice("Not run.".to_owned())];
    }
    let blocks = tables.into_iter().flat_map(|table| {
        let entries = |row: Vec<String>| row.into_iter().map(Entry::from).collect();
        let rows = table.rows.into_iter().map(entries).collect();
        let head = table.head;
        [Block::Text(table.title), Block::Table { head, rows }]
    });
    blocks.collect()
}

/// The word for a verdict.
fn verdict(verdict: &Verdict, is_quick: bool) -> Entry {
    let (text, tone) = match verdict.holds {
        Some(true) => ("pass", Tone::Good),
        Some(false) => ("FAIL", Tone::Bad),
        None if is_quick => ("not judged", Tone::Plain),
        None => ("-", Tone::Plain),
    };
    Entry { text: text.to_owned(), tone }
}

fn bars(verdicts: &[Verdict], is_quick: bool) -> Section {
    let rows = verdicts
        .iter()
        .map(|it| vec![it.asked.clone().into(), it.found.clone().into(), verdict(it, is_quick)]);
    Section {
        heading: "Bars of this project".to_owned(),
        blocks: vec![Block::Table {
            head: ["asked", "found", "verdict"].map(str::to_owned).to_vec(),
            rows: rows.collect(),
        }],
    }
}

/// Whether there is anything to show.
fn has_figures((row, measured): &Line<'_>) -> bool {
    measured.is_some() || row.printed.is_some()
}

/// Whether it holds the place of a method that there is not yet.
fn is_to_come((row, _): &Line<'_>) -> bool {
    row.trial.is_none() && row.printed.is_none()
}

/// A score as the papers print it.
pub(crate) fn figure(score: f64) -> String {
    format!("{:.3}", rounded(score))
}

const NOTHING: &str = "-";

fn ours(spread: Option<MeanStd>) -> String {
    match spread {
        None => NOTHING.to_owned(),
        Some(MeanStd { mean, deviation: Some(deviation) }) => {
            format!("{} ± {}", figure(mean), figure(deviation))
        }
        Some(MeanStd { mean, .. }) => figure(mean),
    }
}

fn table(exhibit: &Exhibit, lines: &[Line<'_>]) -> Block {
    let is_printed = lines.iter().any(|(row, _)| row.printed.is_some());
    let is_compared = is_printed && !exhibit.is_elsewhere;
    let mut head: Vec<String> = vec!["data".to_owned()];
    head.extend(exhibit.over.map(str::to_owned));
    head.push("method".to_owned());
    for metric in exhibit.metrics {
        let name = metric.name();
        if is_printed {
            let whose = if exhibit.is_elsewhere { "paper, other data" } else { "paper" };
            head.push(format!("{name} {whose}"));
        }
        head.push(format!("{name} ours"));
        if is_compared {
            head.push("difference".to_owned());
        }
    }
    let kinds = BrokenKind::of(lines);
    head.push("clusters".to_owned());
    head.extend(kinds.iter().map(|it| it.heading().to_owned()));
    head.push("seeds".to_owned());
    let shown = lines.iter().filter(|line| has_figures(line) || is_to_come(line));
    let rows = shown.map(|(row, measured)| {
        let measured = measured.as_ref();
        let mut fields: Vec<Entry> = vec![row.data.clone().into()];
        if exhibit.over.is_some() {
            let at = row.at.map_or(NOTHING.to_owned(), |at| at.to_string());
            fields.push(at.into());
        }
        fields.push(method(row, measured).into());
        for &metric in exhibit.metrics {
            let printed = row.printed.and_then(|printed| metric.of(printed));
            let score = measured.and_then(|measured| measured.score(metric));
            if is_printed {
                fields.push(printed.map_or(NOTHING.to_owned(), figure).into());
            }
            fields.push(ours(score).into());
            if is_compared {
                let difference =
                    printed.zip(score).map(|(p, s)| format!("{:+.3}", rounded(s.mean - p)));
                fields.push(difference.unwrap_or_else(|| NOTHING.to_owned()).into());
            }
        }
        let or_nothing = |of: &dyn Fn(&Measured<'_>) -> String| {
            Entry::from(measured.map_or_else(|| NOTHING.to_owned(), of))
        };
        fields.push(or_nothing(&|it| tenths(it.mean(|cell| cell.clusters))));
        fields.extend(kinds.iter().map(|kind| or_nothing(&|it| kind.broken(it))));
        fields.push(or_nothing(&|it| it.cells.len().to_string()));
        fields
    });
    Block::Table { head, rows: rows.collect() }
}

/// Kinds of constraints of which a table says how many were broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BrokenKind {
    MustLinks,
    Comparisons,
}

impl BrokenKind {
    /// Those that were given.
    fn of(lines: &[Line<'_>]) -> Vec<Self> {
        let given = |it: &Self| {
            let mut measured = lines.iter().filter_map(|(_, measured)| measured.as_ref());
            measured.any(|measured| measured.sum(|cell| it.counts(cell)[1]) > 0)
        };
        let mut kinds = vec![Self::MustLinks, Self::Comparisons];
        kinds.retain(given);
        kinds
    }

    fn heading(self) -> &'static str {
        match self {
            Self::MustLinks => "must-links broken",
            Self::Comparisons => "comparisons broken",
        }
    }

    /// Broken ones, and all.
    fn counts(self, cell: &Cell) -> [usize; 2] {
        match self {
            Self::MustLinks => [cell.must_broken, cell.must_links],
            Self::Comparisons => [cell.comparisons_broken, cell.comparisons],
        }
    }

    fn broken(self, measured: &Measured<'_>) -> String {
        let [broken, constraints] =
            [0, 1].map(|i| tenths(measured.mean(|cell| self.counts(cell)[i])));
        format!("{broken} of {constraints}")
    }
}

/// The method, and which of its candidates was the best.
fn method(row: &Row, measured: Option<&Measured<'_>>) -> String {
    match measured.and_then(|measured| measured.candidate) {
        Some(candidate) => format!("{} ({candidate})", row.method),
        None if row.trial.is_none() && row.printed.is_none() => {
            format!("{} (a later version fills this)", row.method)
        }
        None => row.method.clone(),
    }
}

/// A mean of counts: with one decimal, and none where it is whole.
fn tenths(mean: f64) -> String {
    match mean.fract() {
        0.0 => count(mean as usize),
        _ => format!("{mean:.1}"),
    }
}

fn not_run(results: &Results<'_>) -> Section {
    Section {
        heading: "What was not run, and why".to_owned(),
        blocks: vec![Block::List(results.not_run.clone())],
    }
}

/// Every method of the tables with all of its parameters.
fn settings(results: &Results<'_>) -> Section {
    let mut rows: Vec<Vec<Entry>> = Vec::new();
    let mut seen: Vec<String> = Vec::new();
    for (exhibit, lines) in &results.exhibits {
        for (row, _) in lines {
            let Some(trial) = row.trial.as_ref().filter(|_| !is_varied(row, exhibit)) else {
                continue;
            };
            for candidate in trial.candidates.iter().take(1) {
                // What a course of questions is, its name and place tell.
                let Run::Fit(method) = &candidate.run else { continue };
                let text = parameters(method);
                if !seen.contains(&text) {
                    let place = format!("{}, from {}", row.method, exhibit.name);
                    rows.push(vec![place.into(), text.clone().into()]);
                    seen.push(text);
                }
            }
        }
    }
    Section {
        heading: "Settings".to_owned(),
        blocks: vec![Block::Table {
            head: ["method", "parameters"].map(str::to_owned).to_vec(),
            rows,
        }],
    }
}

/// Whether the method's settings change along the curve: that is what the plot shows.
fn is_varied(row: &Row, exhibit: &Exhibit) -> bool {
    let method = |row: &Row| Some(row.trial.as_ref()?.candidates.first()?.run.clone());
    let its = method(row);
    let on_curve = |other: &&Row| other.method == row.method && other.data == row.data;
    exhibit.over.is_some() && exhibit.rows.iter().filter(on_curve).any(|r| method(r) != its)
}

fn parameters(method: &ilk::method::AnyMethod) -> String {
    let tagged = serde_json::to_value(method).unwrap_or_default();
    let fields = tagged.get("params").and_then(Value::as_object);
    let word = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => "none".to_owned(),
        value => value.to_string(),
    };
    let fields: Vec<String> = fields
        .into_iter()
        .flatten()
        .map(|(name, value)| format!("{name} {}", word(value)))
        .collect();
    format!("{}: {}", method.info().name, fields.join(", "))
}

/// The last section, because it is the only one that differs from run to run.
fn time(results: &Results<'_>) -> Section {
    let mut rows: Vec<Vec<Entry>> = Vec::new();
    for (exhibit, lines) in &results.exhibits {
        let mut methods: Vec<(&str, Vec<f64>)> = Vec::new();
        for (row, measured) in lines {
            let Some(measured) = measured else { continue };
            let seconds = measured.cells.iter().map(|cell| cell.seconds);
            match methods.iter_mut().find(|(name, _)| *name == row.method) {
                Some((_, all)) => all.extend(seconds),
                None => methods.push((&row.method, seconds.collect())),
            }
        }
        for (method, mut seconds) in methods {
            seconds.sort_by(f64::total_cmp);
            let middle = seconds.len() / 2;
            let median = f64::midpoint(seconds[(seconds.len() - 1) / 2], seconds[middle]);
            let longest = seconds[seconds.len() - 1];
            rows.push(vec![
                exhibit.name.to_owned().into(),
                method.to_owned().into(),
                seconds.len().to_string().into(),
                duration(median).into(),
                duration(longest).into(),
            ]);
        }
    }
    Section {
        heading: "Time".to_owned(),
        blocks: vec![
            Block::Text(
                "Of one fit, or of one question with learning from its answer, with one thread to itself \
                 while others ran beside it."
                    .to_owned(),
            ),
            Block::Table {
                head: ["experiment", "method", "fits", "median", "longest"]
                    .map(str::to_owned)
                    .to_vec(),
                rows,
            },
        ],
    }
}
