//! Every kind of bad input has its own message, which says what, where and what to do.

use crate::common::{Sandbox, methods};

/// `ilk cluster` on a table with this text.
fn table_is_refused(text: &str, message: &str) {
    let sandbox = Sandbox::new();
    sandbox.write("data.csv", text);
    sandbox.refused("cluster data.csv --out clusters.csv", 1, message);
    assert_eq!(sandbox.files(), ["data.csv"], "nothing is written");
}

/// `ilk cluster` on good data with pairs of this text.
fn pairs_are_refused(text: &str, message: &str) {
    let sandbox = Sandbox::with_data();
    sandbox.write("pairs.csv", text);
    sandbox.refused("cluster data.csv --pairs pairs.csv", 1, message);
}

#[test]
fn a_missing_file() {
    let sandbox = Sandbox::new();
    let message = "nowhere.csv: there is no such file; check the name and the folder";
    sandbox.refused("cluster nowhere.csv", 1, message);
    sandbox.refused("predict nowhere.csv nowhere.csv", 1, message);
    sandbox.refused("evaluate nowhere.csv nowhere.csv", 1, message);
    sandbox.refused("check --pairs nowhere.csv", 1, message);
}

#[test]
fn an_empty_file() {
    table_is_refused(
        "",
        "data.csv: the file is empty; a header line and at least one row are needed",
    );
}

#[test]
fn a_header_only() {
    table_is_refused(
        "id,x,y\n",
        "data.csv: there is a header but no row below it; at least one row is needed",
    );
}

#[test]
fn a_ragged_row() {
    table_is_refused(
        "id,x,y\na,1,2\nb,1\n",
        "data.csv, line 3: the row has 2 fields, but the header has 3; quote fields that hold the \
         delimiter, and fill in what is missing",
    );
}

#[test]
fn text_in_a_number_column() {
    table_is_refused(
        "id,x,y\na,1,2\nb,red,2\n",
        "data.csv, line 3, column \"x\": \"red\" is not a number; name the number columns with \
         --features, leave this one out with --exclude x, or make a feature of every value with \
         --one-hot x",
    );
}

#[test]
fn a_nan() {
    table_is_refused(
        "id,x,y\na,1,NaN\n",
        "data.csv, line 2, column \"y\": the value is NaN; replace it, let --missing drop, mean or \
         median deal with gaps, or leave the column out with --exclude y",
    );
}

#[test]
fn an_unknown_id_in_the_pairs() {
    pairs_are_refused(
        "id_a,id_b,relation\na,b,must-link\na,zebra,must-link\n",
        "pairs.csv, line 3: id \"zebra\" is not in data.csv; correct it, or drop the line",
    );
}

#[test]
fn the_same_id_twice() {
    table_is_refused(
        "id,x\na,1\nb,2\na,3\n",
        "data.csv, line 4: id \"a\" stands in line 2 already; ids must be unique; correct them, or \
         number the rows with --exclude id",
    );
}

#[test]
fn a_self_pair() {
    pairs_are_refused(
        "id_a,id_b,relation\nb,b,cannot-link\n",
        "pairs.csv, line 2: id \"b\" stands twice; a point cannot be compared with itself: correct \
         it, or drop the line",
    );
}

#[test]
fn an_unknown_relation() {
    pairs_are_refused(
        "id_a,id_b,relation\na,b,perhaps\n",
        "pairs.csv, line 2, column \"relation\": \"perhaps\" is not a relation; write must-link, \
         cannot-link or skip (also read: ml, cl, 1, -1, same, different, match, distinct)",
    );
}

#[test]
fn a_contradiction_fails_the_check_and_is_a_warning_of_a_run() {
    let sandbox = Sandbox::with_data();
    sandbox
        .write("pairs.csv", "id_a,id_b,relation\na,b,must-link\nb,c,must-link\na,c,cannot-link\n");
    let proof = "a must-link b must-link c, but a cannot-link c (pairs.csv, lines 2, 3, 4)";
    let check = sandbox.run("check --pairs pairs.csv");
    assert_eq!(check.code, Some(3));
    assert_eq!(check.err, "");
    assert!(check.out.starts_with(&format!("1 contradiction\n- {proof}\n")), "{}", check.out);

    let run = sandbox
        .ok("cluster data.csv --method mean-shift --pairs pairs.csv --set bandwidth=1 --quiet");
    assert_eq!(run.err, format!("warning: contradiction: {proof}\n"));
}

