"""Fixtures that several files of tests share."""

import os

# scikit-learn checks array API input only where scipy was configured for it before its import.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

import numpy as np
import pytest


@pytest.fixture
def blobs():
    """Three well separated groups of 60 points, in the order of the groups."""
    rng = np.random.default_rng(7)
    centers = np.array([[0.0, 0.0], [8.0, 0.0], [0.0, 9.0]])
    X = np.concatenate([center + 0.6 * rng.standard_normal((60, 2)) for center in centers])
    return X, np.repeat(np.arange(3), 60)
