"""Processes that have numba from their first statement, forked from one that loaded it once.

Importing numba and compiling anything with it take most of a second, ten times what a test of
compiled loops does itself. The fork has nothing else of its parent: modules of the program
are loaded, and its environment is set, in the fork alone.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests.support.loop_processes import own_environment
from tests.support.paths import ROOT

__all__ = ["ForkedEnd", "NumbaForks"]

_SERVER = """
import json, os, sys, traceback
import numpy
from numba import njit
from numba.core import event

njit(lambda number: number + 1)(1)  # loads what every compilation needs
known = {name.partition(".")[0] for name in sys.modules}
assert not known & {"solver", "render", "undoku"}

def run(code, folder, environment, outputs):
    for stream, path in enumerate(outputs, 1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
    os.environ.update(environment)
    sys.path.insert(1, folder)
    try:
        exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
    return 0

for line in sys.stdin:
    child = os.fork()
    if not child:
        code = 1
        try:
            code = run(**json.loads(line))
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(status), flush=True)
"""


class ForkedEnd(NamedTuple):
    """How a process ended."""

    returncode: int
    stdout: str
    stderr: str


class NumbaForks:
    """Runs code in forks of a process that has numba loaded; `close` ends it."""

    def __init__(self) -> None:
        self._server = subprocess.Popen(
            [sys.executable, "-W", "error", "-c", _SERVER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            # Python's own cache can't tell two versions of one second and one size apart.
            env=own_environment() | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        )

    def run(self, code: str, folder: Path, environment: Mapping[str, str]) -> ForkedEnd:
        """Run `code` in a fork, with the modules of `folder` and these environment variables."""
        assert self._server.stdin and self._server.stdout
        outputs = [folder / "stdout.txt", folder / "stderr.txt"]
        asked = {"code": code, "folder": str(folder), "environment": dict(environment)}
        self._server.stdin.write(json.dumps({**asked, "outputs": [*map(str, outputs)]}) + "\n")
        self._server.stdin.flush()
        code_of_end = int(self._server.stdout.readline())
        printed, reported = (path.read_text() for path in outputs)
        return ForkedEnd(code_of_end, printed, reported)

    def close(self) -> None:
        self._server.communicate()
