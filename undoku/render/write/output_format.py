"""The record of an output format: all that the rest of the program needs to know about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

__all__ = ["FormatKind", "InPages", "OutputFormat", "SoundCodec"]


class FormatKind(Enum):
    """The kind of content of a format."""

    VIDEO = auto()
    """A film that a video player plays once, on request."""
    ANIMATION = auto()
    """An animated picture that plays by itself; the number of its colours can be limited."""
    STILL = auto()
    """One picture: the last frame that its sink is given."""
    DOCUMENT = auto()
    """One picture as vector graphics."""
    PAGE = auto()
    """An HTML page with the interactive player."""
    SEQUENCE = auto()
    """One file per frame, in a folder."""
    SOUND = auto()
    """The sound of a film, without its pictures."""


class SoundCodec(Enum):
    """How a format stores a film's sound."""

    AAC = auto()
    OPUS = auto()
    PLAIN = auto()
    """Uncompressed samples, which the sink writes itself."""


class InPages(Enum):
    """How an HTML page embeds a file."""

    VIDEO = auto()
    PICTURE = auto()
    FRAME = auto()
    """As a page in an iframe."""
    LINK = auto()
    """Not embedded: the page shows a still picture that links to the file."""


@dataclass(frozen=True, slots=True)
class OutputFormat:
    """An output format.

    `suffix` is the end of a file's name, with its dot. `mime` is the media type, "" where pages
    don't need it. `writer` is the "module:class" of the sink: a
    `undoku.render.write.sink.FrameSink`, made from a staging and a shape; for a DOCUMENT a
    `undoku.render.write.document_sink.DocumentSink`, for a PAGE a
    `undoku.render.write.page_sink.PageSink`.
    For a SEQUENCE it is a function of a path, a shape and `overwrite`. `loops`: the file stores
    how many times it plays; the sink takes that number as `plays`. `rate` is the
    "module:function" from a frame rate to the nearest one that the format supports, "" where it
    supports any.

    `direct_writer` is the sink for a format that can also be written without an external encoder.
    `streamed`: it can be written to a pipe while the film is drawn. `segments`: several processes
    can encode it in segments. `title_card`: a film begins with a title card by default. `alpha`:
    it supports transparency. `sound` is the codec of its sound, None where it can't hold any.
    """

    name: str
    suffix: str
    sentence: str
    kind: FormatKind
    writer: str
    mime: str = ""
    in_pages: InPages = InPages.LINK
    loops: bool = False
    rate: str = ""
    direct_writer: str = ""
    streamed: bool = False
    segments: bool = False
    title_card: bool = False
    alpha: bool = False
    sound: SoundCodec | None = None

    @property
    def still(self) -> bool:
        """Whether the format holds one picture."""
        return self.kind in (FormatKind.STILL, FormatKind.DOCUMENT)

    @property
    def document(self) -> bool:
        return self.kind is FormatKind.DOCUMENT

    @property
    def page(self) -> bool:
        """Whether the format is an HTML page."""
        return self.kind is FormatKind.PAGE

    @property
    def video(self) -> bool:
        return self.kind is FormatKind.VIDEO

    @property
    def pictures(self) -> bool:
        """Whether the format holds pictures, not only sound."""
        return self.kind is not FormatKind.SOUND

    @property
    def sequence(self) -> bool:
        return self.kind is FormatKind.SEQUENCE

    def takes(self, path: Path) -> bool:
        """Whether a file's name matches this format. If several match, the longest suffix wins."""
        if self.sequence:
            return "%" in path.name and path.suffix.lower() == Path(self.suffix).suffix
        return path.name.lower().endswith(self.suffix)
