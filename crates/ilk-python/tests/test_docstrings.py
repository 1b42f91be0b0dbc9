"""Every example in the documentation runs."""

import doctest
import importlib
import pkgutil

import ilk
import pytest

MODULES = [
    "ilk",
    *(f"ilk.{m.name}" for m in pkgutil.iter_modules(ilk.__path__) if m.name != "_core"),
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    assert doctest.testmod(importlib.import_module(name), optionflags=flags).failed == 0


@pytest.mark.parametrize("name", sorted(set(ilk.__all__) - {"__version__"}))
def test_everything_public_is_documented(name):
    thing = getattr(ilk, name)
    assert thing.__doc__
    public = getattr(thing, "__all__", None) or [n for n in vars(thing) if not n.startswith("_")]
    for member in public:
        if callable(getattr(thing, member, None)):
            assert getattr(thing, member).__doc__, f"{name}.{member}"
