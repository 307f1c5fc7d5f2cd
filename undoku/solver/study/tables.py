"""Writes the counts of a study as a table: one row per puzzle and strategy, CSV or Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from undoku.errors import SettingsError
from undoku.solver.problem.puzzle import SYMBOLS
from undoku.solver.study.journal import COLUMNS, OUTCOMES, CountedBlock, Journal

__all__ = ["HEAD", "check_suffix", "write_table"]

HEAD = ("number", "puzzle", "strategy", *COLUMNS)
"""The columns. `number` is the position of the puzzle in the collection, from 1. In a study of
several seeds it is followed by `run`, the number added to each seed."""

_MARKS = np.array(list("." + SYMBOLS))


def write_table(journal: Journal, path: Path, suffix: str) -> int:
    """Write the table to `path` in the format of `suffix` (".csv" or ".parquet"); returns the
    number of rows.

    Raises SettingsError as `check_suffix`; OSError.
    """
    check_suffix(suffix)
    return _write_csv(journal, path) if suffix == ".csv" else _write_parquet(journal, path)


def check_suffix(suffix: str) -> None:
    """Raise SettingsError for a format that is unknown or lacks its library."""
    if suffix not in (".csv", ".parquet"):
        raise SettingsError(
            f"a study has no format {suffix!r}", remedy="end its name in .csv or .parquet"
        )
    if suffix == ".parquet" and not find_spec("pyarrow"):
        raise SettingsError(
            "a Parquet table needs pyarrow", remedy='pip install "undoku[parquet]", or write CSV'
        )


def _columns(
    block: CountedBlock, strategies: tuple[str, ...], first: int, seeds: int
) -> dict[str, list[Any]]:
    """The columns of a block by name; rows are ordered by puzzle. `first` is the number of earlier
    searches of each strategy."""
    count, width = len(block.boards), len(strategies)
    texts = ["".join(row) for row in _MARKS[block.boards]]
    columns: dict[str, list[Any]] = {
        "number": np.repeat(block.numbers, width).tolist(),
        "run": np.repeat(np.arange(first, first + count) % seeds, width).tolist(),
        "puzzle": [text for text in texts for _ in strategies],
        "strategy": list(strategies) * count,
    }
    for number, name in enumerate(COLUMNS):
        values = block.counts[:, :, number].ravel().tolist()
        columns[name] = [OUTCOMES[value].value for value in values] if name == "outcome" else values
    return columns


def _blocks(journal: Journal) -> Iterator[dict[str, list[Any]]]:
    first = 0
    for block in journal.blocks():
        yield _columns(block, journal.strategies, first, journal.seeds)
        first += len(block.boards)


def _head(journal: Journal) -> tuple[str, ...]:
    return HEAD if journal.seeds == 1 else (HEAD[0], "run", *HEAD[1:])


def _write_csv(journal: Journal, path: Path) -> int:
    rows = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        head = _head(journal)
        csv.writer(file, lineterminator="\n").writerow(head)
        for columns in _blocks(journal):
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows(
                zip(*(columns[name] for name in head), strict=True)
            )
            file.write(text.getvalue())
            rows += len(columns["number"])
    return rows


def _write_parquet(journal: Journal, path: Path) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    texts = ("puzzle", "strategy", "outcome")
    head = _head(journal)
    schema = pa.schema([(name, pa.string() if name in texts else pa.int64()) for name in head])
    rows = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for columns in _blocks(journal):
            writer.write_table(pa.table({name: columns[name] for name in head}, schema))
            rows += len(columns["number"])
    return rows
