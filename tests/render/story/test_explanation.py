"""The sentence that replaces the title of a story says why the searches differ: it follows from
their traces, is shown in time, and is true."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice

import numpy as np
import pytest

from tests.support.puzzles import MEDIUM
from tests.support.stories import beat_of
from undoku import Limits, Puzzle, parse_puzzle, search
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.render.timeline.beats import BeatKind
from undoku.render.timeline.notes import Note
from undoku.solver.study.generate import puzzles as generated
from undoku.solver.trace.trace import Op, Trace

FEWER = "Fewer options, fewer wrong guesses."
SMALL = {"size": "640x360", "fps": "25"}


def film_of(puzzle: Puzzle, *strategies: str, limits: Limits | None = None, **options: str) -> Film:
    traces = [search(puzzle, name, limits or Limits()) for name in strategies]
    return Film(traces, settings_of({**SMALL, **options}))


def explained(film: Film) -> Note:
    assert film.explanation
    return film.explanation


def guesses_of(trace: Trace) -> tuple[Fraction, int]:
    """The mean number of values that fit the cell of a guess before it, and how many guesses are
    undone."""
    puzzle = trace.header.puzzle
    board, path, fitted, undone = list(puzzle.givens), [], [], 0
    for chunk in trace.chunks():
        for op, value, cell in chunk.tolist():
            if op == Op.GUESS:
                held = {board[peer] for peer in puzzle.geometry.peers[cell]} - {0}
                fitted.append(puzzle.size - len(held))
            if op in (Op.GUESS, Op.FORCED):
                path.append(op)
                board[cell] = value
            elif op == Op.UNDO:
                undone += path.pop() == Op.GUESS
                board[cell] = 0
    return Fraction(sum(fitted), max(1, len(fitted))), undone


@pytest.mark.parametrize("number", range(4))
def test_fewer_options_are_the_reason_only_where_the_traces_say_so(number: int) -> None:
    puzzle = next(islice(generated(seed=7), number, None)) if number else parse_puzzle(MEDIUM.grid)
    film = film_of(puzzle, "row-major", "mrv")
    (many, wrong), (few, less) = map(guesses_of, film.traces)
    if film.explanation:
        assert film.explanation.text == FEWER
        assert few < many
        assert less < wrong
    else:
        assert number, "the searches of this puzzle differ by a factor of 33"


def test_logic_is_the_reason_where_it_saves_guesses() -> None:
    puzzle = parse_puzzle(MEDIUM.grid)
    film = film_of(puzzle, "mrv", "mrv+singles")
    assert explained(film).text == "What logic finds need not be guessed."
    (_, wrong), (_, less) = map(guesses_of, film.traces)
    assert less < wrong
    three = film_of(puzzle, "row-major", "mrv", "mrv+singles")
    assert explained(three).text == f"{FEWER} With logic, fewer still."


@pytest.mark.parametrize(
    ("strategies", "limits", "options"),
    [
        (("mrv", "mrv-degree"), None, {}),  # both count options
        (("row-major", "row-major/descending"), None, {}),  # neither does
        (("row-major",), None, {}),
        (("row-major", "mrv"), Limits(100), {}),  # neither has ended
        (("row-major", "mrv"), None, {"title": "One puzzle"}),
        (("row-major", "mrv"), None, {"pace": "even"}),
        (("row-major", "mrv"), None, {"size": "320x180"}),  # no room for a title
    ],
)
def test_there_is_no_explanation_where_it_would_be_wrong_or_hidden(
    strategies: tuple[str, ...], limits: Limits | None, options: dict[str, str]
) -> None:
    film = film_of(parse_puzzle(MEDIUM.grid), *strategies, limits=limits, **options)
    assert film.explanation is None


def test_it_replaces_the_title_once_the_first_step_is_explained() -> None:
    film = film_of(parse_puzzle(MEDIUM.grid), "row-major", "mrv")
    first = beat_of(film, BeatKind.FIRST_STEP)
    explanation, box = explained(film), film.layout.title
    assert box
    assert [mark.start for mark in film.marks if mark.text == FEWER] == [explanation.start]
    assert (explanation.start, explanation.end) == (first.end, film.timeline.frames - 75)
    assert first.end <= 10 * film.settings.fps
    titles = {}
    at = 0
    for frame in film.frames():
        for tick in (first.end - 1, first.end, explanation.end - 1):
            if at <= tick < at + frame.ticks:
                titles[tick] = frame.pixels[box.y : box.bottom, box.x : box.right].copy()
        at += frame.ticks
        if at > explanation.end:
            break
    before, begun, last = titles.values()
    assert not np.array_equal(before, begun)
    assert np.array_equal(begun, last)
    background = np.array(film.theme.background)
    assert (np.abs(begun.astype(int) - background).max(axis=-1) > 100).sum() > 100, "letters"


def test_searches_for_all_solutions_still_say_so() -> None:
    film = film_of(parse_puzzle(MEDIUM.grid), "row-major", "mrv", limits=Limits(exhaustive=True))
    assert explained(film).text == f"{FEWER} Looking for all solutions."
