"""An output format: YUV4MPEG2 (.y4m), uncompressed video that most encoders read.

The file is a line of text with the size and the frame rate, then for each frame the line "FRAME"
and its planes: Y, Cb and Cr in 4:2:0, BT.709, limited range.
"""

from __future__ import annotations

from contextlib import suppress
from typing import BinaryIO

from undoku.errors import OutputError
from undoku.render.draw.canvas import Frame
from undoku.render.write.formats import FormatKind, OutputFormat
from undoku.render.write.sink import ClosedFile, FrameSink, SinkContext
from undoku.render.write.staging import Staging
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

    def __init__(self, staging: Staging, context: SinkContext) -> None:
        super().__init__(staging, context)
        self._planes = Planes(self.settings.width, self.settings.height)
        rate = f"{self.settings.fps.numerator}:{self.settings.fps.denominator}"
        self._head = (
            f"YUV4MPEG2 W{self.settings.width} H{self.settings.height} F{rate} Ip A1:1 C420jpeg "
            "XCOLORRANGE=LIMITED\n"
        ).encode()
        self._frames = 0
        self._file: BinaryIO | None = None
        with self.aborting():
            self._file = staging.temporary.open("wb")
            self._file.write(self._head)

    def write(self, frame: Frame) -> None:
        self.check_open()
        self._planes.update(frame.pixels, frame.changes)
        assert self._file is not None
        with self.aborting():
            for _ in range(frame.ticks):
                self._file.write(_FRAME)
                self._file.write(self._planes.bytes.data)
        self._frames += frame.ticks

    def close_file(self) -> ClosedFile:
        assert self._file is not None
        self._file.close()
        if not self._frames:
            raise OutputError(f"there are no frames to write to {self.name}")
        size = len(self._head) + (len(_FRAME) + self._planes.bytes.nbytes) * self._frames
        return ClosedFile(self._frames, self._frames / self.settings.fps, size)

    def release(self) -> None:
        if self._file is not None:
            with suppress(OSError):  # the file is removed in any case
                self._file.close()
