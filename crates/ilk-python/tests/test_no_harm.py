"""Correct answers never make a clustering worse: cases in which they once did."""

import ilk
import numpy as np
import pytest
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score


def pairs(y, n, seed):
    """n random pairs, answered by the classes y."""
    rng = np.random.default_rng(seed)
    asked = set()
    while len(asked) < n:
        asked.add(tuple(sorted(int(i) for i in rng.choice(len(y), 2, replace=False))))
    same = [pair for pair in sorted(asked) if y[pair[0]] == y[pair[1]]]
    different = [pair for pair in sorted(asked) if y[pair[0]] != y[pair[1]]]
    return ilk.Constraints(len(y), must_link=same, cannot_link=different)


@pytest.fixture(scope="module")
def three_blobs():
    return make_blobs(150, centers=3, cluster_std=1, random_state=0)


@pytest.mark.parametrize("method", [ilk.CMS, ilk.SKMS])
@pytest.mark.parametrize("n", [300, 1000])
def test_many_pairs_do_not_merge_three_blobs(three_blobs, method, n):
    X, y = three_blobs
    fit = method().fit(X, constraints=pairs(y, n, 0))
    assert adjusted_rand_score(y, fit.labels_) > 0.95


@pytest.mark.parametrize("method", [ilk.CMS, ilk.SKMS, ilk.MeanShift])
def test_all_labels_are_the_result(three_blobs, method):
    X, y = three_blobs
    fit = method().fit(X, constraints=ilk.Constraints(len(y), labels=y))
    assert adjusted_rand_score(y, fit.labels_) == 1.0


def test_one_cannot_link_does_not_shatter_a_normal_cloud():
    X = np.random.default_rng(0).normal(size=(500, 3))
    without = ilk.MeanShift().fit(X)
    constraints = ilk.Constraints(500, cannot_link=[(0, 1)])
    fit = ilk.MeanShift().fit(X, constraints=constraints)
    assert fit.n_clusters_ <= without.n_clusters_ + 1
    assert fit.labels_[0] != fit.labels_[1]


@pytest.mark.parametrize("method", [ilk.CMS, ilk.MeanShift])
@pytest.mark.parametrize("n", [1, 12, 295])
def test_answers_about_thirty_separate_blobs_change_nothing(method, n):
    X, y = make_blobs(2000, 10, centers=30, cluster_std=0.5, random_state=0)
    without = adjusted_rand_score(y, method().fit(X).labels_)
    fit = method().fit(X, constraints=pairs(y, n, 1))
    assert adjusted_rand_score(y, fit.labels_) >= without - 0.02


def test_pairs_do_not_harm_hmrf_on_round_groups():
    X, y = make_blobs(20_000, 20, centers=10, cluster_std=4.0, random_state=0)
    without = adjusted_rand_score(y, ilk.HMRFKMeans(10, random_state=0).fit(X).labels_)
    fit = ilk.HMRFKMeans(10, random_state=0).fit(X, constraints=pairs(y, 200, 0))
    assert adjusted_rand_score(y, fit.labels_) >= without - 0.02
