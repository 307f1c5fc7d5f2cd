"""Writes MP4 films: H.264, encoded by x264 inside ffmpeg, at a constant frame rate.

A picture that lasts several ticks is encoded once per tick, so that all players, editors and frame
counters agree on the number of each frame (docs/encoding.md compares it with the alternative).
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from undoku.h264.levels import StreamLoad, level_for
from undoku.render.write.encoded_sink import EncodedSink
from undoku.render.write.ffmpeg import describe
from undoku.render.write.quality import level_errors, quality
from undoku.render.write.reader import read_mp4

__all__ = ["Mp4FullChromaSink", "Mp4Sink"]

_TICKS_A_SECOND = 10_000  # an MP4 clock below this is rare enough for players to get wrong


class Mp4Sink(EncodedSink):
    """H.264 High, 4:2:0, BT.709, index first: what browsers and phones play.

    `shape.quality` names one of undoku.render.write.quality.
    """

    profile: ClassVar[tuple[str, int]] = ("high", 100)

    def _arguments(self) -> list[str]:
        chosen = quality(self.shape.quality)
        clock = self.shape.fps.numerator
        clock *= -(-_TICKS_A_SECOND // clock)
        shape = self.shape
        keys = None if shape.key_interval is None else shape.key_ticks(shape.key_interval)
        size = shape.width, shape.height
        blocks = -(-shape.width // 16), -(-shape.height // 16)
        with level_errors():
            level_for(StreamLoad(*blocks, shape.fps), size, shape.level)
        settings = chosen.x264(*size, closed=shape.closed, keys=keys, level=shape.level)
        # Without sync-lookahead=0 x264 looks ahead in a thread of its own, and on a busy machine
        # the same frames sometimes gave other bytes.
        threads = f"threads={self.shape.encoder_threads}:lookahead-threads=1:sync-lookahead=0"
        threads += ":sliced-threads=0"
        return [
            *shape.tracks.mp4_arguments(shape.fps),
            *("-c:v", "libx264", "-preset", chosen.preset, "-profile:v", self.profile[0]),
            *("-x264-params", f"{settings}:{threads}"),
            # No date and nothing of the machine: the same film gives the same bytes.
            *("-fflags", "+bitexact", "-flags:v", "+bitexact"),
            *("-bsf:v", "filter_units=remove_types=6"),  # x264's version and settings
            *describe(self.shape.mp4_about),
            *("-video_track_timescale", str(clock), "-movie_timescale", str(clock)),
            *("-movflags", "+faststart", "-f", "mp4"),
        ]

    def _found(self) -> tuple[int, Fraction, list[tuple[str, object, object]]]:
        film = read_mp4(self.staging.temporary)
        seconds = self._frames / self.shape.fps
        return (
            film.frames,
            film.duration,
            [
                ("seconds", film.duration, seconds),
                ("seconds in its header", film.movie_duration, seconds),
                ("a size of", (film.width, film.height), (self.shape.width, self.shape.height)),
                ("the H.264 profile", film.profile, self.profile[1]),
                ("colour tags", film.colour, (1, 1, 1, False)),
                ("index before pictures", film.index_first, True),
                ("further tracks", film.tracks, self.shape.tracks.in_mp4(self.shape.fps)),
            ],
        )


class Mp4FullChromaSink(Mp4Sink):
    """H.264 High 4:4:4: coloured edges as sharp as grey ones, for editors and desktop players.
    Browsers and phones can't play it."""

    full_chroma = True
    profile = ("high444", 244)
