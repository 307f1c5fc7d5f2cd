"""A Dask distributed scheduler as the executor of a batch.

A task contains its puzzle, settings and theme. Its films are returned as bytes, or written to the
folder of the batch if the worker can access it. A search that several passes share runs once, on
one worker, and its events are sent from there to the workers that need them. The scheduler gives
the task of a lost worker to another one, and gives up a task after several workers died during it.
It can't tell which of a worker's tasks killed it, so a task that it gives up is tried once more,
alone.
"""

from __future__ import annotations

import contextlib
import secrets
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar

from undoku.batch.remote_task import (
    TOKEN,
    Returned,
    Sent,
    draw_remotely,
    receive,
    search_remotely,
)
from undoku.batch.work import DrawTask, SearchTask
from undoku.errors import OutputError, RunError, SettingsError, UndokuError
from undoku.render.draw.theme import load_theme
from undoku.render.sound.mix_file import load_mix
from undoku.texts.language_files import load_language
from undoku.worker_pool import WorkerBugError

__all__ = ["Cluster"]

P = ParamSpec("P")
R = TypeVar("R")

_PATIENCE = 20  # seconds until a scheduler must answer, and until it must have a worker
_WORKERLESS = 60.0  # seconds for which a batch waits when all workers are lost
_CHECK_INTERVAL = 0.5  # seconds between two checks of the tasks
_ATTEMPTS = 3  # how many times a task is sent if its result is lost with its worker


_SILENT_CHECKS = {"error": 2, "cancelled": 2, "finished": 20}
"""The number of checks after which the future of an ended task must be done."""


@dataclass(slots=True)
class _Waiting:
    """A task that was sent: the future of the library, how many more times the task may be
    sent, whether it runs alone, and the number of checks since it ended without its future done."""

    task: DrawTask
    state: Any
    attempts: int
    alone: bool
    silent: int = 0


def _check_address(address: str) -> None:
    """Refuse addresses that the library's client would refuse, because the client hangs when it is
    discarded. Raises SettingsError."""
    from distributed.comm.addressing import get_address_host_port
    from distributed.security import Security

    problem = ""
    try:
        find: Any = get_address_host_port  # the library has no types
        find(address)
        security: Any = Security
        if address.startswith("tls:") and not security().get_connection_args("client").get(
            "ssl_context"
        ):
            problem = "dask's configuration has no keys for tls"
    except ValueError as error:
        problem = str(error)
    if problem:
        raise SettingsError(
            f"{address!r} can't be the address of a scheduler: {problem}",
            remedy="write one such as tcp://host:8786",
        )


