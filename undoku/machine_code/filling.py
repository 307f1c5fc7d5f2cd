"""Compiles the loops that the cache lacks, each once, even if several processes need it.

The process that has locked a file makes it; others wait for the files that they need. If one loop
is missing, others usually are, too. All loops that the table of known loops lists for the modules
of this process are therefore compiled at once, on all processors, each after the loops that it
calls. This process continues as soon as it has the loop that it needs.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import IO

from undoku.file_lock import locked
from undoku.machine_code import compile_notice
from undoku.machine_code.known_loops import KnownLoop, known_loops, record, recording
from undoku.machine_code.loop import Loop
from undoku.machine_code.object_files import LOOPS, ObjectFile, cache_folder, keep, remove_old
from undoku.machine_code.pool import Pool, Task
from undoku.machine_code.processors import host
from undoku.machine_code.signatures import Signature, UnsupportedError
from undoku.worker_process import cores

__all__ = ["compile_here", "fill", "loop_named", "make", "tasks_for"]

_PATIENCE = 0.05
"""Seconds between two checks whether another process is done."""

_WORTH_IT = 2.0
"""From this many seconds of compiling on, other processes are used, which take a second to
start."""

_USUAL = 0.4
"""The assumed seconds of a loop without a known time."""


class _Cache:
    """The locks of a cache, one for each file that is being made, and the processes that make them.

    The system releases a lock however its process ends. The file of a lock is removed with it; a
    process that creates it again meanwhile finds the finished loop.
    """

    def __init__(self, folder: Path) -> None:
        self.pool = Pool(cores(), compile_notice.compiling, self._finished)
        self._folder = folder / "locks"
        self._locks: dict[str, IO[bytes] | None] = {}

    def _finished(self, task: Task) -> None:
        self.release(task.digest)

    def take(self, digest: str) -> bool:
        """Lock a file, if no other process has locked it; returns whether it is locked."""
        if digest not in self._locks:
            try:
                self._folder.mkdir(exist_ok=True)
                file = (self._folder / digest).open("ab")
            except OSError:  # then each process compiles for itself
                self._locks[digest] = None
                return True
            if not locked(file):
                file.close()
                return False
            self._locks[digest] = file
        return True

    def take_free(self, tasks: list[Task]) -> list[Task]:
        """Lock the files of these tasks; returns the tasks on which no other process is working,
        with all that they may call."""
        free = [task for task in tasks if task.role != "called" and self.take(task.digest)]
        return free and free + [task for task in tasks if task.role == "called"]

    def wait_for_others(self, tasks: list[Task]) -> None:
        """Wait until no other process is working on these tasks."""
        for task in tasks:
            while task.role != "called" and not self.take(task.digest):
                time.sleep(_PATIENCE)
            self.release(task.digest)

    def release(self, digest: str) -> None:
        """Release a lock."""
        file = self._locks.pop(digest, None)
        if file is not None:
            with suppress(OSError):
                (self._folder / digest).unlink()
            file.close()


_CACHES: dict[Path, _Cache] = {}


def make(loop: Loop, signature: Signature, role: str = "entered") -> ObjectFile | None:
    """Compile a loop and cache its machine code; None if only numba itself can call it."""
    folder = cache_folder()
    if folder is None or recording():
        return compile_here(loop, signature, role)
    cache = _CACHES.get(folder) or _CACHES.setdefault(folder, _Cache(folder))
    key, digest = (loop.module, loop.name, signature), loop.digest(signature, host())
    while not cache.take(digest):
        if (found := loop.found(signature)) is not None:
            return found
        compile_notice.compiling()
        time.sleep(_PATIENCE)
    try:
        if (found := loop.found(signature)) is not None:
            return found
        if not cache.pool.knows(key):
            tasks = tasks_for(_wanted(loop, signature, role))
            if sum(task.seconds for task in tasks) > _WORTH_IT:
                cache.pool.add(cache.take_free(tasks))
        if cache.pool.knows(key):
            cache.pool.wait(key)
            compile_notice.compiled()
        return loop.found(signature) or compile_here(loop, signature, role)
    finally:
        cache.release(digest)


def fill(loops: Iterable[KnownLoop]) -> int:
    """Compile those of these loops and of their callees that are missing; returns how many this
    process compiled. Waits for those on which other processes are working. Compiles nothing if the
    cache can't be written."""
    folder = cache_folder()
    if folder is None:
        return 0
    cache = _CACHES.get(folder) or _CACHES.setdefault(folder, _Cache(folder))
    missing = tasks_for(loops)
    tasks = cache.take_free(missing)
    cache.pool.add(tasks)
    cache.pool.wait()
    cache.wait_for_others(missing)
    compile_notice.compiled()
    remove_old(folder)
    return len(tasks)


