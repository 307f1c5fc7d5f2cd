"""Animated WebP: lossless, changed boxes only, written while the film is drawn."""

from __future__ import annotations

import numpy as np

from undoku.errors import OutputError
from undoku.render.write import webp_chunks
from undoku.render.write.changed_box import BoxSink, split
from undoku.render.write.frame_slots import Slots
from undoku.render.write.packed_rgb import PackedPicture
from undoku.render.write.sink import FilmShape
from undoku.render.write.staging import Staging
from undoku.texts.text_lines import write_about

__all__ = ["WebpSink"]

MAX_DELAY = (1 << 24) - 1
MAX_BYTES = (1 << 32) - 2
MIN_DELAY = 11
"""Milliseconds; browsers show frames of 10 ms or less for 100 ms."""
METHOD = 2
"""The encoder's effort, 0..6: lower values give much larger files; higher ones are slower and not
smaller."""


class WebpSink(BoxSink):
    """Writes an animated WebP of changed boxes, each encoded losslessly by Pillow.

    Unchanged pixels in a box are transparent, except in a film with alpha. Delays are whole
    milliseconds, computed from cumulative time; rates above 1000/11 frames per second are sampled.
    `plays` is how many times the film plays, 0: endlessly.
    """

    picture: PackedPicture

    def __init__(self, staging: Staging, shape: FilmShape, *, plays: int = 0) -> None:
        slots = Slots(shape.fps, 1000, MIN_DELAY)
        super().__init__(staging, shape, slots, largest_side=16383)
        self.picture = PackedPicture(shape.width, shape.height)
        self._plays = plays
        self._images = 0
        self._abort_on_error(self._begin)

    def _begin(self) -> None:
        self._file.write(bytes(webp_chunks.HEAD))

    def _draw(self, delay: int) -> None:
        first, *further = split(delay, MAX_DELAY, MIN_DELAY)
        box = self.picture.take(step=2)  # the format stores half of x and y
        height, width = box.rgb.shape
        alpha = self.shape.alpha
        blend = not alpha and not box.fresh.all()
        # With alpha the whole box is written: a pixel that became transparent must overwrite.
        packed = box.rgb if alpha else np.where(box.fresh, box.rgb | 0xFF000000, 0)
        coded = webp_chunks.lossless(packed.astype(np.uint32), METHOD)
        place = (box.x, box.y, width, height)
        self._file.write(webp_chunks.animation_frame(place, first, blend, coded))
        for part in further:
            clear = webp_chunks.lossless(np.zeros((1, 1), np.uint32), METHOD)
            self._file.write(webp_chunks.animation_frame((0, 0, 1, 1), part, True, clear))
        self._images += 1 + len(further)
        if self._file.tell() > MAX_BYTES:
            raise OutputError(
                f"{str(self.staging.final)!r} would exceed 4 GiB, the limit of WebP",
                remedy="make the film shorter or write MP4",
            )

    def _seal(self) -> None:
        text = write_about(self.shape.about)
        if text:
            self._file.write(webp_chunks.metadata(text))
        size = self._file.tell()
        self._file.seek(0)
        width, height = self.shape.width, self.shape.height
        self._file.write(webp_chunks.head(size, width, height, self._plays, bool(text)))

    def _verify(self) -> int:
        found = webp_chunks.count_frames(self.staging.temporary)
        if found != (self._images, self._units):
            raise OutputError(
                f"{str(self.staging.final)!r} came out with {found[0]} pictures instead of "
                f"{self._images}",
                remedy="check the disk",
            )
        return self._images
