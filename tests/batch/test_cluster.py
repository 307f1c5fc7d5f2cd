"""Batches on a Dask scheduler with several worker processes, some of which die."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

import pytest

import undoku.batch.cluster
from tests.support.command import Undoku
from tests.support.manifests import QUICK, groups, tree, write
from tests.support.paths import ROOT
from tests.support.waiting import until
from undoku.batch.batch import FilmStatus, make_films
from undoku.batch.cluster import draw_remotely
from undoku.batch.jobs import films_of
from undoku.errors import RunError

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
puzzles = ["easy.txt", "medium.txt"]
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
    """A scheduler and worker processes, each as a person would start them."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.folder = folder
        self.flag = folder / "died"
        self.searches = folder / "searches"
        self._processes: list[subprocess.Popen[bytes]] = []
        self.address = self._scheduler()
        self._start(
            "distributed.cli.dask_worker", self.address, "--nthreads", "1", "--no-dashboard",
            "--nworkers", str(workers), "--local-directory", str(folder),
            "--preload", "tests.support.deadly_pass",
        )  # fmt: skip

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
            "UNDOKU_TEST_SEARCHES": str(self.searches),
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1",
            "DASK_DISTRIBUTED__DASHBOARD__LINK": "",
            # A worker that is started again need not load the library again.
            "DASK_DISTRIBUTED__WORKER__MULTIPROCESSING_METHOD": "forkserver",
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

    def kill_scheduler(self, once: Path) -> None:
        """Kill it as soon as a film is being drawn in a folder."""

        def kill() -> None:
            until(lambda: any(once.glob("group-*")))
            os.killpg(self._processes[0].pid, signal.SIGKILL)

        threading.Thread(target=kill, daemon=True).start()

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


def test_a_cluster_makes_the_same_films_though_a_worker_is_killed(
    tmp_path: Path, dask: Dask
) -> None:
    found = groups(tmp_path, MORTAL)
    report = make_films(found, tmp_path / "out", cluster=dask.address)
    assert {film.status for film in report.films} == {FilmStatus.MADE}
    assert dask.flag.exists(), "no worker died"
    make_films(found, tmp_path / "here", jobs=0)
    assert tree(tmp_path / "out") == tree(tmp_path / "here")


def test_films_come_back_from_workers_that_do_not_share_the_folder(
    tmp_path: Path, dask: Dask, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A folder of the same name that is another one: it has no such token.
    monkeypatch.setattr(undoku.batch.cluster, "TOKEN", "elsewhere")
    found = groups(tmp_path, TEXT)
    report = make_films(found, tmp_path / "out", cluster=dask.address)
    assert {film.status for film in report.films} == {FilmStatus.MADE}
    make_films(found, tmp_path / "here", jobs=0)
    assert tree(tmp_path / "out") == tree(tmp_path / "here")


def test_on_a_cluster_too_one_search_feeds_all_films(tmp_path: Path, dask: Dask) -> None:
    dask.searches.unlink(missing_ok=True)
    report = make_films(groups(tmp_path, TEXT), tmp_path / "out", cluster=dask.address)
    assert report.count(FilmStatus.MADE) == 8
    searched = dask.searches.read_text().splitlines()
    assert len(set(searched)) == 4  # two puzzles by two strategies
    assert len(searched) < 8  # one may run again where a worker went away, but not for each film


def test_the_users_own_theme_is_sent_to_workers(
    tmp_path: Path, dask: Dask, monkeypatch: pytest.MonkeyPatch
) -> None:
    dark = (ROOT / "undoku" / "render" / "draw" / "themes" / "dark.toml").read_text()
    (tmp_path / "own.toml").write_text(dark.replace("#1b202b", "#400000"))
    monkeypatch.chdir(tmp_path)  # where no worker looks
    text = QUICK + '[[jobs]]\npuzzles = "easy.txt"\nformats = "gif"\ntheme = "own.toml"\n'
    (tmp_path / "films.toml").write_text(text)
    write(tmp_path, text)
    found = films_of("films.toml")
    assert found[0].settings.theme == "own.toml"
    report = make_films(found, Path("out"), cluster=dask.address)
    assert report.count(FilmStatus.MADE) == 1, report.films[0].reason
    make_films(found, Path("here"), jobs=0)
    assert tree(Path("out")) == tree(Path("here"))


@pytest.mark.long
def test_a_scheduler_that_is_lost_ends_the_batch_with_a_sentence(tmp_path: Path) -> None:
    running = Dask(tmp_path, workers=1)
    slow = TEXT.replace('duration = "1s"', 'duration = "20h"')
    try:
        running.kill_scheduler(once=tmp_path / "out" / ".undoku" / "work")
        report = make_films(groups(tmp_path, slow), tmp_path / "out", cluster=running.address)
    finally:
        running.stop()
    assert {film.status for film in report.films} == {FilmStatus.FAILED}
    assert {film.reason for film in report.films} == {"the scheduler of the cluster is lost"}


def test_films_that_fail_do_not_fail_the_others(tmp_path: Path, dask: Dask) -> None:
    report = make_films(groups(tmp_path, POISON), tmp_path / "out", cluster=dask.address)
    eternal, poison = (film for film in report.films if film.status is FilmStatus.FAILED)
    assert (eternal.name, poison.name) == ("eternal.mp4", "poison.png")
    assert "2 workers were lost at this task" in poison.reason
    assert "hours" in eternal.reason
    assert report.count(FilmStatus.MADE) == len(report.films) - 2


def test_a_missing_scheduler_is_reported_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undoku.batch.cluster, "PATIENCE", 1)
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
    done = undoku("batch", "films.toml", "-o", "out", "--cluster", address, cwd=tmp_path)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"undoku: {address!r} can't be the address of a scheduler: ")


