//! The report of a fit that another program made, such as Python.

use anyhow::Result;
use ilk::method::AnyMethod;
use ilk::outcome::Fit;
use ilk::problem::{Constraints, Points, Problem};
use ilk_io::{Loaded, LoadedData, Recipe, Scaling, Table};

use crate::report::{self, Report};
use crate::run::Run;
use crate::{plot, run_plot};

/// Points, and what a method found in them.
#[derive(Debug)]
pub struct FittedPoints {
    /// What the points are called as a whole: a title.
    pub name: String,
    /// The points, unscaled.
    pub points: Points,
    /// Their ids.
    pub ids: Vec<String>,
    /// The names of their columns.
    pub feature_names: Vec<String>,
    /// How rows are scaled before the fit.
    pub scaling: Scaling,
    /// The constraints of the fit.
    pub constraints: Constraints,
    /// The method.
    pub method: AnyMethod,
    /// What it found.
    pub fit: Fit,
    /// How long it took.
    pub seconds: f64,
    /// How it was called, to be shown.
    pub command: String,
}

/// The report of a fit, a page that fetches nothing.
///
/// # Errors
/// Those of [`Problem::new`], and of drawing and explaining the clusters.
pub fn report(fitted: FittedPoints) -> Result<String> {
    let FittedPoints {
        name, points, ids, feature_names, scaling, constraints, method, fit, ..
    } = fitted;
    let recipe = Recipe::new(&name, method);
    let table = Table {
        path: name.into(),
        ids,
        id_column: None,
        feature_names,
        is_named: true,
        points: points.clone(),
        columns: None,
        notes: Vec::new(),
        fill: None,
        axes: None,
    };
    let problem = Problem::new(scaling.apply(&points)?, constraints)?;
    let data = LoadedData::Table { table, scaling };
    let loaded = Loaded { data, problem, summaries: Vec::new() };
    let run = Run::of_fit(recipe, loaded, fit, fitted.seconds)?;
    let plot = plot::svg(&run_plot::of(&run, &run_plot::title(&run))?.scatter());
    report::html(&Report { command: &fitted.command, run: &run, plot: &plot, before: None })
}
