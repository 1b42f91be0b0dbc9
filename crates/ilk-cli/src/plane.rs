//! From the data to the plane: which two coordinates plots show.

use anyhow::{Result, bail};
use ilk::group::Label;
use ilk::ndarray::{ArrayView1, ArrayView2, Axis};
use ilk::numerics::linalg::{PrincipalAxes, principal_axes};
use ilk::problem::{Input, Points};
use ilk_io::{Loaded, LoadedData, Scaling};

use crate::layout;

/// The plane in which a run is drawn: two columns as they are, one column against the rows, more by
/// the two directions in which the (scaled) points spread most; a graph by forces between its nodes.
#[derive(Debug)]
pub(crate) struct Plane<'a> {
    /// What the axes show; nothing where only the distances in the plane mean something.
    pub(crate) axes: Option<[String; 2]>,
    way: Way<'a>,
}

/// How scaled rows come to the plane.
#[derive(Debug)]
enum Way<'a> {
    /// One column, back in its own units, against the row's number.
    Line(OwnUnits<'a>),
    /// Two columns, back in their own units.
    Columns(OwnUnits<'a>),
    /// More columns, along principal axes.
    PrincipalAxes(&'a Points, PrincipalAxes),
    /// The nodes of a graph, which are no rows.
    Layout(Vec<[f64; 2]>),
}

/// The points as they were read, and how they were scaled.
#[derive(Debug)]
struct OwnUnits<'a> {
    points: &'a Points,
    scaling: &'a Scaling,
}

impl<'a> Plane<'a> {
    /// The plane of what was read, in which a graph shows these clusters apart.
    pub(crate) fn of(loaded: &'a Loaded, labels: &[Label]) -> Result<Self> {
        let (axes, way) = match (&loaded.data, loaded.problem.input()) {
            (LoadedData::Table { table, scaling }, Input::Points(scaled)) => {
                // Rows of length 1 have no way back to their own lengths.
                let points = if scaling.unit_rows { scaled } else { &table.points };
                let own = OwnUnits { points, scaling };
                match table.feature_names.as_slice() {
                    [name] => ([name.clone(), "row".to_owned()], Way::Line(own)),
                    [x, y] => ([x.clone(), y.clone()], Way::Columns(own)),
                    _ => {
                        let principal = principal_axes(scaled.view(), 2)?;
                        (component_names(scaled, &principal), Way::PrincipalAxes(scaled, principal))
                    }
                }
            }
            (_, Input::Graph(graph)) => {
                return Ok(Self { axes: None, way: Way::Layout(layout::of(graph, labels)) });
            }
            _ => bail!("only points and graphs can be drawn"),
        };
        Ok(Self { axes: Some(axes), way })
    }

    /// Where the points lie.
    pub(crate) fn points(&self) -> Result<Vec<[f64; 2]>> {
        match &self.way {
            // Their own units without the rounding of going there and back.
            Way::Line(own) => Ok(against_rows(own.points.view())),
            Way::Columns(own) => Ok(first_two(own.points.view())),
            Way::PrincipalAxes(scaled, _) => self.rows(scaled.view()),
            Way::Layout(places) => Ok(places.clone()),
        }
    }

    /// Where scaled rows lie, one for each point or (where there is room for modes) for anything else.
    pub(crate) fn rows(&self, scaled: ArrayView2<'_, f64>) -> Result<Vec<[f64; 2]>> {
        Ok(match &self.way {
            Way::Line(own) => against_rows(own.scaling.undo(&scaled.to_owned())?.view()),
            Way::Columns(own) => first_two(own.scaling.undo(&scaled.to_owned())?.view()),
            Way::PrincipalAxes(_, principal) => first_two(principal.project(scaled).view()),
            Way::Layout(_) => bail!("the nodes of a graph are no rows"),
        })
    }

    /// Whether something that is no row of the data has a place: not where one axis counts rows, and
    /// not among nodes.
    pub(crate) fn has_room_for_modes(&self) -> bool {
        matches!(self.way, Way::Columns(_) | Way::PrincipalAxes(..))
    }

    /// How far a distance of 1 between scaled rows goes at most along each axis.
    pub(crate) fn axis_scale(&self) -> [f64; 2] {
        match &self.way {
            Way::Line(own) => [own.scaling.factor[0], 0.0],
            Way::Columns(own) => [own.scaling.factor[0], own.scaling.factor[1]],
            Way::PrincipalAxes(..) => [1.0, 1.0],
            Way::Layout(_) => [0.0, 0.0],
        }
    }

    /// Whether the plane is a shadow of more dimensions, and of how many.
    pub(crate) fn projected_from(&self) -> Option<usize> {
        match &self.way {
            Way::PrincipalAxes(scaled, _) => Some(scaled.dims()),
            _ => None,
        }
    }
}

/// The names of the two axes, each with its share of the variance of all columns.
fn component_names(points: &Points, principal: &PrincipalAxes) -> [String; 2] {
    let total: f64 = points.view().var_axis(Axis(0), 1.0).sum();
    ["first", "second"].map(|which| {
        let axis = usize::from(which == "second");
        let name = format!("{which} principal component");
        match principal.variances.get(axis).map(|variance| 100.0 * variance / total) {
            Some(share) if share.is_finite() => format!("{name} ({share:.0}% of the variance)"),
            _ => name,
        }
    })
}

fn against_rows(rows: ArrayView2<'_, f64>) -> Vec<[f64; 2]> {
    let numbered = rows.rows().into_iter().enumerate();
    numbered.map(|(i, row)| [row[0], i as f64]).collect()
}

fn first_two(rows: ArrayView2<'_, f64>) -> Vec<[f64; 2]> {
    // A row of one column lies on the axis.
    let second = |row: &ArrayView1<'_, f64>| row.get(1).copied().unwrap_or(0.0);
    rows.rows().into_iter().map(|row| [row[0], second(&row)]).collect()
}
