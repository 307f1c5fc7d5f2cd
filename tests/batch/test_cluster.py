"""Batches on a Dask scheduler with several worker processes, some of which die."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

import undoku.render.batch.cluster
from tests.support.command import Undoku
from tests.support.manifests import QUICK, groups, tree, write
from tests.support.system import ROOT, until
from undoku.errors import RunError
from undoku.render.batch.batch import FilmStatus, make_films
from undoku.render.batch.jobs import films_of

pytestmark = [
    # Collecting tests does not load it, which takes half a second.
    pytest.mark.skipif(not find_spec("distributed"), reason="needs dask: the extra cluster"),
    # Of sockets and loops that the library leaves to the garbage collector.
    pytest.mark.filterwarnings("ignore"),
]

TEXT = (
    QUICK
    + """
[[jobs]]
puzzles = ["easy.txt"]
formats = ["gif", "png"]
name = "{puzzle}_{theme}"
matrix.themes = ["dark", "light"]
"""
)
MORTAL = TEXT + (
    '[[jobs]]\npuzzles = "easy.txt"\nstrategies = "mrv"\nformats = "png"\nname = "mortal"\n'
)
POISON = MORTAL + (
    '[[jobs]]\npuzzles = "medium.txt"\nname = "eternal"\nsteps_per_frame = "1/999999"\n'
    '[[jobs]]\npuzzles = "easy.txt"\nstrategies = "row-major"\nformats = "png"\nname = "poison"\n'
)


class Dask:
    """A scheduler and worker processes."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.folder = folder
        self.flag = folder / "died"
        self.noted = folder / "noted"
        self._processes: list[subprocess.Popen[bytes]] = []
        self.address = self._scheduler()
        self._start("tests.support.mortal_workers", self.address, str(workers), str(folder))

    def _scheduler(self) -> str:
        found = self.folder / "scheduler.json"
        self._start(
            "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0",
            "--no-dashboard", "--scheduler-file", str(found),
        )  # fmt: skip

        def address() -> str:
            with contextlib.suppress(OSError, ValueError):  # not there, or not whole yet
                return str(json.loads(found.read_text())["address"])
            return ""

        return until(address)

    def _start(self, module: str, *arguments: str) -> None:
        environment = os.environ | {
            "PYTHONPATH": str(ROOT),
            "UNDOKU_TEST_FLAG": str(self.flag),
            "UNDOKU_TEST_NOTES": str(self.noted),
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1",
            "DASK_DISTRIBUTED__DASHBOARD__LINK": "",
        }
        with (self.folder / f"{len(self._processes)}.log").open("wb") as log:
            self._processes.append(
                subprocess.Popen(
                    [sys.executable, "-m", module, *arguments],
                    cwd=self.folder,
                    env=environment,
                    stdout=subprocess.DEVNULL,
                    stderr=log,
                    start_new_session=True,
                )
            )

    def kill(self, number: int) -> None:
        """Kill the scheduler, 0, or all workers, 1, as soon as a film is being drawn."""

        def kill() -> None:
            until(lambda: "begin" in self.log())
            os.killpg(self._processes[number].pid, signal.SIGKILL)

        threading.Thread(target=kill, daemon=True).start()

    def note_anew(self) -> None:
        self.noted.unlink(missing_ok=True)

    def log(self) -> str:
        """What workers have written of the films that they draw."""
        return self.noted.read_text() if self.noted.exists() else ""

    def stop(self) -> None:
        for process in self._processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture(scope="module")
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dask]:
    running = Dask(tmp_path_factory.mktemp("dask"), workers=2)
    try:
        yield running
    finally:
        running.stop()


@pytest.mark.parametrize("shared", [True, False])
def test_a_cluster_makes_the_same_films_though_a_worker_is_killed(
    tmp_path: Path, dask: Dask, monkeypatch: pytest.MonkeyPatch, shared: bool
) -> None:
    """Films come back from workers that do not share the folder: where its name is that of another
    one, which has no such token."""
    monkeypatch.setattr(undoku.render.batch.cluster, "TOKEN", "token" if shared else "elsewhere")
    dask.flag.unlink(missing_ok=True)
    found = groups(tmp_path, MORTAL)
    report = make_films(found, tmp_path / "out", cluster=dask.address)
    assert {film.status for film in report.films} == {FilmStatus.MADE}
    assert dask.flag.exists(), "no worker died"
    make_films(found, tmp_path / "here", jobs=0)
    assert tree(tmp_path / "out") == tree(tmp_path / "here")


