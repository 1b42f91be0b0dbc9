//! What the battery runs over: every listed method, with every choice and flag of its parameters,
//! on every shape of input that it takes.

use std::fmt;

use ilk::datasets::NestedBlobs;
use ilk::method::{AnyMethod, Method, MethodInfo};
use ilk::ndarray::Array2;
use ilk::observe::{Observer, Silent};
use ilk::outcome::Fit;
use ilk::parameter::{ParameterInfo, Range};
use ilk::problem::{
    ConstraintKind, Constraints, Graph, Input, InputKind, KernelMatrix, Points, Problem,
};
use serde_json::{Value, json};

/// The parameter in which methods that need a number of clusters take it.
pub(crate) const CLUSTERS: &str = "n_clusters";

/// The parameter in which methods that run many fits take how many.
const FITS: &str = "n_fits";

/// Fits that show how such a method behaves: without constraints, and with them.
const FEW_FITS: usize = 6;

/// A method with its parameters, on one shape of input.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) info: &'static MethodInfo,
    pub(crate) input: InputKind,
    params: serde_json::Map<String, Value>,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let params = Value::Object(self.params.clone());
        write!(f, "{} {params} on {}", self.info.name, self.input)
    }
}

impl Case {
    /// The same with one parameter set.
    pub(crate) fn with(&self, name: &str, value: Value) -> Self {
        let mut case = self.clone();
        case.params.insert(name.to_owned(), value);
        case
    }

    /// The same with `k` clusters asked for, if the method needs it.
    pub(crate) fn with_clusters(&self, k: usize) -> Self {
        if self.info.takes_clusters { self.with(CLUSTERS, json!(k)) } else { self.clone() }
    }

    /// The same with few fits, if the method runs many.
    pub(crate) fn with_few_fits(&self) -> Self {
        if self.has(FITS) { self.with(FITS, json!(FEW_FITS)) } else { self.clone() }
    }

    /// Whether a value of a parameter goes with the input: one that says that the rows are those of a
    /// kernel matrix does not go with points.
    pub(crate) fn takes(&self, value: &Value) -> bool {
        !(self.input == InputKind::Points && *value == json!("precomputed"))
    }

    /// Whether the method chooses settings by trying many of them.
    pub(crate) fn chooses(&self) -> bool {
        self.has("rank") && !self.params.contains_key("rank")
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.info.parameters.iter().any(|p| p.name == name)
    }

    /// Whether it decides by held-out constraints how far it relies on them, which takes many fits.
    pub(crate) fn tries_constraints(&self) -> bool {
        !self.info.supervision.is_empty() && !self.params.contains_key("refine")
    }

    /// The same with nothing left to choose, so that what is varied is run once and not a hundred times.
    fn decided(&self) -> Self {
        let mut case = self.clone();
        if self.chooses() {
            case = case.with("rank", json!("exact")).with("sigma", json!("divergence"));
        } else if self.has("search") {
            case = case.with("sigma", json!(1.0));
        }
        if self.has("refine") {
            case = case.with("refine", json!("neighbors"));
        }
        case
    }

    pub(crate) fn method(&self) -> serde_json::Result<AnyMethod> {
        serde_json::from_value(json!({ "method": self.info.name, "params": self.params }))
    }

    pub(crate) fn problem(&self, data: &Array2<f64>, constraints: Constraints) -> Problem {
        Problem::new(shaped(self.input, data), constraints).expect("constraints about these points")
    }

    pub(crate) fn try_fit(&self, problem: &Problem, observer: &dyn Observer) -> ilk::Result<Fit> {
        let method = self.method().unwrap_or_else(|e| panic!("{self}: {e}"));
        method.fit(problem, observer)
    }

    pub(crate) fn fit(&self, data: &Array2<f64>, constraints: Constraints) -> Fit {
        let fit = self
            .try_fit(&self.problem(data, constraints), &Silent)
            .unwrap_or_else(|e| panic!("{self}: {e}"));
        assert_sound(self, &fit, data.nrows());
        fit
    }

    pub(crate) fn fit_alone(&self, data: &Array2<f64>) -> Fit {
        self.fit(data, Constraints::new(data.nrows()))
    }

    /// True constraints of every kind that the method takes.
    pub(crate) fn constraints(&self, groups: &[usize]) -> Constraints {
        let mut constraints = Constraints::new(groups.len());
        for kind in self.info.supervision {
            add_constraints(&mut constraints, *kind, groups);
        }
        constraints
    }
}

/// The default of every method on every input it takes.
pub(crate) fn defaults() -> Vec<Case> {
    AnyMethod::ALL
        .iter()
        .flat_map(|info| {
            info.inputs.iter().map(|&input| Case { info, input, params: serde_json::Map::new() })
        })
        .map(|case| case.with_clusters(3))
        .collect()
}

