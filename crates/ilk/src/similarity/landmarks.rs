//! Points that a kernel compares new points with.

use std::sync::Arc;

use ndarray::{Array2, Axis, concatenate};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::bandwidth::rules;
use super::gram::check_size;
use super::values::rows_a_block;
use super::{Bandwidth, Gram, Kernel, Profile, Resolved};
use crate::numerics::distances::dot;
use crate::numerics::neighbors::Neighbors;
use crate::problem::Points;
use crate::{Error, Result};

/// Training points to which the kernel values of new points are computed; they can be stored.
///
/// Made from points, they are their coordinates and the kernel with all its numbers. Where a point's
/// bandwidth is its distance to a neighbour ([`Kernel::SelfTuning`]), they hold all training points,
/// because a new point has its neighbours among all of them. Made from a kernel matrix, they are
/// columns of it, and a new point is a row: its kernel values with all n training points.
///
/// [`KernelValues::landmarks`](super::KernelValues::landmarks) makes them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Landmarks(Kind);

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Points {
        kernel: Kernel,
        points: Arc<Points>,
        /// All training points, where the kernel looks for neighbours among them and they are not
        /// the landmarks themselves.
        training: Option<Arc<Points>>,
    },
    Columns {
        columns: Vec<usize>,
        n: usize,
    },
}

/// How landmarks are written to a file.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Landmarks", rename_all = "snake_case", deny_unknown_fields)]
enum Stored {
    Points {
        kernel: Kernel,
        dims: usize,
        coordinates: Vec<f64>,
        training: Option<Vec<f64>>,
    },
    Columns {
        columns: Vec<usize>,
        n: usize,
    },
}

impl From<Landmarks> for Stored {
    fn from(landmarks: Landmarks) -> Self {
        match landmarks.0 {
            Kind::Points {
                kernel,
                points,
                training,
            } => Self::Points {
                kernel,
                dims: points.dims(),
                coordinates: points.as_slice().to_vec(),
                training: training.map(|all| all.as_slice().to_vec()),
            },
            Kind::Columns { columns, n } => Self::Columns { columns, n },
        }
    }
}

impl TryFrom<Stored> for Landmarks {
    type Error = Error;

    fn try_from(stored: Stored) -> Result<Self> {
        match stored {
            Stored::Points {
                kernel,
                dims,
                coordinates,
                training,
            } => {
                let rows = |coordinates: Vec<f64>| {
                    let rows = coordinates.len() / dims.max(1);
                    Points::from_shape(rows, dims, coordinates).map(Arc::new)
                };
                let points = rows(coordinates)?;
                let training = training.map(rows).transpose()?;
                Self::checked(kernel, points, training)
            }
            Stored::Columns { columns, n } => {
                if columns.is_empty() || n == 0 {
                    return Err(Error::Empty {
                        rows: n,
                        columns: columns.len(),
                    });
                }
                match columns.iter().find(|&&column| column >= n) {
                    None => Ok(Self(Kind::Columns { columns, n })),
                    Some(column) => Err(Error::BadParameter {
                        parameter: "columns",
                        value: column.to_string(),
                        expected: format!("the kernel matrix has {n} columns, counted from 0"),
                    }),
                }
            }
        }
    }
}

impl Landmarks {
    /// Landmarks from a file, whose kernel may have any parameters.
    fn checked(
        mut kernel: Kernel,
        points: Arc<Points>,
        mut training: Option<Arc<Points>>,
    ) -> Result<Self> {
        kernel.check()?;
        if let Kernel::SelfTuning { neighbors } = kernel {
            kernel = Kernel::Radial {
                profile: Profile::Rbf,
                bandwidth: Bandwidth::Neighbor(neighbors),
                truncation: 0.0,
            };
        }
        if neighbor(&kernel).is_none() {
            training = None;
        }
        if let Kernel::Radial { bandwidth, .. } = &kernel {
            bandwidth.check(training.as_ref().unwrap_or(&points))?;
            if matches!(
                bandwidth,
                Bandwidth::Auto | Bandwidth::Percentile(_) | Bandwidth::Silverman
            ) {
                return Err(Error::BadParameter {
                    parameter: "bandwidth",
                    value: bandwidth.to_string(),
                    expected: "landmarks alone cannot follow this rule; it must be a number"
                        .to_owned(),
                });
            }
        }
        Ok(Self(Kind::Points {
            kernel,
            points,
            training,
        }))
    }

    pub(super) fn of_points(gram: &Gram<'_>, chosen: &[usize]) -> Self {
        let kernel = gram.settled(chosen);
        let all = gram.points();
        let is_all = chosen.iter().copied().eq(0..all.len());
        let training = (neighbor(&kernel).is_some() && !is_all).then(|| Arc::new(all.clone()));
        Self(Kind::Points {
            kernel,
            points: Arc::new(all.select(chosen)),
            training,
        })
    }

