"""Data frames as input: names of columns, the index, ids in constraints."""

from typing import ClassVar

import ilk
import numpy as np
import pandas as pd
import polars as pl
import pytest
from ilk import Constraints, ConstraintWarning, MeanShift
from sklearn.exceptions import DataConversionWarning
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

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


def test_integers_are_positions_whatever_the_index_with_a_warning_where_they_may_be_ids(model):
    frame = pd.DataFrame(VALUES, columns=["a", "b"], index=[5, 4, 3, 2, 1, 0])
    message = (
        "must_link holds integers, which are positions of rows, but the index of X holds integers "
        "too and is not 0 to n - 1; to name rows by it pass constraints=ilk.Constraints("
        "ids=X.index, must_link=...), to keep positions X.to_numpy() or X.reset_index(drop=True)"
    )
    with pytest.warns(ConstraintWarning) as warned:
        report = model.fit(frame, must_link=[[0, 1]]).constraint_report_
    assert [str(warning.message) for warning in warned] == [message]
    assert warned[0].filename == __file__
    assert report["must_link"].kept.tolist() == [[0, 1]]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("index", [None, list(range(6)), IDS], ids=["default", "same", "names"])
def test_integers_that_can_only_be_positions_do_not_warn(model, index):
    frame = pd.DataFrame(VALUES, columns=["a", "b"], index=index)
    report = model.fit(frame, must_link=[[0, 1]]).constraint_report_
    assert report["must_link"].kept.tolist() == [[0, 1]]


NAMED = Constraints(ids=IDS, must_link=[["ant", "bee"], ["cow", "dog"]], cannot_link=[["ant", "cow"]])


@pytest.mark.parametrize(
    ("data", "has"),
    [
        (VALUES, "no ids"),
        (pl.DataFrame(VALUES, schema=["a", "b"]), "no ids"),
        (pd.DataFrame(VALUES), "only the default index, 0 to n - 1"),
    ],
    ids=["numpy", "polars", "default index"],
)
def test_ids_are_refused_where_rows_have_none(model, data, has):
    with pytest.raises(ValueError) as refused:
        model.fit(data, constraints=NAMED)
    assert str(refused.value) == (
        f"the constraints name points by id (the first is 'ant'), but X has {has}; pass a pandas "
        "frame whose index holds the ids (behind the steps of a Pipeline: "
        'pipeline.set_output(transform="pandas")), or, if the rows of X are in the order of the '
        "ids, constraints.by_position(); for rows in another order "
        "constraints.by_position(ids_of_the_rows)"
    )


def test_integer_ids_that_are_not_positions_never_slip(model):
    # Counted from 1, all but the last are positions too, of the rows before.
    constraints = Constraints(ids=range(1, 7), must_link=[[1, 2]])
    for data in (VALUES, pd.DataFrame(VALUES)):
        with pytest.raises(ValueError, match="the first is 1"):
            model.fit(data, constraints=constraints)
    frame = pd.DataFrame(VALUES, index=range(1, 7))
    report = model.fit(frame, constraints=constraints).constraint_report_
    assert report["must_link"].kept.tolist() == [[0, 1]]


def test_ids_that_are_the_positions_of_all_rows_are_certain(model):
    constraints = Constraints(ids=[5, 4, 3, 2, 1, 0], must_link=[[0, 1]])
    for data in (VALUES, pd.DataFrame(VALUES)):
        report = model.fit(data, constraints=constraints).constraint_report_
        assert report["must_link"].kept.tolist() == [[0, 1]]


def test_ids_behind_a_scaler_are_kept_or_refused(frame, model):
    shuffled = frame.iloc[[3, 0, 5, 1, 2, 4]]
    pipeline = make_pipeline(StandardScaler(), model)
    given = {"meanshift__constraints": NAMED}
    with pytest.raises(ValueError, match="X has no ids; pass a pandas frame"):
        pipeline.fit(shuffled, **given)
    report = pipeline.set_output(transform="pandas").fit(shuffled, **given)[-1].constraint_report_
    assert report["must_link"].kept_ids == [("ant", "bee"), ("dog", "cow")]
    assert report["cannot_link"].kept_ids == [("ant", "cow")]


def test_constraints_by_position_say_which_row_is_whose():
    assert NAMED.by_position().must_link.tolist() == [[0, 1], [2, 3]]
    turned = NAMED.by_position(IDS[::-1])
    assert turned.ids is None
    assert turned.must_link.tolist() == [[4, 5], [2, 3]]


