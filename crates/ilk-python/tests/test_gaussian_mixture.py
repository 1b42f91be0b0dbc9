"""Gaussian mixtures against scikit-learn's."""

import ilk
import numpy as np
import pytest
from ilk import GaussianMixture
from ilk.metrics import adjusted_rand_score
from sklearn import mixture

KINDS = ["full", "diag", "spherical"]


def points(n=300, dims=3, k=3, seed=0):
    rng = np.random.default_rng(seed)
    places = 2.5 * rng.standard_normal((k, dims))
    shapes = rng.standard_normal((k, dims, dims))
    which = np.arange(n) % k
    return places[which] + np.einsum("nij,nj->ni", shapes[which], rng.standard_normal((n, dims)))


def start(X, k, kind):
    """Shares, means and precisions to start from."""
    dims = X.shape[1]
    precision = 1 / X.var()
    precisions = {
        "full": np.tile(precision * np.eye(dims), (k, 1, 1)),
        "diag": np.full((k, dims), precision),
        "spherical": np.full(k, precision),
    }
    weights = np.arange(1, k + 1) / np.arange(1, k + 1).sum()
    return {"weights_init": weights, "means_init": X[:k], "precisions_init": precisions[kind]}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("steps", [1, 5, 30])
def test_from_equal_starts_every_step_is_that_of_scikit_learn(kind, steps):
    for seed, (n, dims, k) in enumerate([(100, 1, 2), (300, 3, 3), (1000, 12, 4)]):
        X = points(n, dims, k, seed)
        given = {
            "n_components": k,
            "covariance_type": kind,
            "tol": 0,
            "reg_covar": 1e-6,  # ours is a share of the variances by default
            "max_iter": steps,
            **start(X, k, kind),
        }
        theirs = mixture.GaussianMixture(**given).fit(X)
        ours = GaussianMixture(**given).fit(X)
        assert ours.n_iter_ == steps
        np.testing.assert_allclose(ours.weights_, theirs.weights_, rtol=1e-9)
        np.testing.assert_allclose(ours.means_, theirs.means_, rtol=1e-8, atol=1e-9)
        np.testing.assert_allclose(ours.covariances_, theirs.covariances_, rtol=1e-8, atol=1e-9)
        new = X + 0.1
        np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), atol=1e-8)
        np.testing.assert_allclose(ours.score_samples(new), theirs.score_samples(new), rtol=1e-8)
        np.testing.assert_allclose(ours.lower_bound_, theirs.score(X), rtol=1e-9)
        assert np.array_equal(ours.labels_, theirs.predict(X))


@pytest.mark.parametrize("kind", KINDS)
def test_from_its_own_starts_it_is_as_likely_as_scikit_learn(kind):
    for seed in range(3):
        X = points(600, 3, 4, seed)
        ours = GaussianMixture(4, covariance_type=kind, n_init=5, random_state=seed).fit(X)
        theirs = mixture.GaussianMixture(4, covariance_type=kind, n_init=5, random_state=seed)
        assert ours.lower_bound_ >= theirs.fit(X).score(X) - 0.02


def test_a_weight_is_so_many_points_and_none_is_no_point():
    X = points(200, 2, 2)
    weight = np.random.default_rng(0).integers(0, 4, 200)
    given = {"n_components": 2, "random_state": 0, **start(X, 2, "full")}
    weighed = GaussianMixture(**given).fit(X, sample_weight=weight)
    repeated = GaussianMixture(**given).fit(np.repeat(X, weight, axis=0))
    np.testing.assert_allclose(weighed.means_, repeated.means_, rtol=1e-9)
    np.testing.assert_allclose(weighed.covariances_, repeated.covariances_, rtol=1e-9)
    np.testing.assert_allclose(weighed.lower_bound_, repeated.lower_bound_)


@pytest.mark.parametrize("kind", KINDS)
def test_fewer_points_than_columns_are_grouped(kind):
    X = np.random.default_rng(0).standard_normal((10, 30)) + 9 * (np.arange(10) % 2)[:, None]
    model = GaussianMixture(2, covariance_type=kind, random_state=0).fit(X)
    assert adjusted_rand_score(model.labels_, np.arange(10) % 2) == 1.0
    assert np.isfinite(model.score_samples(X)).all()


@pytest.mark.parametrize("kind", KINDS)
def test_saving_keeps_components_and_what_was_given(kind, tmp_path):
    X = points(100, 3, 2)
    given = start(X, 2, kind)
    model = GaussianMixture(2, covariance_type=kind, **given).fit(X)
    model.save(tmp_path / "model.ilk")
    again = ilk.load(tmp_path / "model.ilk")
    for name in ("weights_", "means_", "covariances_"):
        assert np.array_equal(getattr(again, name), getattr(model, name)), name
    np.testing.assert_allclose(again.precisions_init, given["precisions_init"])
    np.testing.assert_allclose(again.means_init, given["means_init"])
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))


def test_bad_components_are_refused():
    X = points(50, 2, 2)
    with pytest.raises(ValueError, match="weights to start from is out of range: they must be 2"):
        GaussianMixture(2, weights_init=[0.5, 0.6]).fit(X)
    with pytest.raises(ValueError, match="means to start from is out of range: they must be 2"):
        GaussianMixture(2, means_init=X[:3]).fit(X)
    with pytest.raises(ValueError, match="not invertible"):
        GaussianMixture(2, precisions_init=np.zeros((2, 2, 2))).fit(X)
    with pytest.raises(ValueError, match='covariance_type = "round" is out of range: one of'):
        GaussianMixture(2, covariance_type="round").fit(X)


@pytest.mark.parametrize("kind", ["full", "diag", "spherical"])
def test_information_criteria_are_those_of_scikit_learn(kind):
    X = np.random.default_rng(5).normal(0, 1, (120, 3))
    model = ilk.GaussianMixture(2, covariance_type=kind, random_state=0).fit(X)
    theirs = mixture.GaussianMixture(2, covariance_type=kind)
    theirs.weights_, theirs.means_ = model.weights_, model.means_
    theirs.covariances_ = model.covariances_
    full = kind == "full"
    inverse = np.linalg.cholesky(np.linalg.inv(model.covariances_)) if full else None
    theirs.precisions_cholesky_ = inverse if full else 1 / np.sqrt(model.covariances_)
    assert np.isclose(model.bic(X), theirs.bic(X))
    assert np.isclose(model.aic(X), theirs.aic(X))
    assert np.isclose(model.score(X), theirs.score(X))
