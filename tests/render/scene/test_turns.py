"""Tall stories, in which two searches take turns to be large."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from render.delivery.fit import limits_for, suited
from render.film import Film
from render.settings import settings_of
from render.timing.beats import BeatKind
from solver import Limits, search
from tests.support.puzzles import MEDIUM


def tall(size: str, *strategies: str, margins: object = None, **given: object) -> Film:
    settings = settings_of({"size": size, "fps": 30, "margins": margins, **given})
    names = strategies or ("row-major", "mrv")
    return Film([search(MEDIUM.grid, name) for name in names], settings)


@pytest.mark.parametrize(
    ("size", "margins"),
    [("1080x1920", "4.45,10.42,11.11,25"), ("540x960", "4.45,10.42,11.11,25"),
     ("720x1280", None), ("480x720", None), ("1080x2340", None)],
)  # fmt: skip
def test_one_board_is_as_wide_as_the_picture_and_both_are_whole(size: str, margins: object) -> None:
    """At least 80 % of the safe width, and 864 pixels of 1080, until one search goes on alone;
    nothing overlaps."""
    made = tall(size, margins=margins)
    *turns, alone = made.acts
    assert len(turns) == 3
    for act in (*turns, alone):
        layout = act.script.layout
        boards = sorted(block.board.width for block in layout.blocks)
        least = 0.45 if act is alone else 0.8
        assert boards[1] >= least * layout.inside.width
        assert act is alone or size != "1080x1920" or boards[1] >= 864
        assert boards[0] >= 9 * 8
        regions = layout.regions()
        for at, region in enumerate(regions):
            assert layout.safe.contains(region)
            assert not any(region.overlaps(other) for other in regions[at + 1 :])
    assert alone.script.layout.chart


def test_each_search_has_its_turn_while_its_rule_is_shown_and_when_sentences_are_about_it() -> None:
    made = tall("540x960")
    timeline = made.timeline

    def large(frame: int) -> int:
        act = [act for act in made.acts if act.start <= frame][-1]
        widths = [block.board.width for block in act.script.layout.blocks]
        return widths.index(max(widths))

    ends = {beat.kind: large(beat.end - 1) for beat in timeline.beats}
    shown = [large(beat.start) for beat in timeline.beats if beat.kind is BeatKind.RULES]
    assert shown == [1, 0]
    assert ends[BeatKind.OPENING] == ends[BeatKind.ACCELERATION] == ends[BeatKind.FINISH] == 1
    assert ends[BeatKind.FIRST_STEP] == ends[BeatKind.SLOW] == ends[BeatKind.REMAINDER] == 0
    for beat in timeline.beats:
        if beat.kind is BeatKind.TURN:
            # The clock stops while the boards move.
            before, after = timeline.shot_at(beat.start), timeline.shot_at(beat.end - 1)
            assert beat.steps == 0 and before.steps == after.steps


def test_a_small_board_shows_every_step_too() -> None:
    made = tall("540x960")
    (slow,) = [beat for beat in made.timeline.beats if beat.kind is BeatKind.SLOW]
    act = [act for act in made.acts if act.start <= slow.start][-1]
    small = min((block.board for block in act.script.layout.blocks), key=lambda box: box.width)
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
    size: str, strategies: tuple[str, ...], given: dict[str, object]
) -> None:
    made = tall(size, *strategies, **given)
    assert BeatKind.TURN not in {beat.kind for beat in made.timeline.beats}


def test_searches_that_end_almost_together_take_turns_for_their_rules_alone() -> None:
    """If no search continues alone, the one that ends last is large until the end."""
    made = tall("540x960", "mrv", "mrv")
    assert [beat.kind for beat in made.timeline.beats].count(BeatKind.TURN) == 1
    assert len(made.acts) == 2


def test_a_short_film_has_as_many_frames_as_asked() -> None:
    for seconds in (1, 3, 6, 10, 40):
        made = tall("540x960", duration=seconds)
        assert made.timeline.frames == seconds * 30


def test_a_picture_of_a_step_shows_both_boards_alike() -> None:
    made = tall("540x960")
    frame, _ = made.still(made.shot_of_step(300))
    assert frame.pixels.shape == (960, 540, 3)
    one, other = (block.board for block in made.layout.blocks)
    assert one.width == other.width


def test_shorts_tell_their_story_in_turns() -> None:
    shorts = limits_for(Path("film.mp4"), None, "shorts")
    settings = suited(shorts, settings_of({}), any_size=True)
    made = Film([search(MEDIUM.grid, name) for name in ("row-major", "mrv")], settings)
    assert max(block.board.width for block in made.acts[0].script.layout.blocks) >= 730
    assert made.timeline.duration <= Fraction(60)


def test_frames_may_be_left_out_while_boards_move() -> None:
    """Later frames are as if all had been drawn."""
    made = tall("540x960")
    (beat, *_) = [beat for beat in made.timeline.beats if beat.kind is BeatKind.TURN]
    numbers = (0, beat.start, beat.start + beat.frames // 2, beat.end + 2)
    *_, some = (f.pixels.copy() for f in made.draw(map(made.timeline.shot_at, numbers)))
    numbers = (0, *range(beat.start, beat.end + 3))
    *_, whole = (f.pixels.copy() for f in made.draw(map(made.timeline.shot_at, numbers)))
    assert np.array_equal(some, whole)


def test_exhaustive_searches_take_turns_with_their_solutions_beside_the_sentence() -> None:
    """The large board has at least 75 % of the safe width; a solution found is a small board. The
    other board, which shows a solution itself, has its sentence alone."""
    limits = Limits(exhaustive=True)
    settings = settings_of({"size": "540x960", "fps": 30, "margins": "4.45,10.42,11.11,25"})
    made = Film([search(MEDIUM.grid, name, limits) for name in ("row-major", "mrv")], settings)
    *turns, alone = made.acts
    assert len(turns) == 3
    for act in (*turns, alone):
        layout = act.script.layout
        boards = sorted(block.board.width for block in layout.blocks)
        assert boards[1] >= (0.4 if act is alone else 0.75) * layout.inside.width
        small, large = sorted(layout.blocks, key=lambda block: block.board.width)
        assert set(large.panels) == {"callout", "solutions"} and set(small.panels) == {"callout"}
        regions = layout.regions()
        for at, region in enumerate(regions):
            assert not any(region.overlaps(other) for other in regions[at + 1 :])
    # mrv has found its solution when it ends: its box then holds more than a line of text.
    finish = next(beat for beat in made.timeline.beats if beat.kind is BeatKind.FINISH)
    box = [act for act in made.acts if act.start <= finish.start][-1].script.layout.blocks[1]
    room = box.panels["solutions"]
    frames, at = made.frames(), 0
    while at <= finish.start:
        frame = next(frames)
        at += frame.ticks
    part = frame.pixels[room.y : room.bottom, room.x : room.right]
    inked = (part != made.theme.ground).any(axis=2).any(axis=1)
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
