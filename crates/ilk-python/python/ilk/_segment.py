"""Segments of images."""

from __future__ import annotations

import json
import numbers
import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning

from . import _core
from ._base import jobs, plain
from ._random import RandomState, seed_from

COLOURS = ("rgb", "lab", "grey")


@dataclass(frozen=True)
class ScribbleReport:
    """What became of a scribble.

    Attributes
    ----------
    value : int
        Its value in the scribbles that were given.
    n_pixels : int
        Its pixels.
    segment : int
        The segment that holds most of them; -1 where most have none.
    n_held : int
        How many that segment holds.
    """

    value: int
    n_pixels: int
    segment: int
    n_held: int


class Segmentation:
    """The segments of an image, as :func:`segment` returns them.

    ``numpy.asarray`` of it gives the labels; a notebook shows the image with its boundaries.

    Attributes
    ----------
    labels : ndarray of int32, shape (height, width)
        The segment of every pixel, from 0; -1 where it has none.
    n_segments : int
        Number of segments.
    pooled : tuple (pools, side) or None
        How many pools of pixels the method was given, and the side of the blocks, in pixels, from
        which they started; ``None`` where it was given every pixel.
    n_labelled : int
        Points of scribbles that were given to the method.
    scribbles : list of ScribbleReport
        What became of every scribble, in the order of their values.
    n_kept, n_broken : int
        How many of the points of scribbles are in the segment with most points of their scribble, and
        how many are not.
    """

    def __init__(
        self, result: _core.SegmentResult, is_grey: bool, values: list[int], threads: int | None
    ) -> None:
        self._result = result
        self._is_grey = is_grey
        self.labels = result.labels()
        self.n_segments = result.n_segments
        self.pooled = result.pooled
        self.n_labelled = result.n_labelled
        self.scribbles = [
            ScribbleReport(value, *each)
            for value, each in zip(values, result.scribbles, strict=True)
        ]
        self.n_kept = result.n_kept
        self.n_broken = result.n_broken
        self._threads = threads

    def predict(self, image: npt.ArrayLike) -> npt.NDArray[np.int32]:
        """Return the segments of another image, such as the next frame, by the model of this one.

        Every pixel goes to the segment of the pixels of this image that it is like, in colour and
        place. It is not pooled, and small regions are absorbed as here.

        Parameters
        ----------
        image : array-like of shape (height, width) or (height, width, 1, 3 or 4)
            An image with as many channels.

        Returns
        -------
        labels : ndarray of int32, shape (height, width)
            The segment of every pixel, from 0; -1 where it has none.
        """
        return self._result.predict(_image(image)[0], self._threads)

    def sizes(self) -> npt.NDArray[np.int64]:
        """Return the number of pixels of every segment."""
        return np.bincount(self.labels[self.labels >= 0], minlength=self.n_segments)

    def means(self) -> npt.NDArray[np.float32]:
        """Return the image in the mean colours of its segments, with values from 0 to 1.

        Its shape is (height, width) for a grey image, else (height, width, 3).
        """
        means = self._result.means()
        return means[:, :, 0] if self._is_grey else means

    def boundaries(self) -> npt.NDArray[np.float32]:
        """Return the image with its boundaries in yellow, of shape (height, width, 3)."""
        return self._result.boundaries()

    def palette(self) -> npt.NDArray[np.float32]:
        """Return the segments in colours of their own, of shape (height, width, 3)."""
        return self._result.palette()

    def __array__(
        self, dtype: npt.DTypeLike | None = None, copy: bool | None = None
    ) -> npt.NDArray[Any]:
        if copy is False and dtype is not None and np.dtype(dtype) != self.labels.dtype:
            raise ValueError("labels of another type need a copy")
        labels = self.labels if dtype is None else self.labels.astype(dtype, copy=False)
        return labels.copy() if copy else labels

    def _repr_png_(self) -> bytes:
        return self._result.png()

    def __repr__(self) -> str:
        height, width = self.labels.shape
        pooled = "" if self.pooled is None else f", pooled={self.pooled}"
        return f"Segmentation({width} x {height} pixels, n_segments={self.n_segments}{pooled})"


