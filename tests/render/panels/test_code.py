"""The code of a search: made from its strategy, with the current line highlighted and each line
counted.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.command import Undoku
from tests.support.panel_films import BOXES, PanelFilm, panel_film, reads
from tests.support.puzzles import HARD, MEDIUM
from tests.support.system import ROOT
from undoku import Limits, Op, board_at, search
from undoku.errors import SettingsError
from undoku.render.draw.canvas import Pixels
from undoku.render.draw.colour_space import mix
from undoku.render.draw.theme import load_theme
from undoku.render.film.film import Film
from undoku.render.film.scene import Scene
from undoku.render.panels.code import CodePanel
from undoku.render.panels.doors import DoorsPanel
from undoku.render.playback.code_lines import LineRole, code_of, parsed_code, runs_of
from undoku.render.playback.player import Player
from undoku.render.settings.settings import settings_of
from undoku.render.timeline.notes import Note, NoteKind
from undoku.solver.problem.sources import parse_puzzle
from undoku.texts.language import speaking
from undoku.texts.language_files import load_language

OWN = ROOT / "examples" / "code" / "recursive.txt"


def film(strategy: str, **settings: Any) -> Film:
    asked = {"size": "640x360", "fps": 12, "panels": "board,counters,code", "intro": 0,
             "steps_per_second": 6, "to_step": 60, **settings}  # fmt: skip
    return Film([search(MEDIUM.grid, strategy, Limits(max_nodes=300))], settings_of(asked))


@pytest.mark.parametrize(
    ("strategy", "some", "count"),
    [
        ("row-major", "choose a cell: row by row", 8),
        ("mrv/descending", "for each option, highest values first:", 8),
        ("mrv+singles", "fill in what follows: cells with one option and digits with one place", 9),
        ("dom-wdeg+cbj", "take it back: jumps back to the cause", 8),
        ("norvig", "choose a cell: fewest options first", 9),
        ("mrv+forward", "no option left somewhere? go back", 9),
        ("mrv+locked+singles", "cross off what can't be: locked candidates", 10),
        (
            "mrv+singles@root",
            "once, at the start: cells with one option and digits with one place",
            9,
        ),
        ("mrv-random:7+luby:2", "too many dead ends? begin again", 9),
        ("my own solver", "choose an empty cell", 8),
    ],
)
def test_the_code_is_made_from_the_parts_of_the_strategy(
    strategy: str, some: str, count: int
) -> None:
    lines = code_of(strategy)
    assert some in [line.text for line in lines]
    assert len(lines) == count
    assert sum(line.role is LineRole.PLACE for line in lines) == 1


def test_a_noun_at_the_beginning_of_a_strategys_name_stays_capitalised_in_german() -> None:
    with speaking(load_language("de")):
        lines = [line.text for line in code_of("row-major+naked-singles")]
    assert "wähle eine Zelle: Zeile für Zeile" in lines
    assert "trag ein, was folgt: Zellen mit einer Möglichkeit" in lines


@pytest.mark.parametrize(
    "strategy",
    [
        *("row-major", "mrv+singles", "mrv+forward", "norvig", "dancing-links"),
        *("dom-wdeg+nogoods", "mrv-random:7+luby:2", "mrv+singles@root"),
    ],
)
def test_each_line_has_run_as_often_as_the_trace_says(strategy: str) -> None:
    """Counted from the events, with a stack of the values on the board."""
    trace = search(HARD.grid, strategy, Limits(max_nodes=150))
    events = [tuple(event) for chunk in trace.chunks() for event in chunk.tolist()]
    player, counts, standing = Player(trace), Counter[str](), []
    apart = any(line.role is LineRole.INFER for line in code_of(strategy))
    step, beginning_again = 0, False
    for (op, _, _), (following, _, _) in pairwise([*events, (Op.GUESS, 0, 0)]):
        if op > Op.UNDO:
            counts["restart"] += op == Op.RESTART
            beginning_again |= op == Op.RESTART
        elif op != Op.UNDO:
            counts["forced" if op == Op.FORCED else "guess"] += 1
            standing.append([op, False])
            beginning_again = False
        else:
            counts["undo"] += 1
            gone, below = standing.pop()
            if gone != Op.FORCED:
                counts["undone"] += 1
                counts["dead"] += not below and not beginning_again
                for one in standing[::-1]:
                    if one[0] != Op.FORCED:
                        one[1] = True
                        break
        step += op <= Op.UNDO
        if following > Op.UNDO or not step:
            continue  # what belongs to the step is not over
        snapshot = player.advance(step)
        found = {role: runs_of(role, snapshot, forced_apart=apart) for role in LineRole}
        assert found[LineRole.GUESS] == found[LineRole.PLACE] == counts["guess"]
        assert found[LineRole.INFER] == counts["forced"]
        assert found[LineRole.UNDO] == counts["undone" if apart else "undo"]
        assert found[LineRole.DEAD_END] == counts["dead"]
        assert found[LineRole.NODE] == counts["guess"] + 1 + counts["restart"]
        assert found[LineRole.RESTART] == counts["restart"]
        assert found[LineRole.OTHER] is None


def lit_rows(picture: Pixels, made: Film) -> list[int]:
    """The lines with the background of a cell that is tried."""
    scene = Scene(made.script)
    (panel,) = (one for one in scene.panels if isinstance(one, CodePanel))
    area = panel.area
    background = made.theme.trying_cell
    return [
        at for at, top in enumerate(panel.tops)
        if (picture[top + 1, area.x + 1] == background).all()
    ]  # fmt: skip


def test_the_line_of_each_step_is_lit_and_no_other() -> None:
    made = film("row-major", steps_per_second=12)
    trace = made.traces[0]
    events = [op for chunk in trace.chunks() for op in chunk["op"].tolist() if op <= Op.UNDO]
    roles = [line.role for line in code_of("row-major")]
    seen = set()
    pictures = [frame.pixels.copy() for frame in made.frames()]
    for step in range(1, 60):
        (at,) = lit_rows(pictures[step - 1], made)
        expected = {LineRole.PLACE} if events[step - 1] != Op.UNDO else {
            LineRole.UNDO, LineRole.DEAD_END}  # fmt: skip
        assert roles[at] in expected
        seen.add(roles[at])
    assert seen == {LineRole.PLACE, LineRole.UNDO, LineRole.DEAD_END}


@pytest.mark.parametrize(("speed", "shown"), [(12, True), (13, False)])
def test_the_code_is_hidden_above_twelve_steps_a_second(speed: int, shown: bool) -> None:
    made = film("row-major", steps_per_second=speed, fps=60)
    box = made.layout.blocks[0].panels["code"]
    part = slice(box.y, box.bottom), slice(box.x, box.right)
    frames = [frame.pixels[part].copy() for frame in made.draw(
        [made.timeline.shot_at(at) for at in (5, 60, 120)])]  # fmt: skip
    for picture in frames:
        assert (picture != made.theme.background).any() == shown


def test_the_users_code_has_its_marked_lines_lit_and_counted() -> None:
    lines = parsed_code(OWN.read_text().splitlines())
    assert [line.indent for line in lines] == [0, 1, 1, 1, 2, 2, 2, 1]
    marked = {line.role: line.text for line in lines if line.role is not LineRole.OTHER}
    assert marked == {
        LineRole.PLACE: "board[cell] = digit",
        LineRole.UNDO: "board[cell] = 0",
        LineRole.DEAD_END: "return False",
    }
    # Asking for the code asks for its panel.
    made = film("row-major", code=str(OWN), panels=None, steps_per_second=12)
    assert lit_rows(next(iter(made.frames())).pixels, made) == [4]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\ny = 2\n", "no line of the code is marked"),
        ("", "0 lines of code"),
        ("a  # @place\n" + "b\n" * 16, "17 lines of code"),
        ("a  # @place\n" + "b" * 81 + "\n", "a line of 81 characters"),
    ],
)
def test_a_file_that_is_not_code_is_refused_with_its_place(
    undoku: Undoku, tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "mine.py").write_text(text)
    asked = ("render", MEDIUM.grid, "--panels", "board,code", "--code", "mine.py", "-o", "a.mp4")
    done = undoku(*asked, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert "mine.py" in done.stderr


def test_code_without_marks_is_refused_from_python_too() -> None:
    with pytest.raises(SettingsError, match="no line of the code is marked"):
        settings_of({"code": ["x = 1"]})


# The options of a cell as doors.


DARK, BOX = load_theme("dark"), BOXES["doors"]
BEGIN, END = 20, 60
"""The frames of the note."""


def film_of(
    *options: int, value: int = 0, cell: int = 0, until: int = END, **more: Any
) -> PanelFilm:
    """A race of 100 steps, one each frame, with doors for the cell of its first step. If the note
    ends earlier, another one about the same follows."""
    kind = more.pop("kind", NoteKind.CALLOUT)
    bounds = pairwise(sorted({BEGIN, until, END}))
    notes = [
        Note(begin, end, 0, kind, "", placed=cell, options=options, value=value)
        for begin, end in bounds
    ]
    return panel_film(
        DoorsPanel,
        "row-major",
        box="doors",
        notes=notes,
        limits=Limits(max_nodes=60),
        seconds=Fraction(8),
        **more,
    )


def doors(pixels: Pixels) -> list[tuple[int, int]]:
    """(begin, end) of each door in the box."""
    middle = pixels[BOX.y + 1, BOX.x : BOX.right]
    filled = np.append((middle != DARK.background).any(axis=1), False)
    edges = np.flatnonzero(np.diff(filled.astype(int), prepend=0)).tolist()
    return [*zip(edges[::2], edges[1::2], strict=True)]


def inside(pixels: Pixels, door: tuple[int, int]) -> tuple[int, ...]:
    """The colour of a door beside its digit."""
    x = BOX.x + door[0] + 4
    return tuple(pixels[BOX.bottom - 5, x].tolist())


def test_doors_are_shown_on_the_frames_of_their_note_and_cost_nothing_on_others() -> None:
    film = film_of(4, 5, 9)
    frames, single = film.frames_of_runs()
    assert np.array_equal(frames, film.frames())
    shown = [bool((pixels != DARK.background).any()) for pixels in frames]
    assert shown == [BEGIN <= at < END for at in range(len(frames))]
    opening = 8
    steps = film.timeline.shot_at(END).steps[0] - film.timeline.shot_at(BEGIN).steps[0]
    assert single <= opening + steps + 4


def test_doors_open_one_after_the_other_from_the_middle() -> None:
    frames = film_of(4, 5, 9).frames()
    widths = []
    for at in range(BEGIN, BEGIN + 9):
        found = {(begin + end) // 2: end - begin for begin, end in doors(frames[at])}
        near = sorted(found)
        assert all(
            abs(BOX.width - one - other) <= 3 for one, other in zip(near, near[::-1], strict=True)
        )
        widths.append([found[centre] for centre in near])
    assert [len(each) for each in widths] == sorted(len(each) for each in widths)
    assert len(widths[0]) == 1
    assert len(widths[-1]) == 3
    assert len(set(widths[-1])) == 1
    middles = [each[len(each) // 2] for each in widths]
    assert middles == sorted(middles)


def test_doors_stay_open_when_the_next_sentence_about_their_cell_begins() -> None:
    film = film_of(4, 5, 9, until=40)
    frames, _ = film.frames_of_runs()
    assert np.array_equal(frames, film.frames())
    assert all(np.array_equal(pixels, frames[38]) for pixels in frames[30:END])


@pytest.mark.parametrize("options", [(4,), (4, 5, 9), tuple(range(1, 10))])
def test_each_option_has_a_door_with_its_digit(options: tuple[int, ...]) -> None:
    pixels = film_of(*options).frames()[END - 1]
    found = doors(pixels)
    assert len(found) == len(options)
    for value, (begin, end) in zip(options, found, strict=True):
        part = pixels[BOX.y : BOX.bottom, BOX.x + begin : BOX.x + end]
        assert reads(part, str(value), DARK.text)


@pytest.mark.parametrize("kind", [NoteKind.CALLOUT, NoteKind.MISTAKE])
def test_the_door_of_a_value_on_the_board_lights_up_and_the_others_fade(kind: NoteKind) -> None:
    """In the colour of the search, or in that of what is wrong."""
    race = film_of(1)
    steps = [race.timeline.shot_at(at).steps[0] for at in range(END)]
    events = [event for event in race.film.traces[0].read().tolist() if event[0] <= Op.UNDO]
    places = [number for number in range(steps[35], steps[45]) if events[number][0] != Op.UNDO]
    _, value, cell = events[places[0]]
    options = sorted({value, value % 9 + 1, (value + 1) % 9 + 1})
    lit = DARK.undoing if kind is NoteKind.MISTAKE else DARK.search_colour(0)
    film, seen = film_of(*options, value=value, cell=cell, kind=kind), set()
    for at, pixels in enumerate(film.frames()[BEGIN + 8 : END], BEGIN + 8):
        taken = int(board_at(race.film.traces[0], steps[at])[cell]) == value
        seen.add(taken)
        faded = mix(DARK.background, DARK.given_cell, 0.4) if taken else DARK.given_cell
        wanted = [lit if taken and option == value else faded for option in options]
        assert [inside(pixels, door) for door in doors(pixels)] == wanted
    assert seen == {False, True}


def test_of_more_than_nine_options_the_number_of_the_others_is_stated() -> None:
    puzzle = parse_puzzle((ROOT / "examples/puzzles/sixteen.txt").read_text())
    options = tuple(range(1, 15))
    pixels = film_of(*options, value=12, puzzle=puzzle).frames()[END - 1]
    found = doors(pixels)
    assert len(found) == 7
    more = pixels[BOX.y : BOX.bottom, BOX.x + found[-1][1] : BOX.right]
    assert reads(more, "+7", DARK.text)
    first = pixels[BOX.y : BOX.bottom, BOX.x + found[0][0] : BOX.x + found[0][1]]
    last = pixels[BOX.y : BOX.bottom, BOX.x + found[-1][0] : BOX.x + found[-1][1]]
    assert reads(first, "1", DARK.text)
    # The value that is taken is among them.
    assert reads(last, "C", DARK.text)
