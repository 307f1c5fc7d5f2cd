"""Writes WebM films: VP9, encoded by libvpx inside ffmpeg, at a constant frame rate.

The container counts in milliseconds, so at 60 frames/s a frame starts up to half a millisecond
beside its place.
"""

from __future__ import annotations

from fractions import Fraction

from render.sinks.encoded_sink import EncodedSink
from render.sinks.ffmpeg import describe
from render.sinks.h264.quality import quality
from render.sinks.webm.ebml import read_webm

__all__ = ["WebmSink"]

_SETTINGS = {
    "draft": ("8", "34"),
    "standard": ("6", "24"),
    "archive": ("5", "10"),
}
"""By quality: libvpx's speed and its constant quality."""

_FINER = 10
"""By so much finer a film with alpha is: its alpha is coded like its luma, and what is off by a
little there can be seen where nothing should be."""

_COUNTED = Fraction(1, 1000)
"""Seconds that the container counts in."""

_PACKET = Fraction(20, 1000)
"""Seconds of a packet of Opus."""


class WebmSink(EncodedSink):
    """VP9, 4:2:0, BT.709, in WebM: free of patents, played by every present browser. Alpha is a
    second stream of VP9 within it; colours are not multiplied by it.

    `shape.quality` names one of render.sinks.h264.quality.
    """

    def _arguments(self) -> list[str]:
        speed, level = _SETTINGS[quality(self.shape.quality).name]
        constant = max(1, int(level) - _FINER * self.shape.alpha)
        return [
            *self.shape.tracks.webm_arguments(self.shape.fps),
            *("-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", speed),
            *("-crf", str(constant), "-b:v", "0", "-g", "600", "-tune-content", "screen"),
            *("-aq-mode", "0", "-row-mt", "1", "-threads", str(self.shape.encoder_threads)),
            *("-fflags", "+bitexact", "-flags:v", "+bitexact"),
            *describe(self.shape.about),
            *("-cues_to_front", "1", "-f", "webm"),
        ]

    def _found(self) -> tuple[int, Fraction, list[tuple[str, object, object]]]:
        film = read_webm(self.staging.temporary)
        seconds = self._frames / self.shape.fps
        # The packets of a sound don't end with the film: a player stops with the pictures.
        over = _PACKET if self.shape.tracks.sound else Fraction(0)
        near = -_COUNTED <= film.duration - seconds <= over + _COUNTED
        return (
            film.frames,
            seconds if over and near else film.duration,
            [
                ("seconds", film.duration, film.duration if near else seconds),
                ("a size of", (film.width, film.height), (self.shape.width, self.shape.height)),
                ("a codec", film.codec, "V_VP9"),
                ("colour tags", film.colour, (1, 1, 1, False)),
                ("further tracks", film.tracks, self.shape.tracks.in_webm(self.shape.fps)),
            ],
        )