def test_the_users_own_theme_is_sent_to_workers(
    tmp_path: Path, dask: Dask, monkeypatch: pytest.MonkeyPatch
) -> None:
    dark = (ROOT / "undoku" / "render" / "draw" / "themes" / "dark.toml").read_text()
    (tmp_path / "own.toml").write_text(dark.replace("#1b202b", "#400000"))
    monkeypatch.chdir(tmp_path)  # where no worker looks
    text = QUICK + '[[jobs]]\npuzzles = "easy.txt"\nformats = "gif"\ntheme = "own.toml"\n'
    write(tmp_path, text)
    found = films_of("films.toml")
    assert found[0].settings.theme == "own.toml"
    report = make_films(found, Path("out"), cluster=dask.address)
    assert report.count(FilmStatus.MADE) == 1, report.films[0].reason
    make_films(found, Path("here"), jobs=0)
    assert tree(Path("out")) == tree(Path("here"))


def test_films_that_fail_do_not_fail_the_others(tmp_path: Path, dask: Dask) -> None:
    """A film at which a worker was lost is tried once more while nothing else runs."""
    before = len(dask.log())
    report = make_films(groups(tmp_path, POISON), tmp_path / "out", cluster=dask.address)
    eternal, poison = (film for film in report.films if film.status is FilmStatus.FAILED)
    assert (eternal.name, poison.name) == ("eternal.mp4", "poison.png")
    assert "2 workers were lost at this task" in poison.reason
    assert "hours" in eternal.reason
    assert report.count(FilmStatus.MADE) == len(report.films) - 2
    drawn = re.findall("^(?:begin|end) .*", dask.log()[before:], re.MULTILINE)
    assert drawn.count("begin poison.png") > 1 and drawn[-1] == "begin poison.png"


def test_a_missing_scheduler_is_reported_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undoku.render.batch.cluster, "PATIENCE", 1)
    with pytest.raises(RunError, match=r"no Dask scheduler answers at 'tcp://127.0.0.1:1'"):
        make_films(groups(tmp_path, TEXT), tmp_path / "out", cluster="tcp://127.0.0.1:1")
    assert not list((tmp_path / "out").glob("*.gif"))


@pytest.mark.parametrize(
    "address", ["", "garbage", "http://host:1", "tcp://host:port", "tls://h:1"]
)
def test_an_invalid_address_is_refused_in_one_sentence(
    undoku: Undoku, tmp_path: Path, address: str
) -> None:
    write(tmp_path, TEXT)
    done = undoku("batch", "films.toml", "-o", "out", "--cluster", address, cwd=tmp_path, code=2)
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"undoku: {address!r} can't be the address of a scheduler: ")


@pytest.mark.parametrize(
    ("number", "lost"),
    [
        pytest.param(0, "the scheduler of the cluster is lost", marks=pytest.mark.long),
        (1, "all workers of the cluster are lost"),
    ],
)
def test_a_cluster_that_is_lost_ends_the_batch_with_a_sentence(
    tmp_path: Path, dask: Dask, monkeypatch: pytest.MonkeyPatch, number: int, lost: str
) -> None:
    """The last test that needs the workers."""
    monkeypatch.setattr(undoku.render.batch.cluster, "MAX_WORKERLESS", 0.0)
    running = dask if number else Dask(tmp_path, workers=1)
    running.note_anew()
    slow = TEXT.replace('duration = "1s"', 'duration = "20h"')
    try:
        running.kill(number)
        report = make_films(groups(tmp_path, slow), tmp_path / "out", cluster=running.address)
    finally:
        running.stop()
    assert {(film.status, film.reason) for film in report.films} == {(FilmStatus.FAILED, lost)}
