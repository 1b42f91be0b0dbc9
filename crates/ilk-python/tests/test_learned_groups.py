"""Groups in the space of a learned kernel: SKMS, SKLR, SKkm, KSC."""

import pickle

import ilk
import numpy as np
import pytest
from ilk import KSC, SKLR, SKMS, SKkm
from ilk.metrics import adjusted_rand_score
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

LEARN = [SKMS, SKLR, SKkm, KSC]
KNOWN_NUMBER = [SKLR, SKkm, KSC]


@pytest.fixture
def circles():
    """Two concentric circles, and pairs and comparisons about a few of their points."""
    rng = np.random.default_rng(3)
    angle = rng.uniform(0, 2 * np.pi, 120)
    truth = np.repeat([0, 1], 60)
    radius = np.where(truth == 0, 1.0, 3.0) + 0.1 * rng.standard_normal(120)
    X = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    constraints = ilk.make_constraints(truth, n_pairs=60, random_state=0)
    return X, truth, constraints


def make(cls, **params):
    number = {} if cls is SKMS else {"n_clusters": 2}
    return cls(**{**number, "random_state": 0, **params})


@pytest.fixture(params=LEARN, ids=lambda cls: cls.__name__)
def cls(request):
    return request.param


def test_answers_part_circles_that_share_a_centre(cls, circles):
    X, truth, constraints = circles
    model = make(cls).fit(X, constraints=constraints)
    assert adjusted_rand_score(truth, model.labels_) > 0.9
    new = np.array([[1.0, 0.0], [0.0, -1.0], [3.0, 0.0], [0.0, -3.0]])
    inner, also, outer, too = model.predict(new)
    assert inner == also != outer == too


def test_every_kind_of_answer_counts_at_once(cls, circles):
    X, truth, _ = circles
    y = np.full(len(X), -1)
    y[[5, 6, 70]] = truth[[5, 6, 70]]
    report = (
        make(cls, sigma=0.7, rank="exact")
        .fit(
            X,
            y,
            must_link=[[0, 1]],
            cannot_link=[[0, 60]],
            odd_one_out=[[2, 3, 61]],
            about_equal=[[7, 8, 9]],
            closer=[[62, 63, 4]],
        )
        .constraint_report_
    )
    assert list(report) == [
        "must_link", "cannot_link", "odd_one_out", "about_equal", "closer", "labels",
    ]  # fmt: skip


def test_what_was_chosen_is_reported_with_the_reason(circles):
    X, _, constraints = circles
    model = make(SKMS).fit(X, constraints=constraints)
    by = {each.parameter: each for each in model.chosen_}
    assert by["sigma"].by == by["rank"].by == "held-out answers"
    assert float(by["sigma"].value) == model.sigma_
    assert int(by["n_neighbors"].value) == model.n_neighbors_
    assert by["n_neighbors"].by == "the must-links"
    assert str(by["sigma"]) == f"sigma = {model.sigma_}, chosen by held-out answers"
    assert model.gamma_ == 10.0


def test_what_was_given_is_not_chosen(circles):
    X, _, constraints = circles
    given = {"sigma": 0.7, "rank": 15, "targets": (0.1, 1.9), "n_neighbors": 9, "gamma": 50.0}
    model = make(SKMS, **given, refine="off").fit(X, constraints=constraints)
    assert model.chosen_ == []
    assert (model.sigma_, model.rank_, model.n_neighbors_, model.gamma_) == (0.7, 15, 9, 50.0)


def test_the_learned_kernel_is_that_of_the_transformer(cls, circles):
    X, _, constraints = circles
    settings = {"kernel": "gaussian", "sigma": 0.7, "rank": "exact", "random_state": 0}
    # By default held-out constraints may favour a grouping by the kernel as it was.
    model = make(cls, **settings, refine="off").fit(X, constraints=constraints)
    learned = ilk.LogDetKernel(**settings).fit(X, constraints=constraints)
    new = X[:9] + 0.05
    np.testing.assert_allclose(model.kernel_.kernel(new, X), learned.kernel(new, X), atol=1e-6)
    np.testing.assert_allclose(model.kernel_.correction_, learned.correction_, rtol=1e-4, atol=1e-6)
    assert model.rank_ is None