def segment(
    image: npt.ArrayLike,
    n_clusters: int | None = None,
    method: str | None = None,
    *,
    scribbles: npt.ArrayLike | None = None,
    colour: Literal["rgb", "lab", "grey"] = "rgb",
    coordinate_scale: float = 0.33,
    max_pixels: int | None = None,
    scribble_points: int = 400,
    min_region: int | None = None,
    random_state: RandomState = None,
    n_jobs: int | None = None,
    **params: Any,
) -> Segmentation:
    r"""Find the segments of an image: regions of similar colour that lie together.

    Every pixel is a point with its colour, from 0 to 1 in each channel, and its place, each
    coordinate from 0 to ``coordinate_scale``; a method groups the points. Images of more than
    ``max_pixels`` pixels are pooled first: each pixel goes to the best of nine pools around it, the
    method groups the pools, and every pixel has the segment of its pool.

    Parameters
    ----------
    image : array-like of shape (height, width) or (height, width, 1, 3 or 4)
        The image, grey or colour: unsigned integers of 8 or 16 bits, booleans, or floats from 0
        to 1. A fourth channel is opacity; what is transparent is taken as it looks on white.
    n_clusters : int, optional
        Number of segments, for methods that do not find it themselves. With scribbles it is by
        default the number of scribbles; otherwise the method chooses it.
    method : str, optional
        The engine's name of a method on points, such as ``"mean-shift"``. By default
        ``"mssc"``, whose ``bandwidth`` is 0.04 for images and whose ``cell`` 0.1, and with
        scribbles ``"e2cp"``.
    scribbles : array-like of int, shape (height, width), optional
        0 is nothing, and pixels of any two other values must be in different segments. The
        method has to be one that takes labels.
    colour : {"rgb", "lab", "grey"}, default="rgb"
        In which colours pixels are compared. L*a*b* is divided by 100.
    coordinate_scale : float, default=0.33
        How far apart the ends of the image are, where black and white are 1 apart in each
        channel.
    max_pixels : int, optional
        Pixels that the method is given at most; more are pooled. By default 200,000, and 10,000
        with scribbles, since methods that listen do more for every point.
    scribble_points : int, default=400
        Points of a scribble that the method is given at most.
    min_region : int, optional
        Pixels that a connected region has at least; smaller ones go to the segment around them,
        unless a scribble touches them, and 0 leaves all. By default one in 2,000 of the image's.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the method, if anything in it is random.
    n_jobs : int or None, default=None
        Threads: -1 is all cores, ``None`` leaves it to ``RAYON_NUM_THREADS`` or the machine. The
        result does not depend on it.
    **params
        Parameters of the method, under the names that its estimator has.

    Returns
    -------
    segmentation : Segmentation
        The ``labels``, and images of them.

    Examples
    --------
    >>> import ilk, numpy as np
    >>> image = np.zeros((20, 30, 3), dtype=np.uint8)
    >>> image[:, 10:20] = [255, 0, 0]
    >>> image[:, 20:] = [0, 0, 255]
    >>> found = ilk.segment(image, 3, random_state=0)
    >>> found.sizes()
    array([200, 200, 200])
    >>> found.boundaries().shape
    (20, 30, 3)

    A method that finds the number of segments, and what it takes:

    >>> ilk.segment(image, method="mean-shift", bandwidth=0.2, blurring=True)
    Segmentation(30 x 20 pixels, n_segments=3)

    Scribbles: two shades that belong together, and one that does not.

    >>> scribbles = np.zeros((20, 30), dtype=int)
    >>> scribbles[5, 2:18] = 1
    >>> scribbles[5, 22:28] = 2
    >>> guided = ilk.segment(image, scribbles=scribbles, random_state=0)
    >>> guided.n_segments, len(np.unique(guided.labels[:, :20]))
    (2, 1)
    """
    image, is_grey = _image(image)
    scribbles, values = _scribbles(scribbles, image.shape[:2])
    n_scribbles = len(values)
    without, with_scribbles = _core.segment_methods()
    name = method if method is not None else (without if scribbles is None else with_scribbles)
    known = {info["name"]: info for info in _core.methods()}
    if name not in known:
        raise ValueError(f"there is no method {name!r}; known methods: {', '.join(known)}")
    parameters = list(known[name]["parameters"])
    if "seed" in params:
        raise TypeError("segment takes random_state, not seed")
    settings = json.loads(_core.segment_settings(name))
    settings.update({key: plain(key, value) for key, value in params.items()})
    if n_clusters is None and "n_clusters" in parameters and scribbles is not None:
        n_clusters = n_scribbles
        if n_scribbles < 2:
            raise ValueError("one scribble separates nothing: draw another, or give n_clusters")
    if n_clusters is not None:
        if "n_clusters" not in parameters:
            raise ValueError(
                f"{name} finds the number of segments itself; leave n_clusters out and steer it by "
                f"its parameters: {', '.join(parameters)}"
            )
        settings["n_clusters"] = plain("n_clusters", n_clusters)
    if "seed" in parameters:
        settings["seed"] = seed_from(random_state)
    if colour not in COLOURS:
        raise ValueError(
            f"colour = {colour!r} is not understood: it must be one of {', '.join(COLOURS)}"
        )
    result = _core.segment(
        json.dumps({"method": name, "params": settings}),
        image,
        scribbles,
        colour,
        float(coordinate_scale),
        None if max_pixels is None else _count("max_pixels", max_pixels),
        _count("scribble_points", scribble_points),
        None if min_region is None else _count("min_region", min_region, least=0),
        jobs(n_jobs),
    )
    asked = settings.get("n_clusters")
    if isinstance(asked, int) and result.n_segments < asked:
        warnings.warn(
            f"{name} found {result.n_segments} segments, fewer than n_clusters = {asked}: the image "
            "has too few different colours and places for more, or scribbles hold them together",
            ConvergenceWarning,
            stacklevel=2,
        )
    return Segmentation(result, is_grey, values, jobs(n_jobs))


