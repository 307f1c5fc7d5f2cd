"""Writes traces as Parquet, a row group at a time, so that memory doesn't grow with them."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import lean
from undoku.solver.search.ops import OP_FORCED, OP_GUESS, OP_UNDO
from undoku.solver.trace.header import header_object
from undoku.solver.trace.parquet_columns import (
    HEADER_KEY,
    OP_NAMES,
    REASON_COLUMNS,
    TALLY_KEY,
    load_pyarrow,
)
from undoku.solver.trace.reasons import NO_REASONS, Reasons
from undoku.solver.trace.trace import CHUNK, Tally, Trace

__all__ = ["write_parquet"]


@lean
def _depths(
    events: NDArray[np.uint32],
    guessed: NDArray[np.bool_],
    depths: NDArray[np.uint16],
    depth: int,
) -> int:
    """Write the number of guesses on the board after each event; returns that after the last
    one."""
    for index in range(len(events)):
        event = events[index]
        op = event & 0xFF
        cell = event >> 16
        if op <= OP_FORCED:
            guessed[cell] = op == OP_GUESS
            depth += op == OP_GUESS
        elif op == OP_UNDO:
            depth -= guessed[cell]
            guessed[cell] = False
        depths[index] = depth
    return depth


def write_parquet(trace: Trace, file: IO[bytes]) -> None:
    """Write a trace, one row group per chunk. Raises SettingsError when pyarrow is missing."""
    arrow = load_pyarrow()
    header = json.dumps(header_object(trace.header), ensure_ascii=False).encode()
    names = arrow.array(OP_NAMES, arrow.string())
    has_reasons = _gives_reasons(trace)
    text = arrow.dictionary(arrow.int32(), arrow.string())
    schema = arrow.schema(
        [
            ("op", arrow.dictionary(arrow.int8(), arrow.string())),
            ("cell", arrow.uint16()),
            ("value", arrow.uint8()),
            ("depth", arrow.uint16()),
            *((name, text) for name in (REASON_COLUMNS if has_reasons else ())),
        ],
        metadata={HEADER_KEY: header},
    )
    begun = 0
    guessed = np.zeros(trace.header.puzzle.geometry.cells, np.bool_)
    depths = np.empty(CHUNK, np.uint16)
    depth = 0
    with arrow.parquet.ParquetWriter(
        file, schema, compression="zstd", write_page_checksum=True
    ) as writer:
        for chunk in trace.chunks():
            events = np.ascontiguousarray(chunk)
            depth = _depths(events.view(np.uint32), guessed, depths, depth)
            columns = [
                arrow.DictionaryArray.from_arrays(events["op"].astype(np.int8), names),
                arrow.array(events["cell"]),
                arrow.array(events["value"]),
                arrow.array(depths[: len(events)]),
            ]
            if has_reasons:
                columns += _reason_columns(arrow, trace.reasons, begun, len(events))
            begun += len(events)
            writer.write_table(arrow.Table.from_arrays(columns, schema=schema), CHUNK)
        tally = {name: value for name, value in _counts(trace.tally()).items() if name != "seconds"}
        if trace.cut:
            tally["cut"] = True
        writer.add_key_value_metadata({TALLY_KEY: json.dumps(tally)})


def _gives_reasons(trace: Trace) -> bool:
    """Whether a trace gives any reason, which is known after it was read to its end."""
    if trace.reasons is not NO_REASONS:
        for _ in trace.chunks():
            pass
    return len(trace.reasons) > 0


def _reason_columns(arrow: Any, reasons: Reasons, begun: int, count: int) -> list[Any]:
    """The rules and the units of `count` events from number `begun` on."""
    rules: list[str | None] = [None] * count
    units: list[str | None] = [None] * count
    for event, reason in reasons.between(begun, begun + count):
        rules[event - begun], units[event - begun] = reason.rule, reason.unit or None
    return [arrow.array(texts, arrow.string()).dictionary_encode() for texts in (rules, units)]


def _counts(tally: Tally) -> dict[str, Any]:
    return {field.name: getattr(tally, field.name) for field in fields(tally)}