def test_centres_are_in_the_space_that_transform_goes_to(cls, circles):
    X, _, constraints = circles
    model = make(cls, sigma=0.7, rank=20, kernel="gaussian").fit(X, constraints=constraints)
    space = model.transform(X)
    assert model.cluster_centers_.shape == (model.n_clusters_, space.shape[1])
    assert len(model.get_feature_names_out()) == space.shape[1]
    if cls is SKkm:
        nearest = cdist(space, model.cluster_centers_).argmin(axis=1)
        assert np.array_equal(nearest, model.labels_)
        means = [space[model.labels_ == cluster].mean(axis=0) for cluster in range(2)]
        np.testing.assert_allclose(model.cluster_centers_, means, atol=1e-9)


def test_climbing_happens_in_few_dimensions(circles):
    X, _, constraints = circles
    model = make(SKMS, sigma=0.7, rank="exact", max_dims=6).fit(X, constraints=constraints)
    assert model.transform(X).shape == (len(X), 6)


def test_a_precomputed_kernel_gives_the_same_groups(cls, circles):
    X, _, constraints = circles
    gram = np.exp(-cdist(X, X, "sqeuclidean") / (2 * 0.7**2))
    ours = make(cls, kernel="gaussian", sigma=0.7, rank="exact").fit(X, constraints=constraints)
    given = make(cls, kernel="precomputed", rank="exact").fit(gram, constraints=constraints)
    assert adjusted_rand_score(ours.labels_, given.labels_) == 1.0
    rows = np.exp(-cdist(X[:5] + 0.01, X, "sqeuclidean") / (2 * 0.7**2))
    assert np.array_equal(given.predict(rows), given.labels_[:5])
    np.testing.assert_allclose(given.kernel_.kernel(gram), ours.kernel_.kernel(X), atol=1e-6)
    assert given.sigma_ is None
    assert given.__sklearn_tags__().input_tags.pairwise
    assert not ours.__sklearn_tags__().input_tags.pairwise


def test_save_and_pickle_keep_the_kernel_and_what_was_chosen(cls, circles, tmp_path):
    X, _, constraints = circles
    model = make(cls, sigma=0.7, gamma=np.inf, rank="trace(0.9)").fit(X, constraints=constraints)
    model.save(tmp_path / "model.ilk")
    for again in (ilk.load(tmp_path / "model.ilk"), pickle.loads(pickle.dumps(model))):
        assert again.kernel_.kernel(X).tobytes() == model.kernel_.kernel(X).tobytes()
        assert again.transform(X).tobytes() == model.transform(X).tobytes()
        assert np.array_equal(again.predict(X), model.labels_)
        assert again.chosen_ == model.chosen_
        assert (again.sigma_, again.gamma_) == (model.sigma_, np.inf)
        assert again.rank_ == model.rank_
        assert again.gamma == np.inf


def test_the_seed_and_not_the_threads_decides(cls, circles):
    X, _, constraints = circles
    one, two = (make(cls, n_jobs=n, random_state=5).fit(X, constraints=constraints) for n in (1, 2))
    assert one._model.__getnewargs__() == two._model.__getnewargs__()


def test_regrouping_goes_by_the_neighbours_that_were_chosen(circles):
    X, _, constraints = circles
    model = make(KSC, sigma=0.7, rank=15, refine="off").fit(X, constraints=constraints)
    assert {"n_neighbors"} <= {each.parameter for each in model.chosen_}
    assert np.array_equal(model.regroup(X, model.n_clusters_).labels_, model.labels_)


