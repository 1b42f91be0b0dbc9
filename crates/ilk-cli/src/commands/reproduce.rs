//! `ilk reproduce`: a paper's experiments run again, its figures beside ours.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};

use crate::failure::Usage;
use crate::progress::Guard;
use crate::reproduce::{
    Block, Effort, Entry, Folder, Ledger, Order, Paper, Results, asides, asking_blocks, build,
    figure, finish, league_tables, scans, write,
};
use crate::terminal::{self, Terminal};
use crate::text::table;

#[derive(Debug, Args)]
pub(crate) struct ReproduceArgs {
    /// The paper; without one, lists what there is
    paper: Option<String>,
    /// See in under two minutes that all works: few rows, one seed
    #[arg(long)]
    quick: bool,
    /// Folder with the papers' data sets, `NAME/NAME.npz` each; without it only generated ones are run
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Repeat everything with this many seeds [default: 5 to 10 by the paper, or 1 with --quick]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: Option<u64>,
    /// Folder for the pages and for the finished cells, which are not run again
    #[arg(long, short, value_name = "DIR", default_value = "ilk-results")]
    out: PathBuf,
    /// Run this table or figure only; may be repeated
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Run this method only, as the tables call it; may be repeated
    #[arg(long, value_name = "NAME")]
    method: Vec<String>,
    /// Run on these data only, as the tables call them; may be repeated
    #[arg(long, value_name = "NAME")]
    set: Vec<String>,
}

pub(crate) fn run(args: &ReproduceArgs, terminal: &Terminal) -> Result<()> {
    let Some(name) = &args.paper else {
        return list(terminal);
    };
    let paper = Paper::named(name)?;
    check(args, &paper)?;
    let effort = Effort {
        seeds: args.seeds.unwrap_or(if args.quick { 1 } else { paper.seeds }),
        is_quick: args.quick,
    };
    let paper = if args.quick { paper.quick() } else { paper };
    let folder = Folder::read(args.data.as_deref(), &paper.file_sets())?;
    for (name, why) in &folder.missing {
        terminal.info(format!("skipped: {name}: {why}"));
    }
    let mut ledger = Ledger::open(&args.out)?;
    for line in &ledger.damaged {
        let path = ledger.path().display();
        terminal::warn(format!(
            "{path}: line {line} is damaged and was dropped; its cell is run again"
        ));
    }
    let order = Order {
        paper: &paper,
        only: &args.only,
        methods: &args.method,
        sets: &args.set,
        seeds: effort.seeds,
    };
    let mut failures = finish(order, &folder, &mut ledger, terminal)?;
    let asides =
        if args.quick { Vec::new() } else { asides(order, &folder, &mut failures, terminal) };
    for failure in &failures {
        terminal::warn(format!("{} failed: {}", failure.cell, failure.why));
    }
    let results = Results::new(&paper, effort, &folder, &ledger, &failures, asides);
    let _guard = Guard::new();
    let files = write(&build(&results), &args.out)?;
    if terminal.json() {
        let mut all = results.as_json();
        all["files"] = json!(files.each_ref().map(|file| file.display().to_string()));
        return terminal::result_json(&all);
    }
    terminal::result(|out| {
        summary(&results, out)?;
        for file in &files {
            writeln!(out, "{}", file.display())?;
        }
        Ok(())
    })
}

fn check(args: &ReproduceArgs, paper: &Paper) -> Result<()> {
    let rows = || paper.exhibits.iter().flat_map(|exhibit| &exhibit.rows);
    let exhibits = paper.exhibits.iter().map(|exhibit| exhibit.name).collect();
    are_known(paper, &args.only, exhibits)?;
    are_known(paper, &args.method, rows().map(|row| row.method.as_str()).collect())?;
    are_known(paper, &args.set, rows().map(|row| row.data.as_str()).collect())?;
    if let Some(data) = args.data.as_ref().filter(|data| !data.is_dir()) {
        let message = format!("--data {} is not a folder", data.display());
        return Err(Usage(message).into());
    }
    Ok(())
}

/// Refuses names that are not among those of the paper.
fn are_known(paper: &Paper, names: &[String], mut known: Vec<&str>) -> Result<(), Usage> {
    let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) else {
        return Ok(());
    };
    let mut seen = BTreeSet::new();
    known.retain(|&name| seen.insert(name));
    let (paper, known) = (paper.name, known.join(", "));
    Err(Usage(format!("{paper} has no {unknown:?}; it has: {known}")))
}

