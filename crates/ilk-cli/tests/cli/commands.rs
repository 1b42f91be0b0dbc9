//! What each command does when all is well.

use crate::common::Sandbox;

#[test]
fn cluster_writes_clusters_by_id_to_stdout() {
    let sandbox = Sandbox::with_data();
    sandbox.write("pairs.csv", "id_a,id_b,relation\na,b,must-link\na,d,must-link\nc,f,skip\n");
    let ended =
        sandbox.ok("cluster data.csv --method mean-shift --pairs pairs.csv --set bandwidth=1");
    assert_eq!(
        ended.out,
        "id,cluster,is_noise,is_constrained,violations\n\
         a,0,false,true,0\nb,0,false,true,0\nc,1,false,false,0\n\
         d,0,false,true,0\ne,0,false,false,0\nf,0,false,false,0\n"
    );
    for line in [
        "data         6 points, 2 features from data.csv",
        "constraints  2 answers (1 skipped) from pairs.csv",
        "refine       constrained by default, since there are too few answers to hold some out",
        "sizes        5 1",
        "must-link    2 of 2 kept, 0 broken",
    ] {
        assert!(ended.err.contains(line), "{line:?} is missing in:\n{}", ended.err);
    }
}

#[test]
fn cluster_keeps_columns_scores_by_truth_and_leaves_it_out_of_the_features() {
    let sandbox = Sandbox::new();
    sandbox.write("data.csv", "name,x,kind,y\nann,0,1,0\nbob,0,1,1\ncat,900,2,0\ndan,900,2,9\n");
    let run = "cluster data.csv --method mean-shift --id name --truth kind --set bandwidth=50";
    let kept = sandbox.ok(&format!("{run} --keep"));
    let header = "id,cluster,is_noise,is_constrained,violations,x,kind,y\n";
    assert!(kept.out.starts_with(header), "{}", kept.out);
    assert!(kept.out.contains("\ncat,1,false,false,0,900,2,0\n"), "{}", kept.out);
    let json = sandbox.json(run);
    assert_eq!(json["features"], serde_json::json!(["x", "y"]));
    assert_eq!(json["scores"]["adjusted_rand"], 1.0);
    assert_eq!(json["clusters"][3], serde_json::json!({"id": "dan", "cluster": 1}));
}

#[test]
fn a_label_column_among_the_features_is_pointed_out() {
    let sandbox = Sandbox::new();
    sandbox.ok("generate blobs --n 20 --out data.csv");
    let ended = sandbox.ok("cluster data.csv --method mean-shift --quiet --set bandwidth=5");
    assert!(
        ended.err.starts_with("warning: column \"label\" is used as a feature"),
        "{}",
        ended.err
    );
}

#[test]
fn scaling_makes_the_units_of_columns_irrelevant() {
    let sandbox = Sandbox::new();
    sandbox.write("data.csv", "id,m,mm\na,0,0\nb,0.1,100\nc,5,5000\nd,5.1,5100\n");
    let clusters = |scale: &str| {
        sandbox.json(&format!(
            "cluster data.csv --method mean-shift --set bandwidth=0.5 --scale {scale}"
        ))["n_clusters"]
            .clone()
    };
    assert_eq!(clusters("standard"), 2);
    assert_eq!(clusters("none"), 4);
}

#[test]
fn rows_of_unit_length_are_grouped_by_direction_and_so_are_new_ones() {
    let sandbox = Sandbox::new();
    sandbox.write("data.csv", "id,x,y,z\na,1,0,0.1\nb,90,1,0\nc,0,2,0.1\nd,1,80,0\n");
    let cluster = "cluster data.csv --method mean-shift --set bandwidth=0.3 --scale unit --model m.ilk \
                   --report r.html --out fit.csv";
    sandbox.ok(cluster);
    sandbox.ok("predict m.ilk data.csv --out again.csv");
    let fit = sandbox.read("fit.csv");
    assert_eq!(fit, sandbox.read("again.csv"));
    let of_row: Vec<&str> = fit.lines().skip(1).map(|row| &row[2..3]).collect();
    assert_eq!(of_row[0], of_row[1], "a and b have one direction");
    assert_eq!(of_row[2], of_row[3], "c and d have another");
    assert_ne!(of_row[0], of_row[2]);
    sandbox.write("new.csv", "id,x,y,z\nfar,0.001,0.1,0\n");
    let far = &sandbox.json("predict m.ilk new.csv")["clusters"][0]["cluster"];
    assert_eq!(far.to_string(), of_row[2], "it points where c and d do");
    sandbox.ok("explain m.ilk data.csv");
}

