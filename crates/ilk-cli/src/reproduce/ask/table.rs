//! What came of all strategies over the sets of a group: means, areas, costs, and each set.

use std::collections::BTreeMap;

use ilk::ask::{QuestionKind, Strategy};

use super::{AT, GOALS_AT, GROUPS, contender, reading_time};
use crate::plot::{LinePoint, Lines, Series, svg_of_lines};
use crate::reproduce::bars::Line;
use crate::reproduce::measured::Metric;
use crate::reproduce::page::{Block, Entry, figure};
use crate::reproduce::{Effort, Exhibit, Run};

/// How far below another strategy the default may be on a set without being named.
const TOLERANCE: f64 = 0.02;

/// The tables and curves of every group of sets; files are named after `page`.
pub(crate) fn blocks(
    page: &str,
    exhibit: &Exhibit,
    lines: &[Line<'_>],
    effort: Effort,
) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (number, (title, sets)) in GROUPS.into_iter().enumerate() {
        let group = Group::of(lines, sets);
        if group.sets.is_empty() {
            continue;
        }
        let counted = crate::text::counted(group.sets.len(), "set");
        blocks.push(Block::Text(format!("{title}: means over {counted}, by answers.")));
        blocks.push(group.by_answers());
        for metric in exhibit.metrics {
            let name = metric.name();
            let file = format!("{page}-{}-{}-{}.svg", exhibit.name, number + 1, metric.key());
            let series = group.series(*metric, |_, answers| answers as f64);
            blocks.push(plot(file, (title, effort), ["answers", name], series));
        }
        blocks.push(Block::Text(format!("{title}: mean ARI by reading time.")));
        blocks.push(group.by_reading_time());
        let file = format!("{page}-{}-{}-time.svg", exhibit.name, number + 1);
        let in_time = |kind, answers| answers as f64 * reading_time(kind);
        let axes = ["reading time", Metric::Ari.name()];
        blocks.push(plot(file, (title, effort), axes, group.series(Metric::Ari, in_time)));
        blocks.push(Block::Text(format!(
            "{title}: ARI after {} answers, set by set.",
            group.judged_at()
        )));
        blocks.push(group.by_set());
        blocks.extend(group.sentences().into_iter().map(Block::Text));
    }
    if blocks.is_empty() {
        blocks.push(Block::Notice("Not run.".to_owned()));
    }
    blocks
}

fn plot(
    file: String,
    (title, effort): (&str, Effort),
    axes: [&str; 2],
    series: Vec<Series>,
) -> Block {
    let seeds = crate::text::counted(effort.seeds as usize, "seed");
    let caption = format!("{title}: {} over {}", axes[1], axes[0]);
    let svg = svg_of_lines(&Lines {
        title: title.to_owned(),
        subtitle: format!("means over sets, {seeds} each"),
        axes: axes.map(str::to_owned),
        series,
        in_use: None,
    });
    Block::Plot { file, svg, caption }
}

/// The scores of one contender on one set, by the number of answers.
type Curve = BTreeMap<usize, [Option<f64>; 2]>;

/// All that was measured on a group of sets.
struct Group<'a> {
    /// The contenders, in the order of the rows.
    contenders: Vec<(&'a str, QuestionKind)>,
    /// The sets on which every contender has all its places.
    sets: Vec<&'a str>,
    curves: BTreeMap<(&'a str, &'a str), Curve>,
}

