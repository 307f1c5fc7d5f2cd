"""What the searches do, in words: true, readable, and in files that players accept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.amounts import long
from tests.support.command import Undoku
from tests.support.films import beat_of, make_film
from tests.support.puzzles import EASY, HARD, MEDIUM
from undoku import Header, Limits, MemoryTrace, Op, Outcome, SettingsError, search
from undoku.render.delivery.captions import captions, captions_sidecar
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
from undoku.render.playback.player import Player
from undoku.render.playback.reading_time import reading_time
from undoku.render.playback.step_reasons import brief_reason, reason
from undoku.render.playback.verdict import verdict_of
from undoku.render.settings.settings import settings_of
from undoku.render.timeline.beats import BeatKind, first_beat
from undoku.render.timeline.notes import FILM, Note, NoteKind
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
@pytest.mark.parametrize("seed", [0, long(1), long(2), long(3)])
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
    assert len(short) <= 4
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


# The sentences of a film as marks for editors and platforms: in the same words, exact to the
# frame.


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
        assert mark.start <= callout.start < callout.end <= mark.end
        (chapter,) = (one for one in chapters if text in one.text)
        assert chapter.start <= callout.start < mark.end + film.timeline.fps / 2
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
