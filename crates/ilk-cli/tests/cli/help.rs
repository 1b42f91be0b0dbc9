//! What the command says about itself: files, completions, pages of the manual, exit codes.

use serde_json::Value;

use crate::common::Sandbox;

/// The examples of `ilk formats`, as files.
fn with_examples() -> Sandbox {
    let sandbox = Sandbox::new();
    let formats = sandbox.json("formats");
    for format in formats.as_array().unwrap() {
        if let Value::String(example) = &format["example"] {
            sandbox.write(format["file"].as_str().unwrap(), example);
        }
    }
    sandbox
}

#[test]
fn every_example_of_a_file_is_read_by_what_it_is_an_example_for() {
    let sandbox = with_examples();
    let files = "--pairs pairs.csv --triplets triplets.csv --labels labels.csv";
    let check = sandbox.json(&format!("check --data data.csv {files}"));
    assert_eq!(check["consistent"], true);
    let counts = serde_json::json!({
        "must-link": 1, "cannot-link": 1, "odd-one-out": 2, "about-equal": 1, "label": 2
    });
    assert_eq!(check["constraints"], counts);
    assert_eq!(check["n_skipped"], 2);
    let run = "cluster data.csv --method mean-shift --set bandwidth=1 --labels labels.csv";
    let run = sandbox.json(&format!("{run} --truth truth.csv"));
    assert_eq!(run["n_clusters"], 2);
    let found = sandbox.json("evaluate clusters.csv truth.csv");
    assert_eq!(found["scores"]["n"], 5);
    let graph = sandbox
        .json("graph edges.csv --nodes nodes.csv --method spectral --clusters 2 --out c.csv");
    assert_eq!(graph["n_points"], 6);
}

#[test]
fn help_on_formats_has_the_examples_too() {
    let sandbox = Sandbox::new();
    let help = sandbox.ok("help formats").out;
    for line in ["id_a,id_b,id_c,answer", "id_a,id_b,relation", "u,v,weight", "id,label"] {
        assert!(help.contains(line), "{line}: {help}");
    }
    assert!(sandbox.ok("formats").out.contains("must-link, cannot-link or skip"));
}

#[test]
fn shells_complete_every_command() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = sandbox.ok(&format!("completions {shell}")).out;
        for word in ["cluster", "segment", "formats", "--triplets", "--max-unpacked"] {
            let word = if shell == "fish" { word.trim_start_matches('-') } else { word };
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(sandbox.run("completions tcsh").code, Some(2));
}

#[test]
fn every_command_has_a_page_in_the_manual() {
    let sandbox = Sandbox::new();
    sandbox.ok("man --out man");
    let help = sandbox.ok("help").out;
    let commands = help.split_once("Commands:\n").unwrap().1.split_once("\n\n").unwrap().0;
    let commands: Vec<&str> =
        commands.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.contains(&"cluster"));
    for command in commands.into_iter().filter(|&command| command != "help") {
        let page = sandbox.read(&format!("man/ilk-{command}.1"));
        assert!(page.contains(".SH SYNOPSIS"), "{command}");
        assert!(
            page.contains(&format!("ilk {command}")) || page.contains(&format!("ilk\\-{command}")),
            "{command}: {page}"
        );
        assert_eq!(sandbox.ok(&format!("man {command}")).out, page);
    }
    assert_eq!(sandbox.ok("man").out, sandbox.read("man/ilk.1"));
    let refused = sandbox.run("man nothing");
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.starts_with("error: there is no command \"nothing\"; there are demo, "));
}

#[test]
fn exit_codes_are_documented_and_true() {
    let sandbox = Sandbox::with_data();
    let help = sandbox.ok("--help").out;
    assert!(help.contains("Exit codes: 0 done, 1 failed, 2 wrong usage, 3 `ilk check` found"));
    assert_eq!(sandbox.run("cluster nothing.csv").code, Some(1));
    assert_eq!(sandbox.run("cluster").code, Some(2));
    sandbox.write("pairs.csv", "id_a,id_b,relation\na,b,ml\nb,a,cl\n");
    assert_eq!(sandbox.run("check --pairs pairs.csv").code, Some(3));
}
