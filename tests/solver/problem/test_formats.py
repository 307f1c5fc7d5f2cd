"""Each format: real examples are read, what is written reads back, the rest is refused."""

from __future__ import annotations

import json
import re
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.amounts import few
from tests.support.lzstring import compress
from tests.support.puzzles import (
    LINE,
    PAIRS,
    ROWS,
    SDK_PLAIN,
    SIMPLE,
    X_LINK,
    collection_text,
    puzzles,
)
from undoku.errors import PuzzleError, SettingsError
from undoku.solver.problem.lzstring import decompress
from undoku.solver.problem.puzzle import Puzzle, standard_geometry
from undoku.solver.problem.sources import (
    FORMATS,
    collection,
    detect,
    parse_puzzle,
    write,
)
from undoku.solver.problem.variants import (
    jigsaw_geometry,
    latin_geometry,
    with_diagonals,
    with_groups,
    with_windows,
)

SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
BLANK = ". . . . . . . . .\n"
ZEROS = LINE.replace(".", "0")

# SudokuPad's older code: a letter for each run of empty cells.
OLDER = re.sub(r"\.+", lambda run: chr(ord("A") + len(run[0])), LINE)

SDK_STATE = "[Puzzle]\r\n" + "\r\n".join(ROWS) + "\r\n[State]\r\n" + "\r\n".join(["123456789"] * 9)
LIBRARY = f":0300:4:{LINE[:2]}+4{LINE[3:]}:145 217:412 413:naked pair:\n"
XML_1 = f"""<?xml version="1.0" encoding="UTF-8"?>
<opensudoku>
  <name>Evil</name>
  <author>someone</author>
  <!-- May -->
  <game data="{ZEROS}" />
</opensudoku>"""
XML_2 = f"""<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><opensudoku version="2">
<folder name="Easy" created="1243270585535"><game created="0" state="1" time="0" last_played="0"
data="{ZEROS}" note="a &lt;note&gt;" /></folder></opensudoku>"""


def begun(version: int, notes: str, separator: str = "|") -> str:
    """A game in progress: an 8 was placed at r9c9's neighbour r9c7, and there are notes."""
    cells = [f"{mark}|{notes}{separator}{0 if mark != '0' else 1}|" for mark in ZEROS]
    cells[78] = f"1|{notes}{separator}1|"
    return f"version: {version}&#10;" + "".join(cells)


def saved(version: int, data: str) -> str:
    name = "cells_data" if version == 3 else "data"
    return (
        f'<opensudoku version="{version}"><folder name="f"><game state="2" {name}="{data}"/>'
        "</folder></opensudoku>"
    )


X_CELLS = "..7....358.....9...2.67.........356.....1...3..2.8..4....19..5.....5..7.........4"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sdm", LINE),
        ("sdm", f"# a list\n{ZEROS};21;comment\n"),
        ("sdm", f"{LINE},{SOLUTION}"),
        ("grid", "\n".join(ROWS)),
        ("sdk", SDK_PLAIN),
        ("sdk", SDK_STATE),
        ("ss", SIMPLE),
        ("hodoku", f":0000:x:{LINE}:::"),
        ("opensudoku", XML_1),
        ("opensudoku", XML_2),
        ("opensudoku", saved(1, ZEROS)),
        ("opensudoku", saved(2, begun(1, "1,2,"))),
        ("opensudoku", saved(2, begun(2, "511", "||"))),
        ("opensudoku", saved(2, begun(3, "0"))),
        ("opensudoku", saved(3, begun(4, "0|21"))),
        ("opensudoku", saved(3, begun(5, "0|0|7"))),
        ("kaggle", f"quizzes,solutions\n{ZEROS},{SOLUTION}\n"),
        ("kaggle", f"id,puzzle,solution,clues,difficulty\n1,{LINE},{SOLUTION},30,2.2\n"),
        ("sudokupad", f"https://sudokupad.app/classic{OLDER}"),
        ("sudokupad", f"https://sudokupad.app/sudoku/?puzzleid=classic{OLDER}"),
    ],
)
def test_files_of_other_programs_are_recognised_and_read(name: str, text: str) -> None:
    assert detect(text).name == name
    assert str(parse_puzzle(text)) == LINE


def test_a_library_line_is_read_without_the_values_placed_later() -> None:
    puzzle = parse_puzzle(LIBRARY)
    assert str(puzzle) == LINE and puzzle.title == "naked pair"


def test_titles_are_preserved() -> None:
    assert parse_puzzle(SDK_PLAIN).title == "A random puzzle"
    assert parse_puzzle(XML_2).title == "a <note>"
    assert parse_puzzle(f"{LINE}  # Easter, hard").title == "Easter, hard"
    assert parse_puzzle(f"title: One: two\n{LINE}").title == "One: two"


