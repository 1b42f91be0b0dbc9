//! Segments of images.

use std::sync::Arc;

use ilk::image::{
    Colour, DEFAULT_METHOD, DEFAULT_METHOD_WITH_SCRIBBLES, Image, LabelMap, ScribbleReport,
    Segment, SegmentParams, method_for_images,
};
use ilk::ndarray::{Array2, Array3};
use ilk::outcome::AnyModel;
use ilk::parameter::AutoOr;
use ilk_io::encode_png;
use numpy::{IntoPyArray, PyArray2, PyArray3, PyReadonlyArray2, PyReadonlyArray3};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::{OrRaise, not_understood};
use crate::{recipe, run};

/// The segments of an image, and the image.
#[pyclass(frozen, module = "ilk._core")]
pub(crate) struct SegmentResult {
    image: Arc<Image>,
    labels: LabelMap,
    /// Number of segments.
    #[pyo3(get)]
    n_segments: usize,
    /// Pools that the method was given, and the side of the blocks they started from; none where it was
    /// given pixels.
    #[pyo3(get)]
    pooled: Option<(usize, usize)>,
    /// Points of scribbles that were given to the method.
    #[pyo3(get)]
    n_labelled: usize,
    /// Of every scribble its pixels, the segment with most of them (-1 for none), and how many that holds.
    #[pyo3(get)]
    scribbles: Vec<OfScribble>,
    /// Labels of points that the segments keep, and those that they break.
    #[pyo3(get)]
    n_kept: usize,
    #[pyo3(get)]
    n_broken: usize,
    /// The settings and the model of the fit.
    fitted: Arc<(Segment, AnyModel)>,
}

/// The pixels of a scribble, the segment with most of them, and how many that holds.
type OfScribble = (usize, i64, usize);

fn of_scribbles(report: &ScribbleReport) -> Vec<OfScribble> {
    let segments = report.segments.iter().map(|&segment| i64::from(segment) - 1);
    let each = report.pixels.iter().zip(segments).zip(&report.held);
    each.map(|((&pixels, segment), &held)| (pixels, segment, held)).collect()
}

#[pymethods]
impl SegmentResult {
    /// The segments of another image, as [`labels`](Self::labels) has those of the first.
    #[pyo3(signature = (image, n_jobs=None))]
    fn predict<'py>(
        &self,
        py: Python<'py>,
        image: PyReadonlyArray3<'_, f32>,
        n_jobs: Option<isize>,
    ) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let image = image_of(&image)?;
        let fitted = Arc::clone(&self.fitted);
        let found = run::cancellable(py, n_jobs, move |observer| {
            fitted.0.predict(&fitted.1, &image, observer)
        })?;
        numbers(py, &found.or_raise()?)
    }

    /// The segment of every pixel, from 0; -1 where it has none.
    fn labels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        numbers(py, &self.labels)
    }

    /// The image in the mean colours of its segments.
    fn means<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        array(py, py.detach(|| self.labels.means(&self.image)).or_raise()?)
    }

    /// The image with boundaries drawn over it.
    fn boundaries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let drawn = py.detach(|| self.labels.boundaries(&self.image));
        array(py, drawn.or_raise()?)
    }

    /// Every segment in a colour of its own.
    fn palette<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        array(py, py.detach(|| self.labels.palette_view()))
    }

    /// The image with boundaries as the bytes of a PNG file.
    fn png<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let drawn = py.detach(|| self.labels.boundaries(&self.image));
        let drawn = drawn.or_raise()?;
        let mut bytes = Vec::new();
        py.detach(|| encode_png(&mut bytes, &drawn)).map_err(broken)?;
        Ok(PyBytes::new(py, &bytes))
    }
}

/// The segment of every pixel, from 0; -1 for none.
fn numbers<'py>(py: Python<'py>, labels: &LabelMap) -> PyResult<Bound<'py, PyArray2<i32>>> {
    let each = labels.values().iter().map(|&number| number as i32 - 1).collect();
    let array = Array2::from_shape_vec((labels.height(), labels.width()), each);
    Ok(array.map_err(broken)?.into_pyarray(py))
}

/// An image of shape (height, width, channels) with values from 0 to 1.
fn image_of(image: &PyReadonlyArray3<'_, f32>) -> PyResult<Image> {
    let image = image.as_array();
    let (height, width, channels) = image.dim();
    Image::new(width, height, channels, image.iter().copied().collect()).or_raise()
}

fn broken(error: impl std::fmt::Display) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

fn array(py: Python<'_>, image: Image) -> PyResult<Bound<'_, PyArray3<f32>>> {
    let shape = (image.height(), image.width(), image.channels());
    let array = Array3::from_shape_vec(shape, image.into_values());
    Ok(array.map_err(broken)?.into_pyarray(py))
}

/// The methods for images where none is named: without and with scribbles.
#[pyfunction]
pub(crate) fn segment_methods() -> (&'static str, &'static str) {
    (DEFAULT_METHOD, DEFAULT_METHOD_WITH_SCRIBBLES)
}

/// The parameters of a method, with values that suit images, as JSON.
#[pyfunction]
pub(crate) fn segment_settings(method: &str) -> PyResult<String> {
    let method = method_for_images(method).or_raise()?;
    let tagged = serde_json::to_value(&method).map_err(broken)?;
    Ok(tagged["params"].to_string())
}

/// Finds the segments of an image of shape (height, width, channels) with values from 0 to 1. `scribbles`
/// hold 0 for nothing and 1 to k for scribbles.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "each is one of Python's")]
pub(crate) fn segment(
    py: Python<'_>,
    method: &str,
    image: PyReadonlyArray3<'_, f32>,
    scribbles: Option<PyReadonlyArray2<'_, u32>>,
    colour: &str,
    coordinate_scale: f64,
    max_pixels: Option<usize>,
    scribble_points: usize,
    min_region: Option<usize>,
    n_jobs: Option<isize>,
) -> PyResult<SegmentResult> {
    let method = recipe::method(method)?;
    let colour: Colour =
        serde_json::from_value(colour.into()).map_err(|error| not_understood(&error))?;
    let image = Arc::new(image_of(&image)?);
    let scribbles = match scribbles {
        None => None,
        Some(scribbles) => {
            let scribbles = scribbles.as_array();
            let (height, width) = scribbles.dim();
            let numbers = scribbles.iter().copied().collect();
            Some(LabelMap::new(width, height, numbers).or_raise()?)
        }
    };
    let segment = Segment {
        method,
        params: SegmentParams {
            colour,
            coordinate_scale,
            max_pixels: max_pixels.map_or(AutoOr::Auto, AutoOr::Fixed),
            scribble_points,
            min_region: min_region.map_or(AutoOr::Auto, AutoOr::Fixed),
        },
    };
    let (shared, settings) = (Arc::clone(&image), segment.clone());
    let found = run::cancellable(py, n_jobs, move |observer| {
        settings.fit(&shared, scribbles.as_ref(), observer)
    })?;
    let found = found.or_raise()?;
    let kept = found.clustering.report.kept();
    Ok(SegmentResult {
        image,
        fitted: Arc::new((segment, found.model)),
        scribbles: found.scribbles.as_ref().map_or_else(Vec::new, of_scribbles),
        n_kept: kept,
        n_broken: found.clustering.report.broken(),
        labels: found.labels,
        n_segments: found.n_segments,
        pooled: found.pooled.map(|pooled| (pooled.pools, pooled.side)),
        n_labelled: found.scribbles.map_or(0, |scribbles| scribbles.labelled),
    })
}
