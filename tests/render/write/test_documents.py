"""SVG and PDF show what the PNG of the same step shows, as shapes."""

from __future__ import annotations

import errno
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.amounts import long
from tests.support.document_shapes import (
    Filled,
    Page,
    filled,
    points,
    read_pdf,
    read_svg,
)
from tests.support.puzzles import EASY, MEDIUM
from undoku import Limits, OutputError, SettingsError, board_at, search
from undoku.render.delivery.outputs import context_of
from undoku.render.delivery.write import write_film, write_still
from undoku.render.draw.canvas import Pixels
from undoku.render.draw.easel import Drawing
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.render.write.file_info import about_of
from undoku.render.write.pdf import encode_pdf
from undoku.render.write.svg import encode_svg
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.variants import jigsaw_geometry, with_diagonals

LONG = "000060080020000000001000000070000102500030000000000400004201000300700600000000050"
READ: list[Any] = [
    pytest.param(encode_svg, read_svg, id="svg"),
    pytest.param(encode_pdf, read_pdf, id="pdf"),
]


def film(puzzle: Any = MEDIUM.grid, *strategies: str, title: str = "A & B", **given: Any) -> Film:
    """Films with short names: the letters of masks are spaced on whole pixels, and in long lines
    they drift from those of documents."""
    strategies = strategies or ("mrv",)
    settings = settings_of({"size": "640x360", "title": title, "labels": strategies, **given})
    return Film([search(puzzle, name, Limits(3000)) for name in strategies], settings)


REGIONS = [1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4]
DIAGONALS = Puzzle((0,) * 16, with_diagonals(jigsaw_geometry(REGIONS)))
PICTURES: dict[str, tuple[tuple[Any, ...], dict[str, str], int]] = {
    "dark": ((MEDIUM.grid, "mrv", "row-major"), {}, 100),
    "light": ((MEDIUM.grid, "row-major"), {"theme": "light", "size": "360x640"}, 77),
    "solved": ((EASY.grid, "mrv"), {"size": "320x320", "title": ""}, 43),
    "scripts": ((EASY.grid, "mrv"), {"title": "حل السودوكو (two) בשתי דרכים e\u0301"}, 5),
    "diagonals": ((DIAGONALS, "mrv"), {}, 5),
}
"""Puzzles and strategies, options, and a step."""


@cache
def shown(name: str) -> tuple[Pixels, Drawing]:
    """A picture, and what was drawn for it."""
    searches, options, step = PICTURES[name]
    made = film(*searches, pace="even", **options)
    frame, drawing = made.still(made.shot_of_step(step))
    return frame.pixels, drawing


@pytest.mark.parametrize("name", [long(n) if n in ("light", "solved") else n for n in PICTURES])
@pytest.mark.parametrize(("encode", "read"), READ)
def test_a_document_looks_like_the_picture(
    encode: Callable[..., bytes], read: Callable[[bytes], Page], name: str
) -> None:
    """Its areas are the canvas's, pixel for pixel; its letters stand where the canvas's masks do
    and are as heavy, though their edges are not fitted to pixels. Nothing leaves the page."""
    pixels, drawing = shown(name)
    page = read(encode(drawing))
    assert (page.width, page.height) == (pixels.shape[1], pixels.shape[0])
    assert len(page.shapes) > 100
    for x, y in points(page):
        assert -0.01 <= x <= page.width + 0.01 and -0.01 <= y <= page.height + 0.01
    document = filled(page)
    off = document.astype(int) - pixels
    letters = np.zeros(off.shape[:2], bool)
    for shape in page.shapes:
        if any(len(contour) != 4 or not is_box(contour) for contour in shape.contours):
            left, top, right, bottom = bounds(shape)
            # Masks space widely; an l, which is a box, is higher than the letters beside it.
            letters[top - 5 : bottom + 2, left - 14 : right + 14] = True
    assert letters.mean() < 0.65
    assert not off[~letters].any()
    assert np.abs(off[letters]).mean() < 16
    blurred = [square_means(found) for found in (document, pixels)]
    assert np.abs(blurred[0] - blurred[1]).max() < 40


def is_box(contour: list[tuple[float, float]]) -> bool:
    return {x for x, _ in contour} == {contour[0][0], contour[2][0]}


def bounds(shape: Filled) -> tuple[int, int, int, int]:
    xs, ys = ([point[axis] for contour in shape.contours for point in contour] for axis in (0, 1))
    return max(14, int(min(xs))), max(2, int(min(ys))), int(max(xs)) + 1, int(max(ys)) + 1


def square_means(pixels: Any) -> Any:
    """Means over squares of 12 pixels at any position."""
    sums = np.zeros((pixels.shape[0] + 1, pixels.shape[1] + 1, 3))
    sums[1:, 1:] = pixels.astype(float).cumsum(0).cumsum(1)
    return (sums[12:, 12:] - sums[:-12, 12:] - sums[12:, :-12] + sums[:-12, :-12]) / 144


@pytest.mark.parametrize("step", [0, 44, 534])
def test_an_svg_says_of_every_cell_what_the_board_holds(step: int) -> None:
    made = film(MEDIUM.grid, "mrv", pace="even")
    trace = made.traces[0]
    page = read_svg(encode_svg(made.still(made.shot_of_step(step))[1]))
    block = made.layout.blocks[0]
    words = {
        ((y - block.board.y) / block.cell * 9 + (x - block.board.x) / block.cell): text
        for x, y, text in page.cells
    }
    last = trace.read()["cell"][step - 1] if step else -1
    for cell, value in enumerate(board_at(trace, step).tolist()):
        reported = words.get(cell, "")
        if MEDIUM.grid[cell] not in "0.":
            assert reported == f"given {value}"
        elif value:
            kind = "trying" if cell == last and step < 534 else "guess"
            assert reported == f"{kind} {value}"
        else:
            assert not reported or reported.split()[0] in ("candidates", "no", "undoing")


