"""The constraints object: what goes in, what comes out, and what is refused."""

import operator
import pickle

import ilk
import numpy as np
import pandas as pd
import polars as pl
import pytest
from ilk import Constraints
from sklearn.exceptions import DataConversionWarning

KINDS = ["must_link", "cannot_link", "odd_one_out", "about_equal", "closer"]


@pytest.fixture
def constraints():
    return Constraints(
        8,
        must_link=[[1, 0], [2, 3]],
        cannot_link=[[0, 4]],
        odd_one_out=[[5, 1, 6]],
        about_equal=[[7, 0, 3]],
        closer=[[3, 1, 2]],
        labels=["a", None, "b", "", -1, float("nan"), "a", pd.NA],
        weights={"must_link": [2.0, 0.5], "labels": 3.0},
        sources={"must_link": ["ann", None], "closer": "bob"},
    )


def test_everything_comes_out_as_it_went_in(constraints):
    assert constraints.must_link.tolist() == [[0, 1], [2, 3]]
    assert constraints.cannot_link.tolist() == [[0, 4]]
    assert constraints.odd_one_out.tolist() == [[1, 5, 6]]
    assert constraints.about_equal.tolist() == [[7, 0, 3]]
    assert constraints.closer.tolist() == [[3, 1, 2]]
    assert constraints.labels.tolist() == [0, -1, 1, -1, -1, -1, 0, -1]
    assert constraints.label_names == ["a", "b"]
    assert constraints.weights("must_link").tolist() == [2.0, 0.5]
    assert constraints.weights("cannot_link").tolist() == [1.0]
    assert constraints.weights("labels").tolist() == [3.0, 3.0, 3.0]
    assert constraints.sources("must_link") == ["ann", None]
    assert constraints.sources("closer") == ["bob"]
    assert len(constraints) == 9
    assert constraints.constrained_points.tolist() == [0, 1, 2, 3, 4, 5, 6, 7]


def test_repetitions_are_folded_into_the_largest_weight():
    constraints = Constraints(3, must_link=[[0, 1], [1, 0]], weights={"must_link": [1.0, 4.0]})
    assert constraints.must_link.tolist() == [[0, 1]]
    assert constraints.weights("must_link").tolist() == [4.0]


@pytest.mark.parametrize("with_ids", [False, True])
def test_pickle_keeps_everything(constraints, with_ids):
    if with_ids:
        constraints = constraints._align(ilk._entries.IdIndex("abcdefgh"))
    again = pickle.loads(pickle.dumps(constraints))
    assert again == constraints
    assert again.ids == constraints.ids
    assert again.describe() == constraints.describe()
    assert again != Constraints(8)


def test_equal_means_the_same_entries(constraints):
    assert Constraints(4, must_link=[[0, 1]]) == Constraints(4, must_link=[[1, 0]])
    assert Constraints(4, must_link=[[0, 1]]) != Constraints(5, must_link=[[0, 1]])
    assert Constraints(4, must_link=[[0, 1]]) != Constraints(4, cannot_link=[[0, 1]])
    assert constraints != "text"


@pytest.mark.parametrize("entries", [[], np.empty((0, 2)), np.empty((0, 2), dtype=int)])
def test_no_entries_are_no_entries(entries):
    assert not Constraints(3, must_link=entries)


@pytest.mark.parametrize(
    "entries",
    [
        [(0, 1), (2, 3)],
        np.array([[0, 1], [2, 3]], dtype=np.uint8),
        np.array([[0, 2], [1, 3]]).T,
        pd.DataFrame({"a": [0, 2], "b": [1, 3]}),
        pl.DataFrame({"a": [0, 2], "b": [1, 3]}),
    ],
    ids=["list", "uint8", "transposed", "pandas", "polars"],
)
def test_pairs_come_in_many_forms(entries):
    assert Constraints(4, must_link=entries).must_link.tolist() == [[0, 1], [2, 3]]


