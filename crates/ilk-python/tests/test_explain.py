"""What a fitted clustering says about itself, and plots of it."""

import ilk
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics import silhouette_score


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    groups = [rng.normal(center, 0.3, (30, 3)) for center in ([0, 0, 1], [5, 0, 1], [0, 6, 1])]
    X = np.vstack([*groups, [[40.0, 40.0, 1.0]]])
    return pd.DataFrame(X, columns=["a", "b", "c"], index=[f"row{i}" for i in range(91)])


def test_clusters_are_explained_in_names_of_rows_and_columns(frame):
    model = ilk.KMeans(n_clusters=4, random_state=0).fit(frame)
    found = model.explain(frame)
    clusters = found.to_frame()
    assert clusters["size"].sum() == 91
    assert np.allclose(clusters["share"], clusters["size"] / 91)
    assert np.isclose(found.silhouette, silhouette_score(frame, model.labels_))
    assert set(clusters.loc[clusters["size"] == 1, "typical"].iloc[0]) == {"row90"}
    features = found.to_frame("features")
    of_first = features[features["cluster"] == 0].set_index("feature")
    inside = model.labels_ == 0
    assert np.isclose(of_first.loc["a", "mean"], frame["a"][inside].mean())
    difference = (frame["a"][inside].mean() - frame["a"][~inside].mean()) / frame["a"].std(ddof=0)
    assert np.isclose(of_first.loc["a", "difference"], difference)
    assert found.to_frame("outliers")["row"].tolist()[0] == "row90"
    assert "cluster 0: 30 rows" in str(found)
    assert pl.DataFrame(found.clusters)["size"].sum() == 91
    assert "<table" in found._repr_html_()


def test_rows_between_clusters_are_listed_by_position():
    X = np.concatenate([np.linspace(0, 1, 20), np.linspace(5, 6, 20)])[:, np.newaxis]
    model = ilk.KMeans(n_clusters=2, random_state=0).fit(X)
    model.labels_[3] = 1 - model.labels_[3]
    found = model.explain(X)
    assert found.boundary == [{"row": 3, "cluster": 1, "share": 0.0, "other": 0}]
    with pytest.raises(ValueError, match="part = 'rows' is not understood: it must be one of clus"):
        found.to_frame("rows")


def test_other_points_than_those_of_the_fit_are_refused(frame):
    model = ilk.MeanShift(bandwidth=2.0).fit(frame)
    with pytest.raises(ValueError, match="X has 5 rows, but 91 were fitted; pass the X of the fit"):
        model.explain(frame.head(5))


def test_plots_have_a_mark_for_every_point_and_the_names_of_columns(frame):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    model = ilk.KMeans(n_clusters=4, random_state=0).fit(frame)
    axes = model.plot(frame)
    assert sum(len(drawn.get_offsets()) for drawn in axes.collections) == 91
    assert axes.get_xlabel().startswith("first principal component (")
    two = ilk.KMeans(n_clusters=2, random_state=0).fit(frame[["a", "b"]])
    assert two.plot(frame[["a", "b"]], ax=axes) is axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("a", "b")


def test_a_report_is_the_page_of_the_command_with_ids_and_answers(frame, tmp_path):
    constraints = ilk.Constraints(
        ids=frame.index, must_link=[["row0", "row1"]], cannot_link=[["row0", "row90"]]
    )
    model = ilk.CMS(bandwidth=2.0).fit(frame, constraints=constraints)
    model.report(tmp_path / "r.html", frame)
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    for needle in (
        "<title>row17\ncluster 0",
        "What the clusters are",
        "<td>cannot-link</td><td>1</td>",
        "ilk.CMS(bandwidth=2.0).fit(X)",
        f"CMS: {model.n_clusters_} clusters",
    ):
        assert needle in page, needle
    model.save(tmp_path / "model.ilk")
    with pytest.raises(ValueError, match="a model that was loaded does not keep what a report"):
        ilk.load(tmp_path / "model.ilk").report(tmp_path / "r.html", frame)
