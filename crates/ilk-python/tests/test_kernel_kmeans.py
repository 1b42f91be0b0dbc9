"""Kernel k-means against scikit-learn's k-means, and by its objective."""

import ilk
import numpy as np
import pytest
from ilk import KernelKMeans
from ilk.metrics import adjusted_rand_score
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans


def objective(K, labels):
    """The sum of squared distances to the means, from the kernel alone."""
    total = np.trace(K)
    for cluster in np.unique(labels):
        inside = np.flatnonzero(labels == cluster)
        total -= K[np.ix_(inside, inside)].sum() / len(inside)
    return total


def test_with_a_linear_kernel_it_is_as_good_as_k_means():
    X = np.random.default_rng(0).standard_normal((200, 3))
    ours = KernelKMeans(n_clusters=6, kernel="linear", random_state=0).fit(X)
    theirs = KMeans(6, n_init=10, random_state=0).fit(X)
    assert objective(X @ X.T, ours.labels_) <= theirs.inertia_ * 1.01


def test_no_single_move_is_better():
    X = np.random.default_rng(1).standard_normal((60, 2))
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    model = KernelKMeans(n_clusters=4, sigma=1.0, random_state=0).fit(X)
    best = objective(K, model.labels_)
    for point in range(60):
        for cluster in range(4):
            moved = model.labels_.copy()
            moved[point] = cluster
            assert objective(K, moved) >= best - 1e-9


def test_a_precomputed_kernel_gives_the_same(blobs):
    X, truth = blobs
    K = np.exp(-cdist(X, X, "sqeuclidean") / (2 * 3.0**2))
    ours = KernelKMeans(n_clusters=3, sigma=3.0, random_state=0).fit(X)
    given = KernelKMeans(n_clusters=3, kernel="precomputed", random_state=0).fit(K)
    assert np.array_equal(given.labels_, ours.labels_)
    assert adjusted_rand_score(truth, ours.labels_) == 1.0
    assert np.array_equal(given.predict(K[:9]), given.labels_[:9])
    assert given.__sklearn_tags__().input_tags.pairwise


def test_a_point_of_weight_two_is_two_points():
    X = np.random.default_rng(2).standard_normal((40, 2))
    weight = np.where(np.arange(40) < 10, 2.0, 1.0)
    weighed = KernelKMeans(n_clusters=3, sigma=1.0, random_state=0).fit(X, sample_weight=weight)
    twice = KernelKMeans(n_clusters=3, sigma=1.0, random_state=0).fit(np.vstack([X, X[:10]]))
    assert adjusted_rand_score(weighed.labels_, twice.labels_[:40]) == 1.0


def test_points_of_weight_zero_are_refused_in_a_given_kernel():
    with pytest.raises(ValueError, match="leave such points out of the matrix"):
        KernelKMeans(2, kernel="precomputed").fit(np.eye(3), sample_weight=[1.0, 0.0, 1.0])


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"n_clusters": 0}, "n_clusters = 0 is out of range"),
        ({"sigma": 0.0}, "sigma = 0 is out of range"),
        ({"sigma": "wide"}, 'sigma = "wide" is out of range'),
        ({"init": "lucky"}, 'init = "lucky" is out of range: one of plus_plus, farthest_first'),
        ({"n_init": 0}, "n_init = 0 is out of range"),
        ({"local_search": "no"}, 'local_search = "no" is out of range: True or False'),
    ],
)
def test_bad_parameters_are_named(params, message):
    with pytest.raises(ValueError, match=message):
        KernelKMeans(**{"n_clusters": 2, **params}).fit(np.eye(4))


def test_answers_are_for_methods_that_take_them():
    with pytest.raises(TypeError, match="must_link"):
        KernelKMeans(n_clusters=2).fit(np.eye(4), must_link=[[0, 1]])
    assert "must_link" in ilk.SKkm.fit.__doc__
