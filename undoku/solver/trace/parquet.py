"""The columns and the metadata of a trace in a Parquet file, for those who want to query a search.

One row per event: `op` (dictionary of guess, forced, undo, eliminate, restore, restart, learn,
probe), `cell` (uint16, from 0; of a nogood the number of its guesses), `value` (uint8, for an undo
the value that is taken back) and `depth` (uint16, the guesses in force after the event); of a trace
that gives reasons also `rule` and `unit` (text, null where an event has none). The metadata of the
schema contains the header under "undoku", as JSON; that of the file contains the tally under
"undoku.tally", so that totals are known without reading a row. `load_pyarrow` loads the library
that reads and writes such files.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from undoku.errors import Place, SettingsError, TraceError
from undoku.solver.trace.header import header_object, parse_header
from undoku.solver.trace.reasons import NO_REASONS, Reasons, parse_reason
from undoku.solver.trace.replay import Replay
from undoku.solver.trace.steps import steps_of
from undoku.solver.trace.stream import opened
from undoku.solver.trace.trace import CHUNK, EVENT, Events, Op, Outcome, Tally, Trace

if TYPE_CHECKING:
    import pyarrow.parquet

__all__ = ["ParquetTrace", "write_parquet"]

HEADER_KEY, TALLY_KEY = b"undoku", b"undoku.tally"
"""The keys of the metadata."""

OP_NAMES = [op.name.lower() for op in Op]
"""The names of the events, by their number."""

COLUMNS = ["op", "cell", "value"]
"""The columns that are read; `depth` follows from them."""

REASON_COLUMNS = ["rule", "unit"]
"""The optional columns of reasons."""


def load_pyarrow() -> Any:
    """pyarrow with its Parquet module. Raises SettingsError, which states how to install it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise SettingsError(
            "Parquet needs the package pyarrow, which is not installed",
            remedy='install it with: pip install "undoku[parquet]"',
        ) from None
    return pyarrow


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
    depth = 0
    with arrow.parquet.ParquetWriter(
        file, schema, compression="zstd", write_page_checksum=True
    ) as writer:
        for steps in steps_of(trace):
            events = steps.events.view(EVENT)
            after = np.append(depth, steps.depths).astype(np.uint16)
            depth = after[-1]
            columns = [
                arrow.DictionaryArray.from_arrays(events["op"].astype(np.int8), names),
                arrow.array(events["cell"]),
                arrow.array(events["value"]),
                arrow.array(np.repeat(after, np.diff(steps.starts, prepend=0))),
            ]
            if has_reasons:
                columns += _reason_columns(arrow, trace.reasons, begun, len(events))
            begun += len(events)
            writer.write_table(arrow.Table.from_arrays(columns, schema=schema), CHUNK)
        tally = asdict(trace.tally())
        del tally["seconds"]
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