def test_charts_are_shapes_too() -> None:
    """No pixels are embedded anywhere."""
    made = film(MEDIUM.grid, "row-major", size="1280x720", panels="depth,tree,heat")
    assert any({"depth", "tree"} <= set(block.panels) for block in made.layout.blocks)
    drawing = made.still(made.shot_of_step(500))[1]
    assert b"<image" not in encode_svg(drawing)
    assert b"/Subtype /Image" not in encode_pdf(drawing)
    chart = made.layout.blocks[0].panels["depth"]
    assert chart
    page = read_svg(encode_svg(drawing))
    tints = {shape.colour for shape in page.shapes} & set(made.theme.scale)
    assert tints


@pytest.mark.parametrize(("encode", "read"), READ)
def test_a_depth_is_a_curve_in_few_bytes(
    encode: Callable[..., bytes], read: Callable[[bytes], Page]
) -> None:
    """Its lines have the right slopes at any scale; 20,000 steps take no more points than the
    columns that show them."""
    made = film(LONG, "row-major", size="1280x720", panels="board,depth")
    chart = made.layout.blocks[0].panels["depth"]
    assert chart
    content = encode(made.still(made.shot_of_step(5000))[1])
    curves = [
        contour
        for shape in read(content).shapes
        if shape.colour in {*made.theme.scale, *made.theme.scale_cells}
        for contour in shape.contours
        if min(y for _, y in contour) >= chart.y and len(contour) > 4
    ]
    steep = [(a, b) for contour in curves for a, b in pairwise(contour)
             if a[0] != b[0] and a[1] != b[1]]  # fmt: skip
    assert len(steep) > chart.width / 10
    plain = encode(film(LONG, "row-major", size="1280x720", panels="board").still(
        made.shot_of_step(5000))[1])  # fmt: skip
    assert len(content) - len(plain) < 60 * chart.width


@pytest.mark.parametrize(("encode", "read"), READ)
def test_a_tree_is_lines(encode: Callable[..., bytes], read: Callable[[bytes], Page]) -> None:
    """A line for each node but the root; those of the path lie on top."""
    made = film(EASY.grid, "row-major", size="1280x720", panels="board,tree")
    page = read(encode(made.still(made.shot_of_step(59))[1]))
    failed, path = (shape for shape in page.shapes if shape.width)
    assert len(failed.contours) == made.tallies[0].nodes - 1 == 51
    assert len(path.contours) == 43
    assert path.colour == made.theme.accent


@pytest.mark.parametrize("suffix", ["svg", "pdf"])
def test_documents_and_pictures_of_one_run_show_the_same_step(tmp_path: Path, suffix: str) -> None:
    made = film(MEDIUM.grid, "mrv")
    paths = [tmp_path / f"step.{suffix}", tmp_path / "step.png"]
    report = write_still(made, 10, paths)
    assert [output.path for output in report.outputs] == paths
    assert report.outputs[0].bytes == paths[0].stat().st_size
    assert (report.outputs[0].frames, report.outputs[0].width) == (1, 640)
    about = about_of(paths[0])
    assert about["title"] == "A & B"
    assert about["recipe"].endswith('"picture":{"step":10}}')
    assert about == about_of(paths[1])


def test_a_document_beside_a_film_is_its_last_frame(tmp_path: Path) -> None:
    """With its subject in plain letters, and no time, so that it has the same bytes each time."""
    made = film(EASY.grid, "mrv", title="One (plain) title", duration="2s", fps=25, size="320x180")
    write_film(made, [tmp_path / f"film.{suffix}" for suffix in ("gif", "svg", "pdf", "png")])
    drawing = made.still(made.timeline.shot_at(made.timeline.frames - 1))[1]
    assert (tmp_path / "film.svg").read_bytes() == encode_svg(drawing, context_of(made).about)
    pdf = (tmp_path / "film.pdf").read_bytes()
    assert pdf == encode_pdf(drawing, context_of(made).about)
    assert rb"/Title (One \(plain\) title)" in pdf
    assert rb"/Subject (mrv; mrv: solved, 44 nodes" in pdf
    assert not re.search(rb"/(CreationDate|ModDate|ID)\b", pdf)


def test_titles_of_any_letters_are_written_safely(tmp_path: Path) -> None:
    title = 'x</title><script>alert(1)</script> & "数独" (\\) \x01 ä'
    made = film(EASY.grid, "mrv", title=title)
    write_still(made, 3, [tmp_path / "a.svg", tmp_path / "a.pdf"])
    root = ET.fromstring((tmp_path / "a.svg").read_bytes())
    assert root.findtext("{http://www.w3.org/2000/svg}title") == title.replace("\x01", "\ufffd")
    assert not list(root.iter("{http://www.w3.org/2000/svg}script"))
    assert about_of(tmp_path / "a.pdf")["title"] == title
    assert b"/Title (\xfe\xff" in (tmp_path / "a.pdf").read_bytes()


def test_a_full_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, content: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OutputError, match="the disk is full"):
        write_still(film(EASY.grid), 3, [tmp_path / "a.svg"])
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_exists_is_kept(tmp_path: Path) -> None:
    target = tmp_path / "a.pdf"
    target.write_bytes(b"mine")
    with pytest.raises(OutputError, match="exists already"):
        write_still(film(EASY.grid), 3, [target])
    assert target.read_bytes() == b"mine"
    with pytest.raises(SettingsError, match="is a film"):
        write_still(film(EASY.grid), 3, [tmp_path / "a.gif"])
