"""Reads traces as JSON Lines, with every event checked. `undoku.solver.trace.writing` writes them.

First line a header object, then one array per event, last an object with the outcome:

    {"undoku":1,"size":9,"box":[3,3],"givens":"53..7…","strategy":"mrv","title":"…"}
    ["place",2,4]
    ["undo",2]
    ["place",3,6,"forced",{"rule":"hidden-single","unit":"row 1"}]
    {"outcome":"solved"}

docs/trace-format.md is the full description.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np

from undoku.errors import Place, TraceError
from undoku.h264.loops import I64, U32
from undoku.solver.trace.event_lines import scan
from undoku.solver.trace.header import MAX_LINE_BYTES, parse_header, remedy_of
from undoku.solver.trace.reasons import Reason, Reasons, parse_reason
from undoku.solver.trace.replay import Replay
from undoku.solver.trace.trace import CHUNK, EVENT, Events, Header, Op, Outcome

_SPELLING = 'write ["place",cell,value], ["undo",cell] or {"outcome":"solved"}'
_ORDER = "print every place and undo, in the order in which they happen"
_BOM = b"\xef\xbb\xbf"
_OUTCOMES = {str(outcome): outcome for outcome in Outcome}

Event = tuple[int, int, int]
"""(op, value, cell), in the order of EVENT."""


def _parsed(content: object) -> tuple[Event | Outcome, Reason | None]:
    """The event or the outcome in the JSON of one line, and the reason of a place or an
    elimination. Raises TraceError.

    An undo gets value 0, for whatever the cell holds. The replay checks ranges.
    """
    reason = None
    if isinstance(content, list) and content and isinstance(content[-1], dict):
        if content[0] not in ("place", "eliminate"):
            raise TraceError(f"only a place or an eliminate has a reason, not {_shown(content)}")
        reason = parse_reason(content[-1])
        content = content[:-1]
    return _parsed_event(content), reason


def _parsed_event(content: object) -> Event | Outcome:
    if isinstance(content, dict):
        outcome = content.get("outcome")
        if not isinstance(outcome, str) or outcome not in _OUTCOMES:
            raise TraceError(f"{_shown(outcome)} is not an outcome: solved, exhausted or capped")
        return _OUTCOMES[outcome]
    if not isinstance(content, list) or not content:
        raise TraceError("this is not an event")
    name, *rest = content
    forced = name == "place" and len(rest) == 3 and rest[2] == "forced"
    numbers = rest[:2] if forced else rest
    wanted = {
        "place": 2, "undo": 1, "eliminate": 2, "restore": 2, "restart": 0, "learn": 1, "probe": 2,
    }  # fmt: skip
    if not isinstance(name, str) or name not in wanted or len(numbers) != wanted[name]:
        raise TraceError(f"there is no event {_shown(content)}")
    if not all(type(number) is int for number in numbers):
        raise TraceError("cell and value must be whole numbers")
    cell, value = (*map(int, numbers), 0, 0)[:2]
    if name == "place":
        return (Op.FORCED if forced else Op.GUESS), value, cell
    return Op[name.upper()], value, cell


def _shown(content: object) -> str:
    """A short form of `content` for an error, however deep or long it is."""
    try:
        spelled = json.dumps(content)
    except (TypeError, ValueError, RecursionError):
        spelled = repr(type(content).__name__)
    return spelled if len(spelled) <= 80 else spelled[:80] + "…"


class LineReader:
    """Reads a trace from blocks of bytes, and checks every event against the state.

    `header` is available at once. Iterate over chunks; afterwards `outcome` is the outcome of the
    trace; it is None, and `cut` is set, if the trace ends without one (a truncated trace is valid
    up to its end). `tally` are the counts, `so_far()` those of the events read so far; `reasons`
    are those of the events read so far. Raises TraceError that names the first wrong line.
    """

    def __init__(
        self, blocks: Iterator[bytes], source: str, reasons: Reasons | None = None
    ) -> None:
        self._blocks = blocks
        self._source = source
        self.reasons = Reasons() if reasons is None else reasons
        self.outcome: Outcome | None = None
        self.cut = False
        self._number = 1  # the number of the first line that has not been read
        self._rest = b""
        self.header: Header = parse_header(self._first_line(), source)
        self._replay = Replay(self.header)
        self.so_far = self._replay.so_far
        self.tally = self.so_far()

    def _first_line(self) -> str:
        pending = b""
        while b"\n" not in pending and len(pending) <= MAX_LINE_BYTES:
            block = next(self._blocks, b"")
            if not block:
                break
            pending += block
        if pending.startswith(b"PAR1"):
            raise TraceError(
                "this is a Parquet file, which can't be read from a stream",
                place=Place(self._source),
                remedy="give the file itself",
            )
        line, ending, self._rest = pending.removeprefix(_BOM).partition(b"\n")
        if len(line) > MAX_LINE_BYTES:
            raise self._too_long(line)
        self._number = 2
        return self._text(line + ending, 1)

    def __iter__(self) -> Iterator[Events]:
        packed = np.empty(CHUNK, np.uint32)
        starts = np.empty(CHUNK, np.int64)
        block, self._rest = self._rest, b""
        while True:
            text = self._rest + block
            complete = text.rfind(b"\n") + 1
            self._rest = text[complete:]
            for filled in self._read(text[:complete], packed, starts):
                yield packed[:filled].view(EVENT)
            if len(self._rest) > MAX_LINE_BYTES:
                raise self._too_long(self._rest)
            if not (block := next(self._blocks, b"")):
                break
        # After the last line break are a whole line, the beginning of one, or blanks.
        cut = self.outcome is None and _is_beginning(self._rest)
        if not cut and (event := self._check_line(self._rest, self._number)):
            yield np.array([event], EVENT)
        self.cut = self.outcome is None
        self.tally = self._replay.close(self.outcome)

    def _read(self, text: bytes, packed: U32, starts: I64) -> Iterator[int]:
        """Read complete lines; yields the number of events in `packed` whenever it is full and at
        the end."""
        lines = np.frombuffer(text, np.uint8)
        filled = position = counted = 0
        while position < len(text):
            if self.outcome is None:
                found, position = scan(lines, position, packed[filled:], starts)
                fresh = packed[filled : filled + found]
                if found and (fitting := self._replay.advance(fresh.view(EVENT))) < found:
                    start = int(starts[fitting])
                    number = self._number + text.count(b"\n", counted, start)
                    self._check_line(text[start : text.index(b"\n", start) + 1], number)
                    raise AssertionError("the two ways to apply an event disagree")
                filled += found
            else:  # only blank lines may follow
                position = len(text) - len(text[position:].lstrip(b" \t\r\n"))
            if filled < len(packed) and position < len(text):
                self._number += text.count(b"\n", counted, position)
                counted = position
                position = text.index(b"\n", position) + 1
                event = self._check_line(text[counted:position], self._number)
                if event:
                    packed[filled : filled + 1].view(EVENT)[0] = event
                    filled += 1
            if filled == len(packed):
                yield filled
                filled = 0
        self._number += text.count(b"\n", counted)
        if filled:
            yield filled

    def _check_line(self, line: bytes, number: int) -> Event | None:
        """Apply one line with the slow parser, which also reports mistakes."""
        if len(line) > MAX_LINE_BYTES:
            raise self._too_long(line, number)
        text = self._text(line, number)
        if not text.strip(" \t\r\n"):
            return None
        if self.outcome is not None:
            raise self._wrong("there is a line after the outcome", number, text, remedy=_ORDER)
        try:
            event, reason = _parsed(json.loads(text))
        except TraceError as error:
            remedy = error.remedy or _SPELLING
            raise self._wrong(error.message, number, text, remedy=remedy) from None
        except (ValueError, RecursionError) as error:
            column = error.colno if isinstance(error, json.JSONDecodeError) else 1
            remedy = remedy_of(text, _SPELLING)
            raise self._wrong("this line is not JSON", number, text, column, remedy) from None
        try:
            if isinstance(event, Outcome):
                self._replay.close(event)
                self.outcome = event
                return None
            op, value, cell = event
            applied = op, self._replay.apply(op, value, cell), cell
            if reason:
                self.reasons.add(self._replay.events - 1, reason)
            return applied
        except TraceError as error:
            raise self._wrong(error.message, number, text, remedy=_ORDER) from None

    def _text(self, line: bytes, number: int) -> str:
        offset = line.find(b"\0")
        if offset < 0:
            try:
                return line.decode()
            except UnicodeDecodeError as error:
                offset = error.start
        message = f"byte {line[offset]:#04x} at column {offset + 1} is not text"
        raise TraceError(
            message, place=Place(self._source, number), remedy="write the trace as UTF-8"
        )

    def _wrong(
        self, message: str, number: int, line: str, column: int = 1, remedy: str = _SPELLING
    ) -> TraceError:
        place = Place(self._source, number, column, line.rstrip("\r\n"))
        return TraceError(message, place=place, remedy=remedy)

    def _too_long(self, line: bytes, number: int = 0) -> TraceError:
        shown = line[:200].decode(errors="replace")
        message = f"the line is over {MAX_LINE_BYTES} bytes long"
        return self._wrong(message, number or self._number, shown)


def _is_beginning(line: bytes) -> bool:
    """Whether a last line without a line break is the beginning of an event or outcome."""
    try:
        text = line.decode("ascii").rstrip(" \r")
        json.loads(text)
    except json.JSONDecodeError as error:
        unfinished = error.pos >= len(text) or error.msg.startswith("Unterminated string")
        return text[:1] in ("[", "{") and text.isprintable() and (unfinished or text.endswith(",-"))
    except (ValueError, RecursionError):
        return False
    return False
