"""Films, pictures, pages and reports of queens, maps, graphs and problems from files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.support.command import Undoku
from undoku.render.write.film_reader import read_frames

ROOT = Path(__file__).parents[2]
GRAPH = "p edge 5 6\ne 1 2\ne 2 3\ne 3 4\ne 4 5\ne 5 1\ne 1 3\n"
PROBLEMS = {
    "queens": "queens:6",
    "map": "map:australia",
    "graph": "graph:house.col:3",
    "table": str(ROOT / "examples" / "problems" / "zebra.toml"),
    "differences": str(ROOT / "examples" / "problems" / "masts.json"),
}
PANELS = "board,counters,depth,tree,why,solutions,heat"
SUFFIXES = ("mp4", "gif", "webp", "apng", "png", "svg", "pdf", "html")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "house.col").write_text(GRAPH, "utf-8")
    return tmp_path


@pytest.mark.parametrize("problem", PROBLEMS)
def test_every_panel_and_format_shows_every_kind_of_problem(
    undoku: Undoku, folder: Path, problem: str
) -> None:
    """The last frame of the film shows what the search did: it differs from the first."""
    outputs = [word for suffix in SUFFIXES for word in ("-o", f"a.{suffix}")]
    undoku(
        "render", PROBLEMS[problem], *("-s", "row-major", "-s", "mrv", "--max-nodes", "30"),
        *("--panels", PANELS, "--size", "640x480", "--fps", "5", "--duration", "1s"), *outputs,
        cwd=folder, code=0,
    )  # fmt: skip
    for suffix in SUFFIXES:
        assert (folder / f"a.{suffix}").stat().st_size > 1000, suffix
    frames = [picture.pixels for picture in read_frames(folder / "a.gif")]
    assert (frames[0] != frames[-1]).any(axis=2).mean() > 0.005
    assert len(np.unique(frames[-1].reshape(-1, 3), axis=0)) > 10


@pytest.mark.parametrize("problem", PROBLEMS)
def test_every_report_counts_every_kind_of_problem(
    undoku: Undoku, folder: Path, problem: str
) -> None:
    """`solve`, `stats`, `study` and `trace` agree on the nodes of a search."""
    named = PROBLEMS[problem]
    solved = json.loads(undoku("solve", named, "-s", "mrv", "--json", cwd=folder, code=0).stdout)
    undoku("trace", named, "-s", "mrv", "-o", "a.jsonl", cwd=folder, code=0)
    again = json.loads(undoku("solve", "a.jsonl", "--json", cwd=folder, code=0).stdout)
    studied = undoku("study", named, "-s", "mrv", "-o", "a.csv", cwd=folder, code=0)
    assert studied.stdout
    nodes = str(solved["results"][0]["nodes"])
    assert str(again["results"][0]["nodes"]) == nodes
    assert nodes in (folder / "a.csv").read_text("utf-8").splitlines()[1].split(",")
    assert nodes in undoku("stats", named, "-s", "mrv", cwd=folder, code=0).stdout
