"""Films that tests draw on a canvas, coded picture by picture."""

from __future__ import annotations

import subprocess
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tests.support.direct_films import DECODERS
from tests.support.h264.limits import check_vectors
from tests.support.h264.reader import Picture, Stream
from undoku.h264.levels import LEVELS, coded_size
from undoku.h264.parameters import picture_parameters, sequence_parameters
from undoku.h264.picture_encoder import PictureEncoder
from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.write.ffmpeg import executable
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

    def take(self, *, key: bool = False) -> int:
        """Code the canvas; returns the bytes it takes."""
        frame = self.canvas.frame()
        self.planes.update(frame.pixels, frame.changes)
        self.units.append(bytes(self.coder.picture(frame.pixels, frame.changes, key=key)))
        self.believed.append(self.coder.decoded().copy())
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
    def parameters(self) -> tuple[bytes, bytes]:
        whole = 16 * self.size.width, 16 * self.size.height
        return (
            sequence_parameters(LEVELS[0], self.size, whole, Fraction(60)),
            picture_parameters(self.qp),
        )

    def read(self) -> list[Picture]:
        """The stream, by our own reading of the standard; its vectors keep to the level."""
        stream = Stream(*self.parameters)
        for unit in self.units:
            stream.read(unit)
        pictures = stream.finish()
        check_vectors(stream.sequence, pictures)
        return pictures

    def check(self) -> list[Picture]:
        """`read`; also fails if a decoder reports an error, or shows anything but the coder's own
        picture."""
        stream = b"".join(b"\0\0\0\1" + unit for unit in (*self.parameters, *self.units))
        across, down = self.size.width, self.size.height
        count = 256 * across * down
        for decoder in DECODERS:
            command = [executable(), "-v", "error", "-err_detect", "explode", "-c:v", decoder]
            command += ["-f", "h264", "-i", "-", "-fps_mode", "passthrough", "-f", "rawvideo"]
            done = subprocess.run(
                [*command, "-pix_fmt", "yuv420p", "-"],
                input=stream,
                capture_output=True,
                check=True,
            )
            assert done.stderr == b""
            pictures = np.frombuffer(done.stdout, np.uint8).reshape(-1, count * 3 // 2)
            for picture, right in zip(pictures, self.believed, strict=True):
                planes = np.split(picture, [count, count * 5 // 4])
                tiles = [
                    plane.reshape(down, side, across, side).swapaxes(1, 2).reshape(-1, side * side)
                    for plane, side in zip(planes, (16, 8, 8), strict=True)
                ]
                assert np.array_equal(np.concatenate(tiles, axis=1), right)
        return self.read()
