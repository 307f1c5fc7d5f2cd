"""What a viewer on a phone can take in: how much is written, how large, and how calmly it moves.

Measured on what is drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, partial
from pathlib import Path

import pytest

from tests.support.amounts import long
from tests.support.films import beat_of, film_of
from tests.support.puzzles import EASY
from undoku import Limits, parse_puzzle
from undoku.render.draw.easel import Easel
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import glyph_box
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.draw.sprites import BoxedText
from undoku.render.draw.theme import theme_names
from undoku.render.film.acts import Acts
from undoku.render.film.film import Film
from undoku.render.timeline.beats import EXPLAINING, BeatKind, first_beat

SIXTEEN = parse_puzzle(
    (Path(__file__).parents[3] / "examples/puzzles/sixteen.txt").read_text("utf-8")
)

PHONE = 390
"""The width in pixels of a film on a phone held upright."""


@cache
def story(size: str = "1280x720", fps: int = 10, theme: str = "dark") -> Film:
    return film_of("row-major", "mrv", size=size, fps=fps, theme=theme)


_film = cache(partial(film_of, fps=5))


@cache
def texts_of(made: Film, seconds: int, every: int = 1) -> list[list[BoxedText]]:
    """The texts in each picture of the first seconds, or in some of them, drawn act by act."""
    timeline, found = made.timeline, []
    ends = [*(act.start for act in made.acts[1:]), timeline.frames]
    for act, end in zip(made.acts, ends, strict=True):
        easel = Easel(made.settings.width, made.settings.height, made.theme)
        own = act.__class__(act.script, act.start)
        frames = range(act.start, min(end, int(seconds * timeline.fps)))
        shots = [timeline.shot_at(frame) for frame in frames[::every]]
        drawn = made.typesetting.each(Acts([own], easel).play(made.traces, shots))
        for _ in drawn:
            texts = (one for one in easel.drawing().drawn if isinstance(one, BoxedText))
            found.append([one for one in texts if one.text.strip()])
    return found


def flashes_on_the_card(made: Film) -> tuple[Fraction, ...]:
    """The seconds with too many flashes, of the last frames before the card, and of the card."""
    timeline, meter = made.timeline, made.meter()
    for frame in made.draw(timeline.shots(timeline.frames - timeline.card - 5)):
        meter.watch(frame)
    return meter.flashes().over


def is_counting(text: str) -> bool:
    """Whether a text is a number that runs, such as "534", "534+", "20 of 56 cells", the speed."""
    return text[0].isdigit() and (
        text.translate({ord(mark): "" for mark in ",.+"}).isdigit()
        or " of " in text
        or " per second" in text
    )


def is_name(text: str, labels: Sequence[str]) -> bool:
    """Whether a text is a line of a name, of which words may be left out."""
    words = {*text.replace("…", "").split()} - {"+"}
    return any(words <= {*label.split()} for label in labels)


def letters_in(made: Film, seconds: int) -> int:
    """The letters of all texts of the first seconds, each counted once; names and numbers that run
    are counted where they are longest. What stays is not read again, also in other letters."""
    seen, counting, names, before = Counter[str](), 0, 0, ""
    for texts in texts_of(made, seconds):
        shown = [one.text for one in texts]
        new, before = [text for text in shown if text not in before], " ".join(shown)
        running, named = (
            [*filter(is_counting, shown)],
            [t for t in shown if is_name(t, made.labels)],
        )
        seen |= Counter(new) - Counter(running) - Counter(named)
        counting = max(counting, sum(map(len, running)))
        names = max(names, sum(map(len, named)))
    return counting + names + sum(len(text) * count for text, count in seen.items())


KINDS: dict[str, Callable[[], Film]] = {
    "1280x720": partial(_film, "row-major", "mrv"),
    "720x1280": partial(_film, "row-major", "mrv", size="720x1280"),
    "720x720": partial(_film, "row-major", "mrv", size="720x720"),
    "one": partial(_film, "row-major"),
    "three": partial(_film, "row-major", "mrv", "mrv+singles", fps=10),
    "four": partial(_film, "row-major", "column-major", "mrv", "mrv+singles"),
    "five": partial(_film, "row-major", "column-major", "static", "mrv", "mrv+singles"),
    "six": partial(_film, "row-major", "column-major", "spiral", "static", "mrv", "mrv+singles"),
    "sixteen": partial(_film, "mrv", "mrv+singles", puzzle=SIXTEEN),
    "German": partial(_film, "mrv", "mrv+singles", puzzle=SIXTEEN, language="de"),
    "close": partial(_film, "mrv+last-conflict", "mrv"),
    "tied": partial(_film, "mrv", "mrv-degree", puzzle=EASY.grid),
    "long names": partial(_film, "mrv+singles+locked", "mrv+pairs+singles"),
    "all solutions": partial(_film, "row-major", "mrv", limits=Limits(exhaustive=True)),
    "stopped": partial(_film, "row-major", "mrv", limits=Limits(3000)),
    "usa": partial(_film, "row-major", "mrv", puzzle=parse_puzzle("map:usa")),
    "queens": partial(_film, "row-major", "mrv", puzzle=parse_puzzle("queens:20"), size="390x390"),
}


@pytest.mark.parametrize(
    "kind",
    [
        *("1280x720", "720x1280", "three", "six", "sixteen"),
        *map(long, ["720x720", "one", "four", "five", "German", "close", "tied", "long names"]),
        *map(long, ["all solutions", "stopped", "usa", "queens"]),
    ],
)
def test_at_most_seventeen_letters_a_second_appear_in_the_first_ten_seconds(kind: str) -> None:
    assert 100 < letters_in(KINDS[kind](), 10) <= 170


def test_the_answer_comes_within_five_seconds_also_where_names_are_long() -> None:
    for film in (made() for made in KINDS.values()):
        assert beat_of(film, BeatKind.RATIO).start <= 5 * film.timeline.fps


def test_what_goes_wrong_is_told_within_ten_seconds() -> None:
    """Where the story tells it, with one search or six: a wrong digit, a lost cell or guesses
    undone; in German a fifth of a second later."""
    starts = {
        kind: min([beat.start, *(note.start for note in film.notes if note.wrong)])
        / film.timeline.fps
        for kind, film in ((kind, made()) for kind, made in KINDS.items())
        if (beat := first_beat(film.timeline.beats, BeatKind.MISTAKE))
    }
    assert len(starts) > 8
    assert all(start <= (10.25 if kind == "German" else 10) for kind, start in starts.items())


def test_a_step_is_explained_once_while_the_first_pass_counts_steps() -> None:
    """In letters that a phone shows (see the next test)."""
    made = story()
    told = [
        "step: place or undo" in {one.text for one in texts}
        for texts in texts_of(made, int(made.timeline.duration))
    ]
    beat = beat_of(made, BeatKind.ANSWER)
    assert [frame for frame, shown in enumerate(told) if shown] == [*range(beat.start, beat.end)]
    assert beat.frames >= 18 / 17 * made.timeline.fps


def test_there_are_words_while_boards_are_emptied_and_while_trees_grow() -> None:
    made = story()
    shown = [{one.text for one in texts} for texts in texts_of(made, int(made.timeline.duration))]
    for beat in (beat_of(made, BeatKind.REWIND), beat_of(made, BeatKind.LAPS)):
        words = {
            BeatKind.REWIND: {"33× fewer steps. Why?"},
            BeatKind.LAPS: {"The wrong 4 stands.", "Below: the search trees."},
        }
        assert all(texts & words[beat.kind] for texts in shown[beat.start + 8 : beat.end])


def x_height(face: Face, size: int) -> float:
    """The height of a small letter, of a size in pixels per em."""
    _, top, _, bottom = glyph_box("x", face, 100)
    return (bottom - top) * size / 100


@pytest.mark.parametrize(
    "kind",
    [
        *("1280x720", "six", "sixteen"),
        *map(long, ["one", "three", "four", "five", "close", "tied", "long names", "usa"]),
    ],
)
def test_every_text_has_letters_of_eight_pixels_on_a_phone(kind: str) -> None:
    """In a wide film an x is eight pixels high where the film is 390 wide; letters have whole
    sizes, so an eighth of a pixel may be missing. Two pictures a second are looked at."""
    made = KINDS[kind]()
    scale = PHONE / made.settings.width
    seconds, every = int(made.timeline.duration), int(made.timeline.fps / 2)
    small = {
        one.text: round(x_height(one.face, one.size) * scale, 1)
        for texts in texts_of(made, seconds, every)
        for one in texts
        if x_height(one.face, one.size) * scale < 7.85
    }
    assert not small


def test_a_name_that_adds_to_another_one_is_what_it_adds() -> None:
    """Of up to three searches. Others that are too long lose their first part; no name has smaller
    letters."""
    assert KINDS["three"]().labels == ("Row by row", "Fewest options first", "+ forced digits")
    assert KINDS["four"]().labels[2:] == (
        "Fewest options first", "Fewest options first, forced digits"
    )  # fmt: skip
    assert "…forced digits" in {one.text for one in texts_of(KINDS["four"](), 1)[0]}
    shown = {one.text for one in texts_of(KINDS["tied"](), 1)[0]}
    assert {"Fewest options first", "+ most neighbours"} <= shown


@pytest.mark.parametrize(
    ("theme", "size"),
    [
        *(("dark", "640x360"), ("light", "640x360"), long("dark", "360x640")),
        *(long(theme, "640x360") for theme in theme_names() if theme not in ("dark", "light")),
    ],
)
def test_no_theme_flashes_in_its_default_film(theme: str, size: str) -> None:
    made = story(size, 30, theme)
    meter = made.meter()
    for part in meter.watched(made.parts(runs=True)):
        if isinstance(part, SpriteRun):
            part.play()
    assert meter.flashes().over == ()


def test_one_sentence_is_shown_at_a_time() -> None:
    """Two, if they say the same about both searches, while the clock stops; for less than a second
    none, while the second search takes the steps before the one that is told."""
    made = story()
    begun = beat_of(made, BeatKind.SECOND).start
    told = min(note.start for note in made.notes if note.search == 1)
    assert told - begun < made.timeline.fps
    for frame in range(0, made.timeline.frames, 2):
        notes = [note for note in made.notes if note.start <= frame < note.end]
        beat = made.timeline.beat_at(frame)
        assert beat
        assert len(notes) <= (2 if beat.kind is BeatKind.FINISH else 1)
        assert beat.kind not in EXPLAINING or len(notes) == 1 or begun <= frame < told


def test_the_bars_of_several_searches_do_not_flash_on_their_way_to_the_card() -> None:
    made = film_of("row-major", "mrv", "mrv+singles", size="1280x720", fps=20, theme="light")
    assert flashes_on_the_card(made) == ()
