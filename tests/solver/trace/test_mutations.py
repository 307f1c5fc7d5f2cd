"""Traces damaged at random are read correctly or refused in one sentence, as an oracle decides,
with bounded memory and time."""

from __future__ import annotations

import io
import json
import random
from typing import Any

import pytest

from tests.support.damaged_texts import damaged
from tests.support.peak_memory import bounded
from undoku.errors import TraceError
from undoku.solver.problem.problem import Unit
from undoku.solver.problem.puzzle import Puzzle, standard_geometry
from undoku.solver.problem.variants import (
    jigsaw_geometry,
    latin_geometry,
    with_diagonals,
    with_units,
)
from undoku.solver.trace.recorded import MemoryTrace
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.stream import StreamTrace
from undoku.solver.trace.trace import Header, Op, Outcome
from undoku.solver.trace.writing import write_lines

EASY = "500080106000073284407120003709260000003045010001000625090704030070002890125900000"
FOUR = standard_geometry(4)
LATIN = latin_geometry(4)
JIGSAW = with_units(
    with_diagonals(jigsaw_geometry("AABBACBBACCDDDCD")), [Unit("ring", 1, (5, 6, 9, 10))]
)
SOLUTION = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)


def originals() -> list[bytes]:
    """Short traces of every kind of event, outcome and board."""
    inferring = [
        (Op.GUESS, 2, 1),
        (Op.ELIMINATE, 2, 2),
        (Op.ELIMINATE, 2, 3),
        (Op.FORCED, 3, 2),
        (Op.ELIMINATE, 3, 3),
        (Op.FORCED, 4, 3),
        (Op.UNDO, 4, 3),
        (Op.RESTORE, 3, 3),
        (Op.UNDO, 3, 2),
        (Op.RESTORE, 2, 3),
        (Op.RESTORE, 2, 2),
        (Op.UNDO, 2, 1),
    ]
    solving = [(Op.GUESS, value, cell) for cell, value in enumerate(SOLUTION) if cell]
    one = Puzzle((1,) + (0,) * 15, FOUR)
    traces = [
        search(EASY, "row-major", Limits(max_nodes=12)),
        MemoryTrace(Header(one, "mine", "Zürich"), inferring, Outcome.EXHAUSTED),
        MemoryTrace(Header(one), solving, Outcome.SOLVED),
        MemoryTrace(Header(Puzzle((0,) * 16, LATIN), exhaustive=True), inferring, Outcome.CAPPED),
        MemoryTrace(Header(Puzzle((0,) * 16, JIGSAW)), inferring, Outcome.CAPPED),
    ]
    return ["".join(write_lines(trace)).encode() for trace in traces]


TOKENS = [b"place", b"undo", b"eliminate", b"restore", b"forced", b"outcome", b"solved", b"capped"]
TOKENS += [b'"', b"[", b"]", b"{", b"}", b",", b" ", b"\n", b"\r\n", b"\0", b"\xff", b"-", b"1e3"]
TOKENS += [b"0", b"1", b"2", b"3", b"15", b"16", b"255", b"256", b"65536", b"99999999999999999999"]
TOKENS += [bytes([number]) for number in range(256)]
TOKENS += [b"null", b"true", b"NaN", b'["undo",1]\n', b'["place",5,1]\n', b'{"outcome":"solved"}\n']


class RefusedError(Exception):
    """The oracle's: the number of the first wrong line."""


