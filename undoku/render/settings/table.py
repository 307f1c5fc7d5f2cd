"""The options of a film, each declared once.

From this table come the command line (`undoku.cli.film_options`), the checks and defaults of
`FilmSettings` (`undoku.render.settings.fields`), the keys of manifests and their JSON Schema
(`undoku.render.batch.manifest`), the recipes in files (`undoku.render.write.recipe`), the keyword
arguments of `undoku.frames` and `undoku.film`, and the tables of the documentation
(`tests.support.documentation`). Imports nothing slow, so that help is printed at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from undoku.render.settings.code_file import CodeFile
from undoku.render.settings.cue_file import CueList
from undoku.render.settings.kinds import (
    Background,
    Choice,
    Flag,
    FlagOrFile,
    FontName,
    FreeText,
    NameList,
    NameOrFile,
    OptionType,
    Texts,
)
from undoku.render.settings.number_kinds import (
    Bytes,
    Margins,
    Rate,
    Seconds,
    Size,
    Whole,
    parse_fps,
    parse_steps,
)
from undoku.render.settings.option import PACE, Context, Group, Option
from undoku.render.timeline.pace import Clock, PaceKind
from undoku.texts.counter_kinds import COUNTERS

LEVEL_NAMES = ("3.1", "3.2", "4.0", "4.1", "4.2", "5.0", "5.1", "5.2", "6.0", "6.1", "6.2")

_NOT_PYTHON = Context.COMMAND | Context.MANIFEST

ASPECTS = {
    "16:9": "1280x720",
    "9:16": "720x1280",
    "1:1": "1080x1080",
    "4:5": "1080x1350",
    "4:3": "1440x1080",
}
"""Aspects by name, and the size that each stands for."""

FILMED_NODES = 20_000_000
"""The nodes after which the command `render` stops a search if no limit is given: all its steps
are drawn, which takes longer than counting them."""


def _setting(
    name: str,
    kind: OptionType,
    sentence: str,
    group: Group,
    example: str = "",
    default: Any = None,
    fields: tuple[str, ...] = (),
    **more: Any,
) -> Option:
    """An option that is a field of FilmSettings, by default of the same name."""
    return Option(name, kind, sentence, group, example, default, fields=fields or (name,), **more)


def _pace(
    name: str, kind: OptionType, sentence: str, example: str = "", field: str = "", **more: Any
) -> Option:
    """An option that sets the speed of the race."""
    return Option(
        name, kind, sentence, Group.PACE, example, fields=(PACE + (field or name),), **more
    )


# In the order of the command that files record.
OPTIONS: tuple[Option, ...] = (
    _setting(
        "size", Size(), "width and height in pixels", Group.PICTURE, "1080x1920",
        (1280, 720), fields=("width", "height"),
    ),
    Option(
        "aspect", Choice(tuple(ASPECTS)), "a size by its aspect", Group.PICTURE, "9:16",
        contexts=Context.MANIFEST,
    ),
    _setting(
        "fps", Rate(parse_fps, "frames per second", (Fraction(1, 10), Fraction(240))),
        "frames per second, also as a fraction", Group.PACE, "30000/1001", Fraction(60),
        metavar="RATE",
    ),
    _setting(
        "clock", Choice(tuple(map(str, Clock)), Clock),
        "what the searches share: the number of steps per frame (steps), the moment at which they "
        "finish (finish), or the time, each running at its measured speed (time)",
        Group.PACE, "finish", Clock.STEPS,
    ),
    _setting(
        "theme", NameOrFile(".toml"), "colours: a name (see undoku list themes) or a TOML file",
        Group.PICTURE, "light", "dark", metavar="NAME",
    ),
    _setting(
        "background", Background(),
        "the background: a colour, or none for a transparent one (in WebM, MOV, APNG, WebP, PNG)",
        Group.PICTURE, "none", "", usual="that of the theme", aliases=("ground",),
    ),
    _setting(
        "font", FontName(),
        "font of all texts: a font file, or the name of an installed family; letters that it lacks "
        "are taken from other installed fonts",
        Group.PICTURE, "Noto Sans", "", usual="DejaVu Sans", metavar="FILE|NAME",
    ),
    _setting(
        "language", NameOrFile(".toml"),
        "language: a name (see undoku list texts) or a TOML file; missing texts fall back to "
        "English",
        Group.PICTURE, "de", "", usual="English", metavar="NAME", aliases=("texts",),
    ),
    _setting(
        "title", FreeText(), 'the title; "" for none', Group.PICTURE, "One puzzle",
        usual="made from the searches",
    ),
    _setting(
        "labels", Texts(), "names of the searches, in their order",
        Group.PICTURE, "My solver", (), usual="their strategies in plain words", each="label",
    ),
    _setting(
        "panels", NameList(),
        "panels of each search, as far as there is room (see undoku list panels)",
        Group.PICTURE, "board,counters", (),
        usual="board,counters,depth,tree, and why where steps are slow enough to read it",
    ),
    _setting(
        "counters", NameList(),
        f"counters of each search, as far as there is room: "
        f"{', '.join(kind.name for kind in COUNTERS)}", Group.PICTURE,
        "steps,taken-back,depth", (),
        usual="steps,taken-back, and solutions in an exhaustive search",
    ),
    _setting(
        "code", CodeFile(),
        "code for the panel code, instead of the strategy's own: a text file in which # @place, "
        "# @undo and # @dead-end mark the lines that write a digit, take it back and fail",
        Group.PICTURE, "examples/code/recursive.txt", (),
    ),
    _setting(
        "heat", Choice(("beside", "overlay")),
        "show how often each cell was tried: on a map beside the board, or on the board itself",
        Group.PICTURE, "beside", "",
    ),
    _setting(
        "margins", Margins(),
        "margins on the left, at the top, on the right and at the bottom, in percent of the width "
        "or the height; one number sets all four",
        Group.PICTURE, "4,10,11,25", (), usual="none; with --for, what the platform covers",
    ),
    _setting(
        "last_state", Flag(),
        "show the last board of every frame, also where many steps are summarised",
        Group.PICTURE, default=False,
    ),
    _setting(
        "highlights", Flag(),
        "slow down at turning points and explain them; list them in a .highlights.json beside the "
        "film",
        Group.PICTURE, default=False,
    ),
    _setting(
        "intro", Seconds(), "duration of the givens, before the race", Group.PACE, "2s",
        usual="0.6s in a story, else 1.5s",
    ),
    _setting(
        "hold", Seconds(), "duration of the final boards, after the race", Group.PACE, "2s",
        usual="0.6s in a story, else 1.5s",
    ),
    _setting(
        "card", Seconds(), "duration of the end card", Group.PACE, "4s",
        usual="3.8s in a story, else 2.5s",
    ),
    _setting(
        "quality", FreeText(), "quality of films (see undoku list presets)", Group.OUTPUT,
        "archive", "standard", metavar="NAME",
    ),
    _setting(
        "encoder", Choice(("x264", "direct", "auto")),
        "how an MP4 is written: by x264; without an encoder, which takes a ninth to a "
        "third of the time (direct); or by the better of the two for this film (auto)",
        Group.OUTPUT, "direct", "auto",
    ),
    _setting(
        "level", Choice(LEVEL_NAMES),
        "highest H.264 level that an MP4 may use, for old players; the file declares the lowest "
        "one that it needs",
        Group.OUTPUT, "4.2", LEVEL_NAMES[-1],
    ),
    _setting(
        "key_interval", Seconds(Fraction(1, 10)),
        "maximum time between the key frames (seek points) of an MP4", Group.OUTPUT, "2s",
        usual="set by the quality",
    ),
    _setting(
        "sound", FlagOrFile(".toml", "default"),
        "make the search audible, in MP4, WebM and WAV; a TOML file sets the mix",
        Group.OUTPUT, "mix.toml", "",
    ),
    _setting(
        "voice", NameOrFile(),
        "a recorded voice for the film; under it the sound of the search is 12 dB softer",
        Group.OUTPUT, "take.wav", "", metavar="SOUND",
    ),
    _setting(
        "loudness", Whole(-40, -8), "integrated loudness of the sound in LUFS", Group.OUTPUT,
        "-14", -16, contexts=Context(0),
    ),
    _setting(
        "loop", Whole(0, (1 << 16) - 1),
        "how often a GIF, WebP or APNG plays; 0 means forever", Group.OUTPUT, "1", 0, usual="0",
    ),
    _setting(
        "seamless", Flag(),
        "end with a way back to the first picture, so that the film can be repeated without a seam",
        Group.OUTPUT, default=False,
    ),
    _setting(
        "excerpt", FreeText(),
        "write only a part of the film: a beat of a story, such as laps, from one to another, such "
        "as race..laps, or between two times, such as 3s..9s",
        Group.PACE, "laps", "", usual="the whole film", metavar="PART", aliases=("beat",),
    ),
    _setting(
        "image_sequence", Whole(0, 9_999_999),
        "the number of the first picture of a PNG sequence", Group.OUTPUT, "1001", 1, usual="1",
    ),
    _setting(
        "colours", Whole(2, 255, zero=True),
        "maximum number of colours, 2 to 255 (not in SVG and PDF); 0 means no limit",
        Group.PICTURE, "31", 0, usual="0", aliases=("colors",),
    ),
    _setting(
        "flash_safe", Flag(), "fade changes that would flash too often (WCAG 2.3.1)", Group.OUTPUT,
        default=False,
    ),
    _setting(
        "encoder_threads", Whole(1), "threads of a video encoder", Group.OUTPUT, "1", 4,
        contexts=Context(0),
    ),
    _pace(
        "pace", Choice(tuple(map(str, PaceKind)), PaceKind),
        "a story that begins slowly and ends with the result (story), a shorter one (short), or "
        "the even pace that the other options set (even)",
        "short", "kind", default=PaceKind.EVEN,
        usual="story; short for GIF, WebP or APNG alone; even if an option sets a speed or panels",
    ),
    _pace("every", Whole(1), "show every Nth step, one frame each", "25", "steps_per_frame"),
    _pace(
        "steps_per_frame", Rate(parse_steps, "steps per frame"),
        "steps per frame, also as a fraction", "1/4", usual="1",
    ),
    _pace(
        "steps_per_second", Rate(parse_steps, "steps per second"),
        "steps per second, at any frame rate", "90", "steps_per_frame",
    ),
    _pace(
        "duration", Seconds(Fraction(1, 10)), "length of the whole film, such as 20s or 1:30",
        "1m30s",
    ),
    _pace("ramp", Flag(), "start and end slowly enough for the eye to follow", default=False),
    _pace(
        "from_step", Whole(), "the step after which the race begins", "100", "first",
        default=0, usual="0",
    ),
    _pace(
        "to_step", Whole(), "the step after which the race ends", "500", "last",
        usual="the last",
    ),
    _pace(
        "cues", CueList(),
        "a TOML file that sets when the film shows which steps, where it pauses, how fast it runs, "
        "and which sentences it shows",
        "examples/cues/medium.toml", default=(), usual="",
    ),
    Option(
        "max_size", Bytes(),
        "maximum size of the file; to meet it, reduce the frame rate, the length, the picture "
        "size, then the colours",
        Group.OUTPUT, "5MB", contexts=_NOT_PYTHON,
    ),
    Option(
        "for", FreeText(), "meet the limits of a platform (see undoku list platforms)",
        Group.OUTPUT, "github", contexts=_NOT_PYTHON, metavar="PLATFORM",
    ),
    Option(
        "max_nodes", Whole(1),
        "stop each search after N nodes; its outcome is capped; without a limit, undoku render "
        f"stops each after {FILMED_NODES:,}",
        Group.SEARCH, "100000",
    ),
    Option(
        "max_seconds", Seconds(most=None),
        "stop each search after this time; results then differ from run to run",
        Group.SEARCH, "60s", contexts=_NOT_PYTHON, aliases=("max_time",),
    ),
    Option(
        "exhaustive", Flag(), "search the whole tree instead of stopping at the first solution",
        Group.SEARCH, default=False,
    ),
    Option(
        "at_step", Whole(), "one picture instead of a film: the state after N steps",
        Group.OUTPUT, "5000", contexts=_NOT_PYTHON,
    ),
    Option(
        "filmstrip", Whole(1, 100), "one picture instead of a film: N moments of it",
        Group.OUTPUT, "8", contexts=_NOT_PYTHON,
    ),
    Option(
        "stems", FreeText(), "a folder for the separate sound of each search, as WAV files",
        Group.OUTPUT, "stems", contexts=Context.COMMAND, metavar="FOLDER",
    ),
    Option(
        "captions", Choice(("srt", "vtt")),
        "subtitles beside the film that describe the searches", Group.OUTPUT, "srt",
        contexts=Context.MANIFEST,
    ),
    Option(
        "captions", FreeText(),
        "subtitles that describe the searches: a .srt or .vtt file", Group.OUTPUT, "film.srt",
        contexts=Context.COMMAND, metavar="FILE",
    ),
    Option(
        "marks", NameList(("edl", "otio", "fcpxml", "chapters.txt")),
        "files beside the film for editors and platforms, with its sentences and the ends of its "
        "searches",
        Group.OUTPUT, "otio", contexts=Context.MANIFEST,
    ),
    Option(
        "marks", FreeText(),
        "markers for editors and platforms, with the film's sentences and the ends of its "
        "searches: a .edl, .otio, .fcpxml or .chapters.txt file",
        Group.OUTPUT, "film.otio", contexts=Context.COMMAND, metavar="FILE", each="marks",
    ),
)  # fmt: skip


@cache
def options_in(context: Context) -> Mapping[str, Option]:
    """The options for a context, by name."""
    return {option.name: option for option in OPTIONS if context in option.contexts}


@cache
def named_options(context: Context) -> Mapping[str, Option]:
    """The options for a context, by each of their names."""
    return {name: option for option in options_in(context).values() for name in option.names}


@cache
def settings_in(context: Context) -> Mapping[str, Option]:
    """The options for a context that are settings of a film, by each of their names."""
    return {name: option for name, option in named_options(context).items() if option.fields}


def option(name: str, context: Context | None = None) -> Option:
    """The option with a name; if several have it, that of the context. Raises KeyError."""
    for known in OPTIONS:
        if known.name == name and (context is None or context in known.contexts):
            return known
    raise KeyError(name)


@cache
def by_field(place: str = "") -> Mapping[str, Option]:
    """The options by the field that holds their value, of FilmSettings or, with "pace.", of its
    Pace; of several, the option whose value is the field's unchanged."""
    found: dict[str, Option] = {}
    for known in OPTIONS:
        for path in known.fields:
            field = path.removeprefix(place)
            here = path == place + field and "." not in field
            if here and (field not in found or known.name == field):
                found[field] = known
    return found
