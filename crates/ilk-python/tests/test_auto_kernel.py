"""A consensus over a kernel matrix, and new points as rows of kernel values."""

import ilk
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import linear_kernel, rbf_kernel


def pairs(y, n, seed):
    """n random pairs, answered by the classes y."""
    rng = np.random.default_rng(seed)
    i, j = rng.integers(len(y), size=(2, n))
    i, j = i[i != j], j[i != j]
    same = y[i] == y[j]
    both = np.column_stack([i, j])
    return {"must_link": both[same], "cannot_link": both[~same]}


@pytest.fixture(scope="module")
def rings():
    """Points of two rings, new ones, and which ring each is of."""
    X, y = ilk.datasets.make_two_circles(75, random_state=0)
    new, of_new = ilk.datasets.make_two_circles(30, random_state=1)
    return X, y, new, of_new


def auto(**params):
    return ilk.Auto(n_fits=8, random_state=0, **params)


@pytest.mark.parametrize("given", [{"kernel": "precomputed"}, {"input": "kernel"}], ids=str)
def test_rings_are_found_in_a_kernel_and_new_rows_join_them(rings, given):
    X, y, new, of_new = rings
    kernel, rows = rbf_kernel(X, gamma=2.0), rbf_kernel(new, X, gamma=2.0)
    model = auto(**given).fit(kernel, **pairs(y, 60, 0))
    assert adjusted_rand_score(y, model.labels_) == 1.0
    assert np.array_equal(model.predict(kernel), model.labels_)
    assert adjusted_rand_score(of_new, model.predict(rows)) > 0.9
    sure = model.predict_proba(rows)
    assert sure.shape == (len(rows), model.n_clusters_)
    np.testing.assert_allclose(sure.sum(axis=1), 1.0)
    assert np.array_equal(sure.argmax(axis=1), model.predict(rows))
    assert model.confidence_.shape == (len(X),)
    assert np.all((model.confidence_ > 0) & (model.confidence_ <= 1))
    assert len(model.constraint_report_) == 2
    assert model.__sklearn_tags__().input_tags.pairwise


def test_a_consensus_of_one_member_is_that_member_on_the_same_kernel():
    rng = np.random.default_rng(3)
    X = np.repeat([[0, 0], [9, 0], [0, 9]], 30, axis=0) + rng.normal(size=(90, 2))
    new = X + 0.1
    kernel, rows = linear_kernel(X), linear_kernel(new, X)
    alone = ilk.KernelKMeans(3, kernel="precomputed", random_state=0).fit(kernel)
    model = ilk.Auto(3, kernel="precomputed", members=["kernel-kmeans"], random_state=0).fit(kernel)
    assert {member.method for member in model.leaderboard_} == {"kernel-kmeans"}
    assert np.array_equal(model.labels_, alone.labels_)
    assert np.array_equal(model.predict(rows), alone.predict(rows))


def test_a_saved_consensus_over_a_kernel_places_the_same_rows(rings, tmp_path):
    X, y, new, _ = rings
    rows = rbf_kernel(new, X, gamma=2.0)
    model = auto(kernel="precomputed").fit(rbf_kernel(X, gamma=2.0), **pairs(y, 40, 1))
    model.save(tmp_path / "model.ilk")
    again = ilk.load(tmp_path / "model.ilk")
    assert again.kernel == "precomputed"
    assert again.n_features_in_ == len(X)
    assert np.array_equal(again.predict_proba(rows), model.predict_proba(rows))
    assert clone(again).get_params() == again.get_params()


def test_what_is_no_kernel_is_refused(rings):
    X, _, new, _ = rings
    with pytest.raises(
        ValueError, match="the kernel matrix has 150 rows and 2 columns; it must be"
    ):
        auto(kernel="precomputed").fit(X)
    kernel = rbf_kernel(X, gamma=2.0)
    kernel[3, 5] = 7.0
    with pytest.raises(ValueError, match="symmetric"):
        auto(kernel="precomputed").fit(kernel)
    with pytest.raises(ValueError, match='kernel = "cubic" is out of range: one of gaussian, pre'):
        auto(kernel="cubic").fit(X)
    with pytest.raises(
        ValueError, match="input = 'table' is not understood: it must be one of poi"
    ):
        auto(input="table").fit(X)
    with pytest.raises(ValueError, match="metric = 'cosine' is about points, and X is a matrix"):
        auto(kernel="precomputed", metric="cosine").fit(rbf_kernel(X))
    model = auto(kernel="precomputed").fit(rbf_kernel(X, gamma=2.0))
    with pytest.raises(ValueError, match="expecting 150 features"):
        model.predict(new)
