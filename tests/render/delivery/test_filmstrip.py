"""A contact sheet shows moments of the search in order, each with its step."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.support.command import Undoku
from tests.support.document_shapes import read_svg
from tests.support.golden import Golden
from tests.support.puzzles import EASY, MEDIUM
from undoku import Limits, OutputError, SettingsError, search
from undoku.render.delivery.filmstrip import filmstrip, moments, write_filmstrip
from undoku.render.draw.cell_look import CellKind, StepMark
from undoku.render.draw.easel import Drawing
from undoku.render.draw.sprites import BoxedText, Cell
from undoku.render.film.film import Film
from undoku.render.layout.contact_sheet_layout import arrange_contact_sheet
from undoku.render.layout.page import arrange
from undoku.render.settings.settings import as_still, settings_of
from undoku.render.timeline.pace import Clock
from undoku.render.timeline.race_plan import plan
from undoku.render.timeline.timeline import Pace
from undoku.render.write.file_info import about_of


def film(*strategies: str, puzzle: str = MEDIUM.grid, **given: Any) -> Film:
    settings = as_still(settings_of({"size": "1280x720", **given}))
    return Film([search(puzzle, name, Limits(4000)) for name in strategies], settings)


@given(
    st.lists(st.integers(0, 5000), min_size=1, max_size=4),
    st.integers(1, 100),
    st.sampled_from([Clock.STEPS, Clock.FINISH]),
)
def test_moments_of_each_search_run_evenly_from_its_start_to_its_end(
    totals: list[int], count: int, clock: Clock
) -> None:
    """So that no two pictures of a search are equal."""
    timeline = plan(totals, Fraction(25), Pace(Fraction(3)), clock=clock)
    found = moments(timeline, count)
    assert len(found) == min(count, 1 + min(filter(None, totals), default=0))
    assert found[-1].steps == tuple(totals)
    for number, total in enumerate(totals):
        steps = [shot.steps[number] for shot in found]
        if len(found) > 1:
            assert steps[0] == 0
            gaps = np.diff(steps)
            assert gaps.max() - gaps.min() <= 1
            assert total == 0 or gaps.min() > 0


@given(
    st.integers(200, 1000),
    st.integers(200, 1000),
    st.lists(st.sampled_from([4, 9, 16]), min_size=1, max_size=3),
    st.integers(1, 40),
)
def test_no_board_and_no_label_lies_on_another_or_leaves_the_picture(
    wide: int, high: int, sizes: list[int], count: int
) -> None:
    try:
        layout = arrange(2 * wide, 2 * high, len(sizes), max(sizes), title=bool(count % 2))
        sheet = arrange_contact_sheet(layout, sizes, count)
    except SettingsError:
        return
    assert [len(moment.blocks) for moment in sheet] == [len(sizes)] * count
    rects = [box for box in (layout.footer, layout.title) if box]
    rects += [block.name for block in sheet[0].blocks]
    for moment in sheet:
        rects += [rect for block in moment.blocks for rect in (block.board, block.status)]
    boxes = np.array([(x, y, x + w, y + h) for x, y, w, h in rects])
    assert (boxes[:, :2] >= 0).all()
    assert (boxes[:, 2] <= layout.width).all() and (boxes[:, 3] <= layout.height).all()
    apart = (
        (boxes[:, None, 0] >= boxes[None, :, 2])
        | (boxes[:, None, 2] <= boxes[None, :, 0])
        | (boxes[:, None, 1] >= boxes[None, :, 3])
        | (boxes[:, None, 3] <= boxes[None, :, 1])
    )
    assert (apart | np.eye(len(boxes), dtype=bool)).all()


def cells_of(drawing: Drawing) -> list[Cell]:
    return [drawn for drawn in drawing.drawn if isinstance(drawn, Cell)]


def test_the_last_board_of_a_search_for_all_solutions_shows_its_last_one() -> None:
    """As in a film; the search itself is then back at the givens, as in the first picture."""
    trace = search(MEDIUM.grid, "mrv", Limits(exhaustive=True))
    made = Film([trace], as_still(settings_of({"size": "1280x720"})))
    _, drawing = filmstrip(made, 6)
    (board,) = arrange_contact_sheet(made.layout, [9], 6)[-1].blocks
    shown = [cell for cell in cells_of(drawing) if board.board.contains(cell.rect)]
    shown.sort(key=lambda cell: (cell.rect.y, cell.rect.x))
    assert "".join(str(cell.look.value) for cell in shown) == MEDIUM.solution


def test_every_board_shows_its_own_step() -> None:
    made = film("row-major", "mrv")
    _, drawing = filmstrip(made, 5)
    shots = moments(made.timeline, 5)
    sheet = arrange_contact_sheet(made.layout, [9, 9], 5)
    found = {drawn.rect[:2]: drawn.look for drawn in cells_of(drawing)}
    for search_number, trace in enumerate(made.traces):
        events = trace.read().tolist()
        for moment, shot in zip(sheet, shots, strict=True):
            block = moment.blocks[search_number]
            board = [int(value) for value in trace.header.puzzle.givens]
            for op, value, cell in events[: shot.steps[search_number]]:
                board[cell] = 0 if op == 2 else value
            for cell, value in enumerate(board):
                x = block.board.x + cell % 9 * block.cell
                look = found[x, block.board.y + cell // 9 * block.cell]
                struck = look.mark is StepMark.UNDOING or look.kind is CellKind.EMPTY
                assert (0 if struck else look.value) == value


def test_every_board_is_labelled_with_its_step() -> None:
    made = film("row-major", "mrv", clock="finish")
    _, drawing = filmstrip(made, 4)
    lines = [drawn.text for drawn in drawing.drawn if isinstance(drawn, BoxedText)]
    shots = moments(made.timeline, 4)
    for number, tally in enumerate(made.tallies):
        for shot in shots[:-1]:
            assert f"step {shot.steps[number]:,}" in lines
        assert any(f"{tally.steps:,}" in line and "step " not in line for line in lines)
    assert not any("moments" in line for line in lines)
    assert set(made.labels) <= set(lines)


def test_a_short_search_has_fewer_moments(tmp_path: Path) -> None:
    made = film("mrv", puzzle=EASY.grid)
    _, drawing = filmstrip(made, 100)
    lines = [drawn.text for drawn in drawing.drawn if isinstance(drawn, BoxedText)]
    assert "44 moments of 43 steps, evenly spaced" in lines
    assert len(moments(made.timeline, 100)) == 44
    assert len({drawn.rect[:2] for drawn in cells_of(drawing)}) == 44 * 81


def test_a_sheet_looks_as_it_should(golden: Golden) -> None:
    frame, _ = filmstrip(film("row-major", "mrv", size="960x540", theme="light"), 6)
    golden(frame.pixels, "filmstrip")


def test_the_command_makes_a_sheet_and_makes_it_again(undoku: Undoku, tmp_path: Path) -> None:
    words = ("-s", "mrv", "--filmstrip", "3", "--size", "640x360", "--json")
    names = ("a.png", "a.svg")
    outputs = (word for name in names for word in ("-o", name))
    done = undoku("render", MEDIUM.grid, *words, *outputs, cwd=tmp_path, code=0)
    assert [output["frames"] for output in json.loads(done.stdout)["outputs"]] == [1, 1]
    for name in names:
        assert about_of(tmp_path / name)["recipe"].endswith('"picture":{"filmstrip":3}}')
    cells = read_svg((tmp_path / "a.svg").read_bytes()).cells
    givens = sum(mark not in "0." for mark in MEDIUM.grid)
    assert sum(text.startswith("given") for _, _, text in cells) == 3 * givens
    undoku("render", "--again", "a.svg", "-o", "b.png", cwd=tmp_path, code=0)
    with Image.open(tmp_path / "a.png") as made, Image.open(tmp_path / "b.png") as again:
        assert made.convert("RGB").tobytes() == again.convert("RGB").tobytes()
    undoku("render", "--again", "a.svg", "-o", "step.png", "--at-step", "7", cwd=tmp_path)
    assert '"picture":{"step":7}' in about_of(tmp_path / "step.png")["recipe"]
    undoku("render", "--again", "step.png", "-o", "film.gif", "--duration", "1s", "--fps", "25",
           cwd=tmp_path)  # fmt: skip
    with Image.open(tmp_path / "film.gif") as picture:
        assert getattr(picture, "n_frames", 1) > 5


def test_a_sheet_never_replaces_a_file_unasked(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"mine")
    with pytest.raises(OutputError, match="exists already"):
        write_filmstrip(film("mrv"), 3, [tmp_path / "b.svg", tmp_path / "a.pdf"])
    assert [path.name for path in tmp_path.iterdir()] == ["a.pdf"]
    assert (tmp_path / "a.pdf").read_bytes() == b"mine"
