"""The base of the sinks for animated pictures: each frame is stored as its changed box."""

from __future__ import annotations

import contextlib
from abc import abstractmethod
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from undoku.errors import OutputError
from undoku.render.draw.canvas import Change, Frame, Pixels, Rect
from undoku.render.draw.direct_loop import direct
from undoku.render.draw.sprite_run import SpriteRun, put_all
from undoku.render.write.frame_slots import Slots
from undoku.render.write.sink import FilmShape, FrameSink, Written
from undoku.render.write.staging import Staging, write_error

__all__ = ["BoxSink", "Rects", "ShownPicture", "split"]

Rects = NDArray[np.int64]
"""(n, 4): x, y, right, bottom."""


class ShownPicture(Protocol):
    """The picture that the file shows at present, and its changes that are not yet written."""

    def differs(self, pixels: Pixels, rects: Rects) -> bool:
        """Whether any pixel in `rects` differs from what is shown. `pixels` is (height, width, 3
        or 4) uint8."""

    def adopt(self, pixels: Pixels, rects: Rects) -> None:
        """Show the pixels in `rects` from now on, and note which of them changed."""


class BoxSink(FrameSink):
    """Turns frames into changed boxes, each shown for a whole number of time units.

    A picture is written when the next one arrives, because its duration is known only then. A
    frame that changes nothing extends the duration of the picture before it. Memory use does not
    depend on the number of frames.
    """

    in_thread = True
    picture: ShownPicture

    def __init__(
        self, staging: Staging, shape: FilmShape, slots: Slots, *, largest_side: int
    ) -> None:
        super().__init__(staging, shape)
        if not (0 < shape.width <= largest_side and 0 < shape.height <= largest_side):
            staging.discard()
            raise OutputError(
                f"this format holds no picture of {shape.width}×{shape.height} pixels",
                remedy=f"give sides from 1 to {largest_side:,}",
            )
        self._slots = slots
        self._changes: list[Change] = []
        self._pixels: Pixels | None = None
        self._put_all: Callable[..., object] = put_all
        self._since: int | None = None  # start time of the picture that is not yet written
        self._units = 0
        try:
            self._file = staging.temporary.open("w+b", buffering=1 << 18)
        except OSError as error:
            staging.discard()
            raise write_error(staging.final, error) from None

    @abstractmethod
    def _draw(self, delay: int) -> None:
        """Write the changed box of the picture, shown for `delay` units."""

    @abstractmethod
    def _seal(self) -> None:
        """Write the end of the file, and fill in the fields that were not known before."""

    @abstractmethod
    def _verify(self) -> int:
        """Read the finished file; returns its number of frames. Raises OutputError if it is
        damaged."""

    def write(self, frame: Frame) -> None:
        self._changes.extend(frame.changes)
        self._pixels = frame.pixels
        appears = self._slots.place(frame.ticks)
        if appears is not None:
            self._abort_on_error(lambda: self._show(appears, self._rects()))

    def write_run(self, run: SpriteRun) -> None:
        """Play a run and add its frames; the file is the same as with one `write` per frame.
        Raises as `write` does."""
        self._abort_on_error(lambda: self._play(run))

    def _play(self, run: SpriteRun) -> None:
        sheet, begun = run.sheet, int(run.first[0])
        placed = run.placed[begun : int(run.first[-1])]
        rects = np.empty((len(placed), 4), np.int64)
        rects[:, :2] = placed[:, 1:]
        rects[:, 2:] = rects[:, :2] + sheet.shapes[placed[:, 0], 1:]
        pixels = self._pixels = run.pixels
        flat, across = pixels.reshape(-1), self.shape.width
        first = (run.first - begun).tolist()
        since = 0
        for start, stop in pairwise(first):
            if start < stop:
                given = flat, across, *sheet.arrays, placed[start:stop]
                if self._put_all is put_all:
                    self._put_all = direct(put_all, *given)
                self._put_all(*given)
            appears = self._slots.place(1)
            if appears is None:
                continue
            drawn = rects[since:stop]
            if self._changes:
                drawn = np.concatenate((self._rects(), drawn))
            self._show(appears, drawn)
            since = stop
        left = rects[since:].tolist()
        self._changes += (Change(Rect(x, y, right - x, low - y)) for x, y, right, low in left)

    def _abort_on_error(self, action: Callable[[], None]) -> None:
        """Call `action`. On any error the sink aborts; an OSError becomes an OutputError."""
        try:
            action()
        except OSError as error:
            self.abort()
            raise write_error(self.staging.final, error) from None
        except OutputError:
            self.abort()
            raise

    def _show(self, appears: int, rects: Rects) -> None:
        """Start a picture at time `appears`: the canvas as it is now, of which `rects` were
        drawn."""
        assert self._pixels is not None
        if self._since is None:
            whole = (0, 0, self.shape.width, self.shape.height)
            self.picture.adopt(self._pixels, np.array([whole], np.int64))
            self._since = 0
        elif len(rects) and self.picture.differs(self._pixels, rects):
            self._put(appears)
            self.picture.adopt(self._pixels, rects)

    def _rects(self) -> Rects:
        """The rectangles drawn since the last call."""
        rects = np.array([(x, y, x + w, y + h) for (x, y, w, h), _ in self._changes], np.int64)
        self._changes.clear()
        return rects.reshape(-1, 4)

    def _put(self, until: int) -> None:
        """Write the current picture, which ends at time `until`."""
        assert self._since is not None
        delay = until - self._since
        self._since = until
        self._units += delay
        self._draw(delay)

    def finish(self) -> Written:
        if self._pixels is None:
            self.abort()
            raise OutputError(f"{str(self.staging.final)!r} would be a film without frames")
        frames = size = 0

        def close() -> None:
            nonlocal frames, size
            self._end()
            self._seal()
            self._file.close()
            frames = self._verify()
            size = self.staging.temporary.stat().st_size

        self._abort_on_error(close)
        self.staging.commit()
        return Written(
            path=self.staging.final,
            frames=frames,
            duration=Fraction(self._units, self._slots.units),
            bytes=size,
            width=self.shape.width,
            height=self.shape.height,
            fps=self._slots.rate,
        )

    def _end(self) -> None:
        """Write the last picture."""
        end, shortest = self._slots.end(), self._slots.shortest
        if self._since is None:
            self._show(0, self._rects())
        elif self._changes:
            # The film ends with frames without a slot. They take one from a picture that has
            # two; if none has, they are merged into the last picture.
            if end - self._since >= 2 * shortest:
                self._show(end - shortest, self._rects())
            else:
                assert self._pixels is not None
                self.picture.adopt(self._pixels, self._rects())
        assert self._since is not None
        self._put(max(end, self._since + shortest))

    def abort(self) -> None:
        with contextlib.suppress(OSError):  # the file is removed in any case
            self._file.close()
        self.staging.discard()


def split(delay: int, longest: int, shortest: int) -> list[int]:
    """Divide a delay into parts of `shortest`..`longest` units each."""
    parts = []
    while delay > longest:
        part = longest if delay - longest >= shortest else longest - shortest
        parts.append(part)
        delay -= part
    return [*parts, delay]