def _count(name: str, value: Any, least: int = 1) -> int:
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} = {value!r} is out of range: a whole number from {least}")
    return int(value)


def _image(image: npt.ArrayLike) -> tuple[npt.NDArray[np.float32], bool]:
    """Return an image as (height, width, 1 or 3) from 0 to 1, and whether it had no channels."""
    given = np.asarray(image)
    is_grey = given.ndim == 2
    array = given[:, :, np.newaxis] if is_grey else given
    if array.ndim != 3 or array.shape[2] not in (1, 3, 4):
        raise ValueError(
            f"image has the shape {given.shape}: it must be (height, width), or (height, width, "
            "channels) with 1, 3 or 4 channels"
        )
    if array.dtype == np.bool_:
        values = array.astype(np.float32)
    elif array.dtype in (np.uint8, np.uint16):
        values = array.astype(np.float32) / np.float32(np.iinfo(array.dtype).max)
    elif np.issubdtype(array.dtype, np.floating):
        values = array.astype(np.float32)
    else:
        raise ValueError(
            f"image is of type {array.dtype}: it must be uint8, uint16, bool, or floats from 0 to 1"
        )
    if array.shape[2] == 4:
        if not ((values >= 0) & (values <= 1)).all():
            # Blending would hide them from the engine, which names the first.
            raise ValueError("image holds a value that is out of range: a number from 0 to 1")
        opacity = values[:, :, 3:]
        values = np.clip(values[:, :, :3] * opacity + (1 - opacity), 0, 1)
    return np.ascontiguousarray(values), is_grey


def _scribbles(
    scribbles: npt.ArrayLike | None, shape: tuple[int, ...]
) -> tuple[npt.NDArray[np.uint32] | None, list[int]]:
    """Return scribbles numbered from 1 in the order of their values, and these."""
    if scribbles is None:
        return None, []
    given = np.asarray(scribbles)
    if given.shape != shape:
        raise ValueError(f"scribbles have the shape {given.shape}, but the image has {shape}")
    if not (np.issubdtype(given.dtype, np.integer) or given.dtype == np.bool_):
        raise ValueError(f"scribbles are of type {given.dtype}: they must be integers")
    values = np.unique(given)
    if given.size and values[0] < 0:
        raise ValueError(
            f"scribbles hold {values[0]}: 0 is nothing, and scribbles have values above 0"
        )
    values = values[values > 0]
    if len(values) == 0:
        raise ValueError("scribbles hold no scribble: every pixel is 0")
    numbered = np.where(given > 0, np.searchsorted(values, given) + 1, 0)
    return np.ascontiguousarray(numbered.astype(np.uint32)), values.tolist()
