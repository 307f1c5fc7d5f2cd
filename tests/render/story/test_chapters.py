"""Films with highlights have chapters: exact to the frame, in every form that players read."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.amounts import long
from tests.support.command import Undoku
from tests.support.decoding import film_index
from tests.support.films import HEIGHT, WIDTH, board_film, sink_context
from tests.support.puzzles import MEDIUM
from undoku import search
from undoku.render.delivery.outputs import film_chapters
from undoku.render.delivery.write import write_film
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings
from undoku.render.story.highlights import find_highlights
from undoku.render.timeline.chapters import titled
from undoku.render.timeline.notes import FILM, Note, NoteKind
from undoku.render.timeline.pace import Clock
from undoku.render.timeline.timeline import Pace
from undoku.render.write.file_info import about_of, chapters_of
from undoku.render.write.further_tracks import FurtherTracks
from undoku.render.write.mp4_direct import DirectSink
from undoku.render.write.mp4_x264 import Mp4Sink
from undoku.render.write.sink import FrameSink, SinkContext
from undoku.render.write.staging import Staging
from undoku.render.write.webm import WebmSink

NTSC = Fraction(30000, 1001)
HOSTILE = "a=b; #é\\[CHAPTER]"


def chapter_of(start: int, end: int, title: str) -> Note:
    return Note(start, end, FILM, NoteKind.CHAPTER, title)


CHAPTERS = (
    chapter_of(0, 7, "Begin"), chapter_of(7, 8, HOSTILE), chapter_of(8, 20, titled("x é " * 99)),
)  # fmt: skip


def chapters_by_ffmpeg(path: Path) -> list[tuple[Fraction, Fraction, str]]:
    """Start, end and title of each chapter as ffmpeg's library, a foreign reader, finds them."""
    with av.open(path) as file:
        return [
            (one["start"] * base, one["end"] * base, one["metadata"]["title"])
            for one in file.chapters()
            if (base := one["time_base"])
        ]


def film(**settings: Any) -> Film:
    values: dict[str, Any] = {
        "width": 320,
        "height": 180,
        "fps": Fraction(24),
        "highlights": True,
        "pace": Pace(duration=Fraction(8)),
        **settings,
    }
    traces = [search(MEDIUM.grid, name) for name in ("row-major", "mrv")]
    return Film(traces, FilmSettings(**values))


@pytest.mark.parametrize(
    ("name", "encoder"),
    [long("a.mp4", "x264"), ("a.mp4", "direct"), ("a.webm", "x264")],
)
def test_the_chapters_of_a_film_are_its_highlights_to_the_frame(
    tmp_path: Path, name: str, encoder: str
) -> None:
    made = film(encoder=encoder)
    path = tmp_path / name
    write_film(made, [path])
    found = chapters_by_ffmpeg(path)
    assert len(found) >= 6
    # WebM counts nanoseconds, MP4 by a clock that has every frame.
    nearest = Fraction(1, 10**9) if path.suffix == ".webm" else Fraction(0)
    for (start, end, title), chapter in zip(found, film_chapters(made), strict=True):
        assert title == chapter.text
        assert abs(start - chapter.start / made.settings.fps) <= nearest
        assert abs(end - chapter.end / made.settings.fps) <= nearest
    assert found[0][0] == 0
    assert found[0][2] == made.title
    assert abs(found[-1][1] - made.timeline.duration) <= nearest
    assert all(first[1] == second[0] for first, second in pairwise(found))
    if path.suffix == ".mp4":
        assert film_index(path).index_first


@pytest.mark.parametrize("clock", [Clock.STEPS, Clock.FINISH])
def test_a_film_of_some_steps_has_the_chapters_of_these(clock: Clock) -> None:
    made = film(clock=clock, pace=Pace(duration=Fraction(8), first=300, last=9_000))
    shown = made.highlights
    assert 0 < len(shown) < len(find_highlights(made.traces))
    first, last = (made.timeline.steps_at(frame) for frame in (0, made.timeline.race))
    for note in shown:
        steps = made.timeline.shot_at(note.start).steps[note.search]
        assert first[note.search] <= note.claim.step <= steps <= last[note.search]
    chapters = {part.start: part.text for part in film_chapters(made)}
    assert chapters.keys() == {0, *(note.start for note in shown)}
    assert all(note.text in chapters[note.start] for note in shown)
    assert film_chapters(film(highlights=False)) == ()


