"""The searches of a command: puzzles by strategies, and recorded traces; their names, and the
language and the typeface of their texts."""

from __future__ import annotations

import re
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from undoku.cli.printing import Messages
from undoku.errors import SettingsError
from undoku.render.draw.text_runs import named_characters
from undoku.render.draw.typefaces import load_typeface
from undoku.render.draw.typesetting import Typesetting
from undoku.render.settings.number_kinds import parse_seconds
from undoku.render.settings.table import option
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.sources import read
from undoku.solver.search.strategy import COMPARED
from undoku.solver.trace.search_trace import Limits, SearchTrace, search
from undoku.solver.trace.trace import Trace
from undoku.texts.language_files import load_language
from undoku.visible_text import visible

COUNTING_SECONDS = 10.0
"""The seconds for which all searches of a command together are counted if no limit is given."""


def limits_of(options: Namespace) -> Limits:
    seconds = options.max_seconds
    return Limits(
        max_nodes=options.max_nodes,
        exhaustive=bool(options.exhaustive),
        max_seconds=None if seconds is None else float(parse_seconds(seconds)),
    )


def puzzle_name(argument: str) -> str:
    """A short name for the puzzle of an argument."""
    stem = Path(argument).stem if "\n" not in argument and len(argument) < 200 else ""
    return stem if stem and re.search("[a-zA-Z]", stem) else "puzzle"


def traces_of(options: Namespace) -> list[Trace]:
    """The searches to film: every puzzle by every strategy, and every recorded trace."""
    from undoku.solver.trace.recorded import holds_trace, open_trace

    traces: list[Trace] = []
    recorded: dict[str, Trace] = {}
    puzzles: list[tuple[str, Puzzle]] = []
    if options.inputs.count("-") > 1:
        raise SettingsError("standard input is named twice", remedy="give - once")
    for argument in options.inputs:
        if holds_trace(argument):
            traces.append(open_trace(argument))
            recorded[argument] = traces[-1]
        else:
            puzzles.append((puzzle_name(argument), read(argument)))
    if not puzzles:
        for name in ("strategy", "exhaustive", "max_nodes", "max_seconds"):
            if getattr(options, name):
                raise SettingsError(
                    "a recorded trace is not searched again",
                    remedy=f"leave out --{name.replace('_', '-')}",
                )
    for name, puzzle in puzzles:
        for strategy in options.strategy or COMPARED:
            found: SearchTrace = search(puzzle, strategy, limits_of(options))
            if len(puzzles) > 1:
                label = f"{name}: {found.header.label}"
                found.header = replace(
                    found.header, title=f"{name}: {found.header.name}", given_label=label
                )
            traces.append(found)
    _tell_apart(traces, recorded)
    be_patient(traces)
    return traces


def be_patient(traces: Sequence[Trace]) -> None:
    """Let searches without limits be stopped if counting them takes too long; `SearchProgress`
    reports it."""
    for trace in traces:
        if isinstance(trace, SearchTrace) and trace.limits.max_nodes is None:
            trace.patience = COUNTING_SECONDS / len(traces)


def _tell_apart(traces: Sequence[Trace], recorded: Mapping[str, Trace]) -> None:
    """Add the file name to the labels of recorded traces that share a label with another search."""
    labels = Counter(trace.header.label for trace in traces)
    for argument, trace in recorded.items():
        label = trace.header.label
        if labels[label] > 1 and (stem := _stem(argument)):
            trace.header = replace(trace.header, given_label=f"{label} ({stem})")


def _stem(argument: str) -> str:
    """The file name of a trace without its suffixes; "" for standard input."""
    name = Path(argument).name
    return "" if argument == "-" else re.sub(r"\.(jsonl|jsonl\.gz|parquet)$", "", name)


def labels_of(options: Namespace) -> tuple[str, ...]:
    """The names given with `--label`."""
    labels: tuple[str, ...] = option("labels").value(options.labels or ())
    return labels


def typesetting_of(options: Namespace) -> Typesetting:
    """The requested language and typeface; a command that draws no text has no
    `--font`. Raises SettingsError or ReadError."""
    font = getattr(options, "font", None)
    return Typesetting(load_language(options.language or ""), load_typeface(font or ""))


def report_letters(typesetting: Typesetting, texts: Iterable[str], say: Messages) -> None:
    """Report letters of the language's texts, and of the names and titles `texts` in them, that
    can't be drawn correctly."""
    texts = [*texts]
    if missing := typesetting.unshown(texts):
        say(f"warning: no font has {visible(named_characters(missing))}; install one that does, or "
            "give one with --font")  # fmt: skip
    if typesetting.unjoined(texts):
        say("warning: letters are neither joined, stacked nor written from right to left here: "
            "Pillow was built without raqm; install a Pillow that has it")  # fmt: skip
