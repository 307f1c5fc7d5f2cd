"""The searches that arguments name, on the command line and in Python: puzzles by strategies,
recorded traces, and watched solvers, in any order."""

from __future__ import annotations

import inspect
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from undoku.errors import ReadError, SettingsError, StrategyError, did_you_mean
from undoku.solver.problem.problem_kinds import kinds
from undoku.solver.problem.puzzle import SMALLEST, Puzzle
from undoku.solver.problem.sources import as_puzzle, read
from undoku.solver.search.part_registry import parts
from undoku.solver.search.strategy import COMPARED, Strategy
from undoku.solver.search.strategy_part import PartKind
from undoku.solver.trace.recorded import holds_trace, open_trace
from undoku.solver.trace.search_trace import NO_LIMITS, Limits, SearchTrace, search
from undoku.solver.trace.trace import Trace
from undoku.solver.trace.tracer import Tracer

Subject = (
    Puzzle | Strategy | Trace | Tracer | str | os.PathLike[str] | Iterable[Any] | Callable[..., Any]
)
"""A puzzle, its text, its values or its file; a strategy or its name; a trace or its file; a
`Tracer`, a grid of `undoku.watch`, a function of `undoku.calls`; or a list of strategies and
traces."""


MISSING = (
    "give an existing file, 81 cells, - for standard input, or a name that undoku list strategies "
    "prints"
)
"""The remedy for the name of a file that does not exist."""


def subject_of(subject: Any, missing: str = MISSING) -> Puzzle | Strategy | Trace:
    """What one subject is. Raises the errors of reading it, for a name of nothing with the remedy
    `missing`, unless it is similar to that of a strategy."""
    recorded = getattr(subject, "recording", subject)
    if isinstance(recorded, Tracer):
        return recorded.trace()
    if isinstance(subject, Puzzle | Strategy | Trace):
        return subject
    if inspect.isroutine(subject):
        raise SettingsError(
            f"the calls of {subject.__name__} are not recorded",
            remedy="decorate it with undoku.calls(puzzle), or watch its board with undoku.watch",
        )
    if not isinstance(subject, str | os.PathLike):
        return as_puzzle(subject)
    name = os.fspath(subject)
    strategy = Strategy.known(name)
    if strategy and not Path(name).exists():
        return strategy
    if holds_trace(name):
        return open_trace(name)
    try:
        return read(name)
    except ReadError as error:
        known = [part.name for kind in (PartKind.CELLS, PartKind.PRESET) for part in parts(kind)]
        written = (f"write {kind.written}" for kind in kinds() if kind.name == name)
        if near := next(written, "") or did_you_mean(name, known):
            raise ReadError(f"there is no file or strategy {name!r}", remedy=near) from None
        raise ReadError(error.message, remedy=error.remedy or missing) from None


def traces_of(
    subjects: Iterable[Any], limits: Limits = NO_LIMITS, missing: str = MISSING
) -> list[Trace]:
    """The searches of all subjects: each puzzle by each strategy, and the traces. They are in the
    order of the subjects; the searches of several puzzles come last, puzzle by puzzle. Without
    strategies, puzzles of which there is no trace are searched by COMPARED; without puzzles,
    strategies search those of the traces. Searches of several puzzles have the puzzle's name in
    their labels.

    Raises the errors of reading a subject; SettingsError if there is nothing to search, or if a
    strategy would search a puzzle in which nothing excludes anything.
    """
    puzzles: list[tuple[str, Puzzle]] = []
    others: list[Strategy | Trace] = []
    files: dict[Trace, str] = {}
    for subject in _separate(subjects):
        named = subject_of(subject, missing)
        if isinstance(named, Puzzle):
            puzzles.append((file_name(subject) or named.title or "puzzle", named))
        else:
            others.append(named)
        if isinstance(named, Trace):
            files[named] = file_name(subject)
    traces = [other for other in others if isinstance(other, Trace)]
    strategies = [other for other in others if isinstance(other, Strategy)]
    traced = dict.fromkeys(trace.header.puzzle for trace in traces)
    if not strategies:
        puzzles = [(name, puzzle) for name, puzzle in puzzles if puzzle not in traced]
        strategies = [Strategy.parse(name) for name in COMPARED if puzzles]
        others += strategies
    elif not puzzles:
        puzzles = [("", puzzle) for puzzle in traced]
    if not puzzles and not traces:
        raise SettingsError("there is nothing to search", remedy="give a puzzle or a trace")
    if strategies and any(puzzle.problem.is_free for _, puzzle in puzzles):
        raise SettingsError(
            f"{strategies[0]} can't search a puzzle without rules, which only its solver knows",
            remedy="leave out the strategies, or give another trace to compare with"
            if traces
            else "state what excludes what, as different or pairs",
        )
    if limits != NO_LIMITS and not strategies:
        raise SettingsError(
            "a recorded trace is not searched again", remedy="leave out the limits of the search"
        )
    if len(puzzles) > 1:
        found = [
            *traces,
            *(
                _called(name, search(puzzle, strategy, limits))
                for name, puzzle in puzzles
                for strategy in strategies
            ),
        ]
    else:
        found = [
            search(puzzles[0][1], other, limits) if isinstance(other, Strategy) else other
            for other in others
        ]
    _name_by_files(found, files)
    return found


def _separate(subjects: Iterable[Any]) -> Iterator[Any]:
    """The subjects, with those of lists of strategies and traces one by one."""
    for subject in subjects:
        plain = isinstance(subject, list | tuple) and not hasattr(subject, "recording")
        if plain and any(
            isinstance(one, Strategy | Trace) or (isinstance(one, str) and Strategy.known(one))
            for one in subject
        ):
            yield from subject
            continue
        if plain and 0 < len(subject) < SMALLEST**2:
            for number in (one for one in subject if isinstance(one, int | float)):
                raise StrategyError(f"{number!r} is not a strategy", remedy="name one, such as mrv")
        yield subject


def file_name(subject: object) -> str:
    """The name of the file of a subject without its suffixes; "" if it is no file's name."""
    name = os.fspath(subject) if isinstance(subject, str | os.PathLike) else "-"
    if name == "-" or "\n" in name or len(name) >= 200:
        return ""
    stem = re.sub(r"\.jsonl$", "", Path(name).stem)
    return stem if re.search("[a-zA-Z]", stem) else ""


def _called(name: str, trace: SearchTrace) -> SearchTrace:
    """The search of one of several puzzles, with the puzzle's name in its own."""
    header = trace.header
    title, label = (f"{name}: {text}" for text in (header.name, header.label))
    trace.header = header._replace(title=title, given_label=label) if name else header
    return trace


def _name_by_files(traces: Sequence[Trace], files: Mapping[Trace, str]) -> None:
    """Let a trace without a name have that of its file, and add it to a name that another search
    has, too."""
    labels = Counter(trace.header.label for trace in traces)
    for trace, name in files.items():
        header = trace.header
        if name and not (header.given_label or header.title or header.strategy):
            trace.header = header._replace(given_label=name)
        elif name and labels[header.label] > 1:
            trace.header = header._replace(given_label=f"{header.label} ({name})")