def oracle(body: list[Any], header: Header) -> tuple[list[tuple[int, int, int]], list[int]]:
    """Plays the lines after the header (parsed JSON, None for a blank line, ... for no JSON).

    Written from the description of the format alone: each place keeps the state before it, and
    its undo must find that state again.
    """
    size, cells = header.puzzle.size, header.puzzle.problem.cells
    board, gone = list(header.puzzle.givens), set[tuple[int, int]]()
    before: list[tuple[int, set[tuple[int, int]]]] = []  # (cell, what was eliminated) per place
    events, ended = [], False

    def need(fits: object, number: int) -> None:
        if not fits:
            raise RefusedError(number)

    for number, line in enumerate(body, 2):
        if line is None:
            continue
        need(line is not ... and not ended, number)
        if isinstance(line, dict):
            message = line.get("outcome")
            need(isinstance(message, str) and message in ("solved", "exhausted", "capped"), number)
            full = all(board) and all(
                len({board[cell] for cell in unit.cells}) == len(unit.cells)
                for unit in header.puzzle.problem.units
            )
            need(message != "solved" or full, number)
            ended = True
            continue
        need(isinstance(line, list) and line and isinstance(line[0], str), number)
        name, *rest = line
        forced = name == "place" and rest[2:] == ["forced"]
        wanted = {"place": 2 + forced, "undo": 1, "eliminate": 2, "restore": 2}
        need(len(rest) == wanted.get(name, -1), number)
        need(all(type(item) is int for item in rest[: 1 + (name != "undo")]), number)
        cell, value = rest[0], rest[1] if name != "undo" else 1
        need(0 <= cell < cells and 1 <= value <= size, number)
        if name == "place":
            need(not board[cell] and (cell, value) not in gone, number)
            before.append((cell, set(gone)))
            board[cell] = value
            events.append((int(forced), value, cell))
        elif name == "undo":
            need(before and before[-1] == (cell, gone), number)
            before.pop()
            events.append((2, board[cell], cell))
            board[cell] = 0
        elif name == "eliminate":
            need(not board[cell] and (cell, value) not in gone, number)
            gone.add((cell, value))
            events.append((3, value, cell))
        else:
            need((cell, value) in gone, number)
            need(not before or (cell, value) not in before[-1][1], number)
            gone.remove((cell, value))
            events.append((4, value, cell))
    return events, board


def parsed(line: bytes) -> Any:
    if not line.strip(b" \t\r\n"):
        return None
    try:
        return json.loads(line.decode()) if b"\0" not in line else ...
    except ValueError:
        return ...


def compare(text: bytes) -> str:
    """Reads a trace both ways; returns how it went."""
    body = [parsed(line) for line in text.split(b"\n")[1:]]
    try:
        trace = StreamTrace(io.BytesIO(text), "t")
    except TraceError as error:
        assert "\n" not in str(error)
        assert error.place is not None
        assert error.place.line == 1
        return "header refused"
    try:
        events = trace.read().tolist()
        tally = trace.tally()
    except TraceError as error:
        assert "\n" not in str(error)
        assert error.place is not None
        with pytest.raises(RefusedError) as refused:
            oracle(body, trace.header)
        assert refused.value.args[0] == error.place.line, text
        return "refused"
    if trace.cut and body and body[-1] is ...:
        body.pop()  # the beginning of a line
    expected, board = oracle(body, trace.header)
    assert [tuple(event) for event in events] == expected, text
    assert tally.events == len(expected)
    message = next((line["outcome"] for line in body if isinstance(line, dict)), None)
    assert trace.cut == (message is None)
    if message:
        assert tally.outcome == message
    elif tally.outcome is Outcome.SOLVED:
        assert all(board)
    return "read"


def run(seed: int, count: int) -> None:
    chance = random.Random(seed)
    sources = originals()
    assert {compare(source) for source in sources} == {"read"}
    seen = {"read": 0, "refused": 0, "header refused": 0}
    for number in range(count):
        source, other = chance.choices(sources, k=2)
        kept = chance.choice((0, source.index(b"\n") + 1))  # often the header is as it was
        text = source[:kept] + damaged(source[kept:], other, TOKENS, chance)
        with bounded(measured=number % 10 == 0):
            way = compare(text)
        seen[way] += 1
    assert min(seen.values()) > count // 20, seen  # each way it can go was taken often


def test_a_thousand_damaged_traces_are_read_rightly_or_refused_in_one_sentence() -> None:
    run(seed=1, count=1_000)


@pytest.mark.long
def test_a_hundred_thousand_damaged_traces_are_read_rightly_or_refused_in_one_sentence() -> None:
    run(seed=2, count=100_000)
