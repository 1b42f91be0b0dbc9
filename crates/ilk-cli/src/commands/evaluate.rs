//! `ilk evaluate`: score a clustering against the truth.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use ilk::evaluate::{Scores, masked, unconstrained};
use ilk::problem::Constraints;
use ilk_io::{Context, PartitionOptions, match_partitions, read_pairs, read_partition};
use serde_json::json;

use crate::failure::Usage;
use crate::summary::score_rows;
use crate::terminal::{self, Terminal};
use crate::text::{count, counted};

#[derive(Debug, Args)]
pub(crate) struct EvaluateArgs {
    /// The clustering: `clusters.csv`, or any file with ids and labels
    labels: PathBuf,
    /// The right answer; ids without a label in it are left out
    truth: PathBuf,
    /// Leave out the points that these pairs name
    #[arg(long, value_name = "PAIRS")]
    ignore_constrained: Option<PathBuf>,
    /// Column with the ids in both files [default: `id`, or else the rows are numbered]
    #[arg(long, value_name = "COLUMN")]
    id: Option<String>,
    /// Column with the clusters [default: `cluster`, `label` or `class`]
    #[arg(long, value_name = "COLUMN")]
    column: Option<String>,
    /// Column with the truth [default: `cluster`, `label` or `class`]
    #[arg(long, value_name = "COLUMN")]
    truth_column: Option<String>,
}

pub(crate) fn run(args: &EvaluateArgs, terminal: &Terminal) -> Result<()> {
    let options = |column: &Option<String>| PartitionOptions {
        id: args.id.clone(),
        column: column.clone(),
        ..PartitionOptions::default()
    };
    let found = read_partition(&args.labels, &options(&args.column))?;
    let truth = read_partition(&args.truth, &options(&args.truth_column))?;
    let matched = match_partitions(&found, &truth)?;
    for (only, file, other) in [
        (&matched.only_left, &args.labels, &args.truth),
        (&matched.only_right, &args.truth, &args.labels),
    ] {
        if let Some(first) = only.first() {
            terminal::warn(format!(
                "{} has {} that {} lacks, such as {first:?}; left out",
                file.display(),
                counted(only.len(), "id"),
                other.display()
            ));
        }
    }
    let free = match &args.ignore_constrained {
        Some(pairs) => {
            let mut constraints = Constraints::with_ids(&matched.ids)?;
            let data = Some(args.labels.as_path());
            read_pairs(pairs, &mut constraints, &Context { data })?;
            unconstrained(&constraints)
        }
        None => vec![true; matched.ids.len()],
    };
    let known: Vec<bool> = matched.right.iter().map(Option::is_some).collect();
    let counts: Vec<bool> = free.iter().zip(&known).map(|(a, b)| *a && *b).collect();
    let (found, truth) = (masked(&matched.left, &counts)?, masked(&matched.right, &counts)?);
    if found.is_empty() {
        return Err(Usage(
            "no point is left to compare: every one is constrained or has no true label".to_owned(),
        )
        .into());
    }
    let scores = Scores::new(&truth, &found)?;
    let n_constrained = free.iter().filter(|free| !**free).count();
    let n_unknown = known.iter().filter(|known| !**known).count();
    if terminal.json() {
        return terminal::result_json(&json!({
            "scores": scores,
            "n_constrained_left_out": n_constrained,
            "n_without_truth": n_unknown,
            "n_only_in_labels": matched.only_left.len(),
            "n_only_in_truth": matched.only_right.len(),
        }));
    }
    terminal.info(format!(
        "{}: {} against {}",
        counted(scores.n, "point"),
        counted(scores.n_clusters, "cluster"),
        if scores.n_classes == 1 {
            "1 class".to_owned()
        } else {
            format!("{} classes", count(scores.n_classes))
        }
    ));
    for (number, why) in [(n_constrained, "constrained"), (n_unknown, "without a true label")] {
        if number > 0 {
            terminal.info(format!("left out: {} {why}", counted(number, "point")));
        }
    }
    terminal::result(|out| {
        for (name, value, meaning) in score_rows(&scores) {
            writeln!(out, "{name:<37}{value:>9.6}   {meaning}")?;
        }
        Ok(())
    })
}
