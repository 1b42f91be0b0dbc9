//! Section 5 as lists.

use super::{
    AS_IT_IS, Data, GRAPHS, digits, for_graphs, for_points, letters, protein, two_circles,
};
use crate::reproduce::{ConstraintProtocol, Exhibit, Metric, Row, RowSample, Set, Task, Trial};

/// Random pairs with constraints; the paper's curves go to 200 on the circles, to 500 elsewhere.
const PAIRS_CIRCLES: [usize; 6] = [0, 20, 50, 100, 150, 200];
const PAIRS: [usize; 7] = [0, 20, 50, 100, 200, 300, 500];

const METRICS: &[Metric] = &[Metric::NmiTest, Metric::Nmi];
const OVER: Option<&str> = Some("answered pairs");

/// All of them, in the order of the paper.
pub(super) fn all() -> Vec<Exhibit> {
    vec![
        figure(
            "figure3",
            "Figure 3: TwoCircles",
            "Two circles of 100 points each, one around the other.",
            &two_circles(),
            &PAIRS_CIRCLES,
        ),
        figure(
            "figure4",
            "Figure 4: Digits",
            "317 images of 3, 8 and 9 of Pendigits, 16 features, as they come.",
            &digits(),
            &PAIRS,
        ),
        graphs(),
        figure(
            "figure6",
            "Figure 6: Letters",
            "227 images of I, J and L, drawn anew for every seed, 16 features, as they come.",
            &letters(),
            &PAIRS,
        ),
        figure(
            "figure7",
            "Figure 7: Protein",
            "116 proteins of six classes, 20 features, as they come.",
            &protein(),
            &PAIRS,
        ),
    ]
}

/// Figure 5 on other graphs.
fn graphs() -> Exhibit {
    let mut rows = Vec::new();
    for (name, set, classes) in GRAPHS {
        // There is at least one pair for every two classes.
        let fewest = classes * (classes - 1) / 2;
        for n in PAIRS.into_iter().filter(|&n| n == 0 || n >= fewest) {
            let constraints = ConstraintProtocol::HalfPairs { n };
            let task = Task::new(Set::File(set), RowSample::All, AS_IT_IS, constraints);
            for (method, its) in for_graphs(classes) {
                let trial = Trial::of(task.clone(), its);
                rows.push(Row::new(name, method, trial).at(n as f64));
            }
        }
    }
    Exhibit {
        name: "figure5",
        title: "Figure 5: graphs in the place of GeneNetwork",
        note: "503 yeast proteins of three functions that interact, 105 books on politics that are bought \
               together, 599 newsgroup posts of three topics with similar words, and 2,708 papers of seven fields \
               that cite each other. GeneNetwork itself was not published.",
        rows,
        metrics: METRICS,
        over: OVER,
        ..Exhibit::default()
    }
}

fn figure(
    name: &'static str,
    title: &'static str,
    note: &'static str,
    data: &Data,
    places: &[usize],
) -> Exhibit {
    let mut rows = Vec::new();
    for &n in places {
        let constraints = ConstraintProtocol::HalfPairs { n };
        let task = Task::new(data.set.clone(), data.rows, AS_IT_IS, constraints);
        for (method, its) in for_points(data.classes) {
            let trial = Trial::of(task.clone(), its);
            rows.push(Row::new(data.name, method, trial).at(n as f64));
        }
    }
    Exhibit { name, title, note, rows, metrics: METRICS, over: OVER, ..Exhibit::default() }
}
