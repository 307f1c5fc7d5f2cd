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
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from undoku.errors import Place, SettingsError, TraceError
from undoku.file_reading import opened
from undoku.solver.trace.header import header_object, parse_header
from undoku.solver.trace.reasons import NO_REASONS, Reasons, parse_reason
from undoku.solver.trace.replay import Replay
from undoku.solver.trace.steps import steps_of
from undoku.solver.trace.trace import CHUNK, EVENT, Events, Op, Outcome, Tally, Trace

if TYPE_CHECKING:
    import pyarrow.parquet

HEADER_KEY, TALLY_KEY = b"undoku", b"undoku.tally"
"""The keys of the metadata."""

_DECISIONS = "guesses"
"""The name of `Tally.decisions` in the metadata."""

OP_NAMES = [op.name.lower() for op in Op]
"""The names of the events, by their number."""

COLUMNS = ["op", "cell", "value"]
"""The columns that are read; `depth` follows from them."""

REASON_COLUMNS = ["rule", "unit"]
"""The optional columns of reasons."""


def load_pyarrow() -> Any:
    """pyarrow with its Parquet module. Raises SettingsError, which states how to install it."""
    try:
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
        tally = trace.tally()._asdict()
        tally[_DECISIONS] = tally.pop("decisions")
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
        self._states_guessed = False
        """Whether the metadata has the number of guesses, which the files of version 1.0 lack."""
        self.reasons = Reasons()
        with self._content() as content:
            metadata = content.metadata.metadata or {}
            schema = content.schema_arrow
            self._columns = _columns_of(schema)
            if HEADER_KEY not in (schema.metadata or {}):
                raise TraceError('the schema has no metadata "undoku" with a header')
            line = schema.metadata[HEADER_KEY].decode(errors="replace")
            self.header = parse_header(line, self._source)
            self._stated = self._read_tally(metadata.get(TALLY_KEY), content.metadata.num_rows)

    def chunks(self) -> Iterator[Events]:
        replay = Replay(self.header)
        with self._content() as content:
            for batch in content.iter_batches(CHUNK, columns=self._columns):
                self._take_reasons(batch, replay.events)
                events = _events_of(batch, replay.events)
                replay.apply_all(events, "row")
                if self.progress:
                    self.progress(replay.so_far())
                yield events
            outcome = self._stated.outcome if self._stated and not self.cut else None
            self.counted = replay.close(outcome)
            for field, stated in (self._stated._asdict() if self._stated else {}).items():
                if field == "guessed" and not self._states_guessed:
                    continue
                counted = getattr(self.counted, field)
                if stated != counted:
                    name = _DECISIONS if field == "decisions" else field
                    raise TraceError(
                        f"its metadata says {name} {stated}, but its rows hold {counted}"
                    )

    def tally(self) -> Tally:
        """The counts. Taken from the metadata if they are there, without reading a row; they are
        checked when the rows are read."""
        if self.counted is None and self._stated and self._states_guessed:
            return self._stated
        return super().tally()

    @contextmanager
    def _content(self) -> Iterator[pyarrow.parquet.ParquetFile]:
        """The file. Errors name it, and pyarrow's errors for damaged files become TraceErrors."""
        arrow = load_pyarrow()
        with opened(self._path, self._source) as file:
            try:
                yield arrow.parquet.ParquetFile(file, page_checksum_verification=True)
            except TraceError as error:
                place = error.place or Place(self._source)
                raise TraceError(error.message, place=place, remedy=error.remedy) from None
            except (arrow.ArrowException, ValueError, OSError) as error:
                if isinstance(error, OSError) and error.errno:
                    raise  # an error of the disk; pyarrow's own errors have no number
                reason = str(error).partition("\n")[0][:200].rstrip(".")
                raise TraceError(
                    f"it can't be read as Parquet ({reason})", place=Place(self._source)
                ) from None

    def _take_reasons(self, batch: Any, before: int) -> None:
        """Store the reasons in the rows of a record batch; `before` rows were read earlier."""
        named = [name for name in REASON_COLUMNS if name in self._columns]
        if not named:
            return
        ops = batch.column("op").to_pylist()
        columns = [batch.column(name).to_pylist() for name in named]
        for row, texts in enumerate(zip(*columns, strict=True)):
            content = {name: text for name, text in zip(named, texts, strict=True) if text}
            if all(text is None for text in texts):
                continue
            try:
                if ops[row] not in ("guess", "forced", "eliminate"):
                    raise TraceError(f"{ops[row]} has a reason")
                self.reasons.add(before + row, parse_reason(content))
            except TraceError as error:
                raise TraceError(f"row {before + row + 1}: {error.message}") from None

    def _read_tally(self, text: bytes | None, rows: int) -> Tally | None:
        """The tally in the file's metadata; None where there is none."""
        if text is None:
            self.cut = True
            return None
        try:
            counts = json.loads(text)
            self._states_guessed = "guessed" in counts
            counts["decisions"] = counts.pop(_DECISIONS)
            counts.setdefault("guessed", 0)
            self.cut = bool(counts.pop("cut", False))
            solution = counts.pop("solution")
            outcome = Outcome(counts.pop("outcome"))
            if not all(type(value) is int for value in counts.values()) or counts["events"] != rows:
                raise ValueError
            return Tally(outcome=outcome, solution=solution and tuple(solution), **counts)
        except (ValueError, TypeError, KeyError, AttributeError):
            raise TraceError('its metadata "undoku.tally" is not a tally of its rows') from None


def _columns_of(schema: Any) -> list[str]:
    """The columns of a schema that are read, in order. Raises TraceError if one is missing, or has
    another type."""
    types = load_pyarrow().types
    found = []
    for name in COLUMNS + REASON_COLUMNS:
        if name not in schema.names:
            if name in COLUMNS:
                raise TraceError(f"there is no column {name!r}")
            continue
        kind = schema.field(name).type
        if name in ("cell", "value"):
            if not types.is_integer(kind):
                raise TraceError(f"column {name!r} holds {kind}, not whole numbers")
        elif not types.is_string(kind.value_type if types.is_dictionary(kind) else kind):
            words = "names of events" if name == "op" else "text"
            raise TraceError(f"column {name!r} holds {kind}, not {words}")
        found.append(name)
    if "unit" in found and "rule" not in found:
        raise TraceError("there is a column 'unit', but no column 'rule'")
    return found


def _events_of(batch: Any, before: int) -> Events:
    """The rows of a record batch as events; `before` rows were read earlier."""
    events = np.empty(batch.num_rows, EVENT)
    for name in COLUMNS:
        column = batch.column(name)
        if column.null_count:
            foreign = column.is_null().to_numpy(zero_copy_only=False)
        else:
            if name == "op":
                named = column if hasattr(column, "dictionary") else column.dictionary_encode()
                words = named.dictionary.to_pylist()
                codes = [OP_NAMES.index(word) if word in OP_NAMES else -1 for word in words]
                numbers = np.array(codes, np.int16)[named.indices.to_numpy(zero_copy_only=False)]
            else:
                numbers = column.to_numpy(zero_copy_only=False)
            foreign = (numbers < 0) | (numbers > np.iinfo(EVENT[name]).max)
        if foreign.any():
            row = int(np.argmax(foreign))
            found = column[row].as_py()
            wrong = (
                f"there is no event {found!r}"
                if name == "op"
                else f"{name} {found} is out of range"
            )
            if found is None:
                wrong = f"the {name} is missing"
            raise TraceError(f"row {before + row + 1}: {wrong}")
        events[name] = numbers
    return events
