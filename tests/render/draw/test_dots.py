"""Candidates as dots, in pictures and in documents."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from tests.support.films import beat_of, film_of, picture_at
from undoku import Op, board_at
from undoku.render.draw.canvas import Pixels
from undoku.render.draw.cell_look import CellKind, CellLook
from undoku.render.draw.cells import draw_cell
from undoku.render.draw.look import Look
from undoku.render.draw.shapes import Stroke
from undoku.render.draw.theme import load_theme
from undoku.render.draw.vector_cells import cell_curves
from undoku.render.film.scene import Scene
from undoku.render.playback.player import Player
from undoku.render.playback.step_reasons import candidates
from undoku.render.timeline.beats import BeatKind
from undoku.render.timeline.notes import Note, NoteKind

DARK = load_theme("dark")


def dotted(values: int, *options: int) -> CellLook:
    mask = sum(1 << value - 1 for value in {*options})
    return CellLook(CellKind.PENCIL, candidates=mask, story=True, values=values)


def discs(look: CellLook, side: int) -> dict[tuple[float, float], float]:
    """The area of each dot of a picture, in pixels, by its centre."""
    plain = draw_cell(replace(look, kind=CellKind.EMPTY), side, DARK).astype(float)
    ink = np.array(DARK.muted, float) - DARK.cell
    cover = ((draw_cell(look, side, DARK) - plain) @ ink) / (ink @ ink)
    found = {}
    left = {*zip(*(places.tolist() for places in np.nonzero(cover > 0.01)), strict=True)}
    while left:
        group = [left.pop()]
        for row, column in group:
            beside = {(row + y, column + x) for y, x in product((-1, 0, 1), repeat=2)} & left
            left -= beside
            group += beside
        weights = np.array([cover[place] for place in group])
        y, x = (weights @ np.array(group)) / weights.sum() + 0.5
        found[float(x), float(y)] = float(weights.sum())
    return found


@pytest.mark.parametrize("values", [4, 9, 16, 25])
@pytest.mark.parametrize("side", [32, 48, 96])
def test_each_candidate_is_a_dot_at_the_place_of_its_value(values: int, side: int) -> None:
    options = [1, 2, values - 2, values]
    across = int(values**0.5)
    found = discs(dotted(values, *options), side)
    places = {(int(x / side * across), int(y / side * across)) for x, y in found}
    assert places == {((each - 1) % across, (each - 1) // across) for each in {*options}}
    assert len({round(area) for area in found.values()}) <= 2
    if values == 9:
        # Two pixels wide when the picture is 390 pixels wide and the cell 13.
        assert min(found.values()) > 0.75 * (2 / 13 * side) ** 2


@pytest.mark.parametrize("value", [1, 5, 9])
def test_a_single_candidate_is_a_larger_dot_in_the_middle(value: int) -> None:
    (((x, y), area),) = discs(dotted(9, value), 48).items()
    assert (x, y) == pytest.approx((24.5, 24.5), abs=0.1)
    assert area > 2 * max(discs(dotted(9, 1, 9), 48).values())


def test_a_cell_without_candidates_has_a_cross_and_struck_ones_are_not_shown() -> None:
    none = CellLook(CellKind.PENCIL)
    assert np.array_equal(draw_cell(replace(none, story=True), 48, DARK), draw_cell(none, 48, DARK))
    look = dotted(9, 2, 3)
    struck = replace(look, struck=0b1000)
    assert np.array_equal(draw_cell(struck, 48, DARK), draw_cell(look, 48, DARK))


def test_documents_have_the_dots_of_pictures() -> None:
    look, side = dotted(9, 1, 5, 6), 48
    (stroke,) = (each for each in cell_curves(look, side, DARK) if isinstance(each, Stroke))
    found = discs(look, side)
    centres = sorted(point for (point,) in stroke.lines)
    assert sorted(found) == [pytest.approx(each, abs=0.1) for each in centres]
    assert found
    area = np.pi * stroke.width**2 / 4
    assert all(each == pytest.approx(area, rel=0.05) for each in found.values())


def test_a_board_with_dots_shows_the_candidates_of_its_state() -> None:
    film = film_of("row-major", size="640x360")
    scene, trace = Scene(film.script), film.traces[0]
    shot = film.shot_of_step(3)
    scene.paint(shot, [Player(trace).advance(3)])
    board, block = board_at(trace, 3), film.layout.blocks[0]
    _, _, last = [event for event in trace.read().tolist() if event[0] <= Op.UNDO][2]
    puzzle, side = trace.header.puzzle, block.cell
    seen = 0
    for cell, look in enumerate(Look(puzzle.problem).backgrounds(puzzle.givens)):
        square = Look(puzzle.problem).squares(block.board.x, block.board.y, side)[cell]
        options = candidates(puzzle, board, cell)
        if board[cell] or not options or cell == last:
            continue
        wanted = replace(dotted(0, *options), left=look.left, top=look.top)
        assert np.array_equal(part_of(scene.canvas.pixels, *square), draw_cell(wanted, side, DARK))
        seen += 1
    assert seen > 30


def part_of(pixels: Pixels, x: int, y: int, width: int, height: int) -> Pixels:
    return pixels[y : y + height, x : x + width]


def test_the_only_option_pulses_in_the_colour_of_its_search_until_it_is_taken() -> None:
    film = film_of("row-major", "mrv", size="1280x720")
    taken = film.timeline.frame_of(1, 2)
    _, value, cell = film.traces[1].read().tolist()[1]
    note = Note(
        taken - 30, taken + 30, 1, NoteKind.CALLOUT, "", rings_end=taken + 30,
        placed=cell, options=(value,), value=value,
    )  # fmt: skip
    scene = Scene(replace(film.script, notes=(note,)))
    block = film.layout.blocks[1]
    square = Look(film.headers[1].puzzle.problem).squares(*block.board[:2], block.cell)[cell]
    players, sizes = [Player(trace) for trace in film.traces], []
    colour = film.theme.search_colour(1)
    for frame in range(taken - 30, taken + 30):
        shot = film.timeline.shot_at(frame)
        now = zip(players, shot.steps, strict=True)
        scene.paint(shot, [player.advance(step) for player, step in now])
        middle = part_of(scene.canvas.pixels, *square)[8:-8, 8:-8]
        sizes.append(int((middle == colour).all(axis=2).sum()))
    assert sizes[30:] == [0] * 30
    assert min(sizes[10:30]) > 0
    assert max(sizes) > 1.3 * min(sizes[10:30])


@pytest.mark.parametrize("duration", ["6s", "20s"])
def test_a_story_has_dots_only_after_a_sentence_has_explained_them(duration: str) -> None:
    """A short one has no beat about a first step."""
    film = film_of("row-major", "mrv", duration=duration)
    explained = any("dots" in note.text for note in film.notes)
    assert explained == (duration == "20s")
    race = beat_of(film, BeatKind.RACE)
    pixels = picture_at(film, race.start + race.frames // 8)
    block, puzzle = film.layout.blocks[1], film.headers[1].puzzle
    square = Look(puzzle.problem).squares(*block.board[:2], block.cell)[80]
    inside = part_of(pixels, *square)[8:-8, 8:-8]
    assert bool((inside != DARK.cell).any()) == explained