    pub(super) fn of_columns(n: usize, chosen: &[usize]) -> Self {
        assert!(!chosen.is_empty(), "landmarks are never empty");
        assert!(chosen.iter().all(|&i| i < n), "no such column");
        Self(Kind::Columns {
            columns: chosen.to_vec(),
            n,
        })
    }

    /// The same kernel with other landmarks, points of the same dimensions; on a kernel matrix, these.
    pub(crate) fn moved_to(&self, points: &Points) -> Self {
        match &self.0 {
            Kind::Points {
                kernel, training, ..
            } => Self(Kind::Points {
                kernel: kernel.clone(),
                points: Arc::new(points.clone()),
                training: training.clone(),
            }),
            Kind::Columns { .. } => self.clone(),
        }
    }

    /// The columns of a kernel matrix that these are.
    pub(crate) fn columns(&self) -> Option<&[usize]> {
        match &self.0 {
            Kind::Points { .. } => None,
            Kind::Columns { columns, .. } => Some(columns),
        }
    }

    /// Number of landmarks.
    #[allow(clippy::len_without_is_empty, reason = "landmarks are never empty")]
    pub fn len(&self) -> usize {
        match &self.0 {
            Kind::Points { points, .. } => points.len(),
            Kind::Columns { columns, .. } => columns.len(),
        }
    }

    /// Columns that new points must have: the dimensions, or, on a kernel matrix, the number of
    /// training points.
    pub fn dims(&self) -> usize {
        match &self.0 {
            Kind::Points { points, .. } => points.dims(),
            Kind::Columns { n, .. } => *n,
        }
    }

    /// The values between new points, in rows, and the landmarks, in columns: m x l. For training
    /// points they are those of the kernel matrix.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`]; [`Error::TooLarge`] above [`MAX_BYTES`](super::MAX_BYTES);
    /// [`Error::BadParameter`] where every training point was given a bandwidth, but new points have
    /// none.
    pub fn values(&self, new: &Points) -> Result<Array2<f64>> {
        let l = self.len();
        let rows = self.rows(new)?;
        check_size(new.len(), l)?;
        let mut values = Array2::zeros((new.len(), l));
        let step = rows_a_block(l);
        if let Some(all) = values.as_slice_mut() {
            all.par_chunks_mut(step * l)
                .zip(new.as_slice().par_chunks(step * new.dims()))
                .for_each(|(out, queries)| rows.fill(queries, out));
        }
        Ok(values)
    }

    /// Every new point's value with itself, k(x, x).
    ///
    /// # Errors
    /// [`Error::WrongDimensions`]; [`Error::Unsupported`] on a kernel matrix, which does not have it.
    pub fn self_values(&self, new: &Points) -> Result<Vec<f64>> {
        self.check_dims(new)?;
        match &self.0 {
            Kind::Points { kernel, .. } => Ok((0..new.len())
                .map(|i| match *kernel {
                    Kernel::Radial { .. } | Kernel::SelfTuning { .. } => 1.0,
                    Kernel::Linear => dot(new.row(i), new.row(i)),
                    Kernel::Polynomial {
                        degree,
                        scale,
                        offset,
                    } => (scale * dot(new.row(i), new.row(i)) + offset)
                        .powi(i32::try_from(degree).unwrap_or(i32::MAX)),
                })
                .collect()),
            Kind::Columns { .. } => Err(Error::Unsupported {
                method: "a kernel matrix",
                what: "the kernel value of a new point with itself".to_owned(),
                alternatives: "fit on points, or ask for features instead".to_owned(),
            }),
        }
    }

