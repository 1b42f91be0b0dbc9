//! The walks of ARCHITECTURE.md.

use std::fs;
use std::path::Path;

/// The folder of every numbered step of a section, in order; every list that starts at 1 is one walk.
fn walks(text: &str, heading: &str) -> Vec<Vec<String>> {
    let section = text.split(heading).nth(1).expect("the heading is there");
    let section = section.split("\n#").next().unwrap_or(section);
    let mut walks: Vec<Vec<String>> = Vec::new();
    for line in section.lines() {
        let Some((number, step)) = line.split_once(". [") else { continue };
        let Ok(number) = number.parse::<usize>() else { continue };
        if number == 1 {
            walks.push(Vec::new());
        }
        let walk = walks.last_mut().expect("a list starts at 1");
        assert_eq!(walk.len() + 1, number, "{line}");
        walk.push(step.split('/').next().unwrap_or(step).to_owned());
    }
    walks
}

/// The first folder that a walk enters after it has left it.
fn entered_again(walk: &[String]) -> Option<&String> {
    let mut runs = walk.to_vec();
    runs.dedup();
    let again = (1..runs.len()).find(|&at| runs[..at].contains(&runs[at]))?;
    walk.iter().find(|step| **step == runs[again])
}

fn architecture() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md");
    fs::read_to_string(page).expect("the page is there")
}

#[test]
fn cms_and_prediction_never_return_to_a_stage() {
    let text = architecture();
    for (heading, n_walks) in [("### CMS on points", 1), ("### Predict", 2)] {
        let walks = walks(&text, heading);
        assert_eq!(walks.len(), n_walks, "{heading}");
        for walk in walks {
            assert!(walk.len() > 1, "{heading}");
            assert_eq!(entered_again(&walk), None, "{heading}: {walk:?}");
        }
    }
    let returning = ["method", "select", "method"].map(str::to_owned);
    assert_eq!(entered_again(&returning), Some(&returning[0]));
}

#[test]
fn every_function_of_the_walks_is_in_its_file() {
    let text = architecture();
    let section = text.split("## Walk one fit").nth(1).expect("the heading is there");
    let section = section.split("\n## ").next().unwrap_or(section);
    let section = section.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut seen = 0;
    for reference in section.split("](crates/ilk/src/").skip(1) {
        let Some((path, name)) = reference.split_once("): `") else { continue };
        let Some(name) = name.split('`').next().filter(|_| !path.contains(')')) else { continue };
        let last = name.rsplit("::").next().unwrap_or(name);
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(path);
        let source = fs::read_to_string(&file).expect("the file is there");
        let is_defined = ["fn", "struct"].map(|word| source.contains(&format!("{word} {last}")));
        assert!(is_defined.contains(&true), "{path}: {name}");
        seen += 1;
    }
    assert!(seen > 90, "{seen} functions");
}