def test_a_collection_may_have_remarks_after_its_puzzles(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text(f"{LINE} // from https://example.org\n{LINE} // 2: the same\n")
    titles = [puzzle.title for puzzle in collection(path)]
    assert titles == ["from https://example.org", "2: the same"]


def test_a_solution_or_a_rating_is_not_a_title() -> None:
    for comment in (SOLUTION, "7.2", "30 2.1"):
        assert parse_puzzle(f"{LINE} {comment}").title == ""


def test_a_published_link_is_read_with_its_diagonals() -> None:
    puzzle = parse_puzzle(X_LINK)
    assert str(puzzle) == X_CELLS
    assert puzzle.problem == with_diagonals(standard_geometry())


def test_both_codes_of_sudokupad_are_read() -> None:
    older = "classicB6B91D7C2E15F4D9C3K6D4B3D25D4F8F87B4C5B7C3B"
    cells = str(parse_puzzle(f"https://sudokupad.app/{older}"))
    assert (
        cells == ".6.91...7..2....15.....4...9..3..........6...4.3...25...4.....8.....87.4..5.7..3."
    )
    assert str(parse_puzzle(f"https://sudokupad.app/classic{PAIRS}")) == LINE


def test_a_code_inside_compressed_json_is_read_with_its_name() -> None:
    packed = compress(json.dumps({"p": PAIRS, "n": "Tuesday", "s": "", "m": ""}))
    puzzle = parse_puzzle(f"https://sudokupad.svencodes.com/puzzle/{packed.replace('/', '%2F')}")
    assert (str(puzzle), puzzle.title) == (LINE, "Tuesday")


def test_f_puzzles_inside_a_sudokupad_link_is_read() -> None:
    packed = X_LINK.partition("=")[2].replace("/", "%2F")
    assert parse_puzzle(f"https://sudokupad.app/fpuzzles{packed}") == parse_puzzle(X_LINK)


def test_a_value_entered_by_a_player_is_not_a_given() -> None:
    content = {"size": 4, "grid": [[{} for _ in range(4)] for _ in range(4)]}
    content["grid"][0][0] = {"value": 1, "given": True}  # type: ignore[index]
    content["grid"][0][1] = {"value": 1}  # type: ignore[index]
    assert parse_puzzle(json.dumps(content)).givens[:2] == (1, 0)


def test_a_board_of_sixteen_is_read_from_letters_and_from_numbers() -> None:
    numbers = [[(4 * r + r // 4 + c) % 16 + 1 for c in range(16)] for r in range(16)]
    spaced = "\n".join(" ".join(f"{value:2}" for value in row) for row in numbers)
    letters = "\n".join("".join(" 123456789ABCDEFG"[v] for v in row) for row in numbers)
    puzzle = parse_puzzle(spaced)
    assert puzzle == parse_puzzle(letters) == parse_puzzle(letters.lower())
    assert (
        puzzle == parse_puzzle(letters.replace("\n", "")) == parse_puzzle(" ".join(spaced.split()))
    )
    assert puzzle.problem == standard_geometry(16) and puzzle.givens[9] == 10


def test_a_latin_square_is_a_grid_without_boxes() -> None:
    puzzle = parse_puzzle("box: none\n1....\n.2...\n..3..\n...4.\n....5\n")
    assert puzzle.problem == latin_geometry(5)
    assert parse_puzzle("size: 5\nbox: none\n1.....2.....3.....4.....5") == puzzle


def test_regions_make_a_jigsaw() -> None:
    rows = ["AAAB", "ACCB", "DDCB", "DDCB"]
    grid = "1...\n....\n....\n....\n"
    expected = Puzzle((1, *[0] * 15), jigsaw_geometry("".join(rows)))
    assert parse_puzzle("regions:\n" + "\n".join(rows) + "\n\n" + grid) == expected
    assert parse_puzzle("regions: " + " ".join(rows) + "\n" + grid) == expected


def test_extra_units_are_named_or_spelled_out() -> None:
    puzzle = parse_puzzle(f"Extra: Diagonals, windows\nunit ring: r1c1 R5C5, r9c9\n{'.' * 81}")
    assert [unit.name for unit in puzzle.problem.units[27:]] == [
        "diagonal 1",
        "diagonal 2",
        "window 1",
        "window 2",
        "window 3",
        "window 4",
        "ring 1",
    ]


def test_a_box_of_another_shape_is_said_in_words() -> None:
    assert parse_puzzle("box: 3x2\n" + "......\n" * 6).problem == standard_geometry(6, (3, 2))


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ("box: 2x5\n" + "\n".join(ROWS), "81 cells|9 lines|cells in this line", 2, None),
        ("# x\nbox: 4x4x4\n" + LINE, "no option 'box: 4x4x4'", 2, None),
        ("colour: red\n" + LINE, "no option 'colour: red'", 1, None),
        ("extra: zigzag\n" + LINE, "no extra units called 'zigzag'", 1, None),
        ("\nunit ring: r1c1 r9c10\n" + LINE, "no cell r9c10", 2, None),
        ("unit ring: nonsense\n" + LINE, "a unit is a list of cells", 1, None),
        ("unit row: r1c1\n" + LINE, "can't be called 'row'", 1, None),
        ("regions: AAAB\n" + LINE, "regions", 1, None),
        ("extra: windows\nbox: none\n" + LINE, "need boxes", 1, None),
        (
            "size: 99999999999999999999\n" + LINE,
            "size 99999999999999999999 is out of range",
            1,
            None,
        ),
        (".....\n" * 5, "no rectangular boxes", 5, None),
        # A number above the size is shown as it is written.
        (BLANK * 4 + ". . . . . . 10 . .\n" + BLANK * 4, "10 is out of range", 5, 13),
        # A clash in a line is shown under the second given.
        (f"id,puzzle\n1,{LINE}\n".replace("....", "...5", 1), "r1c1 and r1c9 both hold 5", 2, 11),
    ],
)
def test_options_and_values_that_do_not_fit_are_named_with_their_place(
    text: str, message: str, line: int, column: int | None
) -> None:
    with pytest.raises(PuzzleError, match=message) as caught:
        parse_puzzle(text)
    place = caught.value.place
    assert place and place.line == line
    assert column in (None, place.column)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SDK_STATE.replace("[Puzzle]", "[Board]"), "neither a value"),
        (f":0000:x:{LINE[1:]}:::", "80 cells where 81 are needed"),
        (f":0000:x:{LINE[:-1]}?:::", r"'\?' is neither a value"),
        (XML_1.replace("</opensudoku>", ""), "not well-formed XML"),
        (XML_1.replace(ZEROS, ZEROS[1:]), "in this game, 80 cells"),
        (XML_1.replace("<opensudoku>", '<opensudoku version="9">'), "version '9'"),
        ("<opensudoku><game/></opensudoku>", "this game has no cells"),
        ("<html><body/></html>", "root is <html>|'<' is neither a value"),
        ('<?xml version="1.0"?><sudoku/>', "root is <sudoku>"),
        (saved(2, begun(3, "0")[:-4]), "not 81 groups"),
        (saved(2, begun(7, "0")), "not 81 groups"),
        (saved(2, begun(3, "0").replace("5|", "x|", 1)), "holds 'x'"),
        ("quizzes,solutions\n" + ZEROS[1:] + ",\n", "80 cells"),
        ("a,puzzle\n1\n", "is in number 2"),
        ("quizzes,solutions\n", "contains no puzzle"),
        ("https://f-puzzles.com/?load=N4IgzgYAAAA", "can't be read"),
        ("https://f-puzzles.com/?load=" + compress("[]"), "not a JSON object"),
        ("https://f-puzzles.com/?load=" + compress("{"), "not a puzzle in JSON"),
        ("https://f-puzzles.com/?id=yhkyz63b", "does not contain its puzzle"),
        ("https://tinyurl.com/abc", "does not contain its puzzle"),
        ('{"size": 4}', "grid is not 4 rows"),
        ('{"size": 400, "grid": []}', "size is not 4 to 25"),
        ("{" * 100_000, "not a puzzle in JSON"),
        ('{"undoku":1,"givens":"1..............."}', "a recorded trace, not a puzzle"),
        ('{"undoku": 1, "size": 4}\n["undo",3]', "a recorded trace, not a puzzle"),
        ('{"size":' + "9" * 10_000 + "}", "not a puzzle in JSON"),
        ("https://sudokupad.app/sclB6B91D7", "SudokuPad's kind 'scl'"),
        ("https://sudokupad.app/4FN8RN9LfN", "does not contain its puzzle"),
        ("https://sudokupad.app/classic#", "not a classic puzzle"),
        ("https://sudokupad.app/classicNOTVALID", "cells where"),
        ("https://sudokupad.app/", "does not contain its puzzle"),
        ('<!DOCTYPE o [<!ENTITY a "ha">]><opensudoku>&a;</opensudoku>', "declares a document type"),
        ('<!DOCTYPE o SYSTEM "file:///etc/passwd"><opensudoku/>', "declares a document type"),
        ('<opensudoku><game data="' + "0" * 3_000_000, "over 262,144"),
        ("https://f-puzzles.com/?load=" + compress("a" * 300_000), "over 262,144"),
    ],
)
def test_a_text_that_cannot_be_read_is_refused_in_one_sentence(text: str, message: str) -> None:
    with pytest.raises(PuzzleError, match=message) as caught:
        parse_puzzle(text, source="sample")
    assert str(caught.value).startswith("sample")
    assert "\n" not in str(caught.value) and caught.value.remedy


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("thermometer", [{"lines": [["R1C1", "R1C2"]]}]),
        ("killercage", [{"cells": ["R1C1"], "value": "5"}]),
        ("antiknight", True),
        ("some-rule-of-tomorrow", [1]),
    ],
)
def test_a_rule_that_units_cannot_express_is_refused(name: str, rule: object) -> None:
    content = {"size": 9, "grid": [[{}] * 9] * 9, name: rule}
    with pytest.raises(PuzzleError, match=f"the rule '{name}'"):
        parse_puzzle(json.dumps(content))


