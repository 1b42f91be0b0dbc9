"""Correct answers never make a clustering worse: cases in which they once did."""

import ilk
import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_digits, load_wine, make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import StandardScaler


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


def test_one_cannot_link_does_not_break_a_normal_group_into_many():
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


@pytest.mark.parametrize("load", [load_wine, load_breast_cancer, load_digits])
@pytest.mark.parametrize("method", [ilk.CMS, ilk.MeanShift])
def test_tables_of_many_columns_are_not_one_cluster(method, load):
    X = StandardScaler().fit_transform(load(return_X_y=True)[0])
    assert method().fit(X).n_clusters_ > 1


def test_mean_shift_finds_the_wines_without_answers():
    X, y = load_wine(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    assert adjusted_rand_score(y, ilk.MeanShift().fit(X).labels_) > 0.7


@pytest.fixture(scope="module")
def groups_among_noise():
    """Two groups in one column, and nine columns of noise that is as wide."""
    rng = np.random.default_rng(0)
    y = np.arange(300) % 2
    X = rng.normal(size=(300, 10))
    X[:, 0] = 2.2 * y - 1.1 + 0.4 * rng.normal(size=300)
    return StandardScaler().fit_transform(X), y


@pytest.mark.parametrize(
    "method",
    [
        ilk.HMRFKMeans(2, random_state=0),
        ilk.E2CP(2, random_state=0),
        ilk.MSSC(2, random_state=0),
        ilk.CMS(),
    ],
    ids=lambda method: type(method).__name__,
)
def test_a_space_learned_from_answers_sees_through_noise(groups_among_noise, method):
    X, y = groups_among_noise
    constraints = pairs(y, 200, 0)
    fit = clone(method).fit(X[:250], constraints=pairs(y[:250], 200, 0))
    assert adjusted_rand_score(y[:250], fit.labels_) > 0.75
    assert ("space", "learned") in [(c.parameter, c.value) for c in fit.chosen_]
    # The labels of new points follow by the same space, also after saving.
    assert adjusted_rand_score(y[250:], fit.predict(X[250:])) > 0.6
    again = clone(method).fit(X, constraints=constraints)
    assert np.mean(again.predict(X) == again.labels_) > 0.95


def test_modes_are_where_the_points_are_also_after_a_learned_space(groups_among_noise):
    X, y = groups_among_noise
    fit = ilk.CMS().fit(X, constraints=pairs(y, 200, 0))
    assert ("space", "learned") in [(c.parameter, c.value) for c in fit.chosen_]
    assert fit.modes_.shape == X.shape
    assert np.all(fit.modes_ >= X.min(axis=0))
    assert np.all(fit.modes_ <= X.max(axis=0))


@pytest.mark.parametrize("method", [ilk.MeanShift, ilk.MSSC])
def test_labelled_points_weigh_as_many_as_their_copies(three_blobs, method):
    X, y = three_blobs
    weights = np.random.default_rng(0).integers(0, 4, len(y))
    weighted = method().fit(X, y, sample_weight=weights)
    repeated = method().fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    new = np.random.default_rng(1).normal(scale=4, size=(200, 2))
    assert adjusted_rand_score(weighted.predict(new), repeated.predict(new)) == 1.0


def test_graphs_are_cut_by_normalized_cut_by_default():
    # Two cliques of different sizes, joined by one edge, and a path that begins at the second.
    edges = [(i, j) for i in range(6) for j in range(i)]
    edges += [(i, j) for i in range(6, 18) for j in range(6, i)]
    edges += [(5, 6), (17, 18), (18, 19)]
    rows, columns = np.array(edges).T
    links = sparse.coo_matrix((np.ones(len(edges)), (rows, columns)), (20, 20))
    links = (links + links.T).tocsr()
    default = ilk.SSKernelKMeans(2, input="graph", random_state=0).fit(links)
    given = ilk.SSKernelKMeans(2, objective="normalized_cut", input="graph", random_state=0)
    assert adjusted_rand_score(default.labels_, given.fit(links).labels_) == 1.0
    assert len(set(default.labels_[:6])) == 1
    assert default.labels_[0] != default.labels_[10]
