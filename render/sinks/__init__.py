"""Output formats: one table, chosen by suffix, each writer loaded when it is used."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from render.sinks.contract import FilmShape, FrameSink
from render.sinks.staging import Staging
from solver.errors import SettingsError

__all__ = ["FORMATS", "Format", "format_of", "open_sink"]


@dataclass(frozen=True, slots=True)
class Format:
    """An output format: its name, suffix, one sentence, and where its writer is ("room:class").
    A `still` holds one picture: the last that it is given."""

    name: str
    suffix: str
    sentence: str
    writer: str
    still: bool = False


FORMATS: dict[str, Format] = {
    entry.suffix: entry
    for entry in (
        Format(
            "MP4",
            ".mp4",
            "H.264 High, yuv420p, BT.709; plays in every browser and phone.",
            "render.sinks.mp4:Mp4Sink",
        ),
        Format(
            "GIF",
            ".gif",
            "One exact palette, lossless; at most 50 frames per second.",
            "render.sinks.gif:GifSink",
        ),
        Format(
            "PNG",
            ".png",
            "One picture: the last frame, or that of --at-step.",
            "render.sinks.png:PngSink",
            still=True,
        ),
    )
}


def format_of(path: Path) -> Format:
    """The format that a file's suffix asks for. Raises SettingsError for an unknown one."""
    suffix = path.suffix.lower()
    if suffix in FORMATS:
        return FORMATS[suffix]
    near = difflib.get_close_matches(suffix, FORMATS, 1)
    raise SettingsError(
        f"{str(path)!r} ends in no known format",
        remedy=f"did you mean {path.with_suffix(near[0]).name}?"
        if near and path.stem
        else f"end it in {', '.join(FORMATS)}",
    )


def open_sink(path: Path, shape: FilmShape, *, overwrite: bool = False) -> FrameSink:
    """The writer of `path`. Raises SettingsError, OutputError."""
    room, name = format_of(path).writer.split(":")
    writer: type[FrameSink] = getattr(import_module(room), name)
    staging = Staging(path, overwrite=overwrite)
    try:
        return writer(staging, shape)
    except BaseException:
        staging.discard()
        raise
