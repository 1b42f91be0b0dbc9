//! From a problem to clusters.

use std::collections::BTreeMap;

use ndarray::ArrayView2;

use super::{Levels, Search, SsKernelKMeans};
use crate::group::kernel_kmeans::{
    self as group, KernelKMeansModel, Objective, Shift, Space, weigh_dense, weigh_sparse,
};
use crate::group::multilevel::{Multilevel, Said};
use crate::group::{Grouping, Label};
use crate::method::distinct::without_copies;
use crate::method::kernel_kmeans::KernelWidth;
use crate::method::settling::Settling;
use crate::method::width::choose_width;
use crate::numerics::sparse::Sparse;
use crate::observe::{Observer, Silent};
use crate::outcome::{Chosen, Clustering, Fit, Model};
use crate::problem::{Closure, Constraints, Input, KernelMatrix, Problem};
use crate::settle::Vote;
use crate::similarity::{Gram, Kernel, KernelName, MAX_BYTES};
use crate::supervise::labels::with_labels_as_pairs;
use crate::{Error, Result};

/// Moves in a row that need help only together: what must-links join should move together, and
/// penalties make poor optima of anything else.
const CHAIN: usize = 20;

/// Nodes above which a graph is coarsened first.
const MANY: usize = 5000;

/// Finds the groups of a problem.
pub(in crate::method) fn fit(
    params: &SsKernelKMeans,
    problem: &Problem,
    observer: &dyn Observer,
) -> Result<Fit> {
    params.unsupervised().check(problem.len())?;
    params.penalty.check()?;
    let (params, chosen) = &decided(params, problem)?;
    let copies = match problem.input() {
        Input::Points(points) if params.kernel != KernelName::Precomputed => {
            without_copies(points, problem)?
        }
        _ => None,
    };
    let (grouping, model) = match copies {
        None => groups(params, problem, observer)?,
        Some((distinct, place_of)) => {
            let params = SsKernelKMeans {
                n_clusters: params.n_clusters.min(distinct.len()),
                ..params.clone()
            };
            let (mut grouping, model) = groups(&params, &distinct, observer)?;
            let labels = place_of.iter().map(|&place| grouping.labels[place]);
            grouping.labels = labels.collect();
            (grouping, model)
        }
    };
    let mut clustering = Clustering::new(grouping, problem.constraints());
    clustering.chosen.clone_from(chosen);
    Ok(Fit { clustering, model })
}

/// The parameters with the width of the kernel decided, and how it was.
fn decided(params: &SsKernelKMeans, problem: &Problem) -> Result<(SsKernelKMeans, Vec<Chosen>)> {
    let Input::Points(points) = problem.input() else {
        return Ok((params.clone(), Vec::new()));
    };
    if params.unsupervised().kernel != KernelName::Gaussian || params.sigma != KernelWidth::Auto {
        return Ok((params.clone(), Vec::new()));
    }
    let with = |sigma| SsKernelKMeans {
        sigma: KernelWidth::Fixed(sigma),
        ..params.clone()
    };
    let group = |sigma: f64, problem: &Problem| {
        let params = SsKernelKMeans {
            n_clusters: params.n_clusters.min(problem.len()),
            ..with(sigma)
        };
        Ok(groups(&params, problem, &Silent)?.0.labels)
    };
    let (sigma, chosen) = choose_width(points, problem, params.seed, group)?;
    Ok((with(sigma), vec![chosen]))
}

