"""Answers drawn from a truth."""

from __future__ import annotations

import json

import numpy as np
import numpy.typing as npt

from . import _core
from ._constraints import Constraints
from ._entries import label_codes
from ._random import RandomState, seed_from


def make_constraints(
    y: npt.ArrayLike,
    per_class: int | None = None,
    n_pairs: int | None = None,
    n_triplets: int | None = None,
    noise: float = 0.0,
    random_state: RandomState = None,
    *,
    n_equal: int | None = None,
) -> Constraints:
    """Draw what a person who knows the truth might say about some points.

    The counts add up, and no pair and no three points are asked about twice.

    Parameters
    ----------
    y : array-like of shape (n,)
        The true classes: numbers or strings. Points whose class is unknown (-1, ``None``, NaN or
        ``""``) are never used.
    per_class : int, optional
        Label this many random points a class (all points of smaller classes) and take every
        must-link among those of one class, and as many random cannot-links between those of
        different classes. The protocol of semi-supervised kernel mean shift.
    n_pairs : int, optional
        This many random pairs of any points, with at least one cannot-link between every two
        classes. The protocol of semi-supervised kernel k-means.
    n_triplets : int, optional
        This many random odd-one-outs: two points of one class and one of another.
    noise : float, default=0.0
        The share of all answers that is wrong; exactly the rounded share is.
    random_state : int, RandomState, Generator or None, default=None
        The seed.
    n_equal : int, optional
        This many random about-equals: three points of one class, or of three.

    Returns
    -------
    Constraints

    Examples
    --------
    >>> import ilk
    >>> ilk.make_constraints(["a"] * 10 + ["b"] * 10, per_class=3, random_state=0)
    Constraints(n=20, must_link=6, cannot_link=6)
    """
    counts = {
        "per_class": per_class,
        "n_pairs": n_pairs,
        "n_triplets": n_triplets,
        "n_equal": n_equal,
    }
    answers: dict[str, float] = {"noise": float(noise)}
    for name, count in counts.items():
        if count is not None and (not isinstance(count, (int, np.integer)) or count < 0):
            raise ValueError(f"{name} = {count!r} is out of range: a whole number, at least 0")
        answers[name] = 0 if count is None else int(count)
    drawn = _core.draw(json.dumps(answers), label_codes(y), seed_from(random_state))
    return Constraints._wrap(drawn)