#[test]
fn a_model_gives_its_training_points_the_labels_of_the_fit() {
    let sandbox = Sandbox::with_data();
    sandbox.ok("cluster data.csv --method mean-shift --set bandwidth=0.1 --scale minmax --model m.ilk --out fit.csv");
    sandbox.ok("predict m.ilk data.csv --out again.csv");
    assert_eq!(sandbox.read("fit.csv"), sandbox.read("again.csv"));
    // Columns are found by name, whatever their order and company.
    sandbox.write("new.csv", "note,y,id,x\nhi,5,p,5\n");
    let near_d = sandbox.ok("predict m.ilk new.csv").out;
    assert_eq!(near_d.lines().nth(1), Some("p,1,false,false,0"));
    assert_eq!(sandbox.json("predict m.ilk new.csv")["clusters"][0]["cluster"], 1);
}

#[test]
fn plot_and_report_are_whole_and_fetch_nothing() {
    let sandbox = Sandbox::new();
    // Names that would break out of a careless page.
    sandbox.write("<b>&.csv", "id,<script>,\"y\"\"&\"\n<i>,0,0\n'b',0.1,0\n&c,5,5\nd,5,5.1\n");
    sandbox.write(
        "pairs.csv",
        "id_a,id_b,relation\n<i>,&c,must-link\n<i>,'b',cannot-link\n<i>,d,must-link\n&c,d,cannot-link\n",
    );
    let run = "cluster <b>&.csv --method mean-shift --pairs pairs.csv --set bandwidth=1 --plot p.svg --report r.html";
    sandbox.ok(run);
    let svg = sandbox.read("p.svg");
    roxmltree::Document::parse(&svg).expect("the plot is well-formed XML");
    let html = sandbox.read("r.html");
    for needle in ["http:", "https:", "src=", "href=", "url(", "@import", "<i>,", "<b>&"] {
        assert!(!html.contains(needle), "{needle} is in the report");
    }
    // One script, the same in every report, and a policy by which nothing is fetched.
    assert_eq!(html.matches("<script").count(), 1);
    assert!(html.contains(include_str!("../../src/report/script.js")));
    assert!(html.contains("content=\"default-src 'none';"));
    for needle in [
        "&lt;i&gt;",
        "1 contradiction",
        "Sizes",
        "How to read this",
        "What was run",
        "prefers-color-scheme: dark",
        "bandwidth",
    ] {
        assert!(html.contains(needle), "{needle} is not in the report");
    }
    // Void elements aside, a page of ours is XML as well: every tag is closed.
    let body = &html[html.find("<body>").unwrap()..html.find("</html>").unwrap()];
    let body = body.replace("<br>", "").replace("<details open>", "<details>");
    roxmltree::Document::parse(&body).expect("every tag of the report is closed");
}

#[test]
fn constrained_mean_shift_separates_cannot_linked_points() {
    let sandbox = Sandbox::with_data();
    sandbox.write("pairs.csv", "id_a,id_b,relation\na,d,cannot-link\n");
    let ended = sandbox.ok(
        "cluster data.csv --method cms --set early_stop=false --set refine=off --pairs pairs.csv \
         --seed 3 --plot p.svg --report r.html",
    );
    assert_eq!(
        ended.out,
        "id,cluster,is_noise,is_constrained,violations\n\
         a,0,false,true,0\nb,0,false,false,0\nc,0,false,false,0\n\
         d,1,false,true,0\ne,1,false,false,0\nf,1,false,false,0\n"
    );
    // The smallest distance is that of a and b, the largest that of a and e.
    let bandwidth =
        "cms          2 clusters, bandwidth 0.1 to 7.214; did the 80 iterations asked for";
    assert!(ended.err.contains(bandwidth), "{}", ended.err);
    let svg = sandbox.read("p.svg");
    assert!(svg.contains("mode of a cluster"), "both modes are drawn");
    let html = sandbox.read("r.html");
    for needle in ["How the centres moved", "<polyline", "distinct centres", "--animate"] {
        assert!(html.contains(needle), "{needle} is not in the report");
    }
    sandbox
        .ok("cluster data.csv --method mean-shift --set bandwidth=1 --report m.html --out c.csv");
    let other = sandbox.read("m.html");
    assert!(!other.contains("How the centres moved"));
}

