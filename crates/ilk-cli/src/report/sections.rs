//! The parts of the report, in the order in which they are read.

use std::fmt::Write as _;

use ilk::evaluate::Scores;
use ilk::explain::ConstraintUtility;
use ilk::method::Method as _;
use ilk::outcome::{AnyModel, ConstraintReport};
use ilk::problem::{ConstraintKind, Input};
use serde_json::Value;

use super::Report;
use super::html::{bar, cluster_name, inline, note, section, table};
use crate::plot::MarkerStyle;
use crate::run::{Run, ended};
use crate::run_plot::mode_noun;
use crate::summary::{duration, in_few_digits, score_rows};
use crate::text::{count, counted, escape, short};

/// Clusters that the table of sizes lists.
const MAX_CLUSTERS: usize = 50;
/// Members of a consensus that are listed.
const MAX_MEMBERS: usize = 12;
/// Broken constraints that are listed for each kind.
const MAX_BROKEN: usize = 200;

pub(super) fn headline(report: &Report<'_>) -> String {
    let run = report.run;
    let found = &run.fit.clustering;
    let bandwidth = match run.bandwidth() {
        Some(bandwidth) => format!(" with bandwidth {bandwidth}"),
        None => String::new(),
    };
    format!(
        "<header>\n<p class=\"kicker\">ilk report</p>\n<h1>{}</h1>\n<p class=\"lede\">{} found {} \
         in {}{bandwidth}; {}.</p>\n</header>\n",
        escape(&crate::run_plot::title(run)),
        escape(run.recipe.method.info().name),
        counted(found.n_clusters, "cluster"),
        counted(run.labels().len(), run.noun()),
        escape(&match ended(found) {
            consensus if !found.leaderboard.is_empty() => consensus,
            ended => format!("it {ended}"),
        }),
    )
}

pub(super) fn cards(run: &Run) -> String {
    let found = &run.fit.clustering;
    let nouns = run.noun().to_owned() + "s";
    let mut cards = vec![(count(run.labels().len()), nouns.as_str())];
    if let Some(graph_summary) = &run.graph_summary {
        cards.push((count(graph_summary.n_edges), "edges"));
        cards.push((count(graph_summary.n_components), "components"));
    }
    cards.push((count(found.n_clusters), "clusters"));
    if run.n_noise() > 0 {
        cards.push((count(run.n_noise()), "in no cluster"));
    }
    let (kept, broken) = (found.report.kept(), found.report.broken());
    if kept + broken > 0 {
        let share = format!("{} / {}", count(kept), count(kept + broken));
        cards.push((share, "answers kept"));
    }
    if let Some(truth) = &run.truth {
        let ari = format!("{:.3}", truth.scores.adjusted_rand);
        cards.push((ari, "adjusted Rand index"));
    }
    let cards: Vec<String> = cards
        .iter()
        .map(|(value, name)| {
            format!("<div class=\"card\"><b>{value}</b><span>{name}</span></div>\n")
        })
        .collect();
    format!("<div class=\"cards\">\n{}</div>\n", cards.concat())
}

pub(super) fn plots(report: &Report<'_>) -> String {
    let figure_of = |class: &str, svg: &str, caption: &str| {
        let svg = inline(svg);
        format!("<figure{class}>\n{svg}<figcaption>{caption}</figcaption>\n</figure>\n")
    };
    let figure = |svg: &str, caption: &str| figure_of("", svg, caption);
    if report.plot.is_empty() {
        return note("There are too many nodes for a plot.");
    }
    let constraints = "Solid lines say \"together\", dashed lines \"not together\".";
    match report.before {
        Some((_, before)) => {
            let caption = "Before: the same data, without constraints.";
            figure_of(" class=\"before\"", before, caption)
                + &figure(report.plot, &format!("After. {constraints}"))
        }
        None if report.run.constraints().is_empty() => {
            figure(report.plot, "Each colour and shape is a cluster.")
        }
        None => figure(report.plot, constraints),
    }
}

