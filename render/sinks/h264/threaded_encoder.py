"""Encodes a film in other threads while it is drawn, several groups of pictures at once.

The compiled loops of all threads release Python's global lock, so that several cores are used. A
group of pictures is encoded by one thread, on a canvas of its own; frames and runs are copied for
it, except the pictures that a sheet keeps. Many of them may wait, because the parts that take long
to draw are rarely those that take long to encode.
"""

from __future__ import annotations

from collections import deque
from threading import Condition, Lock, Thread
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.drawing.canvas import Frame, Pixels, Rect
from render.drawing.sprite_run import SpriteRun
from render.sinks.h264.film_encoder import check_pixels
from render.sinks.h264.film_samples import FilmSamples, SampleWriter
from render.sinks.h264.gop_division import GopDivision
from render.sinks.h264.gop_encoder import EncodedPart, GopEncoder, concurrent_groups
from render.sinks.h264.returned_contents import GAP, ReturnedContents

__all__ = ["ThreadedEncoder"]

_MAX_QUEUE_BYTES = 8 << 20
"""The most bytes of parts that wait or are being encoded; a larger one must be alone."""

_MAX_PART_BYTES = 1 << 14
"""The most bytes that a part takes in addition to its pixels."""


class _GopTask(NamedTuple):
    """A frame or run on the canvas of its group; for a frame, the pixels that must be copied to
    that canvas before. `bytes` is the memory that it takes."""

    part: Frame | SpriteRun
    changed: list[tuple[Rect, Pixels]]
    bytes: int


class _Gop:
    """A group of pictures that is being encoded. `parts` are not encoded yet; `is_complete` after
    the last one was added; `encoded` are results that must wait for those of earlier groups.
    `known` are returned contents when it begins, `learned` those at its end, None before."""

    def __init__(self, number: int, canvas: Pixels) -> None:
        self.number, self.canvas = number, canvas
        self.parts: deque[_GopTask] = deque()
        self.encoded: deque[EncodedPart] = deque()
        self.is_complete = False
        self.known: NDArray[np.int64] | None = None
        self.learned: NDArray[np.int64] | None = None


