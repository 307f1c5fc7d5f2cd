"""Output formats: one table, chosen by suffix, each writer loaded when it is used."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from render.sinks.contract import FilmShape, FrameSink
from render.sinks.document.contract import DocumentSink
from render.sinks.staging import Staging
from solver.errors import SettingsError

__all__ = ["FORMATS", "Format", "format_of", "is_sequence", "open_document", "open_sink"]


@dataclass(frozen=True, slots=True)
class Format:
    """An output format: its name, what a file's name ends in, one sentence, and where its writer
    is ("room:class"). A `still` holds one picture: the last that it is given; a `document` takes
    it as geometry. `loops` says that the file itself holds how often it plays."""

    name: str
    suffix: str
    sentence: str
    writer: str
    still: bool = False
    loops: bool = False
    document: bool = False


FORMATS = (
    Format(
        "MP4",
        ".mp4",
        "H.264 High, yuv420p, BT.709; plays in every browser and phone.",
        "render.sinks.mp4.encoded_mp4:Mp4Sink",
    ),
    Format(
        "MP4 4:4:4",
        ".444.mp4",
        "H.264 High 4:4:4, coloured edges as sharp as grey ones; for editors, not for browsers.",
        "render.sinks.mp4.encoded_mp4:Mp4FullChromaSink",
    ),
    Format(
        "WebM",
        ".webm",
        "VP9; for pages that want an open format. Larger and slower than MP4 here.",
        "render.sinks.webm.encoded_webm:WebmSink",
    ),
    Format(
        "GIF",
        ".gif",
        "One exact palette, lossless; at most 50 frames per second.",
        "render.sinks.gif.gif_sink:GifSink",
        loops=True,
    ),
    Format(
        "WebP",
        ".webp",
        "Animated, lossless; smaller than GIF where the reader takes it.",
        "render.sinks.webp.webp_sink:WebpSink",
        loops=True,
    ),
    Format(
        "APNG",
        ".apng",
        "Animated PNG, lossless.",
        "render.sinks.png.apng_sink:ApngSink",
        loops=True,
    ),
    Format(
        "PNG",
        ".png",
        "One picture: the last frame, or that of --at-step or --filmstrip.",
        "render.sinks.png.png_sink:PngSink",
        still=True,
    ),
    Format(
        "SVG",
        ".svg",
        "The same picture as shapes, sharp at any size; letters are paths.",
        "render.sinks.document.svg:SvgSink",
        still=True,
        document=True,
    ),
    Format(
        "PDF",
        ".pdf",
        "The same picture as shapes, on one page, for papers and slides.",
        "render.sinks.document.pdf:PdfSink",
        still=True,
        document=True,
    ),
    Format(
        "PNG sequence",
        "%06d.png",
        "A numbered PNG for every frame, in a folder of its own: frames/%06d.png.",
        "render.sinks.png.sequence:open_sequence",
    ),
)

_BY_SUFFIX = {entry.suffix: entry for entry in FORMATS if "%" not in entry.suffix}
_SEQUENCE = FORMATS[-1]


def is_sequence(path: Path) -> bool:
    """Whether a name asks for a file for each frame, in a folder of their own."""
    return path.suffix.lower() == ".png" and "%" in path.name


def format_of(path: Path) -> Format:
    """The format that a file's name asks for. Raises SettingsError for an unknown one."""
    suffix, name = path.suffix.lower(), path.name.lower()
    if is_sequence(path):
        return _SEQUENCE
    for known in sorted(_BY_SUFFIX, key=len, reverse=True):
        if name.endswith(known):
            return _BY_SUFFIX[known]
    near = difflib.get_close_matches(suffix, _BY_SUFFIX, 1)
    raise SettingsError(
        f"{str(path)!r} ends in no known format",
        remedy=f"did you mean {path.with_suffix(near[0]).name}?"
        if near and path.stem
        else f"end it in {', '.join(_BY_SUFFIX)}",
    )


def open_sink(path: Path, shape: FilmShape, *, overwrite: bool = False) -> FrameSink:
    """The writer of frames to `path`, whose format is no document. Raises SettingsError,
    OutputError."""
    chosen = format_of(path)
    if chosen is _SEQUENCE:
        sequence: FrameSink = _writer(chosen)(path, shape, overwrite=overwrite)
        return sequence
    if chosen.name == "MP4" and shape.direct:
        chosen = replace(chosen, writer="render.sinks.mp4.direct_sink:DirectSink")
    options = {"plays": shape.loop} if chosen.loops else {}
    staging = Staging(path, overwrite=overwrite)
    try:
        sink: FrameSink = _writer(chosen)(staging, shape, **options)
    except BaseException:
        staging.discard()
        raise
    return sink


def open_document(path: Path, shape: FilmShape, *, overwrite: bool = False) -> DocumentSink:
    """The writer of a drawing to `path`, whose format is a document. Raises SettingsError,
    OutputError."""
    writer = _writer(format_of(path))
    sink: DocumentSink = writer(Staging(path, overwrite=overwrite), shape)
    return sink


def _writer(chosen: Format) -> Any:
    room, name = chosen.writer.split(":")
    return getattr(import_module(room), name)
