"""k-means against scikit-learn's, from equal starts and whole.

Prints Markdown. ``--quick`` leaves out what takes minutes. Exits with 1 where the two libraries do
not find the same clusters, because a time without the same result says nothing.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

DATA = Path(__file__).resolve().parents[3].parent / "shared" / "data"
ROWS = 60_000

#: The sums may differ by this share, which is rounding: single points between two centres.
TOLERANCE = 1e-6


@dataclass(frozen=True)
class Task:
    """A set, how many of its principal components are kept, and the number of clusters."""

    name: str
    components: int | None
    clusters: int
    slow: bool


TASKS = [
    Task("mnist", None, 10, slow=True),
    Task("mnist", None, 100, slow=True),
    Task("mnist", 50, 10, slow=False),
    Task("mnist", 50, 100, slow=False),
    Task("heaps", 50, 10, slow=False),
    Task("heaps", 50, 100, slow=False),
    Task("heaps", 2, 100, slow=False),
]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out what takes minutes")
    options = parser.parse_args()
    import sklearn

    rows, notes, apart = [], [], []
    for task in TASKS:
        about = f"{task.name} in {task.components or 'all'} dimensions, {task.clusters} clusters"
        X = None if options.quick and task.slow else load(task)
        if X is None:
            notes.append(f"{about}: skipped, as the run is quick or the set is not there.")
            continue
        row, difference = compare(task, X)
        rows.append(row)
        if not abs(difference) <= TOLERANCE:
            apart.append(f"on {about} by a share of {difference:.1e}")
    print(f"""## k-means against scikit-learn

scikit-learn {sklearn.__version__}, with its two algorithms; one process, two threads, in turns; the
better of two runs of ilk, one of scikit-learn. First one descent from equal starts with the default
tolerance, and the sums that are reached, as their difference over that of scikit-learn. Then the
k-means++ start and a descent together, from one start; the descents differ in length there, because
the draws do. Of mnist there are {ROWS:,} rows; heaps are as many normal points around 100 places.
""")
    head = ["set", "n x d", "k", "steps", "ilk, s", "lloyd, s", "ratio", "elkan, s", "ratio"]
    head += ["sums differ by", "with start: ilk, s", "lloyd, s", "ratio"]
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    for note in notes + [f"**The sums differ** {message}." for message in apart]:
        print(f"\n{note}")
    for message in apart:
        print(f"THE SUMS DIFFER: {message}", file=sys.stderr)
    return 1 if apart else 0


def load(task: Task) -> npt.NDArray[np.float64] | None:
    """The points of a task, if they are there."""
    import numpy as np

    rng = np.random.default_rng(0)
    if task.name == "heaps":
        dims = task.components or 2
        places = 3 * rng.standard_normal((100, dims))
        return places[rng.integers(0, 100, ROWS)] + rng.standard_normal((ROWS, dims))
    path = DATA / task.name / f"{task.name}.npz"
    if not path.exists():
        return None
    X = np.load(path)["X"][:ROWS].astype(np.float64)
    X /= X.max()
    if task.components is not None:
        X -= X.mean(axis=0)
        axes = np.linalg.eigh(X.T @ X)[1][:, -task.components :]
        X = X @ axes
    return np.ascontiguousarray(X)


def compare(task: Task, X: npt.NDArray[np.float64]) -> tuple[list[str], float]:
    """A row of the table, and by how much the sums differ."""
    import ilk
    from sklearn import cluster

    k = task.clusters
    start, _ = cluster.kmeans_plusplus(X, k, random_state=1)
    ours = ilk.KMeans(k, init=start, n_jobs=2)
    lloyd = cluster.KMeans(k, init=start, n_init=1, algorithm="lloyd")
    elkan = cluster.KMeans(k, init=start, n_init=1, algorithm="elkan")
    first = seconds(ours, X)
    lloyd_time = seconds(lloyd, X)
    elkan_time = seconds(elkan, X)
    our_time = min(first, seconds(ours, X))
    whole = ilk.KMeans(k, n_init=1, n_jobs=2, random_state=0)
    their_whole = cluster.KMeans(k, n_init=1, random_state=0)
    whole_time, their_time = seconds(whole, X), seconds(their_whole, X)
    difference = ours.inertia_ / lloyd.inertia_ - 1
    row = [
        task.name,
        f"{X.shape[0]:,} x {X.shape[1]}",
        f"{k}",
        f"{ours.n_iter_}",
        *(f"{our_time:.3g}", f"{lloyd_time:.3g}", f"{lloyd_time / our_time:.3g}"),
        *(f"{elkan_time:.3g}", f"{elkan_time / our_time:.3g}", f"{difference:.1e}"),
        *(f"{whole_time:.3g}", f"{their_time:.3g}", f"{their_time / whole_time:.3g}"),
    ]
    return row, difference


def seconds(model: Any, X: npt.NDArray[np.float64]) -> float:
    """The time of a fit."""
    begin = time.perf_counter()
    model.fit(X)
    return time.perf_counter() - begin


if __name__ == "__main__":
    sys.exit(main())
