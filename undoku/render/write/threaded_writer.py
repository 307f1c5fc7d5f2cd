"""Writes a film in a second thread while the first one draws it.

The compiled loops of both threads release Python's global lock, so that two cores are used. Frames
and runs are copied for the thread, except the pictures that a sheet keeps: the thread has its own
canvas. Many of them may wait in the queue, because the parts that take long to draw are rarely
those that take long to write.
"""

from __future__ import annotations

from collections import deque
from threading import Condition, Thread
from typing import Protocol

import numpy as np

from undoku.render.draw.canvas import Frame, Pixels
from undoku.render.draw.film_parts import PartSnapshot, has_room, snapshot_part
from undoku.render.draw.sprite_run import SpriteRun

__all__ = ["FrameWriter", "ThreadedWriter"]

_MAX_FRAMES = 16
"""The most frames of a run that are written at once: `close` waits for them."""


class FrameWriter(Protocol):
    """A writer of frames and runs, in order."""

    def write(self, frame: Frame) -> None: ...

    def write_run(self, run: SpriteRun) -> None: ...


class ThreadedWriter:
    """Calls `writer` in a thread, in order. It receives the same frames and runs as with direct
    calls.

    An error of the writer is raised by the next call except `close`; nothing is written after it.
    Other code must not use the writer before `drain` returns.
    """

    def __init__(self, writer: FrameWriter) -> None:
        self._writer = writer
        self._pixels = np.empty((0, 0, 3), np.uint8)
        """The thread's canvas; empty before the first frame or run."""
        self._parts: deque[PartSnapshot] = deque()
        """Those that the thread has not begun."""
        self._waiting = 0
        """Bytes of the parts that aren't written."""
        self._closed = False
        self._changed = Condition()
        """Guards the three attributes above."""
        self._thread: Thread | None = None
        self._error: BaseException | None = None

    def write(self, frame: Frame) -> None:
        """Queue a frame. Raises any earlier error of the thread."""
        self._begin(frame.pixels)
        self._queue(snapshot_part(frame, self._pixels))

    def write_run(self, run: SpriteRun) -> None:
        """Queue a run, which is played on its canvas by this call. Raises as `write` does."""
        self._begin(run.pixels)
        self._queue(snapshot_part(run, self._pixels))
        run.play()
        if run.sheet.is_full:
            self.drain()  # so that its memory is reused, not allocated a second time

    def drain(self) -> None:
        """Wait until all queued frames and runs are written. Raises any error of the thread."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or not self._waiting)
        self._raise()

    def close(self) -> None:
        """End the thread; queued frames and runs are discarded."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread:
            self._thread.join()
            self._thread = None

    def _begin(self, pixels: Pixels) -> None:
        """The thread's own canvas starts as a copy of the first one."""
        self._raise()
        if self._thread is None:
            self._pixels = pixels.copy()
            self._thread = Thread(target=self._work, daemon=True)
            self._thread.start()

    def _queue(self, copied: PartSnapshot) -> None:
        """Queue a part, once the queue has room for it."""
        size = copied.bytes
        with self._changed:
            self._changed.wait_for(lambda: self._closed or has_room(self._waiting, size))
            self._waiting += size
            self._parts.append(copied)
            self._changed.notify_all()

    def _raise(self) -> None:
        if self._error:
            raise self._error

    def _write(self, copied: PartSnapshot) -> None:
        """Write a frame, or write a run until `close`."""
        copied.place()
        part = copied.part
        if isinstance(part, Frame):
            self._writer.write(part)
            return
        for start in range(0, len(part), _MAX_FRAMES):
            if self._closed:
                return
            self._writer.write_run(part.part(start, min(start + _MAX_FRAMES, len(part))))

    def _work(self) -> None:
        """The loop of the thread. After an error it still takes parts, so that `drain` returns."""
        while copied := self._next_part():
            if not self._error:
                try:
                    self._write(copied)
                except BaseException as error:  # raised by the next call
                    self._error = error
            size = copied.bytes
            del copied  # releases the memory that it refers to
            with self._changed:
                self._waiting -= size
                self._changed.notify_all()

    def _next_part(self) -> PartSnapshot | None:
        """Wait for the next part; None after `close`."""
        with self._changed:
            self._changed.wait_for(lambda: self._parts or self._closed)
            return None if self._closed else self._parts.popleft()
