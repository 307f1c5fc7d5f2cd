"""The command as a person and a script use it: outputs, messages, exit codes."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests.support.amounts import long
from tests.support.command import Undoku
from tests.support.command import run_undoku as undoku
from tests.support.films import film_of
from tests.support.puzzles import EASY, MEDIUM, UNSOLVABLE
from tests.support.system import ROOT
from undoku import Limits, Outcome, search
from undoku.cli.progress import SearchProgress
from undoku.cli.searches import be_patient
from undoku.render.write.staging import Staging
from undoku.solver.problem.sources import read

ENDLESS = str(ROOT / "examples" / "puzzles" / "sixteen.txt")


def test_solve_prints_a_table_of_two_strategies_or_json(undoku: Undoku, tmp_path: Path) -> None:
    done = undoku("solve", MEDIUM.grid, cwd=tmp_path, code=0)
    assert done.stderr == ""
    head, row_major, mrv, solution = done.stdout.splitlines()
    assert head.split()[:3] == ["strategy", "outcome", "solutions"]
    assert row_major.split()[:7] == [
        "row-major", "solved", "1", "8,797", "17,536", "3,227", "5,569",
    ]  # fmt: skip
    assert mrv.split()[:7] == ["mrv", "solved", "1", "296", "534", "256", "39"]
    assert solution.split() == ["solution", MEDIUM.solution]
    content = json.loads(undoku("solve", MEDIUM.grid, "--json", cwd=tmp_path).stdout)
    assert content["puzzle"] == MEDIUM.grid.replace("0", ".")
    result, _ = content["results"]
    assert result.pop("seconds") > 0
    assert result == {
        "strategy": "row-major", "label": "Row by row", "outcome": "solved", "solutions": 1,
        "solution": MEDIUM.solution, "nodes": 8797, "places": 8796, "forced": 3227,
        "guessed": 5569, "undos": 8740, "backtracks": 5762, "dead_ends": 2978, "max_depth": 56,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("end", "code", "printed"),
    [(KeyboardInterrupt(), 130, "undoku: interrupted\n"), (SystemExit(143), 143, "")],
)
def test_an_interrupt_while_a_class_is_made_is_one(
    undoku: Undoku,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    end: BaseException,
    code: int,
    printed: str,
) -> None:
    """numpy makes such classes while it is loaded; Python 3.11 wraps what its parts raise."""

    class Part:
        def __set_name__(self, owner: type, name: str) -> None:
            raise end

    def run(options: object) -> int:
        class _Whole:
            part = Part()

        return 0

    monkeypatch.setattr("undoku.cli.solve.run", run)
    assert undoku("solve", MEDIUM.grid, cwd=tmp_path) == (code, "", printed)


@pytest.mark.parametrize(
    ("words", "outcome"),
    [((UNSOLVABLE,), "exhausted"), ((MEDIUM.grid, "--max-nodes", "100"), "capped")],
)
def test_a_search_that_is_exhausted_or_capped_says_so(
    undoku: Undoku, tmp_path: Path, words: tuple[str, ...], outcome: str
) -> None:
    """That there is no solution is said only when it is proved."""
    done = undoku("solve", *words, "-s", "mrv", "--json", cwd=tmp_path)
    (result,) = json.loads(done.stdout)["results"]
    assert (result["outcome"], result["solutions"], result["solution"]) == (outcome, 0, None)
    table = undoku("solve", *words, "-s", "mrv", cwd=tmp_path).stdout.splitlines()
    assert (table[-1].split() == ["solution", "none"]) == (outcome == "exhausted")


def test_a_puzzle_is_read_from_a_file_and_from_standard_input(
    undoku: Undoku, tmp_path: Path
) -> None:
    rows = "\n".join(EASY.grid[at : at + 9] for at in range(0, 81, 9))
    (tmp_path / "puzzle.txt").write_text(f"# newspaper\n{rows}\n")
    for words, stdin in ((("puzzle.txt",), ""), (("-",), rows)):
        done = undoku("solve", *words, "-s", "mrv", cwd=tmp_path, stdin=stdin, code=0)
        assert EASY.solution in done.stdout


def test_render_as_json_describes_each_output(undoku: Undoku, tmp_path: Path) -> None:
    small = ("--size", "320x180", "--fps", "25", "--duration", "3s", "--json")
    outputs = ("-o", "film.mp4", "-o", "film.gif")
    done = undoku("render", EASY.grid, *outputs, *small, cwd=tmp_path, code=0)
    content = json.loads(done.stdout)
    shared = {"duration_s": 3, "width": 320, "height": 180, "fps": 25}
    for output, name in zip(content["outputs"], ("film.mp4", "film.gif"), strict=True):
        assert output.items() >= shared.items()
        assert (output["path"], output["bytes"]) == (name, (tmp_path / name).stat().st_size)
    assert content["outputs"][0]["frames"] == 75
    assert [result["strategy"] for result in content["results"]] == ["row-major", "mrv"]


def test_results_go_to_standard_output_and_messages_to_standard_error(
    undoku: Undoku, tmp_path: Path
) -> None:
    render = ("render", EASY.grid, "-y", "-o", "a.gif", "--size", "320x180", "--fps", "25")
    usual, quiet, loud = (
        undoku(*render, "--duration", "1s", *words, cwd=tmp_path) for words in ([], ["-q"], ["-v"])
    )
    assert usual.stdout == "a.gif\n"
    assert "1.00 s" in usual.stderr
    assert quiet == (0, "", "")
    assert len(loud.stderr) > len(usual.stderr)


def test_a_film_without_a_name_and_its_still_go_into_the_output_folder(
    undoku: Undoku, tmp_path: Path
) -> None:
    (tmp_path / "medium.txt").write_text(MEDIUM.grid)
    film = ("render", "medium.txt", "--size", "320x180", "--duration", "1s")
    undoku(*film, "--dry-run", cwd=tmp_path, code=0)
    assert not (tmp_path / "output").exists()
    undoku(*film, "--embed", "html", cwd=tmp_path, code=0)
    assert sorted(path.name for path in (tmp_path / "output").iterdir()) == [
        "medium_row-major_mrv.mp4",
        "medium_row-major_mrv.still.png",
    ]
    assert "exists already" in undoku(*film, cwd=tmp_path, code=3).stderr


def test_a_run_that_fails_leaves_no_folder_that_it_made(undoku: Undoku, tmp_path: Path) -> None:
    words = ("--size", "8000x8000", "--encoder", "direct", "--duration", "1s")
    undoku("render", EASY.grid, *words, cwd=tmp_path, code=2)
    assert list(tmp_path.iterdir()) == []


def test_an_existing_trace_is_kept_unless_it_may_be_replaced(
    undoku: Undoku, tmp_path: Path
) -> None:
    """Films: see tests/cli/test_sidecars.py."""
    (tmp_path / "a.jsonl").write_text("precious")
    words = ("trace", EASY.grid, "-s", "mrv", "-o", "a.jsonl")
    refused = undoku(*words, cwd=tmp_path, code=3)
    assert "'a.jsonl' exists already; give another name, or -y to replace it" in refused.stderr
    assert (tmp_path / "a.jsonl").read_text() == "precious"
    undoku(*words, "-y", cwd=tmp_path, code=0)
    written = undoku(*words[:-1], "-", cwd=tmp_path, code=0).stdout
    assert (tmp_path / "a.jsonl").read_text() == written
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_a_dry_run_says_what_it_would_write(undoku: Undoku, tmp_path: Path) -> None:
    done = undoku("render", EASY.grid, "-o", "film.mp4", "--dry-run", "--json", cwd=tmp_path)
    content = json.loads(done.stdout)
    frames = film_of("row-major", "mrv", puzzle=EASY.grid).timeline.frames
    assert (content["outputs"], content["frames"]) == (["film.mp4"], frames)


def test_a_recorded_trace_is_not_searched_again(undoku: Undoku, tmp_path: Path) -> None:
    undoku("trace", EASY.grid, "-o", "a.jsonl", cwd=tmp_path)
    for option in (["--exhaustive"], ["--max-nodes", "3"], ["--max-seconds", "1"]):
        done = undoku("render", "a.jsonl", "-o", "a.gif", *option, cwd=tmp_path, code=2)
        assert "a recorded trace is not searched again" in done.stderr


def test_a_title_of_any_bytes_and_any_length_is_drawn(undoku: Undoku, tmp_path: Path) -> None:
    for title in ("\udcff\udcfe x", "t" * 5000):
        undoku("render", EASY.grid, "-s", "mrv", "-o", "a.png", "-y", "--title", title,
                      "--at-step", "3", "--size", "320x180", cwd=tmp_path, code=0)  # fmt: skip


def test_a_mistake_in_a_puzzle_is_shown_with_a_caret(undoku: Undoku, tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text("\n".join(["........."] * 8 + ["....x...."]))
    done = undoku("solve", "bad.txt", cwd=tmp_path, code=2)
    first, text, caret = done.stderr.splitlines()
    assert first.startswith("undoku: bad.txt, line 9, column 5: ")
    assert text == "    ....x...."
    assert caret == "        ^"


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("strategies", "row-major"),
        ("problems", "queens:ROWS[:FIELDS]"),
        ("themes", "dark"),
        ("panels", "tree"),
        ("formats", ".gif"),
        ("presets", "standard"),
        ("platforms", "github"),
    ],
)
def test_list_names_what_there_is(undoku: Undoku, tmp_path: Path, what: str, expected: str) -> None:
    done = undoku("list", what, cwd=tmp_path, code=0)
    lines = [line for line in done.stdout.splitlines() if line and not line.endswith(":")]
    names = [line.split()[0] for line in lines]
    assert expected in names
    rows = json.loads(undoku("list", what, "--json", cwd=tmp_path).stdout)
    assert [row["name"] for row in rows] == names
    assert all(row["sentence"] for row in rows)
    assert not re.search(r"\de[+-]\d", done.stdout)  # 43,200 seconds, not 4.32e+04
    assert "1 times" not in done.stdout


def loaded_by(arguments: list[str], folder: Path) -> tuple[str, set[str]]:
    """The output of a command, and the modules that its process has loaded at the end."""
    code = (
        "import json, sys\nfrom undoku.cli.main import main\n"
        f"try:\n    assert main({arguments!r}) == 0\n"
        "except SystemExit as end:\n    assert end.code == 0\n"
        "print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize("command", [[], ["render"]])
def test_help_loads_no_libraries_and_only_the_options_that_it_shows(
    tmp_path: Path, command: list[str]
) -> None:
    """That is what keeps it below 0.15 seconds."""
    reported, loaded = loaded_by([*command, "--help"], tmp_path)
    assert not loaded & {"numpy", "PIL", "matplotlib", "imageio", "av"}
    if not command:
        assert "exit codes:" in reported and "130  interrupted" in reported
        assert not loaded & {"undoku.render.settings.table", "undoku.solver.search.part_registry"}


def test_a_picture_loads_nothing_of_sounds_and_films(tmp_path: Path) -> None:
    """Nor libraries that it does not need: matplotlib, the one that lists packages."""
    picture = ["render", EASY.grid, "-q", "--size", "320x180", "--at-step", "9", "-o", "a.png"]
    _, loaded = loaded_by(picture, tmp_path)
    assert "undoku.render.film.scene" in loaded
    assert not loaded & {"matplotlib", "imageio", "importlib.metadata"}
    assert not loaded & {
        "undoku.render.write.soundtrack",
        "undoku.render.write.mp4_direct",
        "undoku.render.write.gif",
        "undoku.render.delivery.fit",
    }


def test_an_interrupt_when_all_is_done_changes_nothing() -> None:
    """Python still runs code then; here it interrupts itself."""
    code = (
        "import atexit, os, signal, sys\n"
        "from undoku.cli.main import command\n"
        "atexit.register(lambda: os.kill(os.getpid(), signal.SIGINT))\n"
        "sys.argv = ['undoku', 'list', 'themes']\n"
        "command()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "dark" in done.stdout


def test_every_nth_step_is_shown_for_one_frame_each(undoku: Undoku, tmp_path: Path) -> None:
    """Sampled, not blended: the picture after 20 steps is the still of step 20."""
    small = ("-s", "row-major", "--size", "320x180", "--fps", "25")
    done = undoku("render", EASY.grid, "-o", "f/%03d.png", "--every", "20", "--intro", "0",
                  *small, "--json", cwd=tmp_path, code=0)  # fmt: skip
    assert json.loads(done.stdout)["results"][0]["places"] == 51
    undoku("render", EASY.grid, "-o", "still.png", "--at-step", "20", *small, cwd=tmp_path)
    with Image.open(tmp_path / "f" / "001.png") as film, Image.open(tmp_path / "still.png") as one:
        board = (8, 30, 120, 130)
        assert film.convert("RGB").crop(board).tobytes() == one.convert("RGB").crop(board).tobytes()


@pytest.mark.parametrize(
    ("words", "same", "other"),
    [
        pytest.param(
            (MEDIUM.grid, "--at-step", "300", "--size", "640x360", "--panels", "depth"),
            ("--to-step", "300"),
            ("--to-step", "9000"),
            id="charts end with the step",
        ),
        pytest.param(
            (EASY.grid, "--at-step", "0", "--size", "640x360"),
            ("--panels", "board,counters"),
            ("--panels", "depth"),
            id="no empty charts before the first step",
        ),
    ],
)
def test_the_charts_of_a_picture_are_those_of_its_step(
    undoku: Undoku,
    tmp_path: Path,
    words: tuple[str, ...],
    same: tuple[str, ...],
    other: tuple[str, ...],
) -> None:
    for name, more in (("a", ()), ("b", same), ("c", other)):
        undoku("render", *words, *more, "-o", f"{name}.png", cwd=tmp_path, code=0)
    a, b, c = (Image.open(tmp_path / f"{name}.png").tobytes() for name in "abc")
    assert a == b != c


def test_a_picture_is_drawn_of_a_search_too_long_for_an_even_film(
    undoku: Undoku, tmp_path: Path
) -> None:
    asked = ENDLESS, "-s", "row-major", "--max-nodes", "3000000", "--size", "320x180"
    undoku("render", *asked, "-o", "card.png", cwd=tmp_path, code=0)
    with Image.open(tmp_path / "card.png") as card:
        assert card.size == (320, 180)


def test_a_search_that_takes_too_long_is_stopped_for_good_and_reported(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Made again from the nodes that it reached, it is the same."""
    puzzle = read(ENDLESS)
    endless, short, limited = traces = [
        search(puzzle),
        search(EASY.grid),
        search(EASY.grid, limits=Limits(20)),
    ]
    be_patient(traces)
    assert [trace.patience for trace in traces] == [10 / 3, 10 / 3, None]
    endless.patience = 0.01
    with SearchProgress(traces, ["The long one", "a", "b"]):
        tally = endless.tally()
        assert tally.outcome is Outcome.CAPPED
        assert short.tally().outcome is Outcome.SOLVED
        assert limited.tally().outcome is Outcome.CAPPED
    again = search(puzzle, limits=endless.limits).tally()
    assert again._replace(seconds=0) == tally._replace(seconds=0)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("The long one: stopped after 0.01 s of counting, at ")
    assert f"{tally.nodes:,} nodes" in line


