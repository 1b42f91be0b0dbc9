//! The segments of a picture, by any method on points.

use serde::{Deserialize, Serialize};

use super::pools::{Pixels, Pools};
use super::{Colour, LabelMap, Picture, Pooled, Segmentation, Strokes, scribbles};
use crate::Result;
use crate::method::{Method, Mssc};
use crate::observe::Observer;
use crate::parameter::{ParameterInfo, Range, check_numbers};
use crate::problem::{Constraints, Points, Problem};

/// The method for pictures, where none is named.
pub const METHOD: &str = "mssc";

/// The method for pictures with strokes, where none is named: it carries strokes along what is alike.
pub const METHOD_WITH_SCRIBBLES: &str = "e2cp";

/// Points that a method is given at most, where nothing else is asked for.
const MAX_PIXELS: usize = 200_000;

/// The same with strokes: methods that listen do more for every point.
const MAX_PIXELS_WITH_SCRIBBLES: usize = 10_000;

/// Points of a stroke that a method is told at most, where nothing else is asked for.
const STROKE_POINTS: usize = 400;

/// Finds the segments of a picture: every pixel is a point
///
/// ```text
/// (colour, s column / (width - 1), s row / (height - 1))
/// ```
///
/// with its [`Colour`] and, each by itself from 0 to s, the `coordinate_scale`, its place; and a method
/// groups the points. A large s makes compact segments, 0 leaves places out of it.
///
/// More than `max_pixels` pixels are pooled first (see the [module](super)), and the method is given the
/// pools, weighted by their pixels if it takes weights.
///
/// Strokes are labels of their pixels; up to `stroke_points` points of each are told to the method, which
/// has to be one that takes labels.
///
/// ```
/// use ilk::image::{Picture, Segment};
/// use ilk::method::Method;
/// use ilk::group::kmeans::KMeans;
/// use ilk::observe::Silent;
///
/// let picture = Picture::new(4, 1, 1, vec![0.1, 0.9, 0.8, 0.0])?;
/// let kmeans = KMeans { n_clusters: 2, ..KMeans::default() };
/// let found = Segment::new(Method::KMeans(kmeans)).fit(&picture, None, &Silent)?;
/// assert_eq!(found.labels.values(), [1, 2, 2, 1]);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Segment {
    /// What groups the points.
    pub method: Method,
    /// What of a pixel's colour counts.
    pub colour: Colour,
    /// How far apart the ends of the picture are, where black and white are 1 apart in each channel.
    pub coordinate_scale: f64,
    /// Pixels that the method is given at most; more are pooled. `None`: 200,000, or 10,000 with strokes,
    /// since methods that listen do more for every point.
    pub max_pixels: Option<usize>,
    /// Points of a stroke that are told to the method at most.
    pub stroke_points: usize,
}

/// The method of a name, with settings that suit pictures.
///
/// # Errors
/// [`Error::UnknownMethod`](crate::Error::UnknownMethod).
pub fn method_for_pictures(name: &str) -> Result<Method> {
    Ok(match Method::named(name)? {
        Method::Mssc(_) => Method::Mssc(Mssc::for_pictures()),
        other => other,
    })
}

impl Segment {
    /// The parameters beside the method's, as data.
    pub const PARAMETERS: &'static [ParameterInfo] = &[
        ParameterInfo {
            name: "colour",
            doc: "What of a pixel's colour counts.",
            range: Range::Choice(Colour::NAMES),
            default: "rgb",
        },
        ParameterInfo {
            name: "coordinate_scale",
            doc: "How far apart the ends of the picture are, where black and white are 1 apart in each channel.",
            range: Range::Number {
                min: 0.0,
                inclusive: true,
                max: f64::MAX,
            },
            default: "0.33",
        },
        ParameterInfo {
            name: "max_pixels",
            doc: "Pixels that the method is given at most; more are pooled first. auto: 200000, or 10000 with strokes.",
            range: COUNT,
            default: "auto",
        },
        ParameterInfo {
            name: "stroke_points",
            doc: "Points of a stroke that are told to the method at most.",
            range: COUNT,
            default: "400",
        },
    ];

    /// Segments by a method, the rest as by default.
    pub fn new(method: Method) -> Self {
        Self {
            method,
            colour: Colour::default(),
            coordinate_scale: 0.33,
            max_pixels: None,
            stroke_points: STROKE_POINTS,
        }
    }

    /// How many pixels the method is given at most.
    pub fn most_pixels(&self, has_strokes: bool) -> usize {
        self.max_pixels.unwrap_or(if has_strokes {
            MAX_PIXELS_WITH_SCRIBBLES
        } else {
            MAX_PIXELS
        })
    }

    /// Finds the segments of a picture, guided by strokes where they are given.
    ///
    /// # Errors
    /// [`Error::BadParameter`](crate::Error::BadParameter); [`Error::WrongSize`](crate::Error::WrongSize)
    /// where the strokes are of another size than the picture; those of the method.
    pub fn fit(
        &self,
        picture: &Picture,
        strokes: Option<&LabelMap>,
        observer: &dyn Observer,
    ) -> Result<Segmentation> {
        let max_pixels = self.most_pixels(strokes.is_some());
        let numbers = [
            ("coordinate_scale", self.coordinate_scale),
            ("max_pixels", max_pixels as f64),
            ("stroke_points", self.stroke_points as f64),
        ];
        check_numbers(Self::PARAMETERS, &numbers)?;
        let (width, height) = (picture.width(), picture.height());
        if let Some(strokes) = strokes {
            strokes.check_size(width, height)?;
        }
        let pixels = Pixels::new(picture, self.colour, self.coordinate_scale);
        let coordinates = pixels.coordinates();
        let (points, weights, taken, side) = if picture.len() > max_pixels {
            let pools = Pools::new(&pixels, max_pixels, observer)?;
            let side = pools.side;
            let (points, weights, taken) = pools.finish();
            (points, Some(weights), Some(taken), side)
        } else {
            (pixels.points(), None, None, 1)
        };
        drop(pixels);
        let points = Points::from_shape(points.len() / coordinates, coordinates, points)?;
        let n = points.len();
        let said = match strokes {
            Some(strokes) => scribbles::said(strokes, taken.as_deref(), n, self.stroke_points)?,
            None => Constraints::new(n),
        };
        let labelled = said.labels().len();
        let mut problem = Problem::new(points, said)?;
        let is_weighted = self.method.info().weighs;
        if let Some(weights) = weights.filter(|_| is_weighted) {
            problem = problem.with_weights(weights)?;
        }
        let clustering = self.method.fit(&problem, observer)?.clustering;
        drop(problem);
        let number = |point: usize| clustering.labels[point].map_or(0, |label| label as u32 + 1);
        let numbers = match &taken {
            Some(taken) => taken.iter().map(|&point| number(point as usize)).collect(),
            None => (0..n).map(number).collect(),
        };
        let labels = LabelMap::trusted(width, height, numbers);
        Ok(Segmentation {
            strokes: strokes.map(|strokes| Strokes::new(strokes, &labels, labelled)),
            labels,
            n_segments: clustering.n_clusters,
            pooled: taken.is_some().then_some(Pooled {
                pools: n,
                side,
                is_weighted,
            }),
            clustering,
        })
    }
}

const COUNT: Range = Range::Integer {
    min: 1,
    max: u64::MAX,
};
