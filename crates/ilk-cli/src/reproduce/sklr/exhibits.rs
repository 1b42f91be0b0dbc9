//! Section 5 as lists.

use super::{BASELINE, Data, SCENE, TO_COME, USPS, VEHICLE, from_comparisons, from_pairs};
use crate::reproduce::{ConstraintProtocol, Exhibit, Metric, Row, Task, Trial, Truth};

/// Labelled points a class, of the paper's 5, 7, ..., 19.
const LABELLED: [usize; 3] = [5, 11, 19];

/// Threes that are about equal, added to the comparisons of figure 4.
const EQUAL: [usize; 4] = [0, 50, 100, 200];

/// All of them, in the order of the paper.
pub(super) fn all() -> Vec<Exhibit> {
    vec![
        figure_1(
            "figure1-vehicle",
            "Figure 1, row 1: vehicle",
            "All 846 rows, as they come.",
            &VEHICLE,
        ),
        figure_1(
            "figure1-scene",
            "Figure 1, row 2: MIT scene",
            "100 images of each of eight scenes. The features are not the paper's GIST but 119 others of \
             the same images (GIST, PHOG and LBP), as z-scores because their units differ.",
            &SCENE,
        ),
        figure_1(
            "figure1-usps",
            "Figure 1, row 3: USPS digits",
            "100 images of each digit, pixels from 0 to 1.",
            &USPS,
        ),
        figure_3(
            "figure3-scene",
            "Figure 3, row 1: MIT scene, out of sample",
            "The same fits on 800 images; the model places all 2,688.",
            &SCENE,
        ),
        figure_3(
            "figure3-usps",
            "Figure 3, row 2: USPS digits, out of sample",
            "The same fits on 1,000 images; the model places all 11,000.",
            &USPS,
        ),
        figure_4(),
    ]
}

/// The columns of figures 1 and 3: what is asked for, and by what constraints are drawn.
fn columns(data: &Data) -> [(String, Truth, usize); 4] {
    let (name, group, classes) = (data.name, data.group, data.classes);
    [
        (format!("{name} binary"), Truth::TwoGroups(group), 2),
        (format!("{name} multi-class"), Truth::Classes, classes),
        (format!("{name} binary mixed"), Truth::TwoGroupsOfBoth(group), 2),
        (format!("{name} multi-class mixed"), Truth::ClassesOfBoth(group), classes),
    ]
}

fn learning_curves(data: &Data, extends: bool) -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, truth, n_clusters) in columns(data) {
        let task = |constraints| Task {
            truth,
            extends,
            ..Task::new(data.set(), data.rows, data.scale, constraints)
        };
        for per_class in LABELLED {
            let mut add = |method, its, constraints| {
                let trial = Trial::of(task(constraints), its);
                rows.push(Row::new(&name, method, trial).at(per_class as f64));
            };
            for (method, its) in from_comparisons(n_clusters) {
                add(method, its, ConstraintProtocol::AsManyComparisons { per_class });
            }
            let (method, its) = from_pairs(n_clusters);
            let flipped = 0.0;
            add(method, its, ConstraintProtocol::Labelled { per_class, flipped });
            // Without constraints all places of the curve are one.
            let [_, (_, sklr)] = from_comparisons(n_clusters);
            add(BASELINE, sklr, ConstraintProtocol::Nothing);
        }
        rows.extend(TO_COME.map(|method| Row::to_come(&name, method)));
    }
    rows
}

const OVER_LABELLED: Option<&str> = Some("labelled points a class");

/// Where figure 3 has the set too, every fit also places the whole of it.
fn figure_1(name: &'static str, title: &'static str, note: &'static str, data: &Data) -> Exhibit {
    Exhibit {
        name,
        title,
        note,
        rows: learning_curves(data, data.set != VEHICLE.set),
        metrics: &[Metric::Ari],
        over: OVER_LABELLED,
        ..Exhibit::default()
    }
}

fn figure_3(name: &'static str, title: &'static str, note: &'static str, data: &Data) -> Exhibit {
    Exhibit { metrics: &[Metric::AriWhole], ..figure_1(name, title, note, data) }
}

fn figure_4() -> Exhibit {
    let mut rows = Vec::new();
    for data in [VEHICLE, SCENE, USPS] {
        for equal in EQUAL {
            let odd = data.comparisons;
            let constraints = ConstraintProtocol::Comparisons { odd, equal };
            let task = Task::new(data.set(), data.rows, data.scale, constraints);
            for (method, its) in from_comparisons(data.classes) {
                let trial = Trial::of(task.clone(), its);
                rows.push(Row::new(data.name, method, trial).at(equal as f64));
            }
        }
    }
    Exhibit {
        name: "figure4",
        title: "Figure 4: threes that are about equal",
        note: "Multi-class, with 360 comparisons on vehicle, 720 on MIT scene and 900 on USPS, to which up \
               to 200 threes are added that are about equally different: random ones of one class or of \
               three classes. Of these, most are of three classes.",
        rows,
        metrics: &[Metric::Ari],
        over: Some("threes about equal"),
        ..Exhibit::default()
    }
}
