"""Excerpts of films, and films that are repeated without a seam."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.amounts import long
from tests.support.decoding import decoded
from tests.support.films import beat_of, film_of
from tests.support.puzzles import EASY
from undoku.errors import SettingsError
from undoku.render.delivery.captions import captions
from undoku.render.delivery.film_sound import soundtrack_of
from undoku.render.delivery.fit import predicted_bytes
from undoku.render.delivery.outputs import film_chapters
from undoku.render.delivery.write import write_film, write_still
from undoku.render.draw.canvas import Pixels
from undoku.render.film.film import Film
from undoku.render.sound.sample_clock import RATE
from undoku.render.timeline.beats import BeatKind
from undoku.render.write.file_info import chapters_of

SMALL: dict[str, Any] = {"size": "320x180", "fps": 20, "theme": "light"}


def story(**options: object) -> Film:
    return film_of("row-major", "mrv", **{**SMALL, **options})


def pictures(film: Film) -> list[Pixels]:
    """The picture of each frame, as a writer sees it, which copies only what changes."""
    found: list[Pixels] = []
    for frame in film.frames():
        canvas = found[-1].copy() if found else np.zeros_like(frame.pixels)
        for (x, y, width, height), _ in frame.changes:
            canvas[y : y + height, x : x + width] = frame.pixels[y : y + height, x : x + width]
        found += [canvas] * frame.ticks
    return found


@pytest.fixture(scope="module")
def whole() -> list[Pixels]:
    return pictures(story())


@pytest.mark.parametrize(
    ("excerpt", "first", "last"),
    [
        ("laps", BeatKind.LAPS, BeatKind.LAPS),
        long("first..mistake", BeatKind.FIRST, BeatKind.MISTAKE),
        long("..answer", BeatKind.QUESTION, BeatKind.ANSWER),
        ("card..", BeatKind.CARD, BeatKind.CARD),
    ],
)
def test_an_excerpt_has_the_pictures_of_its_beats(
    whole: list[Pixels], excerpt: str, first: BeatKind, last: BeatKind
) -> None:
    film = story(excerpt=excerpt)
    expected = whole[beat_of(film, first).start : beat_of(film, last).end]
    found = pictures(film)
    assert len(found) == len(expected) == film.length
    moves = 12  # the transition to the first beat begins without what was before
    assert all(map(np.array_equal, found[moves:], expected[moves:]))


def test_an_excerpt_between_two_times_has_their_pictures(whole: list[Pixels]) -> None:
    film = story(excerpt="0:05..6.5s")
    assert film.duration == Fraction(3, 2)
    assert all(map(np.array_equal, pictures(film)[4:], whole[104:130]))


@pytest.mark.parametrize(
    ("excerpt", "part"),
    [
        ("lapse", "did you mean laps"),
        ("nothing", "known: question, answer, ratio"),
        ("laps..race", "has no frames"),
        ("3s", "has no frames"),
        ("1000s..1200s", "has no frames"),
        ("3x..4s", "'3x' is not a valid duration"),
    ],
)
def test_a_wrong_excerpt_is_refused(excerpt: str, part: str) -> None:
    with pytest.raises(SettingsError, match=part.replace(".", r"\.")):
        _ = story(excerpt=excerpt).length


def test_only_stories_have_beats_and_pages_contain_whole_films(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="only stories do"):
        _ = story(pace="even", excerpt="laps").length
    with pytest.raises(SettingsError, match="whole film"):
        write_film(story(excerpt="laps"), [tmp_path / "race.html"])


def test_files_of_an_excerpt_have_its_frames_sound_and_chapters(tmp_path: Path) -> None:
    film = story(excerpt="finish..laps", sound="default")
    paths = [tmp_path / f"laps.{suffix}" for suffix in ("mp4", "webm", "gif", "wav")]
    report = write_film(film, paths)
    for written in report.outputs:
        assert float(written.duration) == pytest.approx(float(film.duration), abs=0.01)
    for path in paths[:2]:
        assert len(list(decoded(path, 320, 180))) == film.length
    chapters = film_chapters(film)
    assert chapters[0].start == 0
    assert chapters[-1].end == film.length
    assert len(chapters_of(paths[0])) == len(chapters)
    subtitles = captions(film)
    assert subtitles[0].start >= 0
    assert subtitles[-1].end <= film.length


def test_the_bytes_of_an_excerpt_are_predicted_and_a_step_is_in_no_excerpt(tmp_path: Path) -> None:
    film = story(excerpt="laps")
    (written,) = write_film(film, [tmp_path / "laps.gif"]).outputs
    assert written.bytes / 2 < predicted_bytes(film, written.path) < 2 * written.bytes
    write_still(film, 3, [tmp_path / "step.png"])


def test_the_sound_of_an_excerpt_is_that_of_its_pictures() -> None:
    """Single tones begin as long after its beginning as their frames; all of it is a little louder
    or softer."""
    even: dict[str, Any] = {"pace": "even", "steps_per_second": 6, "sound": "default"}
    film = film_of("mrv", puzzle=EASY.grid, **even)
    part = film_of("mrv", puzzle=EASY.grid, excerpt="4s..7s", **even)
    long, short = (
        np.concatenate([block.mix for block in track.blocks()])
        for track in map(soundtrack_of, (film, part))
        if track
    )
    assert len(short) == 3 * RATE
    heard, expected = short[RATE : 5 * RATE // 2, 0], long[5 * RATE : 13 * RATE // 2, 0]
    assert np.corrcoef(heard, expected)[0, 1] > 0.999


@pytest.mark.parametrize(
    "options", [{"excerpt": "laps"}, long({"excerpt": "laps", "background": "none"})], ids=str
)
def test_a_seamless_film_ends_as_it_begins(options: dict[str, object]) -> None:
    film = story(seamless=True, **options)
    shown = pictures(film)
    assert len(shown) == film.length == len(film.excerpt) + 12

    def changed(one: Pixels, other: Pixels) -> int:
        return int((one != other).any(axis=2).sum())

    neighbours = [changed(*both) for both in zip(shown[-12:], shown[-11:], strict=False)]
    assert changed(shown[-1], shown[0]) <= max(neighbours)
    assert max(neighbours) < shown[0].shape[0] * shown[0].shape[1] / 4


def test_a_seamless_gif_and_webm_have_the_way_back(tmp_path: Path) -> None:
    film = story(seamless=True, excerpt="card..", fps=25)
    paths = [tmp_path / "film.gif", tmp_path / "film.webm"]
    write_film(film, paths)
    for path in paths:
        shown = list(decoded(path, 320, 180))
        assert np.abs(shown[-1].astype(int) - shown[0]).mean() < 1
        assert sum(np.abs(each.astype(int) - shown[0]).mean() > 1 for each in shown) > 5
