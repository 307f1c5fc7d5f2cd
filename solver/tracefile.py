"""Traces as JSON Lines: written event by event, read with every event checked.

First line a header object, then one array per event, last an object with the outcome:

    {"undoku":1,"size":9,"box":[3,3],"givens":"53..7…","strategy":"mrv","title":"…"}
    ["place",2,4]
    ["undo",2]
    ["place",3,6,"forced"]
    {"outcome":"solved"}
"""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

import numpy as np

from solver.errors import Place, PuzzleError, ReadError, TraceError
from solver.puzzle import SYMBOLS, Puzzle, standard_geometry
from solver.replay import Replay
from solver.stats import Counter
from solver.trace import CHUNK, EVENT, Events, Header, Op, Outcome, Tally, Trace

__all__ = [
    "VERSION",
    "FileTrace",
    "LineReader",
    "looks_like_trace",
    "opened",
    "parse_header",
    "write_lines",
]

VERSION = 1
_LONGEST = 1 << 16  # characters of one line; no event and no header needs more
_REMEDY = 'write ["place",cell,value], ["undo",cell] or {"outcome":"solved"}'


def looks_like_trace(first: str) -> bool:
    """Whether a text that begins with `first` is meant as a trace."""
    return first.lstrip("\ufeff \t\r\n").startswith("{")


@contextmanager
def opened(path: str) -> Iterator[IO[bytes]]:
    """The bytes of a file, unzipped when its name ends in .gz."""
    with Path(path).open("rb") as file:
        if path.endswith(".gz"):
            with gzip.open(file) as unzipped:
                yield cast("IO[bytes]", unzipped)
        else:
            yield file


# -- writing ---------------------------------------------------------------------------------------


def write_lines(trace: Trace) -> Iterator[str]:
    """The lines of a trace file, each with its line break."""
    yield json.dumps(_header_object(trace.header), ensure_ascii=False) + "\n"
    for chunk in trace.chunks():
        yield "".join(map(_event_line, chunk.tolist()))
    yield json.dumps({"outcome": trace.tally().outcome}) + "\n"


def _header_object(header: Header) -> dict[str, Any]:
    geometry = header.puzzle.geometry
    content: dict[str, Any] = {"undoku": VERSION, "size": geometry.size}
    if geometry.box:
        content["box"] = list(geometry.box)
    content["givens"] = str(header.puzzle)
    if header.strategy:
        content["strategy"] = header.strategy
    if header.title:
        content["title"] = header.title
    if header.exhaustive:
        content["exhaustive"] = True
    return content


def _event_line(event: tuple[int, int, int]) -> str:
    op, value, cell = event
    if op == Op.GUESS:
        return f'["place",{cell},{value}]\n'
    if op == Op.UNDO:
        return f'["undo",{cell}]\n'
    if op == Op.FORCED:
        return f'["place",{cell},{value},"forced"]\n'
    return f'["{"eliminate" if op == Op.ELIMINATE else "restore"}",{cell},{value}]\n'


# -- reading ---------------------------------------------------------------------------------------


def parse_header(line: str, source: str) -> Header:
    """The header that the first line of a trace holds. Raises TraceError."""
    place = Place(source, 1)
    try:
        content = json.loads(line)
    except ValueError as error:
        column = error.colno if isinstance(error, json.JSONDecodeError) else 0
        raise TraceError(
            "the header is no JSON object",
            place=Place(source, 1, column, line.rstrip("\n")),
            remedy='begin with {"undoku":1,"size":9,"givens":"…"}',
        ) from None
    if not isinstance(content, dict) or content.get("undoku") != VERSION:
        raise TraceError(
            f'the header does not say "undoku":{VERSION}',
            place=place,
            remedy='begin with {"undoku":1,"size":9,"givens":"…"}',
        )
    size, box, givens = content.get("size", 9), content.get("box"), content.get("givens")
    if not isinstance(size, int) or isinstance(size, bool) or not 4 <= size <= len(SYMBOLS):
        raise TraceError(f"size {size!r} is not a number from 4 to {len(SYMBOLS)}", place=place)
    if box is not None and not (
        isinstance(box, list) and len(box) == 2 and all(type(side) is int for side in box)
    ):
        raise TraceError(f"box {box!r} is not [rows, columns]", place=place)
    if not isinstance(givens, str):
        raise TraceError('the header has no text "givens"', place=place)
    values = {symbol: value for value, symbol in enumerate(SYMBOLS, 1)} | dict.fromkeys(".0", 0)
    foreign = next((mark for mark in givens if mark.upper() not in values), None)
    if foreign is not None:
        raise TraceError(f"givens hold {foreign!r}, which is no value", place=place)
    texts = {key: content.get(key, "") for key in ("strategy", "title")}
    for key, text in texts.items():
        if not isinstance(text, str):
            raise TraceError(f"{key} {text!r} is no text", place=place)
    try:
        geometry = standard_geometry(size, (box[0], box[1]) if box else None)
        puzzle = Puzzle(tuple(values[mark.upper()] for mark in givens), geometry)
    except PuzzleError as error:
        raise TraceError(error.message, place=place, remedy=error.remedy) from None
    return Header(puzzle, texts["strategy"], texts["title"], content.get("exhaustive") is True)


