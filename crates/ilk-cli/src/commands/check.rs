//! `ilk check`: contradictions between constraints, and what follows from them, before any run.

use std::result::Result as StdResult;

use anyhow::Result;
use clap::{ArgGroup, Args};
use ilk::problem::{Check, ConstraintKind, Constraints};
use ilk_io::{Context, Scale, read_table, write_pairs};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::path::PathBuf;

use crate::args::{ConstraintArgs, TableArgs, named};
use crate::failure::Contradictory;
use crate::terminal::{self, Terminal};
use crate::text::{count, counted, harmless, table};
use crate::utility::Utility;

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("constraints").args(["pairs", "triplets", "labels"]).required(true).multiple(true)))]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    constraints: ConstraintArgs,
    /// The table that the answers are about: ids it does not have are then an error, and the answers are compared with
    /// clusters that are found without them
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// Bring the columns of the table to a common scale, as for `ilk cluster`
    #[arg(long, default_value = "none", value_parser = named::<Scale>(Scale::NAMES), requires = "data")]
    scale: Scale,
    /// List all links that follow, not only their number
    #[arg(long)]
    expand: bool,
    #[command(flatten)]
    table: TableArgs,
}

pub(crate) fn run(args: &CheckArgs, terminal: &Terminal) -> Result<()> {
    let files = args.constraints.files();
    let table = match &args.data {
        Some(data) => Some(read_table(data, &args.table.options(false))?),
        None => None,
    };
    let ids = match &table {
        Some(table) => table.ids.clone(),
        None => files.collect_ids()?,
    };
    let mut constraints = Constraints::with_ids(&ids)?;
    let data = args.data.as_deref();
    let summaries = files.read(&mut constraints, &Context { data })?;
    let duplicates: usize = summaries.iter().map(|summary| summary.duplicates).sum();
    let skipped: usize = summaries.iter().map(|summary| summary.skipped).sum();
    let check = constraints.check();
    let found = Findings {
        constraints: &constraints,
        check: &check,
        contradictions: files.contradictions(&constraints, &check, usize::MAX)?,
        duplicates,
        skipped,
        utility: match &table {
            Some(table) => {
                let points = args.scale.fit(&table.points).apply(&table.points)?;
                Utility::of_table(&points, &constraints, &files, terminal)?
            }
            None => None,
        },
    };
    if terminal.json() {
        let summary = as_json(&found);
        let links = args.expand.then_some((&constraints, &check));
        terminal::result_json(&JsonFindings { summary, links })?;
    } else {
        terminal::result(|out| {
            let text = findings(&found);
            out.write_all(harmless(&text).as_bytes())?;
            if args.expand { list_links(&constraints, &check, out) } else { Ok(()) }
        })?;
    }
    if check.is_consistent() {
        return Ok(());
    }
    Err(Contradictory.into())
}

/// Pairs that follow, one by one: there can be very many.
type Pairs<'a> = Box<dyn Iterator<Item = [usize; 2]> + 'a>;

/// The components of at least two points.
fn joined<'a>(check: &'a Check<'_>) -> Vec<&'a [usize]> {
    let closure = check.closure();
    let components = (0..closure.n_components()).map(|c| closure.members(c));
    components.filter(|members| members.len() > 1).collect()
}

/// What there is to report.
struct Findings<'a> {
    constraints: &'a Constraints,
    check: &'a Check<'a>,
    /// Every contradiction with its proof.
    contradictions: Vec<String>,
    duplicates: usize,
    skipped: usize,
    /// What they add to the data, where there are data.
    utility: Option<Utility>,
}

