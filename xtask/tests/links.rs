//! Every link in the Markdown files of the checkout leads somewhere.

use std::fs;
use std::path::{Path, PathBuf};

/// The checkout.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Packages of the page, which npm puts below its sources.
const FOREIGN: &str = "node_modules";

/// The Markdown files that belong to the project: at the root and below the folders of documents
/// and sources.
fn documents() -> Vec<PathBuf> {
    let mut files = markdown_in(&root(), false);
    for folder in ["docs", "crates", "xtask"] {
        files.extend(markdown_in(&root().join(folder), true));
    }
    files.sort();
    files
}

fn markdown_in(folder: &Path, deep: bool) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && deep && !path.ends_with(FOREIGN) {
            files.extend(markdown_in(&path, true));
        } else if path.extension().is_some_and(|ending| ending == "md") {
            files.push(path);
        }
    }
    files
}

/// The targets of `[text](target)` and `![text](target)` outside of code, with their lines.
fn links(markdown: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut in_code = false;
    for (number, line) in markdown.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        // Text between two backticks is code: only every other part can hold a link.
        for text in line.split('`').step_by(2) {
            for after in text.split("](").skip(1) {
                let target = after.split(')').next().unwrap_or(after);
                found.push((number + 1, target));
            }
        }
    }
    found
}

/// Whether a target is a file or folder of the checkout, a heading of the same page, or elsewhere.
fn leads_somewhere(document: &Path, target: &str) -> bool {
    let elsewhere = ["https://", "http://", "mailto:", "#"];
    if elsewhere.iter().any(|start| target.starts_with(start)) {
        return true;
    }
    let path = target.split('#').next().unwrap_or(target);
    let folder = document.parent().unwrap_or(Path::new("."));
    folder.join(path).exists()
}

#[test]
fn every_link_in_the_documents_leads_somewhere() {
    let documents = documents();
    assert!(documents.len() >= 5, "the documents were not found");
    let mut broken = Vec::new();
    for document in documents {
        let text = fs::read_to_string(&document).expect("a document is UTF-8");
        for (line, target) in links(&text) {
            if !leads_somewhere(&document, target) {
                broken.push(format!("{}:{line}: {target}", document.display()));
            }
        }
    }
    assert!(broken.is_empty(), "\n{}\n", broken.join("\n"));
}

#[test]
fn links_are_found_outside_of_code_alone() {
    let text = "See [a](A.md) and ![b](docs/b.svg).\n```sh\n[c](C.md)\n```\nNot `[d](D.md)`, but [`e`](E.md#top).\n";
    let expected = [(1, "A.md"), (1, "docs/b.svg"), (5, "E.md#top")];
    assert_eq!(links(text), expected);
}

#[test]
fn a_link_to_nothing_is_noticed() {
    let document = root().join("README.md");
    assert!(leads_somewhere(&document, "crates/ilk"));
    assert!(leads_somewhere(&document, "https://example.org"));
    assert!(!leads_somewhere(&document, "crates/no-such-crate"));
    assert!(!leads_somewhere(&document, "NOWHERE.md#top"));
}
