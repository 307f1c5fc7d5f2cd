"""Worker processes: results, failures, deaths, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from solver.errors import RunError, SettingsError
from solver.workers import WorkerBugError, Workers, cores
from tests.solver.tasks import act


def gone(pid: int) -> bool:
    """Whether a process ends within two seconds."""
    for _ in range(100):
        try:
            os.kill(pid, 0)
            stat = Path(f"/proc/{pid}/stat")
            if stat.exists() and stat.read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return True
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def appears(path: Path) -> bool:
    for _ in range(500):
        if path.exists() and path.read_text():
            return True
        time.sleep(0.02)
    return False


def test_every_task_is_done_once() -> None:
    tasks = [("square", number) for number in range(50)]
    with Workers(act, 2) as workers:
        done = list(workers.run(tasks))
        assert len(workers.pids) == 0
    assert sorted(item.task for item in done) == tasks
    assert all(item.result == int(str(item.task[1])) ** 2 for item in done)


def test_failures_stay_with_their_task() -> None:
    tasks: list[tuple[str, object]] = [("refuse", 0), ("fail", "the key"), ("square", 3)]
    with Workers(act, 1) as workers:
        refused, failed, fine = workers.run(tasks)
    assert isinstance(refused.error, SettingsError)
    assert refused.error.remedy == "ask otherwise"
    assert isinstance(failed.error, WorkerBugError)
    assert "KeyError: 'the key'" in str(failed.error)
    assert "tests/solver/tasks.py" in str(failed.error)
    assert (fine.result, fine.error) == (9, None)


def test_a_task_whose_worker_is_killed_gets_a_second_turn(tmp_path: Path) -> None:
    tasks: list[tuple[str, object]] = [("die once", str(tmp_path / "died")), ("square", 2)]
    with Workers(act, 2) as workers:
        results = {item.task[0]: item for item in workers.run(tasks)}
    assert results["die once"].result == "second turn"
    assert results["square"].result == 4


def test_a_poisoned_task_fails_alone() -> None:
    tasks: list[tuple[str, object]] = [("die", 0), *(("square", number) for number in range(6))]
    with Workers(act, 2) as workers:
        done = list(workers.run(tasks))
    assert len(done) == 7
    (poisoned,) = [item for item in done if item.error]
    assert isinstance(poisoned.error, RunError)
    assert "was ended by SIGKILL" in str(poisoned.error)


def test_what_a_task_prints_does_not_mix_with_its_answer() -> None:
    with Workers(act, 1) as workers:
        (done,) = workers.run([("print", 0)])
    assert done.result == "answer"


def test_an_exception_while_tasks_are_made_ends_the_run() -> None:
    def tasks() -> Iterator[tuple[str, object]]:
        yield "square", 1
        raise SettingsError("no more")

    with pytest.raises(SettingsError, match="no more"), Workers(act, 2) as workers:
        list(workers.run(tasks()))
    assert workers.pids == ()


def test_stopping_unwinds_what_workers_are_doing(tmp_path: Path) -> None:
    held = [tmp_path / "first", tmp_path / "second"]
    started = time.monotonic()
    pids: tuple[int, ...] = ()
    with pytest.raises(KeyboardInterrupt), Workers(act, 2) as workers:
        for _ in workers.run([("hold", str(held[0])), ("pid", 0), ("hold", str(held[1]))]):
            assert all(appears(path) for path in held)
            pids = workers.pids
            started = time.monotonic()
            raise KeyboardInterrupt
    assert time.monotonic() - started < 2
    assert len(pids) == 2
    assert all(gone(pid) for pid in pids)
    assert not any(path.exists() for path in held)


def test_workers_unwind_when_the_process_that_started_them_is_killed(tmp_path: Path) -> None:
    held = tmp_path / "held"
    script = (
        "from solver.workers import Workers; from tests.solver.tasks import act\n"
        f"list(Workers(act, 1).run([('hold', {str(held)!r})]))"
    )
    root = Path(__file__).parent.parent.parent
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=root, env=os.environ | {"PYTHONPATH": str(root)}
    ) as starter:
        assert appears(held)
        worker = int(held.read_text())
        starter.send_signal(signal.SIGKILL)
        starter.wait()
    assert gone(worker)
    assert not held.exists()


def test_there_is_a_core() -> None:
    assert cores() >= 1