class LineReader:
    """Reads the lines of a trace after its header, and checks every event against the state.

    Iterate for chunks; then `outcome` is what the trace says, or CAPPED with `cut` set where it
    ends without saying (a trace cut short is good up to the cut).
    """

    def __init__(self, header: Header, lines: Iterable[str], source: str) -> None:
        self._header = header
        self._lines = lines
        self._source = source
        self.outcome: Outcome | None = None
        self.cut = False

    def __iter__(self) -> Iterator[Events]:
        replay = Replay(self._header)
        chunk = np.empty(CHUNK, EVENT)
        filled = 0
        for number, line in enumerate(self._lines, 2):
            if not line.strip():
                continue
            if self.outcome is not None:
                raise self._wrong("there is a line after the outcome", number, line)
            complete = line.endswith("\n")
            try:
                if len(line) > _LONGEST:
                    raise TraceError(f"the line is over {_LONGEST} characters long")
                event = self._parse(line)
                if event is not None:
                    op, value, cell = event
                    value = replay.apply(op, value, cell)
                    if op <= Op.FORCED and replay.board.all() and (found := replay.conflict()):
                        raise TraceError(f"the board is full, but {found}")
            except TraceError as error:
                if not complete and isinstance(error.__cause__, ValueError):
                    break  # cut in the middle of the last line
                raise self._wrong(error.message, number, line) from None
            if event is None:
                continue
            chunk[filled] = (op, value, cell)
            filled += 1
            if filled == CHUNK:
                yield chunk
                filled = 0
        if self.outcome is None:
            self.cut = True
            self.outcome = Outcome.SOLVED if replay.board.all() else Outcome.CAPPED
        if filled:
            yield chunk[:filled]

    def _wrong(self, message: str, number: int, line: str) -> TraceError:
        shown = line.rstrip("\n")[:200]
        return TraceError(message, place=Place(self._source, number, 1, shown), remedy=_REMEDY)

    def _parse(self, line: str) -> tuple[int, int, int] | None:
        """(op, value, cell), or None for the outcome. Raises TraceError."""
        try:
            content = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise TraceError("this line is no JSON") from error
        if isinstance(content, dict):
            said = content.get("outcome")
            if said not in list(Outcome):
                raise TraceError(f"{said!r} is no outcome: solved, exhausted or capped")
            self.outcome = Outcome(said)
            return None
        if not isinstance(content, list) or not content:
            raise TraceError("this line is no event")
        name, *rest = content
        forced = rest[2:] == ["forced"] and name == "place"
        numbers = rest[:2] if forced else rest
        if not all(type(number) is int for number in numbers):
            raise TraceError("cell and value must be whole numbers")
        if name == "undo" and len(numbers) == 1:
            return Op.UNDO, 0, numbers[0]
        if len(numbers) == 2:
            cell, value = numbers
            if name == "place":
                return (Op.FORCED if forced else Op.GUESS), value, cell
            if name == "eliminate":
                return Op.ELIMINATE, value, cell
            if name == "restore":
                return Op.RESTORE, value, cell
        raise TraceError(f"there is no event {json.dumps(content)[:80]}")


class FileTrace(Trace):
    """A recorded trace: read from its file, and checked, each time it is asked for.

    Raises ReadError when the file can't be read, TraceError when a line doesn't fit.
    """

    def __init__(self, path: str, source: str | None = None) -> None:
        self._path = path
        self._source = source or path
        self._tally: Tally | None = None
        self.cut = False
        with self._text() as lines:
            self.header = parse_header(lines.readline(_LONGEST), self._source)

    @contextmanager
    def _text(self) -> Iterator[IO[str]]:
        try:
            with opened(self._path) as raw, io.TextIOWrapper(raw, "utf-8", "replace") as text:
                yield text
        except FileNotFoundError:
            raise ReadError(f"there is no file {self._path!r}") from None
        except (OSError, EOFError, zlib.error) as error:
            raise ReadError(f"{self._source!r} can't be read: {error}") from None

    def chunks(self) -> Iterator[Events]:
        counter = Counter(self.header)
        with self._text() as lines:
            lines.readline(_LONGEST)
            reader = LineReader(self.header, lines, self._source)
            for chunk in reader:
                counter.add(chunk)
                yield chunk
        self.cut = reader.cut
        self._tally = counter.tally(reader.outcome)

    def tally(self) -> Tally:
        if self._tally is None:
            for _ in self.chunks():
                pass
        assert self._tally is not None
        return self._tally