#[test]
fn auto_is_the_method_where_none_is_named() {
    let sandbox = Sandbox::with_data();
    sandbox.write("apart.csv", "id_a,id_b,relation\na,b,must-link\na,d,cannot-link\n");
    sandbox.write("together.csv", "id_a,id_b,relation\na,b,must-link\n");
    sandbox.write("labels.csv", "id,label\na,one\nd,two\n");
    sandbox.write("triplets.csv", "id_a,id_b,id_c,answer\na,b,d,c\n");
    for constraints in [
        "",
        "--pairs apart.csv",
        "--pairs together.csv",
        "--labels labels.csv",
        "--triplets triplets.csv",
        "--clusters 2",
    ] {
        let json = sandbox.json(&format!("cluster data.csv {constraints}"));
        assert_eq!(json["recipe"]["method"], "auto", "{constraints}: {json}");
        assert_eq!(json["n_clusters"], 2, "{constraints}: {json}");
    }
    sandbox.ok("cluster data.csv --pairs apart.csv --budget 1.5m");
    sandbox.ok("cluster data.csv --pairs apart.csv --fits 5");
    sandbox.refused(
        "cluster data.csv --set constraint_scale=0.4",
        2,
        "auto has no parameter \"constraint_scale\"; add a --method that has it: cms",
    );
    let message = "--fits is for --method auto; cms runs once";
    sandbox.refused("cluster data.csv --method cms --fits 3", 2, message);
    for budget in ["soon", "3weeks", "-1s", "0"] {
        let ended = sandbox.run(&format!("cluster data.csv --budget={budget}"));
        assert_eq!(ended.code, Some(2), "{budget}: {}", ended.err);
        assert!(ended.err.contains("30s, 2m or 1h"), "{budget}: {}", ended.err);
    }
}

#[test]
fn a_constrained_model_places_new_rows() {
    let sandbox = Sandbox::with_data();
    sandbox.write("pairs.csv", "id_a,id_b,relation\na,d,cannot-link\n");
    for mode in ["best", "paper"] {
        sandbox.ok(&format!(
            "cluster data.csv --method cms --set mode={mode} --pairs pairs.csv --scale standard \
             --model m.ilk --out fit.csv"
        ));
        sandbox.ok("predict m.ilk data.csv --out again.csv");
        let clusters = |name: &str| -> Vec<String> {
            let text = sandbox.read(name);
            let rows = text.lines().skip(1).map(|line| line.split(',').take(2));
            rows.map(|row| row.collect::<Vec<_>>().join(",")).collect()
        };
        assert_eq!(clusters("fit.csv"), clusters("again.csv"), "{mode}");
    }
}

#[test]
fn many_dimensions_are_drawn_along_their_principal_axes() {
    let sandbox = Sandbox::new();
    sandbox.ok("generate blobs --n 60 --set dims=5 --out data.csv");
    sandbox.ok("cluster data.csv --method mean-shift --truth label --set bandwidth=3 --plot p.svg --out c.csv");
    let svg = sandbox.read("p.svg");
    assert!(svg.contains("first principal component"));
    sandbox.write("line.csv", "x\n1\n2\n9\n");
    sandbox
        .ok("cluster line.csv --method mean-shift --set bandwidth=1 --plot line.svg --out c.csv");
    roxmltree::Document::parse(&sandbox.read("line.svg")).expect("well-formed XML");
}