class ThreadedEncoder:
    """Encodes like FilmEncoder, in up to `threads` threads as far as groups of pictures may be
    encoded at the same time, and passes the results in order to
    `film`, with `writer`. The samples are the same with any number of threads.

    An error of an encoder or the writer is raised by the next call except `close`; nothing is
    encoded after it. Other code must not use either of them before `drain` returns.
    """

    def __init__(
        self, film: FilmSamples, writer: SampleWriter, threads: int, segment: int | None = None
    ) -> None:
        shape = film.shape
        self._film, self._writer, self._shape = film, writer, shape
        self._most = min(threads, concurrent_groups(shape))
        self._division = GopDivision(
            film.key_interval, variable_rate=shape.variable_rate, segment=segment
        )
        self._encoders = [GopEncoder(shape)]
        """Those that no thread uses yet."""
        self._threads: list[Thread] = []
        self._gops: deque[_Gop] = deque()
        """The groups that were not written completely, in the order of the film."""
        self._begun = 0
        """How many of them are being encoded or were."""
        self._returned = ReturnedContents()
        self._waiting = 0
        """Bytes of the parts that aren't encoded."""
        self._changed = Condition()
        """Guards everything above."""
        self._writing = Lock()
        """Guards the film, the writer and the results of groups."""
        self._error: BaseException | None = None
        self._closed = False

    def write(self, part: Frame | SpriteRun) -> None:
        """Queue a frame, or queue a run and play it on its canvas. Raises EncoderError when it
        doesn't fit the film's shape, and any earlier error of a thread."""
        check_pixels(part.pixels, self._shape)
        self._raise()
        for divided, begins in self._division.divided(part):
            if isinstance(divided, SpriteRun):
                self._queue_run(divided)
            else:
                self._queue_frame(divided, begins)
        if isinstance(part, SpriteRun) and part.sheet.is_full:
            self.drain()  # so that its memory is reused, not allocated a second time

    def drain(self) -> None:
        """Wait until everything that was queued is encoded and written."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._error or (self._waiting == 0 and len(self._gops) <= 1)
            )
        self._raise()

    def end(self) -> None:
        """Wait as `drain` does, and end the threads: the film is complete."""
        with self._changed:
            if self._gops:
                self._gops[-1].is_complete = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._error or not self._gops)
        self._raise()
        self.close()

    def close(self) -> None:
        """End the threads; what is queued is discarded."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        while self._threads:
            self._threads.pop().join()

    def _raise(self) -> None:
        if self._error:
            raise self._error

    def _queue_frame(self, frame: Frame, begins: int) -> None:
        pixels = frame.pixels
        if begins:
            canvas = pixels.copy()
            one = _GopTask(Frame(canvas, frame.changes, frame.ticks), [], canvas.nbytes)
            self._queue(one, _Gop(begins, canvas))
            return
        changed = [
            (rect, pixels[rect.y : rect.bottom, rect.x : rect.right].copy())
            for rect, _ in frame.changes
        ]
        own = Frame(self._gops[-1].canvas, frame.changes, frame.ticks)
        self._queue(_GopTask(own, changed, sum(part.nbytes for _, part in changed)))

    def _queue_run(self, run: SpriteRun) -> None:
        start, stop = int(run.first[0]), int(run.first[-1])
        sheet, first = run.sheet.shared_copy(), run.first - start
        placed = run.placed[start:stop].copy()
        size = sheet.temporary.nbytes + sheet.shapes.nbytes + first.nbytes + placed.nbytes
        self._queue(_GopTask(SpriteRun(self._gops[-1].canvas, sheet, first, placed), [], size))
        run.play()

    def _queue(self, one: _GopTask, gop: _Gop | None = None) -> None:
        """Queue a part, the first of `gop` if that is given, once the queue has room for it."""
        one = one._replace(bytes=one.bytes + _MAX_PART_BYTES)
        with self._changed:
            self._changed.wait_for(
                lambda: (
                    self._error
                    or not self._waiting
                    or self._waiting + one.bytes <= _MAX_QUEUE_BYTES
                )
            )
            self._waiting += one.bytes
            if gop:
                if self._gops:
                    self._gops[-1].is_complete = True
                self._gops.append(gop)
            self._gops[-1].parts.append(one)
            self._changed.notify_all()
            wanted = min(len(self._gops), self._most)
        if len(self._threads) < wanted:
            encoder = self._encoders.pop() if self._encoders else GopEncoder(self._shape)
            self._threads.append(Thread(target=self._work, args=(encoder,), daemon=True))
            self._threads[-1].start()

    def _work(self, encoder: GopEncoder) -> None:
        """The loop of a thread."""
        try:
            while gop := self._next_gop():
                encoder.begin(gop.number, gop.known)
                while one := self._next_part(gop):
                    self._encode(one, gop, encoder)
                    size = one.bytes
                    del one  # releases the memory that it refers to
                    with self._changed:
                        self._waiting -= size
                        self._changed.notify_all()
                self._finish(gop, encoder)
        except BaseException as error:  # raised by the next call
            with self._changed:
                self._error = self._error or error
                self._changed.notify_all()

    def _ends(self) -> bool:
        return self._closed or self._error is not None

    def _next_gop(self) -> _Gop | None:
        """Wait for the next group of pictures to be encoded; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._ends() or self._begun < min(len(self._gops), GAP))
            if self._ends():
                return None
            gop = self._gops[self._begun]
            gop.known = self._returned.known(gop.number)
            self._begun += 1
            return gop

    def _next_part(self, gop: _Gop) -> _GopTask | None:
        """Wait for the next part of a group; None at its end."""
        with self._changed:
            self._changed.wait_for(lambda: self._ends() or gop.parts or gop.is_complete)
            return gop.parts.popleft() if gop.parts and not self._ends() else None

    def _encode(self, one: _GopTask, gop: _Gop, encoder: GopEncoder) -> None:
        for rect, pixels in one.changed:
            gop.canvas[rect.y : rect.bottom, rect.x : rect.right] = pixels
        for encoded in encoder.encode(one.part):
            with self._writing:
                if gop is self._gops[0]:
                    self._film.take(encoded, self._writer)
                else:
                    gop.encoded.append(encoded.copy())
            if self._ends():
                return

    def _finish(self, gop: _Gop, encoder: GopEncoder) -> None:
        """Mark a group as done, and write what waited for it."""
        with self._writing:
            gop.learned = encoder.learned()
            while self._gops and self._gops[0].learned is not None and not self._ends():
                if len(self._gops) > 1:
                    waiting = self._gops[1].encoded
                    while waiting:
                        self._film.take(waiting.popleft(), self._writer)
                with self._changed:
                    done = self._gops.popleft()
                    assert done.learned is not None
                    self._returned.add(done.number, done.learned)
                    self._begun -= 1
                    self._changed.notify_all()
