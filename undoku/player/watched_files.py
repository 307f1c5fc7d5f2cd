"""Watches files with the library watchfiles."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path

__all__ = ["can_watch", "watch_files"]

_GATHER = 60
"""Milliseconds within which changes are combined."""


def can_watch() -> bool:
    """Whether the library is installed."""
    from importlib.util import find_spec

    return find_spec("watchfiles") is not None


def watch_files(
    files: Callable[[], Iterable[Path]], changed: Callable[[], object], stop: threading.Event
) -> None:
    """Call `changed` whenever one of `files` changes, until `stop` is set; `files` is called again
    after each change. Editors replace files, so their folders are watched.

    A change between two watches is detected within half a second, from the metadata of the files.
    """
    from watchfiles import watch

    known: dict[Path, _Stamp] = {}
    while not stop.is_set():
        wanted = {path.absolute() for path in files()}
        folders = {path.parent for path in wanted if path.parent.is_dir()}
        if not folders:
            return
        known = {path: known[path] if path in known else _stamp(path) for path in wanted}
        for changes in watch(
            *folders,
            stop_event=stop,
            debounce=_GATHER,
            step=20,
            recursive=False,
            raise_interrupt=False,
            watch_filter=lambda _, name, wanted=wanted: Path(name) in wanted,  # type: ignore[misc]
            rust_timeout=500,
            yield_on_timeout=True,
        ):
            now = {path: _stamp(path) for path in wanted}
            if changes or now != known:
                known = now
                changed()
                break
        else:
            return


_Stamp = tuple[int, int, int] | None


def _stamp(path: Path) -> _Stamp:
    """Metadata that changes when a file is written or replaced; None for a missing file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
