"""Writes WebM films: VP9, encoded by libvpx inside ffmpeg, at a constant frame rate.

The container's clock counts milliseconds, so at 60 frames/s the start of a frame is off by up to
half a millisecond.
"""

from __future__ import annotations

from fractions import Fraction

from undoku.render.write.ebml import read_webm
from undoku.render.write.encoded_sink import EncodedSink
from undoku.render.write.ffmpeg import describe
from undoku.render.write.quality import quality

__all__ = ["WebmSink"]

_SETTINGS = {
    "draft": ("8", "34"),
    "standard": ("6", "24"),
    "archive": ("5", "10"),
}
"""libvpx's speed and constant quality (crf) for each quality."""

_FINER = 10
"""Subtracted from crf for a film with alpha: alpha is coded like luma, and a small error of alpha
is visible in areas that should be transparent."""

_COUNTED = Fraction(1, 1000)
"""Seconds per unit of the container's clock."""

_PACKET = Fraction(20, 1000)
"""Seconds per packet of Opus."""


class WebmSink(EncodedSink):
    """VP9, 4:2:0, BT.709, in WebM: an open format, played by all current browsers. Alpha is a
    second VP9 stream in the same track; it is straight (colours are not multiplied by it).

    `shape.quality` names one of undoku.render.write.quality.
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
        # The last packet of the sound may end after the film; players stop with the pictures.
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
