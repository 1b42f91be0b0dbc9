"""All that is given to a fit besides the points, as constraints on the rows of ``X``.

Rows have positions, and those of a pandas frame have an index too. What names points by id is
looked up there. Where nothing says which row an id belongs to, that is an error: a guess would
link other points than were meant, without an error.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ._constraints import Constraints
from ._entries import IdIndex, holds_integers, listed
from ._warnings import ConstraintWarning

#: Functions of scikit-learn that fit to some of the rows, and the module they are in.
_FIT_TO_PART = ("_fit_and_score", "_fit_and_predict", "_permutation_test_score")
_VALIDATION = "sklearn.model_selection._validation"

_KEEP_THE_INDEX = (
    "pass a pandas frame whose index holds the ids (behind the steps of a Pipeline: "
    'pipeline.set_output(transform="pandas")), or, if the rows of X are in the order of the ids, '
    "constraints.by_position(); for rows in another order constraints.by_position(ids_of_the_rows)"
)


def collect_constraints(
    n: int,
    y: npt.ArrayLike | None,
    given: Mapping[str, Any],
    constraints: Constraints | None,
    index: Any,
) -> Constraints:
    """Return all constraints on ``n`` points, in one."""
    if not isinstance(constraints, (Constraints, type(None))):
        raise TypeError(
            f"constraints must be an ilk.Constraints, not {type(constraints).__name__}; pass pairs "
            "as must_link and cannot_link"
        )
    given = {kind: entries for kind, entries in given.items() if entries is not None}
    _refuse_what_cross_validation_passes_on(given)
    given = {kind: listed(entries) for kind, entries in given.items()}
    by_id = {kind for kind, entries in given.items() if not holds_integers(entries)}
    _warn_of_integer_ids(set(given) - by_id, given, index)
    collected = _on_rows(n, constraints, index)
    ids = IdIndex(index) if by_id and index is not None and not _is_default(index) else None
    beside = Constraints(n)  # apart, so that messages count these entries alone
    for kind, entries in given.items():
        beside._add(kind, entries, ids if kind in by_id else None)
    if y is not None:
        beside._add("labels", _label_rows(y, index), None)
    return collected._take(beside)


def pandas_index(X: Any) -> Any:
    """Return the index of what pandas made, else ``None``; that needs no pandas."""
    is_pandas = type(X).__module__.partition(".")[0] == "pandas"
    return X.index if is_pandas and hasattr(X, "index") else None


def _on_rows(n: int, constraints: Constraints | None, index: Any) -> Constraints:
    """Return a copy of the constraints, on the rows of ``X``."""
    if constraints is None:
        return Constraints(n)
    ids = constraints.ids
    if ids is None:
        return constraints._copy()
    has_ids = index is not None and not _is_default(index)
    if has_ids:
        return constraints._align(IdIndex(index))._copy()
    if len(ids) == n and set(ids) == set(range(n)):  # each id is the position of its row
        return constraints._align(IdIndex(range(n)))._copy()
    first = f" (the first is {ids[0]!r})" if ids else ""
    lacks = "no ids" if index is None else "only the default index, 0 to n - 1"
    raise ValueError(
        f"the constraints name points by id{first}, but X has {lacks}; {_KEEP_THE_INDEX}"
    )


def _warn_of_integer_ids(kinds: set[str], given: Mapping[str, Any], index: Any) -> None:
    """Warn of integers that are taken for positions although they may be meant as ids."""
    kinds = {kind for kind in kinds if np.asarray(given[kind]).size}
    if not kinds or index is None or _is_default(index) or not _holds_integers(index):
        return
    if np.array_equal(np.asarray(index), np.arange(len(index))):
        return
    kind = min(kinds)
    warnings.warn(
        f"{kind} holds integers, which are positions of rows, but the index of X holds integers "
        f"too and is not 0 to n - 1; to name rows by it pass constraints=ilk.Constraints("
        f"ids=X.index, {kind}=...), to keep positions X.to_numpy() or X.reset_index(drop=True)",
        ConstraintWarning,
        stacklevel=5,
    )


def _label_rows(y: Any, index: Any) -> Any:
    """Return labels in the order of the rows; those of a pandas series are aligned by index."""
    theirs = pandas_index(y)
    if theirs is None or index is None or theirs.equals(index):
        return y
    for name, of in (("y", theirs), ("X", index)):
        if not of.is_unique:
            raise ValueError(
                f"y and X have different indexes, and that of {name} is not unique, so labels have "
                "no certain rows; pass y.to_numpy() for labels in the order of the rows"
            )
    unknown = theirs.difference(index, sort=False)
    if len(unknown):
        raise ValueError(
            f"y is aligned with X by index, and X has no row {unknown[0]!r}; pass "
            "y.loc[X.index] for labels of these rows, y.to_numpy() for labels in their order"
        )
    if _is_default(theirs):
        warnings.warn(
            "y has the default index 0 to n - 1, X another one: labels are aligned by index; pass "
            "y.to_numpy() for labels in the order of the rows",
            ConstraintWarning,
            stacklevel=5,
        )
    return y.reindex(index)


def _refuse_what_cross_validation_passes_on(given: Mapping[str, Any]) -> None:
    """Refuse entries that scikit-learn's cross-validation hands on to a fit on some of the rows.

    It hands them on as they are, so they would name other rows. Nothing but the call tells; entries
    that a caller's own code found for the rows of the fit are other objects, and pass.
    """
    if not given:
        return
    frame = sys._getframe()
    while frame is not None:
        if frame.f_code.co_name in _FIT_TO_PART and frame.f_globals.get("__name__") == _VALIDATION:
            passed = (frame.f_locals.get("fit_params") or {}).values()
            kinds = [kind for kind, entries in given.items() if any(entries is p for p in passed)]
            if kinds:
                raise ValueError(
                    f"{', '.join(kinds)} would name other rows: in cross-validation a fit sees some "
                    "of the rows, and scikit-learn passes entries on as they are. Pass "
                    "constraints=ilk.Constraints(len(X), ...), which is cut to the rows of every fit"
                )
        frame = frame.f_back  # type: ignore[assignment]  # the outermost has none


def _holds_integers(index: Any) -> bool:
    return getattr(getattr(index, "dtype", None), "kind", "O") in "iu"


def _is_default(index: Any) -> bool:
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1
