"""Signals end a run wherever they arrive, as whole processes show."""

from __future__ import annotations

import contextlib
import errno
import os
import random
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from tests.support.amounts import long
from tests.support.command import Undoku
from tests.support.puzzles import EASY, HARD, MEDIUM
from tests.support.system import PATIENCE, ROOT, until
from undoku.render.write.gif import GifSink
from undoku.render.write.mp4_direct import DirectSink
from undoku.render.write.sink import ClosedFile, FrameSink

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
        long("del_ = Finalised(); del del_; wait()", ""),
        long("callback()", ""),
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


# Runs that fail, as whole processes: one sentence, the right exit code, nothing left behind.


def has_content(path: Path) -> bool:
    """Whether a temporary file has been written to. A run creates and removes one at its start, to
    see whether it may write there."""
    try:
        return path.is_file() and path.stat().st_size > 2000
    except FileNotFoundError:
        return False


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "film.mp4").write_text("precious")
    return tmp_path


@pytest.fixture
def long_run(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A film of 145,000 frames under way: its encoder runs and has been given pictures."""
    process = subprocess.Popen(
        [sys.executable, "-m", "undoku", "render", HARD.grid, "-s", "row-major", "--pace", "even",
         "--encoder", "x264", "-o", "film.mp4", "-o", "film.gif", "--size", "320x180", "-y"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    try:
        until(psutil.Process(process.pid).children)
        until(lambda: any(map(has_content, folder.glob(".undoku-*.gif"))))
        yield process
    finally:
        process.kill()
        process.wait()


def assert_nothing_left(folder: Path, encoders: list[psutil.Process]) -> None:
    assert [path.name for path in folder.iterdir()] == ["film.mp4"]
    assert (folder / "film.mp4").read_text() == "precious"
    assert not any(encoder.is_running() for encoder in encoders)


@pytest.mark.parametrize(
    ("number", "code", "message"),
    [
        (signal.SIGINT, 130, "undoku: interrupted\n"),
        long(signal.SIGTERM, 143, ""),
        long(signal.SIGHUP, 129, ""),  # see the closed terminal
    ],
)
def test_an_interrupted_run_ends_at_once_and_leaves_nothing(
    folder: Path,
    long_run: subprocess.Popen[str],
    number: signal.Signals,
    code: int,
    message: str,
) -> None:
    """The file that was there before is there still, and the encoder is gone."""
    encoders = psutil.Process(long_run.pid).children()
    long_run.send_signal(number)
    out, err = long_run.communicate(timeout=PATIENCE)
    assert long_run.returncode == code
    assert (out, err) == ("", message)
    assert_nothing_left(folder, encoders)


COMMANDS = {
    "render": ["render", HARD.grid, "-s", "row-major", "-o", "new.mp4", "--encoder", "x264",
               "--size", "320x180", "--pace", "even"],
    "batch": ["batch", "films.toml", "-o", "films", "-j", "2"],
    "pipe": ["render", HARD.grid, "-s", "row-major", "-o", "-", "--format", "gif",
             "--size", "320x180", "--pace", "even"],
}  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="counts processes through /proc")
@pytest.mark.parametrize("kind", [long("render"), "batch", long("pipe")])
def test_a_closed_terminal_leaves_neither_files_nor_processes(tmp_path: Path, kind: str) -> None:
    """Whatever it is doing: the kernel sends SIGHUP, and writing to the terminal fails, at once or
    when Python writes its buffers at the end."""
    (tmp_path / "films.toml").write_text(
        f'[[jobs]]\npuzzles = "{HARD.grid}"\nstrategies = "row-major"\nsize = "320x180"\n'
        'fps = 10\npace = "even"\nencoder = "x264"\n'
    )
    (tmp_path / "temporary").mkdir()
    before = sorted(path.name for path in tmp_path.iterdir())
    import pty  # which other systems lack

    ours, theirs = pty.openpty()
    piped = kind == "pipe"  # a film doesn't go to a terminal
    process = subprocess.Popen(
        [sys.executable, "-c", IN_A_TERMINAL, *COMMANDS[kind]],
        cwd=tmp_path,
        stdin=theirs,
        stdout=subprocess.PIPE if piped else theirs,
        stderr=theirs,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path / "temporary"),
             "TERM": "xterm", "PYTHONUNBUFFERED": ""},
        start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    try:
        read_until(ours, lambda: any(
            has_content(path)
            for path in tmp_path.rglob("*") if ".undoku" in str(path.relative_to(tmp_path))
        ))  # fmt: skip
        os.close(ours)
        assert process.wait(PATIENCE) == 129
        until(lambda: all(p.info["cwd"] != str(tmp_path) for p in psutil.process_iter(["cwd"])))
    finally:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()
    left = sorted(path.name for path in tmp_path.iterdir() if path.name != "films")
    assert left == before
    assert list((tmp_path / "temporary").iterdir()) == []
    assert not (tmp_path / "films" / ".undoku" / "work").exists()


IN_A_TERMINAL = """
import fcntl, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # as a shell's own terminal
from undoku.cli.main import command
command()
"""


def read_until(terminal: int, found: Callable[[], object]) -> None:
    """Read the output of a terminal, so that no writer waits, until `found` is true."""

    def found_after_reading() -> object:
        if select.select([terminal], [], [], 0)[0]:
            os.read(terminal, 1 << 16)
        return found()

    until(found_after_reading)


@pytest.mark.long
def test_a_second_signal_does_not_cut_cleaning_up_short(
    folder: Path, long_run: subprocess.Popen[str]
) -> None:
    """A closed terminal and the shell that ends with it send one each; a system that shuts down
    sends SIGTERM and SIGHUP."""
    encoders = psutil.Process(long_run.pid).children()
    for number in (signal.SIGHUP, signal.SIGHUP, signal.SIGTERM):
        with contextlib.suppress(ProcessLookupError):
            long_run.send_signal(number)
        time.sleep(0.005)
    long_run.communicate(timeout=PATIENCE)
    # The second one may come when the run has ended and only Python has something left to do.
    assert long_run.returncode in (129, 143, -signal.SIGTERM, -signal.SIGHUP)
    assert_nothing_left(folder, encoders)


def test_a_run_under_nohup_outlives_its_terminal(tmp_path: Path) -> None:
    process = subprocess.Popen(
        ["sh", "-c", "trap '' HUP; exec \"$@\"", "sh",
         sys.executable, "-m", "undoku.cli.main", "render", MEDIUM.grid, "-s", "row-major",
         "-o", "film.gif", "--size", "320x180", "--fps", "10"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    until(lambda: list(tmp_path.glob(".undoku-*.gif")))
    process.send_signal(signal.SIGHUP)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["film.gif"]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["render", EASY.grid, "--duration", "1s", "-o", "output/film.mp4"], "output/film.mp4"),
        (["render", EASY.grid, "--duration", "1s"], "output"),
        (["batch", "films.toml", "-o", "output"], "output"),
    ],
)
def test_a_folder_that_may_not_be_written_is_one_sentence(
    undoku: Undoku, tmp_path: Path, words: list[str], named: str
) -> None:
    """A file in place of the folder represents every folder that can't be written."""
    (tmp_path / "films.toml").write_text(f'[[jobs]]\npuzzles = "{EASY.grid}"\n')
    (tmp_path / "output").write_text("")
    done = undoku(*words, cwd=tmp_path, code=3)
    assert f"{named}' can't be written" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("names", [("a.mp4", "b.gif"), long(("b.gif", "a.mp4"))])
@pytest.mark.parametrize("wrong", ["a.mp4", "b.gif"])
def test_the_file_that_fails_is_named_and_no_other_appears(
    undoku: Undoku,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    names: tuple[str, str],
    wrong: str,
) -> None:
    def full(sink: FrameSink) -> ClosedFile:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(GifSink if wrong == "b.gif" else DirectSink, "close_file", full)
    outputs = [word for name in names for word in ("-o", name)]
    words = ("--size", "320x180", "--duration", "1s", "--encoder", "direct", *outputs)
    done = undoku("render", EASY.grid, *words, cwd=tmp_path, code=3)
    assert done.stderr == (
        f"undoku: the disk is full, so '{wrong}' was not written; free some space\n"
    )
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("name", ["film.mp4", long("film.gif"), "step.png"])
def test_a_full_disk_is_one_sentence(undoku: Undoku, full_disk: Path, name: str) -> None:
    """Whatever the format: exit code 3, and the disk is as empty as before."""
    (full_disk / "ballast").write_bytes(b"x" * (60 << 10))
    size = ["--size", "1280x720"] if name.endswith("png") else ["--size", "640x360"]
    done = undoku("render", EASY.grid, "-o", name, *size, "--fps", "10", cwd=full_disk, code=3)
    assert "disk is full" in done.stderr or "No space left" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert [path.name for path in full_disk.iterdir()] == ["ballast"]