@pytest.mark.parametrize(
    "entries",
    [
        ((a, a + 1) for a in (0, 2)),
        zip([0, 2], [1, 3], strict=True),
        {(2, 3), (0, 1)},
        {0: 1, 2: 3}.items(),
    ],
    ids=["generator", "zip", "set", "items"],
)
def test_pairs_come_from_any_iterable(entries):
    assert Constraints(4, must_link=entries).must_link.tolist() == [[0, 1], [2, 3]]


@pytest.mark.parametrize(("entries", "found"), [({0: 1}, "dict"), (7, "int")])
def test_what_is_no_list_of_entries_is_named(entries, found):
    with pytest.raises(ValueError) as refused:
        Constraints(4, must_link=entries)
    assert str(refused.value) == (
        f"constraints are rows of points, such as [[0, 1], [2, 3]]; got {found}"
    )


@pytest.mark.parametrize(
    ("ids", "pairs"),
    [
        (["x", "y", "z"], [["x", "z"]]),
        (["x", "y", "z"], np.array([["x", "z"]])),
        ([10, 20, 30], np.array([[10, 30]])),
        (pd.Index([10, 20, 30]), pd.DataFrame({"a": [10], "b": [30]})),
        (pl.Series(["x", "y", "z"]), pl.DataFrame({"a": ["x"], "b": ["z"]})),
        (
            pd.date_range("2026-01-01", periods=3),
            [[pd.Timestamp(2026, 1, 1), pd.Timestamp(2026, 1, 3)]],
        ),
        (pd.MultiIndex.from_tuples([(1, "a"), (1, "b"), (2, "a")]), [[(1, "a"), (2, "a")]]),
    ],
    ids=["str", "array", "int", "pandas", "polars", "dates", "tuples"],
)
def test_ids_of_any_kind_name_points(ids, pairs):
    constraints = Constraints(ids=ids, must_link=pairs)
    assert constraints.n == 3
    assert constraints.must_link.tolist() == [[0, 2]]


def test_labels_may_be_a_mapping():
    assert Constraints(4, labels={3: "a", 1: 7}).labels.tolist() == [-1, 1, -1, 0]
    by_id = Constraints(ids=["p", "q"], labels={"q": "a"})
    assert by_id.labels.tolist() == [-1, 0]
    assert by_id.describe() == ['q is labelled "a"']


@pytest.mark.parametrize("unknown", ["-1", "-1.0", "nan", ""])
def test_what_numpy_spells_beside_strings_is_unknown(unknown):
    assert Constraints(3, labels=["a", unknown, "b"]).labels.tolist() == [0, -1, 1]
    assert np.array(["a", -1, np.nan, -1.0]).tolist() == ["a", "-1", "nan", "-1.0"]


@pytest.mark.parametrize(
    "column",
    [
        np.array([["a"], ["-1"], ["b"]]),
        [["a"], [-1], ["b"]],
        pd.DataFrame({"label": ["a", None, "b"]}),
        pl.DataFrame({"label": ["a", None, "b"]}),
    ],
    ids=["array", "list", "pandas", "polars"],
)
def test_a_column_of_labels_is_ravelled_with_a_warning(column):
    with pytest.warns(DataConversionWarning, match="A column-vector y was passed"):
        constraints = Constraints(3, labels=column)
    assert constraints.labels.tolist() == [0, -1, 1]


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (np.zeros((3, 2)), "y should be a 1d array, a label a point, got rows of 2 values instead."),
        ([[0], [1, 2], [3]], "y should be a 1d array, a label a point, got rows of 1 or 2 values instead."),
        ([[0], 1, 2], "y should be a 1d array, a label a point, got rows of 1 values instead."),
        (np.zeros((3, 1, 1)), "y should be a 1d array, a label a point, got rows of 1 values instead."),
        ("abc", "y should be a 1d array, got 'abc' instead."),
        (3, "y should be a 1d array, got 3 instead."),
    ],
)
def test_labels_of_another_shape_are_refused(labels, message):
    with pytest.raises(ValueError) as refused:
        Constraints(3, labels=labels)
    assert str(refused.value) == message


