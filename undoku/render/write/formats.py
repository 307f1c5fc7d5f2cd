"""Output formats: one table, selected by suffix; each writer is imported when it is first used.

Another package adds formats through the entry-point group `undoku.formats`: an entry point names
an iterable of `OutputFormat`s, or a function that returns one.
"""

from __future__ import annotations

from enum import Enum, auto
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from undoku.errors import SettingsError
from undoku.extensions import add_offers, named_function

_MIN_CLOCK = 10_000
"""Ticks a second: players make mistakes with an MP4 clock below this, which is rare."""


def film_clock(fps: Fraction) -> int:
    """Ticks a second of the clock of an MP4 or MOV, a multiple of the frame rate."""
    return fps.numerator * -(-_MIN_CLOCK // fps.numerator)


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


class OutputFormat(NamedTuple):
    """An output format.

    `suffix` is the end of a file's name, with its dot. `mime` is the media type, "" where pages
    don't need it. `writer` is the "module:class" of the sink, made from a staging and a context: a
    `undoku.render.write.sink.FrameSink`; for a DOCUMENT a `DocumentSink`, for a PAGE a `PageSink`
    of the same module. For a SEQUENCE it is a function of a path, a context and `overwrite`.
    `loops`: the file stores how many times it plays, the setting `loop`. `rate` is the
    "module:function" from a frame rate to the nearest one that the format supports, "" where it
    supports any.

    `direct_writer` is the sink for a format that can also be written without an external encoder.
    `alpha`: it supports transparency. `sound` is the codec of its sound, None where it can't hold
    any.
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


BUILTIN_FORMATS = (
    OutputFormat(
        "MP4",
        ".mp4",
        "H.264, yuv420p, BT.709; plays in every browser and phone.",
        FormatKind.VIDEO,
        "undoku.render.write.mp4_x264:Mp4Sink",
        mime="video/mp4",
        in_pages=InPages.VIDEO,
        direct_writer="undoku.render.write.mp4_direct:DirectSink",
        sound=SoundCodec.AAC,
    ),
    OutputFormat(
        "MP4 4:4:4",
        ".444.mp4",
        "H.264 High 4:4:4, coloured edges as sharp as grey ones; for editors, not for browsers.",
        FormatKind.VIDEO,
        "undoku.render.write.mp4_x264:Mp4FullChromaSink",
        mime="video/mp4",
        in_pages=InPages.VIDEO,
        sound=SoundCodec.AAC,
    ),
    OutputFormat(
        "WebM",
        ".webm",
        "VP9; for pages that want an open format. Larger and slower than MP4 here.",
        FormatKind.VIDEO,
        "undoku.render.write.webm:WebmSink",
        mime="video/webm",
        in_pages=InPages.VIDEO,
        alpha=True,
        sound=SoundCodec.OPUS,
    ),
    OutputFormat(
        "MOV",
        ".mov",
        "QuickTime Animation for editors: lossless, with alpha.",
        FormatKind.VIDEO,
        "undoku.render.write.mov:AnimationSink",
        mime="video/quicktime",
        alpha=True,
        sound=SoundCodec.AAC,
    ),
    OutputFormat(
        "MOV ProRes",
        ".prores.mov",
        "ProRes 4444 for editors: every frame by itself, full chroma, 10 bits, alpha; large.",
        FormatKind.VIDEO,
        "undoku.render.write.mov:ProresSink",
        mime="video/quicktime",
        alpha=True,
        sound=SoundCodec.AAC,
    ),
    OutputFormat(
        "GIF",
        ".gif",
        "One exact palette, lossless; at most 50 frames per second.",
        FormatKind.ANIMATION,
        "undoku.render.write.gif:GifSink",
        mime="image/gif",
        in_pages=InPages.PICTURE,
        loops=True,
        rate="undoku.render.write.changed_box:legal_rate",
    ),
    OutputFormat(
        "WebP",
        ".webp",
        "Animated, lossless; smaller than GIF where the reader takes it.",
        FormatKind.ANIMATION,
        "undoku.render.write.webp:WebpSink",
        mime="image/webp",
        in_pages=InPages.PICTURE,
        loops=True,
        alpha=True,
    ),
    OutputFormat(
        "APNG",
        ".apng",
        "Animated PNG, lossless.",
        FormatKind.ANIMATION,
        "undoku.render.write.apng:ApngSink",
        mime="image/apng",
        in_pages=InPages.PICTURE,
        loops=True,
        alpha=True,
    ),
    OutputFormat(
        "PNG",
        ".png",
        "One picture: the last frame, or that of --at-step or --filmstrip.",
        FormatKind.STILL,
        "undoku.render.write.png:PngSink",
        mime="image/png",
        in_pages=InPages.PICTURE,
        alpha=True,
    ),
    OutputFormat(
        "SVG",
        ".svg",
        "The same picture as shapes, sharp at any size; letters are paths.",
        FormatKind.DOCUMENT,
        "undoku.render.write.svg:SvgSink",
        mime="image/svg+xml",
        in_pages=InPages.PICTURE,
    ),
    OutputFormat(
        "PDF",
        ".pdf",
        "The same picture as shapes, on one page, for papers and slides.",
        FormatKind.DOCUMENT,
        "undoku.render.write.pdf:PdfSink",
        mime="application/pdf",
    ),
    OutputFormat(
        "HTML",
        ".html",
        "The player: one page that readers play, stop and step through; it loads nothing.",
        FormatKind.PAGE,
        "undoku.render.write.sink:PageSink",
        mime="text/html",
        in_pages=InPages.FRAME,
    ),
    OutputFormat(
        "WAV",
        ".wav",
        "The film's sound alone, 48 kHz, two channels, 16 bits; without loss, for editors.",
        FormatKind.SOUND,
        "undoku.render.write.wav:WavSink",
        mime="audio/wav",
        sound=SoundCodec.PLAIN,
    ),
    OutputFormat(
        "PNG sequence",
        "%06d.png",
        "A numbered PNG for every frame, in a folder of its own: frames/%06d.png.",
        FormatKind.SEQUENCE,
        "undoku.render.write.png:open_sequence",
        alpha=True,
    ),
)

GROUP = "undoku.formats"
"""The entry-point group."""

REGISTERED = list(BUILTIN_FORMATS)
"""The formats of undoku, and those that other packages have added."""


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
    for known in REGISTERED:
        if known.suffix.endswith(suffix) or suffix.endswith(known.suffix):
            raise SettingsError(f"the suffix {suffix!r} conflicts with {known.suffix!r}")
    if added.sequence:
        raise SettingsError(f"the format {added.name!r} can't be a second sequence")
    REGISTERED.append(added)


def formats() -> tuple[OutputFormat, ...]:
    """All formats; formats of other packages come last."""
    add_offers(GROUP, register, SettingsError)
    return tuple(REGISTERED)


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
