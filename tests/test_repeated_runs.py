"""`make test-repeat` starts the tests as it says, and counts what they find."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.repeated_runs import VARIANTS, Counted, counted, main, run

_FACTS = """
import json, os, signal, sys
try:
    os.close(os.open("/dev/tty", os.O_RDWR))
    controlled = True
except OSError:
    controlled = False
print("FACTS", json.dumps({
    "nice": os.nice(0),
    "streams": [os.isatty(number) for number in range(3)],
    "controlled": controlled,
    "ignored": signal.getsignal(signal.SIGINT) is signal.SIG_IGN,
    "kind": os.environ.get("TERM"),
    "seed": os.environ["PYTHONHASHSEED"],
}))
sys.exit(7)
"""


def facts(variant: str, folder: Path) -> dict[str, Any]:
    with (folder / "log").open("wb") as log:
        assert run(variant, [sys.executable, "-c", _FACTS], log, hash_seed=5) == 7
    _, _, line = (folder / "log").read_text().partition("FACTS")
    return dict(json.loads(line))


def test_each_way_to_start_the_tests_is_what_it_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A niceness or a disposition of SIGINT that this process has is inherited by each of them."""
    monkeypatch.setenv("TERM", "xterm")
    found = {name: facts(name, tmp_path) for name in VARIANTS}
    assert {fact["seed"] for fact in found.values()} == {"5"}
    nice = [name for name, fact in found.items() if fact["nice"] == 19]
    assert nice == ([*found] if os.nice(0) == 19 else ["nice"])
    ignored = [name for name, fact in found.items() if fact["ignored"]]
    inherited = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    assert ignored == ([*found] if inherited else ["SIGINT ignored"])
    assert [name for name, fact in found.items() if any(fact["streams"])] == ["own terminal"]
    assert found["own terminal"]["streams"] == [True, True, True]
    assert found["own terminal"]["controlled"]
    assert not found["without terminal"]["controlled"]
    assert [name for name, fact in found.items() if not fact["kind"]] == ["without terminal"]


_SIBLINGS = """
import os
from pathlib import Path
from typing import Any
for entry in Path("/proc").iterdir():
    if entry.name.isdigit() and entry.name != str(os.getpid()):
        try:
            parent = (entry / "stat").read_text().rsplit(")", 1)[1].split()[1]
            line = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if parent == str(os.getppid()) and b"sum(range" in line:
            print(entry.name)
"""


def test_two_processes_compute_beside_a_run_and_end_with_it(tmp_path: Path) -> None:
    for name, count in ("two busy processes", 2), ("plain", 0):
        with (tmp_path / "log").open("w+b") as log:
            run(name, [sys.executable, "-c", _SIBLINGS], log, hash_seed=0)
            log.seek(0)
            beside = log.read().split()
        assert len(beside) == count
        assert not [number for number in beside if Path("/proc", number.decode()).exists()]


@pytest.mark.parametrize("code", [0, 1])
def test_every_run_gets_a_line_and_one_that_fails_makes_all_fail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], code: int
) -> None:
    make = f"sh -c 'echo ran $@; exit {code}' sh"
    folder = tmp_path / "logs"
    assert main(["3", "tests/a", "--make", make, "--folder", str(folder)]) == code
    lines = capsys.readouterr().out.splitlines()
    assert [line.rpartition(",")[0] for line in lines[:3]] == [
        f"run {number} of 3, {way}, hash seed {number - 1}: 0 passed, 0 failed, 0 skipped, "
        f"exit code {code}"
        for number, way in enumerate(("plain", "nice", "without terminal"), 1)
    ]
    assert lines[3].startswith(f"{0 if code else 3} of 3 runs were green")
    message = (folder / "02-nice.log").read_text()
    assert message == f"ran test TESTS=tests/a --junitxml={folder / '02-nice.xml'}\n"


REPORT = """<testsuites><testsuite>
<testcase classname="tests.a" name="test_one"/>
<testcase classname="tests.a" name="test_two"><failure/></testcase>
<testcase classname="tests.a" name="test_three"><error/></testcase>
<testcase classname="tests.a" name="test_four"><skipped/></testcase>
</testsuite></testsuites>"""


def test_passed_failed_and_skipped_tests_are_counted(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    assert counted(report) == Counted(0, (), 0)
    report.write_text(REPORT)
    assert counted(report) == Counted(1, ("tests.a.test_two", "tests.a.test_three"), 1)
