"""Encodes groups of pictures (GOPs), each independently of the others."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.h264.levels import CodedSize, coded_size
from undoku.h264.picture_encoder import MacroblockCounts, PictureEncoder, Samples
from undoku.h264.quality import quality
from undoku.h264.quantiser_control import FINEST
from undoku.h264.run_encoder import CONSTANT, COUNTERS, HELD_TICKS, KEY_NEXT, PENDING
from undoku.render.draw.canvas import Frame
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.write.sink import FilmShape

__all__ = ["EncodedPart", "GopEncoder", "concurrent_groups", "quantiser_of"]

_U8 = NDArray[np.uint8]
_I64 = NDArray[np.int64]

_USUAL = 3600  # macroblocks of 1280x720


def quantiser_of(shape: FilmShape, size: CodedSize) -> int:
    """The quantiser of a film. That of its quality is for 1280x720; in smaller pictures a larger
    share of the pixels belongs to edges, so the same error needs a finer quantiser, and in larger
    pictures a coarser one. Raises SettingsError for an unknown quality."""
    finer = math.ceil(1.25 * math.log2(_USUAL / (size.columns * size.height)))
    return max(FINEST, quality(shape.quality).direct_qp - finer)


def error_limit(shape: FilmShape) -> int:
    """The largest luma error of a picture of a film, as a sum of squared differences."""
    mean = 255**2 / 10 ** (quality(shape.quality).direct_psnr / 10)
    return int(mean * shape.width * shape.height)


_MAX_MACROBLOCKS = 20_000
"""Of all pictures that are encoded at the same time: a macroblock takes 2.5 kB of memory, and
parts that wait take more."""


def concurrent_groups(shape: FilmShape) -> int:
    """How many groups of pictures of a film may be encoded at the same time: 3 at 1280x720, 1
    at 1920x1080. It is the same on all machines, because the bytes depend on whether it is 1."""
    size = coded_size(shape.width, shape.height, shape.fps, shape.level)
    return max(1, _MAX_MACROBLOCKS // (size.width * size.height))


class EncodedPart(NamedTuple):
    """The result of one call of the compiled loops: `held` are the ticks by which the last sample
    of the result before lasts longer, `samples` the new samples, and `counts` the macroblocks of
    this result."""

    held: int
    samples: Samples
    counts: MacroblockCounts

    def copy(self) -> EncodedPart:
        """A copy that stays valid."""
        content, sizes, durations, keys = self.samples
        copied = Samples(content.copy(), sizes.copy(), durations.copy(), keys.copy())
        return EncodedPart(self.held, copied, self.counts)


class GopEncoder:
    """Encodes groups of pictures. Where `concurrent_groups` allows several, the bytes of a group
    are the same whichever groups this encoder encoded before; otherwise it must encode all of them
    in order, and what it learned from one helps it with the next. Memory does not grow.

    Raises SettingsError for an unknown quality, odd sides, or a size and frame rate beyond the
    levels of H.264.
    """

    def __init__(self, shape: FilmShape) -> None:
        size = coded_size(shape.width, shape.height, shape.fps, shape.level)
        self._pictures = PictureEncoder(
            size, (shape.width, shape.height), quantiser_of(shape, size), error_limit(shape)
        )
        self._is_alone = concurrent_groups(shape) == 1
        self._counters = np.zeros(COUNTERS, np.int64)
        self._counters[CONSTANT] = not shape.variable_rate

    def begin(self, number: int, known: _I64 | None) -> None:
        """Begin the `number`th group of pictures, counted from 1: its parity is written to the key
        frame. `known` are returned contents of earlier groups."""
        if number == 1 or not self._is_alone:
            self._pictures.begin(number, known)
        self._counters[KEY_NEXT] = 1
        self._counters[PENDING] = 0

    def encode(self, part: Frame | SpriteRun) -> Iterator[EncodedPart]:
        """Encode a frame or play and encode a run, the next part of the group. Each result is valid
        until the next is requested."""
        counters, before = self._counters, self._pictures.counts()
        at = 0
        while at < (len(part) if isinstance(part, SpriteRun) else 1):
            if isinstance(part, SpriteRun):
                at, samples = self._pictures.run(part, at, counters)
            else:
                samples = self._pictures.frame(part.pixels, part.changes, part.ticks, counters)
                at = 1
            counters[PENDING] = 1
            counts = self._pictures.counts()
            gained = MacroblockCounts(
                *(now - then for now, then in zip(counts, before, strict=True))
            )
            before = counts
            yield EncodedPart(int(counters[HELD_TICKS]), samples, gained)

    def learned(self) -> _I64:
        """The table of returned contents at the end of the group."""
        return self._pictures.learned()

    def decoded(self) -> _U8:
        """The last picture, atlas included, as a decoder has it: (macroblocks, 384) uint8, row by
        row."""
        return self._pictures.decoded()
