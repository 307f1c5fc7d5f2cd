"""Chooses the encoder of an MP4: written directly by undoku, or encoded by x264."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeVar

from undoku.errors import SettingsError
from undoku.render.draw.canvas import Frame
from undoku.render.draw.film_parts import ticks_of
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.settings.fields import SettingFields
from undoku.render.write.quality import encoder_settings, quality
from undoku.render.write.sink import Encoded, EncoderChoice

__all__ = [
    "TRIAL",
    "SizeForecast",
    "beginning",
    "choice_after",
    "direct_refusal",
    "fixed_choice",
    "forecast",
]

TRIAL = 12_000
"""Frames that are written directly on trial before the encoder is chosen; all of a shorter film."""

WORTH_SHARE, WORTH_BYTES = 0.15, 2_000_000
"""x264 takes ten times as long. It is chosen where it saves more than this share of its own bytes,
and more than this number of bytes."""

_OF_CODED = 0.55
"""x264's bytes for newly coded content, relative to those of this writer: it allows a larger
error."""

_OF_COPY = 10
"""x264's bytes for each vector of a copy."""

_OF_FRAME = 70
"""x264's bytes for each frame, including its unchanged parts."""

_VECTOR = 3
"""Bytes of a directly written vector, including the macroblocks that are predicted from it."""

Part = TypeVar("Part", Frame, Frame | SpriteRun)


def fixed_choice(settings: SettingFields) -> EncoderChoice | None:
    """The choice that needs no trial: the encoder that the user named, or x264 for a film that
    can't be written directly. None for "auto" otherwise."""
    if settings.encoder != "auto":
        return EncoderChoice(settings.encoder == "direct")
    refusal = direct_refusal(settings)
    return EncoderChoice(False, refusal) if refusal else None


class SizeForecast(NamedTuple):
    """Bytes of a whole film: written directly, and an estimate for x264."""

    direct: float
    encoded: float


def forecast(film: Encoded, frames: int, quality_name: str) -> SizeForecast:
    """The forecast for a film of `frames` ticks, whose beginning, at least one tick, is encoded.
    The estimate for x264 was fitted to eleven films at quality "standard", listed in
    docs/direct-h264.md, for which it is accurate to 27 %. Raises SettingsError for an unknown
    quality."""
    coded = max(0, film.bytes - _VECTOR * film.copied)
    encoded = _OF_CODED * coded + _OF_COPY * film.copied + _OF_FRAME * film.ticks
    scale = frames / film.ticks
    return SizeForecast(scale * film.bytes, scale * encoded * quality(quality_name).relative_size)


def choice_after(film: Encoded, frames: int, settings: SettingFields) -> EncoderChoice:
    """The choice for a film of `frames` ticks from its beginning, which was written directly:
    direct, unless x264 would save more than 15 % of its own bytes and more than 2 MB. The same
    beginning always gives the same choice."""
    whole = forecast(film, frames, settings.quality)
    more = whole.direct - whole.encoded
    return EncoderChoice(
        more <= max(WORTH_SHARE * whole.encoded, WORTH_BYTES),
        f"{whole.direct / frames:,.0f} bytes a frame without an encoder, about "
        f"{whole.encoded / frames:,.0f} with",
    )


def beginning(parts: Iterator[Part]) -> Iterator[Part]:
    """The parts of the first TRIAL ticks of a film. No part may extend beyond that tick."""
    at = 0
    for part in parts:
        yield part
        at += ticks_of(part)
        if at >= TRIAL:
            return


def direct_refusal(settings: SettingFields) -> str:
    """The reason why a film with these settings can't be written directly; "" when it can."""
    try:
        encoder_settings(settings)
    except SettingsError as error:
        return error.message
    return ""
