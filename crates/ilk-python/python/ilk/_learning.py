"""What clustering methods that learn a kernel share."""

from __future__ import annotations

import json
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin, clone

from . import _core
from ._base import Clusterer, PredictMixin, jobs
from ._learned import LearnedKernel

Self = TypeVar("Self", bound="FixedKClusterer")


class LearningClusterer(
    PredictMixin,
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]  # it has no types
    TransformerMixin,  # type: ignore[misc]
    Clusterer,
):
    """A method that learns a kernel and finds groups in its space."""

    kernel: str
    n_jobs: int | None

    kernel_: LearnedKernel
    sigma_: float | None
    gamma_: float
    rank_: int | None
    cluster_centers_: npt.NDArray[np.float64]

    def transform(self, X: Any) -> npt.NDArray[np.float64]:
        """Return points in the space in which the groups were found.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The points. With ``kernel="precomputed"``, rows of kernel values with the points that
            were fitted.

        Returns
        -------
        F : ndarray of shape (n_samples, n_components)
            Features whose dot products are the learned kernel, as far as so many can express it.
        """
        X = self._new_points(X)
        return self.kernel_.transform(X)

    @property
    def _n_features_out(self) -> int:
        return self.kernel_.n_components_

    def _set_model(self, model: _core.Model) -> None:
        super()._set_model(model)
        learned = model.kernel
        if learned is None:
            raise ValueError(f"the model of {type(self).__name__} holds no learned kernel")
        self.kernel_ = LearnedKernel(learned, self.kernel == "precomputed", jobs(self.n_jobs))
        # What was given counts as written in the model; what was left open was chosen.
        settings = json.loads(model.method)["params"]
        settings.update({each.parameter: each.value for each in self.chosen_})
        has_width = self.kernel == "gaussian"
        self.sigma_ = float(settings["sigma"]) if has_width else None
        self.gamma_ = float(settings["gamma"])
        self.rank_ = self.kernel_.rank_

    def _set_fit_attributes(self, result: _core.FitResult) -> None:
        if result.centers is not None:
            self.cluster_centers_ = result.centers

    def _is_matrix(self) -> bool:
        return self.kernel == "precomputed"


class FixedKClusterer(LearningClusterer):
    """A method that is given the number of clusters."""

    n_clusters: int | str | None

    def regroup(self: Self, X: Any, n_clusters: int) -> Self:
        """Find another number of groups in the same learned space, without learning again.

        Labels are not refined.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The points that were fitted.
        n_clusters : int
            Number of clusters.

        Returns
        -------
        estimator
            A new one, fitted with that number; this one stays as it is.
        """
        X = self._new_points(X)
        if len(X) != len(self.labels_):
            raise ValueError(
                f"X has {len(X)} points, but {len(self.labels_)} were fitted; regroup needs those"
            )
        again: Self = clone(self).set_params(n_clusters=n_clusters)
        # The model knows the seed that was drawn where random_state was None.
        recipe = json.loads(self._model.method)
        recipe["params"]["n_clusters"] = json.loads(again._engine_json())["params"]["n_clusters"]
        if recipe["params"].get("n_neighbors") == "auto":
            chosen = {each.parameter: each.value for each in self.chosen_}
            if "n_neighbors" in chosen:
                recipe["params"]["n_neighbors"] = int(chosen["n_neighbors"])
        constraints = getattr(self, "_constraints", None)
        core = None if constraints is None else constraints._core
        text = json.dumps(recipe)
        result = _core.regroup(text, self._model, X, core, jobs(self.n_jobs))
        for name in ("n_features_in_", "feature_names_in_", "index_", "_constraints"):
            if hasattr(self, name):
                setattr(again, name, getattr(self, name))
        index = getattr(self, "index_", None)
        ids = None if constraints is None else constraints.ids
        again._set_result(result, ids if index is None else list(index))
        return again
