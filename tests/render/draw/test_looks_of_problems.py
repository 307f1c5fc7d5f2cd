"""Boards of queens, maps, graphs and of other programs' problems, and the words about them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest

from tests.support.films import film_of, picture_at
from undoku import Puzzle, search
from undoku.cli.solve import solve
from undoku.errors import TraceError
from undoku.render.draw.cell_look import CellKind, CellLook, StepMark, packed, unpacked
from undoku.render.draw.cells import draw_cell
from undoku.render.draw.look import Look
from undoku.render.draw.theme import load_theme
from undoku.render.film.film import Film
from undoku.render.panels.board_looks import field_look
from undoku.render.settings.settings import settings_of
from undoku.render.write.svg import cell_words
from undoku.solver.problem.appearance import Form
from undoku.solver.problem.problem_file import puzzle_of
from undoku.solver.problem.sources import parse_puzzle, read
from undoku.solver.trace.header import header_object, parse_header
from undoku.solver.trace.stream import StreamTrace
from undoku.solver.trace.trace import Header, Outcome

DARK = load_theme("dark")
GRAPH = parse_puzzle(
    '{"variables":5,"values":3,"value":"colour","form":"nodes","pairs":'
    "[[1,2],[2,3],[3,4],[4,5],[5,1],[1,3]]}"
)
PROBLEMS = {
    "queens": read("queens:6"),
    "map": read("map:australia"),
    "graph": GRAPH,
    "towns": parse_puzzle(
        '{"variables":["a","b"],"values":2,"variable":"town","pairs":[["a","b"]]}'
    ),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_every_field_is_on_the_board_and_none_covers_another(name: str) -> None:
    look = Look(PROBLEMS[name].problem)
    squares = look.squares(10, 20, 16)
    assert {field.cell for field in look.fields} == set(range(look.problem.cells))
    for number, square in enumerate(squares):
        assert 10 <= square.x <= square.right <= 10 + 16 * look.side
        assert 20 <= square.y <= square.bottom <= 20 + 16 * look.side
        assert not any(square.overlaps(other) for other in squares[:number])


def test_a_field_of_a_row_shows_its_own_queen_or_whether_it_is_free() -> None:
    fixed = Look(PROBLEMS["queens"].problem).backgrounds([0] * 6)[:6]
    placed = packed(CellLook(CellKind.GUESS, 3))
    free = packed(CellLook(CellKind.PENCIL, candidates=0b100101))
    dead = packed(CellLook(CellKind.PENCIL))

    def words(number: int) -> list[str]:
        return [cell_words(unpacked(field_look(number, one.place), one)) for one in fixed]

    assert words(placed) == ["", "", "guess ♛", "", "", ""]
    assert words(free) == ["candidates ♛", "", "candidates ♛", "", "", "candidates ♛"]
    assert words(dead) == ["no candidate"] * 6


@pytest.mark.parametrize("form", [Form.REGIONS, Form.NODES])
@pytest.mark.parametrize("mark", [StepMark.NONE, StepMark.TRYING, StepMark.PASSING])
def test_a_colour_fills_its_region_and_its_letter_is_legible(form: Form, mark: StepMark) -> None:
    for value in range(1, 6):
        look = CellLook(
            CellKind.FORCED, value, mark=mark, form=form, coloured=True, symbols=tuple("BPCGI")
        )
        pixels = draw_cell(look, 48, DARK).reshape(-1, 3)
        filled = (pixels == DARK.value_colour(value)).all(1)
        assert filled.mean() > 0.25
        assert (pixels == DARK.ink_on(DARK.value_colour(value))).all(1).any()


def test_letters_of_a_map_are_left_out_where_they_could_not_be_read() -> None:
    for value, text, least in ((1, "", 15), (0, "WA", 20)):
        kind = CellKind.FORCED if value else CellKind.EMPTY
        look = CellLook(kind, value, form=Form.REGIONS, coloured=True, text=text)
        for side in range(6, 30):
            colours = {*map(tuple, draw_cell(look, side, DARK)[3:-1, 3:-1].reshape(-1, 3).tolist())}
            assert (len(colours) > 1) == (side >= least), side


def test_a_guessed_colour_of_a_story_has_an_orange_outline_where_its_region_ends() -> None:
    look = CellLook(CellKind.GUESS, 1, form=Form.REGIONS, coloured=True, story=True, sides=1 | 8)
    orange = (draw_cell(look, 48, DARK) == DARK.undoing).all(2)
    assert orange[:36, :12].any(1).all()
    assert orange[-12:, 12:].any(0).all()
    assert not orange[:36, 12:].any()


@pytest.mark.parametrize("language", ["en", "de", "he"])
@pytest.mark.parametrize("name", ["map", "graph", "towns"])
def test_films_of_other_problems_never_speak_of_digits_rows_or_boxes(
    name: str, language: str
) -> None:
    film = film_of("row-major", "mrv", puzzle=PROBLEMS[name], pace="story", language=language)
    texts = [film.title, *film.labels, *(note.text for note in film.notes)]
    wrong = r"digit|\brow|\bbox|Ziffer|Zeile|Block|ספר|שורה|ריבוע"
    assert not [text for text in texts if re.search(wrong, text)]
    assert any(film.notes)


def test_queens_are_called_queens() -> None:
    film = film_of("row-major", puzzle="queens:6", pace="story")
    texts = " ".join(note.text for note in film.notes)
    assert "queens" in film.title
    assert "It guesses column a." in texts


@pytest.mark.parametrize("side", [8, 14, 28])
def test_a_queen_is_seen_on_at_least_half_of_its_field(side: int) -> None:
    empty = Look(read("queens:20").problem).backgrounds([1] + [0] * 19)[0]
    queen = replace(empty, kind=CellKind.GUESS, value=1, story=True)
    shades = [draw_cell(look, side, DARK).astype(int) for look in (empty, queen)]
    seen = abs(shades[1] - shades[0]).max(-1) > 110
    assert min(map(np.ptp, seen.nonzero())) + 1 >= side / 2


def test_a_map_is_filled_with_different_colours_on_both_sides_of_each_border() -> None:
    puzzle = PROBLEMS["map"]
    film = film_of("mrv", puzzle=puzzle, size="640x360", pace="even", theme="dark")
    pixels = picture_at(film, film.timeline.intro + film.timeline.race)
    block, look = film.layout.blocks[0], Look(puzzle.problem)
    shown: dict[int, set[tuple[int, ...]]] = {}
    for field, square in zip(
        look.fields, look.squares(block.board.x, block.board.y, block.cell), strict=True
    ):
        middle = pixels[square.y + square.height // 4, square.right - square.width // 4]
        shown.setdefault(field.cell, set()).add(tuple(middle.tolist()))
    assert all(len(colours) == 1 for colours in shown.values())
    assert set.union(*shown.values()) <= {*DARK.values}
    for cell, other in puzzle.problem.edges:
        assert shown[cell] != shown[other]


@pytest.mark.parametrize(
    ("values", "first", "colour"),
    [
        (["teal", "gold"], "teal", (0, 128, 128)),
        (["teal", "Rothko's red"], "blue", DARK.values[0]),
    ],
)
def test_values_that_name_colours_have_these_colours_and_names(
    values: list[str], first: str, colour: tuple[int, int, int]
) -> None:
    towns = {"variables": ["a", "b"], "values": values, "value": "colour", "pairs": [["a", "b"]]}
    puzzle = puzzle_of(towns, "towns")
    film = film_of("row-major", puzzle=puzzle, size="320x180", pace="even", theme="dark")
    last = picture_at(film, film.timeline.intro + film.timeline.race)
    assert (last == colour).all(-1).any()
    told = film_of("row-major", puzzle=puzzle, pace="story").notes
    assert any(f"It guesses {first}." in note.text for note in told)


TOUR = {"undoku": 3, "rows": 1, "columns": 3, "values": ["♞"], "value": "knight"}


def trace_of_lines(*lines: object) -> StreamTrace:
    return StreamTrace(BytesIO("\n".join(map(json.dumps, lines)).encode()), "t")


def test_a_header_with_rows_and_columns_is_read_and_written_again() -> None:
    header = parse_header(json.dumps(TOUR | {"texts": ["a", "b", "c"], "title": "tour"}), "t")
    look = Look(header.puzzle.problem)
    assert [(field.row, field.column) for field in look.fields] == [(0, 0), (0, 1), (0, 2)]
    assert (look.symbols, [each.text for each in look.backgrounds([0] * 3)]) == (("♞",), [*"abc"])
    again = parse_header(json.dumps(header_object(header)), "t")
    assert (again.puzzle, again.version, again.title) == (header.puzzle, 3, "tour")
    assert Look(again.puzzle.problem).fields == look.fields


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_header_of_a_trace_of_any_problem_is_read_again(name: str) -> None:
    puzzle = PROBLEMS[name]
    again = parse_header(json.dumps(header_object(Header(puzzle))), "t")
    assert again.puzzle == puzzle
    assert again.puzzle.problem.appearance == puzzle.problem.appearance


def test_where_the_header_has_no_rules_the_solver_decides_what_is_solved() -> None:
    moves = [["place", 0, 1], ["place", 1, 1], ["undo", 1], {"outcome": "solved"}]
    tally = trace_of_lines(TOUR, *moves).tally()
    assert (tally.outcome, tally.solutions, tally.undos) == (Outcome.SOLVED, 1, 1)
    assert "solution  r1c1 ♞\n" in f"{solve(trace_of_lines(TOUR, *moves))!r}\n"
    with pytest.raises(TraceError, match="is empty"):
        trace_of_lines({"undoku": 1, "size": 4, "givens": "." * 16}, moves[0], moves[-1]).tally()


def test_a_film_of_such_a_search_counts_what_was_taken_back() -> None:
    moves = [["place", 0, 1], ["place", 1, 1], ["undo", 1], ["place", 2, 1], {"outcome": "solved"}]
    film = Film([trace_of_lines(TOUR, *moves)], settings_of({"pace": "story"}))
    assert film.title == "How many knights are taken back?"
    assert not any(note.options for note in film.notes)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rows": 0}, "a board of 0×3 cells; give rows and columns"),
        ({"columns": "3"}, "'3' is not a number"),
        ({"rows": 100, "columns": 100}, "100×100 cells; .*at most 1,000"),
        ({"values": 26}, "26 values"),
        ({"texts": ["a"]}, "1 texts for 3"),
        ({"texts": ["a", "b", 3]}, "3 is not a line of text"),
        ({"value": 5}, "5 is not a text"),
    ],
)
def test_a_wrong_header_of_version_3_is_refused_with_the_mistake(
    change: dict[str, object], message: str
) -> None:
    with pytest.raises(TraceError, match=message):
        parse_header(json.dumps(TOUR | change), "t")


def test_a_header_cannot_name_a_problem_instead_of_describing_it() -> None:
    with pytest.raises(TraceError, match="problem 'map:usa' is not an object"):
        parse_header('{"undoku":3,"problem":"map:usa"}', "t")


def test_version_1_does_not_know_members_of_version_3() -> None:
    header = parse_header(json.dumps(TOUR | {"undoku": 1, "givens": "." * 81}), "t")
    assert header.puzzle == Puzzle((0,) * 81)


def test_parts_of_a_graph_without_an_edge_between_them_stay_together() -> None:
    content = {"variables": 7, "values": 3, "pairs": [["1", "2"], ["2", "3"], ["4", "5"]]}
    assert Look(puzzle_of(content, "apart").problem).side < 12


def test_nodes_without_places_are_apart_and_the_same_each_time() -> None:
    places = np.array([field[1:3] for field in Look(GRAPH.problem).fields])
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1)) + 9 * np.eye(5)
    assert apart.min() >= 1
    assert Look(GRAPH.problem).fields == Look(GRAPH.problem).fields
    assert search(GRAPH, "mrv").tally().solutions == 1
