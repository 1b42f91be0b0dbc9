//! The league: every method with its defaults on many sets, with few constraints and many, right and wrong.
//!
//! It asks what a user would: do constraints help this method, do they ever harm, and is it better than k-means?
//! `table` works out the answers.

mod table;
#[cfg(test)]
mod tests;

pub(crate) use table::tables;

use ilk::method::{AnyMethod, Method as _};
use ilk::problem::{ConstraintKind, InputKind};
use ilk_io::Scale;
use serde_json::json;

use super::{
    ConstraintProtocol, Exhibit, FeatureScale, Metric, Paper, Row, RowSample, Set, Task, Trial,
};

pub(super) fn paper() -> Paper {
    Paper {
        name: "league",
        title: "The league of methods",
        authors: "every method of ilk with its defaults",
        protocol: &[
            "At most 1,000 random rows of a set, standardised, and random pairs of them that are answered by their \
             classes. A method that wants the number of clusters is given that of the classes. Scores are the \
             adjusted Rand index of the rows that no constraint names; where fewer than 20 are left, nothing is \
             scored. All methods of a seed have the same rows and the same constraints; one that does not take \
             a kind of constraint is run without.",
            "Harm: the share of runs in which the constraints made a method worse than its own run without them, on the \
             same rows, by more than 0.02. Below k-means: the share of runs more than 0.02 below k-means \
             without constraints. Broken: the share of the constraints that the result violates. Clusters: those found \
             over those that there are, the median. Rank: the median place among all methods of the table, 1 is the \
             best.",
        ],
        exhibits: vec![
            pairs("pairs", "Random pairs", &[0, 20, 60, 240, 1000], 0.0),
            pairs("wrong10", "Random pairs, 10% of them wrong", &[60, 240], 0.1),
            pairs("wrong20", "Random pairs, 20% of them wrong", &[60, 240], 0.2),
            labels(),
            triplets(),
            graphs(),
        ],
        bars: Vec::new(),
        left_out: &[],
        seeds: 5,
        // Of 250 rows 1,000 pairs leave none unnamed.
        quick_places: Some(4),
    }
}

/// The sets, and how many classes each has.
pub(super) const SETS: [(&str, usize); 28] = [
    ("iris", 3),
    ("wine", 3),
    ("wbc_original", 2),
    ("wdbc", 2),
    ("ionosphere", 2),
    ("glass", 6),
    ("segment", 7),
    ("vehicle", 4),
    ("digits_sklearn", 10),
    ("pendigits", 10),
    ("usps", 10),
    ("jain", 2),
    ("pathbased", 3),
    ("spiral", 3),
    ("flame", 2),
    ("aggregation", 7),
    ("s4", 15),
    ("cms_emb_mnist", 10),
    ("cms_emb_fashion_mnist", 10),
    ("sonar", 2),
    ("balance_scale", 3),
    ("heart_statlog", 2),
    ("zoo", 7),
    ("yeast", 10),
    ("soybean_large", 15),
    ("mit_scene_mv119", 8),
    ("column3C", 3),
    ("optdigits", 10),
];

/// Graphs, and how many classes each has.
const GRAPHS: [(&str, usize); 10] = [
    ("graph_karate", 2),
    ("graph_dolphins", 2),
    ("graph_polbooks", 3),
    ("graph_ukfaculty", 4),
    ("graph_school_day1", 10),
    ("graph_polblogs", 2),
    ("graph_news_3cl1", 3),
    ("graph_yeast_ppi3", 3),
    ("graph_cora_attr", 7),
    ("graph_citeseer_attr", 6),
];

/// The method that is to find the number of clusters although it takes one.
const FINDS_CLUSTERS: &str = "auto";

/// Rows that are drawn of a set.
const ROWS: usize = 1000;

pub(super) const METRICS: &[Metric] = &[Metric::AriFree];

/// All methods for an input with their defaults, and the number of clusters where they want it.
fn methods(input: InputKind, n_clusters: usize) -> Vec<(&'static str, AnyMethod)> {
    let infos = AnyMethod::ALL.iter();
    let infos = infos.filter(|info| info.inputs.contains(&input));
    infos
        .filter_map(|info| {
            let mut parameters = json!({});
            if info.takes_clusters && info.name != FINDS_CLUSTERS {
                parameters["n_clusters"] = json!(n_clusters);
            }
            let method = json!({ "method": info.name, "params": parameters });
            Some((info.class, serde_json::from_value(method).ok()?))
        })
        .collect()
}

/// A table of all methods on all sets, at every place with its constraints.
fn exhibit(
    name: &'static str,
    title: &'static str,
    note: &'static str,
    (sets, input): (&[(&'static str, usize)], InputKind),
    places: &[(f64, ConstraintProtocol)],
) -> Exhibit {
    let mut rows = Vec::new();
    for &(set, classes) in sets {
        for &(place, constraints) in places {
            let scale = FeatureScale::Of(Scale::Standard);
            let task = Task::new(Set::File(set), RowSample::Some(ROWS), scale, constraints);
            for (method, its) in methods(input, classes) {
                if is_judged(&its, constraints) {
                    let trial = Trial::of(task.clone(), its);
                    rows.push(Row::new(set, method, trial).at(place));
                }
            }
        }
    }
    Exhibit {
        name,
        title,
        note,
        rows,
        metrics: METRICS,
        over: Some("constraints"),
        is_league: true,
        ..Exhibit::default()
    }
}

/// Of comparisons only the methods that take them are judged, and k-means beside them.
fn is_judged(method: &AnyMethod, constraints: ConstraintProtocol) -> bool {
    let takes = method.info().supervision.contains(&ConstraintKind::OddOneOut);
    !matches!(constraints, ConstraintProtocol::Comparisons { .. })
        || takes
        || matches!(method, AnyMethod::KMeans(_))
}

fn pairs(name: &'static str, title: &'static str, counts: &[usize], flipped: f64) -> Exhibit {
    let places: Vec<_> = counts
        .iter()
        .map(|&n| match n {
            0 => (0.0, ConstraintProtocol::Nothing),
            n => (n as f64, ConstraintProtocol::RandomPairs { n, flipped }),
        })
        .collect();
    let note = "Every pair of rows is asked about with the same probability.";
    exhibit(name, title, note, (&SETS, InputKind::Points), &places)
}

fn labels() -> Exhibit {
    let constraints = ConstraintProtocol::Labels { per_class: 5 };
    exhibit(
        "labels",
        "Labels",
        "The labels of five random rows of every class.",
        (&SETS, InputKind::Points),
        &[(5.0, constraints)],
    )
}

fn triplets() -> Exhibit {
    let constraints = ConstraintProtocol::Comparisons { odd: 60, equal: 0 };
    exhibit(
        "triplets",
        "Odd-one-outs",
        "Three rows, two of one class and one of another: which is the odd one.",
        (&SETS, InputKind::Points),
        &[(60.0, constraints)],
    )
}

fn graphs() -> Exhibit {
    let of = |per_row: f64| {
        let flipped = 0.0;
        (per_row, ConstraintProtocol::Pairs { per_row, flipped })
    };
    let places = [(0.0, ConstraintProtocol::Nothing), of(0.5), of(1.0), of(2.0)];
    exhibit(
        "graphs",
        "Graphs",
        "Whole graphs; the constraints are random pairs, a half, one or two for every node, at least one for every \
         two classes.",
        (&GRAPHS, InputKind::Graph),
        &places,
    )
}
