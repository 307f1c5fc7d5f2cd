"""Encodes the frames of a film as samples while it is drawn, in groups of pictures (GOPs). Each
begins with a key frame and is encoded without any knowledge of the pictures of others, so that
several can be encoded at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from fractions import Fraction
from functools import partial
from typing import NamedTuple, Protocol

import numpy as np

from undoku.errors import EncoderError
from undoku.h264.gop_encoder import GAP, GopEncoder, ReturnedContents
from undoku.h264.loops import I64
from undoku.h264.parameters import EncoderSettings, StreamParameters
from undoku.h264.picture_encoder import EncodedPart, MacroblockCounts
from undoku.render.draw.canvas import Frame, Pixels, covering, whole
from undoku.render.draw.film_parts import PartSnapshot, snapshot_part
from undoku.render.draw.sprite_run import Sheet, SpriteRun
from undoku.render.settings.fields import SettingFields
from undoku.render.write.formats import film_clock
from undoku.render.write.part_queue import PartQueue
from undoku.render.write.quality import encoder_settings, key_ticks, level_errors, quality

_MAX_HOLD = 1 << 12
"""The most ticks of an unchanged picture in one run."""

_LEAST_KEY_SECONDS = 5
"""Key frames are not nearer by default: in large pictures they would take half of all bytes."""


class SampleWriter(Protocol):
    """Receives the samples of a film."""

    def add(self, part: EncodedPart) -> None:
        """Add samples of one tick each."""


class GopPart(NamedTuple):
    """Frames within a group of pictures. `begins` is the number of the group, from 1 on, if they
    begin it, else 0. The first part of a group is a frame of which all is new."""

    part: Frame | SpriteRun
    begins: int


class GopDivision:
    """Divides frames and runs where a group of pictures begins: `interval` ticks after the last one
    began.

    Every part lasts one tick per frame; the further ticks of a frame are a run without pictures.
    """

    def __init__(self, interval: int) -> None:
        self._interval = interval
        self._since = 0
        """Ticks since the present group began."""
        self._number = 0
        """Of the present group; 0 before the first."""
        self._no_pictures = Sheet()

    def divided(self, part: Frame | SpriteRun) -> Iterator[GopPart]:
        """The next frame or run of the film in parts. A run among them must have been played before
        the next part is requested."""
        if isinstance(part, SpriteRun):
            yield from self._run(part)
        else:
            yield self._frame(part._replace(ticks=1))
            left = part.ticks - 1
            while left:
                first = np.zeros(min(left, _MAX_HOLD) + 1, np.int64)
                hold = SpriteRun(part.pixels, self._no_pictures, first, np.empty((0, 3), np.int32))
                yield from self._run(hold)
                left -= len(hold)

    def _frame(self, frame: Frame) -> GopPart:
        is_due = not self._number or self._since >= self._interval
        begins = self._begin() if is_due else 0
        self._since += 1
        changes = whole(frame.pixels) if begins else frame.changes
        return GopPart(frame._replace(changes=changes), begins)

    def _run(self, run: SpriteRun) -> Iterator[GopPart]:
        at = 0
        while at < len(run):
            stop = self._next_begin(run, at)
            if stop > at:
                self._since += stop - at
                yield GopPart(run.part(at, stop), 0)
            else:
                stop = at + 1
                run.part(at, stop).play()
                number = self._begin()
                self._since += 1
                yield GopPart(Frame(run.pixels, whole(run.pixels)), number)
            at = stop

    def _next_begin(self, run: SpriteRun, at: int) -> int:
        """The first frame from `at` on that begins a group; the run's length if there is none."""
        if not self._number:
            return at
        return min(len(run), at + max(0, self._interval - self._since))

    def _begin(self) -> int:
        """Begin a group of pictures; returns its number."""
        self._since = 0
        self._number += 1
        return self._number


def _encoded_parts(encoder: GopEncoder, part: Frame | SpriteRun) -> Iterator[EncodedPart]:
    """Encode a frame, or play a run and encode it, the next part of a group. Each result is valid
    until the next is requested."""
    if isinstance(part, SpriteRun):
        yield from encoder.encode_run(part)
    else:
        yield encoder.encode_frame(part.pixels, part.changes, part.passing)


def check_pixels(pixels: Pixels, settings: EncoderSettings) -> None:
    """Raises EncoderError for a canvas whose shape or dtype doesn't fit the film."""
    if pixels.shape != (settings.height, settings.width, 3) or pixels.dtype != np.uint8:
        raise EncoderError(
            f"a frame of shape {pixels.shape} and {pixels.dtype} doesn't fit "
            f"a film of {settings.width}x{settings.height}",
            remedy=f"give ({settings.height}, {settings.width}, 3) uint8",
        )


