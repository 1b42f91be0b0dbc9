//! The question whose answer is expected to decide most points.

use std::collections::HashSet;
use std::sync::Arc;

use ndarray::{Array1, Array2};

use super::belief::{Belief, NOISE};
use super::question::{Question, QuestionKind};
use super::questioner::{Questioner, RankedQuestion};
use super::random::{GROUP, Random};
use super::state::{AskState, is_entailed};
use crate::Result;
use crate::observe::Observer;
use crate::problem::Closure;

/// Units that are looked at closely.
const SHORTLIST: usize = 100;

/// Clusters of a unit that a triplet compares it with; other questions are about the likeliest alone.
const OF_TRIPLET: usize = 2;

/// A change of the field below this is none.
const LEAST_CHANGE: f64 = 1e-3;

/// How sure a cluster must be one of its own for nothing to be asked about that.
const SURE: f64 = 0.999;

/// The question whose answer is expected to decide most points: the default.
///
/// Answers name clusters: points that are known to belong together, one set a cluster. Of every other point a Gaussian
/// field on the graph of neighbours (Zhu, Lafferty and Ghahramani 2003) gives the probability f_c that it belongs to
/// cluster c, and what is left of 1 that it belongs to none that is named. The answer to "does x belong to c?" changes
/// the probabilities q of x to q', and the field follows it at every point z:
///
/// ```text
/// f'_c(z) = f_c(z) + K~_zx / (K~_xx + σ²) (q'_c - f_c(x))
/// ```
///
/// with K~ the covariance that is left after what is known. The value of the question is the expected fall of
/// the number of points in a wrong cluster,
///
/// ```text
/// Σ_answers p(answer) Σ_z (max_c f'_c(z) - max_c f_c(z)),
/// ```
///
/// so a question counts for what depends on it: an unsure point among many unsure ones, or a cluster that may be
/// another. Point x is compared with the member of c that is most like it. Both answers are computed in closed form for the
/// hundred points of most influence times uncertainty, and for all clusters. A triplet compares a point with
/// the two likeliest clusters, a group one member of a cluster with those that are likeliest in it.
///
/// Above 800 different points the units are super-instances, 500 of them, so a question takes milliseconds
/// whatever the number of points. When all of them are placed, questions are random.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExpectedChange {
    /// What kind of questions.
    pub kind: QuestionKind,
}

impl Questioner for ExpectedChange {
    fn questions(
        &self,
        state: &AskState,
        n: usize,
        observer: &dyn Observer,
    ) -> Result<Vec<RankedQuestion>> {
        let key = (self.kind, state.answered().to_vec());
        let ranked = state.memo().ranked.get(key, || Ok(Arc::new(self.ranked(state)?)))?;
        if ranked.is_empty() {
            return Random { kind: self.kind }.questions(state, n, observer);
        }
        Ok(ranked.iter().take(n).cloned().collect())
    }
}

impl ExpectedChange {
    /// All questions, the best first.
    fn ranked(self, state: &AskState) -> Result<Vec<RankedQuestion>> {
        let belief = state.belief()?;
        let news = News { closure: state.pairs().closure(), asked: state.asked() };
        let likeliest = if self.kind == QuestionKind::Triplet { OF_TRIPLET } else { 1 };
        let means = belief.mean.t().as_standard_layout().into_owned();
        let comparisons: Vec<Comparison> = nodes(&belief)
            .iter()
            .flat_map(|node| node.comparisons(&belief, &means, likeliest))
            .collect();
        let mut ranked = match self.kind {
            QuestionKind::Pair => pairs_of(&belief, &news, comparisons),
            QuestionKind::Triplet => triplets_of(&belief, &news, &comparisons),
            QuestionKind::Group => groups_of(&belief, &news, &comparisons),
            QuestionKind::Label => labels_of(&belief, &news, &comparisons),
        };
        ranked
            .sort_by(|a, b| b.value.total_cmp(&a.value).then_with(|| a.question.cmp(&b.question)));
        ranked.dedup_by(|a, b| a.question == b.question);
        Ok(ranked)
    }
}

/// Which questions are new.
struct News<'a> {
    closure: Closure,
    asked: HashSet<&'a Question>,
}

