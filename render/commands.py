"""What each command does: reads its inputs, calls the library, prints the result."""

from __future__ import annotations

import json
import re
import sys
import time
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from solver.backtracking import Limits, SearchTrace, search
from solver.errors import OutputError, SettingsError
from solver.formats import read
from solver.puzzle import SYMBOLS, Puzzle
from solver.trace import Header, Tally, Trace

__all__ = ["run_list", "run_render", "run_solve", "run_trace"]

_COMPARED = ("row-major", "mrv")


def _print_json(content: object) -> None:
    print(json.dumps(content, ensure_ascii=False, indent=2))


def _values_text(values: Sequence[int] | None) -> str | None:
    return "".join(SYMBOLS[value - 1] for value in values) if values else None


def _counts(name: str, tally: Tally) -> dict[str, Any]:
    """One search as `--json` shows it."""
    return {
        "strategy": name,
        "outcome": tally.outcome.value,
        "solutions": tally.solutions,
        "solution": _values_text(tally.solution),
        "nodes": tally.nodes,
        "places": tally.places,
        "undos": tally.undos,
        "backtracks": tally.backtracks,
        "dead_ends": tally.dead_ends,
        "max_depth": tally.max_depth,
        "seconds": round(tally.seconds, 6),
    }


def _table(rows: Sequence[tuple[str, Tally]]) -> str:
    """The searches as aligned columns: names left, numbers right."""
    head = ("strategy", "outcome", "solutions", "nodes", "steps", "backtracks", "dead ends",
            "depth", "seconds")  # fmt: skip
    lines = [head] + [
        (
            name,
            tally.outcome.value,
            f"{tally.solutions:,}",
            f"{tally.nodes:,}",
            f"{tally.steps:,}",
            f"{tally.backtracks:,}",
            f"{tally.dead_ends:,}",
            f"{tally.max_depth:,}",
            f"{tally.seconds:.3f}",
        )
        for name, tally in rows
    ]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join(
        "  ".join(
            text.ljust(width) if column < 2 else text.rjust(width)
            for column, (text, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def run_solve(options: Namespace) -> int:
    puzzle = read(options.puzzle)
    limits = Limits(options.max_nodes, options.exhaustive)
    searches = [search(puzzle, name, limits) for name in options.strategy or _COMPARED]
    results = [(trace.header.name, trace.tally()) for trace in searches]
    if options.json:
        _print_json(
            {
                "puzzle": str(puzzle),
                "results": [_counts(name, tally) for name, tally in results],
            }
        )
        return 0
    print(_table(results))
    solved = next((tally.solution for _, tally in results if tally.solution), None)
    if solved:
        print(f"solution  {_values_text(solved)}")
    return 0


def run_trace(options: Namespace) -> int:
    from solver.tracefile import encoded, format_of, write_trace

    limits = Limits(options.max_nodes, options.exhaustive)
    trace = search(read(options.puzzle), options.strategy, limits)
    if options.output == "-":
        for piece in encoded(trace, "jsonl"):
            sys.stdout.buffer.write(piece)
        sys.stdout.flush()
        return 0
    format_of(options.output)
    if not options.yes and Path(options.output).exists():
        raise OutputError(
            f"{options.output!r} exists already", remedy="give another name, or -y to replace it"
        )
    write_trace(trace, options.output)
    print(options.output)
    return 0


def _traces(options: Namespace) -> list[Trace]:
    """The searches to film: every puzzle by every strategy, and every recorded trace."""
    from solver.tracefile import holds_trace, open_trace

    limits = Limits(options.max_nodes, options.exhaustive)
    traces: list[Trace] = []
    puzzles: list[tuple[str, Puzzle]] = []
    if options.inputs.count("-") > 1:
        raise SettingsError("standard input is named twice", remedy="give - once")
    for argument in options.inputs:
        if holds_trace(argument):
            traces.append(open_trace(argument))
        else:
            puzzles.append((_puzzle_name(argument), read(argument)))
    if options.strategy and not puzzles:
        raise SettingsError(
            "a recorded trace has its strategy already", remedy="leave out --strategy"
        )
    for name, puzzle in puzzles:
        for strategy in options.strategy or _COMPARED:
            found: SearchTrace = search(puzzle, strategy, limits)
            if len(puzzles) > 1:
                found.header = replace(found.header, title=f"{name}: {found.header.name}")
            traces.append(found)
    return traces


def _puzzle_name(argument: str) -> str:
    """A short name for a puzzle that came by this argument."""
    stem = Path(argument).stem if "\n" not in argument and len(argument) < 200 else ""
    return stem if stem and re.search("[a-zA-Z]", stem) else "puzzle"


def _default_output(options: Namespace, headers: Sequence[Header]) -> Path:
    """output/PUZZLE_STRATEGY_STRATEGY.mp4, in letters that every system takes."""
    names = [_puzzle_name(options.inputs[0])] + [
        header.strategy or header.name for header in headers
    ]
    telling = "_".join(re.sub(r"[^A-Za-z0-9.+-]+", "-", name).strip("-.") for name in names)
    suffix = ".mp4" if options.at_step is None else f"_step{options.at_step}.png"
    folder = Path("output")
    folder.mkdir(exist_ok=True)
    return folder / f"{telling[:120]}{suffix}"


def run_render(options: Namespace) -> int:
    from render.api import settings_of
    from render.pipeline import Film, with_rate, write_film, write_still
    from render.progress import ProgressLine
    from render.settings import parse_pace

    started = time.perf_counter()
    # Settings first: a slip in an option is told before a long search starts.
    pace = parse_pace(options.steps_per_frame, options.duration, ramp=options.ramp)
    names = ("size", "fps", "clock", "theme", "title", "intro", "hold", "card", "quality")
    given = {name: value for name in names if (value := getattr(options, name)) is not None}
    settings = replace(settings_of(given), pace=pace)
    traces = _traces(options)
    paths = [Path(name) for name in options.output or ()]
    if not paths:
        paths = [_default_output(options, [trace.header for trace in traces])]
    film = Film(traces, with_rate(settings, paths))
    say = _Messages(options)
    if film.settings.fps != settings.fps:
        say(f"GIF has no {settings.fps} frames per second; written at "
            f"{float(film.settings.fps):.4g}")  # fmt: skip
    if options.dry_run:
        return _dry_run(options, film, paths)
    with ProgressLine(quiet=options.quiet) as progress:
        if options.at_step is not None:
            report = write_still(film, options.at_step, paths, overwrite=options.yes)
        else:
            report = write_film(film, paths, overwrite=options.yes, progress=progress)
    seconds = time.perf_counter() - started
    if options.verbose:
        say(f"{film.timeline.frames:,} frames in {seconds:.2f} s")
    if options.json:
        _print_json(
            {
                "outputs": [
                    {
                        "path": str(output.path),
                        "frames": output.frames,
                        "duration_s": round(float(output.duration), 6),
                        "bytes": output.bytes,
                        "width": output.width,
                        "height": output.height,
                        "fps": _rate(output.fps),
                    }
                    for output in report.outputs
                ],
                "results": [
                    _counts(name, tally)
                    for name, tally in zip(report.names, report.tallies, strict=True)
                ],
            }
        )
    elif not options.quiet:
        for output in report.outputs:
            print(output.path)
            counted = f"{output.frames:,} frame{'s' * (output.frames != 1)}"
            say(f"{counted}, {float(output.duration):.2f} s, {output.bytes:,} bytes")
    return 0


def _rate(fps: Any) -> float | int:
    return int(fps) if fps.denominator == 1 else round(float(fps), 6)


class _Messages:
    """What a person wants to know but a script doesn't: on stderr, and not when quiet."""

    def __init__(self, options: Namespace) -> None:
        self._quiet = options.quiet

    def __call__(self, text: str) -> None:
        if not self._quiet:
            print(text, file=sys.stderr)


def _dry_run(options: Namespace, film: Any, paths: Sequence[Path]) -> int:
    timeline = film.timeline
    planned = {
        "outputs": [str(path) for path in paths],
        "frames": 1 if options.at_step is not None else timeline.frames,
        "duration_s": round(float(timeline.duration), 6),
        "width": film.settings.width,
        "height": film.settings.height,
        "fps": _rate(film.settings.fps),
        "results": [
            _counts(name, tally) for name, tally in zip(film.names, film.tallies, strict=True)
        ],
    }
    if options.json:
        _print_json(planned)
    elif not options.quiet:
        print("\n".join(f"would write {path}" for path in paths))
        print(f"{planned['frames']:,} frames, {float(timeline.duration):.2f} s, "
              f"{film.settings.width}×{film.settings.height}")  # fmt: skip
        print(_table(list(zip(film.names, film.tallies, strict=True))))
    return 0


def run_list(options: Namespace) -> int:
    rows = _LISTS[options.what]()
    if options.json:
        _print_json(rows)
        return 0
    width = max(len(row["name"]) for row in rows)
    for row in rows:
        rest = row["sentence"] + (f" ({row['source']})" if row.get("source") else "")
        print(f"{row['name']:<{width}}  {rest}")
    return 0


def _strategies() -> list[dict[str, str]]:
    from solver.strategy import CELL_ORDERS

    return [
        {"name": order.name, "sentence": order.sentence, "source": order.source}
        for order in CELL_ORDERS.values()
    ]


def _themes() -> list[dict[str, str]]:
    from render.theme import load_theme, theme_names

    return [{"name": name, "sentence": load_theme(name).title} for name in theme_names()]


def _formats() -> list[dict[str, str]]:
    from render.sinks import FORMATS

    return [
        {"name": suffix, "sentence": f"{entry.name}: {entry.sentence}"}
        for suffix, entry in FORMATS.items()
    ]


def _presets() -> list[dict[str, str]]:
    from render.sinks.quality import QUALITIES

    return [
        {"name": quality.name, "sentence": f"{quality.purpose}"} for quality in QUALITIES.values()
    ]


_LISTS = {
    "strategies": _strategies,
    "themes": _themes,
    "formats": _formats,
    "presets": _presets,
}
