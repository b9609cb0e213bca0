"""The examples in docstrings and in the README run; the stubs name what there is."""

import ast
import doctest
import importlib.metadata
import pathlib

import pytest

import karat
from karat import _karat, bigint, erasure, lab, nmt, vdf

PYTHON = pathlib.Path(karat.__file__).parent


@pytest.mark.parametrize("module", [karat, nmt, erasure, vdf, bigint, lab, _karat])
def test_docstrings(module):
    finder = doctest.DocTestFinder()
    if module is _karat:
        # The finder wants functions to come from a file; these do not.
        texts = [(n, o) for n, o in vars(_karat).items() if getattr(o, "__doc__", None)]
        texts += [(f"{n}.{m}", getattr(o, m)) for n, o in texts if isinstance(o, type)
                  for m in vars(o) if not m.startswith("__") and getattr(o, m).__doc__]
        parse = doctest.DocTestParser().get_doctest
        tests = [parse(o.__doc__, {}, n, None, 0) for n, o in texts]
        tests = [test for test in tests if test.examples]
        assert len(tests) > 10
    else:
        tests = finder.find(module)
    runner = doctest.DocTestRunner()
    for test in tests:
        assert runner.run(test).failed == 0, test.name


def test_readme():
    readme = pathlib.Path(__file__).parents[1] / "README.md"
    result = doctest.testfile(str(readme), module_relative=False)
    assert result.failed == 0 and result.attempted > 10


def test_the_licences_are_in_the_wheel():
    names = {pathlib.PurePath(file).name for file in importlib.metadata.files("karat")}
    assert {"LICENSE-MIT", "LICENSE-APACHE"} <= names


def test_every_function_has_a_docstring_and_a_signature():
    for module in (karat, nmt, erasure, vdf, bigint, lab):
        for name in module.__all__:
            thing = getattr(module, name)
            if callable(thing):
                assert thing.__doc__, name


def test_stubs_name_what_there_is():
    stub = ast.parse((PYTHON / "_karat.pyi").read_text())
    named = {}
    for node in stub.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            named[node.name] = node
        elif isinstance(node, ast.AnnAssign):
            named[node.target.id] = node
    public = {name for name in vars(_karat) if not name.startswith("__")}
    assert {name for name in named if not name.startswith("_")} == public
    assert {"__version__", "__all__"} <= set(named)
    for name, node in named.items():
        if isinstance(node, ast.ClassDef) and name in public - {"VerifyError"}:
            methods = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
            there = {m for m in vars(getattr(_karat, name)) if not m.startswith("_")}
            assert {m for m in methods if not m.startswith("_")} == there, name