class Cluster(Executor):
    """The scheduler at `address`, such as "tcp://host:8786", for tasks of a batch whose unfinished
    files are in `folder`. Use it as a context manager. Raises SettingsError if dask is not
    installed or `address` is invalid, RunError if no scheduler answers there or it has no worker,
    OutputError if `folder` can't be written.
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
            (folder / TOKEN).write_text(self._token)
        except OSError as error:
            raise OutputError(f"writing failed: {error.strerror or error}") from None
        try:
            connect: Any = Client  # the library has no types
            self._client = connect(address, timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise RunError(
                f"no Dask scheduler answers at {address!r}: {error}",
                remedy="start one with dask scheduler",
            ) from None
        try:
            self._client.wait_for_workers(1, timeout=_PATIENCE)
            self._threads = int(sum(self._client.nthreads().values()))
        except TimeoutError:
            self._client.close(timeout=1)
            raise RunError(
                f"the scheduler at {address!r} has no worker",
                remedy=f"start one with dask worker {address}",
            ) from None
        self._executor = self._client.get_executor(pure=False, retries=1)
        self._searches: dict[Path, Any] = {}
        self._waiting: dict[Future[Any], _Waiting] = {}
        self._held: list[tuple[Future[Any], DrawTask]] = []
        self._suspects: deque[tuple[Future[Any], DrawTask]] = deque()
        self._lock = threading.Lock()
        self._sending = threading.Lock()
        self._left = threading.Event()
        self._receiver = ThreadPoolExecutor(1, "receiver")
        self._watcher = threading.Thread(target=self._watch, daemon=True, name="watcher")
        self._watcher.start()

    @property
    def capacity(self) -> int:
        """The number of tasks sent at once: one for each thread of the cluster. Tasks that wait on
        a worker would be lost with it."""
        return max(1, self._threads)

    def submit(
        self, function: Callable[P, R], /, *arguments: P.args, **named: P.kwargs
    ) -> Future[R]:
        """Run a SearchTask or a DrawTask on the cluster; `function` is undoku.batch.work.work. The
        future of a search is done at once, because the library makes passes wait for it."""
        (task,) = arguments
        future: Future[Any] = Future()
        if isinstance(task, SearchTask):
            with contextlib.suppress(Exception):  # its passes then run the search themselves
                self._searches[task.path] = self._client.submit(
                    search_remotely, task, pure=False, retries=1
                )
            future.set_result(None)
        else:
            assert isinstance(task, DrawTask)
            with self._lock:
                self._held.append((future, task))
            self._send_held()
        return future

    def _send_held(self) -> None:
        """Send the tasks that were held back: all of them, or, if no other task is running, one
        task that is suspected of having killed workers."""
        with self._sending:
            while not any(one.alone for one in list(self._waiting.values())):
                with self._lock:
                    held, self._held = self._held, []
                alone = not held and not self._waiting and bool(self._suspects)
                if alone:
                    held = [self._suspects.popleft()]
                for future, task in held:
                    self._send(future, task, _ATTEMPTS, alone=alone)
                if not held:
                    return

    def _send(self, future: Future[Any], task: DrawTask, attempts: int, *, alone: bool) -> None:
        from distributed import Future as State

        settings = task.drawn.settings
        theme, language = load_theme(settings.theme), load_language(settings.texts)
        mix = load_mix(settings.sound) if settings.sound else None
        sent = Sent(task, theme, language, mix, self._token)
        kept = [self._searches.get(path) if path else None for path in task.kept]
        searches = [one if one and one.status not in ("error", "cancelled") else None
                    for one in kept]  # fmt: skip
        key = f"undoku-{secrets.token_hex(12)}"
        try:
            state: Any = State
            with self._lock:
                result = self._executor.submit(draw_remotely, sent, *searches, key=key)
                waiting = _Waiting(task, state(key, self._client), attempts - 1, alone)
                self._waiting[future] = waiting
        except Exception as error:
            future.set_exception(self._run_error(error))
            return

        result.add_done_callback(lambda result: self._queue_result(future, waiting, result.result))

    def _queue_result(
        self, future: Future[Any], waiting: _Waiting, fetch: Callable[[], Returned]
    ) -> None:
        """Process the end of a task, outside the library's thread, because files are written."""
        with contextlib.suppress(RuntimeError):  # after the shutdown nobody waits for it
            self._receiver.submit(self._receive, future, waiting, fetch)

    def _receive(
        self, future: Future[Any], waiting: _Waiting, fetch: Callable[[], Returned]
    ) -> None:
        from distributed import KilledWorker

        if not self._claim(future, waiting):
            return
        try:
            future.set_result(receive(waiting.task, fetch()))
        except UndokuError as error:
            future.set_exception(error)
        except BaseException as error:
            if isinstance(error, KilledWorker) and not waiting.alone:
                self._suspects.append((future, waiting.task))
            elif waiting.state.status not in ("error", "cancelled") and waiting.attempts:
                # If a worker is lost while its result is fetched, the library's executor fails at
                # that result, although the task has not failed.
                self._send(future, waiting.task, waiting.attempts, alone=waiting.alone)
            else:
                future.set_exception(self._run_error(error))
        self._send_held()

    def _claim(self, future: Future[Any], waiting: _Waiting) -> bool:
        """Whether the end of this task has not been processed yet."""
        with self._lock:
            if self._waiting.get(future) is not waiting:
                return False
            del self._waiting[future]
            return True

    def _watch(self) -> None:
        """Detect ends of tasks that the library's executor does not report. It fetches a result in
        a step whose failure it ignores: if a worker is lost at that moment and the task then fails
        elsewhere, or if fetching itself fails, the future is never done."""
        seen = time.monotonic()
        while not self._left.wait(_CHECK_INTERVAL):
            try:
                self._threads = int(sum(self._client.nthreads().values()))
            except Exception:  # the scheduler does not answer; the library eventually gives it up
                seen = time.monotonic()
            if self._threads:
                seen = time.monotonic()
            lost = ""
            if self._closed:
                lost = "the scheduler of the cluster is lost"
            elif time.monotonic() - seen > _WORKERLESS:
                lost = "all workers of the cluster are lost"
            with self._lock:
                waiting = list(self._waiting.items())
            for future, one in waiting:
                most = _SILENT_CHECKS.get(one.state.status)
                one.silent = one.silent + 1 if most else 0
                if most and one.silent >= most:
                    self._queue_result(future, one, partial(one.state.result, timeout=_PATIENCE))
                elif lost and self._claim(future, one):
                    future.set_exception(RunError(lost))
                    self._send_held()

    @property
    def _closed(self) -> bool:
        """Whether the library has given up the scheduler."""
        return self._client.status in ("closing", "closed")

    def _run_error(self, error: BaseException) -> BaseException:
        """The error to report for an exception of the library."""
        from distributed import KilledWorker

        if isinstance(error, KilledWorker):
            return RunError(f"{error.allowed_failures + 1} workers were lost at this task")
        if self._closed or isinstance(error, CancelledError | TimeoutError | OSError):
            return RunError("the scheduler of the cluster is lost")
        return WorkerBugError("".join(traceback.format_exception(error)).strip())

    def forget(self, path: Path) -> None:
        """Release a search."""
        self._searches.pop(path, None)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect from the cluster and cancel its tasks."""
        del wait, cancel_futures
        self._left.set()
        with self._lock:
            self._waiting.clear()
        self._receiver.shutdown(wait=True)
        self._searches.clear()
        with contextlib.suppress(Exception):  # the scheduler may be gone
            self._executor.shutdown(wait=False)
        self._watcher.join(_CHECK_INTERVAL)
        self._client.close(timeout=1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.shutdown()
