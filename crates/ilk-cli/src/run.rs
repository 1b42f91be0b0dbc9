//! A whole run: read, look for contradictions, fit, score.

use std::time::Instant;

use anyhow::Result;
use ilk::evaluate::Scores;
use ilk::group::{Label, StopReason};
use ilk::method::Method as _;
use ilk::outcome::{Clustering, Fit};
use ilk::problem::{ConstraintKind, Constraints};
use ilk_io::{Loaded, Recipe};

use crate::graph_summary::GraphSummary;
use crate::progress::Progress;
use crate::terminal::Terminal;
use crate::text::{counted, number};

/// A finished run, with all that a summary, a plot or a report says about it.
#[derive(Debug)]
pub(crate) struct Run {
    /// What was asked.
    pub(crate) recipe: Recipe,
    /// The data.
    pub(crate) loaded: Loaded,
    /// The groups and the model.
    pub(crate) fit: Fit,
    /// The first few contradictions between constraints, each with its proof.
    pub(crate) contradictions: Vec<String>,
    /// How many there are in all.
    pub(crate) n_contradictions: usize,
    /// How the groups compare with the truth, where that was given.
    pub(crate) truth: Option<TruthScores>,
    /// How long the fit took.
    pub(crate) seconds: f64,
    /// The graph as a whole, where the data are one.
    pub(crate) graph_summary: Option<GraphSummary>,
}

/// Scores against a truth.
#[derive(Debug)]
pub(crate) struct TruthScores {
    /// The file or column it came from.
    pub(crate) name: String,
    /// The scores, over all points whose truth is known.
    pub(crate) scores: Scores,
    /// The true group of every point, by the number of its name; the last is of those not known.
    pub(crate) groups: Vec<usize>,
    pub(crate) names: Vec<String>,
}

/// Contradictions that are listed; the rest are counted.
const LISTED: usize = 5;

impl Run {
    /// Fits what `recipe` loaded, and scores it by `truth`, a labelling of the same ids.
    pub(crate) fn new(
        recipe: Recipe,
        loaded: Loaded,
        truth: Option<(String, Vec<Option<String>>)>,
        terminal: &Terminal,
    ) -> Result<Self> {
        let start = Instant::now();
        let fit = {
            let progress = Progress::new(terminal).keeping_best();
            recipe.method.fit(&loaded.problem, &progress)?
        };
        let mut run = Self::of_fit(recipe, loaded, fit, start.elapsed().as_secs_f64())?;
        if let Some((name, truth)) = truth {
            run.score_by(name, &truth)?;
        }
        Ok(run)
    }

    /// Scores the groups by a labelling of the same ids.
    pub(crate) fn score_by(&mut self, name: String, truth: &[Option<String>]) -> Result<()> {
        let (groups, names) = numbered(truth);
        let scores = score(truth, self.labels())?;
        self.truth = Some(TruthScores { name, scores, groups, names });
        Ok(())
    }

    /// A run whose fit has been made, without a truth.
    pub(crate) fn of_fit(recipe: Recipe, loaded: Loaded, fit: Fit, seconds: f64) -> Result<Self> {
        let (contradictions, n_contradictions) =
            contradictions(loaded.problem.constraints(), &recipe)?;
        let graph_summary = GraphSummary::of(loaded.problem.input());
        Ok(Self {
            recipe,
            loaded,
            fit,
            contradictions,
            n_contradictions,
            truth: None,
            seconds,
            graph_summary,
        })
    }

    /// The id of every point.
    pub(crate) fn ids(&self) -> &[String] {
        self.loaded.data.ids()
    }

    /// What a point is called.
    pub(crate) fn noun(&self) -> &'static str {
        match self.graph_summary {
            Some(_) => "node",
            None => "point",
        }
    }

    /// The constraints of the run.
    pub(crate) fn constraints(&self) -> &Constraints {
        self.loaded.problem.constraints()
    }

    /// The cluster of every point.
    pub(crate) fn labels(&self) -> &[Label] {
        &self.fit.clustering.labels
    }

    /// The size of every cluster, in the order of their numbers.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.fit.clustering.n_clusters];
        for cluster in self.labels().iter().flatten() {
            sizes[*cluster] += 1;
        }
        sizes
    }

    /// The bandwidth that was used, or from where to where it went.
    pub(crate) fn bandwidth(&self) -> Option<String> {
        let found = &self.fit.clustering;
        let first = found.trace.first().and_then(|step| step.bandwidth);
        let last = found.trace.last().and_then(|step| step.bandwidth);
        match (first, last) {
            (Some(first), Some(last)) if first != last => {
                Some(format!("{} to {}", number(first), number(last)))
            }
            _ => found.bandwidth.map(number),
        }
    }

    /// Points in no cluster.
    pub(crate) fn n_noise(&self) -> usize {
        self.labels().iter().filter(|label| label.is_none()).count()
    }

    /// Sentences for the broken constraints of a kind.
    pub(crate) fn broken(&self, kind: ConstraintKind) -> impl Iterator<Item = String> + '_ {
        let report = self.fit.clustering.report.kind(kind);
        let entries = report.map_or(&[][..], |report| &report.broken);
        entries.iter().filter_map(move |&entry| self.constraints().describe(kind, entry))
    }
}

/// How a fit ended: `converged after 12 iterations`; how many members a consensus has.
pub(crate) fn ended(found: &Clustering) -> String {
    if !found.leaderboard.is_empty() {
        return format!("a consensus of {}", counted(found.leaderboard.len(), "member"));
    }
    let iterations = counted(found.iterations, "iteration");
    match found.stop {
        StopReason::FixedCount => format!("did the {iterations} asked for"),
        stop => format!("{stop} after {iterations}"),
    }
}

fn contradictions(constraints: &Constraints, recipe: &Recipe) -> Result<(Vec<String>, usize)> {
    if constraints.is_empty() {
        return Ok((Vec::new(), 0));
    }
    let check = constraints.check();
    let listed = recipe.constraints.contradictions(constraints, &check, LISTED)?;
    Ok((listed, check.n_contradictions()))
}

/// The group of every point as the number of its name, and the names, sorted; those not known last.
pub(crate) fn numbered(truth: &[Option<String>]) -> (Vec<usize>, Vec<String>) {
    let mut names: Vec<String> = truth.iter().flatten().cloned().collect();
    names.sort_unstable();
    names.dedup();
    let number = |name: &Option<String>| match name {
        Some(name) => names.partition_point(|other| other < name),
        None => names.len(),
    };
    let groups = truth.iter().map(number).collect();
    names.push("not known".to_owned());
    (groups, names)
}

/// Scores of the points whose truth is known.
pub(crate) fn score<T: Clone + Eq + std::hash::Hash>(
    truth: &[Option<T>],
    found: &[Label],
) -> ilk::Result<Scores> {
    let (truth, found): (Vec<T>, Vec<Label>) =
        truth.iter().zip(found).filter_map(|(truth, &found)| Some((truth.clone()?, found))).unzip();
    Scores::new(&truth, &found)
}