/// The defaults, with few fits, and the same with each choice and each flag set in turn.
pub(crate) fn variants() -> Vec<Case> {
    let defaults: Vec<Case> = defaults().iter().map(Case::with_few_fits).collect();
    let mut cases = defaults.clone();
    for case in defaults {
        let case = case.decided();
        for parameter in case.info.parameters {
            let values: Vec<Value> = match parameter.range {
                Range::Choice(words) => words.iter().map(|&word| json!(word)).collect(),
                Range::Flag => vec![json!(true), json!(false)],
                _ => Vec::new(),
            };
            let others = values
                .into_iter()
                .filter(|value| *value != as_json(parameter))
                .filter(|value| case.takes(value));
            cases.extend(others.map(|value| case.with(parameter.name, value)));
        }
    }
    cases
}

/// The default of a parameter, read from its text on the command line, as a value.
pub(crate) fn as_json(parameter: &ParameterInfo) -> Value {
    let text = parameter.default();
    let parsed = match parameter.range {
        _ if text == "none" => Some(Value::Null),
        _ if parameter.word == Some(&text) => Some(Value::from(text.as_str())),
        Range::Number { .. } => text.parse::<f64>().ok().map(Value::from),
        Range::Integer { .. } => text.parse::<u64>().ok().map(Value::from),
        Range::Flag => text.parse::<bool>().ok().map(Value::from),
        Range::Choice(_) | Range::Text(_) => Some(Value::from(text.as_str())),
    };
    parsed.unwrap_or_else(|| panic!("{text:?} is not {}", parameter.expected()))
}

/// Three round groups far apart, `per_group` points each, and the group of every point.
pub(crate) fn three_groups(per_group: usize) -> (Array2<f64>, Vec<usize>) {
    let set = NestedBlobs { subgroups: 1, per_subgroup: per_group, ..NestedBlobs::default() }
        .generate(5)
        .expect("parameters in range");
    (set.points().expect("points").clone(), set.labels)
}

/// The points in a shape: themselves, their Gaussian kernel, or the graph of that kernel.
pub(crate) fn shaped(kind: InputKind, data: &Array2<f64>) -> Input {
    let n = data.nrows();
    let kernel = Array2::from_shape_fn((n, n), |(i, j)| {
        let dist_sq: f64 = (&data.row(i) - &data.row(j)).mapv(|x| x * x).sum();
        (-0.5 * dist_sq).exp()
    });
    let shaped: ilk::Result<Input> = match kind {
        InputKind::Points => Points::new(data.clone()).map(Into::into),
        InputKind::Kernel => KernelMatrix::new(kernel).map(Into::into),
        InputKind::Graph => {
            let edges = (0..n)
                .flat_map(|j| (0..j).map(move |i| (i, j)))
                .map(|(i, j)| (i, j, kernel[[i, j]]));
            Graph::from_edges(n, edges).map(Into::into)
        }
    };
    shaped.expect("finite points")
}

/// Adds a few true constraints of one kind on points in groups; every group has at least 4 points.
pub(crate) fn add_constraints(
    constraints: &mut Constraints,
    kind: ConstraintKind,
    groups: &[usize],
) {
    let n_groups = groups.iter().max().map_or(0, |last| last + 1);
    let members: Vec<Vec<usize>> = (0..n_groups)
        .map(|group| (0..groups.len()).filter(|&i| groups[i] == group).collect())
        .collect();
    for (here, there) in (0..n_groups).map(|g| (&members[g], &members[(g + 1) % n_groups])) {
        for i in 0..3 {
            let added = match kind {
                ConstraintKind::MustLink => constraints.must_link(here[i], here[i + 1]),
                ConstraintKind::CannotLink => constraints.cannot_link(here[i], there[i]),
                ConstraintKind::OddOneOut => {
                    constraints.odd_one_out(here[i], here[i + 1], there[i])
                }
                ConstraintKind::AboutEqual => {
                    constraints.about_equal(here[0], here[1], here[i.max(2)])
                }
                ConstraintKind::Closer => constraints.closer(here[i], here[i + 1], there[i]),
                ConstraintKind::Label => {
                    constraints.label(here[i], &format!("group {}", groups[here[i]]))
                }
            };
            added.expect("points that exist");
        }
    }
}

/// What holds for every fit: labels are numbers of clusters, every cluster has points, modes are
/// finite and one a cluster, every constraint is judged once.
fn assert_sound(case: &Case, fit: &Fit, n: usize) {
    let clustering = &fit.clustering;
    assert_eq!(clustering.labels.len(), n, "{case}");
    let mut used: Vec<usize> = clustering.labels.iter().copied().flatten().collect();
    used.sort_unstable();
    used.dedup();
    let numbers: Vec<usize> = (0..clustering.n_clusters).collect();
    assert_eq!(used, numbers, "{case}");
    assert_eq!(fit.model.n_clusters(), clustering.n_clusters, "{case}");
    if let Some(modes) = &clustering.modes {
        assert_eq!(modes.nrows(), clustering.n_clusters, "{case}");
        assert!(modes.iter().all(|x| x.is_finite()), "{case}");
    }
    for report in &clustering.report.kinds {
        let mut entries = [report.kept.clone(), report.broken.clone()].concat();
        entries.sort_unstable();
        let all: Vec<usize> = (0..entries.len()).collect();
        assert_eq!(entries, all, "{case}");
    }
}
