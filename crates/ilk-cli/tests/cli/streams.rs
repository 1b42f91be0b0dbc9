//! Results on stdout, diagnostics on stderr, and what happens when either goes away.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::common::Sandbox;

#[test]
fn a_reader_who_has_seen_enough_is_no_failure() {
    let sandbox = Sandbox::new();
    for arguments in ["generate moons --n 200000", "generate moons --n 100000 --json", "methods"] {
        let mut child = sandbox
            .command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let diagnostics = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments}: {diagnostics}");
        assert!(
            !diagnostics.contains("error") && !diagnostics.contains("panic"),
            "{arguments}: {diagnostics}"
        );
    }
}

#[test]
fn a_reader_of_clusters_may_leave_and_the_files_are_there() {
    let sandbox = Sandbox::new();
    sandbox.ok("generate moons --n 3000 --out data.csv");
    let mut child = sandbox
        .command(
            "cluster data.csv --method mean-shift --truth label --set bandwidth=0.3 --set max_iter=2 --model m.ilk",
        )
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(sandbox.file("m.ilk").is_file());
}

#[test]
fn a_closed_stderr_does_not_end_a_run() {
    let sandbox = Sandbox::with_data();
    let mut child = sandbox
        .command("cluster data.csv --method mean-shift --set bandwidth=1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 7);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let sandbox = Sandbox::with_data();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = sandbox
        .command("cluster data.csv --method mean-shift --set bandwidth=1 --quiet")
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: the results could not be written to stdout\n  because: No space left on device \
         (os error 28)\n"
    );
}

#[test]
fn quiet_is_quiet_and_diagnostics_stay_off_stdout() {
    let sandbox = Sandbox::with_data();
    let quiet = sandbox.ok("cluster data.csv --method mean-shift --set bandwidth=1 --quiet");
    assert_eq!(quiet.err, "");
    let verbose = sandbox.ok("cluster data.csv --method mean-shift --set bandwidth=1");
    assert_eq!(verbose.out, quiet.out);
    assert!(verbose.err.contains("2 clusters"), "{}", verbose.err);
    assert!(!verbose.err.contains('\u{1b}'), "no terminal codes in a pipe");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let sandbox = Sandbox::new();
    sandbox.ok("generate blobs --n 500 --out data.csv");
    let one = sandbox.ok("cluster data.csv --truth label --threads 1 --model one.ilk");
    let four = sandbox.ok("cluster data.csv --truth label --threads 4 --model four.ilk");
    assert_eq!(one.out, four.out);
    let bytes = |name| std::fs::read(sandbox.file(name)).unwrap();
    assert_eq!(bytes("one.ilk"), bytes("four.ilk"));
    assert_eq!(sandbox.run("methods --threads 0").code, Some(2));
}

/// The signal is sent once the process has announced to the kernel that it catches it.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_cancels_with_130_and_leaves_no_file() {
    let sandbox = Sandbox::new();
    sandbox.ok("generate blobs --n 5000 --set dims=20 --out data.csv");
    let mut child = sandbox
        .command(
            "cluster data.csv --method mean-shift --truth label --set fixed_iter=1000000000 --out clusters.csv \
             --model model.ilk --plot plot.svg --report report.html",
        )
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let catches = || {
        let status = std::fs::read_to_string(&status).unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
            .is_some_and(|mask| mask & 2 != 0)
    };
    while !catches() {
        assert!(child.try_wait().unwrap().is_none(), "the run ended before it was cancelled");
        std::thread::yield_now();
    }
    let id = child.id().to_string();
    let sent = std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    let diagnostics = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{diagnostics}");
    assert!(
        diagnostics.starts_with("cancelled")
            && diagnostics.ends_with("; no results were written\n"),
        "{diagnostics}"
    );
    assert_eq!(sandbox.files(), ["data.csv"]);
}

/// Where every row has a label the fit takes no time, and without labels it takes its budget.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_in_the_comparison_for_a_report_loses_nothing() {
    let sandbox = Sandbox::new();
    sandbox.ok("generate blobs --n 3000 --set dims=10 --out data.csv");
    let rows: Vec<String> = sandbox.read("data.csv").lines().map(str::to_owned).collect();
    let of = |row: &String| format!("{}\n", row.rsplit(',').next().unwrap());
    let mut labels = "id,label\n".to_owned();
    labels.extend(rows[1..].iter().enumerate().map(|(i, row)| format!("{i},{}", of(row))));
    sandbox.write("labels.csv", &labels);
    let mut child = sandbox
        .command("cluster data.csv --exclude label --labels labels.csv --report r.html --out c.csv")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let announced = lines.by_ref().map(Result::unwrap).find(|line| line.starts_with("comparing"));
    assert_eq!(
        announced.expect("the comparison is announced"),
        "comparing    the same without answers, for the report: at most 5 s, Ctrl-C leaves it out"
    );
    let (clusters, report) = (sandbox.read("c.csv"), sandbox.read("r.html"));
    assert_eq!(clusters.lines().count(), 3001);
    let id = child.id().to_string();
    let sent = std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(sent.success());
    let last = lines.map(Result::unwrap).last();
    let left_out = "comparing    cancelled; r.html is complete but for that";
    assert_eq!(last.as_deref(), Some(left_out));
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!([clusters, report], [sandbox.read("c.csv"), sandbox.read("r.html")]);
    assert_eq!(sandbox.files(), ["c.csv", "data.csv", "labels.csv", "r.html"]);
}
