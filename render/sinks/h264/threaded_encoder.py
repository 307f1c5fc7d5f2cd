"""Encodes a film in a thread of its own, beside the one that draws it.

The loops of both let go of Python's lock, so that two cores do the work. What is handed over is
copied: the thread has a canvas and a sheet of its own, which it brings up to date as it goes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from queue import Queue
from threading import Thread
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from render.drawing.canvas import Change, Frame, Pixels
from render.drawing.sprite_run import Sheet, SheetAdditions, SpriteRun
from render.sinks.contract import FilmShape
from render.sinks.h264.film_encoder import SampleWriter, check_pixels

__all__ = ["ThreadedEncoder"]

_WAITING = 2
"""Parts of a film that wait to be encoded at most: drawing stays that much ahead."""


class _Encoder(Protocol):
    """What encodes frames and runs, one after the other."""

    def write(self, frame: Frame, writer: SampleWriter) -> None: ...

    def write_run(self, run: SpriteRun, writer: SampleWriter) -> None: ...


class ThreadedEncoder:
    """Lets `encoder` encode to `writer` what it is given, in order, in a thread: the same samples
    as if it were called itself.

    What the encoder or the writer raises is raised by the next call but `close`, and nothing is
    encoded from then on. Nobody else may use either of them before `drain` returns.
    """

    def __init__(self, encoder: _Encoder, writer: SampleWriter, shape: FilmShape) -> None:
        self._encoder, self._writer, self._shape = encoder, writer, shape
        self._pixels = np.empty((0, 0, 3), np.uint8)
        """The thread's canvas; without pixels before the first part."""
        self._sheet: Sheet | None = None
        self._mirror = Sheet()
        """The thread's copy of `_sheet`."""
        self._mirrored = (0, 0)
        """The edition of `_sheet`, and the bytes of its kept pictures, that were handed over."""
        self._tasks: Queue[Callable[[], None] | None] = Queue(_WAITING)
        self._thread: Thread | None = None
        self._error: BaseException | None = None
        self._closed = False

    def write(self, frame: Frame) -> None:
        """Take a frame. Raises EncoderError when its size isn't the film's."""
        self._begin(frame.pixels)
        changed = [
            frame.pixels[y : y + height, x : x + width].copy()
            for (x, y, width, height), _ in frame.changes
        ]
        self._hand_over(partial(self._encode, frame.changes, changed, frame.ticks))

    def write_run(self, run: SpriteRun) -> None:
        """Take a run, which is played thereby. Raises as `write` does."""
        self._begin(run.pixels)
        start, stop = int(run.first[0]), int(run.first[-1])
        if run.sheet is not self._sheet:
            self._sheet, self._mirror, self._mirrored = run.sheet, Sheet(), (run.sheet.edition, 0)
        added = run.sheet.additions(*self._mirrored)
        self._mirrored = (added.edition, added.kept_bytes)
        first, placed = run.first - start, run.placed[start:stop].copy()
        self._hand_over(partial(self._encode_run, self._mirror, added, first, placed))
        run.play()

    def drain(self) -> None:
        """Wait until all that was taken is encoded."""
        self._tasks.join()
        self._raise()

    def close(self) -> None:
        """End the thread; what waits is dropped."""
        self._closed = True
        if self._thread:
            self._tasks.put(None)
            self._thread.join()
            self._thread = None

    def _begin(self, pixels: Pixels) -> None:
        """Check a part's canvas; that of the first part is the thread's."""
        check_pixels(pixels, self._shape)
        self._raise()
        if self._thread is None:
            self._pixels = pixels.copy()
            self._thread = Thread(target=self._work, daemon=True)
            self._thread.start()

    def _raise(self) -> None:
        if self._error:
            raise self._error

    def _hand_over(self, task: Callable[[], None]) -> None:
        self._tasks.put(task)

    def _work(self) -> None:
        """What the thread does. It goes on taking tasks after an error, for who waits."""
        while (task := self._tasks.get()) is not None:
            if not self._error and not self._closed:
                try:
                    task()
                except BaseException as error:  # told where the next part is taken
                    self._error = error
            self._tasks.task_done()
        self._tasks.task_done()

    def _encode(self, changes: Sequence[Change], changed: Sequence[Pixels], ticks: int) -> None:
        for ((x, y, width, height), _), pixels in zip(changes, changed, strict=True):
            self._pixels[y : y + height, x : x + width] = pixels
        self._encoder.write(Frame(self._pixels, tuple(changes), ticks), self._writer)

    def _encode_run(
        self,
        sheet: Sheet,
        added: SheetAdditions,
        first: NDArray[np.int64],
        placed: NDArray[np.int32],
    ) -> None:
        sheet.take(added)
        self._encoder.write_run(SpriteRun(self._pixels, sheet, first, placed), self._writer)
