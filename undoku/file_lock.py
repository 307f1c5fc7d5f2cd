"""A file that only one process at a time uses."""

from __future__ import annotations

import errno
import sys
from typing import IO

_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP)
"""The errors of file systems without locks, such as some NFS and FUSE."""


def locked(file: IO[bytes] | int, *, shared: bool = False, wait: bool = False) -> bool | None:
    """Lock an open file or its descriptor, if no other process has locked it; returns whether it is
    locked, or None if the file system has no locks. A `shared` lock excludes only others that are
    not; with `wait` it is waited for (Windows has neither). The lock is released when the file is
    closed or the process ends in any way. Raises OSError if it fails otherwise."""
    descriptor = file if isinstance(file, int) else file.fileno()
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    try:
        fcntl.flock(descriptor, kind if wait else kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno in _NO_LOCKS:
            return None
        raise
    return True
