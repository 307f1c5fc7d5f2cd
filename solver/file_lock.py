"""A file that one process at a time works on."""

from __future__ import annotations

import sys
from typing import IO

__all__ = ["locked"]


def locked(file: IO[bytes]) -> bool:
    """Take the lock on an open file, if nobody has it. It is given back when the file is closed
    or the process ends, however it ends."""
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
