"""What a viewer on a phone can take in: how much is written, how large, and how calmly it moves.

Measured on what is drawn.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache

import pytest

from tests.support.amounts import long
from tests.support.films import beat_of, film_of
from undoku.render.draw.easel import Easel
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import glyph_box
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.draw.sprites import BoxedText
from undoku.render.draw.theme import theme_names
from undoku.render.film.acts import Acts
from undoku.render.film.film import Film
from undoku.render.timeline.beats import EXPLAINING, BeatKind

PHONE = 390
"""The width in pixels of a film on a phone held upright."""


@cache
def story(size: str = "1280x720", fps: int = 10, theme: str = "dark") -> Film:
    return film_of("row-major", "mrv", size=size, fps=fps, theme=theme)


@cache
def texts_of(made: Film, seconds: int) -> list[list[BoxedText]]:
    """The texts in each picture of the first seconds, drawn act by act."""
    timeline, found = made.timeline, []
    ends = [*(act.start for act in made.acts[1:]), timeline.frames]
    for act, end in zip(made.acts, ends, strict=True):
        easel = Easel(made.settings.width, made.settings.height, made.theme)
        own = act.__class__(act.script, act.start)
        frames = range(act.start, min(end, int(seconds * timeline.fps)))
        shots = [timeline.shot_at(frame) for frame in frames]
        for _ in Acts([own], easel).play(made.traces, shots):
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
    """Whether a text is a number that runs, such as "534" or "20 of 56 cells"."""
    return text[0].isdigit() and (text.replace(",", "").isdigit() or " of " in text)


@pytest.mark.parametrize("size", ["1280x720", "720x1280", long("720x720")])
def test_at_most_seventeen_letters_a_second_appear_in_the_first_ten_seconds(size: str) -> None:
    """Of all texts, each counted once, names whether on one line or two; numbers that run are
    counted where they are longest."""
    seen, counting, labels = Counter[str](), 0, story(size).labels
    for texts in texts_of(story(size), 10):
        running = [one.text for one in texts if is_counting(one.text)]
        others = [one.text for one in texts if not is_counting(one.text)]
        seen |= Counter(text for text in others if all(text not in label for label in labels))
        counting = max(counting, sum(map(len, running)))
    letters = counting + sum(len(text) * count for text, count in seen.items())
    letters += sum(map(len, labels))
    assert 100 < letters <= 10 * 17


def test_a_step_is_explained_once_while_the_first_pass_counts_steps() -> None:
    """In letters that a phone shows (see the next test)."""
    made = story()
    told = [
        "a step: a digit goes in or out" in {one.text for one in texts}
        for texts in texts_of(made, int(made.timeline.duration))
    ]
    beat = beat_of(made, BeatKind.ANSWER)
    assert [frame for frame, shown in enumerate(told) if shown] == [*range(beat.start, beat.end)]
    assert beat.frames >= 30 / 17 * made.timeline.fps


def x_height(face: Face, size: int) -> float:
    """The height of a small letter, of a size in pixels per em."""
    _, top, _, bottom = glyph_box("x", face, 100)
    return (bottom - top) * size / 100


def test_every_text_has_letters_of_eight_pixels_on_a_phone() -> None:
    """In a wide film of two searches, an x is eight pixels high where the film is 390 wide; letters
    have whole sizes, so a twentieth of a pixel may be missing."""
    made = story()
    scale = PHONE / made.settings.width
    seconds = int(made.timeline.duration)
    small = {
        one.text: round(x_height(one.face, one.size) * scale, 1)
        for texts in texts_of(made, seconds)
        for one in texts
        if x_height(one.face, one.size) * scale < 7.95
    }
    assert not small


@pytest.mark.parametrize("size", ["1280x720", "390x220", "390x390", "390x780"])
def test_a_long_name_is_not_cut(size: str) -> None:
    made = film_of("mrv", "mrv-degree", size=size, fps=10)
    shown = " ".join(one.text for one in texts_of(made, 1)[0])
    assert all(label in shown for label in made.labels)


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
