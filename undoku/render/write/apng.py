"""APNG: animated PNG, lossless, changed boxes only, written while the film is drawn.

Pillow's writer isn't used because it keeps all frames of a film in memory and compares them.
"""

from __future__ import annotations

import io
import os
import shutil
import struct
import zlib
from collections.abc import Iterable, Iterator
from fractions import Fraction
from tempfile import TemporaryFile
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from undoku.render.write.changed_box import Box, BoxSink, PackedPicture, Slots, split
from undoku.render.write.png import rgba_picture, text_keyword
from undoku.render.write.sink import SinkContext
from undoku.render.write.staging import Staging

MAX_DELAY = 65535
MIN_DELAY = Fraction(11, 1000)
"""Seconds; browsers show a delay of 1/100 s or less as 1/10 s."""
EFFORT = 7
CLEAR = 0
"""The number of the transparent colour."""


SIGNATURE = b"\x89PNG\r\n\x1a\n"
INDEXED, TRUE_ALPHA = 3, 6
"""Colour types."""


def chunk(kind: bytes, content: bytes) -> bytes:
    """Length, kind, content, checksum."""
    check = zlib.crc32(content, zlib.crc32(kind))
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)


def start(width: int, height: int, depth: int, colour_type: int) -> bytes:
    """Signature and header; `depth` is bits per sample."""
    content = struct.pack(">IIBBBBB", width, height, depth, colour_type, 0, 0, 0)
    return SIGNATURE + chunk(b"IHDR", content)


def texts(about: Iterable[tuple[str, str]]) -> bytes:
    """An international text chunk (iTXt) for each (name, text)."""
    return b"".join(
        chunk(
            b"iTXt",
            text_keyword(name).encode("latin-1") + b"\0\0\0\0\0" + text.encode(),
        )
        for name, text in about
    )


def _chunks(file: BinaryIO) -> Iterator[tuple[bytes, bytes]]:
    """(kind, content) of each chunk of a file that may still be incomplete."""
    file.seek(len(SIGNATURE))
    while head := file.read(8):
        length, kind = struct.unpack(">I4s", head)
        yield kind, file.read(length)
        file.seek(4, os.SEEK_CUR)


