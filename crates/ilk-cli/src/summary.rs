//! What a run has to say about itself: for people on stderr, for programs as JSON.

use ilk::evaluate::Scores;
use ilk::method::Method as _;
use ilk::outcome::{ConstraintReport, Warning};
use serde_json::{Value, json};

use crate::run::{Run, ended};
use crate::terminal::{self, Terminal};
use crate::text::{self, count, counted};

/// Clusters whose size the summary names.
const MAX_SIZES: usize = 12;

/// Tells people what came out.
pub(crate) fn print(run: &Run, terminal: &Terminal) {
    let size = match (&run.graph_summary, run.loaded.data.table()) {
        (Some(graph_summary), _) => graph_summary.describe(),
        (None, table) => {
            let features = table.map_or(0, |table| table.feature_names.len());
            let points = counted(run.labels().len(), "point");
            format!("{points}, {}", counted(features, "feature"))
        }
    };
    let file = run.recipe.data.display();
    terminal.info(format!("data         {size} from {file}"));
    for constraints in &run.loaded.summaries {
        let mut notes = Vec::new();
        if constraints.duplicates > 0 {
            notes.push(format!("{} of them repeated", count(constraints.duplicates)));
        }
        if constraints.skipped > 0 {
            notes.push(format!("{} skipped", count(constraints.skipped)));
        }
        let notes = match notes.join(", ") {
            none if none.is_empty() => none,
            notes => format!(" ({notes})"),
        };
        terminal.info(format!(
            "constraints  {}{notes} from {}",
            counted(constraints.read, "answer"),
            constraints.path.display()
        ));
    }
    let found = &run.fit.clustering;
    let bandwidth = match run.bandwidth() {
        Some(bandwidth) => format!(", bandwidth {bandwidth}"),
        None => String::new(),
    };
    terminal.info(format!(
        "{:<12} {}{bandwidth}; {} ({})",
        run.recipe.method.info().name,
        counted(found.n_clusters, "cluster"),
        ended(&run.fit.clustering),
        duration(run.seconds)
    ));
    for chosen in &found.chosen {
        terminal.info(format!(
            "{:<12} {} by {}",
            chosen.parameter,
            in_few_digits(&chosen.value),
            chosen.by
        ));
    }
    if let Some(best) = found.leaderboard.first() {
        let score = match best.score {
            Some(score) => format!("agrees {score:.2} with held-out answers"),
            None => format!("{:.0}% of the votes", 100.0 * best.weight),
        };
        terminal.info(format!("best alone   {best} ({score})"));
    }
    terminal.info(format!("sizes        {}", sizes(run)));
    for kind in &found.report.kinds {
        let (kept, broken) = (kind.kept.len(), kind.broken.len());
        let all = kept + broken;
        terminal.info(format!(
            "{:<13}{} of {} kept, {} broken",
            kind.kind.to_string(),
            count(kept),
            count(all),
            count(broken)
        ));
    }
    if let Some(truth) = &run.truth {
        let (known, all) = (truth.scores.n, run.labels().len());
        let partial = if known < all {
            format!(", over the {} of {} rows that have one", count(known), count(all))
        } else {
            String::new()
        };
        terminal.info(format!(
            "truth        ARI {:.3}, NMI {:.3} against {}{partial}",
            truth.scores.adjusted_rand, truth.scores.normalized_mutual_info, truth.name
        ));
    }
}

/// A value in as many digits as people read, and so each of a list; words as they are.
pub(crate) fn in_few_digits(value: &str) -> String {
    if let Some(list) = value.strip_prefix('[').and_then(|list| list.strip_suffix(']')) {
        let each: Vec<String> = list.split(", ").map(in_few_digits).collect();
        return format!("[{}]", each.join(", "));
    }
    match value.parse() {
        Ok(number) => text::number(number),
        Err(_) => value.to_owned(),
    }
}

/// Warns of contradictions, each with its proof.
pub(crate) fn warn_of_contradictions(run: &Run) {
    for contradiction in &run.contradictions {
        terminal::warn(format!("contradiction: {contradiction}"));
    }
    let more = run.n_contradictions - run.contradictions.len();
    if more > 0 {
        let more = counted(more, "more contradiction");
        terminal::warn(format!("and {more}; `ilk check` lists them all"));
    }
}

