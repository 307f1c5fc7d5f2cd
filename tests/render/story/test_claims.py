"""Everything that a story says is true, and true while it is shown: each claim is derived again, by
plain programs, from the trace and from the boards of the frames on which it is shown.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.amounts import few
from tests.support.films import beat_of, film_of, picture_at
from tests.support.paths import ROOT
from tests.support.puzzles import EASY, HARD, MEDIUM, UNSOLVABLE
from tests.support.slow_claims import (
    assert_true,
    board_after,
    full_boards,
    options_of,
    solutions_of,
    steps_at,
    steps_of,
)
from undoku import Limits, parse_puzzle, search
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.render.story.claims import (
    ClaimNote,
)
from undoku.render.story.derived_claims import cost_claim
from undoku.render.story.first_moves import first_moves, only_solution
from undoku.render.timeline.beats import BeatKind
from undoku.render.timeline.notes import FILM, Note, NoteKind
from undoku.solver.problem.sources import read
from undoku.solver.study.generate import puzzles as generated

PAIR = ("row-major", "mrv")
PUZZLES = ROOT / "examples" / "puzzles"
STRATEGIES = (
    "row-major", "mrv", "dom-wdeg", "mrv+singles", "column-major/descending", "mrv+luby:10",
    "mrv+lds",
)  # fmt: skip


@few(6)
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
    ("pair", "notice"),
    [
        (("mrv+last-conflict", "mrv"), "Not noticed for 515 steps, by the winner for 383."),
        (("row-major", "row-major+cbj"), "Not noticed for 2,815 steps, by the winner for 111."),
        (("mrv", "mrv/lcv"), "Not noticed for 383 steps."),
    ],
)
def test_a_mistake_of_both_searches_is_not_told_as_that_of_one(
    pair: tuple[str, str], notice: str
) -> None:
    film = film_of(*pair, puzzle=read(str(PUZZLES / "medium.txt")), limits=Limits(), fps=30)
    assert_true(film)
    told = [note.lines[-1] for note in film.notes if note.wrong and note.lines[1:]]
    assert told == [notice]


@pytest.mark.parametrize("name", ["medium", "hard", "jigsaw", "sixteen"])
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
    """A question; a guess beside a digit that needs none; why it is wrong, and for how long; how
    many of the digits were guesses."""
    film = film_of(*PAIR)
    assert texts(film) == [
        (FILM, "question", "Same puzzle. Two orders."),
        (0, "first", "3 dots: 3 options."),
        (0, "first", "It guesses 4."),
        (1, "second", "1 option."),
        (1, "second", "No guess."),
        (0, "mistake", "Both need 5: this 4 is wrong. Not noticed for 2,815 steps."),
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
    """Then the reason for the difference, the share of guesses, is said within nine seconds; where
    nothing differs, the first step is an example of the reason."""
    film = film_of("row-major", "mrv+singles", puzzle=EASY.grid)
    assert texts(film)[1:] == [(0, "finish", "3 in 10 guessed"), (1, "finish", "no guess")]
    assert film.notes[-1].start <= 9 * film.timeline.fps
    tie = texts(film_of("mrv", "mrv-degree", puzzle=EASY.grid))
    assert [text for _, _, text in tie[1:]] == ["1 dot: 1 option.", "No guess."]


@pytest.mark.parametrize(
    ("other", "goes_on"),
    [("mrv+singles", ["3 fits nowhere else in row 4.", "No guess."]), ("mrv+last-conflict", [])],
)
def test_of_searches_that_begin_alike_the_wrong_guess_is_told(
    other: str, goes_on: list[str]
) -> None:
    """Five digits without a choice of their own say nothing about the difference. The other search
    does something else then, or guesses the same."""
    film = film_of("mrv", other, fps=30)
    told = [text for _, _, text in texts(film)]
    assert told[1:3] == ["2 dots: 2 options.", "It guesses 4."]
    assert told[3 : 3 + len(goes_on)] == goes_on
    assert told[3 + len(goes_on)].startswith("This 4 is wrong. Not noticed for ")
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
            "No other solution. Everything tried in 1,540 steps.",
        ),
        (MEDIUM.grid[:-2] + "00", Limits(exhaustive=True), "Everything tried in 1,800 steps."),
        ("12....3.........", Limits(), "No solution. Everything tried in 2 steps."),
    ],
)
def test_the_mark_of_an_end_says_how_a_search_ended(grid: str, limits: Limits, said: str) -> None:
    """On the first frame of the second pass that shows its last step."""
    film = film_of("mrv", puzzle=grid, limits=limits)
    (mark,) = (mark for mark in film.marks if mark.kind is NoteKind.END)
    assert mark.text == said
    assert mark.start == film.timeline.frame_of(0, film.tallies[0].steps)
    assert f"{len(steps_of(film, 0)):,} steps" in said
    assert_true(film)


@pytest.mark.parametrize("strategies", [("mrv",), PAIR])
def test_a_film_of_an_unsolvable_puzzle_begins_with_the_cell_that_has_no_option(
    strategies: tuple[str, ...],
) -> None:
    """Also if no search takes a step; the cell has a ring until the sentence ends."""
    film = film_of(*strategies, puzzle=UNSOLVABLE, limits=Limits(500), size="640x360", fps=10)
    question, note, *_ = film.notes
    assert note.text == "No digit fits here: no solution."
    assert question.end <= note.start < note.rings_end == note.end
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
    assert film.title.endswith(" All solutions.") is exhaustive
    assert film.notes[0].text == film.title
    assert film.notes[0].start == beat_of(film, BeatKind.QUESTION).start == 0


@pytest.mark.parametrize(
    ("strategies", "grid", "asked"),
    [
        (("row-major", "mrv"), EASY.grid, "Same puzzle. Two orders."),
        (("mrv", "mrv/descending"), EASY.grid, "Same puzzle. Two orders of digits."),
        (("row-major", "mrv/descending"), EASY.grid, "Same puzzle. Two strategies."),
        (("mrv", "mrv"), EASY.grid, "Same puzzle. Two searches."),
        (("row-major", "mrv", "mrv"), EASY.grid, "Same puzzle. Three searches."),
        # Nobody knows yet that there is no solution.
        (("mrv",), "4" + MEDIUM.grid[1:], "Is there a solution?"),
        (PAIR, "4" + MEDIUM.grid[1:], "Same puzzle. Two orders."),
    ],
)
def test_the_question_counts_what_differs_or_asks_one_search_for_a_solution(
    strategies: tuple[str, ...], grid: str, asked: str
) -> None:
    assert film_of(*strategies, puzzle=grid).title == asked


def test_beats_are_as_long_as_their_sentences_need_in_the_language_of_the_film() -> None:
    """At 17 letters a second; German needs more of them."""
    lengths = {}
    for language in ("en", "de"):
        film = film_of(*PAIR, puzzle=MEDIUM.grid, language=language)
        (note,) = (note for note in film.notes if "2" in note.text and note.wrong)
        lengths[language] = note.frames
        assert note.frames >= len(note.text) / 17 * film.timeline.fps
    assert lengths["de"] > lengths["en"]
