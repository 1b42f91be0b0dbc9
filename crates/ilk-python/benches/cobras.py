"""COBRAS by its authors' package, on the whole sets on which ``ilk reproduce ask`` runs the default.

``pip install cobras_ts==0.1.3 scikit-learn``, then ``python cobras.py [--seeds 5]``. Prints Markdown: the
adjusted Rand index of all points after so many right answers, means over seeds. The rows are those of the
exhibit ``whole``: all of a set, every column with mean 0 and deviation 1. The package takes no seed, so that
NumPy's and the standard library's are set.
"""

from __future__ import annotations

import argparse
import random
from importlib.metadata import version
from pathlib import Path

import numpy as np
from cobras_ts.cobras_kmeans import COBRAS_kmeans
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import StandardScaler

DATA = Path(__file__).resolve().parents[3].parent / "shared" / "data"
SETS = ("iris", "wine", "wdbc", "wbc_original", "digits_sklearn")
AT = (10, 20, 30, 50, 70, 100, 150, 200)


# Version 0.1.3 of 2019 uses a name that NumPy has not had since 1.24.
setattr(np, "int", int)  # noqa: B010


class Truth:
    """Answers by the classes; the package's own class of this kind loads a web server."""

    def __init__(self, truth: np.ndarray) -> None:
        self.truth = truth

    def query_points(self, a: int, b: int) -> bool:
        """Return whether two points belong together."""
        return bool(self.truth[a] == self.truth[b])

    def update_clustering(self, clustering: object) -> None:
        """Show nothing."""

    def continue_cluster_process(self) -> bool:
        """Go on to the last question."""
        return True


def curve(points: np.ndarray, truth: np.ndarray, seed: int) -> list[float]:
    """Return the adjusted Rand index after each number of answers."""
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002, the package draws from the global generator
    cobras = COBRAS_kmeans(points, Truth(truth), AT[-1])
    final, clusterings, _, _, _ = cobras.cluster()
    labels = [found for found in clusterings if found is not None]
    # What was found before the first merging phase ended is none; the last one stands where questions ended early.
    at = [clusterings[min(n, len(clusterings)) - 1] for n in AT]
    first = labels[0] if labels else final.construct_cluster_labeling()
    return [adjusted_rand_score(truth, first if found is None else found) for found in at]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args()
    print(f"cobras_ts {version('cobras_ts')}, means of {options.seeds} seeds\n")
    print("| set | rows | " + " | ".join(map(str, AT)) + " |\n|---|---|" + "---|" * len(AT))
    for name in SETS:
        stored = np.load(options.data / name / f"{name}.npz")
        points = StandardScaler().fit_transform(stored["X"])
        truth = np.unique(stored["y"], return_inverse=True)[1]
        curves = [curve(points, truth, seed) for seed in range(options.seeds)]
        cells = " | ".join(f"{mean:.3f}" for mean in np.mean(curves, axis=0))
        print(f"| {name} | {len(points)} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
