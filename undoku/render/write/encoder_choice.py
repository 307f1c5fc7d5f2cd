"""Chooses the encoder of an MP4: written directly by undoku, or encoded by x264."""

from __future__ import annotations

from undoku.errors import SettingsError
from undoku.render.settings.fields import SettingFields
from undoku.render.write.quality import encoder_settings, quality
from undoku.render.write.sink import Encoded, EncoderChoice

TRIAL = 12_000
"""Frames that are written directly on trial before the encoder is chosen; all of a shorter film."""

WORTH_SHARE, WORTH_BYTES = 0.15, 2_000_000
"""x264 takes three to nine times as long. It is chosen where it saves more than this share of its
own bytes, and more than this number of bytes."""

_OF_CODED = 0.55
"""x264's bytes for newly coded content, relative to those of this writer: it allows a larger
error."""

_OF_COPY = 10
"""x264's bytes for each vector of a copy."""

_OF_FRAME = 70
"""x264's bytes for each frame, including its unchanged parts."""

_VECTOR = 3
"""Bytes of a directly written vector, including the macroblocks that are predicted from it."""


def fixed_choice(settings: SettingFields) -> EncoderChoice | None:
    """The choice that needs no trial: the encoder that the user named, or x264 for a film that
    can't be written directly. None for "auto" otherwise."""
    if settings.encoder != "auto":
        return EncoderChoice(settings.encoder == "direct")
    refusal = direct_refusal(settings)
    return EncoderChoice(False, refusal) if refusal else None


def choice_after(film: Encoded, frames: int, settings: SettingFields) -> EncoderChoice:
    """The choice for a film of `frames` ticks from its beginning, at least one tick, which was
    written directly: direct, unless x264 would save more than 15 % of its own bytes and more than
    2 MB. The same beginning always gives the same choice.

    The estimate for x264 was fitted to eleven films at quality "standard" (stories, and 1, 4 and
    20 steps a frame, from 640x360 to 1920x1080), for which it is accurate to 27 %. Raises
    SettingsError for an unknown quality."""
    coded = max(0, film.bytes - _VECTOR * film.copied)
    encoded = _OF_CODED * coded + _OF_COPY * film.copied + _OF_FRAME * film.ticks
    encoded *= quality(settings.quality).relative_size / film.ticks
    direct = film.bytes / film.ticks
    return EncoderChoice(
        (direct - encoded) * frames <= max(WORTH_SHARE * encoded * frames, WORTH_BYTES),
        f"{direct:,.0f} bytes a frame without an encoder, about {encoded:,.0f} with",
    )


def direct_refusal(settings: SettingFields) -> str:
    """The reason why a film with these settings can't be written directly; "" when it can."""
    try:
        encoder_settings(settings)
    except SettingsError as error:
        return error.message
    return ""
