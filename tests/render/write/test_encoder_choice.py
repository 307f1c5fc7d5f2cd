"""The encoder of an MP4 with `auto`: what is chosen, for which reason, and where it is reported."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest
from psutil import pid_exists

import undoku.render.delivery.write
import undoku.render.write.encoder_choice
from tests.support.command import Undoku
from tests.support.decoding import film_index
from tests.support.films import HEIGHT, WIDTH, board_film, sink_context
from tests.support.puzzles import MEDIUM
from tests.support.system import PATIENCE, until
from undoku import Limits, search
from undoku.cli.main import main
from undoku.errors import EncoderError
from undoku.render.delivery.write import write_film
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.timeline import Pace
from undoku.render.write import ffmpeg, ffmpeg_sink
from undoku.render.write.encoder_choice import choice_after, fixed_choice
from undoku.render.write.ffmpeg import executable
from undoku.render.write.file_info import about_of
from undoku.render.write.mp4_x264 import Mp4Sink
from undoku.render.write.staging import Staging
from undoku.render.write.stall_watch import StallWatch, allow_notices, report_stall

DIRECT, ENCODED = "Constrained Baseline", "High"
"""profile_idc of films written directly and by x264."""
STEPS = ("render", MEDIUM.grid, "-s", "row-major", "--panels", "board,counters", "--quality",
         "draft", "--max-nodes", "60", "--size", "320x180", "--fps", "10",
         "--encoder", "auto")  # fmt: skip


def film(settings: FilmSettings) -> Film:
    return Film([search(MEDIUM.grid, "row-major", Limits(2000))], settings)


@dataclass(frozen=True)
class Beginning:
    """As much of a film as was written directly."""

    ticks: int
    bytes: int
    copied: int


def test_x264_is_chosen_where_it_saves_much() -> None:
    """More than 15 % of its own bytes, and more than 2 MB of the whole film."""
    settings = FilmSettings()
    new = Beginning(1000, 2_000_000, 0)  # what is coded anew takes x264 half of the bytes
    assert choice_after(new, 1000, settings).direct
    assert not choice_after(new, 4000, settings).direct
    assert choice_after(new, 4000, replace(settings, quality="draft")).direct
    copies = Beginning(1000, 2_000_000, 400_000)
    assert choice_after(copies, 40_000, settings).direct


def test_the_reported_size_of_a_film_is_its_size(tmp_path: Path) -> None:
    """It is written directly, and then known."""
    traces = [search(MEDIUM.grid, order, Limits(60)) for order in ("row-major", "mrv")]
    made = Film(traces, FilmSettings(320, 180, Fraction(10)))
    (written,) = write_film(made, [tmp_path / "film.mp4"]).outputs
    assert written.encoder
    found_texts = float(written.encoder.reason.split(" bytes a frame")[0].replace(",", ""))
    index = film_index(tmp_path / "film.mp4")
    assert found_texts == pytest.approx(sum(index.sizes) / made.timeline.frames, abs=1)
    asked = made.with_settings(replace(made.settings, encoder="direct"))
    write_film(asked, [tmp_path / "asked.mp4"])
    assert index.sizes == film_index(tmp_path / "asked.mp4").sizes


def test_a_film_is_encoded_when_its_beginning_shows_that_this_is_better(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was written directly until then is removed; all other files are as usual."""
    monkeypatch.setattr(undoku.render.write.encoder_choice, "WORTH_SHARE", 0)
    monkeypatch.setattr(undoku.render.write.encoder_choice, "WORTH_BYTES", -(10**9))
    monkeypatch.setattr(undoku.render.delivery.write, "TRIAL", 30)
    made = film(FilmSettings(320, 180, pace=Pace(Fraction(20)), encoder="auto"))
    seen: list[int] = []
    files = [tmp_path / "film.mp4", tmp_path / "film.gif"]
    report = write_film(made, files, progress=lambda done, _: seen.append(done))
    assert film_index(files[0]).profile == ENCODED
    choice = report.outputs[0].encoder
    assert choice
    assert choice.summary.startswith("x264: ")
    assert max(seen[: seen.index(30) + 1]) == 30
    assert seen[-1] == made.timeline.frames
    assert sorted(path.name for path in tmp_path.iterdir()) == ["film.gif", "film.mp4"]
    write_film(made, [tmp_path / "alone.gif"])
    assert files[1].read_bytes() == (tmp_path / "alone.gif").read_bytes()


@pytest.mark.parametrize(
    ("settings", "encoder", "reason"),
    [
        (FilmSettings(640, 360, encoder="direct"), "direct", ""),
        (FilmSettings(640, 360, encoder="x264"), "x264", ""),
        (FilmSettings(8000, 8000, encoder="auto"), "x264", "more than any level of H.264 allows"),
    ],
)
def test_a_requested_or_only_possible_encoder_is_chosen_before_anything_is_drawn(
    settings: FilmSettings, encoder: str, reason: str
) -> None:
    choice = fixed_choice(settings)
    assert choice is not None
    assert choice.encoder == encoder
    assert reason in choice.reason and bool(choice.reason) == bool(reason)