/// Passes on the warnings of the fit; contradictions have warnings of their own.
pub(crate) fn warn_of_fit(run: &Run) {
    for warning in run.fit.clustering.warnings(run.constraints()) {
        if !matches!(warning, Warning::Contradictions { .. }) {
            terminal::warn(warning.to_string());
        }
    }
}

fn sizes(run: &Run) -> String {
    let mut sizes = run.sizes();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let shown: Vec<String> = sizes.iter().take(MAX_SIZES).map(|&size| count(size)).collect();
    let mut parts = Vec::new();
    if !shown.is_empty() {
        parts.push(shown.join(" "));
    }
    if sizes.len() > MAX_SIZES {
        parts.push(format!("{} smaller", count(sizes.len() - MAX_SIZES)));
    }
    if run.n_noise() > 0 {
        parts.push(format!("{} in no cluster", count(run.n_noise())));
    }
    parts.join(", ")
}

/// A duration as people say it.
pub(crate) fn duration(seconds: f64) -> String {
    if seconds < 1.0 {
        format!("{:.0} ms", seconds * 1e3)
    } else if seconds < 120.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{:.1} min", seconds / 60.0)
    }
}

/// Everything about a run but the label of each point.
pub(crate) fn as_json(run: &Run) -> Value {
    let found = &run.fit.clustering;
    let warnings = found.warnings(run.constraints()).into_iter();
    let warnings: Vec<Value> = warnings
        .map(|warning| json!({ "name": warning.name(), "message": warning.to_string() }))
        .collect();
    let counts = found.cluster_counts.iter().map(|of| {
        json!({
            "n_clusters": of.n_clusters,
            "agreement": of.agreement,
            "separation": of.separation,
            "score": of.score,
        })
    });
    json!({
        "ilk_version": env!("CARGO_PKG_VERSION"),
        "recipe": run.recipe,
        "n_points": run.labels().len(),
        "features": run.loaded.data.table().map(|table| &table.feature_names),
        "graph": run.graph_summary,
        "n_clusters": found.n_clusters,
        "sizes": run.sizes(),
        "n_noise": run.n_noise(),
        "bandwidth": found.bandwidth,
        "chosen": found.chosen,
        "cluster_counts": counts.collect::<Vec<_>>(),
        "warnings": warnings,
        "iterations": found.iterations,
        "stop": found.stop,
        "constraints": constraints(run, &found.report),
        "n_contradictions": run.n_contradictions,
        "contradictions": run.contradictions,
        "scores": run.truth.as_ref().map(|truth| truth.scores),
    })
}

fn constraints(run: &Run, report: &ConstraintReport) -> Value {
    report
        .kinds
        .iter()
        .map(|kind| {
            let broken: Vec<Vec<String>> = kind
                .broken
                .iter()
                .filter_map(|&entry| run.constraints().points_of(kind.kind, entry))
                .map(|points| points.iter().map(|&p| run.constraints().name_of(p)).collect())
                .collect();
            let report = json!({
                "kept": kind.kept.len(),
                "broken": kind.broken.len(),
                "broken_entries": broken,
            });
            (kind.kind.to_string(), report)
        })
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// The scores with the names people know, and what each says.
pub(crate) fn score_rows(scores: &Scores) -> [(&'static str, f64, &'static str); 12] {
    [
        ("adjusted Rand (ARI)", scores.adjusted_rand, "pairs judged alike, 0 by chance"),
        (
            "normalized mutual information (NMI)",
            scores.normalized_mutual_info,
            "shared information over the mean entropy",
        ),
        ("adjusted mutual information (AMI)", scores.adjusted_mutual_info, "the same, 0 by chance"),
        ("V-measure", scores.v_measure, "mean of the next two"),
        ("homogeneity", scores.homogeneity, "clusters hold one class only"),
        ("completeness", scores.completeness, "classes lie in one cluster"),
        ("pair precision", scores.pair_precision, "joined pairs that belong together"),
        ("pair recall", scores.pair_recall, "pairs that belong together and are joined"),
        ("pair F", scores.pair_f, "mean of the two"),
        ("Rand", scores.rand, "pairs judged alike"),
        ("mutual information", scores.mutual_info, "in nats"),
        ("accuracy", scores.accuracy, "points right under the best matching"),
    ]
}