/// Finds the groups of a problem over points that all differ, or over anything else.
fn groups(
    params: &SsKernelKMeans,
    problem: &Problem,
    observer: &dyn Observer,
) -> Result<(Grouping, Model)> {
    let unsupervised = params.unsupervised();
    let said = with_labels_as_pairs(problem.constraints(), params.seed)?;
    let task = Task {
        params,
        said: problem.constraints(),
        closure: problem.constraints().closure(),
        penalties: params.penalty.matrix(&said, params.n_clusters),
        counts: match problem.weights() {
            Some(weights) => weights.to_vec(),
            None => vec![1.0; problem.len()],
        },
        observer,
    };
    match problem.input() {
        Input::Graph(graph) => task.of_links(graph.matrix()),
        Input::Kernel(kernel) => task.of_kernel(kernel.view()),
        Input::Points(points) if unsupervised.kernel == KernelName::Precomputed => {
            task.of_kernel(KernelMatrix::new(points.view().to_owned())?.view())
        }
        Input::Points(points) => {
            let bytes = 8 * (points.len() as u128).pow(2);
            if bytes > MAX_BYTES {
                return Err(Error::TooLarge {
                    what: "the kernel matrix",
                    bytes,
                    instead: "cluster the graph of nearest neighbours, or a sample of the points and predict the others",
                });
            }
            let kernel = match unsupervised.kernel {
                KernelName::Linear => Kernel::Linear,
                _ => unsupervised.kernel_of(points, problem)?,
            };
            let gram = Gram::new(&kernel, points, params.seed)?.full()?;
            let grouping = task.divide(Affinity::Dense(gram.view()))?;
            let voters = Settling::voters(points.len());
            let vote = Vote::new(points, &grouping.labels, voters)?;
            Ok((grouping, Model::Vote(vote)))
        }
    }
}

/// Affinities between points.
#[derive(Clone, Copy)]
enum Affinity<'a> {
    Dense(ArrayView2<'a, f64>),
    Sparse(&'a Sparse),
}

/// A fit under way.
struct Task<'a> {
    params: &'a SsKernelKMeans,
    said: &'a Constraints,
    closure: Closure,
    /// What was said, as a matrix.
    penalties: Sparse,
    /// How many points each point counts for.
    counts: Vec<f64>,
    observer: &'a dyn Observer,
}