#[test]
fn a_contradiction_names_the_file_and_line_of_every_answer_in_its_chain() {
    let sandbox = Sandbox::with_data();
    // Lines 3 and 5 repeat line 2.
    sandbox.write("pairs.csv", "id_a,id_b,relation\nb,c,ml\nc,b,ml\nd,e,skip\nb,c,ml\nc,f,ml\n");
    sandbox.write("labels.csv", "id,label\na,red\nd,red\nb,red\nf,blue\n");
    sandbox.write("triplets.csv", "anchor,near,far\na,b,c\na,c,d\na,d,b\n");
    let check =
        sandbox.run("check --pairs pairs.csv --labels labels.csv --triplets triplets.csv --json");
    assert_eq!(check.code, Some(3));
    let json: serde_json::Value = serde_json::from_str(&check.out).unwrap();
    assert_eq!(
        json["contradictions"],
        serde_json::json!([
            "b must-link c must-link f, but b is labelled \"red\" and f is labelled \"blue\" \
             (pairs.csv, lines 2, 6; labels.csv, lines 4, 5)",
            "d(b, a) < d(c, a) < d(a, d) < d(b, a): a is closer to b than to c; a is closer to c \
             than to d; a is closer to d than to b (triplets.csv, lines 2, 3, 4)",
        ])
    );
}

#[test]
fn a_confidence_that_is_none() {
    pairs_are_refused(
        "id_a,id_b,relation,confidence\na,b,ml,1.5\n",
        "pairs.csv, line 2, column \"confidence\": \"1.5\" is not a confidence; write a number from 0 to 1, \
         or leave the cell empty for 1",
    );
}

#[test]
fn more_clusters_than_points() {
    Sandbox::with_data().refused(
        "cluster data.csv --clusters 7",
        1,
        "7 clusters were asked for, but there are only 6 points",
    );
}

#[test]
fn a_number_of_clusters_for_a_method_that_finds_it() {
    let able = methods(|info| info.takes_clusters);
    Sandbox::with_data().refused(
        "cluster data.csv --method mean-shift --clusters 2",
        2,
        &format!(
            "mean-shift finds the number of clusters itself, so --clusters 2 cannot be used; steer it \
             by its bandwidth, --set bandwidth=NUMBER (smaller gives more clusters), or by --pairs, or use a \
             --method that takes a number: {able}"
        ),
    );
}

#[test]
fn a_table_given_as_a_kernel_matrix_and_is_not_square() {
    Sandbox::with_data().refused(
        "cluster data.csv --method kernel-kmeans --clusters 2 --set kernel=precomputed",
        1,
        "the kernel matrix has 6 rows and 2 columns; it must be square",
    );
}

#[cfg(feature = "parquet")]
#[test]
fn an_unreadable_parquet_file() {
    let sandbox = Sandbox::new();
    sandbox.write("data.parquet", "this is no parquet");
    let ended = sandbox.run("cluster data.parquet");
    assert_eq!(ended.code, Some(1));
    let start = "error: data.parquet: cannot be read as Parquet: ";
    assert!(ended.err.starts_with(start), "{}", ended.err);
    let end = "; the file is damaged or of another kind\n";
    assert!(ended.err.ends_with(end), "{}", ended.err);
}

#[test]
fn a_damaged_model() {
    let sandbox = Sandbox::with_data();
    sandbox.ok("cluster data.csv --method mean-shift --set bandwidth=1 --model model.ilk --out clusters.csv");
    let mut bytes = std::fs::read(sandbox.file("model.ilk")).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    sandbox.write("flipped.ilk", &bytes);
    sandbox.write("cut.ilk", &bytes[..20]);
    sandbox.refused(
        "predict flipped.ilk data.csv",
        1,
        "flipped.ilk is a damaged ilk model: its checksum does not fit; make it anew, or take it \
         from a backup",
    );
    sandbox.refused(
        "predict cut.ilk data.csv",
        1,
        "cut.ilk is a damaged ilk model: it ends within its first bytes; make it anew, or take it \
         from a backup",
    );
    sandbox.refused(
        "predict data.csv data.csv",
        1,
        "data.csv is not an ilk model; give a file that was written by `ilk cluster --model` or \
         `save`",
    );
}

