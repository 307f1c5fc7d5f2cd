"""Worker processes: results, failures, deaths, and nothing left behind."""

from __future__ import annotations

import ast
import importlib
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from concurrent.futures import Executor
from pathlib import Path
from types import ModuleType

import psutil
import pytest

from tests.support import worker_tasks
from tests.support.amounts import long
from tests.support.puzzles import MEDIUM
from tests.support.system import PATIENCE, ROOT, until
from undoku.errors import RunError, SettingsError
from undoku.worker_process import WorkerBugError, Workers


def filled(path: Path) -> bool:
    """Whether a file exists and is not empty."""
    return path.exists() and bool(path.read_text())


def test_workers_are_a_standard_executor() -> None:
    with Workers(2) as workers:
        assert isinstance(workers, Executor)
        first = workers.submit(pow, 3, 2)
        second = workers.submit(pow, base=4, exp=2)
        assert (first.result(PATIENCE), second.result(PATIENCE)) == (9, 16)
        assert list(workers.map(abs, range(-4, 1))) == [4, 3, 2, 1, 0]
        workers.shutdown()
        until(lambda: not psutil.Process().children())
        with pytest.raises(RuntimeError, match="after shutdown"):
            workers.submit(pow, 3, 2)


def test_failures_stay_with_their_task() -> None:
    """Also those of tasks that can't be sent; what a task prints is not its answer."""
    with Workers(8) as workers:
        refused = workers.submit(worker_tasks.refuse).exception(PATIENCE)
        failed = workers.submit(worker_tasks.fail).exception(PATIENCE)
        unsendable = workers.submit(print, threading.Lock()).exception(PATIENCE)
        assert workers.submit(worker_tasks.talk).result(PATIENCE) == "answer"
        assert workers.submit(pow, 3, 2).result(PATIENCE) == 9
        assert len(psutil.Process().children()) == 1, "workers start as there is work for them"
    assert isinstance(refused, SettingsError)
    assert refused.remedy == "ask otherwise"
    assert isinstance(failed, WorkerBugError)
    assert "KeyError: 'the key'" in str(failed)
    assert "tests/support/worker_tasks.py" in str(failed)
    assert isinstance(unsendable, TypeError)


def test_a_task_whose_worker_is_killed_gets_a_second_turn(tmp_path: Path) -> None:
    with Workers(2) as workers:
        mortal = workers.submit(worker_tasks.die_once, tmp_path / "died")
        assert workers.submit(pow, 2, 2).result(PATIENCE) == 4
        assert mortal.result(PATIENCE) == "second turn"


def test_a_poisoned_task_fails_alone() -> None:
    with Workers(2) as workers:
        poisoned = workers.submit(worker_tasks.die)
        others = [workers.submit(pow, number, 2) for number in range(6)]
        assert [other.result(PATIENCE) for other in others] == [0, 1, 4, 9, 16, 25]
        error = poisoned.exception(PATIENCE)
    assert isinstance(error, RunError)
    assert "was ended by SIGKILL" in str(error)


def test_stopping_unwinds_what_workers_are_doing(tmp_path: Path) -> None:
    held = [tmp_path / "first", tmp_path / "second"]
    processes: list[psutil.Process] = []
    with pytest.raises(KeyboardInterrupt), Workers(2) as workers:
        for path in held:
            workers.submit(worker_tasks.hold, path)
        until(lambda: all(map(filled, held)))
        processes = psutil.Process().children()
        raise KeyboardInterrupt
    assert len(processes) == 2
    until(lambda: not any(process.is_running() for process in processes))
    assert not any(path.exists() for path in held)


def test_workers_unwind_when_the_process_that_started_them_is_killed(tmp_path: Path) -> None:
    held = tmp_path / "held"
    script = (
        "from undoku.worker_process import Workers; from tests.support.worker_tasks import hold\n"
        f"from pathlib import Path; Workers(1).submit(hold, Path({str(held)!r})).result()"
    )
    with subprocess.Popen([sys.executable, "-c", script], cwd=ROOT) as starter:
        until(lambda: filled(held))
        worker = int(held.read_text())
        starter.send_signal(signal.SIGKILL)
        starter.wait()
    until(lambda: not psutil.pid_exists(worker))
    assert not held.exists()


