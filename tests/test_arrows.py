"""The order of the rooms: each stage imports only stages before it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# From the first stage to the last; rooms on one line are of one stage.
STAGES = [
    ["solver.errors", "solver.firstuse", "solver.lock"],
    ["solver.puzzle"],
    ["solver.variants"],
    ["solver.formats"],
    ["solver.compiled"],
    ["solver.registry", "solver.repertoire"],
    ["solver.strategy"],
    ["solver.trace"],
    ["solver.state"],
    ["solver.tables", "solver.kernels", "solver.kernels_mrv", "solver.kernels_conflicts"],
    ["solver.choices", "solver.inference", "solver.orders"],
    ["solver.inference_alldiff", "solver.inference_lines", "solver.inference_subsets"],
    ["solver.kernels_inference", "solver.kernels_general"],
    ["solver.engines"],
    ["solver.stats", "solver.replay"],
    ["solver.backtracking", "solver.tracefile", "solver.tracer"],
    ["solver.worker"],
    ["solver.counting", "solver.symmetry", "solver.workers"],
    ["solver.generate", "solver.study_journal"],
    ["solver.study", "solver.study_summary", "solver.study_tables"],
    ["render.stretches"],
    ["render.theme", "render.timeline"],
    ["render.pacing"],
    ["render.snapshot", "render.settings"],
    ["render.recorders"],
    ["render.tidy", "render.lettering", "render.looks"],
    ["render.outlines", "render.tries", "render.unitmarks"],
    ["render.shapes"],
    ["render.canvas"],
    ["render.strip"],
    ["render.spans"],
    ["render.picturebook"],
    ["render.cells"],
    ["render.ghosts"],
    ["render.atlas"],
    ["render.sprites", "render.blocks", "render.cardchart"],
    ["render.cardpress"],
    ["render.drawing"],
    ["render.strokes"],
    ["render.placing"],
    ["render.layout"],
    ["render.reasons"],
    ["render.striplayout"],
    ["render.panels"],
    ["render.palette"],
    ["render.posterise"],
    ["render.survey", "render.highlights"],
    ["render.slowing"],
    ["render.scene"],
    ["render.rolls"],
    ["render.roll"],
    ["render.rolling"],
    ["render.sinks", "render.flashfields", "render.platforms"],
    ["render.flashpixels"],
    ["render.flashframes"],
    ["render.flashes"],
    ["render.outputs"],
    ["render.fit"],
    ["render.sampling"],
    ["render.recipe", "render.provenance"],
    ["render.about", "render.chapters", "render.report"],
    ["render.fade", "render.directly", "render.passing"],
    ["render.film"],
    ["render.pipeline"],
    ["render.fitting", "render.filmstrip", "render.streaming"],
    ["render.chartaxes", "render.shownfigure"],
    ["render.captions", "render.sidecar", "render.chart", "render.progress", "render.embed"],
    ["render.notebook"],
    ["render.api"],
    ["render.study_figure"],
    ["render.batch"],
    ["render.segmented"],
    ["render.commands"],
    ["render.options_search"],
    ["render.options_batch", "render.options_film"],
    ["render.options"],
    ["render.cli"],
]


def rooms() -> list[Path]:
    return sorted(path for house in ("solver", "render") for path in (ROOT / house).rglob("*.py"))


def imports(path: Path) -> set[str]:
    """What a room imports when it is loaded, type checking and calls left out."""
    found: set[str] = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return found


def stage_of(module: str) -> int | None:
    for number, names in enumerate(STAGES):
        if any(module == name or module.startswith(name + ".") for name in names):
            return number
    return None


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("path", rooms(), ids=module_name)
def test_a_room_imports_no_later_stage(path: Path) -> None:
    """The arrows run one way."""
    own = stage_of(module_name(path))
    for module in imports(path):
        other = stage_of(module)
        if own is not None and other is not None:
            assert other <= own, f"{module_name(path)} imports {module}, a later stage"


@pytest.mark.parametrize("path", rooms(), ids=module_name)
def test_the_solver_never_imports_the_renderer(path: Path) -> None:
    """Not even inside a function."""
    if not module_name(path).startswith("solver"):
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert not (node.module or "").startswith("render")
        elif isinstance(node, ast.Import):
            assert not any(alias.name.startswith("render") for alias in node.names)


@pytest.mark.parametrize("path", rooms(), ids=module_name)
def test_every_room_has_its_stage(path: Path) -> None:
    """A new room is entered in the table above, so that its arrows are checked."""
    name = module_name(path)
    assert name in ("solver", "render") or stage_of(name) is not None
