//! Nothing that was acknowledged is lost, and the log is the truth.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use ilk::numerics::rng::rng_stream;
use serde_json::{Value, json};

use super::client::{Client, Served, ids, same_letter, three_groups};
use crate::common::Sandbox;

/// Kills without notice, in all.
const KILLS: usize = 200;

/// Kills of one project; then another one begins.
const OF_PROJECT: usize = 20;

#[test]
fn no_acknowledged_answer_is_missing_after_kills_at_random_moments() {
    let mut rng = rng_stream(19, 0);
    let mut in_all = 0;
    for project in 0..KILLS / OF_PROJECT {
        let sandbox = Sandbox::new();
        sandbox.write("data.csv", three_groups(60));
        let mut acknowledged: Vec<(usize, String)> = Vec::new();
        for _ in 0..OF_PROJECT {
            let mut served = Served::start(&sandbox, "data.csv");
            check(&served.client, &acknowledged);
            let client = served.client.clone();
            let (over, so_far) = (AtomicBool::new(false), AtomicUsize::new(0));
            let seed = project as u64;
            let taken = std::thread::scope(|scope| {
                let writer = scope.spawn(|| write(&client, seed, &over, &so_far));
                // However slow the machine is, some answers are acknowledged and one is on its way.
                let enough = (rng.uniform() * 4.0) as usize;
                while so_far.load(Ordering::SeqCst) < enough {
                    std::thread::sleep(Duration::from_micros(100));
                }
                std::thread::sleep(Duration::from_micros((rng.uniform() * 20_000.0) as u64));
                served.kill();
                over.store(true, Ordering::SeqCst);
                writer.join().expect("the writer ends")
            });
            in_all += taken.len();
            acknowledged.extend(taken);
        }
        let served = Served::start(&sandbox, "data.csv");
        check(&served.client, &acknowledged);
    }
    assert!(in_all > KILLS, "only {in_all} answers were acknowledged: the kills came too early");
}

/// Answers and states until the server is gone; the entries that it acknowledged, with the question or the first row.
fn write(
    client: &Client,
    seed: u64,
    over: &AtomicBool,
    so_far: &AtomicUsize,
) -> Vec<(usize, String)> {
    let mut rng = rng_stream(seed, 1);
    let mut taken = Vec::new();
    let mut question: Option<Value> = None;
    while !over.load(Ordering::SeqCst) {
        let asked = question.take().filter(|question| !question.is_null());
        let (path, body, name) = if let Some(asked) = asked {
            let id = asked["id"].as_str().unwrap_or_default().to_owned();
            ("/api/answer", json!({ "question": id, "answer": same_letter(&asked) }), id)
        } else {
            let two = rng.sample(60, 2);
            let id = |row: usize| format!("{}{row}", ["a", "b", "c"][row % 3]);
            let rows = [id(two[0]), id(two[1])];
            ("/api/statement", json!({ "relation": "together", "rows": rows }), rows[0].clone())
        };
        let Some(response) = client.try_post(path, &body) else { continue };
        assert_eq!(response.status, 200, "{}", String::from_utf8_lossy(&response.body));
        let response = response.json();
        taken.push((response["entry"].as_u64().expect("an entry") as usize, name));
        so_far.fetch_add(1, Ordering::SeqCst);
        question = Some(response["question"].clone());
    }
    taken
}

/// Whether everything that was acknowledged is there, where it was said to be.
fn check(client: &Client, acknowledged: &[(usize, String)]) {
    let answers = client.json("/api/answers");
    for (entry, name) in acknowledged {
        let found = &answers[*entry];
        let is_it = found["question"] == json!(name) || found["rows"][0] == json!(name);
        assert!(is_it && found["standing"] == "counts", "entry {entry}, {name}: {found}");
    }
}

/// What a page shows of the state, all of it that does not come from work on the side.
fn shown(client: &Client) -> Vec<Value> {
    let mut state = client.json("/api/state");
    state["progress"] = Value::Null;
    state["fitted"] = Value::Null;
    let labels = |by: &str| client.clusters(by)["labels"].clone();
    let others = ["/api/answers", "/api/contradictions", "/api/map"].map(|path| client.json(path));
    [state, labels("answers"), labels("model")].into_iter().chain(others).collect()
}