#[test]
fn evaluate_scores_like_scikit_learn() {
    let sandbox = Sandbox::new();
    sandbox.write("found.csv", "id,cluster\na,0\nb,0\nc,1\nd,2\ne,\n");
    sandbox.write("truth.csv", "id,label\ne,\nd,y\nc,y\nb,x\na,x\n");
    // adjusted_rand_score([0, 0, 1, 1], [0, 0, 1, 2]) and its companions of scikit-learn 1.9.
    let scores = sandbox.json("evaluate found.csv truth.csv");
    let score = |name: &str| scores["scores"][name].as_f64().unwrap();
    assert!((score("adjusted_rand") - 0.571_428_571_428_571_4).abs() < 1e-12);
    assert!((score("normalized_mutual_info") - 0.8).abs() < 1e-12);
    assert!((score("homogeneity") - 1.0).abs() < 1e-12);
    assert_eq!(scores["n_without_truth"], 1);
    let table = sandbox.ok("evaluate found.csv truth.csv").out;
    assert!(table.starts_with("adjusted Rand (ARI)"), "{table}");
    assert!(table.contains("0.571429"), "{table}");
    sandbox.write("pairs.csv", "id_a,id_b,relation\nc,d,must-link\n");
    let free = sandbox.json("evaluate found.csv truth.csv --ignore-constrained pairs.csv");
    assert_eq!(free["scores"]["n"], 2);
    assert_eq!(free["n_constrained_left_out"], 2);
}

#[test]
fn check_counts_what_follows_and_expands_it_when_asked() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "pairs.csv",
        "id_a,id_b,relation\na,b,must-link\nb,c,must-link\nc,d,cannot-link\nb,a,must-link\na,d,skip\n",
    );
    let json = sandbox.json("check --pairs pairs.csv --expand");
    assert_eq!(json["consistent"], true);
    assert_eq!(json["groups"], serde_json::json!([["a", "b", "c"]]));
    assert_eq!(json["n_must_links_implied"], 3);
    assert_eq!(json["n_cannot_links_implied"], 3);
    assert_eq!(json["n_repeated"], 1);
    assert_eq!(json["min_clusters"], 2);
    assert_eq!(json["must_links"].as_array().map(Vec::len), Some(3));
    let text = sandbox.ok("check --pairs pairs.csv --expand").out;
    assert!(text.starts_with("no contradictions\n"), "{text}");
    let links = text.split_once("id_a,id_b,relation\n").unwrap().1;
    assert_eq!(
        links,
        "a,b,must-link\na,c,must-link\nb,c,must-link\na,d,cannot-link\nb,d,cannot-link\nc,d,cannot-link\n"
    );
}

#[test]
fn check_finds_circles_of_comparisons_and_ids_that_are_not_in_the_data() {
    let sandbox = Sandbox::with_data();
    sandbox.write("triplets.csv", "id_a,id_b,id_c,answer\na,b,c,c\na,b,c,b\n");
    let ended = sandbox.run("check --triplets triplets.csv");
    assert_eq!(ended.code, Some(3));
    assert!(ended.out.starts_with("1 contradiction\n- d("), "{}", ended.out);
    sandbox.write("labels.csv", "id,label\na,red\nzebra,blue\n");
    sandbox.ok("check --labels labels.csv");
    sandbox.refused(
        "check --labels labels.csv --data data.csv",
        1,
        "labels.csv, line 3: id \"zebra\" is not in data.csv; correct it, or drop the line",
    );
}

#[test]
fn generated_data_and_answers_are_read_back() {
    let sandbox = Sandbox::new();
    sandbox.ok("generate two-circles --set per_circle=20 --seed 3 --out d.csv --pairs-out p.csv \
         --per-class 3 --triplets-out t.csv --n-triplets 9 --truth-out truth.csv");
    assert!(sandbox.read("d.csv").starts_with("id,x,y,label\n0,"));
    let json = sandbox.json("check --pairs p.csv --triplets t.csv --data d.csv");
    assert_eq!(json["n_points"], 40);
    assert_eq!(json["constraints"]["must-link"], 6);
    assert_eq!(json["constraints"]["cannot-link"], 6);
    assert_eq!(json["constraints"]["odd-one-out"], 9);
    assert_eq!(json["consistent"], true);
    assert_eq!(sandbox.json("evaluate d.csv truth.csv")["scores"]["accuracy"], 1.0);
    let again = sandbox.ok("generate two-circles --set per_circle=20 --seed 3").out;
    assert_eq!(again, sandbox.read("d.csv"));
    let graph = sandbox.ok("generate planted-graph --n 50").out;
    assert!(graph.starts_with("u,v\n"), "{graph}");
    let coarse = sandbox.json("generate nested-blobs --coarse");
    assert_eq!(coarse["labels"][359], 2);
    let flat = "moons has one level of groups, so --coarse cannot be used";
    sandbox.refused("generate moons --coarse", 2, flat);
    let needs = sandbox.run("generate moons --pairs-out p.csv");
    assert_eq!(needs.code, Some(2));
}

