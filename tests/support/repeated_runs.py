"""`make test` many times in a row, started as different callers start it.

`make test-repeat` prints one line for each run, and keeps what the runs printed themselves in
output/test-repeat/. The ways to start a run are programs of util-linux."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple
from xml.etree import ElementTree

from tests.support.paths import ROOT

_MAX_SECONDS = 3600.0
"""Seconds until a run counts as one that never ends."""

_ENDLESS = 124
"""The exit code of a run that was ended, as timeout(1) has it."""

_OF_CRON = ("PATH", "HOME", "LOGNAME", "PYTHONPATH")
"""The variables that a run with a bare environment keeps."""

_BUSY = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: sum(range(100_000))"
"""A process that computes until its parent ends."""

_COMPUTE = shlex.join([sys.executable, "-c", _BUSY])
VARIANTS = {
    "plain": '"$@"',
    "nice": 'exec nice -n 19 "$@"',
    "without terminal": 'exec setsid --wait "$@"',
    "own terminal": 'exec script -qec "$COMMAND" /dev/null',
    "SIGINT ignored": 'trap "" INT; exec "$@"',
    "two busy processes": f'{_COMPUTE} & one=$!; {_COMPUTE} & "$@"; code=$?; kill $one $!; wait; '
    "exit $code",
}
"""The ways to start the tests: scripts of sh, whose words are the command, as is $COMMAND."""


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
        variant = list(VARIANTS)[number % len(VARIANTS)]
        stem = chosen.folder / f"{number + 1:02}-{variant.replace(' ', '-')}"
        report = stem.with_suffix(".xml")
        tests = shlex.join([*chosen.tests, f"--junitxml={report}"])
        command = [*shlex.split(chosen.make), "test", f"TESTS={tests}"]
        begun = time.monotonic()
        with stem.with_suffix(".log").open("wb") as log:
            code = run(variant, command, log, hash_seed=number)
        found = counted(report)
        green += code == 0
        print(
            f"run {number + 1} of {chosen.runs}, {variant}, hash seed {number}: "
            f"{found.passed} passed, {len(found.failed)} failed, {found.skipped} skipped, "
            f"exit code {code}, {time.monotonic() - begun:.0f} s",
            *found.failed,
            sep="\n  ",
            flush=True,
        )
    print(f"{green} of {chosen.runs} runs were green; their output is in {chosen.folder}")
    return 0 if green == chosen.runs else 1


def run(variant: str, command: Sequence[str], log: BinaryIO, *, hash_seed: int) -> int:
    """Run `command` as a variant says, what it prints going to `log`; returns its exit code."""
    bare = {name: os.environ[name] for name in _OF_CRON if name in os.environ}
    environment = bare if variant == "without terminal" else dict(os.environ)
    environment |= {"PYTHONHASHSEED": str(hash_seed), "COMMAND": shlex.join(command)}
    words = ["sh", "-c", VARIANTS[variant], "sh", *command]
    try:
        return subprocess.run(
            words,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            timeout=_MAX_SECONDS,
            check=False,
        ).returncode
    except subprocess.TimeoutExpired:
        return _ENDLESS


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


if __name__ == "__main__":
    sys.exit(main())