pub(super) fn comparison(report: &Report<'_>) -> String {
    let Some((before, _)) = report.before else {
        return String::new();
    };
    let row =
        |name: &str, of: &dyn Fn(&Run) -> String| vec![name.to_owned(), of(before), of(report.run)];
    let score = |run: &Run, of: fn(&Scores) -> f64| match &run.truth {
        Some(truth) => format!("{:.3}", of(&truth.scores)),
        None => "-".to_owned(),
    };
    // How many of the answers the clusters without them keep by themselves.
    let kept = |run: &Run| {
        let report = ConstraintReport::new(report.run.constraints(), run.labels());
        format!("{} of {}", count(report.kept()), count(report.kept() + report.broken()))
    };
    let mut rows = vec![
        row("clusters", &|run| count(run.fit.clustering.n_clusters)),
        row("answers kept", &kept),
    ];
    if [before, report.run].iter().any(|run| run.bandwidth().is_some()) {
        rows.push(row("bandwidth", &|run| run.bandwidth().unwrap_or_else(|| "-".to_owned())));
    }
    let moved = Scores::new(before.labels(), report.run.labels());
    if let Ok(moved) = moved {
        let share = format!("{:.1}%", 100.0 * (1.0 - moved.accuracy));
        rows.push(vec!["rows that changed their cluster".to_owned(), "-".to_owned(), share]);
    }
    let scores = [
        row("adjusted Rand index", &|run| score(run, |scores| scores.adjusted_rand)),
        row("normalized mutual information", &|run| {
            score(run, |scores| scores.normalized_mutual_info)
        }),
        row("share of points that are right", &|run| score(run, |scores| scores.accuracy)),
    ];
    if report.run.truth.is_some() {
        rows.extend(scores);
    }
    let mut body = table(&["", "without answers", "with answers"], &rows);
    body.push_str(&utility(before, report.run));
    section("What the answers changed", &body)
}

/// How much the answers tell beyond the data, and those that the clusters without them speak against.
fn utility(before: &Run, run: &Run) -> String {
    let (Input::Points(points), constraints) = (run.loaded.problem.input(), run.constraints())
    else {
        return String::new();
    };
    let found = ConstraintUtility::new(points, constraints, &before.fit.clustering, 0);
    let Ok(Some(utility)) = found else { return String::new() };
    let mut sentence = format!(
        "Clusters without answers break {:.0}% of them: so much do they tell that the data do not show.",
        100.0 * utility.informativeness
    );
    if let Some(coherence) = utility.coherence {
        let _ = write!(
            sentence,
            " {:.0}% of the pairs of a must-link and a cannot-link are coherent: neither lies along the other.",
            100.0 * coherence
        );
    }
    let mut html = note(&sentence);
    if utility.at_odds.is_empty() {
        return html;
    }
    html.push_str(&note("Most at odds with the data; they tell most, or are wrong:"));
    let described = utility.at_odds.iter().filter_map(|odd| {
        let text = constraints.describe(odd.kind, odd.entry)?;
        Some(vec![escape(&text), format!("{:.0}%", 100.0 * odd.certainty)])
    });
    html + &table(&["answer", "sure against"], &described.collect::<Vec<_>>())
}

pub(super) fn sizes(run: &Run) -> String {
    let nouns = run.noun().to_owned() + "s";
    let sizes = run.sizes();
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&cluster| (std::cmp::Reverse(sizes[cluster]), cluster));
    let largest = order.first().map_or(1, |&cluster| sizes[cluster].max(1));
    let all = run.labels().len().max(1);
    let row = |label: Option<usize>, size: usize| {
        let color = MarkerStyle::of(label).color.to_string();
        vec![
            cluster_name(label),
            count(size),
            format!("{:.1}%", 100.0 * size as f64 / all as f64),
            bar(size as f64 / largest as f64, &color),
        ]
    };
    let shown = order.iter().take(MAX_CLUSTERS);
    let mut rows: Vec<Vec<String>> =
        shown.map(|&cluster| row(Some(cluster), sizes[cluster])).collect();
    if run.n_noise() > 0 {
        rows.push(row(None, run.n_noise()));
    }
    let mut body = table(&["cluster", &nouns, "share", ""], &rows);
    if let Some(rest) = order.get(MAX_CLUSTERS..).filter(|rest| !rest.is_empty()) {
        let points = rest.iter().map(|&cluster| sizes[cluster]).sum();
        body.push_str(&note(&format!(
            "and {} with {} in all",
            counted(rest.len(), "smaller cluster"),
            counted(points, run.noun()),
        )));
    }
    section("Sizes", &body)
}

