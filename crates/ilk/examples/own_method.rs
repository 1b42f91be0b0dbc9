//! A method that lives outside the crate: single linkage at a radius, with its own parameters, model and
//! progress. `cargo run --example own_method`.

use ilk::group::{Grouping, Label, StopReason};
use ilk::method::{Method, MethodInfo};
use ilk::observe::{Event, Observer, report};
use ilk::outcome::{AnyModel, Clustering, Fit, Model};
use ilk::parameter::Range;
use ilk::problem::{InputKind, Points, Problem};
use ilk::{Error, Result};

ilk::parameters! {
    /// Single linkage: points within a radius of each other are linked, and linked points are a cluster.
    pub struct Linkage {
        /// Points up to this distance apart are linked.
        pub radius: f64 = 1.0, in Range::POSITIVE;
    }
}

impl Linkage {
    const INFO: &'static MethodInfo = &MethodInfo {
        name: "linkage",
        class: "Linkage",
        summary: "Points within a radius of each other are linked, and linked points are a cluster.",
        paper: "Florek and others, 1951",
        version: 1,
        inputs: &[InputKind::Points],
        supervision: &[],
        takes_clusters: false,
        predicts: &[InputKind::Points],
        supports_weights: &[InputKind::Points],
        parameters: Self::PARAMETERS,
    };
}

impl Method for Linkage {
    fn info(&self) -> &'static MethodInfo {
        Self::INFO
    }

    fn fit(&self, problem: &Problem, observer: &dyn Observer) -> Result<Fit> {
        let points = Self::INFO.points_of(problem)?;
        self.check()?;
        let n = points.len();
        let mut labels: Vec<Label> = vec![None; n];
        let mut n_clusters = 0;
        for first in 0..n {
            report(observer, &Event::new("linkage", 1, first, n))?;
            if labels[first].is_some() {
                continue;
            }
            labels[first] = Some(n_clusters);
            let mut linked = vec![first];
            while let Some(point) = linked.pop() {
                for other in 0..n {
                    if labels[other].is_none()
                        && distance(points, point, points, other) <= self.radius
                    {
                        labels[other] = Some(n_clusters);
                        linked.push(other);
                    }
                }
            }
            n_clusters += 1;
        }
        let model = NearestPoint { points: points.clone(), labels: labels.clone(), n_clusters };
        let grouping = Grouping::new(labels, n_clusters, StopReason::Converged, Vec::new());
        Ok(Fit {
            clustering: Clustering::new(grouping, problem.constraints()),
            model: AnyModel::foreign(model),
        })
    }
}

/// New points go with the nearest point of the fit.
#[derive(Debug)]
struct NearestPoint {
    points: Points,
    labels: Vec<Label>,
    n_clusters: usize,
}

impl Model for NearestPoint {
    fn n_clusters(&self) -> usize {
        self.n_clusters
    }

    fn dims(&self) -> usize {
        self.points.dims()
    }

    fn predict_observed(&self, points: &Points, _: &dyn Observer) -> Result<Vec<Label>> {
        if points.dims() != self.dims() {
            return Err(Error::WrongDimensions { found: points.dims(), expected: self.dims() });
        }
        let nearest = |new: usize| {
            let near = |&a: &usize, &b: &usize| {
                let [a, b] = [a, b].map(|i| distance(points, new, &self.points, i));
                a.total_cmp(&b)
            };
            (0..self.points.len()).min_by(near)
        };
        let label = |new: usize| nearest(new).and_then(|point| self.labels[point]);
        Ok((0..points.len()).map(label).collect())
    }
}

fn distance(a: &Points, i: usize, b: &Points, j: usize) -> f64 {
    let pairs = a.row(i).iter().zip(b.row(j));
    pairs.map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
}

#[allow(dead_code, reason = "the tests include this file as a module")]
fn main() -> Result<()> {
    let points = Points::from_rows(&[[0.0], [0.4], [0.9], [5.0], [5.3]].map(Vec::from))?;
    let fit = Linkage::default().fit(&Problem::unsupervised(points), &ilk::Silent)?;
    println!("{} clusters: {:?}", fit.clustering.n_clusters, fit.clustering.labels);
    let new = Points::from_rows(&[vec![4.0]])?;
    println!("4.0 goes to {:?}", fit.model.predict(&new)?);
    Ok(())
}
