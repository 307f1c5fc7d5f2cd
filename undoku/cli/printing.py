"""Results on standard output: JSON objects, and tables for people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from undoku.solver.problem.puzzle import SYMBOLS
from undoku.solver.trace.trace import Outcome, Tally
from undoku.texts import table_texts as say
from undoku.texts import wording as film_say
from undoku.texts.language import decimal, number
from undoku.visible_text import columns, visible, visible_json

__all__ = ["aligned", "counted", "counts", "print_json", "rate_number", "table", "values_text"]


_OUTCOMES = {
    Outcome.SOLVED: say.OUTCOME_SOLVED,
    Outcome.EXHAUSTED: say.OUTCOME_EXHAUSTED,
    Outcome.CAPPED: film_say.CAPPED,
}


def counted(count: int, thing: str) -> str:
    """ "1 step", "534 steps" """
    return f"{count:,} {thing}{'s' * (count != 1)}"


def print_json(content: object) -> None:
    print(visible_json(json.dumps(content, ensure_ascii=False, indent=2)))


def values_text(values: Sequence[int] | None) -> str | None:
    """A full board on one line."""
    return "".join(SYMBOLS[value - 1] for value in values) if values else None


def rate_number(rate: Fraction) -> float | int:
    """A frame rate for JSON: an integer if possible."""
    return int(rate) if rate.denominator == 1 else round(float(rate), 6)


def counts(name: str, tally: Tally, label: str = "") -> dict[str, Any]:
    """The counts of one search for `--json`."""
    return {
        "strategy": name,
        **({"label": label} if label else {}),
        "outcome": tally.outcome.value,
        "solutions": tally.solutions,
        "solution": values_text(tally.solution),
        "nodes": tally.nodes,
        "places": tally.places,
        "undos": tally.undos,
        "backtracks": tally.backtracks,
        "dead_ends": tally.dead_ends,
        "max_depth": tally.max_depth,
        "seconds": round(tally.seconds, 6),
    }


def table(rows: Sequence[tuple[str, Tally]], *, interrupted: bool = False) -> str:
    """The searches as aligned columns: names left, numbers right. For an `interrupted` last search,
    the table states this instead of its outcome."""
    columns_of = (
        say.COLUMN_STRATEGY, say.COLUMN_OUTCOME, film_say.COUNTER_SOLUTIONS, say.COLUMN_NODES,
        film_say.COUNTER_STEPS, film_say.COUNTER_BACKTRACKS, film_say.COUNTER_DEAD_ENDS,
        film_say.COUNTER_DEPTH, say.COLUMN_SECONDS,
    )  # fmt: skip
    head = tuple(text() for text in columns_of)
    lines = [head] + [
        (
            visible(name),
            say.INTERRUPTED() if interrupted and row == len(rows) else _OUTCOMES[tally.outcome](),
            *map(number, (tally.solutions, tally.nodes, tally.steps, tally.backtracks,
                          tally.dead_ends, tally.max_depth)),
            decimal(tally.seconds, 3, all_places=True),
        )
        for row, (name, tally) in enumerate(rows, 1)
    ]  # fmt: skip
    return aligned(lines, names=2)


def aligned(rows: Sequence[Sequence[str]], *, names: int = 1) -> str:
    """Rows of equal lengths as columns: the first `names` begin on the left, the others end on the
    right."""
    widths = [max(columns(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            text + " " * (width - columns(text))
            if column < names
            else " " * (width - columns(text)) + text
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
