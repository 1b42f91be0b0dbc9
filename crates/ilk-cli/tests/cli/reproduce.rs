//! `ilk reproduce`: a paper's experiments on sets small enough to work out here.

use std::fs::File;

use crate::common::Sandbox;
use ilk::datasets::ConstraintSampler;
use ilk::group::mean_shift::MeanShift;
use ilk::method::{AnyMethod, Cms, CmsMode, Method};
use ilk::ndarray::{Array1, Array2};
use ilk::observe::Silent;
use ilk::problem::{Points, Problem};
use ilk::similarity::{Bandwidth, Profile};
use ndarray_npy::NpzWriter;

/// Three heaps of ten points in the plane, the last two of them close, in the units of nothing.
fn heaps() -> (Vec<[f64; 2]>, Vec<usize>) {
    let centers = [[0.0, 100.0], [3.0, 900.0], [4.0, 700.0]];
    (0..30)
        .map(|i| {
            let [x, y] = centers[i / 10];
            // A lattice turned by an irrational step spreads points without a generator.
            let step = (i % 10) as f64 * 0.618_034;
            let at = [x + step.fract(), y + 150.0 * (step * 1.7).fract()];
            (at, i / 10)
        })
        .unzip()
}

/// Puts a set where the command looks for it.
fn store(sandbox: &Sandbox, name: &str, points: &[[f64; 2]], classes: &[usize]) {
    let folder = sandbox.file("data").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let file = File::create(folder.join(format!("{name}.npz"))).unwrap();
    let mut archive = NpzWriter::new_compressed(file);
    let x = Array2::from_shape_fn((points.len(), 2), |(row, column)| points[row][column]);
    archive.add_array("X", &x).unwrap();
    let y: Array1<u8> = classes.iter().map(|&class| class as u8).collect();
    archive.add_array("y", &y).unwrap();
    archive.finish().unwrap();
}

/// With the set s4, of which the experiment `s4-full` takes all rows.
fn with_s4() -> Sandbox {
    let sandbox = Sandbox::new();
    let (points, classes) = heaps();
    store(&sandbox, "s4", &points, &classes);
    sandbox
}

const RUN: &str = "reproduce cms --only s4-full --data data --out out --seeds 3";

/// All but the last section, which tells how long it took.
fn tables(page: &str) -> &str {
    let (tables, _) = page.split_once("\n## Time\n").expect("a section on time");
    tables
}

/// The fields of the only row of the Markdown that begins so.
fn fields(markdown: &str, data: &str, method: &str) -> Vec<String> {
    let begin = format!("| {data} | {method} |");
    let rows: Vec<&str> = markdown.lines().filter(|l| l.starts_with(&begin)).collect();
    assert_eq!(rows.len(), 1, "{begin}: {rows:?}");
    let fields = rows[0].trim_matches('|').split('|');
    fields.map(|field| field.trim().to_owned()).collect()
}

/// The adjusted Rand index by counting pairs.
fn adjusted_rand(truth: &[usize], found: &[Option<usize>]) -> f64 {
    let (mut both, mut in_truth, mut in_found, mut all) = (0.0, 0.0, 0.0, 0.0);
    for i in 0..truth.len() {
        for j in 0..i {
            let (a, b) = (truth[i] == truth[j], found[i] == found[j]);
            both += f64::from(a && b);
            in_truth += f64::from(a);
            in_found += f64::from(b);
            all += 1.0;
        }
    }
    let expected = in_truth * in_found / all;
    (both - expected) / (f64::midpoint(in_truth, in_found) - expected)
}

/// Normalized mutual information by its definition.
fn mutual_information(truth: &[usize], found: &[Option<usize>]) -> f64 {
    let n = truth.len() as f64;
    let share = |count: usize| count as f64 / n;
    let rows = || 0..truth.len();
    // Sums over points of log(share) are sums over classes of share * log(share) * n.
    let of_truth = |i: usize| share(rows().filter(|&j| truth[j] == truth[i]).count());
    let of_found = |i: usize| share(rows().filter(|&j| found[j] == found[i]).count());
    let of_both = |i: usize| {
        let same = |&j: &usize| truth[j] == truth[i] && found[j] == found[i];
        share(rows().filter(same).count())
    };
    let mean = |of: &dyn Fn(usize) -> f64| rows().map(of).sum::<f64>() / n;
    let information = mean(&|i| (of_both(i) / (of_truth(i) * of_found(i))).ln());
    let entropies = [mean(&|i| -of_truth(i).ln()), mean(&|i| -of_found(i).ln())];
    information / f64::midpoint(entropies[0], entropies[1])
}

