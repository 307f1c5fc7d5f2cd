"""Whatever a film of any searches says, in its sentences and in its captions, is derived again from
the traces and the boards by slow means.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from tests.support.films import film_of
from tests.support.slow_claims import (
    Steps,
    assert_true,
    board_after,
    guesses_in,
    has_place,
    options_of,
    steps_of,
)
from undoku import Limits
from undoku.render.delivery.captions import captions
from undoku.render.film.film import Film
from undoku.render.timeline.beats import BeatKind
from undoku.render.timeline.notes import FILM, Note
from undoku.render.timeline.timeline import Phase
from undoku.solver.problem.puzzle import standard_geometry
from undoku.solver.study.generate import PuzzleRequirements, generate
from undoku.solver.trace.trace import Op, Outcome

STRATEGIES = (
    "row-major", "column-major", "mrv", "mrv/lcv", "mrv+singles", "dom-wdeg", "random:3",
    "row-major/descending", "mrv+luby:10", "mrv+cbj",
)  # fmt: skip
LIMITS = Limits(900), Limits(900), Limits(30), Limits(250), Limits(900, exhaustive=True)
SIZES = 4, 6, 9, 9
"""Numbers of digits."""


PACES: list[dict[str, object]] = [
    {}, {}, {"duration": 6}, {"duration": 40}, {"pace": "short"}, {"pace": "even", "duration": 20},
]  # fmt: skip


def random_film(number: int) -> Film:
    """The film with this number."""
    dice = Random(number)
    size = dice.choice(SIZES)
    puzzle = generate(PuzzleRequirements(standard_geometry(size)), seed=number)
    givens = list(puzzle.givens)
    for _ in range(dice.choice([0, 0, 0, 1, 3])):  # other solutions, or none
        cell = dice.randrange(len(givens))
        givens[cell] = 0
    names = dice.sample(STRATEGIES, dice.choice([1, 2, 2, 2, 3, 4]))
    return film_of(
        *names,
        puzzle=puzzle.__class__(tuple(givens), puzzle.problem),
        limits=dice.choice(LIMITS),
        **dice.choice(PACES),
        size=dice.choice(["640x360", "360x640", "480x480"]),
        fps=dice.choice([10, 20]),
    )


def number_in(text: str) -> int:
    return int(text.replace(",", ""))


def is_counted(line: str, done: int, steps: Steps) -> bool:
    """Whether a line gives the counts of a search after `done` steps."""
    found = re.fullmatch(r"([\d,]+) steps?, ([\d,]+) taken back", line)
    undos = sum(op == Op.UNDO for op, _, _ in steps[:done])
    return found is not None and [*map(number_in, found.groups())] == [done, undos]


def is_an_end(film: Film, number: int, line: str, done: int, steps: Steps) -> bool:
    """Whether a line says how a search has ended, after all of its steps."""
    tally = film.tallies[number]
    outcome = {
        "✓ solved in": Outcome.SOLVED,
        "everything tried:": Outcome.EXHAUSTED,
        "stopped after": Outcome.CAPPED,
    }
    begun = next((text for text in outcome if line.startswith(text)), None)
    if begun is None or done != len(steps) or outcome[begun] is not tally.outcome:
        return False
    counts = [number_in(each) for each in re.findall(r"[\d,]*\d", line)]
    solutions = [tally.solutions] * (tally.outcome is Outcome.EXHAUSTED and tally.solutions > 0)
    return counts == [*solutions, len(steps)]


def is_the_reason(film: Film, number: int, line: str, done: int, steps: Steps) -> bool:
    """Whether a line describes the last step, or why it is taken back."""
    puzzle = film.headers[number].puzzle
    if not done:
        return False
    before, after = (board_after(puzzle, steps, done - back) for back in (1, 0))
    op, cell, value = steps[done - 1]
    row, column = puzzle.problem.position(cell)
    name = f"row {row + 1}, column {column + 1}"
    options = options_of(puzzle, before, cell)
    if op == Op.UNDO:
        back = [name in line.lower(), "back to" in line.lower(), "led nowhere" in line]
        lost = re.search(r"has no place for (\d)", line)
        claims = lost is None or any(
            not has_place(puzzle, before, unit, int(lost[1]))
            for unit in range(len(puzzle.problem.units))
        )
        return any(back) and claims
    if not line.lower().startswith(name) or after[cell] != value:
        return False
    tried = re.search(r"tries (\d) of ([\d, ]+)", line)
    if tried:
        return int(tried[1]) == value and {*map(int, tried[2].split(", "))} == options
    return f" {value}" in line and ("only option" not in line or options == {value})


def is_the_verdict(film: Film, lines: list[str]) -> bool:
    """Whether all numbers in a verdict are counts of the searches, and the ratio is that of the two
    that it names, as is the cause: one uses inference and the other does not, or more guesses of
    the other one were wrong than this one has made."""
    text = " ".join(lines)
    ratio, counts = set[str](), set[int]()
    forced, guessed = list[bool](), list[int]()
    for number, tally in enumerate(film.tallies):
        steps, puzzle = steps_of(film, number), film.headers[number].puzzle
        places = sum(op != Op.UNDO for op, _, _ in steps)
        forced.append(any(op == Op.FORCED for op, _, _ in steps))
        guessed.append(guesses_in(puzzle, steps))
        counts |= {len(steps), places, len(steps) - places, guessed[-1], tally.solutions}
    named = re.search(r"([\d.,]+)(×|%) fewer steps", text)
    for worst, few in product(range(len(film.traces)), repeat=2):
        if named and lines[0].endswith(
            f"steps: {film.labels[few]} instead of {film.labels[worst]}"
        ):
            less, more = (film.tallies[each].steps for each in (few, worst))
            stated, is_ratio = Fraction(named[1].replace(",", "")), named[2] == "×"
            true = Fraction(more, less) if is_ratio else 100 - Fraction(100 * less, more)
            tenths = "." in named[1] or (is_ratio and stated < 10)
            assert abs(stated - true) <= (Fraction(1, 10) if tenths else 1), text
            assert "logic" not in text or forced[few] > forced[worst], text
            wrong = guessed[worst] - puzzle.givens.count(0)
            assert "guesses are wrong" not in text or guessed[few] < wrong, text
            ratio.add(named[0])
    assert named is None or ratio, text
    for label in sorted(film.labels, key=len, reverse=True):
        text = text.replace(label, "")
    rest = text.replace(named[0], "") if named else text
    return counts >= {*map(number_in, re.findall(r"\d[\d,]*", rest))}


def assert_captions_are_true(film: Film) -> int:
    """Every line of every caption is a sentence of the film, the verdict, or derived here; returns
    the number of lines that were derived."""
    timeline, derived = film.timeline, 0
    steps = [steps_of(film, number) for number in range(len(film.traces))]
    for caption in captions(film):
        shot, beat = timeline.shot_at(caption.start), timeline.beat_at(caption.start)
        lines = caption.text.split("\n")
        if shot.phase is Phase.CARD:
            assert is_the_verdict(film, lines), caption
            continue
        if beat and beat.kind is BeatKind.ANSWER:
            found = re.fullmatch(r"all ([\d,]+) steps? in ([\d.]+) (m?)s", caption.text)
            assert found, caption
            assert number_in(found[1]) == max(map(len, steps))
            seconds = Fraction(found[2]) / (1000 if found[3] else 1)
            assert abs(seconds - beat.frames / timeline.fps) <= 0.05
            continue
        if caption.text == film.title or shot.phase in (Phase.TITLE, Phase.INTRO):
            continue
        shown = [note for note in film.notes if note.start <= caption.start < note.end]
        for line in lines:
            derived += 1
            assert any(
                is_said(note, plain) or any(
                    check(film, number, plain, shot.steps[number], steps[number])
                    for check in (is_an_end, is_the_reason)
                ) or is_counted(plain, shot.steps[number], steps[number])
                for number, plain in subjects(film, line)
                for note in [*(each for each in shown if each.search in (number, FILM)), None]
            ), (caption, line)  # fmt: skip
    return derived


def subjects(film: Film, line: str) -> list[tuple[int, str]]:
    """The searches that a line may be about, and what it says about each."""
    if len(film.traces) == 1:
        return [(0, line)]
    return [
        (number, line.removeprefix(f"{label}: "))
        for number, label in enumerate(film.labels)
        if line.startswith(f"{label}: ")
    ] + [(0, line)]


def is_said(note: Note | None, line: str) -> bool:
    return note is not None and note.one_line == line


@pytest.mark.parametrize(
    "numbers",
    [range(20), *(pytest.param(range(start, start + 20), marks=pytest.mark.long)
                  for start in range(20, 220, 20))],
    ids=lambda numbers: f"{numbers.start}-{numbers.stop - 1}",
)  # fmt: skip
def test_all_that_random_films_say_is_derived_again(numbers: range) -> None:
    derived = 0
    for number in numbers:
        film = random_film(number)
        assert_true(film)
        derived += assert_captions_are_true(film)
    assert derived >= 4 * len(numbers)
