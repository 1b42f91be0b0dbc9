"""Clustering that listens to people.

``ilk`` clusters data with the help of the little that a person knows about it: these two belong
together, these two do not, of these three that one is the odd one out, or a few labels. Estimators
follow scikit-learn; the work is done in Rust, on all cores, with the interpreter lock released.

Examples
--------
>>> import ilk
>>> X = [[0.0, 0.0], [0.1, 0.0], [3.0, 3.0], [3.1, 3.0]]
>>> ilk.MeanShift(bandwidth=1.0).fit(X, must_link=[[0, 1]]).n_clusters_
2
"""

from . import datasets, metrics
from ._cms import CMS
from ._constraints import Conflict, Constraints
from ._core import __version__
from ._load import load
from ._make_constraints import make_constraints
from ._mean_shift import MeanShift
from ._report import ConstraintReport, KindReport

__all__ = [
    "CMS",
    "Conflict",
    "ConstraintReport",
    "Constraints",
    "KindReport",
    "MeanShift",
    "__version__",
    "datasets",
    "load",
    "make_constraints",
    "metrics",
]