def test_the_choice_is_reported_on_standard_error_in_json_and_in_the_file(
    undoku: Undoku, tmp_path: Path
) -> None:
    done = undoku(*STEPS, "-o", "film.mp4", "-o", "film.gif", cwd=tmp_path)
    assert done.returncode == 0
    assert "MP4 is written directly: " in done.stderr
    assert film_index(tmp_path / "film.mp4").profile == DIRECT
    message = undoku("info", "film.mp4", cwd=tmp_path).stdout
    assert "encoder     direct: " in message
    assert "bytes a frame" in message
    assert "\nencoder " not in undoku("info", "film.gif", cwd=tmp_path).stdout
    done = undoku(*STEPS, "-o", "film.mp4", "-y", "--json", "-q", cwd=tmp_path)
    assert done.stderr == ""
    output = json.loads(done.stdout)["outputs"][0]
    assert output["encoder"] == "direct"
    assert "bytes a frame" in output["encoder_why"]


def test_a_requested_encoder_is_recorded_without_a_reason(undoku: Undoku, tmp_path: Path) -> None:
    asked = [*STEPS[:-1], "x264"]
    done = undoku(*asked, "-v", "--json", "-o", "film.mp4", cwd=tmp_path)
    assert done.returncode == 0
    assert "MP4 is written" not in done.stderr
    output = json.loads(done.stdout)["outputs"][0]
    assert (output["encoder"], output["encoder_why"]) == ("x264", "asked for")
    assert film_index(tmp_path / "film.mp4").profile == ENCODED
    assert "encoder" not in json.loads(undoku("info", "film.mp4", "--json", cwd=tmp_path).stdout)


def test_the_encoder_that_is_reported_for_a_fitted_film_is_the_one_that_wrote_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "film.mp4"
    asked = ["--panels", "board,counters", "--max-nodes", "60", "--size", "320x180",
             "--fps", "10", "--duration", "6s", "--max-size", "60kB", "--json"]  # fmt: skip
    assert main(["render", MEDIUM.grid, *asked, "-o", str(path)]) == 0
    (row,) = json.loads(capsys.readouterr().out)["outputs"]
    assert about_of(path)["encoder"] == f"{row['encoder']}: {row['encoder_why']}"


# Whatever stops a film, one sentence says so, and neither a file nor a process stays behind.


SHAPE = sink_context(WIDTH, HEIGHT, Fraction(60))


class ProducerError(Exception):
    """Something that goes wrong while frames are made."""


def encoder_of(sink: Mp4Sink) -> int:
    assert sink.process is not None
    return sink.process.pid


@pytest.mark.parametrize("at_the_end", [False, True])
def test_a_killed_encoder_is_reported_in_one_sentence(tmp_path: Path, at_the_end: bool) -> None:
    """Between frames or after the last one."""
    with Mp4Sink(Staging(tmp_path / "film.mp4"), SHAPE) as sink:
        pid = encoder_of(sink)
        with pytest.raises(EncoderError, match=r"ffmpeg was ended by SIGKILL") as failure:
            for number, frame in enumerate(board_film(3 if at_the_end else 2000)):
                sink.write(frame)
                if number == 2:
                    os.kill(pid, signal.SIGKILL)
            sink.finish()
    assert "film.mp4' was not written" in str(failure.value)
    assert "\n" not in str(failure.value)
    assert not pid_exists(pid)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("reason", [ProducerError, KeyboardInterrupt])
def test_an_exception_between_frames_stops_the_encoder(
    tmp_path: Path, reason: type[BaseException]
) -> None:
    pid = 0
    with (
        pytest.raises(reason),
        Mp4Sink(Staging(tmp_path / "film.mp4"), SHAPE) as sink,
    ):
        pid = encoder_of(sink)
        for number, frame in enumerate(board_film(100)):
            if number == 50:
                raise reason
            sink.write(frame)
    assert pid
    assert not pid_exists(pid)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("further", "message"),
    [
        (["-preset", "sluggish"], r'"invalid preset .sluggish.'),
        (["-frames:v", "7"], r"wrote 7 frames of the 20|stopped before"),
    ],
)
def test_a_bad_option_and_missing_frames_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, further: list[str], message: str
) -> None:
    """In ffmpeg's own words, or although it reports success."""
    right = Mp4Sink.encoder_arguments
    monkeypatch.setattr(Mp4Sink, "encoder_arguments", lambda self: [*right(self), *further])
    with (
        Mp4Sink(Staging(tmp_path / "film.mp4"), SHAPE) as sink,
        pytest.raises(EncoderError, match=message),
    ):
        for frame in board_film(20):
            sink.write(frame)
        sink.finish()
    assert not list(tmp_path.iterdir())


