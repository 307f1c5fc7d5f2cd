"""Puzzles, strategies, searches, and traces of place and undo events. The public names are in
`undoku`, too.

>>> from undoku import parse_puzzle, search
>>> trace = search(parse_puzzle("53..7....6..195....98....6.8...6...34..8.3..17...2...6"
...                             ".6....28....419..5....8..79"), "mrv")
>>> trace.tally().outcome
<Outcome.SOLVED: 'solved'>

The names below are loaded when first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solver.backtracking import Limits, SearchTrace, search
    from solver.errors import (
        EncoderError,
        InputError,
        OutputError,
        PuzzleError,
        ReadError,
        RunError,
        SettingsError,
        StrategyError,
        TraceError,
        UndokuError,
    )
    from solver.formats import parse_puzzle
    from solver.memory_trace import MemoryTrace
    from solver.puzzle import Geometry, Puzzle, Unit, standard_geometry
    from solver.replay import Replay, board_at, check
    from solver.strategies.part import Part, PartKind
    from solver.strategies.registry import parts, register
    from solver.strategies.strategy import Strategy
    from solver.trace import EVENT, Header, Op, Outcome, Tally, Trace
    from solver.tracefile import FileTrace, StreamTrace, open_trace, write_lines, write_trace
    from solver.tracer import Tracer, trace_of

_MODULE_OF = {
    name: module
    for module, names in {
        "errors": "EncoderError InputError OutputError PuzzleError ReadError RunError "
        "SettingsError StrategyError TraceError UndokuError",
        "formats": "parse_puzzle",
        "puzzle": "Geometry Puzzle Unit standard_geometry",
        "strategies.part": "Part PartKind",
        "strategies.registry": "parts register",
        "replay": "Replay board_at check",
        "backtracking": "Limits SearchTrace search",
        "strategies.strategy": "Strategy",
        "memory_trace": "MemoryTrace",
        "trace": "EVENT Header Op Outcome Tally Trace",
        "tracefile": "FileTrace StreamTrace open_trace write_lines write_trace",
        "tracer": "Tracer trace_of",
    }.items()
    for name in names.split()
}

__all__ = [
    "EVENT",
    "EncoderError",
    "FileTrace",
    "Geometry",
    "Header",
    "InputError",
    "Limits",
    "MemoryTrace",
    "Op",
    "Outcome",
    "OutputError",
    "Part",
    "PartKind",
    "Puzzle",
    "PuzzleError",
    "ReadError",
    "Replay",
    "RunError",
    "SearchTrace",
    "SettingsError",
    "Strategy",
    "StrategyError",
    "StreamTrace",
    "Tally",
    "Trace",
    "TraceError",
    "Tracer",
    "UndokuError",
    "Unit",
    "board_at",
    "check",
    "open_trace",
    "parse_puzzle",
    "parts",
    "register",
    "search",
    "standard_geometry",
    "trace_of",
    "write_lines",
    "write_trace",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'solver' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"solver.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