impl Task<'_> {
    /// Clusters of a kernel matrix, and a model for rows of one.
    fn of_kernel(&self, kernel: ArrayView2<'_, f64>) -> Result<(Grouping, Model)> {
        let grouping = self.divide(Affinity::Dense(kernel))?;
        let model = self.model(&Sparse::of_dense(kernel), &grouping);
        Ok((grouping, model))
    }

    /// Clusters of a graph, and a model for links of new nodes.
    fn of_links(&self, links: &Sparse) -> Result<(Grouping, Model)> {
        let is_coarsened = match self.params.multilevel {
            Levels::Auto => links.len() > MANY,
            Levels::On => true,
            Levels::Off => false,
        };
        let mut grouping = if is_coarsened {
            self.divide_on_levels(links)?
        } else {
            self.divide(Affinity::Sparse(links))?
        };
        for (i, label) in grouping.labels.iter_mut().enumerate() {
            if links.row(i).0.is_empty() && self.penalties.row(i).0.is_empty() {
                *label = None;
            }
        }
        grouping.n_clusters = number_anew(&mut grouping.labels);
        let model = self.model(links, &grouping);
        Ok((grouping, model))
    }

    /// The clusters of a graph that is coarsened first.
    fn divide_on_levels(&self, links: &Sparse) -> Result<Grouping> {
        let Self { params, said, .. } = self;
        let objective = params.objective;
        let weighed = weigh_sparse(objective, links, &self.penalties, &self.counts, Shift::Off)?;
        let is_small = links.len() <= MANY;
        let multilevel = Multilevel {
            n_clusters: params.n_clusters,
            n_init: if is_small { params.n_init } else { 1 },
            seed: params.seed,
            ..Multilevel::default()
        };
        let component = |node: usize| {
            let component = self.closure.component_of(node);
            (self.closure.members(component).len() > 1).then_some(component)
        };
        let nodes = 0..links.len();
        let has_room = said.label_names().len() <= params.n_clusters;
        let pairs = said.cannot_links().iter();
        let known = Said {
            together: nodes.clone().map(component).collect(),
            apart: pairs.map(|pair| (pair.points[0], pair.points[1])).collect(),
            fixed: nodes
                .map(|node| said.label_of(node).filter(|_| has_room))
                .collect(),
        };
        let mut grouping =
            multilevel.fit(&weighed.matrix, &weighed.masses, &known, self.observer)?;
        for step in &mut grouping.trace {
            let value = |sum: f64| weighed.terms.of_sum(objective, -sum, params.n_clusters);
            step.objective = step.objective.map(value);
        }
        Ok(grouping)
    }

    /// The best of all descents from starts that know what was said.
    fn divide(&self, affinity: Affinity<'_>) -> Result<Grouping> {
        let Self { params, counts, .. } = self;
        let (objective, shift) = (params.objective, params.shift);
        let kmeans = group::KernelKMeans {
            n_init: match params.search {
                Search::Near => 1,
                _ => params.n_init,
            },
            ..params.unsupervised().group()
        };
        let space = match affinity {
            Affinity::Dense(matrix) => Space::Kernel(matrix),
            Affinity::Sparse(matrix) => Space::Graph(matrix),
        };
        let starts = kmeans.starts(space, Some(counts), &self.closure)?;
        let descend =
            |space: Space<'_>, masses: &[f64]| self.descended(&kmeans, space, masses, &starts);
        let penalties = &self.penalties;
        let (mut grouping, terms) = match affinity {
            Affinity::Dense(matrix) => {
                let weighed = weigh_dense(objective, matrix, penalties, counts, shift)?;
                let space = Space::Kernel(weighed.matrix.view());
                (descend(space, &weighed.masses)?, weighed.terms)
            }
            Affinity::Sparse(matrix) => {
                let weighed = weigh_sparse(objective, matrix, penalties, counts, shift)?;
                let space = Space::Graph(&weighed.matrix);
                (descend(space, &weighed.masses)?, weighed.terms)
            }
        };
        let clusters = grouping.n_clusters;
        for step in &mut grouping.trace {
            step.objective = step
                .objective
                .map(|sum| terms.value(objective, sum, clusters));
        }
        Ok(grouping)
    }

    /// What comes of the starts.
    fn descended(
        &self,
        kmeans: &group::KernelKMeans,
        space: Space<'_>,
        masses: &[f64],
        starts: &[Vec<Label>],
    ) -> Result<Grouping> {
        let near = group::KernelKMeans {
            local_search: false,
            ..kmeans.clone()
        };
        let thorough = group::KernelKMeans {
            chain: CHAIN,
            ..kmeans.clone()
        };
        let all = |kmeans: &group::KernelKMeans| {
            let found = kmeans.fit_from_each(space, Some(masses), starts, self.observer)?;
            Ok::<_, Error>(found.0)
        };
        match self.params.search {
            Search::Near => return all(&near),
            Search::Thorough => return all(&thorough),
            Search::Auto if self.penalties.n_entries() == 0 => return all(&thorough),
            Search::Auto => {}
        }
        let mut best: Option<(f64, Grouping)> = None;
        for start in starts {
            for kmeans in [&near, &thorough] {
                let (found, _) = kmeans.fit_from(space, Some(masses), start, self.observer)?;
                let broken = self.broken(&found.labels);
                let objective =
                    |grouping: &Grouping| grouping.trace.last().and_then(|s| s.objective);
                let is_better = best.as_ref().is_none_or(|(least, before)| {
                    broken < *least || broken == *least && objective(&found) < objective(before)
                });
                if is_better {
                    best = Some((broken, found));
                }
            }
        }
        // There is at least one start.
        best.map_or_else(|| all(&near), |(_, grouping)| Ok(grouping))
    }

    /// The worth of the answers that labels break.
    fn broken(&self, labels: &[Label]) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.penalties.len() {
            for (j, worth) in self.penalties.entries(i).filter(|&(j, _)| j > i) {
                if (worth > 0.0) != (labels[i] == labels[j]) {
                    sum += worth.abs();
                }
            }
        }
        sum
    }

    /// The means of the clusters without what was said, by which new rows of affinities are placed.
    fn model(&self, affinity: &Sparse, grouping: &Grouping) -> Model {
        Model::KernelKMeans(KernelKMeansModel::of_links(
            affinity,
            &self.counts,
            &grouping.labels,
            grouping.n_clusters,
            self.params.objective == Objective::NormalizedCut,
        ))
    }
}

/// Numbers clusters in the order of their first points, and returns how many there are.
fn number_anew(labels: &mut [Label]) -> usize {
    let mut numbers = BTreeMap::new();
    for label in labels.iter_mut().flatten() {
        let next = numbers.len();
        *label = *numbers.entry(*label).or_insert(next);
    }
    numbers.len()
}