def test_a_film_of_a_search_without_an_end_stops_at_the_same_node_everywhere(
    undoku: Undoku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("undoku.cli.render.FILMED_NODES", 2000)
    asked = "render", ENDLESS, "-s", "row-major", "--size", "320x180", "-o", "card.png"
    stopped = undoku(*asked, cwd=tmp_path, code=0)
    assert ": stopped after 2,000 nodes; --max-nodes sets another limit\n" in stopped.stderr
    limited = undoku(*asked, "-y", "--max-nodes", "3000", cwd=tmp_path, code=0)
    assert "stopped after" not in limited.stderr
    capped = [search(read(ENDLESS)) for _ in range(2)]
    be_patient(capped, 2000)
    capped[0].tally()
    assert sum(map(len, capped[0].chunks())) == sum(map(len, capped[1].chunks()))
    assert capped[1].limits.max_nodes == capped[1].tally().nodes == 2000
    told = undoku("render", "--help", cwd=tmp_path, code=0).stdout
    assert "stops each after 20,000,000" in " ".join(told.split())


@pytest.mark.parametrize(
    ("words", "seconds", "code"),
    [
        (("solve",), 0.001, 0),
        (("stats",), 0.001, 0),
        (("chart", "-o", "chart.svg"), 0.001, 0),
        (("render", "--dry-run"), 0.001, 0),
        long(("preview",), 0.5, 2),  # whose page then has no room for so many steps
    ],
)
def test_every_command_that_counts_stops_a_search_without_an_end(
    undoku: Undoku,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    seconds: float,
    code: int,
) -> None:
    monkeypatch.setattr("undoku.cli.searches.COUNTING_SECONDS", seconds)
    asked = *words, ENDLESS, "-s", "row-major"
    stopped = undoku(*asked, cwd=tmp_path, code=code)
    assert f": stopped after {seconds:g} s of counting, at " in stopped.stderr
    assert "; --max-time sets another limit\n" in stopped.stderr
    if words == ("solve",):
        limited = undoku(*asked, "-q", "--max-time", f"{2 * seconds}s", cwd=tmp_path)
        assert "of counting" not in limited.stderr


# undoku completion: what shells offer after the words of a command line.


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("so", ["solve"]),
        ("render p.txt --strat", ["--strategy"]),
        ("render p.txt -s mrv-r", ["mrv-random:"]),
        ("study p.sdm --strategies row", ["row-major"]),
        ("list the", ["themes"]),
        ("list themes ", []),
        ("trace p.txt --format json", ["jsonl", "jsonl.gz"]),
        ("render --embed=ht", ["--embed=html"]),
        ("render --embed = ht", ["html"]),  # as bash parts it
        ("completion z", ["zsh"]),
        ("render ex", []),  # files
        ("render --theme ", []),
        ("render --ramp --dry", ["--dry-run"]),  # an option without a value precedes
        ("nonsense --", []),
    ],
)
def test_commands_options_strategies_and_values_are_offered(line: str, offered: list[str]) -> None:
    words = "".join(f"{word}\n" for word in line.split(" "))
    done = undoku("completion", "words", stdin=words, code=0)
    assert done.stdout.split() == offered


