"""Spectral clustering against recorded runs, scikit-learn, and its own transformers."""

from pathlib import Path

import ilk
import numpy as np
import pytest
from ilk import KECA, LaplacianEigenmaps, SpectralClustering
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist
from sklearn.cluster import SpectralClustering as Theirs
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import StandardScaler

FOLDER = Path(__file__).resolve().parents[2] / "ilk" / "tests" / "golden" / "spectral"


@pytest.fixture
def rings():
    path = FOLDER / "rings_44.npz"
    with np.load(path) as arrays:
        return dict(arrays)


@pytest.mark.parametrize("sigma", [3.7, 4.5, "auto"])
def test_the_thesis_s_rings_are_separated_without_an_error(rings, sigma):
    model = SpectralClustering(n_clusters=3, sigma=sigma, random_state=0)
    assert np.array_equal(model.fit_predict(rings["X"]), rings["labels"])


def test_the_axes_of_the_rings_are_those_of_the_thesis(rings):
    kept = {h: set(KECA(3, sigma=h).fit(rings["X"]).order_[:3] + 1) for h in (3.7, 4.5)}
    assert kept == {3.7: {1, 2, 5}, 4.5: {1, 2, 3}}


# The scores when this was written, less a little.
BARS = {
    "keca": {"iris": 0.50, "wine": 0.90, "digits": 0.58},
    "kpca": {"iris": 0.60, "wine": 0.90, "digits": 0.63},
    "laplacian": {"iris": 0.60, "wine": 0.83, "digits": 0.80},
}


@pytest.mark.parametrize("embedding", BARS)
@pytest.mark.parametrize("name", ["iris", "wine", "digits"])
def test_nothing_but_the_number_of_clusters_is_needed(embedding, name):
    data = {"iris": load_iris, "wine": load_wine, "digits": load_digits}[name]()
    X = data.data if name == "digits" else StandardScaler().fit_transform(data.data)
    model = SpectralClustering(
        n_clusters=len(data.target_names), embedding=embedding, random_state=0
    )
    ari = adjusted_rand_score(data.target, model.fit_predict(X))
    assert ari >= BARS[embedding][name]
    assert [each.parameter for each in model.chosen_] == ["sigma"]


def test_a_given_affinity_is_grouped_as_scikit_learn_groups_it():
    X = load_wine().data
    X = StandardScaler().fit_transform(X)
    W = np.exp(-cdist(X, X, "sqeuclidean") / 18)
    theirs = Theirs(3, affinity="precomputed", assign_labels="kmeans", random_state=0)
    labels = theirs.fit_predict(W)
    for affinity in (W, csr_array(W)):
        ours = SpectralClustering(
            3, embedding="laplacian", laplacian="rw", affinity="precomputed", random_state=0
        )
        assert adjusted_rand_score(labels, ours.fit_predict(affinity)) > 0.9


def test_the_laplacian_s_coordinates_are_those_of_the_transformer(blobs):
    X, truth = blobs
    model = SpectralClustering(3, embedding="laplacian", random_state=0).fit(X)
    Y = LaplacianEigenmaps(3).fit_transform(X)
    Y /= np.linalg.norm(Y, axis=1, keepdims=True)
    centers = np.array([Y[model.labels_ == c].mean(axis=0) for c in range(3)])
    assert np.array_equal(cdist(Y, centers).argmin(axis=1), model.labels_)
    assert adjusted_rand_score(truth, model.labels_) == 1.0


@pytest.mark.parametrize("embedding", ["keca", "kpca", "laplacian"])
def test_a_number_of_clusters_can_be_proposed(embedding, blobs):
    X, truth = blobs
    model = SpectralClustering("auto", embedding=embedding, random_state=0).fit(X)
    assert model.n_clusters_ == 3
    assert adjusted_rand_score(truth, model.labels_) == 1.0
    assert model.chosen_[0][:2] == ("n_clusters", "3")


def test_new_points_are_placed_by_their_row_of_the_kernel():
    X, truth = ilk.datasets.make_rings_and_blob(random_state=1)
    K = np.exp(-cdist(X, X, "sqeuclidean") / (2 * 3.3**2))
    old, new = np.arange(0, len(X), 2), np.arange(1, len(X), 2)
    model = SpectralClustering(3, affinity="precomputed", random_state=0)
    model.fit(K[np.ix_(old, old)])
    assert adjusted_rand_score(truth[old], model.labels_) == 1.0
    predicted = model.predict(K[np.ix_(new, old)])
    assert adjusted_rand_score(truth[new], predicted) > 0.99


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"n_clusters": 0}, "n_clusters = 0 is out of range"),
        ({"n_clusters": "many"}, 'n_clusters = "many" is out of range'),
        ({"n_clusters": 181}, "181 clusters"),
        ({"embedding": "pca"}, 'embedding = "pca" is out of range: one of keca, kpca, laplacian'),
    ],
)
def test_what_cannot_be_done_is_refused(params, message, blobs):
    with pytest.raises(ValueError, match=message):
        SpectralClustering(**params).fit(blobs[0])