#[test]
fn a_place_that_cannot_be_written() {
    let sandbox = Sandbox::with_data();
    // A path below a regular file: refused to everyone, even to root.
    sandbox.refused(
        "demo --out data.csv/demo",
        1,
        "data.csv/demo: cannot be written: Not a directory (os error 20); choose another place, or \
         change who may write there",
    );
    sandbox.refused(
        "cluster data.csv --out no/such/folder/clusters.csv",
        1,
        "no/such/folder/clusters.csv: cannot be written: there is no folder no/such/folder; make \
         it first",
    );
    let ended = sandbox.run(
        "cluster data.csv --method mean-shift --set bandwidth=1 --model data.csv/model --quiet",
    );
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    assert!(ended.err.starts_with("error: data.csv/model: cannot be written: "), "{}", ended.err);
    assert_eq!(ended.out, "");
}

#[test]
fn an_output_that_would_destroy_an_input() {
    let sandbox = Sandbox::with_data();
    sandbox.refused(
        "cluster data.csv --out ./data.csv",
        2,
        "--out ./data.csv would overwrite an input; choose another name",
    );
    sandbox.refused(
        "cluster data.csv --plot a.drawn --report ./a.drawn",
        2,
        "--plot and --report both write ./a.drawn; choose another name for one",
    );
    sandbox.refused(
        "generate moons --out a.csv --truth-out ./a.csv",
        2,
        "--out and --truth-out both write ./a.csv; choose another name for one",
    );
}

#[test]
fn a_name_that_promises_another_kind_of_file() {
    let sandbox = Sandbox::with_data();
    sandbox.refused("cluster data.csv --plot x.png", 2, "--plot x.png would be SVG; name it x.svg");
    sandbox.refused(
        "cluster data.csv --report x.pdf",
        2,
        "--report x.pdf would be HTML; name it x.html",
    );
}

#[test]
fn an_id_that_steers_the_terminal() {
    let sandbox = Sandbox::new();
    let pairs = "id_a,id_b,relation\n\u{1b}[2Ja,b,must-link\n\u{1b}[2Ja,b,cannot-link\n";
    sandbox.write("pairs.csv", pairs);
    let check = sandbox.run("check --pairs pairs.csv");
    assert_eq!(check.code, Some(3));
    let line =
        "- \u{FFFD}[2Ja must-link b, but \u{FFFD}[2Ja cannot-link b (pairs.csv, lines 2, 3)\n";
    assert!(check.out.contains(line), "{}", check.out);
    assert!(!check.out.contains('\u{1b}'));
}

#[test]
fn wrong_columns_for_a_model() {
    let sandbox = Sandbox::with_data();
    sandbox.ok("cluster data.csv --method mean-shift --set bandwidth=1 --model model.ilk --out clusters.csv");
    sandbox.write("other.csv", "id,x,z\na,1,2\n");
    let ended = sandbox.run("predict model.ilk other.csv");
    assert_eq!(ended.code, Some(1));
    assert!(ended.err.contains("other.csv") && ended.err.contains("\"y\""), "{}", ended.err);
}

#[test]
fn wrong_methods_and_parameters_are_wrong_usage() {
    let sandbox = Sandbox::with_data();
    sandbox.refused(
        "cluster data.csv --method magic",
        2,
        &format!("there is no method \"magic\"; known methods: {}", methods(|_| true)),
    );
    sandbox.refused(
        "cluster data.csv --method mean-shift --set kernel=square",
        2,
        "kernel = \"square\" is not allowed for mean-shift: it must be one of gaussian, rbf, \
         truncated, flat, epanechnikov",
    );
    sandbox.refused(
        "generate moons --set size=3",
        2,
        "moons has no parameter \"size\"; it has n, noise",
    );
    sandbox.refused(
        "generate moons --noise=-1",
        2,
        "noise = -1 is out of range: it must be a number at least 0, at most 1e100",
    );
    for arguments in
        ["cluster", "frobnicate", "check", "cluster data.csv --method mean-shift --set bandwidth"]
    {
        let ended = sandbox.run(arguments);
        assert_eq!(ended.code, Some(2), "{arguments}");
        assert_eq!(ended.out, "");
    }
}

#[test]
fn labellings_of_different_points() {
    let sandbox = Sandbox::new();
    sandbox.write("a.csv", "id,cluster\na,0\nb,1\n");
    sandbox.write("b.csv", "id,label\nc,0\nd,1\n");
    sandbox.refused(
        "evaluate a.csv b.csv",
        1,
        "a.csv and b.csv have no id in common: only a.csv has \"a\", \"b\"; only b.csv has \"c\", \
         \"d\"; give files about the same rows, or name the columns of ids with --id",
    );
}
