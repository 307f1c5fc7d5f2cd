"""The context of a sink for frames that no film drew."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from undoku.render.settings.fields import SettingFields
from undoku.render.write.further_tracks import NO_TRACKS, FurtherTracks
from undoku.render.write.sink import DIRECT, X264, SinkContext


def sink_context(
    width: int,
    height: int,
    fps: Fraction,
    quality: str = "standard",
    about: tuple[tuple[str, str], ...] = (),
    *,
    direct: bool = False,
    main_colours: Callable[[], tuple[int, ...]] = tuple,
    tracks: FurtherTracks = NO_TRACKS,
    **settings: Any,
) -> SinkContext:
    """The context of frames of `width` × `height` pixels, with further settings, which may also be
    some that no film can have."""
    fields = SettingFields(width=width, height=height, fps=fps, quality=quality, **settings)
    encoder = DIRECT if direct else X264
    return SinkContext(fields, about, encoder, main_colours, tracks)
