"""Waiting for what another process or thread does, as long as a busy machine may take."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest

T = TypeVar("T")

PATIENCE = 240
"""Seconds until a test gives up. Nothing depends on how long it takes: only a test that fails lasts
so long."""

_LOOK = 0.01


def until(found: Callable[[], T]) -> T:
    """Wait until a function returns something true; returns that. Raises AssertionError after
    PATIENCE seconds."""
    end = time.monotonic() + PATIENCE
    while not (value := found()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(_LOOK)
    return value


# Where the checkout is.


ROOT = Path(__file__).parents[2]

# Threads that a test leaves behind.


_PATIENCE = 10
"""Seconds that a thread which was told to end may take on a busy machine."""


@contextmanager
def no_thread_left() -> Iterator[None]:
    """Fails if a thread that was started within does not end. Threads of earlier tests may end
    meanwhile, so their number is not compared."""
    before = {*threading.enumerate()}
    yield
    started = {*threading.enumerate()} - before
    for thread in started:
        thread.join(_PATIENCE)
    assert not [thread.name for thread in started if thread.is_alive()]


# Disks that fill up.


@contextmanager
def small_disk(folder: Path, kib: int) -> Iterator[Path]:
    """A new folder on a disk of so many KiB; skips the test where none can be mounted."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={kib}k", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting a small disk takes root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


# Which files a run deletes or renames while they are open; Windows refuses to.


_LISTS: list[list[str]] = []
_LOCKS = os.O_NOFOLLOW | os.O_NONBLOCK
"""The flags of the descriptors by which temporary files are locked, which Windows has not."""


def _look(event: str, arguments: tuple[object, ...]) -> None:
    if not _LISTS or event not in ("os.remove", "os.rename"):
        return
    lists, _LISTS[:] = _LISTS[:], []  # what happens here is not looked at
    for argument in arguments[: 1 + (event == "os.rename")]:
        path = os.path.realpath(os.fsdecode(argument))  # type: ignore[arg-type]
        for process in (os.getpid(), *_children()):
            lists[0] += [path for held in _open_in(process) if held == path]
    _LISTS[:] = lists


def _children() -> Iterator[int]:
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):  # the thread has ended meanwhile
            yield from map(int, (task / "children").read_text().split())


def _open_in(process: int) -> Iterator[str]:
    """The files that a process has open, without locks; none if it has ended."""
    with contextlib.suppress(OSError):
        for descriptor in Path(f"/proc/{process}/fd").iterdir():
            with contextlib.suppress(OSError):  # closed meanwhile
                flags = Path(f"/proc/{process}/fdinfo/{descriptor.name}").read_text().split()[3]
                if int(flags, 8) & _LOCKS != _LOCKS:
                    yield str(descriptor.readlink())


sys.addaudithook(_look)  # which can't be removed again


@contextmanager
def deleted_while_open() -> Iterator[list[str]]:
    """The files that are deleted, renamed or replaced while this process or one of its children has
    them open."""
    found: list[str] = []
    _LISTS.append(found)
    try:
        yield found
    finally:
        _LISTS.clear()


# How much memory and time a piece of Python needs.


MOST_BYTES, MOST_SECONDS = 128 << 20, 3.0
"""Bounds for reading one damaged file."""


def peak_of(work: Callable[[], object]) -> int:
    """The most bytes that Python's allocators hold while `work` runs."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@contextmanager
def bounded(*, measured: bool = True) -> Iterator[None]:
    """A context in which one damaged file is read: it needs at most MOST_SECONDS of the processor
    and, if it is measured, which takes three times as long, MOST_BYTES of memory."""
    if measured:
        tracemalloc.start()
    begun = time.process_time()
    try:
        yield
    finally:
        took = time.process_time() - begun
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert most < MOST_BYTES, most
    assert took < MOST_SECONDS, took
