//! Constrained mean shift: Schier, Reinders and Rosenhahn, 2022.
//!
//! `printed` holds the paper's tables, `exhibits` its section 5 as lists; here is what they share: data,
//! methods, and what is asked of the figures.

mod exhibits;
mod printed;

use ilk::datasets::{Generator, Moons};
use ilk::group::constrained_mean_shift::{CmsKernel, Schedule};
use ilk::group::mean_shift::MeanShift;
use ilk::method::{AnyMethod, Cms, CmsMode};
use ilk::similarity::{Bandwidth, Profile};
use ilk_io::Scale;

use super::bars::{Asked, Bar};
use super::{ConstraintProtocol, FeatureScale, Paper, RowSample, Set, Task};

const MEAN_SHIFT: &str = "mean shift";
const PAPER: &str = "CMS paper";
const BEST: &str = "CMS best";

/// As many pairs as rows, and all of them right.
const N_PAIRS: ConstraintProtocol = pairs(1.0, 0.0);

const fn pairs(per_row: f64, flipped: f64) -> ConstraintProtocol {
    ConstraintProtocol::Pairs { per_row, flipped }
}

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
        exhibits: exhibits::all(),
        bars: bars(),
        left_out: &[
            "C-DBSCAN, Constrained Spectral, MPCKMeans and PCKMeans: ilk has none of these methods \
             yet, so the tables show the paper's figures alone.",
            "Figures 4 and 6 are printed as curves without numbers; where a table prints the same \
             point, that figure is shown.",
        ],
        // "All experiments are repeated 10 times."
        seeds: 10,
        quick_places: None,
    }
}

fn bars() -> Vec<Bar> {
    const WITH_N: &[&str] = &["table1", "s4-full", "table2", "table3"];
    const WITH_FEWER: &[&str] = &["table1-third", "table1-tenth", "table2-third", "table2-tenth"];
    const FLIPPED: &[&str] = &["table1-flipped", "table2-flipped"];
    let bar = |exhibits, method, asked| Bar { exhibits, method, asked, at: None };
    let as_printed = Asked::AsPrinted { within: 0.03 };
    let at_least = |data, score| Asked::AtLeast { data, score };
    let clusters = |data| Asked::Clusters { data, from: 10, to: 13 };
    let not_below = Asked::NotBelow { method: PAPER, by: 0.015 };
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
fn mean_shift() -> AnyMethod {
    AnyMethod::MeanShift(MeanShift {
        merge_radius: Some(0.1),
        bandwidth: Bandwidth::Percentile(0.15),
        kernel: Profile::Truncated,
        truncation: 0.2,
        ..MeanShift::default()
    })
}

/// The three methods that every table has, with their names in the paper.
fn methods(paper: Cms) -> [(&'static str, &'static str, AnyMethod); 3] {
    [
        (MEAN_SHIFT, "Mean shift", mean_shift()),
        (PAPER, "CMS (ours)", AnyMethod::Cms(paper)),
        (BEST, "CMS (ours)", AnyMethod::Cms(Cms::default())),
    ]
}

/// The data of table 1, in its order.
fn toys(constraints: ConstraintProtocol) -> [(&'static str, Task); 4] {
    let moons = Set::Generated(Generator::Moons(Moons { n: 500, noise: 0.05 }));
    [
        ("moons", task(moons, RowSample::All, constraints)),
        ("aggregation", task(Set::File("aggregation"), RowSample::All, constraints)),
        ("jain", task(Set::File("jain"), RowSample::All, constraints)),
        ("s4", task(Set::File("s4"), RowSample::WithReplacement(1000), constraints)),
    ]
}

/// The data of table 2, in its order.
fn images(constraints: ConstraintProtocol) -> [(&'static str, Task); 3] {
    let drawn = |name| task(Set::File(name), RowSample::Some(2000), constraints);
    [
        ("MNIST", drawn("cms_emb_mnist")),
        ("Fashion-MNIST", drawn("cms_emb_fashion_mnist")),
        ("GTSRB", drawn("cms_emb_gtsrb")),
    ]
}

fn task(set: Set, rows: RowSample, constraints: ConstraintProtocol) -> Task {
    Task::new(set, rows, FeatureScale::Of(Scale::MinMax), constraints)
}
