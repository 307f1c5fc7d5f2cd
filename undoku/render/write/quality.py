"""The named qualities of H.264 films: x264's settings, those of films written directly, and
measurements of them.

Films of boards have flat areas, change in few places, and often return to earlier pictures. The
settings were chosen by measurements on such films; docs/encoding.md has the tables.

- Deblocking is off: it blurs the sharp edges of flat areas.
- Nothing moves by half a pixel, so motion is searched at whole pixels only (subme 0), which also
  saves the interpolation of half-pixel pictures.
- Many reference frames: content that an undo restores is copied from an earlier frame.
- Scene cut detection and weighted prediction are off: there are no fades, and a card is an ordinary
  new picture.
- A small dead zone with a coarser quantiser is better than a wide one with a finer quantiser.
- Lookahead (mbtree, with more than its default strength) spends bits on content that will stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from undoku.errors import SettingsError
from undoku.h264.levels import LevelError, references_within
from undoku.h264.parameters import EncoderSettings

if TYPE_CHECKING:
    from fractions import Fraction

    from undoku.render.settings.fields import SettingFields

_LEVEL = 40
"""The default level: phones support its number of reference frames."""


class Figures(NamedTuple):
    """Measurements on a comparison of row-major and mrv, 1280x720, 12 steps per frame, by
    `python -m benchmarks qualities`. ffmpeg's default settings give 11.1 ms, 1,428 bytes, 45.2 dB
    and 0.9968."""

    processor_ms: float
    """Milliseconds of processor time per frame, all threads together."""
    bytes_per_frame: int
    luma_psnr: float
    """dB."""
    ssim: float
    """Of all planes, 0..1."""


class Quality(NamedTuple):
    """A named quality: the preset of x264, the parameters that differ from it, and the highest
    number of reference frames; and the settings of films written directly."""

    name: str
    purpose: str
    preset: str
    parameters: str
    references: int
    figures: Figures
    direct_qp: int
    """The quantiser of a film written directly, at 1280x720. `draft` saves bytes mainly by fewer
    key frames: other frames consist of copies, whose size doesn't depend on the quantiser."""
    direct_psnr: float
    """The luma PSNR of a picture of a film written directly, in dB, below which contents are coded
    with a finer quantiser. Copies of earlier contents may lower it by less than 0.1 dB."""
    direct_key_seconds: int
    """The longest distance between key frames of a film written directly, in seconds."""
    direct_key_macroblocks: int
    """The most macroblocks from one key frame to the next, which limits the time to seek: ffmpeg,
    and so Chromium, decodes a million in about 0.11 s on one core."""
    relative_size: float
    """Bytes of x264 relative to `standard`, measured on two boards with counters."""

    @property
    def sentence(self) -> str:
        """The purpose and the measured figures."""
        seen = self.figures
        return (
            f"{self.purpose}: at 1280x720 {seen.processor_ms:.1f} ms of processor time and "
            f"{seen.bytes_per_frame:,} bytes a frame, {seen.luma_psnr:.1f} dB luma PSNR, "
            f"SSIM {seen.ssim:.4f}"
        )

    def x264(
        self,
        width: int,
        height: int,
        *,
        keys: int | None = None,
        level: int = _LEVEL,
    ) -> str:
        """x264's parameters for a film of `width` x `height` pixels: as many reference frames as
        level 4 allows, or a lower `level` (times ten), and a key frame every `keys` frames,
        KEY_FRAMES by default.
        """
        references = min(self.references, references_within(width, height, min(level, _LEVEL)))
        parameters = self.parameters
        if keys is not None:
            parameters = re.sub(r"keyint=\d+", f"keyint={keys}", parameters)
        return f"{parameters}:ref={references}"


KEY_FRAMES = 600
"""Frames from one key frame to the next, by default."""

_ALWAYS = f"no-deblock=1:subme=0:scenecut=0:weightp=0:keyint={KEY_FRAMES}"
_LOOKING_AHEAD = (
    f"{_ALWAYS}:bframes=3:b-adapt=0:b-pyramid=none:partitions=all:deadzone-inter=10"
    ":deadzone-intra=6:chroma-qp-offset=-4:aq-mode=1:aq-strength=0.8:qcomp=0.45:mbtree=1"
    ":rc-lookahead=40"
)

QUALITIES = {
    one.name: one
    for one in (
        Quality(
            "draft",
            "fastest",
            "ultrafast",
            f"{_ALWAYS}:qp=24:ipratio=4.0:8x8dct=1:bframes=0:aq-mode=0:mbtree=0",
            1,
            Figures(2.9, 4311, 51.4, 0.9983),
            20,
            50.1,
            120,
            44_000_000,
            2.2,
        ),
        Quality(
            "standard",
            "small and clean",
            "superfast",
            f"{_LOOKING_AHEAD}:crf=22",
            9,
            Figures(5.8, 984, 46.3, 0.9979),
            20,
            50.1,
            20,
            7_300_000,
            1.0,
        ),
        Quality(
            "archive",
            "visually lossless",
            "superfast",
            f"{_LOOKING_AHEAD}:crf=10",
            9,
            Figures(6.2, 1972, 57.9, 0.9998),
            12,
            56.0,
            20,
            7_300_000,
            1.9,
        ),
    )
}


def quality(name: str) -> Quality:
    """The quality of that name. Raises SettingsError for an unknown one."""
    if name not in QUALITIES:
        raise SettingsError(
            f"there is no quality {name!r}", remedy=f"choose one of {', '.join(QUALITIES)}"
        )
    return QUALITIES[name]


@contextmanager
def level_errors() -> Iterator[None]:
    """Raises SettingsError where no level of H.264 allows a film."""
    try:
        yield
    except LevelError as error:
        raise SettingsError(error.message, remedy=error.remedy) from None


def highest_level(settings: SettingFields) -> int:
    """The highest level of H.264 that an MP4 may declare, times ten: 62 is level 6.2."""
    return round(10 * float(settings.level))


def key_ticks(settings: SettingFields, default: Fraction) -> int:
    """The longest distance between two key frames in ticks, at least 1: from the setting, or from
    `default` seconds."""
    seconds = default if settings.key_interval is None else settings.key_interval
    return max(1, int(seconds * settings.fps))


@level_errors()
def encoder_settings(settings: SettingFields) -> EncoderSettings:
    """The settings of a film written directly. Raises SettingsError for an unknown quality, odd
    sides, or a size and frame rate beyond the levels of H.264."""
    chosen = quality(settings.quality)
    encoder = EncoderSettings(
        settings.width,
        settings.height,
        settings.fps,
        chosen.direct_qp,
        chosen.direct_psnr,
        highest_level(settings),
    )
    encoder.stream_level()
    return encoder
