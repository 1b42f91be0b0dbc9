"""Mean shift against scikit-learn's, and how its time and memory grow with the number of points.

Prints Markdown. ``--quick`` leaves out what takes minutes. Exits with 1 where the two libraries do
not find the same modes, because a time without the same result says nothing.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

DATA = Path(__file__).resolve().parents[3].parent / "shared" / "data"
N_JOBS = 2

#: Modes may differ by this share of the bandwidth, which is rounding.
TOLERANCE = 1e-9

SIZES = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000]
QUICK_SIZES = SIZES[:4]

#: Seconds after which a series of growing sizes ends.
CAP = 120

#: How many of the largest sizes the exponent of time is fitted to.
LAST = 4


@dataclass(frozen=True)
class Task:
    """Rows of a set for both libraries, and the quantile of distances that is the bandwidth."""

    name: str
    rows: int
    quantile: float
    slow: bool


TASKS = [
    Task("s4", 5_000, 0.03, slow=False),
    Task("letter", 5_000, 0.02, slow=True),
    Task("cms_emb_mnist", 5_000, 0.03, slow=False),
    Task("cms_emb_mnist", 20_000, 0.03, slow=True),
]


@dataclass(frozen=True)
class Series:
    """A kernel on blobs of some dimension, for every size."""

    kernel: str
    dims: int
    bandwidth: float


SERIES = [
    Series("flat", 2, 2.0),
    Series("gaussian", 2, 1.0),
    Series("flat", 10, 5.0),
    Series("gaussian", 10, 2.0),
]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out what takes minutes")
    parser.add_argument("--worker", metavar="JSON", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        print(json.dumps(work(**json.loads(options.worker))))
        return 0
    # A new process starts with the peak memory of the one that made it, so the memory of processes
    # is measured while this one has loaded nothing yet.
    growing = growth(QUICK_SIZES if options.quick else SIZES)
    comparing, apart = comparison(options.quick)
    print(comparing)
    print(growing)
    for message in apart:
        print(f"THE MODES DIFFER: {message}", file=sys.stderr)
    return 1 if apart else 0


def comparison(quick: bool) -> tuple[str, list[str]]:
    """The table against scikit-learn, and what it shows that must not be."""
    import sklearn

    rows, notes, apart = [], [], []
    for task in TASKS:
        about = f"{task.name} ({task.rows:,} rows)"
        if quick and task.slow:
            notes.append(f"{about} is skipped in a quick run.")
            continue
        path = DATA / task.name / f"{task.name}.npz"
        if not path.exists():
            notes.append(f"{about} is skipped: there is no file {task.name}.npz.")
            continue
        row, difference = compare(task, path)
        rows.append(row)
        if not difference <= TOLERANCE:
            apart.append(f"on {about} by {difference:.1e} of the bandwidth")
    notes += [f"**The modes differ** {message}." for message in apart]
    head = [
        *("set", "n x d", "bandwidth", "clusters", "ilk, s", "scikit-learn, s", "ratio"),
        *("with bin_seeding, s", "ratio", "modes differ by", "labels equal"),
    ]
    text = f"""## Flat mean shift against scikit-learn

