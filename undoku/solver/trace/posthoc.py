"""Search traces for the Posthoc visualiser, format version 1.4.0.

A tree: every place is a node whose parent is the latest place on the board at that moment, and
whose undo closes it. Eliminations and restorations are not nodes and are left out. The file is
JSON, which is YAML too; the visualiser opens it under a name that ends in .trace.json or
.trace.yaml.

Facts of the format: `version`, `views` (what is drawn per event; `main` is the entry; properties in
${{ }} are expressions over the event, `$if` is a condition, `clear` names the event type that
removes what an earlier event of the same id drew), `events` with `type`, `id` and the parent's
`pId`, where an id of 0 would mean no parent.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from undoku.solver.problem.appearance import SYMBOLS, Form
from undoku.solver.problem.problem import Problem
from undoku.solver.trace.steps import steps_of
from undoku.solver.trace.trace import Header, Trace

_VERSION = "1.4.0"
_ROOT = 1
_PIECE = 1 << 12  # events in one piece of bytes


def encoded_posthoc(trace: Trace) -> Iterator[bytes]:
    """The file in pieces: the views, then one event per line."""
    header = trace.header
    yield (
        "{"
        f'"version":{json.dumps(_VERSION)},\n"views":{json.dumps(_views(header))},\n'
        f'"pivot":{json.dumps({"x": "${{ $.x + 0.5 }}", "y": "${{ $.y + 0.5 }}", "scale": 1})},\n'
        '"events":[\n'
    ).encode()
    start = {"type": "start", "id": _ROOT, "x": 0, "y": 0, "strategy": header.strategy}
    yield json.dumps(start, ensure_ascii=False).encode()
    problem = header.puzzle.problem
    standing = [_ROOT]
    born = _ROOT
    for steps in steps_of(trace):
        for first in range(0, len(steps.cells), _PIECE):
            piece = slice(first, first + _PIECE)
            lines = []
            columns = steps.cells, steps.values, steps.placed, steps.decisions
            for cell, value, placed, guess in zip(
                *(column[piece].tolist() for column in columns), strict=True
            ):
                if placed:
                    kind, born = "place" if guess else "forced", born + 1
                    node = born
                else:
                    kind, node = "undo", standing.pop()
                y, x = _field(problem, cell, value)
                lines.append(
                    f',\n{{"type":"{kind}","id":{node},"pId":{standing[-1]},"cell":{cell},'
                    f'"value":{value},"digit":"{SYMBOLS[value - 1]}",'
                    f'"x":{x},"y":{y},"depth":{len(standing) - (not placed)}}}'
                )
                if placed:
                    standing.append(node)
            yield "".join(lines).encode()
    tally = trace.tally()
    last: dict[str, Any] = {"type": tally.outcome, "id": standing[-1], "x": 0, "y": 0}
    if len(standing) > 1:
        last["pId"] = standing[-2]
    last |= {"nodes": tally.nodes, "solutions": tally.solutions}
    yield f",\n{json.dumps(last)}\n]}}\n".encode()


def _field(problem: Problem, cell: int, value: int) -> tuple[int, int]:
    """The (row, column) in which a value of a cell stands."""
    if problem.appearance.form is Form.FIELDS:
        return problem.fields(cell)[value - 1]
    return problem.position(cell)


def _views(header: Header) -> dict[str, list[dict[str, Any]]]:
    """The drawing: the board with its givens at the start, then a digit per place until its
    undo."""
    problem = header.puzzle.problem
    height, width = problem.extent
    cell = {"width": 1, "height": 1, "label-x": 0.3, "label-y": 0.75, "label-size": 0.7}
    board: list[dict[str, Any]] = [
        {"$": "rect", "x": 0, "y": 0, "width": width, "height": height, "clear": False}
        | {"fill": "${{ theme.foreground }}", "alpha": 0.1}
    ]
    board += [
        dict(zip("yx", _field(problem, number, value), strict=True))
        | {"$": "rect", "clear": False, **cell}
        | {"fill": "${{ theme.foreground }}", "alpha": 0.25, "label": SYMBOLS[value - 1]}
        | {"label-color": "${{ theme.foreground }}"}
        for number, value in enumerate(header.puzzle.givens)
        if value
    ]
    digit = {"$": "rect", "x": "${{ $.x }}", "y": "${{ $.y }}", **cell, "label": "${{ $.digit }}"}
    digit |= {"label-color": "${{ theme.background }}", "clear": "undo"}
    return {
        "board": board,
        "main": [
            {"$": "board", "$if": "${{ $.type === 'start' }}"},
            digit | {"$if": "${{ $.type === 'place' }}", "fill": "${{ color.blue }}"},
            digit | {"$if": "${{ $.type === 'forced' }}", "fill": "${{ color.teal }}"},
            digit | {"$if": "${{ $.type === 'undo' }}", "fill": "${{ color.red }}", "clear": True},
        ],
    }
