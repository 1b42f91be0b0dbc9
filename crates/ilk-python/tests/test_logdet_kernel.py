"""The learned kernel against recorded optima, a plain implementation, and its own definition."""

import os
import pickle
from pathlib import Path

import ilk
import numpy as np
import pandas as pd
import pytest
from ilk import Constraints, LogDetKernel
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

GOLDEN = Path(__file__).resolve().parents[2] / "ilk" / "tests" / "golden" / "logdet"
SHARED = Path(__file__).resolve().parents[3].parent / "shared"


def recorded(name):
    path = GOLDEN / f"{name}.npz"
    if not path.exists():
        path = SHARED / "golden" / "logdet" / f"{name}.npz"
    if not path.exists():
        if os.environ.get("CI") == "true" and SHARED.is_dir():
            pytest.fail(f"golden/logdet/{name}.npz is not in ../shared")
        pytest.skip(f"golden/logdet/{name}.npz is not in ../shared")
    with np.load(path) as arrays:
        return dict(arrays)


def gaussian(X, Y, sigma):
    return np.exp(-cdist(X, Y, "sqeuclidean") / (2 * sigma**2))


def distances_sq(K):
    return np.diag(K)[:, None] + np.diag(K) - 2 * K


@pytest.fixture
def answers():
    """Points with every kind of answer but labels."""
    X = np.random.default_rng(4).standard_normal((30, 3))
    return X, {
        "must_link": [[0, 1], [2, 3], [4, 9]],
        "cannot_link": [[0, 2], [1, 8]],
        "odd_one_out": [[5, 6, 7], [10, 11, 0]],
        "about_equal": [[12, 13, 14]],
        "closer": [[15, 16, 17], [3, 2, 18]],
    }


# The checks give random labels to all points, for which the way to the very optimum is long.
@parametrize_with_checks(
    [
        LogDetKernel(sigma=1.0, projection="paper"),
        LogDetKernel(kernel="precomputed", projection="paper"),
    ],
)
def test_scikit_learn_accepts_the_transformer(estimator, check):
    check(estimator)