impl News<'_> {
    fn admits(&self, question: &Question) -> bool {
        !self.asked.contains(question) && !is_entailed(question, &self.closure)
    }
}

/// A unit, a cluster that it may be in, and what it is worth to know.
struct Comparison {
    unit: usize,
    cluster: usize,
    value: f64,
}

/// One pair a comparison, and one comparison a unit, so that a batch is about different things.
fn pairs_of(belief: &Belief, news: &News<'_>, mut all: Vec<Comparison>) -> Vec<RankedQuestion> {
    all.sort_by(|a, b| b.value.total_cmp(&a.value));
    let mut seen = HashSet::new();
    let mut ranked = Vec::new();
    for comparison in all {
        if seen.contains(&comparison.unit) {
            continue;
        }
        if let Some(question) = pair(belief, news, &comparison) {
            seen.insert(comparison.unit);
            ranked.push(RankedQuestion { question, value: comparison.value });
        }
    }
    ranked
}

/// A unit beside the member of a cluster that is most like it, of those that are not asked yet.
fn pair(belief: &Belief, news: &News<'_>, comparison: &Comparison) -> Option<Question> {
    let points = &belief.space.representatives;
    let members = belief.comparisons(comparison.unit, comparison.cluster);
    let mut questions =
        members.iter().map(|&member| Question::pair(points[comparison.unit], points[member]));
    questions.find(|question| news.admits(question))
}

/// A unit between its two likeliest clusters; with one cluster, beside another unit that may be in it.
fn triplets_of(belief: &Belief, news: &News<'_>, all: &[Comparison]) -> Vec<RankedQuestion> {
    let points = &belief.space.representatives;
    let mut ranked = Vec::new();
    for of_unit in all.chunk_by(|a, b| a.unit == b.unit) {
        let unit = of_unit[0].unit;
        let value = of_unit.iter().map(|comparison| comparison.value).sum();
        let member = |cluster: usize| belief.comparisons(unit, cluster)[0];
        let first = points[member(of_unit[0].cluster)];
        let second = if let Some(second) = of_unit.get(1) {
            points[member(second.cluster)]
        } else {
            let is_third = |other: &&Comparison| other.unit != unit && points[other.unit] != first;
            let Some(third) = all.iter().find(is_third) else { continue };
            points[third.unit]
        };
        let question = Question::triplet(points[unit], first, second);
        if news.admits(&question) {
            ranked.push(RankedQuestion { question, value });
        }
    }
    ranked
}

/// A member of each cluster beside the units that are likeliest in it and worth most.
fn groups_of(belief: &Belief, news: &News<'_>, all: &[Comparison]) -> Vec<RankedQuestion> {
    let points = &belief.space.representatives;
    let mut ranked = Vec::new();
    for position in 0..belief.clusters.len() {
        let anchor = belief.hub(position);
        let mut members: Vec<&Comparison> = all
            .iter()
            .filter(|comparison| comparison.cluster == position && comparison.unit != anchor)
            .collect();
        members.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.unit.cmp(&b.unit)));
        members.truncate(GROUP);
        let value = members.iter().map(|comparison| comparison.value).sum();
        let others: Vec<usize> = members.iter().map(|comparison| points[comparison.unit]).collect();
        let question = Question::group(points[anchor], others);
        if !members.is_empty() && news.admits(&question) {
            ranked.push(RankedQuestion { question, value });
        }
    }
    ranked
}

/// What the units are.
fn labels_of(belief: &Belief, news: &News<'_>, all: &[Comparison]) -> Vec<RankedQuestion> {
    let points = &belief.space.representatives;
    let of_unit = |of_unit: &[Comparison]| RankedQuestion {
        question: Question::Label { point: points[of_unit[0].unit] },
        value: of_unit.iter().map(|comparison| comparison.value).sum(),
    };
    let ranked = all.chunk_by(|a, b| a.unit == b.unit).map(of_unit);
    ranked.filter(|ranked| news.admits(&ranked.question)).collect()
}

