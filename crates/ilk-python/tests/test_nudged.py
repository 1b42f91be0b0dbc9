"""Points beside those of the fit are placed as these are."""

import inspect
import warnings
from pathlib import Path

import ilk
import numpy as np
import pytest
from ilk._base import ESTIMATORS
from sklearn.datasets import load_iris, load_wine
from sklearn.preprocessing import StandardScaler

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"
CLASSES = sorted(
    (cls for cls in ESTIMATORS.values() if hasattr(cls, "predict")), key=lambda cls: cls.__name__
)


def data(name):
    if name == "iris":
        return load_iris(return_X_y=True)
    if name == "wine":
        X, y = load_wine(return_X_y=True)
        return StandardScaler().fit_transform(X), y
    path = SHARED / name / f"{name}.npz"
    if not path.is_file():
        pytest.skip(f"{path} is not there")
    with np.load(path) as arrays:
        return arrays["X"].astype(float), np.unique(arrays["y"], return_inverse=True)[1]


@pytest.mark.parametrize("name", ["iris", "wine", "glass"])
@pytest.mark.parametrize("labelled", [0, 20])
@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_a_point_beside_one_of_the_fit_has_its_cluster(cls, labelled, name):
    X, truth = data(name)
    k = len(np.unique(truth))
    has = inspect.signature(cls).parameters
    given = {"n_clusters": k, "n_components": k, "random_state": 0, "n_fits": 3}
    model = cls(**{key: value for key, value in given.items() if key in has})
    y = np.full(len(X), -1)
    rows = np.random.default_rng(0).permutation(len(X))[:labelled]
    y[rows] = truth[rows]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ilk.ConstraintWarning)
        takes_labels = "must_link" in inspect.signature(cls.fit).parameters
        model.fit(X, y if labelled and takes_labels else None)
    beside = model.predict(X + 1e-9)
    assert np.array_equal(beside, model.predict(X))
