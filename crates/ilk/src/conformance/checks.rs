//! The checks, each a function from a method to what is wrong with it.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use ndarray::Axis;

use super::Claim;
use super::data::{N, add_constraints, group_of, points, problem, shaped};
use crate::observe::{Event, Silent};
use crate::outcome::{Clustering, Fit};
use crate::problem::{ConstraintKind, Constraints, Input, InputKind, Points, Problem};
use crate::{Error, Result, group::Label, method::Method};

/// What is wrong, in words.
pub(super) struct Wrong(pub(super) String);

impl From<Error> for Wrong {
    fn from(error: Error) -> Self {
        Self(format!("an error: {error}"))
    }
}

type Verdict<T = ()> = std::result::Result<T, Wrong>;

/// Fails with the words of `found` unless the claim holds.
fn ensure(holds: bool, found: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(Wrong(found())) }
}

/// A check: what is wrong with a method.
pub(super) type CheckFunction = fn(&dyn Method) -> Verdict;

/// All of them.
pub(super) const ALL: &[(Claim, CheckFunction)] = &[
    (Claim::Sound, sound),
    (Claim::Groups, groups),
    (Claim::Repeats, repeats),
    (Claim::Order, order),
    (Claim::Duplicates, duplicates),
    (Claim::Degenerate, degenerate),
    (Claim::Cancel, cancel),
    (Claim::Refuses, refuses),
    (Claim::Weights, weights),
    (Claim::Predict, predict),
];

/// The problem without constraints, and with all that the method takes, on every input that it takes.
fn problems(method: &dyn Method) -> Result<Vec<Problem>> {
    let info = method.info();
    let each = info.inputs.iter();
    each.flat_map(|&input| [problem(input, &[]), problem(input, info.supervision)]).collect()
}

/// Where it happened.
fn on(problem: &Problem) -> String {
    let kinds = ConstraintKind::ALL.map(|kind| problem.constraints().count(kind));
    let constraints = kinds.iter().sum::<usize>();
    format!("on {}, {constraints} constraints", problem.input().kind())
}

fn fit(method: &dyn Method, problem: &Problem) -> Verdict<Fit> {
    let fit = method.fit(problem, &Silent);
    fit.map_err(|error| Wrong(format!("{}: an error: {error}", on(problem))))
}

fn cluster(method: &dyn Method, problem: &Problem) -> Verdict<Clustering> {
    fit(method, problem).map(|fit| fit.clustering)
}

fn sound(method: &dyn Method) -> Verdict {
    for problem in problems(method)? {
        let Fit { clustering, model } = fit(method, &problem)?;
        let (on, n) = (on(&problem), clustering.n_clusters);
        let mut used: Vec<usize> = clustering.labels.iter().copied().flatten().collect();
        used.sort_unstable();
        used.dedup();
        ensure(clustering.labels.len() == problem.len(), || {
            format!("{on}: {} labels", clustering.labels.len())
        })?;
        ensure(used.iter().copied().eq(0..n), || format!("{on}: labels {used:?} in {n} clusters"))?;
        ensure(model.n_clusters() == n, || {
            let in_model = model.n_clusters();
            format!("{on}: {in_model} clusters in the model, {n} found")
        })?;
        let modes = clustering.modes.as_ref();
        ensure(
            modes.is_none_or(|modes| modes.nrows() == n && modes.iter().all(|x| x.is_finite())),
            || format!("{on}: modes that are not one finite row a cluster"),
        )?;
        for report in &clustering.report.kinds {
            let mut entries = [report.kept.clone(), report.broken.clone()].concat();
            entries.sort_unstable();
            ensure(entries.iter().copied().eq(0..entries.len()), || {
                format!("{on}: constraints not judged once each: {entries:?}")
            })?;
        }
    }
    Ok(())
}

/// Whether two labellings are the same partition.
fn is_same_partition(a: &[Label], b: &[Label]) -> bool {
    let mut forth = BTreeMap::new();
    let mut back = BTreeMap::new();
    let mut pairs = a.iter().zip(b);
    a.len() == b.len()
        && pairs.all(|(a, b)| forth.entry(a).or_insert(b) == &b && back.entry(b).or_insert(a) == &a)
}

/// Whether no cluster holds points of two groups.
fn is_within(labels: &[Label], groups: &[Label]) -> bool {
    let mut group_of = BTreeMap::new();
    let mut pairs = labels.iter().zip(groups).filter(|pair| pair.0.is_some());
    pairs.all(|(label, group)| group_of.entry(label).or_insert(group) == &group)
}

fn groups(method: &dyn Method) -> Verdict {
    let truth: Vec<Label> = (0..N).map(|i| Some(group_of(i))).collect();
    let mut problems = problems(method)?;
    problems.retain(|problem| problem.input().kind() == InputKind::Points);
    for problem in problems {
        let found = cluster(method, &problem)?;
        let holds = if problem.constraints().is_empty() {
            is_same_partition(&found.labels, &truth)
        } else {
            is_within(&found.labels, &truth)
        };
        ensure(holds, || format!("{}: {} other clusters", on(&problem), found.n_clusters))?;
    }
    Ok(())
}

fn repeats(method: &dyn Method) -> Verdict {
    for problem in problems(method)? {
        let run = |threads: usize| -> Verdict<Vec<Label>> {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.map_err(|error| Wrong(error.to_string()))?;
            pool.install(|| Ok(cluster(method, &problem)?.labels))
        };
        let one = run(1)?;
        ensure(one == run(1)? && one == run(4)?, || {
            format!("{}: other labels the next time", on(&problem))
        })?;
    }
    Ok(())
}

