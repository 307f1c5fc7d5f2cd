"""Writes MOV films: Apple ProRes 4444, encoded by ffmpeg, for editors."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from undoku.render.write.encoded_sink import EncodedSink
from undoku.render.write.ffmpeg import describe
from undoku.render.write.quality import quality
from undoku.render.write.reader import read_mp4

__all__ = ["ProresSink"]

_TICKS_A_SECOND = 10_000


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

_CODECS = {"4444": "ap4h", "4444xq": "ap4x"}


class ProresSink(EncodedSink):
    """ProRes 4444: 4:4:4, 10 bits, BT.709, every frame a key frame, in QuickTime. Alpha is lossless
    and straight: colours are not multiplied by it.

    `shape.quality` names one of undoku.render.write.quality.
    """

    full_chroma = True

    def _arguments(self) -> list[str]:
        shape = self.shape
        coding = _QUALITIES[quality(shape.quality).name]
        clock = shape.fps.numerator
        clock *= -(-_TICKS_A_SECOND // clock)
        return [
            *shape.tracks.mp4_arguments(shape.fps),
            *("-c:v", "prores_ks", "-profile:v", coding.profile, "-vendor", "apl0"),
            *coding.further,
            *("-pix_fmt", "yuva444p10le" if shape.alpha else "yuv444p10le"),
            *("-alpha_bits", coding.alpha_bits if shape.alpha else "0"),
            *("-threads", str(shape.encoder_threads)),
            *("-fflags", "+bitexact", "-flags:v", "+bitexact"),
            *describe(shape.about),
            *("-video_track_timescale", str(clock), "-movie_timescale", str(clock)),
            *("-movflags", "+faststart+write_colr", "-f", "mov"),
        ]

    def _found(self) -> tuple[int, Fraction, list[tuple[str, object, object]]]:
        film = read_mp4(self.staging.temporary)
        seconds = self._frames / self.shape.fps
        profile = _QUALITIES[quality(self.shape.quality).name].profile
        wanted = self.shape.tracks.in_mp4(self.shape.fps)
        return (
            film.frames,
            film.duration,
            [
                ("seconds", film.duration, seconds),
                ("seconds in its header", film.movie_duration, seconds),
                ("a size of", (film.width, film.height), (self.shape.width, self.shape.height)),
                ("a codec", film.codec, _CODECS[profile]),
                ("colour tags", film.colour, (1, 1, 1, False)),
                ("index before pictures", film.index_first, True),
                ("further tracks", film.tracks.without_list, wanted.without_list),
            ],
        )
