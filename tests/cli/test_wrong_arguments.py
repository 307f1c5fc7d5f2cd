"""Wrong arguments of public functions are refused in one sentence, whatever goes wrong inside."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import undoku
from tests.support.command import Undoku, commands, options_of, run_undoku
from tests.support.puzzles import EASY, MEDIUM
from undoku.cli.list import matching, rows_of
from undoku.render.film.film import Film

TRACE = undoku.search(EASY.grid, "mrv")
JOBS = {"jobs": [{"puzzles": [EASY.grid], "strategies": ["mrv"]}]}
GIF = (EASY.grid, "mrv", "x.gif")

WRONG: dict[str, list[tuple[Any, ...] | dict[str, Any]]] = {
    "batch": [(5,), ("none.toml",), ({"jobs": 5},), ({5: 5},), (JOBS, 5), {"jobs": -1}],
    "board_at": [(TRACE, -1), (TRACE, "x"), (EASY.grid, 3), (None, 0), (TRACE, 1 << 60)],
    "calls": [(5,), ("x",), (None,), ([1, 2, 3],), (len,)],
    "chart": [(5,), (EASY.grid, "nope"), (None,), {"size": (0, 0)},
              {"size": (0.001, 9)}, {"size": 5}, {"theme": 5},
              {"title": 5}, {"max_nodes": -1}, {"max_seconds": "x"}],
    "check": [(5,), (None,), (EASY.grid,), ("none.jsonl",), (object(),)],
    "compare": [(5,), (EASY.grid, "nope"), (EASY.grid, 5), (EASY.grid, None), (*GIF[:2], "x.xyz")],
    "film": [(5, "x.gif"), (EASY.grid, "nope"), {"fps": "x"}, {"captions": 5}, {"at_step": "x"},
             {"marks": 5}, {"max_seconds": "x"}, {"title": 5}, {"nonsense": 1}],
    "frames": [(), (5,), (EASY.grid, "nope"), {"fps": -1}, {"size": 5}],
    "generate": [("x",), (-1,), {"size": 3}, {"extra": 5}, {"symmetry": 5}, {"target": 5},
                 {"attempts": "x"}, {"givens": 2.5}],
    "load_theme": [("nope",), (5,), ("none.toml",), (None,), ("",)],
    "open_trace": [("none.jsonl",), (5,), (None,), ("",), (EASY.grid,)],
    "parse_puzzle": [("",), (5,), (None,), ("xyz",), (b"12",)],
    "parts": [(5,), ("cells",), (None,), (object(),), ([],)],
    "plan": [([5], "x", undoku.Pace()), (5, 60, undoku.Pace()), ([5], 60, None), (None, 60, None),
             ([-5], 60, undoku.Pace()), ([5], 0, undoku.Pace()), {"hold": -1}],
    "read_frames": [("none.gif",), (5,), (None,), ("",), ("..",)],
    "register": [(5,), (None,), ("x",), (1.5,), ([],)],
    "search": [(5,), ("",), (EASY.grid, "nope"), (EASY.grid, 5), (EASY.grid, "mrv", 5)],
    "solve": [(), (5,), (EASY.grid, "nope"), (b"x",), {"max_nodes": "x"}, {"max_seconds": "x"},
              {"exhaustive": "x"}],
    "standard_geometry": [(0,), ("x",), (9, (2, 2)), (9, 5), (9, (3,)), (9, ("a", "b"))],
    "stats": [(), (5,), (EASY.grid, "nope"), {"max_nodes": 0}, {"max_seconds": "x"}],
    "strategies": [(5,), ([1],), (object(),), (b"x",), (1.5,)],
    "study": [(5,), (None,), ([5],), ([EASY.grid], "nope"), {"seeds": "x"}, {"jobs": "x"},
              {"seed": -1}, {"labels": 5}, {"language": 5}, {"output": 5}, {"max_seconds": "x"}],
    "trace": [(5,), (None,), (EASY.grid, "nope"), (EASY.grid, 5), ("none.jsonl",)],
    "watch": [(5,), ([[0] * 5] * 5,), ([object()],), {"values": 5}, {"values": [[1]]},
              {"empty": [1]}, (np.array(5),), (np.zeros((0, 0)),), ([[[]] * 5] * 5, "queens:5")],
    "write_film": [(5, ["x.gif"]), (None, []), (TRACE, "x.gif"), (TRACE, 5), (TRACE, [5])],
    "write_lines": [(5,), (None,), (EASY.grid,), (object(),), ([],)],
    "write_trace": [(5, "x.jsonl"), (TRACE, "x.xyz"), (TRACE, 5), (TRACE, None), (None, "x.jsonl")],
}  # fmt: skip
"""Per function: positional arguments, or named ones after USUAL."""

USUAL: dict[str, tuple[Any, ...]] = {
    "film": GIF, "study": ([EASY.grid],), "generate": (), "watch": ([[0] * 9] * 9,),
    "batch": (JOBS,), "plan": ([5], 60, undoku.Pace()),
}  # fmt: skip
NAMES: list[str] = getattr(undoku, "__all__")  # noqa: B009  (the stub does not repeat the names)
FUNCTIONS = [name for name in NAMES if inspect.isroutine(getattr(undoku, name))]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_wrong_arguments_are_refused_in_one_sentence(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(WRONG[name]) >= 5
    for wrong in WRONG[name]:
        given, named = wrong, {}
        if isinstance(wrong, dict):
            given, named = USUAL.get(name, (EASY.grid,)), wrong
        with pytest.raises(undoku.UndokuError) as refused:
            done = getattr(undoku, name)(*given, **named)
            if isinstance(done, Iterator):
                next(done)
        assert "\n" not in str(refused.value), wrong
    assert not list(tmp_path.iterdir())


def test_the_sentence_names_the_argument_and_what_it_takes() -> None:
    wrong: Any = "x"
    with pytest.raises(
        undoku.SettingsError, match=r"^undoku.board_at: step must not be 'x'; give"
    ) as refused:
        undoku.board_at(TRACE, wrong)
    assert isinstance(refused.value.__cause__, TypeError | ValueError)  # for whoever looks for it


def test_a_call_with_an_unknown_argument_is_refused_by_python() -> None:
    call: Any = undoku.solve
    with pytest.raises(TypeError, match=r"^solve\(\) got an unexpected keyword argument 'nodes'"):
        call(EASY.grid, nodes=5)


def test_errors_of_a_function_that_is_given_are_its_own() -> None:
    def solve(rows: list[list[int]]) -> None:
        raise TypeError("mine")

    with pytest.raises(TypeError, match="mine"):
        undoku.study([EASY.grid], solve)


def test_a_public_function_can_be_sent_to_another_process() -> None:
    sent: Callable[..., Any] = pickle.loads(pickle.dumps(undoku.solve))
    assert sent is undoku.solve


# A mistake in a command, and an invalid value of any option, gets one sentence with the right
# exit code, and nothing is written; words that find strategies.


RENDER = ("render", EASY.grid)
PIPE = ("render", EASY.grid, "-s", "mrv", "--size", "320x180")
SHORT = ("render", MEDIUM.grid, "-s", "mrv", "--size", "320x180", "--duration", "12s")
MINIMAL = ("generate", "--extra", "groups", "--attempts", "1", "--givens", "17")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("solve", "none.txt"), 3, "none.txt"),
        (("solve", EASY.grid[:-1]), 2, "80"),
        (("solve", EASY.grid, "--strategy", "mvr"), 2, "did you mean mrv?"),
        (("solve", EASY.grid, "--max-nodes", "0"), 2, "0 is not a whole number of 1 or more"),
        (("solve", ""), 2, "the puzzle argument is empty"),
        (("clean", "none"), 3, "there is no folder 'none'"),
        (("clean", "x" * 300), 3, "can't be read: File name too long"),
        (("flim",), 2, "'flim'"),
        (("trace", EASY.grid, "--label", "a", "--label", "b"), 2, "2 labels for 1 search"),
        (("chart", "x", "-o", "y.png", "--labl=a"), 2,
         "undoku chart: error: there is no option '--labl'; did you mean --label? see undoku"),
        (("trace", "one", "more"), 2,
         "undoku trace: error: there is no place for 'more'; see undoku trace --help\n"),
        (("render", EASY.grid, "mvr"), 3, "there is no file or strategy 'mvr'; did you mean mrv?"),
        # A value is reported with its option and with what is valid.
        ((*RENDER, "--duration", "soon"), 2,
         "undoku render: error: argument --duration: 'soon' is not a valid duration; write it as "
         "20s, 1m30s or 1:30; see undoku render --help\n"),
        ((*RENDER, "--max-seconds", "soon"), 2,
         "argument --max-seconds/--max-time: 'soon' is not a valid duration; write it as 20s, "
         "1m30s or 1:30;"),
        ((*RENDER, "--fps", "0"), 2,
         "argument --fps: 0 frames per second is out of range; take 0.1 to 240;"),
        ((*RENDER, "--loop", "70000"), 2,
         "argument --loop: 70000 is not a whole number from 0 to 65535;"),
        ((*RENDER, "--clock", "wall"), 2,
         "argument --clock: there is no clock 'wall'; known: steps, finish, time;"),
        ((*RENDER, "--card", "25h"), 2,
         "argument --card: 90000 seconds is out of range; take 0 s to 24 h;"),
        ((*RENDER, "--max-size", "lots"), 2,
         "argument --max-size: 'lots' is not a valid file size; write it as 5MB or 800k;"),
        # What only packages of others know.
        ((*RENDER, "--panels", "board,undo-runs", "-o", "a.gif"), 2,
         "there is no panel 'undo-runs'"),
        ((*RENDER, "-o", "a.y4m"), 2, "'a.y4m' ends in no known format"),
        ((*RENDER, "-s", "diagonal", "-o", "a.gif"), 2, "diagonal"),
        # What is written, and where.
        ((*RENDER, "-o", "film.mkv"), 2, "ends in no known format"),
        ((*RENDER, "-o", "film.mp"), 2, "did you mean film.mp4?"),
        ((*RENDER, "-o", "a.gif", "-o", "a.gif"), 2, "named twice"),
        ((*RENDER, "-o", "no/where.gif"), 3, "there is no folder 'no'"),
        ((*RENDER, "-o", "f/%d.png", "--max-size", "5MB"), 2, "is not a film in one file"),
        ((*SHORT, "-o", "a.mp4", "--captions", "no/a.srt"), 3, "there is no folder 'no'"),
        ((*SHORT, "-o", "a.mp4", "--captions", "a.txt"), 2, "has no format of captions"),
        ((*SHORT, "-o", "a.mp4", "--marks", "a.xml"), 2, "has no format of marks"),
        ((*SHORT, "-o", "a.mp4", "--marks", "a.chapters.txt"), 2,
         "YouTube requires at least 3 chapters of 10 s each"),
        ((*RENDER, "--at-step", "3", "-o", "a.png", "--marks", "a.edl"), 2, "marks need a film"),
        ((*RENDER, "--at-step", "3", "-o", "a.png", "--captions", "a.srt"), 2,
         "not a single picture"),
        ((*RENDER, "--filmstrip", "3", "-o", "a.png", "--captions", "a.srt"), 2,
         "not a single picture"),
        ((*SHORT, "--highlights", "--for", "x", "-o", "a.gif", "-o", "a.mp4"), 2,
         "both would write 'a.highlights.json'"),
        # How a film looks, and how long it lasts.
        ((*RENDER, "-o", "a.gif", "--size", "321x180"), 2, "odd side"),
        ((*RENDER, "-o", "a.gif", "--size", "7x7"), 2, "take 160 to 8192"),
        ((*RENDER, "-o", "a.gif", "--fps", "0"), 2, "out of range"),
        ((*RENDER, "-o", "a.gif", "--theme", "drak"), 2, "no theme 'drak'"),
        ((*RENDER, "-o", "a.gif", "--steps-per-frame", "2", "--duration", "3s"), 2,
         "give one of the two"),
        ((*RENDER, "-o", "a.gif", "--every", "20", "--duration", "2s"), 2, "leave out other rates"),
        ((*RENDER, "-o", "a.mp4", "--quality", "best"), 2, "no quality 'best'"),
        ((*RENDER, "--quality", "x", "--dry-run"), 2, "no quality 'x'"),
        ((*RENDER, *[EASY.grid] * 3, "-o", "a.gif"), 2, "a film can't show 8 searches"),
        (("render", "-o", "a.gif"), 2, "there is nothing to film"),
        ((*RENDER, "--steps-per-frame", "0.000001"), 2, "the film would have"),
        ((*RENDER, "-o", "a.gif", "--font", "gone.ttf"), 3, "gone.ttf"),
        ((*RENDER, "-o", "a.gif", "--font", "Dejavu Sins"), 2, "did you mean DejaVu Sans"),
        ((*RENDER, "-o", "a.gif", "--size", "320x240", "--margins", "40"), 2, "too small"),
        ((*RENDER, "-o", "a.gif", "--size", "320x180", "--max-size", "3k", "--duration", "1s"), 2,
         "fits into 3,000 bytes; the nearest has"),
        # Single pictures.
        ((*RENDER, "-o", "a.png", "--at-step", "99"), 2, "there is no step 99"),
        ((*RENDER, "--at-step", "99", "--dry-run"), 2, "there is no step 99"),
        ((*RENDER, "--at-step", "9", "-o", "a.mp4", "--dry-run"), 2, "is a film"),
        ((*RENDER, "--at-step", "3", "-o", "race.html"), 2, "'race.html' is a page"),
        ((*RENDER, "-o", "a.png", "--filmstrip", "0"), 2,
         "--filmstrip: 0 is not a whole number from 1 to 100"),
        ((*RENDER, "-o", "a.png", "--filmstrip", "101"), 2, "from 1 to 100"),
        ((*RENDER, "-o", "a.png", "--filmstrip", "60", "--size", "320x180"), 2, "too small for"),
        ((*RENDER, "-o", "a.png", "--filmstrip", "3", "--at-step", "4"), 2, "not both"),
        ((*RENDER, "-o", "a.mp4", "--filmstrip", "3"), 2, "'a.mp4' is a film"),
        ((*RENDER, "-o", "a.png", "--filmstrip", "3", "--max-size", "1MB"), 2,
         "single pictures can't be fitted"),
        # Standard output.
        ((*PIPE, "-o", "-", "--json"), 2, "--json prints to standard output, where the film goes"),
        ((*PIPE, "-o", "-", "--embed", "html"), 2, "--embed prints to standard output"),
        ((*PIPE, "-o", "-", "-o", "film.gif"), 2, "with -o -, no other output is possible"),
        ((*PIPE, "-o", "film.mp4", "--format", "mp4"), 2, "but no output is -"),
        ((*PIPE, "--format", "gif"), 2, "but no output is -"),
        ((*PIPE, "-o", "-", "--format", "avi"), 2, "no format 'avi'; known: mp4, 444.mp4, webm"),
        ((*PIPE, "-o", "-", "--at-step", "3", "--format", "mp4"), 2, "but '-' is a film"),
        ((*PIPE, "-o", "-", "--filmstrip", "3", "--max-size", "1MB"), 2,
         "single pictures can't be fitted to limits"),
        # Words by which strategies are listed.
        (("list", "strategies", "dancing-lnks", "--json"), 2, "did you mean dancing-links?"),
        (("list", "strategies", "quantum"), 2,
         "undoku: none of the strategies matches 'quantum'; "
         "undoku list strategies shows all of them"),
        (("list", "strategies", "+"), 2, "undoku list strategies shows all of them"),
        # Generated puzzles. What a format can't hold is told before anything is made.
        (("generate", "--givens", "many"), 2, "is not a valid number of givens"),
        (("generate", "--givens", "5"), 2, "could change places"),
        (("generate", "--symmetry", "halfturn"), 2, "did you mean half-turn?"),
        (("generate", "--target", "mrv"), 2, "is not a target"),
        (("generate", "--size", "3"), 2, "out of range"),
        (("generate", "--size", "1000000000"), 2, "size 1000000000 is out of range: a board has 4"),
        (("solve", '{"size":1000000000,"grid":[[{}]]}'), 2, "its size is not 4 to 25"),
        (("generate", "--extra", "knights"), 2, "no extra units called 'knights'"),
        (("generate", "--format", "docx"), 2,
         "written as 'docx'; choose one of problem, list, sdm, grid"),
        (("generate", "--target", "mrv<=2", "--attempts", "1"), 2,
         "no such puzzle in 1 attempt;"),
        (("generate", "--target", "mrv<=2", "--target", "mrv>=3"), 2, "contradict each other"),
        ((*MINIMAL, "-n", "2"), 2, "no format can represent sev"),
        ((*MINIMAL, "-o", "x.sdm"), 2, "units are not"),
    ],
)  # fmt: skip
def test_a_mistake_gets_one_sentence_and_its_exit_code(
    undoku: Undoku,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    code: int,
    message: str,
) -> None:
    """Before a frame is drawn."""
    if "--max-size" not in arguments:
        monkeypatch.setattr(Film, "parts_from", None)
    done = undoku(*arguments, cwd=tmp_path, code=code)
    assert message in done.stderr
    assert sum(line.startswith("undoku") for line in done.stderr.splitlines()) == 1
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


INPUTS = {
    "solve": (EASY.grid,),
    "trace": (EASY.grid,),
    "preview": (EASY.grid,),
    "render": (EASY.grid,),
    "chart": (EASY.grid,),
    "stats": (EASY.grid,),
    "study": ("puzzles.sdm",),
    "batch": ("films.toml",),
    "info": ("film.mp4",),
    "list": ("themes",),
    "generate": (),
    "completion": ("bash",),
    "play": (EASY.grid,),
    "clean": (),
}
"""What each command is about."""


def test_help_lists_every_command_and_its_options() -> None:
    """Otherwise the tests below would check nothing."""
    options = {(command, *listed) for command in commands() for listed in options_of(command)}
    assert {command for command, _, _ in options} == {*INPUTS}
    assert len(options) > 150
    assert ("render", "--duration", True) in options
    assert ("study", "--strategies", True) in options
    assert ("generate", "-n", True) in options
    assert ("render", "--ramp", False) in options


@pytest.mark.parametrize("command", INPUTS)
def test_two_hyphens_are_not_a_value_of_an_option(command: str) -> None:
    """Neither after the option nor joined to it, however this version of argparse treats them; for
    all options of `render`, and one of each kind of the other commands."""
    options = options_of(command)
    if command != "render":
        options = [
            *{(option.name[:2] == "--", option.valued): option for option in options}.values()
        ]
    ways = [
        (option.name, way)
        for option in options
        for way in (
            [f"{option.name}=--" if option.name.startswith("--") else f"{option.name}--"],
            *[[option.name, "--"]] * option.valued,
        )
    ]
    for name, way in ways:
        code, out, err = run_undoku(command, *INPUTS[command], *way)
        assert code == 2, err
        assert out == ""
        assert err.count("\n") == 1, err
        assert err.startswith(f"undoku {command}: error: argument ")
        assert name in err


@pytest.mark.parametrize("command", commands())
def test_an_unknown_option_names_the_help_of_its_command(command: str) -> None:
    """Whatever else is wrong: `undoku --help` has no option of a command."""
    code, out, complaint = run_undoku(command, "--no-such-option")
    assert (code, out) == (2, "")
    assert complaint.count("\n") == 1
    assert complaint.endswith(f"see undoku {command} --help\n")


STRATEGIES = rows_of("strategies")

FOUND_BY = {
    "row-major": ("brute force", "reading order", "recursive backtracking"),
    "static": ("static variable ordering",),
    "mrv": (
        "minimum remaining values", "most constrained variable", "fail first", "skiena",
        "smallest domain", "minimum domain", "dom",
    ),
    "mrv-random:SEED": ("random tie-breaking", "Gomes"),
    "bivalue": ("bi-value cells", "bivalue cell"),
    "mrv-degree": ("DSATUR", "degree heuristic", "Brélaz", "brelaz", "graph coloring", "dom+ddeg"),
    "dom-wdeg": ("dom/wdeg", "weighted degree", "domwdeg", "dom over wdeg"),
    "activity": ("activity-based search", "VSIDS", "abs", "impact"),
    "exact-cover": ("exact cover", "s heuristic"),
    "lcv": ("least constraining value", "value ordering"),
    "forward": ("forward checking", "FC", "forwardchecking", "look-ahead", "pruning"),
    "naked-singles": (
        "naked single", "unit propagation", "arc consistency", "ac3", "AC-3", "mac",
        "maintaining arc consistency",
    ),
    "hidden-singles": ("hidden single", "unique candidate"),
    "singles": ("DPLL", "norvig"),
    "locked": (
        "pointing pair", "candidate lines", "claiming", "box line reduction",
        "intersection removal",
    ),
    "pairs": ("naked pair", "hidden pair", "naked subset", "hall set"),
    "triples": ("naked triple", "hidden triple"),
    "x-wing": ("fish", "xwing", "x wing"),
    "swordfish": ("fish", "sword fish"),
    "xy-wing": ("xy wing", "xywing", "y-wing", "bent triple"),
    "alldiff": ("alldifferent", "all different", "GAC", "regin", "generalised arc consistency"),
    "sac": (
        "singleton arc consistency", "shaving", "probing", "failed literal", "nishio", "Simonis",
    ),
    "last-conflict": ("last conflict", "lc(1)"),
    "chronological": ("depth first", "dfs", "backtracking", "trial and error"),
    "cbj": ("backjumping", "conflict-directed", "conflict directed backjumping", "prosser"),
    "nogoods": ("clause learning", "nogood recording", "CDCL", "nogood learning", "SAT solver"),
    "lds": ("limited discrepancy search", "harvey"),
    "luby:DEAD-ENDS": ("luby", "restarts", "random restarts", "heavy tail"),
    "presolve": ("presolve", "presolving", "preprocessing"),
    "propagation": ("constraint propagation",),
    "norvig": ("norvig", "Norvig's solver"),
    "dancing-links": (
        "dlx", "dancing links", "dancinglinks", "algorithm x", "knuth", "exact cover",
    ),
}  # fmt: skip
"""By the part: what people call it."""


@pytest.mark.parametrize("name", FOUND_BY)
def test_a_part_is_found_by_what_people_call_it(name: str) -> None:
    """Fewer than a third of the parts are listed, so that a reader finds it."""
    for words in FOUND_BY[name]:
        found = [row["name"] for row in matching(STRATEGIES, words, "strategies")]
        assert name in found, words
        assert 3 * len(found) < len(STRATEGIES), words


def test_words_of_one_name_do_not_find_another() -> None:
    """`xwing` is not the XY-wing, and `ac3` not every part with arcs."""
    named = {
        words: [row["name"] for row in matching(STRATEGIES, words, "strategies")]
        for words in ("xwing", "ac3", "dlx", "swordfish")
    }
    assert named == {
        "xwing": ["x-wing"],
        "ac3": ["naked-singles"],
        "dlx": ["exact-cover", "dancing-links"],
        "swordfish": ["swordfish"],
    }