class ApngSink(BoxSink):
    """Writes an animated PNG: with a palette for up to 255 colours, in true colour for more.

    When the 256th colour occurs, the pictures so far are rewritten in true colour, so that every
    pixel is exact. A film with alpha is in true colour from the first picture on. Delays are exact
    fractions of a second if the rate's numerator fits into the format's 16 bits, otherwise whole
    milliseconds.
    """

    picture: PackedPicture

    def __init__(self, staging: Staging, context: SinkContext) -> None:
        rate = context.settings.fps
        units = rate.numerator if rate.numerator <= 10_000 and 1 / rate >= MIN_DELAY else 1000
        shortest = max(1, -(-MIN_DELAY.numerator * units // MIN_DELAY.denominator))
        super().__init__(staging, context, Slots(rate, units, shortest), largest_side=(1 << 31) - 1)
        self.picture = PackedPicture(self.settings.width, self.settings.height)
        # From RGB to colour number; None: true colour.
        self._palette: dict[int, int] | None = None if self.context.alpha else {}
        # The system allocates only the memory pages that are written.
        self._numbers = np.zeros(1 << 24, np.uint8)
        self._sequence = 0
        with self.aborting():
            self.file.write(self._start())

    def _start(self) -> bytes:
        """The bytes before the first picture; overwritten at the end, when all fields are known."""
        if self._palette is None:
            colour_type, colours = TRUE_ALPHA, b""
        else:
            colour_type = INDEXED
            table = b"\0\0\0" + b"".join(rgb.to_bytes(3, "big") for rgb in self._palette)
            colours = chunk(b"PLTE", table.ljust(768, b"\0"))
            colours += chunk(b"tRNS", b"\0")
        return b"".join(
            (
                start(self.settings.width, self.settings.height, 8, colour_type),
                chunk(b"acTL", struct.pack(">II", self._images, self.settings.loop)),
                texts(self.context.about),
                colours,
            )
        )

    def _draw(self, delay: int) -> None:
        box = self.picture.take()
        self._learn(box)
        first, *further = split(delay, MAX_DELAY, self._slots.shortest)
        height, width = box.rgb.shape
        blend = not self.context.alpha and not box.fresh.all()
        self._frame((width, height, box.x, box.y), first, blend, self._coded(box))
        still = Box(0, 0, np.zeros((1, 1), np.uint32), np.zeros((1, 1), np.bool_))
        for part in further:
            self._frame((1, 1, 0, 0), part, True, self._coded(still))

    def _learn(self, box: Box) -> None:
        """Number the new colours; switch to true colour if there are too many."""
        if self._palette is None:
            return
        for rgb in np.unique(box.rgb[box.fresh]).tolist():
            if rgb not in self._palette:
                if len(self._palette) == 255:
                    self._rewrite_in_true_colour()
                    return
                self._palette[rgb] = len(self._palette) + 1
                self._numbers[rgb] = self._palette[rgb]

    def _coded(self, box: Box) -> bytes:
        if self.context.alpha:
            return _true_colour(box.rgb)  # a pixel that became transparent must overwrite
        if self._palette is None:
            return _true_colour(np.where(box.fresh, box.rgb | 0xFF000000, 0))
        numbers = np.where(box.fresh, self._numbers[box.rgb & 0xFFFFFF], np.uint8(CLEAR))
        unfiltered = np.pad(numbers, ((0, 0), (1, 0))).tobytes()
        return zlib.compress(unfiltered, EFFORT)

    def _frame(
        self, where: tuple[int, int, int, int], delay: int, blend: bool, pixels: bytes
    ) -> None:
        """Write a picture: `where` is width, height, x, y in pixels, `pixels` its compressed scan
        lines. It stays in place after its delay (dispose_op 0)."""
        control = struct.pack(
            ">IIIIIHHBB", self._sequence, *where, delay, self._slots.units, 0, blend
        )
        self.file.write(chunk(b"fcTL", control))
        if self._images:
            numbered = struct.pack(">I", self._sequence + 1) + pixels
            self.file.write(chunk(b"fdAT", numbered))
            self._sequence += 2
        else:
            self.file.write(chunk(b"IDAT", pixels))
            self._sequence += 1
        self._images += 1

    def _rewrite_in_true_colour(self) -> None:
        """Rewrite the pictures so far as RGBA."""
        assert self._palette is not None
        colours = np.zeros(256, np.uint32)
        for rgb, number in self._palette.items():
            colours[number] = rgb | 0xFF000000
        self._palette = None
        with TemporaryFile(dir=self.staging.temporary.parent) as indexed:
            self.file.seek(0)
            shutil.copyfileobj(self.file, indexed)
            self.file.seek(0)
            self.file.truncate()
            self._sequence = self._images = 0
            self.file.write(self._start())
            for kind, content in _chunks(indexed):
                if kind == b"fcTL":
                    _, *where, delay, _, _, blend = struct.unpack(">IIIIIHHBB", content)
                elif kind in (b"IDAT", b"fdAT"):
                    lines = zlib.decompress(content[4 * (kind == b"fdAT") :])
                    width, height = where[:2]
                    numbers = np.frombuffer(lines, np.uint8).reshape(height, width + 1)[:, 1:]
                    place = (width, height, where[2], where[3])
                    self._frame(place, delay, bool(blend), _true_colour(colours[numbers]))

    def _seal(self) -> None:
        self.file.write(chunk(b"IEND", b""))
        self.file.seek(0)
        self.file.write(self._start())


def _true_colour(packed: NDArray[np.uint32]) -> bytes:
    """The compressed scan lines of `packed` (height, width), 0xAARRGGBB, as RGBA. Pillow chooses
    the filter of each line."""
    file, picture = io.BytesIO(), rgba_picture(packed)
    picture.save(file, "PNG", compress_level=EFFORT, compress_type=zlib.Z_DEFAULT_STRATEGY)
    return b"".join(content for kind, content in _chunks(file) if kind == b"IDAT")
