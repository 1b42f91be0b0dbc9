"""Models that the command line wrote."""

import os
import subprocess
import sys
from pathlib import Path

import ilk
import numpy as np
import pandas as pd
import pytest
from ilk import MeanShift
from sklearn.preprocessing import StandardScaler


@pytest.fixture
def command(tmp_path):
    """Runs the newest ``ilk`` that cargo built in this checkout, in a folder of its own."""
    root = Path(__file__).resolve().parents[3]
    target = root / os.environ.get("CARGO_TARGET_DIR", "target")
    name = "ilk.exe" if os.name == "nt" else "ilk"
    built = [path for path in target.glob(f"*/{name}") if path.is_file()]
    if not built:
        pytest.skip("there is no command ilk; cargo build -p ilk-cli builds it")
    program = max(built, key=lambda path: path.stat().st_mtime)

    def run(line):
        done = subprocess.run(
            [program, *line.split()], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr

    return run


@pytest.fixture
def frame():
    """Three groups in two columns of very different units."""
    rng = np.random.default_rng(5)
    centers = np.repeat([[0.0, 0.0], [4.0, 900.0], [8.0, 0.0]], 40, axis=0)
    values = centers + rng.standard_normal((120, 2)) * [0.5, 60.0]
    return pd.DataFrame(values, columns=["length", "weight"])


def test_a_scaled_model_with_named_columns_is_the_same_in_python(command, frame, tmp_path):
    frame.to_csv(tmp_path / "points.csv", index=False)
    command(
        "cluster points.csv --method mean-shift --scale standard --set bandwidth=0.4 --seed 3 "
        "--model points.model --out clusters.csv"
    )
    written = pd.read_csv(tmp_path / "clusters.csv")["cluster"]
    loaded = ilk.load(tmp_path / "points.model")
    assert isinstance(loaded, MeanShift)
    assert loaded.random_state == 3
    assert list(loaded.feature_names_in_) == ["length", "weight"]
    assert np.array_equal(loaded.labels_, written)

    # The same in scikit-learn's way: scale, fit, take the modes back.
    scaler = StandardScaler().fit(frame)
    ours = MeanShift(bandwidth=0.4, random_state=3).fit(scaler.transform(frame))
    assert loaded.n_clusters_ == ours.n_clusters_ == 3
    expected = scaler.inverse_transform(ours.cluster_centers_)
    np.testing.assert_allclose(loaded.cluster_centers_, expected, rtol=1e-6, atol=1e-6)
    assert loaded.bandwidth_ == pytest.approx(0.4)

    # New points come in the units of the data.
    new = frame.add([0.3, -40.0])
    assert np.array_equal(loaded.predict(frame), written)
    assert np.array_equal(loaded.predict(new), ours.predict(scaler.transform(new)))
    with pytest.raises(ValueError, match="feature names should match"):
        loaded.predict(frame.rename(columns={"weight": "mass"}))


def test_a_scaled_model_is_still_scaled_when_python_saves_it_again(command, frame, tmp_path):
    frame.to_csv(tmp_path / "points.csv", index=False)
    command(
        "cluster points.csv --method mean-shift --scale standard --set bandwidth=0.4 "
        "--model first.model"
    )
    first = ilk.load(tmp_path / "first.model")
    first.save(tmp_path / "second.model")
    second = ilk.load(tmp_path / "second.model")
    assert np.array_equal(first.cluster_centers_, second.cluster_centers_)
    command("predict second.model points.csv --out again.csv")
    assert np.array_equal(pd.read_csv(tmp_path / "again.csv")["cluster"], first.labels_)


def test_the_package_carries_the_command(tmp_path):
    def run(*line):
        call = [sys.executable, "-m", "ilk", *line]
        return subprocess.run(call, cwd=tmp_path, capture_output=True, text=True)

    (tmp_path / "data.csv").write_text("id,x\na,0\nb,0.1\nc,5\n")
    done = run("cluster", "data.csv", "--method", "mean-shift", "--set", "bandwidth=1", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[1:] == [
        "a,0,false,false,0",
        "b,0,false,false,0",
        "c,1,false,false,0",
    ]
    assert run("--version").stdout == f"ilk {ilk.__version__}\n"
    refused = run("cluster", "nothing.csv")
    assert refused.returncode == 1
    assert refused.stderr.startswith("error: nothing.csv: there is no such file")
    assert run("cluster").returncode == 2
