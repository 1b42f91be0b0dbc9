"""Constrained mean shift against the authors' program, and by hand."""

import json
import os
import pickle
from pathlib import Path

import ilk
import numpy as np
import pytest
from ilk import CMS
from sklearn.base import clone

GOLDEN = Path(__file__).resolve().parents[2] / "ilk" / "tests" / "golden" / "cms"
SHARED = Path(__file__).resolve().parents[3].parent / "shared"
NAMES = [
    "c1_moons200_nonblur_trunc0.2_l0.5",
    "c3_jain373_nonblur_ball_l0.5",
    "c5_blobs100_d5_nonblur_rbf1e-30_l1.0_fixedh",
]


def partition(labels):
    """Labels by the position of each cluster's first point, so that equal means the same groups."""
    _, first, number = np.unique(labels, return_index=True, return_inverse=True)
    return first[number]


def settings(recorded, low, high):
    """The parameters of a recorded run in our names; their kernel is a word, or where it ends."""
    theirs = recorded["params"]
    kernel = theirs["kernel"]
    is_word = isinstance(kernel, str)
    return {
        "bandwidth": (float(low), float(high)),
        "max_iter": theirs["max_iterations"],
        "history": theirs["max_iterations"],
        "kernel": kernel if is_word else "truncated",
        **({} if is_word else {"truncation": kernel}),
        "blurring": theirs["blurring"],
        "constraint_scale": theirs["c_scale"],
        "merge_kernel": theirs["label_merge_k"],
        "merge_weight": theirs["label_merge_b"],
        "mode": "paper",
    }


@pytest.fixture(params=NAMES)
def golden(request):
    path = GOLDEN / f"{request.param}.npz"
    if not path.exists():
        path = SHARED / "golden" / "cms" / f"{request.param}.npz"
    if not path.exists():
        if os.environ.get("CI") == "true" and SHARED.is_dir():
            pytest.fail(f"golden/cms/{request.param}.npz is not in ../shared")
        pytest.skip(f"golden/cms/{request.param}.npz is not in ../shared")
    with np.load(path) as recorded:
        return dict(recorded)


def test_the_authors_program_gives_the_same(golden):
    recorded = json.loads(str(golden["params"]))
    model = CMS(**settings(recorded, golden["h_low"], golden["h_high"]))
    model.fit(golden["X"], must_link=golden["ml"], cannot_link=golden["cl"])

    assert np.array_equal(partition(model.labels_), partition(golden["labels"]))
    assert model.n_clusters_ == recorded["k"]
    assert model.n_iter_ == recorded["iterations_run"]
    np.testing.assert_allclose(model.bandwidths_, golden["bandwidth_history"], atol=1e-6)
    np.testing.assert_allclose(model.modes_, golden["modes"], atol=1e-4)
    snapshots = [name for name in golden if name.startswith("modes_iter")]
    assert snapshots
    for name in snapshots:
        at = int(name.removeprefix("modes_iter"))
        assert model.history_iter_[at - 1] == at
        np.testing.assert_allclose(model.history_[at - 1], golden[name], atol=1e-4, err_msg=name)


def test_the_bandwidths_of_the_paper_go_from_the_smallest_to_the_largest_distance(blobs):
    X, _ = blobs
    X = np.concatenate([X, X[:3]])  # a distance of 0 is none
    dist = np.linalg.norm(X[:, None] - X[None], axis=2)
    model = CMS(max_iter=7, early_stop=False, mode="paper").fit(X, cannot_link=[[0, 60]])
    expected = np.linspace(dist[dist > 0].min(), dist.max(), 7)
    np.testing.assert_allclose(model.bandwidths_, expected, rtol=1e-9)


def test_with_nothing_kept_apart_the_bandwidth_ends_before_all_is_one(blobs):
    X, truth = blobs
    model = CMS(early_stop=False).fit(X, must_link=[[0, 1]])
    usual = ilk.MeanShift().fit(X).bandwidth_
    assert model.bandwidths_[-1] == pytest.approx(2 * usual)
    # A single cannot-link does not make it a jump.
    one = CMS(early_stop=False, refine="off").fit(X, cannot_link=[[0, 60]])
    assert one.bandwidths_[-1] == pytest.approx(2 * usual)
    assert ilk.metrics.adjusted_rand_score(truth, model.labels_) > 0.95
    assert CMS(mode="paper").fit(X, must_link=[[0, 1]]).n_clusters_ == 1


