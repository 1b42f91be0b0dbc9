//! From the data to the plane: which two coordinates pictures show.

use anyhow::{Result, bail};
use ilk::ndarray::{ArrayView1, ArrayView2};
use ilk::numerics::linalg::{Principal, principal_axes};
use ilk::problem::{Input, Points};
use ilk_io::Loaded;

/// The plane in which a run is drawn: two columns as they are, one column against the rows, more by
/// the two directions in which the (scaled) points spread most.
#[derive(Debug)]
pub(crate) struct Plane<'a> {
    /// What the axes show.
    pub(crate) axes: [String; 2],
    loaded: &'a Loaded,
    way: Way,
}

/// How scaled rows come to the plane.
#[derive(Debug)]
enum Way {
    /// One column, back in its own units, against the row's number.
    Line,
    /// Two columns, back in their own units.
    Columns,
    /// More columns, along principal axes.
    Principal(Principal),
}

impl<'a> Plane<'a> {
    pub(crate) fn of(loaded: &'a Loaded) -> Result<Self> {
        let names = loaded.table.feature_names.as_slice();
        let (axes, way) = match names {
            [name] => ([name.clone(), "row".to_owned()], Way::Line),
            [x, y] => ([x.clone(), y.clone()], Way::Columns),
            _ => {
                let principal = principal_axes(points(loaded)?.view(), 2)?;
                let axes = ["first principal component", "second principal component"];
                (axes.map(str::to_owned), Way::Principal(principal))
            }
        };
        Ok(Self { axes, loaded, way })
    }

    /// Where the points lie.
    pub(crate) fn points(&self) -> Result<Vec<[f64; 2]>> {
        let table = self.loaded.table.points.view();
        match self.way {
            // Their own units without the rounding of going there and back.
            Way::Line => Ok(against_rows(table)),
            Way::Columns => Ok(first_two(table)),
            Way::Principal(_) => self.rows(points(self.loaded)?.view()),
        }
    }

    /// Where scaled rows lie, one for each point or (unless the plane is a line) for anything else.
    pub(crate) fn rows(&self, scaled: ArrayView2<'_, f64>) -> Result<Vec<[f64; 2]>> {
        let own = || self.loaded.scaling.undo(&scaled.to_owned());
        Ok(match &self.way {
            Way::Line => against_rows(own()?.view()),
            Way::Columns => first_two(own()?.view()),
            Way::Principal(principal) => first_two(principal.project(scaled).view()),
        })
    }

    /// Whether something that is no row of the data has a place: not where one axis counts rows.
    pub(crate) fn has_room_for_modes(&self) -> bool {
        !matches!(self.way, Way::Line)
    }

    /// How far a distance of 1 between scaled rows goes at most along each axis.
    pub(crate) fn reach(&self) -> [f64; 2] {
        let factor = &self.loaded.scaling.factor;
        match self.way {
            Way::Line => [factor[0], 0.0],
            Way::Columns => [factor[0], factor[1]],
            Way::Principal(_) => [1.0, 1.0],
        }
    }

    /// Whether the plane is a shadow of more dimensions.
    pub(crate) fn is_projected(&self) -> bool {
        matches!(self.way, Way::Principal(_))
    }
}

fn points(loaded: &Loaded) -> Result<&Points> {
    let Input::Points(points) = loaded.problem.input() else {
        bail!("only points can be drawn");
    };
    Ok(points)
}

fn against_rows(rows: ArrayView2<'_, f64>) -> Vec<[f64; 2]> {
    let numbered = rows.rows().into_iter().enumerate();
    numbered.map(|(i, row)| [row[0], i as f64]).collect()
}

fn first_two(rows: ArrayView2<'_, f64>) -> Vec<[f64; 2]> {
    // A row of one column lies on the axis.
    let second = |row: &ArrayView1<'_, f64>| row.get(1).copied().unwrap_or(0.0);
    rows.rows()
        .into_iter()
        .map(|row| [row[0], second(&row)])
        .collect()
}
