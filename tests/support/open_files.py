"""Which files a run deletes or renames while they are open; Windows refuses to."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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


def _children() -> list[int]:
    tasks = Path("/proc/self/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def _open_in(process: int) -> Iterator[str]:
    """The files that a process has open, without locks."""
    for descriptor in Path(f"/proc/{process}/fd").iterdir():
        try:
            flags = Path(f"/proc/{process}/fdinfo/{descriptor.name}").read_text().split()[3]
            if int(flags, 8) & _LOCKS != _LOCKS:
                yield str(descriptor.readlink())
        except OSError:  # closed meanwhile
            pass


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
