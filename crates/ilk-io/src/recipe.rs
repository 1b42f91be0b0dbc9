//! A whole run as one value, in memory or as a JSON file.

use std::path::{Path, PathBuf};

use ilk::method::{AnyMethod, Method};
use ilk::problem::{Constraints, Input, Problem};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::constraints::{ConstraintFiles, Context, Summary};
use crate::graph::{GraphFile, GraphOptions, read_graph};
use crate::scale::{Scale, Scaling};
use crate::source::{open_text, read_to_end};
use crate::table::{Table, TableOptions, read_table};
use crate::write::write_file;
use crate::{Error, Result};

/// What to read, how to cluster it and what to write. The data are a table, or, where there is a
/// `graph` (`"graph": {}` will do), a list of edges.
///
/// ```
/// use ilk::method::Method;
///
/// let recipe: ilk_io::Recipe = serde_json::from_str(r#"{
///     "data": "flowers.csv",
///     "table": {"exclude": ["species"]},
///     "scale": "standard",
///     "constraints": {"pairs": "pairs.csv"},
///     "method": "mean-shift",
///     "params": {"kernel": "flat"},
///     "outputs": {"clusters": "clusters.csv"}
/// }"#)?;
/// assert_eq!(recipe.method.info().name, "mean-shift");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Recipe {
    /// The table, or the edges of a graph.
    pub data: PathBuf,
    /// How the edges are read; none where the data are a table.
    pub graph: Option<GraphOptions>,
    /// Which columns of a table are what.
    pub table: TableOptions,
    /// How the columns of a table are scaled.
    pub scale: Scale,
    /// Constraints on its rows or nodes.
    pub constraints: ConstraintFiles,
    /// The method and its parameters.
    pub method: AnyMethod,
    /// What is written.
    pub outputs: Outputs,
}

/// The files that a run writes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Outputs {
    /// The cluster of every point, as CSV.
    pub clusters: Option<PathBuf>,
    /// The model.
    pub model: Option<PathBuf>,
    /// A plot, as SVG.
    pub plot: Option<PathBuf>,
    /// A report, as HTML.
    pub report: Option<PathBuf>,
    /// The centres on their way, as HTML.
    pub animation: Option<PathBuf>,
    /// How many clusters there are for numbers of neighbours around the one chosen, as SVG.
    pub stability: Option<PathBuf>,
}

/// What a recipe's files hold, ready to fit.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// What the file with the data held.
    pub data: LoadedData,
    /// The scaled points, or the graph, and the constraints on them.
    pub problem: Problem,
    /// What each constraint file held.
    pub summaries: Vec<Summary>,
}

/// What a file with data held.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "a run has one of them")]
pub enum LoadedData {
    /// A point a row.
    Table {
        /// The table, in its own units.
        table: Table,
        /// How its points were scaled.
        scaling: Scaling,
    },
    /// A graph, which the problem holds.
    Graph {
        /// The id of every node.
        ids: Vec<String>,
    },
}

impl LoadedData {
    /// The id of every point.
    pub fn ids(&self) -> &[String] {
        match self {
            Self::Table { table, .. } => &table.ids,
            Self::Graph { ids } => ids,
        }
    }

    /// The table, unless it is a graph.
    pub fn table(&self) -> Option<&Table> {
        match self {
            Self::Table { table, .. } => Some(table),
            Self::Graph { .. } => None,
        }
    }

    /// How the points of a table were scaled.
    pub fn scaling(&self) -> Option<&Scaling> {
        match self {
            Self::Table { scaling, .. } => Some(scaling),
            Self::Graph { .. } => None,
        }
    }
}

impl Recipe {
    /// A recipe that clusters the table `data` by `method`, with everything else left at its default.
    pub fn new(data: impl Into<PathBuf>, method: AnyMethod) -> Self {
        Self {
            data: data.into(),
            graph: None,
            table: TableOptions::default(),
            scale: Scale::default(),
            constraints: ConstraintFiles::default(),
            method,
            outputs: Outputs::default(),
        }
    }

    /// Reads a recipe from a JSON file. Its paths are relative to the current folder.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let bytes = read_to_end(open_text(path)?, path)?;
        serde_json::from_slice(&bytes).map_err(|error| Error::BadRecipe {
            origin: path.display().to_string(),
            reason: error.to_string(),
        })
    }

    /// Writes the recipe to a JSON file.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        write_file(path, |out| {
            serde_json::to_writer_pretty(&mut *out, self)?;
            out.write_all(b"\n")
        })
    }

    /// Reads all the files it names.
    pub fn load(&self) -> Result<Loaded> {
        let (data, input) = if let Some(options) = &self.graph {
            let GraphFile { ids, graph, .. } = read_graph(&self.data, options)?;
            (LoadedData::Graph { ids }, Input::Graph(graph))
        } else {
            let table = read_table(&self.data, &self.table)?;
            let scaling = self.scale.fit(&table.points);
            let points = scaling.apply(&table.points)?;
            (LoadedData::Table { table, scaling }, Input::Points(points))
        };
        let mut constraints = Constraints::with_ids(data.ids())?;
        let context = Context { data: Some(&self.data) };
        let summaries = self.constraints.read(&mut constraints, &context)?;
        let problem = Problem::new(input, constraints)?;
        Ok(Loaded { data, problem, summaries })
    }
}

/// A recipe as it is written: the method's name and parameters side by side, all parts but the data
/// and the method optional, and unknown fields refused.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    data: PathBuf,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    graph: Option<GraphOptions>,
    #[serde(default)]
    table: TableOptions,
    #[serde(default)]
    scale: Scale,
    #[serde(default)]
    constraints: ConstraintFiles,
    method: String,
    #[serde(default)]
    params: Map<String, Value>,
    #[serde(default)]
    outputs: Outputs,
}

impl TryFrom<Written> for Recipe {
    type Error = String;

    fn try_from(written: Written) -> std::result::Result<Self, String> {
        let is_plain = written.table == TableOptions::default() && written.scale == Scale::None;
        if written.graph.is_some() && !is_plain {
            let advice =
                "`table` and `scale` are for tables; leave them out where there is a `graph`";
            return Err(advice.to_owned());
        }
        // The name is looked up first: its error lists the names there are.
        let name =
            AnyMethod::named(&written.method).map_err(|error| error.to_string())?.info().name;
        let tagged = serde_json::json!({ "method": name, "params": written.params });
        let method =
            serde_json::from_value(tagged).map_err(|error| format!("params of {name}: {error}"))?;
        Ok(Self {
            data: written.data,
            graph: written.graph,
            table: written.table,
            scale: written.scale,
            constraints: written.constraints,
            method,
            outputs: written.outputs,
        })
    }
}

impl From<Recipe> for Written {
    fn from(recipe: Recipe) -> Self {
        let params = match serde_json::to_value(&recipe.method) {
            Ok(Value::Object(mut tagged)) => tagged.remove("params"),
            _ => None,
        };
        Self {
            data: recipe.data,
            graph: recipe.graph,
            table: recipe.table,
            scale: recipe.scale,
            constraints: recipe.constraints,
            method: recipe.method.info().name.to_owned(),
            params: match params {
                Some(Value::Object(params)) => params,
                _ => Map::new(),
            },
            outputs: recipe.outputs,
        }
    }
}