class FilmEncoder:
    """Encodes a film in up to `threads` threads, as far as groups of pictures may be encoded at the
    same time, and passes the samples to `writer`. They are the same with any number of threads, and
    whether frames come one by one or as runs. One thread encodes a group, on a canvas of its own.

    There is one sample per tick; a frame without a change is a picture of skipped macroblocks.

    The quality determines the quantiser, and the distance of key frames unless the settings have a
    `key_interval`. Raises SettingsError for an unknown quality, odd sides, or a size
    and frame rate beyond the levels of H.264.

    An error of a thread is raised by a later call except `close`; nothing is encoded after it. The
    counts are those of the samples that were passed on; after `drain` or `end` these are all.
    """

    def __init__(self, settings: SettingFields, writer: SampleWriter, threads: int) -> None:
        self.settings = encoder_settings(settings)
        self.key_interval = _key_interval(settings, self.settings)
        """The longest distance of key frames in ticks."""
        self.ticks = 0
        """Those of all samples, one each."""
        self.bytes = 0
        """Bytes of all samples, with their length fields."""
        self.counts = MacroblockCounts(0, 0, 0)
        self._writer = writer
        self._division = GopDivision(self.key_interval)
        picture = 3 * settings.width * settings.height
        self._queue = PartQueue(min(threads, self.settings.concurrent_groups), picture)
        self._encoders: list[GopEncoder] = []
        """Those that are in use, one for each thread."""
        self._number = 0
        """Of the present group of pictures."""
        self._canvas: Pixels = np.empty((0, 0, 3), np.uint8)
        """That of the present group."""
        self._encoded: deque[Future[list[EncodedPart]]] = deque()
        """The results that were not passed on yet, in the order of the film."""
        self._learned: deque[Future[I64]] = deque()
        """What the last groups learned."""
        self._returned = ReturnedContents()

    @property
    def copied(self) -> int:
        """Motion vectors written for copied macroblocks."""
        return self.counts.copied

    @level_errors()
    def parameters(self, largest: int, busiest: int) -> StreamParameters:
        """The parameters of the track; the level is the lowest that allows a largest sample of
        `largest` bytes, and `busiest` bytes within two seconds."""
        return self.settings.stream_parameters(film_clock(self.settings.fps), largest, busiest)

    def write(self, part: Frame | SpriteRun) -> None:
        """Queue a frame, or queue a run and play it on its canvas. Raises EncoderError when it
        doesn't fit the film, and any earlier error of a thread."""
        check_pixels(part.pixels, self.settings)
        for divided, begins in self._division.divided(part):
            if begins:
                assert isinstance(divided, Frame)
                self._begin(divided, begins)
            else:
                if isinstance(divided, Frame):
                    self._queue.wait(sum(3 * w * h for (_, _, w, h) in covering(divided.changes)))
                self._put(snapshot_part(divided, self._canvas))
            if isinstance(divided, SpriteRun):
                divided.play()
        self._queue.check()
        while self._encoded and self._encoded[0].done():
            self._pass_on()
        if isinstance(part, SpriteRun) and part.sheet.is_full:
            self.drain()  # so that its memory is freed before more is needed

    def drain(self) -> None:
        """Wait until everything that was queued is encoded and passed on."""
        while self._encoded:
            self._pass_on()

    def end(self) -> None:
        """Wait as `drain` does, and end the threads: the film is complete."""
        self.drain()
        self.close()

    def close(self) -> None:
        """End the threads; what is queued is discarded."""
        self._queue.close()

    @property
    def _thread(self) -> int:
        """The thread of the present group."""
        return (self._number - 1) % len(self._queue)

    def _begin(self, frame: Frame, number: int) -> None:
        """Begin a group of pictures with a frame of which all is new."""
        if self._number:
            encoder = self._encoders[self._thread]
            self._learned.append(self._queue.put(self._thread, 0, encoder.learned))
        if number > GAP:
            self._returned.add(number - GAP, self._learned.popleft().result())
        self._number = number
        if len(self._encoders) == self._thread:
            self._encoders.append(GopEncoder(self.settings))
        known = self._returned.known(number)
        self._queue.put(self._thread, 0, partial(self._encoders[self._thread].begin, number, known))
        if len(self._queue) == 1:
            self.drain()
            self._canvas = self._canvas[:0].copy()  # a large picture, which is now freed
        self._queue.wait(frame.pixels.nbytes)
        self._canvas = frame.pixels.copy()
        own = frame._replace(pixels=self._canvas)
        self._put(PartSnapshot(own, [], self._canvas.nbytes))

    def _put(self, copied: PartSnapshot) -> None:
        """Queue the next part of the present group."""
        call = partial(self._encode, self._encoders[self._thread], copied)
        self._encoded.append(self._queue.put(self._thread, copied.bytes, call))

    def _encode(self, encoder: GopEncoder, copied: PartSnapshot) -> list[EncodedPart]:
        """Called in a thread: encode a part of a group."""
        copied.place()
        found = []
        for encoded in _encoded_parts(encoder, copied.part):
            found.append(encoded.copy())
            if self._queue.is_ended:
                break
        return found

    def _pass_on(self) -> None:
        """Wait for the next results and pass them to the writer."""
        encoded = self._encoded[0].result()
        self._encoded.popleft()
        for part in encoded:
            self.ticks += len(part.sizes)
            self.bytes += len(part.bytes)
            self.counts = MacroblockCounts(*map(sum, zip(self.counts, part.counts, strict=True)))
            self._writer.add(part)


def _key_interval(settings: SettingFields, encoder: EncoderSettings) -> int:
    """The longest distance of key frames in ticks: that of the settings, or of the quality."""
    chosen = quality(settings.quality)
    macroblocks = encoder.size.width * encoder.size.height
    seconds = Fraction(chosen.direct_key_macroblocks) / (macroblocks * settings.fps)
    least, most = _LEAST_KEY_SECONDS, chosen.direct_key_seconds
    return key_ticks(settings, min(Fraction(most), max(Fraction(least), seconds)))
