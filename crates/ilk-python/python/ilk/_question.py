"""Questions, what is known of their answers, and both as the engine writes them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

#: Answers of a triplet, by the position of the odd one.
ODD = (0, 1, 2)


@dataclass(frozen=True)
class Question:
    """A question about points.

    Attributes
    ----------
    kind : {"pair", "triplet", "group", "label"}
        Do two points belong together; which of three is the odd one; which of the others belong with
        the first; what is this point.
    points : tuple of int
        The rows of ``X`` that it is about; of a group the others are compared with the first.
    ids : tuple
        Their ids, where the session was given ids, and the same as ``points`` elsewhere.
    rows : tuple of ndarray
        The rows themselves.
    purpose : {"learn", "judge", "repeat", "confirm"}
        Whether it is asked to learn from, only to judge clusters by, again to see how often answers are
        wrong, or again because much hangs on its answer.
    value : float or None
        How many points the answer is expected to decide; ``None`` where nothing is learned from it.
    """

    kind: str
    points: tuple[int, ...]
    ids: tuple[Hashable, ...]
    rows: tuple[npt.NDArray[np.float64], ...]
    purpose: str
    value: float | None


@dataclass(frozen=True)
class Agreement:
    """How well clusters agree with the answers that are kept for judging.

    Attributes
    ----------
    agreeing, total : int
        Answers with which they agree, and answers that they can be compared with.
    interval : tuple of two floats
        The interval of the share, of 95% (Wilson's).
    """

    agreeing: int
    total: int
    interval: tuple[float, float]


@dataclass(frozen=True)
class Disagreement:
    """A question that annotators answered differently.

    Attributes
    ----------
    kind : {"pair", "triplet", "group", "label"}
        What was asked.
    points : tuple of int
        The rows of ``X`` that it is about.
    ids : tuple
        Their ids, where the session was given ids, and the same as ``points`` elsewhere.
    answers : dict
        From the annotator, ``None`` where none was named, to the last answer, as `Session.answer` takes it.
    """

    kind: str
    points: tuple[int, ...]
    ids: tuple[Hashable, ...]
    answers: dict[str | None, Any]


def question_to_core(question: Question) -> dict[str, Any]:
    """Return a question as the engine writes it."""
    points = list(question.points)
    if question.kind == "group":
        return {"kind": "group", "anchor": points[0], "points": points[1:]}
    if question.kind == "label":
        return {"kind": "label", "point": points[0]}
    return {"kind": question.kind, "points": points}


def points_from_core(asked: dict[str, Any]) -> tuple[int, ...]:
    """Return the points of a question as the engine writes it."""
    if asked["kind"] == "group":
        return (asked["anchor"], *asked["points"])
    if asked["kind"] == "label":
        return (asked["point"],)
    return tuple(asked["points"])


def value_from_core(answer: Any) -> Any:
    """Return an answer of the engine as a session takes it."""
    return answer if isinstance(answer, str) else next(iter(answer.values()))


def answer_to_core(question: Question, value: Any) -> Any:
    """Return an answer as the engine writes it."""
    if isinstance(value, str) and value in ("skip", "cannot_tell"):
        return value
    if question.kind == "pair" and value in ("same", "different"):
        return value
    if question.kind == "triplet":
        if isinstance(value, str) and value == "equal":
            return value
        if not isinstance(value, (str, bool)) and value in ODD:
            return {"odd": int(value)}
    if question.kind == "label" and isinstance(value, str) and value:
        return {"label": value}
    if question.kind == "group" and not isinstance(value, str):
        return {"together": [int(point) for point in value]}
    expected = {
        "pair": "'same' or 'different'",
        "triplet": "0, 1 or 2, the position of the odd one, or 'equal'",
        "group": "a list of the points that belong with the first",
        "label": "the name of a label",
    }[question.kind]
    raise ValueError(
        f"{value!r} is no answer to a {question.kind}: give {expected}, 'skip' or 'cannot_tell'"
    )