class ParquetTrace(Trace):
    """A trace in a Parquet file: read and checked a row group at a time.

    `source` names it in errors. Raises ReadError if the file can't be read, TraceError if it is not
    a trace or an event is invalid, SettingsError if pyarrow is missing.
    """

    def __init__(self, path: str, source: str | None = None) -> None:
        self._path = path
        self._source = source or path
        self._counted: Tally | None = None
        self.reasons = Reasons()
        arrow = load_pyarrow()
        with opened(path, source) as file, self._errors(arrow), self._file(file) as content:
            metadata = content.metadata.metadata or {}
            schema = content.schema_arrow
            self._check_columns(arrow, schema)
            self._reason_columns_present = self._columns_of_reasons(arrow, schema)
            if HEADER_KEY not in (schema.metadata or {}):
                raise self._wrong('the schema has no metadata "undoku" with a header')
            line = schema.metadata[HEADER_KEY].decode(errors="replace")
            self.header = parse_header(line, self._source)
            self._stated = self._read_tally(metadata.get(TALLY_KEY), content.metadata.num_rows)

    def _check_columns(self, arrow: Any, schema: Any) -> None:
        for name in COLUMNS:
            position = schema.get_field_index(name)
            if position < 0:
                raise self._wrong(f"there is no column {name!r}")
            kind = schema.field(position).type
            if name != "op" and not arrow.types.is_integer(kind):
                raise self._wrong(f"column {name!r} holds {kind}, not whole numbers")
            if name == "op" and not (
                arrow.types.is_string(kind)
                or (arrow.types.is_dictionary(kind) and arrow.types.is_string(kind.value_type))
            ):
                raise self._wrong(f"column 'op' holds {kind}, not names of events")

    def _columns_of_reasons(self, arrow: Any, schema: Any) -> list[str]:
        """Those that the file has."""
        found = []
        for name in REASON_COLUMNS:
            position = schema.get_field_index(name)
            if position >= 0:
                kind = schema.field(position).type
                inner = kind.value_type if arrow.types.is_dictionary(kind) else kind
                if not arrow.types.is_string(inner):
                    raise self._wrong(f"column {name!r} holds {kind}, not text")
                found.append(name)
        if found == ["unit"]:
            raise self._wrong("there is a column 'unit', but no column 'rule'")
        return found

    def chunks(self) -> Iterator[Events]:
        arrow = load_pyarrow()
        replay = Replay(self.header)
        with (
            opened(self._path, self._source) as file,
            self._errors(arrow),
            self._file(file) as content,
        ):
            for batch in content.iter_batches(
                CHUNK, columns=COLUMNS + self._reason_columns_present
            ):
                self._take_reasons(batch, replay.events)
                events = self._events(batch, replay.events)
                if (fitting := replay.advance(events)) < len(events):
                    self._refuse(replay, events[fitting].tolist())
                if self.progress:
                    self.progress(replay.so_far())
                yield events
        outcome = self._stated.outcome if self._stated else None
        self._counted = self._close(replay, None if self.cut else outcome)
        if self._stated and self._stated != self._counted:
            wrong = next(
                field.name
                for field in fields(Tally)
                if getattr(self._stated, field.name) != getattr(self._counted, field.name)
            )
            stated, counted = getattr(self._stated, wrong), getattr(self._counted, wrong)
            raise self._wrong(f"its metadata says {wrong} {stated}, but its rows hold {counted}")

    def tally(self) -> Tally:
        """The counts. Taken from the metadata if they are there, without reading a row; they are
        checked when the rows are read."""
        if self._counted is None and self._stated is not None:
            return self._stated
        if self._counted is None:
            for _ in self.chunks():
                pass
        assert self._counted is not None
        return self._counted

    @contextmanager
    def _errors(self, arrow: Any) -> Iterator[None]:
        """Convert pyarrow's errors for damaged files to TraceError."""
        try:
            yield
        except (arrow.ArrowException, ValueError, OSError) as error:
            if isinstance(error, OSError) and error.errno:
                raise  # an error of the disk; pyarrow's own errors have no number
            reason = str(error).partition("\n")[0][:200].rstrip(".")
            raise self._wrong(f"it can't be read as Parquet ({reason})") from None

    def _file(self, file: IO[bytes]) -> pyarrow.parquet.ParquetFile:
        return load_pyarrow().parquet.ParquetFile(file, page_checksum_verification=True)

    def _events(self, batch: Any, before: int) -> Events:
        """The rows of a record batch as events; `before` rows were read earlier."""
        events = np.empty(batch.num_rows, EVENT)
        for name in ("cell", "value"):
            column = batch.column(name)
            if column.null_count:
                raise self._wrong(f"a {name} is missing", before)
            numbers = column.to_numpy(zero_copy_only=False)
            high = np.iinfo(EVENT[name]).max
            foreign = np.flatnonzero((numbers < 0) | (numbers > high))
            if len(foreign):
                row = int(foreign[0])
                raise self._wrong(f"{name} {numbers[row]} is out of range", before + row + 1)
            events[name] = numbers
        names = batch.column("op")
        if names.null_count:
            raise self._wrong("an op is missing", before)
        known = names.dictionary_encode() if not hasattr(names, "dictionary") else names
        words = known.dictionary.to_pylist()
        numbers_of = [OP_NAMES.index(word) if word in OP_NAMES else 255 for word in words]
        codes = np.array(numbers_of or [255], np.uint8)
        events["op"] = codes[known.indices.to_numpy(zero_copy_only=False)]
        foreign = np.flatnonzero(events["op"] == 255)
        if len(foreign):
            row = int(foreign[0])
            raise self._wrong(f"there is no event {names[row].as_py()!r}", before + row + 1)
        return events

    def _take_reasons(self, batch: Any, before: int) -> None:
        """Store the reasons in the rows of a record batch; `before` rows were read earlier."""
        if not self._reason_columns_present:
            return
        rules = batch.column("rule").to_pylist()
        units = batch.column("unit").to_pylist() if "unit" in self._reason_columns_present else None
        ops = batch.column("op").to_pylist()
        for row, rule in enumerate(rules):
            unit = units[row] if units else None
            if rule is None and unit is None:
                continue
            if ops[row] not in ("guess", "forced", "eliminate"):
                raise self._wrong(f"{ops[row]} has a reason", before + row + 1)
            content = {name: text for name, text in (("rule", rule), ("unit", unit)) if text}
            try:
                self.reasons.add(before + row, parse_reason(content))
            except TraceError as error:
                raise self._wrong(error.message, before + row + 1) from None

    def _refuse(self, replay: Replay, event: list[int] | tuple[int, ...]) -> None:
        op, value, cell = event
        try:
            replay.apply(op, value, cell)
        except TraceError as error:
            raise self._wrong(error.message, replay.events + 1) from None
        raise AssertionError("the two ways to apply an event disagree")

    def _close(self, replay: Replay, outcome: Outcome | None) -> Tally:
        try:
            return replay.close(outcome)
        except TraceError as error:
            raise self._wrong(error.message) from None

    def _wrong(self, message: str, row: int = 0) -> TraceError:
        named = f"row {row}: {message}" if row else message
        return TraceError(named, place=Place(self._source))

    def _read_tally(self, text: bytes | None, rows: int) -> Tally | None:
        """The tally in the file's metadata; None where there is none."""
        if text is None:
            self.cut = True
            return None
        try:
            counts = json.loads(text)
            self.cut = bool(counts.pop("cut", False))
            solution = counts.pop("solution")
            outcome = Outcome(counts.pop("outcome"))
            if not all(type(value) is int for value in counts.values()) or counts["events"] != rows:
                raise ValueError
            return Tally(outcome=outcome, solution=solution and tuple(solution), **counts)
        except (ValueError, TypeError, KeyError, AttributeError):
            raise self._wrong('its metadata "undoku.tally" is not a tally of its rows') from None
