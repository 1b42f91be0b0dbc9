//! The folders of the engine are the stages of a run, and imports point one way along it. This
//! test reads the sources and says where one does not.

mod paths;
mod rules;
mod walks;

use std::fs;
use std::path::{Path, PathBuf};

use rules::violations;

/// Every Rust file under a folder, sorted.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("the folder is readable").path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn the_engine_follows_its_flow() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    for file in sources(&root) {
        let name = file.strip_prefix(&root).expect("the file is in src");
        let name = name.to_str().expect("file names are UTF-8").replace('\\', "/");
        let text = fs::read_to_string(&file).expect("the file is readable");
        found.extend(violations(&name, &text));
    }
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn an_import_against_the_flow_is_named_with_file_and_line() {
    let text = "use crate::problem::Points;\nuse crate::outcome::Model;\n";
    assert_eq!(
        violations("group/kmeans/fit.rs", text),
        ["src/group/kmeans/fit.rs:2: group must not import outcome"]
    );
}

#[test]
fn imports_are_found_in_nested_groups_and_in_plain_paths() {
    let text = "use crate::{\n    Error,\n    outcome::{self, Model as M},\n};\n\
                fn f() -> crate::evaluate::Scores { super::super::method::run() }\n";
    assert_eq!(
        violations("similarity/kernel.rs", text),
        [
            "src/similarity/kernel.rs:3: similarity must not import outcome",
            "src/similarity/kernel.rs:5: similarity must not import evaluate",
            "src/similarity/kernel.rs:5: similarity must not import method",
        ]
    );
}

#[test]
fn images_use_methods_and_no_method_uses_images() {
    assert!(violations("image/segment.rs", "use crate::method::Method;").is_empty());
    assert_eq!(
        violations("method/cms.rs", "use crate::image::Image;"),
        ["src/method/cms.rs:1: method must not import image"]
    );
}

#[test]
fn questions_use_methods_and_no_method_asks() {
    assert!(violations("ask/session.rs", "use crate::method::Method;").is_empty());
    assert_eq!(
        violations("method/cms.rs", "use crate::ask::Question;"),
        ["src/method/cms.rs:1: method must not import ask"]
    );
}

#[test]
fn super_is_followed_only_as_far_as_it_goes() {
    assert!(violations("group/kmeans/fit.rs", "use super::super::method;").is_empty());
    assert_eq!(
        violations("group/kmeans/mod.rs", "use super::super::method;"),
        ["src/group/kmeans/mod.rs:1: group must not import method"]
    );
}

#[test]
fn comments_strings_and_tests_may_name_anything() {
    let text = "//! See [`crate::outcome`].\n/* crate::outcome /* nested */ faer */\n\
                const S: &str = \"crate::outcome \\\" println!\";\n\
                const R: &str = r#\"std::fs \" faer\"#;\n\
                fn f<'a>(c: &'a char) -> bool { *c == '\"' || *c == '\\'' }\n";
    assert!(violations("problem/input.rs", text).is_empty());
    let import = "use crate::datasets::moons; use std::fs;";
    assert!(violations("problem/tests.rs", import).is_empty());
    assert!(!violations("problem/input.rs", import).is_empty());
}

#[test]
fn private_libraries_stay_in_their_modules() {
    assert!(violations("numerics/linalg.rs", "use faer::Mat;").is_empty());
    assert_eq!(
        violations("numerics/neighbors.rs", "use faer::Mat;\nuse rayon::prelude::*;"),
        ["src/numerics/neighbors.rs:1: faer belongs to numerics/linalg alone"]
    );
    assert_eq!(
        violations("similarity/gram.rs", "fn f() { ::rand_chacha::x(); }"),
        ["src/similarity/gram.rs:1: rand_chacha belongs to numerics/rng alone"]
    );
}

#[test]
fn the_engine_has_no_files_clocks_prints_or_threads_of_its_own() {
    let text = "use std::{fs::File, time::Instant};\n\
                fn f() { println!(\"hm\"); std::thread::spawn(f); }\n\
                fn g() { dbg!(1); }\n";
    assert_eq!(
        violations("numerics/exp.rs", text),
        [
            "src/numerics/exp.rs:1: the engine must not use std::fs",
            "src/numerics/exp.rs:1: the engine must not use std::time",
            "src/numerics/exp.rs:2: the engine must not use println!",
            "src/numerics/exp.rs:2: the engine must not use thread::spawn",
            "src/numerics/exp.rs:3: the engine must not use dbg!",
        ]
    );
}

#[test]
fn numerics_knows_no_stage_and_vocabulary_knows_next_to_nothing() {
    let problem = "use crate::problem::Points;";
    assert_eq!(violations("numerics/neighbors.rs", problem).len(), 1);
    assert_eq!(violations("observe.rs", problem).len(), 1);
    assert_eq!(violations("parameter.rs", problem).len(), 1);
    assert!(violations("error.rs", problem).is_empty());
    assert!(violations("datasets/moons.rs", problem).is_empty());
    assert_eq!(violations("error.rs", "use crate::group::Label;").len(), 1);
    assert_eq!(violations("datasets/moons.rs", "use crate::group::Label;").len(), 1);
}

#[test]
fn a_folder_outside_the_flow_is_named() {
    assert_eq!(
        violations("helpers/mod.rs", "fn f() {}\n"),
        [
            "src/helpers/mod.rs:1: helpers has no place in the flow; give it one in tests/it/flow/rules.rs"
        ]
    );
}

#[test]
fn a_method_imports_stages_and_not_another_method() {
    let text = "use super::MethodInfo;\nuse super::kmeans::seeds;\nuse crate::select::Folds;\n";
    assert_eq!(
        violations("method/cms.rs", text),
        ["src/method/cms.rs:2: cms must not import the method kmeans"]
    );
    let inside = "use super::pipeline::fit;\nuse crate::method::{Method, mssc::Mssc};\n";
    assert_eq!(
        violations("method/learned_kernel/sklr.rs", inside),
        ["src/method/learned_kernel/sklr.rs:2: learned_kernel must not import the method mssc"]
    );
}