def drawn(path: Path, kind: type[FrameSink], shape: SinkContext) -> Path:
    with kind(Staging(path), shape) as sink:
        for frame in board_film(10, ticks=2):
            sink.write(frame)
        sink.finish()
    return path


SHAPE = sink_context(
    WIDTH, HEIGHT, NTSC, about=(("title", "Film"),), tracks=FurtherTracks(CHAPTERS)
)
KINDS: list[type[FrameSink]] = [Mp4Sink, DirectSink]


@pytest.mark.parametrize("kind", [*KINDS, WebmSink])
def test_any_title_comes_back_and_the_bytes_are_the_same_each_time(
    tmp_path: Path, kind: type[FrameSink]
) -> None:
    suffix = ".webm" if kind is WebmSink else ".mp4"
    path = drawn(tmp_path / f"a{suffix}", kind, SHAPE)
    assert [title for _, _, title in chapters_by_ffmpeg(path)] == [
        chapter.text for chapter in CHAPTERS
    ]
    assert [title for _, title in chapters_of(path)] == [chapter.text for chapter in CHAPTERS]
    again = drawn(tmp_path / f"b{suffix}", kind, SHAPE)
    assert path.read_bytes() == again.read_bytes()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lost", [b"chpl", b"tref"])
def test_players_that_know_one_kind_of_chapters_find_them(
    tmp_path: Path, kind: type[FrameSink], lost: bytes
) -> None:
    """Some read the text track alone, some the list alone."""
    path = drawn(tmp_path / "a.mp4", kind, SHAPE)
    content = path.read_bytes()
    assert content.count(lost) == 1
    path.write_bytes(content.replace(lost, b"skip"))
    found = chapters_by_ffmpeg(path)
    assert [title for _, _, title in found] == [chapter.text for chapter in CHAPTERS]
    for (start, _, _), chapter in zip(found, CHAPTERS, strict=True):
        assert abs(start - chapter.start / NTSC) <= Fraction(1, 10**7)


@pytest.mark.parametrize("kind", KINDS)
def test_chapters_add_nothing_but_themselves(tmp_path: Path, kind: type[FrameSink]) -> None:
    plain = film_index(drawn(tmp_path / "a.mp4", kind, SHAPE._replace(tracks=FurtherTracks())))
    found = film_index(drawn(tmp_path / "b.mp4", kind, SHAPE))
    assert replace(found, places=[]) == replace(plain, places=[])
    assert b"text" not in (tmp_path / "a.mp4").read_bytes()


@given(st.text())
def test_a_title_is_one_line_that_any_file_holds(text: str) -> None:
    title = titled(text)
    assert len(title.encode()) <= 255
    assert title.split() == title.split(" ") or not title
    assert "\0" not in title


def test_info_prints_the_chapters_and_again_makes_them_again(
    undoku: Undoku, tmp_path: Path
) -> None:
    done = undoku(
        *("render", MEDIUM.grid, "-s", "mrv", "--highlights", "--duration", "5s"),
        *("--size", "320x180", "--fps", "20", "-o", "a.mp4"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    done = undoku("info", "a.mp4", cwd=tmp_path)
    assert "\nchapters    0:00.000  One search, step by step\n" in done.stdout
    assert re.search(r"\n {12}0:0\d\.\d50  40 cells given up at once\n", done.stdout)
    assert about_of(tmp_path / "a.mp4")["title"] == "One search, step by step"
    content = json.loads(undoku("info", "a.mp4", "--json", cwd=tmp_path).stdout)
    beside = json.loads((tmp_path / "a.highlights.json").read_text("utf-8"))
    assert [part["seconds"] for part in content["chapters"][1:]] == [
        found["seconds"] for found in beside["highlights"]
    ]
    done = undoku("render", "--again", "a.mp4", "-o", "b.mp4", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert chapters_by_ffmpeg(tmp_path / "b.mp4") == chapters_by_ffmpeg(tmp_path / "a.mp4")