def test_entries_are_added_all_or_none(constraints):
    before = constraints._copy()
    with pytest.raises(ValueError, match="cannot_link 0 names point 99"):
        constraints.add(must_link=[[5, 6]], cannot_link=[[0, 99]])
    assert constraints == before
    grown = constraints.add(must_link=[[5, 6]], sources="cat")
    assert grown is constraints
    assert constraints.must_link.tolist() == [[0, 1], [2, 3], [5, 6]]
    assert constraints.sources("must_link") == ["ann", None, "cat"]


def test_a_sum_has_the_entries_of_both(constraints):
    more = Constraints(8, must_link=[[0, 1], [6, 7]], weights=5.0)
    both = constraints + more
    assert both.must_link.tolist() == [[0, 1], [2, 3], [6, 7]]
    assert both.weights("must_link").tolist() == [5.0, 0.5, 5.0]
    assert (len(constraints), len(more)) == (9, 2)
    assert sum([more, more], Constraints(8)) == more


def test_a_sum_of_ids_is_on_the_points_of_both():
    first = Constraints(ids=["fly", "bee"], must_link=[["fly", "bee"]])
    second = Constraints(ids=["owl", "bee"], cannot_link=[["owl", "bee"]])
    both = first + second
    assert both.ids == ["fly", "bee", "owl"]
    assert both.describe() == ["fly must-link bee", "bee cannot-link owl"]


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (
            Constraints(4),
            "the first is about 3 points, the second about 4; points that are not the same need ids",
        ),
        (
            Constraints(ids="abc"),
            "one of the two names points by id; add ids to both or to none",
        ),
    ],
)
def test_sums_over_points_that_may_differ_are_refused(other, message):
    with pytest.raises(ValueError) as refused:
        Constraints(3) + other
    assert str(refused.value) == message
    with pytest.raises(TypeError):
        operator.add(Constraints(3), [[0, 1]])


def test_a_subset_has_what_is_among_its_points(constraints):
    part = constraints.subset([3, 2, 1, 0])
    assert part.must_link.tolist() == [[2, 3], [0, 1]]
    assert part.weights("must_link").tolist() == [2.0, 0.5]
    assert part.closer.tolist() == [[0, 2, 1]]
    assert len(part.cannot_link) == len(part.odd_one_out) == 0
    assert part.labels.tolist() == [-1, 1, -1, 0]
    assert part.label_names == ["a", "b"]
    mask = np.array([True] * 4 + [False] * 4)
    assert constraints.subset(mask) == constraints.subset(range(4)) == constraints[:4]


def test_a_subset_by_ids_keeps_them():
    constraints = Constraints(ids="abcd", must_link=["ab", "cd"], labels={"d": "x"})
    part = constraints.subset(["d", "c"])
    assert part.ids == ["d", "c"]
    assert part.describe() == ["d must-link c", 'd is labelled "x"']


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([0, 9], "point 9 is not one of the 8 points"),
        ([0, 0], "a point is named twice; constraints are on different points"),
        ([True, False], "a mask of 2 for 8 points"),
        ([[0, 1]], "rows of constraints are positions in a list, a slice or a mask"),
        ([0.5], "rows of constraints are positions in a list, a slice or a mask"),
    ],
)
def test_bad_subsets_are_named(constraints, points, message):
    with pytest.raises((ValueError, IndexError)) as refused:
        constraints.subset(points)
    assert str(refused.value) == message


@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
@pytest.mark.parametrize("ids", [None, list("abcdefgh"), list(range(10, 18))], ids=["none", "str", "int"])
def test_a_frame_holds_everything(constraints, library, ids):
    if library == "arrow":
        pytest.importorskip("pyarrow")
    if ids is not None:
        constraints = Constraints(ids=ids)._take(constraints)
    frame = constraints.to_frame(library)
    names = frame.column_names if library == "arrow" else list(frame.columns)
    assert names == ["kind", "a", "b", "c", "label", "weight", "source"]
    n = None if ids else 8
    assert Constraints.from_frame(frame, n, ids=ids) == constraints


