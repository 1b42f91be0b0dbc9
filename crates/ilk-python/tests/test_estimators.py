"""Claims that hold for every estimator of the package; new ones join by themselves."""

import inspect
import pickle

import ilk
import numpy as np
import pytest
from ilk import _core
from ilk._base import ESTIMATORS
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import adjusted_rand_score
from sklearn.utils.estimator_checks import parametrize_with_checks

CLASSES = sorted(ESTIMATORS.values(), key=lambda cls: cls.__name__)
INFO = {info["name"]: info for info in _core.methods()}


def expected_to_fail(estimator):
    """Say which checks ask for what an estimator with weights cannot have.

    They compare the labels of weighted points with those of points that are repeated and in another
    order, number by number. Clusters are numbered by the first of their points, so the numbers are
    others where the order is, and a seed draws other points to start from. scikit-learn expects the
    same of its own KMeans, MiniBatchKMeans and BisectingKMeans. What can hold is the next test.
    """
    if "sample_weight" not in inspect.signature(estimator.fit).parameters:
        return {}
    reason = "clusters are numbered by their first points, and the check shuffles the points"
    return {
        f"check_sample_weight_equivalence_on_{kind}_data": reason
        for kind in ("dense", "sparse")
        if kind == "dense" or estimator.__sklearn_tags__().input_tags.sparse
    }


WEIGHTED = [cls for cls in CLASSES if "sample_weight" in inspect.signature(cls.fit).parameters]


@pytest.mark.parametrize("cls", WEIGHTED, ids=lambda cls: cls.__name__)
def test_a_weight_counts_as_repetitions_in_any_order_up_to_the_numbers_of_clusters(cls, blobs):
    X, _ = blobs
    rng = np.random.default_rng(0)
    weights, order = rng.integers(0, 4, len(X)), rng.permutation(len(X))
    given = {"random_state": 0, "n_clusters": 3, "n_components": 3}
    repeated = make(cls, **given).fit(X.repeat(weights, axis=0))
    weighted = make(cls, **given).fit(X[order], sample_weight=weights[order])
    assert adjusted_rand_score(repeated.predict(X), weighted.predict(X)) == 1.0


@parametrize_with_checks([cls() for cls in CLASSES], expected_failed_checks=expected_to_fail)
def test_scikit_learn_accepts_the_estimator(estimator, check):
    check(estimator)


SUPERVISED = [cls for cls in CLASSES if INFO[cls._method]["supervision"]]


@pytest.fixture(params=CLASSES, ids=lambda cls: cls.__name__)
def cls(request):
    return request.param


@pytest.fixture(params=SUPERVISED, ids=lambda cls: cls.__name__)
def supervised(request):
    return request.param


def make(cls, **params):
    """An estimator with those of the parameters that it has; not all have a ``random_state``."""
    has = inspect.signature(cls).parameters
    return cls(**{name: value for name, value in params.items() if name in has})


def test_every_method_of_the_engine_has_an_estimator_of_its_name():
    assert {name: cls.__name__ for name, cls in ESTIMATORS.items()} == {
        name: info["class"] for name, info in INFO.items()
    }
    for info in INFO.values():
        assert getattr(ilk, info["class"]) is ESTIMATORS[info["name"]]


def test_parameters_and_defaults_are_the_engines(cls):
    # What ``X`` is the engine sees by itself.
    of_python = ("n_jobs", "verbose", "input", "metric", *getattr(cls, "_given", ()))
    engine_names = getattr(cls, "_engine_names", {})
    ours = {
        engine_names.get(name, name): p.default
        for name, p in inspect.signature(cls).parameters.items()
        if name not in of_python
    }
    theirs = set(INFO[cls._method]["parameters"])
    assert ("random_state" in ours) == ("seed" in theirs)
    assert ours.pop("random_state", None) is None
    assert set(ours) == theirs - {"seed"}
    for name, default in ours.items():
        stated = INFO[cls._method]["parameters"][name].rpartition("; default ")[2].rstrip(".")
        if default is None:
            assert stated in ("none", "auto")
        elif isinstance(default, float):
            assert float(stated) == default
        else:
            assert stated == str(default).lower()


def test_predict_exists_exactly_where_the_engine_can_place_new_points(cls):
    assert hasattr(cls, "predict") == bool(INFO[cls._method]["predicts"])