#[test]
fn the_same_log_gives_the_same_state_and_the_caches_are_not_needed() {
    let sandbox = Sandbox::new();
    sandbox.write("data.csv", three_groups(90));
    let mut served = Served::start(&sandbox, "data.csv --seed 3");
    let client = served.client.clone();
    for number in 0..16 {
        client.answer(same_letter);
        if number == 6 {
            client.done("/api/kind", &json!({ "kind": "triplet" }));
        }
        if number % 5 == 4 {
            client.done("/api/undo", &json!({}));
        }
    }
    client.done(
        "/api/statement",
        &json!({ "relation": "apart", "rows": ["a0", "a3"], "others": ["b1"] }),
    );
    client.done("/api/statement", &json!({ "relation": "together", "rows": ["a0", "b1"] }));
    client.done("/api/delete", &json!({ "entry": 2 }));
    client.done("/api/name", &json!({ "row": "a0", "name": "ants" }));
    let before = shown(&client);
    served.kill();
    // A line that was cut off was not acknowledged.
    let log = sandbox.read("data.studio/events.jsonl");
    sandbox.write(
        "data.studio/events.jsonl",
        format!("{log}{{\"at\":\"2026-01-01T00:00:00Z\",\"event\":\"ans"),
    );
    let again = Served::start(&sandbox, "--project data.studio");
    assert_eq!(shown(&again.client), before);
    drop(again);
    assert_eq!(sandbox.read("data.studio/events.jsonl"), log);
    // The log and the settings are all that it takes.
    let copy = Sandbox::new();
    copy.write("data.csv", three_groups(90));
    std::fs::create_dir(copy.file("data.studio")).expect("a folder");
    copy.write("data.studio/events.jsonl", &log);
    let copied = Served::start(&copy, "data.csv --seed 3");
    assert_eq!(shown(&copied.client), before);
}

#[test]
fn rows_of_changed_data_are_found_by_their_ids_and_answers_about_rows_that_are_gone_wait() {
    let sandbox = Sandbox::new();
    let text = three_groups(60);
    sandbox.write("data.csv", &text);
    let mut served = Served::start(&sandbox, "data.csv");
    let mut named = Vec::new();
    for _ in 0..8 {
        named.push(ids(&served.client.json("/api/state")["question"]));
        served.client.answer(same_letter);
    }
    assert_eq!(served.client.json("/api/state")["data_changed"], false);
    served.kill();
    // Without one row that answers name, the others in another order.
    let gone = named[0][0].clone();
    let (head, rows) = text.split_once('\n').expect("a header");
    let is_kept = |row: &&str| !row.starts_with(&format!("{gone},"));
    let mut rows: Vec<&str> = rows.lines().filter(is_kept).collect();
    rows.reverse();
    sandbox.write("data.csv", format!("{head}\n{}\n", rows.join("\n")));
    let mut served = Served::start(&sandbox, "data.csv");
    let state = served.client.json("/api/state");
    let missing = named.iter().filter(|ids| ids.contains(&gone)).count();
    assert_eq!(state["data_changed"], true);
    assert_eq!((&state["n_missing"], &state["n_answers"]), (&json!(missing), &json!(8 - missing)));
    let answers = served.client.json("/api/answers");
    for (answer, named) in answers.as_array().expect("a list").iter().zip(&named) {
        let is_gone = named.contains(&gone);
        assert_eq!(answer["standing"], if is_gone { "missing" } else { "counts" });
        assert_eq!(answer["rows"], json!(named));
        if is_gone {
            assert_eq!(answer["missing"], json!(gone));
        } else {
            // The point is where the row is now.
            let at = |id: &str| rows.iter().position(|row| row.starts_with(&format!("{id},")));
            let points: Vec<_> = named.iter().map(|id| at(id)).collect();
            assert_eq!(answer["points"], json!(points));
        }
    }
    served.kill();
    sandbox.write("data.csv", &text);
    let served = Served::start(&sandbox, "data.csv");
    assert_eq!(served.client.json("/api/state")["n_answers"], 8);
}

