"""Worker processes as an executor; if one dies, only its task is repeated."""

from __future__ import annotations

import contextlib
import os
import pickle
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, ParamSpec, TypeVar

from undoku.errors import RunError, UndokuError
from undoku.worker_process import GRACE, Call, Worker, WorkerBugError, cores, message_of

__all__ = ["InlineExecutor", "WorkerBugError", "Workers", "ended", "processors"]

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")

_LOOK = 0.05  # seconds over which the load of processors is measured


def processors(count: int) -> frozenset[int] | None:
    """The numbers of the `count` least busy processors among those that this process may use; None
    if it may not use more, and on systems without processor affinity.
    """
    if sys.platform != "linux" or count >= cores():
        return None
    before = _busy()
    time.sleep(_LOOK)
    after = _busy()
    own = list(os.sched_getaffinity(0))
    random.shuffle(
        own
    )  # not always the first of equally busy ones, which other programs may choose, too
    own.sort(key=lambda number: after.get(number, 0) - before.get(number, 0))
    return frozenset(own[: max(1, count)])


def _busy() -> dict[int, int]:
    """The ticks for which each processor has been busy so far, counted by Linux (proc(5), stat)."""
    busy_ticks = {}
    with contextlib.suppress(OSError):
        for line in Path("/proc/stat").read_text().splitlines():
            name, *figures = line.split()
            if name.startswith("cpu") and name != "cpu":
                ticks = list(map(int, figures))
                busy_ticks[int(name[3:])] = sum(ticks) - sum(ticks[3:5])  # less idle and waiting
    return busy_ticks


class InlineExecutor(Executor):
    """Calls a submitted function in this process before `submit` returns. Unexpected exceptions
    are raised directly."""

    def submit(
        self, function: Callable[P, R], /, *arguments: P.args, **named: P.kwargs
    ) -> Future[R]:
        future: Future[R] = Future()
        try:
            future.set_result(function(*arguments, **named))
        except UndokuError as error:
            future.set_exception(error)
        return future


class Workers(Executor):
    """`count` processes that call functions of modules; each starts when there is work for it. Use
    it as a context manager: leaving it ends the processes at once. A call whose worker died is
    tried again on a new one, `tries` times in all. The exception of a future is the UndokuError
    that the call raised, a WorkerBugError for any other exception, or a RunError if its workers
    died. The processes and their children are confined to `processors`; None means no restriction.
    """

    def __init__(
        self, count: int, *, tries: int = 2, processors: Collection[int] | None = None
    ) -> None:
        self._threads = ThreadPoolExecutor(max(1, count), "worker")
        """Each thread talks to one process at a time."""
        self._tries = tries
        self._processors = processors
        self._lock = threading.Lock()
        self._workers: set[Worker] = set()
        self._idle: list[Worker] = []
        self._stopping = False

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes that run now."""
        with self._lock:
            return tuple(worker.process.pid for worker in self._workers)

    def submit(
        self, function: Callable[P, R], /, *arguments: P.args, **named: P.kwargs
    ) -> Future[R]:
        """Call a function in the next free worker."""
        return self._threads.submit(self._call, (function, arguments, named))

    def _call(self, call: Call) -> Any:
        message = message_of(call)
        left = self._tries
        while True:
            worker, left = self._take(), left - 1
            try:
                result, error = worker.call(message)
            except (OSError, EOFError, pickle.UnpicklingError):
                death = worker.died()
                with self._lock:
                    self._workers.discard(worker)
                if not left:
                    raise RunError(f"the worker at this task {death}") from None
                continue
            self._idle.append(worker)
            if error is not None:
                raise error
            return result

    def _take(self) -> Worker:
        """An idle worker, or a new one. Raises RunError."""
        with self._lock:  # so that `stop` sees every process that was started
            if self._stopping:
                raise RunError("the workers were stopped")
            if self._idle:
                return self._idle.pop()
            try:
                worker = Worker(self._processors)
            except OSError as refusal:
                raise RunError(f"no worker can be started: {refusal.strerror}") from None
            self._workers.add(worker)
            return worker

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Accept no more calls. With `wait`, accepted calls are finished first, unless
        `cancel_futures`; without it, all end at once."""
        if cancel_futures or not wait:
            self.stop()
            return
        self._threads.shutdown()
        while self._idle:
            self._idle.pop().close()
        self._workers.clear()

    def stop(self) -> None:
        """End all processes within about half a second. Safe to call twice."""
        with self._lock:
            self._stopping = True
            processes = [worker.process for worker in self._workers]
            self._workers.clear()
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        deadline = time.monotonic() + GRACE
        try:
            for process in processes:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(max(0.0, deadline - time.monotonic()))
        finally:  # also if a second Ctrl-C ends the waiting: threads wait for their processes
            for process in processes:
                process.kill()
                process.wait()
        self.shutdown()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def ended(
    executor: Executor, function: Callable[[T], R], tasks: Iterable[T], *, most: int
) -> Iterator[tuple[T, Future[R]]]:
    """Call a function with each task, at most `most` at once, and yield each task with its future
    when it ends, in any order. `tasks` is read as workers become free."""
    source = iter(tasks)
    waiting: dict[Future[R], T] = {}
    while True:
        for task in islice(source, most - len(waiting)):
            waiting[executor.submit(function, task)] = task
        if not waiting:
            return
        for future in wait(waiting, return_when=FIRST_COMPLETED).done:
            yield waiting.pop(future), future
