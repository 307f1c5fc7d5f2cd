"""Worker processes as an executor; if one dies, only its task is repeated.

A worker is a fresh interpreter that talks over its standard input and output. SIGTERM ends it and
unwinds its task, so that encoders stop and temporary files are removed; the same happens if the
process that started it dies.
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
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any, ParamSpec, TypeVar

from undoku.errors import RunError, SettingsError, UndokuError
from undoku.stop_signals import TERMINATING, raise_from, stop_repeating

P = ParamSpec("P")
R = TypeVar("R")

_GRACE = 0.5  # seconds between asking a worker to end and killing it

_START = "from undoku.worker_process import serve; serve()"

_Call = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
"""A function of a module, and its arguments."""


class WorkerBugError(RuntimeError):
    """A bug in a worker; the text is its traceback."""


def cores() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def workers_of(jobs: int | None) -> int:
    """The number of worker processes for `jobs`, None for one for each core. Raises SettingsError
    for fewer than 0."""
    if jobs is not None and jobs < 0:
        raise SettingsError(
            f"the number of jobs must not be negative: {jobs}",
            remedy="give 0 for none, or None for one for each core",
        )
    return cores() if jobs is None else jobs


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


class _Worker(subprocess.Popen[bytes]):
    """The parent's side of one process."""

    stdin: IO[bytes]
    stdout: IO[bytes]

    def __init__(self) -> None:
        super().__init__(
            command_running(_START),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Ctrl-C on the terminal reaches only the parent, which ends this process.
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )

    def release(self) -> int:
        """Kill the process if it is still alive; returns its exit status."""
        self.kill()
        with contextlib.suppress(OSError), self:  # which closes its streams
            pass
        return self.wait()


class Workers(Executor):
    """`count` processes that call functions of modules; each starts when there is work for it. Use
    it as a context manager: leaving it ends the processes at once. A call whose worker died is
    tried again on a new one, `tries` times in all. The exception of a future is the UndokuError
    that the call raised, a WorkerBugError for any other exception, or a RunError if its workers
    died.
    """

    def __init__(self, count: int, *, tries: int = 2) -> None:
        self._threads = ThreadPoolExecutor(max(1, count), "worker")
        """Each thread talks to one process at a time."""
        self._tries = tries
        self._lock = threading.Lock()
        self._workers: set[_Worker] = set()
        self._idle: list[_Worker] = []
        self._stopping = False

    def submit(
        self, function: Callable[P, R], /, *arguments: P.args, **named: P.kwargs
    ) -> Future[R]:
        """Call a function in the next free worker."""
        return self._threads.submit(self._call, (function, arguments, named))

    def _call(self, call: _Call) -> Any:
        # Made as a whole, because an error must not leave half of it in the pipe.
        message = pickle.dumps(call, pickle.HIGHEST_PROTOCOL)
        death = ""
        for _ in range(self._tries):
            worker = self._take()
            try:
                worker.stdin.write(message)
                worker.stdin.flush()
                result, error = pickle.load(worker.stdout)
            except (OSError, EOFError, pickle.UnpicklingError):
                with self._lock:
                    self._workers.discard(worker)
                death = _death_of(worker)
                continue
            self._idle.append(worker)
            if error is not None:
                raise error
            return result
        raise RunError(f"the worker at this task {death}")

    def _take(self) -> _Worker:
        """An idle worker, or a new one. Raises RunError."""
        with self._lock:  # so that `shutdown` sees every process that was started
            if self._stopping:
                raise RunError("the workers were stopped")
            if self._idle:
                return self._idle.pop()
            try:
                worker = _Worker()
            except OSError as refusal:
                raise RunError(f"no worker can be started: {refusal.strerror}") from None
            self._workers.add(worker)
            return worker

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Accept no more calls. With `wait`, accepted calls are finished first, unless
        `cancel_futures`; without it, all end within about half a second. Safe to call twice."""
        if cancel_futures or not wait:
            with self._lock:
                self._stopping = True
            self._threads.shutdown(wait=False, cancel_futures=True)
            self._end_processes()
        self._threads.shutdown()
        self._end_processes()

    def _end_processes(self) -> None:
        with self._lock:
            workers, self._workers = self._workers, set()
        for worker in workers:
            worker.terminate()
        deadline = time.monotonic() + _GRACE
        try:
            for worker in workers:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    worker.wait(max(0.0, deadline - time.monotonic()))
        finally:  # also if a second Ctrl-C ends the waiting: threads wait for their processes
            for worker in workers:
                worker.kill()
        for worker in workers.intersection(self._idle):  # threads release the others
            worker.release()

    def __exit__(self, *_: object) -> None:
        self.shutdown(cancel_futures=True)


def _death_of(worker: _Worker) -> str:
    """How a process ended unexpectedly."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        worker.wait(_GRACE)
    status = worker.release()
    if status < 0:
        return f"was ended by {signal.Signals(-status).name}"
    return f"ended with exit status {status}"


def command_running(statements: str) -> list[str]:
    """The words of a command that runs `statements` in a fresh interpreter.

    `python -c` searches the current folder first, which may contain modules with the names of ours.
    Therefore the new process searches `sys.path` of this process.
    """
    home = str(Path(__file__).absolute().parents[1])
    path = [*map(str, sys.path), home]
    return [sys.executable, "-c", f"import sys; sys.path[:] = {path!r}; {statements}"]


def serve() -> None:
    """The main loop of a worker: reads calls, answers each, ends with its input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in TERMINATING:
        raise_from(number, partial(_terminated, number))
    try:
        _serve()
    finally:
        stop_repeating()


def _terminated(number: int) -> SystemExit:
    """The exception that unwinds a worker's task; output of libraries about it is irrelevant."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    return SystemExit(128 + number)


def _serve() -> None:
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # The output of the task must not mix with the answers.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    calls: SimpleQueue[_Call | None] = SimpleQueue()
    busy = threading.Event()

    def listen() -> None:
        with contextlib.suppress(OSError, EOFError, pickle.UnpicklingError):
            while True:
                calls.put(pickle.load(source))
        calls.put(None)
        if busy.is_set():  # the parent no longer waits for the answer
            os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=listen, daemon=True).start()
    while call := calls.get():
        busy.set()
        answer = pickle.dumps(_answer(call), pickle.HIGHEST_PROTOCOL)
        busy.clear()
        with contextlib.suppress(BrokenPipeError):
            sink.write(answer)
            sink.flush()


def _answer(call: _Call) -> tuple[Any, UndokuError | WorkerBugError | None]:
    """The outcome of a call: a result or an error."""
    function, arguments, named = call
    try:
        return function(*arguments, **named), None
    except UndokuError as error:
        return None, error
    except Exception:
        return None, WorkerBugError(traceback.format_exc().strip())
