"""Writes MP4 films: H.264, encoded by x264 inside ffmpeg, at a constant frame rate.

A picture that lasts several ticks is encoded once per tick, so that all players, editors and frame
counters agree on the number of each frame (docs/encoding.md compares it with the alternative).
"""

from __future__ import annotations

from typing import ClassVar

from undoku.h264.levels import StreamLoad, level_for
from undoku.render.write.ffmpeg import BITEXACT, describe, movie_clock
from undoku.render.write.ffmpeg_sink import EncodedSink
from undoku.render.write.formats import SoundCodec
from undoku.render.write.quality import highest_level, key_ticks, level_errors, quality


class Mp4Sink(EncodedSink):
    """H.264 High, 4:2:0, BT.709, index first: what browsers and phones play.

    `settings.quality` names one of undoku.render.write.quality.
    """

    profile: ClassVar[str] = "high"

    def encoder_arguments(self) -> list[str]:
        chosen = quality(self.settings.quality)
        settings, highest = self.settings, highest_level(self.settings)
        keys = None if settings.key_interval is None else key_ticks(settings, settings.key_interval)
        size = self.settings.width, self.settings.height
        blocks = -(-self.settings.width // 16), -(-self.settings.height // 16)
        with level_errors():
            level_for(StreamLoad(*blocks, self.settings.fps), size, highest)
        parameters = chosen.x264(*size, keys=keys, level=highest)
        # Without sync-lookahead=0 x264 looks ahead in a thread of its own, and on a busy machine
        # the same frames sometimes gave other bytes.
        threads = f"threads={self.settings.encoder_threads}:lookahead-threads=1:sync-lookahead=0"
        threads += ":sliced-threads=0"
        return [
            *self.context.tracks.arguments(self.settings.fps, SoundCodec.AAC),
            *("-c:v", "libx264", "-preset", chosen.preset, "-profile:v", self.profile),
            *("-x264-params", f"{parameters}:{threads}"),
            *BITEXACT,
            *("-bsf:v", "filter_units=remove_types=6"),  # x264's version and settings
            *describe(self.context.mp4_about),
            *movie_clock(self.settings.fps),
            *("-movflags", "+faststart", "-f", "mp4"),
        ]


class Mp4FullChromaSink(Mp4Sink):
    """H.264 High 4:4:4: coloured edges as sharp as grey ones, for editors and desktop players.
    Browsers and phones can't play it."""

    full_chroma = True
    profile = "high444"
