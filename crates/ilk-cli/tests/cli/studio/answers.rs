//! What answers do.

use serde_json::{Value, json};

use super::client::{Served, ids, same_letter, three_groups};
use crate::common::Sandbox;

fn served(n: usize) -> (Sandbox, Served) {
    let sandbox = Sandbox::new();
    sandbox.write("data.csv", three_groups(n));
    let served = Served::start(&sandbox, "data.csv");
    (sandbox, served)
}

#[test]
fn an_answer_is_taken_once_however_often_it_comes_and_one_to_another_question_is_refused() {
    let (sandbox, served) = served(60);
    let client = &served.client;
    let question = client.json("/api/state")["question"].clone();
    let given = json!({ "question": question["id"], "answer": "same" });
    let first = client.done("/api/answer", &given);
    let again = client.done("/api/answer", &given);
    assert_eq!((&first["repeated"], &again["repeated"]), (&json!(false), &json!(true)));
    assert_eq!((&first["entry"], &first["question"]), (&again["entry"], &again["question"]));
    assert_ne!(first["question"]["id"], question["id"]);
    // Another answer to the same question is not taken either: the first one was.
    client.done("/api/answer", &json!({ "question": question["id"], "answer": "different" }));
    let answers = client.json("/api/answers");
    assert_eq!(answers.as_array().map(Vec::len), Some(1));
    assert_eq!(answers[0]["answer"], "same");
    assert_eq!(sandbox.read("data.studio/events.jsonl").lines().count(), 1);
    let unknown = client.post("/api/answer", &json!({ "question": "0", "answer": "same" }));
    assert_eq!(unknown.status, 409);
    let message = unknown.json()["error"].as_str().map(str::to_owned);
    let expected =
        "this question is no longer asked: other answers came in between; take the next one";
    assert_eq!(message.as_deref(), Some(expected));
}

#[test]
fn what_is_no_answer_is_refused_with_what_is_wrong_and_leaves_nothing_in_the_log() {
    let (sandbox, served) = served(60);
    let client = &served.client;
    let id = client.json("/api/state")["question"]["id"].clone();
    let answer = |answer: Value| json!({ "question": id, "answer": answer });
    let long = "x".repeat(2001);
    let cases = [
        ("/api/answer", answer(json!("equal")), "a pair is same, different, skip or cannot_tell"),
        (
            "/api/answer",
            answer(json!({ "odd": "nobody" })),
            "row \"nobody\" is not in the question",
        ),
        ("/api/answer", answer(json!("maybe")), "this is not understood: unknown variant `maybe`"),
        (
            "/api/answer",
            json!({ "question": id, "answer": "same", "confidence": 0 }),
            "above 0 and at most 1",
        ),
        (
            "/api/answer",
            json!({ "question": id, "answer": "same", "note": long }),
            "the note has 2001 characters",
        ),
        ("/api/answer", json!([]), "this is not understood"),
        (
            "/api/statement",
            json!({ "relation": "together", "rows": ["a0"] }),
            "\"together\" is about two or more rows",
        ),
        (
            "/api/statement",
            json!({ "relation": "apart", "rows": ["a0", "b1"] }),
            "\"apart\" about rows and the others",
        ),
        (
            "/api/statement",
            json!({ "relation": "together", "rows": ["a0", "a0"] }),
            "a row is named twice",
        ),
        (
            "/api/statement",
            json!({ "relation": "together", "rows": ["a0", "z"] }),
            "row \"z\" is not in the data",
        ),
        ("/api/delete", json!({ "entry": 0 }), "there is no answer 0 that could be taken back"),
        (
            "/api/kind",
            json!({ "kind": "riddle" }),
            "this is not understood: unknown variant `riddle`",
        ),
        ("/api/name", json!({ "row": "z", "name": "zoo" }), "row \"z\" is not in the data"),
    ];
    for (path, body, message) in cases {
        let response = client.post(path, &body);
        let found = response.json()["error"].as_str().unwrap_or_default().to_owned();
        assert_eq!(response.status, 422, "{path} {body}: {found}");
        assert!(found.contains(message), "{path} {body}: {found}");
    }
    assert_eq!(client.post("/api/undo", &json!({})).status, 404);
    assert_eq!(sandbox.read("data.studio/events.jsonl"), "");
}