def test_an_encoder_with_many_warnings_never_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Warnings of far more than a pipe holds are discarded."""
    loud = tmp_path / "loud"
    loud.write_text(
        "#!/bin/sh\nhead -c 250000 /dev/zero | tr '\\0' '\\n' >&2\n"
        f'exec "{executable()}" "$@"\n'
    )
    loud.chmod(0o755)
    monkeypatch.setattr(ffmpeg, "executable", lambda: str(loud))
    with Mp4Sink(Staging(tmp_path / "film.mp4"), SHAPE) as sink:
        for frame in board_film(20):
            sink.write(frame)
        assert sink.finish().frames == 20


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (shutil.which("true"), "wrote 0 frames|stopped before"),
        ("/nowhere/ffmpeg", r"can't be started.*install imageio-ffmpeg"),
    ],
)
def test_an_encoder_that_is_missing_or_writes_nothing_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, message: str
) -> None:
    monkeypatch.setattr(ffmpeg, "executable", lambda: program)
    with (
        pytest.raises(EncoderError, match=message),
        Mp4Sink(Staging(tmp_path / "film.mp4"), SHAPE) as sink,
    ):
        sink.write(next(board_film(1)))
        sink.finish()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("at_the_end", [False, True])
def test_a_stopped_encoder_is_reported_once_and_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_the_end: bool
) -> None:
    """Whether it accepts no more pictures or does not end. When it continues, it completes the
    film."""
    stopped = threading.Event()
    output: list[tuple[str, Path]] = []
    waits: list[float] = []

    def wait(seconds: float) -> bool:
        waits.append(seconds)
        assert stopped.wait(PATIENCE)
        time.sleep(0.01)
        return False

    def say(program: str, path: Path) -> None:
        output.append((program, path))
        os.kill(pid, signal.SIGCONT)

    monkeypatch.setattr(ffmpeg, "report_stall", say)
    monkeypatch.setattr(ffmpeg, "FfmpegProcess", partial(ffmpeg.FfmpegProcess, wait=wait))
    monkeypatch.setattr(ffmpeg_sink, "FfmpegProcess", ffmpeg.FfmpegProcess)
    with Mp4Sink(Staging(tmp_path / "film.mp4"), SHAPE) as sink:
        pid = encoder_of(sink)
        frames = 3 if at_the_end else 200
        for number, frame in enumerate(board_film(frames)):
            if number == frames - 1 or not at_the_end:
                if not stopped.is_set():
                    os.kill(pid, signal.SIGSTOP)
                stopped.set()
            sink.write(frame)
        assert sink.finish().frames == frames
    assert output == [(f"ffmpeg (process {pid})", tmp_path / "film.mp4")]
    assert set(waits) == {20.0}


def test_a_watch_reports_once_that_an_encoder_makes_no_progress() -> None:
    """Nothing is reported while the value changes, or while nothing is awaited; `close` ends the
    watch."""
    look = Mock(side_effect=[None, None, 1, 2, None, 2, None, 3, 3, 3])
    done = threading.Event()
    StallWatch(look, done.set, wait=lambda seconds: False)
    assert done.wait(PATIENCE)
    assert look.call_count == 9
    ends = iter([False, True])
    quiet = threading.Event()
    with closing(StallWatch(quiet.set, done.clear, wait=lambda seconds: next(ends))):
        assert quiet.wait(PATIENCE)
    assert done.is_set()


@pytest.mark.parametrize("allowed", [True, False])
def test_a_stall_is_printed_in_one_line_where_notices_are_allowed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, allowed: bool
) -> None:
    monkeypatch.setenv("UNDOKU_NOTICES", "")
    allow_notices(allowed)
    report_stall("ffmpeg", Path("a\x1b\n.mp4"))
    line = (
        "ffmpeg has made no progress for 20 s; still waiting for it: it may be stopped, or the "
        "disk of 'a\\x1b\\n.mp4' may be away\n"
    )
    assert capsys.readouterr().err == (line if allowed else "")


INTERRUPTED = """
import itertools, sys
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from tests.support.films import board_film
from tests.support.films import sink_context
from undoku.render.write.mp4_x264 import Mp4Sink
from undoku.render.write.staging import Staging

with Mp4Sink(Staging(Path(sys.argv[1])), sink_context(320, 180, Fraction(60))) as sink:
    for number, frame in enumerate(board_film(10**9)):
        sink.write(frame)
        if number == 20:
            print(sink.process.pid, flush=True)
"""


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGKILL])
def test_ctrl_c_on_the_terminal_ends_program_and_encoder(
    tmp_path: Path, ending: signal.Signals
) -> None:
    """The signal goes to the whole group, as a terminal sends it. A program that is killed can't
    clean up, but its encoder still ends."""
    program = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, tmp_path / "film.mp4"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        start_new_session=True,
    )
    assert program.stdout is not None
    pid = int(program.stdout.readline())
    assert os.getpgid(pid) != os.getpgid(program.pid), "Ctrl-C must not reach the encoder itself"
    os.killpg(program.pid, ending)
    _, message = program.communicate(timeout=PATIENCE)
    assert (b"KeyboardInterrupt" in message) == (ending == signal.SIGINT)
    until(lambda: not pid_exists(pid))
    if ending == signal.SIGINT:
        assert not list(tmp_path.iterdir())