def test_drawings_and_settings_are_not_rules() -> None:
    content = {"size": 9, "grid": [[{}] * 9] * 9, "line": [{}], "antiknight": False, "odd": []}
    assert parse_puzzle(json.dumps(content)).problem == standard_geometry()


WRITTEN = [known.name for known in FORMATS.values() if known.write]
ALONE = [name for name in WRITTEN if not FORMATS[name].several]


@pytest.mark.parametrize("name", WRITTEN)
@given(data=st.data())
def test_a_format_reads_back_what_it_wrote_or_refuses(name: str, data: st.DataObject) -> None:
    puzzle = data.draw(puzzles() | puzzles(st.just(standard_geometry())))
    try:
        text = write(puzzle, name)
    except PuzzleError as error:
        if name != "problem":  # which is for other problems than boards
            assert puzzle.problem != standard_geometry() and name != "grid"
        assert "grid" in error.remedy
        return
    again = parse_puzzle(text)
    assert again == puzzle and again.title in (puzzle.title, "")
    if name == "grid":
        assert getattr(again.problem, "box", None) == getattr(puzzle.problem, "box", None)
        assert again.title == puzzle.title


@pytest.mark.parametrize("name", [known.name for known in FORMATS.values() if known.several])
@given(several=st.lists(puzzles(st.just(standard_geometry())), max_size=5))
@few(8)
def test_a_collection_is_read_puzzle_by_puzzle(name: str, several: list[Puzzle]) -> None:
    text = collection_text(several, name)
    known = FORMATS[name]
    entries = known.read(text.splitlines(keepends=True), "sample")
    assert [entry() for entry in entries] == several
    assert not text or detect(text).read == known.read or not several


