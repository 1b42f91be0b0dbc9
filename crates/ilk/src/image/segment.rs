//! The segments of an image, by any method on points.

use super::scribbles::label_constraints;
use super::superpixels::{Pixels, Superpixels};
use super::{Colour, Image, LabelMap, ScribbleReport, Segmentation, SuperpixelReport, specks};
use crate::group::Label;
use crate::method::{AnyMethod, E2cp, Method, Mssc, Refinement};
use crate::outcome::{AnyModel, Fit};
use crate::parameter::{AutoOr, Range};
use crate::problem::{Constraints, Points, Problem};
use crate::{Result, observe::Observer};

/// Of so many pixels a region has at least one, by default.
const PIXELS_A_REGION: usize = 2000;

/// The method for images, where none is named.
pub const DEFAULT_METHOD: &str = "mssc";

/// The method for images with scribbles, where none is named: it propagates constraints over the graph.
pub const DEFAULT_METHOD_WITH_SCRIBBLES: &str = "e2cp";

/// Points that a method is given at most, by default.
const MAX_PIXELS: usize = 200_000;

/// The same with scribbles: methods that use constraints cost more for every point.
const MAX_PIXELS_WITH_SCRIBBLES: usize = 10_000;

/// Finds the segments of an image: every pixel is a point
///
/// ```text
/// (colour, s column / (width - 1), s row / (height - 1))
/// ```
///
/// with s the `coordinate_scale`, and a method groups the points. A large s makes compact segments; with 0
/// positions do not count.
///
/// More than `max_pixels` pixels are pooled into superpixels first (see the [module](super)), which are weighted by
/// their number of pixels if the method supports weights.
///
/// Scribbles are labels of their pixels; up to `scribble_points` points of each are labelled. The method has to
/// support labels.
///
/// ```
/// use ilk::image::{Image, Segment};
/// use ilk::method::KMeans;
/// use ilk::observe::Silent;
///
/// let image = Image::new(4, 1, 1, vec![0.1, 0.9, 0.8, 0.0])?;
/// let kmeans = KMeans { n_clusters: 2.into(), ..KMeans::default() };
/// let found = Segment::new(kmeans.into()).fit(&image, None, &Silent)?;
/// assert_eq!(found.labels.values(), [1, 2, 2, 1]);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    /// What groups the points.
    pub method: AnyMethod,
    /// How pixels become points.
    pub params: SegmentParams,
}

crate::parameters! {
    /// How pixels become points, and scribbles labels.
    pub struct SegmentParams {
        /// What of a pixel's colour counts.
        pub colour: Colour = Colour::Rgb;
        /// How far apart the ends of the image are, where black and white are 1 apart in each channel.
        pub coordinate_scale: f64 = 0.33, in Range::between(0.0, f64::MAX);
        /// Pixels that the method is given at most; more become superpixels first. auto: 200000, or 10000 with
        /// scribbles.
        pub max_pixels: AutoOr<usize> = AutoOr::Auto, in Range::COUNT;
        /// Points of a scribble that the method is given at most.
        pub scribble_points: usize = 400, in Range::COUNT;
        /// Connected regions of fewer pixels go to the segment around them, unless a scribble touches them; 0 and 1 leave
        /// all. auto: one in 2,000 of the image's pixels.
        pub min_region: AutoOr<usize> = AutoOr::Auto, in Range::at_least(0);
    }
}

/// The method of a name, with settings that suit images: scribbles are to spread over all that is like them.
pub fn method_for_images(name: &str) -> Result<AnyMethod> {
    Ok(match AnyMethod::named(name)? {
        AnyMethod::Mssc(_) => AnyMethod::Mssc(Mssc::for_images()),
        AnyMethod::E2cp(e2cp) => AnyMethod::E2cp(E2cp { refine: Refinement::Off, ..e2cp }),
        other => other,
    })
}

impl Segment {
    /// Segments by a method, the rest as by default.
    pub fn new(method: AnyMethod) -> Self {
        Self { method, params: SegmentParams::default() }
    }

    /// The number of pixels above which they are pooled.
    pub fn pixel_limit(&self, has_scribbles: bool) -> usize {
        self.params.max_pixels.fixed().unwrap_or(if has_scribbles {
            MAX_PIXELS_WITH_SCRIBBLES
        } else {
            MAX_PIXELS
        })
    }

