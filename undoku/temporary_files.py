"""Temporary files and folders, named so that they are recognised, locked while their run lives.

A killed run can't remove its files. The system releases its locks in any case, so the next run can
distinguish leftovers from files that another run is writing.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from undoku.file_lock import locked

_PREFIX = ".undoku-"
_OURS = re.compile(r"\.undoku-[0-9a-f]{12}(\..*)?", re.DOTALL)

BATCH_LOCK, BATCH_WORK = ".undoku/lock", ".undoku/work"
"""In the folder of a batch: its lock file, and the folder of its unfinished films."""


def temporary_name(suffix: str = "", mark: str = "") -> str:
    """A unique name; `mark`, 12 hexadecimal digits, replaces the random part."""
    return f"{_PREFIX}{mark or os.urandom(6).hex()}{suffix}"


def take(path: Path) -> int | None:
    """Lock a new temporary file or folder until `release`, or until this process ends. None if the
    system can't lock it; then other runs can't detect that this one is active. Raises
    FileNotFoundError if it was removed meanwhile.
    """
    held = _hold(path, wait=True)
    if isinstance(held, Owner):
        return None
    try:
        # Another run may have removed it before it was locked.
        if os.path.samestat(os.fstat(held), path.lstat()):
            return held
    except OSError:
        pass
    os.close(held)
    raise FileNotFoundError(path)


def release(held: int | None) -> None:
    """Release the lock that `take` returned."""
    if held is not None:
        os.close(held)


@contextmanager
def temporary_folder(parent: Path | None = None) -> Iterator[Path]:
    """A folder in `parent`, or in the system's folder for temporary files, which is removed at the
    end. Raises OSError."""
    from tempfile import gettempdir  # slow to import, which would delay the help

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
    """The owner of a temporary file."""

    DEAD = "a run that ended without removing it"
    ALIVE = "an active run"
    UNKNOWN = "a run that may be active"
    """For file systems without locks."""


class Leftover(NamedTuple):
    """A temporary file or folder, with the bytes in it."""

    path: Path
    bytes: int
    owner: Owner


def leftovers(folder: Path) -> list[Leftover]:
    """The temporary files and folders of all runs in `folder`, by name, without those of other
    users. A folder that can't be read has none."""
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
    """Remove a leftover of a killed run; returns False if this is not possible: its run may be
    active, or the system refuses."""
    path = leftover.path
    held = _hold(_lock_of(path))
    if isinstance(held, Owner):
        return False
    try:
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
    """Set the function that is called, once for each folder to which this process writes, with the
    leftovers of killed runs there; None for no function."""
    _TELLERS[:] = [teller] if teller else []
    _SEEN.clear()


def look_for_leftovers(folder: Path) -> None:
    """Report leftovers in `folder`, to which this process is about to write."""
    if not _TELLERS or folder in _SEEN:
        return
    _SEEN.add(folder)
    found = [one for one in leftovers(folder) if one.owner is Owner.DEAD]
    if found:
        _TELLERS[0](folder, found)


def _lock_of(path: Path) -> Path:
    """The file that the run that owns `path` locks."""
    parts = path.parts[-2:]
    return path.parent / "lock" if parts == Path(BATCH_WORK).parts else path


def _owner(path: Path) -> Owner:
    held = _hold(_lock_of(path), shared=True)
    if isinstance(held, Owner):
        return held
    os.close(held)
    return Owner.DEAD


def _hold(path: Path, *, shared: bool = False, wait: bool = False) -> int | Owner:
    """The descriptor of a file that is locked from now on; its owner if it can't be locked, because
    another process has locked it, or because the system or the file system can't."""
    owner = Owner.UNKNOWN
    if sys.platform == "win32":  # open files can't be renamed there
        return owner
    with contextlib.suppress(OSError):
        held = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            got = locked(held, shared=shared, wait=wait)
            if got:
                return held
            owner = Owner.UNKNOWN if got is None else Owner.ALIVE
        except OSError:
            pass
        os.close(held)
    return owner


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