@pytest.mark.parametrize("cls", KNOWN_NUMBER, ids=lambda cls: cls.__name__)
def test_regrouping_is_a_fit_with_another_number_in_the_same_space(cls, circles):
    X, _, constraints = circles
    model = make(cls, sigma=0.7, rank=15, refine="off")
    if cls is KSC:
        model.set_params(n_neighbors=10)
    model.fit(X, constraints=constraints)
    again = model.regroup(X, 4)
    whole = clone(model).set_params(n_clusters=4).fit(X, constraints=constraints)
    assert np.array_equal(again.labels_, whole.labels_)
    assert (again.n_clusters, again.n_clusters_, model.n_clusters_) == (4, 4, 2)
    assert again.transform(X).tobytes() == model.transform(X).tobytes()
    assert np.array_equal(again.predict(X), again.labels_)
    assert again.chosen_ == model.chosen_
    assert again.constraint_report_.keys() == model.constraint_report_.keys()
    assert np.array_equal(again.regroup(X, 2).labels_, model.labels_)


def test_regrouping_works_on_a_model_from_a_file(circles, tmp_path):
    X, _, constraints = circles
    model = make(SKLR, random_state=None).fit(X, constraints=constraints)
    model.save(tmp_path / "model.ilk")
    again = ilk.load(tmp_path / "model.ilk").regroup(X, 3)
    assert np.array_equal(again.labels_, model.regroup(X, 3).labels_)
    assert len(again.constraint_report_) == 0


def test_regrouping_is_refused_where_it_has_no_meaning(circles):
    X, _, constraints = circles
    with pytest.raises(NotFittedError):
        make(SKLR).regroup(X, 3)
    model = make(SKLR, grouping="mean_shift", rank=15).fit(X, constraints=constraints)
    with pytest.raises(ValueError, match="mean_shift, which finds the number of clusters itself"):
        model.regroup(X, 3)
    model = make(SKkm, sigma=0.7, rank=15).fit(X, constraints=constraints)
    with pytest.raises(ValueError, match="X has 5 points, but 120 were fitted"):
        model.regroup(X[:5], 3)
    with pytest.raises(ValueError, match="n_clusters = 0 is out of range"):
        model.regroup(X, 0)
    with pytest.raises(ValueError, match="200 clusters"):
        model.regroup(X, 200)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"n_neighbors": 0}, "n_neighbors = 0 is out of range"),
        ({"max_dims": 0}, "max_dims = 0 is out of range"),
        (
            {"refine": "late"},
            'refine = "late" is out of range: one of auto, off, constrained, majority, neighbors, ',
        ),
        ({"sample": 0}, "sample = 0 is out of range"),
        ({"kernel": "round"}, 'kernel = "round" is out of range'),
        ({"targets": (2.0, 1.0)}, r"targets = \[2, 1\] is out of range"),
    ],
)
def test_bad_parameters_are_named(params, message):
    with pytest.raises(ValueError, match=message):
        SKMS(**params).fit(np.eye(6))


def test_more_clusters_than_points_are_refused():
    with pytest.raises(ValueError, match="8 clusters"):
        SKkm(n_clusters=8).fit(np.eye(3))


def test_stability_counts_the_clusters_around_the_neighbour_that_was_chosen(circles):
    X, _, constraints = circles
    model = make(SKMS).fit(X, constraints=constraints)
    neighbors, clusters = model.stability(X)
    assert (np.diff(neighbors) > 0).all()
    assert neighbors[0] <= model.n_neighbors_ <= neighbors[-1]
    assert len(clusters) == len(neighbors)
    # As mean shift itself counts them, with the same kernel.
    middle = len(neighbors) // 2
    params = {"sigma": model.sigma_, "targets": (0.05, 1.95), "refine": "off"}
    for rank in ("exact", "trace(0.9)"):
        fixed = make(SKMS, rank=rank, **params, n_neighbors=int(neighbors[middle]))
        fixed.fit(X, constraints=constraints)
        around, found = fixed.stability(X)
        assert found[around == neighbors[middle]] == [fixed.labels_.max() + 1]
    with pytest.raises(ValueError, match="120 were fitted; stability needs those"):
        model.stability(X[:50])
    with pytest.raises(NotFittedError):
        make(SKMS).stability(X)
