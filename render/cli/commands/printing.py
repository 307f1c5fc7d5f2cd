"""Results on standard output: JSON objects, and tables for people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from solver.puzzle import SYMBOLS
from solver.trace import Tally
from solver.visible_text import columns, visible, visible_json

__all__ = ["counted", "counts", "print_json", "rate_number", "table", "values_text"]


def counted(number: int, thing: str) -> str:
    """ "1 step", "534 steps" """
    return f"{number:,} {thing}{'s' * (number != 1)}"


def print_json(content: object) -> None:
    print(visible_json(json.dumps(content, ensure_ascii=False, indent=2)))


def values_text(values: Sequence[int] | None) -> str | None:
    """A full board on one line."""
    return "".join(SYMBOLS[value - 1] for value in values) if values else None


def rate_number(rate: Fraction) -> float | int:
    """A frame rate for JSON: an integer if possible."""
    return int(rate) if rate.denominator == 1 else round(float(rate), 6)


def counts(name: str, tally: Tally) -> dict[str, Any]:
    """The counts of one search for `--json`."""
    return {
        "strategy": name,
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
    head = ("strategy", "outcome", "solutions", "nodes", "steps", "backtracks", "dead ends",
            "depth", "seconds")  # fmt: skip
    lines = [head] + [
        (
            visible(name),
            "interrupted" if interrupted and row == len(rows) else tally.outcome.value,
            f"{tally.solutions:,}",
            f"{tally.nodes:,}",
            f"{tally.steps:,}",
            f"{tally.backtracks:,}",
            f"{tally.dead_ends:,}",
            f"{tally.max_depth:,}",
            f"{tally.seconds:.3f}",
        )
        for row, (name, tally) in enumerate(rows, 1)
    ]
    widths = [max(columns(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join(
        "  ".join(
            f"{text}{' ' * (width - columns(text))}" if column < 2 else text.rjust(width)
            for column, (text, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
