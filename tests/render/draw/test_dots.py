"""Candidates as dots, in pictures and in documents."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from io import BytesIO
from itertools import product

import numpy as np
import pytest

from tests.support.films import beat_of, film_of, picture_at
from undoku import Op, Puzzle, board_at, search
from undoku.cli.solve import solve
from undoku.errors import TraceError
from undoku.render.draw.canvas import Pixels
from undoku.render.draw.cell_look import CellKind, CellLook, StepMark, packed, unpacked
from undoku.render.draw.cells import draw_cell
from undoku.render.draw.look import Look
from undoku.render.draw.shapes import Stroke
from undoku.render.draw.theme import load_theme
from undoku.render.draw.vector_cells import cell_curves
from undoku.render.film.film import Film
from undoku.render.film.scene import Scene
from undoku.render.panels.board_looks import field_look
from undoku.render.playback.player import Player
from undoku.render.playback.step_reasons import candidates
from undoku.render.playback.verdict import verdict_of
from undoku.render.settings.settings import settings_of
from undoku.render.timeline.beats import BeatKind
from undoku.render.timeline.notes import Note, NoteKind
from undoku.render.write.svg import cell_words
from undoku.solver.problem.appearance import Form
from undoku.solver.problem.problem_file import puzzle_of
from undoku.solver.problem.sources import parse_puzzle, read
from undoku.solver.trace.header import header_object, parse_header
from undoku.solver.trace.stream import StreamTrace
from undoku.solver.trace.trace import Header, Outcome

DARK = load_theme("dark")


def dotted(values: int, *options: int) -> CellLook:
    mask = sum(1 << value - 1 for value in {*options})
    return CellLook(CellKind.PENCIL, candidates=mask, story=True, values=values)


def discs(look: CellLook, side: int) -> dict[tuple[float, float], float]:
    """The area of each dot of a picture, in pixels, by its centre."""
    plain = draw_cell(look._replace(kind=CellKind.EMPTY), side, DARK).astype(float)
    ink = np.array(DARK.muted, float) - DARK.cell
    cover = ((draw_cell(look, side, DARK) - plain) @ ink) / (ink @ ink)
    found = {}
    left = {*zip(*(places.tolist() for places in np.nonzero(cover > 0.01)), strict=True)}
    while left:
        group = [left.pop()]
        for row, column in group:
            beside = {(row + y, column + x) for y, x in product((-1, 0, 1), repeat=2)} & left
            left -= beside
            group += beside
        weights = np.array([cover[place] for place in group])
        y, x = (weights @ np.array(group)) / weights.sum() + 0.5
        found[float(x), float(y)] = float(weights.sum())
    return found


@pytest.mark.parametrize("values", [4, 9, 16, 25])
@pytest.mark.parametrize("side", [32, 48, 96])
def test_each_candidate_is_a_dot_at_the_place_of_its_value(values: int, side: int) -> None:
    options = [1, 2, values - 2, values]
    across = int(values**0.5)
    found = discs(dotted(values, *options), side)
    places = {(int(x / side * across), int(y / side * across)) for x, y in found}
    assert places == {((each - 1) % across, (each - 1) // across) for each in {*options}}
    assert len({round(area) for area in found.values()}) <= 2
    if values == 9:
        # Two pixels wide when the picture is 390 pixels wide and the cell 13.
        assert min(found.values()) > 0.75 * (2 / 13 * side) ** 2


@pytest.mark.parametrize("value", [1, 5, 9])
def test_a_single_candidate_is_a_larger_dot_in_the_middle(value: int) -> None:
    (((x, y), area),) = discs(dotted(9, value), 48).items()
    assert (x, y) == pytest.approx((24.5, 24.5), abs=0.1)
    assert area > 2 * max(discs(dotted(9, 1, 9), 48).values())


def test_a_cell_without_candidates_has_a_cross_and_struck_ones_are_not_shown() -> None:
    none = CellLook(CellKind.PENCIL)
    assert np.array_equal(draw_cell(none._replace(story=True), 48, DARK), draw_cell(none, 48, DARK))
    look = dotted(9, 2, 3)
    struck = look._replace(struck=0b1000)
    assert np.array_equal(draw_cell(struck, 48, DARK), draw_cell(look, 48, DARK))


def test_documents_have_the_dots_of_pictures() -> None:
    look, side = dotted(9, 1, 5, 6), 48
    (stroke,) = (each for each in cell_curves(look, side, DARK) if isinstance(each, Stroke))
    found = discs(look, side)
    centres = sorted(point for (point,) in stroke.lines)
    assert sorted(found) == [pytest.approx(each, abs=0.1) for each in centres]
    assert found
    area = np.pi * stroke.width**2 / 4
    assert all(each == pytest.approx(area, rel=0.05) for each in found.values())


def test_a_board_with_dots_shows_the_candidates_of_its_state() -> None:
    film = film_of("row-major", size="640x360")
    scene, trace = Scene(film.script), film.traces[0]
    shot = film.shot_of_step(3)
    scene.paint(shot, [Player(trace).advance(3)])
    board, block = board_at(trace, 3), film.layout.blocks[0]
    _, _, last = [event for event in trace.read().tolist() if event[0] <= Op.UNDO][2]
    puzzle, side = trace.header.puzzle, block.cell
    seen = 0
    for cell, look in enumerate(Look(puzzle.problem).backgrounds(puzzle.givens)):
        square = Look(puzzle.problem).squares(block.board.x, block.board.y, side)[cell]
        options = candidates(puzzle, board, cell)
        if board[cell] or not options or cell == last:
            continue
        wanted = dotted(0, *options)._replace(left=look.left, top=look.top)
        assert np.array_equal(part_of(scene.canvas.pixels, *square), draw_cell(wanted, side, DARK))
        seen += 1
    assert seen > 30


def part_of(pixels: Pixels, x: int, y: int, width: int, height: int) -> Pixels:
    return pixels[y : y + height, x : x + width]


def test_the_only_option_pulses_in_the_colour_of_its_search_until_it_is_taken() -> None:
    film = film_of("row-major", "mrv", size="1280x720")
    taken = film.timeline.frame_of(1, 2)
    _, value, cell = film.traces[1].read().tolist()[1]
    note = Note(
        taken - 30, taken + 30, 1, NoteKind.CALLOUT, "", rings_end=taken + 30,
        placed=cell, options=(value,), value=value,
    )  # fmt: skip
    scene = Scene(replace(film.script, notes=(note,)))
    block = film.layout.blocks[1]
    square = Look(film.headers[1].puzzle.problem).squares(*block.board[:2], block.cell)[cell]
    players, sizes = [Player(trace) for trace in film.traces], []
    colour = film.theme.search_colour(1)
    for frame in range(taken - 30, taken + 30):
        shot = film.timeline.shot_at(frame)
        now = zip(players, shot.steps, strict=True)
        scene.paint(shot, [player.advance(step) for player, step in now])
        middle = part_of(scene.canvas.pixels, *square)[8:-8, 8:-8]
        sizes.append(int((middle == colour).all(axis=2).sum()))
    assert sizes[30:] == [0] * 30
    assert min(sizes[10:30]) > 0
    assert max(sizes) > 1.3 * min(sizes[10:30])


@pytest.mark.parametrize("duration", ["6s", "20s"])
def test_a_story_has_dots_only_after_a_sentence_has_explained_them(duration: str) -> None:
    """A short one has no beat about a first step."""
    film = film_of("row-major", "mrv", duration=duration)
    explained = any("Dots" in note.text for note in film.notes)
    assert explained == (duration == "20s")
    race = beat_of(film, BeatKind.RACE)
    pixels = picture_at(film, race.start + race.frames // 8)
    block, puzzle = film.layout.blocks[1], film.headers[1].puzzle
    square = Look(puzzle.problem).squares(*block.board[:2], block.cell)[80]
    inside = part_of(pixels, *square)[8:-8, 8:-8]
    assert bool((inside != DARK.cell).any()) == explained


# Boards of queens, maps, graphs and of other programs' problems, and the words about them.


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
    with film.typesetting.within():
        assert "queens" in verdict_of(film.headers, film.tallies).reason
    assert "6 safe squares. A guess." in texts


@pytest.mark.parametrize("side", [8, 14, 28])
def test_a_queen_is_seen_on_at_least_half_of_its_field(side: int) -> None:
    empty = Look(read("queens:20").problem).backgrounds([1] + [0] * 19)[0]
    queen = empty._replace(kind=CellKind.GUESS, value=1, story=True)
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
    assert any(f"Guess: {first}." in note.text for note in told)


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
    assert "solution  \n♞..\n" in f"{solve(trace_of_lines(TOUR, *moves))!r}\n"
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
