"""Animated WebP (WebP container specification): lossless, changed boxes only, written while the
film is drawn."""

from __future__ import annotations

import io
import struct

import numpy as np
from numpy.typing import NDArray

from undoku.errors import OutputError
from undoku.render.write.changed_box import BoxSink, PackedPicture, Slots, split
from undoku.render.write.png import rgba_picture
from undoku.render.write.sink import SinkContext
from undoku.render.write.staging import Staging
from undoku.texts.text_lines import write_about, xmp_packet

MAX_DELAY = (1 << 24) - 1
MAX_BYTES = (1 << 32) - 2
MIN_DELAY = 11
"""Milliseconds; browsers show frames of 10 ms or less for 100 ms."""
METHOD = 2
"""The encoder's effort, 0..6: lower values give much larger files; higher ones are slower and not
smaller."""


_RIFF_HEAD = 12
HEAD = _RIFF_HEAD + 18 + 14
"""Bytes before the first frame."""
_ALPHA, _ANIMATION, _XMP = 0x10, 0x02, 0x04
_NO_BLEND = 0x02


def chunk(kind: bytes, content: bytes) -> bytes:
    """Kind, length, content, padded to an even length."""
    return kind + struct.pack("<I", len(content)) + content + b"\0" * (len(content) & 1)


def _three(number: int) -> bytes:
    return number.to_bytes(3, "little")


def head(size: int, width: int, height: int, plays: int, has_metadata: bool) -> bytes:
    """The first HEAD bytes of a file of `size` bytes; `plays` 0: endlessly."""
    flags = _ALPHA | _ANIMATION | _XMP * has_metadata
    screen = struct.pack("<I", flags) + _three(width - 1) + _three(height - 1)
    return b"".join(
        (
            b"RIFF",
            struct.pack("<I", size - 8),
            b"WEBP",
            chunk(b"VP8X", screen),
            chunk(b"ANIM", struct.pack("<IH", 0, plays)),
        )
    )


def lossless(packed: NDArray[np.uint32], method: int) -> bytes:
    """The VP8L chunk of a picture of 0xAARRGGBB (height, width): the only one in Pillow's file.

    `method` 0..6 trades time for size. The colours of transparent pixels are not preserved.
    """
    stored = io.BytesIO()
    rgba_picture(packed).save(stored, "WEBP", lossless=True, method=method, quality=75)
    return stored.getvalue()[_RIFF_HEAD:]


def animation_frame(
    where: tuple[int, int, int, int], milliseconds: int, blend: bool, picture: bytes
) -> bytes:
    """A frame, which stays in place after its time: `where` is x and y, both even, width and
    height, in pixels."""
    x, y, width, height = where
    content = _three(x // 2) + _three(y // 2) + _three(width - 1) + _three(height - 1)
    content += _three(milliseconds) + bytes([0 if blend else _NO_BLEND]) + picture
    return chunk(b"ANMF", content)


def metadata(text: str) -> bytes:
    """An XMP chunk whose description is `text`."""
    return chunk(b"XMP ", xmp_packet(text).encode())


class WebpSink(BoxSink):
    """Writes an animated WebP of changed boxes, each encoded losslessly by Pillow.

    Unchanged pixels in a box are transparent, except in a film with alpha. Delays are whole
    milliseconds, computed from cumulative time; rates above 1000/11 frames per second are sampled.
    """

    picture: PackedPicture

    def __init__(self, staging: Staging, context: SinkContext) -> None:
        slots = Slots(context.settings.fps, 1000, MIN_DELAY)
        super().__init__(staging, context, slots, largest_side=16383)
        self.picture = PackedPicture(self.settings.width, self.settings.height)
        with self.aborting():
            self.file.write(bytes(HEAD))

    def _draw(self, delay: int) -> None:
        first, *further = split(delay, MAX_DELAY, MIN_DELAY)
        box = self.picture.take(step=2)  # the format stores half of x and y
        height, width = box.rgb.shape
        alpha = self.context.alpha
        blend = not alpha and not box.fresh.all()
        # With alpha the whole box is written: a pixel that became transparent must overwrite.
        packed = box.rgb if alpha else np.where(box.fresh, box.rgb | 0xFF000000, 0)
        coded = lossless(packed.astype(np.uint32), METHOD)
        place = (box.x, box.y, width, height)
        self.file.write(animation_frame(place, first, blend, coded))
        for part in further:
            clear = lossless(np.zeros((1, 1), np.uint32), METHOD)
            self.file.write(animation_frame((0, 0, 1, 1), part, True, clear))
        self._images += 1 + len(further)
        if self.file.tell() > MAX_BYTES:
            raise OutputError(
                f"{self.name} would exceed 4 GiB, the limit of WebP",
                remedy="make the film shorter or write MP4",
            )

    def _seal(self) -> None:
        text = write_about(self.context.about)
        if text:
            self.file.write(metadata(text))
        size = self.file.tell()
        self.file.seek(0)
        width, height = self.settings.width, self.settings.height
        self.file.write(head(size, width, height, self.settings.loop, bool(text)))
