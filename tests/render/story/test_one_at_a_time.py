"""Sentences of films with so many boards that none has room for its own."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from undoku.render.story.readable_notes import one_at_a_time

from tests.support.puzzles import MEDIUM
from tests.support.stories import beat_of
from undoku import MemoryTrace, search
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.render.timeline.beats import BeatKind, first_beat
from undoku.render.timeline.notes import Note, NoteKind
from undoku.solver.trace.trace import Op

SIX = ("row-major", "column-major", "spiral", "static", "mrv", "mrv+singles")


def story(count: int, **given: object) -> Film:
    settings = settings_of({"size": "1280x720", "fps": 10, **given})
    return Film([search(MEDIUM.grid, name) for name in SIX[-count:]], settings)


@pytest.mark.parametrize("count", [4, 5, 6])
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"size": "640x360", "pace": "short"},
        {"size": "1080x1920", "margins": "4,10,11,25"},
    ],
    ids=["film", "gif", "tall"],
)
def test_films_of_four_to_six_searches_have_sentences(count: int, given: dict[str, object]) -> None:
    """In the rules, at the first step and where the first search ends; on a line of their own."""
    made = story(count, **given)
    assert made.layout.sentence
    assert made.layout.sentence_size >= (24 if made.layout.height == 720 else 11)
    for kind in (BeatKind.RULES, BeatKind.FIRST_STEP, BeatKind.FINISH):
        beat = first_beat(made.timeline.beats, kind)
        if beat is not None:
            middle = beat.start + beat.frames // 2
            assert [each for each in made.callouts if each.start <= middle < each.end], kind
    for one, other in pairwise(made.callouts):
        assert one.end <= other.start
    rules = beat_of(made, BeatKind.RULES)
    box = made.layout.sentence
    reported = made.callouts[0]
    assert rules.start <= reported.start < rules.end
    reported = next(each for each in made.callouts if not each.others)
    shots = [made.timeline.shot_at(frame) for frame in (0, reported.start)]
    titled, spoken = (
        frame.pixels[box.y : box.bottom, box.x : box.right].copy() for frame in made.draw(shots)
    )
    named = made.theme.search_colour(reported.search)
    assert (titled == made.theme.text).all(axis=2).any()
    assert not (titled == named).all(axis=2).any()
    assert (spoken == named).all(axis=2).any(), "the name has the colour of the search"


def test_a_sentence_about_all_names_its_search_and_its_cells_have_rings_on_that_board_alone() -> (
    None
):
    made = story(6)
    longest = made.timeline.totals.index(made.timeline.longest)
    first = beat_of(made, BeatKind.FIRST_STEP)
    callout = next(each for each in made.callouts if each.start >= first.start)
    assert callout.search == longest
    shots = [made.timeline.shot_at(frame) for frame in (first.start - 1, first.start + 2)]
    before, after = (frame.pixels.copy() for frame in made.draw(shots))
    ring = np.array(made.theme.undoing)
    ringed = [
        bool(((after == ring).all(axis=2) & (before != after).any(axis=2))[
            block.board.y : block.board.bottom, block.board.x : block.board.right
        ].any())
        for block in made.layout.blocks
    ]  # fmt: skip
    assert [number for number, there in enumerate(ringed) if there] == [longest]


def test_two_searches_keep_the_sentences_below_their_own_boards() -> None:
    made = story(2)
    assert made.layout.sentence is None
    assert {each.search for each in made.callouts} == {0, 1}


callouts = st.lists(
    st.builds(
        lambda search, start, frames, result: Note(
            start,
            start + frames,
            search,
            NoteKind.END if result else NoteKind.CALLOUT,
            "Said.",
            rings_end=start + frames // 2,
            placed=0,
        ),
        st.integers(0, 5),
        st.integers(0, 300),
        st.integers(1, 100),
        st.booleans(),
    ),
    max_size=20,
).map(lambda found: sorted(found, key=lambda each: (each.search, each.start)))


@given(callouts, st.lists(st.integers(1, 9), min_size=6, max_size=6))
def test_no_two_sentences_are_shown_at_once_and_only_about_two_searches_and_ends(
    found: list[Note], totals: list[int]
) -> None:
    reported = one_at_a_time(found, totals, Fraction(10))
    for one, other in pairwise(reported):
        assert one.start < one.end <= other.start
    spoken = {totals.index(max(totals)), totals.index(min(totals))}
    for each in reported:
        assert each.result or each.search in spoken
        assert each.rings_end <= each.end
        assert each.end - each.start >= 5  # half a second


def test_the_rule_of_each_of_three_searches_has_room() -> None:
    """Also if it describes logic: a rule without room would not be shown."""
    settings = settings_of({"size": "1280x720", "fps": 10})
    names = ("row-major", "mrv", "mrv+singles")
    made = Film([search(MEDIUM.grid, name) for name in names], settings)
    rules = beat_of(made, BeatKind.RULES)
    shots = [made.timeline.shot_at(frame) for frame in (rules.start - 1, rules.start)]
    before, after = (frame.pixels.copy() for frame in made.draw(shots))
    for block in made.layout.blocks:
        box = block.panels["callout"]
        place = slice(box.y, box.bottom), slice(box.x, box.right)
        assert not np.array_equal(before[place], after[place])


def test_the_end_of_a_search_is_shown_for_two_seconds_at_most_while_others_go_on() -> None:
    made = story(6)
    *others, last = [each for each in made.callouts if each.result]
    assert last.search == made.timeline.totals.index(made.timeline.longest)
    assert all(each.end - each.start <= 2 * made.timeline.fps for each in others)


def test_the_rules_of_six_searches_are_told_in_two_groups_that_the_traces_prove() -> None:
    """Each of the first group fills the cells in one order: its cell follows from the number of
    digits on the board. Each of the second one writes forced digits or takes a cell with the fewest
    options."""
    made = story(6)
    rules = beat_of(made, BeatKind.RULES)
    told = [each for each in made.callouts if rules.start <= each.start < rules.end]
    assert [each.text for each in told] == [
        "4 boards: the order is fixed in advance.",
        "2 boards: forced digits, or the fewest options first.",
    ]
    assert [(each.search, *each.others) for each in told] == [(0, 1, 2, 3), (4, 5)]
    assert told[0].end == told[1].start
    assert all(each.end - each.start >= 2 * made.timeline.fps for each in told)
    for number, trace in enumerate(made.traces):
        board = trace.header.puzzle.board.copy()
        cells: dict[int, set[int]] = {}
        geometry, steps = trace.header.puzzle.geometry, 0
        for op, value, cell in trace.read().tolist():
            if op > Op.UNDO or (steps := steps + 1) > 400:
                continue
            if op == Op.UNDO:
                board[cell] = 0
                continue
            left = {
                each: 9 - len({int(board[peer]) for peer in geometry.peers[each]} - {0})
                for each in np.flatnonzero(board == 0).tolist()
            }
            if number < 4:
                cells.setdefault(int((board > 0).sum()), set()).add(cell)
            else:
                assert op == Op.FORCED or left[cell] == min(left.values())
            board[cell] = value
        assert all(len(each) == 1 for each in cells.values())
    shots = [made.timeline.shot_at(each.start + 1) for each in told]
    for each, frame in zip(told, made.draw(shots), strict=True):
        for number, block in enumerate(made.layout.blocks):
            ringed = tuple(frame.pixels[block.board.y - 1, block.board.x + 40].tolist())
            lit = ringed == made.theme.search_colour(number)
            assert lit == (number in (each.search, *each.others))


def test_a_search_that_its_trace_describes_is_not_told_together_with_others() -> None:
    """Its description was replaced by the rule of three boards."""
    traces = [
        search(MEDIUM.grid, name) for name in ("row-major", "mrv", "mrv-degree", "mrv+singles")
    ]
    header = replace(traces[3].header, description="Thinks first.")
    described = MemoryTrace(header, traces[3].read(), traces[3].tally().outcome)
    made = Film([*traces[:3], described], settings_of({"size": "1280x720", "fps": 10}))
    rules = beat_of(made, BeatKind.RULES)
    told = [each for each in made.callouts if rules.start <= each.start < rules.end]
    assert [(each.search, each.others, each.text) for each in told] == [
        (0, (), "Takes the empty cells in reading order."),
        (1, (2,), "2 boards: always where the fewest digits fit."),
        (3, (), "Thinks first."),
    ]
