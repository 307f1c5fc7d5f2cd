"""The base of the sinks for animated pictures: each frame is stored as its changed box.

Frame times are rounded to a format's units of time, without accumulating an error.
"""

from __future__ import annotations

import contextlib
import os
from abc import abstractmethod
from collections.abc import Iterator
from fractions import Fraction
from math import ceil
from typing import BinaryIO, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from undoku.errors import OutputError, SettingsError
from undoku.render.draw.canvas import Frame, Pixels, corners, packed
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.write.sink import ClosedFile, FrameSink, SinkContext
from undoku.render.write.staging import Staging

Rects = NDArray[np.int32]
"""(n, 4): x, y, right, bottom."""


_NOTHING = 1 << 24
"""The value of a pixel before the first frame. It is not a 24-bit colour; read as 0xAARRGGBB, its
alpha is 1, which films with alpha never have."""


def legal_rate(fps: Fraction) -> Fraction:
    """The constant rate 100/n frames per second, n >= 2, that is nearest to `fps` (> 0); of two
    equally near rates the lower one. 60 becomes 50, 30 becomes 100/3, 25 stays 25.

    Raises SettingsError when `fps` is not above 0.
    """
    _check(fps)
    longer = max(2, ceil(100 / Fraction(fps)))
    shorter = max(2, longer - 1)
    return min(Fraction(100, longer), Fraction(100, shorter), key=lambda rate: abs(rate - fps))


def _check(fps: Fraction) -> None:
    if fps <= 0:
        raise SettingsError(f"{fps} frames per second is not a rate", remedy="give more than 0")


