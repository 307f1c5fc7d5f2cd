"""Writes WebM films: VP9, encoded by libvpx inside ffmpeg, at a constant frame rate.

The container's clock counts milliseconds, so at 60 frames/s the start of a frame is off by up to
half a millisecond.
"""

from __future__ import annotations

from undoku.render.write.ffmpeg import BITEXACT, describe
from undoku.render.write.ffmpeg_sink import EncodedSink
from undoku.render.write.formats import SoundCodec
from undoku.render.write.quality import quality

_SETTINGS = {
    "draft": ("8", "34"),
    "standard": ("6", "24"),
    "archive": ("5", "10"),
}
"""libvpx's speed and constant quality (crf) for each quality."""

_FINER = 10
"""Subtracted from crf for a film with alpha: alpha is coded like luma, and a small error of alpha
is visible in areas that should be transparent."""


class WebmSink(EncodedSink):
    """VP9, 4:2:0, BT.709, in WebM: an open format, played by all current browsers. Alpha is a
    second VP9 stream in the same track; it is straight (colours are not multiplied by it).

    `settings.quality` names one of undoku.render.write.quality.
    """

    def encoder_arguments(self) -> list[str]:
        speed, level = _SETTINGS[quality(self.settings.quality).name]
        constant = max(1, int(level) - _FINER * self.context.alpha)
        return [
            *self.context.tracks.arguments(self.settings.fps, SoundCodec.OPUS),
            *("-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", speed),
            *("-crf", str(constant), "-b:v", "0", "-g", "600", "-tune-content", "screen"),
            *("-aq-mode", "0", "-row-mt", "1", "-threads", str(self.settings.encoder_threads)),
            *BITEXACT,
            *describe(self.context.about),
            *("-cues_to_front", "1", "-f", "webm"),
        ]
