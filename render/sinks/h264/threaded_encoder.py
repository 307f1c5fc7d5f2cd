"""Encodes a film in a thread of its own, beside the one that draws it.

The loops of both let go of Python's lock, so that two cores do the work. What is handed over is
copied, but for the pictures that a sheet keeps: the thread has a canvas of its own. Many parts may
wait, since those that take long to draw and those that take long to encode are seldom the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from queue import Queue
from threading import Condition, Thread
from typing import NamedTuple, Protocol

import numpy as np

from render.drawing.canvas import Frame, Pixels, Rect
from render.drawing.sprite_run import SpriteRun
from render.sinks.contract import FilmShape
from render.sinks.h264.film_encoder import SampleWriter, check_pixels

__all__ = ["ThreadedEncoder"]

_MOST_WAITING = 8 << 20
"""Bytes of the parts that wait; a larger part waits alone."""

_OF_PART = 1 << 14
"""Bytes of a part beside its pixels, at most."""


class _Encoder(Protocol):
    """What encodes frames and runs, one after the other."""

    def write(self, frame: Frame, writer: SampleWriter) -> None: ...

    def write_run(self, run: SpriteRun, writer: SampleWriter) -> None: ...


class _WaitingPart(NamedTuple):
    """Encodes a part; `bytes` are those that it holds until then."""

    encode: Callable[[], None]
    bytes: int


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
        self._tasks: Queue[_WaitingPart | None] = Queue()
        self._waiting = 0
        """Bytes of the tasks that are not done."""
        self._done = Condition()
        self._thread: Thread | None = None
        self._error: BaseException | None = None
        self._closed = False

    def write(self, frame: Frame) -> None:
        """Take a frame. Raises EncoderError when its size isn't the film's."""
        pixels = frame.pixels
        self._begin(pixels)
        changed = [
            (rect, pixels[rect.y : rect.y + rect.height, rect.x : rect.x + rect.width].copy())
            for rect, _ in frame.changes
        ]
        own = Frame(self._pixels, frame.changes, frame.ticks)
        size = sum(part.nbytes for _, part in changed)
        self._hand_over(_WaitingPart(partial(self._encode, own, changed), size + _OF_PART))

    def write_run(self, run: SpriteRun) -> None:
        """Take a run, which is played thereby. Raises as `write` does."""
        self._begin(run.pixels)
        start, stop = int(run.first[0]), int(run.first[-1])
        sheet, first, placed = (
            run.sheet.shared_copy(),
            run.first - start,
            run.placed[start:stop].copy(),
        )
        own = SpriteRun(self._pixels, sheet, first, placed)
        size = sheet.unkept.nbytes + sheet.shapes.nbytes + first.nbytes + placed.nbytes
        task = _WaitingPart(partial(self._encoder.write_run, own, self._writer), size + _OF_PART)
        del own, sheet
        self._hand_over(task)
        del task
        run.play()
        if run.sheet.is_full:
            self.drain()  # so that its memory is used again, not taken a second time

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
        """Check a part's canvas. The thread's begins as a copy of the first part's."""
        check_pixels(pixels, self._shape)
        self._raise()
        if self._thread is None:
            self._pixels = pixels.copy()
            self._thread = Thread(target=self._work, daemon=True)
            self._thread.start()

    def _hand_over(self, task: _WaitingPart) -> None:
        """Give the thread a task, once there is room for it."""
        with self._done:
            self._done.wait_for(
                lambda: not self._waiting or self._waiting + task.bytes <= _MOST_WAITING
            )
            self._waiting += task.bytes
        self._tasks.put(task)

    def _raise(self) -> None:
        if self._error:
            raise self._error

    def _encode(self, frame: Frame, changed: list[tuple[Rect, Pixels]]) -> None:
        """Put what `changed` on the thread's canvas, and encode that."""
        for rect, part in changed:
            self._pixels[rect.y : rect.y + rect.height, rect.x : rect.x + rect.width] = part
        self._encoder.write(frame, self._writer)

    def _work(self) -> None:
        """What the thread does. It goes on taking tasks after an error, for who waits."""
        while (task := self._tasks.get()) is not None:
            if not self._error and not self._closed:
                try:
                    task.encode()
                except BaseException as error:  # told where the next part is taken
                    self._error = error
            size = task.bytes
            del task  # what it holds is no longer needed
            with self._done:
                self._waiting -= size
                self._done.notify()
            self._tasks.task_done()
        self._tasks.task_done()
