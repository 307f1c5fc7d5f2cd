"""The searches of a command: puzzles by strategies, and recorded traces; their names, and the
language and the typeface of their texts."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Sequence

from undoku.cli.printing import Messages
from undoku.errors import SettingsError
from undoku.render.draw.text_runs import named_characters
from undoku.render.draw.typefaces import load_typeface
from undoku.render.draw.typesetting import Typesetting
from undoku.render.settings.number_kinds import parse_seconds
from undoku.render.settings.table import option
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.search_trace import Limits, SearchTrace
from undoku.solver.trace.subjects import traces_of
from undoku.solver.trace.trace import Trace
from undoku.texts.language_files import load_language
from undoku.visible_text import visible

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