def test_a_frame_made_by_hand_needs_only_its_columns():
    frame = pd.DataFrame(
        {"kind": ["must_link", "odd_one_out"], "a": [0, 1], "b": [1, 2], "c": [np.nan, 3]}
    )
    constraints = Constraints.from_frame(frame, 4)
    assert constraints.must_link.tolist() == [[0, 1]]
    assert constraints.odd_one_out.tolist() == [[1, 2, 3]]
    assert constraints.weights("must_link").tolist() == [1.0]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            {"a": [0], "b": [1]},
            "the frame has no column 'kind'; constraints have the columns "
            "kind, a, b, c, label, weight, source",
        ),
        (
            {"kind": ["same"], "a": [0], "b": [1]},
            "row 0 of the frame has the kind 'same'; known kinds: must_link, cannot_link, "
            "odd_one_out, about_equal, closer, labels",
        ),
        ({"kind": ["must_link"], "a": [0]}, "row 0 of the frame, a must_link, has no point 'b'"),
        (
            {"kind": ["labels", "labels"], "a": [0, 0], "label": ["x", "y"]},
            "the frame labels 0 twice; give a point one label",
        ),
    ],
)
def test_bad_frames_are_named(columns, message):
    with pytest.raises(ValueError) as refused:
        Constraints.from_frame(pd.DataFrame(columns), 4)
    assert str(refused.value) == message


def test_other_libraries_and_other_tables_are_named():
    with pytest.raises(ValueError, match="library = 'cudf' is not understood: it must be one of pandas"):
        Constraints(2).to_frame("cudf")
    with pytest.raises(TypeError, match="a pandas or polars frame or an Arrow table is needed, not list"):
        Constraints.from_frame([], 2)


def test_a_cannot_link_is_refuted_by_the_shortest_chain():
    pairs = [[0, 1], [1, 2], [2, 3], [3, 4], [0, 5], [5, 4]]
    (conflict,) = Constraints(7, must_link=pairs, cannot_link=[[4, 0], [0, 6]]).check()
    assert conflict.kind == "cannot_link"
    assert set(conflict.points) == {0, 4}
    assert conflict.chain in [(0, 5, 4), (4, 5, 0)]
    assert str(conflict) == "0 must-link 5 must-link 4, but 0 cannot-link 4"


def test_two_labels_in_one_component_are_refuted():
    (conflict,) = Constraints(3, must_link=[[0, 1], [1, 2]], labels=["a", -1, "b"]).check()
    assert conflict.kind == "labels"
    assert conflict.chain in [(0, 1, 2), (2, 1, 0)]


def test_comparisons_in_a_circle_are_refuted():
    constraints = Constraints(3, closer=[[0, 1, 2], [2, 0, 1], [1, 2, 0]])
    (conflict,) = constraints.check()
    assert conflict.kind == "comparisons"
    assert conflict.chain[0] == conflict.chain[-1]
    assert sorted(conflict.chain[:-1]) == [(0, 1), (0, 2), (1, 2)]


def test_conflicts_speak_in_ids():
    constraints = Constraints(ids=["fly", "bee"], must_link=[["fly", "bee"]], cannot_link=[["bee", "fly"]])
    assert [str(c) for c in constraints.check()] == ["fly must-link bee, but fly cannot-link bee"]


def test_what_can_hold_together_has_no_conflicts():
    constraints = Constraints(4, must_link=[[0, 1]], cannot_link=[[1, 2]], labels=[1, 1, 2, -1])
    assert constraints.check() == []
    assert constraints.min_clusters() == 2


