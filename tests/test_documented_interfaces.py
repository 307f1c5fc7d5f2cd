"""The program stands on documented interfaces of libraries."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from tests.support.paths import ROOT

OWN = ("undoku", "tests", "benchmarks", "packaging")
DOCUMENTED = {"_thread", "_exit", "_asdict", "_fields", "_make", "_replace"}
"""Names of Python's own library that look private and are not, those of named tuples included."""


def private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__") and name not in DOCUMENTED


def foreign_names(nodes: Sequence[ast.AST], own: Sequence[str] = OWN) -> dict[str, str]:
    """The names by which a module knows other projects' modules and what it imports from them: all
    but those of the packages `own`."""
    found: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {(one.asname or one.name.partition(".")[0]): one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {one.asname or one.name: f"{node.module}.{one.name}" for one in node.names}
    return {name: of for name, of in found.items() if of.partition(".")[0] not in own}


def root_of(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def private_parts(nodes: Sequence[ast.AST], foreign: Mapping[str, str]) -> Iterator[str]:
    """The private parts of other projects that a module names: of their modules and classes, and of
    classes of its own that are derived from theirs. `foreign` are its `foreign_names`."""
    yield from (of for of in foreign.values() if any(map(private, of.split("."))))
    written = {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    } | {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    for node in nodes:
        if isinstance(node, ast.Attribute) and private(node.attr) and root_of(node) in foreign:
            yield ast.unparse(node)
        if isinstance(node, ast.ClassDef) and any(root_of(base) in foreign for base in node.bases):
            for part in ast.walk(node):
                if (
                    isinstance(part, ast.Attribute)
                    and private(part.attr)
                    and root_of(part) == "self"
                    and part.attr not in written
                ):
                    yield f"{node.name}.{part.attr}"


class Foreign(NamedTuple):
    """What a module has of other projects: what its names stand for, and their private parts."""

    names: tuple[str, ...]
    private: tuple[str, ...]


def foreign_of(source: str) -> Foreign:
    nodes = list(ast.walk(ast.parse(source)))
    names = foreign_names(nodes)
    return Foreign(tuple(names.values()), tuple(private_parts(nodes, names)))


@cache
def modules() -> dict[str, Foreign]:
    """By the name of its file. Each is parsed once, and its tree is not kept."""
    return {
        path.relative_to(ROOT).as_posix(): foreign_of(path.read_text("utf-8"))
        for package in ("undoku", "tests")
        for path in sorted((ROOT / package).rglob("*.py"))
    }


def test_nothing_uses_private_parts_of_libraries() -> None:
    found = {(place, part) for place, has in modules().items() for part in has.private}
    assert found == set()


def patched_names(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """The names that are given as texts to `setattr` and `delattr`, of monkeypatch above all."""
    for node in nodes:
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("setattr", "delattr", "patch")
        ):
            for text in node.args:
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    yield from text.value.split(".")


def test_tests_use_no_private_names_of_the_program() -> None:
    found = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        names = foreign_names(nodes, ("tests", "benchmarks", "packaging"))
        found += [(path.name, part) for part in private_parts(nodes, names)]
        found += [(path.name, name) for name in patched_names(nodes) if private(name)]
    assert found == []


def test_private_parts_would_be_found() -> None:
    reported = (
        "import argparse\nfrom matplotlib import _pylab\nargparse._sys\n"
        "class A(argparse.Action):\n    def f(self):\n        self._mine = self._theirs\n"
    )
    assert set(foreign_of(reported).private) == {"matplotlib._pylab", "argparse._sys", "A._theirs"}


def test_every_library_that_is_imported_is_declared_and_the_other_way_round() -> None:
    """Modules of Python itself aside."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = {
        package.partition(">")[0].replace("-", "_")
        for group in (project["dependencies"], *project["optional-dependencies"].values())
        for package in group
    }
    named = {"PIL": "pillow", "fontTools": "fonttools"}
    used = {
        named.get(name, name)
        for place, has in modules().items()
        if not place.startswith("tests/")
        for name in (of.partition(".")[0] for of in has.names)
        if name not in sys.stdlib_module_names
    }
    assert used <= wanted
    assert {package.partition(">")[0].replace("-", "_") for package in project["dependencies"]} <= (
        used
    )
