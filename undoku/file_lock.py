"""A file that only one process at a time uses."""

from __future__ import annotations

import sys
from typing import IO

__all__ = ["locked"]


def locked(file: IO[bytes]) -> bool:
    """Lock an open file, if no other process has locked it; returns whether it is locked. The lock
    is released when the file is closed or the process ends in any way."""
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