pub(super) fn constraints(run: &Run) -> String {
    const HEADING: &str = "Constraints kept and broken";
    let report = &run.fit.clustering.report;
    if report.kinds.is_empty() {
        let nothing = "<p>There are no constraints on this data. Pairs that belong together or apart \
                       (<code>--pairs</code>) or a few labels (<code>--labels</code>) would guide \
                       the groups.</p>\n";
        return section(HEADING, nothing);
    }
    let rows: Vec<Vec<String>> = report
        .kinds
        .iter()
        .map(|kind| {
            let (kept, broken) = (kind.kept.len(), kind.broken.len());
            let class = if broken == 0 { "quiet" } else { "bad" };
            vec![
                kind.kind.to_string(),
                count(kept + broken),
                format!("<span class=\"good\">{}</span>", count(kept)),
                format!("<span class=\"{class}\">{}</span>", count(broken)),
                bar(kept as f64 / (kept + broken).max(1) as f64, "var(--good)"),
            ]
        })
        .collect();
    let mut body = table(&["kind", "given", "kept", "broken", ""], &rows);
    for kind in &report.kinds {
        body.push_str(&broken(run, kind.kind, kind.broken.len()));
    }
    let files: Vec<String> = run
        .loaded
        .summaries
        .iter()
        .map(|summary| {
            format!(
                "<code>{}</code>: {}, {} repeated, {} skipped",
                escape(&summary.path.display().to_string()),
                counted(summary.read, "answer"),
                count(summary.duplicates),
                count(summary.skipped),
            )
        })
        .collect();
    body.push_str(&note(&files.join("<br>")));
    section(HEADING, &body)
}

/// The broken entries of a kind, by id.
fn broken(run: &Run, kind: ConstraintKind, number: usize) -> String {
    if number == 0 {
        return String::new();
    }
    let items = list(run.broken(kind).take(MAX_BROKEN));
    let more = match number.saturating_sub(MAX_BROKEN) {
        0 => String::new(),
        more => note(&format!("and {} more", count(more))),
    };
    let open = if number <= 10 { " open" } else { "" };
    format!(
        "<details{open}><summary>{} broken</summary>\n{items}{more}</details>\n",
        counted(number, &kind.to_string())
    )
}

fn list(sentences: impl Iterator<Item = String>) -> String {
    let items: Vec<String> =
        sentences.map(|sentence| format!("<li>{}</li>\n", escape(&sentence))).collect();
    format!("<ul>\n{}</ul>\n", items.concat())
}

/// What the method found out by itself.
pub(super) fn chosen(run: &Run) -> String {
    let chosen = &run.fit.clustering.chosen;
    if chosen.is_empty() {
        return String::new();
    }
    let rows: Vec<Vec<String>> = chosen
        .iter()
        .map(|chosen| {
            vec![
                escape(&chosen.parameter),
                escape(&in_few_digits(&chosen.value)),
                escape(&chosen.by),
            ]
        })
        .collect();
    let body = table(&["parameter", "value", "chosen by"], &rows);
    section("What was chosen", &body)
}

pub(super) fn contradictions(run: &Run) -> String {
    if run.n_contradictions == 0 {
        return String::new();
    }
    let more = match run.n_contradictions - run.contradictions.len() {
        0 => String::new(),
        more => note(&format!("and {} more; <code>ilk check</code> lists them all", count(more))),
    };
    let body = format!(
        "<p>These answers cannot all be true, so no clustering keeps them all. Look at the chain of \
         each and correct the answer that is wrong.</p>\n{}{more}",
        list(run.contradictions.iter().cloned())
    );
    section(&counted(run.n_contradictions, "contradiction"), &body)
}

pub(super) fn scores(run: &Run) -> String {
    let Some(truth) = &run.truth else {
        return String::new();
    };
    let rows: Vec<Vec<String>> = score_rows(&truth.scores)
        .iter()
        .map(|(name, value, meaning)| {
            let meaning = format!("<span class=\"note\">{}</span>", escape(meaning));
            vec![escape(name), format!("{value:.4}"), meaning]
        })
        .collect();
    let against = note(&format!(
        "Against {}: {} in {} true groups.",
        escape(&truth.name),
        counted(truth.scores.n, "point"),
        count(truth.scores.n_classes),
    ));
    let body = against + &table(&["score", "value", "what it says"], &rows);
    section("Against the truth", &body)
}

