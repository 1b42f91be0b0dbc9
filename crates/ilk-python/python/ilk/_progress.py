"""How far a fit is: for a function of the caller, or as a line on the screen."""

from __future__ import annotations

import contextlib
import numbers
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple, TextIO

#: What estimators take as ``verbose``.
Verbose = int | Callable[["Progress"], object]
#: What the engine calls with the fields of a :class:`Progress`.
Callback = Callable[[str, int, int, int, float], object] | None


class Progress(NamedTuple):
    """How far a fit is.

    Attributes
    ----------
    stage : str
        What is done now, such as ``"mean shift"``.
    iteration : int
        Steps of this stage so far.
    finished, total : int
        How many parts of the stage, usually points, are done, and how many there are.
    seconds : float
        Since the fit began.
    """

    stage: str
    iteration: int
    finished: int
    total: int
    seconds: float


@contextlib.contextmanager
def progress_of(verbose: Verbose, name: str) -> Iterator[Callback]:
    """Give the engine's callback for a fit of the estimator of this name; none where it is silent."""
    if callable(verbose):
        tell = verbose
        yield lambda *event: tell(Progress(*event))
    elif not isinstance(verbose, numbers.Integral):
        raise ValueError(f"verbose = {verbose!r} is not understood: give 0, 1 or a function")
    elif verbose > 0:
        bar = Bar(name, sys.stderr)
        try:
            yield lambda *event: bar.show(Progress(*event))
        finally:
            bar.close()
    else:
        yield None


class Bar:
    """A line that is written over again, as terminals and notebooks show it."""

    WIDTH = 20
    #: Seconds between two lines.
    PAUSE = 0.1

    def __init__(self, name: str, stream: TextIO) -> None:
        self.name = name
        self.stream = stream
        self._stage: str | None = None
        self._stage_began = 0.0
        self._shown_at = -self.PAUSE
        self._shown_width = 0

    def show(self, progress: Progress) -> None:
        """Write the line, unless the last one is very new."""
        if progress.stage != self._stage:
            self._stage, self._stage_began = progress.stage, progress.seconds
        elif progress.seconds - self._shown_at < self.PAUSE:
            return
        self._shown_at = progress.seconds
        line = self._line(progress)
        self.stream.write(f"\r{line:<{self._shown_width}}")
        self.stream.flush()
        self._shown_width = len(line)

    def _line(self, progress: Progress) -> str:
        share = min(progress.finished / progress.total, 1.0) if progress.total else 0.0
        full = round(self.WIDTH * share)
        line = (
            f"{self.name}, {progress.stage}: {share:4.0%} |{'#' * full:-<{self.WIDTH}}| "
            f"{progress.seconds:.1f} s"
        )
        took = progress.seconds - self._stage_began
        if 0.0 < share < 1.0 and took > 0.0:
            line += f", stage ends in about {took * (1.0 - share) / share:.0f} s"
        return line

    def close(self) -> None:
        """End the line, if one was written."""
        if self._shown_width:
            self.stream.write("\n")
            self.stream.flush()
