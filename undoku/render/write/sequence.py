"""PNG sequence: a folder with one numbered PNG file for each frame of the film."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from undoku.errors import OutputError, SettingsError
from undoku.render.draw.canvas import Frame
from undoku.render.write.png_sink import encode_png
from undoku.render.write.sink import FilmShape, FrameSink, Written
from undoku.render.write.staged_folder import FolderStaging
from undoku.render.write.staging import write_error

__all__ = ["PngSequenceSink", "open_sequence"]

_PATTERN = re.compile(r"([^%]*)%0?(\d{0,2})d([^%]*\.png)", re.IGNORECASE)
_EFFORT = 6


def open_sequence(path: Path, shape: FilmShape, *, overwrite: bool = False) -> PngSequenceSink:
    """The sink for a pattern such as frames/%06d.png.

    Raises SettingsError when the name is not such a pattern or has no folder, OutputError when the
    folder contains files that may not be replaced.
    """
    match = _PATTERN.fullmatch(path.name)
    if not match:
        raise SettingsError(
            f"{str(path)!r} is not a pattern for numbered files", remedy="write frames/%06d.png"
        )
    if path.parent.name in ("", ".."):
        raise SettingsError(
            f"{path.name!r} names no folder for the frames",
            remedy=f"put them in a folder of their own, as in frames/{path.name}",
        )
    before, digits, after = match.groups()
    ours = re.compile(re.escape(before) + r"\d+" + re.escape(after))
    staging = FolderStaging(path.parent, ours, overwrite=overwrite)
    return PngSequenceSink(staging, shape, before, int(digits or 0), after)


class PngSequenceSink(FrameSink):
    """Writes one file per tick, numbered from the shape's first number on: a frame that lasts n
    ticks becomes n files."""

    in_thread = True
    staging: FolderStaging

    def __init__(
        self, staging: FolderStaging, shape: FilmShape, before: str, digits: int, after: str
    ) -> None:
        super().__init__(staging, shape)
        self._before, self._digits, self._after = before, digits, after
        self._frames = 0
        self._bytes = 0

    def _path(self, number: int) -> Path:
        name = f"{self._before}{number:0{self._digits}d}{self._after}"
        return self.staging.temporary / name

    def write(self, frame: Frame) -> None:
        about = self.shape.about if not self._frames else ()
        content = encode_png(frame.pixels, about, effort=_EFFORT)
        try:
            number = self.shape.first_number + self._frames
            first = self._path(number)
            first.write_bytes(content)
            for further in range(1, frame.ticks):
                shutil.copyfile(first, self._path(number + further))
        except OSError as error:
            self.abort()
            raise write_error(self.staging.final, error) from None
        self._frames += frame.ticks
        self._bytes += len(content) * frame.ticks

    def finish(self) -> Written:
        if not self._frames:
            self.abort()
            raise OutputError(f"{str(self.staging.final)!r} would be a folder without frames")
        found = sum(path.stat().st_size for path in self.staging.temporary.iterdir())
        if found != self._bytes:
            self.abort()
            raise OutputError(
                f"{str(self.staging.final)!r} came out with {found:,} bytes instead of "
                f"{self._bytes:,}",
                remedy="check the disk",
            )
        self.staging.commit()
        return Written(
            path=self.staging.final,
            frames=self._frames,
            duration=self._frames / self.shape.fps,
            bytes=self._bytes,
            width=self.shape.width,
            height=self.shape.height,
            fps=self.shape.fps,
        )

    def abort(self) -> None:
        self.staging.discard()
