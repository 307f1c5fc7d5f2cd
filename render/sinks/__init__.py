"""Output formats: one table, chosen by suffix, each writer loaded when it is used.

Another package adds formats through the entry-point group `undoku.formats`: an entry point names
an iterable of `OutputFormat`s, or a function that returns one.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from render.sinks.builtin_formats import BUILTIN_FORMATS
from render.sinks.contract import FilmShape, FrameSink
from render.sinks.document.contract import DocumentSink
from render.sinks.output_format import OutputFormat
from render.sinks.staging import Staging
from solver.errors import SettingsError
from solver.extensions import add_offers, named_function

if TYPE_CHECKING:
    from render.sinks.page_sink import PageSink

__all__ = [
    "GROUP",
    "OutputFormat",
    "format_named",
    "format_of",
    "formats",
    "held_rate",
    "is_sequence",
    "known_format",
    "open_document",
    "open_page",
    "open_sink",
    "register",
]

GROUP = "undoku.formats"
"""The entry-point group."""

_formats = list(BUILTIN_FORMATS)


def register(added: OutputFormat) -> None:
    """Add a format. Raises SettingsError for a suffix that can't be one or that names of another
    format end in, too, and for a sequence, of which a name says nothing but "%"."""
    suffix = added.suffix
    if not suffix.startswith(".") or suffix != suffix.lower() or set(suffix) & set("%/\\ "):
        raise SettingsError(
            f"the format {added.name!r} can't have the suffix {suffix!r}",
            remedy="write it as .name, in small letters",
        )
    for known in _formats:
        if known.suffix.endswith(suffix) or suffix.endswith(known.suffix):
            raise SettingsError(f"the suffix {suffix!r} can't be told from {known.suffix!r}")
    if added.sequence:
        raise SettingsError(f"the format {added.name!r} can't be a second sequence")
    _formats.append(added)


def formats() -> tuple[OutputFormat, ...]:
    """All formats; those of other packages come last."""
    _load_entry_points()
    return tuple(_formats)


def _fitting(path: Path, known: tuple[OutputFormat, ...]) -> OutputFormat | None:
    fitting = [one for one in known if one.takes(path)]
    sequences = [one for one in fitting if one.sequence]
    return max(sequences or fitting, key=lambda one: len(one.suffix), default=None)


def known_format(path: Path) -> OutputFormat | None:
    """The format that a file's name asks for, None where it asks for none."""
    # Other packages are looked for only where a name asks for none of undoku's own.
    return _fitting(path, BUILTIN_FORMATS) or _fitting(path, formats())


def format_of(path: Path) -> OutputFormat:
    """The format that a file's name asks for. Raises SettingsError for an unknown one."""
    if found := known_format(path):
        return found
    import difflib

    suffixes = [one.suffix for one in formats() if not one.sequence]
    near = difflib.get_close_matches(path.suffix.lower(), suffixes, 1)
    raise SettingsError(
        f"{str(path)!r} ends in no known format",
        remedy=f"did you mean {path.with_suffix(near[0]).name}?"
        if near and path.stem
        else f"end it in {', '.join(suffixes)}",
    )


def format_named(name: str) -> OutputFormat:
    """The format that is called `name` without a file, by its suffix: "mp4". Raises SettingsError
    for an unknown one."""
    single = [one for one in formats() if not one.sequence]
    for one in single:
        if one.suffix == f".{name.lower()}":
            return one
    raise SettingsError(
        f"there is no format {name!r}",
        remedy=f"known: {', '.join(one.suffix[1:] for one in single)}",
    )


def held_rate(chosen: OutputFormat, fps: Fraction) -> Fraction:
    """The frame rate nearest to `fps` that a format holds."""
    if not chosen.rate:
        return fps
    nearest = named_function(f"the rates of {chosen.name}", chosen.rate, SettingsError)
    rate: Fraction = nearest(fps)
    return rate


def is_sequence(path: Path) -> bool:
    """Whether a name asks for a file for each frame, in a folder of their own."""
    return any(one.sequence and one.takes(path) for one in BUILTIN_FORMATS)


def open_sink(path: Path, shape: FilmShape, *, overwrite: bool = False) -> FrameSink:
    """The writer of frames to `path`, whose format is neither a document nor a page. Raises
    SettingsError, OutputError."""
    chosen = format_of(path)
    if chosen.sequence:
        sequence: FrameSink = _writer(chosen)(path, shape, overwrite=overwrite)
        return sequence
    options = {"plays": shape.loop} if chosen.loops else {}
    staging = Staging(path, overwrite=overwrite)
    try:
        writer = _writer(chosen, direct=shape.direct)
        sink: FrameSink = writer(staging, shape, **options)
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


def open_page(path: Path, shape: FilmShape, *, overwrite: bool = False) -> PageSink:
    """The writer of a page to `path`, whose format is one. Raises SettingsError, OutputError."""
    writer = _writer(format_of(path))
    sink: PageSink = writer(Staging(path, overwrite=overwrite), shape)
    return sink


def _writer(chosen: OutputFormat, *, direct: bool = False) -> Callable[..., Any]:
    written = chosen.direct_writer if direct and chosen.direct_writer else chosen.writer
    return named_function(f"the writer of {chosen.name}", written, SettingsError)


@cache
def _load_entry_points() -> None:
    add_offers(GROUP, register, SettingsError)
