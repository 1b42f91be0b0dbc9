"""Semi-supervised kernel k-means on points, kernels and graphs."""

import ilk
import numpy as np
import pytest
from ilk import SSKernelKMeans
from scipy.sparse import csr_array
from sklearn.metrics.pairwise import rbf_kernel


@pytest.fixture
def planted():
    return ilk.datasets.make_planted_graph(
        200, blocks=4, p_in=0.3, p_out=0.03, random_state=0
    )


def normalized_cut(links, labels):
    dense = links.toarray() if hasattr(links, "toarray") else links
    return sum(
        dense[labels == c][:, labels != c].sum() / dense[labels == c].sum() for c in set(labels)
    )


@pytest.mark.parametrize("objective", ["ratio_association", "ratio_cut", "normalized_cut"])
def test_a_planted_graph_is_found_dense_or_sparse(planted, objective):
    links, truth = planted
    model = SSKernelKMeans(4, objective=objective, input="graph", random_state=0)
    sparse = model.fit(links).labels_
    assert ilk.metrics.adjusted_rand_score(truth, sparse) == 1.0
    np.testing.assert_array_equal(model.fit(links.toarray()).labels_, sparse)
    assert np.all(np.diff(model.objective_trace_) <= 0)


def test_the_objective_is_the_normalized_cut(planted):
    links, _ = planted
    model = SSKernelKMeans(4, objective="normalized_cut", input="graph", random_state=0).fit(links)
    assert model.objective_trace_[-1] == pytest.approx(normalized_cut(links, model.labels_))


def test_a_kernel_matrix_gives_what_its_points_give():
    X, truth = ilk.datasets.make_two_circles(100, random_state=0)
    constraints = ilk.make_constraints(truth, per_class=15, random_state=0)
    given = {"n_clusters": 2, "objective": "normalized_cut", "random_state": 0}
    points = SSKernelKMeans(sigma=0.8, **given).fit(X, constraints=constraints)
    kernel = rbf_kernel(X, gamma=1 / (2 * 0.8**2))
    matrix = SSKernelKMeans(input="kernel", **given).fit(kernel, constraints=constraints)
    np.testing.assert_array_equal(points.labels_, matrix.labels_)
    assert ilk.metrics.adjusted_rand_score(truth, points.labels_) == 1.0
    np.testing.assert_array_equal(points.predict(X), points.labels_)


def test_answers_change_the_clusters(planted):
    links, truth = planted
    # Four blocks into two groups: which blocks share a group is for a person to say.
    for other in (1, 2, 3):
        first, second = np.flatnonzero(truth == 0)[:8], np.flatnonzero(truth == other)[:8]
        others = [np.flatnonzero(truth == block)[:4] for block in {1, 2, 3} - {other}]
        rest = np.concatenate(others)
        must = np.array([[a, b] for a in first for b in second])
        must = np.vstack([must, [[a, b] for a in others[0] for b in others[1]]])
        cannot = np.array([[a, b] for a in first for b in rest])
        model = SSKernelKMeans(2, objective="normalized_cut", input="graph", random_state=0)
        model.fit(links, must_link=must, cannot_link=cannot)
        wanted = np.isin(truth, [0, other])
        assert ilk.metrics.adjusted_rand_score(wanted, model.labels_) == 1.0


def test_new_nodes_are_placed_by_their_links(planted):
    links, truth = planted
    model = SSKernelKMeans(4, objective="normalized_cut", input="graph", random_state=0).fit(links)
    new = csr_array(np.eye(4)[truth].T)
    expected = [model.labels_[truth == block][0] for block in range(4)]
    np.testing.assert_array_equal(model.predict(new), expected)
    np.testing.assert_array_equal(model.predict(new.toarray()), expected)


def test_bad_input_is_refused_with_a_reason(planted):
    links, _ = planted
    with pytest.raises(ValueError, match="input = 'table' is not understood"):
        SSKernelKMeans(2, input="table").fit(links)
    with pytest.raises(ValueError, match="as many rows as columns, not 200 x 100"):
        SSKernelKMeans(2, input="graph").fit(links[:, :100])
    with pytest.raises(ValueError, match="the graph is not symmetric"):
        SSKernelKMeans(2, input="graph").fit(csr_array([[0.0, 1.0], [0.0, 0.0]]))
    with pytest.raises(ValueError, match="-1"):
        SSKernelKMeans(2, input="graph").fit(csr_array([[0.0, -1.0], [-1.0, 0.0]]))
    with pytest.raises(ValueError, match="sample_weight holds 0"):
        SSKernelKMeans(2, input="graph").fit(links, sample_weight=[0.0] + [1.0] * 199)
    with pytest.raises(ValueError, match="penalty = -1 "):
        SSKernelKMeans(2, input="graph", penalty=-1.0).fit(links)
