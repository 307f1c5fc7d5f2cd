"""Chooses how an MP4 of a film is written: directly, or by an encoder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from render.drawing.canvas import Frame
from render.drawing.cutting import divided, ticks_of
from render.drawing.sprite_run import SpriteRun
from render.sinks.contract import Encoded, FilmShape
from render.sinks.h264.levels import coded_size
from render.sinks.h264.quality import quality
from solver.errors import SettingsError

__all__ = ["TRIAL", "Way", "beginning", "fixed_way", "tried_way", "way_after", "why_not_direct"]

TRIAL = 12_000
"""Frames of a film that is written directly after which the way is chosen; at the end of a shorter
one."""

_WORTH_SHARE, _WORTH_BYTES = 0.15, 2_000_000
"""x264 takes ten times as long. It is chosen where the direct film would be larger by more than
this share of x264's, and by more than so many bytes."""

Part = TypeVar("Part", Frame, Frame | SpriteRun)


@dataclass(frozen=True, slots=True)
class Way:
    """How an MP4 is written: `direct`, without an encoder, or by x264. `why` is a part of a
    sentence, for people; "" when it was asked for."""

    direct: bool
    why: str = ""

    @property
    def encoder(self) -> str:
        return "direct" if self.direct else "x264"

    @property
    def told(self) -> str:
        """What was chosen and why; "" when nobody chose."""
        return f"{self.encoder}: {self.why}" if self.why else ""


def fixed_way(encoder: str, shape: FilmShape) -> Way | None:
    """What `encoder` asks for; for "auto" None, if the film can be written directly."""
    if encoder != "auto":
        return Way(encoder == "direct")
    refusal = why_not_direct(shape)
    return Way(False, refusal) if refusal else None


def way_after(film: Encoded, frames: int, shape: FilmShape) -> Way:
    """The better way for a film of so many `frames` (in ticks), whose beginning was written
    directly: that, unless x264 saves more than 15 % of its own bytes and more than 2 MB. The same
    beginning gives the same way."""
    from render.sinks.h264.size_forecast import forecast  # loops: no other film has use for them

    whole = forecast(film, frames, shape.quality)
    more = whole.direct - whole.encoded
    return Way(
        more <= max(_WORTH_SHARE * whole.encoded, _WORTH_BYTES),
        f"{whole.direct / frames:,.0f} bytes a frame without an encoder, about "
        f"{whole.encoded / frames:,.0f} with",
    )


def tried_way(
    frames: int, shape: FilmShape, draw: Callable[[], Iterable[Frame | SpriteRun]]
) -> Way:
    """The better way for a film of so many `frames` (in ticks), of which what `draw` gives is
    written directly on trial."""
    from render.sinks.h264.film_encoder import FilmEncoder
    from render.sinks.h264.size_forecast import SampleScale
    from render.sinks.mp4.splice import SegmentedFilmEncoder

    encoder = SegmentedFilmEncoder(shape) if shape.closed else FilmEncoder(shape)
    scale = SampleScale()
    for part in beginning(iter(divided(draw(), (TRIAL,)))):
        if isinstance(part, SpriteRun):
            encoder.write_run(part, scale)
        else:
            encoder.write(part, scale)
    encoder.flush(scale)
    return way_after(encoder, frames, shape)


def beginning(parts: Iterator[Part]) -> Iterator[Part]:
    """Those of the first TRIAL ticks of a film none of whose parts stands across their end."""
    at = 0
    for part in parts:
        yield part
        at += ticks_of(part)
        if at >= TRIAL:
            return


def why_not_direct(shape: FilmShape) -> str:
    """Why a film of this shape can't be written directly, as a sentence; "" when it can."""
    try:
        quality(shape.quality)
        coded_size(shape.width, shape.height, shape.fps, shape.level)
    except SettingsError as error:
        return error.message
    return ""
