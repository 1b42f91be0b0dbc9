"""Data frames as input: names of columns, the index, ids in constraints."""

import ilk
import numpy as np
import pandas as pd
import polars as pl
import pytest
from ilk import Constraints, MeanShift

IDS = ["ant", "bee", "cow", "dog", "elk", "fly"]
VALUES = np.array([[0.0, 0.0], [0.1, 0.0], [5.0, 5.0], [5.1, 5.0], [0.0, 0.1], [5.0, 5.1]])


@pytest.fixture
def frame():
    return pd.DataFrame(VALUES, columns=["length", "width"], index=IDS)


@pytest.fixture
def model():
    return MeanShift(bandwidth=1.0, random_state=0)


def test_pandas_keeps_columns_and_index(frame, model):
    model.fit(frame)
    assert isinstance(model.labels_, np.ndarray)
    assert list(model.feature_names_in_) == ["length", "width"]
    assert model.index_.equals(frame.index)
    series = model.labels_series_
    assert series.index.equals(frame.index)
    assert series["ant"] == series["bee"] == series["elk"] != series["cow"]


def test_polars_keeps_columns(model):
    model.fit(pl.DataFrame(VALUES, schema=["length", "width"]))
    assert list(model.feature_names_in_) == ["length", "width"]
    assert not hasattr(model, "index_")
    assert np.array_equal(model.labels_, MeanShift(bandwidth=1.0).fit(VALUES).labels_)


def test_an_array_after_a_frame_leaves_no_index_behind(frame, model):
    model.fit(frame).fit(VALUES)
    assert not hasattr(model, "index_")
    with pytest.raises(AttributeError, match="after a fit on a pandas frame only"):
        model.labels_series_


def test_pairs_may_name_rows_of_a_frame(frame, model):
    report = model.fit(
        frame, must_link=[["ant", "bee"], ["bee", "cow"]], cannot_link=[["dog", "elk"]]
    ).constraint_report_
    assert report["must_link"].kept.tolist() == [[0, 1], [1, 2]]
    assert report["cannot_link"].kept.tolist() == [[3, 4]]
    assert report.n_kept == 3
    assert report.n_broken == 0


def test_integers_are_positions_whatever_the_index(model):
    frame = pd.DataFrame(VALUES, columns=["a", "b"], index=[5, 4, 3, 2, 1, 0])
    report = model.fit(frame, must_link=[[0, 1]]).constraint_report_
    assert report["must_link"].kept.tolist() == [[0, 1]]


def test_constraints_with_ids_follow_the_index(model):
    ids = [50, 40, 30, 20, 10, 0]
    constraints = Constraints(
        ids=ids,
        must_link=[[50, 40]],
        cannot_link=[[50, 30]],
        labels={0: "far"},
        weights={"must_link": 2.0},
        sources="ann",
    )
    frame = pd.DataFrame(VALUES, columns=["a", "b"], index=ids)
    shuffled = frame.sample(frac=1, random_state=3)
    place = {id_: row for row, id_ in enumerate(shuffled.index)}
    aligned = constraints._align(ilk._entries.IdIndex(shuffled.index))
    assert aligned.must_link.tolist() == [sorted([place[50], place[40]])]
    assert aligned.weights("must_link").tolist() == [2.0]
    assert aligned.sources("labels") == ["ann"]
    report = model.fit(shuffled, constraints=constraints).constraint_report_
    assert report["must_link"].kept.tolist() == aligned.must_link.tolist()
    assert report["cannot_link"].n_kept == 1
    assert report["labels"].kept.tolist() == [[place[0]]]


def test_constraints_and_pairs_add_up(frame, model):
    constraints = Constraints(ids=IDS, must_link=[["ant", "bee"]])
    y = ["x", None, None, None, None, None]
    report = model.fit(frame, y, constraints=constraints, must_link=[["ant", "elk"]]).constraint_report_
    assert report["must_link"].n_kept == 2
    assert report["labels"].n_kept == 1
    assert len(constraints) == 1


def test_an_id_that_the_frame_does_not_have_is_named(frame, model):
    with pytest.raises(ValueError, match="must_link 0 names id 'emu', which is not in the data"):
        model.fit(frame, must_link=[["ant", "emu"]])
    constraints = Constraints(ids=[*IDS, "emu"], cannot_link=[["ant", "emu"]])
    with pytest.raises(ValueError, match="cannot_link 0 names id 'emu', which is not in the data"):
        model.fit(frame, constraints=constraints)


def test_ids_that_are_not_unique_cannot_be_named(model):
    frame = pd.DataFrame(VALUES, columns=["a", "b"], index=["x"] * 6)
    assert model.fit(frame).index_.equals(frame.index)
    with pytest.raises(ValueError, match="id 'x' stands in rows 0 and 1; ids must be unique"):
        model.fit(frame, must_link=[["x", "x"]])


def test_other_columns_are_refused(frame, model):
    model.fit(frame)
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(frame.rename(columns={"width": "height"}))


def test_names_of_columns_are_saved(frame, model, tmp_path):
    model.fit(frame).save(tmp_path / "model.ilk")
    again = ilk.load(tmp_path / "model.ilk")
    assert list(again.feature_names_in_) == ["length", "width"]
    assert np.array_equal(again.predict(frame), model.labels_)
    with pytest.raises(ValueError, match="feature names should match"):
        again.predict(frame.rename(columns={"width": "height"}))