def test_what_is_broken_is_reported_in_ids(frame):
    given = {"must_link": [["ant", "bee"]], "cannot_link": [["ant", "bee"], ["ant", "cow"]]}
    with pytest.warns(ConstraintWarning):
        report = MeanShift(bandwidth=1.0).fit(frame, **given).constraint_report_
    assert report["must_link"].kept_ids == [("ant", "bee")]
    assert report["cannot_link"].broken_ids == [("ant", "bee")]
    assert report["cannot_link"].kept_ids == [("ant", "cow")]
    with pytest.warns(ConstraintWarning):
        report = MeanShift(bandwidth=1.0).fit(VALUES, must_link=[[0, 1]], cannot_link=[[0, 1]])
    assert report.constraint_report_["cannot_link"].broken_ids == [(0, 1)]


def labels_kept(model):
    return [point for (point,) in model.constraint_report_["labels"].kept_ids]


def test_a_series_of_labels_is_aligned_by_index(frame, model):
    y = pd.Series(["far", "near", "near"], index=["dog", "ant", "elk"])
    assert labels_kept(model.fit(frame, y)) == ["ant", "dog", "elk"]
    with pytest.warns(DataConversionWarning, match="A column-vector y was passed"):
        model.fit(frame, y.to_frame("label"))
    assert labels_kept(model) == ["ant", "dog", "elk"]
    numbers = pd.Series([7, -1, 8], index=["dog", "cow", "ant"])
    assert labels_kept(model.fit(frame, numbers)) == ["ant", "dog"]


def test_a_series_beside_an_array_is_in_the_order_of_the_rows(model):
    y = pd.Series(["near", None, "far", None, None, None], index=IDS[::-1])
    assert labels_kept(model.fit(VALUES, y)) == [0, 2]


def test_labels_of_rows_that_are_not_there_are_refused(frame, model):
    with pytest.raises(ValueError) as refused:
        model.fit(frame, pd.Series(["near", "far"], index=["ant", "emu"]))
    assert str(refused.value) == (
        "y is aligned with X by index, and X has no row 'emu'; pass y.loc[X.index] for labels of "
        "these rows, y.to_numpy() for labels in their order"
    )
    with pytest.raises(ValueError, match="that of y is not unique, so labels have no certain rows"):
        model.fit(frame, pd.Series(["near", "far"], index=["ant", "ant"]))


def test_pairs_as_parameters_of_a_search_are_refused(blobs):
    X, truth = blobs
    search = GridSearchCV(
        MeanShift(),
        {"bandwidth": [1.0, 2.0]},
        cv=KFold(3, shuffle=True, random_state=0),
        scoring="adjusted_rand_score",
        error_score="raise",
    )
    # As many pairs as rows: scikit-learn would cut the list itself.
    for pairs in ([[0, 1]], [[i, (i + 1) % len(X)] for i in range(len(X))]):
        with pytest.raises(ValueError) as refused:
            search.fit(X, truth, must_link=pairs)
        assert str(refused.value) == (
            "must_link would name other rows: in cross-validation a fit sees some of the rows, and "
            "scikit-learn passes entries on as they are. Pass "
            "constraints=ilk.Constraints(len(X), ...), which is cut to the rows of every fit"
        )


class OwnPairs(MeanShift):
    def fit(self, X, y=None):
        return super().fit(X, must_link=[[0, 1]])


def test_pairs_that_the_code_under_cross_validation_finds_itself_are_taken(blobs):
    X, truth = blobs
    scores = cross_val_score(OwnPairs(bandwidth=1.0), X, truth, scoring="adjusted_rand_score", cv=3)
    assert np.isfinite(scores).all()


class Recording(MeanShift):
    """Keeps what every fit was given, as pairs of the coordinates."""

    seen: ClassVar[list] = []

    def fit(self, X, y=None, *, constraints=None):
        Recording.seen.append((np.asarray(X), constraints))
        return super().fit(X, constraints=constraints)


def test_a_search_cuts_constraints_to_the_rows_of_every_fit(blobs):
    X, truth = blobs
    constraints = ilk.make_constraints(truth, n_pairs=60, random_state=0)
    Recording.seen.clear()
    cv = KFold(3, shuffle=True, random_state=0)
    GridSearchCV(Recording(), {"bandwidth": [1.0]}, cv=cv, scoring="adjusted_rand_score").fit(
        X, truth, constraints=constraints
    )
    assert len(Recording.seen) == 4
    for (train, _), (rows, given) in zip(cv.split(X), Recording.seen, strict=False):
        inside = [pair for pair in constraints.must_link.tolist() if np.isin(pair, train).all()]
        assert inside
        assert np.array_equal(rows[given.must_link], X[np.array(inside)])
    assert Recording.seen[-1][1] == constraints


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
    with pytest.raises(ValueError) as refused:
        model.fit(frame, constraints=constraints)
    assert str(refused.value) == (
        "cannot_link 0 names id 'emu', which is not in the data; constraints on some of their "
        "points are constraints.subset(ids)"
    )
    assert not model.fit(frame, constraints=constraints.subset(IDS)).constraint_report_


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
