"""The journal of a study: the counts so far, block by block; and its table, CSV or Parquet.

A journal may be cut off anywhere. The first line is a JSON object with the settings. Then come
blocks: a line with a JSON object (the board as options, the number of rows, a checksum of the board
and the rows), then the rows as `row_type` describes them. The table has one row per puzzle and
strategy.
"""

from __future__ import annotations

import csv
import json
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.metadata import version
from importlib.util import find_spec
from os import SEEK_END
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.errors import OutputError, PuzzleError, SettingsError
from undoku.file_lock import locked
from undoku.solver.problem.appearance import SYMBOLS
from undoku.solver.problem.problem import Problem
from undoku.solver.problem.problem_content import problem_of, problem_options
from undoku.solver.trace.trace import Outcome

BLOCK = 256
"""Rows counted by one task: some milliseconds of the fastest strategy."""

COLUMNS = (
    "outcome", "solutions", "nodes", "places", "forced", "guessed", "undos", "backtracks",
    "dead_ends", "max_depth", "nanoseconds",
)  # fmt: skip
"""The columns of counts for each search; the outcome is an index of OUTCOMES. `nanoseconds` are 0
unless the study measures times."""

OUTCOMES = (Outcome.SOLVED, Outcome.EXHAUSTED, Outcome.CAPPED)

_MAX_LINE = 1 << 20  # bytes: a problem of many edges
_MAX_ROWS = 1 << 16  # of a block: more mean damage


def row_type(cells: int, strategies: int) -> np.dtype[np.void]:
    """A row of a block: the position of the puzzle in the collection, from 1, the number that was
    added to seeds, the givens (cells,), and the counts (strategies, columns)."""
    counts = (strategies, len(COLUMNS))
    return np.dtype(
        [("number", "<i8"), ("run", "<i8"), ("board", "u1", (cells,)), ("counts", "<i8", counts)]
    )


class Block(NamedTuple):
    """Puzzles on one board that are counted together: `rows` (n,) of a `row_type`."""

    problem: Problem
    rows: NDArray[np.void]


class Journal:
    """A journal on disk, for one process at a time. Opening it keeps the complete blocks if they
    come from the same settings and the same version, and nothing otherwise. Raises OutputError if
    it can't be written or another study is using it; without `replace` also if anything in it would
    not be kept.
    """

    def __init__(
        self,
        path: Path,
        strategies: tuple[str, ...],
        max_nodes: int | None,
        exhaustive: bool,
        seeds: int = 1,
        *,
        timed: bool = False,
        max_seconds: float | None = None,
        replace: bool = True,
    ) -> None:
        self.path = path
        self.strategies = strategies
        self.seeds = seeds
        self.timed = timed
        self._replace = replace
        self._key = {
            "undoku study": 3,
            "version": version("undoku"),
            "strategies": list(strategies),
            "max_nodes": max_nodes,
            "exhaustive": exhaustive,
            "seeds": seeds,
            "timed": timed,
            "max_seconds": max_seconds,
        }
        try:
            with ExitStack() as opened:
                self._file = opened.enter_context(path.open("a+b"))
                self._start = self._begin()
                opened.pop_all()
        except OSError as error:
            raise self._failure(error) from None

    def _begin(self) -> int:
        """The offset of the first block, after writing the first line if there is none."""
        if locked(self._file) is False:
            raise OutputError(
                f"another study is using {str(self.path)!r}",
                remedy="wait for it, or give another name",
            )
        own = json.dumps(self._key).encode() + b"\n"
        self._file.seek(0)
        there = self._file.readline(_MAX_LINE)
        if there != own:
            # A run that was killed early leaves a part of the line.
            if not self._replace and not own.startswith(there):
                raise self._foreign("settings")
            self._file.truncate(0)
            self._file.write(own)
            self._file.flush()
        return len(own)

    def _foreign(self, what: str) -> OutputError:
        return OutputError(
            f"{str(self.path)!r} belongs to a study of other {what}",
            remedy=f"give the {what} that it was begun with, another name, or -y to start again",
        )

    def _failure(self, error: OSError) -> OutputError:
        return OutputError(
            f"the journal {str(self.path)!r} can't be written: {error.strerror or error}"
        )

    def confirm(self, block: Block) -> bool:
        """Whether the next block of the journal is complete and has the puzzles of `block`; if so,
        it is skipped, otherwise it remains the next one. Raises OutputError for puzzles other than
        these or the first of these, unless the journal may be replaced."""
        here = self._file.tell()
        own = self._next()
        if own is not None:
            both = min(len(own.rows), len(block.rows))
            alike = own.problem == block.problem and all(
                np.array_equal(own.rows[name][:both], block.rows[name][:both])
                for name in ("number", "board")
            )
            if alike and len(own.rows) == len(block.rows):
                return True
            if not alike and not self._replace:
                raise self._foreign("puzzles")
        self._file.seek(here)
        return False

    def forget_rest(self) -> None:
        """Drop the next block and all after it."""
        self._file.truncate(self._file.tell())

    def add(self, block: Block) -> None:
        """Append a block. Raises OutputError."""
        board = problem_options(block.problem)
        body = block.rows.tobytes()
        head = {"board": board, "rows": len(block.rows), "checksum": _checksum(board, body)}
        try:
            self._file.write(json.dumps(head).encode() + b"\n" + body)
            self._file.flush()
        except OSError as error:
            raise self._failure(error) from None

    def _next(self) -> Block | None:
        """The next block, or None at the end or if the file is damaged."""
        try:
            head = json.loads(self._file.readline(_MAX_LINE))
            problem = problem_of(head["board"])
            kind = row_type(problem.cells, len(self.strategies))
            body = self._file.read(min(int(head["rows"]), _MAX_ROWS) * kind.itemsize)
            if head["checksum"] == _checksum(head["board"], body):
                return Block(problem, np.frombuffer(body, kind))
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError, PuzzleError):
            pass
        return None

    def blocks(self) -> Iterator[Block]:
        """All blocks from the first."""
        self._file.seek(self._start)
        while (block := self._next()) is not None:
            yield block

    def column(self, name: str) -> NDArray[np.int64]:
        """(puzzles, strategies) int64: one of COLUMNS."""
        number = COLUMNS.index(name)
        none = np.empty((0, len(self.strategies)), np.int64)
        counts = (block.rows["counts"][:, :, number] for block in self.blocks())
        return np.concatenate([none, *counts])

    def close(self) -> None:
        """Close the journal; it is deleted if it has no blocks."""
        if not self._file.closed and self._file.seek(0, SEEK_END) == self._start:
            self.remove()
        self._file.close()

    def remove(self) -> None:
        """Close and delete the journal, after its result has been written."""
        self._file.close()
        self.path.unlink(missing_ok=True)


