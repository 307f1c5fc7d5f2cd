"""Traces as JSON Lines: what is read back, and how the first wrong line is named."""

from __future__ import annotations

import gzip
import io
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.puzzles import damaged
from tests.support.system import bounded
from undoku.errors import ReadError, TraceError
from undoku.solver.problem.problem import Unit
from undoku.solver.problem.puzzle import Puzzle, standard_geometry
from undoku.solver.problem.sources import as_puzzle
from undoku.solver.problem.variants import (
    jigsaw_geometry,
    latin_geometry,
    with_diagonals,
    with_units,
)
from undoku.solver.trace.header import MAX_LINE_BYTES
from undoku.solver.trace.recorded import FileTrace, MemoryTrace, holds_trace
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.stream import StreamTrace
from undoku.solver.trace.trace import Header, Op, Outcome, Trace
from undoku.solver.trace.writing import write_lines

EASY = "500080106000073284407120003709260000003045010001000625090704030070002890125900000"
EMPTY_4 = '{"undoku":1,"size":4,"givens":"1..............."}\n'


def text_of(trace: Trace) -> str:
    return "".join(write_lines(trace))


def read(text: str | bytes) -> StreamTrace:
    raw = text.encode() if isinstance(text, str) else text
    return StreamTrace(io.BytesIO(raw), "t.jsonl")


def refusal(body: str | bytes, header: str = EMPTY_4) -> TraceError:
    raw = body.encode() if isinstance(body, str) else body
    with pytest.raises(TraceError) as caught:
        read(header.encode() + raw).tally()
    assert "\n" not in str(caught.value)
    return caught.value


def test_every_kind_of_event_is_spelled_as_documented_and_read_back() -> None:
    header = Header(as_puzzle("5" + "." * 80), title="Zürich 数独")
    events = [
        (Op.GUESS, 1, 1),
        (Op.ELIMINATE, 9, 80),
        (Op.FORCED, 2, 2),
        (Op.UNDO, 2, 2),
        (Op.RESTORE, 9, 80),
        (Op.UNDO, 1, 1),
    ]
    text = text_of(MemoryTrace(header, events, Outcome.EXHAUSTED))
    assert text.splitlines()[1:] == [
        '["place",1,1]',
        '["eliminate",80,9]',
        '["place",2,2,"forced"]',
        '["undo",2]',
        '["restore",80,9]',
        '["undo",1]',
        '{"outcome":"exhausted"}',
    ]
    again = read(text)
    assert again.header == header
    assert again.read().tolist() == [tuple(map(int, event)) for event in events]
    assert again.tally().outcome is Outcome.EXHAUSTED


def test_spaces_blank_lines_carriage_returns_and_a_byte_order_mark_do_not_matter() -> None:
    plain = EMPTY_4 + '["place",1,2]\n["place",2,3,"forced"]\n["undo",2]\n{"outcome":"capped"}\n'
    odd = (
        "\ufeff" + EMPTY_4.replace("\n", "\r\n") + '["place", 1, 2]\r\n\n'
        '  [ "place" ,2,3 , "forced" ]  \n["undo",   2]\n\t\n{ "outcome" : "capped" }'
    )
    assert read(odd).read().tolist() == read(plain).read().tolist()
    assert read(odd).tally() == read(plain).tally()


def test_members_of_the_header_and_the_outcome_that_are_not_known_are_left_alone() -> None:
    header = '{"undoku":1,"size":4,"givens":"................","solver":"mine 1.0"}\n'
    trace = read(header + '["place",0,1]\n{"outcome":"capped","seconds":0.5}\n')
    assert trace.tally().places == 1


