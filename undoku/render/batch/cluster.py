"""A Dask distributed scheduler that performs the tasks of a batch.

A task contains its puzzle, settings and theme. Its films are returned as bytes, or written to the
folder of the batch if the worker can access it. The scheduler gives the task of a lost worker to
another one, and gives up a task after several workers died during it: a LostWorkersError. It can't
tell which of a worker's tasks killed it.
"""

from __future__ import annotations

import secrets
import time
import traceback
from collections.abc import Collection
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from undoku.errors import OutputError, RunError, SettingsError, UndokuError
from undoku.render.batch.journal import versions
from undoku.render.batch.tasks import (
    STILL,
    FilmResult,
    FilmTask,
    LostWorkersError,
    draw,
)
from undoku.render.draw.theme import Theme, load_theme
from undoku.render.sound.mix import Mix, load_mix
from undoku.temporary_files import temporary_folder
from undoku.texts.language import Language
from undoku.texts.language_files import load_language
from undoku.toml_reading import SENT
from undoku.worker_process import WorkerBugError

PATIENCE = 20  # seconds until a scheduler must answer, and until it must have a worker
MAX_WORKERLESS = 60.0  # seconds for which a batch waits when all workers are lost
_CHECK_INTERVAL = 0.5  # seconds between two checks whether there are workers
_POLL_INTERVAL = 0.02  # seconds between two checks whether tasks have ended

TOKEN = "token"
"""The file in the folder of the batch that distinguishes it from another folder with the same
name."""


@dataclass(frozen=True, slots=True)
class _SentTask:
    """A task with its theme, its language and its mix, None for no sound; they may be the user's
    own files. `token` is the content of the file TOKEN in the folder of the batch."""

    task: FilmTask
    theme: Theme
    language: Language
    mix: Mix | None
    token: str


@dataclass(frozen=True, slots=True)
class _Answer:
    """The result of a task. `files` are the bytes of the films by name, empty if they are in the
    folder of the batch already."""

    result: FilmResult
    files: dict[str, bytes]
    versions: dict[str, str]


def draw_remotely(sent: _SentTask) -> _Answer:
    """Draw films on a worker. Raises UndokuError."""
    task, settings = sent.task, sent.task.group.settings
    SENT[Theme, settings.theme] = sent.theme
    SENT[Language, settings.language] = sent.language
    SENT[Mix, settings.sound] = sent.mix
    with temporary_folder() as folder:
        if _is_shared(task.folder.parent, sent.token):
            return _Answer(draw(task), {}, versions())
        result = draw(replace(task, folder=folder / "films"))
        names = [*(file.file for file in result.files), STILL]
        contents = {name: (folder / "films" / name).read_bytes() for name in names}
    return _Answer(result, contents, versions())


def _is_shared(folder: Path, token: str) -> bool:
    """Whether this is the folder of the batch, and not another folder with the same name."""
    try:
        return (folder / TOKEN).read_text("utf-8") == token
    except OSError:
        return False


def _receive(task: FilmTask, answer: _Answer) -> FilmResult:
    """Write the films of an answer to the folder of the task. Raises RunError if the versions on
    the worker differ, OutputError."""
    own, theirs = versions(), answer.versions
    if theirs != own:
        differing = [name for name in own | theirs if own.get(name) != theirs.get(name)]
        there, here = (
            ", ".join(f"{name} {numbers[name]}" for name in differing if name in numbers)
            for numbers in (theirs, own)
        )
        raise RunError(
            f"a worker has {there}, this machine has {here}",
            remedy="install the same versions everywhere",
        )
    try:
        if answer.files:
            task.folder.mkdir(exist_ok=True)
        for name, content in answer.files.items():
            (task.folder / name).write_bytes(content)
    except OSError as error:
        raise OutputError(f"writing failed: {error.strerror or error}") from None
    return answer.result


def _error_of(error: Exception) -> Exception:
    """The error of a task of the library, as a batch reports it."""
    from distributed import KilledWorker

    if isinstance(error, KilledWorker):
        return LostWorkersError(f"{error.allowed_failures + 1} workers were lost at this task")
    if isinstance(error, UndokuError):
        return error
    return WorkerBugError("".join(traceback.format_exception(error)).strip())


