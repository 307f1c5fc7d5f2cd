"""The program uses only documented interfaces of declared libraries, and the tests only those of
the program: ruff reports private names (SLF, PLC2701), but not those that are given as texts."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator

from tests.support.paths import ROOT


def nodes_of(package: str) -> Iterator[ast.AST]:
    """All nodes of all modules of a package."""
    for path in sorted((ROOT / package).rglob("*.py")):
        yield from ast.walk(ast.parse(path.read_text("utf-8")))


def test_no_test_replaces_a_private_name() -> None:
    """As monkeypatch does."""
    patched = [
        text.value
        for node in nodes_of("tests")
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("setattr", "delattr", "patch")
        for text in node.args
        if isinstance(text, ast.Constant) and isinstance(text.value, str)
    ]
    parts = [part for name in patched for part in name.split(".")]
    assert [part for part in parts if part.startswith("_") and not part.endswith("__")] == []


def test_every_library_that_is_imported_is_declared_and_the_other_way_round() -> None:
    """Modules of Python itself aside."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed, *optional = (
        {package.partition(">")[0].replace("-", "_") for package in group}
        for group in (project["dependencies"], *project["optional-dependencies"].values())
    )
    imported = {"undoku"}
    for node in nodes_of("undoku"):
        if isinstance(node, ast.Import):
            imported |= {one.name.partition(".")[0] for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(str(node.module).partition(".")[0])
    named = {"PIL": "pillow", "fontTools": "fonttools"}
    used = {named.get(name, name) for name in imported - {"undoku"} - sys.stdlib_module_names}
    assert needed <= used <= needed.union(*optional)