@pytest.mark.parametrize(
    ("bandwidth", "expected"),
    [
        (0.5, [0.5] * 4),
        ((1, 4), [1, 2, 3, 4]),
        ([2.0, 1.0, 3.0], [2, 1, 3, 3]),
        (np.array([1, 2, 3, 4, 5]), [1, 2, 3, 4]),
        ([np.int64(2), np.float32(2), 1], [2, 2, 1, 1]),
    ],
    ids=["a number", "two numbers", "a short list", "an array", "scalars of numpy"],
)
def test_a_bandwidth_is_given_in_many_ways(bandwidth, expected, blobs):
    model = CMS(bandwidth=bandwidth, max_iter=4, early_stop=False).fit(blobs[0])
    np.testing.assert_allclose(model.bandwidths_, expected)
    assert model.n_iter_ == len(model.trace_) == 4


def one_step(X, h, pairs, truncation, scale):
    """Equation (3.1) with the weights (4.2) to (4.4), for the first iteration."""
    dist_sq = ((X[:, None] - X[None]) ** 2).sum(axis=2)

    def kernel(dist_sq, h):
        value = np.exp(-dist_sq / h**2)
        return np.where(value < truncation, 0.0, value)

    w = np.ones((len(X), len(X)))
    for x, y in [*pairs, *((y, x) for x, y in pairs)]:
        width = min(h, max(1e-3, scale * np.sqrt(dist_sq[x, y])))
        w *= 1 - np.outer(kernel(dist_sq[x], width), kernel(dist_sq[y], width))
    weight = kernel(dist_sq, h) * w
    return weight @ X / weight.sum(axis=1, keepdims=True)


def test_one_iteration_is_the_papers_equation():
    rng = np.random.default_rng(4)
    X = rng.uniform(0, 1, (40, 2))
    pairs = rng.choice(40, (9, 2), replace=False)
    model = CMS(0.6, max_iter=1, constraint_scale=0.7, mode="paper").fit(X, cannot_link=pairs)
    expected = one_step(X, 0.6, pairs.tolist(), 0.2, 0.7)
    np.testing.assert_allclose(model.modes_, expected, atol=1e-12)


@pytest.mark.parametrize("mode", ["best", "paper"])
@pytest.mark.parametrize("kernel", ["truncated", "ball", "rbf"])
@pytest.mark.parametrize("blurring", [False, True], ids=["climbing", "blurring"])
def test_three_separated_blobs_are_three_clusters(mode, kernel, blurring, blobs):
    X, truth = blobs
    apart = [[0, 60], [60, 120], [0, 120], [5, 70], [70, 130], [5, 130]]
    shift = CMS(kernel=kernel, blurring=blurring, mode=mode, refine="dissolve")
    model = shift.fit(X, cannot_link=apart)
    assert model.constraint_report_["cannot_link"].n_broken == 0
    assert ilk.metrics.adjusted_rand_score(truth, model.labels_) == 1.0
    assert model.modes_.shape == X.shape
    assert np.array_equal(model.predict(X), model.labels_)


def test_labels_of_a_few_points_do_what_their_pairs_do(blobs):
    X, truth = blobs
    known = [0, 7, 60, 66, 120, 131]
    y = np.full(len(X), -1)
    y[known] = truth[known]
    pairs = [(a, b) for i, a in enumerate(known) for b in known[i + 1 :]]
    must = [(a, b) for a, b in pairs if truth[a] == truth[b]]
    cannot = [(a, b) for a, b in pairs if truth[a] != truth[b]]
    shift = CMS(refine="dissolve")
    by_label = clone(shift).fit(X, y)
    by_pair = clone(shift).fit(X, must_link=must, cannot_link=cannot)
    by_object = clone(shift).fit(X, constraints=ilk.Constraints(len(X), labels=y))
    assert by_label.n_clusters_ == 3
    assert by_label.constraint_report_["labels"].n_broken == 0
    np.testing.assert_allclose(by_label.modes_, by_pair.modes_, atol=1e-9)
    assert np.array_equal(by_label.labels_, by_pair.labels_)
    assert np.array_equal(by_label.labels_, by_object.labels_)


