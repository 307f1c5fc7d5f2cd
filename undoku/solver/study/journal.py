"""The journal of a study: the counts so far, block by block; and its table, CSV or Parquet.

A journal may be cut off anywhere. The first line is a JSON object with the settings. Then come
blocks, each a head of five little-endian 32-bit numbers (mark, puzzles, cells, bytes of the text
that spells the board, checksum), that text, the puzzles' numbers (puzzles,) int64, the boards
(puzzles, cells) uint8, and the counts (puzzles, strategies, columns) int64. The table has one row
per puzzle and strategy.
"""

from __future__ import annotations

import csv
import json
import os
import struct
import zlib
from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.errors import OutputError, SettingsError
from undoku.file_lock import locked
from undoku.solver.problem.puzzle import SYMBOLS, Geometry
from undoku.solver.problem.variants import geometry_of, geometry_options
from undoku.solver.trace.trace import Outcome

__all__ = ["COLUMNS", "HEAD", "OUTCOMES", "CountedBlock", "Journal", "check_suffix", "write_table"]

COLUMNS = (
    "outcome", "solutions", "nodes", "places", "undos", "backtracks", "dead_ends", "max_depth",
)  # fmt: skip
"""The columns of counts for each search; the outcome is an index of OUTCOMES."""

OUTCOMES = (Outcome.SOLVED, Outcome.EXHAUSTED, Outcome.CAPPED)

_HEAD = struct.Struct("<IIIII")
_MARK = 0x4B4C4232
_MAX_BYTES = 1 << 31  # bytes of a block: a larger size means damage


