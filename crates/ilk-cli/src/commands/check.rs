//! `ilk check`: contradictions in what was said, and what follows from it, before any run.

use anyhow::Result;
use clap::{ArgGroup, Args};
use ilk::problem::{Check, ConstraintKind, Constraints};
use ilk_io::{Context, read_table};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::PathBuf;

use crate::args::{ConstraintArgs, TableArgs};
use crate::failure::Contradictory;
use crate::terminal::{self, Terminal};
use crate::text::{count, counted, table};

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("said").args(["pairs", "triplets", "labels"]).required(true).multiple(true)))]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    said: ConstraintArgs,
    /// The table that the answers are about; ids it does not have are then an error
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// List all links that follow, not only their number
    #[arg(long)]
    expand: bool,
    #[command(flatten)]
    table: TableArgs,
}

pub(crate) fn run(args: &CheckArgs, terminal: &Terminal) -> Result<()> {
    let files = args.said.files();
    let ids = match &args.data {
        Some(data) => read_table(data, &args.table.options(false))?.ids,
        None => files.collect_ids()?,
    };
    let mut said = Constraints::with_ids(&ids)?;
    let data = args.data.as_deref();
    let summaries = files.read(&mut said, &Context { data })?;
    let folded: usize = summaries.iter().map(|summary| summary.folded).sum();
    let skipped: usize = summaries.iter().map(|summary| summary.skipped).sum();
    let check = said.check();
    if terminal.json() {
        terminal::result_json(&as_json(&said, &check, folded, skipped, args.expand))?;
    } else {
        terminal::result(|out| {
            out.write_all(findings(&said, &check, folded, skipped).as_bytes())?;
            if args.expand {
                list_links(&said, &check, out)
            } else {
                Ok(())
            }
        })?;
    }
    if check.is_consistent() {
        return Ok(());
    }
    Err(Contradictory.into())
}

/// The components of at least two points.
fn joined<'a>(check: &'a Check<'_>) -> Vec<&'a [usize]> {
    let closure = check.closure();
    let components = (0..closure.n_components()).map(|c| closure.members(c));
    components.filter(|members| members.len() > 1).collect()
}

fn findings(said: &Constraints, check: &Check<'_>, folded: usize, skipped: usize) -> String {
    let mut text = match check.n_contradictions() {
        0 => "no contradictions\n".to_owned(),
        n => counted(n, "contradiction") + "\n",
    };
    for explanation in check.explanations() {
        text.push_str("- ");
        text.push_str(&explanation);
        text.push('\n');
    }
    let joined = joined(check);
    let largest = joined.iter().map(|members| members.len()).max();
    let closure = check.closure();
    let mut rows = vec![vec!["points".to_owned(), count(said.n())]];
    for kind in ConstraintKind::ALL {
        if said.count(kind) > 0 {
            rows.push(vec![kind.to_string(), count(said.count(kind))]);
        }
    }
    let mut row = |name: &str, value: String| rows.push(vec![name.to_owned(), value]);
    if folded > 0 {
        row("said more than once", count(folded));
    }
    if skipped > 0 {
        row("skipped", count(skipped));
    }
    row("groups that must stay together", count(joined.len()));
    if let Some(largest) = largest {
        row("points in the largest", count(largest));
    }
    row("must-links that follow", big(closure.n_must_link_pairs()));
    row(
        "cannot-links that follow",
        big(closure.n_cannot_link_pairs()),
    );
    row("clusters needed at least", count(check.min_clusters()));
    text.push('\n');
    text.push_str(&table(&rows));
    text
}

fn big(n: u128) -> String {
    usize::try_from(n).map_or_else(|_| n.to_string(), count)
}

/// Every link that follows, as a pairs file would hold it.
fn list_links(said: &Constraints, check: &Check<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\nid_a,id_b,relation")?;
    let closure = check.closure();
    let musts = closure.must_link_pairs().map(|pair| (pair, "must-link"));
    let cannots = closure
        .cannot_link_pairs()
        .map(|pair| (pair, "cannot-link"));
    for ([a, b], relation) in musts.chain(cannots) {
        let (a, b) = (csv_field(&said.name_of(a)), csv_field(&said.name_of(b)));
        writeln!(out, "{a},{b},{relation}")?;
    }
    Ok(())
}

/// A field of a CSV file, quoted where it must be.
fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}

fn as_json(
    said: &Constraints,
    check: &Check<'_>,
    folded: usize,
    skipped: usize,
    expand: bool,
) -> Value {
    let closure = check.closure();
    let name = |&point: &usize| said.name_of(point);
    let counts: serde_json::Map<String, Value> = ConstraintKind::ALL
        .into_iter()
        .filter(|&kind| said.count(kind) > 0)
        .map(|kind| (kind.to_string(), said.count(kind).into()))
        .collect();
    let groups: Vec<Vec<String>> = joined(check)
        .iter()
        .map(|members| members.iter().map(name).collect())
        .collect();
    let mut value = json!({
        "consistent": check.is_consistent(),
        "contradictions": check.explanations().collect::<Vec<_>>(),
        "n_points": said.n(),
        "constraints": counts,
        "n_repeated": folded,
        "n_skipped": skipped,
        "groups": groups,
        "n_must_links_implied": big_json(closure.n_must_link_pairs()),
        "n_cannot_links_implied": big_json(closure.n_cannot_link_pairs()),
        "min_clusters": check.min_clusters(),
        "separated": check.separated_points().iter().map(name).collect::<Vec<_>>(),
    });
    if expand {
        let pair = |[a, b]: [usize; 2]| [said.name_of(a), said.name_of(b)];
        value["must_links"] = json!(closure.must_link_pairs().map(pair).collect::<Vec<_>>());
        value["cannot_links"] = json!(closure.cannot_link_pairs().map(pair).collect::<Vec<_>>());
    }
    value
}

/// A count as JSON; beyond 64 bits, which only absurd inputs reach, as text.
fn big_json(n: u128) -> Value {
    u64::try_from(n).map_or_else(|_| n.to_string().into(), Into::into)
}