#[test]
fn answers_of_all_kinds_name_the_groups() {
    let (_sandbox, served) = served(120);
    let client = &served.client;
    for (kind, n) in [("pair", 12), ("triplet", 6), ("group", 4)] {
        let state = client.done("/api/kind", &json!({ "kind": kind }));
        assert_eq!(state["kind"], kind);
        for _ in 0..n {
            client.answer(same_letter);
        }
    }
    let answers = client.json("/api/answers");
    let kinds = |kind: &str| {
        let all = answers.as_array().into_iter().flatten();
        all.filter(|answer| answer["kind"] == kind).count()
    };
    assert!(kinds("triplet") >= 5 && kinds("group") >= 3, "{answers}");
    for by in ["answers", "model"] {
        let clusters = client.clusters(by);
        let labels = clusters["labels"].as_array().expect("labels");
        let sizes: Vec<u64> = clusters["clusters"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|it| it["size"].as_u64())
            .collect();
        assert_eq!(sizes.iter().sum::<u64>(), 120, "{by}");
        // Rows are in turn of the three groups.
        let agree = |a: usize, b: usize| (labels[a] == labels[b]) == (a % 3 == b % 3);
        let pairs = || (0..120).flat_map(|a| (0..a).map(move |b| (a, b)));
        let right = pairs().filter(|&(a, b)| agree(a, b)).count();
        let share = right as f64 / pairs().count() as f64;
        assert!(share > 0.9, "{by}: {share} of the pairs");
    }
    assert!(client.json("/api/methods")["members"].as_array().is_some_and(|all| !all.is_empty()));
}

#[test]
fn a_contradiction_is_told_with_its_chain_and_goes_when_the_wrong_answer_is_taken_back() {
    let (_sandbox, served) = served(60);
    let client = &served.client;
    let say = |relation: &str, rows: &[&str], others: &[&str]| {
        let body = json!({ "relation": relation, "rows": rows, "others": others });
        client.done("/api/statement", &body)["entry"].as_u64().expect("an entry")
    };
    say("together", &["a0", "a3", "a6", "a9"], &[]);
    say("together", &["b1", "b4", "b7", "b10"], &[]);
    say("apart", &["a0", "a3"], &["b1", "b4"]);
    assert_eq!(client.json("/api/contradictions")["total"], 0);
    let wrong = say("together", &["a6", "b7"], &[]);
    let found = client.json("/api/contradictions");
    assert!(found["total"].as_u64() >= Some(1), "{found}");
    let first = &found["contradictions"][0];
    let text = first["text"].as_str().unwrap_or_default();
    assert!(text.contains(" must-link ") && text.contains(", but a"), "{text}");
    assert!(first["entries"].as_array().is_some_and(|all| all.contains(&json!(wrong))), "{first}");
    assert_eq!(first["likeliest_wrong"], wrong, "{found}");
    assert_eq!(client.json("/api/state")["n_contradictions"], found["total"]);
    client.done("/api/delete", &json!({ "entry": wrong }));
    assert_eq!(client.json("/api/contradictions")["total"], 0);
    // What stands between them can be taken back too, and the others stay.
    client.done("/api/delete", &json!({ "entry": 0 }));
    let standing: Vec<Value> = client.json("/api/answers").as_array().expect("a list").clone();
    let standing: Vec<&Value> = standing.iter().map(|answer| &answer["standing"]).collect();
    assert_eq!(standing, ["deleted", "counts", "counts", "deleted"]);
}

#[test]
fn undo_takes_back_the_last_answer_and_its_question_comes_again() {
    let (_sandbox, served) = served(60);
    let client = &served.client;
    let mut questions = Vec::new();
    for _ in 0..5 {
        questions.push(ids(&client.json("/api/state")["question"]));
        client.answer(same_letter);
    }
    for number in (0..5).rev() {
        let taken = client.done("/api/undo", &json!({}));
        assert_eq!(taken["entry"], number);
        assert_eq!(ids(&taken["question"]), questions[number]);
    }
    assert_eq!(client.post("/api/undo", &json!({})).status, 404);
    assert_eq!(client.json("/api/state")["n_answers"], 0);
}

#[test]
fn names_stay_with_the_rows_of_their_clusters_and_rows_are_found() {
    let (_sandbox, served) = served(60);
    let client = &served.client;
    for _ in 0..15 {
        client.answer(same_letter);
    }
    client.done("/api/name", &json!({ "row": "b1", "name": "bees" }));
    client.done("/api/done", &json!({ "row": "b1", "done": true }));
    let clusters = client.clusters("answers");
    let label = clusters["labels"][1].as_u64().expect("a cluster") as usize;
    let named = &clusters["clusters"][label];
    assert_eq!((&named["name"], &named["done"]), (&json!("bees"), &json!(true)));
    let rows = client.json(&format!("/api/rows?cluster={label}&by=answers&limit=3"));
    assert_eq!(rows["total"], named["size"]);
    assert_eq!(rows["rows"].as_array().map(Vec::len), Some(3));
    let found = client.json("/api/rows?search=C5");
    let found: Vec<&Value> =
        found["rows"].as_array().into_iter().flatten().map(|row| &row["id"]).collect();
    assert_eq!(found, ["c5", "c50", "c53", "c56", "c59"]);
    let why = client.json("/api/explain?point=1&by=answers");
    assert_eq!((&why["id"], &why["cluster"]), (&json!("b1"), &json!(label)));
    assert_eq!(why["nearest"].as_array().map(Vec::len), Some(10));
    assert_eq!(client.get("/api/explain?point=60").status, 404);
}