@pytest.mark.parametrize(
    ("body", "line", "says"),
    [
        ('["undo",1]\n', 2, "r1c2 is undone, but nothing was placed"),
        ('["place",1,2]\n["undo",0]\n', 3, "r1c1 is undone, but nothing was placed"),
        ('["place",0,2]\n', 2, "r1c1 is a given"),
        ('["place",1,2]\n["place",1,3]\n', 3, "r1c2 holds 2 already"),
        ('["place",1,5]\n', 2, "value 5 is out of range 1 to 4"),
        ('["place",1,0]\n', 2, "value 0 is out of range 1 to 4"),
        ('["place",1,-1]\n', 2, "value -1 is out of range"),
        ('["place",1,256]\n', 2, "value 256 is out of range"),
        ('["place",16,1]\n', 2, "no cell 16: this board has the cells 0 to 15"),
        ('["place",-1,1]\n', 2, "no cell -1"),
        ('["place",65537,1]\n', 2, "no cell 65537"),
        ('["place",1,2]\n["place",2,3]\n["undo",1]\n', 4, "r1c2 is undone before r1c3"),
        ('\n\n["place",1,2]\n\n["undo",2]\n', 6, "r1c3 is undone"),
        ('["remove",1]\n', 2, 'there is no event ["remove", 1]'),
        ('["place",1]\n', 2, 'there is no event ["place", 1]'),
        ('["place",1,2,"guess"]\n', 2, "there is no event"),
        ('["undo",1,2]\n', 2, "there is no event"),
        ('[["place"],1,2]\n', 2, "there is no event"),
        ("[]\n", 2, "this is not an event"),
        ("7\n", 2, "this is not an event"),
        ('["place",1.0,2]\n', 2, "cell and value must be whole numbers"),
        ('["place",true,2]\n', 2, "cell and value must be whole numbers"),
        ('["place","1",2]\n', 2, "cell and value must be whole numbers"),
        ('["place",1,2\n', 2, "this line is not JSON"),
        ('["place",01,2]\n', 2, "this line is not JSON"),
        ('["place",1,2]]\n', 2, "this line is not JSON"),
        ("hello\n", 2, "this line is not JSON"),
        ('["eliminate",1,2]\n["eliminate",1,2]\n', 3, "2 is eliminated from r1c2 twice"),
        ('["eliminate",0,2]\n', 2, "eliminated from r1c1, which holds 1"),
        ('["restore",1,2]\n', 2, "was not eliminated from it"),
        ('["eliminate",1,2]\n["place",1,2]\n', 3, "2 was eliminated from r1c2"),
        (
            '["place",1,2]\n["eliminate",2,3]\n["undo",1]\n',
            4,
            "r1c2 is undone before 3 is restored to r1c3",
        ),
        (
            '["eliminate",2,3]\n["place",1,2]\n["restore",2,3]\n',
            4,
            "3 is restored to r1c3 before r1c2 is undone",
        ),
        ('{"outcome":"won"}\n', 2, '"won" is not an outcome'),
        ('{"outcome":["solved"]}\n', 2, "is not an outcome"),
        ("{}\n", 2, "null is not an outcome"),
        ('{"outcome":"capped"}\n["place",1,2]\n', 3, "a line after the outcome"),
        ('{"outcome":"capped"}\n\n \n  {"outcome":"capped"}\n', 5, "a line after the outcome"),
        ('["place",1,2]\n{"outcome":"solved"}\n', 3, "says solved, but r1c3 is empty"),
        (
            "".join(f'["place",{cell},{1 + cell % 4}]\n' for cell in range(1, 16))
            + '{"outcome":"solved"}\n',
            17,
            "the trace says solved, but r1c1 and r2c1 both hold 1, which column 1 may hold "
            "only once",
        ),
        # A last line that is wrong, and not just cut off.
        *(
            ('["place",1,2]\n' + rest, 3, says)
            for rest, says in (
                ('["place",2,3x', "this line is not JSON"),
                ("nonsense", "this line is not JSON"),
                ('["undo",5]', "r2c2 is undone"),
                ('{"outcome":"no"}', "is not an outcome"),
            )
        ),
    ],
)
def test_the_first_wrong_line_is_named_with_its_number_and_what_is_wrong(
    body: str, line: int, says: str
) -> None:
    error = refusal(body)
    assert error.place is not None
    assert (error.place.source, error.place.line) == ("t.jsonl", line)
    assert says in str(error)
    assert error.remedy


def test_a_wrong_line_far_down_is_named_with_its_own_number() -> None:
    many = '["place",1,2]\n["undo",1]\n' * 60_000
    error = refusal(many + "\n" + many + '["undo",1]\n' + many)
    assert error.place is not None
    assert error.place.line == 1 + 120_000 + 1 + 120_000 + 1


def test_a_long_first_line_and_a_long_whole_line_are_refused_too() -> None:
    with pytest.raises(TraceError, match=r"line 1.*bytes long"):
        read(b'{"undoku":1,' + b" " * (1 << 20))
    error = refusal('["place",1,2]\n["place",2' + " " * MAX_LINE_BYTES + ",3]\n")
    assert error.place is not None
    assert error.place.line == 3
    assert "bytes long" in str(error)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b'["place",1,\x002]\n', "byte 0x00 at column 12 is not text"),
        (b"\0" * 50 + b"\n", "byte 0x00 at column 1 is not text"),
        (b"\0" * 50, "byte 0x00 at column 1 is not text"),
        (b'["place",1,2]\n["pl\xff"]\n', "byte 0xff at column 5 is not text"),
    ],
)
def test_bytes_that_are_not_text_are_named(body: bytes, says: str) -> None:
    assert says in str(refusal(body))


@pytest.mark.parametrize(
    "rest",
    [
        "",
        "[",
        '["pla',
        '["place"',
        '["place",',
        '["place",2',
        '["place",2,',
        '["place",2,3',
        '["undo",-',
        '["place",2,3,"forced"',
        "{",
        '{"outc',
        '{"outcome":',
        '{"outcome":"sol',
    ],
)
def test_a_trace_cut_in_the_middle_of_a_line_is_read_up_to_there_and_flagged(rest: str) -> None:
    trace = read(EMPTY_4 + '["place",1,2]\n' + rest)
    assert trace.read().tolist() == [(0, 2, 1)]
    assert trace.tally().outcome is Outcome.CAPPED
    assert trace.cut


def test_a_gzip_file_cut_anywhere_is_read_up_to_the_cut(tmp_path: Path) -> None:
    whole = gzip.compress(text_of(search(EASY)).encode())
    complete = search(EASY).read()
    path = tmp_path / "cut.jsonl.gz"
    for length in range(200, len(whole) - 8, 37):
        path.write_bytes(whole[:length])
        try:
            trace = FileTrace(str(path))
        except TraceError as error:
            assert "line 1" in str(error)
            continue
        events = trace.read()
        np.testing.assert_array_equal(events, complete[: len(events)])
        assert trace.cut or len(events) == len(complete)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="can't be read"):
        FileTrace("a\0b")
    damaged = tmp_path / "damaged.jsonl.gz"
    damaged.write_bytes(gzip.compress(b"x" * 5000)[:12] + b"\xff" * 50)
    with pytest.raises(TraceError, match="gzip file is damaged"):
        FileTrace(str(damaged))
    # A short file is known to be damaged when only its kind is determined.
    damaged.write_bytes(gzip.compress(b"{}")[:-8] + bytes(8))
    assert holds_trace(str(damaged))


# Traces damaged at random are read correctly or refused in one sentence, as an oracle decides,
# with bounded memory and time.


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
