"""Metrics against scikit-learn's and against counting by hand."""

import itertools

import numpy as np
import pytest
import sklearn.metrics as reference
from ilk import Constraints, metrics
from scipy.optimize import linear_sum_assignment

AVERAGES = ["arithmetic", "geometric", "min", "max"]


def partitions():
    """Pairs of labellings: random ones of all shapes, and the degenerate ones."""
    rng = np.random.default_rng(11)
    for _ in range(300):
        n, k, m = rng.integers(2, 80), rng.integers(1, 12), rng.integers(1, 12)
        yield rng.integers(-1, k, n), rng.integers(-1, m, n)
    for _ in range(40):
        truth = rng.integers(0, 4, 50)
        yield truth, np.where(rng.random(50) < 0.2, rng.integers(0, 4, 50), truth)
    one, each = np.zeros(9, int), np.arange(9)
    yield from itertools.product([one, each, each // 3, each % 2], repeat=2)
    yield np.zeros(1, int), np.zeros(1, int)
    yield np.zeros(0, int), np.zeros(0, int)


PARTITIONS = list(partitions())


@pytest.mark.parametrize(
    "name",
    [
        "adjusted_rand_score",
        "rand_score",
        "mutual_info_score",
        "homogeneity_score",
        "completeness_score",
        "v_measure_score",
    ],
)
def test_equals_scikit_learn(name):
    ours, theirs = getattr(metrics, name), getattr(reference, name)
    for truth, found in PARTITIONS:
        if name == "mutual_info_score" and len(truth) == 0:
            continue  # scikit-learn takes the logarithm of 0 there
        assert ours(truth, found) == pytest.approx(theirs(truth, found), abs=1e-12), (truth, found)


def is_zero_over_zero(truth, found, average):
    """Whether one labelling is all different and the average of entropies is the other's."""
    sizes = sorted((len(set(truth.tolist())), len(set(found.tolist()))))
    return average == "min" and 1 < sizes[0] < sizes[1] == len(truth)


@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("name", ["normalized_mutual_info_score", "adjusted_mutual_info_score"])
def test_equals_scikit_learn_for_every_average(name, average):
    ours, theirs = getattr(metrics, name), getattr(reference, name)
    for truth, found in PARTITIONS:
        if name == "adjusted_mutual_info_score" and is_zero_over_zero(truth, found, average):
            continue  # scikit-learn divides rounding errors there
        expected = theirs(truth, found, average_method=average)
        assert ours(truth, found, average=average) == pytest.approx(expected, abs=1e-12), (
            truth,
            found,
        )


@pytest.mark.parametrize("beta", [0.0, 0.3, 2.5])
def test_v_measure_equals_scikit_learn_for_every_beta(beta):
    for truth, found in PARTITIONS:
        if beta == 0 and reference.completeness_score(truth, found) == 0:
            continue  # scikit-learn divides by 0 there
        expected = reference.v_measure_score(truth, found, beta=beta)
        assert metrics.v_measure_score(truth, found, beta=beta) == pytest.approx(
            expected, abs=1e-12
        )


def test_pair_scores_equal_counting_pairs():
    for truth, found in PARTITIONS[:60]:
        pairs = list(itertools.combinations(range(len(truth)), 2))
        same = sum(truth[a] == truth[b] for a, b in pairs)
        joined = sum(found[a] == found[b] for a, b in pairs)
        both = sum(truth[a] == truth[b] and found[a] == found[b] for a, b in pairs)
        if same and joined:
            assert metrics.pair_precision_score(truth, found) == pytest.approx(both / joined)
            assert metrics.pair_recall_score(truth, found) == pytest.approx(both / same)
            f = 2 * both / (same + joined)
            assert metrics.pair_f_score(truth, found) == pytest.approx(f)


def test_accuracy_equals_the_best_assignment():
    for truth, found in PARTITIONS[:-1]:
        table = reference.cluster.contingency_matrix(truth, found)
        rows, columns = linear_sum_assignment(table, maximize=True)
        expected = table[rows, columns].sum() / len(truth)
        assert metrics.clustering_accuracy(truth, found) == pytest.approx(expected, abs=1e-12)


def test_labels_may_be_strings_and_numbers():
    truth, found = ["x", "x", "y", "y", "z"], [2.0, 2.0, 0.0, 0.0, 0.0]
    expected = reference.adjusted_rand_score(truth, found)
    assert metrics.adjusted_rand_score(truth, found) == pytest.approx(expected, abs=1e-12)


def test_ignored_points_are_left_out():
    rng = np.random.default_rng(0)
    truth, found = rng.integers(0, 3, 40), rng.integers(0, 3, 40)
    constraints = Constraints(40, must_link=[[3, 9]], closer=[[20, 3, 39]])
    rest = np.setdiff1d(np.arange(40), [3, 9, 20, 39])
    for name in metrics.__all__:
        metric = getattr(metrics, name)
        expected = metric(truth[rest], found[rest])
        assert metric(truth, found, ignore=constraints) == expected
        assert metric(truth, found, ignore=[3, 9, 20, 39]) == expected
        assert metric(truth, found, ignore=[]) == metric(truth, found)


@pytest.mark.parametrize(
    ("args", "options", "message"),
    [
        (([0, 1], [0]), {}, "the labellings have different lengths: 2 and 1"),
        (([[0, 1]], [0]), {}, r"labels_true must be one-dimensional; got shape \(1, 2\)"),
        (([0, 1], [0, 1]), {"ignore": [2]}, "ignore names point 2, but there are only 2 points"),
        (([0, 1], [0, 1]), {"ignore": [-1]}, "ignore names point -1, but there are only 2 points"),
        (([0, 1], [0, 1]), {"ignore": [0.5]}, "ignore must hold positions of points, not float64"),
        (
            ([0, 1], [0, 1]),
            {"ignore": Constraints(3)},
            "ignore speaks of 3 points, but the labellings of 2",
        ),
    ],
)
def test_bad_input_is_named(args, options, message):
    with pytest.raises(ValueError, match=message):
        metrics.adjusted_rand_score(*args, **options)


def test_an_unknown_average_is_named():
    message = 'average = "mean" is out of range: one of arithmetic, geometric, min, max'
    with pytest.raises(ValueError, match=message):
        metrics.normalized_mutual_info_score([0, 1], [0, 1], average="mean")
