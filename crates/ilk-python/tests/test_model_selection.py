"""Cross-validation over constraints."""

import ilk
import numpy as np
import pytest
from ilk.model_selection import ConstraintKFold, constraint_score, constraint_scorer
from sklearn import config_context
from sklearn.metrics import cohen_kappa_score
from sklearn.model_selection import GridSearchCV


@pytest.fixture
def given():
    X, truth = ilk.datasets.make_two_circles(random_state=0)
    return X, truth, ilk.make_constraints(truth, per_class=12, random_state=0)


def test_held_out_rows_are_named_by_no_constraint_of_the_fit(given):
    _, _, constraints = given
    folds = list(ConstraintKFold(4, random_state=1).split(constraints=constraints))
    held_out = np.concatenate([test for _, test in folds])
    assert sorted(held_out) == constraints._core.constrained_points().tolist()
    for train, test in folds:
        assert not set(train) & set(test)
        assert len(train) + len(test) == constraints.n
        fitted = train[constraints[train]._core.constrained_points()]
        assert not set(fitted) & set(test)
    again = ConstraintKFold(4, random_state=1).split(constraints=constraints)
    assert all(np.array_equal(a, b) for (_, a), (_, b) in zip(folds, again, strict=True))


def test_the_score_is_the_correlation_over_pairs():
    rng = np.random.default_rng(0)
    truth, found = rng.integers(0, 3, 60), rng.integers(0, 3, 60)
    pairs = np.array([(a, b) for a in range(60) for b in range(a) if rng.random() < 0.2])
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    constraints = ilk.Constraints(60, must_link=pairs[same], cannot_link=pairs[~same])
    together = found[pairs[:, 0]] == found[pairs[:, 1]]
    assert np.isclose(constraint_score(constraints, found), cohen_kappa_score(same, together))
    assert np.isclose(constraint_score(constraints, truth), 1.0)
    labels = np.where(np.arange(60) < 20, truth, -1)
    every = [(a, b) for a in range(20) for b in range(a)]
    of_labels = ilk.Constraints(60, labels=labels)
    expected = cohen_kappa_score(
        [truth[a] == truth[b] for a, b in every], [found[a] == found[b] for a, b in every]
    )
    assert np.isclose(constraint_score(of_labels, found), expected)
    assert constraint_score(ilk.Constraints(3, must_link=[[0, 1], [1, 2]]), [0, 0, 1]) == 0.5
    assert constraint_score(ilk.Constraints(3, must_link=[[0, 1]]), [-1, -1, 1]) == 0.0
    assert np.isnan(constraint_score(ilk.Constraints(3), [0, 0, 1]))


def test_a_grid_search_chooses_what_held_out_constraints_favour():
    X = np.concatenate([np.linspace(0, 1, 30), np.linspace(4, 5, 30)])[:, np.newaxis]
    constraints = ilk.make_constraints(np.repeat([0, 1], 30), per_class=12, random_state=0)
    with config_context(enable_metadata_routing=True):
        search = GridSearchCV(
            ilk.CMS(refine="off", early_stop=False).set_fit_request(constraints=True),
            {"bandwidth": [0.02, 1.0]},
            scoring=constraint_scorer,
            cv=ConstraintKFold(3, random_state=0),
        ).fit(X, constraints=constraints)
    assert search.best_params_ == {"bandwidth": 1.0}
    assert search.best_score_ == 1.0
    assert search.best_estimator_.n_clusters_ == 2


def test_a_search_that_passes_no_constraints_on_says_what_to_do(given):
    X, _, constraints = given
    search = GridSearchCV(
        ilk.MeanShift(), {"bandwidth": [1.0]}, scoring=constraint_scorer, cv=ConstraintKFold(3)
    )
    with pytest.raises(ValueError, match=r"ConstraintKFold needs constraints\. In GridSearchCV"):
        search.fit(X, constraints=constraints)


def test_bad_input_is_refused(given):
    few = ilk.Constraints(9, must_link=[[0, 1], [2, 3]])
    with pytest.raises(
        ValueError, match="constraints name 4 rows, and n_splits = 3 folds need two"
    ):
        next(ConstraintKFold(3).split(constraints=few))
    with pytest.raises(ValueError, match="n_splits = 1 is out of range: a number from 2"):
        next(ConstraintKFold(1).split(constraints=given[2]))
    with pytest.raises(TypeError, match=r"constraints must be an ilk\.Constraints, not list"):
        next(ConstraintKFold(2).split(constraints=[[0, 1]]))
    with pytest.raises(
        ValueError, match=r"labels have the shape \(2,\), but the constraints are on 9"
    ):
        constraint_score(few, [0, 1])