class Remote:
    """A future of a client that has no scheduler: it ends when somebody looks at it."""

    def __init__(self, client: OwnClient, function: Callable[..., Any], words: Any) -> None:
        self._client, self._function, self._words = client, function, words
        self.done = False
        self.name = words[0].task.group.names[0] if function is draw_remotely else ""

    @property
    def status(self) -> str:
        if not self._client.threads:
            return "pending"
        self.done = True
        return "error" if self.name == self._client.deadly else "finished"

    def exception(self, timeout: float) -> Exception:
        from distributed import KilledWorker

        return KilledWorker(self.name, None, 1)  # type: ignore[arg-type]

    def result(self, timeout: float) -> object:
        words = [one.result(timeout) if isinstance(one, Remote) else one for one in self._words]
        return self._function(*words)


class OwnClient:
    """Takes the place of the library's client: performs tasks in this process, and loses the
    workers that draw the film `deadly`, or all of them at once where it has no `threads`."""

    threads, deadly = 2, "easy_light.gif"
    status = "running"
    made: ClassVar[list[Remote]] = []
    tries: ClassVar[list[set[str]]] = []
    """The films that were drawn before each time that the deadly one is submitted."""

    def __init__(self, address: str, **settings: object) -> None:
        self.made.clear()
        self.tries.clear()

    def wait_for_workers(self, count: int, timeout: float) -> None: ...
    def close(self, timeout: float) -> None: ...

    def nthreads(self) -> dict[str, int]:
        return {"tcp://own": self.threads}

    def submit(self, function: Callable[..., Any], *words: Any, **settings: object) -> Remote:
        remote = Remote(self, function, words)
        if remote.name == self.deadly:
            self.tries.append({one.name for one in self.made if one.done and one.name})
        self.made.append(remote)
        return remote


def test_a_film_at_which_workers_are_lost_is_tried_once_more_while_nothing_else_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("distributed.Client", OwnClient)
    text = TEXT.replace('"gif", "png"', '"gif"').replace("[[jobs]]", '[[jobs]]\nstrategies="mrv"')
    report = make_films(groups(tmp_path, text), tmp_path / "out", cluster="tcp://own:1")
    (failed,) = (film for film in report.films if film.status is not FilmStatus.MADE)
    assert (failed.name, failed.reason) == (
        "easy_light.gif", "2 workers were lost at this task",
    )  # fmt: skip
    others = {"easy_dark.gif", "medium_dark.gif", "medium_light.gif"}
    assert [names - {failed.name} for names in OwnClient.tries] == [set(), others]


def test_all_films_fail_when_all_workers_stay_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("distributed.Client", OwnClient)
    monkeypatch.setattr(OwnClient, "threads", 0)
    monkeypatch.setattr(undoku.batch.cluster, "MAX_WORKERLESS", 0.0)
    report = make_films(groups(tmp_path, TEXT), tmp_path / "out", cluster="tcp://own:1")
    assert {film.reason for film in report.films} == {"all workers of the cluster are lost"}
