"""Mean shift against scikit-learn's, and by hand."""

import numpy as np
import pytest
import sklearn.cluster
from ilk import MeanShift
from ilk.metrics import adjusted_rand_score
from sklearn.datasets import make_blobs


def match(ours, theirs):
    """The distance from each of our modes to theirs, and which of theirs is nearest."""
    dist = np.linalg.norm(ours[:, None] - theirs[None], axis=2)
    return dist.min(axis=1), dist.argmin(axis=1)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("n", "dims", "bandwidth"), [(300, 2, 2.0), (500, 3, 3.0), (400, 2, 1.2)])
def test_flat_kernel_finds_scikit_learns_modes(seed, n, dims, bandwidth):
    X, _ = make_blobs(n, dims, centers=4, cluster_std=0.7, random_state=seed)
    theirs = sklearn.cluster.MeanShift(bandwidth=bandwidth).fit(X)
    ours = MeanShift(bandwidth=bandwidth, kernel="flat", random_state=0).fit(X)
    assert ours.n_clusters_ == len(theirs.cluster_centers_)
    dist, partner = match(ours.cluster_centers_, theirs.cluster_centers_)
    assert dist.max() <= 1e-9
    assert len(set(partner)) == ours.n_clusters_


@pytest.mark.parametrize("seed", range(5))
def test_flat_kernel_gives_scikit_learns_labels_on_separated_blobs(seed):
    # The blobs are so far apart that the nearest mode is also the one a point climbs to.
    rng = np.random.default_rng(seed)
    X = np.concatenate([c + rng.uniform(-1, 1, (80, 2)) for c in [(0, 0), (20, 0), (0, 20)]])
    theirs = sklearn.cluster.MeanShift(bandwidth=4.0).fit(X)
    ours = MeanShift(bandwidth=4.0, kernel="flat", random_state=0).fit(X)
    _, partner = match(ours.cluster_centers_, theirs.cluster_centers_)
    assert np.array_equal(partner[ours.labels_], theirs.labels_)


@pytest.mark.parametrize("kernel", ["gaussian", "rbf", "truncated", "flat", "epanechnikov"])
def test_every_kernel_finds_three_blobs(kernel, blobs):
    X, truth = blobs
    model = MeanShift(bandwidth=2.5, kernel=kernel, random_state=0).fit(X)
    assert model.n_clusters_ == 3
    assert model.converged_
    assert len({(a, b) for a, b in zip(model.labels_, truth, strict=False)}) == 3


def test_modes_are_fixed_points_of_the_gaussian_update(blobs):
    X, _ = blobs
    model = MeanShift(bandwidth=1.5, random_state=0).fit(X)
    dist_sq = ((model.cluster_centers_[:, None] - X[None]) ** 2).sum(axis=2)
    weight = np.exp(-0.5 * dist_sq / 1.5**2)
    moved = weight @ X / weight.sum(axis=1, keepdims=True)
    assert np.abs(moved - model.cluster_centers_).max() < 1e-5


def test_a_point_of_weight_three_counts_as_three_points():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((60, 2))
    weight = rng.integers(1, 4, 60)
    weighted = MeanShift(bandwidth=0.8, random_state=0).fit(X, sample_weight=weight)
    repeated = MeanShift(bandwidth=0.8, random_state=0).fit(np.repeat(X, weight, axis=0))
    dist, _ = match(weighted.cluster_centers_, repeated.cluster_centers_)
    assert weighted.n_clusters_ == repeated.n_clusters_
    assert dist.max() < 1e-5


def test_a_point_of_weight_zero_might_as_well_not_be_there(blobs):
    X, _ = blobs
    weight = np.ones(len(X))
    weight[::7] = 0
    counted = weight > 0
    # Pairs that the modes keep, so that no label is refined.
    pairs = [[0, 1], [1, 2], [60, 61]]
    model = MeanShift(bandwidth=1.0, random_state=0)
    weighted = model.fit(X, sample_weight=weight, must_link=pairs)
    report = weighted.constraint_report_["must_link"]
    assert sorted([*report.kept.tolist(), *report.broken.tolist()]) == pairs
    alone = MeanShift(bandwidth=1.0, random_state=0).fit(X[counted])
    assert weighted.cluster_centers_.tobytes() == alone.cluster_centers_.tobytes()
    assert np.array_equal(weighted.labels_[counted], alone.labels_)
    assert np.array_equal(weighted.labels_[~counted], alone.predict(X[~counted]))


