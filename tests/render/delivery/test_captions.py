"""What the searches do, in words: true, readable, and in files that players accept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.amounts import long
from tests.support.films import beat_of, make_film
from tests.support.puzzles import HARD
from undoku import Header, Limits, MemoryTrace, Op, Outcome, SettingsError, search
from undoku.render.delivery.captions import captions, captions_sidecar
from undoku.render.film.film import Film
from undoku.render.playback.player import Player
from undoku.render.playback.reading_time import reading_time
from undoku.render.playback.step_reasons import brief_reason, reason
from undoku.render.playback.verdict import verdict_of
from undoku.render.timeline.beats import BeatKind
from undoku.render.timeline.notes import Note
from undoku.render.timeline.pace import Clock, PaceKind
from undoku.render.timeline.timeline import Pace, Phase
from undoku.solver.problem.appearance import SYMBOLS
from undoku.solver.problem.sources import parse_puzzle
from undoku.solver.study.generate import generate

FIRST_ROW = "1234567.." + "." * 72


@pytest.mark.parametrize(
    ("events", "grid", "sentence", "brief"),
    [
        (
            [(Op.GUESS, 8, 7)],
            FIRST_ROW,
            "Row 1, column 8: tries 8 of 8, 9",
            "Row 1, column 8: tries 8",
        ),
        (
            [(Op.GUESS, 8, 7), (Op.GUESS, 9, 8)],
            FIRST_ROW,
            "Row 1, column 9: only option 9",
            "Row 1, column 9: tries 9",
        ),
        (
            [(Op.FORCED, 9, 8)],
            "1234567.." + "." * 18 + "........8" + "." * 45,
            "Row 1, column 9: only option 9 (naked single)",
            "Row 1, column 9: must be 9",
        ),
        # The solver placed before it looked.
        ([(Op.GUESS, 1, 7)], FIRST_ROW, "Row 1, column 8: tries 1", "Row 1, column 8: tries 1"),
        # Eight in column 9 and nine in its box leave nothing for r1c9.
        (
            [(Op.GUESS, 8, 44), (Op.GUESS, 9, 7), (Op.UNDO, 9, 7)],
            FIRST_ROW,
            "Row 1, column 9 has no option left: back to row 1, column 8",
            "Back to row 1, column 8",
        ),
        (
            [(Op.GUESS, 8, 40), (Op.UNDO, 8, 40)],
            "." * 81,
            "Row 5, column 5: 8 led nowhere",
            "Back to row 5, column 5",
        ),
        # Every cell has candidates: r1c4 to r1c6 see the 9 of r2c5; r1c7 to r1c9 see the one tried
        # in r3c7.
        (
            [(Op.GUESS, 9, 24), (Op.UNDO, 9, 24)],
            "123......" + "....9...." + "." * 63,
            "Row 1 has no place for 9: back to row 3, column 7",
            "Back to row 3, column 7",
        ),
        (
            [(Op.ELIMINATE, 8, 7), (Op.GUESS, 9, 7)],
            FIRST_ROW,
            "Row 1, column 8: only option 9",
            "Row 1, column 8: tries 9",
        ),
        ([], FIRST_ROW, "", ""),
    ],
)
def test_a_step_is_described_with_its_reason(
    events: list[tuple[int, int, int]], grid: str, sentence: str, brief: str
) -> None:
    puzzle = parse_puzzle(grid)
    player = Player(MemoryTrace(Header(puzzle), events, Outcome.CAPPED))
    snapshot = player.advance(len(events))
    assert (reason(puzzle, snapshot), brief_reason(puzzle, snapshot)) == (sentence, brief)


def gone_back_to(events: Sequence[tuple[int, int, int]]) -> Iterator[int | None]:
    """For each undo the cell of the guess that the search goes back to, from a stack of its values;
    None if no guess is left."""
    standing: list[tuple[int, int]] = []
    for op, _, cell in events:
        if op in (Op.GUESS, Op.FORCED):
            standing.append((op, cell))
        elif op == Op.UNDO:
            kind, undone = standing.pop()
            guesses = [placed for placed_by, placed in standing if placed_by == Op.GUESS]
            yield undone if kind == Op.GUESS else guesses[-1] if guesses else None


@pytest.mark.parametrize("strategy", ["row-major+singles", "mrv+singles+locked", "mrv", "mrv+cbj"])
@pytest.mark.parametrize("seed", [0, 1, long(2), long(3)])
def test_a_search_goes_back_to_a_guess(strategy: str, seed: int) -> None:
    """At every undo of generated puzzles, also if forced values are taken back first, and if there
    is no solution."""
    puzzle = generate(seed=seed) if seed else parse_puzzle(HARD.grid)
    trace = search(puzzle, strategy, Limits(exhaustive=True, max_nodes=400))
    events = [(int(op), int(value), int(cell)) for op, value, cell in trace.read()]
    expected = gone_back_to(events)
    player = Player(trace)
    forced = 0
    for step in range(1, trace.tally().steps + 1):
        snapshot = player.advance(step)
        last = snapshot.last
        assert last is not None
        if not last.undone:
            continue
        cell = next(expected)
        name = "the start"
        if cell is not None:
            row, column = puzzle.problem.position(cell)
            name = f"row {row + 1}, column {column + 1}"
        forced += cell != last.cell
        assert brief_reason(puzzle, snapshot) == f"Back to {name}"
        line = reason(puzzle, snapshot)
        nowhere = f"{name[0].upper()}{name[1:]}: {SYMBOLS[last.value - 1]} led nowhere"
        assert line.endswith((f": back to {name}", nowhere))
    assert next(expected, "none") == "none"
    if seed == 0:
        assert (forced > 0) == ("singles" in strategy)


@pytest.mark.parametrize("strategies", [["mrv"], ["mrv", "mrv+singles"], ["mrv"] * 3])
def test_nothing_is_said_about_a_search_before_its_first_step(strategies: list[str]) -> None:
    """A caption without a sentence would delay the first one that has one."""
    made = make_film(*strategies, pace=Pace(Fraction(1, 120), last=3), intro=Fraction(0))
    found = captions(made)
    for caption in found:
        assert all(line and not line.rstrip().endswith(":") for line in caption.text.split("\n"))
    first = next(shot for shot in made.timeline.shots() if any(shot.steps))
    reported = next(
        caption for caption in found if "option" in caption.text or "tries" in caption.text
    )
    assert reported.start == first.start


def captions_of(film: Film) -> list[Note]:
    """The captions of a film, which follow each other without gaps."""
    found = captions(film)
    assert all(first.end == second.start for first, second in pairwise(found))
    return found


@pytest.mark.parametrize(
    "pace", [Pace(Fraction(1, 20), last=100), Pace(Fraction(1)), Pace(duration=Fraction(20))]
)
@pytest.mark.parametrize("strategies", [["mrv"], ["row-major", "mrv"], ["mrv"] * 3])
def test_captions_follow_each_other_and_can_be_read(strategies: list[str], pace: Pace) -> None:
    made = make_film(*strategies, pace=pace, clock=Clock.STEPS)
    found = captions_of(made)
    assert found[0].text == made.title
    assert found[-1].end == made.timeline.frames
    assert all(first.text != second.text for first, second in pairwise(found))
    # All but those that the end of a phase cuts short stand as long as it takes to read them.
    short = [c for c in found if c.frames + 1 < reading_time(c.text) * made.timeline.fps]
    assert len(short) <= 3
    assert all(c.text.count("\n") <= 1 for c in found)


@pytest.mark.parametrize(
    ("pace", "most"), [(Pace(Fraction(1, 15), last=40), 40), (Pace(Fraction(1)), 13)]
)
def test_the_line_in_the_film_follows_slow_steps_and_is_thinned_in_fast_ones(
    pace: Pace, most: int
) -> None:
    """At four steps a second each step has its line; at sixty a line stands for 0.8 seconds or
    more."""
    made = make_film("mrv", pace=pace, panels=("board", "why"), width=1280, height=720)
    box = made.layout.blocks[0].panels["why"]
    changes = 0
    for shot, frame in zip(made.timeline.shots(), made.frames(), strict=True):
        if shot.phase is Phase.RACE:
            changes += any(change.rect == box for change in frame.changes)
    assert most * 3 // 4 <= changes <= most


def test_subtitle_files_have_the_form_that_players_read() -> None:
    made = make_film("mrv", pace=Pace(Fraction(1)))
    for suffix, point in ((".srt", ","), (".vtt", ".")):
        text = captions_sidecar(Path(f"film{suffix}")).of(made)
        times = rf"\d\d:\d\d:\d\d{re.escape(point)}\d\d\d"
        if suffix == ".vtt":
            assert text.startswith("WEBVTT\n\n")
            text = text.removeprefix("WEBVTT\n\n")
        blocks = text.strip().split("\n\n")
        assert len(blocks) > 5
        for number, block in enumerate(blocks, 1):
            assert re.fullmatch(rf"{number}\n{times} --> {times}\n(.+\n?)+", block), block


def test_subtitles_hold_no_markup_of_names_and_titles() -> None:
    made = make_film(
        "mrv", pace=Pace(Fraction(1)), title="{\\an8}<font> --> x", labels=("<b>&</b>",)
    )
    srt, vtt = (captions_sidecar(Path(f"film{suffix}")).of(made) for suffix in (".srt", ".vtt"))
    body = re.sub(r"^\d\d:.* --> .*$", "", srt, flags=re.MULTILINE)
    assert not set("<>{}") & set(body) and "‹font› --› x" in body
    assert "&lt;font&gt; --&gt; x" in vtt


@pytest.mark.parametrize("strategies", [["mrv"], ["row-major", "mrv"], ["mrv"] * 3])
def test_captions_of_a_film_with_highlights_describe_them_as_it_does(strategies: list[str]) -> None:
    made = make_film(*strategies, pace=Pace(duration=Fraction(20)), highlights=True)
    found = captions_of(made)
    assert len(made.notes) >= 4
    for notice in made.notes:
        (caption,) = (each for each in found if each.start <= notice.start < each.end)
        assert caption.one_line == notice.one_line
        assert caption.start == notice.start
        assert caption.end >= min(notice.end, made.timeline.frames - made.timeline.card) - 1


def test_captions_go_into_files_of_their_own_kind() -> None:
    with pytest.raises(SettingsError, match="has no format of captions"):
        captions_sidecar(Path("film.txt"))


def test_a_film_without_a_title_begins_with_its_searches_and_no_caption_is_empty() -> None:
    made = make_film("row-major", "mrv", pace=Pace(Fraction(1, 20), last=30), title="")
    found = captions(made)
    assert found[0].text == "Row by row vs Fewest options first"
    assert found[0].start == 0
    assert all(caption.text.strip() for caption in found)
    for first, second in pairwise(found):
        assert second.start - first.end <= Fraction(2, 5) * made.timeline.fps
    assert any(
        re.search(r"^Row by row: Row 1, column \d: tries \d of (\d, )+\d$", line)
        for caption in found
        for line in caption.text.split("\n")
    )


def test_captions_of_a_story_say_what_the_film_says_and_then_what_was_counted() -> None:
    """Each callout in its own words, while it is shown."""
    made = make_film("row-major", "mrv", pace=Pace(kind=PaceKind.STORY))
    found = captions_of(made)
    assert len(made.notes) >= 4
    for callout in made.notes:
        meanwhile = [
            each for each in found if each.start < callout.end and callout.start < each.end
        ]
        assert any(callout.one_line in caption.text for caption in meanwhile), callout
    assert any(
        re.search(r"^Row by row: [\d,]+ steps, [\d,]+ taken back$", line)
        for caption in found
        for line in caption.text.split("\n")
    )
    verdict = verdict_of(made.headers, made.tallies)
    for kind, texts in (
        (BeatKind.RATIO, [verdict.text]),  # the reason is what the film shows next
        (BeatKind.CARD, [verdict.text, verdict.reason]),
    ):
        (caption,) = (each for each in found if each.start == beat_of(made, kind).start)
        assert caption.text == "\n".join(texts)
    assert found[0].start == 0
    assert found[-1].end == made.timeline.frames
