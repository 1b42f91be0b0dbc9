//! Papers' experiments, run again, with their figures beside ours.
//!
//! A paper is a declared list: its tables and plots are [`Exhibit`]s, every [`Row`] of which names what
//! is measured on ([`Task`]), by which method with which settings, and what the paper printed. This is
//! the one mechanism for every paper; a new paper is a new file of lists (see CONTRIBUTING, "Add a
//! paper").
//!
//! | file | what it holds |
//! |---|---|
//! | `task` | [`Task`]: rows of a set, their scale, the constraints on them and the truth these follow, drawn from a seed |
//! | `folder` | sets that are read from a folder |
//! | `cells` | one run of a method on one draw, and the file that keeps every finished one |
//! | `run` | runs the cells that are not finished yet, on all cores |
//! | `measured` | the cells of a row over its seeds |
//! | `results` | all of that, for whoever shows it |
//! | `bars` | what the figures are asked to show, and whether they do |
//! | `page` | tables, plots and verdicts as one HTML page and one Markdown file |
//! | `cms`, `skms`, `sklr`, `sskk`, `mssc` | the lists of a paper each |
//! | `league` | every method on many sets: its lists and its tables |
//! | `ablation` | `auto` without each of its ingredients |
//! | `ask` | every strategy of asking on many sets: its lists, courses of questions and tables |

mod ablation;
mod ask;
mod bars;
mod cells;
mod cms;
mod folder;
mod league;
mod measured;
mod mssc;
mod page;
mod results;
mod run;
mod sklr;
mod skms;
mod sskk;
mod task;
#[cfg(test)]
mod tests;

pub(crate) use ask::blocks as asking_blocks;
pub(crate) use cells::Ledger;
pub(crate) use folder::Folder;
pub(crate) use league::tables as league_tables;
pub(crate) use measured::Metric;
pub(crate) use page::{Block, Entry, build, figure, scans, write};
pub(crate) use results::Results;
pub(crate) use run::{Order, asides, finish};

use ask::Questions;
use bars::Bar;
use ilk::method::{AnyMethod, Auto, Ingredient, Method as _};
use serde_json::json;
use task::{ConstraintProtocol, FeatureScale, Group, RowSample, Set, Task, Truth};

use crate::failure::Usage;

/// A paper's experiments.
#[derive(Debug, Clone)]
pub(crate) struct Paper {
    /// The name on the command line.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// Authors and year.
    pub(crate) authors: &'static str,
    /// How the paper measured, and how it is done here, a paragraph each.
    pub(crate) protocol: &'static [&'static str],
    pub(crate) exhibits: Vec<Exhibit>,
    /// What this project asks of the figures.
    pub(crate) bars: Vec<Bar>,
    /// What the paper has and this list has not, and why.
    pub(crate) left_out: &'static [&'static str],
    /// Seeds of a full run.
    pub(crate) seeds: u64,
    /// How many places of a curve a quick run has at most, the first ones; all where it does not say.
    pub(crate) quick_places: Option<usize>,
}

/// A table or a plot of a paper.
#[derive(Debug, Clone, Default)]
pub(crate) struct Exhibit {
    /// The name on the command line, such as `table1`.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// What a reader should know.
    pub(crate) note: &'static str,
    pub(crate) rows: Vec<Row>,
    /// The scores that are shown; bars judge the first.
    pub(crate) metrics: &'static [Metric],
    /// Whether the paper's figures are of other data, so that differences would mean nothing.
    pub(crate) is_elsewhere: bool,
    /// What to draw it over, where it is drawn: rows have their places in [`Row::at`].
    pub(crate) over: Option<&'static str>,
    /// The other axis of a map, where it is one: rows have their places on it in [`Row::up`].
    pub(crate) against: Option<&'static str>,
    /// Where the places are settings that were tried, the paper's highest scores by method: a table then
    /// tells the highest, the median and the lowest of ours, not each.
    pub(crate) scan: Option<&'static [(&'static str, f64)]>,
    /// Seeds at most, where nothing is drawn but where descents start.
    pub(crate) most_seeds: Option<u64>,
    /// What else is worked out for it.
    pub(crate) aside: Option<Aside>,
    /// Whether it is a league: every method is given the constraints that it takes, is compared with its own
    /// fit without them, and the tables are of all sets together.
    pub(crate) is_league: bool,
    /// Whether questions are asked: the tables are of all sets together.
    pub(crate) is_asking: bool,
}

