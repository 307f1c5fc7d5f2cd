"""Everything that a story says is true, and true while it is shown: each claim is derived again, by
plain programs, from the trace and from the boards of the frames on which it is shown.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.amounts import few, long
from tests.support.films import act_at, beat_of, film_of, picture_at
from tests.support.puzzles import EASY, HARD, MEDIUM, UNSOLVABLE
from tests.support.slow_claims import (
    Steps,
    assert_true,
    board_after,
    full_boards,
    guesses_in,
    has_place,
    options_of,
    solutions_of,
    steps_at,
    steps_of,
)
from tests.support.system import ROOT
from undoku import Limits, MemoryTrace, parse_puzzle, search
from undoku.render.delivery.captions import captions
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.render.story.claims import Claim, ClaimKind, ClaimNote, sentence_of
from undoku.render.story.derived_claims import cost_claim
from undoku.render.story.film_notes import joined
from undoku.render.story.first_moves import first_moves, only_solution
from undoku.render.timeline.beats import BeatKind
from undoku.render.timeline.notes import FILM, Note, NoteKind
from undoku.render.timeline.timeline import Phase
from undoku.solver.problem.puzzle import standard_geometry
from undoku.solver.problem.sources import read
from undoku.solver.study.generate import PuzzleRequirements, generate
from undoku.solver.study.generate import puzzles as generated
from undoku.solver.trace.trace import Op, Outcome

PAIR = ("row-major", "mrv")
PUZZLES = ROOT / "examples" / "puzzles"
STRATEGIES = (
    "row-major", "mrv", "dom-wdeg", "mrv+singles", "column-major/descending", "mrv+luby:10",
    "mrv+lds",
)  # fmt: skip


@few(4)
@given(
    st.integers(1, 12),
    st.sampled_from(STRATEGIES),
    st.sampled_from(STRATEGIES),
    st.sampled_from([Limits(), Limits(60), Limits(400), Limits(3000, exhaustive=True)]),
    st.sampled_from(["story", "short"]),
    st.sampled_from(["640x360", "360x640"]),
)
def test_every_sentence_about_any_pair_is_true_while_it_is_shown(
    seed: int, first: str, second: str, limits: Limits, pace: str, size: str
) -> None:
    puzzle = next(generated(seed=seed))
    assert_true(film_of(first, second, puzzle=puzzle, limits=limits, pace=pace, size=size, fps=20))


@pytest.mark.parametrize(
    ("pair", "told"),
    [
        (
            ("mrv+last-conflict", "mrv"),
            [(0, "4 is wrong: costs 516 steps."), (1, "Here it costs 384 steps.")],
        ),
        (
            ("row-major", "row-major+cbj"),
            [
                (0, "4 is wrong: 2 cells need 5. Costs 2,816 steps."),
                (1, "Here it costs 112 steps."),
            ],
        ),
        (
            ("mrv", "mrv/lcv"),
            [(0, "4 is wrong: costs 384 steps."), (1, "8 is wrong, too: costs 332 steps.")],
        ),
    ],
)
def test_what_a_mistake_of_both_searches_costs_is_told_of_one_and_then_of_the_other(
    pair: tuple[str, str], told: list[tuple[int, str]]
) -> None:
    film = film_of(*pair, puzzle=read(str(PUZZLES / "medium.txt")), limits=Limits(), fps=30)
    assert_true(film)
    beats = ("mistake", "fastest")
    assert [(number, text) for number, beat, text in texts(film) if beat in beats] == told


@pytest.mark.parametrize("name", ["medium", long("hard"), long("jigsaw"), "sixteen"])
def test_every_sentence_about_the_published_puzzles_is_true_while_it_is_shown(name: str) -> None:
    puzzle = read(str(PUZZLES / f"{name}.txt"))
    strategies = PAIR if name != "sixteen" else ("mrv+singles", "mrv/descending+singles")
    claims = assert_true(film_of(*strategies, puzzle=puzzle, limits=Limits(60_000), fps=30))
    assert claims


def test_wrong_first_digits_of_waves_are_those_of_the_first_cells() -> None:
    """After a restart, other cells than before may be the first ones."""
    assert assert_true(film_of("mrv+lds", puzzle=parse_puzzle(HARD.grid), limits=Limits(), fps=30))
    trace = search(read(str(PUZZLES / "worlds-hardest.txt")), "dom-wdeg+luby:10")
    moves = first_moves(trace, only_solution(trace.header.puzzle))
    firsts = [each for each in moves.wrong_values if each.before == 0]
    assert 2 * sum(each.stands + 1 for each in firsts) > trace.tally().steps
    assert len({each.cell for each in firsts}) == 7  # one in each of seven cells: no cell's cost
    assert cost_claim(0, moves, trace.tally()) is None


def texts(film: Film) -> list[tuple[int, str, str]]:
    return [
        (note.search, str(beat.kind), note.text.replace("\n", " "))
        for note in film.notes
        if (beat := film.timeline.beat_at(note.start))
    ]


def test_the_story_of_the_usual_pair_is_told_in_these_sentences() -> None:
    """A guess beside a digit that needs none; why it is wrong, and what it costs; how many of the
    digits were guesses. The names say the rest."""
    film = film_of(*PAIR)
    assert texts(film) == [
        (0, "first", "Dots: 3 options."),
        (0, "first", "Guess: 4."),
        (1, "second", "1 option."),  # of each of the steps before
        (1, "second", "1 option."),
        (1, "second", "No guess."),
        (0, "mistake", "4 is wrong: 2 cells need 5. Costs 2,816 steps."),
        (0, "finish", "6 in 10 guessed"),
        (1, "finish", "1 in 10 guessed"),
        (0, "laps", "The wrong 4 stands."),
    ]
    ringed = [(note.placed, note.shown, note.wanted) for note in film.notes if note.wrong]
    assert ringed == [(0, (27, 36), 5), (0, (), 0)]
    doors = [(note.options, note.value) for note in film.notes if note.options]
    assert doors == [((4, 5, 9), 4)] * 2 + [((9,), 9)] * 2


@pytest.mark.parametrize("pace", ["story", "short"])
def test_a_forced_digit_is_not_the_same_as_the_wrong_guess_beside_it(pace: str) -> None:
    """The winner writes 4, 5 and 4 first. Then the cell in which the other one has guessed a wrong
    4 has one option, 9; both searches have taken as many steps."""
    film = film_of(*PAIR, pace=pace, fps=30)
    guess, forced = ([note for note in film.notes if note.options and note.search == number][-1]
                     for number in (0, 1))  # fmt: skip
    assert (guess.placed, guess.value) == (0, 4)
    assert (forced.placed, forced.options) == (0, (9,))
    assert {film.timeline.shot_at(frame).steps for frame in (forced.start, forced.end - 1)} == {
        (4, 4)
    }


def test_a_first_step_that_does_not_tell_the_searches_apart_is_not_told() -> None:
    """Then the first one is told that does; where none differs, the first step is an example of the
    reason."""
    film = film_of("row-major", "mrv+singles", puzzle=EASY.grid)
    assert [text for _, _, text in texts(film)[:4]] == [
        "Dots: 2 options.", "Guess: 6.", "1 option.", "No guess.",
    ]  # fmt: skip
    tie = texts(film_of("mrv", "mrv-degree", puzzle=EASY.grid))
    assert [text for _, _, text in tie] == ["Dot: 1 option.", "No guess."]


@pytest.mark.parametrize(
    ("other", "goes_on"),
    [
        ("mrv+singles", ["3: only here in row 4.", "No guess."]),
        ("mrv+last-conflict", []),
    ],
)
def test_of_searches_that_begin_alike_the_wrong_guess_is_told(
    other: str, goes_on: list[str]
) -> None:
    """Five digits without a choice of their own say nothing about the difference. The other search
    does something else then, or guesses the same."""
    film = film_of("mrv", other, fps=30)
    told = [text for search, _, text in texts(film) if search != FILM]
    assert told[:2] == ["Dots: 2 options.", "Guess: 4."]
    assert told[2 : 2 + len(goes_on)] == goes_on
    assert told[2 + len(goes_on)].startswith("4 is wrong: costs ")
    assert_true(film)


def test_without_a_wrong_guess_to_show_a_story_says_how_many_guesses_are_undone() -> None:
    film = film_of(*PAIR, puzzle="map:usa")
    for number, kind in enumerate((BeatKind.MISTAKE, BeatKind.FASTEST)):
        beat = beat_of(film, kind)
        (note,) = (note for note in film.notes if beat.start <= note.start < beat.end)
        assert act_at(film, note.start).script.lit == note.search == beat.subject == number
        assert note.text == ("1,328 guesses undone.", "0 guesses undone.")[number]
    assert_true(film)


def test_a_short_film_of_queens_tells_that_one_search_does_not_see_a_lost_row() -> None:
    """Where both searches guess, and without names of columns, which nobody sees on the board."""
    film = film_of(*PAIR, puzzle=parse_puzzle("queens:20"), pace="short", fps=20, size="390x390")
    said = [(note.search, note.text) for note in joined(film.notes)]
    assert said[:4] == [
        (0, "No safe square here."), (0, "Not noticed."), (1, "Empty rows have safe squares."),
        (0, "123,972 guesses undone."),
    ]  # fmt: skip
    assert film.notes[0].placed == 13 < film.notes[0].rings_end
    for number, steps, lost in ((0, 11, [13]), (1, 12, []), (1, 13, [])):
        queens = {cell: value for _, cell, value in steps_of(film, number)[:steps]}
        assert len(queens) == steps
        safe = {
            row: [
                column
                for column in range(1, 21)
                if all(
                    column != other and abs(column - other) != abs(row - at)
                    for at, other in queens.items()
                )
            ]
            for row in {*range(20)} - {*queens}
        }
        assert [row for row, columns in safe.items() if not columns][:1] == lost


def test_of_queens_the_row_is_told_where_both_searches_differ_most() -> None:
    """It has four safe squares, and where the fastest search places its queen only one."""
    film = film_of(*PAIR, puzzle=parse_puzzle("queens:12"), fps=20)
    said = [(note.search, note.text) for note in film.notes]
    assert said[:4] == [
        (0, "4 safe squares."), (0, "A guess."), (1, "1 safe square."), (1, "No guess."),
    ]  # fmt: skip
    assert not any(note.options for note in film.notes)


def test_a_dead_end_without_a_guess_is_told_as_the_proof_that_there_is_no_solution() -> None:
    film = film_of(*PAIR, puzzle="4" + MEDIUM.grid[1:], fps=20)
    assert (1, "second", "No guess: the × is proof.") in texts(film)
    assert (0, "mistake", "890 guesses undone.") in texts(film)
    assert_true(film)


def test_a_story_of_all_solutions_asks_for_another_one_only_while_there_may_be_one() -> None:
    """The clock stands on the first full board; it must not be asked under two solutions."""
    puzzle = MEDIUM.grid[:-2] + "00"
    for grid, found in ((MEDIUM.grid, 1), (puzzle, None)):
        film = film_of(*PAIR, puzzle=grid, limits=Limits(exhaustive=True))
        assert found is None or film.tallies[0].solutions == found
        asked = [note for note in film.notes if "another" in note.text]
        assert [note.search for note in asked] == [1, 0]
        for note in asked:
            steps = steps_of(film, note.search)
            assert note.frames >= Fraction(3, 2) * film.timeline.fps
            for frame in (note.start, note.end - 1):
                count = steps_at(film, note, frame)
                assert full_boards(film.headers[0].puzzle, steps, count) == 1
        assert_true(film)


@pytest.mark.parametrize(
    ("grid", "limits", "said"),
    [
        (MEDIUM.grid, Limits(), "Done in 534 steps."),
        (MEDIUM.grid, Limits(100), "Stopped after 187 steps, not done."),
        (
            MEDIUM.grid,
            Limits(exhaustive=True),
            "Everything tried: only one solution.",
        ),
        (MEDIUM.grid[:-2] + "00", Limits(exhaustive=True), "Everything tried in 1,800 steps."),
        ("12....3.........", Limits(), "Everything tried: no solution."),
    ],
)
def test_the_mark_of_an_end_says_how_a_search_ended(grid: str, limits: Limits, said: str) -> None:
    """On the first frame of the second pass that shows its last step."""
    film = film_of("mrv", puzzle=grid, limits=limits)
    (mark,) = (mark for mark in film.marks if mark.kind is NoteKind.END)
    assert mark.text == said
    assert mark.start == film.timeline.frame_of(0, film.tallies[0].steps)
    assert_true(film)


@pytest.mark.parametrize("strategies", [("mrv",), PAIR])
def test_a_film_of_an_unsolvable_puzzle_begins_with_the_cell_that_has_no_option(
    strategies: tuple[str, ...],
) -> None:
    """Also if no search takes a step; the cell has a ring until the sentence ends."""
    film = film_of(*strategies, puzzle=UNSOLVABLE, limits=Limits(500), size="640x360", fps=10)
    note = next(each for each in film.notes if each.search != FILM)
    assert note.text == "No digit fits here: no solution."
    assert beat_of(film, BeatKind.QUESTION).end <= note.start < note.rings_end == note.end
    assert beat_of(film, BeatKind.FIRST).start == note.start
    puzzle = film.headers[0].puzzle
    assert not options_of(puzzle, list(puzzle.givens), note.placed)
    assert_true(film)
    asked, told = (picture_at(film, frame) for frame in (note.start - 1, note.end - 1))
    box = film.layout.sentence
    assert box and (asked != told)[box.y : box.bottom, box.x : box.right].any()


def ringed_at(film: Film, second: float) -> list[tuple[Note, int, int]]:
    """The sentences with rings at a time of the film, each with its cell and the value on it."""
    frame = int(second * film.timeline.fps)
    found = []
    for note in film.notes:
        if note.start <= frame < note.rings_end and note.placed >= 0:
            steps = steps_of(film, note.search)
            puzzle = film.headers[note.search].puzzle
            board = board_after(puzzle, steps, steps_at(film, note, frame))
            found.append((note, note.placed, board[note.placed]))
    return found


@pytest.mark.parametrize("name", ["medium", "extreme"])
def test_a_ring_its_digit_and_its_sentence_show_the_same_moment(name: str) -> None:
    """At every time with a ring: the ring of a mistake never surrounds a right digit, the digit of
    the sentence is on the board, and a cell whose options are told has them."""
    puzzle = read(str(PUZZLES / f"{name}.txt"))
    film = film_of(*PAIR, puzzle=puzzle, limits=Limits(60_000), fps=20)
    solution = only_solution(puzzle)
    assert solution
    mistakes = 0
    ringed = [note for note in film.notes if note.rings_end > note.start and note.placed >= 0]
    assert ringed
    for note in ringed:
        for frame in range(note.start, note.rings_end, 7):
            for each, cell, value in ringed_at(film, frame / 20):
                if each.wrong:
                    mistakes += 1
                    assert value not in (0, solution[cell])
                    assert str(value) in each.text
                else:
                    assert value in (0, each.value)
    assert mistakes


@pytest.mark.parametrize("pace", ["story", "short"])
def test_a_sentence_is_shown_until_it_can_be_read_or_not_at_all(pace: str) -> None:
    """Of at most 25 letters a second."""
    for grid, nodes in ((EASY.grid, 10), (MEDIUM.grid, 300), (HARD.grid, None)):
        film = film_of(
            "mrv+singles", "row-major", puzzle=grid, limits=Limits(nodes), fps=10, pace=pace
        )
        notes = [note for note in film.notes if isinstance(note, ClaimNote)]
        assert all(25 * note.frames >= 10 * len(note.text) for note in notes)
        assert len(notes) >= 2


def test_no_value_is_called_wrong_where_the_solution_is_not_known_to_be_the_only_one() -> None:
    film = film_of(*PAIR, puzzle=MEDIUM.grid[:-2] + "00")
    assert len(solutions_of(film.headers[0].puzzle)) == 2
    assert not any(note.wrong for note in film.notes)


def test_a_puzzle_that_takes_a_plain_search_too_long_is_proved_with_logic() -> None:
    """So that its film can call a digit wrong."""
    solution = only_solution(read(str(PUZZLES / "fifty-minutes.txt")))
    assert solution and len(solution) == 81


@pytest.mark.parametrize("exhaustive", [False, True])
def test_a_search_for_all_solutions_says_so_from_the_first_picture_on(exhaustive: bool) -> None:
    limits = Limits(exhaustive=exhaustive)
    film = Film([search(MEDIUM.grid, name, limits) for name in PAIR], settings_of({}))
    assert film.title == ("All solutions." if exhaustive else "")
    first = beat_of(film, BeatKind.QUESTION)
    assert [note.text for note in film.notes if note.start < first.end] == [film.title] * exhaustive


@pytest.mark.parametrize(
    ("strategies", "grid", "asked"),
    [
        (("mrv",), EASY.grid, "How many guesses?"),
        # Nobody knows yet that there is no solution.
        (("mrv",), "4" + MEDIUM.grid[1:], "Is there a solution?"),
        (PAIR, "4" + MEDIUM.grid[1:], ""),
        (("row-major", "mrv", "mrv"), EASY.grid, ""),
    ],
)
def test_only_a_single_search_is_asked_a_question(
    strategies: tuple[str, ...], grid: str, asked: str
) -> None:
    assert film_of(*strategies, puzzle=grid).title == asked


def test_the_title_of_a_film_of_even_pace_says_the_result_and_its_reason() -> None:
    """If there is one that the numbers show."""
    asked = "33× fewer steps: 39 guesses instead of 5,569"
    assert film_of(*PAIR, pace="even").title == asked
    assert film_of("mrv", "mrv", pace="even").title == "One puzzle, two strategies"


def test_beats_are_as_long_as_their_sentences_need_in_the_language_of_the_film() -> None:
    """At 17 letters a second; German needs more of them."""
    lengths = {}
    for language in ("en", "de"):
        film = film_of(*PAIR, puzzle=MEDIUM.grid, language=language)
        (note,) = (note for note in film.notes if "2" in note.text and note.wrong)
        lengths[language] = note.frames
        assert note.frames >= len(note.text) / 17 * film.timeline.fps
    assert lengths["de"] > lengths["en"]


# Whatever a film of any searches says, in its sentences and in its captions, is derived again
# from the traces and the boards by slow means.


MANY_STRATEGIES = (
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
    names = dice.sample(MANY_STRATEGIES, dice.choice([1, 2, 2, 2, 3, 4]))
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
    for worst, least in product(range(len(film.traces)), repeat=2):
        if named and lines[0].endswith(
            f"steps: {film.labels[least]} instead of {film.labels[worst]}"
        ):
            less, more = (film.tallies[each].steps for each in (least, worst))
            stated, is_ratio = Fraction(named[1].replace(",", "")), named[2] == "×"
            true = Fraction(more, less) if is_ratio else 100 - Fraction(100 * less, more)
            tenths = "." in named[1] or (is_ratio and stated < 10)
            assert abs(stated - true) <= (Fraction(1, 10) if tenths else 1), text
            assert "logic" not in text or forced[least] > forced[worst], text
            wrong = guessed[worst] - puzzle.givens.count(0)
            assert "guesses are wrong" not in text or guessed[least] < wrong, text
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
        if caption.text == film.title or shot.phase is Phase.INTRO:
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


def test_boards_of_two_problems_are_judged_by_their_own() -> None:
    """A row of twenty queens is not one of eight."""
    subjects = [search("queens:8", "row-major"), search("queens:20", "mrv")]
    film = Film(subjects, settings_of({"size": "390x390", "fps": 10}))
    assert film.notes
    assert [note for note in film.notes if note.placed >= 8 and note.search == 0] == []


def test_four_searches_one_of_which_takes_no_step_have_a_film() -> None:
    grid = "....8.......5...34487.2..5......134.2..84.7.98.....6..6.8.14...37...2..1..59...6."
    rules = "mrv+locked+pairs+x-wing+alldiff"
    film = film_of("row-major", "static", "mrv", rules, puzzle=grid, limits=Limits(20_000), fps=10)
    assert [tally.steps == 0 for tally in film.tallies] == [False, False, False, True]
    assert_true(film)


def test_a_dead_end_that_no_board_shows_is_no_proof_in_words() -> None:
    """Here a value has no place in a row, but every cell has an option: there is no cross."""
    grid = "5...8....9....3........69.37...6...8.63..5.19..13.76....87.459...4..28...2..38..7"
    film = film_of("row-major", "dancing-links", puzzle=grid, limits=Limits(20_000), fps=20)
    assert "No guess: the × is proof." not in {note.text for note in film.notes}
    assert_true(film)


def test_a_search_that_was_stopped_is_no_example_of_few_guesses_undone() -> None:
    whole = search("map:usa", "mrv")
    cut = search("map:usa", "mrv", Limits(30))
    assert cut.tally().outcome is Outcome.CAPPED
    for fast, told in ((whole, True), (cut, False)):
        film = Film([search("map:usa", "row-major"), fast], settings_of({}))
        assert any("guesses undone" in note.text for note in film.notes) is told


def test_a_recorded_search_that_restarts_has_no_cost() -> None:
    """Also if nobody knows the name of its strategy."""
    restarted = search(MEDIUM.grid, "row-major+luby:30")
    unnamed = MemoryTrace(
        restarted.header._replace(strategy=""),
        np.concatenate([*restarted.chunks()]),
        restarted.tally().outcome,
    )
    film = Film([unnamed, search(MEDIUM.grid, "mrv")], settings_of({}))
    assert any(note.wrong for note in film.notes)
    assert not any("Costs" in note.text for note in film.notes)


def test_a_sentence_begins_with_a_capital_letter_where_values_are_colours() -> None:
    claim = Claim(ClaimKind.WRONG, 0, 1, (0,), 1, count=5)
    header = search("map:usa", "mrv").header
    assert sentence_of(claim, [header]) == "Blue is wrong: costs 5 steps."


@pytest.mark.parametrize(
    ("strategies", "puzzle", "limits", "given"),
    [
        (PAIR, "queens:8", Limits(1), {}),
        (("mrv",), "123....4........", Limits(), {"duration": "8s"}),
        (("static+naked-singles+last-conflict", "norvig"), "1234341221434321", Limits(), {}),
        (("norvig", "nested-loops"), HARD.grid, Limits(2), {}),
    ],
)
def test_searches_that_end_at_once_have_a_film(
    strategies: tuple[str, ...], puzzle: str, limits: Limits, given: dict[str, str]
) -> None:
    """Without a step, without a solution, of a full board, or before the first mistake."""
    film = film_of(
        *strategies, puzzle=parse_puzzle(puzzle), limits=limits, size="640x360", fps=10, **given
    )
    assert sum(frame.ticks for frame in film.frames()) == film.timeline.frames
