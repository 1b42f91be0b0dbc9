"""Embeddings against recorded runs, scikit-learn, and their own definitions."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from ilk import KECA, KernelPCA, LaplacianEigenmaps
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris
from sklearn.decomposition import KernelPCA as TheirKernelPCA
from sklearn.manifold import SpectralEmbedding
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

FOLDER = Path(__file__).resolve().parents[2] / "ilk" / "tests" / "golden" / "spectral"


def recorded(name):
    path = FOLDER / f"{name}.npz"
    with np.load(path) as arrays:
        return dict(arrays)


def expected_to_fail(estimator):
    if getattr(estimator, "affinity", None) != "precomputed":
        return {}
    reason = "in a row of affinities nothing tells a point's affinity with itself, which a fit ignores"
    return dict.fromkeys(("check_transformer_general", "check_transformer_data_not_an_array"), reason)


@parametrize_with_checks(
    [
        KernelPCA(),
        KECA(),
        LaplacianEigenmaps(),
        KernelPCA(kernel="precomputed"),
        LaplacianEigenmaps(affinity="precomputed"),
    ],
    expected_failed_checks=expected_to_fail,
)
def test_scikit_learn_accepts_the_transformer(estimator, check):
    check(estimator)


@pytest.mark.parametrize(("center", "name"), [(True, "centred"), (False, "uncentred")])
def test_kernel_pca_repeats_the_recorded_run(center, name):
    case = recorded("kpca_keca_60")
    s = int(case["s"])
    model = KernelPCA(n_components=s, sigma=float(case["h"]), center=center)
    np.testing.assert_allclose(model.fit_transform(case["X"]), case[f"Y_{name}"], atol=1e-8)
    np.testing.assert_allclose(model.transform(case["Xnew"]), case[f"Ynew_{name}"], atol=1e-8)
    spectrum = case[f"lam_{name}"]
    np.testing.assert_allclose(model.spectrum_[: len(spectrum)], spectrum, atol=1e-8)
    matrix = KernelPCA(n_components=s, kernel="precomputed", center=center)
    np.testing.assert_allclose(matrix.fit_transform(case["K"]), case[f"Y_{name}"], atol=1e-8)


def test_keca_repeats_the_recorded_run():
    case = recorded("kpca_keca_60")
    s = int(case["s"])
    model = KECA(n_components=s, sigma=float(case["h"]))
    np.testing.assert_allclose(model.fit_transform(case["X"]), case["Y_keca"], atol=1e-8)
    np.testing.assert_allclose(model.psi_, case["psi"], atol=1e-8)
    assert np.array_equal(model.order_[:s], case["psi_order"][:s])
    assert model.is_certain_
    assert model.trace_share_ == 1.0


GRAPHS = {"knn": "knn", "mutual": "mutual_knn", "eps": "epsilon", "full": "full"}
LAPLACIANS = {"un": "unnormalized", "rw": "rw", "sym": "sym"}


@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize("laplacian", LAPLACIANS)
def test_laplacian_eigenmaps_repeat_the_recorded_run(graph, laplacian):
    case = recorded("laplacian_60")
    vectors = case[f"{graph}_{laplacian}_vec"]
    nulls = int(case[f"{graph}_{laplacian}_mult0"])
    settings = {"n_components": vectors.shape[1], "laplacian": LAPLACIANS[laplacian]}
    points = LaplacianEigenmaps(
        graph=GRAPHS[graph],
        n_neighbors=int(case["k"]),
        epsilon=float(case["eps"]),
        sigma=float(case["sigma"]),
        **settings,
    ).fit(case["X"])
    W = case[f"{graph}_W"]
    dense = LaplacianEigenmaps(affinity="precomputed", **settings).fit(W)
    sparse = LaplacianEigenmaps(affinity="precomputed", **settings).fit(csr_array(W))
    for model in (points, dense, sparse):
        found = model.embedding_
        np.testing.assert_allclose(found[:, nulls:], vectors[:, nulls:], atol=1e-8)
        values = case[f"{graph}_{laplacian}_lam"][: vectors.shape[1]]
        np.testing.assert_allclose(model.eigenvalues_, values, atol=1e-8)
        assert model.n_connected_components_ == nulls
        if laplacian != "rw":
            expected = case[f"{graph}_{laplacian}_null_projector"]
            np.testing.assert_allclose(found[:, :nulls] @ found[:, :nulls].T, expected, atol=1e-8)


def test_kernel_pca_equals_scikit_learns():
    X = load_iris().data
    sigma = 1.5
    ours = KernelPCA(n_components=4, sigma=sigma).fit(X[::2])
    theirs = TheirKernelPCA(n_components=4, kernel="rbf", gamma=1 / (2 * sigma**2)).fit(X[::2])
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=1e-10)
    for mine, his in zip(ours.transform(X).T, theirs.transform(X).T, strict=True):
        assert min(abs(mine - his).max(), abs(mine + his).max()) < 1e-8


def test_laplacian_eigenmaps_equal_scikit_learns_up_to_scale():
    X = load_iris().data
    W = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    theirs = SpectralEmbedding(3, affinity="precomputed", eigen_solver="arpack", random_state=0)
    theirs = theirs.fit_transform(W)
    model = LaplacianEigenmaps(3, laplacian="rw", affinity="precomputed", drop_first=True)
    for mine, his in zip(model.fit_transform(W).T, theirs.T, strict=True):
        mine, his = mine / np.linalg.norm(mine), his / np.linalg.norm(his)
        # Theirs counts a point's affinity with itself, ours does not: nearly the same vectors.
        assert abs(mine @ his) > 0.999


EVERY_LAPLACIAN = [
    LaplacianEigenmaps(3, laplacian=laplacian, graph=graph)
    for laplacian in LAPLACIANS.values()
    for graph in GRAPHS.values()
]


@pytest.mark.parametrize("model", [KernelPCA(), KECA(), *EVERY_LAPLACIAN], ids=str)
def test_beside_a_point_of_the_fit_coordinates_are_nearly_its_own(model):
    X = load_iris().data
    coordinates = model.fit(X).transform(X)
    scale = abs(coordinates).max()
    np.testing.assert_allclose(model.transform(X + 1e-9), coordinates, atol=1e-6 * scale)


@pytest.mark.parametrize("model", [KernelPCA(), KECA(), LaplacianEigenmaps(graph="mutual_knn")])
def test_a_pickled_transformer_transforms_the_same(model, blobs):
    model.fit(blobs[0])
    again = pickle.loads(pickle.dumps(model))
    new = blobs[0][::7] + 0.1
    assert np.array_equal(again.transform(new), model.transform(new))


@pytest.mark.parametrize("model", [KernelPCA(), KECA(), LaplacianEigenmaps()])
def test_the_number_of_threads_does_not_change_a_bit(model):
    X = np.random.default_rng(0).standard_normal((700, 3))
    one, two = (
        type(model)(n_jobs=n).fit(X).transform(X[:50] + 0.01).tobytes() for n in (1, 2)
    )
    assert one == two


def test_more_points_than_are_decomposed_whole_are_reported(blobs):
    X = blobs[0]
    whole = KernelPCA(n_components=2, sigma=4.0).fit(X)
    cut = KernelPCA(n_components=2, sigma=4.0, max_exact=50, max_rank=30).fit(X)
    assert whole.trace_share_ == 1.0
    assert 0.99 < cut.trace_share_ < 1.0
    np.testing.assert_allclose(cut.embedding_, whole.embedding_, atol=1e-2)
    np.testing.assert_allclose(cut.transform(X), cut.embedding_, atol=1e-8)


def test_embeddings_stand_in_pipelines(blobs):
    X, truth = blobs
    for step in (KernelPCA(3), KECA(3), LaplacianEigenmaps(3)):
        labels = make_pipeline(step, KMeans(3, n_init=5, random_state=0)).fit_predict(X)
        assert len(set(zip(labels, truth, strict=True))) == 3


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (KernelPCA(n_components=0), "n_components = 0 is out of range"),
        (KernelPCA(sigma=-1.0), "sigma = -1 is out of range"),
        (KernelPCA(kernel="linear"), 'kernel = "linear" is out of range: one of gaussian'),
        (KECA(sigma="wide"), 'sigma = "wide" is out of range'),
        (LaplacianEigenmaps(graph="ring"), 'graph = "ring" is out of range: one of knn'),
        (LaplacianEigenmaps(graph="epsilon", epsilon=0.0), "epsilon = 0 is out of range"),
        (LaplacianEigenmaps(n_neighbors=0), "n_neighbors = 0 is out of range"),
    ],
)
def test_what_cannot_be_done_is_refused(model, message, blobs):
    with pytest.raises(ValueError, match=message):
        model.fit(blobs[0])
