"""Choose a method or its parameters by constraints that the fit is not given.

With scikit-learn's metadata routing these work in ``GridSearchCV`` and the like:

>>> import ilk, numpy as np
>>> from ilk.model_selection import ConstraintKFold, constraint_scorer
>>> from sklearn import config_context
>>> from sklearn.model_selection import GridSearchCV
>>> X, truth = ilk.datasets.make_two_circles(random_state=0)
>>> constraints = ilk.make_constraints(truth, per_class=12, random_state=0)
>>> with config_context(enable_metadata_routing=True):
...     search = GridSearchCV(
...         ilk.MeanShift().set_fit_request(constraints=True),
...         {"bandwidth": [0.3, 3.0]},
...         scoring=constraint_scorer,
...         cv=ConstraintKFold(3, random_state=0),
...     ).fit(X, constraints=constraints)
>>> search.cv_results_["mean_test_score"].shape
(2,)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.metrics import cohen_kappa_score
from sklearn.utils import check_random_state
from sklearn.utils.metadata_routing import MetadataRequest

from ._constraints import Constraints

__all__ = ["ConstraintKFold", "ConstraintScorer", "constraint_score", "constraint_scorer"]

Rows = npt.NDArray[np.int64]


class ConstraintKFold:
    """Folds of the rows that constraints name, so that no held-out constraint follows from others.

    Each fold holds out some of the rows that constraints name; rows that none names are always
    fitted. The pairs of rows that are held out score the fit. No constraint of the fit names one of
    these rows, so nothing about them follows from it; pairs of a row that is held out and one that
    is not are in neither part.

    Parameters
    ----------
    n_splits : int, default=3
        Number of folds, at least 2.
    random_state : int, RandomState or None, default=None
        Seed of the folds.

    Examples
    --------
    >>> import ilk
    >>> from ilk.model_selection import ConstraintKFold
    >>> constraints = ilk.Constraints(6, must_link=[[0, 1]], cannot_link=[[1, 4], [4, 5]])
    >>> folds = ConstraintKFold(2, random_state=0).split(constraints=constraints)
    >>> sorted(row for _, test in folds for row in test.tolist())
    [0, 1, 4, 5]
    """

    def __init__(self, n_splits: int = 3, *, random_state: Any = None) -> None:
        self.n_splits = n_splits
        self.random_state = random_state

    def split(
        self,
        X: Any = None,
        y: Any = None,
        constraints: Constraints | None = None,
        groups: Any = None,
    ) -> Iterator[tuple[Rows, Rows]]:
        """Return the rows to fit to and those to hold out, fold by fold.

        Parameters
        ----------
        X, y : ignored
            As in scikit-learn's splitters.
        constraints : Constraints
            The constraints on the rows.
        groups : ignored
            As in scikit-learn's splitters.

        Yields
        ------
        train, test : ndarray of int
        """
        constraints = _needed(constraints, "ConstraintKFold", "split")
        if not isinstance(self.n_splits, (int, np.integer)) or self.n_splits < 2:
            raise ValueError(f"n_splits = {self.n_splits!r} is out of range: a number from 2")
        named = constraints._core.constrained_points()
        if len(named) < 2 * self.n_splits:
            raise ValueError(
                f"constraints name {len(named)} rows, and n_splits = {self.n_splits} folds need "
                "two each; give more constraints or fewer folds"
            )
        shuffled = check_random_state(self.random_state).permutation(named)
        everything = np.arange(constraints.n)
        for fold in np.array_split(shuffled, self.n_splits):
            test = np.sort(fold)
            yield np.setdiff1d(everything, test), test

    def get_n_splits(
        self, X: Any = None, y: Any = None, constraints: Any = None, groups: Any = None
    ) -> int:
        """Return the number of folds."""
        return int(self.n_splits)

    def get_metadata_routing(self) -> MetadataRequest:
        """Return what scikit-learn's metadata routing is to pass on: the constraints."""
        return _request(self, "split")


