"""Encodes a film in other threads while it is drawn, several groups of pictures at once.

The compiled loops of all threads release Python's global lock, so that several cores are used. A
group of pictures is encoded by one thread, on a canvas of its own; frames and runs are copied for
it, except the pictures that a sheet keeps. Many of them may wait, because the parts that take long
to draw are rarely those that take long to encode.
"""

from __future__ import annotations

from collections import deque
from threading import Condition, Lock, Thread

import numpy as np
from numpy.typing import NDArray

from undoku.h264.gop_encoder import GAP, EncodedPart, GopEncoder, ReturnedContents
from undoku.render.draw.canvas import Frame, Pixels
from undoku.render.draw.film_parts import PartSnapshot, has_room, snapshot_part
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.write.film_encoder import GopDivision, check_pixels, encoded_parts
from undoku.render.write.film_samples import FilmSamples, SampleWriter

__all__ = ["ThreadedEncoder"]


class _Gop:
    """A group of pictures that is being encoded. `parts` are not encoded yet; `is_complete` after
    the last one was added; `encoded` are results that must wait for those of earlier groups.
    `known` are returned contents when it begins, `learned` those at its end, None before."""

    def __init__(self, number: int, canvas: Pixels) -> None:
        self.number, self.canvas = number, canvas
        self.parts: deque[PartSnapshot] = deque()
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

    def __init__(self, film: FilmSamples, writer: SampleWriter, threads: int) -> None:
        self._film, self._writer = film, writer
        self._max_threads = min(threads, film.settings.concurrent_groups)
        self._division = GopDivision(
            film.key_interval, variable_rate=not film.settings.is_constant_rate
        )
        self._encoders = [GopEncoder(film.settings)]
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
        doesn't fit the film, and any earlier error of a thread."""
        check_pixels(part.pixels, self._film.settings)
        self._raise()
        for divided, begins in self._division.divided(part):
            self._queue(divided, begins)
            if isinstance(divided, SpriteRun):
                divided.play()
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

    def _queue(self, part: Frame | SpriteRun, begins: int) -> None:
        """Queue a part, once the queue has room for it; `begins` is the number of the group of
        pictures that it begins, or 0."""
        gop = None
        if begins:
            assert isinstance(part, Frame)
            gop = _Gop(begins, part.pixels.copy())
            own = Frame(gop.canvas, part.changes, part.ticks)
            copied = PartSnapshot(own, [], gop.canvas.nbytes)
        else:
            copied = snapshot_part(part, self._gops[-1].canvas)
        size = copied.bytes
        with self._changed:
            self._changed.wait_for(lambda: self._error or has_room(self._waiting, size))
            self._waiting += size
            if gop:
                if self._gops:
                    self._gops[-1].is_complete = True
                self._gops.append(gop)
            self._gops[-1].parts.append(copied)
            self._changed.notify_all()
            wanted = min(len(self._gops), self._max_threads)
        if len(self._threads) < wanted:
            encoder = self._encoders.pop() if self._encoders else GopEncoder(self._film.settings)
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

    def _next_part(self, gop: _Gop) -> PartSnapshot | None:
        """Wait for the next part of a group; None at its end."""
        with self._changed:
            self._changed.wait_for(lambda: self._ends() or gop.parts or gop.is_complete)
            return gop.parts.popleft() if gop.parts and not self._ends() else None

    def _encode(self, one: PartSnapshot, gop: _Gop, encoder: GopEncoder) -> None:
        one.place()
        for encoded in encoded_parts(encoder, one.part):
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
