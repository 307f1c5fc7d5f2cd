"""Films from Python in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import overload

from render.delivery.feed import Progress
from render.delivery.outputs import with_rate
from render.delivery.report import Report
from render.delivery.write import write_film
from render.figures.notebook import Shown
from render.film import Film
from render.picture import Picture
from render.settings import FilmSettings, check_rates, parse_fps, parse_seconds, parse_size
from render.timing.timeline import Clock, Pace
from solver.backtracking import Limits, search
from solver.errors import SettingsError
from solver.formats import as_puzzle
from solver.puzzle import Puzzle
from solver.strategies.strategy import Strategy
from solver.trace import Trace

__all__ = ["compare", "frames"]

_DEFAULT = ("row-major", "mrv")
_PLAIN = FilmSettings()
_HUGE = 10**18
_PACE = ("every", "steps_per_frame", "steps_per_second", "duration", "ramp", "from_step", "to_step")


@overload
def compare(
    puzzle: Puzzle | str | Sequence[int],
    strategies: Sequence[Strategy | str | Trace] = ...,
    *,
    exhaustive: bool = ...,
    max_nodes: int | None = ...,
    overwrite: bool = ...,
    progress: Progress | None = ...,
    **settings: object,
) -> Shown: ...


@overload
def compare(
    puzzle: Puzzle | str | Sequence[int],
    strategies: Sequence[Strategy | str | Trace] = ...,
    *outputs: str | Path,
    exhaustive: bool = ...,
    max_nodes: int | None = ...,
    overwrite: bool = ...,
    progress: Progress | None = ...,
    **settings: object,
) -> Report: ...


def compare(
    puzzle: Puzzle | str | Sequence[int],
    strategies: Sequence[Strategy | str | Trace] = _DEFAULT,
    *outputs: str | Path,
    exhaustive: bool = False,
    max_nodes: int | None = None,
    overwrite: bool = True,
    progress: Progress | None = None,
    **settings: object,
) -> Report | Shown:
    """Film `strategies` on `puzzle`, side by side on one clock, in every format that `outputs`
    name by their suffixes.

    Without outputs, give what a notebook displays as a film: 15 seconds of 960×540, unless the
    settings say otherwise.

    A strategy may also be a trace. `settings` are those of `frames`. `overwrite` False keeps
    files that exist.

    Raises PuzzleError, StrategyError, SettingsError; OutputError or EncoderError when an output
    can't be written, and then none of them has appeared.

    >>> report = compare(puzzle, ["row-major", "mrv"], "film.mp4", "film.gif",
    ...                  size="640x360", duration="20s")      # doctest: +SKIP
    """
    if not outputs:
        chosen = dict(settings)
        chosen.setdefault("size", (960, 540))
        if not chosen.keys() & set(_PACE):
            chosen["duration"] = 15
        return Shown(_film(puzzle, strategies, Limits(max_nodes, exhaustive), chosen, []))
    paths = [Path(output) for output in outputs]
    film = _film(puzzle, strategies, Limits(max_nodes, exhaustive), settings, paths)
    return write_film(film, paths, overwrite=overwrite, progress=progress)


def frames(
    puzzle: Puzzle | str | Sequence[int],
    strategies: Sequence[Strategy | str | Trace] = _DEFAULT,
    *,
    exhaustive: bool = False,
    max_nodes: int | None = None,
    **settings: object,
) -> Iterator[Picture]:
    """Yield the film's pictures: (height, width, 3) uint8 RGB arrays of their own, and the seconds
    that each stands (a Fraction). A picture that holds comes once, with a long duration.

    Settings, all optional: `size` "1280x720" or (width, height); `fps` 60 or "30000/1001";
    `duration` "20s" or seconds, or `steps_per_frame`, or `steps_per_second`, or `every` N (a frame
    shows the Nth step, plainly); `from_step`, `to_step`; `ramp`; `clock` "steps", "finish" or
    "time"; `theme`; `title`; `panels`, names or one text such as "board,depth"; `heat` "beside" or
    "overlay"; `intro`, `hold`, `card`, `title_card`, `key_interval` in seconds; `quality`;
    `encoder` "x264", "direct" or "auto"; `last_state`; `highlights`; `loop`, how often a GIF plays
    (0: for ever); `colours`, at most so many; `flash_safe`, which fades what would flash too often;
    `variable_rate`, a smaller MP4 without a constant frame rate where it is written directly.

    Raises PuzzleError, StrategyError, SettingsError.
    """
    film = _film(puzzle, strategies, Limits(max_nodes, exhaustive), settings, [])
    return film.pictures()


def _film(
    puzzle: Puzzle | str | Sequence[int],
    strategies: Sequence[Strategy | str | Trace] | Strategy | str | Trace,
    limits: Limits,
    settings: dict[str, object],
    paths: Sequence[Path],
) -> Film:
    given = as_puzzle(puzzle)
    if isinstance(strategies, str | Strategy | Trace):
        strategies = [strategies]
    traces = [
        strategy if isinstance(strategy, Trace) else search(given, strategy, limits)
        for strategy in strategies
    ]
    return Film(traces, with_rate(settings_of(settings), paths))


def settings_of(given: dict[str, object], base: FilmSettings = _PLAIN) -> FilmSettings:
    """`base` with what the keyword arguments ask for.

    Raises SettingsError for an unknown or impossible one.
    """
    left = dict(given)
    values: dict[str, object] = {}
    size = left.pop("size", None)
    if size is not None:
        values["width"], values["height"] = _size(size)
    if "fps" in left:
        values["fps"] = _number(left.pop("fps"), parse_fps, "fps")
    pace = {name: left.pop(name) for name in _PACE if name in left}
    if pace.get("every") is not None:
        values["last_state"] = True
    if pace:
        values["pace"] = _pace(pace, Fraction(str(values.get("fps", base.fps))))
    if "clock" in left:
        clock = left.pop("clock")
        if clock not in list(Clock):
            raise SettingsError(f"there is no clock {clock!r}", remedy=f"known: {', '.join(Clock)}")
        values["clock"] = Clock(str(clock))
    for name in ("intro", "hold", "card", "title_card", "key_interval"):
        if name in left:
            values[name] = _number(left.pop(name), parse_seconds, name)
    if "panels" in left:
        values["panels"] = panels_of(left.pop("panels"))
    for name in ("theme", "title", "heat", "quality", "encoder", "last_state", "highlights"):
        if name in left:
            values[name] = left.pop(name)
    for name in ("loop", "colours", "flash_safe", "variable_rate"):
        if name in left:
            values[name] = left.pop(name)
    if left:
        raise SettingsError(f"there is no setting {next(iter(left))!r}")
    return replace(base, **values)  # type: ignore[arg-type]  # each was converted above


def _pace(given: dict[str, object], fps: Fraction) -> Pace:
    rate, each_second = given.get("steps_per_frame"), given.get("steps_per_second")
    duration, last = given.get("duration"), given.get("to_step")
    check_rates(rate, each_second)
    if (every := given.get("every")) is not None:
        if rate is not None or each_second is not None or duration is not None:
            raise SettingsError(
                f"every {every} steps says how fast the race runs", remedy="leave out other rates"
            )
        rate = _step(every, "every")
    steps = None if rate is None else _number(rate, Fraction, "steps_per_frame")
    if each_second is not None:
        steps = _number(each_second, Fraction, "steps_per_second") / (fps or 1)
    return Pace(
        steps,
        None if duration is None else _number(duration, parse_seconds, "duration"),
        bool(given.get("ramp", False)),
        _step(given.get("from_step", 0), "from_step"),
        None if last is None else _step(last, "to_step"),
    )


def _step(value: object, name: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise SettingsError(f"{name} {value!r} is no number of steps", remedy="give 0 or more")


def panels_of(panels: object) -> tuple[str, ...]:
    """Names of panels from "board,depth" or a sequence. Raises SettingsError."""
    names = panels.split(",") if isinstance(panels, str) else panels
    if isinstance(names, Sequence) and all(isinstance(name, str) for name in names):
        return tuple(name.strip() for name in names if name.strip())
    raise SettingsError(f"{panels!r} names no panels", remedy='write "board,counters,depth"')


def _size(size: object) -> tuple[int, int]:
    if isinstance(size, str):
        return parse_size(size)
    if isinstance(size, Sequence) and len(size) == 2 and all(type(side) is int for side in size):
        return size[0], size[1]
    raise SettingsError(f"{size!r} is no size", remedy='write "1280x720" or (1280, 720)')


def _number(value: object, parse: Callable[[str], Fraction], name: str) -> Fraction:
    """A Fraction from a number as it stands, or from a text by `parse`."""
    if isinstance(value, str):
        try:
            return parse(value)
        except (ValueError, ZeroDivisionError):
            raise SettingsError(f"{name} {value!r} is no number") from None
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        raise SettingsError(f"{name} {value!r} is no number")
    # The bound comes first: an int of thousands of digits is neither a float nor printable.
    if -_HUGE < value < _HUGE:
        # A float such as 23.976 means its decimal digits, not the binary number next to them.
        return Fraction(str(value)) if isinstance(value, float) else Fraction(value)
    if isinstance(value, int):
        raise SettingsError(f"{name} is a number of {value.bit_length()} bits, which is too large")
    raise SettingsError(f"{name} {value!r} is no number")
