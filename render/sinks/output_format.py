"""One output format: all that the rest of the program asks about it, in one record."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

__all__ = ["FilmCost", "FormatKind", "InPages", "OutputFormat", "PictureCost", "SoundCodec"]


class FormatKind(Enum):
    """What a format holds."""

    VIDEO = auto()
    """A film that a player plays once, when it is told to."""
    ANIMATION = auto()
    """A picture that plays by itself, in few colours if that is asked for."""
    STILL = auto()
    """One picture: the last that its writer is given."""
    DOCUMENT = auto()
    """One picture as geometry."""
    PAGE = auto()
    """A page of HTML that plays the searches; readers hold it in their hands."""
    SEQUENCE = auto()
    """A file for each frame, in a folder of their own."""
    SOUND = auto()
    """The sound of a film, without its pictures."""


class SoundCodec(Enum):
    """How a format holds a film's sound."""

    AAC = auto()
    OPUS = auto()
    PLAIN = auto()
    """Samples without loss, which the sink makes into a file itself."""


class InPages(Enum):
    """How a page of HTML shows a file."""

    VIDEO = auto()
    PICTURE = auto()
    FRAME = auto()
    """A page of its own in a frame."""
    LINK = auto()
    """Not at all: it shows a still that links to the file."""


@dataclass(frozen=True, slots=True)
class FilmCost:
    """What a film takes, measured for two searches at 720p: `seconds` of a frame, `standing` says
    whether frames that stand take as long as those of the race, bytes of the `first` frame and of
    one of the `race`, and whether more `boards` take more bytes."""

    seconds: float
    standing: bool
    first: int
    race: int
    boards: bool = True


@dataclass(frozen=True, slots=True)
class PictureCost:
    """What one picture takes at 720p. `grows` says whether its bytes grow with its pixels."""

    seconds: float
    bytes: int
    grows: bool = False


@dataclass(frozen=True, slots=True)
class OutputFormat:
    """An output format.

    `suffix` is what a file's name ends in, `mime` its media type, "" where pages never name it.
    `writer` is "module:class" of its sink: a `render.sinks.contract.FrameSink`, made from a staging
    and a shape, or of a DOCUMENT a `render.sinks.document.contract.DocumentSink`, of a PAGE a
    `render.sinks.page_sink.PageSink`; a SEQUENCE has a function of a path, a shape and `overwrite`.
    `loops` says that the file itself holds how often it plays, which the sink is given as `plays`.
    `rate` is "module:function" of the function from a frame rate to the nearest that the format
    holds, "" where it holds any.

    `direct_writer` is the sink of a format that can be written without an encoder; the film
    chooses. `streamed` says that it can go to a pipe while it is drawn, `segments` that several
    processes can write it in parts, `title_card` that a film in it begins with a title card unless
    settings say otherwise, `alpha` that its pictures may stand on nothing, `sound` how a film's
    sound is held in it, None where it can't be. `cost` and `picture` are for estimates; without
    them they are guesses.
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
    cost: FilmCost | None = None
    picture: PictureCost | None = None

    @property
    def still(self) -> bool:
        """Whether it holds one picture."""
        return self.kind in (FormatKind.STILL, FormatKind.DOCUMENT)

    @property
    def document(self) -> bool:
        return self.kind is FormatKind.DOCUMENT

    @property
    def page(self) -> bool:
        """Whether it is a page of HTML."""
        return self.kind is FormatKind.PAGE

    @property
    def video(self) -> bool:
        return self.kind is FormatKind.VIDEO

    @property
    def pictures(self) -> bool:
        """Whether it holds pictures at all."""
        return self.kind is not FormatKind.SOUND

    @property
    def sequence(self) -> bool:
        return self.kind is FormatKind.SEQUENCE

    def takes(self, path: Path) -> bool:
        """Whether a file's name asks for this format; of several that with the longest suffix is
        meant."""
        if self.sequence:
            return "%" in path.name and path.suffix.lower() == Path(self.suffix).suffix
        return path.name.lower().endswith(self.suffix)