    /// The number of pixels below which a connected region of an image goes to the segment around it.
    pub fn min_region(&self, image: &Image) -> usize {
        self.params.min_region.fixed().unwrap_or(image.len() / PIXELS_A_REGION)
    }

    /// Finds the segments of an image, with scribbles as labels where they are given.
    ///
    /// # Errors
    /// [`Error::BadParameter`](crate::Error::BadParameter); [`Error::WrongSize`](crate::Error::WrongSize)
    /// where the scribbles are of another size than the image; those of the method.
    pub fn fit(
        &self,
        image: &Image,
        scribbles: Option<&LabelMap>,
        observer: &dyn Observer,
    ) -> Result<Segmentation> {
        let max_pixels = self.pixel_limit(scribbles.is_some());
        self.params.check()?;
        let (width, height) = (image.width(), image.height());
        if let Some(scribbles) = scribbles {
            scribbles.check_size(width, height)?;
        }
        let pixels = Pixels::new(image, self.params.colour, self.params.coordinate_scale);
        let coordinates = pixels.coordinates();
        let (points, weights, superpixel_of, side) = if image.len() > max_pixels {
            let superpixels = Superpixels::new(&pixels, max_pixels, observer)?;
            let side = superpixels.side;
            let (points, weights, superpixel_of) = superpixels.finish();
            (points, Some(weights), Some(superpixel_of), side)
        } else {
            (pixels.points(), None, None, 1)
        };
        drop(pixels);
        let points = Points::from_shape(points.len() / coordinates, coordinates, points)?;
        let n = points.len();
        let constraints = match scribbles {
            Some(scribbles) => label_constraints(
                scribbles,
                superpixel_of.as_deref(),
                n,
                self.params.scribble_points,
            )?,
            None => Constraints::new(n),
        };
        let labelled = constraints.labels().len();
        let mut problem = Problem::new(points, constraints)?;
        let is_weighted = !self.method.info().supports_weights.is_empty();
        if let Some(weights) = weights.filter(|_| is_weighted) {
            problem = problem.with_weights(weights)?;
        }
        let Fit { clustering, model } = self.method.fit(&problem, observer)?;
        drop(problem);
        let number = |point: usize| clustering.labels[point].map_or(0, |label| label as u32 + 1);
        let mut numbers: Vec<u32> = match &superpixel_of {
            Some(of) => of.iter().map(|&point| number(point as usize)).collect(),
            None => (0..n).map(number).collect(),
        };
        specks::absorb(&mut numbers, width, self.min_region(image), |pixel| {
            scribbles.is_some_and(|scribbles| scribbles.values()[pixel] > 0)
        });
        let labels = LabelMap::trusted(width, height, numbers);
        Ok(Segmentation {
            scribbles: scribbles.map(|scribbles| ScribbleReport::new(scribbles, &labels, labelled)),
            labels,
            n_segments: clustering.n_clusters,
            pooled: superpixel_of.is_some().then_some(SuperpixelReport {
                pools: n,
                side,
                is_weighted,
            }),
            clustering,
            model,
        })
    }

    /// The segments of another image by the model of a segmentation: of every pixel, as a point of this image.
    ///
    /// # Errors
    /// [`Error::WrongDimensions`](crate::Error::WrongDimensions) where the image has another number of channels; those of
    /// the model.
    pub fn predict(
        &self,
        model: &AnyModel,
        image: &Image,
        observer: &dyn Observer,
    ) -> Result<LabelMap> {
        self.params.check()?;
        let pixels = Pixels::new(image, self.params.colour, self.params.coordinate_scale);
        let coordinates = pixels.coordinates();
        let points = Points::from_shape(image.len(), coordinates, pixels.points())?;
        let labels = model.predict_observed(&points, observer)?;
        let number = |label: &Label| label.map_or(0, |label| label as u32 + 1);
        let mut numbers: Vec<u32> = labels.iter().map(number).collect();
        specks::absorb(&mut numbers, image.width(), self.min_region(image), |_| false);
        Ok(LabelMap::trusted(image.width(), image.height(), numbers))
    }
}