@pytest.mark.parametrize("mode", ["best", "paper"])
def test_contradictions_are_reported_and_the_run_goes_on(mode, blobs):
    X, _ = blobs
    model = CMS(mode=mode).fit(
        X, must_link=[[0, 1], [1, 2]], cannot_link=[[0, 2], [0, 60], [0, 120], [60, 120]]
    )
    report = model.constraint_report_
    assert report.n_kept + report.n_broken == 6
    assert report.n_broken >= 1
    assert model.n_clusters_ >= 3
    assert np.array_equal(model.predict(X), model.labels_)


def test_must_links_spread_cannot_links_only_by_closure():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 2))
    given = {"must_link": [[0, 1], [1, 2], [3, 4]], "cannot_link": [[0, 3]]}
    wide = {"bandwidth": (0.1, 4.0), "refine": "off"}
    spread = CMS(**wide).fit(X, **given)
    by_hand = CMS(closure=False, **wide).fit(
        X,
        must_link=given["must_link"],
        cannot_link=[[a, b] for a in (0, 1, 2) for b in (3, 4)],
    )
    without = CMS(closure=False, **wide).fit(X, **given)
    np.testing.assert_allclose(spread.modes_, by_hand.modes_, atol=1e-9)
    assert not np.allclose(spread.modes_, without.modes_)


def test_history_is_kept_only_when_asked_for(blobs):
    X, _ = blobs
    model = CMS(max_iter=12, early_stop=False).fit(X)
    assert not hasattr(model, "history_")
    model.set_params(history=12).fit(X)
    assert model.history_.shape == (12, *X.shape)
    assert np.array_equal(model.history_iter_, np.arange(1, 13))
    assert np.array_equal(model.history_[-1], model.modes_)
    model.set_params(history=3).fit(X)
    assert np.array_equal(model.history_iter_, [4, 8, 12])
    model.set_params(history=0).fit(X)
    assert not hasattr(model, "history_")
    assert not hasattr(model, "history_iter_")


def test_a_pickle_keeps_where_the_centres_went(blobs):
    model = CMS(history=2).fit(blobs[0], cannot_link=[[0, 60]])
    again = pickle.loads(pickle.dumps(model))
    for name in ("modes_", "bandwidths_", "history_", "history_iter_"):
        assert np.array_equal(getattr(again, name), getattr(model, name)), name


@pytest.mark.parametrize("mode", ["best", "paper"])
def test_save_and_load_place_new_points_alike(mode, blobs, tmp_path):
    X, _ = blobs
    model = CMS((0.5, 9.0), max_iter=20, mode=mode).fit(X, cannot_link=[[0, 60], [0, 120]])
    model.save(tmp_path / "model.ilk")
    again = ilk.load(tmp_path / "model.ilk")
    assert type(again) is CMS
    assert tuple(again.bandwidth) == (0.5, 9.0)
    assert again.mode == mode
    new = X + 0.3
    assert np.array_equal(again.predict(new), model.predict(new))


def test_the_trace_counts_distinct_centres(blobs):
    X, _ = blobs
    model = CMS(history=80).fit(X)
    distinct = [len(np.unique(centers, axis=0)) for centers in model.history_]
    assert model.trace_.active[0] == len(X)
    assert np.array_equal(model.trace_.active[1:], distinct[: model.n_iter_ - 1])


@pytest.mark.parametrize("n", [1, 2])
def test_the_fewest_points_are_enough(n):
    X = np.arange(float(n)).reshape(-1, 1)
    apart = {"cannot_link": [[0, 1]]} if n == 2 else {}
    model = CMS().fit(X, **apart)
    assert model.n_clusters_ == n
    assert np.array_equal(model.predict(X), model.labels_)