SCRIPTS = {
    "bash": """
COMP_WORDS=(undoku render puzzle.txt -s mr); COMP_CWORD=4; _undoku; printf '%s\\n' "${COMPREPLY[@]}"
COMP_WORDS=(undoku ""); COMP_CWORD=1; _undoku; printf '%s\\n' "${COMPREPLY[@]}"
complete -p undoku
""",
    "zsh": """
compadd() { shift; print -rl -- $@ }; _files() { print files }
words=(undoku render puzzle.txt -s mr); CURRENT=5; _undoku
words=(undoku ""); CURRENT=2; _undoku
words=(undoku render pu); CURRENT=3; _undoku
""",
    "fish": """
complete -C 'undoku render puzzle.txt -s mr'
complete -C 'undoku '
""",
}


@pytest.mark.parametrize("shell", SCRIPTS)
def test_the_script_of_a_shell_offers_the_same(shell: str, tmp_path: Path) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    command = tmp_path / "undoku"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m undoku "$@"\n')
    command.chmod(0o755)
    script = undoku("completion", shell, code=0).stdout + SCRIPTS[shell]
    if shell == "zsh":
        script = f"compdef() {{ :; }}\n{script}"
    path = {"PATH": f"{tmp_path}:/usr/bin:/bin", "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    done = subprocess.run(
        [program, "-c", script], env=path, capture_output=True, encoding="utf-8", check=False
    )
    offered = done.stdout.split()
    assert offered[0] == "mrv", done.stderr
    assert {"solve", "render", "play", "completion"} <= set(offered)
    assert "-F" in offered or shell != "bash"
    assert offered[-1] == "files" or shell != "zsh"


