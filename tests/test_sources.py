"""The sources of the program, read once: the order of the packages, the libraries that are
declared, and the texts, each of which is said and given its values."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

from tests.support.system import ROOT
from undoku.solver.search.part_registry import REPERTOIRE
from undoku.texts.language import places_in
from undoku.texts.wording import ABOUT, NOUNS, english, part_key

LAYERS = (
    ("undoku", "undoku.h264"),
    ("undoku.solver.problem",),
    ("undoku.solver.search",),
    ("undoku.texts", "undoku.solver.trace"),
    ("undoku.solver.study", "undoku.render.timeline", "undoku.render.draw"),
    (
        "undoku.render.sound",
        "undoku.render.playback",
        "undoku.render.layout",
        "undoku.render.settings",
    ),
    ("undoku.render.write", "undoku.render.panels", "undoku.render.story"),
    ("undoku.render.film",),
    ("undoku.player", "undoku.render.figures"),
    ("undoku.render.delivery",),
    ("undoku.render.batch",),
    ("undoku.cli",),
)
"""The packages, from the first layer to the last. A module imports modules of its own package and
of earlier layers. Modules beside the packages belong to the first layer."""

HALVES = ("undoku.solver", "undoku.render")
"""Packages without modules of their own."""

DOORS = ("undoku", "undoku.api", "undoku.__main__")
"""The modules that lead to all others."""


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted((ROOT / "undoku").rglob("*.py"))}


def package_of(module: str) -> str:
    return module if MODULES[module].name == "__init__.py" else module.rpartition(".")[0]


class Source(NamedTuple):
    """What a module imports (module and name, at its top, inside functions and for types), what it
    reads as attributes in capitals, its string constants, and its calls of `say`."""

    imports: list[tuple[str, str]]
    attributes: set[str]
    constants: set[str]
    said: list[tuple[str, ast.Call]]


@cache
def source(path: Path) -> Source:
    found = Source([], set(), set(), [])
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.ImportFrom(module=str(module)):
                found.imports.extend((module, alias.name) for alias in node.names)
            case ast.Import():
                found.imports.extend((alias.name, "") for alias in node.names)
            case ast.Attribute(attr=name) if name.isupper():
                found.attributes.add(name)
            case ast.Constant(value=str(text)):
                found.constants.add(text)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="say"), attr=name)):
                if name.isupper():
                    found.said.append((name, node))
    return found


def imports(path: Path) -> list[str]:
    """The modules of undoku and of others that a module imports."""
    return [
        inner if (inner := f"{module}.{name}") in MODULES else module
        for module, name in source(path).imports
    ]


def test_each_module_imports_only_its_package_and_earlier_layers() -> None:
    """The arrows run one way, for imports inside functions and for types too."""
    layers = {package: number for number, layer in enumerate(LAYERS) for package in layer}
    assert len(LAYERS) <= 12 and len(layers) + len(HALVES) <= 25
    assert {package_of(module) for module in MODULES} == {*layers, *HALVES}
    wrong = []
    for name, path in MODULES.items():
        if name in DOORS or name in HALVES:
            continue
        own = package_of(name)
        for module in imports(path):
            if module in MODULES and module not in DOORS:
                other = package_of(module)
                if other != own and layers[other] >= layers[own]:
                    wrong.append(f"{name} imports {module}")
    assert wrong == []


def test_the_encoder_imports_nothing_of_the_rest() -> None:
    """It could be a project of its own."""
    own = {name: path for name, path in MODULES.items() if name.startswith("undoku.h264.")}
    assert len(own) > 20
    others = [module for path in own.values() for module in imports(path) if module in MODULES]
    assert [module for module in others if module not in own] == []


def test_modules_form_no_circle() -> None:
    """Neither between packages nor within one."""
    arrows = {
        name: {module for module in imports(path) if module in MODULES and module != name}
        for name, path in MODULES.items()
        if name not in DOORS
    }
    TopologicalSorter(arrows).prepare()  # raises CycleError


def test_every_library_that_is_imported_is_declared_and_the_other_way_round() -> None:
    """Modules of Python itself aside."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed, *optional = (
        {package.partition(">")[0].replace("-", "_") for package in group}
        for group in (project["dependencies"], *project["optional-dependencies"].values())
    )
    named = {"PIL": "pillow", "fontTools": "fonttools"}
    imported = {
        module.partition(".")[0] for path in MODULES.values() for module, _ in source(path).imports
    }
    used = {named.get(name, name) for name in imported - {"undoku"} - sys.stdlib_module_names}
    assert needed <= used <= needed.union(*optional)


def key_of(name: str) -> str:
    """The key of the text that is read as an attribute with this name."""
    return name.lower().replace("_", "-")


def test_every_text_is_said_somewhere() -> None:
    """Those of the page are said by its script, and those of parts by their names."""
    sources = [source(path) for path in MODULES.values()]
    said = {key_of(name) for one in sources for name in one.attributes}
    said = said.union(*(one.constants for one in sources))
    scripts = (path.read_text("utf-8") for path in (ROOT / "undoku").rglob("*.js"))
    said |= {name for script in scripts for name in re.findall(r'say\("([\w-]+)"', script)}
    said |= {f"{part_key(part)}{end}" for part in REPERTOIRE for end in ("", "-does")}
    keys = {key.partition(ABOUT)[0] for key in english()}
    assert {
        key for key in keys if not key.startswith(("player-", "unit-", "found-", "noun-"))
    } <= said


def test_every_text_that_is_said_exists_and_is_given_its_values() -> None:
    calls = [call for path in MODULES.values() for call in source(path).said]
    assert len(calls) > 100
    for name, call in calls:
        forms = english()[key_of(name)]
        places = {*places_in(forms["other"]), *["count"] * ("one" in forms)} - {*NOUNS}
        assert {value.arg for value in call.keywords} == places, ast.unparse(call)
