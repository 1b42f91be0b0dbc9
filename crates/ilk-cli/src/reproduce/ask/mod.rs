//! Asking: how good clusters are after so many answers, by strategy and by kind of question.
//!
//! `course` asks the questions of one draw, `table` works out means, areas and costs.

mod course;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use course::Questions;
pub(crate) use table::blocks;

use ilk::ask::{QuestionKind, SessionOptions, Strategy};
use ilk_io::Scale;

use super::bars::{Asked, Bar};
use super::{
    ConstraintProtocol, Exhibit, FeatureScale, Figures, Metric, Paper, Row, RowSample, Set, Task,
    Trial,
};

pub(super) fn paper() -> Paper {
    Paper {
        name: "ask",
        title: "The next best question",
        authors: "every strategy of `ilk ask`",
        protocol: &[
            "At most 250 random rows of a set, standardised, and whole graphs. A strategy asks, the classes answer, and \
             the clusters that the answers name are scored: the adjusted Rand index of all points, and of those that no \
             question named. Clusters are found in the same way whatever the strategy, so that questions are compared \
             and nothing else. Nothing is kept for judging. Where answers are wrong, some questions are asked \
             again, as in a session; they count as answers.",
            "Cost is counted in answers and in reading time, which is assumed: a pair takes 1, a triplet 1.3, a \
             group of nine 2.5.",
            "The default was tuned on the first group of sets and on no others.",
        ],
        exhibits: vec![
            asked("pairs", "Right answers", 0.0),
            asked("wrong10", "10% of the answers wrong", 0.1),
            asked("wrong20", "20% of the answers wrong", 0.2),
            whole(),
        ],
        bars: bars(),
        left_out: &[
            "The authors' programs but COBRAS: NPU and A3S have none that installs. The strategies named after \
             papers are ours.",
        ],
        seeds: 10,
        // Up to 30 answers.
        quick_places: Some(9),
    }
}

/// Sets on which the default was tuned.
const TUNED: [&str; 14] = [
    "iris",
    "wine",
    "wdbc",
    "digits_sklearn",
    "ionosphere",
    "aggregation",
    "pathbased",
    "glass",
    "segment",
    "vehicle",
    "zoo",
    "balance_scale",
    "usps",
    "r15",
];

/// Sets that were kept aside.
const ASIDE: [&str; 14] = [
    "wbc_original",
    "pendigits",
    "spiral",
    "jain",
    "heart_statlog",
    "sonar",
    "soybean_large",
    "yeast",
    "mit_scene_mv119",
    "column3C",
    "protein",
    "cms_emb_mnist",
    "flame",
    "haberman",
];

/// Graphs, of up to about a thousand nodes; all kept aside.
const GRAPHS: [&str; 6] = [
    "graph_karate",
    "graph_dolphins",
    "graph_polbooks",
    "graph_ukfaculty",
    "graph_school_day1",
    "graph_news_3cl1",
];

/// The groups of sets that means are taken over.
const GROUPS: [(&str, &[&str]); 3] = [
    ("Sets on which the default was tuned", &TUNED),
    ("Sets that were kept aside", &ASIDE),
    ("Graphs, kept aside", &GRAPHS),
];

/// Rows that are drawn of a set.
const ROWS: usize = 250;

/// Answers to pairs after which clusters are scored, and reading times at which all kinds are.
const AT: [usize; 8] = [10, 20, 30, 50, 70, 100, 150, 200];

/// Reading time of a question, in that of a pair: an assumption.
fn reading_time(kind: QuestionKind) -> f64 {
    match kind {
        QuestionKind::Pair | QuestionKind::Label => 1.0,
        QuestionKind::Triplet => 1.3,
        QuestionKind::Group => 2.5,
    }
}

