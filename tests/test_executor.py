"""Worker processes: results, failures, deaths, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import Executor
from pathlib import Path

import psutil
import pytest

from tests.support import worker_tasks
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
