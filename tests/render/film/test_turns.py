"""Tall stories, in which two searches take turns to be large."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.films import act_at, assert_apart, beat_of, film_of, large_on, picture_at
from tests.support.puzzles import HARD, MEDIUM, Published
from undoku import Limits
from undoku.render.delivery.fit import limits_for, suited
from undoku.render.film.film import Film
from undoku.render.playback.player import Player
from undoku.render.playback.step_reasons import candidates
from undoku.render.timeline.beats import BeatKind

MARGINS = "4.45,10.42,11.11,25"
WHOLE = Limits(exhaustive=True)


def tall(
    size: str = "540x960",
    *strategies: str,
    limits: Limits | None = None,
    puzzle: Published = MEDIUM,
    **given: Any,
) -> Film:
    names = strategies or ("row-major", "mrv")
    return film_of(*names, puzzle=puzzle.grid, limits=limits, size=size, fps=30, **given)


@pytest.mark.parametrize(
    ("size", "margins", "exhaustive"),
    [("1080x1920", MARGINS, False), ("540x960", MARGINS, False), ("720x1280", None, False),
     ("480x720", None, False), ("1080x2340", None, False), ("540x960", MARGINS, True)],
)  # fmt: skip
def test_one_board_is_as_wide_as_the_picture_and_both_are_whole(
    size: str, margins: object, exhaustive: bool
) -> None:
    """At least 80 % of the safe width, and 864 pixels of 1080, until one search goes on alone;
    75 % where solutions are beside the sentence. Nothing overlaps."""
    made = tall(size, margins=margins, limits=Limits(exhaustive=exhaustive))
    *turns, alone = made.acts
    assert len(turns) == 2
    for act in (*turns, alone):
        layout = act.script.layout
        small, large = sorted(layout.blocks, key=lambda block: block.board.width)
        least = (0.45 if act is alone else 0.8) - 0.05 * exhaustive
        assert large.board.width >= least * layout.inside.width
        assert act is alone or size != "1080x1920" or large.board.width >= 864
        assert small.board.width >= 9 * 8
        assert not exhaustive or (
            set(large.panels) == {"callout", "solutions"} and not small.panels
        )
        assert_apart(layout)
    assert alone.script.layout.chart


@pytest.mark.parametrize("exhaustive", [False, True])
def test_the_boards_change_their_places_twice_with_a_rule_and_a_clock_that_stops(
    exhaustive: bool,
) -> None:
    """The longest search is large for its rule and its first step, the other one for its own first
    step and rule and until it ends, and then the longest one alone."""
    made = tall(limits=Limits(exhaustive=exhaustive))
    timeline = made.timeline
    shown = [large_on(made, beat.start) for beat in timeline.beats]
    changes = [number for at, number in enumerate(shown) if at == 0 or number != shown[at - 1]]
    assert changes == [0, 1, 0]
    for kind in (BeatKind.RULES, BeatKind.FIRST_STEP):
        parts = [beat for beat in timeline.beats if beat.kind is kind]
        assert [large_on(made, beat.start) for beat in parts] == [0, 1]
    for beat in timeline.beats:
        if beat.kind in (BeatKind.TURN, BeatKind.RULES, BeatKind.SPOTLIGHT):
            before, after = timeline.shot_at(beat.start), timeline.shot_at(beat.end - 1)
            assert beat.steps == 0 and before.steps == after.steps


@pytest.mark.parametrize("exhaustive", [False, True])
@pytest.mark.parametrize("name", ["row-major", "mrv/descending", "mrv+singles"])
@pytest.mark.parametrize("puzzle", [MEDIUM, HARD])
def test_every_sentence_is_about_the_large_board(
    puzzle: Published, name: str, exhaustive: bool
) -> None:
    limits = Limits(exhaustive=exhaustive, max_nodes=30_000)
    made = tall("540x960", name, "mrv", puzzle=puzzle, limits=limits)
    assert len(made.acts) > 1
    assert {each.search for each in made.callouts} == {0, 1}
    for callout in made.callouts:
        assert large_on(made, callout.start) == large_on(made, callout.end - 1) == callout.search
        blocks = act_at(made, callout.start).script.layout.blocks
        assert "callout" in blocks[callout.search].panels


def test_the_second_rule_is_that_of_the_board_when_it_is_shown() -> None:
    """The numbers are those of the options that its cells have at that moment."""
    made = tall()
    _, beat = (each for each in made.timeline.beats if each.kind is BeatKind.RULES)
    assert beat.step == 1
    (_, act, _) = made.acts
    assert act.script.rules[0] is None
    rule = act.script.rules[1]
    player = Player(made.traces[1])
    board = player.advance(beat.step).board.copy()
    puzzle = made.headers[1].puzzle
    assert rule
    assert dict(rule.options) == {
        cell: len(candidates(puzzle, board, cell)) for cell in range(81) if not board[cell]
    }
    following = made.narration.moves[1].steps[beat.step]
    assert following.cell in rule.best


def test_moving_boards_cover_no_text() -> None:
    """Names, numbers and their labels are the same on every frame of a turn, except that the name
    of the large board is on a bar."""
    made = tall("1080x1920", margins=MARGINS)
    _, *later = made.acts
    for act in later:
        frames = range(act.start - 1, act.start + act.moving + 1)
        pictures = made.draw([made.timeline.shot_at(frame) for frame in frames])
        before = next(pictures).pixels.copy()
        blocks = act.script.layout.blocks
        boxes = [box for block in blocks for box in block.counters]
        if made.layout.title:
            boxes.append(made.layout.title)
        for frame in pictures:
            for box in boxes:
                window = slice(box.y, box.bottom), slice(box.x, box.right)
                assert np.array_equal(frame.pixels[window], before[window])
            for block in blocks:
                name = block.name
                part = frame.pixels[name.y : name.bottom, name.x : name.right].reshape(-1, 3)
                # Letters, bar and background, and their blends, but no colour of a board.
                assert not (part == made.theme.cell).all(1).any()


@pytest.mark.parametrize("puzzle", [MEDIUM, HARD])
def test_nothing_in_a_short_is_too_small_for_a_phone(puzzle: Published) -> None:
    """If a phone shows the picture 360 pixels wide, letters are at least eight pixels high."""
    limits = limits_for(Path("film.mp4"), None, "shorts")
    made = tall("1080x1920", puzzle=puzzle)
    made = made.with_settings(suited(limits, made.settings, any_size=True))
    for act in made.acts:
        layout, text = act.script.layout, act.script.layout.text
        assert min(text.name, text.status, text.number, text.label, text.footer) >= 24
        assert text.sentence >= 36 and text.title >= 36
        assert layout.board_legend
        assert max(layout.safe.bottom - layout.board_legend.bottom, 0) <= 8


def test_a_small_board_shows_every_step_too() -> None:
    made = tall()
    *_, slow = [beat for beat in made.timeline.beats if beat.kind is BeatKind.SLOW]
    blocks = act_at(made, slow.start).script.layout.blocks
    small = min((block.board for block in blocks), key=lambda box: box.width)
    shots = [made.timeline.shot_at(frame) for frame in (slow.start, slow.end - 1)]
    first, last = (
        frame.pixels[small.y : small.bottom, small.x : small.right].copy()
        for frame in made.draw(shots)
    )
    assert not np.array_equal(first, last)


@pytest.mark.parametrize(
    ("size", "strategies", "given"),
    [
        ("640x360", ("row-major", "mrv"), {}),
        ("540x960", ("row-major",), {}),
        ("540x960", ("row-major", "mrv", "mrv/lcv"), {}),
        ("540x960", ("row-major", "mrv"), {"pace": "even", "duration": "8s"}),
        ("540x960", ("row-major", "mrv"), {"panels": "board,counters"}),
    ],
)
def test_other_films_take_no_turns(
    size: str, strategies: tuple[str, ...], given: dict[str, Any]
) -> None:
    made = tall(size, *strategies, **given)
    assert BeatKind.TURN not in {beat.kind for beat in made.timeline.beats}


def test_without_a_spotlight_the_board_that_ends_last_is_large_after_one_turn() -> None:
    """It is also where sentences about the end of the race are."""
    made = tall("540x960", "mrv", "mrv")
    assert [beat.kind for beat in made.timeline.beats].count(BeatKind.TURN) == 1
    assert len(made.acts) == 2
    longest = made.timeline.totals.index(made.timeline.longest)
    assert large_on(made, 0) == 1 - longest
    assert large_on(made, made.timeline.frames - 1) == longest


def test_a_solution_of_an_exhaustive_search_is_a_small_board_beside_the_sentence() -> None:
    """mrv has found its solution when it ends: its box then holds more than a line of text."""
    made = tall(margins=MARGINS, limits=WHOLE)
    finish = beat_of(made, BeatKind.FINISH)
    room = act_at(made, finish.start).script.layout.blocks[1].panels["solutions"]
    part = picture_at(made, finish.start)[room.y : room.bottom, room.x : room.right]
    inked = (part != made.theme.background).any(axis=2).any(axis=1)
    assert inked.sum() >= 0.8 * room.height


def test_the_name_of_the_large_board_alone_is_on_a_bar_in_the_colour_of_its_search() -> None:
    """It fills more than a quarter of the name's box; a small board has letters in that colour."""
    made = tall("1080x1920")
    acts = made.acts
    (remainder,) = [beat for beat in made.timeline.beats if beat.kind is BeatKind.REMAINDER]
    for act, end in zip(acts, [*(act.start for act in acts[1:]), remainder.end], strict=True):
        (frame,) = made.draw([made.timeline.shot_at(end - 1)])
        blocks = act.script.layout.blocks
        large = max(range(2), key=lambda number: blocks[number].board.width)
        for number, block in enumerate(blocks):
            box = block.name
            shown = frame.pixels[box.y : box.bottom, box.x : box.right]
            share = (shown == made.theme.search_colour(number)).all(axis=2).mean()
            assert (share > 0.25) == (number == large)
