"""Mean shift spectral clustering, against numpy and scikit-learn."""

import ilk
import numpy as np
import pytest
from ilk import MSSC, MeanShift
from ilk.metrics import adjusted_rand_score
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans


def test_affinities_are_angles_between_densities(blobs):
    X, _ = blobs
    model = MSSC(n_clusters=3, spectral_bandwidth=1.5, random_state=0).fit(X)
    K = np.exp(-cdist(X, X, "sqeuclidean") / (2 * 1.5**2))
    Z = np.eye(model.partitions_.max() + 1)[model.partitions_]
    V = Z.T @ K @ Z
    d = np.sqrt(np.diag(V))
    np.testing.assert_allclose(model.affinity_, V / np.outer(d, d), atol=1e-12)


def test_partitions_are_those_of_blurring_mean_shift(blobs):
    X, _ = blobs
    model = MSSC(n_clusters=3, bandwidth=0.4, cell=1e-10, random_state=0).fit(X)
    shift = MeanShift(bandwidth=0.4, blurring=True, max_iter=50).fit(X)
    assert adjusted_rand_score(shift.labels_, model.partitions_) == 1.0
    # Clusters are unions of partitions.
    for partition in range(model.partitions_.max() + 1):
        assert len(set(model.labels_[model.partitions_ == partition])) == 1


def test_axes_of_entropy_by_hand(blobs):
    """The second stage again in numpy, with partitions that count as their points do."""
    X, truth = blobs
    model = MSSC(n_clusters=3, bandwidth=0.4, spectral_bandwidth=3.0, random_state=0).fit(X)
    masses = np.bincount(model.partitions_).astype(float)
    roots = np.sqrt(masses)
    values, vectors = np.linalg.eigh(model.affinity_ * np.outer(roots, roots))
    values = np.maximum(values, 0)
    order = np.argsort(-values * (roots @ vectors) ** 2)[:3]
    Y = vectors[:, order] * np.sqrt(values[order]) / roots[:, None]
    Y /= np.linalg.norm(Y, axis=1, keepdims=True)
    theirs = KMeans(3, n_init=10, random_state=0).fit(Y, sample_weight=masses)
    assert adjusted_rand_score(theirs.labels_[model.partitions_], model.labels_) == 1.0
    assert adjusted_rand_score(truth, model.labels_) == 1.0


@pytest.mark.parametrize("make", [ilk.datasets.make_moons, ilk.datasets.make_rings_and_blob])
def test_bandwidths_are_found_for_groups_that_are_not_round(make):
    X, truth = make(random_state=0)
    k = truth.max() + 1
    model = MSSC(n_clusters=k, random_state=0).fit(X)
    assert adjusted_rand_score(truth, model.labels_) > 0.95
    alone = KMeans(k, n_init=10, random_state=0).fit(X)
    assert adjusted_rand_score(truth, alone.labels_) < 0.5


def test_new_points_and_weights(blobs):
    X, truth = blobs
    model = MSSC(n_clusters=3, random_state=0).fit(X)
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    weighted = MSSC(n_clusters=3, random_state=0).fit(X, sample_weight=np.full(len(X), 3.0))
    assert adjusted_rand_score(weighted.labels_, model.labels_) == 1.0
    assert adjusted_rand_score(truth, model.labels_) == 1.0


def test_pairs_divide_partitions(blobs):
    X, _ = blobs
    model = MSSC(n_clusters=3, bandwidth=3.0, random_state=0, refine="off")
    together = model.fit(X).partitions_
    a, b = np.flatnonzero(together == together[0])[:2]
    apart = model.fit(X, cannot_link=[[a, b]]).partitions_
    assert apart[a] != apart[b]


def test_bandwidths_left_open_are_reported_and_give_the_same_groups_again(blobs, tmp_path):
    X, _ = blobs
    model = MSSC(n_clusters=3, random_state=0).fit(X)
    chosen = {each.parameter: each.value for each in model.chosen_}
    assert sorted(chosen) == ["bandwidth", "embedding", "spectral_bandwidth"]
    given = {name: v if name == "embedding" else float(v) for name, v in chosen.items()}
    again = MSSC(n_clusters=3, random_state=0, **given).fit(X)
    assert again.chosen_ == []
    np.testing.assert_array_equal(again.partitions_, model.partitions_)
    np.testing.assert_array_equal(again.affinity_, model.affinity_)
    model.save(tmp_path / "model.json")
    assert ilk.load(tmp_path / "model.json").chosen_ == model.chosen_