class Slots:
    """Computes when each frame of a film appears, in units of 1/`units` second, for a format whose
    frames must last at least `shortest` units.

    Up to the rate units/shortest every frame appears, at the unit nearest to its time. Above that
    rate there is one slot every `shortest` units. A slot shows the frame that is current in its
    middle; frames that are current in the middle of no slot are skipped. Delays are differences of
    these times, so errors don't accumulate, and the end of the film is exact to half a slot.
    """

    def __init__(self, fps: Fraction, units: int = 100, shortest: int = 2) -> None:
        _check(fps)
        fastest = Fraction(units, shortest)
        self.units, self.shortest = units, shortest
        self.rate = min(Fraction(fps), fastest)
        self._length = shortest if fps > fastest else 1
        # Integers: half a slot and two ticks, both times `units` and the rate's numerator.
        self._half = self._length * Fraction(fps).numerator
        self._tick = 2 * units * Fraction(fps).denominator
        self._ticks = 0

    def _slot(self) -> int:
        """The first slot whose middle is not before the current time."""
        return -((self._half - self._ticks * self._tick) // (2 * self._half))

    def place(self, ticks: int) -> int | None:
        """The time at which the next frame, which lasts `ticks` (>= 1), appears; None if it is
        skipped."""
        first = self._slot()
        self._ticks += ticks
        return first * self._length if self._slot() > first else None

    def end(self) -> int:
        """The time at which the film so far ends."""
        return self._slot() * self._length


class ShownPicture(Protocol):
    """The picture that the file shows at present, and its changes that are not yet written."""

    def differs(self, pixels: Pixels, rects: Rects) -> bool:
        """Whether any pixel in `rects` differs from what is shown. `pixels` is (height, width, 3
        or 4) uint8."""

    def adopt(self, pixels: Pixels, rects: Rects) -> None:
        """Show the pixels in `rects` from now on, and note which of them changed."""


class Box(NamedTuple):
    """A part of a picture: its upper left corner in pixels, its colours, and its changed pixels."""

    x: int
    y: int
    rgb: NDArray[np.uint32]
    """(height, width): 0xRRGGBB, or 0xAARRGGBB in a film with alpha."""
    fresh: NDArray[np.bool_]
    """(height, width): the pixel has changed."""


class PackedPicture:
    """The picture that a file shows, for formats without a limit on colours."""

    def __init__(self, width: int, height: int) -> None:
        self._shown = np.full((height, width), _NOTHING, np.uint32)
        self._fresh = np.zeros((height, width), np.bool_)

    def differs(self, pixels: Pixels, rects: Rects) -> bool:
        return any((packed(pixels[part]) != self._shown[part]).any() for part in _parts(rects))

    def adopt(self, pixels: Pixels, rects: Rects) -> None:
        for part in _parts(rects):
            self._fresh[part] |= packed(pixels[part]) != self._shown[part]
            self._shown[part] = packed(pixels[part])

    def take(self, step: int = 1) -> Box:
        """The box around all changes, which then count as written. Its left and upper edges are
        multiples of `step`."""
        rows = np.flatnonzero(self._fresh.any(axis=1)).tolist()
        columns = np.flatnonzero(self._fresh.any(axis=0)).tolist()
        left, top = columns[0] // step * step, rows[0] // step * step
        part = slice(top, rows[-1] + 1), slice(left, columns[-1] + 1)
        box = Box(left, top, self._shown[part].copy(), self._fresh[part].copy())
        self._fresh[part] = False
        return box


def _parts(rects: Rects) -> Iterator[tuple[slice, slice]]:
    """The rows and columns of each rectangle."""
    for left, top, right, bottom in rects.tolist():
        yield slice(top, bottom), slice(left, right)


class BoxSink(FrameSink):
    """Turns frames into changed boxes, each shown for a whole number of time units.

    A picture is written when the next one arrives, because its duration is known only then. A
    frame that changes nothing extends the duration of the picture before it. Memory use does not
    depend on the number of frames.
    """

    in_thread = True
    picture: ShownPicture

    def __init__(
        self, staging: Staging, context: SinkContext, slots: Slots, *, largest_side: int
    ) -> None:
        super().__init__(staging, context)
        self._file: BinaryIO | None = None
        width, height = self.settings.width, self.settings.height
        if not (0 < width <= largest_side and 0 < height <= largest_side):
            self.abort()
            raise OutputError(
                f"this format holds no picture of {width}×{height} pixels",
                remedy=f"give sides from 1 to {largest_side:,}",
            )
        self._slots = slots
        self._drawn: list[Rects] = [np.empty((0, 4), np.int32)]
        self._pixels: Pixels | None = None
        self._since: int | None = None  # start time of the picture that is not yet written
        self._units = 0
        self._images = 0
        with self.aborting():
            self._file = staging.temporary.open("w+b", buffering=1 << 18)

    @property
    def rate(self) -> Fraction:
        return self._slots.rate

    @property
    def file(self) -> BinaryIO:
        """The temporary file, open for reading and writing."""
        assert self._file is not None
        return self._file

    @abstractmethod
    def _draw(self, delay: int) -> None:
        """Write the changed box of the picture, shown for `delay` units."""

    @abstractmethod
    def _seal(self) -> None:
        """Write the end of the file, and fill in the fields that were not known before."""

    def write(self, frame: Frame) -> None:
        with self.aborting():
            self._add(frame.pixels, corners(frame.changes), frame.ticks)

    def write_run(self, run: SpriteRun) -> None:
        """Play a run and add its frames; the file is the same as with one `write` per frame.
        Raises as `write` does."""
        with self.aborting():
            for rects in run.rects():
                self._add(run.pixels, rects, 1)

    def _add(self, pixels: Pixels, rects: Rects, ticks: int) -> None:
        """Add a frame that lasts `ticks` and draws `rects`."""
        self._pixels = pixels
        self._drawn.append(rects)
        appears = self._slots.place(ticks)
        if appears is not None:
            self._show(appears, self._rects())

    def _show(self, appears: int, rects: Rects) -> None:
        """Start a picture at time `appears`: the canvas as it is now, of which `rects` were
        drawn."""
        assert self._pixels is not None
        if self._since is None:
            whole = (0, 0, self.settings.width, self.settings.height)
            self.picture.adopt(self._pixels, np.array([whole], np.int32))
            self._since = 0
        elif len(rects) and self.picture.differs(self._pixels, rects):
            self._put(appears)
            self.picture.adopt(self._pixels, rects)

    def _rects(self) -> Rects:
        """The rectangles drawn since the last call."""
        rects = np.concatenate(self._drawn)
        self._drawn = [rects[:0]]
        return rects

    def _put(self, until: int) -> None:
        """Write the current picture, which ends at time `until`."""
        assert self._since is not None
        delay = until - self._since
        self._since = until
        self._units += delay
        self._draw(delay)

    def close_file(self) -> ClosedFile:
        if self._pixels is None:
            raise OutputError(f"there are no frames to write to {self.name}")
        self._end()
        self._seal()
        size = self.file.seek(0, os.SEEK_END)
        self.file.close()
        return ClosedFile(self._images, Fraction(self._units, self._slots.units), size)

    def _end(self) -> None:
        """Write the last picture."""
        end, shortest = self._slots.end(), self._slots.shortest
        if self._since is None:
            self._show(0, self._rects())
        elif any(map(len, self._drawn)):
            # The film ends with frames without a slot. They take one from a picture that has
            # two; if none has, they are merged into the last picture.
            if end - self._since >= 2 * shortest:
                self._show(end - shortest, self._rects())
            else:
                assert self._pixels is not None
                self.picture.adopt(self._pixels, self._rects())
        assert self._since is not None
        self._put(max(end, self._since + shortest))

    def release(self) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):  # the file is removed in any case
                self._file.close()


def split(delay: int, longest: int, shortest: int) -> list[int]:
    """Divide a delay into parts of `shortest`..`longest` units each."""
    parts = []
    while delay > longest:
        part = longest if delay - longest >= shortest else longest - shortest
        parts.append(part)
        delay -= part
    return [*parts, delay]
