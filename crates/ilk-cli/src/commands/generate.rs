//! `ilk generate`: data whose truth is known, and constraints drawn from it.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use ilk::datasets::{ALL, ConstraintSampler, Data, Dataset, Generator};
use ilk::parameter::Range;
use ilk::problem::Constraints;
use ilk_io::write_file;
use serde_json::{Value, json};

use crate::args::Setting;
use crate::failure::Usage;
use crate::outputs;
use crate::progress::Guard;
use crate::sets::{write_data, write_pairs, write_triplets, write_truth};
use crate::terminal::{self, Terminal};
use crate::text::{counted, wrap};

#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    /// The set; without a name, lists what there is
    name: Option<String>,
    /// Number of points, for sets that take it (--set n=N)
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    n: Option<usize>,
    /// Standard deviation of the noise, for sets that take it (--set noise=S)
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    noise: Option<f64>,
    /// A parameter of the set; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<Setting>,
    /// Take the large groups as the truth, for sets of groups within groups (nested-blobs)
    #[arg(long)]
    coarse: bool,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Where to write the data: `id`, features, `label`, or `u,v` for a graph [default: stdout]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Where to write the truth alone: `id,label`
    #[arg(long, value_name = "FILE")]
    truth_out: Option<PathBuf>,
    /// Where to write must-links and cannot-links
    #[arg(long, value_name = "FILE", help_heading = "Answers")]
    pairs_out: Option<PathBuf>,
    /// Pairs among this many labelled points a class
    #[arg(
        long,
        value_name = "B",
        requires = "pairs_out",
        default_value_t = 0,
        help_heading = "Answers"
    )]
    per_class: usize,
    /// Random pairs
    #[arg(
        long,
        value_name = "N",
        requires = "pairs_out",
        default_value_t = 0,
        help_heading = "Answers"
    )]
    n_pairs: usize,
    /// Where to write comparisons
    #[arg(long, value_name = "FILE", help_heading = "Answers")]
    triplets_out: Option<PathBuf>,
    /// Random odd-one-outs
    #[arg(
        long,
        value_name = "N",
        requires = "triplets_out",
        default_value_t = 0,
        help_heading = "Answers"
    )]
    n_triplets: usize,
    /// Random about-equals
    #[arg(
        long,
        value_name = "N",
        requires = "triplets_out",
        default_value_t = 0,
        help_heading = "Answers"
    )]
    n_equal: usize,
    /// Share of the answers that is wrong, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, help_heading = "Answers")]
    noise_answers: f64,
}

pub(crate) fn run(args: &GenerateArgs, terminal: &Terminal) -> Result<()> {
    let Some(name) = &args.name else {
        return list(terminal);
    };
    let generator = generator(name, args)?;
    for (file, option, asked, how) in [
        (&args.pairs_out, "--pairs-out", args.per_class + args.n_pairs, "--per-class or --n-pairs"),
        (
            &args.triplets_out,
            "--triplets-out",
            args.n_triplets + args.n_equal,
            "--n-triplets or --n-equal",
        ),
    ] {
        if file.is_some() && asked == 0 {
            return Err(Usage(format!("{option} needs to know how many: add {how}")).into());
        }
    }
    let files = [
        ("--out", &args.out),
        ("--truth-out", &args.truth_out),
        ("--pairs-out", &args.pairs_out),
        ("--triplets-out", &args.triplets_out),
    ];
    outputs::check(&[], &files)?;
    let mut set = generator.generate(args.seed)?;
    if args.coarse {
        set.labels = set.coarse.take().ok_or_else(|| {
            Usage(format!("{name} has one level of groups, so --coarse cannot be used"))
        })?;
    }
    let sampler = ConstraintSampler {
        per_class: args.per_class,
        n_pairs: args.n_pairs,
        n_triplets: args.n_triplets,
        n_equal: args.n_equal,
        noise: args.noise_answers,
    };
    let truth: Vec<Option<usize>> = set.labels.iter().copied().map(Some).collect();
    let drawn = sampler.draw(&truth, args.seed)?;
    {
        let _guard = Guard::new();
        let constraints = &drawn.constraints;
        if let Some(path) = &args.out {
            write_file(path, |out| write_data(&set, out))?;
        }
        if let Some(path) = &args.truth_out {
            write_file(path, |out| write_truth(&set, out))?;
        }
        if let Some(path) = &args.pairs_out {
            write_file(path, |out| write_pairs(constraints, out))?;
        }
        if let Some(path) = &args.triplets_out {
            write_file(path, |out| write_triplets(constraints, out))?;
        }
    }
    describe(args, &set, &drawn.constraints, drawn.flipped, terminal);
    if terminal.json() {
        return terminal::result_json(&as_json(args, &generator, &set, drawn.flipped));
    }
    match &args.out {
        Some(_) => Ok(()),
        None => terminal::result(|out| write_data(&set, out)),
    }
}

