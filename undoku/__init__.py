"""Films of backtracking searches.

>>> import undoku
>>> puzzle = undoku.parse_puzzle(
...     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
... )
>>> undoku.search(puzzle, "mrv").tally().nodes
52
>>> undoku.compare(puzzle, ["row-major", "mrv"], "film.mp4", "film.gif")  # doctest: +SKIP

Everything public is available here; `python -m undoku` is the command. The names come from
two packages, `solver` (what happened in a search) and `render` (what you see of it), and are loaded
when first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from render import (
        Canvas,
        Clock,
        Film,
        FilmSettings,
        Frame,
        NotebookFilm,
        Pace,
        Phase,
        Picture,
        Player,
        Rect,
        Report,
        Shot,
        Snapshot,
        Theme,
        Timeline,
        compare,
        figure,
        frames,
        load_theme,
        plan,
        read_frames,
        write_chart,
        write_film,
        write_filmstrip,
        write_still,
    )
    from solver import (
        EVENT,
        EncoderError,
        FileTrace,
        Geometry,
        Header,
        InputError,
        Limits,
        MemoryTrace,
        Op,
        Outcome,
        OutputError,
        Part,
        PartKind,
        Puzzle,
        PuzzleError,
        ReadError,
        Replay,
        RunError,
        SearchTrace,
        SettingsError,
        Strategy,
        StrategyError,
        StreamTrace,
        Tally,
        Trace,
        TraceError,
        Tracer,
        UndokuError,
        Unit,
        board_at,
        check,
        open_trace,
        parse_puzzle,
        parts,
        register,
        search,
        standard_geometry,
        trace_of,
        write_lines,
        write_trace,
    )

__all__ = [
    "EVENT",
    "Canvas",
    "Clock",
    "EncoderError",
    "FileTrace",
    "Film",
    "FilmSettings",
    "Frame",
    "Geometry",
    "Header",
    "InputError",
    "Limits",
    "MemoryTrace",
    "NotebookFilm",
    "Op",
    "Outcome",
    "OutputError",
    "Pace",
    "Part",
    "PartKind",
    "Phase",
    "Picture",
    "Player",
    "Puzzle",
    "PuzzleError",
    "ReadError",
    "Rect",
    "Replay",
    "Report",
    "RunError",
    "SearchTrace",
    "SettingsError",
    "Shot",
    "Snapshot",
    "Strategy",
    "StrategyError",
    "StreamTrace",
    "Tally",
    "Theme",
    "Timeline",
    "Trace",
    "TraceError",
    "Tracer",
    "UndokuError",
    "Unit",
    "board_at",
    "check",
    "compare",
    "figure",
    "frames",
    "load_theme",
    "open_trace",
    "parse_puzzle",
    "parts",
    "plan",
    "read_frames",
    "register",
    "search",
    "standard_geometry",
    "trace_of",
    "write_chart",
    "write_film",
    "write_filmstrip",
    "write_lines",
    "write_still",
    "write_trace",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("undoku")
    if name not in __all__:
        raise AttributeError(f"module 'undoku' has no attribute {name!r}")
    import render
    import solver

    value = getattr(solver if name in solver.__all__ else render, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
