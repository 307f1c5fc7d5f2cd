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
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar

from undoku.errors import RunError, UndokuError
from undoku.worker_process import GRACE, Call, Worker, WorkerBugError, cores

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
    found = {}
    with contextlib.suppress(OSError):
        for line in Path("/proc/stat").read_text().splitlines():
            name, *figures = line.split()
            if name.startswith("cpu") and name != "cpu":
                ticks = list(map(int, figures))
                found[int(name[3:])] = sum(ticks) - sum(ticks[3:5])  # less idle and waiting
    return found


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
        self._count = max(1, count)
        self._tries = tries
        self._processors = processors
        self._stopping = threading.Event()
        self._waiting: SimpleQueue[tuple[Future[Any], Call] | None] = SimpleQueue()
        self._closed = False
        self._unended = 0
        self._threads: list[threading.Thread] = []
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes that run now."""
        with self._lock:
            return tuple(process.pid for process in self._processes)

    def submit(
        self, function: Callable[P, R], /, *arguments: P.args, **named: P.kwargs
    ) -> Future[R]:
        """Call a function in the next free worker."""
        future: Future[R] = Future()
        with self._lock:
            if self._closed:
                raise RuntimeError("the workers take no more calls")
            self._waiting.put((future, (function, arguments, named)))
            self._unended += 1
            if len(self._threads) < min(self._count, self._unended):
                self._threads.append(threading.Thread(target=self._work, daemon=True))
                self._threads[-1].start()
        return future

    def _work(self) -> None:
        """The loop of the thread that communicates with one worker."""
        worker: Worker | None = None
        while (item := self._waiting.get()) is not None:
            future, call = item
            if future.set_running_or_notify_cancel():
                worker = self._do(worker, future, call)
            with self._lock:
                self._unended -= 1
            del item, future, call  # release the finished task while waiting for the next one
        if worker is not None:
            worker.close()
            self._forget(worker)

    def _do(self, worker: Worker | None, future: Future[Any], call: Call) -> Worker | None:
        """Do one call; returns the worker for the next one."""
        for left in reversed(range(self._tries)):
            try:
                worker = worker or self._start()
            except OSError as refused:
                future.set_exception(RunError(f"no worker can be started: {refused.strerror}"))
                return None
            if worker is None:
                future.set_exception(RunError("the workers were stopped"))
                return None
            try:
                result, error = worker.call(call)
            except (OSError, EOFError, pickle.UnpicklingError):
                died = worker.died()
                self._forget(worker)
                worker = None
                if not left:
                    future.set_exception(RunError(f"the worker at this task {died}"))
            except Exception as mistake:  # the call can't be sent
                future.set_exception(mistake)
                break
            else:
                if error is None:
                    future.set_result(result)
                else:
                    future.set_exception(error)
                break
        return worker

    def _start(self) -> Worker | None:
        with self._lock:  # so that `stop` sees every process that was started
            if self._stopping.is_set():
                return None
            worker = Worker(self._processors)
            self._processes.add(worker.process)
            return worker

    def _forget(self, worker: Worker) -> None:
        with self._lock:
            self._processes.discard(worker.process)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Accept no more calls. With `wait`, accepted calls are finished first, unless
        `cancel_futures`; without it, all end at once."""
        if cancel_futures or not wait:
            self.stop()
            return
        with self._lock:
            self._closed = True
            threads = list(self._threads)
        for _ in threads:
            self._waiting.put(None)
        for thread in threads:
            thread.join()

    def stop(self) -> None:
        """End all processes within about half a second. Safe to call twice."""
        with self._lock:
            self._closed = True
            self._stopping.set()
            processes, threads = list(self._processes), list(self._threads)
        with contextlib.suppress(Empty):
            while True:
                if item := self._waiting.get_nowait():
                    item[0].cancel()
        for _ in threads:
            self._waiting.put(None)
        for process in processes:
            process.terminate()
        deadline = time.monotonic() + GRACE
        for process in processes:
            try:
                process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        with self._lock:
            self._processes.clear()

    def __enter__(self) -> Self:
        return self

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
