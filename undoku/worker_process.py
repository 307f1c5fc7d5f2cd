"""One worker process, seen from both ends of its pipe.

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
import traceback
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from undoku.errors import UndokuError
from undoku.stop_signals import TERMINATING, raise_from, stop_repeating

__all__ = [
    "GRACE",
    "Answer",
    "Call",
    "Worker",
    "WorkerBugError",
    "command_running",
    "cores",
    "message_of",
    "serve",
]

GRACE = 0.5
"""Seconds between asking a worker to end and killing it."""

_START = "from undoku.worker_process import serve; serve()"


class WorkerBugError(RuntimeError):
    """A bug in a worker; the text is its traceback."""


Call = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
"""A function of a module, and its arguments."""

Answer = tuple[Any, UndokuError | WorkerBugError | None]
"""The outcome of a call: a result or an error."""


def cores() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def command_running(statements: str) -> list[str]:
    """The words of a command that runs `statements` in a fresh interpreter.

    `python -c` searches the current folder first, which may contain modules with the names of ours.
    Therefore the new process searches `sys.path` of this process.
    """
    home = str(Path(__file__).absolute().parents[1])
    path = [*map(str, sys.path), home]
    return [sys.executable, "-c", f"import sys; sys.path[:] = {path!r}; {statements}"]


class Worker:
    """The parent's side of one process, which is confined to `processors`, with its children, if
    they are given and the system supports this."""

    def __init__(self, processors: Collection[int] | None = None) -> None:
        self.process = subprocess.Popen(
            command_running(_START),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Ctrl-C on the terminal reaches only the parent, which ends this process.
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        if processors and sys.platform == "linux":
            with contextlib.suppress(OSError):  # it has already ended, which the first call reports
                os.sched_setaffinity(self.process.pid, processors)

    def call(self, message: bytes) -> Answer:
        """Make the call of a message in the process. Raises OSError, EOFError or UnpicklingError if
        it dies."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(message)
        self.process.stdin.flush()
        answer: Answer = pickle.load(self.process.stdout)
        return answer

    def close(self) -> None:
        """Let the process end by itself."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        self.process.wait()
        self._release()

    def died(self) -> str:
        """How a process ended unexpectedly."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(GRACE)
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


def message_of(content: Call | Answer) -> bytes:
    """What is sent for a call or an answer. It is made as a whole, because an error must not leave
    half of it in the pipe. Raises an error of pickle."""
    return pickle.dumps(content, protocol=pickle.HIGHEST_PROTOCOL)


def _terminated(number: int) -> SystemExit:
    """The exception that unwinds a worker's task; output of libraries about it is irrelevant."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    return SystemExit(128 + number)


def serve() -> None:
    """The main loop of a worker: reads calls, answers each, ends with its input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in TERMINATING:
        raise_from(number, partial(_terminated, number))
    try:
        _serve()
    finally:
        stop_repeating()


def _serve() -> None:
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # The output of the task must not mix with the answers.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    waiting: SimpleQueue[tuple[Call] | None] = SimpleQueue()
    busy = threading.Event()

    def listen() -> None:
        with contextlib.suppress(OSError, EOFError, pickle.UnpicklingError):
            while True:
                waiting.put((pickle.load(source),))
        waiting.put(None)
        if busy.is_set():  # the parent no longer waits for the answer
            os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        try:
            item = waiting.get(timeout=60)
        except Empty:
            continue
        if item is None:
            return
        busy.set()
        answer = _answer(item[0])
        busy.clear()
        with contextlib.suppress(BrokenPipeError):
            sink.write(message_of(answer))
            sink.flush()


def _answer(call: Call) -> Answer:
    function, arguments, named = call
    try:
        return function(*arguments, **named), None
    except UndokuError as error:
        return None, error
    except Exception:
        return None, WorkerBugError(traceback.format_exc().strip())
