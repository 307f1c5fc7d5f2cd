"""Temporary files and folders, named so that they are recognised, locked while their run lives.

A run that is killed can't remove its own. The system gives its locks back, whatever it died of, so
that the next run can tell what is left over from what another run is writing just now.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

__all__ = [
    "BATCH_LOCK",
    "BATCH_WORK",
    "Leftover",
    "Owner",
    "leftovers",
    "look_for_leftovers",
    "release",
    "remove_leftover",
    "take",
    "tell_leftovers",
    "temporary_folder",
    "temporary_name",
]

_PREFIX = ".undoku-"
_OURS = re.compile(r"\.undoku-[0-9a-f]{12}(\..*)?", re.DOTALL)

BATCH_LOCK, BATCH_WORK = ".undoku/lock", ".undoku/work"
"""In the folder of a batch: what it locks, and where its unfinished films lie."""


def temporary_name(suffix: str = "", mark: str = "") -> str:
    """A name that no other run has; `mark`, 12 hexadecimal digits, stands for chance."""
    return f"{_PREFIX}{mark or os.urandom(6).hex()}{suffix}"


def take(path: Path) -> int | None:
    """Lock a temporary file or folder that was just made until `release`, or until this process
    ends. None where the system can't lock it; nobody can then tell that its run is alive.

    Raises FileNotFoundError when it is gone again.
    """
    held = _opened(path)
    if held is None:
        return None
    if not _locked(held, wait=True):
        os.close(held)
        return None
    try:
        # Who removes leftovers may have come before it was locked.
        if os.path.samestat(os.fstat(held), path.lstat()):
            return held
    except OSError:
        pass
    os.close(held)
    raise FileNotFoundError(path)


def release(held: int | None) -> None:
    """Give back what `take` returned."""
    if held is not None:
        os.close(held)


@contextmanager
def temporary_folder(parent: Path | None = None) -> Iterator[Path]:
    """A folder in `parent`, or where the system has temporary files, that is gone in the end.
    Raises OSError."""
    from tempfile import gettempdir  # takes a while to load, for which help should not wait

    if parent is not None:
        look_for_leftovers(parent)
    folder = (parent or Path(gettempdir())) / temporary_name()
    folder.mkdir(mode=0o700)
    held = take(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        release(held)


class Owner(StrEnum):
    """Whose a temporary file is."""

    DEAD = "a run that ended without removing it"
    ALIVE = "a run that is at work"
    UNKNOWN = "a run that may be at work"
    """Where files can't be locked."""


@dataclass(frozen=True, slots=True)
class Leftover:
    """A temporary file or folder, with the bytes in it."""

    path: Path
    bytes: int
    owner: Owner


def leftovers(folder: Path) -> list[Leftover]:
    """The temporary files and folders of all runs in `folder`, by name; what belongs to other users
    of the system is left out. A folder that can't be read has none."""
    found = []
    with contextlib.suppress(OSError):
        for entry in sorted(os.listdir(folder)):  # noqa: PTH208  # not a Path for each file
            if _OURS.fullmatch(entry):
                found.append(folder / entry)
    if (folder / BATCH_WORK).is_dir() and not (folder / ".undoku").is_symlink():
        found.append(folder / BATCH_WORK)
    return [
        Leftover(path, _size(path), _owner(path))
        for path in found
        if not path.is_symlink() and _is_own(path)
    ]


def remove_leftover(leftover: Leftover) -> bool:
    """Remove what a dead run left. False when that can't be done: its run may be at work, or the
    system refuses."""
    path = leftover.path
    held = _opened(_lock_of(path))
    if held is None:
        return False
    try:
        if not _locked(held):
            return False
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    except OSError:
        return False
    finally:
        os.close(held)
    return True


Teller = Callable[[Path, list[Leftover]], None]

_TELLERS: list[Teller] = []
_SEEN: set[Path] = set()


def tell_leftovers(teller: Teller | None) -> None:
    """Have `teller` called, once for each folder that this process writes into, with what dead runs
    have left there. None is nobody."""
    _TELLERS[:] = [teller] if teller else []
    _SEEN.clear()


def look_for_leftovers(folder: Path) -> None:
    """This process is about to write into `folder`."""
    if not _TELLERS or folder in _SEEN:
        return
    _SEEN.add(folder)
    found = [one for one in leftovers(folder) if one.owner is Owner.DEAD]
    if found:
        _TELLERS[0](folder, found)


def _lock_of(path: Path) -> Path:
    """What is locked while the run that has `path` lives."""
    parts = path.parts[-2:]
    return path.parent / "lock" if parts == Path(BATCH_WORK).parts else path


def _owner(path: Path) -> Owner:
    held = _opened(_lock_of(path))
    if held is None:
        return Owner.UNKNOWN
    try:
        free = _locked(held, shared=True)
    finally:
        os.close(held)
    return Owner.UNKNOWN if free is None else Owner.DEAD if free else Owner.ALIVE


def _opened(path: Path) -> int | None:
    if sys.platform == "win32":  # a file that is open there can't be renamed
        return None
    try:
        return os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None


def _locked(held: int, *, shared: bool = False, wait: bool = False) -> bool | None:
    """Lock an open file: whether that was done; None where the file's system has no locks."""
    if sys.platform == "win32":
        return None
    import fcntl

    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    try:
        fcntl.flock(held, kind if wait else kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _is_own(path: Path) -> bool:
    try:
        return not hasattr(os, "geteuid") or path.lstat().st_uid == os.geteuid()
    except OSError:
        return False


def _size(path: Path) -> int:
    size = 0
    with contextlib.suppress(OSError):
        if not path.is_dir():
            return path.lstat().st_size
        for folder, _, names in os.walk(path):
            for name in names:
                size += (Path(folder) / name).lstat().st_size
    return size