def compile_here(loop: Loop, signature: Signature, role: str) -> ObjectFile | None:
    """Compile a loop in this process."""
    compile_notice.compiling()
    from undoku.machine_code import compiling

    if not compiling.numba_is_known():
        return None
    processor = host()
    name = loop.digest(signature, processor)
    try:
        made = compiling.machine_code(loop, signature, name, processor)
        record(KnownLoop(loop.module, loop.name, signature, role, 0))
    except UnsupportedError:
        made = ObjectFile(loop.module, loop.name, signature)
    folder = cache_folder()
    if folder is not None:
        keep(folder / LOOPS, name, made)
    return made


def loop_named(module: str, name: str) -> Loop | None:
    """The loop with a name; None if it no longer exists."""
    try:
        found = sys.modules.get(module) or import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        return None
    return found if isinstance(found, Loop) else None


def _wanted(loop: Loop, signature: Signature, role: str) -> Iterator[KnownLoop]:
    """The loops that will probably be called soon: the requested loop, and all known ones of the
    modules that this process has loaded, except other loops that are called through pointers."""
    yield KnownLoop(loop.module, loop.name, signature, role, _USUAL)
    for known in known_loops(loop.module.partition(".")[0]):
        if known.role == "entered" and known.module in sys.modules:
            yield known


def tasks_for(wanted: Iterable[KnownLoop]) -> list[Task]:
    """The tasks that provide these loops: those that are missing, and all loops that they call,
    directly or not."""
    tasks: dict[tuple[str, str, Signature], Task] = {}
    waiting: list[Loop] = []
    for known in wanted:
        loop = loop_named(known.module, known.loop) if known.role != "called" else None
        if loop is not None and loop.has_file and loop.found(known.signature) is None:
            task = _task(loop, known)
            tasks[task.key] = task
            waiting.append(loop)
    seen: set[Loop] = set()
    while waiting:
        for callee in _called_by(waiting.pop()):
            if callee not in seen:
                seen.add(callee)
                waiting.append(callee)
    by_name: dict[tuple[str, str], Loop] = {(loop.module, loop.name): loop for loop in seen}
    for package in {module.partition(".")[0] for module, _ in by_name}:
        for known in known_loops(package):
            inner = by_name.get((known.module, known.loop))
            if inner is not None:
                task = _task(inner, known._replace(role="called"))
                tasks.setdefault(task.key, task)
    return list(tasks.values())


def _task(loop: Loop, known: KnownLoop) -> Task:
    return Task(
        (loop.module, loop.name, known.signature),
        known.role,
        loop.digest(known.signature, host()),
        known.seconds or _USUAL,
        frozenset((callee.module, callee.name) for callee in _called_by(loop)),
    )


def _called_by(loop: Loop) -> list[Loop]:
    """The loops named in the source of a loop."""
    code, space = loop.py_func.__code__, loop.py_func.__globals__
    found = []
    for name in code.co_names:
        value = space.get(name)
        if isinstance(value, Loop):
            found.append(value)
        elif isinstance(value, ModuleType):
            inside = (getattr(value, other, None) for other in code.co_names)
            found += [other for other in inside if isinstance(other, Loop)]
    return found
