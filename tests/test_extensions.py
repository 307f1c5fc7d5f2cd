"""Packages of others add a panel, a format and strategies without an edit of undoku."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.command import run_undoku
from tests.support.puzzles import MEDIUM
from undoku.render.draw.canvas import Pixels
from undoku.render.draw.theme import load_theme

ROOT = Path(__file__).parent.parent
EXTENSIONS = ROOT / "examples" / "extensions"
SIZE = 480, 270
FILM = (
    *("--panels", "board,counters,undo-runs", "--size", "480x270", "--fps", "10"),
    *("--to-step", "200", "--duration", "4s", "--title-card", "0s", "--card", "0s"),
)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the four packages, installed by pip, which compiles one of them."""
    sources = tmp_path_factory.mktemp("sources") / "extensions"
    shutil.copytree(EXTENSIONS, sources)
    target = tmp_path_factory.mktemp("installed")
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    projects = sorted(one for one in sources.iterdir() if one.is_dir())
    words = ("--no-deps", "--no-build-isolation", "--target", target)
    done = subprocess.run([*pip, *words, *projects], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return target


def undoku(*arguments: str, folder: Path, extra: Path | None = None) -> tuple[int, str]:
    """The exit code and all output, with the packages in `extra`."""
    path = os.pathsep.join(map(str, filter(None, [extra, ROOT])))
    done = subprocess.run(
        [sys.executable, "-m", "undoku.cli.main", *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def luma(path: Path) -> list[NDArray[np.uint8]]:
    """The luma of each frame of a .y4m."""
    width, height = SIZE
    head, _, frames = path.read_bytes().partition(b"\n")
    assert head.startswith(b"YUV4MPEG2 W480 H270 F10:1 ")
    one = len(b"FRAME\n") + width * height * 3 // 2
    assert len(frames) % one == 0
    found = []
    for start in range(0, len(frames), one):
        assert frames[start : start + 6] == b"FRAME\n"
        planes = np.frombuffer(frames, np.uint8, width * height, start + 6)
        found.append(planes.reshape(height, width))
    return found


def of_colour(pixels: Pixels, colour: tuple[int, int, int]) -> int:
    return int((pixels == colour).all(axis=2).sum())


def test_a_film_has_the_panel_the_format_and_the_strategy_of_other_packages(
    installed: Path, tmp_path: Path
) -> None:
    """The film without compression has every frame, and the last is that of the PNG."""
    from PIL import Image

    (tmp_path / "puzzle.txt").write_text(MEDIUM.grid)
    code, printed = undoku(
        *("render", "puzzle.txt", "-s", "diagonal", "-s", "mrv", *FILM),
        *("-o", "film.y4m", "-o", "film.png"),
        folder=tmp_path,
        extra=installed,
    )
    assert code == 0, printed
    frames = luma(tmp_path / "film.y4m")
    assert len(frames) == 40
    with Image.open(tmp_path / "film.png") as picture:
        pixels = np.asarray(picture.convert("RGB"))
        assert "diagonal" in picture.info["strategies"]
    grey = pixels.astype(float) @ np.array([0.2126, 0.7152, 0.0722]) * 219 / 255 + 16
    assert np.abs(grey - frames[-1]).max() <= 0.51
    # Rows of undos are drawn in their colour, below the boards and the counters.
    undoing = load_theme("dark").undoing
    assert of_colour(pixels, undoing) > 100
    code, printed = undoku(
        *("render", "puzzle.txt", "-s", "diagonal", *FILM, "--panels", "board,counters"),
        *("-o", "bare.png"),
        folder=tmp_path,
        extra=installed,
    )
    assert code == 0, printed
    with Image.open(tmp_path / "bare.png") as picture:
        assert of_colour(np.asarray(picture.convert("RGB")), undoing) < 100


@pytest.mark.parametrize(
    ("what", "name"),
    [
        ("panels", "undo-runs"),
        ("formats", ".y4m"),
        ("strategies", "diagonal"),
        ("strategies", "compiled-diagonal"),
    ],
)
def test_extensions_of_packages_are_listed(
    installed: Path, tmp_path: Path, what: str, name: str
) -> None:
    """With them, and without them not."""
    code, printed = undoku("list", what, folder=tmp_path, extra=installed)
    assert code == 0
    assert name in printed.split()
    assert name not in run_undoku("list", what, cwd=tmp_path).stdout.split()


def test_a_search_says_once_that_a_part_is_a_python_function(
    installed: Path, tmp_path: Path
) -> None:
    words = ("solve", MEDIUM.grid, "-s", "diagonal", "-s", "mrv", "-s", "diagonal")
    code, printed = undoku(*words, folder=tmp_path, extra=installed)
    assert code == 0
    assert printed.count("undoku: diagonal has a part that is a Python function") == 1
    assert printed.count("Python function") == 1


def test_a_compiled_order_searches_as_the_same_order_in_plain_python(
    installed: Path, tmp_path: Path
) -> None:
    """Beside a built-in rule, so that both are called with the arrays of the general loop."""
    orders = ("diagonal+singles", "compiled-diagonal+singles")
    names = (option for order in orders for option in ("-s", order))
    words = ("solve", MEDIUM.grid, *names, "--json", "-q")
    code, printed = undoku(*words, folder=tmp_path, extra=installed)
    assert code == 0, printed
    plain, compiled = json.loads(printed)["results"]
    different = {"strategy", "label", "seconds"}
    assert plain["nodes"] > 1
    assert {k: v for k, v in plain.items() if k not in different} == {
        k: v for k, v in compiled.items() if k not in different
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("-s", "mrv", "--panels", "board,undo-runs", "-o", "a.gif"),
            "there is no panel 'undo-runs'",
        ),
        (("-s", "mrv", "-o", "a.y4m"), "'a.y4m' ends in no known format"),
        (("-s", "diagonal", "-o", "a.gif"), "diagonal"),
    ],
)
def test_without_the_packages_their_names_are_unknown(
    tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    (tmp_path / "puzzle.txt").write_text(MEDIUM.grid)
    done = run_undoku("render", "puzzle.txt", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def names_in(source: str) -> set[str]:
    """The attributes, keyword arguments and declared fields in a source."""
    nodes = [*ast.walk(ast.parse(source))]
    return (
        {node.attr for node in nodes if isinstance(node, ast.Attribute)}
        | {node.arg for node in nodes if isinstance(node, ast.keyword) and node.arg}
        | {ast.unparse(node.target) for node in nodes if isinstance(node, ast.AnnAssign)}
    )


def test_a_track_of_texts_is_named_in_three_files() -> None:
    """As many as docs/architecture.md says that a further track of texts edits."""
    naming = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "undoku").rglob("*.py")
        if names_in(path.read_text("utf-8")) & {"chapters"}
    }
    assert naming == {
        "undoku/render/delivery/outputs.py",
        "undoku/render/write/further_tracks.py",
        "undoku/render/write/mp4_boxes.py",
    }
    reported = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    assert f"such as subtitles | {len(naming)}, as for the chapters" in reported
    assert all(path.rpartition("/")[2] in reported for path in naming)