# undoku clean: files of killed runs are removed, files of active runs are not.


LEFT = ".undoku-0123456789ab.mp4"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file of a killed run, and one of no run."""
    (tmp_path / LEFT).write_bytes(b"12345")
    (tmp_path / "film.mp4").write_text("precious")
    return tmp_path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_dry_run_lists_and_removes_nothing(undoku: Undoku, folder: Path) -> None:
    done = undoku("clean", ".", "--dry-run", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"would remove  {LEFT}  5 bytes\n"
    assert names(folder) == [LEFT, "film.mp4"]


def test_leftovers_of_killed_runs_are_removed_and_files_of_active_ones_are_not(
    undoku: Undoku, folder: Path
) -> None:
    staging = Staging(folder / "other.gif")
    done = undoku("clean", str(folder), cwd=folder, code=0)
    assert done.stdout == f"removed  {folder / LEFT}  5 bytes\n"
    assert done.stderr == f"left  {staging.temporary}  0 bytes: it belongs to an active run\n"
    assert names(folder) == [staging.temporary.name, "film.mp4"]
    staging.discard()
    assert undoku("clean", str(folder), cwd=folder).stdout == "nothing to remove\n"


def test_without_a_folder_the_working_one_and_the_systems_are_cleaned(
    undoku: Undoku, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = folder / "system"
    (system / ".undoku-ba9876543210").mkdir(parents=True)
    (system / "other").mkdir()
    monkeypatch.setattr("undoku.cli.clean.gettempdir", lambda: str(system))
    done = undoku("clean", "--json", cwd=folder)
    assert json.loads(done.stdout) == [
        {"path": LEFT, "bytes": 5, "owner": "dead", "removed": True},
        {"path": f"{system}/.undoku-ba9876543210", "bytes": 0, "owner": "dead", "removed": True},
    ]
    assert names(folder) == ["film.mp4", "system"]
    assert names(system) == ["other"]


def test_the_next_run_says_what_lies_in_its_folder_and_how_to_remove_it(
    undoku: Undoku, folder: Path
) -> None:
    for number in range(4):
        (folder / f".undoku-{number:012}.gif").write_bytes(b"123")
    arguments = ("render", EASY.grid, "-s", "mrv", "--at-step", "3", "--size", "320x180", "-o")
    done = undoku(*arguments, "a.png", cwd=folder, code=0)
    (line,) = (one for one in done.stderr.splitlines() if "undoku clean" in one)
    assert line == (
        "'.' holds .undoku-000000000000.gif, .undoku-000000000001.gif, .undoku-000000000002.gif "
        "and 2 more (17 bytes) of runs that were killed; undoku clean . removes this"
    )
    assert "undoku clean" not in undoku(*arguments, "b.png", "-q", cwd=folder).stderr
    undoku("clean", ".", cwd=folder)
    assert "undoku clean" not in undoku(*arguments, "c.png", cwd=folder).stderr
    assert names(folder) == ["a.png", "b.png", "c.png", "film.mp4"]


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0,
    reason="the administrator may remove everything",
)
def test_files_that_cannot_be_removed_are_reported(undoku: Undoku, folder: Path) -> None:
    folder.chmod(0o500)
    try:
        done = undoku("clean", ".", cwd=folder)
    finally:
        folder.chmod(0o700)
    assert done.returncode == 3
    assert "can't be removed" in done.stderr