/// Works out something that is no score.
pub(crate) type Aside = fn(&Folder) -> anyhow::Result<Vec<Block>>;

/// A line of a table: a method on some data.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    /// The data, as the table calls them.
    pub(crate) data: String,
    /// The method, as the table calls it.
    pub(crate) method: String,
    /// What is run; none where only the paper has a figure, or where nothing has one yet.
    pub(crate) trial: Option<Trial>,
    /// What the paper printed.
    pub(crate) printed: Option<Figures>,
    /// Where it is drawn.
    pub(crate) at: Option<f64>,
    /// Where it is drawn on the other axis of a map.
    pub(crate) up: Option<f64>,
}

/// What is run for a row.
#[derive(Debug, Clone)]
pub(crate) struct Trial {
    pub(crate) task: Task,
    /// The method; where several settings were tried and the best one printed, all of them.
    pub(crate) candidates: Vec<Candidate>,
}

/// A method with settings, or a way of asking.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    /// What tells it from the other candidates; empty where it is the only one.
    pub(crate) name: String,
    pub(crate) run: Run,
}

/// What is run on a draw.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Run {
    /// A method is fitted.
    Fit(AnyMethod),
    /// Questions are asked, and the clusters that the answers name are scored.
    Ask(Questions),
    /// A consensus is formed without one of its ingredients, or with all.
    Ablate(Option<Ingredient>),
}

/// Adjusted Rand index, normalized mutual information, and the share of rows in the right cluster, as far
/// as they were printed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Figures {
    pub(crate) ari: Option<f64>,
    pub(crate) nmi: Option<f64>,
    pub(crate) accuracy: Option<f64>,
}

impl Figures {
    pub(crate) fn ari(ari: f64) -> Self {
        Self { ari: Some(ari), ..Self::default() }
    }

    pub(crate) fn ari_and_nmi([ari, nmi]: [f64; 2]) -> Self {
        Self { nmi: Some(nmi), ..Self::ari(ari) }
    }

    pub(crate) fn accuracy(accuracy: f64) -> Self {
        Self { accuracy: Some(accuracy), ..Self::default() }
    }
}

/// What is to be done: how many seeds, and whether quickly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Effort {
    pub(crate) seeds: u64,
    pub(crate) is_quick: bool,
}

/// Rows that a quick run draws at most, and how many constraints they get at most: labelled rows a class,
/// and comparisons.
const QUICK_ROWS: usize = 250;
const QUICK_LABELLED: usize = 5;
const QUICK_COMPARISONS: usize = 100;

impl Paper {
    /// All papers.
    pub(crate) fn all() -> Vec<Self> {
        vec![
            cms::paper(),
            skms::paper(),
            sklr::paper(),
            sskk::paper(),
            mssc::paper(),
            league::paper(),
            ablation::paper(),
            ask::paper(),
        ]
    }

    /// The paper of this name.
    pub(crate) fn named(name: &str) -> Result<Self, Usage> {
        let all = Self::all();
        let known: Vec<&str> = all.iter().map(|paper| paper.name).collect();
        let known = known.join(", ");
        let found = all.into_iter().find(|paper| paper.name == name);
        found.ok_or_else(|| Usage(format!("there is no paper {name:?}; there are: {known}")))
    }