def test_workers_run_the_same_program_whatever_the_current_folder_holds(tmp_path: Path) -> None:
    """A folder may have modules with the names of ours."""
    for name in ("solver", "render", "tests", "pickle"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('the wrong module')")
    script = tmp_path / "scripts" / "script.py"
    script.parent.mkdir()
    script.write_text(
        "from undoku.worker_process import Workers\n"
        "with Workers(1) as workers:\n"
        "    print(workers.submit(pow, 12, 2).result())\n"
    )
    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("144\n", "")


def test_a_worker_that_is_ended_within_a_callback_of_c_code_still_cleans_up(
    tmp_path: Path,
) -> None:
    """There Python drops the exception that ends it."""
    path = tmp_path / "said"
    with (
        Workers(1, tries=1) as workers,
        pytest.raises(RunError, match="ended with exit status 143"),
    ):
        workers.submit(worker_tasks.terminate_in_a_callback, path).result(timeout=PATIENCE)
    assert path.read_text() == "cleaned up"


# The translation of loops for Cython: what a loop may not contain is refused with its place;
# compiled loops are used only with their own sources.


HEAD = """
from typing import NamedTuple
import numpy as np
from undoku.h264.loops import I32, I64, I64_2D, inner, loop, low_bit

class Pair(NamedTuple):
    first: I64
    second: I64_2D

"""


@pytest.fixture(scope="module")
def joined() -> ModuleType:
    """The module that writes the source, as the build imports it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "packaging"))
        return importlib.import_module("loop_source.joined")


def source(joined: ModuleType, folder: Path, loops: str) -> str:
    """The Cython source of a package that has these loops."""
    package = folder / "undoku" / "few"
    package.mkdir(parents=True)
    (folder / "undoku" / "h264").mkdir()
    shutil.copy(ROOT / "undoku" / "h264" / "loops.py", folder / "undoku" / "h264")
    (package / "some.py").write_text(HEAD + loops)
    written: str = joined.write_package(folder, "undoku.few")
    return written


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("return numbers[-1]", "indices count from the beginning"),
        ("return numbers[0, 0]", "not an array of so many dimensions"),
        ("pair.second[:, 0] = 0\n    return 0", "do not follow one another"),
        ("return sorted(numbers)[0]", "not a loop"),
        ("return [1, 2][0]", "not possible in a loop"),
        ("pair = Pair(numbers, numbers)\n    return 0", "not a loop"),
        ("return low(number=1)", "positional"),
        ("return low(1, 2)", "a loop of 1 arguments"),
        ("return missing", "neither a local name nor a constant"),
    ],
)
def test_what_a_loop_may_not_contain_is_refused_with_its_place(
    joined: ModuleType, tmp_path: Path, statement: str, why: str
) -> None:
    few = (
        "@inner\ndef low(number: int) -> int:\n    return number\n\n"
        f"@loop\ndef f(numbers: I64, pair: Pair) -> int:\n    {statement}\n"
    )
    with pytest.raises(Exception, match=rf"some\.py:1\d: .*{re.escape(why)}") as refused:
        source(joined, tmp_path, few)
    assert type(refused.value).__name__ == "LoopError"


def test_a_source_has_only_what_its_exported_loops_use(joined: ModuleType, tmp_path: Path) -> None:
    """Loops that no exported loop calls are not compiled."""
    few = (
        "@inner\ndef used(numbers: I64) -> int:\n    return len(numbers)\n\n"
        "@inner\ndef unused(numbers: I64) -> int:\n    return len(numbers)\n\n"
        "@loop\ndef f(pair: Pair) -> int:\n    return used(pair.first)\n"
    )
    written = source(joined, tmp_path, few)
    assert "def used(" in written
    assert "unused" not in written
    assert "def undoku_few_some__f(pair)" in written


def test_a_loop_is_written_once_for_each_kind_of_array(joined: ModuleType, tmp_path: Path) -> None:
    few = (
        "@inner\ndef first(numbers: I64) -> int:\n    return int(numbers[0])\n\n"
        "@loop\ndef f(wide: I64, narrow: I32, other: I64) -> int:\n"
        "    return first(wide) + first(narrow) + first(other)\n"
    )
    written = source(joined, tmp_path, few)
    assert re.findall(r"^def (first_?)\(numbers: (\w+)", written, re.MULTILINE) == [
        ("first", "I64"),
        ("first_", "I32"),
    ]


def test_constants_are_literals_and_large_ones_have_64_bits(
    joined: ModuleType, tmp_path: Path
) -> None:
    few = (
        "_NEAR, _FAR = range(2)\n_LARGE = 1 << 62\n_MASKS = (1, 3, 9)\n\n"
        "@loop\ndef f(at: int) -> int:\n    return _FAR + _MASKS[at] + (1 << at) + _LARGE\n"
    )
    written = source(joined, tmp_path, few)
    body = written[written.index("def f(") : written.index("def undoku_few_some__f")]
    assert "return 1 + numbers.at[at] + (cython.cast(cython.longlong, 1) << at)" in body
    assert "cython.ulonglong" in body
    assert "np.array([1, 3, 9], np.int64)" in written


def test_the_source_lists_its_files_and_their_digest(joined: ModuleType, tmp_path: Path) -> None:
    few = "@loop\ndef f(at: int) -> int:\n    return at\n"
    written = source(joined, tmp_path, few)
    listed = re.search(r"^FILES = (.*)$", written, re.MULTILINE)
    assert listed
    assert ast.literal_eval(listed[1]) == ("undoku/few/some.py",)
    assert re.search(r"^DIGEST = '[0-9a-f]{64}'$", written, re.MULTILINE)


LOOPS = "undoku/solver/search/plain_loops.py"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the program and its compiled loops, with the times of their files."""
    shutil.copytree(ROOT / "undoku", tmp_path / "undoku")
    shutil.copy2(ROOT / "setup.py", tmp_path)
    return tmp_path


def solve(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "undoku", "solve", MEDIUM.grid, "-s", "mrv"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_loops_that_are_older_than_their_sources_are_refused(checkout: Path) -> None:
    with (checkout / LOOPS).open("a") as source:
        source.write("# edited\n")
    done = solve(checkout)
    assert done.returncode == 3
    assert done.stderr == (
        "undoku: the compiled loops of undoku.solver are older than their sources; "
        "build them: pip install . or, in a checkout, make loops\n"
    )


@pytest.mark.parametrize("installed", [False, long(True)])
def test_sources_that_are_newer_but_equal_are_accepted(checkout: Path, installed: bool) -> None:
    """An installation looks for none: only a checkout has setup.py beside the package."""
    if installed:
        (checkout / "setup.py").unlink()
    (checkout / LOOPS).touch()
    done = solve(checkout)
    assert done.returncode == 0, done.stderr


def test_missing_loops_are_named(checkout: Path) -> None:
    for compiled in (checkout / "undoku" / "solver").glob("compiled.*"):
        compiled.unlink()
    done = solve(checkout)
    assert done.returncode == 3
    assert done.stderr.startswith("undoku: the compiled loops of undoku.solver can't be loaded: ")
    assert "make loops" in done.stderr


def test_a_loop_that_was_added_after_the_build_is_named(checkout: Path) -> None:
    added = (
        "from undoku.h264.loops import loop\n\n"
        "@loop\ndef twice(at: int) -> int:\n    return 2 * at\n"
    )
    (checkout / "undoku" / "solver" / "added.py").write_text(added)
    done = subprocess.run(
        [sys.executable, "-c", "import undoku.solver.added"],
        cwd=checkout,
        env=os.environ | {"PYTHONPATH": str(checkout)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "twice of undoku.solver.added is not among the compiled loops" in done.stderr


def test_plain_loops_need_nothing_compiled_and_count_the_same(checkout: Path) -> None:
    compiled = solve(checkout)
    for built in (checkout / "undoku").glob("*/compiled.*"):
        built.unlink()
    plain = solve(checkout, UNDOKU_PLAIN="1")
    assert plain.returncode == 0, plain.stderr
    counted = [" ".join(done.stdout.split()).partition("second")[0] for done in (compiled, plain)]
    assert counted[0] == counted[1]


def test_make_compiles_after_an_edit_what_changed(tmp_path: Path) -> None:
    """The Makefile knows all files with loops, and those with constants that they use."""
    words = ["make", "--question", ".venv/installed", "-C", str(ROOT)]
    for name in (LOOPS, "undoku/solver/search/ops.py"):
        done = subprocess.run(
            [*words, "-W", name, "-o", ".venv/python"], capture_output=True, check=False
        )
        assert done.returncode == 1, name
