"""Data whose truth is known.

Every function returns the points in the order of their groups and the true groups, ``(X, y)``. The
same ``random_state`` gives the same set here, in Rust and on the command line.

Examples
--------
>>> from ilk import datasets
>>> X, y = datasets.make_moons(n=100, random_state=0)
>>> X.shape, y.shape
((100, 2), (100,))
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._random import RandomState, seed_from

__all__ = [
    "make_blobs",
    "make_concentric_circles",
    "make_half_circles",
    "make_moons",
    "make_nested_blobs",
    "make_olympic_circles",
    "make_planted_graph",
    "make_rings_and_blob",
    "make_two_circles",
]

Points = npt.NDArray[np.float64]
Groups = npt.NDArray[np.int64]


def make_moons(
    n: int = 200,
    noise: float = 0.05,
    random_state: RandomState = None,
) -> tuple[Points, Groups]:
    """Two half moons of radius 1, one hooked into the other.

    The upper moon is centred on (0, 0), the lower on (1, 0.5); points are evenly spaced along them
    before noise. As scikit-learn's ``make_moons``.

    Parameters
    ----------
    n : int, default=200
        Points in all; the upper moon has the smaller half.
    noise : float, default=0.05
        Standard deviation of the noise in each coordinate.
    random_state : int, RandomState, Generator or None, default=None
        The seed.

    Returns
    -------
    X : ndarray of shape (n, 2)
    y : ndarray of shape (n,)
    """
    X, y, _ = _generate("moons", **locals())
    return X, y


def make_two_circles(
    per_circle: int = 100,
    inner: float = 1.0,
    outer: float = 3.0,
    noise: float = 0.15,
    random_state: RandomState = None,
) -> tuple[Points, Groups]:
    """A circle inside another.

    Both are centred on (0, 0); angles are uniform.

    Parameters
    ----------
    per_circle : int, default=100
        Points on each circle.
    inner : float, default=1.0
        Radius of the inner circle.
    outer : float, default=3.0
        Radius of the outer circle.
    noise : float, default=0.15
        Standard deviation of the noise in each coordinate.
    random_state : int, RandomState, Generator or None, default=None
        The seed.

    Returns
    -------
    X : ndarray of shape (n, 2)
    y : ndarray of shape (n,)
    """
    X, y, _ = _generate("two-circles", **locals())
    return X, y


def make_olympic_circles(
    per_circle: int = 300,
    radius: float = 2.0,
    noise: float = 0.08,
    random_state: RandomState = None,
) -> tuple[Points, Groups]:
    """Five circles that cross like the Olympic rings.

    Centres (-4.4, 0), (0, 0), (4.4, 0), (-2.2, -2) and (2.2, -2); angles are uniform.

    Parameters
    ----------
    per_circle : int, default=300
        Points on each circle.
    radius : float, default=2.0
        Radius of the circles; the centres stay where they are.
    noise : float, default=0.08
        Standard deviation of the noise in each coordinate.
    random_state : int, RandomState, Generator or None, default=None
        The seed.

    Returns
    -------
    X : ndarray of shape (n, 2)
    y : ndarray of shape (n,)
    """
    X, y, _ = _generate("olympic-circles", **locals())
    return X, y


def make_concentric_circles(
    circles: int = 10,
    per_circle: int = 100,
    noise: float = 0.1,
    random_state: RandomState = None,
) -> tuple[Points, Groups]:
    """Circles of radius 1, 2, 3, ... around one centre.

    Every circle has the same number of points, so that the outer ones are sparse.

    Parameters
    ----------
    circles : int, default=10
        Number of circles.
    per_circle : int, default=100
        Points on each circle.
    noise : float, default=0.1
        Standard deviation of the noise in each coordinate.
    random_state : int, RandomState, Generator or None, default=None
        The seed.

    Returns
    -------
    X : ndarray of shape (n, 2)
    y : ndarray of shape (n,)
    """
    X, y, _ = _generate("concentric-circles", **locals())
    return X, y


def make_half_circles(
    per_arc: int = 250,
    blob: int = 100,
    radius: float = 11.0,
    noise: float = 0.5,
    noise_right: float = 0.8,
    spread: float = 4.0,
    random_state: RandomState = None,
) -> tuple[Points, Groups]:
    """Two hooked half circles with different noise, and a wide blob.

    No straight line separates the half circles, and the blob is less dense than either.

    Parameters
    ----------
    per_arc : int, default=250
        Points on each half circle.
    blob : int, default=100
        Points in the blob.
    radius : float, default=11.0
        Radius of the half circles; everything else is placed by it.
    noise : float, default=0.5
        Standard deviation of the noise on the left half circle.
    noise_right : float, default=0.8
        Standard deviation of the noise on the right half circle.
    spread : float, default=4.0
        Standard deviation of the blob.
    random_state : int, RandomState, Generator or None, default=None
        The seed.

    Returns
    -------
    X : ndarray of shape (n, 2)
    y : ndarray of shape (n,)
    """
    X, y, _ = _generate("half-circles", **locals())
    return X, y


def make_rings_and_blob(
    rings: int = 2,
    per_ring: int = 110,
    blob: int = 60,
    radius: float = 7.5,
    stretch: float = 1.15,
    noise: float = 0.35,
    spread: float = 1.0,
    random_state: RandomState = None,
) -> tuple[Points, Groups]:
    """Rings around each other and a dense blob outside of them.

    Ring i (from 0) has radius ``(2 i + 1) stretch**i radius`` and ``(2 i + 1) per_ring`` points, so
    that each is a little less dense than the one inside.

    Parameters
    ----------
    rings : int, default=2
        Number of rings.
    per_ring : int, default=110
        Points on the innermost ring.
    blob : int, default=60
        Points in the blob.
    radius : float, default=7.5
        Radius of the innermost ring.
    stretch : float, default=1.15
        How much wider each ring is than in proportion to its points.
    noise : float, default=0.35
        Standard deviation of the noise on the innermost ring; ring i has ``i + 1`` times it.
    spread : float, default=1.0
        Standard deviation of the blob.
    random_state : int, RandomState, Generator or None, default=None
        The seed.

    Returns
    -------
    X : ndarray of shape (n, 2)
    y : ndarray of shape (n,)
    """
    X, y, _ = _generate("rings-and-blob", **locals())
    return X, y


def make_blobs(
    n: int = 300,
    centers: int = 3,
    dims: int = 2,
    spread: float = 1.0,
    reach: float = 10.0,
    random_state: RandomState = None,
) -> tuple[Points, Groups]:
    """Round normal groups around random centres.

    Centres are uniform in the cube from ``-reach`` to ``reach``. As scikit-learn's ``make_blobs``.

    Parameters
    ----------
    n : int, default=300
        Points in all, shared out evenly.
    centers : int, default=3
        Number of groups.
    dims : int, default=2
        Number of coordinates.
    spread : float, default=1.0
        Standard deviation of each group in each coordinate.
    reach : float, default=10.0
        Half the width of the cube in which centres lie.
    random_state : int, RandomState, Generator or None, default=None
        The seed.

    Returns
    -------
    X : ndarray of shape (n, dims)
    y : ndarray of shape (n,)
    """
    X, y, _ = _generate("blobs", **locals())
    return X, y


def make_nested_blobs(
    groups: int = 3,
    subgroups: int = 3,
    per_subgroup: int = 40,
    spread: float = 0.5,
    separation: float = 6.0,
    random_state: RandomState = None,
) -> tuple[Points, Groups, Groups]:
    """Groups of groups: a few far places, each with a few near ones.

    Both levels are a right answer, and only a person can say which is meant.

    Parameters
    ----------
    groups : int, default=3
        Number of large groups.
    subgroups : int, default=3
        Number of small groups in each large one.
    per_subgroup : int, default=40
        Points in each small group.
    spread : float, default=0.5
        Standard deviation of a small group in each coordinate.
    separation : float, default=6.0
        Distance between neighbouring small groups, in spreads.
    random_state : int, RandomState, Generator or None, default=None
        The seed.

    Returns
    -------
    X : ndarray of shape (n, 2)
    y : ndarray of shape (n,)
        The small group of every point.
    y_coarse : ndarray of shape (n,)
        The large group of every point.

    Examples
    --------
    >>> X, y, y_coarse = make_nested_blobs(groups=2, subgroups=3, random_state=0)
    >>> len(set(y.tolist())), len(set(y_coarse.tolist()))
    (6, 2)
    """
    return _generate("nested-blobs", **locals())


def make_planted_graph(
    n: int = 1000,
    blocks: int = 4,
    p_in: float = 0.05,
    p_out: float = 0.005,
    random_state: RandomState = None,
) -> tuple[Any, Groups]:
    """A random graph with planted blocks: the stochastic block model.

    Two nodes of one block are joined with probability ``p_in``, two of different blocks with
    ``p_out``, all independently. Time and memory are linear in nodes and edges.

    Parameters
    ----------
    n : int, default=1000
        Number of nodes, shared out evenly.
    blocks : int, default=4
        Number of blocks.
    p_in : float, default=0.05
        Probability of an edge inside a block.
    p_out : float, default=0.005
        Probability of an edge between blocks.
    random_state : int, RandomState, Generator or None, default=None
        The seed.

    Returns
    -------
    A : scipy.sparse.csr_array of shape (n, n)
        The symmetric adjacency matrix, with ones.
    y : ndarray of shape (n,)
        The block of every node.

    Examples
    --------
    >>> A, y = make_planted_graph(n=100, random_state=0)
    >>> A.shape, bool((A != A.T).nnz)
    ((100, 100), False)
    """
    from scipy.sparse import csr_array

    edges, y, _ = _generate(
        "planted-graph", random_state, n=n, blocks=blocks, p_in=p_in, p_out=p_out
    )
    ends = np.concatenate([edges, edges[:, ::-1]])
    ones = np.ones(len(ends))
    return csr_array((ones, (ends[:, 0], ends[:, 1])), shape=(len(y), len(y))), y


def _generate(name: str, random_state: RandomState, **params: Any) -> tuple[Any, Any, Any]:
    """Make a set by the engine's name of it.

    Parameters have the engine's names, so that a maker's ``locals()`` are all there is to pass.
    """
    plain = {k: v.item() if isinstance(v, np.generic) else v for k, v in params.items()}
    recipe = {"dataset": name, "params": plain}
    return _core.generate(json.dumps(recipe), seed_from(random_state))