def test_points_of_weight_zero_have_bandwidths_of_their_own(blobs):
    X, _ = blobs
    each = np.random.default_rng(2).uniform(0.8, 2.0, len(X))
    counted = np.arange(len(X)) % 5 != 0
    weighted = MeanShift(bandwidth=each, random_state=0).fit(X, sample_weight=counted)
    alone = MeanShift(bandwidth=each[counted], random_state=0).fit(X[counted])
    assert weighted.cluster_centers_.tobytes() == alone.cluster_centers_.tobytes()
    assert np.array_equal(weighted.labels_[counted], alone.labels_)
    assert np.array_equal(weighted.labels_[~counted], alone.predict(X[~counted]))


def test_a_bandwidth_for_every_point_is_for_those_of_weight_zero_too(blobs):
    X, _ = blobs
    counted = np.arange(len(X)) % 5 != 0
    few = np.full(counted.sum(), 1.5)
    with pytest.raises(ValueError, match="the list of bandwidths has 144 entries where 180 are"):
        MeanShift(bandwidth=few).fit(X, sample_weight=counted)


def test_a_bandwidth_for_every_point_is_taken(blobs):
    X, _ = blobs
    each = np.full(len(X), 1.5)
    model = MeanShift(bandwidth=each, random_state=0).fit(X)
    same = MeanShift(bandwidth=1.5, random_state=0).fit(X)
    assert np.array_equal(model.labels_, same.labels_)
    assert model.bandwidth_ == pytest.approx(1.5)


@pytest.mark.parametrize("rule", ["percentile(0.1)", "silverman", "auto", "neighbor(20)"])
def test_a_rule_gives_a_bandwidth(rule, blobs):
    model = MeanShift(bandwidth=rule, random_state=0).fit(blobs[0])
    assert 0 < model.bandwidth_ < 20


def test_a_fixed_number_of_iterations_is_done(blobs):
    assert MeanShift(bandwidth=1.0, fixed_iter=3).fit(blobs[0]).n_iter_ == 3


def test_the_trace_tells_every_iteration(blobs):
    model = MeanShift(bandwidth=1.0).fit(blobs[0])
    assert len(model.trace_) == model.n_iter_
    assert model.trace_.active[0] > 0
    assert model.trace_.movement[-1] < model.trace_.movement[0]


@pytest.mark.parametrize("blurring", [False, True], ids=["climbing", "blurring"])
@pytest.mark.parametrize("max_iter", [1, 2, 3])
def test_running_out_of_iterations_is_reported(max_iter, blurring, blobs):
    X, _ = blobs
    model = MeanShift(bandwidth=1.0, blurring=blurring, tol=1e-12, max_iter=max_iter).fit(X)
    assert not model.converged_
    assert model.n_iter_ == len(model.trace_) == max_iter


@pytest.mark.parametrize("blurring", [False, True], ids=["climbing", "blurring"])
def test_a_converged_run_needs_no_more_iterations_than_it_did(blurring, blobs):
    X, _ = blobs
    model = MeanShift(bandwidth=1.0, blurring=blurring, random_state=0).fit(X)
    assert model.converged_
    assert 1 < model.n_iter_ < model.max_iter
    again = MeanShift(bandwidth=1.0, blurring=blurring, random_state=0, max_iter=model.n_iter_)
    assert again.fit(X).converged_
    assert np.array_equal(again.labels_, model.labels_)


def test_cells_of_blurring_change_hardly_a_label(blobs):
    X, _ = blobs
    exact = MeanShift(bandwidth=0.8, blurring=True, fixed_iter=30).fit(X)
    pooled = MeanShift(bandwidth=0.8, blurring=True, fixed_iter=30, cell=1e-4).fit(X)
    assert adjusted_rand_score(exact.labels_, pooled.labels_) > 0.99
