//! `ilk methods`: what there is.

use anyhow::Result;
use clap::Args;
use ilk::method::{AnyMethod, Method, MethodInfo};
use serde_json::{Value, json};

use crate::terminal::{self, Terminal};
use crate::text::wrap;

#[derive(Debug, Args)]
pub(crate) struct MethodsArgs {
    /// Show this method in full
    name: Option<String>,
}

pub(crate) fn run(args: &MethodsArgs, terminal: &Terminal) -> Result<()> {
    match &args.name {
        Some(name) => {
            let info = AnyMethod::named(name)?.info();
            if terminal.json() {
                return terminal::result_json(&as_json(info));
            }
            terminal::result(|out| out.write_all(details(info).as_bytes()))
        }
        None if terminal.json() => {
            let all: Vec<Value> = AnyMethod::ALL.iter().map(|info| as_json(info)).collect();
            terminal::result_json(&all)
        }
        None => terminal::result(|out| {
            for info in AnyMethod::ALL {
                writeln!(out, "{}", info.name)?;
                writeln!(out, "{}", wrap(info.summary, 4))?;
                writeln!(out, "    takes {}; uses {}", takes(info), uses(info))?;
            }
            writeln!(out, "\n`ilk methods NAME` lists a method's parameters.")
        }),
    }
}

fn takes(info: &MethodInfo) -> String {
    list(info.inputs)
}

fn uses(info: &MethodInfo) -> String {
    if info.supervision.is_empty() {
        return "no constraints".to_owned();
    }
    list(info.supervision)
}

fn list(items: &[impl ToString]) -> String {
    words(items).join(", ")
}

fn words(items: &[impl ToString]) -> Vec<String> {
    items.iter().map(ToString::to_string).collect()
}

fn details(info: &MethodInfo) -> String {
    let clusters = if info.takes_clusters {
        "given with --clusters, or chosen"
    } else {
        "found by the method"
    };
    let predicts = match info.predicts {
        [] => "no".to_owned(),
        kinds if kinds.len() == info.inputs.len() => "yes".to_owned(),
        kinds => format!("after a fit on {}", list(kinds)),
    };
    let head = format!(
        "{name}\n{summary}\n\n    takes           {takes}\n    uses            {uses}\n    \
         clusters        {clusters}\n    places new rows {predicts}\n    in Python       ilk.{class}\n    \
         from            {paper}\n\nParameters, for --set name=value:\n",
        name = info.name,
        summary = wrap(info.summary, 0),
        takes = takes(info),
        uses = uses(info),
        class = info.class,
        paper = info.paper,
    );
    let parameters = info.parameters.iter().map(|parameter| {
        format!(
            "\n    {} [default: {}]\n{}\n{}\n",
            parameter.name,
            parameter.default(),
            wrap(parameter.doc, 8),
            wrap(&format!("Is {}.", parameter.range), 8),
        )
    });
    std::iter::once(head).chain(parameters).collect()
}

fn as_json(info: &MethodInfo) -> Value {
    json!({
        "name": info.name,
        "class": info.class,
        "summary": info.summary,
        "paper": info.paper,
        "inputs": words(info.inputs),
        "supervision": words(info.supervision),
        "takes_clusters": info.takes_clusters,
        "predicts": words(info.predicts),
        "supports_weights": words(info.supports_weights),
        "parameters": info.parameters.iter().map(|parameter| json!({
            "name": parameter.name,
            "doc": parameter.doc,
            "range": parameter.range.to_string(),
            "default": parameter.default(),
        })).collect::<Vec<_>>(),
    })
}