def test_predict_repeats_the_labels_of_the_fit(cls, blobs):
    model = cls().fit(blobs[0])
    assert np.array_equal(model.predict(blobs[0]), model.labels_)


def test_labels_are_numbered_from_zero_without_gaps(cls, blobs):
    model = cls().fit(blobs[0])
    assert model.labels_.dtype == np.int64
    found = np.unique(model.labels_)
    assert np.array_equal(found[found >= 0], np.arange(model.n_clusters_))


def test_the_number_of_threads_does_not_change_a_bit(cls):
    X = np.random.default_rng(0).standard_normal((700, 3))
    one, two = (make(cls, n_jobs=n, random_state=0, max_iter=40).fit(X) for n in (1, 2))
    learned = [name for name, value in vars(one).items() if isinstance(value, np.ndarray)]
    assert "labels_" in learned
    for name in learned:
        assert getattr(one, name).tobytes() == getattr(two, name).tobytes(), name
    assert one._model.__getnewargs__() == two._model.__getnewargs__()


def test_pickle_keeps_everything(cls, blobs):
    given = {"must_link": [[0, 1]]} if cls in SUPERVISED else {}
    model = make(cls, random_state=3).fit(blobs[0], **given)
    again = pickle.loads(pickle.dumps(model))
    assert again.get_params() == model.get_params()
    assert np.array_equal(again.labels_, model.labels_)
    assert np.array_equal(again.predict(blobs[0] + 0.1), model.predict(blobs[0] + 0.1))
    report = again.constraint_report_
    assert report.n_kept + report.n_broken == len(given)
    assert report.n_kept == model.constraint_report_.n_kept


def test_save_and_load_keep_the_model(cls, blobs, tmp_path):
    model = make(cls, random_state=3).fit(blobs[0])
    path = tmp_path / "model.ilk"
    model.save(path)
    again = ilk.load(path)
    assert type(again) is cls
    assert getattr(again, "random_state", None) == getattr(model, "random_state", None)
    for name in ("n_clusters_", "n_iter_", "converged_", "n_features_in_"):
        assert getattr(again, name) == getattr(model, name), name
    assert np.array_equal(again.labels_, model.labels_)
    assert np.array_equal(again.predict(blobs[0] + 0.1), model.predict(blobs[0] + 0.1))


def test_a_loaded_model_can_be_fitted_again(cls, blobs, tmp_path):
    model = make(cls, random_state=3).fit(blobs[0])
    model.save(tmp_path / "model.ilk")
    again = clone(ilk.load(tmp_path / "model.ilk")).fit(blobs[0])
    assert np.array_equal(again.labels_, model.labels_)


def test_saving_before_a_fit_is_refused(cls, tmp_path):
    with pytest.raises(NotFittedError):
        cls().save(tmp_path / "model.ilk")
    assert not (tmp_path / "model.ilk").exists()


def test_y_is_partial_supervision(supervised, blobs):
    X, truth = blobs
    y = np.full(len(X), -1)
    y[[0, 1, 60, 61]] = truth[[0, 1, 60, 61]]
    report = supervised().fit(X, y).constraint_report_
    assert list(report) == ["labels"]
    assert report["labels"].n_kept + report["labels"].n_broken == 4


def test_all_unknown_y_is_the_same_as_none(cls, blobs):
    X, _ = blobs
    model = make(cls, random_state=0).fit(X, np.full(len(X), -1))
    assert len(model.constraint_report_) == 0
    assert np.array_equal(model.labels_, make(cls, random_state=0).fit(X).labels_)


def test_fit_predict_listens_to_y(supervised, blobs):
    X, truth = blobs
    y = np.where(np.arange(len(X)) % 20 == 0, truth, -1)
    model = make(supervised, random_state=0)
    assert np.array_equal(model.fit_predict(X, y), model.labels_)
    assert "labels" in model.constraint_report_


def test_methods_without_supervision_ignore_y(blobs):
    X, truth = blobs
    for cls in sorted(set(CLASSES) - set(SUPERVISED), key=lambda cls: cls.__name__):
        one, other = (make(cls, random_state=0).fit(X, y) for y in (None, truth))
        assert np.array_equal(one.labels_, other.labels_)