#[test]
fn a_check_with_the_data_tells_what_the_answers_add() {
    let sandbox = Sandbox::new();
    let rows: Vec<String> =
        (0..60).map(|i| format!("p{i},{},{}", 20 * (i % 2), f64::from(i / 2) / 30.0)).collect();
    sandbox.write("d.csv", format!("id,x,y\n{}\n", rows.join("\n")));
    // The first eight say what the table shows; the last, on line 11, says the opposite.
    let right = (0..8).map(|i| format!("p{},p{},ml\n", 2 * i, 2 * i + 2));
    let right: String = right.chain(["p0,p1,cl\n".to_owned()]).collect();
    sandbox.write("p.csv", format!("id_a,id_b,relation\n{right}p30,p41,ml\n"));
    let utility = &sandbox.json("check --pairs p.csv --data d.csv")["utility"];
    assert_eq!(utility["clusters_without_answers"], 2);
    assert_eq!(utility["informativeness"], 0.1);
    // The wrong one lies along the cannot-link; the others go along the groups.
    assert_eq!(utility["coherence"], 8.0 / 9.0);
    assert_eq!(utility["at_odds"].as_array().unwrap().len(), 1);
    assert_eq!(utility["at_odds"][0]["constraint"], "p30 must-link p41 (p.csv, line 11)");
    let text = sandbox.ok("check --pairs p.csv --data d.csv").out;
    assert!(text.contains("- p30 must-link p41 (p.csv, line 11): "), "{text}");
    assert!(text.contains("break 1 of 10"), "{text}");
    assert!(sandbox.json("check --pairs p.csv")["utility"].is_null());
}

#[test]
fn a_consensus_tells_what_speaks_for_each_number_of_clusters() {
    let sandbox = Sandbox::new();
    sandbox.ok("generate blobs --n 120 --out d.csv");
    let json = sandbox.json("cluster d.csv --exclude label --fits 5 --report r.html --out c.csv");
    let counts = json["cluster_counts"].as_array().unwrap();
    assert!(counts.len() > 5, "{json}");
    let best = |key: &str| {
        let by = |of: &serde_json::Value| of[key].as_f64().unwrap();
        counts.iter().max_by(|a, b| by(a).total_cmp(&by(b))).unwrap()["n_clusters"].clone()
    };
    assert_eq!(best("separation"), json["n_clusters"]);
    let report = sandbox.read("r.html");
    assert!(report.contains("<h2>How many clusters</h2>"), "no such section");
    sandbox.ok(
        "cluster d.csv --exclude label --method kmeans --clusters 3 --report r.html --out c.csv",
    );
    assert!(!sandbox.read("r.html").contains("How many clusters"));
}

#[test]
fn a_number_of_clusters_is_handed_to_a_method_that_takes_one() {
    let sandbox = Sandbox::with_data();
    let run = "cluster data.csv --method kernel-kmeans";
    let ended =
        sandbox.ok(&format!("{run} --clusters 3 --model m.ilk --report r.html --plot p.svg"));
    assert!(ended.err.contains("3 clusters"), "{}", ended.err);
    let by_setting = sandbox.ok(&format!("{run} --set n_clusters=3"));
    assert_eq!(ended.out, by_setting.out);
    let again = sandbox.ok("predict m.ilk data.csv");
    let clusters = |out: &str| -> Vec<String> {
        let lines = out.lines().skip(1);
        lines.map(|line| line.split(',').take(2).collect::<Vec<_>>().join(",")).collect()
    };
    assert_eq!(clusters(&again.out), clusters(&ended.out));
}

