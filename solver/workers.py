"""Worker processes that run one task at a time; the death of one costs only its task's turn.

A worker is a fresh interpreter that talks over its standard input and output. It is ended by
SIGTERM, which unwinds what it is doing, so that encoders stop and temporary files go; the same
happens when the process that started it dies without a word.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from queue import Empty, Full, Queue
from types import TracebackType
from typing import IO, Any, Generic, Self, TypeVar

from solver.errors import RunError, UndokuError

__all__ = ["Done", "WorkerBugError", "Workers", "cores", "serve"]

T = TypeVar("T")
R = TypeVar("R")

_GRACE = 1.0  # seconds between asking a worker to end and ending it
_START = "from solver.workers import serve; serve()"


class WorkerBugError(RuntimeError):
    """Something that is not the user's doing went wrong in a worker; the text is its traceback."""


@dataclass(frozen=True, slots=True)
class Done(Generic[T, R]):
    """A task that ended: with a `result`, or with an `error` (UndokuError or WorkerBugError)."""

    task: T
    result: R | None
    error: UndokuError | WorkerBugError | None


def cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Workers(Generic[T, R]):
    """`count` processes that call `function`, a function of a module, with tasks.

    Use it as a context manager: leaving it ends the processes, at once when there was an exception.
    A task whose worker died is tried again on a new one, `tries` times in all.
    """

    def __init__(self, function: Callable[[T], R], count: int, *, tries: int = 2) -> None:
        self._function = function
        self._count = max(1, count)
        self._tries = tries
        self._stopping = threading.Event()
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes that run now."""
        with self._lock:
            return tuple(process.pid for process in self._processes)

    def run(self, tasks: Iterable[T]) -> Iterator[Done[T, R]]:
        """Do the tasks and yield them as they end, in no set order.

        `tasks` is read as workers become free. An exception from it ends the run and is raised.
        """
        source, reading = iter(tasks), threading.Lock()
        ended: Queue[Done[T, R] | BaseException | None] = Queue(2 * self._count)

        def work() -> None:
            try:
                self._work(source, reading, ended)
            except BaseException as error:
                self._put(ended, error)
            self._put(ended, None)

        threads = [threading.Thread(target=work, daemon=True) for _ in range(self._count)]
        for thread in threads:
            thread.start()
        running = len(threads)
        while running:
            item = ended.get()
            if item is None:
                running -= 1
            elif isinstance(item, Done):
                yield item
            else:
                raise item

    def _put(self, ended: Queue[Any], item: object) -> None:
        while not self._stopping.is_set():
            with contextlib.suppress(Full):
                ended.put(item, timeout=0.1)
                return

    def _work(self, source: Iterator[T], reading: threading.Lock, ended: Queue[Any]) -> None:
        worker: _Worker | None = None
        try:
            while not self._stopping.is_set():
                with reading:
                    try:
                        task = next(source)
                    except StopIteration:
                        return
                for left in reversed(range(self._tries)):
                    if worker is None:
                        worker = self._start()
                        if worker is None:
                            return
                    try:
                        result, error = worker.call(task)
                    except (OSError, EOFError, pickle.UnpicklingError):
                        died = worker.died()
                        self._forget(worker)
                        worker = None
                        if left or self._stopping.is_set():
                            continue
                        result, error = None, RunError(f"the worker at this task {died}")
                    self._put(ended, Done(task, result, error))
                    break
        finally:
            if worker is not None:
                worker.close()
                self._forget(worker)

    def _start(self) -> _Worker | None:
        with self._lock:  # so that `stop` sees every process that was started
            if self._stopping.is_set():
                return None
            worker = _Worker(self._function)
            self._processes.add(worker.process)
            return worker

    def _forget(self, worker: _Worker) -> None:
        with self._lock:
            self._processes.discard(worker.process)

    def stop(self) -> None:
        """End all processes within about a second. Safe to call twice."""
        self._stopping.set()
        with self._lock:
            processes = list(self._processes)
        for process in processes:
            process.terminate()
        deadline = time.monotonic() + _GRACE
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


class _Worker:
    """This side of one process."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        import solver

        # The interpreter finds this package where this process found it, then gets its whole path.
        home = os.path.dirname(os.path.dirname(os.path.abspath(solver.__file__)))  # noqa: PTH120, PTH100
        known = os.environ.get("PYTHONPATH")
        self.process = subprocess.Popen(
            [sys.executable, "-c", _START],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": home + (os.pathsep + known if known else "")},
            # Ctrl-C on the terminal reaches only the program that started it, which ends it.
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self._function: Callable[[Any], Any] | None = function

    def call(self, task: object) -> tuple[Any, UndokuError | WorkerBugError | None]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        if self._function is not None:
            _send(self.process.stdin, sys.path)
            _send(self.process.stdin, self._function)
            self._function = None
        _send(self.process.stdin, task)
        result, error = pickle.load(self.process.stdout)
        return result, error

    def close(self) -> None:
        """Let the process end by itself."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        self.process.wait()
        self._release()

    def died(self) -> str:
        """How a process ended that ended unasked."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_GRACE)
        self.process.kill()
        status = self.process.wait()
        self._release()
        if status < 0:
            return f"was ended by {signal.Signals(-status).name}"
        return f"ended with exit status {status}"

    def _release(self) -> None:
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def _send(stream: IO[bytes], content: object) -> None:
    pickle.dump(content, stream, protocol=pickle.HIGHEST_PROTOCOL)
    stream.flush()


def _terminate(number: int, frame: object) -> None:
    """Unwind. Where C code has called Python, as a compiler does, the exception is lost with a
    traceback that nobody needs; the process then ends after its task, or is killed."""
    del number, frame
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    raise SystemExit(143)


def serve() -> None:
    """What a worker does: reads tasks, answers each with (result, error), ends with its input."""
    signal.signal(signal.SIGTERM, _terminate)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # What the task prints must not end up between the answers.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.path[:] = pickle.load(source)
    waiting: Queue[tuple[object] | None] = Queue()
    busy = threading.Event()

    def listen() -> None:
        with contextlib.suppress(OSError, EOFError, pickle.UnpicklingError):
            while True:
                waiting.put((pickle.load(source),))
        waiting.put(None)
        if busy.is_set():  # nobody waits for the answer any more
            os.kill(os.getpid(), signal.SIGTERM)

    function = pickle.load(source)
    threading.Thread(target=listen, daemon=True).start()
    while True:
        try:
            item = waiting.get(timeout=60)
        except Empty:
            continue
        if item is None:
            return
        busy.set()
        answer = _answer(function, item[0])
        busy.clear()
        with contextlib.suppress(BrokenPipeError):
            _send(sink, answer)


def _answer(
    function: Callable[[Any], Any], task: Any
) -> tuple[Any, UndokuError | WorkerBugError | None]:
    try:
        return function(task), None
    except UndokuError as error:
        return None, error
    except Exception:
        return None, WorkerBugError(traceback.format_exc().strip())