class ConstraintScorer:
    """Score a fitted clusterer by constraints that it was not given; see :func:`constraint_score`.

    A scorer in scikit-learn's sense, for ``scoring`` of ``GridSearchCV`` and
    ``cross_validate`` with metadata routing. ``ilk.model_selection.constraint_scorer`` is one.
    """

    def __call__(
        self, estimator: Any, X: Any, y: Any = None, constraints: Constraints | None = None
    ) -> float:
        """Return the score of what a fitted clusterer predicts for ``X``."""
        constraints = _needed(constraints, "constraint_scorer", "score")
        return constraint_score(constraints, estimator.predict(X))

    def get_metadata_routing(self) -> MetadataRequest:
        """Return what scikit-learn's metadata routing is to pass on: the constraints."""
        return _request(self, "score")

    def __repr__(self) -> str:
        return "ConstraintScorer()"


#: Scores a fitted clusterer by constraints.
constraint_scorer = ConstraintScorer()


def constraint_score(constraints: Constraints, labels: npt.ArrayLike) -> float:
    """Return how far labels agree with must-links, cannot-links and labels.

    It is Cohen's kappa, from -1 over 0 (chance) to 1, of "must be together" and "are together" over
    all pairs that the constraints state; over all pairs of points it would be the adjusted Rand
    index. Where they are all of one kind, it is the share of pairs that the labels keep. Without
    pairs it is nan.

    Parameters
    ----------
    constraints : Constraints
        The constraints on the points.
    labels : array-like of shape (n_samples,)
        The cluster of every point; points of noise (-1) are together with no other.

    Returns
    -------
    score : float

    Examples
    --------
    >>> import ilk
    >>> from ilk.model_selection import constraint_score
    >>> constraints = ilk.Constraints(4, must_link=[[0, 1]], cannot_link=[[0, 2], [1, 3]])
    >>> constraint_score(constraints, [0, 0, 1, 1])
    1.0
    """
    found = np.asarray(labels)
    if found.shape != (constraints.n,):
        raise ValueError(
            f"labels have the shape {found.shape}, but the constraints are on {constraints.n} points"
        )
    pairs, together = _pairs(constraints)
    if len(pairs) == 0:
        return float("nan")
    ends = found[pairs]
    predicted = (ends[:, 0] == ends[:, 1]) & (ends[:, 0] != -1)
    if together.all() or not together.any():
        return float((predicted == together).mean())
    if predicted.all() or not predicted.any():
        return 0.0
    return float(cohen_kappa_score(together, predicted))


def _pairs(constraints: Constraints) -> tuple[Rows, npt.NDArray[np.bool_]]:
    """Return all pairs that are stated, and which of them are together."""
    must, cannot = (constraints._core.entries(kind)[0] for kind in ("must_link", "cannot_link"))
    labels = constraints._core.entries("labels")
    rows, names = labels[0].reshape(-1), np.array(labels[1] or [], dtype=str)
    first, second = np.triu_indices(len(rows), 1)
    labelled = np.column_stack([rows[first], rows[second]]).astype(np.int64)
    pairs = np.concatenate([must.reshape(-1, 2), cannot.reshape(-1, 2), labelled])
    stated = (np.ones(len(must), bool), np.zeros(len(cannot), bool))
    return pairs, np.concatenate([*stated, names[first] == names[second]])


def _needed(constraints: Constraints | None, user: str, method: str) -> Constraints:
    if isinstance(constraints, Constraints):
        return constraints
    if constraints is not None:
        raise TypeError(f"constraints must be an ilk.Constraints, not {type(constraints).__name__}")
    raise ValueError(
        f"{user} needs constraints. In GridSearchCV and cross_validate they are passed on by "
        "scikit-learn's metadata routing: sklearn.set_config(enable_metadata_routing=True), "
        "estimator.set_fit_request(constraints=True), and search.fit(X, constraints=constraints)"
    )


def _request(owner: Any, method: str) -> MetadataRequest:
    request = MetadataRequest(owner=owner)
    getattr(request, method).add_request(param="constraints", alias=True)
    return request
