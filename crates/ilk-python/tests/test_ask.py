"""Questions from Python: any callable answers, nothing is lost, and answers become constraints."""

import ilk
import numpy as np
import pytest

X, TRUTH = ilk.datasets.make_moons(100, random_state=0)


def oracle(question):
    a, b = question.points
    return "same" if TRUTH[a] == TRUTH[b] else "different"


def test_a_function_a_batch_and_a_coroutine_answer_alike():
    async def later(question):
        return oracle(question)

    one = ilk.ask(X, oracle, budget=25)
    slow = ilk.ask(X, later, budget=25)
    assert one.n_answers == slow.n_answers == 25
    assert one.constraints().describe() == slow.constraints().describe()
    many = ilk.ask(X, lambda questions: [(oracle(q), 0.5) for q in questions], budget=25, batch=5)
    assert many.n_answers == 25
    assert set(many.constraints().weights("must_link")) == {0.5}


@pytest.mark.parametrize("strategy", ["auto", "random", "explore", "npu", "cobras", "a3s"])
def test_every_strategy_asks_pairs(strategy):
    session = ilk.ask(X, oracle, budget=20, strategy=strategy)
    assert session.n_answers == 20
    assert session.clustering().shape == (len(X),)


def test_other_kinds_have_their_answers():
    def odd(question):
        classes = [TRUTH[point] for point in question.points]
        lonely = [at for at in range(3) if classes.count(classes[at]) == 1]
        return lonely[0] if lonely else "equal"

    def members(question):
        first, *others = question.points
        return [point for point in others if TRUTH[point] == TRUTH[first]]

    def name(question):
        return str(TRUTH[question.points[0]])

    for kind, answer in [("triplet", odd), ("group", members), ("label", name)]:
        session = ilk.ask(X, answer, budget=30, kind=kind)
        assert ilk.metrics.adjusted_rand_score(TRUTH, session.clustering()) > 0.8, kind


def test_undo_gives_the_same_question_again():
    session = ilk.Session(X)
    first = session.batch(1)[0]
    session.answer(first, "same")
    assert session.undo()
    assert session.batch(1)[0].points == first.points
    assert not session.undo()


def test_a_session_goes_on_from_its_file(tmp_path):
    path = tmp_path / "answers.csv"
    whole = ilk.ask(X, oracle, budget=30, answers=path)
    assert len(path.read_text().splitlines()) == 31
    copy = tmp_path / "copy.csv"
    whole.save(copy)
    assert copy.read_text() == path.read_text()
    copy.write_text("".join(path.read_text().splitlines(keepends=True)[:16]))
    again = ilk.ask(X, oracle, budget=30, answers=copy)
    np.testing.assert_array_equal(again.clustering(), whole.clustering())
    assert again.constraints().describe() == whole.constraints().describe()


def test_disagreements_tell_who_answered_what():
    X, _ = ilk.datasets.make_moons(random_state=0)
    session = ilk.Session(X, kind="triplet", ids=[f"row {i}" for i in range(len(X))])
    first, second = session.batch(2)
    session.answer(first, 2, annotator="ann")
    session.answer(second, "equal", annotator="ann")
    session.answer(first, "cannot_tell", annotator="cyd")
    assert session.disagreements() == []
    session.answer(first, "equal", annotator="bob")
    (found,) = session.disagreements()
    assert (found.kind, found.points, found.ids) == ("triplet", first.points, first.ids)
    assert found.answers == {"ann": 2, "bob": "equal"}


def test_wrong_answers_are_refused_with_what_to_do():
    session = ilk.Session(X)
    question = session.batch(1)[0]
    with pytest.raises(ValueError, match="give 'same' or 'different', 'skip' or 'cannot_tell'"):
        session.answer(question, "perhaps")
    with pytest.raises(ValueError, match="confidence = 2 is out of range"):
        session.answer(question, "same", 2.0)
    with pytest.raises(ValueError, match="one of auto, random, explore, npu, cobras, a3s"):
        ilk.Session(X, strategy="best")
    with pytest.raises(ValueError, match="asked 4 questions and gave 1 answers"):
        ilk.ask(X, lambda questions: ["same"], batch=4)
    assert session.n_answers == 0
