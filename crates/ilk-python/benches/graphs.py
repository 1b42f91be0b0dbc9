"""Clusters of graphs against METIS and scikit-learn's spectral clustering.

Runs the Rust bench of the same name, which writes its graphs and what it found, and measures the
others on the same graphs right after it. Prints Markdown. ``--quick`` leaves out what takes minutes.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

ROOT = Path(__file__).resolve().parents[3]

#: Seconds after which a measurement is given up, and larger graphs are not tried.
CAPS = {"METIS": 300, "spectral": 60}


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out what takes minutes")
    parser.add_argument("--worker", nargs=2, metavar=("NAME", "FILE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        name, file = options.worker
        print(json.dumps(WORKERS[name](Path(file))))
        return 0
    if importlib.util.find_spec("pymetis") is None:
        print("Clusters of graphs are not compared: pymetis is not installed.\n")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        command = ["cargo", "bench", "--quiet", "--package", "ilk", "--bench", "graphs", "--"]
        command += ["--write", folder, *(["--quick"] if options.quick else [])]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        files = sorted(Path(folder).iterdir(), key=lambda file: int(file.stem))
        too_large = dict.fromkeys(WORKERS, sys.maxsize)
        rows = [compare(file, too_large) for file in files]
    print(
        f"""## Clusters of graphs against METIS and spectral clustering

The graphs of the section before, each measured right after ilk on the same graph; ilk with two
threads, METIS (pymetis.part_graph, which balances the clusters and minimises another cut) with one,
scikit-learn's SpectralClustering(affinity="precomputed") with its defaults. Ratios are times as many
seconds as ilk. ARI with the planted clusters, or with the classes; where labels are given, only ilk
uses them. A dash: more than {CAPS["METIS"]} s of METIS or {CAPS["spectral"]} s of spectral clustering,
here or on a graph that is not larger.
"""
    )
    head = ["nodes", "links", "k", "labelled", "ilk, s", "cut", "ARI"]
    for name in WORKERS:
        head += [f"{name}, s", "ratio", "cut", "ARI"]
    print(table(head, rows))
    return 0


def compare(file: Path, too_large: dict[str, int]) -> list[str]:
    """One row: ilk as the file has it, the others measured, unless as many nodes were too many."""
    import numpy as np

    with np.load(file) as npz:
        n, seconds = len(npz["truth"]), float(npz["seconds"][0])
        links, labelled = len(npz["columns"]) // 2, float(npz["labelled"][0])
    found = scores(file, "found")
    k = int(found.pop("k"))
    row = [f"{n:,}", f"{links:,}", f"{k}", f"{labelled:.0%}", f"{seconds:.3g}", *shown(found)]
    for name in WORKERS:
        command = [sys.executable, __file__, "--worker", name, str(file)]
        try:
            if n >= too_large[name]:
                raise subprocess.TimeoutExpired(command, CAPS[name])
            done = subprocess.run(command, timeout=CAPS[name], check=True, stdout=subprocess.PIPE)
        except subprocess.TimeoutExpired:
            too_large[name] = min(n, too_large[name])
            row += ["-"] * 4
            continue
        other: dict[str, float] = json.loads(done.stdout)
        row += [f"{other['seconds']:.3g}", f"{other['seconds'] / seconds:.3g}", *shown(other)]
    return row


def shown(found: dict[str, float]) -> list[str]:
    """The scores as they stand in the table."""
    return [f"{found['cut']:.4g}", f"{found['ari']:.3f}"]


def metis(file: Path) -> dict[str, float]:
    """METIS on a graph."""
    import numpy as np
    import pymetis

    with np.load(file) as npz:
        offsets, columns = npz["offsets"].astype(np.int32), npz["columns"].astype(np.int32)
        k = int(npz["truth"].max()) + 1
    graph = pymetis.CSRAdjacency(adj_starts=offsets, adjacent=columns)
    start = time.perf_counter()
    _, labels = pymetis.part_graph(k, adjacency=graph)
    seconds = time.perf_counter() - start
    return {"seconds": seconds, **scores(file, np.asarray(labels))}


def spectral(file: Path) -> dict[str, float]:
    """scikit-learn's spectral clustering of a graph."""
    import numpy as np
    from sklearn.cluster import SpectralClustering

    with np.load(file) as npz:
        k = int(npz["truth"].max()) + 1
        graph = adjacency(npz)
    model = SpectralClustering(k, affinity="precomputed", random_state=0)
    start = time.perf_counter()
    labels = model.fit_predict(graph)
    return {"seconds": time.perf_counter() - start, **scores(file, labels)}


def adjacency(npz: Any) -> Any:
    """The graph of a file as scipy holds it."""
    import numpy as np
    from scipy.sparse import csr_matrix

    offsets, columns = npz["offsets"].astype(np.int32), npz["columns"].astype(np.int32)
    n = len(offsets) - 1
    return csr_matrix((np.ones(len(columns)), columns, offsets), shape=(n, n))


def scores(file: Path, labels: npt.NDArray[np.int64] | str) -> dict[str, float]:
    """The normalized cut of a partition, and its agreement with the truth."""
    import numpy as np
    from scipy.sparse import csr_matrix
    from sklearn.metrics import adjusted_rand_score

    with np.load(file) as npz:
        graph, truth = adjacency(npz), npz["truth"]
        if isinstance(labels, str):
            labels = npz[labels].astype(np.int64)
    n, k = len(truth), int(truth.max()) + 1
    members = csr_matrix((np.ones(n), labels, np.arange(n + 1)), shape=(n, k))
    between = members.T @ graph @ members
    cut = k - float((between.diagonal() / np.asarray(between.sum(axis=1)).ravel()).sum())
    return {"k": k, "cut": cut, "ari": float(adjusted_rand_score(truth, labels))}


WORKERS = {"METIS": metis, "spectral": spectral}


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    sys.exit(main())
