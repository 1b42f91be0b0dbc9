"""The next best questions, and a session that asks them."""

from __future__ import annotations

import asyncio
import datetime
import inspect
import json
import os
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_array

from . import _core
from ._base import jobs
from ._constraints import Constraints
from ._question import (
    Agreement,
    Disagreement,
    Question,
    answer_to_core,
    points_from_core,
    question_to_core,
    value_from_core,
)
from ._random import RandomState, seed_from

#: What a question is about.
Kind = Literal["pair", "triplet", "group", "label"]

#: By what the next question is chosen.
Strategy = Literal["auto", "random", "explore", "npu", "cobras", "a3s"]


#: The kinds of questions.
KINDS = ("pair", "triplet", "group", "label")
#: How questions may be chosen.
STRATEGIES = ("auto", "random", "explore", "npu", "cobras", "a3s")


class Session:
    """Questions about points, one after the other, each chosen by the answers before it.

    Parameters
    ----------
    X : array-like or data frame of shape (n_samples, n_features)
        The points. Bring the columns to a common scale first.
    constraints : Constraints, optional
        What is known before.
    kind : {"pair", "triplet", "group", "label"}, default="pair"
        What is asked.
    strategy : {"auto", "random", "explore", "npu", "cobras", "a3s"}, default="auto"
        How questions are chosen: by the expected change of the clusters; at random; explore and
        consolidate (Basu 2004); NPU (Xiong, Azimi and Fern 2014); super-instances as in COBRAS (2018);
        aggregation and splitting as in A3S (2024). All but the first two ask pairs alone.
    judging : float, default=0.15
        The share of random questions that are kept for judging; nothing is learned from them.
    repeats : float, default=0.05
        The share of questions that are asked again, to see how often answers are wrong.
    ids : sequence, optional
        Names of the points, for files of answers. The index of a pandas frame otherwise.
    answers : path, optional
        A file that every answer is appended to at once. Where it exists, the session goes on.
    random_state : int, RandomState, Generator or None, default=0
        The seed. A file of answers is gone on with by the same seed.
    n_jobs : int or None, default=None
        Threads: -1 is all cores, ``None`` leaves it to ``RAYON_NUM_THREADS`` or the machine.

    See Also
    --------
    ask : the same with a function that answers.

    Examples
    --------
    >>> import ilk
    >>> X, truth = ilk.datasets.make_moons(random_state=0)
    >>> session = ilk.Session(X)
    >>> for question in session.questions(budget=40):
    ...     a, b = question.points
    ...     session.answer(question, "same" if truth[a] == truth[b] else "different")
    >>> ilk.metrics.adjusted_rand_score(truth, session.clustering())
    1.0
    """

    def __init__(
        self,
        X: Any,
        constraints: Constraints | None = None,
        *,
        kind: Kind = "pair",
        strategy: Strategy = "auto",
        judging: float = 0.15,
        repeats: float = 0.05,
        ids: Sequence[Hashable] | None = None,
        answers: str | os.PathLike[str] | None = None,
        random_state: RandomState = 0,
        n_jobs: int | None = None,
    ) -> None:
        for name, value, known in (("kind", kind, KINDS), ("strategy", strategy, STRATEGIES)):
            if value not in known:
                raise ValueError(
                    f"{name} = {value!r} is not understood: it must be one of {', '.join(known)}"
                )
        if ids is None and hasattr(X, "index") and hasattr(X, "iloc"):
            ids = list(X.index)
        self._rows = np.ascontiguousarray(check_array(X, dtype=np.float64, order="C"))
        self._ids = None if ids is None else list(ids)
        if self._ids is not None and len(self._ids) != len(self._rows):
            raise ValueError(f"there are {len(self._ids)} ids, but X has {len(self._rows)} rows")
        self._jobs = jobs(n_jobs)
        options = {
            "kind": kind,
            "strategy": strategy,
            "judging": float(judging),
            "repeats": float(repeats),
            "seed": seed_from(random_state),
        }
        self._core = _core.AskSession(
            self._rows,
            json.dumps(options),
            None if constraints is None else constraints._core,
            None if self._ids is None else [str(name) for name in self._ids],
            self._jobs,
        )
        if answers is not None:
            self._core.keep_in(os.fspath(answers))

    def questions(self, budget: int | None = None) -> Iterator[Question]:
        """Yield the next question until there are as many answers as the budget, or nothing is left to ask.

        A question that is not answered ends it too, since the next one would be the same.

        Parameters
        ----------
        budget : int, optional
            Answers after which it ends, those before counted.

        Yields
        ------
        Question
        """
        while budget is None or self.n_answers < budget:
            before = self.n_answers
            batch = self.batch(1)
            if not batch:
                return
            yield batch[0]
            if self.n_answers == before:
                return

    def batch(self, n: int) -> list[Question]:
        """Return the next ``n`` questions, which can be answered in any order.

        Parameters
        ----------
        n : int
            How many; fewer where there are no more.

        Returns
        -------
        list of Question
        """
        return [self._question(given) for given in json.loads(self._core.questions(n, self._jobs))]

    def _question(self, given: dict[str, Any]) -> Question:
        asked = given["question"]
        points = points_from_core(asked)
        return Question(
            asked["kind"],
            points,
            points if self._ids is None else tuple(self._ids[point] for point in points),
            tuple(self._rows[point] for point in points),
            given["purpose"],
            given["value"],
        )

    def answer(
        self,
        question: Question,
        value: Any,
        confidence: float | None = None,
        *,
        annotator: str | None = None,
        note: str = "",
    ) -> None:
        """Take an answer.

        Parameters
        ----------
        question : Question
            What was asked.
        value : str, int or sequence
            Of a pair ``"same"`` or ``"different"``; of a triplet the position of the odd one, ``0``, ``1``
            or ``2``, or ``"equal"``; of a group the points that belong with the first; of a label its
            name. ``"skip"`` and ``"cannot_tell"`` answer every question.
        confidence : float, optional
            How sure that is, above 0 and at most 1: the weight of the constraint.
        annotator : str, optional
            Who answered.
        note : str, default=""
            A note for the file.
        """
        answered = {
            "question": question_to_core(question),
            "answer": answer_to_core(question, value),
            "confidence": 1.0 if confidence is None else float(confidence),
            "annotator": annotator,
            "purpose": question.purpose,
        }
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        self._core.answer(json.dumps(answered), now, note)

    def undo(self) -> bool:
        """Take the last answer back.

        Returns
        -------
        bool
            Whether there was one.
        """
        return self._core.undo()

    def clustering(self) -> npt.NDArray[np.int64]:
        """Return the clusters that the answers name, of every point.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self._core.clusters()

    def constraints(self) -> Constraints:
        """Return all that was answered as constraints, for any estimator.

        Returns
        -------
        Constraints
        """
        return Constraints._wrap(self._core.constraints())

    def agreement(self) -> Agreement | None:
        """Return how well the clusters agree with the answers that are kept for judging.

        Returns
        -------
        Agreement or None
            ``None`` before the first such answer.
        """
        found = self._core.agreement()
        return None if found is None else Agreement(found[0], found[1], (found[2], found[3]))

    def expected_gain(self, n: int = 10) -> float | None:
        """Return the share of points that the next ``n`` answers are expected to decide, at most.

        Parameters
        ----------
        n : int, default=10
            How many answers.

        Returns
        -------
        float or None
            ``None`` for strategies that do not tell.
        """
        return self._core.expected_gain(n, self._jobs)

    def disagreements(self) -> list[Disagreement]:
        """Return the questions that annotators answered differently.

        Returns
        -------
        list of Disagreement
            In the order in which the questions were first asked.
        """
        found = []
        for asked, answers in json.loads(self._core.disagreements()):
            points = points_from_core(asked)
            ids = points if self._ids is None else tuple(self._ids[point] for point in points)
            values = {annotator: value_from_core(answer) for annotator, answer in answers}
            found.append(Disagreement(asked["kind"], points, ids, values))
        return found

    def error_rates(self) -> dict[str | None, float]:
        """Return the estimated share of wrong answers of every annotator whose answers others can be compared with.

        Returns
        -------
        dict
            From the annotator to the share.
        """
        return {name: rate for name, _, _, rate in self._core.annotator_errors()}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all answers to a file: ``Session(X, answers=path)`` goes on with it.

        Parameters
        ----------
        path : path
            Where to.
        """
        self._core.save(os.fspath(path))

    @property
    def n_answers(self) -> int:
        """Number of answers."""
        return self._core.n_answers

    def __repr__(self) -> str:
        return f"Session(n={len(self._rows)}, answers={self.n_answers})"


