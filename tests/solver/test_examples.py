"""The example solvers in other languages, and the scripts that reproduce the articles' figures."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.support.amounts import long
from tests.support.system import ROOT
from undoku.render.write.file_info import about_of
from undoku.solver.trace.replay import check
from undoku.solver.trace.search_trace import search
from undoku.solver.trace.stream import StreamTrace
from undoku.solver.trace.trace import Outcome

EMITTERS = ROOT / "examples" / "emitters"
MEDIUM = "000670020701000900800053000010020060009006000300000780005000307200300500000005040"
NO_SOLUTION = "12345678.........9" + "." * 63

TOOLS = {"py": sys.executable, "c": "cc", "js": "node", "rs": "rustc", "go": "go", "java": "java"}
RUNNABLE = [language for language, tool in TOOLS.items() if shutil.which(tool)]


def built(language: str, folder: Path) -> list[str]:
    """The command that runs an emitter, built first where it must be."""
    source = str(EMITTERS / f"emitter.{language}")
    program = str(folder / "emitter")
    build = {
        "c": ["cc", "-O1", "-Wall", "-Wextra", "-Werror", "-o", program, source],
        "rs": ["rustc", "-D", "warnings", "-o", program, source],
        "go": ["go", "build", "-o", program, source],
    }
    if language not in build:
        # A virtual machine for a program that runs for a second.
        options = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"] if language == "java" else []
        return [TOOLS[language], *options, source]
    asked = [TOOLS[language], "version" if language == "go" else "--version"]
    if subprocess.run(asked, capture_output=True, check=False).returncode:
        pytest.skip(f"{asked[0]} is installed and does not run here, as rustup's without its home")
    subprocess.run(build[language], check=True, cwd=folder)
    return [program]


@pytest.mark.parametrize("language", [long(x) if x == "java" else x for x in RUNNABLE])
def test_an_emitter_prints_a_sound_trace_with_the_published_counts(
    language: str, tmp_path: Path
) -> None:
    command = built(language, tmp_path)
    printed = subprocess.run([*command, MEDIUM], capture_output=True, check=True).stdout
    trace = StreamTrace(io.BytesIO(printed), f"emitter.{language}")
    check(trace)
    assert (trace.tally().nodes, trace.tally().outcome) == (8797, Outcome.SOLVED)
    assert not trace.cut
    np.testing.assert_array_equal(trace.read(), search(MEDIUM).read())
    printed = subprocess.run([*command, NO_SOLUTION], capture_output=True, check=True).stdout
    assert StreamTrace(io.BytesIO(printed)).tally().outcome is Outcome.EXHAUSTED
    without = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (without.returncode, without.stdout) == (2, "")
    assert without.stderr == "give the 81 cells of a puzzle\n"


@pytest.mark.parametrize(
    ("adapter", "module", "name"),
    [
        ("with_python_constraint", "constraint", "python-constraint"),
        long("with_ortools", "ortools", "CP-SAT, its solutions"),
    ],
)
def test_an_adapter_films_the_solver_of_a_library(adapter: str, module: str, name: str) -> None:
    """Where the library is installed."""
    pytest.importorskip(module)
    script = ROOT / "examples" / "adapters" / f"{adapter}.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1].startswith(f"{name}  solved")


def test_there_is_an_emitter_in_each_language_and_python_always_runs() -> None:
    assert {path.suffix[1:] for path in EMITTERS.glob("emitter.*")} == set(TOOLS)
    assert "py" in RUNNABLE


@pytest.mark.parametrize(
    ("command", "steps"),
    [
        ("queens.py 8", 218),
        ("knights_tour.py", 9_994),
        ("knights_tour.py --warnsdorff", 24),
        ("maze.py", 90),
        ("word_search.py", 40),
    ],
)
def test_an_emitter_of_another_problem_prints_a_sound_trace(command: str, steps: int) -> None:
    done = [sys.executable, *command.split()]
    printed = subprocess.run(done, capture_output=True, check=True, cwd=EMITTERS).stdout
    trace = StreamTrace(io.BytesIO(printed), command)
    check(trace)
    assert (trace.tally().outcome, trace.tally().steps) == (Outcome.SOLVED, steps)


def printed(name: str) -> str:
    """What a script prints; it fails by itself when a figure is not reproduced."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / f"{name}.py")],
        check=True,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
    )
    return done.stdout


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("call_counts", ["52", "8,797", "72,686", "3,307", "4,428"]),
        # The article says "in a second", no tenth of one, and no nodes of the hardest puzzle.
        (
            "bit_masks",
            ['published: "in a second"', "measured: 0.0", "no count is published", "8,970 nodes"],
        ),
        # 145,313 steps at 60 a second.
        (
            "brute_force_done_right",
            [
                "a step is one place or one undo; an iteration that fails is both",
                "15:14",
                "40:22",
            ],
        ),
        pytest.param("fifty_minutes", ["162,662,979", "1,281,111"], marks=pytest.mark.long),
        pytest.param("logic_inside", ["8,797", "1,033", "296", "3,307"], marks=pytest.mark.long),
    ],
)
def test_a_script_prints_the_published_figures_beside_the_measured_ones(
    name: str, words: list[str]
) -> None:
    message = printed(name)
    assert [word for word in words if word not in message] == []


@pytest.mark.long
def test_the_film_of_fifty_minutes_is_that_of_the_whole_race(tmp_path: Path) -> None:
    """Both searches to their last step; no limit ends them."""
    (tmp_path / "output").mkdir()
    subprocess.run(
        [sys.executable, str(ROOT / "examples" / "fifty_minutes.py"), "--film"],
        check=True,
        capture_output=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    counts = about_of(tmp_path / "output" / "fifty-minutes.mp4")["counts"]
    assert "Nested loops: exhausted, 162662979 nodes, 325325956 steps" in counts
    assert "Fewest options first: exhausted, 1281111 nodes, 2562220 steps" in counts