fn mean_and_deviation(values: &[f64]) -> String {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let sum_sq: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
    format!("{mean:.3} ± {:.3}", (sum_sq / (n - 1.0)).sqrt())
}

#[test]
fn the_figures_are_those_of_the_method_on_scaled_rows_with_as_many_pairs() {
    let sandbox = with_s4();
    sandbox.ok(RUN);
    let markdown = sandbox.read("out/cms.md");

    let (points, classes) = heaps();
    let ends = |column: usize| {
        let values = points.iter().map(move |point| point[column]);
        values.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)))
    };
    let [x, y] = [ends(0), ends(1)];
    let unit = |v: f64, (low, high): (f64, f64)| (v - low) / (high - low);
    let scaled: Vec<Vec<f64>> =
        points.iter().map(|point| vec![unit(point[0], x), unit(point[1], y)]).collect();
    let known: Vec<Option<usize>> = classes.iter().copied().map(Some).collect();
    let answers = ConstraintSampler { n_pairs: 30, ..ConstraintSampler::default() };
    let paper = AnyMethod::Cms(Cms {
        mode: CmsMode::Paper,
        max_iter: 100,
        merge_kernel: 0.995,
        merge_weight: 0.0,
        closure: true,
        ..Cms::default()
    });
    let baseline = AnyMethod::MeanShift(MeanShift {
        bandwidth: Bandwidth::Percentile(0.15),
        kernel: Profile::Truncated,
        merge_radius: Some(0.1),
        ..MeanShift::default()
    });
    let best = AnyMethod::Cms(Cms::default());
    for (name, method, printed) in
        [("mean shift", baseline, 0.112), ("CMS paper", paper, 0.618), ("CMS best", best, 0.618)]
    {
        let (mut aris, mut nmis, mut clusters) = (Vec::new(), Vec::new(), 0);
        let (mut broken, mut n_must_links) = (0, 0);
        for seed in 0..3 {
            let constraints = answers.draw(&known, seed).unwrap().constraints;
            let points = Points::from_rows(&scaled).unwrap();
            let problem = Problem::new(points, constraints.clone()).unwrap();
            let found = method.fit(&problem, &Silent).unwrap().clustering;
            aris.push(adjusted_rand(&classes, &found.labels));
            nmis.push(mutual_information(&classes, &found.labels));
            clusters += found.n_clusters;
            for pair in constraints.must_links() {
                let [a, b] = pair.points;
                broken += usize::from(found.labels[a] != found.labels[b]);
                n_must_links += 1;
            }
        }
        let count = |sum: usize| match sum % 3 {
            0 => (sum / 3).to_string(),
            _ => format!("{:.1}", sum as f64 / 3.0),
        };
        let fields = fields(&markdown, "s4 in full", name);
        assert_eq!(fields[2], format!("{printed:.3}"), "{fields:?}");
        assert_eq!(fields[3], mean_and_deviation(&aris), "{name}");
        let mean = aris.iter().sum::<f64>() / 3.0;
        assert_eq!(fields[4], format!("{:+.3}", mean - printed), "{name}");
        assert_eq!(fields[6], mean_and_deviation(&nmis), "{name}");
        assert_eq!(fields[8], count(clusters), "{name}");
        let of = format!("{} of {}", count(broken), count(n_must_links));
        assert_eq!(fields[9], of, "{name}");
        assert_eq!(fields[10], "3", "{name}");
    }
    // What ilk does not have stands there with the paper's figure alone.
    let other = fields(&markdown, "s4 in full", "PCKMeans");
    assert_eq!(other[2..5], ["0.627", "-", "-"]);
}

