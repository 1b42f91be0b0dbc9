"""Points that count by their direction, and sparse rows."""

import inspect

import ilk
import numpy as np
import pytest
from ilk._base import ESTIMATORS
from scipy import sparse
from sklearn.datasets import make_blobs
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import normalize

BY_METRIC = sorted(
    (cls for cls in ESTIMATORS.values() if "metric" in inspect.signature(cls).parameters),
    key=lambda cls: cls.__name__,
)


def make(cls, **params):
    has = inspect.signature(cls).parameters
    bounds = {"n_fits": 6} if cls is ilk.Auto else {}
    return cls(**bounds, **{name: value for name, value in params.items() if name in has})


@pytest.fixture(scope="module")
def rays():
    """Points along three directions, at lengths from 0.01 to 100, and their directions."""
    rng = np.random.default_rng(3)
    y = np.repeat(np.arange(3), 40)
    X = np.eye(3)[y] + 0.08 * rng.standard_normal((120, 3))
    return X * 10 ** rng.uniform(-2, 2, (120, 1)), y


def texts(n, n_topics, seed):
    """Documents of 60 words, half of them from the 40 words of their topic, and their topics."""
    rng = np.random.default_rng(seed)
    topics = rng.integers(0, n_topics, n)
    common = rng.zipf(1.3, (n, 30)) % 5000
    own = topics[:, None] * 40 + rng.integers(0, 40, (n, 30))
    documents = [
        " ".join([f"c{word}" for word in of_all] + [f"t{word}" for word in of_topic])
        for of_all, of_topic in zip(common, own, strict=True)
    ]
    return documents, topics


def test_all_methods_but_those_with_a_distance_or_densities_of_their_own_take_a_metric():
    assert set(ESTIMATORS.values()) - set(BY_METRIC) == {ilk.KMeans, ilk.GaussianMixture}


@pytest.mark.parametrize("cls", BY_METRIC, ids=lambda cls: cls.__name__)
def test_cosine_is_a_fit_on_rows_of_unit_length(cls, rays):
    X, _ = rays
    given = {"n_clusters": 3, "random_state": 0}
    cosine = make(cls, **given, metric="cosine").fit(X)
    plain = make(cls, **given).fit(normalize(X))
    assert np.array_equal(cosine.labels_, plain.labels_)
    new = X[::7] * 12.5
    assert np.array_equal(cosine.predict(new), plain.predict(normalize(new)))


@pytest.mark.parametrize("cls", [ilk.MeanShift, ilk.SKMS, ilk.KernelKMeans])
def test_a_saved_model_knows_its_metric(cls, rays, tmp_path):
    X, _ = rays
    model = make(cls, n_clusters=3, metric="cosine", random_state=0).fit(X)
    model.save(tmp_path / "model.ilk")
    again = ilk.load(tmp_path / "model.ilk")
    assert again.metric == "cosine"
    assert np.array_equal(again.predict(X * 3.0), model.labels_)


@pytest.mark.parametrize("make_embedding", [ilk.KernelPCA, ilk.KECA, ilk.LaplacianEigenmaps])
def test_embeddings_by_cosine_are_those_of_rows_of_unit_length(make_embedding, rays):
    X, _ = rays
    cosine = make_embedding(metric="cosine").fit(X)
    plain = make_embedding().fit(normalize(X))
    np.testing.assert_allclose(cosine.embedding_, plain.embedding_, atol=1e-9)
    new = X + 0.05 * np.abs(X).max(axis=1, keepdims=True)
    np.testing.assert_allclose(cosine.transform(5 * new), plain.transform(normalize(new)), atol=1e-9)


def test_graphs_of_neighbours_and_learned_kernels_go_by_cosine(rays):
    X, _ = rays
    cosine, plain = (
        ilk.neighbors_graph(X, 5, metric="cosine"),
        ilk.neighbors_graph(normalize(X), 5),
    )
    assert abs(cosine - plain).max() < 1e-12
    learned, known = (
        ilk.LogDetKernel(sigma=1.0, metric="cosine").fit(X, must_link=[[0, 50]]),
        ilk.LogDetKernel(sigma=1.0).fit(normalize(X), must_link=[[0, 50]]),
    )
    np.testing.assert_allclose(learned.kernel(7 * X[:4]), known.kernel(normalize(X[:4])), atol=1e-9)


