"""Long films in segments: the same pictures as the film in one piece."""

from __future__ import annotations

import pickle
import subprocess
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import undoku.render.delivery.plan
import undoku.render.delivery.segment_files
import undoku.render.write.splice
from tests.support.manifests import QUICK, passes
from tests.support.puzzles import EASY
from undoku import search
from undoku.batch.draw_pass import film_of, with_batch_settings
from undoku.batch.run import FilmStatus, run_batch
from undoku.render.delivery.plan import OutputPlan
from undoku.render.delivery.segment_files import SEGMENT, spans
from undoku.render.delivery.write import write_film
from undoku.render.draw.cutting import spanned
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.render.write.encoder_choice import EncoderChoice
from undoku.render.write.ffmpeg_binary import executable
from undoku.render.write.file_info import about_of
from undoku.render.write.reader import read_mp4

LONG = QUICK.replace("1s", "65s").replace("fps = 10", "fps = 30")
TEXT = LONG + (
    '[[jobs]]\npuzzles = "medium.txt"\nname = "long"\nsegments = true\nformats = ["mp4", "png"]\n'
)


def shown(path: Path) -> list[tuple[str, ...]]:
    """Time, length and digest of every decoded picture."""
    done = subprocess.run(
        [executable(), "-v", "error", "-i", str(path), "-f", "framemd5", "-"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    lines = [line for line in done.stdout.splitlines() if not line.startswith("#")]
    return [tuple(part.strip() for part in line.split(",")) for line in lines]


@given(st.integers(1, 10**6))
def test_segments_cover_a_film_and_begin_at_key_frames(frames: int) -> None:
    found = spans(frames)
    assert found[0].start == 0
    assert found[-1].stop == frames
    assert all(first.stop == second.start for first, second in pairwise(found))
    assert all(span.start % 600 == 0 and len(span) > 0 for span in found)
    assert all(len(span) == SEGMENT for span in found[:-1])


@pytest.mark.parametrize(
    "quality",
    ["standard", *(pytest.param(name, marks=pytest.mark.long) for name in ("draft", "archive"))],
)
def test_joined_segments_decode_to_the_film_in_one_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quality: str
) -> None:
    monkeypatch.setattr(undoku.render.delivery.segment_files, "SEGMENT", 600)
    text = TEXT.replace("65s", "45s").replace(
        "segments", f'encoder = "x264"\nquality = "{quality}"\nsegments'
    )
    report = run_batch(passes(tmp_path, text), tmp_path / "out", jobs=0)
    assert report.count(FilmStatus.MADE) == 2
    joined = tmp_path / "out" / "long.mp4"
    (drawn,) = passes(tmp_path, text)
    write_film(film_of(with_batch_settings(drawn)), [tmp_path / "whole.mp4"])
    pictures = shown(joined)
    assert len(pictures) == 45 * 30
    assert pictures == shown(tmp_path / "whole.mp4")
    found, whole = read_mp4(joined), read_mp4(tmp_path / "whole.mp4")
    assert found.key_frames == whole.key_frames == (0, 600, 1200)
    assert (found.texts, found.durations) == (whole.texts, whole.durations)
    assert found.movie_duration == 45
    assert found.index_first


@pytest.mark.parametrize("encoder", ["direct", pytest.param("auto", marks=pytest.mark.long)])
def test_segments_without_an_encoder_join_to_the_same_film(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoder: str
) -> None:
    monkeypatch.setattr(undoku.render.write.splice, "SEGMENT", 300)
    slow = (
        TEXT.replace("65s", "20s")
        .replace("fps = 30", "fps = 60")
        .replace("320x180", "480x270")
        .replace("segments", 'to_step = 1200\npanels = "board,counters"\nsegments')
    )
    text = slow.replace("segments", f'encoder = "{encoder}"\nsegments')
    report = run_batch(passes(tmp_path, text), tmp_path / "out", jobs=0)
    assert report.count(FilmStatus.MADE) == 2
    again = run_batch(passes(tmp_path, text), tmp_path / "out", jobs=0)
    assert again.count(FilmStatus.KEPT) == 2
    (drawn,) = passes(tmp_path, text)
    film = film_of(with_batch_settings(drawn))
    assert OutputPlan(film).encoder_choice.direct
    write_film(film, [tmp_path / "whole.mp4"])
    joined, whole = tmp_path / "out" / "long.mp4", tmp_path / "whole.mp4"
    assert joined.read_bytes() == whole.read_bytes()
    assert {0, 150, 300, 450} <= {*starts(joined)}


def test_the_way_that_a_film_in_segments_is_written_is_chosen_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For films of many segments and of one: what was chosen is in the file."""
    monkeypatch.setattr(undoku.render.delivery.segment_files, "SEGMENT", 600)
    chosen: list[EncoderChoice] = []

    def choose(*asked: Any) -> EncoderChoice:
        chosen.append(EncoderChoice(len(chosen) < 2, "it was tossed"))
        return chosen[-1]

    monkeypatch.setattr(undoku.render.delivery.plan, "choice_on_trial", choose)
    for name, segment in (("direct", 300), ("direct, whole", 10_000), ("x264", 600)):
        monkeypatch.setattr(undoku.render.write.splice, "SEGMENT", segment)
        text = TEXT.replace("65s", "25s").replace('["mp4", "png"]', '["mp4"]')
        found = passes(tmp_path, text)
        assert run_batch(found, tmp_path / name, jobs=0).count(FilmStatus.MADE) == 1
        reported = about_of(tmp_path / name / "long.mp4")["encoder"]
        assert reported == f"{name.split(',')[0]}: it was tossed"
    assert len(chosen) == 3


def starts(path: Path) -> list[int]:
    """The numbers of the frames of the film that are key frames."""
    film = read_mp4(path)
    at, found, number = 0, [], 0
    for count, ticks in film.durations:
        for _ in range(count):
            if number in film.key_frames:
                found.append(round(at / film.timescale * 30))
            at, number = at + ticks, number + 1
    return found


@pytest.mark.long
def test_segments_drawn_by_workers_are_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undoku.render.delivery.segment_files, "SEGMENT", 600)
    found = passes(tmp_path, TEXT)
    for name, jobs in (("out", 0), ("again", 2)):
        assert run_batch(found, tmp_path / name, jobs=jobs).count(FilmStatus.MADE) == 2
    first, second = ((tmp_path / name / "long.mp4").read_bytes() for name in ("out", "again"))
    assert first == second
    assert not list((tmp_path / "out").rglob("joined*"))


def test_a_segment_that_fails_fails_its_film_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import undoku.batch.film_segments
    from undoku.errors import EncoderError

    def broken(*_: object) -> int:
        raise EncoderError("ffmpeg can't join the segments")

    monkeypatch.setattr(undoku.render.delivery.segment_files, "SEGMENT", 600)
    monkeypatch.setattr(undoku.batch.film_segments, "join", broken)
    text = TEXT.replace("65s", "45s").replace("segments", 'encoder = "x264"\nsegments')
    report = run_batch(passes(tmp_path, text), tmp_path / "out", jobs=0)
    assert [film.status.value for film in report.films] == ["failed", "made"]
    assert "can't join" in report.films[0].reason
    assert not (tmp_path / "out" / "long.mp4").exists()


def test_a_film_that_was_sent_to_another_process_has_the_same_pixels() -> None:
    """Segments are drawn by workers: what they compare with must be equal, not the same object."""
    options = {"size": "320x240", "fps": 2, "duration": 4}
    film = Film([search(EASY.grid, "mrv")], settings_of(options))
    sent = pickle.loads(pickle.dumps(film))
    for ours, theirs in zip(film.frames(), sent.frames(), strict=True):
        assert np.array_equal(ours.pixels, theirs.pixels)


def test_a_span_of_a_film_has_the_pixels_of_the_film(tmp_path: Path) -> None:
    (drawn,) = passes(tmp_path, TEXT.replace("65s", "3s"))
    film = film_of(replace(drawn, settings=replace(drawn.settings, closed=False)))
    pictures = [frame.pixels.copy() for frame in film.frames() for _ in range(frame.ticks)]
    for span in (range(1), range(3, 40), range(50, 90), range(89, 90)):
        cut = [frame.pixels.copy() for frame in film.frames(span) for _ in range(frame.ticks)]
        assert len(cut) == len(span)
        assert all(np.array_equal(pictures[at], one) for at, one in zip(span, cut, strict=True))
    first = next(spanned(film.frames(), range(20, 30)))
    assert (first.changes[0].rect.width, first.changes[0].rect.height) == (320, 180)
