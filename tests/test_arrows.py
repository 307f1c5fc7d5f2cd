"""The order of the packages: each stage imports only stages before it."""

from __future__ import annotations

import ast
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parent.parent

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


@cache
def imports(path: Path) -> tuple[str, ...]:
    """The modules that a module imports: at its top, inside functions, and for types."""
    imported: list[str] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                imported.append(inner if inner in MODULES else node.module)
        elif isinstance(node, ast.Import):
            imported += [alias.name for alias in node.names]
    return tuple(imported)


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
