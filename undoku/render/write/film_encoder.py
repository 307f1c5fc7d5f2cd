"""Encodes the frames of a film as samples, one group of pictures after the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.errors import EncoderError
from undoku.h264.gop_encoder import GopEncoder, ReturnedContents
from undoku.render.draw.canvas import Frame, Pixels
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.write.film_samples import FilmSamples, SampleWriter
from undoku.render.write.gop_division import GopDivision, encoded_parts
from undoku.render.write.sink import FilmShape

__all__ = ["FilmEncoder", "check_pixels"]


def check_pixels(pixels: Pixels, shape: FilmShape) -> None:
    """Raises EncoderError for a canvas whose shape or dtype doesn't fit the film."""
    if pixels.shape != (shape.height, shape.width, 3) or pixels.dtype != np.uint8:
        raise EncoderError(
            f"a frame of shape {pixels.shape} and {pixels.dtype} doesn't fit "
            f"a film of {shape.width}x{shape.height}",
            remedy=f"give ({shape.height}, {shape.width}, 3) uint8",
        )


class FilmEncoder:
    """Encodes frames as samples. At a constant rate there is one sample per tick; a frame without
    a change is a picture of skipped macroblocks. With `shape.variable_rate` there is one sample for
    each frame that differs from the previous one; other frames extend the last sample.

    `shape.quality` determines the quantiser, and the distance of key frames unless
    `shape.key_interval` is set. `film` has the counts and the
    parameters of what was written. Raises SettingsError for an unknown quality, odd sides, or a
    size and frame rate beyond the levels of H.264.
    """

    def __init__(self, shape: FilmShape) -> None:
        self.film = FilmSamples(shape)
        self._division = GopDivision(self.film.key_interval, variable_rate=shape.variable_rate)
        self._encoder = GopEncoder(self.film.settings)
        self._returned = ReturnedContents()
        self._number = 0
        """Of the present group of pictures."""

    def write(self, part: Frame | SpriteRun, writer: SampleWriter) -> None:
        """Encode a frame, or play a run and encode its frames, which gives the same samples as one
        `write` per frame. Raises EncoderError when they don't fit the film's shape."""
        check_pixels(part.pixels, self.film.shape)
        for divided, begins in self._division.divided(part):
            if begins:
                if self._number:
                    self._returned.add(self._number, self._encoder.learned())
                self._number = begins
                self._encoder.begin(begins, self._returned.known(begins))
            for encoded in encoded_parts(self._encoder, divided):
                self.film.take(encoded, writer)

    def flush(self, writer: SampleWriter) -> None:
        """Write the last sample, whose duration is final now."""
        self.film.flush(writer)

    def decoded(self) -> NDArray[np.uint8]:
        """The last picture: see GopEncoder."""
        return self._encoder.decoded()
