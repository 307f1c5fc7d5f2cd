"""Output formats: one table, selected by suffix; each writer is imported when it is first used.

Another package adds formats through the entry-point group `undoku.formats`: an entry point names
an iterable of `OutputFormat`s, or a function that returns one.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from undoku.errors import SettingsError
from undoku.extensions import add_offers, named_function
from undoku.render.write.builtin_formats import BUILTIN_FORMATS
from undoku.render.write.document_sink import DocumentSink
from undoku.render.write.output_format import OutputFormat
from undoku.render.write.sink import FilmShape, FrameSink
from undoku.render.write.staging import Staging

if TYPE_CHECKING:
    from undoku.render.write.page_sink import PageSink

__all__ = [
    "GROUP",
    "OutputFormat",
    "format_named",
    "format_of",
    "formats",
    "is_sequence",
    "known_format",
    "open_document",
    "open_page",
    "open_sink",
    "register",
    "supported_rate",
]

GROUP = "undoku.formats"
"""The entry-point group."""

_formats = list(BUILTIN_FORMATS)


def register(added: OutputFormat) -> None:
    """Add a format to the table. Raises SettingsError for an invalid suffix, for a suffix that
    conflicts with that of a known format, and for a second sequence format: a file's name marks a
    sequence only by "%"."""
    suffix = added.suffix
    if not suffix.startswith(".") or suffix != suffix.lower() or set(suffix) & set("%/\\ "):
        raise SettingsError(
            f"the format {added.name!r} can't have the suffix {suffix!r}",
            remedy="write it as .name, in lower case",
        )
    for known in _formats:
        if known.suffix.endswith(suffix) or suffix.endswith(known.suffix):
            raise SettingsError(f"the suffix {suffix!r} conflicts with {known.suffix!r}")
    if added.sequence:
        raise SettingsError(f"the format {added.name!r} can't be a second sequence")
    _formats.append(added)


def formats() -> tuple[OutputFormat, ...]:
    """All formats; formats of other packages come last."""
    _load_entry_points()
    return tuple(_formats)


def _matching(path: Path, known: tuple[OutputFormat, ...]) -> OutputFormat | None:
    fitting = [one for one in known if one.takes(path)]
    sequences = [one for one in fitting if one.sequence]
    return max(sequences or fitting, key=lambda one: len(one.suffix), default=None)


def known_format(path: Path) -> OutputFormat | None:
    """The format that a file's name selects; None for an unknown one."""
    # The entry points of other packages are read only when no format of undoku matches.
    return _matching(path, BUILTIN_FORMATS) or _matching(path, formats())


def format_of(path: Path) -> OutputFormat:
    """The format that a file's name selects. Raises SettingsError for an unknown one."""
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
    """The format whose suffix without the dot is `name`, such as "mp4". Raises SettingsError for
    an unknown one."""
    single = [one for one in formats() if not one.sequence]
    for one in single:
        if one.suffix == f".{name.lower()}":
            return one
    raise SettingsError(
        f"there is no format {name!r}",
        remedy=f"known: {', '.join(one.suffix[1:] for one in single)}",
    )


def supported_rate(chosen: OutputFormat, fps: Fraction) -> Fraction:
    """The frame rate that the format supports and that is nearest to `fps`."""
    if not chosen.rate:
        return fps
    nearest = named_function(f"the rates of {chosen.name}", chosen.rate, SettingsError)
    rate: Fraction = nearest(fps)
    return rate


def is_sequence(path: Path) -> bool:
    """Whether the name is a pattern for a sequence: one file per frame in a folder."""
    return any(one.sequence and one.takes(path) for one in BUILTIN_FORMATS)


def open_sink(path: Path, shape: FilmShape, *, overwrite: bool = False) -> FrameSink:
    """A sink that writes frames to `path`; its format must not be a document or a page. Raises
    SettingsError for an unknown format or an invalid shape, OutputError when the file can't be
    made."""
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
    """A sink that writes a drawing to `path`; its format must be a document. Raises as `open_sink`
    does."""
    writer = _writer(format_of(path))
    sink: DocumentSink = writer(Staging(path, overwrite=overwrite), shape)
    return sink


def open_page(path: Path, shape: FilmShape, *, overwrite: bool = False) -> PageSink:
    """A sink that writes a page to `path`; its format must be a page. Raises as `open_sink`
    does."""
    writer = _writer(format_of(path))
    sink: PageSink = writer(Staging(path, overwrite=overwrite), shape)
    return sink


def _writer(chosen: OutputFormat, *, direct: bool = False) -> Callable[..., Any]:
    written = chosen.direct_writer if direct and chosen.direct_writer else chosen.writer
    return named_function(f"the writer of {chosen.name}", written, SettingsError)


@cache
def _load_entry_points() -> None:
    add_offers(GROUP, register, SettingsError)