fn findings(found: &Findings<'_>) -> String {
    let &Findings { constraints, check, ref contradictions, duplicates, skipped, ref utility } =
        found;
    let mut text = match check.n_contradictions() {
        0 => "no contradictions\n".to_owned(),
        n => counted(n, "contradiction") + "\n",
    };
    for explanation in contradictions {
        text.push_str("- ");
        text.push_str(explanation);
        text.push('\n');
    }
    let joined = joined(check);
    let largest = joined.iter().map(|members| members.len()).max();
    let closure = check.closure();
    let mut rows = vec![vec!["points".to_owned(), count(constraints.n())]];
    for kind in ConstraintKind::ALL {
        if constraints.count(kind) > 0 {
            rows.push(vec![kind.to_string(), count(constraints.count(kind))]);
        }
    }
    let mut row = |name: &str, value: String| rows.push(vec![name.to_owned(), value]);
    if duplicates > 0 {
        row("repeated", count(duplicates));
    }
    if skipped > 0 {
        row("skipped", count(skipped));
    }
    row("groups that must stay together", count(joined.len()));
    if let Some(largest) = largest {
        row("points in the largest", count(largest));
    }
    row("must-links that follow", big(closure.n_must_link_pairs()));
    row("cannot-links that follow", big(closure.n_cannot_link_pairs()));
    row("clusters needed at least", count(check.min_clusters()));
    text.push('\n');
    text.push_str(&table(&rows));
    if let Some(utility) = utility {
        text.push_str(&utility.text());
    }
    text
}

fn big(n: u128) -> String {
    usize::try_from(n).map_or_else(|_| n.to_string(), count)
}

/// Every link that follows, as a pairs file would hold it.
fn list_links(constraints: &Constraints, check: &Check<'_>, out: &mut dyn Write) -> io::Result<()> {
    let closure = check.closure();
    let must_links: Pairs<'_> = Box::new(closure.must_link_pairs());
    let cannot_links: Pairs<'_> = Box::new(closure.cannot_link_pairs());
    writeln!(out)?;
    write_pairs(constraints, [must_links, cannot_links], out)
}

/// What `--json` shows. Links that follow are written as they are made: there can be more than fit into memory.
struct JsonFindings<'a> {
    summary: Map<String, Value>,
    links: Option<(&'a Constraints, &'a Check<'a>)>,
}

impl Serialize for JsonFindings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> StdResult<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (key, value) in &self.summary {
            map.serialize_entry(key, value)?;
        }
        if let Some((constraints, check)) = self.links {
            let closure = check.closure();
            let must_links = || -> Pairs<'_> { Box::new(closure.must_link_pairs()) };
            let cannot_links = || -> Pairs<'_> { Box::new(closure.cannot_link_pairs()) };
            map.serialize_entry("must_links", &Links { constraints, pairs: &must_links })?;
            map.serialize_entry("cannot_links", &Links { constraints, pairs: &cannot_links })?;
        }
        map.end()
    }
}

/// Pairs by id.
struct Links<'a> {
    constraints: &'a Constraints,
    pairs: &'a dyn Fn() -> Pairs<'a>,
}

impl Serialize for Links<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> StdResult<S::Ok, S::Error> {
        let name = |point| self.constraints.name_of(point);
        serializer.collect_seq((self.pairs)().map(|pair| pair.map(name)))
    }
}

fn as_json(found: &Findings<'_>) -> Map<String, Value> {
    let &Findings { constraints, check, ref contradictions, duplicates, skipped, ref utility } =
        found;
    let closure = check.closure();
    let name = |&point: &usize| constraints.name_of(point);
    let counts: Map<String, Value> = ConstraintKind::ALL
        .into_iter()
        .filter(|&kind| constraints.count(kind) > 0)
        .map(|kind| (kind.to_string(), constraints.count(kind).into()))
        .collect();
    let groups: Vec<Vec<String>> =
        joined(check).iter().map(|members| members.iter().map(name).collect()).collect();
    let summary = json!({
        "consistent": check.is_consistent(),
        "contradictions": contradictions,
        "n_points": constraints.n(),
        "constraints": counts,
        "n_repeated": duplicates,
        "n_skipped": skipped,
        "groups": groups,
        "n_must_links_implied": big_json(closure.n_must_link_pairs()),
        "n_cannot_links_implied": big_json(closure.n_cannot_link_pairs()),
        "min_clusters": check.min_clusters(),
        "utility": utility.as_ref().map(Utility::as_json),
        "separated": check.separated_points().iter().map(name).collect::<Vec<_>>(),
    });
    match summary {
        Value::Object(summary) => summary,
        _ => Map::new(),
    }
}

/// A count as JSON; beyond 64 bits, which only absurd inputs give, as text.
fn big_json(n: u128) -> Value {
    u64::try_from(n).map_or_else(|_| n.to_string().into(), Into::into)
}
