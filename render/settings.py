"""Options of a film: frozen, checked, and read from the texts that people type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from render.timing.timeline import Clock, Pace
from solver.errors import SettingsError

__all__ = [
    "FilmSettings",
    "check_rates",
    "parse_fps",
    "parse_pace",
    "parse_seconds",
    "parse_size",
]

ENCODERS = ("x264", "direct", "auto")
"""How MP4 films are written: by an encoder, directly, or whichever suits the film."""

HEAT_PLACES = ("beside", "overlay")
"""Where a film tells how often each cell was tried."""

_LONGEST = 24 * 3600  # seconds: a film of a day is a slip of the finger
_UNITS = {"h": 3600, "m": 60, "min": 60, "s": 1, "sec": 1, "": 1}
_MOST_FPS = 240
_PLAIN = Pace()


@dataclass(frozen=True, slots=True)
class FilmSettings:
    """How a film looks and runs.

    `width` and `height` are pixels (even); `fps` is 1/10..240 frames per second; `intro`, `hold`,
    `card` and `title_card` are seconds; `title_card` None means two seconds before a film that is
    written as video alone (see `render.delivery.outputs.with_rate`). `title` None means a title
    made from what is filmed, "" means none. `last_state` shows a frame of many steps as its last
    board, not as how long each digit stood. `highlights` slows down where the search turns, and
    says why. `heat` tells how often each cell was tried: "beside" the board, as its panel does, or
    as an "overlay" of the board. `panels` are shown as far as there is room (names of
    render.panels.registry; none means its `shown_panels`). `loop` is how often a picture that plays
    by itself does so, 0 for ever. `colours` is how many a frame may have, 2..255 (see
    render.scene.palette), 0 for as many as it has. `flash_safe` fades what would flash too often.
    `encoder` is how an MP4 is written, one of ENCODERS. `encoder_threads` is a part of the result:
    video encoders divide their work by it. `key_interval` is the seconds between an MP4's key
    frames at most, None for what suits the quality. `variable_rate` stores an MP4 that is written
    directly with one sample for each frame that differs, not for each tick. A `closed` film can be
    cut at its key frames into parts that join to it.
    """

    width: int = 1280
    height: int = 720
    fps: Fraction = Fraction(60)
    pace: Pace = _PLAIN
    clock: Clock = Clock.STEPS
    theme: str = "dark"
    title: str | None = None
    intro: Fraction = Fraction(3, 2)
    hold: Fraction = Fraction(3, 2)
    card: Fraction = Fraction(5, 2)
    title_card: Fraction | None = None
    quality: str = "standard"
    encoder: str = "auto"
    loop: int = 0
    colours: int = 0
    flash_safe: bool = False
    last_state: bool = False
    highlights: bool = False
    heat: str = ""
    panels: tuple[str, ...] = ()
    encoder_threads: int = 4
    key_interval: Fraction | None = None
    variable_rate: bool = False
    closed: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "panels", tuple(self.panels))
        if not Fraction(1, 10) <= self.fps <= _MOST_FPS:
            raise SettingsError(
                f"{self.fps} frames per second is out of range", remedy=f"take 0.1 to {_MOST_FPS}"
            )
        for name in ("theme", "title", "quality"):
            text = getattr(self, name)
            if not isinstance(text, str) and not (name == "title" and text is None):
                raise SettingsError(f"{name} {text!r} is no text")
        if self.encoder not in ENCODERS:
            raise SettingsError(
                f"there is no encoder {self.encoder!r}", remedy=f"known: {', '.join(ENCODERS)}"
            )
        if self.variable_rate and self.encoder == "x264":
            raise SettingsError(
                "a film that x264 writes has a constant frame rate",
                remedy="leave out the variable rate, or choose the encoder direct",
            )
        if self.heat not in ("", *HEAT_PLACES):
            raise SettingsError(
                f"there is no heat {self.heat!r}", remedy=f"known: {', '.join(HEAT_PLACES)}"
            )
        if type(self.loop) is not int or not 0 <= self.loop < 1 << 16:
            raise SettingsError(
                f"{self.loop!r} is no number of times to play", remedy="take 0 (for ever) to 65535"
            )
        if type(self.colours) is not int or not (self.colours == 0 or 2 <= self.colours <= 255):
            raise SettingsError(
                f"{self.colours!r} is no number of colours", remedy="take 2 to 255, or 0 for all"
            )
        if self.colours and self.flash_safe:
            raise SettingsError(
                "fading takes colours of its own", remedy="don't ask for few colours"
            )
        pace = self.pace
        if pace.steps_per_frame is not None and pace.duration is not None:
            raise SettingsError(
                "a rate of steps and a duration determine each other", remedy="give one of the two"
            )
        if pace.steps_per_frame is not None and pace.steps_per_frame <= 0:
            raise SettingsError(
                f"{pace.steps_per_frame} steps per frame never end", remedy="give more than 0"
            )
        if pace.ramp and self.highlights:
            raise SettingsError(
                "a ramp and highlights both change the speed", remedy="leave out one of them"
            )
        for name in ("intro", "hold", "card", "title_card"):
            _check_seconds(getattr(self, name) or Fraction(0), name, least=Fraction(0))
        if self.key_interval is not None:
            _check_seconds(self.key_interval, "key interval", least=Fraction(1, 10))
            if self.closed:
                raise SettingsError(
                    "a film in segments has its key frames where these are cut",
                    remedy="leave out the key interval",
                )
        if pace.duration is not None:
            _check_seconds(pace.duration, "duration", least=Fraction(1, 10))


def _check_seconds(seconds: Fraction, name: str, least: Fraction) -> None:
    if not least <= seconds <= _LONGEST:
        raise SettingsError(
            f"{name}: {float(seconds):g} seconds is out of range",
            remedy=f"take {float(least):g} s to 24 h",
        )


def parse_size(text: str) -> tuple[int, int]:
    """(width, height) from "1280x720". Raises SettingsError."""
    match = re.fullmatch(r"\s*(\d{1,5})\s*[xX×]\s*(\d{1,5})\s*", text)
    if not match:
        raise SettingsError(f"{text!r} is no size", remedy="write WIDTHxHEIGHT, as in 1280x720")
    return int(match[1]), int(match[2])


def parse_seconds(text: str) -> Fraction:
    """Seconds from "20s", "1.5", "2m", "1m30s", "1:30". Raises SettingsError."""
    compact = text.strip().lower().replace(" ", "")
    if clock := re.fullmatch(r"(?:(\d{1,2}):)?(\d{1,3}):(\d{1,2}(?:\.\d{1,6})?)", compact):
        hours, minutes, seconds = clock.groups()
        return int(hours or 0) * 3600 + int(minutes) * 60 + Fraction(seconds)
    part = r"(\d{1,9}(?:\.\d{1,6})?)(h|min|m|sec|s|)"
    if compact and re.fullmatch(f"(?:{part})+", compact):
        return sum(
            (Fraction(number) * _UNITS[unit] for number, unit in re.findall(part, compact)),
            Fraction(0),
        )
    raise SettingsError(f"{text!r} is no duration", remedy="write it as 20s, 1m30s or 1:30")


def parse_fps(text: str) -> Fraction:
    """Frames per second from "60", "23.976" or "30000/1001". Raises SettingsError."""
    if re.fullmatch(r"\s*\d{1,6}(\.\d{1,6}|/[1-9]\d{0,5})?\s*", text):
        return Fraction(text.strip())
    raise SettingsError(f"{text!r} is no frame rate", remedy="write it as 60 or 30000/1001")


def check_rates(steps_per_frame: object, steps_per_second: object) -> None:
    """Raises SettingsError when both are given (are not None)."""
    if steps_per_frame is not None and steps_per_second is not None:
        raise SettingsError(
            "steps per frame and steps per second determine each other",
            remedy="give one of the two",
        )


def parse_pace(
    steps_per_frame: str | None,
    duration: str | None,
    *,
    ramp: bool = False,
    steps_per_second: str | None = None,
    fps: Fraction = Fraction(60),
    first: int = 0,
    last: int | None = None,
) -> Pace:
    """The pace that the options ask for; one step per frame when they ask for nothing.

    Raises SettingsError when they contradict each other.
    """
    check_rates(steps_per_frame, steps_per_second)
    rate = None
    text = steps_per_frame if steps_per_second is None else steps_per_second
    if text is not None:
        if not re.fullmatch(r"\s*\d{1,12}(\.\d{1,6}|/[1-9]\d{0,5})?\s*", text):
            raise SettingsError(f"{text!r} is no number of steps", remedy="write it as 12 or 1/4")
        rate = Fraction(text.strip())
        if steps_per_second is not None:
            rate /= fps
    return Pace(rate, parse_seconds(duration) if duration is not None else None, ramp, first, last)


def default_title(names: Sequence[str], puzzles: int) -> str:
    """What a film is called when nobody says."""
    if len(names) == 1:
        return "One search, step by step"
    counted = {2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six"}.get(
        len(names), str(len(names))
    )
    if puzzles == 1:
        return f"One puzzle, {counted.lower()} strategies"
    return f"{counted} searches"
