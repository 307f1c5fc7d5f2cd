"""Files of machine code, one for each loop and signature: their folders and their integrity.

A file begins with a digest of its content, so that code that was damaged or changed is never run.
Its name is a digest, too: of the sources on which the loop depends, of its signature and of the
processor. Outdated files are therefore never found, files of several versions coexist, and files
that have not been used for a while are removed.

Machine code is searched for in the package itself, where a wheel contains it, and then in the
user's cache folder, where it is stored after it was compiled.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from undoku.machine_code.signatures import frozen

__all__ = [
    "CARRIED",
    "LOOPS",
    "SUFFIX",
    "CalleeFiles",
    "ObjectFile",
    "cache_folder",
    "cached_files",
    "carried_folder",
    "digest_of",
    "find",
    "keep",
    "remove_all",
    "remove_old",
    "write_whole",
]

_MAGIC = b"undoku machine code 1\n"
"""Changes with the layout of files, and with the code of `undoku.machine_code.entry_code`."""

SUFFIX = ".loop"
LOOPS = "loops"
"""The folder for files of machine code within the cache folder."""

CARRIED = "machine_code_files"
"""The folder for the machine code in a wheel within a package, with one folder for each level."""

_DAYS = 60
"""How long unused machine code is stored."""


class ObjectFile(NamedTuple):
    """The machine code of a loop for one signature.

    `entry`, `table` and `native` are the names of its symbols; `needs` are the functions that it
    imports from the process; `returns` is the kind of its result; `module`, `loop`, `signature` and
    `seconds` (of compiling) describe it. Without `code`, numba itself must call the loop.
    """

    module: str
    loop: str
    signature: Any
    returns: Any = None
    entry: str = ""
    table: str = ""
    native: str = ""
    needs: tuple[str, ...] = ()
    seconds: float = 0.0
    code: bytes = b""


def cache_folder() -> Path | None:
    """The user's folder for machine code, created if necessary; None if it can't be created, or if
    others could write to it. UNDOKU_CACHE_DIR or NUMBA_CACHE_DIR set another one."""
    named = os.environ.get("UNDOKU_CACHE_DIR") or os.environ.get("NUMBA_CACHE_DIR", "")
    return _cache_folder(named)


@cache
def _cache_folder(named: str) -> Path | None:
    for candidate in [Path(named)] if named else _usual_folders():
        try:
            candidate.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not _is_ours(candidate):
                continue
            descriptor, name = tempfile.mkstemp(dir=candidate)
            os.close(descriptor)
            Path(name).unlink()
        except (OSError, ValueError):  # read-only, or a name with a zero byte
            continue
        return candidate.absolute()
    return None


def _usual_folders() -> Iterator[Path]:
    with contextlib.suppress(RuntimeError):  # the user has no home folder
        if sys.platform == "win32":
            yield Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local", "undoku")
        elif sys.platform == "darwin":
            yield Path.home() / "Library/Caches/undoku"
        else:
            named = os.environ.get("XDG_CACHE_HOME", "")
            yield (Path(named) if Path(named).is_absolute() else Path.home() / ".cache") / "undoku"
    user = os.getuid() if hasattr(os, "getuid") else "user"
    with contextlib.suppress(OSError):
        yield Path(tempfile.gettempdir(), f"undoku-{user}")


def _is_ours(path: Path) -> bool:
    """Whether only this user and the system's administrator can write here."""
    if not hasattr(os, "getuid"):
        return True
    status = path.stat()
    return status.st_uid in (0, os.getuid()) and not status.st_mode & 0o022


@cache
def carried_folder(package: str) -> Path | None:
    """The folder with the machine code of one of our packages in a wheel, if there is one."""
    folder = Path(__file__).absolute().parents[2] / package / CARRIED
    return folder if folder.is_dir() else None


def digest_of(*parts: str) -> str:
    """The digest of `parts`: 32 hexadecimal digits."""
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def find(folder: Path, name: str) -> ObjectFile | None:
    """The machine code with a name in a folder, if it exists, is undamaged, and belongs to this
    user."""
    path = folder / f"{name}{SUFFIX}"
    try:
        with path.open("rb") as file:
            if hasattr(os, "getuid"):
                status = os.fstat(file.fileno())
                if status.st_uid not in (0, os.getuid(), _owner_of_package()):
                    return None
                if status.st_mode & 0o002:
                    return None
            content = file.read()
    except (OSError, ValueError):
        return None
    found = _parsed(content)
    if found is None:
        with contextlib.suppress(OSError):
            path.unlink()
        return None
    _update_time_of_use(path)
    return found