def test_a_metric_that_does_not_fit_is_refused(rays):
    X, _ = rays
    with pytest.raises(ValueError, match="metric = 'manhattan' is not understood: it must be one"):
        ilk.MeanShift(metric="manhattan").fit(X)
    message = "metric = 'cosine' is about points, and X is a matrix of how alike they are; leave"
    with pytest.raises(ValueError, match=message):
        ilk.KernelKMeans(3, kernel="precomputed", metric="cosine").fit(X @ X.T)
    with pytest.raises(ValueError, match=message):
        ilk.KernelPCA(kernel="precomputed", metric="cosine").fit(X @ X.T)


def test_sparse_rows_give_what_dense_ones_give_while_they_have_few_columns():
    X, _ = make_blobs(150, 6, centers=3, random_state=1)
    X[np.abs(X) < 1] = 0
    for cls in (ilk.KMeans, ilk.MeanShift, ilk.SKMS, ilk.Auto):
        params = {"n_clusters": 3, "random_state": 0}
        dense = make(cls, **params).fit(X)
        for container in (sparse.csr_array, sparse.csc_matrix, sparse.coo_array):
            model = make(cls, **params).fit(container(X))
            assert np.array_equal(model.labels_, dense.labels_)
        assert np.array_equal(model.predict(container(X[:20])), dense.labels_[:20])
        assert np.array_equal(model.predict(X[:20]), dense.labels_[:20])


def test_ten_thousand_documents_are_grouped_by_their_topics_end_to_end(tmp_path):
    documents, topics = texts(10_000, 8, seed=0)
    X = TfidfVectorizer().fit_transform(documents)
    model = ilk.KMeans(8, distance="cosine", random_state=0).fit(X)
    assert X.shape[1] > 3000
    assert adjusted_rand_score(topics, model.labels_) > 0.95
    assert model.cluster_centers_.shape == (8, X.shape[1])
    axes = model.chosen_[-1]
    assert (axes.parameter, axes.value) == ("axes", "100")
    assert axes.by.startswith("sparse rows, of whose squared lengths they keep ")
    model.save(tmp_path / "model.ilk")
    again = ilk.load(tmp_path / "model.ilk")
    assert again.n_features_in_ == X.shape[1]
    assert np.array_equal(again.predict(X[:500]), model.labels_[:500])
    assert np.array_equal(again.predict(X[:50].toarray()), model.labels_[:50])
    new, their_topics = texts(300, 8, seed=1)
    vectorizer = TfidfVectorizer().fit(documents)
    assert adjusted_rand_score(their_topics, model.predict(vectorizer.transform(new))) > 0.9


@pytest.mark.parametrize(
    ("cls", "least"),
    # SKMS finds the number of groups itself, and finds some topics in two parts.
    [(ilk.SSKernelKMeans, 0.9), (ilk.CMS, 0.9), (ilk.E2CP, 0.9), (ilk.SKMS, 0.7)],
)
def test_kernels_and_neighbours_by_cosine_find_topics_of_sparse_rows(cls, least):
    documents, topics = texts(600, 4, seed=2)
    X = TfidfVectorizer().fit_transform(documents)
    pairs = np.random.default_rng(0).integers(0, 600, (60, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    same = topics[pairs[:, 0]] == topics[pairs[:, 1]]
    given = {"must_link": pairs[same], "cannot_link": pairs[~same]}
    model = make(cls, n_clusters=4, metric="cosine", random_state=0).fit(X, **given)
    assert adjusted_rand_score(topics, model.labels_) > least
    assert np.array_equal(model.predict(X), model.labels_)
    assert model.explain(X).clusters


def test_sparse_input_that_is_no_points_is_refused_where_it_has_no_meaning():
    X = sparse.random_array((30, 30), density=0.2, random_state=0).tocsr()
    for estimator in (
        ilk.KernelKMeans(2, kernel="precomputed"),
        ilk.KernelPCA(),
        ilk.GaussianMixture(2),
    ):
        with pytest.raises(TypeError, match=r"[Ss]parse data was passed.*dense"):
            estimator.fit(X)
