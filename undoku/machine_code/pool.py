"""Processes that compile loops at the same time, callees before their callers."""

from __future__ import annotations

import atexit
import contextlib
import json
import subprocess
import threading
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from undoku.worker_process import command_running

__all__ = ["Pool", "Task"]

_START = "from undoku.machine_code.worker import main; main()"


class Task(NamedTuple):
    """A loop to compile for one signature: (module, loop, signature), its role (see
    `undoku.machine_code.known_loops`), the name of its file, the approximate seconds, and the loops
    (module, loop) that it calls."""

    key: tuple[str, str, Any]
    role: str
    digest: str
    seconds: float
    calls: frozenset[tuple[str, str]]


class Pool:
    """Up to one process for each processor, until this process ends. `progress` is called with the
    numbers of finished and of all tasks, `finished` with each finished task. Failed tasks count as
    finished: a process that needs such a loop compiles it itself and reports the error.
    """

    def __init__(
        self,
        count: int,
        progress: Callable[[int, int], None],
        finished: Callable[[Task], None],
    ) -> None:
        self._count = count
        self._progress, self._finished = progress, finished
        self._changed = threading.Condition()
        self._tasks: dict[tuple[str, str, Any], Task] = {}
        self._open: dict[tuple[str, str, Any], Task] = {}
        self._running: set[tuple[str, str, Any]] = set()
        self._processes: list[subprocess.Popen[str]] = []
        self._threads = 0
        self._ended = False
        atexit.register(self.close)

    def add(self, tasks: Iterable[Task]) -> None:
        """Add tasks that are not in the pool yet."""
        with self._changed:
            for task in tasks:
                if task.key not in self._tasks:
                    self._tasks[task.key] = self._open[task.key] = task
            self._changed.notify_all()
            while self._threads < min(self._count, len(self._open)):
                self._threads += 1
                threading.Thread(target=self._work, daemon=True).start()

    def knows(self, key: tuple[str, str, Any]) -> bool:
        """Whether a task was added."""
        return key in self._tasks

    def wait(self, key: tuple[str, str, Any] | None = None) -> None:
        """Wait until a task is done, or all of them."""
        while True:
            with self._changed:
                left = self._left()
                if not left if key is None else key not in left:
                    return
                self._changed.wait(0.1)
                done, total = len(self._tasks) - len(self._left()), len(self._tasks)
            self._progress(done, total)

    def _left(self) -> set[tuple[str, str, Any]]:
        return {*self._open, *self._running}

    def close(self) -> None:
        """End the processes at once."""
        with self._changed:
            self._ended = True
            self._open.clear()
            self._changed.notify_all()
        for process in self._processes:
            with contextlib.suppress(OSError):
                process.kill()
                process.wait()

    def _work(self) -> None:
        """Give tasks to one process. If it dies, its task fails, and the others continue."""
        process = self._started()
        task = None
        try:
            while (task := self._next()) is not None:
                assert process.stdin is not None
                assert process.stdout is not None
                line = json.dumps([*task.key, task.role, task.digest])
                process.stdin.write(f"{line}\n")
                process.stdin.flush()
                if not process.stdout.readline():
                    return
                self._finish(task)
        except (OSError, ValueError):
            return
        finally:
            if task is not None:
                self._finish(task)
            with self._changed:
                self._threads -= 1
                if not self._threads:  # no process is left for these
                    for left in self._open.values():
                        self._finished(left)
                    self._open.clear()
                    self._changed.notify_all()

    def _started(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            command_running(_START),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=True,  # Ctrl-C reaches only this process, which ends the others
        )
        self._processes.append(process)
        return process

    def _next(self) -> Task | None:
        """The task for which most others wait, among those whose callees are finished."""
        with self._changed:
            while True:
                if self._ended:
                    return None
                left = {key[:2] for key in self._left()}
                weights = self._weights()
                ready = [
                    task for task in self._open.values() if not (task.calls - {task.key[:2]}) & left
                ]
                if ready:
                    chosen = max(ready, key=lambda task: weights[task.key[:2]])
                    del self._open[chosen.key]
                    self._running.add(chosen.key)
                    return chosen
                self._changed.wait()

    def _weights(self) -> dict[tuple[str, str], float]:
        """By loop: the time for it and for the longest chain of loops that wait for it."""
        own: dict[tuple[str, str], float] = {}
        callers: dict[tuple[str, str], set[tuple[str, str]]] = {}
        for task in self._open.values():
            own[task.key[:2]] = own.get(task.key[:2], 0) + task.seconds
            for callee in task.calls:
                callers.setdefault(callee, set()).add(task.key[:2])
        weights: dict[tuple[str, str], float] = {}

        def weigh(loop: tuple[str, str]) -> float:
            if loop not in weights:
                weights[loop] = 0  # a loop that calls itself
                above = [weigh(caller) for caller in callers.get(loop, ()) if caller != loop]
                weights[loop] = own.get(loop, 0) + max(above, default=0)
            return weights[loop]

        for loop in own:
            weigh(loop)
        return weights

    def _finish(self, task: Task) -> None:
        with self._changed:
            self._running.discard(task.key)
            self._finished(task)
            self._changed.notify_all()