@pytest.mark.parametrize("name", ALONE)
def test_a_format_of_one_puzzle_refuses_two(name: str) -> None:
    puzzle = parse_puzzle(LINE)
    with pytest.raises(PuzzleError, match="holds one puzzle, not 2"):
        write([puzzle, puzzle], name)


@pytest.mark.parametrize("add", [with_diagonals, with_windows, with_groups])
@pytest.mark.parametrize("name", ["sdm", "list"])
def test_no_format_drops_a_unit_in_silence(name: str, add: type) -> None:
    with pytest.raises(PuzzleError, match="can't represent this board"):
        write(Puzzle(tuple([0] * 81), add(standard_geometry())), name)


def test_a_suffix_names_a_format_too() -> None:
    assert write(parse_puzzle(LINE), "list.SDM") == LINE + "\n"
    for name in ("pdf", "hodoku", "list.opensudoku"):
        with pytest.raises(SettingsError, match=rf"can't be written as '{name}'.*sdm"):
            write(parse_puzzle(LINE), name)


def test_the_documentation_names_every_format(request: pytest.FixtureRequest) -> None:
    text = (request.config.rootpath / "docs" / "puzzle-formats.md").read_text(encoding="utf-8")
    for known in FORMATS.values():
        assert f"`{known.name}`" in text
        assert all(f"`{suffix}`" in text for suffix in known.suffixes)


def test_the_documented_jigsaw_reads(request: pytest.FixtureRequest) -> None:
    text = (request.config.rootpath / "docs" / "puzzle-formats.md").read_text(encoding="utf-8")
    block = text.partition("this is a jigsaw with diagonals:\n\n")[2].partition("\n\n")[0]
    puzzle = parse_puzzle(textwrap.dedent(block))
    assert puzzle.title == "Four by four"
    assert puzzle.problem == with_diagonals(jigsaw_geometry("AAAB ACCB DDCB DDCB"))


@pytest.mark.parametrize(
    ("text", "packed"),
    [("", "Q==="), ("\u4865\u6c6c\u6f20\u776f\u726c\u6400", "qYShsbQE9o9u6DZOgAJkA===")],
)
def test_the_compression_agrees_with_the_library(text: str, packed: str) -> None:
    assert compress(text) == packed and decompress(packed) == text


@given(st.text() | st.text("ab", max_size=300))
def test_a_compressed_text_reads_back_also_in_the_alphabet_for_links(text: str) -> None:
    packed = compress(text)
    link = packed.replace("/", "-").rstrip("=")
    assert decompress(packed) == decompress(link) == decompress(link + "$") == text