def _check_address(address: str) -> None:
    """Refuse addresses with which the library's client would hang. Raises SettingsError."""
    import dask.config

    problem = ""
    try:
        parts = urlsplit(address)
        if parts.scheme not in ("tcp", "tls", "ws", "wss") or not parts.hostname or not parts.port:
            problem = "it needs a protocol, a host and a port"
        elif parts.scheme in ("tls", "wss") and not dask.config.get(
            "distributed.comm.tls.client.cert", None
        ):
            problem = f"dask's configuration has no keys for {parts.scheme}"
    except ValueError as error:
        problem = str(error)
    if problem:
        raise SettingsError(
            f"{address!r} can't be the address of a scheduler: {problem}",
            remedy="write one such as tcp://host:8786",
        )


class Cluster:
    """The scheduler at `address`, such as "tcp://host:8786", for tasks of a batch whose unfinished
    files are in `folder` (a undoku.render.batch.batch.Runner). Use it as a context manager. Raises
    SettingsError if dask is not installed or `address` is invalid, RunError if no scheduler answers
    there or it has no worker, OutputError if `folder` can't be written.
    """

    def __init__(self, address: str, folder: Path) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise SettingsError(
                "a cluster needs dask", remedy='pip install "undoku[cluster]"'
            ) from None
        _check_address(address)
        self._token = secrets.token_hex(16)
        try:
            (folder / TOKEN).write_text(self._token, "utf-8")
        except OSError as error:
            raise OutputError(f"writing failed: {error.strerror or error}") from None
        connect: Any = Client  # the library has no types
        try:
            self._client = connect(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise RunError(
                f"no Dask scheduler answers at {address!r}: {error}",
                remedy="start one with dask scheduler",
            ) from None
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            self._client.close(timeout=1)
            raise RunError(
                f"the scheduler at {address!r} has no worker",
                remedy=f"start one with dask worker {address}",
            ) from None
        self.room = 1
        """The number of threads of all workers: tasks that wait on one would be lost with it."""
        self._last_seen, self._last_checked = time.monotonic(), 0.0
        """When the cluster last had a worker, and when this was last checked."""
        self._running: dict[Any, tuple[FilmTask, Future[FilmResult]]] = {}
        """The tasks of the library's futures, and ours."""
        self._lost = ""
        """Why no more tasks can be performed."""
        self._check_cluster()

    def _check_cluster(self) -> None:
        """Count the threads, and notice that the cluster is lost."""
        if self._client.status in ("closing", "closed"):
            self._lost = "the scheduler of the cluster is lost"
        now = time.monotonic()
        if self._lost or now - self._last_checked < _CHECK_INTERVAL:
            return
        self._last_checked = now
        try:
            threads = int(sum(self._client.nthreads().values()))
        except OSError:  # the scheduler does not answer; the library eventually gives it up
            return
        self.room = max(1, threads)
        if threads:
            self._last_seen = now
        elif now - self._last_seen > MAX_WORKERLESS:
            self._lost = "all workers of the cluster are lost"

    def submit(self, task: FilmTask) -> Future[FilmResult]:
        """Start a task. Its exception is an UndokuError, a LostWorkersError for one, or a
        WorkerBugError."""
        ours: Future[FilmResult] = Future()
        if self._lost:
            ours.set_exception(RunError(self._lost))
        else:
            settings = task.group.settings
            sent = _SentTask(
                task,
                load_theme(settings.theme),
                load_language(settings.language),
                load_mix(settings.sound) if settings.sound else None,
                self._token,
            )
            future = self._client.submit(draw_remotely, sent, pure=False, retries=1)
            self._running[future] = task, ours
        return ours

    def wait(self, running: Collection[Future[FilmResult]]) -> Collection[Future[FilmResult]]:
        """Wait until some of these have ended; returns them."""
        while not (ended := [ours for ours in running if ours.done()]):
            time.sleep(_POLL_INTERVAL)
            self._check_cluster()
            for future in list(self._running):
                if self._ends(future):
                    del self._running[future]
        return ended

    def _ends(self, future: Any) -> bool:
        """End our future of a future of the library, if that is done."""
        from distributed import KilledWorker

        task, ours = self._running[future]
        if self._lost or future.status == "cancelled":
            ours.set_exception(RunError(self._lost or "the scheduler of the cluster is lost"))
        elif future.status == "error":
            ours.set_exception(_error_of(future.exception(timeout=PATIENCE)))
        elif future.status == "finished":
            try:
                ours.set_result(_receive(task, future.result(timeout=PATIENCE)))
            except UndokuError as error:
                ours.set_exception(error)
            except (OSError, CancelledError, KilledWorker):
                return False  # lost with its worker: the scheduler performs the task again
        return ours.done()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._running.clear()
        self._client.close(timeout=1)
