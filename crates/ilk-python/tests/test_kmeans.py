"""k-means against scikit-learn's."""

import ilk
import numpy as np
import pytest
from ilk import KMeans
from ilk.metrics import adjusted_rand_score
from sklearn import cluster
from sklearn.metrics import pairwise_distances


def points(n=400, dims=5, k=6, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((k, dims))[np.arange(n) % k] + 0.5 * rng.standard_normal((n, dims))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("algorithm", ["lloyd", "elkan"])
def test_from_equal_starts_labels_and_inertia_are_those_of_scikit_learn(weighted, algorithm):
    for seed, (n, dims, k) in enumerate([(60, 1, 3), (400, 2, 7), (2000, 30, 40)]):
        X = points(n, dims, k, seed)
        weight = np.random.default_rng(seed).uniform(0.1, 3, n) if weighted else None
        start = X[:k]
        theirs = cluster.KMeans(k, init=start, n_init=1, tol=0, max_iter=1000, algorithm=algorithm)
        theirs.fit(X, sample_weight=weight)
        ours = KMeans(k, init=start, tol=0, max_iter=1000).fit(X, sample_weight=weight)
        assert np.array_equal(ours.labels_, theirs.labels_)
        np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, atol=1e-12)
        np.testing.assert_allclose(ours.inertia_, theirs.inertia_, rtol=1e-12)
        new = X + 0.1
        assert np.array_equal(ours.predict(new), theirs.predict(new))


def test_with_the_default_tolerance_it_stops_where_scikit_learn_does():
    X = points(3000, 8, 12)
    theirs = cluster.KMeans(12, init=X[:12], n_init=1).fit(X)
    ours = KMeans(12, init=X[:12]).fit(X)
    np.testing.assert_allclose(ours.inertia_, theirs.inertia_, rtol=1e-12)


def test_from_its_own_starts_it_is_as_good_as_scikit_learn():
    for seed in range(5):
        X = points(600, 4, 20, seed)
        ours = KMeans(20, random_state=seed).fit(X)
        theirs = cluster.KMeans(20, n_init=10, random_state=seed).fit(X)
        assert ours.inertia_ <= 1.02 * theirs.inertia_


def test_the_cosine_is_k_means_on_directions_with_centres_of_length_one():
    X = points(500, 6, 5, 1)
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    centers = unit[:5]
    for _ in range(200):
        labels = (unit @ centers.T).argmax(axis=1)
        sums = np.array([unit[labels == c].sum(axis=0) for c in range(5)])
        centers = sums / np.linalg.norm(sums, axis=1, keepdims=True)
    model = KMeans(5, distance="cosine", init=X[:5], tol=0).fit(X)
    assert np.array_equal(model.labels_, labels)
    np.testing.assert_allclose(model.cluster_centers_, centers, atol=1e-12)
    np.testing.assert_allclose(model.inertia_, (1 - (unit * centers[labels]).sum(axis=1)).sum())
    assert np.array_equal(model.predict(3 * X), model.labels_)
    assert model.predict(np.zeros((1, 6)))[0] == -1


def test_a_weight_is_so_many_points_and_none_is_no_point():
    X = points(90, 2, 3)
    weight = np.random.default_rng(0).integers(0, 4, 90)
    weighed = KMeans(3, random_state=0).fit(X, sample_weight=weight)
    repeated = KMeans(3, random_state=0).fit(np.repeat(X, weight, axis=0))
    np.testing.assert_allclose(weighed.inertia_, repeated.inertia_)
    spread = np.repeat(weighed.labels_, weight)
    assert adjusted_rand_score(spread, repeated.labels_) == 1.0
    assert np.array_equal(weighed.labels_, weighed.predict(X))


def test_the_words_of_scikit_learn_are_understood():
    X = points(100, 2, 3)
    ours = KMeans(3, random_state=0).fit(X)
    words = KMeans(3, init="k-means++", n_init="auto", random_state=0).fit(X)
    assert np.array_equal(ours.labels_, words.labels_)


def test_given_centres_survive_saving(tmp_path):
    X = points(50, 2, 3)
    model = KMeans(3, init=X[[7, 1, 20]]).fit(X)
    model.save(tmp_path / "model.ilk")
    again = ilk.load(tmp_path / "model.ilk")
    assert np.array_equal(again.init, X[[7, 1, 20]])
    assert np.array_equal(again.cluster_centers_, model.cluster_centers_)
    assert np.array_equal(again.fit(X).labels_, model.labels_)


def test_bad_starts_are_refused():
    X = points(50, 2, 3)
    with pytest.raises(ValueError, match="init = 2 centres is out of range"):
        KMeans(3, init=X[:2]).fit(X)
    with pytest.raises(ValueError, match='init = "random" is out of range: one of plus_plus'):
        KMeans(3, init="random").fit(X)
    with pytest.raises(ValueError, match="60 clusters were asked for, but there are only 50"):
        KMeans(60).fit(X)


@pytest.mark.parametrize("distance", ["euclidean", "cosine"])
def test_transform_and_score_are_those_of_scikit_learn(distance):
    X = np.random.default_rng(3).normal(1, 1, (80, 4))
    new = np.random.default_rng(4).normal(1, 1, (9, 4))
    weights = np.arange(9.0)
    model = ilk.KMeans(n_clusters=3, distance=distance, random_state=0).fit(X)
    expected = pairwise_distances(new, model.cluster_centers_, metric=distance)
    assert np.allclose(model.transform(new), expected)
    assert np.array_equal(model.transform(new).argmin(axis=1), model.predict(new))
    assert np.isclose(model.score(X), -model.inertia_)
    if distance == "euclidean":
        init = model.cluster_centers_
        theirs = cluster.KMeans(3, init=init, n_init=1, max_iter=1).fit(init)
        assert np.isclose(
            model.score(new, sample_weight=weights), theirs.score(new, sample_weight=weights)
        )
    assert np.allclose(model.fit_transform(X), model.transform(X))