fn list(terminal: &Terminal) -> Result<()> {
    if terminal.json() {
        let all: Vec<Value> = ALL
            .iter()
            .map(|info| {
                let parameters: Vec<Value> = info
                    .parameters
                    .iter()
                    .map(|p| json!({ "name": p.name, "doc": p.doc, "range": p.range.to_string(), "default": p.default() }))
                    .collect();
                json!({ "name": info.name, "summary": info.summary, "source": info.source, "parameters": parameters })
            })
            .collect();
        return terminal::result_json(&all);
    }
    terminal::result(|out| {
        for info in ALL {
            writeln!(out, "{}\n{}", info.name, wrap(info.summary, 4))?;
            let parameters: Vec<String> = info
                .parameters
                .iter()
                .map(|parameter| format!("{}={}", parameter.name, parameter.default()))
                .collect();
            writeln!(out, "{}", wrap(&format!("parameters: {}", parameters.join(", ")), 4))?;
        }
        Ok(())
    })
}

/// The set of this name with the parameters that were given.
fn generator(name: &str, args: &GenerateArgs) -> Result<Generator> {
    let mut generator = Generator::named(name)?;
    let short = |key: &str, value: Option<String>| {
        value.map(|value| Setting { key: key.to_owned(), value })
    };
    let short = [
        short("n", args.n.map(|n| n.to_string())),
        short("noise", args.noise.map(|noise| noise.to_string())),
    ];
    for setting in short.iter().flatten().chain(&args.set) {
        generator = with_parameter(&generator, setting)?;
    }
    Ok(generator)
}

fn with_parameter(generator: &Generator, Setting { key, value }: &Setting) -> Result<Generator> {
    let info = generator.info();
    let Some(parameter) = info.parameters.iter().find(|parameter| parameter.name == key) else {
        let known: Vec<&str> = info.parameters.iter().map(|parameter| parameter.name).collect();
        let (name, known) = (info.name, known.join(", "));
        return Err(Usage(format!("{name} has no parameter {key:?}; it has {known}")).into());
    };
    let number = match parameter.range {
        Range::Integer { .. } => value.parse::<u64>().ok().map(Value::from),
        _ => value.parse::<f64>().ok().map(Value::from),
    };
    let changed = number.and_then(|number| {
        let mut tagged = serde_json::to_value(generator).ok()?;
        *tagged.get_mut("params")?.get_mut(key)? = number;
        serde_json::from_value(tagged).ok()
    });
    changed.ok_or_else(|| {
        let range = parameter.range.to_string();
        Usage(format!("{key} = {value:?} is not allowed for {}: it must be {range}", info.name))
            .into()
    })
}

fn describe(
    args: &GenerateArgs,
    set: &Dataset,
    constraints: &Constraints,
    flipped: usize,
    terminal: &Terminal,
) {
    let what = match &set.data {
        Data::Points(points) => counted(points.nrows(), "point"),
        Data::Edges(edges) => {
            format!("{} and {}", counted(set.len(), "node"), counted(edges.len(), "edge"))
        }
    };
    let groups = set.labels.iter().max().map_or(0, |label| label + 1);
    terminal.info(format!("{}: {what} in {}", set.name, counted(groups, "group")));
    let say = |path: &Option<PathBuf>, what: String| {
        if let Some(path) = path {
            terminal.info(format!("wrote {}{what}", Path::display(path)));
        }
    };
    let pairs = (constraints.must_links().len(), constraints.cannot_links().len());
    let triplets = constraints.odd_one_outs().len() + constraints.about_equals().len();
    say(&args.out, String::new());
    say(&args.truth_out, String::new());
    say(
        &args.pairs_out,
        format!(": {}, {}", counted(pairs.0, "must-link"), counted(pairs.1, "cannot-link")),
    );
    say(&args.triplets_out, format!(": {}", counted(triplets, "comparison")));
    if flipped > 0 {
        terminal.info(format!("{flipped} of the answers are wrong, as asked"));
    }
}

fn as_json(args: &GenerateArgs, generator: &Generator, set: &Dataset, flipped: usize) -> Value {
    let mut value = json!({
        "generator": generator,
        "seed": args.seed,
        "n": set.len(),
        "n_wrong_answers": flipped,
    });
    if args.out.is_none() {
        value["labels"] = json!(set.labels);
        match &set.data {
            Data::Points(points) => {
                value["points"] = points.rows().into_iter().map(|row| row.to_vec()).collect();
            }
            Data::Edges(edges) => value["edges"] = json!(edges),
        }
    }
    value
}
