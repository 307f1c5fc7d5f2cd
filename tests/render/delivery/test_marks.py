"""The sentences of a film as marks for editors and platforms: in the same words, exact to the
frame.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.command import Undoku
from tests.support.puzzles import EASY, MEDIUM
from undoku import Limits, search
from undoku.errors import SettingsError
from undoku.render.delivery.marks import (
    MARK_ORDER,
    MarkedFilm,
    edl_text,
    fcpxml_text,
    marks_sidecar,
    otio_text,
    timecode,
    youtube_chapters,
)
from undoku.render.delivery.outputs import film_chapters
from undoku.render.delivery.write import write_film
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.render.timeline.beats import BeatKind, first_beat
from undoku.render.timeline.notes import FILM, Note, NoteKind


@cache
def speaking_film(**settings: Any) -> Film:
    """A film of two searches; a story with room for sentences unless the settings say otherwise."""
    limits = Limits(max_nodes=settings.pop("max_nodes", None))
    traces = [search(MEDIUM.grid, name, limits) for name in ("row-major", "mrv")]
    return Film(traces, settings_of({"size": "640x360", "fps": 25, **settings}))


def marked(*marks: tuple[int, str], fps: Fraction = Fraction(25), frames: int = 3000) -> MarkedFilm:
    found = tuple(Note(at, at + 1, 0, NoteKind.CALLOUT, text) for at, text in marks)
    return MarkedFilm("A film & more", "films/a b.mp4", 640, 360, fps, frames, found)


def test_callouts_of_a_story_are_chapters_and_marks_in_one_wording() -> None:
    film = speaking_film()
    assert len(film.notes) >= 8
    chapters = film_chapters(film)
    for callout in film.notes:
        text = callout.text.replace("\n", " ")
        if callout.search != FILM:
            text = f"{film.labels[callout.search]}: {text}"
        (mark,) = (one for one in film.marks if one.text == text)
        assert (mark.start, mark.frames) == (callout.start, callout.end - callout.start)
        (chapter,) = (one for one in chapters if text in one.text)
        assert chapter.start <= callout.start < chapter.start + film.timeline.fps / 2
    beats = [first_beat(film.timeline.beats, kind) for kind in (BeatKind.RATIO, BeatKind.CARD)]
    verdicts = [chapter.start for chapter in chapters if chapter.text.startswith("33× fewer steps")]
    assert verdicts == [beat.start for beat in beats if beat]
    assert {each.start for each in chapters} <= {0, *verdicts, *(each.start for each in film.marks)}
    assert all(
        after.start - before.start >= film.timeline.fps // 2 for before, after in pairwise(chapters)
    )


def test_highlights_are_marks_and_every_search_has_one_end() -> None:
    film = speaking_film(highlights=True, duration=12)
    texts = {mark.text for mark in film.marks}
    assert {highlight.text for highlight in film.highlights} <= texts
    ends = [mark for mark in film.marks if mark.kind is NoteKind.END]
    assert sorted(mark.search for mark in ends) == [0, 1]


def test_films_that_say_nothing_have_the_ends_of_their_searches_as_marks() -> None:
    film = speaking_film(pace="even", duration=8, max_nodes=2000)
    assert [(mark.kind, mark.text) for mark in film.marks] == [
        (NoteKind.END, "Fewest options first: Done in 534 steps."),
        (NoteKind.END, "Row by row: Stopped after 3,978 steps, not done."),
    ]
    for mark, number in zip(film.marks, (1, 0), strict=True):
        shot = film.timeline.shot_at(mark.start)
        assert shot.steps[number] == film.timeline.totals[number]
        assert film.timeline.shot_at(mark.start - 1).steps[number] < shot.steps[number]
    assert film_chapters(film) == ()


def markers(film: MarkedFilm, suffix: str, text: str) -> list[tuple[int, str]]:
    """(frame, name) of each marker that OpenTimelineIO finds in a file."""
    otio = pytest.importorskip("opentimelineio")
    adapter = {".otio": "otio_json", ".edl": "cmx_3600", ".fcpxml": "fcpx_xml"}[suffix]
    if adapter not in otio.adapters.available_adapter_names():
        pytest.skip(f"OpenTimelineIO has no reader of {suffix} here")
    whole = round(film.fps * Fraction(1001, 1000)) if film.fps.denominator > 1 else film.fps
    more = {"rate": int(whole)} if suffix == ".edl" else {}
    timeline = otio.adapters.read_from_string(text, adapter, **more)
    if not isinstance(timeline, otio.schema.Timeline):  # a collection of events
        (timeline,) = timeline
    found = []
    for clip in timeline.find_clips():
        for marker in clip.markers:
            start = marker.marked_range.start_time
            frame = round(Fraction(start.value) * film.fps / Fraction(str(round(start.rate, 3))))
            if suffix == ".edl":
                frame = int(start.value) - 3600 * int(whole)
            found.append((frame, marker.name))
    return found


WRITERS = {".otio": otio_text, ".edl": edl_text, ".fcpxml": fcpxml_text}
HOSTILE = 'a <b> & "c" \\ é ; | #'


@pytest.mark.parametrize("suffix", WRITERS)
@pytest.mark.parametrize("fps", [Fraction(25), Fraction(60), Fraction(30000, 1001)])
def test_markers_read_by_opentimelineio_are_those_of_the_film(suffix: str, fps: Fraction) -> None:
    """Marks of one frame are one marker."""
    marks = (0, "Begin"), (40, HOSTILE), (41, "Next"), (41, "More"), (2999, "End")
    film = marked(*marks, fps=fps)
    expected = [(0, "Begin"), (40, HOSTILE), (41, "Next; More"), (2999, "End")]
    if suffix == ".edl":  # whose fields end with a bar
        expected = [(frame, text.replace("|", "/")) for frame, text in expected]
    found = markers(film, suffix, WRITERS[suffix](film))
    if suffix == ".fcpxml" and fps.denominator > 1:  # this reader of theirs cuts NTSC frames off
        found = [(frame + bool(frame), text) for frame, text in found]
    assert found == expected


def test_an_edl_has_resolves_lines() -> None:
    text = edl_text(marked((30, "Done in 534 steps."), fps=Fraction(30000, 1001)))
    times = "01:00:01:00 01:00:01:01"
    assert text.splitlines() == [
        "TITLE: A film & more",
        "FCM: NON-DROP FRAME",
        "",
        f"001  001      V     C        {times} {times}",
        " |C:ResolveColorBlue |M:Done in 534 steps. |D:1",
        "* LOC: 01:00:01:00 BLUE    Done in 534 steps.",
    ]


@given(st.integers(0, 20 * 3600 * 60), st.integers(1, 100))
def test_a_timecode_counts_every_frame(frame: int, rate: int) -> None:
    hours, minutes, seconds, frames = map(int, timecode(frame, rate).split(":"))
    assert ((hours * 60 + minutes) * 60 + seconds) * rate + frames == frame
    assert max(minutes, seconds) < 60
    assert frames < rate


@pytest.mark.parametrize("fps", [Fraction(25, 2), Fraction(120), Fraction(1, 2)])
def test_a_rate_without_timecode_has_no_edl(fps: Fraction) -> None:
    with pytest.raises(SettingsError, match="no timecode"):
        edl_text(marked((1, "x"), fps=fps))


def test_final_cuts_times_are_exact_and_the_film_is_found_beside_it() -> None:
    film = marked((101, HOSTILE), fps=Fraction(30000, 1001))
    root = ElementTree.fromstring(fcpxml_text(film))
    (marker,) = root.iter("marker")
    assert marker.attrib == {"start": "101101/30000s", "duration": "1001/30000s", "value": HOSTILE}
    (source,) = root.iter("media-rep")
    assert source.attrib["src"] == "films/a%20b.mp4"
    (clip,) = root.iter("asset-clip")
    assert clip.attrib["duration"] == "1001/10s"


def test_youtubes_rules_are_kept_and_the_most_telling_marks_stay() -> None:
    kinds = {60: NoteKind.CALLOUT, 63: NoteKind.END, 68: NoteKind.HIGHLIGHT, 92: NoteKind.HIGHLIGHT}
    marks = tuple(Note(25 * at + 1, 25 * at + 2, 0, kind, str(at)) for at, kind in kinds.items())
    film = MarkedFilm("Title", "a.mp4", 640, 360, Fraction(25), 25 * 3700, marks)
    assert youtube_chapters(film) == "0:00 Title\n1:04 63\n1:33 92\n"
    late = Note(25 * 3661, 25 * 3661 + 1, 0, NoteKind.END, "late")
    film = MarkedFilm("Title", "a.mp4", 640, 360, Fraction(25), 25 * 3700, (*marks, late))
    assert youtube_chapters(film).endswith("\n1:01:01 late\n")


@given(
    st.lists(st.tuples(st.integers(0, 2999), st.sampled_from(MARK_ORDER))),
    st.sampled_from([Fraction(25), Fraction(30000, 1001), Fraction(10)]),
)
def test_a_list_for_youtube_is_one_that_youtube_takes_or_refused(
    at: list[tuple[int, NoteKind]], fps: Fraction
) -> None:
    marks = tuple(Note(frame, frame + 1, 0, kind, "x\ny") for frame, kind in sorted(at))
    film = MarkedFilm("Title", "a.mp4", 640, 360, fps, 3000, marks)
    try:
        lines = youtube_chapters(film).splitlines()
    except SettingsError as error:
        assert "at least 3 chapters of 10 s" in str(error)
        return
    times: list[Fraction] = []
    for line in lines:
        clock, _, text = line.partition(" ")
        assert text in ("Title", "x y")
        assert re.fullmatch(r"\d+:\d\d", clock)
        minutes, seconds = clock.split(":")
        times.append(Fraction(60 * int(minutes) + int(seconds)))
    assert times[0] == 0
    assert len(times) >= 3
    assert all(after - before >= 10 for before, after in pairwise([*times, 3000 / fps]))


@pytest.mark.parametrize("puzzle", [EASY.grid, MEDIUM.grid], ids=["easy", "medium"])
@pytest.mark.parametrize("names", [("mrv",), ("row-major", "mrv")], ids=len)
def test_every_default_story_has_chapters_and_at_the_length_that_is_advised_those_for_youtube(
    puzzle: str, names: tuple[str, ...], tmp_path: Path
) -> None:
    film = Film([search(puzzle, name) for name in names], settings_of({"pace": "story"}))
    chapters = film_chapters(film)
    assert len(chapters) >= 5
    assert [chapters[0].start, *(one.end for one in chapters)] == [
        *(one.start for one in chapters),
        film.length,
    ]
    sidecar = marks_sidecar(tmp_path / "a.chapters.txt", tmp_path / "a.mp4")
    with pytest.raises(SettingsError) as caught:
        sidecar.check(film)
    advised = re.findall(r"--duration (\w+)", caught.value.remedy)
    longer = film.with_settings(settings_of({"pace": "story", "duration": advised[0]}))
    assert sidecar.of(longer).count("\n") >= 3


def test_marks_appear_with_their_film(undoku: Undoku, tmp_path: Path) -> None:
    asked = ("render", MEDIUM.grid, "-s", "mrv", "--size", "320x180", "--fps", "10",
             "--duration", "2s", "-o", "a.mp4")  # fmt: skip
    done = undoku(*asked, "--marks", "a.edl", "--marks", "a.fcpxml", cwd=tmp_path, code=0)
    assert done.stdout.split() == ["a.mp4", "a.edl", "a.fcpxml"]
    edl = (tmp_path / "a.edl").read_text()
    assert "|M:Done in 534 steps. |" in edl
    assert 'src="a.mp4"' in (tmp_path / "a.fcpxml").read_text()


def test_without_the_library_otio_is_refused_and_the_rest_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "opentimelineio", None)
    with pytest.raises(SettingsError, match="need the library OpenTimelineIO"):
        marks_sidecar(tmp_path / "a.otio", tmp_path / "a.mp4")
    film = speaking_film(pace="even", duration=1, size="320x180")
    sidecar = marks_sidecar(tmp_path / "a.edl", tmp_path / "a.webp")
    write_film(film, [tmp_path / "a.webp"], sidecars=[sidecar])
    assert (tmp_path / "a.edl").read_text().startswith("TITLE:")


def test_a_sequence_is_numbered_as_asked_and_referred_to_with_its_rate(
    undoku: Undoku, tmp_path: Path
) -> None:
    otio = pytest.importorskip("opentimelineio")
    output = ("-o", "frames/film.%04d.png", "--image-sequence", "1001")
    asked = ("-s", "mrv", "--size", "320x180", "--fps", "24000/1001", "--duration", "1s")
    undoku("render", MEDIUM.grid, *asked, *output, "--marks", "film.otio", cwd=tmp_path, code=0)
    names = sorted(path.name for path in (tmp_path / "frames").iterdir())
    assert names == [f"film.{number}.png" for number in range(1001, 1025)]
    timeline = otio.adapters.read_from_file(str(tmp_path / "film.otio"))
    (clip,) = timeline.find_clips()
    media = clip.media_reference
    urls = [media.target_url_for_image_number(at) for at in range(24)]
    assert [url.removeprefix("frames/") for url in urls] == names
    assert media.rate == pytest.approx(24000 / 1001)
