"""Interrupted and failing batches: the next run makes the same folder as an undisturbed run."""

from __future__ import annotations

import errno
import os
import random
import secrets
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil
import pytest

from tests.support.manifests import QUICK, groups, tree, write
from tests.support.puzzles import EASY
from tests.support.system import PATIENCE, ROOT, small_disk, until
from undoku.errors import OutputError
from undoku.render.batch.batch import BatchFilm, FilmStatus, make_films
from undoku.render.write.ffmpeg import executable
from undoku.render.write.gif import GifSink
from undoku.render.write.sink import ClosedFile

# Running a batch as a process of its own, and looking at what it leaves behind.


_MARK = "UNDOKU_TEST_RUN"

TWELVE = (
    QUICK
    + """
[[jobs]]
name = "{puzzle}/{strategies}_{theme}"
formats = ["mp4", "gif"]
[jobs.matrix]
puzzles = ["easy.txt", "medium.txt"]
strategies = [["row-major", "mrv"], "mrv"]
themes = ["dark"]
[[jobs]]
name = "stills/{puzzle}_{theme}"
formats = "png"
puzzles = ["easy.txt", "medium.txt"]
matrix.themes = ["dark", "light"]
"""
)
"""Twelve films."""


class Ended(NamedTuple):
    """How a run ended."""

    code: int
    errors: str


class Running:
    """`undoku batch` with a mark in its environment, which all processes that it starts inherit."""

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        self.mark = secrets.token_hex(8)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "undoku", "batch", "films.toml", "-q", *arguments],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT), _MARK: self.mark} | environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def end(self, number: signal.Signals | None = None) -> Ended:
        """Wait for its end, after sending a signal if one is given."""
        if number is not None:
            self._process.send_signal(number)
        with self._process:
            _, errors = self._process.communicate(timeout=PATIENCE)
        return Ended(self._process.returncode, errors)

    @property
    def runs(self) -> bool:
        return self._process.poll() is None


def processes(mark: str) -> list[psutil.Process]:
    """The processes of a run that are alive."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.environ().get(_MARK) == mark:
                found.append(process)
    return found


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The twelve films as an uninterrupted run makes them."""
    folder = tmp_path_factory.mktemp("reference")
    report = make_films(groups(folder, TWELVE), folder / "out", jobs=0)
    assert report.count(FilmStatus.MADE) == 12
    return tree(folder / "out")


def films(folder: Path) -> dict[str, str]:
    """The films under their final names, as a finished run left them."""
    return {
        name: digest
        for name, digest in (tree(folder) if folder.exists() else {}).items()
        if not name.startswith((".undoku/", "report"))
    }


def begun(folder: Path) -> bool:
    """Whether a film already has its final name while a run is active."""
    return any(path.is_file() for name in ("easy", "stills") for path in folder.glob(f"{name}/*"))


def strike(
    folder: Path, number: signal.Signals, after: float | None, reference: dict[str, str]
) -> int:
    """Run the batch, send it a signal so many seconds after it has begun, or with its first films
    where `after` is None, and look at what it leaves; returns how many films there are."""
    running = Running(folder, "-o", "out", "-j2")
    if after is None:
        until(lambda: begun(folder / "out") or not running.runs)
    else:
        if number is not signal.SIGKILL:  # before it runs at all, Python itself answers
            until(lambda: (folder / "out").exists() or not running.runs)
        time.sleep(after)
    struck = running.runs
    ended = running.end(number if struck else None)
    until(lambda: not processes(running.mark))
    left = films(folder / "out")
    assert left.items() <= reference.items(), "a partial or foreign file has a film's name"
    if not struck:
        assert ended.code == 0
    elif number is signal.SIGKILL:
        assert ended.code in (-number, 0)
    elif ended.code:
        assert ended.code == 128 + number
        assert ended.errors == ("undoku: interrupted\n" if number is signal.SIGINT else "")
        assert not (folder / "out" / ".undoku" / "work").exists()
    else:  # it was finishing anyway
        assert len(left) == 12
    return len(left)


_DICE = random.Random(1)


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGINT,
        pytest.param(signal.SIGTERM, marks=pytest.mark.long),
        signal.SIGKILL,
    ],
)
@pytest.mark.parametrize(
    "after",
    [
        pytest.param(None, id="with the first films"),
        *(pytest.param(_DICE.uniform(0.3, 5), marks=pytest.mark.long) for _ in range(20)),
    ],
)
def test_a_killed_run_is_continued_and_ends_like_an_undisturbed_one(
    tmp_path: Path, reference: dict[str, str], number: signal.Signals, after: float | None
) -> None:
    write(tmp_path, TWELVE)
    strike(tmp_path, number, after, reference)
    assert make_films(groups(tmp_path, TWELVE), tmp_path / "out", jobs=0).exit_code == 0
    assert tree(tmp_path / "out") == reference


