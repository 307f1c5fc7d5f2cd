"""Runs that fail, as whole processes: one sentence, the right exit code, nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from render.delivery.write import write_film
from render.film import Film
from render.settings import FilmSettings
from render.sinks.staging import Staging
from solver import OutputError, search
from tests.support.puzzles import EASY, HARD

ROOT = Path(__file__).parent.parent.parent.parent
PATIENCE = 60  # seconds until a test gives up; nothing here depends on how long it takes


def children(parent: int) -> list[int]:
    """The processes that `parent` started and that still run."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            status = (entry / "stat").read_text()
        except OSError:
            continue
        state, owner = status.rsplit(")", 1)[1].split()[:2]
        if int(owner) == parent and state != "Z":
            found.append(int(entry.name))
    return found


def until(found: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not found():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "film.mp4").write_text("precious")
    return tmp_path


@pytest.fixture
def long_run(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A film of 145,000 frames under way: its encoder runs and has been given pictures."""
    process = subprocess.Popen(
        [sys.executable, "-m", "undoku", "render", HARD.grid, "-s", "row-major",
         "-o", "film.mp4", "-o", "film.gif", "--size", "320x180", "-y"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    try:
        until(lambda: children(process.pid))
        until(lambda: any(p.stat().st_size > 2000 for p in folder.glob(".undoku-*.gif")))
        yield process
    finally:
        process.kill()
        process.wait()


def assert_nothing_left(folder: Path, encoders: list[int]) -> None:
    assert [path.name for path in folder.iterdir()] == ["film.mp4"]
    assert (folder / "film.mp4").read_text() == "precious"
    for encoder in encoders:
        assert not Path(f"/proc/{encoder}").exists()


@pytest.mark.skipif(not Path("/proc").exists(), reason="counts processes through /proc")
@pytest.mark.parametrize(
    ("number", "code", "said"),
    [(signal.SIGINT, 130, "undoku: interrupted\n"), (signal.SIGTERM, 143, "")],
)
def test_an_interrupted_run_ends_at_once_and_leaves_nothing(
    folder: Path,
    long_run: subprocess.Popen[str],
    number: signal.Signals,
    code: int,
    said: str,
) -> None:
    """The file that was there before is there still, and the encoder is gone."""
    encoders = children(long_run.pid)
    long_run.send_signal(number)
    out, err = long_run.communicate(timeout=PATIENCE)
    assert long_run.returncode == code
    assert (out, err) == ("", said)
    assert_nothing_left(folder, encoders)


@pytest.mark.skipif(not Path("/proc").exists(), reason="counts processes through /proc")
def test_a_killed_encoder_is_one_sentence(folder: Path, long_run: subprocess.Popen[str]) -> None:
    """Exit code 3, and neither of the two films appears."""
    started = children(long_run.pid)  # another may draw the card
    (encoder,) = (pid for pid in started if b"ffmpeg" in Path(f"/proc/{pid}/cmdline").read_bytes())
    os.kill(encoder, signal.SIGKILL)
    out, err = long_run.communicate(timeout=PATIENCE)
    assert long_run.returncode == 3
    assert out == ""
    assert err.startswith("undoku: ")
    assert len(err.splitlines()) == 1
    assert_nothing_left(folder, started)


@pytest.mark.parametrize("name", ["film.mp4", "film.gif", "step.png"])
def test_a_full_disk_is_one_sentence(full_disk: Path, name: str) -> None:
    """Whatever the format: exit code 3, and the disk is as empty as before."""
    (full_disk / "ballast").write_bytes(b"x" * (60 << 10))
    size = ["--size", "1280x720"] if name.endswith("png") else ["--size", "640x360"]
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "undoku",
            "render",
            EASY.grid,
            "-o",
            name,
            *size,
            "--fps",
            "50",
        ],
        cwd=full_disk,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert done.returncode == 3, done.stderr
    assert "disk is full" in done.stderr or "No space left" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert [path.name for path in full_disk.iterdir()] == ["ballast"]


def test_a_folder_that_may_not_be_written_is_one_sentence(tmp_path: Path) -> None:
    """A file where a folder should be stands for every folder that refuses."""
    (tmp_path / "file").write_text("")
    done = subprocess.run(
        [sys.executable, "-m", "undoku", "render", EASY.grid, "-o", "file/film.mp4"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert done.returncode == 3
    assert "'file/film.mp4' can't be written" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("late", ["film.gif", "film.png"])
def test_outputs_of_one_run_appear_together_or_not_at_all(tmp_path: Path, late: str) -> None:
    """Another program takes the name of one of them while the film is being made."""
    film = Film([search(EASY.grid, "mrv")], FilmSettings(320, 180, Fraction(25)))
    paths = [tmp_path / name for name in ("film.mp4", "film.gif", "film.png")]

    def take(done: int, total: int) -> None:
        if done == total:
            (tmp_path / late).write_text("precious")

    with pytest.raises(OutputError, match="exists already"):
        write_film(film, paths, progress=take)
    assert [path.name for path in tmp_path.iterdir()] == [late]
    assert (tmp_path / late).read_text() == "precious"


def test_a_name_that_no_system_takes_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="can't be written"):
        Staging(tmp_path / ("x" * 300 + ".gif"))