def _checksum(board: object, body: bytes) -> int:
    return zlib.crc32(json.dumps(board).encode() + body)


HEAD = ("number", "puzzle", "strategy", *COLUMNS[:-1])
"""The columns. `number` is the position of the puzzle in the collection, from 1. In a study of
several seeds it is followed by `run`, the number added to each seed. A study that measures times
has `seconds` as its last column."""

_MARKS = np.array(list("." + SYMBOLS))


def write_table(journal: Journal, path: Path, suffix: str) -> None:
    """Write the table to `path` in the format of `suffix` (".csv" or ".parquet"). Raises
    SettingsError as `check_suffix`; OSError.
    """
    check_suffix(suffix)
    names: tuple[str, ...] = HEAD if journal.seeds == 1 else (HEAD[0], "run", *HEAD[1:])
    names += ("seconds",) * journal.timed
    tables = (_columns(block, journal.strategies, names) for block in journal.blocks())
    if suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(names)
            for columns in tables:
                writer.writerows(zip(*columns.values(), strict=True))
        return
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = dict.fromkeys(("puzzle", "strategy", "outcome"), pa.string())
    kinds["seconds"] = pa.float64()
    schema = pa.schema([(name, kinds.get(name, pa.int64())) for name in names])
    with pq.ParquetWriter(path, schema, compression="zstd") as rows:
        for columns in tables:
            rows.write_table(pa.table(columns, schema))


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
    block: Block, strategies: tuple[str, ...], names: tuple[str, ...]
) -> dict[str, list[Any]]:
    """The columns `names` of a block; rows are ordered by puzzle."""
    rows, width = block.rows, len(strategies)
    columns: dict[str, list[Any]] = {
        name: rows["counts"][:, :, number].ravel().tolist() for number, name in enumerate(COLUMNS)
    }
    columns["seconds"] = [value / 1e9 for value in columns["nanoseconds"]]
    columns["outcome"] = [OUTCOMES[value].value for value in columns["outcome"]]
    columns["number"] = np.repeat(rows["number"], width).tolist()
    columns["run"] = np.repeat(rows["run"], width).tolist()
    texts = ["".join(row) for row in _MARKS[rows["board"]]]
    columns["puzzle"] = [text for text in texts for _ in strategies]
    columns["strategy"] = [*strategies] * len(rows)
    return {name: columns[name] for name in names}
