"""The graph of neighbours, against scikit-learn's."""

import numpy as np
import pytest
from ilk import neighbors_graph
from scipy.spatial.distance import cdist
from sklearn.neighbors import kneighbors_graph, radius_neighbors_graph


@pytest.fixture
def points():
    return np.random.default_rng(3).standard_normal((120, 4))


def test_directions_are_joined_as_asked(points):
    theirs = kneighbors_graph(points, 6).toarray()
    for one_sided, joined in [
        ("halved", (theirs + theirs.T) / 2),
        ("kept", np.maximum(theirs, theirs.T)),
        ("dropped", np.minimum(theirs, theirs.T)),
    ]:
        ours = neighbors_graph(points, 6, one_sided=one_sided, sigma=None)
        np.testing.assert_array_equal(ours.toarray(), joined)


def test_all_within_a_radius(points):
    theirs = radius_neighbors_graph(points, 1.2).toarray()
    ours = neighbors_graph(points, radius=1.2, sigma=None)
    np.testing.assert_array_equal(ours.toarray(), theirs)


def test_weights_fall_with_the_distance(points):
    d = cdist(points, points)
    theirs = kneighbors_graph(points, 6).toarray()
    is_edge = np.maximum(theirs, theirs.T)
    ours = neighbors_graph(points, 6, one_sided="kept", sigma=0.7)
    np.testing.assert_allclose(ours.toarray(), is_edge * np.exp(-(d**2) / (2 * 0.7**2)), rtol=1e-12)
    s = np.sort(d, axis=1)[:, 7]
    ours = neighbors_graph(points, 6, one_sided="kept")
    np.testing.assert_allclose(ours.toarray(), is_edge * np.exp(-(d**2) / np.outer(s, s)), rtol=1e-12)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"n_neighbors": 0}, "n_neighbors = 0 is out of range"),
        ({"one_sided": "half"}, "one_sided = 'half' is not understood"),
        ({"sigma": "wide"}, "sigma = 'wide' is not understood"),
        ({"sigma": -1.0}, "sigma = -1 is out of range"),
        ({"radius": float("nan")}, "radius"),
    ],
)
def test_what_is_wrong_is_named(points, params, message):
    with pytest.raises(ValueError, match=message):
        neighbors_graph(points, **params)
