"""Input that is a graph or a matrix instead of points."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import validate_data

from . import _core
from ._base import Clusterer, engine_json, jobs
from ._constraints import Constraints
from ._progress import Callback
from ._rows import compressed_rows

#: What ``X`` may be.
INPUTS = ("points", "graph", "kernel")


class GraphInput(Clusterer):
    """A method whose ``input`` is points, the adjacency matrix of a graph, or a kernel matrix."""

    #: The parameter that is "precomputed" where a matrix stands for points.
    _matrix_parameter: ClassVar[str]

    input: str

    def _validated(self, X: Any) -> Any:
        if self.input not in INPUTS:
            raise ValueError(
                f"input = {self.input!r} is not understood: it must be one of {', '.join(INPUTS)}"
            )
        if self.input != "graph":
            return super()._validated(X)
        X = validate_data(self, X, dtype=np.float64, accept_sparse="csr", order="C")
        if X.shape[0] != X.shape[1]:
            raise ValueError(
                f"an adjacency matrix has as many rows as columns, not {X.shape[0]} x {X.shape[1]}; "
                "for points leave out input='graph'"
            )
        return X

    def _run(
        self, X: Any, weights: Any, constraints: Constraints, callback: Callback
    ) -> _core.FitResult:
        if self.input != "points" and weights is not None and not np.all(weights):
            raise ValueError(
                f"sample_weight holds 0: with input={self.input!r} leave such points out of the "
                "matrix, and predict them"
            )
        if self.input != "graph":
            return super()._run(X, weights, constraints, callback)
        links = compressed_rows(X)
        threads = jobs(self.n_jobs)
        return _core.fit_graph(
            self._engine_json(), *links, weights, constraints._core, threads, callback
        )

    def _engine_json(self) -> str:
        given = self
        if self.input == "kernel":
            params = self.get_params(deep=False)
            given = type(self)(**{**params, self._matrix_parameter: "precomputed"})
        return engine_json(given, self._method, leave_out=("input",))

    def _is_matrix(self) -> bool:
        return self.input != "points" or getattr(self, self._matrix_parameter) == "precomputed"

    def _takes_sparse(self) -> bool:
        return self.input == "graph" or not self._is_matrix()