/// Answers after which clusters are scored: those of pairs as far as their reading time goes, and as many as have
/// the reading times of pairs.
fn places(kind: QuestionKind) -> Vec<usize> {
    let last = AT[AT.len() - 1] as f64;
    let in_time = |&time: &usize| (time as f64 / reading_time(kind)).round() as usize;
    let in_answers = AT.into_iter().filter(|&n| n as f64 * reading_time(kind) <= last);
    let mut places: Vec<usize> = AT.iter().map(in_time).chain(in_answers).collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// What is compared, as the tables call it.
fn contenders() -> Vec<(String, Strategy, QuestionKind)> {
    let pairs = Strategy::ALL.into_iter().map(|strategy| (strategy, QuestionKind::Pair));
    let others = [Strategy::Auto, Strategy::Random].into_iter().flat_map(|strategy| {
        [QuestionKind::Triplet, QuestionKind::Group].map(|kind| (strategy, kind))
    });
    pairs
        .chain(others)
        .map(|(strategy, kind)| (contender(strategy, kind), strategy, kind))
        .collect()
}

fn contender(strategy: Strategy, kind: QuestionKind) -> String {
    match kind {
        QuestionKind::Pair => strategy.to_string(),
        kind => format!("{strategy} {kind}s"),
    }
}

fn task(set: &'static str, rows: RowSample) -> Task {
    let scale = FeatureScale::Of(Scale::Standard);
    Task::new(Set::File(set), rows, scale, ConstraintProtocol::Nothing)
}

/// All strategies and kinds on all sets, with a share of wrong answers.
fn asked(name: &'static str, title: &'static str, noise: f64) -> Exhibit {
    let repeats = if noise > 0.0 { SessionOptions::default().repeats } else { 0.0 };
    let mut rows = Vec::new();
    for (_, sets) in GROUPS {
        for &set in sets {
            for (method, strategy, kind) in contenders() {
                for answers in places(kind) {
                    let questions = Questions { strategy, kind, noise, repeats, answers };
                    let trial = Trial::asking(task(set, RowSample::Some(ROWS)), questions);
                    rows.push(Row::new(set, &method, trial).at(answers as f64));
                }
            }
        }
    }
    Exhibit {
        name,
        title,
        note: "Every strategy asks pairs; the default and random questions ask triplets and groups of nine too.",
        rows,
        metrics: METRICS,
        over: Some("answers"),
        is_asking: true,
        ..Exhibit::default()
    }
}

const METRICS: &[Metric] = &[Metric::Ari, Metric::AriFree];

/// The default on all rows, beside what COBRAS reached there.
fn whole() -> Exhibit {
    let mut rows = Vec::new();
    for (set, cobras) in COBRAS {
        for answers in AT {
            let questions = Questions {
                strategy: Strategy::Auto,
                kind: QuestionKind::Pair,
                noise: 0.0,
                repeats: 0.0,
                answers,
            };
            let trial = Trial::asking(task(set, RowSample::All), questions);
            rows.push(Row::new(set, "auto", trial).at(answers as f64));
        }
        let printed = Row::to_come(set, "COBRAS").printed(Some(Figures::ari(cobras)));
        rows.push(printed.at(GOALS_AT));
    }
    Exhibit {
        name: "whole",
        title: "Whole sets",
        note: "The default on all rows. COBRAS is its authors' package cobras_ts 0.1.3 after 100 right answers on the same \
               rows, means of five seeds by crates/ilk-python/benches/cobras.py.",
        rows,
        metrics: METRICS,
        over: Some("answers"),
        ..Exhibit::default()
    }
}

/// What the authors' program of COBRAS reached after 100 answers: `crates/ilk-python/benches/cobras.py --seeds 5`.
const COBRAS: [(&str, f64); 5] = [
    ("iris", 0.868),
    ("wine", 0.932),
    ("wdbc", 0.739),
    ("wbc_original", 0.810),
    ("digits_sklearn", 0.683),
];

/// Answers after which the goals of this project are to be reached.
const GOALS_AT: f64 = 100.0;

fn bars() -> Vec<Bar> {
    let goals = [("iris", 0.95), ("wine", 0.97), ("wdbc", 0.90), ("digits_sklearn", 0.90)];
    let goal = |(data, score)| Bar {
        exhibits: &["whole"],
        method: "auto",
        asked: Asked::AtLeast { data, score },
        at: Some(GOALS_AT),
    };
    let mut bars: Vec<Bar> = goals.map(goal).to_vec();
    bars.push(Bar {
        exhibits: &["pairs"],
        method: "auto",
        asked: Asked::NotBelow { method: "random", by: 0.02 },
        at: Some(GOALS_AT),
    });
    bars
}