EIGHT = TWELVE.replace('["row-major", "mrv"], "mrv"]', '"mrv"]')
"""Those of one strategy alone."""

MORTAL_ENCODER = """#!/bin/sh
case "$*" in *libx264*)
  echo x >> count
  [ "$(wc -l < count)" -eq 2 ] && kill -9 $$
esac
exec "$FFMPEG" "$@"
"""


def test_a_killed_encoder_costs_only_its_films(tmp_path: Path) -> None:
    """It is killed while it encodes for the second time."""
    script = tmp_path / "ffmpeg-mortal"
    script.write_text(MORTAL_ENCODER)
    script.chmod(0o755)
    text = EIGHT.replace('"gif"]', '"gif"]\nencoder = "x264"')
    write(tmp_path, text)
    environment = {"IMAGEIO_FFMPEG_EXE": str(script), "FFMPEG": executable()}
    ended = Running(tmp_path, "-o", "out", "-j0", **environment).end()
    assert ended.code == 1
    assert "was ended by SIGKILL" in ended.errors
    (line,) = {line.split(": ")[1] for line in ended.errors.splitlines() if ".mp4:" in line}
    made = films(tmp_path / "out")
    assert len(made) == 6  # the film, and the GIF of the same pass
    assert line not in made
    assert not list((tmp_path / "out").rglob(".undoku-*"))
    assert make_films(groups(tmp_path, text), tmp_path / "out", jobs=0).exit_code == 0
    assert len(films(tmp_path / "out")) == 8


def test_a_folder_that_vanishes_ends_in_failures_and_not_in_a_crash(tmp_path: Path) -> None:
    def vanish(film: BatchFilm, done: int, total: int) -> None:
        if done == 3:
            shutil.rmtree(tmp_path / "out")

    try:
        report = make_films(groups(tmp_path, EIGHT), tmp_path / "out", jobs=0, watch=vanish)
    except OutputError as error:
        assert "no folder" in str(error)
    else:
        assert report.exit_code == 1
    again = make_films(groups(tmp_path, EIGHT), tmp_path / "out", jobs=0)
    assert again.exit_code == 0


@pytest.mark.parametrize(
    "kib", [140, *(pytest.param(kib, marks=pytest.mark.long) for kib in range(16, 400, 64))]
)
def test_a_full_disk_costs_films_but_never_leaves_a_part_of_one(
    tmp_path: Path, reference: dict[str, str], kib: int
) -> None:
    with small_disk(tmp_path / "disk", kib) as disk:
        write(tmp_path, TWELVE)
        ended = Running(tmp_path, "-o", str(disk / "out"), "-j0").end()
        there = films(disk / "out")
        assert there.items() <= reference.items()
        assert not list(disk.rglob(".undoku-*"))
        assert kib != 140 or 0 < len(there) < 12
        if len(there) < 12:
            assert ended.code in (1, 3)
            assert "full" in ended.errors or "No space left" in ended.errors
            assert "Traceback" not in ended.errors
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        assert make_films(groups(tmp_path, TWELVE), disk / "out", jobs=0).exit_code == 0
        assert tree(disk / "out") == reference


@pytest.mark.long
def test_the_memory_of_a_worker_is_flat_over_hundreds_of_films(tmp_path: Path) -> None:
    """Caches are bounded: after 600 films a worker uses hardly more memory than after 400."""
    themes = ", ".join(['"dark"', '"light"'])
    text = QUICK + "".join(
        f'[[jobs]]\npuzzles = "easy.txt"\nstrategies = "mrv"\nformats = "png"\n'
        f'title = "{number}"\nname = "{number}_{{theme}}"\nmatrix.themes = [{themes}]\n'
        for number in range(300)
    )
    sizes: list[int] = []

    def watch(film: BatchFilm, done: int, total: int) -> None:
        if done in (400, 600):
            own = psutil.Process()
            sizes.append(sum(one.memory_info().rss for one in (own, *own.children())))

    report = make_films(groups(tmp_path, text), tmp_path / "out", jobs=1, watch=watch)
    assert report.count(FilmStatus.MADE) == 600
    assert sizes[1] < sizes[0] + (32 << 20)


def test_films_that_are_drawn_together_say_which_of_them_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(sink: GifSink) -> ClosedFile:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(GifSink, "close_file", full)
    text = (
        f'[[jobs]]\npuzzles = "{EASY.grid}"\nstrategies = "mrv"\nformats = ["mp4", "gif"]\n'
        'name = "x"\nsize = "320x180"\nduration = "2s"\n'
    )
    report = make_films(groups(tmp_path, text), tmp_path / "out", jobs=0)
    reasons = {film.name: film.reason for film in report.films}
    full_disk = "the disk is full, so 'x.gif' was not written; free some space"
    assert reasons["x.gif"] == full_disk
    assert reasons["x.mp4"] == f"it is drawn together with another film: {full_disk}"