@cache
def _owner_of_package() -> int:
    return Path(__file__).stat().st_uid


def _parsed(content: bytes) -> ObjectFile | None:
    head = len(_MAGIC)
    digest, body = content[head : head + 32], content[head + 32 :]
    if content[:head] != _MAGIC or sha256(body).digest() != digest:
        return None
    header, _, code = body.partition(b"\n")
    fields = {key: frozen(value) for key, value in json.loads(header).items()}
    return ObjectFile(**fields, code=code)


def _update_time_of_use(path: Path) -> None:
    """Update the time of use of a file, once a day."""
    with contextlib.suppress(OSError):
        if time.time() - path.stat().st_mtime > 86_400:
            os.utime(path)


def keep(folder: Path, name: str, made: ObjectFile) -> bool:
    """Write a file of machine code; returns whether it could be written."""
    fields = made._asdict()
    code = fields.pop("code")
    body = json.dumps(fields).encode() + b"\n" + code
    return write_whole(folder / f"{name}{SUFFIX}", _MAGIC + sha256(body).digest() + body)


def write_whole(path: Path, content: bytes) -> bool:
    """Write a file atomically: other processes see all of it or none. Returns whether it could be
    written."""
    temporary = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        Path(temporary).replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            if temporary:
                Path(temporary).unlink()
        return False
    return True


class CalleeFiles:
    """The code of one function for the loops that call it, in place of the index and data files of
    numba's cache. A digest in each file shows whether it is whole, and each signature has its own
    file, so that processes that compile at the same time do not write the same index."""

    def __init__(self, base: Path, stamp: str, serialise: Callable[[Any], bytes]) -> None:
        """Files whose paths begin with `base`; those with another `stamp` are not used. `serialise`
        writes what pickle reads."""
        self._base, self._stamp, self._serialise = base, stamp, serialise

    def _path(self, key: Any) -> Path:
        name = f"{self._base.name}.{sha256(repr(key).encode()).hexdigest()[:16]}.nbc"
        return self._base.parent / name

    def flush(self) -> None:
        """Numba's request to remove everything: outdated files are never read."""

    def load(self, key: Any) -> Any:
        """What was saved for a signature; None if nothing was or the file is damaged."""
        with contextlib.suppress(OSError):
            content = self._path(key).read_bytes()
            if sha256(content[32:]).digest() == content[:32]:
                stamp, known, kept = pickle.loads(content[32:])
                if (stamp, known) == (self._stamp, key):
                    return kept
        return None

    def save(self, key: Any, kept: Any) -> None:
        """Save the code for a signature; on a full disk, it is compiled again later."""
        content = self._serialise((self._stamp, key, kept))
        write_whole(self._path(key), sha256(content).digest() + content)


def cached_files(folder: Path) -> list[tuple[Path, ObjectFile]]:
    """All undamaged files of machine code in a folder."""
    found = []
    for path in sorted(folder.rglob(f"*{SUFFIX}")):
        with contextlib.suppress(OSError):
            if (parsed := _parsed(path.read_bytes())) is not None:
                found.append((path, parsed))
    return found


def remove_old(folder: Path) -> None:
    """Remove files that have not been used for a while, and unfinished files of killed
    processes."""
    now = time.time()
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            days = 1 if path.suffix == ".part" else _DAYS
            if path.is_file() and now - path.stat().st_mtime > days * 86_400:
                path.unlink()


def remove_all(folder: Path) -> tuple[int, int]:
    """Remove all files in the cache; returns their number and their size in bytes."""
    files = size = 0
    for path in sorted(folder.rglob("*"), reverse=True):
        with contextlib.suppress(OSError):
            if path.is_dir():
                path.rmdir()
            else:
                length = path.stat().st_size
                path.unlink()
                files, size = files + 1, size + length
    return files, size
