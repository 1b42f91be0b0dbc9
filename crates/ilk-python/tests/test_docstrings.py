"""The documentation is complete, its examples run, and it says what the code does."""

import ast
import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path
from typing import Literal, get_args, get_origin

import ilk
import pytest
from ilk import _core
from ilk._base import ESTIMATORS

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


CLASSES = sorted(
    (thing for name in ilk.__all__ if inspect.isclass(thing := getattr(ilk, name))),
    key=lambda cls: cls.__name__,
)
ESTIMATOR_CLASSES = [cls for cls in CLASSES if hasattr(cls, "get_params")]
RANGES = {info["name"]: info["parameters"] for info in _core.methods()}


def documented_parameters(cls):
    """The parameters that a class docstring lists, each with the text after its colon."""
    section = inspect.getdoc(cls).split("\nParameters\n----------\n")[1]
    section = re.split(r"\n[A-Z]\w+\n-+\n", section)[0]
    entries = re.findall(r"^(\w+(?:, \w+)*) : (.*)$", section, flags=re.MULTILINE)
    return {name: text for names, text in entries for name in names.split(", ")}


@pytest.mark.parametrize("cls", ESTIMATOR_CLASSES, ids=lambda cls: cls.__name__)
def test_docstrings_list_the_parameters_and_their_defaults(cls):
    signature = inspect.signature(cls).parameters
    documented = documented_parameters(cls)
    assert list(documented) == list(signature)
    for name, text in documented.items():
        default = signature[name].default
        if text.endswith(", optional"):
            assert default is None, name
        else:
            assert ast.literal_eval(text.rpartition("default=")[2]) == default, name


@pytest.mark.parametrize("cls", ESTIMATORS.values(), ids=lambda cls: cls.__name__)
def test_docstrings_list_the_choices_of_the_engine(cls):
    names = getattr(cls, "_engine_names", {})
    ranges = RANGES[cls._method]
    for name, text in documented_parameters(cls).items():
        ours = re.match(r"\{(.*?)\}", text)
        theirs = re.search(r".*one of ([^;]*); default", ranges.get(names.get(name, name), ""))
        if ours and theirs:
            assert set(re.findall(r'"(\w+)"', ours[1])) == set(theirs[1].split(", ")), name


def stub():
    """The classes and functions of ``_core.pyi``."""
    tree = ast.parse(Path(ilk.__file__).with_name("_core.pyi").read_text(encoding="utf-8"))
    return {node.name: node for node in tree.body if hasattr(node, "name")}


def test_the_stub_names_all_of_the_engine_module():
    public = {name for name in vars(_core) if not name.startswith("_")}
    assert set(stub()) == public
    for name, node in stub().items():
        if isinstance(node, ast.ClassDef):
            theirs = {n for n in vars(getattr(_core, name)) if not n.startswith("_")}
            ours = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
            fields = {n.target.id for n in node.body if isinstance(n, ast.AnnAssign)}
            assert {n for n in ours | fields if not n.startswith("_")} == theirs, name


def test_the_stub_has_the_parameters_of_the_functions():
    for name, node in stub().items():
        if isinstance(node, ast.FunctionDef):
            arguments = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
            arguments += [a.arg for a in node.args.kwonlyargs]
            signature = inspect.signature(getattr(_core, name)).parameters
            assert arguments == list(signature), name
            optional = len(node.args.defaults) + sum(d is not None for d in node.args.kw_defaults)
            empty = inspect.Parameter.empty
            assert optional == sum(p.default is not empty for p in signature.values()), name


def literals(annotation):
    """The words that a type allows beside whatever else it does."""
    parts = get_args(annotation)
    if get_origin(annotation) is Literal:
        return set(parts)
    return {word for part in parts for word in literals(part)}


@pytest.mark.parametrize("cls", ESTIMATOR_CLASSES, ids=lambda cls: cls.__name__)
def test_types_allow_the_words_that_the_documentation_lists(cls):
    # Names that are imported for type checkers alone are not there at run time.
    known = {"RandomState": object, "Verbose": object, **vars(importlib.import_module(cls.__module__))}
    hints = {
        name: eval(annotation, known) for name, annotation in cls.__init__.__annotations__.items()
    }
    n_checked = 0
    for name, text in documented_parameters(cls).items():
        listed = re.match(r"\{(.*?)\}", text)
        words = re.findall(r'"([^"]*)"', listed[1] if listed else text.partition(", default")[0])
        assert literals(hints[name]) >= set(words), name
        if listed and words:
            assert literals(hints[name]) == set(words), name
        n_checked += bool(words)
    assert n_checked
