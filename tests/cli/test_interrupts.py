"""Signals end a run wherever they arrive, as whole processes show."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.amounts import long
from tests.support.paths import ROOT
from tests.support.puzzles import HARD
from tests.support.waiting import PATIENCE, until

START = """
import ctypes, os, signal, sys, time
import undoku.cli.clean as command
from undoku.cli.main import command as undoku

number = int(sys.argv[1])
sys.argv = ["undoku", "clean", "x"]

@ctypes.CFUNCTYPE(None)
def callback():
    os.kill(os.getpid(), number)
    for _ in range(9):
        pass

class Finalised:
    def __del__(self):
        callback()

def wait():
    deadline = time.monotonic() + {patience}
    while time.monotonic() < deadline:
        time.sleep(0.01)
    print("waited in vain")

def run(options):
    {run}
    return 0

command.run = run
undoku()
"""

ENDS = [
    (signal.SIGINT, 130, "undoku: interrupted\n"),
    (signal.SIGTERM, 143, ""),
    (signal.SIGHUP, 129, ""),
]


def ended(run: str, number: signal.Signals) -> tuple[int, str, str]:
    """The exit code, output and errors of a command that runs the code `run`."""
    done = subprocess.run(
        [sys.executable, "-c", START.format(run=run, patience=PATIENCE // 2), str(int(number))],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        timeout=PATIENCE,
    )
    return done.returncode, done.stdout, done.stderr


CLEANING_UP = """
    try:
        callback()
        wait()
    finally:
        time.sleep(0.5)
        print("cleaned up")
""".strip()


@pytest.mark.parametrize(
    ("number", "code", "message"), [*ENDS[:1], *(long(*end) for end in ENDS[1:])]
)
@pytest.mark.parametrize(
    ("run", "printed"),
    [
        ("callback(); wait()", ""),
        ("del_ = Finalised(); del del_; wait()", ""),
        ("callback()", ""),
        (CLEANING_UP, "cleaned up\n"),
    ],
    ids=["callback", "finaliser", "at the end", "cleaning up"],
)
def test_a_signal_that_arrives_in_a_callback_of_c_code_ends_the_run(
    run: str, printed: str, number: signal.Signals, code: int, message: str
) -> None:
    """There Python drops the exception that the signal raises, and the run goes on. Cleaning up may
    take longer than the signal takes to be raised again."""
    assert ended(run, number) == (code, printed, message)


SECOND = """
    try:
        callback()
        wait()
    finally:
        os.kill(os.getpid(), number)
        wait()
""".strip()


@pytest.mark.parametrize(
    "run",
    [
        # Libraries execute text while they are loaded. Python would be killed at the end.
        "exec('callback()\\nwait()')",
        "callback(); raise ValueError('the callback returned nothing')",
        SECOND,
    ],
    ids=["executed text", "hidden by an error", "second"],
)
def test_an_interrupt_ends_the_run_whatever_it_meets(run: str) -> None:
    assert ended(run, signal.SIGINT) == (130, "", "undoku: interrupted\n")


@pytest.mark.parametrize(
    ("number", "code", "message"), [*ENDS[:1], *(long(*end) for end in ENDS[1:])]
)
@pytest.mark.parametrize("moment", ["taken", "released"])
def test_a_signal_that_arrives_while_a_lock_is_taken_or_released_leaves_it_free(
    moment: str, number: signal.Signals, code: int, message: str
) -> None:
    """Otherwise the threads that need it would wait for ever, and the run for them."""
    run = f"""
    import threading
    lock = threading.Lock()
    class Guard:
        def __enter__(self):
            lock.acquire()
            if {moment == "taken"}:
                os.kill(os.getpid(), number)
        def __exit__(self, *error):
            if {moment == "released"}:
                os.kill(os.getpid(), number)
            lock.release()
    try:
        with Guard():
            pass
        wait()
    finally:
        print("taken" if lock.locked() else "free")
    """.strip()
    assert ended(run, number) == (code, "free\n", message)


@pytest.mark.parametrize(
    ("number", "code", "message"), [ENDS[1], *(long(*end) for end in ENDS[::2])]
)
def test_a_signal_that_arrives_while_a_thread_is_woken_waits_until_it_is(
    number: signal.Signals, code: int, message: str
) -> None:
    """Python's next notification would go to the same thread, and that of another be lost."""
    run = """
    import threading
    class Lock:
        def __init__(self):
            self.lock = threading.Lock()
            self.release = self.lock.release
        def acquire(self, blocking=True, timeout=-1):
            caller = sys._getframe(2)
            if caller.f_code.co_name == "notify":
                signal.getsignal(number)(number, caller)
            return self.lock.acquire(blocking, timeout)
        __enter__ = lambda self: self.lock.__enter__()
        __exit__ = lambda self, *error: self.lock.__exit__(*error)
    changed = threading.Condition(Lock())
    try:
        with changed:
            changed.notify()
            print("woken")
        wait()
    finally:
        print("ended")
    """.strip()
    assert ended(run, number) == (code, "woken\nended\n", message)


@pytest.mark.long
def test_a_signal_at_any_moment_of_a_film_ends_the_run_and_leaves_nothing(tmp_path: Path) -> None:
    """While files are opened, threads draw and encode, and a part is copied for them."""
    moments = random.Random(1)
    for number, code, message in ENDS * 20:
        process = subprocess.Popen(
            [sys.executable, "-m", "undoku", "render", HARD.grid, "-s", "row-major", "--pace",
             "even", "-o", "film.mp4", "-o", "film.gif", "--size", "320x180"],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        try:
            until(lambda: list(tmp_path.iterdir()))
            time.sleep(moments.uniform(0, 2))
            process.send_signal(number)
            out, said = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
        assert (process.returncode, out, said) == (code, "", message)
        assert list(tmp_path.iterdir()) == []