/// A unit, or a cluster that may be another, that questions may place.
struct Node {
    unit: usize,
    /// The probabilities of the clusters, and in the last place of none of them.
    probability: Vec<f64>,
    /// The probabilities that the field follows from.
    mean: Vec<f64>,
    /// How far the field follows at every unit.
    influence: Array1<f64>,
    /// The position of its own cluster, where it has one.
    own: Option<usize>,
}

/// The clusters that may be another, and the units of most uncertainty times influence.
fn nodes(belief: &Belief) -> Vec<Node> {
    let space = &belief.space;
    let k = belief.clusters.len();
    let mut nodes = Vec::new();
    for (position, cluster) in belief.clusters.iter().enumerate() {
        let own = cluster.identity[position];
        if own > SURE {
            continue;
        }
        let unit = belief.hub(position);
        let probability = belief.probability(unit);
        let influence = &belief.mean.row(position) / own;
        let mean = probability[..k].to_vec();
        nodes.push(Node { unit, probability, mean, influence, own: Some(position) });
    }
    let uncertainty = |unit: usize| {
        1.0 - belief.mean.column(unit).iter().fold(0.0f64, |most, &mean| most.max(mean))
    };
    let mut open: Vec<(usize, f64)> = (0..space.len())
        .filter(|&unit| belief.cluster_of[unit].is_none())
        .map(|unit| {
            let left = belief.variance[unit] / space.covariance[[unit, unit]];
            (unit, uncertainty(unit) * space.influence[unit] * left)
        })
        .collect();
    open.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    open.truncate(SHORTLIST);
    let open: Vec<usize> = open.into_iter().map(|(unit, _)| unit).collect();
    for (&unit, row) in open.iter().zip(belief.covariances(&open).rows()) {
        nodes.push(Node {
            unit,
            probability: belief.probability(unit),
            mean: belief.mean.column(unit).to_vec(),
            influence: &row / (belief.variance[unit] + NOISE),
            own: None,
        });
    }
    nodes
}

impl Node {
    /// The likeliest clusters, the likeliest first. `means` has a row for every unit.
    fn comparisons(
        &self,
        belief: &Belief,
        means: &Array2<f64>,
        likeliest: usize,
    ) -> Vec<Comparison> {
        let is_open =
            |&cluster: &usize| Some(cluster) != self.own && !belief.is_excluded(self.unit, cluster);
        let mut order: Vec<usize> = (0..belief.clusters.len()).filter(is_open).collect();
        let chance = |cluster: usize| self.probability[cluster];
        order.sort_by(|&a, &b| chance(b).total_cmp(&chance(a)).then(a.cmp(&b)));
        order.truncate(likeliest);
        let comparison = |cluster: usize| Comparison {
            unit: self.unit,
            cluster,
            value: self.value(belief, means, cluster),
        };
        order.into_iter().map(comparison).collect()
    }

    /// How far the expected number of points in a wrong cluster falls when it is known whether this is in a cluster.
    fn value(&self, belief: &Belief, means: &Array2<f64>, cluster: usize) -> f64 {
        let k = belief.clusters.len();
        let chance = self.probability[cluster];
        let rest: f64 = (0..=k).filter(|&c| c != cluster).map(|c| self.probability[c]).sum();
        let same = |c: usize| if c == cluster { 1.0 } else { 0.0 };
        let different =
            |c: usize| if c == cluster { 0.0 } else { self.probability[c] / rest.max(1e-12) };
        let mut fall = 0.0;
        for (z, &follows) in self.influence.iter().enumerate() {
            if follows.abs() < LEAST_CHANGE {
                continue;
            }
            // A unit that is in no named cluster may found one.
            let founded = if self.own.is_none() { follows * different(k) } else { 0.0 };
            let (mut now, mut if_same, mut if_different) = (0.0f64, 0.0f64, founded);
            for (c, &mean) in means.row(z).iter().enumerate() {
                now = now.max(mean);
                if_same = if_same.max(mean + follows * (same(c) - self.mean[c]));
                if_different = if_different.max(mean + follows * (different(c) - self.mean[c]));
            }
            let after = chance * if_same.min(1.0) + (1.0 - chance) * if_different.min(1.0);
            fall += belief.space.sizes[z] * (after - now.min(1.0));
        }
        fall
    }
}
