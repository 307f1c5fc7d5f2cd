"""The options of a cell as doors."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from tests.support.panel_films import BOXES, PanelFilm, panel_film, reads
from tests.support.paths import ROOT
from undoku import Limits, Op, board_at
from undoku.render.draw.canvas import Pixels
from undoku.render.draw.colour_space import mix
from undoku.render.draw.theme import load_theme
from undoku.render.panels.doors import DoorsPanel
from undoku.render.timeline.notes import Note, NoteKind
from undoku.solver.problem.sources import parse_puzzle

DARK, BOX = load_theme("dark"), BOXES["doors"]
BEGIN, END = 20, 60
"""The frames of the note."""


def film_of(
    *options: int, value: int = 0, cell: int = 0, until: int = END, **more: Any
) -> PanelFilm:
    """A race of 100 steps, one each frame, with doors for the cell of its first step. If the note
    ends earlier, another one about the same follows."""
    kind = more.pop("kind", NoteKind.CALLOUT)
    bounds = pairwise(sorted({BEGIN, until, END}))
    notes = [
        Note(begin, end, 0, kind, "", placed=cell, options=options, value=value)
        for begin, end in bounds
    ]
    return panel_film(
        DoorsPanel,
        "row-major",
        box="doors",
        notes=notes,
        limits=Limits(max_nodes=60),
        seconds=Fraction(8),
        **more,
    )


def doors(pixels: Pixels) -> list[tuple[int, int]]:
    """(begin, end) of each door in the box."""
    middle = pixels[BOX.y + 1, BOX.x : BOX.right]
    filled = np.append((middle != DARK.background).any(axis=1), False)
    edges = np.flatnonzero(np.diff(filled.astype(int), prepend=0)).tolist()
    return [*zip(edges[::2], edges[1::2], strict=True)]


def inside(pixels: Pixels, door: tuple[int, int]) -> tuple[int, ...]:
    """The colour of a door beside its digit."""
    x = BOX.x + door[0] + 4
    return tuple(pixels[BOX.bottom - 5, x].tolist())


def test_doors_are_shown_on_the_frames_of_their_note_and_cost_nothing_on_others() -> None:
    film = film_of(4, 5, 9)
    frames, single = film.frames_of_runs()
    assert np.array_equal(frames, film.frames())
    shown = [bool((pixels != DARK.background).any()) for pixels in frames]
    assert shown == [BEGIN <= at < END for at in range(len(frames))]
    opening = 8
    steps = film.timeline.shot_at(END).steps[0] - film.timeline.shot_at(BEGIN).steps[0]
    assert single <= opening + steps + 4


def test_doors_open_one_after_the_other_from_the_middle() -> None:
    frames = film_of(4, 5, 9).frames()
    widths = []
    for at in range(BEGIN, BEGIN + 9):
        found = {(begin + end) // 2: end - begin for begin, end in doors(frames[at])}
        near = sorted(found)
        assert all(
            abs(BOX.width - one - other) <= 3 for one, other in zip(near, near[::-1], strict=True)
        )
        widths.append([found[centre] for centre in near])
    assert [len(each) for each in widths] == sorted(len(each) for each in widths)
    assert len(widths[0]) == 1
    assert len(widths[-1]) == 3
    assert len(set(widths[-1])) == 1
    middles = [each[len(each) // 2] for each in widths]
    assert middles == sorted(middles)


def test_doors_stay_open_when_the_next_sentence_about_their_cell_begins() -> None:
    film = film_of(4, 5, 9, until=40)
    frames, _ = film.frames_of_runs()
    assert np.array_equal(frames, film.frames())
    assert all(np.array_equal(pixels, frames[38]) for pixels in frames[30:END])


@pytest.mark.parametrize("options", [(4,), (4, 5, 9), tuple(range(1, 10))])
def test_each_option_has_a_door_with_its_digit(options: tuple[int, ...]) -> None:
    pixels = film_of(*options).frames()[END - 1]
    found = doors(pixels)
    assert len(found) == len(options)
    for value, (begin, end) in zip(options, found, strict=True):
        part = pixels[BOX.y : BOX.bottom, BOX.x + begin : BOX.x + end]
        assert reads(part, str(value), DARK.text)


@pytest.mark.parametrize("kind", [NoteKind.CALLOUT, NoteKind.MISTAKE])
def test_the_door_of_a_value_on_the_board_lights_up_and_the_others_fade(kind: NoteKind) -> None:
    """In the colour of the search, or in that of what is wrong."""
    race = film_of(1)
    steps = [race.timeline.shot_at(at).steps[0] for at in range(END)]
    events = [event for event in race.film.traces[0].read().tolist() if event[0] <= Op.UNDO]
    places = [number for number in range(steps[35], steps[45]) if events[number][0] != Op.UNDO]
    _, value, cell = events[places[0]]
    options = sorted({value, value % 9 + 1, (value + 1) % 9 + 1})
    lit = DARK.undoing if kind is NoteKind.MISTAKE else DARK.search_colour(0)
    film, seen = film_of(*options, value=value, cell=cell, kind=kind), set()
    for at, pixels in enumerate(film.frames()[BEGIN + 8 : END], BEGIN + 8):
        taken = int(board_at(race.film.traces[0], steps[at])[cell]) == value
        seen.add(taken)
        faded = mix(DARK.background, DARK.given_cell, 0.4) if taken else DARK.given_cell
        wanted = [lit if taken and option == value else faded for option in options]
        assert [inside(pixels, door) for door in doors(pixels)] == wanted
    assert seen == {False, True}


def test_of_more_than_nine_options_the_number_of_the_others_is_stated() -> None:
    puzzle = parse_puzzle((ROOT / "examples/puzzles/sixteen.txt").read_text())
    options = tuple(range(1, 15))
    pixels = film_of(*options, value=12, puzzle=puzzle).frames()[END - 1]
    found = doors(pixels)
    assert len(found) == 7
    more = pixels[BOX.y : BOX.bottom, BOX.x + found[-1][1] : BOX.right]
    assert reads(more, "+7", DARK.text)
    first = pixels[BOX.y : BOX.bottom, BOX.x + found[0][0] : BOX.x + found[0][1]]
    last = pixels[BOX.y : BOX.bottom, BOX.x + found[-1][0] : BOX.x + found[-1][1]]
    assert reads(first, "1", DARK.text)
    # The value that is taken is among them.
    assert reads(last, "C", DARK.text)
