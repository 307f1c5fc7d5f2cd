"""An output format: YUV4MPEG2 (.y4m), uncompressed video that most encoders read.

The file is a line of text with the size and the frame rate, then for each frame the line "FRAME"
and its planes: Y, Cb and Cr in 4:2:0, BT.709, limited range.
"""

from __future__ import annotations

from contextlib import suppress
from typing import BinaryIO

from undoku.errors import OutputError
from undoku.render.draw.canvas import Frame
from undoku.render.write.output_format import FormatKind, OutputFormat
from undoku.render.write.sink import FilmShape, FrameSink, Written
from undoku.render.write.staging import Staging, write_error
from undoku.render.write.yuv import Planes

__all__ = ["FORMATS", "Y4mSink"]

FORMATS = (
    OutputFormat(
        "YUV4MPEG2",
        ".y4m",
        "Uncompressed frames, 4:2:0; input for other encoders.",
        FormatKind.VIDEO,
        "y4m_format:Y4mSink",
    ),
)

_FRAME = b"FRAME\n"


class Y4mSink(FrameSink):
    """Writes each frame as many times as its ticks."""

    def __init__(self, staging: Staging, shape: FilmShape) -> None:
        super().__init__(staging, shape)
        self._planes = Planes(shape.width, shape.height)
        rate = f"{shape.fps.numerator}:{shape.fps.denominator}"
        self._head = (
            f"YUV4MPEG2 W{shape.width} H{shape.height} F{rate} Ip A1:1 C420jpeg "
            "XCOLORRANGE=LIMITED\n"
        ).encode()
        self._frames = 0
        self._file: BinaryIO | None = None
        try:
            self._file = staging.temporary.open("wb")
            self._file.write(self._head)
        except OSError as error:
            raise self._failed(error) from None

    def write(self, frame: Frame) -> None:
        self._planes.update(frame.pixels, frame.changes)
        assert self._file is not None
        try:
            for _ in range(frame.ticks):
                self._file.write(_FRAME)
                self._file.write(self._planes.bytes.data)
        except OSError as error:
            raise self._failed(error) from None
        self._frames += frame.ticks

    def finish(self) -> Written:
        name, shape = str(self.staging.final), self.shape
        try:
            self._close()
            size = self.staging.temporary.stat().st_size
            one = len(_FRAME) + self._planes.bytes.nbytes
            if not self._frames or size != len(self._head) + one * self._frames:
                raise OutputError(f"{name!r} came out with {size:,} bytes", remedy="check the disk")
            with self.staging.temporary.open("rb") as file:  # checks where the last frame begins
                file.seek(size - one)
                if file.read(len(_FRAME)) != _FRAME:
                    raise OutputError(f"{name!r} is damaged", remedy="check the disk")
        except OSError as error:
            raise self._failed(error) from None
        except OutputError:
            self.abort()
            raise
        self.staging.commit()
        return Written(
            path=self.staging.final,
            frames=self._frames,
            duration=self._frames / shape.fps,
            bytes=size,
            width=shape.width,
            height=shape.height,
            fps=shape.fps,
        )

    def abort(self) -> None:
        with suppress(OSError):  # the file is removed in any case
            self._close()
        self.staging.discard()

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()

    def _failed(self, error: OSError) -> OutputError:
        self.abort()
        return write_error(self.staging.final, error)
