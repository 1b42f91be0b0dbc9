//! `ilk ask`: who answers, what is kept, and which errors there are.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Stdio;

use crate::common::{Ended, Sandbox};

/// Runs the command with these arguments, which may hold blanks.
fn run(sandbox: &Sandbox, arguments: &[&str]) -> Ended {
    let output = sandbox.command("").args(arguments).output().expect("the command starts");
    Ended {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("UTF-8 on stdout"),
        err: String::from_utf8(output.stderr).expect("UTF-8 on stderr"),
    }
}

/// Three groups of ten rows that overlap a little, with their class.
fn with_groups() -> Sandbox {
    let sandbox = Sandbox::new();
    let mut text = String::from("id,x,y,class\n");
    for row in 0..30 {
        let (class, step) = (row % 3, f64::from(row / 3));
        let x = f64::from(class) * 3.0 + (step * 0.7).sin();
        let y = (step * 1.3).cos() + f64::from(class % 2);
        writeln!(text, "r{row},{x},{y},{class}").expect("a string takes any text");
    }
    sandbox.write("groups.csv", text);
    sandbox
}

/// The rows of a file of answers without the column of times.
fn without_times(text: &str) -> Vec<String> {
    let cells = |line: &str| {
        let mut cells: Vec<&str> = line.split(',').collect();
        cells.remove(5);
        cells.join(",")
    };
    text.lines().map(cells).collect()
}

const SIMULATED: [&str; 8] =
    ["ask", "groups.csv", "--truth", "class", "--answers", "answers.csv", "--budget", "40"];