    /// The same with at most [`QUICK_ROWS`] rows a draw, few constraints, and the first places of every curve.
    pub(crate) fn quick(mut self) -> Self {
        for exhibit in &mut self.exhibits {
            for place in [|row: &Row| row.at, |row: &Row| row.up] {
                let mut places: Vec<f64> = exhibit.rows.iter().filter_map(place).collect();
                places.sort_by(f64::total_cmp);
                places.dedup();
                places.truncate(self.quick_places.unwrap_or(usize::MAX));
                let rows = &mut exhibit.rows;
                rows.retain(|row| place(row).is_none_or(|at| places.contains(&at)));
            }
        }
        let rows = self.exhibits.iter_mut().flat_map(|e| &mut e.rows);
        for trial in rows.filter_map(|row| row.trial.as_mut()) {
            let task = &mut trial.task;
            task.rows = task.rows.at_most(QUICK_ROWS);
            task.constraints = task.constraints.at_most(QUICK_LABELLED, QUICK_COMPARISONS);
        }
        self
    }

    /// The sets that must be read from a folder, sorted.
    pub(crate) fn file_sets(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = self
            .exhibits
            .iter()
            .flat_map(|exhibit| &exhibit.rows)
            .filter_map(|row| row.trial.as_ref()?.task.set.stored())
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

impl Exhibit {
    /// Its seeds, where a run has so many.
    pub(crate) fn seeds(&self, seeds: u64) -> u64 {
        seeds.min(self.most_seeds.unwrap_or(seeds))
    }

    /// The score that bars judge.
    pub(crate) fn judged(&self) -> Metric {
        self.metrics.first().copied().unwrap_or(Metric::Ari)
    }
}

impl Row {
    /// A method on some data, of which the paper printed nothing.
    pub(crate) fn new(data: &str, method: &str, trial: Trial) -> Self {
        Self { trial: Some(trial), ..Self::to_come(data, method) }
    }

    /// The place of a method that a later version has.
    pub(crate) fn to_come(data: &str, method: &str) -> Self {
        Self {
            data: data.to_owned(),
            method: method.to_owned(),
            trial: None,
            printed: None,
            at: None,
            up: None,
        }
    }

    /// The same with what the paper printed.
    pub(crate) fn printed(self, printed: Option<Figures>) -> Self {
        Self { printed, ..self }
    }

    /// The same with its place on a curve.
    pub(crate) fn at(self, at: f64) -> Self {
        Self { at: Some(at), ..self }
    }
}

impl Trial {
    /// One method with one setting.
    pub(crate) fn of(task: Task, method: AnyMethod) -> Self {
        Self::only(task, Run::Fit(method))
    }

    /// A course of questions.
    pub(crate) fn asking(task: Task, questions: Questions) -> Self {
        Self::only(task, Run::Ask(questions))
    }

    /// A consensus without an ingredient.
    pub(crate) fn ablating(task: Task, without: Option<Ingredient>) -> Self {
        Self::only(task, Run::Ablate(without))
    }

    fn only(task: Task, run: Run) -> Self {
        Self { task, candidates: vec![Candidate { name: String::new(), run }] }
    }

    /// What tells a candidate's cells from all others: a digest of data, draw and settings. None where
    /// the data are missing.
    fn settings(&self, candidate: &Candidate, folder: &Folder) -> Option<String> {
        let data = match self.task.set.stored() {
            None => None,
            Some(name) => Some(folder.set(name)?.digest.clone()),
        };
        let mut all = json!({ "task": self.task, "data": data });
        let version = match &candidate.run {
            Run::Fit(method) => {
                all["method"] = json!(method);
                method.info().version
            }
            Run::Ask(questions) => {
                all["questions"] = json!(questions);
                questions.strategy.version()
            }
            Run::Ablate(without) => {
                all["auto without"] = json!(without);
                Auto::INFO.version
            }
        };
        let goes_by_labels =
            self.task.truth != Truth::Classes || matches!(self.task.set, Set::Classes(..));
        if let (Some(name), true) = (self.task.set.stored(), goes_by_labels) {
            // The digest of the data is not of the labels.
            all["labels"] = json!(folder.set(name)?.labels);
        }
        if version > 1 {
            all["version"] = json!(version);
        }
        Some(digest(all.to_string().bytes()))
    }
}

/// 16 hexadecimal digits that stand for `bytes`: the 64-bit hash of Fowler, Noll and Vo (FNV-1a), the
/// same on every machine and in every version.
fn digest(bytes: impl Iterator<Item = u8>) -> String {
    let hash = bytes.fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
    });
    format!("{hash:016x}")
}
