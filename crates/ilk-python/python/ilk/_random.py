"""Seeds: scikit-learn's ``random_state`` becomes the engine's 64-bit seed."""

from __future__ import annotations

import numbers

import numpy as np

RandomState = int | np.random.RandomState | np.random.Generator | None


def seed_from(random_state: RandomState) -> int:
    """Return the engine's seed for a ``random_state``.

    An integer is the seed itself, so that the same number gives the same result in Python, in
    Rust and on the command line. A generator is asked for its next number. ``None`` asks numpy's
    global generator, as scikit-learn does: fresh every time unless ``np.random.seed`` was called.

    Examples
    --------
    >>> seed_from(7)
    7
    >>> seed_from(np.random.default_rng(0)) == seed_from(np.random.default_rng(0))
    True
    """
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    if random_state is None:
        random_state = np.random.mtrand._rand
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**63 - 1, dtype=np.int64))
    if isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool):
        seed = int(random_state)
        if 0 <= seed < 2**64:
            return seed
        raise ValueError(f"random_state = {seed} is out of range: 0 to 2**64 - 1")
    raise ValueError(
        f"random_state = {random_state!r} is not understood: give None, a whole number, or a "
        "numpy RandomState or Generator"
    )