def ask(
    X: Any,
    oracle: Callable[..., Any],
    budget: int = 100,
    batch: int = 1,
    kind: Kind = "pair",
    strategy: Strategy = "auto",
    **options: Any,
) -> Session:
    """Ask a function the questions that are worth most.

    Parameters
    ----------
    X : array-like or data frame of shape (n_samples, n_features)
        The points.
    oracle : callable
        Is given a :class:`Question` and returns its answer, as :meth:`Session.answer` takes it, or the
        answer and its confidence as a tuple. With ``batch`` above 1 it is given a list of questions and
        returns as many answers. It may be asynchronous.
    budget : int, default=100
        Answers after which it ends.
    batch : int, default=1
        Questions that are asked at once.
    kind, strategy
        As of :class:`Session`.
    **options
        More arguments of :class:`Session`, such as ``answers`` with a file that keeps every answer.

    Returns
    -------
    Session
        With the answers, the clusters (:meth:`Session.clustering`) and the constraints.

    Examples
    --------
    >>> import ilk
    >>> X, truth = ilk.datasets.make_two_circles(random_state=0)
    >>> def oracle(question):
    ...     a, b = question.points
    ...     return "same" if truth[a] == truth[b] else "different"
    >>> session = ilk.ask(X, oracle, budget=30)
    >>> session.n_answers
    30
    """
    if batch < 1:
        raise ValueError(f"batch = {batch!r} is out of range: a whole number from 1")
    session = Session(X, kind=kind, strategy=strategy, **options)
    while session.n_answers < budget:
        questions = session.batch(min(batch, budget - session.n_answers))
        if not questions:
            break
        replies = _waited(oracle(questions if batch > 1 else questions[0]))
        replies = list(replies) if batch > 1 else [replies]
        if len(replies) != len(questions):
            raise ValueError(
                f"the oracle was asked {len(questions)} questions and gave {len(replies)} answers; "
                "return one for each, 'skip' where there is none"
            )
        for question, reply in zip(questions, replies, strict=True):
            value, confidence = reply if isinstance(reply, tuple) else (reply, None)
            session.answer(question, value, confidence)
    return session


def _waited(reply: Any) -> Any:
    """Return what a function returned, waited for where it is asynchronous."""
    if not inspect.isawaitable(reply):
        return reply
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(_result(reply))
    if inspect.iscoroutine(reply):
        reply.close()
    raise RuntimeError(
        "ilk.ask cannot wait for an asynchronous oracle where a loop is running already; use "
        "ilk.Session there: for question in session.questions(): session.answer(question, await ...)"
    )


async def _result(reply: Any) -> Any:
    return await reply