#[test]
fn a_run_that_was_cut_off_resumes_to_the_same_table_and_repeats_nothing() {
    let sandbox = with_s4();
    sandbox.ok(RUN);
    let (cells, page) = (sandbox.read("out/cells.csv"), sandbox.read("out/cms.md"));
    let lines: Vec<&str> = cells.split_inclusive('\n').collect();
    assert_eq!(lines.len(), 1 + 3 * 3);

    // Four cells, and the beginning of a fifth.
    let kept = lines[..5].concat();
    sandbox.write("out/cells.csv", kept.clone() + &lines[5][..20]);
    let ended = sandbox.ok(RUN);
    assert!(
        ended.err.contains(
            "warning: out/cells.csv: line 6 is damaged and was dropped; its cell is run again\n\
             5 cells to run, 4 cells finished before\n"
        ),
        "{}",
        ended.err
    );
    let again = sandbox.read("out/cells.csv");
    assert!(again.starts_with(&kept), "{again}");
    let sorted = |text: &str| {
        let without_time = |line: &str| {
            let fields: Vec<&str> = line.split(',').collect();
            [&fields[..14], &fields[15..]].concat().join(",")
        };
        let mut lines: Vec<String> = text.lines().map(without_time).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&again), sorted(&cells));
    assert_eq!(tables(&sandbox.read("out/cms.md")), tables(&page));

    // With nothing left to do, the page is the same to the byte.
    let before = [sandbox.read("out/cms.md"), sandbox.read("out/cms.html")];
    let ended = sandbox.ok(RUN);
    assert!(ended.err.contains("0 cells to run, 9 cells finished before\n"));
    assert_eq!(before, [sandbox.read("out/cms.md"), sandbox.read("out/cms.html")]);
    assert_eq!(sandbox.read("out/cells.csv"), again);
}

#[test]
fn a_damaged_line_is_dropped_with_a_warning_and_its_cell_is_run_again() {
    let sandbox = with_s4();
    sandbox.ok(RUN);
    let cells = sandbox.read("out/cells.csv");
    let mut lines: Vec<String> = cells.lines().map(str::to_owned).collect();
    lines[2] = lines[2].replacen(',', ";", 1);
    sandbox.write("out/cells.csv", lines.join("\n") + "\n");
    let page = sandbox.read("out/cms.md");
    let ended = sandbox.ok(RUN);
    assert!(ended.err.contains("line 3 is damaged and was dropped"), "{}", ended.err);
    assert!(ended.err.contains("1 cell to run, 8 cells finished before\n"));
    assert_eq!(tables(&sandbox.read("out/cms.md")), tables(&page));
    assert_eq!(sandbox.read("out/cells.csv").lines().count(), 10);

    sandbox.write("out/cells.csv", "a,b\n1,2\n");
    sandbox.refused(
        &format!("{RUN} --quiet"),
        1,
        "out/cells.csv: its first line is not the header of a file of cells; move it away or choose \
         another --out",
    );
    assert_eq!(sandbox.read("out/cells.csv"), "a,b\n1,2\n");
}

#[test]
fn other_data_of_the_same_name_and_other_settings_are_other_cells() {
    let sandbox = with_s4();
    sandbox.ok(RUN);
    // All 30 rows either way, but drawn in another order.
    let ended = sandbox.ok(&format!("{RUN} --quick"));
    assert!(ended.err.contains("9 cells to run\n"), "{}", ended.err);
    let (mut points, classes) = heaps();
    points[0][0] += 0.5;
    store(&sandbox, "s4", &points, &classes);
    let ended = sandbox.ok(RUN);
    assert!(ended.err.contains("9 cells to run\n"), "{}", ended.err);
    assert_eq!(sandbox.read("out/cells.csv").lines().count(), 1 + 27);
}

#[test]
fn a_missing_set_is_named_and_the_rest_is_run() {
    let sandbox = with_s4();
    let run = RUN.replace("--seeds 3", "--only table2 --seeds 1");
    let ended = sandbox.ok(&run);
    let missing = "cms_emb_gtsrb: cms_emb_gtsrb/cms_emb_gtsrb.npz is not in the folder of data";
    assert!(ended.err.contains(&format!("skipped: {missing}\n")), "{}", ended.err);
    let markdown = sandbox.read("out/cms.md");
    for line in [
        "- GTSRB (the set cms_emb_gtsrb): cms_emb_gtsrb/cms_emb_gtsrb.npz is not in the folder of data.",
        "- Table 1: synthetic sets: 6 rows not run yet.",
        "| GTSRB | CMS paper | 0.553 | - | - | 0.654 | - | - | - | - |",
    ] {
        assert!(markdown.contains(line), "{line:?} is missing in:\n{markdown}");
    }
    assert_eq!(fields(&markdown, "s4 in full", "CMS paper")[10], "1");

    let ended = Sandbox::new().ok("reproduce cms --only s4-full --out out");
    let why = "skipped: s4: it is read from a folder, and none was given (--data)\n";
    assert!(ended.err.contains(why), "{}", ended.err);
    assert!(ended.err.contains("0 cells to run\n"), "{}", ended.err);
}