#[test]
fn what_is_exported_makes_the_same_clusters_again() {
    let sandbox = Sandbox::new();
    sandbox.write("data.csv", three_groups(90));
    let served = Served::start(&sandbox, "data.csv");
    let client = &served.client;
    for kind in ["pair", "group", "triplet", "pair"] {
        client.done("/api/kind", &json!({ "kind": kind }));
        for _ in 0..4 {
            client.answer(same_letter);
        }
    }
    client.done(
        "/api/statement",
        &json!({ "relation": "apart", "rows": ["a0"], "others": ["b1", "c2"] }),
    );
    let export = client.get("/api/export");
    assert_eq!((export.status, export.header("content-type")), (200, Some("application/zip")));
    assert!(export.body.starts_with(b"PK"));
    let exported = sandbox.read("data.studio/export/clusters.csv");
    assert_eq!(client.clusters("model")["stale"], false);
    sandbox.ok("predict data.studio/export/model.ilk data.csv --out predicted.csv");
    let column = |text: &str, at: usize| -> Vec<String> {
        text.lines().map(|line| line.split(',').nth(at).unwrap_or_default().to_owned()).collect()
    };
    let predicted = sandbox.read("predicted.csv");
    for at in 0..2 {
        assert_eq!(column(&predicted, at), column(&exported, at));
    }
    // The command of repeat.txt, run in the folder of the export.
    let repeat = sandbox.read("data.studio/export/repeat.txt");
    let command =
        repeat.lines().find_map(|line| line.strip_prefix("ilk cluster ")).expect("a command");
    let command = command
        .replace(" --out clusters.csv", " --out again.csv")
        .replace(" --model model.ilk", " --model again.ilk");
    assert!(
        command.contains("--pairs pairs.csv --triplets triplets.csv --scale standard"),
        "{command}"
    );
    let mut again = sandbox.command(&format!("cluster {command} --quiet"));
    let status = again.current_dir(sandbox.file("data.studio/export")).status();
    assert!(status.expect("it starts").success());
    assert_eq!(sandbox.read("data.studio/export/again.csv"), exported);
    let report = sandbox.read("data.studio/export/report.html");
    assert!(report.contains("<svg") && report.contains("--pairs pairs.csv"));
}

#[test]
fn a_start_that_fails_binds_the_next_one_to_nothing() {
    let sandbox = Sandbox::new();
    let table =
        three_groups(30).lines().enumerate().fold(String::new(), |table, (number, line)| {
            table + line + if number == 0 { ",kind\n" } else { ",bird\n" }
        });
    sandbox.write("data.csv", table);
    let first = sandbox.run("studio data.csv --no-open");
    assert_eq!(first.code, Some(1));
    assert!(first.err.contains("leave this one out with --exclude kind"), "{}", first.err);
    // What the message advises.
    let mut served = Served::start(&sandbox, "data.csv --exclude kind");
    served.kill();
}

#[test]
fn a_project_is_open_once_and_keeps_its_settings() {
    let sandbox = Sandbox::new();
    sandbox.write("data.csv", three_groups(30));
    let mut served = Served::start(&sandbox, "data.csv");
    let second = sandbox.run("studio data.csv --no-open");
    assert_eq!(second.code, Some(1));
    assert!(second.err.contains("another `ilk studio` has this project open"), "{}", second.err);
    served.kill();
    let other = sandbox.run("studio data.csv --no-open --scale minmax --seed 4");
    assert_eq!(other.code, Some(1));
    let expected = "the project was begun with other settings (--scale, --seed); leave these out";
    assert!(other.err.contains(expected), "{}", other.err);
    sandbox.write("data.studio/events.jsonl", "{\"at\":\"\",\"event\":\"riddle\"}\n");
    let damaged = sandbox.run("studio data.csv --no-open");
    assert_eq!(damaged.code, Some(1));
    assert!(damaged.err.contains("events.jsonl, line 1: this is no event"), "{}", damaged.err);
    sandbox.refused(
        "studio --project nowhere --no-open",
        1,
        "nowhere holds no project; name the table too: ilk studio DATA --project nowhere",
    );
}

#[test]
fn the_demo_needs_no_files_and_does_not_ask_with_the_answer_in_sight() {
    let sandbox = Sandbox::new();
    let served = Served::start(&sandbox, "--demo");
    let state = served.client.json("/api/state");
    assert_eq!(state["features"], json!(["x", "y"]));
    assert_eq!(state["columns"], json!(["x", "y"]));
    assert_eq!(state["question"]["rows"].as_array().map(Vec::len), Some(2));
}
