"""Writes MOV films: Apple ProRes 4444, encoded by ffmpeg, for editors."""

from __future__ import annotations

from typing import NamedTuple

from undoku.render.write.ffmpeg import BITEXACT, describe, movie_clock
from undoku.render.write.ffmpeg_sink import EncodedSink
from undoku.render.write.formats import SoundCodec
from undoku.render.write.quality import quality


class _Coding(NamedTuple):
    """ffmpeg's settings of a quality: profile, bits of alpha per pixel, further arguments."""

    profile: str
    alpha_bits: str
    further: tuple[str, ...] = ()


_QUALITIES = {
    # One quantiser for all frames: 2/5 of the bytes, 53 instead of 72 dB, and 1/4 of the time,
    # because the encoder doesn't search for a quantiser.
    "draft": _Coding("4444", "8", ("-q:v", "16")),
    "standard": _Coding("4444", "8"),
    "archive": _Coding("4444xq", "16"),
}


class ProresSink(EncodedSink):
    """ProRes 4444: 4:4:4, 10 bits, BT.709, every frame a key frame, in QuickTime. Alpha is lossless
    and straight: colours are not multiplied by it.

    `settings.quality` names one of undoku.render.write.quality.
    """

    full_chroma = True

    def encoder_arguments(self) -> list[str]:
        coding = _QUALITIES[quality(self.settings.quality).name]
        return [
            *self.context.tracks.arguments(self.settings.fps, SoundCodec.AAC),
            *("-c:v", "prores_ks", "-profile:v", coding.profile, "-vendor", "apl0"),
            *coding.further,
            *("-pix_fmt", "yuva444p10le" if self.context.alpha else "yuv444p10le"),
            *("-alpha_bits", coding.alpha_bits if self.context.alpha else "0"),
            *("-threads", str(self.settings.encoder_threads)),
            *BITEXACT,
            *describe(self.context.about),
            *movie_clock(self.settings.fps),
            *("-movflags", "+faststart+write_colr", "-f", "mov"),
        ]
