//! Files as people have them: streams, packed files, partial truths, and files that must survive.

use std::io::Write;
use std::process::Stdio;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::common::{Ended, Sandbox};

/// Runs with this on stdin.
fn run_on(sandbox: &Sandbox, arguments: &str, input: &[u8]) -> Ended {
    let mut child = sandbox
        .command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    Ended {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn a_dash_reads_stdin_and_writes_stdout() {
    let sandbox = Sandbox::with_data();
    let from_file = sandbox.ok("cluster data.csv --set bandwidth=1 --method mean-shift");
    let data = sandbox.read("data.csv");
    let piped = run_on(
        &sandbox,
        "cluster - --set bandwidth=1 --method mean-shift --out -",
        data.as_bytes(),
    );
    assert_eq!(piped.code, Some(0), "{}", piped.err);
    assert_eq!(piped.out, from_file.out);
    let tabs = data.replace(',', "\t");
    let piped =
        run_on(&sandbox, "cluster - --set bandwidth=1 --method mean-shift", tabs.as_bytes());
    assert_eq!(piped.out, from_file.out);
}

#[test]
fn a_graph_goes_from_one_command_to_the_next() {
    let sandbox = Sandbox::with_data();
    let edges = sandbox.ok("neighbors data.csv --neighbors 2 --out -");
    assert!(edges.out.starts_with("u,v,weight\n"), "{}", edges.out);
    let method = "--method ss-kernel-kmeans --clusters 2";
    let found = run_on(&sandbox, &format!("graph - {method}"), edges.out.as_bytes());
    assert_eq!(found.code, Some(0), "{}", found.err);
    sandbox.write("edges.csv", &edges.out);
    assert_eq!(found.out, sandbox.ok(&format!("graph edges.csv {method}")).out);
}

#[test]
fn stdin_is_one_input_and_stdout_one_output() {
    let sandbox = Sandbox::with_data();
    sandbox.refused(
        "cluster - --pairs -",
        2,
        "`-` reads stdin, which can be one input only; give files for the others",
    );
    sandbox.refused(
        "cluster data.csv --model -",
        2,
        "--model - cannot be written to stdout; name a file",
    );
}

#[test]
fn every_input_survives() {
    let sandbox = Sandbox::with_data();
    sandbox.write("truth.csv", "id,label\na,1\nb,1\nc,1\nd,2\ne,2\nf,2\n");
    sandbox.write("edges.csv", "u,v\na,b\nb,c\nd,e\ne,f\nc,d\n");
    let message = "--out truth.csv would overwrite an input; choose another name";
    sandbox.refused("cluster data.csv --truth truth.csv -o truth.csv", 2, message);
    sandbox.refused("graph edges.csv --truth truth.csv -o truth.csv", 2, message);
    assert!(sandbox.read("truth.csv").starts_with("id,label\n"));
}

#[cfg(unix)]
#[test]
fn a_link_to_an_input_does_not_hide_it() {
    let sandbox = Sandbox::with_data();
    std::os::unix::fs::symlink("data.csv", sandbox.file("link.csv")).unwrap();
    let message = "--out link.csv would overwrite an input; choose another name";
    sandbox.refused("cluster data.csv --out link.csv", 2, message);
}

#[test]
fn a_truth_that_lacks_rows_scores_the_rows_it_has() {
    let sandbox = Sandbox::with_data();
    sandbox.write("truth.csv", "id,label\na,1\nb,NA\nd,2\ne,2\nzebra,3\n");
    let fit = "cluster data.csv --method mean-shift --set bandwidth=1";
    let run = sandbox.ok(&format!("{fit} --truth truth.csv --out found.csv"));
    let line =
        "truth        ARI 1.000, NMI 1.000 against truth.csv, over the 3 of 6 rows that have one\n";
    assert!(run.err.contains(line), "{}", run.err);
    let scores = sandbox.run("evaluate found.csv truth.csv --json");
    assert_eq!(
        scores.err,
        "warning: found.csv has 2 ids that truth.csv lacks, such as \"c\"; left out\n\
         warning: truth.csv has 1 id that found.csv lacks, such as \"zebra\"; left out\n"
    );
    let scores: serde_json::Value = serde_json::from_str(&scores.out).unwrap();
    assert_eq!(scores["n_without_truth"], 1);
    sandbox.write("other.csv", "id,label\nq,1\n");
    sandbox.refused(
        &format!("{fit} --truth other.csv"),
        2,
        "other.csv: no id of the data has a true label there; check the ids",
    );
}

#[test]
fn duplicate_ids_can_be_left_out_and_the_truth_still_matches() {
    let sandbox = Sandbox::new();
    sandbox.write("data.csv", "ID,x,class\na,0,p\na,0.1,p\nb,5,q\nb,5.1,q\n");
    let run = sandbox
        .ok("cluster data.csv --exclude ID --truth class --method mean-shift --set bandwidth=1");
    assert!(run.err.contains("ARI 1.000"), "{}", run.err);
    assert!(run.out.contains("\n3,1,"), "{}", run.out);
}

#[test]
fn what_was_done_with_the_table_is_reported() {
    let sandbox = Sandbox::new();
    sandbox
        .write("data.csv", ",id,x,kind,note\n0,a,0,oak,p\n1,b,,elm,q\n2,c,5,oak,r\n3,d,6,oak,s\n");
    let fit = "cluster data.csv --method mean-shift --set bandwidth=2";
    let run = sandbox.ok(&format!("{fit} --missing drop --one-hot kind --numeric-only"));
    let reported: Vec<&str> = run.err.lines().take(4).collect();
    assert_eq!(
        reported,
        [
            "left out     column \"\", an index; name it with --features to use it",
            "left out     column \"note\" of text",
            "left out     1 of 4 rows with missing values",
            "one-hot      column \"kind\" as 1 feature of 0 and 1",
        ]
    );
    assert_eq!(run.out.lines().count(), 4);
}

#[test]
fn new_rows_are_filled_as_those_of_the_fit() {
    let sandbox = Sandbox::new();
    sandbox.write("data.csv", "id,x,y\na,0,0\nb,0.1,\nc,5,5\nd,5.1,5.2\n");
    let fit = "cluster data.csv --method mean-shift --set bandwidth=1 --model m.ilk";
    sandbox.ok(&format!("{fit} --missing median"));
    sandbox.write("new.csv", "id,x,y\np,5,\nq,,0\n");
    let placed = sandbox.ok("predict m.ilk new.csv");
    let note = "filled in    2 missing values in 2 rows with what the fit filled gaps with\n";
    assert!(placed.err.starts_with(note), "{}", placed.err);
    sandbox.write("whole.csv", "id,x,y\np,5,5\nq,2.55,0\n");
    assert_eq!(placed.out, sandbox.ok("predict m.ilk whole.csv").out);
    sandbox.ok("cluster whole.csv --method mean-shift --set bandwidth=1 --model w.ilk");
    sandbox.refused(
        "predict w.ilk new.csv --missing mean",
        1,
        "new.csv: the model was fitted without --missing mean, so it has no values to fill gaps with; \
         use --missing drop, or fit it again with --missing mean",
    );
}

#[test]
fn a_packed_file_may_unpack_to_so_much_and_no_more() {
    let sandbox = Sandbox::new();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let rows: Vec<String> = (0..1000).map(|row| format!("{row},{}\n", row % 2)).collect();
    encoder.write_all(format!("id,x\n{}", rows.concat()).as_bytes()).unwrap();
    sandbox.write("data.csv.gz", encoder.finish().unwrap());
    let fit = "cluster data.csv.gz --method kmeans --clusters 2";
    sandbox.ok(fit);
    sandbox.refused(
        &format!("{fit} --max-unpacked 4K"),
        1,
        "data.csv.gz: it unpacks to more than 4 KiB; if it is meant to be that large, raise the limit \
         with --max-unpacked",
    );
    sandbox.ok(&format!("{fit} --max-unpacked 6000"));
    sandbox.ok(&format!("{fit} --model m.ilk --out out.csv"));
    let ended = sandbox.run("predict m.ilk out.csv --max-unpacked 10");
    assert_eq!(ended.code, Some(1));
    assert!(
        ended.err.contains(" and at most 10 bytes are read (--max-unpacked raises that)"),
        "{}",
        ended.err
    );
}
