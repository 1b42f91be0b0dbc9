//! Semi-supervised kernel mean shift: Anand, Mittal, Tuzel and Meer, 2014.
//!
//! `exhibits` holds its section 7 as lists; here is what they share: data, methods, and what is asked of
//! the figures.

mod exhibits;

use ilk::datasets::{ConcentricCircles, Generator, OlympicCircles};
use ilk::method::{AnyMethod, E2cp, Ksc, Skkm, Skms, SsKernelKMeans};
use ilk_io::Scale;

use super::bars::{Asked, Bar};
use super::{ConstraintProtocol, FeatureScale, Paper, RowSample, Set, Task};

const PAPER: &str = "SKMS paper";
const BEST: &str = "SKMS";

const CIRCLES: &str = "concentric circles";
const OLYMPIC: &str = "Olympic circles";

pub(super) fn paper() -> Paper {
    Paper {
        name: "skms",
        title: "Semi-Supervised Kernel Mean Shift Clustering",
        authors: "Anand, Mittal, Tuzel and Meer, 2014",
        protocol: &[
            "b rows of every class are labelled; they give all must-links among those of a class and as \
             many random cannot-links between classes (section 7, Experimental setup). The paper \
             averages 50 runs. Its figures are curves without numbers, so that there is one printed ARI \
             to compare with; what its text says about the number of clusters is under each heading.",
            "ARI is of all rows, as in the paper; ARI unconstrained is of the rows that are not \
             labelled. Clusters is the number found, on average over the seeds.",
            "SKMS paper has the paper's settings: σ by equation (35), γ = 100, a kernel of .99 of the \
             Frobenius norm, and clusters as mean shift leaves them. SKMS is the default of ilk. SKkm \
             and KSC are kernel k-means (the paper's Kkm) and spectral clustering with a kernel learned \
             from the same answers; SSKK (semi-supervised kernel k-means, ratio association) and E2CP \
             (constraint propagation, then spectral clustering) are the defaults of ilk. All four are given the \
             number of clusters.",
        ],
        exhibits: exhibits::all(),
        bars: bars(),
        left_out: &[
            "Figure 16 (PIE faces): the images are not at hand.",
            "Figures 1d and 12b, plots of the distances between modes: `ilk cluster --method skms --report` \
             draws them. Figure 6, clusters over neighbours: `--stability` does.",
        ],
        seeds: 5,
        quick_places: Some(1),
    }
}

fn bars() -> Vec<Bar> {
    let bar = |exhibit, at: usize, asked| Bar {
        exhibits: exhibit,
        method: BEST,
        asked,
        at: Some(at as f64),
    };
    let at_least = |data, score| Asked::AtLeast { data, score };
    let ten = Asked::Clusters { data: CIRCLES, from: 10, to: 10 };
    vec![
        bar(&["figure10b"], 5, at_least(CIRCLES, 0.85)),
        bar(&["figure10b"], 7, at_least(CIRCLES, 0.97)),
        bar(&["figure10b"], 15, at_least(CIRCLES, 0.98)),
        bar(&["figure10b"], 7, ten),
        bar(&["figure10b"], 15, ten),
        bar(&["figure9b"], 20, at_least(OLYMPIC, 0.5)),
    ]
}

/// What every exhibit compares. All but the first two are given the number of clusters.
fn methods(n_clusters: usize) -> [(&'static str, AnyMethod); 6] {
    [
        (PAPER, AnyMethod::Skms(Skms::paper())),
        (BEST, AnyMethod::Skms(Skms::default())),
        ("SKkm", AnyMethod::Skkm(Skkm { n_clusters: n_clusters.into(), ..Skkm::default() })),
        ("KSC", AnyMethod::Ksc(Ksc { n_clusters: n_clusters.into(), ..Ksc::default() })),
        (
            "SSKK",
            AnyMethod::SsKernelKMeans(SsKernelKMeans {
                n_clusters: n_clusters.into(),
                ..SsKernelKMeans::default()
            }),
        ),
        ("E2CP", AnyMethod::E2cp(E2cp { n_clusters: n_clusters.into(), ..E2cp::default() })),
    ]
}

/// Data as the tables call them, how they are drawn, and the number of their classes.
#[derive(Debug, Clone)]
struct Data {
    name: &'static str,
    set: Set,
    rows: RowSample,
    scale: FeatureScale,
    classes: usize,
}

impl Data {
    fn task(&self, per_class: usize, flipped: f64) -> Task {
        let constraints = ConstraintProtocol::Labelled { per_class, flipped };
        Task::new(self.set.clone(), self.rows, self.scale, constraints)
    }
}

const AS_IT_IS: FeatureScale = FeatureScale::Of(Scale::None);
const Z_SCORES: FeatureScale = FeatureScale::Of(Scale::Standard);

fn circles() -> Data {
    let set = ConcentricCircles { circles: 10, per_circle: 100, noise: 0.1 };
    Data {
        name: CIRCLES,
        set: Set::Generated(Generator::ConcentricCircles(set)),
        rows: RowSample::All,
        scale: AS_IT_IS,
        classes: 10,
    }
}

fn olympic() -> Data {
    let set = OlympicCircles { per_circle: 300, radius: 2.0, noise: 0.08 };
    Data {
        name: OLYMPIC,
        set: Set::Generated(Generator::OlympicCircles(set)),
        rows: RowSample::All,
        scale: AS_IT_IS,
        classes: 5,
    }
}

const fn stored(name: &'static str, set: &'static str, rows: RowSample, classes: usize) -> Data {
    Data { name, set: Set::File(set), rows, scale: AS_IT_IS, classes }
}

fn usps() -> Data {
    Data {
        scale: FeatureScale::Fixed(255.0),
        ..stored("USPS", "usps", RowSample::PerClass(100), 10)
    }
}

fn scene() -> Data {
    let rows = RowSample::PerClass(100);
    Data { scale: Z_SCORES, ..stored("MIT scene", "mit_scene_mv119", rows, 8) }
}

fn caltech() -> Data {
    stored("Caltech-101", "caltech101_50_gist", RowSample::All, 50)
}

/// Sets that the paper has not.
fn others() -> [Data; 4] {
    let standard = |name| Data { scale: Z_SCORES, ..stored(name, name, RowSample::All, 3) };
    [
        stored("vehicle", "vehicle_scale", RowSample::All, 4),
        standard("iris"),
        standard("wine"),
        stored("digits", "digits_sklearn", RowSample::PerClass(50), 10),
    ]
}
