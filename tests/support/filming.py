"""Films that tests draw on a canvas, coded picture by picture."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tests.support.decoding import (
    DECODERS,
    Macroblock,
    Part,
    by_ffmpeg,
    check_vectors,
    headers,
    macroblocks,
)
from tests.support.decoding import vectors as vectors_of
from undoku.h264.levels import LEVELS, coded_size
from undoku.h264.parameters import picture_parameters, sequence_parameters
from undoku.h264.picture_encoder import MacroblockCounts, PictureEncoder
from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.write.yuv import Planes


class Filming:
    """Codes what is drawn on a canvas, and keeps what each picture must look like. `limit` is the
    largest luma error of a picture, the sum of squared differences."""

    def __init__(self, width: int, height: int, qp: int = 16, limit: int = 1 << 60) -> None:
        self.canvas = Canvas(width, height)
        self.canvas.fill(Rect(0, 0, width, height), (18, 20, 28))
        self.size = coded_size(width, height, Fraction(60))
        self.qp = qp
        self.coder = PictureEncoder(self.size, (width, height), qp, limit)
        self.planes = Planes(width, height)
        self.units: list[bytes] = []
        self.believed: list[NDArray[np.uint8]] = []
        self.counts: list[MacroblockCounts] = []
        """The macroblocks of each picture, as the coder counts them."""

    def take(self, *, key: bool = False, passing: bool = False) -> int:
        """Code the canvas; returns the bytes it takes."""
        frame = self.canvas.frame()
        self.planes.update(frame.pixels, frame.changes)
        coded = self.coder.frame(frame.pixels, frame.changes, key=key, passing=passing)
        self.units.append(coded.bytes[4:].tobytes())
        self.believed.append(self.coder.decoded().copy())
        self.counts.append(coded.counts)
        return len(self.units[-1])

    def luma(self) -> NDArray[np.uint8]:
        """The visible luma of the last picture, as the coder believes it is decoded."""
        shown = self.believed[-1][:, :256].reshape(self.size.height, self.size.width, 16, 16)
        rows = shown.swapaxes(1, 2).reshape(16 * self.size.height, 16 * self.size.width)
        return rows[: self.canvas.height, : self.canvas.width]

    def wanted_luma(self) -> NDArray[np.uint8]:
        """The luma of the canvas."""
        width, height = self.canvas.width, self.canvas.height
        return self.planes.bytes[: width * height].reshape(height, width)

    def error(self) -> int:
        """The luma error of the last picture."""
        off = self.luma().astype(np.int64) - self.wanted_luma()
        return int((off * off).sum())

    @property
    def stream(self) -> bytes:
        """The bare stream, of which nothing is cropped."""
        whole = 16 * self.size.width, 16 * self.size.height
        sequence = sequence_parameters(LEVELS[0], self.size, whole, Fraction(60))
        units = (sequence, picture_parameters(self.qp), *self.units)
        return b"".join(b"\0\0\0\1" + unit for unit in units)

    def vectors(self) -> list[set[Part]]:
        """The vectors of each picture; they keep to the level."""
        found = vectors_of(self.stream)
        check_vectors(headers(self.stream)[0], found)
        return found

    def macroblocks(self) -> list[list[Macroblock]]:
        return macroblocks(self.stream)

    def check(self) -> None:
        """Fails if a decoder reports an error, or shows anything but the coder's own picture."""
        across, down = self.size.width, self.size.height
        count = 256 * across * down
        for decoder in DECODERS:
            decoded = np.frombuffer(by_ffmpeg(self.stream, decoder), np.uint8)
            for picture, right in zip(
                decoded.reshape(-1, count * 3 // 2), self.believed, strict=True
            ):
                planes = np.split(picture, [count, count * 5 // 4])
                tiles = [
                    plane.reshape(down, side, across, side).swapaxes(1, 2).reshape(-1, side * side)
                    for plane, side in zip(planes, (16, 8, 8), strict=True)
                ]
                assert np.array_equal(np.concatenate(tiles, axis=1), right)
        self.vectors()
