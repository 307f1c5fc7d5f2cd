"""`make test` many times in a row, started as different callers start it.

`make test-repeat` prints one line for each run, and keeps what the runs printed themselves in
output/test-repeat/."""

from __future__ import annotations

import argparse
import contextlib
import os
import pty
import select
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple
from xml.etree import ElementTree

from tests.support.paths import ROOT

__all__ = ["VARIANTS", "Counted", "Variant", "counted", "main", "run"]

_MAX_SECONDS = 3600.0
"""Seconds until a run counts as one that never ends."""

_ENDLESS = 124
"""The exit code of a run that was ended, as timeout(1) has it."""

_OF_CRON = ("PATH", "HOME", "LOGNAME", "PYTHONPATH", "UNDOKU_CACHE_DIR")
"""The variables that a run with a bare environment keeps."""

_BUSY = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: sum(range(100_000))"
"""A process that computes until its parent ends."""


_CONTROLLED = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""
"""Takes the terminal that is its standard input as its controlling one, and becomes a command."""


class Variant(NamedTuple):
    """A way to start the tests: `before` stands in front of the command; `session` says whether
    they share the caller's terminal, have none and a bare environment, or one of their own;
    `busy` processes compute beside them."""

    name: str
    before: tuple[str, ...] = ()
    session: str = "shared"
    busy: int = 0


VARIANTS = (
    Variant("plain"),
    Variant("nice", ("nice", "-n", "19")),
    Variant("without terminal", session="none"),
    Variant("own terminal", session="own"),
    Variant("SIGINT ignored", ("sh", "-c", 'trap "" INT; exec "$@"', "sh")),
    Variant("two busy processes", busy=2),
)


class Counted(NamedTuple):
    """What a run found: the number of tests that passed, the names of those that failed, and the
    number of tests that were skipped."""

    passed: int
    failed: tuple[str, ...]
    skipped: int


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tests as often as asked for; 0 if all runs were green, else 1."""
    parser = argparse.ArgumentParser(prog="make test-repeat", description=__doc__)
    parser.add_argument("runs", type=int)
    parser.add_argument("tests", nargs="*", help="files or folders; without any, all tests")
    parser.add_argument("--make", default="make", help="the command that has the target `test`")
    parser.add_argument("--folder", type=Path, default=ROOT / "output" / "test-repeat")
    chosen = parser.parse_args(arguments)
    shutil.rmtree(chosen.folder, ignore_errors=True)
    chosen.folder.mkdir(parents=True)
    green = 0
    for number in range(chosen.runs):
        variant = VARIANTS[number % len(VARIANTS)]
        stem = chosen.folder / f"{number + 1:02}-{variant.name.replace(' ', '-')}"
        report = stem.with_suffix(".xml")
        tests = shlex.join([*chosen.tests, f"--junitxml={report}"])
        begun = time.monotonic()
        with stem.with_suffix(".log").open("wb") as log:
            command = [*shlex.split(chosen.make), "test", f"TESTS={tests}"]
            try:
                code = run(variant, command, log, hash_seed=number)
            except subprocess.TimeoutExpired:
                code = _ENDLESS
        found = counted(report)
        green += code == 0
        print(
            f"run {number + 1} of {chosen.runs}, {variant.name}, hash seed {number}: "
            f"{found.passed} passed, {len(found.failed)} failed, {found.skipped} skipped, "
            f"exit code {code}, {time.monotonic() - begun:.0f} s",
            *found.failed,
            sep="\n  ",
            flush=True,
        )
    print(f"{green} of {chosen.runs} runs were green; their output is in {chosen.folder}")
    return 0 if green == chosen.runs else 1


def run(variant: Variant, command: Sequence[str], log: BinaryIO, *, hash_seed: int) -> int:
    """Run `command` as `variant` says, what it prints going to `log`; returns its exit code.
    Raises TimeoutExpired if it has not ended after an hour."""
    if variant.session == "none":
        environment = {name: os.environ[name] for name in _OF_CRON if name in os.environ}
    else:
        environment = dict(os.environ)
    environment["PYTHONHASHSEED"] = str(hash_seed)
    line = [*variant.before, *command]
    with _busy(variant.busy):
        if variant.session == "own":
            return _in_a_terminal(line, log, environment)
        process = subprocess.Popen(
            line,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=variant.session == "none",
        )
        try:
            return process.wait(_MAX_SECONDS)
        finally:
            process.terminate()  # nothing if it has ended


def counted(report: Path) -> Counted:
    """What pytest's report in JUnit's format counts; nothing if there is none."""
    if not report.exists():
        return Counted(0, (), 0)
    cases = list(ElementTree.parse(report).iter("testcase"))
    failed = tuple(
        f"{case.get('classname')}.{case.get('name')}"
        for case in cases
        if case.find("failure") is not None or case.find("error") is not None
    )
    skipped = sum(case.find("skipped") is not None for case in cases)
    return Counted(len(cases) - len(failed) - skipped, failed, skipped)


@contextlib.contextmanager
def _busy(count: int) -> Iterator[None]:
    """`count` processes that compute meanwhile."""
    beside = [subprocess.Popen([sys.executable, "-c", _BUSY]) for _ in range(count)]
    try:
        yield
    finally:
        for process in beside:
            process.kill()
            process.wait()


def _in_a_terminal(line: Sequence[str], log: BinaryIO, environment: dict[str, str]) -> int:
    """Run a command at a terminal of its own, which controls it and all that it starts."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", _CONTROLLED, *line],
        cwd=ROOT,
        env=environment,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    end = time.monotonic() + _MAX_SECONDS
    try:
        while time.monotonic() < end:
            if not select.select([ours], [], [], 1)[0]:
                continue
            try:
                content = os.read(ours, 1 << 16)
            except OSError:  # Linux says so that all that had the terminal open have ended
                content = b""
            if not content:
                return process.wait()
            log.write(content)
        raise subprocess.TimeoutExpired(line, _MAX_SECONDS)
    finally:
        process.terminate()
        os.close(ours)


if __name__ == "__main__":
    sys.exit(main())
