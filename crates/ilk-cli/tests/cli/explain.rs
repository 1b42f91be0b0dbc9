//! What `ilk explain` says.

use serde_json::json;

use crate::common::Sandbox;

/// Two groups of three rows, a to f, and their clusters.
fn explained() -> Sandbox {
    let sandbox = Sandbox::with_data();
    sandbox.write("clusters.csv", "id,cluster\nf,1\ne,1\nd,1\nc,0\nb,0\na,0\n");
    sandbox
}

#[test]
fn clusters_are_described_by_ids_and_names_of_features() {
    let sandbox = explained();
    let out = sandbox.ok("explain clusters.csv data.csv").out;
    assert_eq!(
        out,
        "6 points in 2 clusters; mean silhouette 0.976

cluster 0: 3 points (50.0%), silhouette 0.984
  typical  a, b, c
  nearest  cluster 1, at a mean distance of 7.119 (0.1138 between its own points)
  feature  difference     mean  elsewhere
  x          -2.00 sd  0.03333      5.067
  y          -2.00 sd  0.03333      5.067

cluster 1: 3 points (50.0%), silhouette 0.968
  typical  d, e, f
  nearest  cluster 0, at a mean distance of 7.119 (0.2276 between its own points)
  feature  difference   mean  elsewhere
  x          +2.00 sd  5.067    0.03333
  y          +2.00 sd  5.067    0.03333
"
    );
}

#[test]
fn json_has_every_cluster_and_feature_and_the_truth_of_each() {
    let sandbox = explained();
    sandbox.write("truth.csv", "id,label\na,cat\nb,cat\nc,dog\nd,dog\ne,dog\nf,\n");
    let json = sandbox.json("explain clusters.csv data.csv --truth truth.csv");
    assert_eq!(json["n_points"], 6);
    let first = &json["clusters"][0];
    assert_eq!(first["cluster"], 0);
    assert_eq!(first["typical"], json!(["a", "b", "c"]));
    assert_eq!(first["nearest"]["cluster"], 1);
    assert_eq!(first["truth"], json!({"cat": 2, "dog": 1}));
    assert_eq!(json["clusters"][1]["truth"], json!({"dog": 2, "not known": 1}));
    assert_eq!(first["features"].as_array().map(Vec::len), Some(2));
}

#[test]
fn means_are_in_the_units_of_the_table_whatever_the_scale() {
    let sandbox = explained();
    for scale in ["none", "standard", "minmax"] {
        let json = sandbox.json(&format!("explain clusters.csv data.csv --scale {scale}"));
        let feature = &json["clusters"][1]["features"][0];
        let mean = feature["mean"].as_f64().expect("a mean");
        assert!((mean - 15.2 / 3.0).abs() < 1e-12, "{scale}: {mean}");
        let difference = feature["difference"].as_f64().expect("a difference");
        assert!((difference - 1.9995).abs() < 1e-3, "{scale}: {difference}");
    }
}

#[test]
fn a_model_is_explained_as_the_clusters_that_it_places_rows_in() {
    let sandbox = Sandbox::with_data();
    sandbox.ok("cluster data.csv --method mean-shift --scale standard --set bandwidth=1 --model m.ilk --out c.csv");
    let of_model = sandbox.json("explain m.ilk data.csv");
    let of_file = sandbox.json("explain c.csv data.csv --scale standard");
    assert_eq!(of_model, of_file);
    sandbox.refused(
        "explain m.ilk data.csv --scale standard",
        2,
        "a model scales rows as those that it was fitted on; leave out --scale",
    );
}

#[test]
fn a_row_is_explained_by_its_neighbours_its_answers_and_what_would_change_it() {
    let sandbox = explained();
    sandbox
        .write("pairs.csv", "id_a,id_b,relation\na,b,must-link\nb,d,cannot-link\ne,f,must-link\n");
    let out = sandbox.ok("explain clusters.csv data.csv --pairs pairs.csv --point a").out;
    assert_eq!(
        out,
        "a is in cluster 0

nearest rows
  b, at 0.1, in cluster 0
  c, at 0.1, in cluster 0
  d, at 7.071, in cluster 1
  e, at 7.214, in cluster 1
  f, at 7.214, in cluster 1

mean distance to the nearest rows
  of cluster 0: 0.1
  of cluster 1, the runner-up: 7.166

answers that concern it
  a must-link b (kept)
  b cannot-link d (kept, names a point that it must be with)

what would bring it to cluster 1
  a must-link with d, its nearest row there
  after taking back
    a must-link b
    b cannot-link d
  x = 5.1 instead of 0 (+2.03 sd): then it is as near to the mean of cluster 1
  y = 5.1 instead of 0 (+2.03 sd): then it is as near to the mean of cluster 1
"
    );
    let json = sandbox.json("explain clusters.csv data.csv --pairs pairs.csv --point a");
    assert_eq!(json["runner_up"]["nearest_row"], "d");
    assert_eq!(json["constraints"][1]["ids"], json!(["b", "d"]));
    assert_eq!(json["constraints"][1]["is_direct"], false);
}

#[test]
fn the_runner_up_is_the_one_that_the_file_of_clusters_names() {
    let sandbox = Sandbox::with_data();
    sandbox.write(
        "clusters.csv",
        "id,cluster,confidence,runner_up\na,x,0.9,z\nb,x,0.9,\nc,x,0.9,\nd,y,1,\ne,y,1,\nf,z,1,\n",
    );
    let next = |id: &str| {
        let json = sandbox.json(&format!("explain clusters.csv data.csv --point {id}"));
        json["runner_up"]["cluster"].clone()
    };
    assert_eq!((next("a"), next("b")), (json!("z"), json!("y")));
}

#[test]
fn rows_without_a_cluster_and_ids_that_do_not_exist_are_refused() {
    let sandbox = explained();
    sandbox.refused(
        "explain clusters.csv data.csv --point z",
        2,
        "--point \"z\" is not an id of data.csv",
    );
    sandbox.write("few.csv", "id,cluster\na,0\n");
    sandbox.refused(
        "explain few.csv data.csv",
        2,
        "few.csv: id \"b\" of data.csv has no row; give the file that `ilk cluster --out` wrote for these rows",
    );
}