@pytest.mark.parametrize("name", ["pairs_soft_g1_n12", "pairs_hard_n16"])
def test_pairs_give_the_recorded_optimum(name):
    case = recorded(name)
    must, cannot = (case["pairs"][case["delta"] == sign] for sign in (1, -1))
    model = LogDetKernel(
        sigma=float(case["sigma"]),
        gamma=float(case["gamma"]),
        targets=(case["xi0"].min(), case["xi0"].max()),
        tol=1e-12,
    ).fit(case["X"], must_link=must, cannot_link=cannot)
    np.testing.assert_allclose(model.kernel(case["X"]), case["K"], atol=1e-6)
    np.testing.assert_allclose(model.kernel(case["X_new"]), case["K_new"], atol=1e-6)
    np.testing.assert_allclose(model.dual_coef_, case["lam"], rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(model.primal_objective_, case["primal"], atol=1e-6)
    assert model.duality_gap_ < 1e-8
    assert model.converged_


@pytest.mark.parametrize("name", ["rel_hard_n12", "rel_l1_C1_eq_n16"])
def test_comparisons_give_the_recorded_optimum(name):
    case = recorded(name)
    hard = np.isinf(case["C"])
    model = LogDetKernel(
        kernel="precomputed",
        ratio=float(case["rho"]),
        slack="none" if hard else str(case["slack"]),
        penalty=1.0 if hard else float(case["C"]),
        tol=1e-11,
    ).fit(case["K0"], odd_one_out=case["triples"], about_equal=case["equal"].astype(int))
    np.testing.assert_allclose(model.kernel(case["K0"]), case["K"], atol=1e-6)
    np.testing.assert_allclose(model.primal_objective_, case["objective"], rtol=1e-7)
    assert model.duality_gap_ < 1e-8


def test_the_papers_procedure_gives_the_recorded_kernel():
    case = recorded("rel_simple_feasible_n12")
    model = LogDetKernel(
        kernel="precomputed",
        ratio=float(case["rho"]),
        slack="none",
        projection="paper",
        tol=float(case["sat_tol"]),
    ).fit(case["K0"], odd_one_out=case["triples"])
    np.testing.assert_allclose(model.kernel(case["K0"]), case["K"], atol=1e-6)


def cyclic_projections(K, pairs, signs, targets, gamma):
    """Algorithm 1 of the SKMS paper, on the whole kernel: one pair at a time, until it stands."""
    K, slack, duals = K.copy(), targets.copy(), np.zeros(len(pairs))
    for _ in range(5000):
        for at, (a, b) in enumerate(pairs):
            sign = signs[at]
            z = K[:, a] - K[:, b]
            p = z[a] - z[b]
            scale = gamma / (gamma + 1)
            step = min(duals[at], sign * scale * (1 / p - 1 / slack[at]))
            slack[at] = gamma * slack[at] / (gamma + sign * step * slack[at])
            duals[at] -= step
            K += sign * step / (1 - sign * step * p) * np.outer(z, z)
    return K


def test_pairs_give_what_the_papers_updates_converge_to():
    X = np.random.default_rng(1).standard_normal((14, 2))
    pairs = np.array([[0, 1], [1, 2], [3, 4], [0, 5], [2, 6], [3, 7]])
    signs = np.array([1, 1, 1, -1, -1, -1])
    targets = np.where(signs > 0, 0.1, 1.8)
    plain = cyclic_projections(gaussian(X, X, 1.2), pairs, signs, targets, gamma=3.0)
    model = LogDetKernel(sigma=1.2, gamma=3.0, targets=(0.1, 1.8), tol=1e-13)
    model.fit(X, must_link=pairs[:3], cannot_link=pairs[3:])
    np.testing.assert_allclose(model.kernel(X), plain, atol=1e-6)


def test_the_correction_gives_the_kernel_of_points_old_and_new(answers):
    X, given = answers
    model = LogDetKernel(sigma=1.0, random_state=0).fit(X, **given)
    P = X[model.constrained_]
    new = np.random.default_rng(5).standard_normal((7, 3))
    for a, b in [(X, X), (new, X), (new, new)]:
        through = gaussian(a, P, 1.0) @ model.correction_ @ gaussian(P, b, 1.0)
        np.testing.assert_allclose(model.kernel(a, b), gaussian(a, b, 1.0) + through, atol=1e-10)


@pytest.mark.parametrize("rank", ["exact", "trace", "frobenius", "trace(0.7)", 4])
@pytest.mark.parametrize("kernel", ["gaussian", "self_tuning", "linear"])
def test_features_carry_the_kernel_of_the_points_that_were_fitted(answers, kernel, rank):
    X, given = answers
    model = LogDetKernel(kernel=kernel, rank=rank, n_neighbors=5, random_state=0).fit(X, **given)
    features = model.transform(X)
    K = model.kernel(X)
    np.testing.assert_allclose(features @ features.T, K, atol=1e-7)
    np.testing.assert_allclose(model.dist_sq(X), cdist(features, features) ** 2, atol=1e-6)
    np.testing.assert_allclose(np.linalg.eigvalsh(K).clip(None, 0), 0, atol=1e-8)
    if rank == 4:
        assert model.rank_ == (3 if kernel == "linear" else 4)


@pytest.mark.parametrize("rank", ["exact", "trace(0.8)"])
def test_a_precomputed_kernel_gives_the_same_as_the_kernel_itself(answers, rank):
    X, given = answers
    K = gaussian(X, X, 1.3)
    ours = LogDetKernel(sigma=1.3, rank=rank, random_state=0).fit(X, **given)
    given = LogDetKernel(kernel="precomputed", rank=rank, random_state=0).fit(K, **given)
    np.testing.assert_allclose(given.targets_, ours.targets_)
    np.testing.assert_allclose(given.kernel(K), ours.kernel(X), atol=1e-7)
    new = np.random.default_rng(5).standard_normal((7, 3))
    rows = gaussian(new, X, 1.3)
    np.testing.assert_allclose(given.kernel(rows), ours.kernel(new, X), atol=1e-6)
    assert given.sigma_ is None


def test_constraints_hold_up_to_slack(answers):
    X, given = answers
    model = LogDetKernel(sigma=1.0, gamma=1e4, penalty=1e4, random_state=0).fit(X, **given)
    D = model.dist_sq(X)
    near, far = model.targets_
    for a, b in given["must_link"]:
        assert D[a, b] < near * 1.05
    for a, b in given["cannot_link"]:
        assert D[a, b] > far * 0.95
    for a, b, odd in given["odd_one_out"]:
        assert 2 * D[a, b] < min(D[a, odd], D[b, odd]) + 1e-4
    for a, b, c in given["about_equal"]:
        assert np.ptp([D[a, b], D[a, c], D[b, c]]) < 1e-3
    for anchor, close, distant in given["closer"]:
        assert 2 * D[anchor, close] < D[anchor, distant] + 1e-4
    assert len(model.unattainable_) == 0


def test_rows_say_what_every_dual_is_about(answers):
    X, given = answers
    model = LogDetKernel(sigma=1.0).fit(X, **given)
    kinds = [(3, "must_link"), (2, "cannot_link"), (4, "odd_one_out"), (2, "about_equal")]
    expected = [kind for count, kind in [*kinds, (2, "closer")] for _ in range(count)]
    assert model.rows_["kind"].tolist() == expected
    assert model.rows_[0].tolist() == ("must_link", 0, 1, -1)
    assert [tuple(row)[1:] for row in model.rows_[5:7]] == [(5, 6, 7), (6, 5, 7)]
    assert model.dual_coef_.shape == model.violations_.shape == (13,)
    D = model.dist_sq(X)
    missed = D[0, 1] - model.targets_[0]
    np.testing.assert_allclose(model.violations_[0], max(missed, 0), atol=1e-9)
    named = np.unique([p for entries in given.values() for entry in entries for p in entry])
    assert np.array_equal(model.constrained_, named)


def test_labels_become_pairs():
    X = np.random.default_rng(0).standard_normal((12, 2))
    y = np.array([0, 0, 0, 1, 1, -1, -1, -1, -1, -1, -1, -1])
    model = LogDetKernel(sigma=1.0, random_state=0).fit(X, y)
    rows = {tuple(row) for row in model.rows_.tolist()}
    assert {row[1:3] for row in rows if row[0] == "must_link"} == {(0, 1), (0, 2), (1, 2), (3, 4)}
    apart = {row[1:3] for row in rows if row[0] == "cannot_link"}
    assert apart <= {(a, b) for a in range(3) for b in (3, 4)}
    assert apart


def test_weights_count():
    X = np.random.default_rng(0).standard_normal((12, 2))
    weighed = [
        LogDetKernel(sigma=1.0).fit(X, constraints=Constraints(12, must_link=[[0, 1]], weights=w))
        for w in (0.1, 10.0)
    ]
    light, heavy = (model.dist_sq(X)[0, 1] for model in weighed)
    assert heavy < light


def test_without_constraints_the_kernel_stays_as_it_is():
    X = np.random.default_rng(0).standard_normal((12, 2))
    model = LogDetKernel(sigma=1.0).fit(X)
    np.testing.assert_allclose(model.kernel(X), gaussian(X, X, 1.0), atol=1e-12)
    assert model.correction_.shape == (0, 0)
    assert len(model.dual_coef_) == len(model.constrained_) == 0


def test_a_cannot_link_of_equal_points_is_unattainable():
    X = np.array([[0.0], [0.0], [1.0], [2.0]])
    model = LogDetKernel(sigma=1.0).fit(X, cannot_link=[[0, 1], [0, 3]])
    assert model.rows_[model.unattainable_].tolist() == [("cannot_link", 0, 1, -1)]


def test_a_warm_start_gives_the_same_sooner(answers):
    X, given = answers
    more = {**given, "must_link": [*given["must_link"], [20, 21]]}
    cold = LogDetKernel(sigma=1.0).fit(X, **more)
    warm = LogDetKernel(sigma=1.0, warm_start=True).fit(X, **given).fit(X, **more)
    np.testing.assert_allclose(warm.kernel(X), cold.kernel(X), atol=1e-4)
    assert warm.n_iter_ < cold.n_iter_
    assert warm.fit(X, **more).n_iter_ <= 1


def test_the_seed_and_not_the_threads_decides():
    X = np.random.default_rng(0).standard_normal((300, 3))
    y = np.where(np.arange(300) < 60, X[:, 0] > 0, -1)
    one, two, other = (
        LogDetKernel(random_state=seed, n_jobs=n).fit(X, y) for seed, n in [(1, 1), (1, 2), (2, 1)]
    )
    assert one.dual_coef_.tobytes() == two.dual_coef_.tobytes()
    assert one.kernel(X).tobytes() == two.kernel(X).tobytes()
    assert one.transform(X).tobytes() == two.transform(X).tobytes()
    assert not np.array_equal(one.rows_, other.rows_)


def test_it_works_in_a_pipeline():
    X, truth = ilk.datasets.make_two_circles(random_state=0)[:2]
    y = np.where(np.arange(len(X)) % 10 == 0, truth, -1)
    learned = LogDetKernel(sigma=0.5, rank=20, gamma=100.0, random_state=0)
    pipeline = make_pipeline(StandardScaler(), learned, KMeans(2, n_init=10, random_state=0))
    labels = pipeline.fit(X, y).predict(X)
    assert ilk.metrics.adjusted_rand_score(truth, labels) > 0.9
    assert ilk.metrics.adjusted_rand_score(truth, KMeans(2, random_state=0).fit_predict(X)) < 0.1
    names = learned.get_feature_names_out()
    assert names[0] == "logdetkernel0"
    assert len(names) == 20


def test_the_parameter_is_also_the_method():
    model = LogDetKernel(kernel="linear")
    assert model.kernel == "linear"
    assert model.get_params()["kernel"] == "linear"
    assert clone(model).set_params(kernel="gaussian").kernel == "gaussian"
    assert "kernel='linear'" in repr(model)
    with pytest.raises(NotFittedError):
        model.kernel([[0.0]])


def test_pickle_keeps_everything(answers):
    X, given = answers
    model = LogDetKernel(sigma=1.0, random_state=0).fit(X, **given)
    again = pickle.loads(pickle.dumps(model))
    assert again.get_params() == model.get_params()
    assert again.kernel(X).tobytes() == model.kernel(X).tobytes()
    assert again.transform(X).tobytes() == model.transform(X).tobytes()
    assert np.array_equal(again.rows_, model.rows_)


def test_ids_of_a_frame_name_points(answers):
    X, _ = answers
    frame = pd.DataFrame(X, index=[f"p{i}" for i in range(len(X))], columns=list("abc"))
    by_id = LogDetKernel(sigma=1.0).fit(frame, must_link=[["p3", "p7"]])
    assert by_id.constrained_.tolist() == [3, 7]
    assert by_id.set_output(transform="pandas").transform(frame).index.equals(frame.index)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"kernel": "round"}, 'kernel = "round" is out of range: one of gaussian, self_tuning'),
        ({"sigma": "wide"}, 'sigma = "wide" is out of range: auto, divergence, or a number'),
        ({"sigma": -1.0}, "sigma = -1 is out of range"),
        ({"gamma": 0.0}, "gamma = 0 is out of range"),
        ({"gamma": -np.inf}, "gamma = -inf is out of range"),
        ({"gamma": "strong"}, 'gamma = "strong" is out of range: a number above 0, inf'),
        ({"rank": 0}, "rank = 0 is out of range"),
        ({"rank": "most"}, 'rank = "most" is out of range: auto, exact, trace'),
        ({"rank": "trace(2)"}, r"rank = trace\(2\) is out of range"),
        ({"targets": (1.0, 0.5)}, r"targets = \[1, 0.5\] is out of range"),
        ({"targets": (0.1,)}, r"targets = \[0.1\] is out of range"),
        ({"targets": "near"}, 'targets = "near" is out of range: auto, or'),
        ({"ratio": 0.5}, "ratio = 0.5 is out of range"),
        ({"slack": "l3"}, 'slack = "l3" is out of range: one of l1, l2, none'),
        ({"penalty": 0.0}, "penalty = 0 is out of range"),
        ({"projection": "primal"}, 'projection = "primal" is out of range: one of dual, sweeps, paper'),
        ({"tol": 0.0}, "tol = 0 is out of range"),
        ({"max_iter": 0}, "max_iter = 0 is out of range"),
        ({"n_neighbors": 0}, "n_neighbors = 0 is out of range"),
    ],
)
def test_bad_parameters_are_named(params, message):
    with pytest.raises(ValueError, match=message):
        LogDetKernel(**params).fit(np.eye(4), must_link=[[0, 1]])


@pytest.mark.parametrize(
    ("K", "message"),
    [
        (np.ones((3, 2)), "square"),
        (np.array([[1.0, 0.5], [0.1, 1.0]]), "symmetric"),
    ],
)
def test_what_is_no_kernel_matrix_is_refused(K, message):
    with pytest.raises(ValueError, match=message):
        LogDetKernel(kernel="precomputed").fit(K)


def test_constraints_about_other_points_are_refused():
    with pytest.raises(ValueError, match="about 3 points, but there are 4"):
        LogDetKernel().fit(np.eye(4), constraints=Constraints(3, must_link=[[0, 1]]))


def test_distances_of_a_whole_given_kernel_are_refused():
    model = LogDetKernel(kernel="precomputed").fit(np.eye(4), must_link=[[0, 1]])
    with pytest.raises(ValueError, match="kernel was given as a matrix"):
        model.dist_sq(np.eye(4))
