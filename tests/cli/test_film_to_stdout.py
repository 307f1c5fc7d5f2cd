"""Films to standard output: the bytes in the pipe, and the messages when it breaks."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from PIL import Image

from tests.support.command import Undoku
from tests.support.film_decoders import by_ffmpeg
from tests.support.paths import ROOT
from tests.support.puzzles import EASY
from tests.support.waiting import PATIENCE

SIZE = ("--size", "320x180")
FILM = ("render", EASY.grid, "-s", "mrv", *SIZE)
COMMAND = (sys.executable, "-m", "undoku", *FILM)
decoded = partial(by_ffmpeg, decoder="h264")
PLACE = {**os.environ, "PYTHONPATH": str(ROOT)}


def piped(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    """Run the command and read both of its streams unchanged."""
    return subprocess.run(
        [*COMMAND, *arguments], cwd=cwd, env=PLACE, capture_output=True, check=False
    )


def test_a_film_in_a_pipe_is_the_film_of_a_file_and_can_be_made_again(
    undoku: Undoku, tmp_path: Path
) -> None:
    """Its metadata say what it is, and that it was written directly."""
    done = piped("-o", "-", "--format", "mp4", "--duration", "2s", cwd=tmp_path)
    assert done.returncode == 0
    assert b"frames" in done.stderr
    assert not list(tmp_path.iterdir())
    (tmp_path / "piped.mp4").write_bytes(done.stdout)
    about = json.loads(undoku("info", "piped.mp4", "--json", cwd=tmp_path).stdout)
    assert json.loads(about["recipe"])["settings"]["encoder"] == "direct"
    direct = ("--encoder", "direct", "--duration", "2s")
    undoku(*FILM, *direct, "-o", "film.mp4", cwd=tmp_path, code=0)
    undoku("render", "--again", "piped.mp4", "-o", "again.mp4", cwd=tmp_path, code=0)
    streamed = decoded(tmp_path / "piped.mp4")
    assert len(streamed) > 20 * 320 * 180 * 3 // 2
    for name in ("film.mp4", "again.mp4"):
        assert streamed == decoded(tmp_path / name)


def test_a_film_is_passed_on_while_it_is_drawn(tmp_path: Path) -> None:
    """The reader has the first seconds long before the film is finished; when it ends, the
    command ends quietly and leaves nothing."""
    with subprocess.Popen(
        [*COMMAND, "--steps-per-second", "1/100", "-o", "-"],
        cwd=tmp_path, env={**PLACE, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as running:  # fmt: skip
        assert running.stdout and running.stderr
        first = running.stdout.read(2000)
        assert first[4:8] == b"ftyp"
        assert b"moof" in first + running.stdout.read(20_000)
        assert running.poll() is None
        running.stdout.close()
        assert running.wait(PATIENCE) == 0
        assert running.stderr.read() == b""
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("options", [(), ("--format", "gif", "--duration", "1s")])
def test_a_reader_that_has_gone_is_not_a_failure(tmp_path: Path, options: tuple[str, ...]) -> None:
    """In every format, streamed or copied when it is finished."""
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [*COMMAND, *options, "-o", "-", "-q"], cwd=tmp_path,
        env={**PLACE, "TMPDIR": str(tmp_path)}, stdout=write, stderr=subprocess.PIPE, check=False,
    )  # fmt: skip
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")
    assert not list(tmp_path.iterdir())


def test_a_terminal_is_refused(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    done = subprocess.run([*COMMAND, "-o", "-"], cwd=tmp_path, env=PLACE, stdout=theirs,
                          stderr=subprocess.PIPE, check=False)  # fmt: skip
    os.close(theirs)
    os.close(ours)
    message = "undoku: a terminal can't show a film; pipe it: undoku render … -o - | mpv -\n"
    assert (done.returncode, done.stderr.decode()) == (2, message)


def test_other_formats_are_passed_on_when_they_are_finished(undoku: Undoku, tmp_path: Path) -> None:
    done = undoku(*FILM, "-o", "-", "--format", "gif", "--duration", "2s", "--fps", "10",
                  cwd=tmp_path)  # fmt: skip
    with Image.open(io.BytesIO(done.content)) as film:
        assert (film.format, film.size) == ("GIF", (320, 180))
        assert getattr(film, "n_frames", 0) > 10
    still = undoku(*FILM, "-o", "-", "--at-step", "9", cwd=tmp_path)
    undoku(*FILM, "--at-step", "9", "-o", "f.png", cwd=tmp_path, code=0)
    assert still.content == (tmp_path / "f.png").read_bytes()
    encoded = undoku(*FILM, "-o", "-", "--encoder", "x264", "--duration", "1s", cwd=tmp_path)
    (tmp_path / "encoded.mp4").write_bytes(encoded.content)
    assert len(decoded(tmp_path / "encoded.mp4")) == 60 * 320 * 180 * 3 // 2


def test_messages_go_to_standard_error_alone(undoku: Undoku, tmp_path: Path) -> None:
    done = undoku(*FILM, "-o", "-", "-v", "--captions", "said.srt", cwd=tmp_path, code=0)
    assert done.content[4:8] == b"ftyp"
    assert "said.srt" in done.stderr
    assert "frames/s" in done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"said.srt"}
