"""Sentences of short stories, and of stories on phones, can be read one after the other."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from undoku.render.story.readable_notes import readable

from tests.support.puzzles import EASY, HARD, MEDIUM, Published
from tests.support.stories import beat_of
from undoku import Limits, search
from undoku.render.delivery.fit import limits_for, suited
from undoku.render.delivery.outputs import with_rate
from undoku.render.film.film import Film
from undoku.render.playback.reading_time import LETTERS_BESIDE_BOARDS
from undoku.render.settings.settings import FilmSettings, settings_of
from undoku.render.timeline.beats import BeatKind
from undoku.render.timeline.notes import Note, NoteKind


def gif() -> FilmSettings:
    return with_rate(settings_of({"size": "640x360"}), [Path("film.gif")])


def short() -> FilmSettings:
    limits = limits_for(Path("film.mp4"), None, "shorts")
    return suited(limits, settings_of({"size": "1080x1920"}), any_size=True)


def film(settings: FilmSettings, puzzle: Published, *names: str, exhaustive: bool = False) -> Film:
    limits = Limits(exhaustive=exhaustive)
    return Film([search(puzzle.grid, n, limits) for n in names or ("row-major", "mrv")], settings)


def unread(made: Film) -> list[str]:
    """The sentences that a viewer, who reads one after the other, can't read to their end. Of
    those that begin together, the one that ends first is read first; equal ones are read once."""
    fps = made.timeline.fps
    free, missed = Fraction(0), []
    last: dict[str, int] = {}
    for callout in sorted(made.callouts, key=lambda each: (each.start, each.end)):
        begun = last.get(callout.text)
        last[callout.text] = callout.start
        if begun is not None and callout.start - begun < fps / 4:
            continue
        done = max(free, Fraction(callout.start)) + fps * len(callout.text) / 17
        if done > callout.end:
            missed.append(callout.text)
        free = done
    return missed


@pytest.mark.parametrize("exhaustive", [False, True])
@pytest.mark.parametrize("name", ["row-major", "column-major", "mrv+singles", "dom-wdeg"])
@pytest.mark.parametrize("puzzle", [EASY, MEDIUM, HARD])
@pytest.mark.parametrize("settings", [gif(), short()])
def test_every_sentence_can_be_read(
    settings: FilmSettings, puzzle: Published, name: str, exhaustive: bool
) -> None:
    """At 17 letters a second, all sentences of the picture one after the other."""
    assert LETTERS_BESIDE_BOARDS == 17
    made = film(settings, puzzle, name, "mrv", exhaustive=exhaustive)
    assert made.callouts
    assert not unread(made)


@pytest.mark.parametrize("puzzle", [MEDIUM, HARD])
def test_a_gif_says_little_and_lasts_ten_seconds(puzzle: Published) -> None:
    """Both rules, then the first steps of both, each in a few words; the end card stands for two
    seconds."""
    made = film(gif(), puzzle)
    assert made.timeline.duration <= Fraction(107, 10)
    assert made.timeline.card - made.timeline.growth >= 2 * made.timeline.fps
    first = beat_of(made, BeatKind.FIRST_STEP)
    rules = [each for each in made.callouts if each.start < first.start]
    assert [each.text for each in rules] == ["In reading order.", "Where fewest digits fit."]
    steps = [each for each in made.callouts if first.start <= each.start < first.end]
    assert [each.search for each in steps] == [0, 1]
    assert all("fit" in each.text and "guess" in each.text for each in steps)


def test_a_gif_of_three_searches_tells_all_rules_and_first_steps() -> None:
    """Equal sentences about two boards are read once. The rules have time for the third one."""
    made = film(gif(), MEDIUM, "row-major", "mrv", "mrv+singles")
    first = beat_of(made, BeatKind.FIRST_STEP)
    early = sorted(made.callouts, key=lambda each: (each.start, each.search))[:6]
    assert [each.text for each in early] == [
        "In reading order.",
        "Where fewest digits fit.",
        "Forced digits first.",
        "3 digits fit: guesses 4.",
        "Only 4 fits: no guess.",
        "Only 4 fits: no guess.",
    ]
    assert early[3].start == first.start
    assert not unread(made)


def test_a_gif_of_a_small_puzzle_has_rules_and_slow_steps() -> None:
    """A short race leaves time for all beats; no step is skipped on one frame."""
    made = film(gif(), Published("1......2..3.....", 0, ""))
    kinds = [beat.kind for beat in made.timeline.beats]
    assert BeatKind.RULES in kinds and BeatKind.ACCELERATION not in kinds
    steps = [made.timeline.steps_at(frame)[0] for frame in range(made.timeline.frames)]
    assert max(after - before for before, after in pairwise(steps)) == 1
    assert made.timeline.duration <= 10


def note(start: int, end: int, text: str, brief: str = "") -> Note:
    return Note(start, end, 0, NoteKind.CALLOUT, text, brief)


def test_equal_texts_that_begin_together_are_read_once() -> None:
    fps = Fraction(17)
    text = note(0, 17, "a" * 17)
    assert readable([text, text, note(0, 17, "b" * 17)], [1, 1, 1], fps) == [
        text.text,
        text.text,
        "",
    ]
    assert readable([text, note(10, 27, text.text)], [1, 1], fps) == [text.text, ""]


def test_a_short_of_two_searches_compares_their_first_steps_within_ten_seconds() -> None:
    made = film(short(), MEDIUM)
    early = sorted(made.callouts, key=lambda each: each.start)[:4]
    assert [each.text for each in early] == [
        "Takes the empty cells in reading order.",
        "3 digits fit here. It guesses 4: wrong.",
        "Only 4 fits here: no guess.",
        "Takes the cell where the fewest digits fit.",
    ]
    assert early[-1].end <= 10 * made.timeline.fps
    assert made.timeline.duration <= 28


def test_a_short_of_two_searches_says_why_the_longest_one_is_not_done() -> None:
    """At the end it says that it is done; nothing that was said before still stands then."""
    made = film(short(), MEDIUM)
    said = " ".join(each.text for each in made.callouts)
    for part in ("It guesses 4: wrong", "without a guess", "Done in 534 steps, 17 dead ends",
                 "98 dead ends so far", "taken back at step 2,816"):  # fmt: skip
        assert part in said
    end = beat_of(made, BeatKind.END)
    shown = [each for each in made.callouts if each.start < end.end and each.end > end.start + 1]
    assert [each.text for each in shown] == ["Done in 17,536 steps."]


wordings = st.lists(
    st.lists(st.text("abc", min_size=1, max_size=30), min_size=1, max_size=3).map(
        lambda parts: " ".join(f"{part}." for part in parts)
    ),
    min_size=1,
    max_size=2,
)
texts = st.lists(
    st.builds(
        lambda start, frames, rank, words: (note(start, start + frames, *words), rank),
        st.integers(0, 300), st.integers(1, 200), st.integers(0, 1), wordings,
    ),
    max_size=6,
)  # fmt: skip


@given(texts)
def test_what_cannot_be_read_in_time_is_shorter_or_left_out(given: list[tuple[Note, int]]) -> None:
    """Each text that is shown is a wording without its last sentences."""
    fps = Fraction(25)
    found = readable([text for text, _ in given], [rank for _, rank in given], fps)
    assert len(found) == len(given)
    for (text, _), shown in zip(given, found, strict=True):
        assert not shown or any(each.startswith(shown) for each in (text.text, text.brief))
        assert len(shown) / 17 * 25 <= text.end - text.start + 1e-9
    for text, rank in given[:1]:
        shortest = min(map(len, filter(None, (text.text, text.brief))))
        assert readable([text], [rank], fps) != [""] or text.frames * 17 < 25 * shortest