class CountedBlock(NamedTuple):
    """A block of the journal: `numbers` (n,) int64, the positions in the collection, from 1;
    `boards` (n, cells) uint8; `counts` (n, strategies, columns) int64."""

    geometry: Geometry
    numbers: NDArray[np.int64]
    boards: NDArray[np.uint8]
    counts: NDArray[np.int64]


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
        replace: bool = True,
    ) -> None:
        self.path = path
        self.strategies = strategies
        self.seeds = seeds
        self._replace = replace
        self._key = {
            "undoku study": 1,
            "version": version("undoku"),
            "strategies": list(strategies),
            "max_nodes": max_nodes,
            "exhaustive": exhaustive,
            "seeds": seeds,
        }
        try:
            self._file: IO[bytes] = open(path, "r+b", opener=_made)  # noqa: SIM115
        except OSError as error:
            raise self._failure(error) from None
        try:
            self._start = self._begin()
            self._file.seek(self._start)
        except BaseException as error:
            self._file.close()
            if isinstance(error, OSError):
                raise self._failure(error) from None
            raise

    def _begin(self) -> int:
        """The offset of the first block, after writing the first line if there is none."""
        if not locked(self._file):
            raise OutputError(
                f"another study is using {str(self.path)!r}",
                remedy="wait for it, or give another name",
            )
        own = json.dumps(self._key).encode() + b"\n"
        there = self._file.readline(1 << 16)
        if there != own:
            # A run that was killed early leaves a part of the line.
            if not self._replace and not own.startswith(there):
                raise self._foreign("settings")
            self._file.seek(0)
            self._file.truncate()
            self._file.write(own)
            self._file.flush()
        return self._file.tell()

    def _foreign(self, what: str) -> OutputError:
        return OutputError(
            f"{str(self.path)!r} belongs to a study of other {what}",
            remedy=f"give the {what} that it was begun with, another name, or -y to start again",
        )

    def _failure(self, error: OSError) -> OutputError:
        return OutputError(
            f"the journal {str(self.path)!r} can't be written: {error.strerror or error}"
        )

    def confirm(
        self, geometry: Geometry, numbers: NDArray[np.int64], boards: NDArray[np.uint8]
    ) -> bool:
        """Whether the next block of the journal is complete and has these puzzles; if so, it is
        skipped, otherwise it remains the next one. Raises OutputError for puzzles other than these
        or the first of these, unless the journal may be replaced."""
        here = self._file.tell()
        block = self._next()
        if block is not None:
            both = min(len(block.boards), len(boards))
            alike = (
                block.geometry == geometry
                and np.array_equal(block.numbers[:both], numbers[:both])
                and np.array_equal(block.boards[:both], boards[:both])
            )
            if alike and len(block.boards) == len(boards):
                return True
            if not alike and not self._replace:
                raise self._foreign("puzzles")
        self._file.seek(here)
        return False

    def forget_rest(self) -> None:
        """Drop the next block and all after it."""
        self._file.truncate(self._file.tell())

    def add(self, block: CountedBlock) -> None:
        """Append a block. Raises OutputError."""
        text = json.dumps(geometry_options(block.geometry)).encode()
        numbers, counts = block.numbers.astype("<i8"), block.counts.astype("<i8")
        body = text + numbers.tobytes() + block.boards.tobytes() + counts.tobytes()
        head = _HEAD.pack(_MARK, *block.boards.shape, len(text), zlib.crc32(body))
        try:
            self._file.write(head + body)
            self._file.flush()
        except OSError as error:
            raise self._failure(error) from None

    def _next(self) -> CountedBlock | None:
        """The next block, or None at the end or if the file is damaged."""
        head = self._file.read(_HEAD.size)
        if len(head) < _HEAD.size:
            return None
        mark, puzzles, cells, letters, checksum = _HEAD.unpack(head)
        shape = (puzzles, len(self.strategies), len(COLUMNS))
        boards_start = letters + 8 * puzzles
        boards_end = boards_start + puzzles * cells
        length = boards_end + 8 * puzzles * shape[1] * shape[2]
        if mark != _MARK or length > _MAX_BYTES:
            return None
        body = self._file.read(length)
        if len(body) < length or zlib.crc32(body) != checksum:
            return None
        return CountedBlock(
            geometry_of(json.loads(body[:letters])),
            np.frombuffer(body[letters:boards_start], "<i8"),
            np.frombuffer(body, np.uint8, puzzles * cells, boards_start).reshape(puzzles, cells),
            np.frombuffer(body[boards_end:], "<i8").reshape(shape),
        )

    def blocks(self) -> Iterator[CountedBlock]:
        """All blocks from the first."""
        self._file.flush()
        self._file.seek(self._start)
        while (block := self._next()) is not None:
            yield block

    def column(self, name: str) -> NDArray[np.int64]:
        """(puzzles, strategies) int64: one of COLUMNS."""
        number = COLUMNS.index(name)
        found = [block.counts[:, :, number] for block in self.blocks()]
        return np.concatenate(found) if found else np.empty((0, len(self.strategies)), np.int64)

    def close(self) -> None:
        self._file.close()

    def remove(self) -> None:
        """Close and delete the journal, after its result has been written."""
        self._file.close()
        self.path.unlink(missing_ok=True)


def _made(path: str, flags: int) -> int:
    """Open a file, which is created if it does not exist and never truncated."""
    return os.open(path, flags | os.O_CREAT, 0o666)


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
    """The columns of each block, in the order of the table."""
    head = _head(journal)
    first = 0
    for block in journal.blocks():
        columns = _columns(block, journal.strategies, first, journal.seeds)
        yield {name: columns[name] for name in head}
        first += len(block.boards)


def _head(journal: Journal) -> tuple[str, ...]:
    return HEAD if journal.seeds == 1 else (HEAD[0], "run", *HEAD[1:])


def _write_csv(journal: Journal, path: Path) -> int:
    rows = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_head(journal))
        for columns in _blocks(journal):
            writer.writerows(zip(*columns.values(), strict=True))
            rows += len(columns["number"])
    return rows


def _write_parquet(journal: Journal, path: Path) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    texts = ("puzzle", "strategy", "outcome")
    kinds = [(name, pa.string() if name in texts else pa.int64()) for name in _head(journal)]
    schema = pa.schema(kinds)
    rows = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for columns in _blocks(journal):
            writer.write_table(pa.table(columns, schema))
            rows += len(columns["number"])
    return rows