pub(super) fn how_to_read(run: &Run) -> String {
    let dims = run.loaded.data.table().map(|table| table.feature_names.len());
    let axes = if dims.is_none() {
        "The plot shows the graph as if its nodes pushed each other away and its edges, thin and grey, \
         pulled them together; how near two nodes came is all that their places tell."
    } else if dims > Some(2) {
        "The plot shows the two directions in which the points spread most; groups that overlap \
         there may lie apart in the other dimensions."
    } else {
        "The plot shows the data in their own units."
    };
    let marks = if matches!(run.fit.model, AnyModel::LearnedKernel(_)) {
        "Points were grouped in the space of a kernel, not in the plot: what is near there \
         may look far here."
    } else if run.graph_summary.is_some() {
        "Clusters are found from the edges and the answers, not from the places in the plot."
    } else if run.fit.clustering.modes.is_none() {
        "A number stands in the middle of its cluster."
    } else if mode_noun(run) == "mean" {
        "A numbered disc is the mean of the points of a cluster."
    } else if run.fit.clustering.final_positions.is_some() {
        "A numbered disc is the mode of a cluster: the place where most of the centres of its points \
         met."
    } else {
        "A numbered disc is the mode of a cluster: the place where its points are densest. Points \
         belong to the mode that they climb to."
    };
    let mut items = vec![axes, marks];
    if run.fit.clustering.confidence.is_some() {
        items.push(
            "Pale points are those whose cluster is uncertain: the members of the consensus do not agree on it.",
        );
    }
    items.push(
        "A pointer that rests on a point shows its id; a click on a cluster dims the others.",
    );
    if !run.constraints().is_empty() {
        items.push(
            "A solid line joins two points with a must-link, a dashed one two with a cannot-link. Red lines are \
             answers that the clusters break. Where there are many, some are drawn, evenly from all.",
        );
        items.push(
            "Broken answers are no failure by themselves: they show where the data and the answers \
             disagree. A contradiction is different: there the answers disagree with each other.",
        );
    }
    items.push(if run.recipe.method.info().takes_clusters {
        "Too few clusters or too many? <code>--clusters K</code> asks for another number. A few more answers about \
         the doubtful pairs say which is meant."
    } else {
        "Too few clusters? A smaller bandwidth finds more; too many, a larger one. A few more \
         answers about the doubtful pairs say which is meant."
    });
    let items: Vec<String> = items.iter().map(|item| format!("<li>{item}</li>\n")).collect();
    section("How to read this", &format!("<ul>\n{}</ul>\n", items.concat()))
}

/// The members of a consensus.
pub(super) fn leaderboard(run: &Run) -> String {
    let members = &run.fit.clustering.leaderboard;
    if members.is_empty() {
        return String::new();
    }
    let rows = members.iter().take(MAX_MEMBERS).map(|member| {
        let score = member.score.map_or("-".to_owned(), |score| format!("{score:.3}"));
        let share = format!("{:.1}%", 100.0 * member.weight);
        vec![
            format!("<code>{}</code>", escape(&member.to_string())),
            score,
            share,
            bar(member.weight, "var(--accent)"),
        ]
    });
    let mut body = table(
        &["member", "agreement with held-out answers", "votes", ""],
        &rows.collect::<Vec<_>>(),
    );
    if members.len() > MAX_MEMBERS {
        let more = counted(members.len() - MAX_MEMBERS, "member");
        body.push_str(&note(&format!("and {more} with fewer votes")));
    }
    section("Members of the consensus", &body)
}

pub(super) fn what_was_run(report: &Report<'_>) -> String {
    let recipe = &report.run.recipe;
    let mut rows = Vec::new();
    let mut row = |name: &str, value: String| rows.push(vec![escape(name), escape(&value)]);
    row("data", recipe.data.display().to_string());
    if let Some(graph_summary) = &report.run.graph_summary {
        row("graph", graph_summary.describe());
    }
    if let Some(table) = report.run.loaded.data.table() {
        row("features", short(&table.feature_names.join(", "), 200));
        let scale = serde_json::to_value(recipe.scale).unwrap_or_default();
        row("scaling", word(&scale));
    }
    row("method", recipe.method.info().name.to_owned());
    let tagged = serde_json::to_value(&recipe.method).unwrap_or_default();
    if let Some(parameters) = tagged.get("params").and_then(Value::as_object) {
        for (name, value) in parameters {
            row(name, short(&word(value), 120));
        }
    }
    row("time of the fit", duration(report.run.seconds));
    row("ilk", env!("CARGO_PKG_VERSION").to_owned());
    let body = format!("<pre>{}</pre>\n{}", escape(report.command), table(&[], &rows));
    section("What was run", &body)
}

/// A JSON value as a word: `{"fixed": 2}` is `fixed(2)`.
fn word(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| format!("{name}({})", word(value)))
            .collect::<Vec<_>>()
            .join(", "),
        value => value.to_string(),
    }
}
