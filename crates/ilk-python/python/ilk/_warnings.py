"""Warnings of fits, in categories that can be filtered."""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING

from sklearn.exceptions import ConvergenceWarning

if TYPE_CHECKING:
    from . import _core


class ConstraintWarning(UserWarning):
    """Constraints contradict each other, ask for more clusters, or are broken in large part."""


class LongFitWarning(UserWarning):
    """A fit will take long, as fits on samples of its rows tell before it starts."""


CATEGORIES: dict[str, type[Warning]] = {
    "more_labels_than_clusters": ConstraintWarning,
    "fewer_clusters": ConvergenceWarning,
    "not_converged": ConvergenceWarning,
    "cancelled": ConvergenceWarning,
    "contradictions": ConstraintWarning,
    "many_broken": ConstraintWarning,
}


def warn_of(result: _core.FitResult) -> None:
    """Warn of what the user of a fit should know, at the line that called ``fit``."""
    for name, message in result.warnings:
        warnings.warn(message, CATEGORIES[name], stacklevel=4)


def warn_of_long_fit(message: str | None) -> None:
    """Warn that a fit will take long, at the line outside of the package that called it."""
    if message is None:
        return
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, LongFitWarning, stacklevel=level)
