//! Constrained mean shift: Schier, Reinders and Rosenhahn, 2022. Its section 5 as lists.

use ilk::datasets::{Generator, Moons};
use ilk::group::constrained_mean_shift::{CmsKernel, Schedule};
use ilk::group::mean_shift::MeanShift;
use ilk::method::{Cms, CmsMode, Method};
use ilk::similarity::{Bandwidth, Profile};
use ilk_io::Scale;

use super::bars::{Asked, Bar};
use super::{Candidate, Exhibit, Figures, Paper, Row, Rows, Said, Set, Task, Trial};

const MEAN_SHIFT: &str = "mean shift";
const PAPER: &str = "CMS paper";
const BEST: &str = "CMS best";

/// A method of the paper's tables and its ARI and NMI on each of their data sets.
type Printed<const SETS: usize> = [(&'static str, [[f64; 2]; SETS]); 6];

/// Table 1 as printed: moons, aggregation, jain, s4.
#[rustfmt::skip]
const TABLE_1: Printed<4> = [
    ("Mean shift", [[0.878, 0.799], [0.777, 0.838], [0.464, 0.495], [0.112, 0.346]]),
    ("C-DBSCAN", [[1.000, 1.000], [0.969, 0.968], [0.958, 0.937], [0.430, 0.653]]),
    ("Constrained Spectral", [[0.207, 0.194], [0.774, 0.766], [0.995, 0.989], [0.071, 0.243]]),
    ("MPCKMeans", [[0.627, 0.542], [0.729, 0.832], [0.868, 0.785], [0.597, 0.717]]),
    ("PCKMeans", [[0.872, 0.793], [0.751, 0.854], [0.921, 0.856], [0.627, 0.732]]),
    ("CMS (ours)", [[0.996, 0.996], [0.987, 0.983], [1.000, 1.000], [0.618, 0.728]]),
];

/// Table 2 as printed: MNIST, Fashion-MNIST, GTSRB.
#[rustfmt::skip]
const TABLE_2: Printed<3> = [
    ("Mean shift", [[0.336, 0.567], [0.387, 0.572], [0.331, 0.572]]),
    ("C-DBSCAN", [[0.271, 0.561], [0.249, 0.490], [0.263, 0.532]]),
    ("Constrained Spectral", [[0.003, 0.043], [0.008, 0.057], [0.007, 0.056]]),
    ("MPCKMeans", [[0.605, 0.676], [0.418, 0.545], [0.445, 0.549]]),
    ("PCKMeans", [[0.650, 0.708], [0.407, 0.542], [0.472, 0.573]]),
    ("CMS (ours)", [[0.754, 0.783], [0.452, 0.611], [0.553, 0.654]]),
];

/// Table 3 as printed: ARI on imbalanced draws of MNIST, for every retention rate.
#[rustfmt::skip]
const TABLE_3: [(&str, [f64; 10]); 6] = [
    ("Mean shift", [0.370, 0.361, 0.439, 0.374, 0.354, 0.304, 0.373, 0.351, 0.344, 0.362]),
    ("C-DBSCAN", [0.263, 0.293, 0.323, 0.299, 0.266, 0.312, 0.294, 0.303, 0.285, 0.305]),
    ("Constrained Spectral", [0.001, 0.001, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    ("MPCKMeans", [0.542, 0.559, 0.556, 0.492, 0.575, 0.510, 0.580, 0.560, 0.585, 0.569]),
    ("PCKMeans", [0.591, 0.584, 0.609, 0.585, 0.625, 0.603, 0.649, 0.606, 0.637, 0.638]),
    ("CMS (ours)", [0.755, 0.764, 0.777, 0.734, 0.752, 0.732, 0.770, 0.756, 0.736, 0.765]),
];

/// The columns of table 3.
const RETENTIONS: [f64; 10] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
/// Those that are run.
const RETENTIONS_RUN: [f64; 3] = [0.1, 0.5, 1.0];

/// Table 4 as printed, on GTSRB: which of cannot-links, constraint scaling and adaptive bandwidth are
/// on, then ARI and NMI.
const TABLE_4: [(&str, [bool; 3], [f64; 2]); 6] = [
    ("M1", [false, false, false], [0.405, 0.596]),
    ("M2", [false, false, true], [0.000, 0.000]),
    ("M3", [true, false, false], [0.346, 0.541]),
    ("M4", [true, false, true], [0.000, 0.447]),
    ("M5", [true, true, false], [0.529, 0.645]),
    ("M6", [true, true, true], [0.574, 0.677]),
];

/// The constant bandwidths that are tried where the bandwidth is not adaptive.
const BANDWIDTHS: [f64; 6] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.7];

/// A λ so large that every constraint's kernel is as wide as the bandwidth.
const NO_SCALING: f64 = 1e9;

/// Constraints a point along figure 4: from 45, one for every two classes, to 4,000.
const RATIOS: [f64; 8] = [0.0225, 0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0];

/// Constraint scales along figure 6.
const LAMBDAS: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 1.0];

/// As many pairs as rows, and all of them right.
const N_PAIRS: Said = Said::Pairs {
    per_row: 1.0,
    flipped: 0.0,
};

pub(super) fn paper() -> Paper {
    Paper {
        name: "cms",
        title: "Constrained Mean Shift Clustering",
        authors: "Schier, Reinders and Rosenhahn, 2022",
        protocol: &[
            "Answers are random pairs of rows, must-link or cannot-link by their classes, with at least \
             one cannot-link between every two classes (section 5.2). Every feature of the rows that \
             were drawn is scaled to the range from 0 to 1. Figures are means over the seeds; a seed \
             gives the same rows and the same answers to every method.",
            "CMS paper is the paper's method as its program runs it: λ = 0.5, kernel truncated at 0.2, \
             must-links used for the closure alone; 100 iterations and merge thresholds .995 and 0 on \
             synthetic sets, 80 iterations, .99 and .1 on images. CMS best is the default of ilk, one \
             setting for all data. Mean shift has the same kernel and no answers, its bandwidth the \
             15th percentile of the distances.",
        ],
        exhibits: vec![
            table_1(),
            s4_in_full(),
            toys_with(
                "table1-third",
                "Table 1 with a third of the constraints",
                1.0 / 3.0,
                0.0,
            ),
            toys_with(
                "table1-tenth",
                "Table 1 with a tenth of the constraints",
                0.1,
                0.0,
            ),
            toys_with(
                "table1-flipped",
                "Table 1 with 5% of the answers flipped",
                1.0,
                0.05,
            ),
            table_2(),
            images_with(
                "table2-third",
                "Table 2 with a third of the constraints",
                1.0 / 3.0,
                0.0,
            ),
            images_with(
                "table2-tenth",
                "Table 2 with a tenth of the constraints",
                0.1,
                0.0,
            ),
            images_with(
                "table2-flipped",
                "Table 2 with 5% of the answers flipped",
                1.0,
                0.05,
            ),
            table_3(),
            table_4(),
            figure_4(),
            figure_6(),
        ],
        bars: bars(),
        left_out: &[
            "C-DBSCAN, Constrained Spectral, MPCKMeans and PCKMeans: ilk has none of these methods \
             yet, so the tables show the paper's figures alone.",
            "Figures 4 and 6 are printed as curves without numbers; where a table prints the same \
             point, that figure is shown.",
            "Figure 4 on GTSRB: the embedding is not among the data that the authors published.",
        ],
    }
}

fn bars() -> Vec<Bar> {
    const WITH_N: &[&str] = &["table1", "s4-full", "table2", "table3"];
    const WITH_FEWER: &[&str] = &[
        "table1-third",
        "table1-tenth",
        "table2-third",
        "table2-tenth",
    ];
    const FLIPPED: &[&str] = &["table1-flipped", "table2-flipped"];
    let bar = |exhibits, method, asked| Bar {
        exhibits,
        method,
        asked,
    };
    let as_printed = Asked::AsPrinted { within: 0.03 };
    let at_least = |data, ari| Asked::AtLeast { data, ari };
    let clusters = |data| Asked::Clusters {
        data,
        from: 10,
        to: 13,
    };
    let not_below = Asked::NotBelow {
        method: PAPER,
        by: 0.015,
    };
    vec![
        bar(&["table1"], PAPER, as_printed),
        bar(&["table2"], PAPER, as_printed),
        bar(&["table2"], BEST, at_least("MNIST", 0.85)),
        bar(&["table2"], BEST, at_least("Fashion-MNIST", 0.59)),
        bar(&["table2"], BEST, clusters("MNIST")),
        bar(&["table2"], BEST, clusters("Fashion-MNIST")),
        bar(WITH_N, BEST, Asked::KeepsMustLinks),
        bar(WITH_FEWER, BEST, Asked::KeepsMustLinks),
        bar(WITH_N, BEST, not_below),
        bar(WITH_FEWER, BEST, not_below),
        bar(FLIPPED, BEST, not_below),
    ]
}

/// The paper's method with the settings of its program. All that matter are spelled out, because ilk's
/// own defaults may move.
fn paper_mode(max_iter: usize, merge_kernel: f64, merge_weight: f64) -> Cms {
    Cms {
        mode: CmsMode::Paper,
        bandwidth: Schedule::Linear,
        max_iter,
        kernel: CmsKernel::Truncated,
        truncation: 0.2,
        blurring: false,
        constraint_scale: 0.5,
        merge_kernel,
        merge_weight,
        closure: true,
        early_stop: true,
        ..Cms::default()
    }
}

fn paper_on_toys() -> Cms {
    paper_mode(100, 0.995, 0.0)
}

fn paper_on_images() -> Cms {
    paper_mode(80, 0.99, 0.1)
}

/// Modes are one where the kernel between them is above .99, as CMS's centres are.
fn mean_shift() -> Method {
    Method::MeanShift(MeanShift {
        merge_radius: Some(0.1),
        bandwidth: Bandwidth::Percentile(0.15),
        kernel: Profile::Truncated,
        truncation: 0.2,
        ..MeanShift::default()
    })
}

/// The three methods that every table has, with their names in the paper.
fn methods(paper: Cms) -> [(&'static str, &'static str, Method); 3] {
    [
        (MEAN_SHIFT, "Mean shift", mean_shift()),
        (PAPER, "CMS (ours)", Method::Cms(paper)),
        (BEST, "CMS (ours)", Method::Cms(Cms::default())),
    ]
}

/// The data of table 1, in its order.
fn toys(said: Said) -> [(&'static str, Task); 4] {
    let moons = Set::Generated(Generator::Moons(Moons {
        n: 500,
        noise: 0.05,
    }));
    [
        ("moons", task(moons, Rows::All, said)),
        (
            "aggregation",
            task(Set::Stored("aggregation"), Rows::All, said),
        ),
        ("jain", task(Set::Stored("jain"), Rows::All, said)),
        (
            "s4",
            task(Set::Stored("s4"), Rows::WithReplacement(1000), said),
        ),
    ]
}

/// The data of table 2, in its order.
fn images(said: Said) -> [(&'static str, Task); 3] {
    let drawn = |name| task(Set::Stored(name), Rows::Some(2000), said);
    [
        ("MNIST", drawn("cms_emb_mnist")),
        ("Fashion-MNIST", drawn("cms_emb_fashion_mnist")),
        ("GTSRB", drawn("cms_emb_gtsrb")),
    ]
}

fn task(set: Set, rows: Rows, said: Said) -> Task {
    Task {
        set,
        rows,
        scale: Scale::MinMax,
        said,
    }
}

/// Ours on each set, then the methods of which there is only the paper's figure.
fn beside<const SETS: usize>(
    tasks: [(&'static str, Task); SETS],
    paper: &Cms,
    printed: Option<&Printed<SETS>>,
) -> Vec<Row> {
    let mut rows = Vec::new();
    for (set, (data, task)) in tasks.into_iter().enumerate() {
        let figure = |name: &str| {
            let row = printed?.iter().find(|(method, _)| *method == name)?;
            let [ari, nmi] = row.1[set];
            Some(Figures {
                ari,
                nmi: Some(nmi),
            })
        };
        let methods = methods(paper.clone());
        for (name, its_name, method) in &methods {
            rows.push(Row {
                printed: figure(its_name),
                ..row(data, name, Trial::of(task.clone(), method.clone()))
            });
        }
        let ours = |name: &str| methods.iter().any(|(_, its_name, _)| *its_name == name);
        let others = printed.into_iter().flatten().map(|(name, _)| *name);
        rows.extend(others.filter(|name| !ours(name)).map(|name| Row {
            data: data.to_owned(),
            method: name.to_owned(),
            trial: None,
            printed: figure(name),
            at: None,
        }));
    }
    rows
}

fn row(data: &str, method: &str, trial: Trial) -> Row {
    Row {
        data: data.to_owned(),
        method: method.to_owned(),
        trial: Some(trial),
        printed: None,
        at: None,
    }
}

fn exhibit(name: &'static str, title: &'static str, note: &'static str, rows: Vec<Row>) -> Exhibit {
    Exhibit {
        name,
        title,
        note,
        rows,
        is_elsewhere: false,
        over: None,
    }
}

fn table_1() -> Exhibit {
    exhibit(
        "table1",
        "Table 1: synthetic sets",
        "As many constraints as rows. Moons are 500 points with noise 0.05, generated anew for every \
         seed. s4 is drawn as the authors' program draws it: 1,000 of its 5,000 rows, with replacement.",
        beside(toys(N_PAIRS), &paper_on_toys(), Some(&TABLE_1)),
    )
}

fn s4_in_full() -> Exhibit {
    let s4 = task(Set::Stored("s4"), Rows::All, N_PAIRS);
    let printed = TABLE_1.map(|(method, [_, _, _, s4])| (method, [s4]));
    exhibit(
        "s4-full",
        "s4 in full",
        "The text of the paper says that the full sets are used; its program draws 1,000 rows of s4. \
         These are all 5,000, with 5,000 constraints, beside the same printed figures.",
        beside([("s4 in full", s4)], &paper_on_toys(), Some(&printed)),
    )
}

fn toys_with(name: &'static str, title: &'static str, per_row: f64, flipped: f64) -> Exhibit {
    let said = Said::Pairs { per_row, flipped };
    let rows = beside(toys(said), &paper_on_toys(), None);
    exhibit(name, title, "Not in the paper.", rows)
}

fn table_2() -> Exhibit {
    exhibit(
        "table2",
        "Table 2: embeddings of images",
        "2,000 rows of the authors' embeddings in 10 dimensions, and 2,000 constraints. Mean shift at the \
         bandwidth that the paper states joins nearly all rows; the printed figures belong to about \
         half of it.",
        beside(images(N_PAIRS), &paper_on_images(), Some(&TABLE_2)),
    )
}

fn images_with(name: &'static str, title: &'static str, per_row: f64, flipped: f64) -> Exhibit {
    let said = Said::Pairs { per_row, flipped };
    let [mnist, fashion, _] = images(said);
    let rows = beside([mnist, fashion], &paper_on_images(), None);
    exhibit(name, title, "Not in the paper.", rows)
}

fn table_3() -> Exhibit {
    let mut rows = Vec::new();
    for (column, &retention) in RETENTIONS.iter().enumerate() {
        if !RETENTIONS_RUN.contains(&retention) {
            continue;
        }
        let printed = TABLE_3.map(|(method, ari)| (method, ari[column]));
        let said = Said::Pairs {
            per_row: 0.5,
            flipped: 0.0,
        };
        let drawn = Rows::Imbalanced { n: 2000, retention };
        let task = task(Set::Stored("cms_emb_mnist"), drawn, said);
        let data = format!("MNIST r = {retention:.1}");
        let methods = methods(paper_on_images());
        for (name, ari) in printed {
            let figures = Some(Figures { ari, nmi: None });
            let ours = methods.iter().filter(|(_, its_name, _)| *its_name == name);
            let ours: Vec<_> = ours.collect();
            if ours.is_empty() {
                rows.push(Row {
                    data: data.clone(),
                    method: name.to_owned(),
                    trial: None,
                    printed: figures,
                    at: None,
                });
            }
            for (ours, _, method) in ours {
                rows.push(Row {
                    printed: figures,
                    ..row(&data, ours, Trial::of(task.clone(), method.clone()))
                });
            }
        }
    }
    exhibit(
        "table3",
        "Table 3: imbalanced classes",
        "2,000 rows of the MNIST embedding and 1,000 constraints. Rows are drawn with a weight for \
         their class, from r for the first to 1 for the last in equal steps; the order of the classes \
         is random.",
        rows,
    )
}

fn table_4() -> Exhibit {
    let rows = TABLE_4
        .iter()
        .map(|&(name, [links, scaling, adaptive], [ari, nmi])| {
            let said = if links { N_PAIRS } else { Said::Nothing };
            let cms = Cms {
                constraint_scale: if scaling { 0.5 } else { NO_SCALING },
                ..paper_on_images()
            };
            let candidates = if adaptive {
                vec![Candidate {
                    name: String::new(),
                    method: Method::Cms(cms),
                }]
            } else {
                let fixed = |&h: &f64| Candidate {
                    name: format!("h = {h}"),
                    method: Method::Cms(Cms {
                        bandwidth: Schedule::Fixed(h),
                        ..cms.clone()
                    }),
                };
                BANDWIDTHS.iter().map(fixed).collect()
            };
            let parts = [
                (links, "cannot-links"),
                (scaling, "scaling"),
                (adaptive, "adaptive bandwidth"),
            ];
            let on: Vec<&str> = parts
                .iter()
                .filter(|part| part.0)
                .map(|part| part.1)
                .collect();
            let method = match on.as_slice() {
                [] => format!("{name}: nothing"),
                on => format!("{name}: {}", on.join(" + ")),
            };
            let [(data, task), ..] = images(said);
            let trial = Trial { task, candidates };
            Row {
                printed: Some(Figures {
                    ari,
                    nmi: Some(nmi),
                }),
                ..row(data, &method, trial)
            }
        });
    Exhibit {
        is_elsewhere: true,
        ..exhibit(
            "table4",
            "Table 4: what each part contributes",
            "Here on the MNIST embedding; the paper's figures are of GTSRB, which is not at hand, so \
             only their order can be compared. Without the adaptive bandwidth the best constant one is \
             taken from a small grid by the true classes, as the paper does; without scaling λ is so \
             large that all constraints are as wide as the bandwidth.",
            rows.collect(),
        )
    }
}

fn figure_4() -> Exhibit {
    let mut rows = Vec::new();
    for (set, printed) in [(0, TABLE_2[5].1[0]), (1, TABLE_2[5].1[1])] {
        for ratio in RATIOS {
            let said = Said::Pairs {
                per_row: ratio,
                flipped: 0.0,
            };
            let (data, task) = images(said)[set].clone();
            let [ari, nmi] = printed;
            let printed = Figures {
                ari,
                nmi: Some(nmi),
            };
            for (name, _, method) in &methods(paper_on_images())[1..] {
                rows.push(Row {
                    at: Some(ratio),
                    printed: (ratio == 1.0).then_some(printed),
                    ..row(data, name, Trial::of(task.clone(), method.clone()))
                });
            }
        }
    }
    Exhibit {
        over: Some("constraints a row"),
        ..exhibit(
            "figure4",
            "Figure 4: the number of constraints",
            "2,000 rows, and from 45 constraints, one for every two classes, to 4,000. The paper's \
             figure at one constraint a row is that of table 2.",
            rows,
        )
    }
}

fn figure_6() -> Exhibit {
    let kernels = [
        ("truncated", CmsKernel::Truncated),
        ("ball", CmsKernel::Ball),
        ("rbf", CmsKernel::Rbf),
    ];
    let mut rows = Vec::new();
    for (blurring, way) in [(false, "nonblurring"), (true, "blurring")] {
        for lambda in LAMBDAS {
            for (name, kernel) in kernels {
                let cms = Cms {
                    kernel,
                    blurring,
                    constraint_scale: lambda,
                    ..paper_on_images()
                };
                let [(data, task), ..] = images(N_PAIRS);
                rows.push(Row {
                    at: Some(lambda),
                    ..row(
                        &format!("{data} {way}"),
                        name,
                        Trial::of(task, Method::Cms(cms)),
                    )
                });
            }
        }
    }
    Exhibit {
        over: Some("constraint scale λ"),
        ..exhibit(
            "figure6",
            "Figure 6: constraint scale, kernel and blurring",
            "CMS paper on the MNIST embedding (the paper: GTSRB, which is not at hand), 2,000 rows and \
             2,000 constraints.",
            rows,
        )
    }
}
