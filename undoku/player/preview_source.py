"""The sources of a preview: the contents of its pages, made on request, and the files watched."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from undoku.player.page_content import page_content
from undoku.render.film.film import Film
from undoku.solver.trace.recorded import MemoryTrace
from undoku.solver.trace.trace import EVENT, Events, Trace

__all__ = ["FilmsSource", "FollowedSource", "PreviewSource", "watch_files"]

Content = dict[str, Any]


class PreviewSource(ABC):
    """One or more films."""

    @abstractmethod
    def content(self, number: int = 0) -> Content:
        """The content of film `number`'s page. Raises UndokuError."""

    def events(self, number: int, start: int) -> tuple[Events, bool]:
        """The events of a search that is still being written, from event `start` on, and whether
        there will be more."""
        return np.empty(0, EVENT), False


class FilmsSource(PreviewSource):
    """Films that `made` returns with their names each time it is called; `files` are their inputs:
    when one changes, the preview is updated. The last contents are cached until `forget`."""

    def __init__(
        self,
        made: Callable[[], Sequence[tuple[str, Film]]],
        files: Callable[[], Iterable[Path]],
    ) -> None:
        self._made = made
        self.files = files
        self._films: Sequence[tuple[str, Film]] | None = None
        self._contents: dict[int, Content] = {}
        self._lock = threading.Lock()

    def forget(self) -> None:
        """Make the films again at the next request."""
        with self._lock:
            self._films = None
            self._contents.clear()

    def content(self, number: int = 0) -> Content:
        with self._lock:
            if self._films is None:
                self._films = self._made()
            names = [name for name, _ in self._films]
            number = min(number, len(names) - 1)
            if number not in self._contents:
                several = {"films": names, "film": number} if len(names) > 1 else {}
                self._contents[number] = page_content(self._films[number][1]) | several
            return self._contents[number]


class FollowedSource(PreviewSource):
    """Searches of which at least one is still being written: each is read in its own thread, and
    `filmed` makes a film of traces. When all have ended, the source is their film."""

    def __init__(self, traces: Sequence[Trace], filmed: Callable[[Sequence[Trace]], Film]) -> None:
        self._traces = traces
        self._filmed = filmed
        self._events: list[list[Events]] = [[] for _ in traces]
        self._running = len(traces)
        self._whole: Content | None = None
        self._failure: BaseException | None = None
        self._more = threading.Condition()
        self._start = self._filmed([MemoryTrace(trace.header, []) for trace in traces])
        for number in range(len(traces)):
            threading.Thread(target=self._read, args=(number,), daemon=True).start()

    def _read(self, number: int) -> None:
        """Read a search to its end."""
        try:
            for chunk in self._traces[number].chunks():
                with self._more:
                    self._events[number].append(chunk.copy())
                    self._more.notify_all()
        except BaseException as error:
            self._failure = error
        finally:
            with self._more:
                self._running -= 1
                self._more.notify_all()

    def content(self, number: int = 0) -> Content:
        if self._running:
            return page_content(self._start) | {"live": True}
        if self._failure is not None:
            raise self._failure
        if self._whole is None:
            self._whole = page_content(self._filmed(self._traces))
        return self._whole

    def events(self, number: int, start: int) -> tuple[Events, bool]:
        kept = self._events[number]
        with self._more:
            self._more.wait_for(lambda: not self._running or sum(map(len, kept)) > start, 0.2)
            return np.concatenate([np.empty(0, EVENT), *kept])[start:], self._running > 0


_PAUSE = 0.2
"""Seconds between two looks at the watched files."""


def watch_files(
    files: Callable[[], Iterable[Path]], changed: Callable[[], object], stop: threading.Event
) -> None:
    """Call `changed` whenever one of `files` is written, replaced or removed, until `stop` is set;
    `files` is called again after each change."""
    wanted = [*files()]
    known = [_stamp(path) for path in wanted]
    while not stop.wait(_PAUSE):
        if [_stamp(path) for path in wanted] != known:
            # What is written while the change is handled is seen at the next look.
            wanted = [*files()]
            known = [_stamp(path) for path in wanted]
            changed()


def _stamp(path: Path) -> tuple[int, int, int] | None:
    """Metadata that changes when a file is written or replaced; None for a missing file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
