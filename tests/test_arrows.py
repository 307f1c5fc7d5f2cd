"""The order of the packages: each stage imports only stages before it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent

# Packages and the modules beside them, from the first stage to the last. A name stands for itself
# and all that lies below it. Within a package the modules are held to be free of circles.
STAGES = (
    "solver.visible_text",
    "solver.errors",
    "solver.blank_input",
    "solver.extensions",
    "solver.compile_notice",
    "solver.cores",
    "solver.file_lock",
    "solver.fresh_interpreter",
    "solver.ops",
    "solver.stop_signals",
    "solver.puzzle",
    "solver.variants",
    "solver.formats",
    "solver.machine_code",
    "solver.jit",
    "solver.geometry_arrays",
    "solver.strategies",
    "solver.reasons",
    "solver.trace",
    "solver.state",
    "solver.stats",
    "solver.memory_trace",
    "solver.replay_loops",
    "solver.replay",
    "solver.kernels",
    "solver.inference",
    "solver.engine",
    "solver.general_engine",
    "solver.engines",
    "solver.backtracking",
    "solver.tracefile",
    "solver.tracer",
    "solver.workers",
    "solver.symmetry",
    "solver.generate",
    "solver.study",
    "solver",
    "render.temporary_files",
    "render.toml",
    "render.texts",
    "render.timing",
    "render.sound",
    "render.playback",
    "render.options",
    "render.settings",
    "render.style",
    "render.drawing",
    "render.typesetting",
    "render.layout",
    "render.panels",
    "render.scene",
    "render.flashing",
    "render.stall_watch",
    "render.ffmpeg_binary",
    "render.sound_reader",
    "render.metadata",
    "render.sinks",
    "render.story",
    "render.measured_searches",
    "render.search_labels",
    "render.picture",
    "render.film_timeline",
    "render.film_colours",
    "render.film_layouts",
    "render.film",
    "render.film_sound",
    "render.film_reader",
    "render.player",
    "render.delivery",
    "render.figures",
    "render.api",
    "render.batch",
    "render.preview",
    "render.cli",
    "render",
    "undoku",
)


DOORS = ("solver", "render", "undoku")
"""The packages whose names lead to all of their modules."""


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {
    module_name(path): path
    for package in ("solver", "render", "undoku")
    for path in sorted((ROOT / package).rglob("*.py"))
}


class Parsed(NamedTuple):
    """The modules and names that a module imports, at its top, inside functions, and for types;
    and its classes with their lines, also those within functions."""

    imports: tuple[str, ...]
    classes: tuple[tuple[str, int], ...]


@cache
def parsed(path: Path) -> Parsed:
    imported: list[str] = []
    classes = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                imported.append(inner if inner in MODULES else node.module)
        elif isinstance(node, ast.Import):
            imported += [alias.name for alias in node.names]
        elif isinstance(node, ast.ClassDef):
            classes.append((node.name, node.lineno))
    return Parsed(tuple(imported), tuple(classes))


def imports(path: Path) -> tuple[str, ...]:
    """The modules that a module imports: at its top, inside functions, and for types."""
    return parsed(path).imports


def stage_of(module: str) -> str | None:
    if module in DOORS or module.startswith("undoku."):
        return module.split(".", maxsplit=1)[0]
    parts = module.split(".")
    for length in range(len(parts), 1, -1):
        if (name := ".".join(parts[:length])) in STAGES:
            return name
    return None


def test_no_module_imports_a_later_stage() -> None:
    """The arrows run one way, for imports inside functions and for types too."""
    assert [name for name in MODULES if stage_of(name) is None] == [], "have no stage in the table"
    later = []
    for name, path in MODULES.items():
        if name in DOORS:
            continue  # the doors to all of it
        own = STAGES.index(str(stage_of(name)))
        for module in imports(path):
            other = stage_of(module)
            if other is not None and STAGES.index(other) > own:
                later.append(f"{name} imports {module}")
    assert later == []


def test_the_solver_never_imports_the_renderer() -> None:
    """Not even inside a function."""
    solver = [path for name, path in MODULES.items() if name.startswith("solver")]
    assert len(solver) > 100
    found = [module for path in solver for module in imports(path)]
    assert [module for module in found if module.split(".")[0] == "render"] == []


def test_modules_form_no_circle() -> None:
    """Neither between packages nor within one."""
    arrows = {
        name: {module for module in imports(path) if module in MODULES and module != name}
        for name, path in MODULES.items()
        if name not in DOORS
    }
    done: set[str] = set()

    def visit(name: str, way: list[str]) -> None:
        assert name not in way, " → ".join([*way[way.index(name) :], name])
        if name in done:
            return
        for module in sorted(arrows.get(name, ())):
            visit(module, [*way, name])
        done.add(name)

    for name in arrows:
        visit(name, [])


PACKAGES = sorted({name.rpartition(".")[0] for name in MODULES if "." in name})


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_within_a_package_form_no_circle(package: str) -> None:
    """Each package is taken with all of its modules: no two import from each other, not even by
    different modules, and no three form a circle."""

    def part_of(module: str) -> str | None:
        """The part of the package that a module is or is in."""
        rest = module.removeprefix(f"{package}.")
        return rest.split(".")[0] if rest != module else None

    arrows: dict[str, set[str]] = {}
    for name, path in MODULES.items():
        if (own := part_of(name)) is not None:
            others = {part_of(module) for module in imports(path) if module in MODULES}
            arrows.setdefault(own, set()).update(one for one in others if one not in (None, own))

    done: set[str] = set()

    def visit(part: str, way: list[str]) -> None:
        assert part not in way, " → ".join([*way[way.index(part) :], part])
        if part in done:
            return
        for other in sorted(arrows[part]):
            visit(other, [*way, part])
        done.add(part)

    for part in arrows:
        visit(part, [])


TESTS = {module_name(path): path for path in sorted((ROOT / "tests").rglob("*.py"))}


def test_no_test_module_is_imported_by_another() -> None:
    """What tests share is in tests.support and in fixtures."""
    found = [
        f"{name} imports {module}"
        for name, path in TESTS.items()
        for module in imports(path)
        if module.startswith("tests.") and module.rpartition(".")[2].startswith("test_")
    ]
    assert found == []


def repeated(places: Iterator[tuple[str, str]]) -> dict[str, list[str]]:
    """The names that occur in several places, with these places."""
    found: dict[str, list[str]] = {}
    for name, place in places:
        found.setdefault(name, []).append(place)
    return {name: where for name, where in found.items() if len(where) > 1}


def test_no_two_classes_have_the_same_name() -> None:
    """One name, one meaning: also where the classes are private or within functions."""
    classes = (
        (name, f"{module}:{line}")
        for module, path in MODULES.items()
        for name, line in parsed(path).classes
    )
    assert repeated(classes) == {}


SAME_MEANING = {
    "contract": "what a package asks of each of its formats, panels or sinks",
    "registry": "where a package keeps its built-in parts and those of other packages",
    "solutions": "the panel of found solutions, and the recorder that keeps them for it",
}
"""File names that stand in several packages because they mean the same in each."""


def test_no_two_files_have_the_same_name() -> None:
    """Commands aside, whose modules have the names of the commands."""
    files = (
        (module.rpartition(".")[2], module)
        for module, path in MODULES.items()
        if path.name != "__init__.py" and not module.startswith("render.cli.commands.")
    )
    assert sorted(repeated(files)) == sorted(SAME_MEANING)
