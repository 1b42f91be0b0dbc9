"""E2CP, spectral learning and k-means with penalties, against numpy and scikit-learn."""

import ilk
import numpy as np
import pytest
from ilk import E2CP, HMRFKMeans, SpectralLearning
from ilk.metrics import adjusted_rand_score
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.neighbors import kneighbors_graph


@pytest.fixture
def circles():
    X, truth = ilk.datasets.make_two_circles(random_state=1)
    return X, truth, ilk.make_constraints(truth, per_class=6, random_state=1)


@pytest.mark.parametrize("cls", [E2CP, SpectralLearning])
def test_without_answers_it_is_spectral_clustering_of_the_graph_of_neighbours(cls, blobs):
    X, truth = blobs
    A = kneighbors_graph(X, 15).toarray() * np.exp(-cdist(X, X, "sqeuclidean") / (2 * 2.0**2))
    A = (A + A.T) / 2
    theirs = SpectralClustering(3, affinity="precomputed", random_state=0).fit(A)
    ours = cls(n_clusters=3, sigma=2.0, n_neighbors=15, random_state=0).fit(X)
    assert adjusted_rand_score(theirs.labels_, ours.labels_) == 1.0
    given = cls(n_clusters=3, affinity="precomputed", n_neighbors=len(X), random_state=0).fit(A)
    assert adjusted_rand_score(theirs.labels_, given.labels_) == 1.0
    assert adjusted_rand_score(truth, ours.labels_) == 1.0


def adjusted(A, must_link, cannot_link, alpha):
    """The affinities of E2CP, with inverses."""
    n = len(A)
    Z = np.zeros((n, n))
    for pairs, sign in ((must_link, 1.0), (cannot_link, -1.0)):
        for i, j in pairs:
            Z[i, j] = Z[j, i] = sign
    d = np.sqrt(A.sum(axis=1))
    G = (1 - alpha) * np.linalg.inv(np.eye(n) - alpha * A / np.outer(d, d))
    F = G @ Z @ G
    F /= np.abs(F).max()
    W = np.where(F >= 0, 1 - (1 - F) * (1 - A), (1 + F) * A)
    np.fill_diagonal(W, 0)
    return W


def test_e2cp_groups_as_scikit_learn_does_the_affinities_of_the_paper(circles):
    X, truth, constraints = circles
    A = kneighbors_graph(X, 20).toarray() * np.exp(-cdist(X, X, "sqeuclidean") / (2 * 0.5**2))
    A = (A + A.T) / 2
    W = adjusted(A, constraints.must_link, constraints.cannot_link, 0.4)
    theirs = SpectralClustering(2, affinity="precomputed", random_state=0).fit(W)
    ours = E2CP(n_clusters=2, sigma=0.5, n_neighbors=20, alpha=0.4, random_state=0)
    ours.fit(X, constraints=constraints)
    assert adjusted_rand_score(theirs.labels_, ours.labels_) == 1.0
    assert adjusted_rand_score(truth, ours.labels_) == 1.0


def test_pairs_help_where_points_alone_do_not_tell(circles):
    X, truth, constraints = circles
    X = X * [1.0, 3.0]
    alone = E2CP(n_clusters=2, sigma=2.0, random_state=0).fit(X)
    helped = E2CP(n_clusters=2, sigma=2.0, random_state=0).fit(X, constraints=constraints)
    assert adjusted_rand_score(truth, alone.labels_) < adjusted_rand_score(truth, helped.labels_)


def test_affinities_place_no_new_points(circles):
    X, _, constraints = circles
    A = np.exp(-cdist(X, X, "sqeuclidean"))
    model = E2CP(n_clusters=2, affinity="precomputed").fit(A, constraints=constraints)
    assert model.__sklearn_tags__().input_tags.pairwise
    with pytest.raises(ValueError, match="cannot use new points; fit the points themselves"):
        model.predict(A[:3])


def test_without_pairs_it_is_as_good_as_k_means():
    X = np.random.default_rng(0).standard_normal((200, 3))
    ours = HMRFKMeans(n_clusters=6, random_state=0).fit(X)
    theirs = KMeans(6, n_init=10, random_state=0).fit(X)
    centers = ours.cluster_centers_
    assert ((X - centers[ours.labels_]) ** 2).sum() <= theirs.inertia_ * 1.03
    assert np.array_equal(cdist(X, centers).argmin(axis=1), ours.labels_)


def test_a_pair_holds_by_its_penalty_and_without_one_by_the_refinement():
    X = [[0.0], [0.2], [2.0], [5.0], [5.2]]
    held = HMRFKMeans(n_clusters=2, penalty=100.0, random_state=0).fit(X, must_link=[[2, 3]])
    loose = HMRFKMeans(n_clusters=2, penalty=0.0, random_state=0).fit(X, must_link=[[2, 3]])
    assert held.constraint_report_.n_broken == 0
    assert loose.constraint_report_.n_broken == 0
    assert [each.parameter for each in loose.chosen_] == ["refine"]


@pytest.mark.parametrize(
    ("cls", "params", "message"),
    [
        (E2CP, {"alpha": 1.0}, "alpha = 1 is out of range"),
        (E2CP, {"n_neighbors": 0}, "n_neighbors = 0 is out of range"),
        (SpectralLearning, {"sigma": -1.0}, "sigma = -1 is out of range"),
        (SpectralLearning, {"affinity": "cosine"}, 'affinity = "cosine" is out of range'),
        (HMRFKMeans, {"penalty": -2.0}, "penalty = -2 is out of range"),
        (HMRFKMeans, {"penalty": "high"}, 'penalty = "?high"? is out of range'),
    ],
)
def test_bad_parameters_are_named(cls, params, message):
    with pytest.raises(ValueError, match=message):
        cls(**{"n_clusters": 2, **params}).fit(np.eye(4))


@pytest.mark.parametrize("cls", [E2CP, SpectralLearning])
def test_a_graph_is_taken_as_it_is_sparse_or_dense(cls, circles):
    X, truth, constraints = circles
    graph = ilk.neighbors_graph(X, 10)
    of_points = cls(n_clusters=2, random_state=0).fit(X, constraints=constraints)
    sparse = cls(n_clusters=2, input="graph", random_state=0).fit(graph, constraints=constraints)
    dense = cls(n_clusters=2, input="graph", random_state=0).fit(graph.toarray(), constraints=constraints)
    assert adjusted_rand_score(of_points.labels_, sparse.labels_) == 1.0
    np.testing.assert_array_equal(sparse.labels_, dense.labels_)
    with pytest.raises(ValueError, match="cannot use new points"):
        sparse.predict(graph.toarray()[:2])
    given = {"n_clusters": 2, "n_neighbors": len(X), "random_state": 0}
    kernel = cls(input="kernel", **given).fit(graph.toarray(), constraints=constraints)
    same = cls(affinity="precomputed", **given).fit(graph.toarray(), constraints=constraints)
    np.testing.assert_array_equal(kernel.labels_, same.labels_)
    assert truth.shape == kernel.labels_.shape