    /// These landmarks, then the other ones.
    ///
    /// # Panics
    /// Where the others belong to another kernel or to other training points.
    #[must_use]
    pub fn stacked(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (
                Kind::Points {
                    kernel,
                    points,
                    training,
                },
                Kind::Points {
                    kernel: other_kernel,
                    points: other_points,
                    training: other_training,
                },
            ) => {
                // Without a list of their own, landmarks of a neighbour kernel are all points.
                let all = |own: &Option<Arc<Points>>, points: &Arc<Points>| {
                    neighbor(kernel).map(|_| own.clone().unwrap_or_else(|| points.clone()))
                };
                let training = all(training, points);
                assert!(
                    training == all(other_training, other_points),
                    "landmarks among different training points"
                );
                let both = concatenate(Axis(0), &[points.view(), other_points.view()])
                    .ok()
                    .and_then(|both| Points::new(both).ok());
                let Some(both) = both else {
                    panic!("landmarks with different dimensions")
                };
                Self(Kind::Points {
                    kernel: joined(kernel, other_kernel),
                    training: training.filter(|all| **all != both),
                    points: Arc::new(both),
                })
            }
            (
                Kind::Columns { columns, n },
                Kind::Columns {
                    columns: other_columns,
                    n: other_n,
                },
            ) => {
                assert_eq!(n, other_n, "landmarks on different kernel matrices");
                Self(Kind::Columns {
                    columns: [columns.as_slice(), other_columns].concat(),
                    n: *n,
                })
            }
            _ => panic!("landmarks on points and on a kernel matrix"),
        }
    }

    fn check_dims(&self, new: &Points) -> Result<()> {
        if new.dims() == self.dims() {
            Ok(())
        } else {
            Err(Error::WrongDimensions {
                found: new.dims(),
                expected: self.dims(),
            })
        }
    }

    /// What computes rows of values for new points with these dimensions.
    pub(super) fn rows(&self, new: &Points) -> Result<Rows<'_>> {
        self.check_dims(new)?;
        match &self.0 {
            Kind::Columns { columns, n } => Ok(Rows::Columns { columns, n: *n }),
            Kind::Points {
                kernel,
                points,
                training,
            } => match *kernel {
                Kernel::Radial {
                    profile,
                    bandwidth: Bandwidth::Neighbor(k),
                    truncation,
                } => {
                    let index = Neighbors::new(training.as_ref().unwrap_or(points).view());
                    let widths = (0..points.len())
                        .into_par_iter()
                        .map(|i| rules::new_point_neighbor(&index, points.row(i), k))
                        .collect();
                    let widths = Resolved::PerPoint(widths);
                    let gram = Gram::with_widths(profile, truncation, points, widths);
                    Ok(Rows::Tuned { gram, index, k })
                }
                Kernel::Radial {
                    bandwidth: Bandwidth::PerPoint(ref each),
                    ..
                } => Err(Error::BadParameter {
                    parameter: "bandwidth",
                    value: format!("a list of {}", each.len()),
                    expected:
                        "new points have no bandwidth in such a list; give one number or a rule"
                            .to_owned(),
                }),
                _ => Ok(Rows::Plain(Gram::new(kernel, points, 0)?)),
            },
        }
    }
}

/// The k of the neighbour that gives a point its bandwidth. [`Gram::settled`] writes self-tuning
/// kernels as radial ones.
fn neighbor(kernel: &Kernel) -> Option<usize> {
    match *kernel {
        Kernel::Radial {
            bandwidth: Bandwidth::Neighbor(k),
            ..
        } => Some(k),
        _ => None,
    }
}

/// The kernel of stacked landmarks: the same, but that lists of bandwidths are put together.
fn joined(a: &Kernel, b: &Kernel) -> Kernel {
    match (a, b) {
        (
            Kernel::Radial {
                profile,
                bandwidth: Bandwidth::PerPoint(own),
                truncation,
            },
            Kernel::Radial {
                profile: other_profile,
                bandwidth: Bandwidth::PerPoint(other),
                truncation: other_truncation,
            },
        ) if profile == other_profile && truncation == other_truncation => Kernel::Radial {
            profile: *profile,
            bandwidth: Bandwidth::PerPoint([own.as_slice(), other].concat()),
            truncation: *truncation,
        },
        _ => {
            assert_eq!(a, b, "landmarks of different kernels");
            a.clone()
        }
    }
}

/// Landmarks laid out to be compared with.
#[derive(Debug)]
pub(super) enum Rows<'a> {
    Plain(Gram<'a>),
    Tuned {
        gram: Gram<'a>,
        index: Neighbors,
        k: usize,
    },
    Columns {
        columns: &'a [usize],
        n: usize,
    },
}

impl Rows<'_> {
    /// The values of `queries` (rows of coordinates, one after the other) with the landmarks.
    pub(super) fn fill(&self, queries: &[f64], out: &mut [f64]) {
        match self {
            Self::Plain(gram) => gram.fill(queries, |_| gram.width(0), &(0..gram.len()), out),
            Self::Tuned { gram, index, k } => {
                let dims = gram.points().dims();
                let width = |i: usize| {
                    rules::new_point_neighbor(index, &queries[i * dims..(i + 1) * dims], *k)
                };
                gram.fill(queries, width, &(0..gram.len()), out);
            }
            Self::Columns { columns, n } => {
                for (out, row) in out
                    .chunks_exact_mut(columns.len())
                    .zip(queries.chunks_exact(*n))
                {
                    for (out, &column) in out.iter_mut().zip(*columns) {
                        *out = row[column];
                    }
                }
            }
        }
    }
}
