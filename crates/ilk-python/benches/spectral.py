"""Spectral clustering against scikit-learn's, on a dense kernel and on a graph of neighbours.

Prints Markdown. ``--quick`` takes fewer points.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

#: Seconds after which a measurement is given up.
CAP = 400

#: Clusters, dimensions, and neighbours.
K, DIMS, NEIGHBORS = 10, 10, 10


def data(n: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Round clusters that touch."""
    from sklearn.datasets import make_blobs

    X, y = make_blobs(n, n_features=DIMS, centers=K, cluster_std=3.5, random_state=3)
    return X, y


def width(X: npt.NDArray[np.float64]) -> float:
    """A sixth of the root of twice the variance of all: wide enough for the kernel to have a top."""
    return float(np.sqrt(2 * X.var(axis=0).sum()) / 6)


def ours(n: int, **params: Any) -> tuple[float, float]:
    """Seconds and ARI of ilk."""
    import ilk

    X, y = data(n)
    if params.pop("sigma", None):
        params["sigma"] = width(X)
    return measured(ilk.SpectralClustering(K, random_state=0, **params), X, y)


def theirs(n: int, **params: Any) -> tuple[float, float]:
    """Seconds and ARI of scikit-learn."""
    from sklearn.cluster import SpectralClustering

    X, y = data(n)
    if params["affinity"] == "rbf":
        params["gamma"] = 1 / (2 * width(X) ** 2)
    model = SpectralClustering(K, random_state=0, n_neighbors=NEIGHBORS, n_jobs=2, **params)
    return measured(model, X, y)


def lanczos(n: int) -> tuple[float, float]:
    """Seconds of the parts alone: neighbours, scipy's eigsh (ARPACK), k-means; and ARI."""
    from scipy.sparse import diags_array
    from scipy.sparse.linalg import eigsh
    from sklearn.cluster import KMeans
    from sklearn.metrics import adjusted_rand_score
    from sklearn.neighbors import kneighbors_graph

    X, y = data(n)
    start = time.perf_counter()
    graph = kneighbors_graph(X, NEIGHBORS, n_jobs=2)
    graph = graph.maximum(graph.T)
    root = diags_array(1 / np.sqrt(np.asarray(graph.sum(axis=1)).ravel()))
    _, vectors = eigsh(root @ graph @ root, k=K, which="LA", tol=1e-6)
    rows = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    labels = KMeans(K, n_init=10, random_state=0).fit_predict(rows)
    return time.perf_counter() - start, float(adjusted_rand_score(y, labels))


def measured(model: Any, X: Any, y: Any) -> tuple[float, float]:
    """Seconds of a fit, and its ARI."""
    from sklearn.metrics import adjusted_rand_score

    start = time.perf_counter()
    labels = model.fit_predict(X)
    return time.perf_counter() - start, float(adjusted_rand_score(y, labels))


#: What is measured: whose it is, on what, and how.
RUNS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("dense", "ilk, Lsym of all pairs", "ours", {"embedding": "laplacian", "graph": "full", "sigma": True}),
    ("dense", "ilk, KECA", "ours", {"embedding": "keca"}),
    ("dense", "ilk, KPCA", "ours", {"embedding": "kpca"}),
    ("dense", "scikit-learn, arpack", "theirs", {"affinity": "rbf"}),
    ("graph", "ilk, Lsym", "ours", {"embedding": "laplacian", "weight": "unit"}),
    ("graph", "ilk, Lrw", "ours", {"embedding": "laplacian", "weight": "unit", "laplacian": "rw"}),
    ("graph", "ilk, KECA of 500 columns", "ours", {"embedding": "keca"}),
    ("graph", "scikit-learn and scipy by hand: neighbours, eigsh, k-means", "lanczos", {}),
    ("graph", "scikit-learn, lobpcg", "theirs", {"affinity": "nearest_neighbors", "eigen_solver": "lobpcg"}),
    ("graph", "scikit-learn, arpack (its default)", "theirs", {"affinity": "nearest_neighbors"}),
]

WORKERS = {"ours": ours, "theirs": theirs, "lanczos": lanczos}


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer points")
    parser.add_argument("--worker", nargs=3, metavar=("NAME", "N", "PARAMS"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        warnings.simplefilter("ignore")
        name, n, params = options.worker
        WORKERS[name](min(int(n), 300), **json.loads(params))  # so that no import is timed
        print(json.dumps(WORKERS[name](int(n), **json.loads(params))))
        return 0
    sizes = {"dense": 1500, "graph": 5000} if options.quick else {"dense": 5000, "graph": 50_000}
    rows = []
    base: dict[str, float] = {}
    for where, name, worker, params in RUNS:
        n = sizes[where]
        command = [sys.executable, __file__, "--worker", worker, str(n), json.dumps(params)]
        try:
            done = subprocess.run(command, timeout=CAP, check=True, stdout=subprocess.PIPE)
            seconds, ari = json.loads(done.stdout)
            ratio = seconds / base.setdefault(where, seconds)
            rows.append([f"{n:,}", name, f"{seconds:.2f}", f"{ratio:.2f}", f"{ari:.3f}"])
        except subprocess.TimeoutExpired:
            rows.append([f"{n:,}", name, f"over {CAP}", "-", "-"])
    print(
        f"""## Spectral clustering against scikit-learn

{K} round clusters that touch, in {DIMS} dimensions; {sizes["dense"]:,} points with a Gaussian between all pairs,
and {sizes["graph"]:,} with a graph of the {NEIGHBORS} nearest neighbours, whose edges weigh 1. Every row is a process
of its own, one after the other, with two threads; seconds are those of `fit_predict`, from points to
labels, and ratios are times as many seconds as the first row of the same points. All run 10 descents of
k-means.
"""
    )
    print(table(["points", "what", "seconds", "ratio", "ARI"], rows))
    return 0


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    sys.exit(main())
