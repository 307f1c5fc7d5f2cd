"""PNG: one picture, lossless, with a palette if it has few colours; and sequences, a folder with
one numbered file for each frame of a film. Pillow writes the files."""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from undoku.errors import OutputError, SettingsError
from undoku.render.draw.canvas import Frame, Pixels
from undoku.render.write.sink import ClosedFile, FrameSink, SinkContext
from undoku.render.write.staging import FolderStaging, Staging

if TYPE_CHECKING:
    from PIL import Image


def encode_png(pixels: Pixels, about: Iterable[tuple[str, str]] = (), *, effort: int = 9) -> bytes:
    """A PNG file. `pixels` is (height, width, 3) uint8 RGB, written with a palette of 1, 2, 4 or 8
    bits for up to 256 colours and in true colour for more; or (height, width, 4) uint8 RGBA,
    written in true colour with alpha. `about` is written as text chunks; `effort` is zlib's level,
    0..9."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    picture = Image.fromarray(pixels)
    if pixels.shape[2] == 3 and (colours := picture.getcolors(256)):
        picture = _with_palette(pixels, np.array([colour for _, colour in colours], np.uint8))
    texts = PngInfo()
    for name, text in about:
        texts.add_itxt(text_keyword(name), text)
    file = io.BytesIO()
    picture.save(file, "PNG", compress_level=effort, pnginfo=texts)
    return file.getvalue()


def _with_palette(pixels: Pixels, colours: NDArray[np.uint8]) -> Image.Image:
    """The picture with a palette of its `colours`, (n, 3). Pillow's own conversion to a palette
    isn't exact, because it compares only some bits of each colour."""
    from PIL import Image

    palette = colours[np.argsort(_packed(colours))]  # sorted: the same picture, the same file
    # The system allocates only the memory pages that are written.
    numbers = np.zeros(1 << 24, np.uint8)
    numbers[_packed(palette)] = np.arange(len(palette))
    picture = Image.fromarray(numbers[_packed(pixels)])
    picture.putpalette(palette.tobytes())
    return picture


def _packed(rgb: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Each colour of the last axis as one number, 0xRRGGBB."""
    packed = rgb[..., 0].astype(np.uint32)
    for sample in (1, 2):  # in place, so that large pictures take memory only once
        packed <<= 8
        packed |= rgb[..., sample]
    return packed


def rgba_picture(packed: NDArray[np.uint32]) -> Image.Image:
    """The picture of `packed` (height, width), 0xAARRGGBB."""
    from PIL import Image

    samples = (packed << np.uint32(8) | packed >> np.uint32(24)).astype(">u4").view(np.uint8)
    return Image.fromarray(samples.reshape(*packed.shape, 4), "RGBA")


def text_keyword(name: str) -> str:
    """A valid keyword of a text chunk: at most 79 Latin-1 characters."""
    return name.encode("latin-1", "replace")[:79].decode("latin-1")


class PngSink(FrameSink):
    """Writes the last frame that it is given as a PNG file."""

    def __init__(self, staging: Staging, context: SinkContext) -> None:
        super().__init__(staging, context)
        self._picture = np.zeros(
            (self.settings.height, self.settings.width, self.context.samples), np.uint8
        )
        self._ticks = 0

    def write(self, frame: Frame) -> None:
        if not self._ticks:
            self._picture[:] = frame.pixels
        for (x, y, width, height), _ in frame.changes:
            box = slice(y, y + height), slice(x, x + width)
            self._picture[box] = frame.pixels[box]
        self._ticks = frame.ticks

    def close_file(self) -> ClosedFile:
        if not self._ticks:
            raise OutputError(f"there is no frame to write to {self.name}")
        content = encode_png(self._picture, self.context.about)
        self.staging.temporary.write_bytes(content)
        return ClosedFile(1, self._ticks / self.settings.fps, len(content))


_PATTERN = re.compile(r"([^%]*)%0?(\d{0,2})d([^%]*\.png)", re.IGNORECASE)
_EFFORT = 6


def open_sequence(path: Path, context: SinkContext, *, overwrite: bool = False) -> PngSequenceSink:
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
    return PngSequenceSink(staging, context, f"{before}%0{digits}d{after}")


class PngSequenceSink(FrameSink):
    """Writes one file per tick, whose name is `pattern` with its number: a frame that lasts n ticks
    becomes n files."""

    in_thread = True
    staging: FolderStaging

    def __init__(self, staging: FolderStaging, context: SinkContext, pattern: str) -> None:
        super().__init__(staging, context)
        self._pattern = pattern
        self._frames = 0
        self._bytes = 0

    def _path(self, number: int) -> Path:
        return self.staging.temporary / (self._pattern % number)

    def write(self, frame: Frame) -> None:
        about = self.context.about if not self._frames else ()
        content = encode_png(frame.pixels, about, effort=_EFFORT)
        with self.aborting():
            number = self.settings.image_sequence + self._frames
            first = self._path(number)
            first.write_bytes(content)
            for further in range(1, frame.ticks):
                shutil.copyfile(first, self._path(number + further))
        self._frames += frame.ticks
        self._bytes += len(content) * frame.ticks

    def close_file(self) -> ClosedFile:
        if not self._frames:
            raise OutputError(f"there are no frames to write to {self.name}")
        return ClosedFile(self._frames, self._frames / self.settings.fps, self._bytes)

    def stored_bytes(self) -> int:
        return sum(path.stat().st_size for path in self.staging.temporary.iterdir())