#[test]
fn a_simulation_names_the_groups_and_keeps_every_answer() {
    let sandbox = with_groups();
    let ended = run(&sandbox, &[&SIMULATED[..], &["--clusters", "clusters.csv"]].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(ended.out.starts_with("40 answers; 3 clusters; agree with "), "{}", ended.out);
    let answers = sandbox.read("answers.csv");
    assert_eq!(
        answers.lines().next(),
        Some("id_a,id_b,relation,weight,annotator,created_at,source,note,question")
    );
    assert_eq!(answers.lines().count(), 41);
    let scored = run(&sandbox, &["evaluate", "clusters.csv", "groups.csv", "--json"]);
    assert!(scored.out.contains("\"adjusted_rand\": 1.0"), "{}", scored.out);
    // Any other command reads the file as pairs.
    let checked = run(&sandbox, &["check", "--pairs", "answers.csv"]);
    assert!(checked.out.starts_with("no contradictions"), "{}", checked.out);
}

#[test]
fn a_run_that_was_cut_off_anywhere_goes_on_to_the_same_answers() {
    let sandbox = with_groups();
    assert_eq!(run(&sandbox, &SIMULATED).code, Some(0));
    let whole = sandbox.read("answers.csv");
    // Cut off within the header, between two lines, and within lines.
    for cut in
        [0, 10, whole.find('\n').unwrap() + 1, whole.len() / 3, whole.len() / 2, whole.len() - 1]
    {
        sandbox.write("answers.csv", &whole[..cut]);
        let ended = run(&sandbox, &SIMULATED);
        assert_eq!(ended.code, Some(0), "cut at {cut}: {}", ended.err);
        let again = sandbox.read("answers.csv");
        assert_eq!(without_times(&again), without_times(&whole), "cut at {cut}");
        let is_between = cut == 0 || whole[..cut].ends_with('\n');
        assert_eq!(ended.err.contains("the last line was cut off"), !is_between, "{}", ended.err);
    }
}

#[cfg(unix)]
#[test]
fn a_killed_run_has_kept_what_was_answered() {
    let sandbox = with_groups();
    let oracle =
        "for i in 1 2 3 4 5; do read line; echo '{\"answer\": \"different\"}'; done; sleep 60";
    let arguments = ["ask", "groups.csv", "--exclude", "class", "--oracle", oracle];
    let mut child = sandbox
        .command("")
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts");
    let lines =
        || std::fs::read_to_string(sandbox.file("answers.csv")).map_or(0, |t| t.lines().count());
    while lines() < 6 {
        assert!(child.try_wait().expect("its state").is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().expect("it is killed");
    child.wait().expect("it ended");
    let kept = sandbox.read("answers.csv");
    assert_eq!(kept.lines().count(), 6);
    assert!(kept.ends_with('\n'));
    let more = run(&sandbox, &SIMULATED);
    assert!(more.err.contains("answers.csv: going on after 5 answers"), "{}", more.err);
    assert!(sandbox.read("answers.csv").starts_with(&kept));
}

/// Killed 20 times after a random while, each time started again, and at last left alone.
#[cfg(unix)]
#[test]
fn a_run_that_is_killed_again_and_again_ends_with_the_same_answers() {
    let sandbox = with_groups();
    assert_eq!(run(&sandbox, &SIMULATED).code, Some(0));
    let whole = without_times(&sandbox.read("answers.csv"));
    sandbox.write("answers.csv", "");
    let mut rng = ilk::numerics::rng::rng_stream(11, 0);
    for _ in 0..20 {
        let mut child = sandbox
            .command("")
            .args(SIMULATED)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        std::thread::sleep(std::time::Duration::from_micros(rng.below(40_000) as u64));
        // It may have ended already.
        let _ = child.kill();
        child.wait().expect("it ended");
        let kept = without_times(&sandbox.read("answers.csv"));
        assert_eq!(kept, whole[..kept.len()], "a beginning of the same answers");
    }
    assert_eq!(run(&sandbox, &SIMULATED).code, Some(0));
    assert_eq!(without_times(&sandbox.read("answers.csv")), whole);
}

#[cfg(unix)]
#[test]
fn a_program_that_fails_is_named_with_what_it_did() {
    let sandbox = with_groups();
    let fails = |oracle: &str| {
        let ended = run(
            &sandbox,
            &["ask", "groups.csv", "--exclude", "class", "--oracle", oracle, "--timeout", "1"],
        );
        assert_eq!(ended.code, Some(1));
        ended.err
    };
    let nonsense = fails("while read line; do echo hello; done");
    assert!(nonsense.contains("wrote \"hello\" as the answer to question 0"), "{nonsense}");
    assert!(nonsense.contains("an answer is a JSON object on one line"), "{nonsense}");
    let word = fails("while read line; do echo '{\"answer\": \"maybe\"}'; done");
    assert!(word.contains("no answer to this kind of question"), "{word}");
    let number = fails("while read line; do echo '{\"question\": 7, \"answer\": \"same\"}'; done");
    assert!(number.contains("it answers question 7"), "{number}");
    let unsure =
        fails("while read line; do echo '{\"answer\": \"same\", \"confidence\": 2}'; done");
    assert!(unsure.contains("above 0 and at most 1"), "{unsure}");
    let endless = fails("head -c 3000000 /dev/zero | tr '\\0' x; sleep 5");
    assert!(endless.contains("a line is longer than 1048576 bytes"), "{endless}");
    let slow = fails("exec sleep 30");
    assert!(
        slow.contains("has not answered question 0 within 1 s; give it longer with --timeout"),
        "{slow}"
    );
    let dead = fails("read line; echo '{\"answer\": \"same\"}'; exit 3");
    assert!(dead.contains("ended before it answered question 1 (exit status: 3)"), "{dead}");
    assert!(dead.contains("1 answer kept in answers.csv; the same command goes on"), "{dead}");
    assert_eq!(sandbox.read("answers.csv").lines().count(), 2);
}

#[test]
fn a_person_answers_with_keys_and_takes_answers_back() {
    let sandbox = with_groups();
    let mut child = sandbox
        .command("")
        .args(["ask", "groups.csv", "--exclude", "class", "--judging", "0"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let keys = b"s\nd\nu\nu\nd\nk\n?\nhuh\nq\n";
    child.stdin.take().expect("its stdin").write_all(keys).expect("it reads");
    let ended = child.wait_with_output().expect("it ends");
    let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(stderr.contains("do these belong together?"), "{stderr}");
    assert!(
        stderr.contains("taken back; 1 answer left")
            && stderr.contains("taken back; 0 answers left"),
        "{stderr}"
    );
    assert!(stderr.contains("\"huh\" is no answer here"), "{stderr}");
    let kept = sandbox.read("answers.csv");
    let relations: Vec<&str> =
        kept.lines().skip(1).map(|line| line.split(',').nth(2).expect("a relation")).collect();
    assert_eq!(relations, ["cannot-link", "skip", "skip"]);
    assert!(kept.ends_with("cannot tell,2\n"), "{kept}");
}

#[test]
fn a_batch_is_written_filled_in_and_taken_once() {
    let sandbox = with_groups();
    let data = ["ask", "groups.csv", "--exclude", "class"];
    let written = run(&sandbox, &[&data[..], &["--batch", "6", "--out", "questions.csv"]].concat());
    assert_eq!(written.code, Some(0), "{}", written.err);
    let questions = sandbox.read("questions.csv");
    assert!(questions.lines().next().is_some_and(|header| header.ends_with("a: x,a: y,b: x,b: y")));
    assert_eq!(questions.lines().count(), 7);
    let fill = |(number, line): (usize, &str)| match number {
        0 | 6 => line.to_owned(),
        _ => line.replacen(",,", ",different,", 1),
    };
    let filled: Vec<String> = questions.lines().enumerate().map(fill).collect();
    sandbox.write("questions.csv", filled.join("\n") + "\n");
    let take = [&data[..], &["--filled", "questions.csv"]].concat();
    assert!(run(&sandbox, &take).err.contains("5 answers taken from questions.csv"));
    assert!(run(&sandbox, &take).err.contains("0 answers taken from questions.csv"));
    assert_eq!(sandbox.read("answers.csv").lines().count(), 6);
}

#[test]
fn triplets_groups_and_labels_have_their_files_and_go_on() {
    for kind in ["triplet", "group", "label"] {
        let sandbox = with_groups();
        let go_on = |budget: &str| {
            let ended = run(
                &sandbox,
                &[
                    "ask",
                    "groups.csv",
                    "--truth",
                    "class",
                    "--kind",
                    kind,
                    "--budget",
                    budget,
                    "--json",
                ],
            );
            assert_eq!(ended.code, Some(0), "{kind}: {}", ended.err);
            ended
        };
        go_on("5");
        let first = sandbox.read("answers.csv");
        let ended = go_on("8");
        assert!(ended.err.contains("going on after 5 answers"), "{kind}: {}", ended.err);
        assert!(ended.out.contains("\"answers\": 8"), "{kind}: {}", ended.out);
        assert!(sandbox.read("answers.csv").starts_with(&first), "{kind}");
    }
}

#[test]
fn contradictions_name_the_lines_of_their_answers_and_the_likeliest_culprit() {
    let sandbox = with_groups();
    // r0, r3 and r6 are of one group, r1 of another: the second line is wrong.
    let answers = "id_a,id_b,relation,annotator,source\n\
                   r0,r3,same,ann,ask:learn\n\
                   r3,r1,same,ann,ask:learn\n\
                   r0,r1,different,ann,ask:learn\n\
                   r6,r0,same,ann,ask:learn\n\
                   r1,r4,same,ann,ask:learn\n\
                   r4,r6,different,ann,ask:learn\n\
                   r1,r7,same,ann,ask:learn\n";
    sandbox.write("answers.csv", answers);
    let ended = run(&sandbox, &[&SIMULATED[..6], &["--budget", "7"]].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(
        ended.out.contains(
            "contradiction: r0 must-link r3 must-link r1, but r0 cannot-link r1 (answers.csv, lines 2, 3, 4); \
             the likeliest to be wrong: r1 must-link r3 (answers.csv, line 3)"
        ),
        "{}",
        ended.out
    );
    let json = run(&sandbox, &[&SIMULATED[..6], &["--budget", "7", "--json"]].concat());
    assert!(json.out.contains("\"n_contradictions\": 2"), "{}", json.out);
}

#[test]
fn annotators_who_disagree_are_named_with_their_answers() {
    let sandbox = with_groups();
    let data = ["ask", "groups.csv", "--exclude", "class"];
    run(&sandbox, &[&data[..], &["--batch", "6", "--out", "questions.csv"]].concat());
    let questions = sandbox.read("questions.csv");
    for (annotator, answer) in [("ann", "same"), ("bob", "different")] {
        sandbox.write("filled.csv", questions.replace(",,1,,", &format!(",{answer},1,,")));
        let take = ["--filled", "filled.csv", "--annotator", annotator];
        let ended = run(&sandbox, &[&data[..], &take].concat());
        assert!(ended.err.contains("6 answers taken from filled.csv"), "{}", ended.err);
        if annotator == "bob" {
            assert!(ended.out.contains(": ann: same, bob: different\n"), "{}", ended.out);
            assert!(ended.out.contains("and 3 more disagreements"), "{}", ended.out);
        }
    }
}

#[test]
fn a_table_too_short_for_a_question_and_a_batch_without_questions_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("one.csv", "id,x\na,1\n");
    sandbox.write("two.csv", "id,x\na,1\nb,2\n");
    let batch = ["--batch", "5", "--out", "questions.csv"];
    let one = run(&sandbox, &[&["ask", "one.csv"][..], &batch].concat());
    assert_eq!(one.code, Some(1));
    assert_eq!(
        one.err.trim(),
        "error: one.csv has 1 row, and a pair is about 2; give a table with more rows"
    );
    let triplet = run(&sandbox, &[&["ask", "two.csv", "--kind", "triplet"][..], &batch].concat());
    assert!(
        triplet.err.contains("two.csv has 2 rows, and a triplet is about 3"),
        "{}",
        triplet.err
    );
    sandbox.write("answers.csv", "id_a,id_b,relation\na,b,same\n");
    let nothing = run(&sandbox, &[&["ask", "two.csv"][..], &batch].concat());
    assert_eq!(nothing.code, Some(1));
    assert!(nothing.err.contains("nothing is left to ask"), "{}", nothing.err);
    assert!(!sandbox.file("questions.csv").exists());
}

#[test]
fn files_and_arguments_that_do_not_fit_are_refused_with_what_to_do() {
    let sandbox = with_groups();
    sandbox.write("answers.csv", "id_a,id_b,relation\nr0,r99,same\n");
    let unknown = run(&sandbox, &SIMULATED);
    assert_eq!(unknown.code, Some(1));
    assert_eq!(
        unknown.err.trim(),
        "error: answers.csv: line 2: id \"r99\" of column \"id_b\" is not in the data"
    );
    sandbox.write("answers.csv", "id_a,id_b,relation\nr0,r1,perhaps\n");
    assert!(
        run(&sandbox, &SIMULATED).err.contains(
            "line 2: \"perhaps\" in column \"relation\" is no answer; write must-link, cannot-link or skip"
        )
    );
    sandbox.write("answers.csv", "id,label\n");
    assert!(run(&sandbox, &SIMULATED).err.contains("there is no column \"id_a\""));
    let strategy =
        ["ask", "groups.csv", "--truth", "class", "--kind", "triplet", "--strategy", "cobras"];
    let refused = run(&sandbox, &strategy);
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("strategy cobras asks pairs"), "{}", refused.err);
}

/// Three cliques of eight nodes in a chain, and which clique every node is of.
fn with_graph() -> Sandbox {
    let sandbox = Sandbox::new();
    let (mut edges, mut truth) = (String::from("u,v,weight\n"), String::from("id,label\n"));
    let name = |node: usize| format!("n{node}");
    for node in 0..24 {
        writeln!(truth, "{},{}", name(node), node / 8).expect("a string takes any text");
        for other in (0..node).filter(|other| other / 8 == node / 8) {
            // The last two of a clique are near each other.
            let weight = if node % 8 == 7 && other % 8 == 6 { 3 } else { 1 };
            writeln!(edges, "{},{},{weight}", name(other), name(node)).expect("text");
        }
    }
    edges += "n7,n8,1\nn15,n16,1\n";
    sandbox.write("edges.csv", edges);
    sandbox.write("truth.csv", truth);
    sandbox
}

const OF_GRAPH: [&str; 3] = ["ask", "edges.csv", "--graph"];

#[test]
fn a_graph_is_asked_about_by_its_nodes_and_goes_on() {
    let sandbox = with_graph();
    let simulated = |budget: &str| {
        let arguments = ["--truth", "truth.csv", "--clusters", "clusters.csv", "--budget", budget];
        let ended = run(&sandbox, &[&OF_GRAPH[..], &arguments].concat());
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        ended
    };
    simulated("10");
    let first = sandbox.read("answers.csv");
    assert!(first.lines().skip(1).all(|line| line.starts_with('n')), "{first}");
    let ended = simulated("25");
    assert!(ended.err.contains("going on after 10 answers"), "{}", ended.err);
    assert!(ended.out.contains("; 3 clusters; "), "{}", ended.out);
    assert!(sandbox.read("answers.csv").starts_with(&first));
    let scored = run(&sandbox, &["evaluate", "clusters.csv", "truth.csv", "--json"]);
    assert!(scored.out.contains("\"adjusted_rand\": 1.0"), "{}", scored.out);
    // The answers are pairs for `ilk graph`.
    let graph = run(&sandbox, &["graph", "edges.csv", "--pairs", "answers.csv", "--json"]);
    assert_eq!(graph.code, Some(0), "{}", graph.err);
}

#[test]
fn nodes_without_edges_are_asked_about_where_a_table_names_them() {
    let sandbox = with_graph();
    let mut nodes = String::from("id\nalone\n");
    for node in 0..24 {
        writeln!(nodes, "n{node}").expect("a string takes any text");
    }
    sandbox.write("nodes.csv", nodes);
    let truth = sandbox.read("truth.csv") + "alone,9\n";
    sandbox.write("truth.csv", truth);
    let arguments = ["--nodes", "nodes.csv", "--truth", "truth.csv", "--clusters", "clusters.csv"];
    let ended = run(&sandbox, &[&OF_GRAPH[..], &arguments].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let clusters = sandbox.read("clusters.csv");
    assert!(clusters.lines().nth(1).is_some_and(|line| line.starts_with("alone,0")), "{clusters}");
    assert!(ended.out.contains("4 clusters"), "{}", ended.out);
}

#[test]
fn people_see_the_degree_of_a_node_and_its_nearest_neighbours_first() {
    let sandbox = with_graph();
    let mut child = sandbox
        .command("")
        .args([&OF_GRAPH[..], &["--kind", "label"]].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let keys = (0..24).map(|_| "k\n").collect::<String>();
    child.stdin.take().expect("its stdin").write_all(keys.as_bytes()).expect("it reads");
    let ended = child.wait_with_output().expect("it ends");
    let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
    // n7 is in a clique of eight and has an edge to n8; its heaviest edge is that to n6.
    let card = stderr
        .split("question ")
        .find(|card| card.lines().any(|line| line.split_whitespace().eq(["id", "n7"])))
        .unwrap_or_else(|| panic!("n7 is not asked about:\n{stderr}"));
    let rows: Vec<Vec<&str>> = card.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(rows.contains(&vec!["degree", "8"]), "{card}");
    let neighbors = ["neighbours", "n6,", "n0,", "n1,", "n2,", "n3,", "n4,", "n5,"];
    assert!(rows.contains(&neighbors.to_vec()), "{card}");
    assert!(rows.contains(&vec!["n8"]), "{card}");
}

#[cfg(unix)]
#[test]
fn programs_and_spreadsheets_answer_about_nodes() {
    let sandbox = with_graph();
    let oracle = "while read line; do echo \"$line\" >> asked.jsonl; echo '{\"answer\": \"different\"}'; done";
    let program = run(&sandbox, &[&OF_GRAPH[..], &["--oracle", oracle, "--budget", "3"]].concat());
    assert_eq!(program.code, Some(0), "{}", program.err);
    let asked = sandbox.read("asked.jsonl");
    let first: serde_json::Value =
        serde_json::from_str(asked.lines().next().expect("a question")).expect("it is JSON");
    for at in 0..2 {
        let neighbors = first["rows"][at]["neighbours"].as_array().expect("a list").len();
        assert_eq!(first["rows"][at]["degree"], neighbors);
        assert!((7..=8).contains(&neighbors), "{first}");
    }
    let batch = ["--batch", "4", "--out", "questions.csv"];
    let written = run(&sandbox, &[&OF_GRAPH[..], &batch].concat());
    assert_eq!(written.code, Some(0), "{}", written.err);
    let questions = sandbox.read("questions.csv");
    let header = questions.lines().next().expect("a header");
    assert!(header.ends_with("a: degree,a: neighbours,b: degree,b: neighbours"), "{header}");
    sandbox.write("questions.csv", questions.replace(",,1,,", ",different,1,,"));
    let taken = run(&sandbox, &[&OF_GRAPH[..], &["--filled", "questions.csv"]].concat());
    assert!(taken.err.contains("4 answers taken from questions.csv"), "{}", taken.err);
}

#[test]
fn a_graph_with_the_settings_of_a_table_is_refused_with_what_to_do() {
    let sandbox = with_graph();
    let fails = |arguments: &[&str]| {
        let ended = run(&sandbox, &[&OF_GRAPH[..], arguments].concat());
        assert_eq!(ended.code, Some(2), "{}", ended.err);
        ended.err
    };
    let scale = fails(&["--scale", "unit"]);
    assert!(scale.contains("cannot be used with"), "{scale}");
    let column = fails(&["--truth", "class"]);
    assert!(column.contains("a graph has no columns; give a file with id,label"), "{column}");
    let nodes = run(&sandbox, &["ask", "edges.csv", "--nodes", "nodes.csv"]);
    assert!(nodes.err.contains("--graph"), "{}", nodes.err);
    sandbox.write("pair.csv", "u,v\na,b\n");
    let small = run(&sandbox, &["ask", "pair.csv", "--graph", "--kind", "triplet"]);
    assert_eq!(
        small.err.trim(),
        "error: pair.csv has 2 nodes, and a triplet is about 3; give a graph with more nodes"
    );
}

#[test]
fn a_circle_of_triplets_names_the_lines_of_its_answers_and_the_likeliest_culprit() {
    let sandbox = with_groups();
    // r0, r3, r6 and r9 are of one group, r1 of another: line 3 is wrong.
    let answers = "id_a,id_b,id_c,answer,annotator,source\n\
                   r0,r3,r1,c,ann,ask:learn\n\
                   r1,r3,r0,c,ann,ask:learn\n\
                   r0,r6,r1,c,ann,ask:learn\n\
                   r3,r9,r1,c,ann,ask:learn\n\
                   r6,r9,r4,c,ann,ask:learn\n";
    sandbox.write("answers.csv", answers);
    let arguments = ["--kind", "triplet", "--budget", "5"];
    let ended = run(&sandbox, &[&SIMULATED[..6], &arguments].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(ended.out.contains("contradiction: d("), "{}", ended.out);
    assert!(ended.out.contains("answers.csv, lines 2, 3"), "{}", ended.out);
    let culprit = ended.out.split("the likeliest to be wrong: ").nth(1).expect("a culprit");
    assert!(culprit.contains("r0 is the odd one out (answers.csv, line 3)"), "{}", ended.out);
}

#[test]
fn labels_of_which_some_are_wrong_end_no_run_and_are_told_as_disagreements() {
    let sandbox = with_groups();
    let arguments = ["--kind", "label", "--noise", "0.4", "--repeats", "0.5", "--judging", "0"];
    let ended = run(&sandbox, &[&SIMULATED[..6], &arguments].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(ended.out.contains("asked again answered in two ways"), "{}", ended.out);
    let again = run(&sandbox, &[&SIMULATED[..6], &arguments].concat());
    assert_eq!(again.code, Some(0), "{}", again.err);
}