#[test]
fn methods_and_sets_are_listed_with_their_parameters() {
    let sandbox = Sandbox::new();
    assert!(sandbox.ok("methods").out.contains("mean-shift"));
    let details = sandbox.ok("methods mean-shift").out;
    for info in ilk::method::MeanShift::INFO.parameters {
        assert!(details.contains(info.name), "{}", info.name);
    }
    assert_eq!(sandbox.json("methods")[0]["name"], "auto");
    assert_eq!(sandbox.json("methods")[1]["name"], "mean-shift");
    assert!(sandbox.ok("methods cms").out.contains("constraint_scale"));
    assert_eq!(sandbox.json("methods mean-shift")["predicts"], serde_json::json!(["points"]));
    let sets = sandbox.ok("generate").out;
    for info in ilk::datasets::ALL {
        assert!(sets.contains(info.name), "{}", info.name);
    }
}

#[test]
fn the_demo_needs_no_file_and_can_be_repeated() {
    let sandbox = Sandbox::new();
    let json = sandbox.json("demo");
    let mut files = std::fs::read_dir(sandbox.file("ilk-demo"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect::<Vec<_>>();
    files.sort();
    let expected = ["clusters.csv", "data.csv", "demo.svg", "pairs.csv", "report.html"];
    assert_eq!(files, expected);
    roxmltree::Document::parse(&sandbox.read("ilk-demo/demo.svg")).expect("well-formed XML");
    let command = json["command"].as_str().unwrap().strip_prefix("ilk ").unwrap();
    assert_eq!(sandbox.ok(command).out, sandbox.read("ilk-demo/clusters.csv"));
    let table = sandbox.ok("demo").out;
    assert!(table.contains("without answers") && table.contains("report:  ilk-demo/report.html"));
}

#[test]
fn the_answers_of_the_demo_turn_the_small_groups_into_the_large_ones() {
    let sandbox = Sandbox::new();
    for seed in 0..10 {
        let json = sandbox.json(&format!("demo --seed {seed}"));
        let clusters = |run: &str| json[run]["n_clusters"].as_u64().unwrap();
        assert_eq!((clusters("before"), clusters("after")), (9, 3), "{seed}");
        let ari = |run: &str| json[run]["scores"]["adjusted_rand"].as_f64().unwrap();
        assert!(ari("before") < 0.5, "seed {seed}: {}", ari("before"));
        assert!(ari("after") > 0.999, "seed {seed}: {}", ari("after"));
    }
}

#[test]
fn hints_say_what_to_try_next() {
    let sandbox = Sandbox::with_data();
    let hint = |arguments: &str| -> Vec<String> {
        let diagnostics = sandbox.ok(arguments).err;
        let hints = diagnostics.lines().filter_map(|line| line.strip_prefix("hint"));
        hints.map(|hint| hint.trim().to_owned()).collect()
    };
    assert!(hint("cluster data.csv --method mean-shift --set bandwidth=1").is_empty());
    // What is named can be set: this method has no bandwidth.
    assert_eq!(
        hint("cluster data.csv --method skms"),
        [
            "everything is in one cluster; try a smaller bandwidth, such as --set n_neighbors=4, or say \
             with --pairs what belongs apart"
        ]
    );
    assert_eq!(
        hint("cluster data.csv --method mean-shift --set bandwidth=20"),
        [
            "everything is in one cluster; try a smaller bandwidth, such as --set bandwidth=10, or say \
             with --pairs what belongs apart"
        ]
    );
    assert_eq!(
        hint("cluster data.csv --method mean-shift --set bandwidth=0.001"),
        [
            "most clusters hold a single row; try a larger bandwidth, such as --set bandwidth=0.002, or \
             say with --pairs what belongs together"
        ]
    );
    assert_eq!(
        hint("cluster data.csv --method cms --set mode=paper"),
        ["everything is in one cluster, since cms joins what no answer keeps apart; say with \
             --pairs or --labels what belongs apart, or try --method mean-shift"]
    );
    sandbox.write("wide.csv", "m,mm\n0,0\n0.1,100\n5,5000\n5.1,5100\n");
    assert_eq!(
        hint("cluster wide.csv --method mean-shift --set bandwidth=500"),
        ["column \"mm\" spreads 1,000 times as wide as \"m\" and drowns it; --scale standard \
             gives all columns an equal say"]
    );
    assert!(
        hint("cluster wide.csv --method mean-shift --set bandwidth=0.5 --scale standard")
            .is_empty()
    );
}
