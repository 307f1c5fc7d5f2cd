"""What a program writes with plain loops and with compiled ones."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

from tests.support.system import ROOT


def plain_and_compiled(program: str, stdin: str = "") -> list[bytes]:
    """The standard output of a Python program in both ways, each by a fresh interpreter with the
    same hashes. It may import what tests may."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0"}
    return [
        subprocess.run(
            [sys.executable, "-c", textwrap.dedent(program)],
            input=stdin.encode(),
            env=environment | {"UNDOKU_PLAIN": plain},
            capture_output=True,
            check=True,
        ).stdout
        for plain in ("1", "")
    ]