def test_no_more_conflicts_are_proved_than_asked_for():
    constraints = Constraints(3, must_link=[[0, 1], [1, 2]], cannot_link=[[0, 1], [1, 2], [0, 2]])
    assert len(constraints.check()) == 3
    assert len(constraints.check(limit=2)) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"must_link": [[0, 5]]},
            r"must_link 0 names point 5, but there are only 4 points \(0 to 3\)",
        ),
        ({"must_link": [[0, 1], [2, -1]]}, "must_link 1 names point -1; points are counted from 0"),
        ({"cannot_link": [[2, 2]]}, "cannot_link 0 names point 2 twice"),
        ({"closer": [[0, 1, 0]]}, "closer 0 names point 0 twice"),
        (
            {"must_link": [[0, 1, 2]]},
            r"must_link must have shape \(m, 2\), 2 points a row; got \(1, 3\)",
        ),
        ({"closer": [0, 1, 2]}, r"closer must have shape \(m, 3\), 3 points a row; got \(3,\)"),
        (
            {"must_link": [[0.0, 1.0]]},
            "must_link must hold integers, the positions of points; got float64",
        ),
        ({"must_link": [["a", "b"]]}, "must_link must hold integers.*use ilk.Constraints"),
        (
            {"must_link": [[0, 1]], "weights": {"must_link": [0.0]}},
            "must_link 0 has weight 0; weights must be positive and finite",
        ),
        (
            {"must_link": [[0, 1]], "weights": {"must_link": [1.0, 2.0]}},
            "weights of must_link: there are 2 for 1 entries",
        ),
        (
            {"must_link": [[0, 1]], "sources": {"must_links": "ann"}},
            "sources name must_links; known kinds: must_link, ",
        ),
        ({"labels": [0, 1]}, "there are 2 labels for 4 points; give one a point"),
        ({"labels": [0.5, 1, 1, 1]}, "label 0.5 is not a class"),
        (
            {"labels": {"a": 1}},
            "labels must map positions of points, which are integers, to labels",
        ),
        ({"labels": {9: 1}}, "labels 0 names point 9, but there are only 4 points"),
    ],
)
def test_bad_entries_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        Constraints(4, **arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "n = None: give the number of points, or ids"),
        ({"n": -1}, "n = -1: give the number of points, or ids"),
        ({"n": 2.5}, "n = 2.5: give the number of points, or ids"),
        ({"n": 3, "ids": ["a", "b"]}, "n = 3, but there are 2 ids"),
        ({"ids": ["a", "b", "a"]}, "id 'a' stands in rows 0 and 2; ids must be unique"),
        (
            {"ids": ["a", "b"], "must_link": [["a", "c"]]},
            "must_link 0 names id 'c', which is not in the data",
        ),
        ({"ids": ["a", "b"], "closer": [["a", "b"]]}, "closer 0 names 2 points; 3 are needed"),
    ],
)
def test_bad_points_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        Constraints(**arguments)


def test_an_unknown_kind_is_named():
    with pytest.raises(ValueError, match='no kind of constraint "links"; known kinds: must_link'):
        Constraints(2).count("links")


def test_answers_agree_with_the_truth_they_were_drawn_from():
    y = np.repeat(["a", "b", "c"], 12)
    constraints = ilk.make_constraints(
        y, per_class=4, n_pairs=20, n_triplets=15, n_equal=6, random_state=1
    )
    assert all(y[a] == y[b] for a, b in constraints.must_link)
    assert all(y[a] != y[b] for a, b in constraints.cannot_link)
    assert all(y[a] == y[b] != y[c] for a, b, c in constraints.odd_one_out)
    assert all(len({y[p] for p in entry}) in (1, 3) for entry in constraints.about_equal)
    assert len(constraints.odd_one_out) == 15
    assert len(constraints.about_equal) == 6
    assert constraints.check() == []


def test_a_share_of_the_answers_is_wrong():
    y = np.repeat([0, 1], 30)
    constraints = ilk.make_constraints(y, n_pairs=40, noise=0.25, random_state=1)
    wrong = sum(y[a] != y[b] for a, b in constraints.must_link)
    wrong += sum(y[a] == y[b] for a, b in constraints.cannot_link)
    assert len(constraints) == 40
    assert wrong == 10


def test_unknown_points_are_never_asked_about():
    y = np.array([0, 1, -1] * 10)
    constraints = ilk.make_constraints(y, n_pairs=30, random_state=0)
    assert (y[constraints.constrained_points] >= 0).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"noise": 1.5, "n_pairs": 1}, "noise = 1.5 is out of range: a share from 0 to 1"),
        ({"n_pairs": -1}, "n_pairs = -1 is out of range: a whole number, at least 0"),
        ({"per_class": 1.5}, "per_class = 1.5 is out of range: a whole number, at least 0"),
    ],
)
def test_bad_requests_for_answers_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        ilk.make_constraints([0, 1, 0, 1], **arguments)
