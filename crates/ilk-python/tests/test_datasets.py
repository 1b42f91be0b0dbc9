"""Generated data, and seeds."""

import inspect

import numpy as np
import pytest
import scipy.sparse
from ilk import datasets, make_constraints
from ilk._random import seed_from

MAKERS = [getattr(datasets, name) for name in datasets.__all__]


@pytest.fixture(params=MAKERS, ids=lambda maker: maker.__name__)
def maker(request):
    return request.param


def dense(data):
    return data.toarray() if scipy.sparse.issparse(data) else data


def test_the_same_seed_gives_the_same_set(maker):
    (a, *_), (b, *_), (c, *_) = (maker(random_state=seed) for seed in (5, 5, 6))
    assert np.array_equal(dense(a), dense(b))
    assert dense(a).shape != dense(c).shape or not np.array_equal(dense(a), dense(c))


def test_every_point_has_a_group(maker):
    data, y, *_ = maker(random_state=0)
    assert y.shape == (data.shape[0],)
    assert y.dtype == np.int64
    assert np.array_equal(np.unique(y), np.arange(y.max() + 1))
    assert (np.diff(y) >= 0).all()


def test_an_unknown_range_is_named(maker):
    count = next(iter(inspect.signature(maker).parameters))
    with pytest.raises(ValueError, match=f"{count} = 0 is out of range"):
        maker(**{count: 0})


def test_numpy_numbers_are_numbers():
    X, _ = datasets.make_moons(n=np.int64(10), noise=np.float32(0.5), random_state=0)
    assert X.shape == (10, 2)


def test_circles_have_their_radii():
    X, y = datasets.make_concentric_circles(circles=4, noise=0.0, random_state=0)
    assert np.allclose(np.linalg.norm(X, axis=1), y + 1)
    X, y = datasets.make_two_circles(inner=2.0, outer=5.0, noise=0.0, random_state=0)
    assert np.allclose(np.linalg.norm(X, axis=1), np.where(y == 0, 2.0, 5.0))


def test_blobs_have_as_many_dimensions_as_asked():
    assert datasets.make_blobs(n=50, dims=7, random_state=0)[0].shape == (50, 7)


def test_the_graph_is_simple_and_denser_inside_blocks():
    A, y = datasets.make_planted_graph(n=400, blocks=2, p_in=0.2, p_out=0.02, random_state=0)
    dense = A.toarray()
    assert np.array_equal(dense, dense.T)
    assert set(np.unique(dense)) == {0.0, 1.0}
    assert not dense.diagonal().any()
    same = y[:, None] == y[None]
    assert abs(dense[same].mean() - 0.2) < 0.02
    assert abs(dense[~same].mean() - 0.02) < 0.005


@pytest.mark.parametrize(
    "make",
    [lambda: 3, lambda: np.random.RandomState(3), lambda: np.random.default_rng(3)],
    ids=["int", "RandomState", "Generator"],
)
def test_equal_random_states_give_equal_draws(make):
    y = np.repeat([0, 1], 50)
    assert make_constraints(y, n_pairs=9, random_state=make()) == make_constraints(
        y, n_pairs=9, random_state=make()
    )


def test_a_generator_moves_on():
    rng = np.random.default_rng(0)
    assert seed_from(rng) != seed_from(rng)
    state = np.random.RandomState(0)
    assert seed_from(state) != seed_from(state)


def test_no_random_state_follows_numpys_global_seed():
    assert seed_from(None) != seed_from(None)
    np.random.seed(1)
    first = seed_from(None)
    np.random.seed(1)
    assert seed_from(None) == first