impl<'a> Group<'a> {
    fn of(lines: &'a [Line<'a>], sets: &[&str]) -> Self {
        let mut contenders = Vec::new();
        let mut curves: BTreeMap<(&str, &str), Curve> = BTreeMap::new();
        let mut open: Vec<(&str, &str)> = Vec::new();
        let mut order: Vec<&str> = Vec::new();
        for (row, measured) in lines.iter().filter(|(row, _)| sets.contains(&row.data.as_str())) {
            let run = row.trial.as_ref().and_then(|trial| trial.candidates.first());
            let Some(Run::Ask(questions)) = run.map(|candidate| &candidate.run) else { continue };
            let (method, set) = (row.method.as_str(), row.data.as_str());
            if !order.contains(&set) {
                order.push(set);
            }
            let Some(measured) = measured else {
                open.push((method, set));
                continue;
            };
            if !contenders.contains(&(method, questions.kind)) {
                contenders.push((method, questions.kind));
            }
            let scores = [Metric::Ari, Metric::AriFree]
                .map(|metric| measured.score(metric).map(|score| score.mean));
            curves.entry((method, set)).or_default().insert(questions.answers, scores);
        }
        let is_whole = |set: &&str| {
            let has = |method: &str| {
                curves.contains_key(&(method, *set)) && !open.contains(&(method, *set))
            };
            !contenders.is_empty() && contenders.iter().all(|(method, _)| has(method))
        };
        let sets = order.into_iter().filter(is_whole).collect();
        Self { contenders, sets, curves }
    }

    /// The mean over the sets that have the score.
    fn mean(&self, method: &str, answers: usize, metric: Metric) -> Option<f64> {
        let column = usize::from(metric == Metric::AriFree);
        let score = |set: &&str| self.curves.get(&(method, *set))?.get(&answers)?[column];
        let scores: Vec<f64> = self.sets.iter().filter_map(score).collect();
        (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64)
    }

    /// The numbers of answers, or reading times, that were measured with pairs.
    fn places(&self) -> Vec<usize> {
        let is_there = |&at: &usize| {
            let mut methods = self.contenders.iter();
            methods.any(|(method, _)| self.mean(method, at, Metric::Ari).is_some())
        };
        AT.into_iter().filter(is_there).collect()
    }

    /// The answers after which sets are compared: a hundred, or the most below.
    fn judged_at(&self) -> usize {
        let places = self.places();
        let fitting = places.iter().copied().filter(|&at| at as f64 <= GOALS_AT);
        fitting.max().unwrap_or(0)
    }

    fn by_answers(&self) -> Block {
        let last = self.judged_at();
        let others = format!("others at {last}");
        let others = (others, &|method: &str| self.mean(method, last, Metric::AriFree));
        self.table(Some(others), |_, at| at)
    }

    fn by_reading_time(&self) -> Block {
        let in_time = |kind, time: usize| (time as f64 / reading_time(kind)).round() as usize;
        self.table(None::<(String, &fn(&str) -> Option<f64>)>, in_time)
    }

    /// A row a contender, a column a place, and the area under the curve.
    fn table(
        &self,
        more: Option<(String, &impl Fn(&str) -> Option<f64>)>,
        answers: impl Fn(QuestionKind, usize) -> usize,
    ) -> Block {
        let places = self.places();
        let mut head = vec!["questions".to_owned()];
        head.extend(places.iter().map(ToString::to_string));
        head.push("area".to_owned());
        head.extend(more.iter().map(|(name, _)| name.clone()));
        let row = |&(method, kind): &(&str, QuestionKind)| {
            let scores: Vec<Option<f64>> = places
                .iter()
                .map(|&at| self.mean(method, answers(kind, at), Metric::Ari))
                .collect();
            let whole: Option<Vec<f64>> = scores.iter().copied().collect();
            let area = whole.map(|scores| area(&places, &scores));
            let more = more.iter().map(|(_, of)| of(method));
            let figures = scores.into_iter().chain([area]).chain(more);
            let figures = figures.map(|score| Entry::from(or_nothing(score)));
            std::iter::once(method.to_owned().into()).chain(figures).collect()
        };
        Block::Table { head, rows: self.contenders.iter().map(row).collect() }
    }

    /// The contenders that ask pairs.
    fn of_pairs(&self) -> impl Iterator<Item = &'a str> {
        let is_pair = |(_, kind): &&(&str, QuestionKind)| *kind == QuestionKind::Pair;
        self.contenders.iter().filter(is_pair).map(|(method, _)| *method)
    }

    fn score(&self, method: &str, set: &str) -> Option<f64> {
        self.curves.get(&(method, set))?.get(&self.judged_at())?[0]
    }

    fn by_set(&self) -> Block {
        let head = std::iter::once("set").chain(self.of_pairs()).map(str::to_owned).collect();
        let row = |set: &&str| {
            let scores = self.of_pairs().map(|method| or_nothing(self.score(method, set)).into());
            std::iter::once((*set).to_owned().into()).chain(scores).collect()
        };
        Block::Table { head, rows: self.sets.iter().map(row).collect() }
    }

    /// Where the default is below another strategy, and how many answers it saves.
    fn sentences(&self) -> Vec<String> {
        let auto = contender(Strategy::Auto, QuestionKind::Pair);
        let random = contender(Strategy::Random, QuestionKind::Pair);
        let others: Vec<&str> = self.of_pairs().filter(|method| *method != auto).collect();
        if others.is_empty() || !self.of_pairs().any(|method| method == auto) {
            return Vec::new();
        }
        let below = self.sets.iter().filter_map(|set| {
            let ours = self.score(&auto, set)?;
            let best =
                others.iter().filter_map(|method| self.score(method, set)).reduce(f64::max)?;
            (ours < best - TOLERANCE)
                .then(|| format!("{set} ({} against {})", figure(ours), figure(best)))
        });
        let below: Vec<String> = below.collect();
        let mut sentences = vec![if below.is_empty() {
            format!("The default is on no set more than {TOLERANCE} below the best of the others.")
        } else {
            let below = below.join(", ");
            format!("The default is more than {TOLERANCE} below the best of the others on {below}.")
        }];
        let last = self.judged_at();
        let published = others.iter().filter(|method| **method != random);
        let scored =
            published.filter_map(|method| Some((self.mean(method, last, Metric::Ari)?, *method)));
        let Some((best, name)) = scored.max_by(|a, b| a.0.total_cmp(&b.0)) else {
            return sentences;
        };
        let reached = self.reached(&auto, best);
        let after = reached.map_or(format!("more than {last}"), |n| format!("about {n:.0}"));
        sentences.push(format!(
            "Of the others {name} is the best after {last} answers ({}); the default needs {after} for that.",
            figure(best)
        ));
        sentences
    }

    /// The answers after which the mean curve reaches a score, between places by a straight line.
    fn reached(&self, method: &str, score: f64) -> Option<f64> {
        let mut before: Option<(f64, f64)> = None;
        for at in self.places() {
            let here = (at as f64, self.mean(method, at, Metric::Ari)?);
            if here.1 >= score {
                return Some(
                    before.map_or(here.0, |(n, ari)| {
                        n + (here.0 - n) * (score - ari) / (here.1 - ari)
                    }),
                );
            }
            before = Some(here);
        }
        None
    }

    fn series(&self, metric: Metric, x: impl Fn(QuestionKind, usize) -> f64) -> Vec<Series> {
        let series = |&(method, kind): &(&'a str, QuestionKind)| {
            let mut answers: Vec<usize> = self
                .sets
                .iter()
                .filter_map(|set| self.curves.get(&(method, *set)))
                .flat_map(|curve| curve.keys().copied())
                .collect();
            answers.sort_unstable();
            answers.dedup();
            let point = |at: usize| {
                let y = self.mean(method, at, metric)?;
                Some(LinePoint { x: x(kind, at), y, spread: None })
            };
            Series {
                name: method.to_owned(),
                points: answers.into_iter().filter_map(point).collect(),
                is_dashed: kind != QuestionKind::Pair,
            }
        };
        self.contenders.iter().map(series).collect()
    }
}

/// The mean height of a curve from its first place to its last.
fn area(places: &[usize], scores: &[f64]) -> f64 {
    let width = (places[places.len() - 1] - places[0]) as f64;
    if width == 0.0 {
        return scores[0];
    }
    let segment = |at: usize| {
        (places[at] - places[at - 1]) as f64 * f64::midpoint(scores[at - 1], scores[at])
    };
    (1..places.len()).map(segment).sum::<f64>() / width
}

fn or_nothing(score: Option<f64>) -> String {
    score.map_or("-".to_owned(), figure)
}
