"""The searches of a command, of puzzles by strategies and in recorded traces, with their names."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

from undoku.errors import SettingsError
from undoku.render.settings.number_kinds import parse_seconds
from undoku.render.settings.table import option
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.search_trace import Limits, SearchTrace
from undoku.solver.trace.subjects import traces_of
from undoku.solver.trace.trace import Trace

COUNTING_SECONDS = 10.0
"""The seconds for which all searches of a command together are counted if no limit is given."""


def limits_of(options: Namespace) -> Limits:
    return Limits(options.max_nodes, bool(options.exhaustive), seconds_of(options))


def seconds_of(options: Namespace) -> float | None:
    """The limit of the time of each search."""
    seconds = options.max_seconds
    return None if seconds is None else float(parse_seconds(seconds))


def searches_of(options: Namespace, most_nodes: int | None = None) -> list[Trace]:
    """The searches that a command's inputs and strategies name, each of at most `most_nodes` nodes
    (None: of any number) if no limit is given."""
    if options.inputs.count("-") > 1:
        raise SettingsError("standard input is named twice", remedy="give - once")
    strategies = [Strategy.of(name) for name in options.strategy or ()]
    traces = traces_of([*options.inputs, *strategies], limits_of(options))
    be_patient(traces, most_nodes)
    return traces


def be_patient(traces: Sequence[Trace], most_nodes: int | None = None) -> None:
    """Let searches without limits be stopped if counting them takes too long, or more than
    `most_nodes` nodes; `SearchProgress` reports it."""
    for trace in traces:
        if isinstance(trace, SearchTrace) and trace.limits.max_nodes is None:
            trace.patience = COUNTING_SECONDS / len(traces)
            if trace.limits.max_seconds is None:
                trace.patience_nodes = most_nodes


def labels_of(options: Namespace) -> tuple[str, ...]:
    """The names given with `--label`."""
    labels: tuple[str, ...] = option("labels").value(options.labels or ())
    return labels
