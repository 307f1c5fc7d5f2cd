"""Writes MOV films, encoded by ffmpeg, for editors: QuickTime Animation and Apple ProRes 4444."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.canvas import Change, Pixels
from undoku.render.write.ffmpeg import BITEXACT, describe, movie_clock
from undoku.render.write.ffmpeg_sink import EncodedSink, RawPictures
from undoku.render.write.formats import SoundCodec
from undoku.render.write.quality import key_ticks, quality

_KEY_SECONDS = Fraction(1)
"""From one key frame of QuickTime Animation to the next, by default: an editor that seeks decodes
what lies between them."""

_4444, _4444_XQ = "4", "5"
"""ffmpeg's numbers of profiles of ProRes."""


class PackedPixels:
    """Pictures as they are drawn: (height, width, 3) RGB, or (height, width, 4) RGBA."""

    def __init__(self, layout: str) -> None:
        self.layout = layout
        self.bytes: NDArray[np.uint8] = np.empty(0, np.uint8)

    def update(self, pixels: Pixels, _changes: Iterable[Change]) -> None:
        self.bytes = pixels.reshape(-1)

    def convert(self, pixels: Pixels, _rects: NDArray[np.int32]) -> None:
        self.bytes = pixels.reshape(-1)


class MovSink(EncodedSink):
    """A film in QuickTime. Alpha is lossless and straight: colours are not multiplied by it."""

    @abstractmethod
    def codec_arguments(self) -> list[str]:
        """ffmpeg's arguments for the encoder of the pictures."""

    def encoder_arguments(self) -> list[str]:
        return [
            *self.context.tracks.arguments(self.settings.fps, SoundCodec.AAC),
            *self.codec_arguments(),
            *BITEXACT,
            *describe(self.context.about),
            *movie_clock(self.settings.fps),
            *("-movflags", "+faststart+write_colr", "-f", "mov"),
        ]


class AnimationSink(MovSink):
    """QuickTime Animation: lossless, 8 bits, RGB or RGBA; pixels that do not change take no
    bytes."""

    colour: ClassVar[tuple[str, ...]] = ()

    def raw_pictures(self) -> RawPictures:
        return PackedPixels("rgba" if self.context.alpha else "rgb24")

    def codec_arguments(self) -> list[str]:
        keys = key_ticks(self.settings, _KEY_SECONDS)
        layout = "argb" if self.context.alpha else "rgb24"
        return ["-c:v", "qtrle", "-g", str(keys), "-pix_fmt", layout]


class ProresSink(MovSink):
    """ProRes 4444, or 4444 XQ with the quality `archive`: 4:4:4, 10 bits, BT.709, every frame a key
    frame."""

    full_chroma = True

    def codec_arguments(self) -> list[str]:
        # prores_ks takes five times the processor time for 2 % less bytes.
        profile = _4444_XQ if quality(self.settings.quality).name == "archive" else _4444
        return [
            *("-c:v", "prores_aw", "-profile:v", profile, "-vendor", "apl0"),
            *("-pix_fmt", "yuva444p10le" if self.context.alpha else "yuv444p10le"),
            *("-threads", str(self.settings.encoder_threads)),
        ]
