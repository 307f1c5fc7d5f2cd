"""Encodes the frames of a film as samples, in groups of pictures (GOPs). Each begins with a key
frame and is encoded without any knowledge of the others, so that several can be encoded at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.errors import EncoderError
from undoku.h264.gop_encoder import EncodedPart, GopEncoder, ReturnedContents
from undoku.h264.parameters import EncoderSettings
from undoku.render.draw.canvas import Change, Frame, Pixels, whole
from undoku.render.draw.sprite_run import Sheet, SpriteRun
from undoku.render.settings.fields import SettingFields
from undoku.render.write.film_samples import FilmSamples, SampleWriter

__all__ = ["FilmEncoder", "GopDivision", "GopPart", "check_pixels", "encoded_parts"]


_MAX_HOLD = 1 << 12
"""The most ticks of an unchanged picture in one run."""


class GopPart(NamedTuple):
    """Frames within a group of pictures. `begins` is the number of the group, from 1 on, if they
    begin it, else 0. The first part of a group is a frame of which all is new."""

    part: Frame | SpriteRun
    begins: int


class GopDivision:
    """Divides frames and runs where a group of pictures begins: `interval` ticks after the last one
    began.

    At a constant rate every part lasts one tick per frame; the further ticks of a frame are a run
    without pictures. With `variable_rate` a group begins at the first frame with a change after the
    interval.
    """

    def __init__(self, interval: int, *, variable_rate: bool) -> None:
        self._interval = interval
        self._variable_rate = variable_rate
        self._since: int | None = None
        """Ticks since the present group began; None before the first."""
        self._number = 0
        self._no_pictures = Sheet()

    def divided(self, part: Frame | SpriteRun) -> Iterator[GopPart]:
        """The next frame or run of the film in parts. A run among them must have been played before
        the next part is requested."""
        if isinstance(part, SpriteRun):
            yield from self._run(part)
        elif self._variable_rate:
            yield self._frame(part)
        else:
            yield self._frame(Frame(part.pixels, part.changes))
            left = part.ticks - 1
            while left:
                first = np.zeros(min(left, _MAX_HOLD) + 1, np.int64)
                hold = SpriteRun(part.pixels, self._no_pictures, first, np.empty((0, 3), np.int32))
                yield from self._run(hold)
                left -= len(hold)

    def _frame(self, frame: Frame) -> GopPart:
        begins = self._begin() if self._is_due(frame.changes) else 0
        self._advance(frame.ticks)
        changes = whole(frame.pixels) if begins else frame.changes
        return GopPart(Frame(frame.pixels, changes, frame.ticks), begins)

    def _run(self, run: SpriteRun) -> Iterator[GopPart]:
        at = 0
        while at < len(run):
            stop = self._next_begin(run, at)
            if stop > at:
                self._advance(stop - at)
                yield GopPart(run.part(at, stop), 0)
            else:
                stop = at + 1
                run.part(at, stop).play()
                number = self._begin()
                self._advance(1)
                yield GopPart(Frame(run.pixels, whole(run.pixels)), number)
            at = stop

    def _next_begin(self, run: SpriteRun, at: int) -> int:
        """The first frame from `at` on that begins a group; the run's length if there is none."""
        if self._since is None:
            return at
        due = min(len(run), at + max(0, self._interval - self._since))
        if self._variable_rate:
            drawn = np.diff(run.first[due:]) > 0
            due = due + int(drawn.argmax()) if drawn.any() else len(run)
        return due

    def _is_due(self, changes: tuple[Change, ...]) -> bool:
        """Whether a frame with these changes begins a group."""
        if self._since is None:
            return True
        return self._since >= self._interval and bool(changes or not self._variable_rate)

    def _begin(self) -> int:
        """Begin a group of pictures; returns its number."""
        self._since = 0
        self._number += 1
        return self._number

    def _advance(self, ticks: int) -> None:
        assert self._since is not None
        self._since += ticks


def encoded_parts(encoder: GopEncoder, part: Frame | SpriteRun) -> Iterator[EncodedPart]:
    """Encode a frame, or play a run and encode it, the next part of a group. Each result is valid
    until the next is requested."""
    if isinstance(part, SpriteRun):
        yield from encoder.encode_run(part)
    else:
        yield encoder.encode_frame(part.pixels, part.changes, part.ticks)


def check_pixels(pixels: Pixels, settings: EncoderSettings) -> None:
    """Raises EncoderError for a canvas whose shape or dtype doesn't fit the film."""
    if pixels.shape != (settings.height, settings.width, 3) or pixels.dtype != np.uint8:
        raise EncoderError(
            f"a frame of shape {pixels.shape} and {pixels.dtype} doesn't fit "
            f"a film of {settings.width}x{settings.height}",
            remedy=f"give ({settings.height}, {settings.width}, 3) uint8",
        )


class FilmEncoder:
    """Encodes frames as samples. At a constant rate there is one sample per tick; a frame without
    a change is a picture of skipped macroblocks. With a variable rate there is one sample for each
    frame that differs from the previous one; other frames extend the last sample.

    The quality determines the quantiser, and the distance of key frames unless the settings have a
    `key_interval`. `film` has the counts and the parameters of what was written. Raises
    SettingsError for an unknown quality, odd sides, or a size and frame rate beyond the levels of
    H.264.
    """

    def __init__(self, settings: SettingFields) -> None:
        self.film = FilmSamples(settings)
        self._division = GopDivision(self.film.key_interval, variable_rate=settings.variable_rate)
        self._encoder = GopEncoder(self.film.settings)
        self._returned = ReturnedContents()
        self._number = 0
        """Of the present group of pictures."""

    def write(self, part: Frame | SpriteRun, writer: SampleWriter) -> None:
        """Encode a frame, or play a run and encode its frames, which gives the same samples as one
        `write` per frame. Raises EncoderError when they don't fit the film's shape."""
        check_pixels(part.pixels, self.film.settings)
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