#[test]
fn what_is_unknown_is_refused_with_what_is_known() {
    let sandbox = with_s4();
    sandbox.refused(
        "reproduce cmt",
        2,
        "there is no paper \"cmt\"; there are: cms, skms, sklr, sskk, mssc, league, ablation, ask",
    );
    sandbox.refused(
        "reproduce cms --only table9",
        2,
        "cms has no \"table9\"; it has: table1, s4-full, table1-third, table1-tenth, table1-flipped, \
         table2, table2-third, table2-tenth, table2-flipped, table3, table4, steps, figure4, figure6",
    );
    sandbox.refused("reproduce cms --data nowhere", 2, "--data nowhere is not a folder");
    store(&sandbox, "s4", &heaps().0, &[0, 1]);
    sandbox.refused(
        &format!("{RUN} --quiet"),
        1,
        "the set s4 cannot be used\n  because: data/s4/s4.npz: X has 30 rows and y has 2",
    );
    assert_eq!(sandbox.files(), ["data"]);
}

#[test]
fn papers_are_listed_where_none_is_named() {
    let sandbox = Sandbox::new();
    let listed = sandbox.ok("reproduce").out;
    assert!(listed.starts_with("cms: Constrained Mean Shift Clustering (Schier"), "{listed}");
    assert!(listed.contains("    table4          Table 4: what each part contributes\n"));
    let json = sandbox.json("reproduce");
    assert_eq!(json[0]["experiments"][0]["name"], "table1");
}

#[test]
fn the_page_needs_nothing_but_itself_and_a_quick_one_says_so() {
    let sandbox = Sandbox::new();
    let (points, classes) = heaps();
    store(&sandbox, "cms_emb_mnist", &points, &classes);
    let json = sandbox.json("reproduce cms --only figure4 --data data --out out --quick");
    let html = sandbox.read("out/cms-quick.html");
    assert!(!html.contains("http:") && !html.contains("https:"), "it names an address");
    assert!(html.contains("<svg") && html.contains("A quick run: at most 250 rows and 1 seed."));
    let markdown = sandbox.read("out/cms-quick.md");
    let plot = "cms-quick-figure4-1-ari.svg";
    assert!(markdown.contains(&format!("![ARI on MNIST, over constraints a row]({plot})")));
    let svg = sandbox.read(&format!("out/{plot}"));
    roxmltree::Document::parse(&svg).expect("a plot");
    // Eight ratios, two methods.
    let measured = json["rows"].as_array().unwrap().iter();
    let measured = measured.filter(|row| row["experiment"] == "figure4" && !row["ours"].is_null());
    assert_eq!(measured.count(), 16);
    assert!(json["bars"][0]["holds"].is_null());
}

/// The signal is sent once a cell is finished and many are not.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_keeps_the_finished_cells_and_says_how_to_go_on() {
    let sandbox = with_s4();
    let run = RUN.replace("--seeds 3", "--seeds 1000");
    let mut child = sandbox.command(&run).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let finished = || {
        let cells = std::fs::read_to_string(sandbox.file("out/cells.csv")).unwrap_or_default();
        cells.matches('\n').count().saturating_sub(1)
    };
    while finished() == 0 {
        let ended = child.try_wait().unwrap();
        assert!(ended.is_none(), "the run ended before it was cancelled");
        std::thread::yield_now();
    }
    let id = child.id().to_string();
    let sent = std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    let diagnostics = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{diagnostics}");
    let kept = format!(
        "cancelled; {} of 3,000 cells are in out/cells.csv; the same command goes on from there\n",
        finished()
    );
    assert!(diagnostics.ends_with(&kept), "{diagnostics:?} does not end with {kept:?}");
    assert!(!sandbox.file("out/cms.md").exists());
}