scikit-learn {sklearn.__version__}; both with n_jobs={N_JOBS}, in one process and in turns; the best
of three runs of ilk, one run of scikit-learn. The bandwidth is a quantile, named beside the set, of
the distances in a sample of 2,000 rows, to three digits. Modes are compared with those of
scikit-learn without bin_seeding; their difference is a share of the bandwidth. scikit-learn gives a
point to the nearest mode and ilk to the one that it climbs to, so that labels differ between modes.
"""
    return "\n".join([text, table(head, rows), *paragraphs(notes)]), apart


def compare(task: Task, path: Path) -> tuple[list[str], float]:
    """A row of the table against scikit-learn, and the largest difference of modes."""
    import ilk
    import numpy as np
    import sklearn.cluster

    X = sample(np.load(path)["X"].astype(np.float64), task.rows)
    bandwidth = quantile_of_distances(X, task.quantile)
    ours = ilk.MeanShift(bandwidth=bandwidth, kernel="flat", random_state=0, n_jobs=N_JOBS)
    theirs = sklearn.cluster.MeanShift(bandwidth=bandwidth, n_jobs=N_JOBS)
    binned = sklearn.cluster.MeanShift(bandwidth=bandwidth, n_jobs=N_JOBS, bin_seeding=True)
    for model in (ours, theirs):
        model.fit(X[:100])  # what happens once in a process, such as starting workers

    first = seconds(ours, X)
    their_time = seconds(theirs, X)
    second = seconds(ours, X)
    binned_time = seconds(binned, X)
    our_time = min(first, second, seconds(ours, X))

    dist = np.linalg.norm(ours.cluster_centers_[:, None] - theirs.cluster_centers_[None], axis=2)
    difference = max(dist.min(axis=0).max(), dist.min(axis=1).max()) / bandwidth
    equal = np.mean(dist.argmin(axis=0)[theirs.labels_] == ours.labels_)
    row = [
        f"{task.name}, {task.quantile:.0%}",
        f"{X.shape[0]:,} x {X.shape[1]}",
        f"{bandwidth:g}",
        f"{ours.n_clusters_}",
        f"{our_time:.3g}",
        f"{their_time:.3g}",
        f"{their_time / our_time:.3g}",
        f"{binned_time:.3g}",
        f"{binned_time / our_time:.3g}",
        f"{difference:.1e}",
        f"{equal:.2%}",
    ]
    return row, difference


def sample(X: npt.NDArray[np.float64], rows: int) -> npt.NDArray[np.float64]:
    """As many rows, in a random order that is always the same; all if there are no more."""
    import numpy as np

    if rows >= len(X):
        return X
    return X[np.random.default_rng(0).permutation(len(X))[:rows]]


def quantile_of_distances(X: npt.NDArray[np.float64], quantile: float) -> float:
    """The quantile of distances, to three digits.

    Rounding keeps it apart from the distances themselves where coordinates are whole numbers: a
    point on the very edge of the flat kernel would be in or out by an error of rounding.
    """
    import numpy as np
    from scipy.spatial.distance import pdist

    return float(f"{np.quantile(pdist(sample(X, 2_000)), quantile):.3g}")


def growth(sizes: list[int]) -> str:
    """The tables of time and memory over the number of points."""
    idle = measure({"n": 0})["peak"]
    times, memory = [], []
    for series in SERIES:
        label = [series.kernel, f"{series.dims}", f"{series.bandwidth:g}"]
        taken, used, clusters = [], [], set()
        for n in sizes:
            found = measure({"n": n, **vars(series)})
            if found["seconds"] > CAP:
                break
            taken.append(found["seconds"])
            used.append((found["peak"] - idle) / 1e6)
            clusters.add(found["clusters"])
        done = sizes[: len(taken)]
        rest = [""] * (len(sizes) - len(done))
        power = slope([math.log(v) for v in done[-LAST:]], [math.log(v) for v in taken[-LAST:]])
        line = [f"{1000 * slope(done, used):.3g}", f"{statistics.correlation(done, used) ** 2:.4f}"]
        memory.append([*label, *(f"{v:.3g}" for v in used), *rest, *line])
        number = " to ".join(f"{k}" for k in sorted({min(clusters), max(clusters)}))
        rest[:1] = [f"> {CAP}"] if rest else []
        times.append([*label, *(f"{v:.3g}" for v in taken), *rest, f"{power:.2f}", number])
    head = ["kernel", "d", "bandwidth", *(f"{n:,}" for n in sizes)]
    text = f"""
## Growth with n

Ten round blobs of standard deviation 1 with the same centres for every n, in a cube of side 40, at
a fixed bandwidth, with n_jobs={N_JOBS}. Every run has a process of its own; a series ends with the
first run that takes more than {CAP} s. Seconds of a fit, the exponent of n fitted to the last
{LAST} of them, and the clusters found:
"""
    between = f"""
Peak memory of the process in MB, the points included, less the {idle / 1e6:.0f} MB of one
that imports ilk and does nothing; MB for every 1,000 points and R² of the straight line through
them:
"""
    return "\n".join(
        [
            text,
            table([*head, "exponent", "clusters"], times),
            between,
            table([*head, "MB / 1,000", "R²"], memory),
        ]
    )


def measure(task: dict[str, Any]) -> dict[str, float]:
    """What a worker in a process of its own finds; infinite seconds if it must be stopped."""
    command = [sys.executable, __file__, "--worker", json.dumps(task)]
    try:
        # The cap is the fit's; Python and the data need a moment before it.
        done = subprocess.run(command, timeout=CAP + 10, check=True, stdout=subprocess.PIPE)
    except subprocess.TimeoutExpired:
        return {"seconds": math.inf}
    found: dict[str, float] = json.loads(done.stdout)
    return found


def work(n: int, kernel: str = "", dims: int = 0, bandwidth: float = 0.0) -> dict[str, float]:
    """Fits blobs of ``n`` points; seconds and this process's peak memory in bytes."""
    import resource

    import ilk

    best, clusters = 0.0, 0
    if n > 0:
        X = blobs(n, dims)
        model = ilk.MeanShift(bandwidth=bandwidth, kernel=kernel, random_state=0, n_jobs=N_JOBS)
        best = seconds(model, X)
        for _ in range(2 if best < 1 else 0):
            best = min(best, seconds(model, X))
        clusters = model.n_clusters_
    unit = 1 if sys.platform == "darwin" else 1024
    peak = unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"seconds": best, "peak": peak, "clusters": clusters}


def blobs(n: int, dims: int) -> npt.NDArray[np.float64]:
    """Draw ten round groups around centres that do not depend on ``n``."""
    import numpy as np

    rng = np.random.default_rng(0)
    centers = rng.uniform(-20, 20, (10, dims))
    return centers[np.arange(n) % 10] + rng.standard_normal((n, dims))


def seconds(model: Any, X: npt.NDArray[np.float64]) -> float:
    """How long a fit takes."""
    start = time.perf_counter()
    model.fit(X)
    return time.perf_counter() - start


def slope(x: Sequence[float], y: Sequence[float]) -> float:
    """The slope of the line of least squares."""
    return statistics.linear_regression(x, y).slope


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def paragraphs(notes: list[str]) -> list[str]:
    """Notes as lines of Markdown, apart from what stands before."""
    return [line for note in notes for line in ("", note)]


if __name__ == "__main__":
    sys.exit(main())
