//! Who may import whom, and what the engine does not do at all.

use super::paths::{UsedPath, used_paths};

/// The line of a run. A stage may import those before it.
const STAGES: [&str; 9] = [
    "problem",
    "similarity",
    "supervise",
    "embed",
    "group",
    "refine",
    "outcome",
    "evaluate",
    "explain",
];

/// Words that every part of the engine shares.
const VOCABULARY: [&str; 3] = ["error", "observe", "parameter"];

/// Modules beside the line.
const BESIDE: [&str; 7] =
    ["select", "method", "ask", "image", "conformance", "datasets", "numerics"];

/// What the methods share; beside it a method imports its own folder alone.
const SHARED_BY_METHODS: [&str; 2] = ["info", "registry"];

/// Libraries that one module hides from the rest, so that a change of theirs touches nothing else.
const PRIVATE: [(&str, &str); 2] = [("faer", "numerics/linalg"), ("rand_chacha", "numerics/rng")];

/// Ends of paths that the engine does not use: it has no files, no clock, no prints and no threads
/// beyond rayon's.
const FORBIDDEN: [&[&str]; 10] = [
    &["std", "fs"],
    &["std", "time"],
    &["thread", "spawn"],
    &["thread", "scope"],
    &["thread", "Builder"],
    &["println!"],
    &["print!"],
    &["eprintln!"],
    &["eprint!"],
    &["dbg!"],
];

/// Every breach in one file of `src`, as `file:line: what`. `name` is the path below `src`, with
/// slashes. Tests may import anything and read files.
pub(crate) fn violations(name: &str, text: &str) -> Vec<String> {
    let stem = name.trim_end_matches(".rs");
    let mut modules: Vec<&str> = stem.split('/').collect();
    if modules.contains(&"tests") {
        return Vec::new();
    }
    if modules.last() == Some(&"mod") || stem == "lib" {
        modules.pop();
    }
    let home = modules.first().copied();
    if let Some(home) = home.filter(|home| !is_module(home)) {
        return vec![format!(
            "src/{name}:1: {home} has no place in the flow; give it one in tests/it/flow/rules.rs"
        )];
    }
    let mut found = Vec::new();
    for used in used_paths(text) {
        let breach = against_flow(home, &modules, &used)
            .or_else(|| another_method(&modules, &used))
            .or_else(|| not_private(stem, &used))
            .or_else(|| forbidden(&used));
        if let Some(breach) = breach {
            found.push(format!("src/{name}:{}: {breach}", used.line));
        }
    }
    // `use super::a::{self, b}` is one breach, not two.
    found.dedup();
    found
}

fn is_module(name: &str) -> bool {
    [&STAGES[..], &VOCABULARY, &BESIDE].concat().contains(&name)
}

/// The root of the crate (`home` is `None`) lists everything and is free to.
fn against_flow(home: Option<&str>, modules: &[&str], used: &UsedPath) -> Option<String> {
    let home = home?;
    let target = top_module(modules, used)?;
    let may = home == target
        || match home {
            "image" | "conformance" => true,
            "ask" => !["image", "conformance"].contains(&target),
            "method" => !["image", "ask", "conformance"].contains(&target),
            "select" => !["image", "method", "ask", "conformance"].contains(&target),
            "error" => target == "problem",
            "observe" | "parameter" => target == "error",
            _ if VOCABULARY.contains(&target) || target == "numerics" => true,
            "datasets" => target == "problem",
            "numerics" => false,
            stage => place(target).is_some_and(|at| Some(at) < place(stage)),
        };
    (!may).then(|| format!("{home} must not import {target}"))
}

/// A method's file that another method's file imports.
fn another_method(modules: &[&str], used: &UsedPath) -> Option<String> {
    let ["method", own, ..] = modules else {
        return None;
    };
    let climbs = used.words.iter().take_while(|word| *word == "super").count();
    let at = match used.words.first()?.as_str() {
        "crate" if used.words.get(1)? == "method" => 2,
        "super" if climbs + 1 == modules.len() => climbs,
        _ => return None,
    };
    let other = used.words.get(at)?.as_str();
    let is_module = other.chars().next()?.is_lowercase();
    let is_free = other == *own || SHARED_BY_METHODS.contains(&other);
    (is_module && !is_free).then(|| format!("{own} must not import the method {other}"))
}

fn place(stage: &str) -> Option<usize> {
    STAGES.iter().position(|name| *name == stage)
}

/// The top module that a path leads to, if it starts at the root or climbs to it.
fn top_module<'a>(modules: &[&str], used: &'a UsedPath) -> Option<&'a str> {
    let climbs = used.words.iter().take_while(|word| *word == "super").count();
    let at_root = match used.words.first()?.as_str() {
        "crate" => 1,
        "super" if climbs >= modules.len() => climbs,
        _ => return None,
    };
    match used.words.get(at_root)?.as_str() {
        "Error" | "Result" => Some("error"),
        word => Some(word).filter(|word| is_module(word)),
    }
}

fn not_private(stem: &str, used: &UsedPath) -> Option<String> {
    let first = used.words.first()?;
    let (library, owner) = PRIVATE.iter().find(|(library, _)| library == first)?;
    let owned = stem == *owner || stem.starts_with(&format!("{owner}/"));
    (!owned).then(|| format!("{library} belongs to {owner} alone"))
}

fn forbidden(used: &UsedPath) -> Option<String> {
    let appears = |words: &[&str]| used.words.windows(words.len()).any(|part| part == words);
    let words = FORBIDDEN.iter().find(|words| appears(words))?;
    Some(format!("the engine must not use {}", words.join("::")))
}
