//! The ablation of `auto`: its consensus with all ingredients, and without each.
//!
//! The trials of a draw are run once; every row of the table is what another rule makes of them.

#[cfg(test)]
mod tests;

use ilk::method::{Ingredient, KMeans};
use ilk_io::Scale;

use super::league::{METRICS, SETS};
use super::{ConstraintProtocol, Exhibit, FeatureScale, Paper, Row, RowSample, Set, Task, Trial};

/// Rows that are drawn of a set.
const ROWS: usize = 250;

/// What is left out, as the tables call it.
const LEFT_OUT: [(&str, Option<Ingredient>); 14] = [
    ("Auto", None),
    ("members with equal scores", Some(Ingredient::Scores)),
    ("numbers of clusters with equal support", Some(Ingredient::DataSupport)),
    ("cut at an agreement of 1/2", Some(Ingredient::ChosenCut)),
    ("never the members without answers alone", Some(Ingredient::Fallback)),
    ("answers reach the members alone", Some(Ingredient::Implied)),
    ("the best single member", Some(Ingredient::OtherMembers)),
    ("no SKkm", Some(Ingredient::Method("skkm"))),
    ("no E2CP", Some(Ingredient::Method("e2cp"))),
    ("no SSKernelKMeans", Some(Ingredient::Method("ss-kernel-kmeans"))),
    ("no KMeans", Some(Ingredient::Method("kmeans"))),
    ("no GaussianMixture", Some(Ingredient::Method("gaussian-mixture"))),
    ("no SpectralClustering", Some(Ingredient::Method("spectral"))),
    ("no MSSC", Some(Ingredient::Method("mssc"))),
];

pub(super) fn paper() -> Paper {
    Paper {
        name: "ablation",
        title: "Auto without each of its ingredients",
        authors: "ilk",
        protocol: &[
            "At most 250 random rows of a set, standardised, and random pairs of them that are answered by their \
             classes, as in the league. All recipes are tried once on a draw; every line is what the consensus becomes \
             by another rule for the same members. Scores are the adjusted Rand index of the rows that no pair \
             names; where fewer than 20 are left, nothing is scored. The seconds are those of the trials, which all lines \
             share. KMeans alone is given the number of clusters of the classes.",
            "With equal scores members differ by the support of their number of clusters and by whether they take \
             answers at all. With equal support numbers of clusters differ by the scores of members. Where answers reach \
             the members alone, what they imply is not set in the agreement, and constrained points are not moved. The \
             best single member has the best score by held-out pairs, and without pairs the largest weight.",
            "What the table has not: other numbers of folds, and recipes that Auto does not try.",
        ],
        exhibits: vec![
            exhibit("pairs", "Random pairs", &[0, 20, 60, 240], 0.0),
            exhibit("wrong10", "Random pairs, 10% of them wrong", &[60, 240], 0.1),
        ],
        bars: Vec::new(),
        left_out: &[],
        seeds: 2,
        quick_places: None,
    }
}

fn exhibit(name: &'static str, title: &'static str, counts: &[usize], flipped: f64) -> Exhibit {
    let mut rows = Vec::new();
    for (set, classes) in SETS {
        for &n in counts {
            let constraints = match n {
                0 => ConstraintProtocol::Nothing,
                n => ConstraintProtocol::RandomPairs { n, flipped },
            };
            let scale = FeatureScale::Of(Scale::Standard);
            let task = Task::new(Set::File(set), RowSample::Some(ROWS), scale, constraints);
            let mut add =
                |name: &str, trial: Trial| rows.push(Row::new(set, name, trial).at(n as f64));
            for (name, without) in LEFT_OUT {
                add(name, Trial::ablating(task.clone(), without));
            }
            let kmeans = KMeans { n_clusters: classes.into(), ..KMeans::default() };
            add("KMeans", Trial::of(task, kmeans.into()));
        }
    }
    Exhibit {
        name,
        title,
        note: "Every pair of rows is asked about with the same probability.",
        rows,
        metrics: METRICS,
        over: Some("constraints"),
        is_league: true,
        ..Exhibit::default()
    }
}
