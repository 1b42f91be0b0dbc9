"""The number of clusters that estimators choose, and the warnings of fits."""

import warnings

import ilk
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

CLASSES = [
    ilk.KMeans,
    ilk.KernelKMeans,
    ilk.SpectralClustering,
    ilk.SSKernelKMeans,
    ilk.E2CP,
    ilk.SpectralLearning,
    ilk.HMRFKMeans,
    ilk.SKLR,
    ilk.SKkm,
    ilk.KSC,
    ilk.MSSC,
]


def three_groups(each=30):
    rng = np.random.RandomState(0)
    centers = np.array([[0, 0], [8, 0], [0, 8]])
    return np.repeat(centers, each, axis=0) + rng.normal(size=(3 * each, 2))


def chosen(model):
    return [(each.value, each.by) for each in model.chosen_ if each.parameter == "n_clusters"]


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("given", ["auto", None])
def test_the_number_of_clusters_is_chosen_and_reported(cls, given):
    model = cls(n_clusters=given, random_state=0).fit(three_groups())
    assert model.n_clusters_ == 3
    [(value, by)] = chosen(model)
    assert value == "3"
    assert by
    assert model.get_params()["n_clusters"] is given
    assert clone(model).n_clusters is given


@pytest.mark.parametrize("given", ["auto", None])
def test_a_mixture_chooses_its_components(given):
    model = ilk.GaussianMixture(n_components=given, random_state=0).fit(three_groups())
    assert model.n_clusters_ == 3
    assert chosen(model)[0][0] == "3"


def test_a_given_number_is_not_reported_as_chosen():
    assert chosen(ilk.KMeans(2, random_state=0).fit(three_groups())) == []


def test_labels_say_how_many_clusters_there_are():
    y = np.full(90, -1)
    y[::5] = np.repeat([0, 1, 1], 6)
    model = ilk.HMRFKMeans(random_state=0).fit(three_groups(), y)
    assert chosen(model) == [("2", "the classes of the labels")]


def test_fits_that_went_well_do_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ilk.KMeans(random_state=0).fit(three_groups())


def test_a_run_that_is_cut_off_warns_as_in_scikit_learn():
    with pytest.warns(ConvergenceWarning, match="before it converged") as record:
        ilk.KMeans(8, max_iter=1, random_state=0).fit(np.random.RandomState(0).normal(size=(500, 2)))
    assert record[0].filename == __file__


def test_fewer_clusters_than_asked_for_warn():
    with pytest.warns(ConvergenceWarning, match="2 clusters were found where 3 were asked for"):
        ilk.KMeans(3, random_state=0).fit([[0.0], [0.0], [1.0], [1.0]])


def test_contradictions_and_too_many_labels_warn():
    X = three_groups()
    with pytest.warns(ilk.ConstraintWarning, match="contradict each other in 1 places"):
        ilk.HMRFKMeans(3, random_state=0).fit(
            X, must_link=[[0, 1], [1, 2]], cannot_link=[[0, 2]]
        )
    y = np.full(90, -1)
    y[:4] = [0, 1, 2, 3]
    with pytest.warns(ilk.ConstraintWarning, match="the labels have 4 classes"):
        ilk.HMRFKMeans(2, random_state=0).fit(X, y)


def test_auto_tells_what_speaks_for_each_number_of_clusters():
    X, truth = three_groups(50), np.repeat(range(3), 50)
    model = ilk.Auto(n_fits=8).fit(X)
    counts = {each.n_clusters: each for each in model.cluster_counts_}
    assert sorted(counts) == list(counts)
    assert counts[3].separation == max(each.separation for each in counts.values())
    assert all(each.score is None for each in counts.values())
    links = [(i, j) for i in range(0, 150, 9) for j in range(i + 5, 150, 16)]
    same = [pair for pair in links if truth[pair[0]] == truth[pair[1]]]
    apart = [pair for pair in links if truth[pair[0]] != truth[pair[1]]]
    model = ilk.Auto(n_fits=8).fit(X, must_link=same, cannot_link=apart)
    scores = {each.n_clusters: each.score for each in model.cluster_counts_}
    assert scores[3] == max(scores.values()) == 1.0