fn list(terminal: &Terminal) -> Result<()> {
    let papers = Paper::all();
    if terminal.json() {
        let paper = |paper: &Paper| -> Value {
            let exhibits = paper.exhibits.iter();
            let exhibits: Vec<Value> = exhibits
                .map(|exhibit| json!({ "name": exhibit.name, "title": exhibit.title }))
                .collect();
            json!({
                "name": paper.name,
                "title": paper.title,
                "authors": paper.authors,
                "data": paper.file_sets(),
                "experiments": exhibits,
            })
        };
        return terminal::result_json(&papers.iter().map(paper).collect::<Vec<_>>());
    }
    terminal::result(|out| {
        for paper in &papers {
            writeln!(out, "{}: {} ({})", paper.name, paper.title, paper.authors)?;
            for exhibit in &paper.exhibits {
                writeln!(out, "    {:<16}{}", exhibit.name, exhibit.title)?;
            }
            writeln!(out, "    data: {}", paper.file_sets().join(", "))?;
        }
        Ok(())
    })
}

/// What was measured, and how the bars were met.
fn summary(results: &Results<'_>, out: &mut dyn Write) -> std::io::Result<()> {
    for (exhibit, lines) in &results.exhibits {
        if exhibit.is_league {
            // The page has the scores by set too.
            for mut shown in league_tables(lines).into_iter().step_by(2) {
                shown.rows.insert(0, shown.head);
                writeln!(out, "{}, {}\n{}", exhibit.title, shown.title, table(&shown.rows))?;
            }
            continue;
        }
        if exhibit.is_asking {
            for block in asking_blocks("", exhibit, lines, results.effort) {
                match block {
                    Block::Text(text) => writeln!(out, "{}: {text}", exhibit.title)?,
                    Block::Table { head, rows } => {
                        let entries = |row: Vec<Entry>| row.into_iter().map(|it| it.text).collect();
                        let rows = rows.into_iter().map(entries);
                        let shown: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
                        writeln!(out, "{}", table(&shown))?;
                    }
                    _ => {}
                }
            }
            continue;
        }
        let judged = exhibit.judged();
        if exhibit.scan.is_some() {
            let head = ["", "", "highest", "median", "lowest", "paper's highest", "where highest"];
            let mut rows = vec![head.map(str::to_owned).to_vec()];
            rows.extend(scans(exhibit, lines).into_iter().map(|scan| {
                vec![
                    scan.data.to_owned(),
                    scan.method.to_owned(),
                    scan.highest,
                    scan.median,
                    scan.lowest,
                    scan.printed.unwrap_or_default(),
                    scan.place,
                ]
            }));
            if rows.len() > 1 {
                writeln!(out, "{} ({})\n{}", exhibit.title, judged.name(), table(&rows))?;
            }
            continue;
        }
        let mut rows =
            vec![["", "", judged.name(), "paper", "clusters", "seeds"].map(str::to_owned).to_vec()];
        for (row, measured) in lines {
            let Some(measured) = measured else { continue };
            let at = row.at.map_or(String::new(), |at| format!(" at {at}"));
            rows.push(vec![
                format!("{}{at}", row.data),
                row.method.clone(),
                measured.score(judged).map_or(String::new(), |score| figure(score.mean)),
                row.printed
                    .filter(|_| !exhibit.is_elsewhere)
                    .and_then(|printed| judged.of(printed))
                    .map_or(String::new(), figure),
                format!("{:.1}", measured.mean(|cell| cell.clusters)),
                measured.cells.len().to_string(),
            ]);
        }
        if rows.len() > 1 {
            writeln!(out, "{}\n{}", exhibit.title, table(&rows))?;
        }
    }
    if results.effort.is_quick {
        writeln!(out, "This was a quick run: its figures are not the paper's experiments.\n")?;
        return Ok(());
    }
    let held = |wanted: bool| {
        let with = results.verdicts.iter().filter(|it| it.holds == Some(wanted));
        with.count()
    };
    writeln!(out, "bars: {} hold, {} fail", held(true), held(false))?;
    for verdict in results.verdicts.iter().filter(|it| it.holds == Some(false)) {
        writeln!(out, "  fails: {}: {}", verdict.asked, verdict.found)?;
    }
    writeln!(out)
}
