"""What is refused, and in which words."""

import ilk
import numpy as np
import pytest
from ilk import CMS, Constraints, MeanShift

X = np.array([[0.0, 0.0], [0.1, 0.0], [5.0, 5.0], [5.1, 5.0]])


def fit(**params):
    return MeanShift(**{"bandwidth": 1.0, **params}).fit


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([[0.0, np.nan]], "Input X contains NaN"),
        ([[0.0, np.inf]], "Input X contains infinity"),
        (np.empty((0, 2)), "Found array with 0 sample"),
        (np.empty((3, 0)), "0 feature"),
        ([0.0, 1.0], "Reshape your data"),
        ([["a", "b"]], "could not convert string to float"),
        ([[0.0, 1.0], [2.0]], "inhomogeneous"),
    ],
)
def test_bad_data_is_refused_in_scikit_learns_words(data, message):
    with pytest.raises(ValueError, match=message):
        fit()(data)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"bandwidth": 0.0}, "bandwidth = 0 is out of range: a bandwidth must be a finite number"),
        ({"bandwidth": -1.0}, "bandwidth = -1 is out of range"),
        ({"bandwidth": np.nan}, "bandwidth = nan is out of range: a finite number is needed"),
        (
            {"bandwidth": [1.0, np.inf]},
            "bandwidth = inf is out of range: a finite number is needed",
        ),
        ({"bandwidth": [1.0, 2.0]}, "the list of bandwidths has 2 entries where 4 are needed"),
        ({"bandwidth": "wide"}, 'bandwidth = "wide" is out of range: a number above 0'),
        ({"bandwidth": "percentile(2)"}, "the share must be from 0 to 1"),
        ({"kernel": "round"}, 'kernel = "round" is out of range: one of gaussian, rbf'),
        ({"truncation": 2.0}, "truncation = 2 is out of range"),
        ({"max_iter": 0}, "max_iter = 0 is out of range: it must be a whole number, at least 1"),
        ({"max_iter": -5}, "max_iter = -5 is out of range: a whole number, at least 1"),
        ({"max_iter": 2.5}, "max_iter = 2.5 is out of range: a whole number, at least 1"),
        ({"tol": -1.0}, "tol = -1 is out of range"),
        ({"merge_radius": 0.0}, "merge_radius = 0 is out of range"),
        ({"blurring": "yes"}, 'blurring = "yes" is out of range: True or False'),
        ({"random_state": "seven"}, "random_state = 'seven' is not understood"),
        ({"random_state": -1}, "random_state = -1 is out of range"),
    ],
)
def test_bad_parameters_are_named(params, message):
    with pytest.raises(ValueError, match=message):
        fit(**params)(X)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"bandwidth": 0.0}, "bandwidth = 0 is out of range: it must be linear, a number above 0"),
        ({"bandwidth": (1.0, -2.0)}, r"bandwidth = \[1, -2\] is out of range"),
        ({"bandwidth": []}, r"bandwidth = \[\] is out of range"),
        ({"bandwidth": (1.0, np.nan)}, "bandwidth = nan is out of range: a finite number"),
        ({"bandwidth": "square"}, 'bandwidth = "square" is out of range: linear, a number'),
        ({"bandwidth": [[1.0], [2.0]]}, r"bandwidth = \[\[1.0\],\[2.0\]\] is out of range"),
        ({"max_iter": 0}, "max_iter = 0 is out of range: it must be a whole number from 1"),
        ({"kernel": "gaussian"}, 'kernel = "gaussian" is out of range: one of truncated, ball'),
        ({"truncation": 0.0}, "truncation = 0 is out of range"),
        ({"constraint_scale": 0.0}, "constraint_scale = 0 is out of range"),
        ({"merge_kernel": 1.5}, "merge_kernel = 1.5 is out of range"),
        ({"merge_weight": -0.5}, "merge_weight = -0.5 is out of range"),
        ({"closure": "no"}, 'closure = "no" is out of range: True or False'),
        ({"history": -1}, "history = -1 is out of range: a whole number"),
        ({"mode": "worst"}, 'mode = "worst" is out of range: one of best, paper'),
    ],
)
def test_bad_parameters_of_constrained_mean_shift_are_named(params, message):
    with pytest.raises(ValueError, match=message):
        CMS(**params).fit(X)


@pytest.mark.parametrize("kind", ["odd_one_out", "about_equal", "closer"])
def test_constrained_mean_shift_refuses_comparisons_and_says_who_does_not(kind):
    with pytest.raises(ValueError, match=f"^CMS cannot use {kind} constraints; methods that can: ") as refused:
        CMS().fit(X, **{kind: [[0, 1, 2]]})
    named = str(refused.value).rpartition(": ")[2].split(", ")
    assert all(hasattr(ilk, name) for name in named)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"must_link": [[0, 4]]},
            r"must_link 0 names point 4, but there are only 4 points \(0 to 3\)",
        ),
        ({"must_link": [["a", "b"]]}, "must_link must hold integers"),
        (
            {"constraints": Constraints(3)},
            r"the constraints are about 3 points, but X has 4; .* constraints.subset\(points\)",
        ),
        ({"y": [0, 1]}, "there are 2 labels for 4 points; give one a point"),
        ({"y": [0.5, -1, -1, -1]}, "label 0.5 is not a class"),
        ({"sample_weight": [1.0, 1.0]}, "sample_weight.shape"),
        (
            {"sample_weight": [1.0, -1.0, 1.0, 1.0]},
            "Negative values in data passed to `sample_weight`",
        ),
        ({"closer": [[0, 1, 2]]}, "MeanShift cannot use closer constraints"),
    ],
)
def test_bad_supervision_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        fit()(X, **arguments)


def test_constraints_of_another_type_are_refused():
    with pytest.raises(TypeError, match="constraints must be an ilk.Constraints, not list"):
        fit()(X, constraints=[[0, 1]])


def test_a_missing_model_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="model.ilk: there is no such file"):
        ilk.load(tmp_path / "model.ilk")


def test_a_file_that_is_no_model_is_named(tmp_path):
    (tmp_path / "notes.txt").write_text("not a model")
    with pytest.raises(ValueError, match="notes.txt is not an ilk model"):
        ilk.load(tmp_path / "notes.txt")


def test_a_damaged_model_is_refused(tmp_path):
    path = tmp_path / "model.ilk"
    fit()(X).save(path)
    whole = path.read_bytes()
    for damaged in (whole[:-1], whole[:20], whole[:40] + b"?" + whole[41:]):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match="damaged ilk model"):
            ilk.load(path)


def test_a_folder_that_does_not_exist_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        fit()(X).save(tmp_path / "nowhere" / "model.ilk")


def test_a_failed_fit_leaves_the_model_as_it_was():
    model = MeanShift(bandwidth=1.0).fit(X)
    labels = model.labels_
    with pytest.raises(ValueError, match="names point 9"):
        model.fit(X, must_link=[[0, 9]])
    assert model.labels_ is labels


def test_members_of_auto_are_names_of_methods():
    points = np.random.default_rng(0).normal(size=(40, 2)) + np.repeat([[0], [9]], 20, axis=0)
    model = ilk.Auto(members=["kmeans", "spectral"], n_fits=4, random_state=0).fit(points)
    assert {member.method for member in model.leaderboard_} <= {"kmeans", "spectral"}
    with pytest.raises(ValueError, match="members = 5 is not understood: give a list of names"):
        ilk.Auto(members=5).fit(points)
    with pytest.raises(ValueError, match="ss-kernel-kmeans"):
        ilk.Auto(members=["dbscan"]).fit(points)
