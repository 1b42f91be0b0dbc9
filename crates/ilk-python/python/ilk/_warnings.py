"""Warnings of fits, in categories that can be filtered."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from sklearn.exceptions import ConvergenceWarning

if TYPE_CHECKING:
    from . import _core


class ConstraintWarning(UserWarning):
    """Constraints contradict each other, ask for more clusters, or are broken in large part."""


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
