"""Threads that work on parts of a film, frames and runs, while the next parts are drawn.

The compiled loops of all threads release Python's global lock, so that several cores are used.
Parts are copied for a thread, except the pictures that a sheet keeps. Many of them may wait,
because those that take long to draw are rarely those that take long to write.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from functools import partial
from threading import Condition
from typing import Protocol, TypeVar

from undoku.render.draw.canvas import Frame, Pixels
from undoku.render.draw.film_parts import PartSnapshot, snapshot_part
from undoku.render.draw.sprite_run import SpriteRun

_T = TypeVar("_T")

_MAX_BYTES = 16 << 20
"""The most bytes of parts that wait for threads, by default; a larger part must be alone."""

_MAX_FRAMES = 16
"""The most frames of a run that are written at once: `close` waits for them."""


class PartQueue:
    """Calls functions in `threads` threads, each of which takes its calls in order. After an error
    no further function is called."""

    def __init__(self, threads: int, picture: int = 0) -> None:
        """Parts of `picture` bytes may wait, and smaller ones besides."""
        self._threads = [ThreadPoolExecutor(1) for _ in range(threads)]
        self._most = picture + _MAX_BYTES
        self._waiting = 0
        """Bytes of the parts for which calls are not done."""
        self._changed = Condition()
        """Guards the number of waiting bytes."""
        self._error: BaseException | None = None

    def __len__(self) -> int:
        """The number of threads."""
        return len(self._threads)

    @property
    def is_ended(self) -> bool:
        """Whether calls should return early: after an error, or after `close`."""
        return self._error is not None

    def put(self, thread: int, size: int, call: Callable[[], _T]) -> Future[_T]:
        """Let the thread of that number do a call about a part of `size` bytes, once the queue has
        room for it. Raises any error of an earlier call."""
        self.wait(size)
        with self._changed:
            self._waiting += size
        return self._threads[thread].submit(self._run, size, call)

    def wait(self, size: int) -> None:
        """Wait until there is room for a part of `size` bytes: before a large one is copied, so
        that one copy less is in memory. Raises any error of an earlier call."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._error or not self._waiting or self._waiting + size <= self._most
            )
        self.check()

    def check(self) -> None:
        """Raise the first error of a call; CancelledError after `close`."""
        if self._error:
            raise self._error

    def close(self) -> None:
        """End the threads; calls that wait are dropped."""
        self._error = self._error or CancelledError()
        for thread in self._threads:
            thread.shutdown(cancel_futures=True)

    def _run(self, size: int, call: Callable[[], _T]) -> _T:
        try:
            self.check()
            return call()
        except BaseException as error:
            self._error = self._error or error
            raise
        finally:
            with self._changed:
                self._waiting -= size
                self._changed.notify_all()


class RunWriter(Protocol):
    """A writer of frames and runs, in order."""

    def write(self, frame: Frame) -> None: ...

    def write_run(self, run: SpriteRun) -> None: ...


class ThreadedWriter:
    """Calls `writer` in a thread, in order. It receives the same frames and runs as with direct
    calls.

    An error of the writer is raised by the next call except `close`; nothing is written after it.
    Other code must not use the writer before `drain` returns.
    """

    def __init__(self, writer: RunWriter) -> None:
        self._writer = writer
        self._queue = PartQueue(1)
        self._canvas: Pixels | None = None
        """The thread's canvas; None before the first frame or run."""
        self._last: Future[None] | None = None

    def write(self, frame: Frame) -> None:
        """Queue a frame. Raises any earlier error of the thread."""
        self._put(frame)

    def write_run(self, run: SpriteRun) -> None:
        """Queue a run, which is played on its canvas by this call. Raises as `write` does."""
        self._put(run)
        run.play()
        if run.sheet.is_full:
            self.drain()  # so that its memory is freed before more is needed

    def drain(self) -> None:
        """Wait until all queued frames and runs are written. Raises any error of the thread."""
        if self._last:
            self._last.result()

    def close(self) -> None:
        """End the thread; queued frames and runs are discarded."""
        self._queue.close()

    def _put(self, part: Frame | SpriteRun) -> None:
        if self._canvas is None:
            self._canvas = part.pixels.copy()
        copied = snapshot_part(part, self._canvas)
        self._last = self._queue.put(0, copied.bytes, partial(self._write, copied))

    def _write(self, copied: PartSnapshot) -> None:
        """Write a frame, or write a run until `close`."""
        copied.place()
        part = copied.part
        if isinstance(part, Frame):
            self._writer.write(part)
            return
        for start in range(0, len(part), _MAX_FRAMES):
            if not self._queue.is_ended:
                self._writer.write_run(part.part(start, min(start + _MAX_FRAMES, len(part))))
