"""A Dask distributed scheduler as the executor of a batch.

A task carries its puzzle, settings and theme; its films come back as bytes, or lie in the batch's
folder already where the worker sees that folder too. A search that several passes share runs once,
on one worker, and its events go from there to the workers that need them. The scheduler gives the
task of a lost worker to another one, and gives up a task that several workers died of. It can't
tell which of a worker's tasks killed it, so that what it gives up is tried once more, alone.
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

from render.batch.remote_task import TOKEN, Returned, Sent, draw_there, receive, search_there
from render.batch.work import DrawTask, SearchTask
from render.sound.mix_file import load_mix
from render.style.theme import load_theme
from render.texts.language_files import load_language
from solver.errors import OutputError, RunError, SettingsError, UndokuError
from solver.workers.executor import WorkerBugError

__all__ = ["Cluster"]

P = ParamSpec("P")
R = TypeVar("R")

_PATIENCE = 20  # seconds until a scheduler must answer, and until it must have a worker
_WORKERLESS = 60.0  # seconds for which a batch waits when all workers are lost
_WATCH = 0.5  # seconds between two looks at the tasks
_TURNS = 3  # how often a task is sent whose result was lost with its worker


_SILENT = {"error": 2, "cancelled": 2, "finished": 20}
"""For how many looks a task may have ended before its future must have been told."""


@dataclass(slots=True)
class _Waiting:
    """A task that was sent: the library's own future of it, how often it may be sent again, and
    for how many looks it has ended and its future was not told."""

    task: DrawTask
    state: Any
    turns: int
    alone: bool
    silent: int = 0


def _check_address(address: str) -> None:
    """Refuse what the library's client would, for that one hangs when it is thrown away. Raises
    SettingsError."""
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
            problem = "dask's configuration names no keys for tls"
    except ValueError as error:
        problem = str(error)
    if problem:
        raise SettingsError(
            f"{address!r} can't be a scheduler's address: {problem}",
            remedy="write one such as tcp://host:8786",
        )


class Cluster(Executor):
    """The scheduler at `address`, such as "tcp://host:8786", for tasks of a batch whose unfinished
    files lie in `folder`. Use it as a context manager.

    Raises SettingsError when dask isn't installed or `address` is none, RunError when no scheduler
    answers there or it has no worker, OutputError when `folder` can't be written.
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
            raise OutputError(f"the disk refused: {error.strerror or error}") from None
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
    def room(self) -> int:
        """How many tasks are sent at once: one for each thread of the cluster. What waits on a
        worker for its turn is lost with that worker, too."""
        return max(1, self._threads)

    def submit(
        self, function: Callable[P, R], /, *arguments: P.args, **named: P.kwargs
    ) -> Future[R]:
        """Have a SearchTask or a DrawTask done there; `function` is render.batch.work.work. The
        future of a search is done at once: the library lets passes wait for it."""
        (task,) = arguments
        future: Future[Any] = Future()
        if isinstance(task, SearchTask):
            with contextlib.suppress(Exception):  # its passes then search for themselves
                self._searches[task.path] = self._client.submit(
                    search_there, task, pure=False, retries=1
                )
            future.set_result(None)
        else:
            assert isinstance(task, DrawTask)
            with self._lock:
                self._held.append((future, task))
            self._go_on()
        return future

    def _go_on(self) -> None:
        """Send what is held back: all of it, or, when nothing else is under way, one task that is
        suspected of having killed workers."""
        with self._sending:
            while not any(one.alone for one in list(self._waiting.values())):
                with self._lock:
                    held, self._held = self._held, []
                alone = not held and not self._waiting and bool(self._suspects)
                if alone:
                    held = [self._suspects.popleft()]
                for future, task in held:
                    self._send(future, task, _TURNS, alone=alone)
                if not held:
                    return

    def _send(self, future: Future[Any], task: DrawTask, turns: int, *, alone: bool) -> None:
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
                result = self._executor.submit(draw_there, sent, *searches, key=key)
                waiting = _Waiting(task, state(key, self._client), turns - 1, alone)
                self._waiting[future] = waiting
        except Exception as error:
            future.set_exception(self._meant(error))
            return

        result.add_done_callback(lambda result: self._hand_over(future, waiting, result.result))

    def _hand_over(
        self, future: Future[Any], waiting: _Waiting, fetch: Callable[[], Returned]
    ) -> None:
        """A task has ended. Not in the library's own thread: files are written."""
        with contextlib.suppress(RuntimeError):  # when all is over nobody waits for it
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
            elif waiting.state.status not in ("error", "cancelled") and waiting.turns:
                # A worker that is lost while its result is fetched makes the library's executor
                # fail at that result, though the task has not failed.
                self._send(future, waiting.task, waiting.turns, alone=waiting.alone)
            else:
                future.set_exception(self._meant(error))
        self._go_on()

    def _claim(self, future: Future[Any], waiting: _Waiting) -> bool:
        """Whether nobody else has dealt with the end of this task."""
        with self._lock:
            if self._waiting.get(future) is not waiting:
                return False
            del self._waiting[future]
            return True

    def _watch(self) -> None:
        """Guards against what the library's executor doesn't tell. It fetches a result in a step
        that nobody looks at: when a worker is lost at that moment and the task then fails
        elsewhere, or when the fetching itself fails, its future stays without an end."""
        seen = time.monotonic()
        while not self._left.wait(_WATCH):
            try:
                self._threads = int(sum(self._client.nthreads().values()))
            except Exception:  # the scheduler can't be asked; the library gives it up in time
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
                most = _SILENT.get(one.state.status)
                one.silent = one.silent + 1 if most else 0
                if most and one.silent >= most:
                    self._hand_over(future, one, partial(one.state.result, timeout=_PATIENCE))
                elif lost and self._claim(future, one):
                    future.set_exception(RunError(lost))
                    self._go_on()

    @property
    def _closed(self) -> bool:
        """Whether the library has given the scheduler up."""
        return self._client.status in ("closing", "closed")

    def _meant(self, error: BaseException) -> BaseException:
        """What the library's exceptions mean to a person."""
        from distributed import KilledWorker

        if isinstance(error, KilledWorker):
            return RunError(f"{error.allowed_failures + 1} workers were lost at this task")
        if self._closed or isinstance(error, CancelledError | TimeoutError | OSError):
            return RunError("the scheduler of the cluster is lost")
        return WorkerBugError("".join(traceback.format_exception(error)).strip())

    def forget(self, path: Path) -> None:
        """Let go of a search."""
        self._searches.pop(path, None)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster; what it still does is given up."""
        del wait, cancel_futures
        self._left.set()
        with self._lock:
            self._waiting.clear()
        self._receiver.shutdown(wait=True)
        self._searches.clear()
        with contextlib.suppress(Exception):  # the scheduler may be gone
            self._executor.shutdown(wait=False)
        self._watcher.join(_WATCH)
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
