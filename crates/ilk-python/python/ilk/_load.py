"""Reading model files."""

from __future__ import annotations

import json
import math
import os
from typing import TYPE_CHECKING, cast

import numpy as np

from . import _core
from ._base import ESTIMATORS, Clusterer, PredictMixin

if TYPE_CHECKING:

    class LoadedClusterer(PredictMixin, Clusterer):
        """What :func:`load` returns, for type checkers: every estimator can predict."""


def load(path: str | os.PathLike[str]) -> LoadedClusterer:
    """Read a model that :meth:`save` or the command line wrote.

    Parameters
    ----------
    path : path-like
        The file.

    Returns
    -------
    estimator
        Fitted, of the class and with the parameters that made the model. What a model does not
        keep (``constraint_report_``, ``trace_``, ``index_``, where centres went, and the
        ``cluster_centers_`` of methods that learn a kernel) is not there. If
        the command line scaled the columns before the fit, :meth:`predict` takes points in the
        units of the data and ``cluster_centers_`` are in them; ``bandwidth_`` is in scaled units.

    Examples
    --------
    >>> import os, tempfile, ilk
    >>> path = os.path.join(tempfile.mkdtemp(), "model.ilk")
    >>> ilk.MeanShift(bandwidth=1.0).fit([[0.0], [0.1], [5.0]]).save(path)
    >>> ilk.load(path).predict([[4.9]])
    array([1])
    """
    model = _core.Model.load(os.fspath(path))
    recipe = json.loads(model.method)
    estimator_class = ESTIMATORS.get(recipe["method"])
    if estimator_class is None:
        raise ValueError(
            f"{path} holds a {recipe['method']} model, for which this version has no estimator"
        )
    params = {
        name: math.inf if value == "inf" else value for name, value in recipe["params"].items()
    }
    if "seed" in params:
        params["random_state"] = params.pop("seed")
    estimator = estimator_class(**estimator_class._from_engine_params(params))
    if model.is_cosine and "metric" in estimator.get_params():
        estimator.set_params(metric="cosine")
    estimator._set_model(model)
    estimator.n_features_in_ = model.n_features
    if model.features is not None:
        estimator.feature_names_in_ = np.array(model.features, dtype=object)
    return cast("LoadedClusterer", estimator)
