"""Packages of others add a panel, a format, a problem and strategies without an edit of undoku."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.support.command import run_undoku
from tests.support.installation import run
from tests.support.puzzles import MEDIUM
from undoku.render.draw.theme import load_theme

SIZE = 480, 270
LIMIT = ("--max-nodes", "300")
FILM = (
    *("--panels", "board,counters,undo-runs", "--size", "480x270", "--fps", "10"),
    *("--to-step", "200", "--duration", "4s", "--title-card", "0s", "--card", "0s", *LIMIT),
)


def luma(path: Path) -> NDArray[np.uint8]:
    """The luma of each frame of a .y4m, (frames, height, width)."""
    width, height = SIZE
    head, _, content = path.read_bytes().partition(b"\n")
    assert head.startswith(b"YUV4MPEG2 W480 H270 F10:1 ")
    mark = b"FRAME\n"
    frames = np.frombuffer(content, np.uint8).reshape(-1, len(mark) + width * height * 3 // 2)
    assert (frames[:, : len(mark)] == np.frombuffer(mark, np.uint8)).all()
    return frames[:, len(mark) :][:, : width * height].reshape(-1, height, width)


def undoing_of(path: Path) -> int:
    """The number of pixels in the colour of undoing."""
    with Image.open(path) as picture:
        pixels = np.asarray(picture.convert("RGB"))
    return int((pixels == load_theme("dark").undoing).all(axis=2).sum())


def test_a_film_has_the_panel_the_format_and_the_strategy_of_other_packages(
    installed: Path, tmp_path: Path
) -> None:
    """The film without compression has every frame, and the last is that of the PNG. Rows of undos
    are drawn in their colour, below the boards and the counters."""
    render = (installed / "undoku", "render", MEDIUM.grid, "-s", "diagonal", *FILM)
    run(*render, "-s", "mrv", "-o", "film.y4m", "-o", "film.png", cwd=tmp_path)
    frames = luma(tmp_path / "film.y4m")
    assert len(frames) == 40
    with Image.open(tmp_path / "film.png") as picture:
        pixels = np.asarray(picture.convert("RGB"))
        assert "diagonal" in picture.info["strategies"]
    grey = pixels.astype(float) @ np.array([0.2126, 0.7152, 0.0722]) * 219 / 255 + 16
    assert np.abs(grey - frames[-1]).max() <= 0.51
    run(*render, "--panels", "board,counters", "-o", "bare.png", cwd=tmp_path)
    assert undoing_of(tmp_path / "bare.png") < 100 < undoing_of(tmp_path / "film.png")


@pytest.mark.parametrize(
    ("what", "names"),
    [
        ("panels", {"undo-runs"}),
        ("formats", {".y4m"}),
        ("strategies", {"diagonal", "compiled-diagonal"}),
        ("problems", {"rooks:ROWS"}),
    ],
)
def test_extensions_of_packages_are_listed(
    installed: Path, tmp_path: Path, what: str, names: set[str]
) -> None:
    """With them, and without them not."""
    assert names <= {*run(installed / "undoku", "list", what, cwd=tmp_path).split()}
    assert not names & {*run_undoku("list", what, cwd=tmp_path).stdout.split()}


def test_a_problem_of_another_package_is_searched(installed: Path, tmp_path: Path) -> None:
    """Rooks: as many solutions as there are permutations."""
    rooks = ("rooks:5", "-s", "mrv+singles", "--exhaustive", "--json")
    (result,) = json.loads(run(installed / "undoku", "solve", *rooks, cwd=tmp_path))["results"]
    assert result["solutions"] == 120


def test_a_search_says_once_that_a_part_is_a_python_function(
    installed: Path, tmp_path: Path
) -> None:
    words = ("solve", MEDIUM.grid, "-s", "diagonal", "-s", "mrv", "-s", "diagonal", *LIMIT)
    printed = run(installed / "undoku", *words, cwd=tmp_path)
    assert printed.count("undoku: diagonal has a part that is a Python function") == 1
    assert printed.count("Python function") == 1


def test_a_compiled_order_searches_as_the_same_order_in_plain_python(
    installed: Path, tmp_path: Path
) -> None:
    """Beside a built-in rule, so that both are called with the arrays of the general loop."""
    names = ("-s", "diagonal+singles", "-s", "compiled-diagonal+singles")
    words = ("solve", MEDIUM.grid, *names, "--json", "-q")
    plain, compiled = json.loads(run(installed / "undoku", *words, cwd=tmp_path))["results"]
    different = dict.fromkeys(("strategy", "label", "seconds"))
    assert plain["nodes"] > 1
    assert plain | different == compiled | different
