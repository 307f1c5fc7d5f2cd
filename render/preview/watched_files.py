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
    after each change. Editors replace files, so their folders are watched."""
    from watchfiles import watch

    wanted: set[Path] = set()
    while not stop.is_set():
        wanted.clear()
        wanted.update(path.absolute() for path in files())
        folders = {path.parent for path in wanted if path.parent.is_dir()}
        if not folders:
            return
        for changes in watch(
            *folders,
            stop_event=stop,
            debounce=_GATHER,
            step=20,
            recursive=False,
            raise_interrupt=False,
            watch_filter=lambda _, name: Path(name) in wanted,
            rust_timeout=500,
        ):
            if changes:
                changed()
                break
        else:
            return