fn order(method: &dyn Method) -> Verdict {
    // 37 and N have no common divisor.
    let order: Vec<usize> = (0..N).map(|i| 37 * i % N).collect();
    for &input in method.info().inputs {
        let found = cluster(method, &problem(input, &[])?)?.labels;
        let expected: Vec<Label> = order.iter().map(|&i| found[i]).collect();
        let permuted = shaped(input, &points(N).select(Axis(0), &order))?;
        let permuted = cluster(method, &Problem::unsupervised(permuted))?;
        ensure(is_same_partition(&permuted.labels, &expected), || {
            format!("on {input}: another partition of permuted points")
        })?;
    }
    Ok(())
}

fn duplicates(method: &dyn Method) -> Verdict {
    let info = method.info();
    for &input in info.inputs {
        let once = problem(input, info.supervision)?;
        let mut constraints = once.constraints().clone();
        for &kind in info.supervision {
            add_constraints(&mut constraints, kind)?;
        }
        let twice = once.with_constraints(constraints)?;
        let same = cluster(method, &once)?.labels == cluster(method, &twice)?.labels;
        ensure(same, || format!("on {input}: constraints stated twice change labels"))?;
    }
    if info.inputs.contains(&InputKind::Points) {
        let twice: Vec<usize> = (0..N).chain(0..N).collect();
        let copies = Points::new(points(N).select(Axis(0), &twice))?;
        let labels = cluster(method, &Problem::unsupervised(copies))?.labels;
        let same = labels[..N] == labels[N..];
        ensure(same, || "equal points in different clusters".to_owned())?;
    }
    Ok(())
}

/// Errors are results here; panics are caught by the caller.
fn degenerate(method: &dyn Method) -> Verdict {
    let info = method.info();
    for &input in info.inputs {
        let equal = points(N).select(Axis(0), &[0; 20]);
        for few in [points(1), points(2), points(3), equal] {
            let few = Problem::unsupervised(shaped(input, &few)?);
            let _ = method.fit(&few, &Silent);
        }
        let pairs = [ConstraintKind::MustLink, ConstraintKind::CannotLink];
        if pairs.iter().all(|kind| info.supervision.contains(kind)) {
            let mut constraints = Constraints::new(N);
            constraints.must_link(0, 3)?.cannot_link(0, 3)?;
            let problem = problem(input, &[])?.with_constraints(constraints)?;
            let fit = method.fit(&problem, &Silent);
            ensure(fit.map_or(N, |fit| fit.clustering.labels.len()) == N, || {
                "a contradiction loses labels".to_owned()
            })?;
        }
    }
    Ok(())
}

fn cancel(method: &dyn Method) -> Verdict {
    for problem in problems(method)? {
        let stop = |_: &Event| ControlFlow::Break(());
        match method.fit(&problem, &stop) {
            Err(Error::Cancelled { .. }) => {}
            Ok(_) => return Err(Wrong(format!("{}: it ran to its end", on(&problem)))),
            Err(other) => {
                let on = on(&problem);
                return Err(Wrong(format!("{on}: an error: {other}")));
            }
        }
    }
    Ok(())
}

fn refuses(method: &dyn Method) -> Verdict {
    let info = method.info();
    let refused = |problem: &Problem, what: &str| match method.fit(problem, &Silent) {
        Err(Error::Unsupported { .. }) => Ok(()),
        Ok(_) => Err(Wrong(format!("{what} was accepted, but is not declared"))),
        Err(other) => Err(Wrong(format!("{what}: an error: {other}"))),
    };
    for input in [InputKind::Points, InputKind::Kernel, InputKind::Graph] {
        let plain = problem(input, &[])?;
        if !info.inputs.contains(&input) {
            refused(&plain, &input.to_string())?;
            continue;
        }
        for kind in ConstraintKind::ALL {
            if !info.supervision.contains(&kind) {
                refused(&problem(input, &[kind])?, &kind.to_string())?;
            }
        }
        if !info.supports_weights.contains(&input) {
            let weighted = plain.with_weights(vec![1.0; N])?;
            refused(&weighted, &format!("weights of points on {input}"))?;
        }
    }
    Ok(())
}

fn weights(method: &dyn Method) -> Verdict {
    for &input in method.info().supports_weights {
        let plain = problem(input, &[])?;
        let alone = cluster(method, &plain)?.labels;
        let weighted = cluster(method, &plain.with_weights(vec![2.0; N])?)?.labels;
        ensure(is_same_partition(&alone, &weighted), || {
            format!("on {input}: equal weights change the partition")
        })?;
    }
    Ok(())
}

fn predict(method: &dyn Method) -> Verdict {
    for problem in problems(method)? {
        let found = fit(method, &problem)?;
        let input = problem.input().kind();
        // After a kernel matrix or a graph a new point is the row of its values with all training points.
        let rows = match problem.input() {
            Input::Points(points) => points.view().to_owned(),
            Input::Kernel(kernel) => kernel.view().to_owned(),
            Input::Graph(graph) => graph.matrix().to_dense(),
        };
        let predicted = found.model.predict(&Points::new(rows)?);
        let on = on(&problem);
        let wrong = match (method.info().predicts.contains(&input), predicted) {
            (true, Ok(labels)) if labels == found.clustering.labels => continue,
            (false, Err(Error::Unsupported { .. })) => continue,
            (true, Ok(_)) => "training points are assigned elsewhere".to_owned(),
            (false, Ok(_)) => "it predicts, but does not declare it".to_owned(),
            (_, Err(error)) => format!("an error: {error}"),
        };
        return Err(Wrong(format!("{on}: {wrong}")));
    }
    Ok(())
}
